//! Which schemas speak of one and the same object: those that hold each other as branches, and those that refer to each
//! other.
//!
//! Apart from the walk of `schema`, which goes down only: what a branch demands may be defined by the schema around it,
//! and what a shared body demands by the one that refers to it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::refs::Refs;
use super::schema::{Node, Target, holders, is_closed};

/// Keywords whose schemas are about the same value as the schema that holds them.
const BRANCHES: [&str; 9] =
    ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies", "extends"];
/// Schemas that are looked at for one object.
const MOST: usize = 256;

/// Schemas that may still be looked at for all objects together: a hostile list could ask for all of them each time.
pub struct Budget(usize);

impl Budget {
    /// Whether nothing more is looked at.
    pub fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self(1 << 20)
    }
}

/// The schemas that speak of one object.
pub struct Scope<'s> {
    /// They themselves, the first one first.
    pub schemas: Vec<&'s Value>,
    /// Whether one of those that hold whenever the first does refuses members that it does not name.
    pub closed: bool,
}

/// A schema with its branches and references in both directions.
pub struct Tree<'c, 's> {
    nodes: &'c [Node<'s>],
    refs: Refs<'c, 's>,
    /// The node that holds each node.
    parents: Vec<Option<usize>>,
    /// The nodes that refer to a schema, by its address.
    referrers: BTreeMap<*const Value, Vec<usize>>,
}

/// A schema to be looked at.
struct Step<'s> {
    schema: &'s Value,
    /// Its position among the nodes, when those that hold it are looked at too.
    up: Option<usize>,
    /// A keyword whose branches are alternatives to where we come from.
    except: Option<&'static str>,
    /// Whether it holds whenever the first schema does.
    holds: bool,
}

impl<'c, 's> Tree<'c, 's> {
    /// The tree of `root`, whose schemas are `nodes`.
    pub fn new(root: &'s Value, nodes: &'c [Node<'s>]) -> Self {
        let refs = Refs::new(root, nodes);
        let mut referrers: BTreeMap<*const Value, Vec<usize>> = BTreeMap::new();
        for (n, node) in nodes.iter().enumerate() {
            let reference = node.value.get("$ref").and_then(Value::as_str);
            if let Some(Target::Here(target)) = reference.map(|reference| refs.lead(reference)) {
                referrers.entry(std::ptr::from_ref(target)).or_default().push(n);
            }
        }
        Self { nodes, refs, parents: holders(nodes), referrers }
    }

    /// The schemas that speak of the same object as the node at this position.
    ///
    /// None below `not`, where demands mean their opposite, and none when not all of them can be known: a reference
    /// leads out of reach, or there are too many.
    pub fn scope(&self, n: usize, budget: &mut Budget) -> Option<Scope<'s>> {
        let above = std::iter::successors(Some(n), |n| self.parent(*n));
        let words: Vec<&str> = above.filter_map(|n| Some(self.nodes.get(n)?.under)).collect();
        if words.contains(&"not") {
            return None;
        }
        // What an `if` requires is asked, not demanded.
        let asked = words.iter().take_while(|word| BRANCHES.contains(word)).any(|word| *word == "if");
        let mut scope = Scope { schemas: Vec::new(), closed: false };
        let mut seen = BTreeSet::new();
        let mut steps = vec![Step { schema: self.nodes.get(n)?.value, up: Some(n), except: None, holds: !asked }];
        while let Some(step) = steps.pop() {
            if !seen.insert((std::ptr::from_ref(step.schema), step.up)) {
                continue;
            }
            budget.0 = budget.0.checked_sub(1)?;
            let wanders = ["$dynamicRef", "$recursiveRef"].into_iter().any(|word| step.schema.get(word).is_some());
            if wanders || seen.len() > MOST {
                return None;
            }
            scope.closed |= step.holds && is_closed(step.schema);
            scope.schemas.push(step.schema);
            self.down(&step, &mut steps)?;
            self.up(&step, &mut steps);
        }
        Some(scope)
    }

    fn parent(&self, n: usize) -> Option<usize> {
        self.parents.get(n).copied().flatten()
    }

    /// The branches of a schema and where its reference leads; none when that is out of reach.
    fn down(&self, step: &Step<'s>, steps: &mut Vec<Step<'s>>) -> Option<()> {
        for keyword in BRANCHES.into_iter().filter(|keyword| step.except != Some(keyword)) {
            let holds = step.holds && keyword == "allOf";
            let below = |schema| Step { schema, up: None, except: None, holds };
            // More than the most would end in nothing anyway.
            match step.schema.get(keyword) {
                Some(Value::Array(branches)) => steps.extend(branches.iter().take(MOST + 1).map(below)),
                Some(Value::Object(named)) if keyword.starts_with("depend") => {
                    steps.extend(named.values().take(MOST + 1).map(below));
                }
                Some(branch) => steps.push(below(branch)),
                None => {}
            }
        }
        if let Some(reference) = step.schema.get("$ref").and_then(Value::as_str) {
            let Target::Here(schema) = self.refs.lead(reference) else { return None };
            steps.push(Step { schema, up: None, except: None, holds: step.holds });
        }
        Some(())
    }

    /// The schema that holds this one as a branch, and those that refer to it.
    fn up(&self, step: &Step<'s>, steps: &mut Vec<Step<'s>>) {
        let Some((n, node)) = step.up.and_then(|n| Some((n, self.nodes.get(n)?))) else { return };
        let holder = self.parent(n).filter(|_| BRANCHES.contains(&node.under));
        if let Some((n, above)) = holder.and_then(|n| Some((n, self.nodes.get(n)?))) {
            let except = Some(node.under).filter(|keyword| ["anyOf", "oneOf"].contains(keyword));
            steps.push(Step { schema: above.value, up: Some(n), except, holds: step.holds });
        }
        let referrers = self.referrers.get(&std::ptr::from_ref(node.value)).into_iter().flatten().take(MOST + 1);
        let referrers = referrers.filter_map(|n| Some((*n, self.nodes.get(*n)?.value)));
        steps.extend(referrers.map(|(n, schema)| Step { schema, up: Some(n), except: None, holds: false }));
    }
}
