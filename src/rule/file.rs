//! Markdown that opens with a fenced `toml` block, read into a rule.
//!
//! One small grammar: fenced blocks whose info string has a second word are read by the machine, everything else is
//! prose. No Markdown library is needed for that, and every fault is shown in the rule file itself.

use std::ops::Range;

use super::{Body, Check, ConfigFile, Example, Meta, Prose, Rule, Selector, Status};
use crate::error::Trouble;
use crate::spec::revision::Revisions;
use crate::text::json;

/// The blocks that are read by the machine, for messages.
const BLOCKS: &str = "there are json assert, regex match, regex miss, json bad, json good, jsonl bad, jsonl good; and for \
                      config files json, jsonc and toml with bad PATH, good PATH or with PATH";

/// A fenced block.
struct Block<'t> {
    /// The words behind the opening fence.
    info: Vec<&'t str>,
    /// Its text.
    text: &'t str,
    /// Where the text stands in the file.
    at: Range<usize>,
}

/// Reads a rule file. `compiles` says why a check in it cannot be run; without it nobody asks.
pub(super) fn read(
    name: &str,
    category: &str,
    stem: &str,
    text: &str,
    compiles: Option<fn(Check<'_>) -> Result<(), String>>,
) -> Result<Rule, Trouble> {
    let file = File { name, text, compiles };
    let (blocks, prose) = file.split()?;
    let (head, rest) = match blocks.split_first() {
        Some((head, rest)) if head.info == ["toml"] => (head, rest),
        _ => return Err(file.fault(0..0, "does not open with a fenced `toml` block")),
    };
    let meta: Meta = toml::from_str(head.text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        file.fault(head.at.start + span.start..head.at.start + span.end, error.message())
    })?;
    if meta.id != stem {
        return Err(file.fault(head.at.clone(), &format!("the id is `{}`, the file's name says `{stem}`", meta.id)));
    }
    let (body, examples) = file.body(&meta, rest)?;
    Ok(Rule { category: category.to_owned(), meta, prose, body, examples })
}

struct File<'t> {
    name: &'t str,
    text: &'t str,
    compiles: Option<fn(Check<'_>) -> Result<(), String>>,
}

impl<'t> File<'t> {
    fn fault(&self, at: Range<usize>, problem: &str) -> Trouble {
        Trouble::rule(self.name, self.text, at, problem)
    }

    /// The blocks, and the prose around them.
    fn split(&self) -> Result<(Vec<Block<'t>>, Prose), Trouble> {
        let mut blocks = Vec::new();
        let mut prose = Prose::default();
        let mut open: Option<(usize, Vec<&'t str>, usize)> = None;
        let mut offset = 0;
        for line in self.text.split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            let fence = line.len() - line.trim_start_matches('`').len();
            match &open {
                Some((ticks, info, from)) if fence >= *ticks && line.trim_matches('`').trim().is_empty() => {
                    let text = self.text.get(*from..start).unwrap_or_default();
                    blocks.push(Block { info: info.clone(), text, at: *from..start });
                    open = None;
                }
                Some(_) => {}
                None if fence >= 3 => {
                    let info = line.get(fence..).unwrap_or_default().split_whitespace().collect();
                    open = Some((fence, info, offset));
                }
                None => prose.take(line),
            }
        }
        match open {
            Some((_, _, from)) => Err(self.fault(from..from, "this block is not closed")),
            None => Ok((blocks, prose)),
        }
    }

    /// Refuses a check that cannot be run.
    fn compiled(&self, check: Check<'_>, block: &Block<'_>) -> Result<(), Trouble> {
        let told = self.compiles.map_or(Ok(()), |compiles| compiles(check));
        told.map_err(|problem| self.fault(block.at.clone(), &format!("this check cannot be run: {problem}")))
    }

    /// Refuses what would have no effect: whoever wrote it believes that it has one.
    fn no_idle_key(&self, meta: &Meta, body: &Body) -> Result<(), Trouble> {
        let whole = matches!(meta.on, Selector::Server | Selector::Exchange | Selector::Config | Selector::Targets);
        let fault = match body {
            Body::Schema(_) if whole => {
                Some("a `json assert` has no node on `server`, `exchange`, `config` or `targets`; use code")
            }
            Body::Text { .. } if meta.on != Selector::Tool => Some("a text check is on `tool`; its fields start there"),
            Body::Text { fields, .. } if fields.is_empty() => {
                Some("a `regex` needs `fields` in the head: where the text stands, such as [\"/description\"]")
            }
            Body::Text { fields, .. } if fields.iter().any(|field| !field.starts_with('/')) => {
                Some("a field is a JSON pointer, and starts with `/`")
            }
            Body::Schema(_) | Body::Budget(_) | Body::Code | Body::None if !meta.fields.is_empty() => {
                Some("`fields` has no effect without a `regex` block")
            }
            Body::Schema(_) | Body::Text { .. } | Body::Budget(_) | Body::None if meta.weaker.is_some() => {
                Some("`weaker` has no effect without `code = true`")
            }
            Body::Text { .. } | Body::Budget(_) | Body::Code | Body::None if meta.anchor.is_some() => {
                Some("`anchor` has no effect without a `json assert` block")
            }
            _ => None,
        };
        fault.map_or(Ok(()), |problem| Err(self.fault(0..0, problem)))
    }

    fn body(&self, meta: &Meta, blocks: &[Block<'t>]) -> Result<(Body, Vec<Example>), Trouble> {
        let mut asserts = Vec::new();
        let mut patterns = (Vec::new(), Vec::new());
        let mut examples = Vec::new();
        for block in blocks {
            match block.info.as_slice() {
                ["json", "assert", range @ ..] => {
                    let range = Revisions::from_text(&range.join(" "))
                        .map_err(|problem| self.fault(block.at.clone(), &problem))?;
                    let schema = json::parse(block.text).map_err(|broken| {
                        let place = block.at.start + broken.offset;
                        self.fault(place..place, &broken.problem)
                    })?;
                    self.compiled(Check::Schema(&schema.value), block)?;
                    asserts.push((range, schema.value));
                }
                ["regex", kind @ ("match" | "miss")] => {
                    let pattern = block.text.trim();
                    self.compiled(Check::Pattern(pattern), block)?;
                    if *kind == "match" { &mut patterns.0 } else { &mut patterns.1 }.push(pattern.to_owned());
                }
                [language @ ("json" | "jsonl"), kind @ ("bad" | "good")] => examples.push(Example {
                    bad: *kind == "bad",
                    language: (*language).to_owned(),
                    text: block.text.to_owned(),
                    config: None,
                }),
                [language @ ("json" | "jsonc" | "toml"), kind @ ("bad" | "good"), path, given @ ..] => {
                    examples.push(Example {
                        bad: *kind == "bad",
                        language: (*language).to_owned(),
                        text: block.text.to_owned(),
                        config: Some(ConfigFile {
                            path: (*path).to_owned(),
                            given: given.iter().map(|word| (*word).to_owned()).collect(),
                            with: Vec::new(),
                        }),
                    });
                }
                ["json" | "jsonc" | "toml", "with", path] => {
                    let config = examples.last_mut().and_then(|example: &mut Example| example.config.as_mut());
                    let config = config.ok_or_else(|| {
                        self.fault(block.at.clone(), "a file `with` others stands behind a config file")
                    })?;
                    config.with.push(((*path).to_owned(), block.text.to_owned()));
                }
                ["regex"] => return Err(self.fault(block.at.clone(), "write `regex match` or `regex miss`")),
                [] | [_] => {}
                other => {
                    return Err(
                        self.fault(block.at.clone(), &format!("`{}` is no kind of block; {BLOCKS}", other.join(" ")))
                    );
                }
            }
        }
        let (must, must_not) = patterns;
        let has_text = !must.is_empty() || !must_not.is_empty();
        let body = match (asserts.is_empty(), has_text, meta.budget.is_empty(), meta.code) {
            (false, false, true, false) => Body::Schema(asserts),
            (true, true, true, false) => Body::Text { fields: meta.fields.clone(), must, must_not },
            (true, false, false, false) => Body::Budget(meta.budget.clone()),
            (true, false, true, true) => Body::Code,
            (true, false, true, false) if meta.status == Status::Planned => Body::None,
            (true, false, true, false) => {
                // What compiles its checks is a user's, and code is not for those.
                let code = if self.compiles.is_some() { "" } else { ", or `code = true`" };
                let ways = "a block `json assert`, `regex match` or `regex miss`, `[[budget]]`";
                return Err(self.fault(0..0, &format!("has no check: add {ways}{code}")));
            }
            _ => return Err(self.fault(0..0, "has more than one kind of check")),
        };
        self.no_idle_key(meta, &body)?;
        Ok((body, examples))
    }
}

impl Prose {
    fn take(&mut self, line: &str) {
        if line.starts_with("# ") {
            return;
        }
        if let Some(heading) = line.strip_prefix("## ") {
            self.sections.push((heading.trim().to_owned(), String::new()));
            return;
        }
        let part = self.sections.last_mut().map_or(&mut self.summary, |(_, text)| text);
        part.push_str(line);
        // Blank lines at the start of a part and behind a removed block would pile up.
        if part.trim().is_empty() {
            part.clear();
        } else if part.ends_with("\n\n\n") {
            part.pop();
        }
    }

    /// The text of a section, trimmed.
    pub fn section(&self, heading: &str) -> Option<&str> {
        let found = self.sections.iter().find(|(name, _)| name == heading);
        found.map(|(_, text)| text.trim()).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> (String, usize) {
        match read("schema/a.md", "schema", "a", text, None).unwrap_err() {
            Trouble::Rule { problem, at, .. } => (problem, at.unwrap().offset()),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn faults_are_placed_in_the_rule_file() {
        let (problem, at) = place("```toml\nid = \"a\"\nserverity = 1\n```\n");
        assert!(problem.contains("serverity"), "{problem}");
        assert_eq!(at, "```toml\nid = \"a\"\n".len());
        assert!(place("# a\n").0.contains("does not open"));
        assert!(place("```toml\nid = \"a\"\n").0.contains("not closed"));
    }
}
