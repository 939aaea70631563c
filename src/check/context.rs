//! What a check sees, and what it says.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Settings, effort::Bounds, verbs::Prefixes};
use crate::finding::Effect;
use crate::input::hosts::{Entry, File};
use crate::measure::Measures;
use crate::rule::{Host, host::Limit};
use crate::surface::{
    Surface, Tool,
    schema::{self, Node},
};
use crate::text::pointer::Pointer;

/// Everything that a check may look at.
pub struct Context<'a> {
    /// The server.
    pub surface: &'a Surface,
    /// Its figures.
    pub measures: &'a Measures,
    /// What the user decided.
    pub settings: &'a Settings,
    /// The config files that are looked at instead of a server.
    files: Option<&'a [File]>,
    /// The servers that one host shows together, when they are looked at instead of a single one.
    servers: Option<&'a [&'a Surface]>,
    /// Whether hosts run on Windows here.
    pub on_windows: bool,
    /// The schemas of each tool, walked once for all rules; same order as the tools.
    schemas: Rc<Vec<Vec<Schema<'a>>>>,
    /// What some checks must know of the whole list, taken when first asked for.
    whole: Rc<Whole<'a>>,
    /// What may still be done for this server.
    pub(super) bounds: Rc<Bounds>,
    /// The tools in sight.
    window: Range<usize>,
}

/// Facts of a whole list.
#[derive(Default)]
struct Whole<'a> {
    served: OnceCell<BTreeSet<&'a str>>,
    prefixes: OnceCell<Prefixes>,
}

/// Tools in a window: enough to be quick, few enough to stay in the caches.
const WINDOW: usize = 64;

/// An input or output schema of a tool, walked.
pub struct Schema<'a> {
    /// The tool's position.
    pub tool: usize,
    /// `/inputSchema` or `/outputSchema`.
    pub at: Pointer,
    /// Whether it is the input schema.
    pub is_input: bool,
    /// The outermost schema, to resolve references against.
    pub root: &'a Value,
    /// Every schema inside, itself first; their places start at the tool.
    pub nodes: Vec<Node<'a>>,
}

impl<'a> Context<'a> {
    /// Walks the schemas of a surface for the checks.
    pub fn new(surface: &'a Surface, measures: &'a Measures, settings: &'a Settings) -> Self {
        let walk = |tool: usize, name: &str, root: &'a Value| {
            let at = Pointer::root().key(name);
            let nodes = schema::nodes_from(at.clone(), root);
            Schema { tool, at, is_input: name == "inputSchema", root, nodes }
        };
        let schemas = surface.tools.iter().enumerate().map(|(n, tool)| {
            let input = tool.input_schema().map(|root| walk(n, "inputSchema", root));
            let output = tool.output_schema().map(|root| walk(n, "outputSchema", root));
            input.into_iter().chain(output).collect()
        });
        let (schemas, window) = (Rc::new(schemas.collect()), 0..surface.tools.len());
        let (whole, bounds) = (Rc::default(), Rc::default());
        Self {
            surface,
            measures,
            settings,
            files: None,
            servers: None,
            on_windows: false,
            schemas,
            whole,
            bounds,
            window,
        }
    }

    /// The same for config files: the rules on servers have nothing to look at then.
    #[must_use]
    pub fn with_files(self, files: &'a [File], on_windows: bool) -> Self {
        Self { files: Some(files), on_windows, ..self }
    }

    /// The same for several servers that one host shows together: only the rules on `targets` look at them.
    #[must_use]
    pub fn with_servers(self, servers: &'a [&'a Surface]) -> Self {
        Self { servers: Some(servers), ..self }
    }

    /// Whether several servers are looked at together.
    pub fn is_across(&self) -> bool {
        self.servers.is_some()
    }

    /// The servers that one host shows together; a single one is among itself.
    pub fn servers(&self) -> Vec<&'a Surface> {
        self.servers.map_or_else(|| vec![self.surface], <[_]>::to_vec)
    }

    /// The config files.
    pub fn files(&self) -> &'a [File] {
        self.files.unwrap_or_default()
    }

    /// Whether config files are looked at, and not a server.
    pub fn is_of_files(&self) -> bool {
        self.files.is_some()
    }

    /// The servers of all config files, each with the positions of its file and its own.
    pub fn all_entries(&self) -> impl Iterator<Item = ((usize, usize), &'a Entry)> {
        let files = self.files().iter().enumerate();
        files.flat_map(|(n, file)| file.entries.iter().enumerate().map(move |(m, entry)| ((n, m), entry)))
    }

    /// Those that their hosts start.
    pub fn entries(&self) -> impl Iterator<Item = ((usize, usize), &'a Entry)> {
        self.all_entries().filter(|(_, entry)| entry.enabled)
    }

    /// The same list, a window of it in sight at a time.
    pub fn windows(&self) -> impl Iterator<Item = Context<'a>> {
        let all = self.window.clone();
        all.clone().step_by(WINDOW).map(move |start| Context {
            schemas: Rc::clone(&self.schemas),
            whole: Rc::clone(&self.whole),
            bounds: Rc::clone(&self.bounds),
            window: start..all.end.min(start + WINDOW),
            ..*self
        })
    }

    /// What the chosen hosts make of the findings of this rule.
    pub fn limits(&self, rule: &str) -> impl Iterator<Item = &'a Limit> {
        let hosts = self.settings.hosts.iter();
        hosts.flat_map(Host::limits).filter(move |limit| limit.rule == rule)
    }

    /// The names of all tools.
    pub fn served(&self) -> &BTreeSet<&'a str> {
        self.whole.served.get_or_init(|| self.surface.tools.iter().filter_map(Tool::name).collect())
    }

    /// These tools in the order of their names: a finding about a group stands on the same one in whatever order they come.
    pub(super) fn by_name(&self, mut tools: Vec<usize>) -> Vec<usize> {
        tools.sort_by_key(|n| (self.surface.tools.get(*n).and_then(Tool::name), *n));
        tools
    }

    /// The first words that mark the whole list.
    pub(super) fn prefixes(&self) -> &Prefixes {
        self.whole.prefixes.get_or_init(|| Prefixes::of(&self.surface.tools))
    }

    /// Each tool in sight with its position in the list.
    pub fn tools(&self) -> impl Iterator<Item = (usize, &'a Tool)> {
        self.window.clone().zip(self.surface.tools.get(self.window.clone()).unwrap_or_default())
    }

    /// The input and output schema of the tool at this position.
    pub fn schemas_of(&self, tool: usize) -> &[Schema<'a>] {
        self.schemas.get(tool).map_or(&[], Vec::as_slice)
    }

    /// Every input and output schema in sight.
    pub fn schemas(&self) -> impl Iterator<Item = &Schema<'a>> {
        self.schemas.get(self.window.clone()).unwrap_or_default().iter().flatten()
    }

    /// Every input schema in sight.
    pub fn inputs(&self) -> impl Iterator<Item = &Schema<'a>> {
        self.schemas().filter(|schema| schema.is_input)
    }
}

/// What a hit stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The tool at this position.
    Tool(usize),
    /// The server.
    Server,
    /// The wire.
    Exchange,
    /// A tool of one of several servers, by the positions of both.
    ToolOf(usize, usize),
    /// One of several servers, by its position.
    ServerOf(usize),
    /// A server in a config file, by the positions of both.
    Entry(usize, usize),
    /// A config file, by its position.
    File(usize),
}

/// One thing that a check found; the rule file has the words for it.
#[derive(Clone, Debug)]
pub struct Hit {
    /// What it stands on.
    pub on: On,
    /// Where, from the tool object.
    pub at: Pointer,
    /// The bytes of a config file that it is about.
    pub span: Range<usize>,
    /// Whether the case is less certain; the rule's `weaker` severity holds then.
    pub weaker: bool,
    /// Measured figures and names, for the title and the report.
    pub facts: Map<String, Value>,
    /// Positions of further tools, when the finding stands between several.
    pub also: Vec<usize>,
    /// The hosts that it is about, when the check looked at their limits; else all that mind the rule.
    pub minded: Option<Vec<Arc<Effect>>>,
}

impl Hit {
    /// A hit on something, at a place.
    pub fn new(on: On, at: Pointer) -> Self {
        Self { on, at, span: 0..0, weaker: false, facts: Map::new(), also: Vec::new(), minded: None }
    }

    /// A hit on the tool at this position, at a place in it.
    pub fn tool(index: usize, at: Pointer) -> Self {
        Self::new(On::Tool(index), at)
    }

    /// A hit on the server as a whole.
    pub fn server() -> Self {
        Self::new(On::Server, Pointer::root())
    }

    /// A hit on a server of a config file.
    pub fn entry((file, entry): (usize, usize), span: Range<usize>) -> Self {
        Self { span, ..Self::new(On::Entry(file, entry), Pointer::root()) }
    }

    /// A hit on a config file.
    pub fn file(file: usize, span: Range<usize>) -> Self {
        Self { span, ..Self::new(On::File(file), Pointer::root()) }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    /// Says which hosts the hit is about, and no others.
    #[must_use]
    pub fn minded_by<'l>(mut self, limits: impl IntoIterator<Item = &'l Limit>) -> Self {
        self.minded = Some(limits.into_iter().map(|limit| Arc::clone(&limit.effect)).collect());
        self
    }

    /// Adds further tools, by position.
    #[must_use]
    pub fn also(mut self, tools: impl IntoIterator<Item = usize>) -> Self {
        self.also.extend(tools);
        self
    }

    /// Marks the case as less certain when `weaker` holds.
    #[must_use]
    pub fn weaker_if(mut self, weaker: bool) -> Self {
        self.weaker |= weaker;
        self
    }

    /// The facts that stay the same when figures move: what the fingerprint is made of.
    pub fn evidence(&self) -> String {
        const MOVING: [&str; 18] = [
            "first",
            "line",
            "measured",
            "measured_ms",
            "limit",
            "limit_ms",
            "source",
            "date",
            "occurrences",
            "distinct",
            "lines",
            "tools",
            "missing",
            "unit",
            "affected",
            "only",
            "payload",
            "styles",
        ];
        let facts: Map<String, Value> = self
            .facts
            .iter()
            .filter(|(name, _)| !MOVING.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Value::Object(facts).to_string()
    }
}
