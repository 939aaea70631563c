//! Harmless servers of our own writing, in many languages and domains, on which no rule may speak above information.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use std::path::{Path, PathBuf};

use toolsurface::check::Settings;
use toolsurface::finding::Severity;
use toolsurface::input::dump;
use toolsurface::rule::RuleSet;

/// The fewest definitions that make the quiet mean something.
const LEAST: usize = 150;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/quiet");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn nothing_is_said_above_information() {
    let rules = RuleSet::shipped().unwrap();
    let (mut definitions, mut loud) = (0, Vec::new());
    for file in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let gathered = dump::read(&name, &name, &std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(gathered.surface.incidents, [], "{name}");
        definitions += gathered.surface.tools.len();
        let examined = toolsurface::examine(Vec::new(), gathered, &rules, &Settings::default());
        assert!(examined.checked.ran.len() > 100, "{name}: only {} rules ran", examined.checked.ran.len());
        for finding in examined.checked.findings.iter().filter(|finding| finding.severity > Severity::Info) {
            loud.push(format!(
                "{name}: {} {} {}: {}",
                finding.rule, finding.subject, finding.anchor.at, finding.message
            ));
        }
    }
    assert!(loud.is_empty(), "{}", loud.join("\n"));
    assert!(definitions >= LEAST, "{definitions} definitions");
}
