//! The commands that reproduce a figure: our own, and a portable one where such tools agree by construction.

use serde_json::Value;

use crate::metric::Measure;
use crate::surface::Surface;

/// What the commands are run on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The words of the target for our own commands.
    pub words: Vec<String>,
    /// A JSON file that holds the list, for `jq`, and the program that leads from it to a `tools/list` result.
    pub json: Option<(String, &'static str)>,
    /// Whether `jq` writes the list back byte for byte.
    pub exact: bool,
    /// Whether the JSON file is the payload itself, so that its size is the payload's.
    pub is_payload: bool,
}

impl Source {
    /// The source for a surface that these words point at.
    pub fn of(surface: &Surface, words: &[String], file: Option<&str>) -> Self {
        let json = file.and_then(|file| Some((file.to_owned(), surface.view?)));
        Self { words: words.to_vec(), json, exact: survives_jq(surface), is_payload: false }
    }

    /// The source when the payload was saved to a file.
    pub fn payload(file: &str, surface: &Surface) -> Self {
        Self {
            words: vec![file.to_owned()],
            json: Some((file.to_owned(), "")),
            exact: survives_jq(surface),
            is_payload: true,
        }
    }

    /// Our own command for one figure.
    pub fn own(&self, id: &str) -> String {
        let quoted: Vec<String> = self.words.iter().map(|word| shell_word(word)).collect();
        if self.words.iter().any(|word| word == "--") {
            format!("toolsurface measure {id} {}", quoted.join(" "))
        } else {
            let target = quoted.iter().map(|word| format!("{word} ")).collect::<String>();
            format!("toolsurface measure {target}{id}")
        }
    }

    /// The command for one figure that needs no toolsurface, if there is one.
    pub fn portable(&self, measure: &Measure) -> Option<String> {
        let (file, view) = self.json.as_ref()?;
        let portable = measure.portable?;
        let file = shell_word(file);
        if self.is_payload && measure.id.starts_with("payload.") {
            return Some(format!("{} < {file}", portable.pipe));
        }
        let program = format!("{view}{}", portable.jq);
        if portable.pipe.is_empty() {
            return Some(format!("jq -c {} {file}", shell_word(&program)));
        }
        self.exact.then(|| format!("jq -cj {} {file} | {}", shell_word(&program), portable.pipe))
    }

    /// All commands for one figure, our own first.
    pub fn commands(&self, measure: &Measure) -> Vec<String> {
        let mut commands = vec![self.own(measure.id)];
        commands.extend(self.portable(measure));
        commands
    }
}

/// Whether `jq -c` writes this list back byte for byte: old versions rewrite fractions, exponents, long numbers and
/// some escapes.
fn survives_jq(surface: &Surface) -> bool {
    let mut stack: Vec<&Value> = surface.tools.iter().map(|tool| &tool.value).collect();
    while let Some(value) = stack.pop() {
        match value {
            Value::Number(number) => {
                let digits = number.to_string();
                if digits.len() > 15 || digits.contains(['.', 'e', 'E']) || digits.starts_with("-0") {
                    return false;
                }
            }
            Value::String(text) if text.contains('\u{7f}') => return false,
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => {
                if members.keys().any(|name| name.contains('\u{7f}')) {
                    return false;
                }
                stack.extend(members.values());
            }
            _ => {}
        }
    }
    true
}

/// A word as a POSIX shell takes it.
pub fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("@scope/name"), "@scope/name");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
    }

    #[test]
    fn jq_is_trusted_with_plain_numbers_only() {
        let list = |text: &str| crate::input::dump::read("t", "t", text.as_bytes()).unwrap().surface;
        assert!(survives_jq(&list(r#"[{"name":"a","x":[1,-20,"1.5"]}]"#)));
        for number in ["1.0", "1e3", "12345678901234567890"] {
            assert!(!survives_jq(&list(&format!(r#"[{{"name":"a","x":{number}}}]"#))), "{number}");
        }
    }

    #[test]
    fn a_command_target_comes_last() {
        let words = ["--", "npx", "-y", "a b"].map(str::to_owned).to_vec();
        let source = Source { words, ..Source::default() };
        assert_eq!(source.own("tools.count"), "toolsurface measure tools.count -- npx -y 'a b'");
        let bare = Source::default();
        assert_eq!(bare.own("tools.count"), "toolsurface measure tools.count");
    }
}
