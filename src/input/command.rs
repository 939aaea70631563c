//! A command as it may be told: without what looks like a credential among its words.
//!
//! Apart from `secret`, which judges one value: here the words around it say what it is.

use crate::text::secret::{
    has_known_form, in_address, is_credential, is_elsewhere, is_secret_name, is_stand_in, pieces,
};

/// What stands in the place of a credential.
const MASK: &str = "***";

/// The words of a command as they may be told, and what was taken out of them.
pub(crate) fn in_words(words: &[String]) -> (Vec<String>, Vec<String>) {
    let mut taken = Vec::new();
    let before = std::iter::once("").chain(words.iter().map(String::as_str));
    let told = words.iter().zip(before).map(|(word, before)| told(word, before, &mut taken)).collect();
    (told, taken)
}

/// A word behind another as it may be told.
fn told(word: &str, before: &str, taken: &mut Vec<String>) -> String {
    let is_option = before.starts_with('-') && !before.contains(['=', ':']) && is_secret_name(before);
    if is_option && !word.starts_with('-') && may_let_in(word) {
        taken.push(word.to_owned());
        return MASK.to_owned();
    }
    if let Some(at) = word.find(['=', ':']) {
        let (name, value) = (word.get(..at).unwrap_or_default(), word.get(at + 1..).unwrap_or_default());
        // A colon parts a header, and the tag of an image too.
        let is_value =
            if word.get(at..).is_some_and(|rest| rest.starts_with('=')) { may_let_in } else { is_credential };
        if is_secret_name(name) && is_value(value.trim()) {
            taken.extend([value.trim().to_owned()]);
            // `Bearer abc`: the server sees `abc`.
            taken.extend(value.trim().rsplit_once(' ').map(|(_, last)| last.to_owned()));
            return format!("{}{MASK}", word.get(..=at).unwrap_or_default());
        }
    }
    let mut text = word.to_owned();
    if word.contains("PRIVATE KEY-----") {
        taken.push(text);
        return MASK.to_owned();
    }
    while let Some(found) = in_address(&text) {
        taken.extend(text.get(found.clone()).map(str::to_owned));
        text.replace_range(found, MASK);
    }
    let tokens: Vec<String> = pieces(&text).filter(|piece| has_known_form(piece)).map(str::to_owned).collect();
    for token in tokens {
        text = text.replace(&token, MASK);
        taken.push(token);
    }
    // A line for a shell has words of its own.
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if let [_, _, ..] = words.as_slice() {
        let (_, inner) = in_words(&words);
        for secret in inner {
            text = text.replace(&secret, MASK);
            taken.push(secret);
        }
    }
    text
}

/// Whether a value under a name that says "credential" may be one, strong or not.
fn may_let_in(value: &str) -> bool {
    let is_switch = matches!(value, "" | "true" | "false") || value.parse::<f64>().is_ok();
    is_credential(value) || !(is_switch || is_elsewhere(value) || is_stand_in(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_are_told_without_credentials() {
        for (command, told, taken) in [
            ("a --api-key Zq8vN3mK1pT7wX5yR2bL b", "a --api-key *** b", vec!["Zq8vN3mK1pT7wX5yR2bL"]),
            ("a --password hunter2 --port 80", "a --password *** --port 80", vec!["hunter2"]),
            ("a --key=p4ss --token-file /run/t", "a --key=*** --token-file /run/t", vec!["p4ss"]),
            ("a --key ./k.pem --token $TOKEN --auth none", "a --key ./k.pem --token $TOKEN --auth none", vec![]),
            ("docker run acme/auth:1.0", "docker run acme/auth:1.0", vec![]),
            (
                "a https://a.test/?key=9f8e7d6c5b4a3928&token=Zq8vN3mK1pT7wX5y",
                "a https://a.test/?key=***&token=***",
                vec!["9f8e7d6c5b4a3928", "Zq8vN3mK1pT7wX5y"],
            ),
            ("a sk-Zq8vN3mK1pT7wX5yR2bL", "a ***", vec!["sk-Zq8vN3mK1pT7wX5yR2bL"]),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let (shown, found) = in_words(&words);
            assert_eq!((shown.join(" ").as_str(), found), (told, taken.into_iter().map(str::to_owned).collect()));
        }
        let line = ["sh", "-c", "exec a --api-key Zq8vN3mK1pT7wX5yR2bL", "X-Key: Bearer 9f8e7d6c5b4a39281706"];
        let (shown, found) = in_words(&line.map(str::to_owned));
        assert_eq!(shown, ["sh", "-c", "exec a --api-key ***", "X-Key:***"]);
        assert_eq!(found, ["Zq8vN3mK1pT7wX5yR2bL", "Bearer 9f8e7d6c5b4a39281706", "9f8e7d6c5b4a39281706"]);
    }
}
