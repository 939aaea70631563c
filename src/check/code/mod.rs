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
    All annotation_destructive_by_default = "annotation-destructive-by-default",
    All annotation_foreign_member = "annotation-foreign-member",
    Each annotation_hint_missing = "annotation-hint-missing",
    Each annotation_open_world_mismatch = "annotation-open-world-mismatch",
    All annotation_readonly_unset = "annotation-readonly-unset",
    All annotation_redundant = "annotation-redundant",
    Each annotation_suspicious_destructive = "annotation-suspicious-destructive",
    Each annotation_suspicious_readonly = "annotation-suspicious-readonly",
    All annotation_uniform = "annotation-uniform",
    Each annotation_unknown_key = "annotation-unknown-key",
    All annotations_coverage = "annotations-coverage",
    All annotations_unknown_revision = "annotations-unknown-revision",
    All auth_discovery_missing = "auth-discovery-missing",
    All auth_required_for_list = "auth-required-for-list",
    All auth_status_wrong = "auth-status-wrong",
    All boilerplate_schema_uri = "boilerplate-schema-uri",
    All boilerplate_titles = "boilerplate-titles",
    All cache_hints_missing = "cache-hints-missing",
    All cache_scope_inconsistent = "cache-scope-inconsistent",
    All cache_scope_invalid = "cache-scope-invalid",
    All cache_scope_public_varies = "cache-scope-public-varies",
    All cache_ttl_invalid = "cache-ttl-invalid",
    All cache_ttl_zero = "cache-ttl-zero",
    All call_result_invalid = "call-result-invalid",
    All capability_without_method = "capability-without-method",
    All client_info_required = "client-info-required",
    All config_ambiguous_transport = "config-ambiguous-transport",
    All config_conflict = "config-conflict",
    All config_docker_detached = "config-docker-detached",
    All config_docker_no_stdin = "config-docker-no-stdin",
    All config_duplicate_id = "config-duplicate-id",
    All config_entry_empty = "config-entry-empty",
    All config_entry_invalid = "config-entry-invalid",
    All config_env_unresolved = "config-env-unresolved",
    All config_input_undefined = "config-input-undefined",
    All config_legacy_transport = "config-legacy-transport",
    All config_parse_error = "config-parse-error",
    All config_secret_inline = "config-secret-inline",
    All config_unpinned_package = "config-unpinned-package",
    All config_windows_script_command = "config-windows-script-command",
    All config_wrong_root_key = "config-wrong-root-key",
    All config_wrong_syntax_for_host = "config-wrong-syntax-for-host",
    All content_annotations_invalid = "content-annotations-invalid",
    All cursor_empty = "cursor-empty",
    All cursor_unstable = "cursor-unstable",
    All cursor_wrong_type = "cursor-wrong-type",
    All deprecated_feature_used = "deprecated-feature-used",
    Each deprecated_still_listed = "deprecated-still-listed",
    Each description_args_block = "description-args-block",
    Each description_constraint_not_in_schema = "description-constraint-not-in-schema",
    Each description_enum_drift = "description-enum-drift",
    Each description_enum_not_in_schema = "description-enum-not-in-schema",
    Each description_promotional = "description-promotional",
    Each description_template_unfilled = "description-template-unfilled",
    Each description_too_short = "description-too-short",
    Each description_truncated = "description-truncated",
    All description_unknown_param_ref = "description-unknown-param-ref",
    All description_unknown_tool_ref = "description-unknown-tool-ref",
    All description_untrimmed = "description-untrimmed",
    All discover_missing = "discover-missing",
    All discover_result_incomplete = "discover-result-incomplete",
    All duplicate_server = "duplicate-server",
    All duplicate_subschema = "duplicate-subschema",
    All extension_id_invalid = "extension-id-invalid",
    All handle_lifetime_unstated = "handle-lifetime-unstated",
    All header_mismatch_misanswered = "header-mismatch-misanswered",
    Each hidden_unicode = "hidden-unicode",
    All http_content_type_wrong = "http-content-type-wrong",
    All http_get_misanswered = "http-get-misanswered",
    Each huge_enum = "huge-enum",
    All initialize_error_opaque = "initialize-error-opaque",
    All injection_imperative = "injection-imperative",
    All input_required_invalid = "input-required-invalid",
    All input_required_on_list = "input-required-on-list",
    All instructions_repeat_descriptions = "instructions-repeat-descriptions",
    All instructions_truncated = "instructions-truncated",
    All invalid_cursor_mishandled = "invalid-cursor-mishandled",
    All legacy_http_leftover = "legacy-http-leftover",
    All list_change_unannounced = "list-change-unannounced",
    All list_changed_noop = "list-changed-noop",
    All list_changed_undeclared = "list-changed-undeclared",
    All list_changed_within_ttl = "list-changed-within-ttl",
    All list_changes_by_side_effect = "list-changes-by-side-effect",
    All list_empty = "list-empty",
    All list_varies = "list-varies",
    All list_wrong_shape = "list-wrong-shape",
    All log_unrequested = "log-unrequested",
    All malformed_call_accepted = "malformed-call-accepted",
    All manifest_version_differs = "manifest-version-differs",
    Each message_duplicate_key = "message-duplicate-key",
    All message_envelope_broken = "message-envelope-broken",
    All message_invalid_utf8 = "message-invalid-utf8",
    Each message_lone_surrogate = "message-lone-surrogate",
    All meta_key_invalid = "meta-key-invalid",
    All meta_key_reserved = "meta-key-reserved",
    All meta_unchecked = "meta-unchecked",
    All name_case_collision = "name-case-collision",
    All name_collision_across_servers = "name-collision-across-servers",
    All name_duplicate = "name-duplicate",
    Each name_generic = "name-generic",
    All name_homoglyph = "name-homoglyph",
    All name_host_pattern = "name-host-pattern",
    All name_normalization_collision = "name-normalization-collision",
    Each name_separator_inside = "name-separator-inside",
    Each name_too_long = "name-too-long",
    Each name_too_long_prefixed = "name-too-long-prefixed",
    All naming_style_mixed = "naming-style-mixed",
    All notification_misanswered = "notification-misanswered",
    All notification_not_subscribed = "notification-not-subscribed",
    All order_unstable = "order-unstable",
    All origin_unchecked = "origin-unchecked",
    All output_schema_coverage = "output-schema-coverage",
    Each output_schema_empty = "output-schema-empty",
    Each output_schema_legacy_incompatible = "output-schema-legacy-incompatible",
    All output_schema_missing = "output-schema-missing",
    All pagination_duplicate = "pagination-duplicate",
    All pagination_loop = "pagination-loop",
    All pagination_unread = "pagination-unread",
    All param_credential = "param-credential",
    Each param_description_missing = "param-description-missing",
    All param_enum_drift = "param-enum-drift",
    Each params_too_many = "params-too-many",
    All reserved_error_code = "reserved-error-code",
    All resource_metadata_invalid = "resource-metadata-invalid",
    All resources_undeclared = "resources-undeclared",
    All response_id_unknown = "response-id-unknown",
    All response_repeated = "response-repeated",
    All result_type_missing = "result-type-missing",
    All result_type_unknown = "result-type-unknown",
    Each schema_bare_object = "schema-bare-object",
    Each schema_boolean_subschema = "schema-boolean-subschema",
    Each schema_bound_too_large = "schema-bound-too-large",
    Each schema_children_as_keywords = "schema-children-as-keywords",
    Each schema_dangling_ref = "schema-dangling-ref",
    All schema_default_invalid = "schema-default-invalid",
    Each schema_default_not_in_enum = "schema-default-not-in-enum",
    All schema_dialect_not_default = "schema-dialect-not-default",
    Each schema_dialect_refused = "schema-dialect-refused",
    Each schema_dialect_undeclared = "schema-dialect-undeclared",
    All schema_emptied = "schema-emptied",
    Each schema_empty_properties_suspect = "schema-empty-properties-suspect",
    Each schema_enum_too_large = "schema-enum-too-large",
    Each schema_enum_type_mismatch = "schema-enum-type-mismatch",
    Each schema_external_ref = "schema-external-ref",
    Each schema_holds_host_state = "schema-holds-host-state",
    Each schema_invalid_in_dialect = "schema-invalid-in-dialect",
    Each schema_keyword_dropped = "schema-keyword-dropped",
    Each schema_keyword_for_other_type = "schema-keyword-for-other-type",
    Each schema_keyword_refused = "schema-keyword-refused",
    Each schema_keyword_wrong_type = "schema-keyword-wrong-type",
    Each schema_number_unsafe = "schema-number-unsafe",
    Each schema_open_object = "schema-open-object",
    Each schema_openapi_keyword = "schema-openapi-keyword",
    All schema_pattern_invalid = "schema-pattern-invalid",
    All schema_pattern_not_portable = "schema-pattern-not-portable",
    All schema_property_name_invalid = "schema-property-name-invalid",
    Each schema_recursive = "schema-recursive",
    All schema_required_unknown_property = "schema-required-unknown-property",
    Each schema_strict_unsupported = "schema-strict-unsupported",
    Each schema_too_complex = "schema-too-complex",
    Each schema_too_deep = "schema-too-deep",
    Each schema_unknown_dialect = "schema-unknown-dialect",
    Each schema_unknown_keyword = "schema-unknown-keyword",
    Each schema_unsatisfiable = "schema-unsatisfiable",
    Each schema_unsupported_format = "schema-unsupported-format",
    Each schema_untyped = "schema-untyped",
    Each secret_in_definition = "secret-in-definition",
    All serialization_unstable = "serialization-unstable",
    All server_info_missing = "server-info-missing",
    All server_request_sent = "server-request-sent",
    All session_id_invalid = "session-id-invalid",
    All sse_buffering_allowed = "sse-buffering-allowed",
    All sse_response_not_last = "sse-response-not-last",
    All startup_failed = "startup-failed",
    All startup_slow = "startup-slow",
    All startup_slow_cold = "startup-slow-cold",
    All stdout_noise = "stdout-noise",
    All structured_content_mismatch = "structured-content-mismatch",
    All structured_content_missing = "structured-content-missing",
    All structured_content_on_error = "structured-content-on-error",
    All structured_text_missing = "structured-text-missing",
    All subscription_id_wrong = "subscription-id-wrong",
    All subscription_not_acknowledged = "subscription-not-acknowledged",
    All task_support_obsolete = "task-support-obsolete",
    Each task_support_undeclared = "task-support-undeclared",
    All tasks_capability_legacy = "tasks-capability-legacy",
    Each title_conflicting = "title-conflicting",
    All tool_count_over_host_limit = "tool-count-over-host-limit",
    All tool_definition_varies = "tool-definition-varies",
    All tool_foreign_member = "tool-foreign-member",
    All tools_capability_invalid = "tools-capability-invalid",
    All tools_capability_missing = "tools-capability-missing",
    All tools_mergeable = "tools-mergeable",
    All tools_near_duplicate = "tools-near-duplicate",
    All transport_deprecated = "transport-deprecated",
    All unknown_method_misanswered = "unknown-method-misanswered",
    All unknown_tool_misanswered = "unknown-tool-misanswered",
    All unsupported_version_misanswered = "unsupported-version-misanswered",
    All validation_as_protocol_error = "validation-as-protocol-error",
    Each x_mcp_header_invalid = "x-mcp-header-invalid",
    Each x_mcp_header_sensitive = "x-mcp-header-sensitive",
    Each x_mcp_header_unsafe_integer = "x-mcp-header-unsafe-integer",
}

/// The function of the rule with this id. That every code rule has one is held by a test.
pub(super) fn find(id: &str) -> Option<(Reach, Check)> {
    TABLE.iter().find(|(name, ..)| *name == id).map(|(_, reach, check)| (*reach, *check))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::input::dump;
    use crate::measure::{Band, Measures, measure};
    use crate::rule::{Rule, RuleSet, Selector};
    use crate::surface::Surface;
    use std::collections::BTreeSet;

    /// The hits of a check on a tool with this input schema.
    pub(super) fn hits_on(check: Check, schema: &str) -> Vec<Hit> {
        let list = format!("[{{\"name\":\"t\",\"inputSchema\":{schema}}}]");
        let surface = dump::read("t", "t", list.as_bytes()).unwrap().surface;
        let (measures, settings) = (Measures::default(), Settings::default());
        check(&Context::new(&surface, &measures, &settings))
    }

    /// The place of a hit in its input schema.
    pub(super) fn place(hit: &Hit) -> &str {
        hit.at.as_str().trim_start_matches("/inputSchema")
    }

    /// What a check says of an input schema: each place, what stands there and what belongs there.
    pub(super) fn told_of(check: Check, schema: &str) -> Vec<String> {
        let said = |hit: &Hit| {
            let fact = |name: &str| hit.facts[name].as_str().unwrap().to_owned();
            format!("{}: {}, not {}", place(hit), fact("found"), fact("expected"))
        };
        hits_on(check, schema).iter().map(said).collect()
    }

    /// Every tool of every example of every rule, three times over: more than a window, and full of faults.
    fn all_examples() -> Surface {
        let rules = RuleSet::shipped().unwrap();
        // A config file holds no tools, and several servers are no list.
        let of_one = |rule: &&Rule| !matches!(rule.meta.on, Selector::Config | Selector::Targets);
        let examples = rules.iter().filter(of_one).flat_map(|rule| &rule.examples);
        let read = examples.map(|example| dump::read("a", "a", example.text.as_bytes()).unwrap().surface);
        let mut all = Surface::named("all");
        all.tools = read.flat_map(|surface| surface.tools).collect();
        all.tools = [all.tools.clone(), all.tools.clone(), all.tools].concat();
        all
    }

    #[test]
    fn what_looks_at_each_tool_hangs_on_no_other() {
        let surface = all_examples();
        let measures = measure(&surface, Band::default());
        // What all hosts mind is looked for too.
        let hosts = RuleSet::shipped().unwrap().hosts().cloned().collect();
        let settings = Settings { hosts, ..Settings::default() };
        let cx = Context::new(&surface, &measures, &settings);
        assert!(cx.windows().count() > 2);
        let mut found = 0;
        for (id, _, check) in TABLE.iter().filter(|(_, reach, _)| *reach == Reach::Each) {
            // Findings are sorted later.
            let whole: BTreeSet<String> = check(&cx).iter().map(|hit| format!("{hit:?}")).collect();
            let parts = cx.windows().flat_map(|window| check(&window));
            let parts: BTreeSet<String> = parts.map(|hit| format!("{hit:?}")).collect();
            assert_eq!(whole, parts, "{id}");
            found += whole.len();
        }
        assert!(found > 50, "{found}");
    }
}
