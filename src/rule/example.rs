//! The examples of a rule file, and how they look as the files of a user.

use serde_json::{Map, Value};

use crate::text::json;

/// An example of a rule file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// Whether the rule must fire.
    pub bad: bool,
    /// `json`, `jsonl` for a capture; for config files `jsonc` and `toml` too.
    pub language: String,
    /// The text of the block.
    pub text: String,
    /// What makes it a config file; none for a list or a capture.
    pub config: Option<ConfigFile>,
}

/// What makes an example a config file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its path, which tells its host.
    pub path: String,
    /// What is known beside it: `NAME=value`, `input:ID=value`, `on:windows`.
    pub given: Vec<String>,
    /// Further files, by path.
    pub with: Vec<(String, String)>,
}

/// A file that one would write to see an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its path.
    pub path: String,
    /// Its language, as behind a fence.
    pub language: String,
    /// Its text, with a line end.
    pub text: String,
    /// Whether it is audited, or read because it is there.
    pub audited: bool,
}

impl Example {
    /// The example as files. The settings that stand beside a list in a rule file are a settings file, and several
    /// servers in one block are a list each: nobody else reads them so.
    pub fn files(&self) -> Vec<Written> {
        let file = |path: &str, text: &str| Written {
            path: path.to_owned(),
            language: path.rsplit_once('.').map_or("text", |(_, extension)| extension).to_owned(),
            text: text.to_owned(),
            audited: true,
        };
        if let Some(config) = &self.config {
            let own = Written { language: self.language.clone(), ..file(&config.path, &self.text) };
            return std::iter::once(own).chain(config.with.iter().map(|(path, text)| file(path, text))).collect();
        }
        if let Some(servers) = self.servers() {
            return servers;
        }
        let (settings, text) = self.without_settings();
        let settings =
            settings.map(|settings| Written { audited: false, ..file("toolsurface.toml", &settings_text(&settings)) });
        settings.into_iter().chain([file(&format!("list.{}", self.language), &text)]).collect()
    }

    /// The lists of several servers, and a settings file where one is a launch profile.
    fn servers(&self) -> Option<Vec<Written>> {
        let parsed = json::parse(&self.text).ok()?;
        let servers = parsed.value.get("servers")?.as_object()?;
        let (mut files, mut targets) = (Vec::new(), Map::new());
        for (id, list) in servers {
            let (mut list, path) = (list.as_object()?.clone(), format!("{id}.json"));
            if let Some(of) = list.remove("profile-of") {
                targets.insert(id.clone(), serde_json::json!({ "file": path, "profile-of": of }));
            }
            let text = format!("{}\n", Value::Object(list));
            files.push(Written { path, language: "json".to_owned(), text, audited: true });
        }
        if !targets.is_empty() {
            let text = settings_text(&serde_json::json!({ "targets": targets }));
            let (path, language) = ("toolsurface.toml".to_owned(), "toml".to_owned());
            files.insert(0, Written { path, language, text, audited: false });
        }
        Some(files)
    }

    /// The settings, and the text as it is written without them.
    fn without_settings(&self) -> (Option<Value>, String) {
        const NAME: &str = "\"settings\":";
        let whole = (None, self.text.clone());
        let Some((before, after)) = self.text.split_once(NAME) else { return whole };
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        let Some(Ok(settings)) = values.next() else { return whole };
        let rest = after.get(values.byte_offset()..).unwrap_or_default();
        let text = match rest.trim_start().strip_prefix(',') {
            Some(more) => format!("{before}{}", more.trim_start()),
            None => format!("{}{rest}", before.trim_end().trim_end_matches(',')),
        };
        (Some(settings), text)
    }
}

/// Settings that stand in JSON, as the text of a settings file.
pub fn settings_text(settings: &Value) -> String {
    toml::to_string(&toml_value(settings)).unwrap_or_default()
}

fn toml_value(value: &Value) -> toml::Value {
    match value {
        Value::Null => toml::Value::String(String::new()),
        Value::Bool(value) => toml::Value::Boolean(*value),
        Value::Number(number) => number
            .as_i64()
            .map_or_else(|| toml::Value::Float(number.as_f64().unwrap_or_default()), toml::Value::Integer),
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Array(items) => toml::Value::Array(items.iter().map(toml_value).collect()),
        Value::Object(members) => {
            toml::Value::Table(members.iter().map(|(name, value)| (name.clone(), toml_value(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(language: &str, text: &str) -> Vec<(String, String)> {
        let example = Example { language: language.to_owned(), text: text.to_owned(), ..Example::default() };
        example.files().into_iter().map(|file| (file.path, file.text)).collect()
    }

    #[test]
    fn settings_become_a_file_of_their_own() {
        let settings = ("toolsurface.toml".to_owned(), "hosts = [\"a\"]\n".to_owned());
        assert_eq!(
            files("json", "{ \"settings\": { \"hosts\": [\"a\"] }, \"tools\": [] }\n"),
            [settings.clone(), ("list.json".to_owned(), "{ \"tools\": [] }\n".to_owned())]
        );
        assert_eq!(
            files("jsonl", "{\"capture\": 1, \"settings\": {\"hosts\": [\"a\"]}}\n{}\n"),
            [settings, ("list.jsonl".to_owned(), "{\"capture\": 1}\n{}\n".to_owned())]
        );
        assert_eq!(files("json", "[]\n"), [("list.json".to_owned(), "[]\n".to_owned())]);
    }

    #[test]
    fn several_servers_become_a_list_each() {
        let found = files("json", "{\"servers\":{\"a\":{\"tools\":[]},\"b\":{\"tools\":[],\"profile-of\":\"a\"}}}");
        let names: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(names, ["toolsurface.toml", "a.json", "b.json"]);
        assert!(found[0].1.contains("[targets.b]") && found[0].1.contains("profile-of = \"a\""), "{}", found[0].1);
        assert_eq!(found[2].1, "{\"tools\":[]}\n");
    }
}
