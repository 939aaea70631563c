//! What the last words of a process that would not start ask for.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::{log::any_of, safe};

/// What a process lacked, as far as its words show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// These variables of the environment, in the order of the text.
    Variables(Vec<String>),
    /// Arguments of the command.
    Arguments,
    /// A module or program of this name.
    Part(String),
    /// Nothing that could be told.
    Unclear,
}

/// Variables that are named; more make no report better.
const MOST: usize = 5;

/// Words of a complaint, in lower case. A variable counts only beside one of them.
const LACKING: [&str; 20] = [
    "not set",
    "isn't set",
    "unset",
    "missing",
    "required",
    "must be set",
    "must set",
    "must be provided",
    "must provide",
    "please set",
    "please provide",
    "need to set",
    "not provided",
    "undefined",
    "not defined",
    "not found",
    "is empty",
    "cannot be empty",
    "keyerror",
    "no value",
];

/// Words of a program that goes on without what it lacks, in lower case.
const MILD: [&str; 14] = [
    "anonymous",
    "default",
    "deprecat",
    "disabled",
    "falling back",
    "fallback",
    "ignored",
    "[info]",
    "must not",
    "optional",
    "telemetry",
    "using ",
    "warn",
    " off",
];

/// Words of a program that wants arguments, in lower case.
const USAGE: [&str; 11] = [
    "usage:",
    "command-line argument",
    "command line argument",
    "not enough arguments",
    "not enough non-option arguments",
    "arguments are required",
    "required arguments",
    "missing argument",
    "missing required argument",
    "argument is required",
    "too few arguments",
];

/// A name as variables have it: capitals with an underscore, or any capitals where the text calls it a variable.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"\b(?P<a>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b",
        r"(?i:environment variables?|env vars?|variable):?\s+\W{0,2}(?P<b>[A-Z][A-Z0-9]{2,})\b",
        r"\b(?P<c>[A-Z][A-Z0-9]{2,})\W?\s+(?i:environment variable|env var)",
        // Behind `=` it stands for the value of an option.
        r"(?:(?:^|[^=\w])\$\{?|\benv\.|\benviron\[\W)(?P<d>[A-Z][A-Z0-9]{2,})\b",
    ];
    any_of(&forms)
});

/// A module, package, library or program that is not there.
static PART: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r#"(?i:cannot find (?:module|package)|no module named)\s+['"](?P<c>[^'"]+)['"]"#,
        r"(?i:cannot find (?:module|package)|no module named|loading shared libraries:)\s+(?P<a>[\w@./+~-]+)",
        r"(?P<b>[\w./-]+): (?:command )?not found\b",
    ];
    any_of(&forms)
});

/// What a terminal takes for a colour.
static COLOUR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\x1b\[[0-9;]*m").ok());

/// What the lines of stderr ask for. A variable says more than a missing argument, and that more than a missing part.
pub(super) fn complaint(lines: &[String]) -> Complaint {
    let plain = |line: &String| match COLOUR.as_ref() {
        Some(colour) => colour.replace_all(line, "").into_owned(),
        None => line.clone(),
    };
    let lines: Vec<String> = lines.iter().map(plain).collect();
    let variables = variables(&lines);
    if !variables.is_empty() {
        return Complaint::Variables(variables);
    }
    let lower: Vec<String> = lines.iter().map(|line| line.to_lowercase()).collect();
    if lower.iter().any(|line| USAGE.iter().any(|words| line.contains(words))) {
        return Complaint::Arguments;
    }
    let part = PART.as_ref().and_then(|form| lines.iter().find_map(|line| form.captures(line)));
    part.and_then(|found| {
        ["a", "b", "c"].into_iter().find_map(|name| found.name(name)).map(|name| name.as_str().to_owned())
    })
    .map_or(Complaint::Unclear, |name| Complaint::Part(last_of_path(&name)))
}

/// The name of a part; of a path the last step, which says enough.
fn last_of_path(name: &str) -> String {
    if let Some((_, inside)) = name.rsplit_once("node_modules/") {
        return safe::clip(inside.trim_end_matches(['.', ':', '\'']), 60);
    }
    let is_path = name.starts_with(['/', '.']);
    let last = name.trim_end_matches(['/', '.', ':']).rsplit('/').next().filter(|_| is_path);
    safe::clip(last.unwrap_or(name).trim_end_matches(['.', ':']), 40)
}

fn variables(lines: &[String]) -> Vec<String> {
    let Some(form) = VARIABLE.as_ref() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        for captured in form.captures_iter(line) {
            let name = ["a", "b", "c", "d"].into_iter().find_map(|group| captured.name(group));
            let name = name.map(|name| name.as_str()).unwrap_or_default();
            let known = found.iter().any(|known| known == name);
            if is_variable(name) && !known && found.len() < MOST && laments(lines, n, name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// What error codes begin and end with.
const CODES: [&str; 14] = [
    "ARGUMENT", "DENIED", "ERR", "ERROR", "EXCEEDED", "EXPIRED", "FAILED", "FOUND", "INVALID", "OPTIONS", "PARSE",
    "REFUSED", "UNABLE", "VERSION",
];

/// Error codes and versions of libraries look like variables.
fn is_variable(name: &str) -> bool {
    let ends = [name.split('_').next(), name.rsplit('_').next()];
    let is_code = ends.into_iter().flatten().any(|end| CODES.contains(&end));
    let last = name.rsplit('_').next().unwrap_or(name);
    !is_code && last.chars().any(|letter| letter.is_ascii_alphabetic())
}

/// Whether the line complains of a lack; where it is only the name, a line nearby.
fn laments(lines: &[String], at: usize, name: &str) -> bool {
    let lacking = |line: &String| {
        let line = line.to_lowercase();
        LACKING.iter().any(|words| line.contains(words)) && !MILD.iter().any(|words| line.contains(words))
    };
    let Some(line) = lines.get(at) else { return false };
    // A list of names, or a report of a validator, has each name on a line of its own.
    let alone = line.replace(name, "").chars().all(|letter| !letter.is_alphanumeric());
    lacking(line) || alone && lines.iter().take(at + 5).skip(at.saturating_sub(5)).any(lacking)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Complaint {
        complaint(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    fn names(names: &[&str]) -> Complaint {
        Complaint::Variables(names.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn what_a_program_can_do_without_is_no_complaint() {
        for text in [
            "[INFO] LOG_LEVEL not set, defaulting to INFO\n[ERROR] connect ECONNREFUSED 127.0.0.1:5432",
            "Warning: GITHUB_TOKEN is not set, using anonymous access\nError: listen EADDRINUSE",
            "WARN  REDIS_URL missing, falling back to memory\nError: boom",
            "PERMISSION_DENIED: Missing required scope",
            "error: TOKEN_EXPIRED, login required",
            "Error: NODE_VERSION 22 is required, found 20",
        ] {
            assert_eq!(of(text), Complaint::Unclear, "{text}");
        }
    }

    #[test]
    fn variables_in_many_words() {
        for (text, wanted) in [
            ("Error: LAMP_API_KEY is not set", &["LAMP_API_KEY"][..]),
            ("Missing required environment variable: LAMP_TOKEN", &["LAMP_TOKEN"]),
            ("ValueError: Please set the LAMP_TOKEN environment variable", &["LAMP_TOKEN"]),
            ("    raise KeyError(key) from None\nKeyError: 'LAMP_TOKEN'", &["LAMP_TOKEN"]),
            ("TOKEN environment variable is required", &["TOKEN"]),
            ("env: environment variable \"PORT\" not set", &["PORT"]),
            ("process.env.TOKEN is undefined", &["TOKEN"]),
            ("Missing required environment variables:\n  - LAMP_URL\n  - LAMP_TOKEN", &["LAMP_URL", "LAMP_TOKEN"]),
            ("    \"path\": [\n      \"LAMP_TOKEN\"\n    ],\n    \"message\": \"Required\"", &["LAMP_TOKEN"]),
            ("{\"level\":\"fatal\",\"msg\":\"LAMP_TOKEN must be provided\"}", &["LAMP_TOKEN"]),
            ("required key LAMP_TOKEN missing value", &["LAMP_TOKEN"]),
            ("\u{1b}[31mERROR\u{1b}[39m \u{1b}[36mLAMP_TOKEN is not set\u{1b}[39m", &["LAMP_TOKEN"]),
            ("no key provided, pass --key=$KEY or set the LAMP_KEY environment variable: missing", &["LAMP_KEY"]),
            ("either LAMP_TOKEN or LAMP_COOKIE is required", &["LAMP_TOKEN", "LAMP_COOKIE"]),
        ] {
            assert_eq!(of(text), names(wanted), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_variable() {
        for text in [
            "code: 'MODULE_NOT_FOUND', required: []",
            "version `GLIBC_2.34' not found (required by node)",
            "Error [ERR_MODULE_NOT_FOUND]: not found",
            "reading LAMP_TOKEN\nlistening",
            "FATAL: something is missing",
            "",
        ] {
            assert!(!matches!(of(text), Complaint::Variables(_)), "{text}: {:?}", of(text));
        }
    }

    #[test]
    fn arguments_and_parts() {
        let part = |name: &str| Complaint::Part(name.to_owned());
        for (text, wanted) in [
            ("Usage: lamp-server <directory>", Complaint::Arguments),
            ("Not enough non-option arguments: got 0, need at least 1", Complaint::Arguments),
            ("error: the following arguments are required: --root", Complaint::Arguments),
            ("Error: Cannot find module 'express'", part("express")),
            ("Error: Cannot find module '/srv/a+b/dist/index.js' imported from /srv/a.js", part("index.js")),
            ("ModuleNotFoundError: No module named 'lamp.core'", part("lamp.core")),
            ("sh: 1: lampd: not found", part("lampd")),
            ("lamp: error while loading shared libraries: libssl.so.3: cannot open", part("libssl.so.3")),
            ("boom", Complaint::Unclear),
        ] {
            assert_eq!(of(text), wanted, "{text}");
        }
    }
}
