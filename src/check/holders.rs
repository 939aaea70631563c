//! Which schema holds which, read from the places of a walk in document order.

use crate::surface::schema::Node;

/// For each node the position of the nearest node above it; none for the first.
pub(super) fn holders(nodes: &[Node<'_>]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(nodes.len());
    for (n, node) in nodes.iter().enumerate() {
        let holds = |above: &usize| nodes.get(*above).is_some_and(|above| node.at.below(&above.at).is_some());
        while open.last().is_some_and(|above| !holds(above)) {
            open.pop();
        }
        found.push(open.last().copied());
        open.push(n);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::schema::nodes;
    use serde_json::json;

    #[test]
    fn the_nearest_above() {
        let schema = json!({ "properties": { "a": { "items": {} }, "ab": { "anyOf": [{}, {}] } } });
        assert_eq!(holders(&nodes(&schema)), [None, Some(0), Some(1), Some(0), Some(3), Some(3)]);
    }
}
