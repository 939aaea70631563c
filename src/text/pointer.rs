//! JSON pointers (RFC 6901) as text that grows step by step.

use serde_json::Value;

/// A JSON pointer in its escaped text form. Empty means the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// A pointer from text that is one already, such as `/inputSchema/type`.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// This pointer and one more member name, escaped.
    #[must_use]
    pub fn key(&self, name: &str) -> Self {
        let mut text = self.0.clone();
        push_key(&mut text, name);
        Self(text)
    }

    /// This pointer and one more array index.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// This pointer followed by another.
    #[must_use]
    pub fn join(&self, below: &Pointer) -> Self {
        Self(format!("{}{}", self.0, below.0))
    }

    /// The escaped text, empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The steps, unescaped.
    pub fn steps(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"))
    }

    /// The pointer without its last step, and that step; none at the root.
    pub fn split_last(&self) -> Option<(Pointer, String)> {
        let cut = self.0.rfind('/')?;
        let (parent, step) = self.0.split_at(cut);
        let step = step.trim_start_matches('/');
        Some((Self(parent.to_owned()), step.replace("~1", "/").replace("~0", "~")))
    }

    /// The node this pointer names inside `document`, if there is one.
    pub fn find<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        document.pointer(&self.0)
    }

    /// What remains of this pointer below `ancestor`, if it lies there.
    pub fn below(&self, ancestor: &Pointer) -> Option<Pointer> {
        let rest = self.0.strip_prefix(ancestor.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| Self(rest.to_owned()))
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Appends `/name` to a pointer text, escaped.
pub(crate) fn push_key(pointer: &mut String, name: &str) {
    pointer.push('/');
    for letter in name.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_finds() {
        let document = serde_json::json!({ "a/b": { "~": [1, 2] } });
        let pointer = Pointer::root().key("a/b").key("~").index(1);
        assert_eq!(pointer.as_str(), "/a~1b/~0/1");
        assert_eq!(pointer.find(&document), Some(&serde_json::json!(2)));
        assert_eq!(pointer.steps().collect::<Vec<_>>(), ["a/b", "~", "1"]);
    }

    #[test]
    fn below_is_by_step_not_by_letters() {
        let pointer = Pointer::from_text("/inputSchema/type");
        assert_eq!(pointer.below(&Pointer::from_text("/inputSchema")), Some(Pointer::from_text("/type")));
        assert_eq!(pointer.below(&Pointer::from_text("/input")), None);
        assert_eq!(pointer.split_last(), Some((Pointer::from_text("/inputSchema"), "type".to_owned())));
    }
}
