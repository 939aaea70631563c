//! The checks that need Rust: one file per rule, named as the rule with `-` as `_`, and its line in the table.
//!
//! The words of these rules stand in `rules/`; a function here only says what stands where, and with which facts.

use super::{Context, Hit};

/// A check in Rust.
type Check = fn(&Context<'_>) -> Vec<Hit>;

macro_rules! table {
    ($($module:ident = $id:literal),* $(,)?) => {
        $(mod $module;)*
        /// Rule ids and their functions, sorted.
        pub(super) const TABLE: &[(&str, Check)] = &[$(($id, $module::check)),*];
    };
}

table! {
    annotation_suspicious_destructive = "annotation-suspicious-destructive",
    annotation_suspicious_readonly = "annotation-suspicious-readonly",
    annotation_unknown_key = "annotation-unknown-key",
    annotations_coverage = "annotations-coverage",
    deprecated_still_listed = "deprecated-still-listed",
    description_too_short = "description-too-short",
    duplicate_subschema = "duplicate-subschema",
    hidden_unicode = "hidden-unicode",
    huge_enum = "huge-enum",
    message_duplicate_key = "message-duplicate-key",
    message_invalid_utf8 = "message-invalid-utf8",
    message_lone_surrogate = "message-lone-surrogate",
    name_case_collision = "name-case-collision",
    name_duplicate = "name-duplicate",
    output_schema_coverage = "output-schema-coverage",
    output_schema_empty = "output-schema-empty",
    pagination_duplicate = "pagination-duplicate",
    pagination_loop = "pagination-loop",
    param_description_missing = "param-description-missing",
    schema_dangling_ref = "schema-dangling-ref",
    schema_external_ref = "schema-external-ref",
    schema_keyword_wrong_type = "schema-keyword-wrong-type",
    schema_pattern_invalid = "schema-pattern-invalid",
    schema_required_unknown_property = "schema-required-unknown-property",
    schema_unknown_dialect = "schema-unknown-dialect",
    stdout_noise = "stdout-noise",
}

/// The hits of the rule with this id.
pub(super) fn hits(id: &str, cx: &Context<'_>) -> Vec<Hit> {
    // A rule without its function is caught by the tests; it would check nothing here.
    TABLE.iter().find(|(name, _)| *name == id).map_or_else(Vec::new, |(_, check)| check(cx))
}
