//! The generated parts of README.md are what the tool says today. `UPDATE=1 cargo test --test fresh` rewrites them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use std::process::Command;

use toolsurface::exit::Exit;
use toolsurface::input::calls;
use toolsurface::policy::Config;
use toolsurface::report::{explain, profiles};
use toolsurface::rule::RuleSet;

/// The text between the two marker lines of a part.
fn replaced(readme: &str, part: &str, text: &str) -> String {
    let (open, close) = (format!("<!-- generated: {part} -->\n"), format!("<!-- end: {part} -->\n"));
    let (before, rest) = readme.split_once(&open).unwrap_or_else(|| panic!("README.md has no part `{part}`"));
    let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("part `{part}` is not closed"));
    format!("{before}{open}\n{}\n\n{close}{after}", text.trim_end())
}

/// What `audit` prints of the demonstration server, cut to the parts that show what a finding looks like.
fn demo() -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_toolsurface"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["audit", "--width", "96", "--color", "never"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    let blocks: Vec<&str> = text.split("\n\n").collect();
    let mut shown = Vec::new();
    for block in &blocks {
        // The time that the server took to start differs from run to run.
        // How many rules ran changes with every new one, and is no part of what a finding looks like.
        let counts = block.lines().position(|line| line.contains("rules ran")).unwrap_or(usize::MAX);
        let after = block.lines().position(|line| line.starts_with("-v")).unwrap_or(usize::MAX);
        let stays = |n: usize, line: &str| !line.starts_with(" start ") && !(counts..after).contains(&n);
        let kept: Vec<&str> =
            block.lines().enumerate().filter(|(n, line)| stays(*n, line)).map(|(_, line)| line).collect();
        shown.push(kept.join("\n"));
    }
    let find =
        |word: &str| shown.iter().position(|block| block.contains(word)).unwrap_or_else(|| panic!("{word}: {text}"));
    let dangling = find("error[schema-dangling-ref]");
    let last = shown.len() - 1;
    format!(
        "```text\n{}\n\n{}\n\n…\n\n{}\n\n{}\n\n…\n\n{}\n```",
        shown[0],
        shown[1],
        shown[dangling],
        shown[dangling + 1],
        shown[last].trim_end()
    )
}

fn exits() -> String {
    let row = |exit: Exit, meaning: &str| format!("| {} | {meaning} |\n", exit.code());
    [
        "| code | meaning |\n| --- | --- |\n".to_owned(),
        row(Exit::Clean, "clean, or below the gate (`--fail-on`, default `error`)"),
        row(Exit::Findings, "findings at or above the gate"),
        row(Exit::Usage, "wrong usage or configuration"),
        row(Exit::Incomplete, "could not audit, or not all of it; no tools seen counts here. Outranks 1"),
    ]
    .concat()
}

#[test]
fn the_files_in_readme_are_read() {
    let readme = include_str!("../README.md");
    let blocks = readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let [file, settings] = blocks.collect::<Vec<_>>().try_into().unwrap();
    let made = calls::from_text("README.md", file).unwrap_or_else(|trouble| panic!("{trouble:?}"));
    assert_eq!(made[0].tool, "find_parcel");
    assert_eq!(made[0].arguments["number"], "440123456789");
    let rules = RuleSet::shipped().unwrap();
    let config = Config::from_text("README.md", settings, None, &rules).unwrap_or_else(|trouble| panic!("{trouble:?}"));
    assert_eq!(config.default_target().unwrap().target.name, "mine");
}

#[test]
fn readme_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let rules = RuleSet::shipped().unwrap();
    let mut fresh = readme.clone();
    for (part, text) in [
        ("finding", demo()),
        ("exit codes", exits()),
        ("hosts", profiles::markdown_list(&rules)),
        ("thresholds", explain::markdown_thresholds()),
        ("rules", explain::markdown_list(&rules)),
    ] {
        fresh = replaced(&fresh, part, &text);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    let now = std::fs::read_to_string(path).unwrap();
    assert!(now == fresh, "README.md is stale; run `UPDATE=1 cargo test --test fresh`");
}
