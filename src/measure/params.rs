//! Parameters: the members of every `properties` in an input schema.

use serde_json::Value;

use super::figure;
use crate::metric::{Measure, Unit};
use crate::surface::{Surface, schema};

#[derive(Default)]
struct Counts {
    top: u64,
    top_undescribed: u64,
    all: u64,
    all_undescribed: u64,
    enums: u64,
    untyped: u64,
    depth: u64,
    required: u64,
    none: u64,
    closed: u64,
}

const ALL: &str = "members of every `properties` in the input schemas, at any depth";
const TOP: &str = "members of the input schema's own `properties`";
const BARE: &str = "whose schema has no `description` of its own (references are not followed)";

/// The figures.
pub fn measures(surface: &Surface) -> Vec<Measure> {
    let mut counts = Counts::default();
    for tool in &surface.tools {
        counts.add(tool.input_schema().unwrap_or(&Value::Null));
    }
    vec![
        figure("params.top", Unit::Count, "parameters, top level", TOP, counts.top)
            .by("[.tools[].inputSchema|objects|.properties|objects|.[]|objects,booleans]|length", ""),
        figure("params.top.undescribed", Unit::Count, "of these undescribed", BARE, counts.top_undescribed),
        figure("params.all", Unit::Count, "parameters, any depth", ALL, counts.all),
        figure("params.all.undescribed", Unit::Count, "of these undescribed", BARE, counts.all_undescribed),
        figure(
            "params.untyped",
            Unit::Count,
            "schemas that say no type",
            "no type, $ref, enum, const or alternatives",
            counts.untyped,
        ),
        figure("enums.count", Unit::Count, "enums", "schemas with `enum` in the input schemas", counts.enums),
        figure(
            "depth.max",
            Unit::Level,
            "deepest",
            "levels of `properties` and `items`; alternatives add none",
            counts.depth,
        ),
        figure(
            "required.tools",
            Unit::Count,
            "tools with required parameters",
            "`required` that is not empty",
            counts.required,
        )
        .by("[.tools[].inputSchema|objects|.required|arrays|select(length>0)]|length", ""),
        figure("params.none", Unit::Count, "tools without parameters", TOP, counts.none),
        figure(
            "schema.root_closed",
            Unit::Count,
            "input schemas that refuse unknown arguments",
            "`additionalProperties: false` at the root",
            counts.closed,
        )
        .by("[.tools[].inputSchema|objects|select(.additionalProperties==false)]|length", ""),
    ]
}

impl Counts {
    fn add(&mut self, input: &Value) {
        let list_of = |name: &str| input.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        self.required += u64::from(list_of("required") > 0);
        self.closed += u64::from(input.get("additionalProperties") == Some(&Value::Bool(false)));
        let mut top = 0;
        for node in schema::nodes(input) {
            self.depth = self.depth.max(node.depth);
            self.enums += u64::from(node.value.get("enum").is_some());
            self.untyped += u64::from(says_no_type(node.value));
            if node.under != "properties" {
                continue;
            }
            let bare = node.value.get("description").and_then(Value::as_str).is_none_or(str::is_empty);
            self.all += 1;
            self.all_undescribed += u64::from(bare);
            // A `/` inside a name is escaped, so two of them are the two steps of the tool's own parameters.
            if node.at.as_str().matches('/').count() == 2 {
                top += 1;
                self.top_undescribed += u64::from(bare);
            }
        }
        self.top += top;
        self.none += u64::from(top == 0);
    }
}

fn says_no_type(schema: &Value) -> bool {
    const SAYS: [&str; 8] = ["type", "$ref", "$dynamicRef", "enum", "const", "allOf", "anyOf", "oneOf"];
    schema.as_object().is_some_and(|members| !SAYS.into_iter().any(|keyword| members.contains_key(keyword)))
}
