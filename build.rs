//! Writes what the program carries inside: the rules, the host profiles, and the tables of the token counter.
//!
//! A rule is found here so that adding one means adding a file. The vocabularies are laid out here so that the program
//! can count tokens without loading anything; `src/measure/tokens/` reads them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "cargo is told things by printing, and a build that cannot go on can only stop"
)]

#[path = "src/measure/tokens/layout.rs"]
mod layout;

use std::collections::HashSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use regex_syntax::hir::{Class, HirKind};
use tiktoken_rs::CoreBPE;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/measure/tokens/layout.rs");
    write_rules(&root.join("rules"), &out.join("rules.rs"));
    write_hosts(&root.join("rules/hosts"), &out.join("hosts.rs"));
    write_tables(&out);
}

// ---- Rules ----

/// Writes `&[(category, stem, text)]` of every `rules/<category>/<stem>.md`, sorted.
fn write_rules(rules: &Path, to: &Path) {
    let mut code = String::from("&[\n");
    for folder in sorted(rules).iter().filter(|path| path.is_dir()) {
        let files = sorted(folder);
        for file in files.iter().filter(|path| is_markdown(path)) {
            println!("cargo:rerun-if-changed={}", text_of(file));
            let (category, stem) = (name_of(folder), name_of(file));
            let stem = stem.strip_suffix(".md").expect("filtered");
            let path = text_of(file);
            writeln!(code, "    ({category:?}, {stem:?}, include_str!({path:?})),").expect("memory");
        }
    }
    code.push_str("]\n");
    write(to, code.as_bytes());
}

/// Writes `&[(stem, text)]` of every `rules/hosts/<stem>.toml`, sorted.
fn write_hosts(hosts: &Path, to: &Path) {
    let mut code = String::from("&[\n");
    for file in sorted(hosts) {
        println!("cargo:rerun-if-changed={}", text_of(&file));
        let stem = name_of(&file).strip_suffix(".toml").expect("a host profile ends with .toml");
        writeln!(code, "    ({stem:?}, include_str!({:?})),", text_of(&file)).expect("memory");
    }
    code.push_str("]\n");
    write(to, code.as_bytes());
}

/// The entries of a folder in the order of their names; cargo is told to watch the folder.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={}", text_of(folder));
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("listed").path()).collect();
    paths.sort();
    paths
}

fn is_markdown(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|ending| ending == "md")
}

fn name_of(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_else(|| panic!("{}: the name is not UTF-8", path.display()))
}

fn text_of(path: &Path) -> &str {
    path.to_str().unwrap_or_else(|| panic!("{} is not UTF-8", path.display()))
}

// ---- Tables ----

/// Writes the tables, unless this very build script has done so before: a changed rule must not cost the seconds that
/// the vocabularies take.
fn write_tables(out: &Path) {
    let stamp = out.join("tables.stamp");
    let ours = own_stamp();
    if fs::read_to_string(&stamp).is_ok_and(|theirs| theirs == ours) {
        return;
    }
    write_classes(out);
    let o200k = tiktoken_rs::o200k_base().expect("tiktoken-rs brings it along");
    write_vocabulary(out, "o200k_base", &o200k);
    let cl100k = tiktoken_rs::cl100k_base().expect("tiktoken-rs brings it along");
    write_vocabulary(out, "cl100k_base", &cl100k);
    // Last, so that a build that was broken off is done again.
    write(&stamp, ours.as_bytes());
}

/// Cargo builds the script anew when its source, `layout.rs` or the release of a dependency changed, and only then; so
/// its own time stamp stands for all of them, and there is no number that one could forget to raise.
fn own_stamp() -> String {
    let script = env::current_exe().and_then(fs::metadata).expect("it runs");
    let modified = script.modified().expect("a time of modification");
    let age = modified.duration_since(UNIX_EPOCH).expect("after 1970");
    format!("{} bytes, {} ns", script.len(), age.as_nanos())
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Writes the tokens' bytes, where each begins, and the hash table that finds them.
fn write_vocabulary(out: &Path, name: &str, encoding: &CoreBPE) {
    let tokens = vocabulary(encoding);
    let mut blob = Vec::new();
    let mut offsets = vec![0];
    for token in &tokens {
        assert!(token.len() <= layout::LONGEST, "{name} has a token of {} bytes", token.len());
        blob.extend_from_slice(token);
        offsets.push(u32::try_from(blob.len()).expect("a few megabytes"));
    }
    write(&out.join(format!("{name}.blob")), &blob);
    write(&out.join(format!("{name}.offsets")), &words(&offsets));
    write(&out.join(format!("{name}.slots")), &words(&slots(&tokens)));
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The tokens by rank. A rank without a token, or with a special one, has no bytes here.
fn vocabulary(encoding: &CoreBPE) -> Vec<Vec<u8>> {
    let special: HashSet<&[u8]> = encoding.special_tokens().into_iter().map(str::as_bytes).collect();
    // The highest rank that a slot could hold is left out: with the highest tag it would be `EMPTY`.
    let mut tokens: Vec<Vec<u8>> = (0..layout::RANK_MASK)
        .map(|rank| encoding.decode_bytes(&[rank]).unwrap_or_default())
        .map(|token| if special.contains(token.as_slice()) { Vec::new() } else { token })
        .collect();
    while tokens.last().is_some_and(Vec::is_empty) {
        tokens.pop();
    }
    let beyond = (layout::RANK_MASK..4 * layout::RANK_MASK).find(|&rank| encoding.decode_bytes(&[rank]).is_ok());
    assert_eq!(beyond, None, "a rank needs more than {} bits", layout::RANK_BITS);
    tokens
}

/// An open-addressing table with linear probing, three slots of five taken.
fn slots(tokens: &[Vec<u8>]) -> Vec<u32> {
    let taken = tokens.iter().filter(|token| !token.is_empty()).count();
    let mut slots = vec![layout::EMPTY; taken * 5 / 3];
    for (rank, token) in (0..).zip(tokens) {
        if token.is_empty() {
            continue;
        }
        let hash = layout::hash(token);
        let mut at = layout::home(hash, slots.len());
        while slots[at] != layout::EMPTY {
            at = (at + 1) % slots.len();
        }
        slots[at] = layout::tag(hash) | rank;
    }
    slots
}

// ---- Character classes ----

/// The character classes that the split asks for. They come from regex-syntax, so that they are of the same Unicode
/// version as the engine that tiktoken-rs runs.
const CLASSES: [(&str, u8); 7] = [
    (r"[\p{Lu}\p{Lt}]", layout::UPPER),
    (r"\p{Ll}", layout::LOWER),
    (r"[\p{Lm}\p{Lo}]", layout::UNCASED),
    (r"\p{M}", layout::MARK),
    (r"\p{N}", layout::NUMBER),
    (r"\s", layout::SPACE),
    (r"[\r\n]", layout::NEWLINE),
];

/// Writes the class of every code point as pages, equal ones once, and the number of the page of each stretch.
fn write_classes(out: &Path) {
    let mut classes = vec![0; 0x11_0000];
    for (pattern, bit) in CLASSES {
        for (first, last) in ranges(pattern) {
            for class in &mut classes[first as usize..=last as usize] {
                *class |= bit;
            }
        }
    }
    let mut pages: Vec<&[u8]> = Vec::new();
    let mut index = Vec::new();
    for page in classes.chunks(1 << layout::PAGE_BITS) {
        let known = pages.iter().position(|known| *known == page);
        let number = known.unwrap_or_else(|| {
            pages.push(page);
            pages.len() - 1
        });
        index.push(u8::try_from(number).expect("at most 256 different pages"));
    }
    write(&out.join("classes.index"), &index);
    write(&out.join("classes.pages"), &pages.concat());
}

fn ranges(pattern: &str) -> Vec<(u32, u32)> {
    let parsed = regex_syntax::parse(pattern).expect("a class");
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
        panic!("{pattern} is no class of characters");
    };
    let ranges = class.ranges().iter();
    ranges.map(|range| (range.start().into(), range.end().into())).collect()
}
