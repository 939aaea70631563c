//! Verbs of one meaning, and a tool's name taken apart into its verb and what the verb acts on.

use super::words::words;

/// Verbs that mean the same when all else is equal; the first stands for all.
const MEANINGS: &[&[&str]] = &[
    &["analyze", "analyse"],
    &["calculate", "compute"],
    &["check", "verify", "validate"],
    &["copy", "duplicate"],
    &["create", "add", "make", "new", "insert"],
    &["delete", "remove", "erase", "destroy", "drop"],
    &["download"],
    &["get", "fetch", "retrieve", "obtain", "list", "enumerate"],
    &["run", "execute", "invoke"],
    &["save", "store"],
    &["search", "find", "lookup", "query"],
    &["send", "dispatch"],
    &["show", "view", "display"],
    &["start", "launch", "begin"],
    &["stop", "halt"],
    &["summarize", "summarise"],
    &["update", "edit", "modify", "change", "alter"],
];

/// Further verbs that names of tools begin or end with. Each means only itself.
const OTHERS: &[&str] = &[
    "activate",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "attach",
    "await",
    "block",
    "book",
    "build",
    "cancel",
    "clear",
    "click",
    "close",
    "comment",
    "compare",
    "complete",
    "configure",
    "confirm",
    "connect",
    "convert",
    "count",
    "deactivate",
    "deploy",
    "describe",
    "detach",
    "detect",
    "disable",
    "disconnect",
    "drag",
    "enable",
    "estimate",
    "evaluate",
    "explain",
    "export",
    "extract",
    "filter",
    "format",
    "generate",
    "import",
    "inspect",
    "install",
    "invite",
    "join",
    "kill",
    "link",
    "load",
    "lock",
    "log",
    "merge",
    "monitor",
    "move",
    "navigate",
    "open",
    "parse",
    "patch",
    "pause",
    "ping",
    "plan",
    "play",
    "post",
    "preview",
    "print",
    "publish",
    "pull",
    "push",
    "put",
    "read",
    "rebuild",
    "refresh",
    "register",
    "reject",
    "rename",
    "render",
    "reorder",
    "replace",
    "reply",
    "report",
    "reset",
    "resize",
    "resolve",
    "restart",
    "restore",
    "resume",
    "review",
    "revoke",
    "rotate",
    "scan",
    "schedule",
    "scroll",
    "select",
    "set",
    "share",
    "sort",
    "submit",
    "subscribe",
    "suggest",
    "sync",
    "tag",
    "terminate",
    "test",
    "toggle",
    "track",
    "transfer",
    "translate",
    "trigger",
    "unarchive",
    "unassign",
    "unblock",
    "uninstall",
    "unlink",
    "unlock",
    "unpublish",
    "unsubscribe",
    "upload",
    "upsert",
    "wait",
    "watch",
    "write",
];

/// Verbs that are nouns as often: "post", "report". As the first word of a name they give way to a verb at its end.
const NOUNS: &[&str] = &[
    "block", "book", "build", "change", "check", "comment", "complete", "copy", "display", "download", "estimate",
    "export", "filter", "format", "import", "join", "link", "list", "load", "lock", "log", "make", "merge", "monitor",
    "move", "new", "open", "patch", "plan", "play", "post", "preview", "print", "query", "report", "reset", "review",
    "run", "scan", "schedule", "search", "set", "share", "show", "sort", "store", "tag", "test", "track", "transfer",
    "trigger", "update", "upload", "view", "watch",
];

/// The verb that stands for all of this verb's meaning; none for a word that is no verb in base form.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    let one = MEANINGS.iter().find(|verbs| verbs.contains(&word)).and_then(|verbs| verbs.first());
    one.or_else(|| OTHERS.iter().find(|verb| **verb == word)).copied()
}

/// The same for the base form, the third person and the form with `-ing`.
pub(super) fn meaning_of_form(word: &str) -> Option<&'static str> {
    let shorter = |end: &str, more: &str| word.strip_suffix(end).and_then(|stem| meaning(&format!("{stem}{more}")));
    let third = || shorter("s", "").or_else(|| shorter("es", "")).or_else(|| shorter("ies", "y"));
    let doubled = || {
        let stem = word.strip_suffix("ing")?;
        let mut letters = stem.chars().rev();
        let twice = letters.next()? == letters.next()?;
        twice.then(|| stem.char_indices().next_back()).flatten().and_then(|(cut, _)| meaning(stem.get(..cut)?))
    };
    meaning(word).or_else(third).or_else(|| shorter("ing", "")).or_else(|| shorter("ing", "e")).or_else(doubled)
}

/// Of those, the ones that a first word means as a verb more often than not: `list_pots`, `search_pots`.
const MOSTLY_VERBS: &[&str] = &[
    "change", "check", "copy", "display", "download", "export", "import", "list", "merge", "move", "open", "query",
    "reset", "run", "scan", "search", "set", "show", "sort", "test", "update", "upload", "view",
];

/// Words behind which a verb may still stand, at the front of a name: the mark of a server, of an API, of a version.
const MARKS: usize = 3;

/// A name in parts.
pub(super) struct Parts {
    /// The verb as it stands in the name.
    pub(super) verb: Option<String>,
    /// The words before the verb; none for a verb at the end.
    pub(super) before: Vec<String>,
    /// The words behind it, or all others for a verb at the end.
    pub(super) object: Vec<String>,
}

impl Parts {
    /// The verb is the first word; else one behind a mark of the list; else the last.
    pub(super) fn of(name: &str) -> Self {
        let mut object: Vec<String> = words(name).collect();
        let brand = brand(name);
        let is_verb = |place: &usize| *place >= brand && object.get(*place).is_some_and(|word| meaning(word).is_some());
        let is_noun = |place: usize| object.get(place).is_some_and(|word| NOUNS.contains(&word.as_str()));
        let is_plain = |place: &usize| is_verb(place) && !is_noun(*place);
        // Behind the last word there is nothing that a verb acts on.
        let last = object.len().saturating_sub(1);
        let marked = 1..last.min(MARKS + 1);
        let first = Some(0).filter(|first| is_verb(first));
        let sure = first.filter(|_| !is_noun(0) || !is_plain(&last));
        let place = sure
            .or_else(|| marked.clone().find(is_plain).filter(|_| first.is_none()))
            .or_else(|| Some(last).filter(is_plain))
            .or_else(|| marked.clone().find(|place| is_verb(place) && is_mostly_verb(object.get(*place))))
            .or_else(|| Some(last).filter(|last| is_verb(last) && is_mostly_verb(object.get(*last))));
        let Some(place) = place else { return Self { verb: None, before: Vec::new(), object } };
        let verb = object.remove(place);
        let before = if place == last { Vec::new() } else { object.drain(..place).collect() };
        Self { verb: Some(verb), before, object }
    }

    /// The verb, unless it may as well be a thing: `transfer_status`, `post_title`.
    pub(super) fn sure_verb(&self) -> Option<&str> {
        let sure = |verb: &&str| !NOUNS.contains(verb) || MOSTLY_VERBS.contains(verb);
        self.verb.as_deref().filter(sure)
    }
}

/// How many words in front are the name of a product: `OpenTargets` in `OpenTargets_get_disease`.
fn brand(name: &str) -> usize {
    let Some((first, _)) = name.split_once(|letter: char| !letter.is_alphanumeric()) else { return 0 };
    let words = words(first).count();
    if words > 1 && first.starts_with(char::is_uppercase) { words } else { 0 }
}

fn is_mostly_verb(word: Option<&String>) -> bool {
    word.is_some_and(|word| MOSTLY_VERBS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (word, verb) in
            [("fetches", "get"), ("queries", "search"), ("getting", "get"), ("storing", "save"), ("shows", "show")]
        {
            assert_eq!(meaning_of_form(word), Some(verb), "{word}");
        }
        for word in ["pot", "sings", "string", "s", "ing", ""] {
            assert_eq!(meaning_of_form(word), None, "{word}");
        }
    }

    #[test]
    fn parts() {
        for (name, verb, object) in [
            ("list_pots", Some("list"), "pots"),
            ("potsList", Some("list"), "pots"),
            ("kiln_get_pot", Some("get"), "kiln pot"),
            ("post_delete", Some("delete"), "post"),
            ("get_post", Some("get"), "post"),
            ("crm_createInvoiceFromEstimate", Some("create"), "crm invoice from estimate"),
            ("blob_import_cancel", Some("cancel"), "blob import"),
            ("OpenTargets_get_disease", Some("get"), "open targets disease"),
            ("OpenTargets_disease", None, "open targets disease"),
            ("auto_payment_schedule", None, "auto payment schedule"),
            ("pot", None, "pot"),
            ("", None, ""),
        ] {
            let parts = Parts::of(name);
            let rest = [parts.before, parts.object].concat().join(" ");
            assert_eq!((parts.verb.as_deref(), rest.as_str()), (verb, object), "{name}");
        }
    }
}
