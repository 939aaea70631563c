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
    All auth_discovery_missing = "auth-discovery-missing",
    All auth_required_for_list = "auth-required-for-list",
    All auth_status_wrong = "auth-status-wrong",
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
    Each description_promotional = "description-promotional",
    Each description_too_short = "description-too-short",
    All discover_missing = "discover-missing",
    All discover_result_incomplete = "discover-result-incomplete",
    All duplicate_subschema = "duplicate-subschema",
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
    All meta_unchecked = "meta-unchecked",
    All name_case_collision = "name-case-collision",
    All name_duplicate = "name-duplicate",
    All notification_misanswered = "notification-misanswered",
    All notification_not_subscribed = "notification-not-subscribed",
    All order_unstable = "order-unstable",
    All origin_unchecked = "origin-unchecked",
    All output_schema_coverage = "output-schema-coverage",
    Each output_schema_empty = "output-schema-empty",
    All output_schema_missing = "output-schema-missing",
    All pagination_duplicate = "pagination-duplicate",
    All pagination_loop = "pagination-loop",
    All param_credential = "param-credential",
    Each param_description_missing = "param-description-missing",
    All reserved_error_code = "reserved-error-code",
    All resource_metadata_invalid = "resource-metadata-invalid",
    All resources_undeclared = "resources-undeclared",
    All response_id_unknown = "response-id-unknown",
    All response_repeated = "response-repeated",
    All result_type_missing = "result-type-missing",
    All result_type_unknown = "result-type-unknown",
    Each schema_dangling_ref = "schema-dangling-ref",
    Each schema_external_ref = "schema-external-ref",
    Each schema_holds_host_state = "schema-holds-host-state",
    Each schema_keyword_wrong_type = "schema-keyword-wrong-type",
    All schema_pattern_invalid = "schema-pattern-invalid",
    All schema_required_unknown_property = "schema-required-unknown-property",
    Each schema_unknown_dialect = "schema-unknown-dialect",
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
    All tool_definition_varies = "tool-definition-varies",
    All tools_capability_invalid = "tools-capability-invalid",
    All tools_capability_missing = "tools-capability-missing",
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
    use crate::rule::RuleSet;
    use crate::surface::Surface;

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
        // A config file holds no tools.
        let examples = rules.iter().flat_map(|rule| &rule.examples).filter(|example| example.config.is_none());
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
