//! From a surface to figures: one pass, each figure with its unit, method and the commands that reproduce it.
//!
//! Equal names mean equal texts. A sum of single tools is never called the payload: separators lie between tools, and
//! tokens merge across their borders.

use serde_json::Value;

use crate::metric::{Measure, Portable, Unit};
use crate::surface::Surface;

pub mod catalogue;
pub mod contract;
pub mod forms;
pub mod params;
pub mod payload;
pub mod tokens;

pub use catalogue::Band;
pub use payload::ToolFigures;

/// All figures of one surface.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Figures of the server as a whole, in the order of reports.
    pub server: Vec<Measure>,
    /// Figures of each tool, in the order of the list.
    pub tools: Vec<ToolFigures>,
}

impl Measures {
    /// The figure of this id.
    pub fn get(&self, id: &str) -> Option<&Measure> {
        self.server.iter().find(|measure| measure.id == id)
    }

    /// The figure of this id as a whole number.
    pub fn number(&self, id: &str) -> Option<u64> {
        self.get(id)?.as_u64()
    }
}

/// Measures a surface.
pub fn measure(surface: &Surface, band: Band) -> Measures {
    let sizes = payload::sizes(surface);
    let mut server = contract::tools(surface);
    server.extend(payload::measures(surface, &sizes));
    server.extend(contract::contract(surface));
    server.extend(params::measures(surface));
    server.extend(catalogue::measures(surface, band));
    Measures { server, tools: sizes.tools }
}

/// A figure without a portable command.
pub(crate) fn figure(
    id: &'static str,
    unit: Unit,
    title: &'static str,
    method: &'static str,
    value: impl Into<Value>,
) -> Measure {
    Measure { id, title, unit, method, value: value.into(), portable: None }
}

impl Measure {
    /// Adds the portable command: a `jq` program over the payload, and what its output is piped into.
    #[must_use]
    pub(crate) fn by(mut self, jq: &'static str, pipe: &'static str) -> Self {
        self.portable = Some(Portable { jq, pipe });
        self
    }
}

/// `part` of `whole` in per cent, rounded to `digits` decimals; nought of nought is nought.
pub(crate) fn percent(part: u64, whole: u64, digits: i32) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    let scale = 10f64.powi(digits);
    // Both are far below 2^52, so the division is as exact as a double can be.
    (part as f64 * 100.0 / whole as f64 * scale).round() / scale
}
