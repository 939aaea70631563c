//! Values that a text lists as the only ones.

use std::sync::LazyLock;

use regex::Regex;

/// Words after which a list is not complete, or is none of values.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(e\.?g|for example|for instance|such as|like|examples?|includ\w+|etc|including|and more|or any|custom|other|comma|separated|combin\w+|multiple|several|append\w*|alias\w*|case[- ]insensitive)\b|\.\.\.|…").ok()
});

/// The values behind "one of", "must be one of", "allowed values" and the like, or in brackets with bars between: at
/// least two, each one word.
pub(super) fn allowed(text: &str) -> Option<Vec<&str>> {
    static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:(?:must be |can be |should be )?(?:exactly )?one of(?: the following)?|(?:allowed|valid|possible|supported|accepted|permitted)(?: values| options| choices)(?: are)?)\s*:?\s*(?P<list>[^.;\n()]+)").ok()
    });
    static BARS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"[(:]\s*(?P<list>["'`]?[\w.-]+["'`]?(?:\s?\|\s?["'`]?[\w.-]+["'`]?)+)\s*(?:[).]|$)"#).ok()
    });
    static MUST: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?i)\b(?:(?:must|can|should|may) be|either):?\s*["'`]"#).ok());
    static CASES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)\b(?:if|when|where|unless|otherwise)\b").ok());
    if OPEN.as_ref()?.is_match(text) {
        return None;
    }
    let listed = |form: &Option<Regex>| {
        let list = form.as_ref()?.captures(text)?.name("list")?.as_str().trim();
        let parts =
            list.split([',', '|', '/']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
        let values: Option<Vec<&str>> = parts.map(value).filter(|one| one != &Some("")).collect();
        values.filter(|values| values.len() >= 2)
    };
    let barred = || listed(&BARS).filter(|values| !values.iter().all(|one| TYPES.contains(one)));
    // "If it is a check box, the value must be" says what holds for some.
    let for_all = || !CASES.as_ref().is_some_and(|cases| cases.is_match(text));
    let bound = || MUST.as_ref().filter(|form| form.is_match(text) && for_all()).and_then(|_| quoted(text));
    listed(&LEAD).or_else(barred).or_else(bound)
}

/// Names of types: `(string | null)` lists no values.
const TYPES: [&str; 9] = ["string", "number", "integer", "boolean", "object", "array", "null", "undefined", "None"];

/// The words of a list that ends with "or", behind a colon or in brackets.
pub(super) fn choice(text: &str) -> Option<Vec<&str>> {
    static CHOICE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[:(]\s*(?P<list>[\w-]+(?:, ?[\w-]+)*,? or [\w-]+)\s*(?:[).]|$)").ok());
    if OPEN.as_ref()?.is_match(text) {
        return None;
    }
    let list = CHOICE.as_ref()?.captures(text)?.name("list")?.as_str();
    list.split(',').flat_map(|part| part.split(" or ")).map(value).filter(|one| one != &Some("")).collect()
}

/// One word, quotes and "or" off; nothing for what is no single value.
fn value(part: &str) -> Option<&str> {
    let part = part.trim();
    let part = part.strip_prefix("or ").or_else(|| part.strip_prefix("and ")).unwrap_or(part).trim();
    let bare = part.trim_matches(['\'', '"', '`', '“', '”', '‘', '’']);
    let is_word = bare.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '+' | ':'));
    (is_word && bare.chars().count() <= 40).then_some(bare)
}

/// The quoted words of a text when they stand in one list, with nothing but commas, "or" and the like between them.
pub(super) fn quoted(text: &str) -> Option<Vec<&str>> {
    static QUOTE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"'([A-Za-z0-9_.:+-]{1,40})'|"([A-Za-z0-9_.:+-]{1,40})"|`([A-Za-z0-9_.:+-]{1,40})`"#).ok()
    });
    static BETWEEN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^\s*(?:,|/|\||or|and|, or|, and)\s*$").ok());
    if OPEN.as_ref()?.is_match(text) {
        return None;
    }
    let (mut values, mut end): (Vec<&str>, Option<usize>) = (Vec::new(), None);
    for found in QUOTE.as_ref()?.captures_iter(text) {
        let whole = found.get(0)?;
        let between = end.and_then(|end| text.get(end..whole.start()));
        if between.is_some_and(|between| !BETWEEN.as_ref().is_some_and(|form| form.is_match(between))) {
            return None;
        }
        values.push((1..4).find_map(|group| found.get(group))?.as_str());
        end = Some(whole.end());
    }
    (values.len() >= 2).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_values() {
        assert_eq!(
            allowed("State, one of: greenware, bisque, or glazed."),
            Some(vec!["greenware", "bisque", "glazed"])
        );
        assert_eq!(allowed("Allowed values: 'a' | 'b'"), Some(vec!["a", "b"]));
        for text in ["One of the boats", "One of: a, b, etc.", "one of your lists, or a name", "e.g. one of: a, b"] {
            assert_eq!(allowed(text), None, "{text}");
        }
        for text in
            ["State (wet|dry)", "Can be 'wet' or 'dry'.", "Valid options: wet and dry", "Either `wet` or `dry`."]
        {
            assert_eq!(allowed(text), Some(vec!["wet", "dry"]), "{text}");
        }
        for text in [
            "If it rains, the value must be `wet` or `dry`.",
            "Name (string|null)",
            "A table: a | b | c is a row",
            "The word 'wet' or 'dry' is kept",
        ] {
            assert_eq!(allowed(text), None, "{text}");
        }
        assert_eq!(choice("Sort by: name, price or date."), Some(vec!["name", "price", "date"]));
        assert_eq!(choice("Sort by: name, price and date."), None);
        assert_eq!(quoted("Sort key: 'date', 'maker' or 'height'."), Some(vec!["date", "maker", "height"]));
        for text in ["'a' sorts up, 'b' sorts down", "such as 'a' or 'b'", "'a'"] {
            assert_eq!(quoted(text), None, "{text}");
        }
    }
}
