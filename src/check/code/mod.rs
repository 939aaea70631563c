//! The checks that need Rust: one file per rule, named as the rule with `-` as `_`, and its line in the table.
//!
//! The words of these rules stand in `rules/`; a function here only says what stands where, and with which facts.

use super::{Context, Hit};

/// A check in Rust.
type Check = fn(&Context<'_>) -> Vec<Hit>;

/// What a check must see at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// One tool at a time: what it says of a tool hangs on no other, and it keeps no budget over the list.
    Each,
    /// The whole list.
    All,
}

macro_rules! table {
    ($($reach:ident $module:ident = $id:literal),* $(,)?) => {
        $(mod $module;)*
        /// Rule ids, what they must see, and their functions, sorted.
        pub(super) const TABLE: &[(&str, Reach, Check)] = &[$(($id, Reach::$reach, $module::check)),*];
    };
}

table! {
    Each annotation_suspicious_destructive = "annotation-suspicious-destructive",
    Each annotation_suspicious_readonly = "annotation-suspicious-readonly",
    Each annotation_unknown_key = "annotation-unknown-key",
    All annotations_coverage = "annotations-coverage",
    Each deprecated_still_listed = "deprecated-still-listed",
    Each description_too_short = "description-too-short",
    All duplicate_subschema = "duplicate-subschema",
    Each hidden_unicode = "hidden-unicode",
    Each huge_enum = "huge-enum",
    Each message_duplicate_key = "message-duplicate-key",
    All message_invalid_utf8 = "message-invalid-utf8",
    Each message_lone_surrogate = "message-lone-surrogate",
    All name_case_collision = "name-case-collision",
    All name_duplicate = "name-duplicate",
    All output_schema_coverage = "output-schema-coverage",
    Each output_schema_empty = "output-schema-empty",
    All pagination_duplicate = "pagination-duplicate",
    All pagination_loop = "pagination-loop",
    Each param_description_missing = "param-description-missing",
    Each schema_dangling_ref = "schema-dangling-ref",
    Each schema_external_ref = "schema-external-ref",
    Each schema_keyword_wrong_type = "schema-keyword-wrong-type",
    All schema_pattern_invalid = "schema-pattern-invalid",
    All schema_required_unknown_property = "schema-required-unknown-property",
    Each schema_unknown_dialect = "schema-unknown-dialect",
    All stdout_noise = "stdout-noise",
}

/// The function of the rule with this id. That every code rule has one is held by a test.
pub(super) fn find(id: &str) -> Option<(Reach, Check)> {
    TABLE.iter().find(|(name, ..)| *name == id).map(|(_, reach, check)| (*reach, *check))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::measure::{Band, measure};
    use crate::rule::RuleSet;
    use crate::surface::Surface;

    /// Every tool of every example of every rule, three times over: more than a window, and full of faults.
    fn all_examples() -> Surface {
        let rules = RuleSet::shipped().unwrap();
        let examples = rules.iter().flat_map(|rule| &rule.examples);
        let read = examples.map(|example| crate::input::dump::read("a", "a", example.text.as_bytes()).unwrap().surface);
        let mut all = Surface::named("all");
        all.tools = read.flat_map(|surface| surface.tools).collect();
        all.tools = [all.tools.clone(), all.tools.clone(), all.tools].concat();
        all
    }

    #[test]
    fn what_looks_at_each_tool_hangs_on_no_other() {
        let surface = all_examples();
        let measures = measure(&surface, Band::default());
        let settings = Settings::default();
        let cx = Context::new(&surface, &measures, &settings);
        assert!(cx.windows().count() > 2);
        let mut found = 0;
        for (id, _, check) in TABLE.iter().filter(|(_, reach, _)| *reach == Reach::Each) {
            let whole: Vec<String> = check(&cx).iter().map(|hit| format!("{hit:?}")).collect();
            let parts = cx.windows().flat_map(|window| check(&window));
            let parts: Vec<String> = parts.map(|hit| format!("{hit:?}")).collect();
            assert_eq!(whole, parts, "{id}");
            found += whole.len();
        }
        assert!(found > 50, "{found}");
    }
}
