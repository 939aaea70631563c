//! The size of the core against the band, gateways and the catalogue behind them, and the server's own figures.

use std::collections::BTreeSet;

use serde_json::Value;

use super::figure;
use crate::metric::{Measure, Unit};
use crate::spec::threshold::threshold;
use crate::surface::{Surface, Tool, gateway};

/// The band that a served list should lie in, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The fewest tools.
    pub low: u64,
    /// The most tools.
    pub high: u64,
}

/// What Anthropic's tool-search documentation says of choosing tools.
impl Default for Band {
    fn default() -> Self {
        Self { low: threshold("band.low"), high: threshold("band.high") }
    }
}

const CORE: &str = "distinct names listed flat, without the gateway tools";
const GATEWAY: &str = "a string enum of at least eight identifiers beside an object parameter";
const CATEGORY: &str = "values of an enum parameter named category";

/// The figures.
pub fn measures(surface: &Surface, band: Band) -> Vec<Measure> {
    let served: BTreeSet<&str> = surface.tools.iter().map(Tool::label).collect();
    let gateways: Vec<(&Tool, Vec<&str>)> =
        surface.tools.iter().filter_map(|tool| Some((tool, gateway::reached(tool)?))).collect();
    let behind: BTreeSet<&str> = gateways.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let doors: BTreeSet<&str> = gateways.iter().map(|(tool, _)| tool.label()).collect();
    let core: BTreeSet<&str> = served.difference(&doors).copied().collect();
    let unserved: Vec<&str> = behind.difference(&served).copied().collect();
    let has_gateway = !gateways.is_empty();
    let (choices, used) = categories(surface);
    let count = surface.tools.len() as u64;
    let verdict = match count {
        n if n < band.low => "below",
        n if n > band.high => "above",
        _ => "within",
    };
    vec![
        figure(
            "band.verdict",
            Unit::Text,
            "served count against the band",
            "tools.count against [band] low and high",
            verdict,
        ),
        figure("core.count", Unit::Count, "core", CORE, core.len() as u64),
        figure(
            "catalogue.count",
            Unit::Count,
            "catalogue",
            "distinct names, listed flat or reached through a gateway",
            core.union(&behind).count() as u64,
        ),
        figure(
            "gateway.enum",
            Unit::Count,
            "names behind gateways",
            GATEWAY,
            has_gateway.then_some(behind.len() as u64),
        ),
        figure(
            "gateway.unserved",
            Unit::Count,
            "of these not listed flat",
            GATEWAY,
            has_gateway.then_some(unserved.len() as u64),
        ),
        figure("categories.enum", Unit::Count, "categories in an enum", CATEGORY, choices.map(|set| set.len() as u64)),
        figure(
            "categories.used",
            Unit::Count,
            "categories in use",
            "distinct `category` members of tools or of their `_meta`",
            used.map(|set| set.len() as u64),
        ),
        figure(
            "instructions.utf16",
            Unit::Utf16,
            "instructions",
            "the text that the server gives to a model",
            surface.era.map(|_| surface.instructions.as_deref().map_or(0, |text| text.encode_utf16().count() as u64)),
        ),
        figure("pages", Unit::Count, "pages", "answers to `tools/list`", surface.pages.len() as u64),
    ]
}

/// The categories that a discovery tool offers, and those that tools carry; none where there are none.
fn categories(surface: &Surface) -> (Option<BTreeSet<&str>>, Option<BTreeSet<&str>>) {
    let offered = surface.tools.iter().find_map(|tool| {
        let property = tool.input_schema()?.get("properties")?.get("category")?;
        let values = property.get("enum").or_else(|| property.get("items")?.get("enum"))?.as_array()?;
        Some(values.iter().filter_map(Value::as_str).collect::<BTreeSet<&str>>())
    });
    let used: BTreeSet<&str> = surface.tools.iter().filter_map(category).collect();
    (offered, (!used.is_empty()).then_some(used))
}

fn category(tool: &Tool) -> Option<&str> {
    let own = tool.value.get("category").and_then(Value::as_str);
    own.or_else(|| {
        let meta = tool.value.get("_meta")?.as_object()?;
        let named = meta.iter().find(|(key, _)| *key == "category" || key.ends_with("/category"));
        named.and_then(|(_, value)| value.as_str())
    })
}
