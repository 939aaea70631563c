//! How large a schema is once its references are written out, which is what a validator compiles.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{LEFT_OVER, leads_to};
use crate::surface::refs::Refs;
use crate::surface::schema::{Node, holders};

/// Schemas that a schema may grow to when its references are written out.
pub(super) const MOST_SCHEMAS: usize = 1 << 16;
/// References that lead on from one another, and nesting, together.
pub(super) const MOST_DEPTH: usize = 256;

/// A schema with its references written out.
pub(super) struct Written<'c, 's> {
    /// For each node those that it holds, shared bodies left out.
    held: Vec<Vec<usize>>,
    /// For each node the one that it refers to.
    refers: Vec<Option<usize>>,
    /// The size of each node, once known.
    sizes: Vec<Option<usize>>,
    nodes: &'c [Node<'s>],
}

impl<'c, 's> Written<'c, 's> {
    /// Of the schemas `nodes`, the outermost first.
    pub(super) fn new(nodes: &'c [Node<'s>], refs: &Refs<'_, 's>) -> Self {
        let places: BTreeMap<*const Value, usize> =
            nodes.iter().enumerate().map(|(n, node)| (std::ptr::from_ref(node.value), n)).collect();
        let mut held = vec![Vec::new(); nodes.len()];
        for (n, holder) in holders(nodes).into_iter().enumerate() {
            let is_body = nodes.get(n).is_none_or(|node| matches!(node.under, "$defs" | "definitions"));
            if let Some(held) = holder.filter(|_| !is_body).and_then(|holder| held.get_mut(holder)) {
                held.push(n);
            }
        }
        let target = |node: &Node<'s>| {
            let target = leads_to(node.value.get("$ref")?.as_str()?, refs)?;
            places.get(&std::ptr::from_ref(target)).copied()
        };
        Self { held, refers: nodes.iter().map(target).collect(), sizes: vec![None; nodes.len()], nodes }
    }

    /// The schemas in all; none when they are too many, or too deep by reference.
    pub(super) fn size_of_all(&mut self) -> Option<usize> {
        if self.nodes.is_empty() { Some(0) } else { self.size(0, 0) }
    }

    /// The schemas in this one, circles left as they are. What is left over is looked for by a second copy of the rest.
    fn size(&mut self, n: usize, depth: usize) -> Option<usize> {
        if let Some(known) = self.sizes.get(n).copied().flatten() {
            return Some(known);
        }
        if depth > MOST_DEPTH {
            return None;
        }
        // What leads back here while it is counted is a circle, and adds nothing.
        *self.sizes.get_mut(n)? = Some(0);
        // A boolean is no work: a schema is not larger for being closed.
        let mut size = usize::from(self.nodes.get(n).is_some_and(|node| node.value.is_object()));
        let again = LEFT_OVER.iter().filter(|keyword| self.nodes.get(n).is_some_and(|node| has(node, keyword))).count();
        let parts: Vec<usize> =
            self.held.get(n)?.iter().copied().chain(self.refers.get(n).copied().flatten()).collect();
        for part in parts {
            let is_at_same_place = self.nodes.get(part).is_some_and(|node| node.under != "properties");
            let times = if is_at_same_place { 1 + again } else { 1 };
            size += self.size(part, depth + 1)? * times;
        }
        *self.sizes.get_mut(n)? = Some(size);
        Some(size).filter(|size| *size <= MOST_SCHEMAS)
    }
}

fn has(node: &Node<'_>, keyword: &str) -> bool {
    node.value.get(keyword).is_some()
}
