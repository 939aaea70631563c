//! JSON Schema as a check language, and the metaschemas. The only file that names the jsonschema crate.
//!
//! The crate is built without its default features: it can fetch nothing, neither over the network nor from files.

use std::collections::BTreeSet;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError};
use serde_json::Value;

use super::{Context, Hit, On, context::Schema, effort::Effort};
use crate::rule::{Rule, Selector};
use crate::spec::{
    dialect::Dialect,
    revision::{Revision, Revisions},
};
use crate::surface::schema::{Node, nodes};
use crate::text::{pointer::Pointer, safe};

/// A compiled JSON Schema.
pub struct Validator(jsonschema::Validator);

/// A part of a value that fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The innermost node at fault.
    pub at: Pointer,
    /// The keyword of the schema that it fails.
    pub keyword: String,
    /// What was expected there, in a few words.
    pub expected: String,
}

impl Failure {
    /// That of a value as a whole, when nothing more can be told.
    fn of_all() -> Self {
        Self { at: Pointer::root(), keyword: String::new(), expected: "another value".to_owned() }
    }
}

impl Validator {
    /// Compiles a schema of our own under 2020-12.
    ///
    /// # Errors
    ///
    /// Why it is no schema.
    pub fn new(schema: &Value) -> Result<Self, String> {
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            // Patterns run over text of the audited server: linear time only.
            .with_pattern_options(PatternOptions::regex())
            .build(schema)
            .map(Self)
            .map_err(|error| error.to_string())
    }

    /// Compiles a schema of the audited server, under the dialect that it names or else 2020-12.
    ///
    /// Patterns that the linear engine does not take are left out. None when it is no valid schema, names a dialect that
    /// is not known, or needs a document that would have to be fetched.
    pub(super) fn of_server(schema: &Value) -> Option<Self> {
        let dialect = match schema.get("$schema") {
            None => Dialect::Draft2020,
            Some(named) => Dialect::from_uri(named.as_str()?)?,
        };
        let build = |schema: &Value| {
            // Formats and encodings are notes in newer dialects, and left alone in all.
            let options = jsonschema::options().with_draft(draft(dialect)).should_validate_formats(false);
            let options = options.without_content_encoding_support("base64");
            let options = options.without_content_media_type_support("application/json");
            options.with_pattern_options(PatternOptions::regex()).build(schema).ok()
        };
        build(schema).or_else(|| build(&without_foreign_patterns(schema)?)).map(Self)
    }

    /// Whether a value of the server breaks its own schema.
    pub(super) fn refuses(&self, value: &Value) -> bool {
        !self.0.is_valid(value)
    }

    /// The parts of a value of the server that break its own schema, as many as `effort` allows for. A member that is
    /// not allowed is the place itself.
    pub(super) fn mismatches(&self, value: &Value, effort: Effort) -> BTreeSet<Failure> {
        if self.0.is_valid(value) {
            return BTreeSet::new();
        }
        match effort {
            Effort::All => self.0.iter_errors(value).flat_map(|error| mismatch(&error)).collect(),
            Effort::First => self.0.validate(value).err().iter().flat_map(mismatch).collect(),
            Effort::Verdict | Effort::TooMuch => BTreeSet::from([Failure::of_all()]),
        }
    }

    /// The parts of `value` that fail, by place.
    pub fn failures(&self, value: &Value) -> BTreeSet<Failure> {
        if self.0.is_valid(value) {
            return BTreeSet::new();
        }
        self.0.iter_errors(value).map(|error| failure(&error)).collect()
    }
}

/// The schema without the patterns that the linear engine does not take; none when leaving one out would change what
/// else is allowed.
fn without_foreign_patterns(schema: &Value) -> Option<Value> {
    let takes = |pattern: &str| Validator::new(&serde_json::json!({ "pattern": pattern })).is_ok();
    let mut kept = schema.clone();
    for node in nodes(schema) {
        let named = node.value.get("patternProperties").and_then(Value::as_object);
        if named.is_some_and(|named| !named.keys().all(|pattern| takes(pattern))) {
            return None;
        }
        if node.value.get("pattern").and_then(Value::as_str).is_some_and(|pattern| !takes(pattern)) {
            kept.pointer_mut(node.at.as_str())?.as_object_mut()?.remove("pattern");
        }
    }
    Some(kept)
}

fn draft(dialect: Dialect) -> jsonschema::Draft {
    match dialect {
        Dialect::Draft4 => jsonschema::Draft::Draft4,
        Dialect::Draft6 => jsonschema::Draft::Draft6,
        Dialect::Draft7 => jsonschema::Draft::Draft7,
        Dialect::Draft2019 => jsonschema::Draft::Draft201909,
        Dialect::Draft2020 => jsonschema::Draft::Draft202012,
    }
}

/// The parts of a schema that break the metaschema of its dialect, by place below the schema.
///
/// Formats are left out: newer dialects only note them, and older validators do not agree on them.
pub(super) fn metaschema_failures(dialect: Dialect, schema: &Value) -> BTreeSet<Failure> {
    let validator = metaschema(dialect);
    if validator.is_valid(schema) {
        return BTreeSet::new();
    }
    validator.iter_errors(schema).filter_map(|error| metaschema_failure(&error)).collect()
}

/// Whether a schema is valid under the metaschema of this dialect.
pub(super) fn is_under_metaschema(dialect: Dialect, schema: &Value) -> bool {
    metaschema(dialect).is_valid(schema)
}

fn metaschema(dialect: Dialect) -> jsonschema::meta::MetaValidator<'static> {
    match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft2019 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft2020 => jsonschema::draft202012::meta::validator(),
    }
}

fn metaschema_failure(error: &ValidationError<'_>) -> Option<Failure> {
    match error.kind() {
        ValidationErrorKind::Format { .. } | ValidationErrorKind::PropertyNames { .. } => None,
        // One kind of value of several that a keyword takes is there, and the fault lies inside it.
        ValidationErrorKind::AnyOf { context } => {
            let place = error.instance_path();
            let inside = context.iter().find(|branch| branch.iter().all(|inner| inner.instance_path() != place));
            match inside.and_then(|branch| branch.first()) {
                Some(inner) => Some(failure(inner)),
                None => Some(failure(error)),
            }
        }
        _ => Some(failure(error)),
    }
}

/// What an error says of a value of the server.
fn mismatch(error: &ValidationError<'_>) -> Vec<Failure> {
    let own = failure(error);
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let member =
                |name: &String| Failure { at: own.at.key(name), expected: "nothing".to_owned(), ..own.clone() };
            unexpected.iter().map(member).collect()
        }
        _ => vec![own],
    }
}

fn failure(error: &ValidationError<'_>) -> Failure {
    Failure {
        at: Pointer::from_text(error.instance_path().to_string()),
        keyword: error.kind().keyword().to_owned(),
        expected: expected(error.kind()),
    }
}

fn expected(kind: &ValidationErrorKind) -> String {
    match kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(one) } => with_article(&one.to_string()),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(many) } => {
            let names: Vec<String> = many.iter().map(|one| with_article(&one.to_string())).collect();
            names.join(" or ")
        }
        ValidationErrorKind::MinItems { limit: 1 } => "at least 1 item".to_owned(),
        ValidationErrorKind::MinItems { limit } => format!("at least {limit} items"),
        ValidationErrorKind::Minimum { limit } => format!("at least {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        ValidationErrorKind::Required { property: Value::String(name) } => format!("a member {}", safe::clip(name, 40)),
        ValidationErrorKind::UniqueItems => "no item twice".to_owned(),
        ValidationErrorKind::Pattern { .. } => "another form".to_owned(),
        ValidationErrorKind::AnyOf { context } => {
            let types =
                context.iter().flatten().filter(|inner| matches!(inner.kind(), ValidationErrorKind::Type { .. }));
            let kinds: BTreeSet<String> = types.map(|inner| expected(inner.kind())).collect();
            match kinds.len() {
                0 => "another kind of value".to_owned(),
                _ => kinds.into_iter().collect::<Vec<_>>().join(" or "),
            }
        }
        other => format!("what `{}` demands", other.keyword()),
    }
}

/// A type in words.
pub(super) fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "object" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// A rule whose check is a JSON Schema, made ready for a revision.
pub(super) struct Assertion<'r> {
    rule: &'r Rule,
    validators: Vec<Validator>,
    /// What holds under other revisions only. A chosen host that minds the rule knows nothing of revisions.
    foreign: Vec<Validator>,
    anchor: Option<Pointer>,
}

impl<'r> Assertion<'r> {
    /// Compiles what is in force. A schema that does not compile was refused when the file was read.
    pub(super) fn new(rule: &'r Rule, asserts: &[(Revisions, Value)], revision: Revision) -> Self {
        let (in_force, foreign): (Vec<_>, Vec<_>) = asserts.iter().partition(|(range, _)| range.contains(revision));
        let ready = |asserts: Vec<&(Revisions, Value)>| {
            asserts.into_iter().filter_map(|(_, schema)| Validator::new(schema).ok()).collect()
        };
        Self {
            rule,
            validators: ready(in_force),
            foreign: ready(foreign),
            anchor: rule.meta.anchor.as_ref().map(|anchor| Pointer::from_text(anchor.clone())),
        }
    }

    /// The hits on the tools in sight.
    pub(super) fn hits(&self, cx: &Context<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (tool, value) in cx.tools() {
            self.look_at(tool, &value.value, &self.validators, cx, &mut hits);
        }
        if !self.foreign.is_empty() && cx.limits(&self.rule.meta.id).next().is_some() {
            let mut minded = Vec::new();
            for (tool, value) in cx.tools() {
                self.look_at(tool, &value.value, &self.foreign, cx, &mut minded);
            }
            // What is a fault in any case is told already, hosts included.
            let place = |hit: &Hit| match hit.on {
                On::Tool(tool) => (tool, hit.at.clone()),
                _ => (usize::MAX, hit.at.clone()),
            };
            let told: BTreeSet<(usize, Pointer)> = hits.iter().map(place).collect();
            minded.retain(|hit| !told.contains(&place(hit)));
            hits.extend(minded.into_iter().map(|hit| {
                let limits = cx.limits(&self.rule.meta.id).filter(|limit| limit.covers(&hit.at));
                let limits: Vec<_> = limits.collect();
                hit.minded_by(limits)
            }));
        }
        hits
    }

    fn look_at(&self, tool: usize, own: &Value, with: &[Validator], cx: &Context<'_>, hits: &mut Vec<Hit>) {
        let on = self.rule.meta.on;
        let nodes = cx.schemas_of(tool).iter().filter(|schema| on.sees(schema)).flat_map(|schema| {
            let wanted = schema.nodes.iter().enumerate().filter(|(n, node)| on.takes(*n, node));
            wanted.map(|(_, node)| (&node.at, node.value))
        });
        match on {
            // Rules on a whole server or its wire are code; a schema has nothing to hold on to there.
            Selector::Server | Selector::Exchange | Selector::Targets => {}
            Selector::Tool => self.look(tool, &Pointer::root(), own, with, hits),
            Selector::Annotations => {
                if let Some(annotations) = own.get("annotations") {
                    self.look(tool, &Pointer::root().key("annotations"), annotations, with, hits);
                }
            }
            _ => nodes.for_each(|(at, node)| self.look(tool, at, node, with, hits)),
        }
    }

    fn look(&self, tool: usize, at: &Pointer, node: &Value, with: &[Validator], hits: &mut Vec<Hit>) {
        for validator in with {
            let failures = validator.failures(node);
            let places: BTreeSet<&Pointer> = failures.iter().map(|failure| &failure.at).collect();
            match &self.anchor {
                Some(anchor) if !places.is_empty() => hits.push(hit(tool, at, anchor, node)),
                Some(_) => {}
                None => hits.extend(places.into_iter().map(|place| hit(tool, at, place, node))),
            }
        }
    }
}

impl Selector {
    /// Whether the schemas of this input or output are looked at.
    fn sees(self, schema: &Schema<'_>) -> bool {
        match self {
            Self::OutputSchema => !schema.is_input,
            Self::SchemaNode => true,
            Self::InputSchema => schema.is_input && schema.root.is_object(),
            _ => schema.is_input,
        }
    }

    /// Whether this schema of them is: the outermost alone, the parameters, or all.
    fn takes(self, n: usize, node: &Node<'_>) -> bool {
        match self {
            Self::InputSchema | Self::OutputSchema => n == 0,
            Self::Param => node.under == "properties",
            _ => true,
        }
    }
}

fn hit(tool: usize, base: &Pointer, place: &Pointer, node: &Value) -> Hit {
    let hit = Hit::tool(tool, base.join(place));
    match place.find(node) {
        Some(value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => hit.fact("value", value.clone()),
        // What stands below the node is a keyword's value: a part of what was seen, and so of the fingerprint.
        Some(value) if *place != Pointer::root() => hit.fact("found", safe::clip(&value.to_string(), 80)),
        _ => hit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn failed(schema: &Value, value: &Value) -> Vec<(String, String)> {
        let failures = Validator::new(schema).unwrap().failures(value);
        failures.into_iter().map(|failure| (failure.at.to_string(), failure.keyword)).collect()
    }

    #[test]
    fn failures_stand_at_the_innermost_node() {
        let schema = json!({ "required": ["a"], "properties": { "b": false, "c": { "items": { "enum": [1] } } } });
        assert_eq!(
            failed(&schema, &json!({ "b": 1, "c": [1, 2] })),
            [
                (String::new(), "required".to_owned()),
                ("/b".to_owned(), "falseSchema".to_owned()),
                ("/c/1".to_owned(), "enum".to_owned())
            ]
        );
    }

    #[test]
    fn metaschemas_differ_by_dialect() {
        let tuple = json!({ "items": [{ "type": "string" }] });
        assert!(metaschema_failures(Dialect::Draft7, &tuple).is_empty());
        assert_eq!(metaschema_failures(Dialect::Draft2020, &tuple).len(), 1);
        let draft4 = json!({ "properties": { "n": { "minimum": 0, "exclusiveMinimum": true } } });
        assert!(metaschema_failures(Dialect::Draft4, &draft4).is_empty());
        let failures = metaschema_failures(Dialect::Draft2020, &draft4);
        let places: Vec<&str> = failures.iter().map(|failure| failure.at.as_str()).collect();
        assert_eq!(places, ["/properties/n/exclusiveMinimum"]);
    }

    #[test]
    fn values_of_the_server_against_its_own_schema() {
        let said = |schema: &Value, value: &Value| {
            let failures = Validator::of_server(schema)?.mismatches(value, Effort::All);
            Some(failures.into_iter().map(|f| format!("{}: {}", f.at, f.expected)).collect::<Vec<_>>())
        };
        let nothing = Some(Vec::new());
        let closed = json!({ "required": ["a", "b"], "properties": { "a": { "type": ["string", "null"] }, "b": {} },
            "additionalProperties": false });
        assert_eq!(
            said(&closed, &json!({ "a": 1, "c": 2 })).unwrap(),
            [": a member b", "/a: null or a string", "/c: nothing"]
        );
        // A whole number is an integer, however it is written; a format or an encoding is a note.
        let loose = json!({ "$schema": "http://json-schema.org/draft-07/schema#", "properties": {
            "n": { "type": "integer" }, "d": { "format": "date" }, "e": { "contentEncoding": "base64" } } });
        let value: Value = serde_json::from_str(r#"{ "n": 1.0, "d": "x", "e": "%" }"#).unwrap();
        assert_eq!(said(&loose, &value), nothing);
        // Look-around is left out, what else the schema says is not.
        let ahead = json!({ "items": { "type": "string", "pattern": "^(?!x)" } });
        assert_eq!(said(&ahead, &json!(["x", 5])).unwrap(), ["/1: a string"]);
        for unknown in [
            json!({ "patternProperties": { "^(?!x)": {} }, "additionalProperties": false }),
            json!({ "$schema": "https://example.com/paper" }),
            json!({ "$ref": "https://example.com/a.json" }),
            json!({ "type": "text" }),
        ] {
            assert_eq!(said(&unknown, &json!({ "x": 1 })), None, "{unknown}");
        }
    }

    #[test]
    fn nothing_is_fetched() {
        for address in ["https://127.0.0.1:1/a.json", "file:///etc/passwd"] {
            assert!(Validator::new(&json!({ "$ref": address })).is_err());
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({ "$ref": "#" });
        // Either answer is fine; that there is one is the point.
        let _ = Validator::new(&schema).map(|validator| validator.failures(&json!(1)));
    }
}
