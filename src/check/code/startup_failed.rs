//! A process that ended before it answered what opens a session, and what its last words ask for.

use super::super::complaint::{Complaint, complaint};
use super::super::{Context, Hit};
use crate::surface::wire::{Kind, Side, Wire};
use crate::text::log::{runner_fault, telling_line};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    // What listed once does start; that it did not again is an incident.
    let Some(ended) = failed(wire).filter(|_| cx.surface.pages.is_empty()) else { return Vec::new() };
    // Of a package that is not to be had, or a word of the command that leads nowhere, the server is not to blame.
    if runner_fault(wire.stderr.iter().map(String::as_str)).is_some() {
        return Vec::new();
    }
    let hit = |cause: String, advice: String| {
        Hit::server().fact("exit", ended.as_str()).fact("cause", cause).fact("advice", advice)
    };
    match complaint(&wire.stderr) {
        Complaint::Variables(names) => names
            .iter()
            .map(|name| {
                let open = "let it open and list without, and fail in the calls that need it";
                let hit = hit(format!("it asks for {name}"), format!("{open}; until then, --env {name}=… sets it"));
                hit.fact("variable", name.as_str())
            })
            .collect(),
        Complaint::Arguments => {
            let advice = "look at the arguments behind its command; best, it opens and lists without any";
            vec![hit("it shows how it is used, as for missing or wrong arguments".to_owned(), advice.to_owned())]
        }
        Complaint::Part(name) if wire.command.iter().any(|word| word.ends_with(&name)) => Vec::new(),
        Complaint::Part(name) => vec![hit(format!("it cannot find {name}"), format!("install or build {name}"))],
        Complaint::Unclear => {
            let line = telling_line(wire.stderr.iter().map(String::as_str));
            let cause = line.map_or_else(|| "it does not say why".to_owned(), |line| format!("it says {line}"));
            let advice =
                if line.is_some() { "look at what it writes to standard error" } else { "run its command by hand" };
            vec![hit(cause, advice.to_owned())]
        }
    }
}

/// How the last session ended, if that was before anything opened it.
fn failed(wire: &Wire) -> Option<String> {
    let session = wire.sessions.len().checked_sub(1)?;
    let exit = wire.sessions.get(session)?.exit?;
    let answered = |method: &str| {
        wire.messages.iter().any(|message| {
            message.session == session
                && message.side == Side::Server
                && matches!(message.kind, Kind::Result | Kind::Error)
                && message.method.as_deref() == Some(method)
        })
    };
    let opened = wire.opening(session).is_some() || answered("initialize") || answered("tools/list");
    // On the question of the other era alone, a server of before it may well end.
    let asked = wire.messages.iter().any(|message| {
        message.session == session && message.side == Side::Client && message.method.as_deref() == Some("initialize")
    });
    (!opened && asked).then(|| exit.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}")))
}
