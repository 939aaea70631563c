//! The log of a program that failed: which of its lines says why.

use std::sync::LazyLock;

use regex::Regex;

/// What a line that says nothing looks like: no word, a step of a stack trace, the version that Node.js ends with.
static EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r#"^\s*(?:at |File "|Node\.js v\d|\^+\s*$)"#,
        r"^[^\p{L}]*$|^\P{L}*\p{L}{1,2}\P{L}*$",
        r"^Run 'docker |^See 'docker ",
        r"^npm (?:error|ERR!)(?: A complete log of this run.*|(?: \w+)?\s*)$|^Installed \d+ packages? in ",
    ];
    any_of(&forms)
});

/// What npm, uv and Docker say when they cannot get at a package or an image. A script that failed under npm is the
/// package's own matter.
static RUNNER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"^npm (?:error|ERR!) (?:40[0-9] .*|notarget No .*|could not determine executable.*|(?:npx )?canceled.*)$",
        r"^npm (?:error|ERR!) (?:request to .* failed.*|network request to .*|Invalid (?:tag|package) name .*)$",
        r"(?i)^(?:docker: |error: |error during connect: )?\W*(?:cannot connect to the docker daemon|failed to connect to the docker api).*$",
        r"(?i)^docker: error response from daemon: (?:pull access denied|manifest|no such image|repository|head |get ).*$",
        r"(?i)^\W*(?:error: )?\W*(?:no solution found|because \S+ was not found|there (?:is|are) no version).*$",
        r"^(?:error: )?Package .* does not provide any executables.*$|^An executable named .* is not provided by .*$",
    ];
    any_of(&forms)
});

/// A word that names a failure.
static FAILURE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b\w*(?:error|exception|panicked|fatal)\b").ok());

/// An expression that any of these forms matches.
pub fn any_of(forms: &[&str]) -> Option<Regex> {
    Regex::new(&forms.join("|")).ok()
}

/// The line that most likely says why: the last one that names a failure, else the last one that says anything.
/// Programs end with brackets, stack traces and versions, which say nothing.
pub fn telling_line<'l>(lines: impl DoubleEndedIterator<Item = &'l str> + Clone) -> Option<&'l str> {
    let is = |form: &LazyLock<Option<Regex>>, line: &str| form.as_ref().is_some_and(|form| form.is_match(line));
    let telling = lines.rev().map(str::trim).filter(|line| !line.is_empty() && !is(&EMPTY, line));
    telling.clone().find(|line| is(&FAILURE, line)).or_else(|| telling.clone().next())
}

/// The line in which a package runner says that it could not get at the package, if it does: then nothing of the
/// package was run.
pub fn runner_fault<'l>(lines: impl Iterator<Item = &'l str>) -> Option<&'l str> {
    let form = RUNNER.as_ref()?;
    let faults: Vec<&str> = lines.map(str::trim).filter(|line| form.is_match(line)).collect();
    // uv says what it did, and then why.
    faults.iter().find(|line| line.contains("ecause ")).or_else(|| faults.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_got_no_package_is_told_from_a_server() {
        for (log, line) in [
            (
                "npm error code E404\nnpm error 404 Not Found - GET https://r.example/lampp - Not found\nnpm error 404\n\
                 npm error A complete log of this run can be found in: /tmp/x.log",
                Some("npm error 404 Not Found - GET https://r.example/lampp - Not found"),
            ),
            (
                "npm error code ETARGET\nnpm error notarget No matching version found for lamp@9.\nnpm error notarget In",
                Some("npm error notarget No matching version found for lamp@9."),
            ),
            (
                "npm error could not determine executable to run\nnpm error A complete log of this run can be found",
                Some("npm error could not determine executable to run"),
            ),
            (
                "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because lampp was not found in the \
                 package registry and you require lampp==1.0, we can conclude that",
                Some(
                    "╰─▶ Because lampp was not found in the package registry and you require lampp==1.0, we can \
                     conclude that",
                ),
            ),
            ("npm error Lifecycle script `start` failed with error:\nnpm error code 1", None),
            ("Error: 404 Not Found", None),
        ] {
            assert_eq!(runner_fault(log.lines()), line, "{log}");
        }
        let log = "npm error notarget No lamp\nnpm error A complete log of this run can be found in: /tmp/x.log";
        assert_eq!(telling_line(log.lines()), Some("npm error notarget No lamp"));
    }

    #[test]
    fn the_line_that_says_why() {
        for (log, line) in [
            (
                "starting\nTypeError: x is not a function\n    at run (a.js:1:2)\n}\n\nNode.js v20.20.2",
                "TypeError: x is not a function",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'LAMP_TOKEN'",
                "KeyError: 'LAMP_TOKEN'",
            ),
            ("thread 'main' panicked at src/main.rs:1:1:\nno lamp", "thread 'main' panicked at src/main.rs:1:1:"),
            ("Please log in first\n}\n", "Please log in first"),
            ("Error: connect refused\n{\n  errno: -111,\n}", "Error: connect refused"),
        ] {
            assert_eq!(telling_line(log.lines()), Some(line), "{log}");
        }
        assert_eq!(telling_line("}\n  ]\n\n".lines()), None);
    }
}
