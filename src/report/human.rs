//! The report for a terminal: figures first, then findings, the most severe first. The only file, beside `error.rs`,
//! that names miette's parts.

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, MietteError, MietteSpanContents,
    NamedSource, Report, SourceCode, SourceSpan, SpanContents,
};

use super::group::{self, Group};
use super::{Style, across, excerpt, lines, session, table};
use crate::error::Trouble;
use crate::finding::{Finding, Level, Severity};
use crate::policy::{Counts, Outcome, Verdict};
use crate::record::evidence;
use crate::rule::RuleSet;
use crate::spec::revision::Revision;
use crate::subject::Kind;
use crate::surface::launch::Start;
use crate::text::safe;

/// Findings of a group that `-v` shows.
const MOST_SHOWN: usize = 200;

/// Columns that miette puts before a line of an excerpt.
const GUTTER: usize = 7;

/// The report of one run.
pub fn audit(verdict: &Verdict, rules: &RuleSet, style: Style) -> String {
    let mut out = String::new();
    match (verdict.outcomes.as_slice(), &verdict.across) {
        ([only], None) => {
            out.push_str(&block(only, rules, style));
            out.push_str(&stale(verdict, style));
            out.push_str(&closing(only.counts(), verdict.stale.len(), style));
            out.push_str(&rules_line(only, style));
        }
        (all, between) => {
            for one in all {
                out.push_str(&block(one, rules, style));
                out.push_str(&closing(one.counts(), 0, style));
                out.push_str(&rules_line(one, style));
                out.push_str(&format!("\n{}\n\n", "═".repeat(style.width)));
            }
            if let Some(between) = between {
                out.push_str(&across::human(all, between, style));
                out.push_str(&findings(&between.outcome, rules, style));
            }
            out.push_str(&stale(verdict, style));
            out.push_str(&closing(verdict.counts(), verdict.stale.len(), style));
        }
    }
    if verdict.all().any(|outcome| outcome.counted().next().is_some()) {
        let more = if style.verbose { "" } else { "-v shows the single findings; " };
        let line = format!("{more}`toolsurface explain RULE` says why a rule matters");
        out.push_str(&format!("{}\n", lines::wrapped(&line, style.width, "")));
    }
    out
}

/// How much was found, in the colour of the worst of it.
fn closing(found: Counts, unused: usize, style: Style) -> String {
    let worst = match found {
        Counts { error: 0, warn: 0, incidents: 0, .. } => Severity::Info,
        Counts { error: 0, incidents: 0, .. } => Severity::Warn,
        _ => Severity::Error,
    };
    let line = lines::wrapped(&group::tally(found, unused), style.width, "");
    format!("\n{}\n", paint(&line, worst, style))
}

fn rules_line(outcome: &Outcome, style: Style) -> String {
    format!("{}\n", lines::wrapped(&group::rules_line(outcome), style.width, ""))
}

/// What is to be said of one target.
fn block(outcome: &Outcome, rules: &RuleSet, style: Style) -> String {
    let mut out = format!("{}\n\n", lines::wrapped(&headline(outcome), style.width, "  "));
    if !outcome.surface.tools.is_empty() {
        out.push_str(&figures(outcome, style));
        out.push('\n');
    }
    out.push_str(&findings(outcome, rules, style));
    out.push_str(&incidents(outcome, style));
    out
}

/// The findings that count: errors and warnings with an excerpt each group, information folded to a line.
pub fn findings(outcome: &Outcome, rules: &RuleSet, style: Style) -> String {
    let groups = group::groups(outcome);
    let (loud, quiet): (Vec<_>, Vec<_>) =
        groups.iter().partition(|group| group.severity > Severity::Info || style.verbose);
    let mut out = String::new();
    for group in loud {
        out.push('\n');
        out.push_str(&shown(group, outcome, rules, style));
    }
    if !quiet.is_empty() {
        out.push('\n');
        out.push_str(&folded(&quiet, rules, style));
    }
    out
}

/// A trouble for stderr.
pub fn trouble(trouble: Trouble, style: Style) -> String {
    // Words of the command line and of a settings file in a foreign checkout stand in it, so nothing passes unseen; and
    // so it has no colours.
    let text = drawn(&Report::new(trouble), Style { colour: false, ..style });
    text.lines().map(|line| format!("{}\n", safe::line(line))).collect()
}

fn headline(outcome: &Outcome) -> String {
    let surface = &outcome.surface;
    let mut parts = vec![safe::clip(&surface.target, 60)];
    if outcome.is_config {
        parts.push("config of hosts".to_owned());
        return parts.join(" · ");
    }
    if let Some(name) = &surface.server.name {
        let version = surface.server.version.as_deref().unwrap_or("no version");
        parts.push(safe::clip(&format!("{name} {version}"), 60));
    }
    match (&surface.negotiated, surface.era) {
        (Some(revision), Some(era)) => parts.push(format!("revision {} ({})", safe::clip(revision, 20), era.as_str())),
        (Some(revision), None) => parts.push(format!("revision {}", safe::clip(revision, 20))),
        _ if outcome.revisions.len() > 1 => parts.push("revision not known".to_owned()),
        _ => parts.push(format!("revision not known, judged by {}", surface.revision())),
    }
    if let [first, .., last] = outcome.revisions.as_slice() {
        parts.push(format!("judged by {first} to {last}"));
        return parts.join(" · ");
    }
    let judged = surface.revision().as_str();
    if surface.negotiated.as_deref().is_some_and(|named| named != judged) {
        parts.push(format!("judged by {judged}"));
    }
    parts.join(" · ")
}

fn figures(outcome: &Outcome, style: Style) -> String {
    let measures = &outcome.measures;
    let value = |id: &str| measures.get(id).map_or_else(String::new, evidence::value);
    let pages =
        if outcome.surface.pages.len() == 1 { "1 page".to_owned() } else { format!("{} pages", value("pages")) };
    let mut rows = vec![
        vec!["tools".to_owned(), format!("{}{} on {pages}", value("tools.count"), band(&value("band.verdict")))],
        vec!["payload".to_owned(), format!("{}, {} (o200k_base)", value("payload.bytes"), value("payload.o200k"))],
        vec!["seen by a model".to_owned(), format!("{} (o200k_base)", value("visible.o200k"))],
        vec![
            "payload's share".to_owned(),
            format!(
                "{} of 128k, {} of 200k, {} of 1M",
                value("window.128k.share"),
                value("window.200k.share"),
                value("window.1m.share")
            ),
        ],
        vec![
            "output schemas".to_owned(),
            match measures.number("output_schema.present") {
                Some(0) => format!("0/{}", value("tools.count")),
                _ => format!(
                    "{}/{}, {} of them saying nothing",
                    value("output_schema.present"),
                    value("tools.count"),
                    value("output_schema.empty")
                ),
            },
        ],
        vec![
            "behaviour hints".to_owned(),
            // Nobody has looked at what the tools do.
            format!("{}/{}, the server's claim only", value("annotations.hinted"), value("tools.count")),
        ],
        vec![
            "parameters".to_owned(),
            format!("{}, {} of them undescribed", value("params.all"), value("params.all.undescribed")),
        ],
    ];
    if measures.get("gateway.enum").is_some_and(|measure| !measure.value.is_null()) {
        let core = format!(
            "core {}, {} behind a gateway, {} in all",
            value("core.count"),
            value("gateway.enum"),
            value("catalogue.count")
        );
        rows.push(vec!["catalogue".to_owned(), core]);
    }
    if let Some(measure) = measures.get("top5.tools").filter(|_| outcome.surface.tools.len() > 5) {
        let five = format!("{} of all tools' tokens: {}", value("top5.share.o200k"), evidence::value(measure));
        rows.push(vec!["dearest five".to_owned(), safe::clip(&five, 400)]);
    }
    if measures.get("repeat.waste.utf16").and_then(|measure| measure.value.as_u64()).is_some_and(|waste| waste > 0) {
        let copies = format!("{} copies of {}", value("repeat.copies"), value("repeat.utf16"));
        rows.push(vec!["most repeated".to_owned(), format!("{copies} each, {} wasted", value("repeat.waste.utf16"))]);
    }
    let walks = session::walks(&outcome.surface, 200).map(|told| vec!["walks".to_owned(), told]);
    let calls = session::calls_told(&outcome.surface).map(|told| vec!["calls".to_owned(), told]);
    rows.extend(walks.into_iter().chain(calls));
    let starts = outcome.surface.starts();
    if !starts.is_empty() {
        rows.push(vec!["start".to_owned(), times(&starts)]);
    }
    table::table(&["measure", "value"], &rows, style.width)
}

/// The times of the starts; which is the cold one, where the first may have had to download.
fn times(starts: &[Start]) -> String {
    let has_cold = starts.iter().any(|start| start.cold);
    let told = starts.iter().map(|start| {
        let kind = match (has_cold, start.cold) {
            (false, _) => "",
            (true, true) => " (cold)",
            (true, false) => " (warm)",
        };
        format!("{} ms{kind}", safe::thousands(start.ms))
    });
    told.collect::<Vec<String>>().join(", ")
}

/// The place in the band, where there is something to say of it: a short list is no fault.
fn band(verdict: &str) -> String {
    if verdict == "below" { String::new() } else { format!(" ({verdict} the band)") }
}

/// A group with an excerpt of its first finding, or of each with `-v`.
fn shown(group: &Group<'_>, outcome: &Outcome, rules: &RuleSet, style: Style) -> String {
    // Each excerpt walks the node around it; the JSON report lists all of a million.
    let most = if style.verbose { MOST_SHOWN } else { 1 };
    let mut out = String::new();
    for (i, finding) in group.findings.iter().take(most).enumerate() {
        out.push_str(if i > 0 { "\n" } else { "" });
        out.push_str(&drawn(
            &report(finding, outcome, rules, style.width.saturating_sub(GUTTER), i == 0, style.verbose),
            style,
        ));
    }
    let left = group.findings.len().saturating_sub(most);
    if left > 0 {
        let rest = Group { findings: group.findings.iter().skip(most).copied().collect(), ..group.clone() };
        let width = style.width.saturating_sub(4);
        let line = group::fitting(&rest.lines(), width.saturating_sub(18));
        out.push_str(&format!("    and {left} more: {line}\n"));
    }
    out
}

/// A finding for miette, with its excerpt in lines of at most `width`; help and source only where they are not said
/// right above.
fn report(
    finding: &Finding,
    outcome: &Outcome,
    rules: &RuleSet,
    width: usize,
    with_help: bool,
    patched: bool,
) -> Report {
    let severity = match finding.severity {
        Severity::Error => miette::Severity::Error,
        Severity::Warn => miette::Severity::Warning,
        Severity::Info => miette::Severity::Advice,
    };
    let mut diagnostic = MietteDiagnostic::new(format!("{}: {}", finding.subject, finding.message))
        .with_severity(severity)
        .with_code(format!("{}[{}]", finding.severity.as_str(), finding.rule));
    let mut words = with_help.then(|| help(finding, rules, outcome.surface.revision())).or_else(|| also(finding));
    if let Some(patch) = super::fix(finding, outcome, rules).filter(|_| patched) {
        let line = format!("fix: {}", safe::clip(&patch.to_string(), 400));
        words = Some(words.map_or_else(|| line.clone(), |words| format!("{words}\n{line}")));
    }
    if let Some(words) = words {
        diagnostic = diagnostic.with_help(words);
    }
    if let Some(place) = &finding.anchor.place {
        let excerpt = excerpt::of_place(place, width);
        diagnostic = diagnostic.with_label(LabeledSpan::underline(excerpt.label.clone()));
        let (name, column) = (safe::clip(&place.file, 90), place.column.saturating_sub(1));
        return Report::new(diagnostic).with_source_code(Numbered { name, column, excerpt });
    }
    let tool = finding.anchor.tool.and_then(|index| outcome.surface.tools.get(index));
    let at = finding.anchor.at.as_str();
    let Some(excerpt) = tool.and_then(|tool| excerpt::of(&tool.value, &finding.anchor.at, width)) else {
        if !at.is_empty() {
            // It stands in what came, not in the tool.
            diagnostic.message.push_str(&format!(" (at {})", safe::clip(at, 90)));
        }
        return Report::new(diagnostic);
    };
    diagnostic = diagnostic.with_label(LabeledSpan::underline(excerpt.label));
    let name = format!("{} {}", safe::clip(&finding.subject.name(), 64), safe::clip(at, 90));
    Report::new(diagnostic).with_source_code(NamedSource::new(name, excerpt.text))
}

/// An excerpt of a file, with the line numbers of the file.
struct Numbered {
    name: String,
    /// The column of the label in the file, from 0.
    column: usize,
    excerpt: excerpt::Excerpt,
}

impl SourceCode for Numbered {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.excerpt.text.read_span(span, before, after)?;
        let line = self.excerpt.first_line - 1 + inner.line();
        // The line may be cut before the label; the place that is told is that in the file.
        let is_label = span.offset() == self.excerpt.label.start;
        let column = if is_label { self.column } else { inner.column() };
        let (data, span, count) = (inner.data(), *inner.span(), inner.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, span, line, column, count)))
    }
}

/// The other subjects of a finding.
fn also(finding: &Finding) -> Option<String> {
    let names: Vec<String> = finding.also.iter().map(|subject| safe::clip(&subject.name(), 64)).collect();
    (!names.is_empty()).then(|| format!("also in: {}", group::fitting(&names, 200)))
}

/// What to do, who says so, and why it is an error where the source alone does not make it one.
fn help(finding: &Finding, rules: &RuleSet, judged: Revision) -> String {
    let mut lines: Vec<String> = also(finding).into_iter().collect();
    lines.push(finding.help.clone());
    let tools = group::tools(finding);
    if !tools.is_empty() {
        lines.push(format!("tools: {}", group::fitting(&tools, 200)));
    }
    if let Some(cite) = super::source(finding, rules, judged) {
        lines.push(format!("{}: {}", finding.level.as_str(), cite.label()));
    }
    lines.extend(super::host_lines(finding).into_iter().map(|(line, _)| format!("host: {line}")));
    let harm = rules.get(&finding.rule).and_then(|rule| rule.meta.harm.as_ref());
    if let Some(harm) = harm.filter(|_| finding.severity == Severity::Error && finding.level != Level::Host) {
        lines.push(format!("an error because: {}", safe::clip(harm, 240)));
    }
    lines.join("\n")
}

fn drawn(report: &Report, style: Style) -> String {
    let theme = if style.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width)
        .with_links(false)
        .with_context_lines(10)
        .without_cause_chain();
    let mut out = String::new();
    if handler.render_report(&mut out, report.as_ref()).is_err() {
        // Only a failing writer can cause this; the words are worth more than the frame.
        out = format!("{report}\n");
    }
    let lines: Vec<&str> = out.trim_matches('\n').lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n"))
}

/// Groups of information, a line each.
fn folded(groups: &[&Group<'_>], rules: &RuleSet, style: Style) -> String {
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|group| {
            let room = style.width.saturating_sub(2);
            let by_name = format!("{}: {}", group.size(), group::fitting(&group.subjects(), room));
            // Of a server there is one: what is said of it tells more than its name.
            let subjects = match group.findings.first() {
                Some(first) if first.subject.kind != Kind::Tool => {
                    let is_same = group.findings.iter().all(|finding| finding.message == first.message);
                    if is_same { group.message(rules) } else { group::fitting(&group.lines(), room * 2) }
                }
                _ => by_name,
            };
            vec![group.rule.to_owned(), subjects]
        })
        .collect();
    format!("{}\n", table::table(&["info", "where"], &rows, style.width))
}

fn stale(verdict: &Verdict, style: Style) -> String {
    let mut out = String::new();
    for stale in &verdict.stale {
        let why =
            stale.ended.map_or_else(|| "matches no finding of this run".to_owned(), |day| format!("ended on {day}"));
        let subject = safe::clip(&stale.subject, 60);
        let line = format!(
            "stale allow, line {}: `{}` for `{subject}` {why}; delete it if it is of no more use",
            stale.line, stale.rule
        );
        out.push_str(&format!("\n{}\n", lines::wrapped(&line, style.width, "  ")));
    }
    out
}

fn incidents(outcome: &Outcome, style: Style) -> String {
    let mut out = String::new();
    for incident in &outcome.incidents {
        let line = format!("not checked ({}): {}", incident.stage.as_str(), safe::line(&incident.cause));
        out.push_str(&format!("\n{}\n", paint(&lines::wrapped(&line, style.width, "  "), Severity::Error, style)));
    }
    if !outcome.incidents.is_empty() && !outcome.stderr.is_empty() {
        let starts = outcome.surface.wire.iter().flat_map(|wire| &wire.sessions).filter(|one| one.is_start).count();
        let of = if starts > 1 { format!(" of {starts} starts") } else { String::new() };
        let lines = outcome.stderr.len();
        let last = if lines == 1 { "the last line".to_owned() } else { format!("the last {lines} lines") };
        out.push_str(&format!("the server's stderr{of}, {last}:\n"));
        for line in &outcome.stderr {
            let line = lines::wrapped(&safe::clip(line, 400), style.width.saturating_sub(4), "  |   ");
            out.push_str(&format!("  | {line}\n"));
        }
    }
    out
}

/// A line in the colour of a severity.
fn paint(line: &str, severity: Severity, style: Style) -> String {
    let code = match severity {
        Severity::Error => 31,
        Severity::Warn => 33,
        Severity::Info => 32,
    };
    if !style.colour {
        return line.to_owned();
    }
    let painted: Vec<String> = line.lines().map(|line| format!("\u{1b}[{code}m{line}\u{1b}[0m")).collect();
    painted.join("\n")
}
