//! Measures against limits. A limit is inclusive; a limit that nobody set is not checked.

use serde_json::Value;

use super::{Context, Hit};
use crate::measure::{ToolFigures, payload};
use crate::metric::Unit;
use crate::rule::meta::Budget;
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// The hits of a rule whose check is a set of budgets.
pub(super) fn hits(budgets: &[Budget], cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for budget in budgets {
        let Some(limit) = cx.settings.limit(&budget.limit) else { continue };
        match budget.metric.strip_prefix("tool.") {
            Some(figure) => hits.extend(tool_hits(figure, limit, cx)),
            None => hits.extend(server_hit(budget, limit, cx)),
        }
    }
    hits
}

fn server_hit(budget: &Budget, limit: f64, cx: &Context<'_>) -> Option<Hit> {
    let measure = cx.measures.get(&budget.metric)?;
    let mut measured = measure.value.as_f64()?;
    let mut unit = words(measure.unit);
    if let Some(whole) = &budget.percent_of {
        // Rounded as it is shown, so that 2.00 against a limit of 2 is no finding that reads "2 is above 2".
        measured = (measured * 10_000.0 / cx.settings.limit(whole)?).round() / 100.0;
        unit = "percent";
    }
    (measured > limit)
        .then(|| Hit::server().fact("measured", number(measured)).fact("limit", number(limit)).fact("unit", unit))
}

fn tool_hits(figure: &str, limit: f64, cx: &Context<'_>) -> Vec<Hit> {
    let value = |tool: &ToolFigures| match figure {
        "o200k" => Some((tool.size.o200k, Unit::Token)),
        "cl100k" => Some((tool.size.cl100k, Unit::Token)),
        "bytes" => Some((tool.size.bytes, Unit::Byte)),
        _ => None,
    };
    let over = |((n, tool), figures): ((usize, &Tool), &ToolFigures)| {
        let (measured, unit) = value(figures)?;
        // Sizes are far below 2^52.
        (measured as f64 > limit).then(|| {
            Hit::tool(n, Pointer::root())
                .fact("measured", measured)
                .fact("limit", number(limit))
                .fact("unit", words(unit))
                .fact("value", payload::heaviest(tool).as_str())
        })
    };
    cx.tools().zip(&cx.measures.tools).filter_map(over).collect()
}

/// The unit as a budget names it.
fn words(unit: Unit) -> &'static str {
    match unit {
        Unit::Token => "tokens",
        Unit::Byte => "bytes",
        Unit::Count => "tools",
        other => other.as_str(),
    }
}

/// A figure without a needless fraction.
fn number(value: f64) -> Value {
    let whole = format!("{value}").parse::<i64>();
    whole.map_or_else(|_| Value::from(value), Value::from)
}
