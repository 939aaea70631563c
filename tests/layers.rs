//! The walls between the folders of `src/`: imports go down only, no file is too long, no file is a drawer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Module and layer. An import goes from a higher number to a lower one; equal numbers do not see each other.
const LAYERS: [(&str, u8); 19] = [
    ("cli", 9),
    ("report", 8),
    ("policy", 7),
    ("record", 7),
    ("check", 6),
    ("input", 4),
    ("measure", 4),
    ("rule", 4),
    ("surface", 3),
    ("subject", 1),
    ("metric", 1),
    ("finding", 2),
    ("demo", 1),
    ("text", 0),
    ("spec", 0),
    ("exit", 0),
    ("error", 0),
    // The root: `lib.rs` sees all, and only the command line and the tests call its functions.
    ("lib", 10),
    ("main", 11),
];

/// Imports that the numbers would allow and that are still not wanted, or the reverse.
///
/// `error` is beside `exit` in the lowest layer and says how a trouble ends a run.
const EXTRA: [(&str, &str); 2] = [("error", "exit"), ("cli", "lib")];
const BANNED: [(&str, &str); 3] = [("rule", "surface"), ("report", "check"), ("demo", "error")];

const MOST_LINES: usize = 500;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files(&root)
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.strip_prefix(&root).unwrap().to_owned(), text)
        })
        .collect()
}

/// The top-level module that a file belongs to.
fn module(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// Every `crate::name` of a file with its line, tests inside the file left out.
fn imports(text: &str, at_top: bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        // Where `super` is the root of the crate, it is an import like any other.
        let code = if at_top { code.replace("super::", "crate::") } else { code.to_owned() };
        for part in code.split("crate::").skip(1) {
            let name: String = part.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if name.is_empty() {
                // `use crate::{a, b}`: each name of the braces counts.
                let braces = part.trim_start_matches('{').split('}').next().unwrap_or_default();
                found.extend(braces.split(',').map(|name| (n + 1, name.trim().split("::").next().unwrap().to_owned())));
            } else {
                found.push((n + 1, name));
            }
        }
    }
    found
}

fn faults(sources: &[(PathBuf, String)]) -> Vec<String> {
    let layers: BTreeMap<&str, u8> = LAYERS.into_iter().collect();
    let mut faults = Vec::new();
    for (path, text) in sources {
        let own = module(path);
        let Some(layer) = layers.get(own.as_str()) else {
            faults.push(format!("{}: `{own}` has no layer; add it to tests/layers.rs", path.display()));
            continue;
        };
        let at_top = path.components().count() == 1 || (path.components().count() == 2 && path.ends_with("mod.rs"));
        for (line, name) in imports(text, at_top) {
            let to = if layers.contains_key(name.as_str()) { name } else { "lib".to_owned() };
            let pair = (own.as_str(), to.as_str());
            let down = layers[to.as_str()] < *layer || to == own || EXTRA.contains(&pair);
            if !down || BANNED.contains(&pair) {
                faults.push(format!("{}:{line}: `{own}` may not import `{to}`", path.display()));
            }
        }
    }
    faults
}

#[test]
fn imports_go_down() {
    let faults = faults(&sources());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_forbidden_import_is_caught() {
    let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    for (path, text) in [
        ("text/json.rs", "use crate::surface::Surface;\n"),
        ("rule/file.rs", "use crate::surface::Tool;\n"),
        ("measure/mod.rs", "fn f() { crate::input::gather(); }\n"),
        ("report/human.rs", "use crate::{check, finding};\n"),
        ("check/mod.rs", "use super::report::Style;\n"),
        ("drawer/mod.rs", ""),
    ] {
        assert_eq!(faults(&[file(path, text)]).len(), 1, "{path}: {text}");
    }
    assert!(faults(&[file("check/mod.rs", "use crate::measure::Measures;\n")]).is_empty());
}

#[test]
fn files_are_short_and_well_named() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{}: {lines} lines; split it", path.display());
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(!["utils", "helpers", "misc", "common"].contains(&stem.as_str()), "{}: a drawer", path.display());
        assert!(text.starts_with("//!"), "{}: does not open with what it is for", path.display());
    }
}

#[test]
fn outside_crates_stay_behind_their_files() {
    for (crate_name, allowed) in [
        ("miette::", vec!["error.rs", "report/human.rs"]),
        ("comfy_table", vec!["report/table.rs"]),
        ("jsonc_parser", vec!["input/hosts/tree.rs"]),
        ("jsonschema::", vec!["check/schema.rs"]),
        ("clap::", vec!["cli/args.rs", "cli/mod.rs"]),
        ("regress::", vec!["check/code/schema_pattern_invalid.rs"]),
        (
            "ureq::",
            vec![
                "input/live/http.rs",
                "input/live/http/cause.rs",
                "input/live/http/exchange.rs",
                "input/live/http/tests/tls.rs",
            ],
        ),
        ("unicode_security::", vec!["check/code/name_homoglyph.rs"]),
        ("rustls_native_certs::", vec!["input/live/http.rs"]),
        ("fluent_uri::", vec!["text/address.rs"]),
        ("globset::", vec!["policy/allow.rs", "policy/config.rs"]),
    ] {
        let users: Vec<String> = sources()
            .into_iter()
            .filter(|(_, text)| {
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                code.into_iter().any(|line| line.contains(crate_name))
            })
            .map(|(path, _)| path.display().to_string())
            .collect();
        for user in &users {
            assert!(allowed.contains(&user.as_str()), "{user} names {crate_name}");
        }
    }
}
