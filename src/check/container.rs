//! Containers that a command runs: `docker run` and its kin have a grammar of their own.

use std::ops::Range;

use super::launch::Command;
use crate::input::hosts::Word;

/// The container that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Container {
    /// `docker run`, for messages.
    pub(super) step: String,
    /// The bytes of that step.
    pub(super) at: Range<usize>,
    /// The word that detaches it.
    pub(super) detached: Option<(String, Range<usize>)>,
    /// Whether its standard input is kept open; none when that cannot be told.
    pub(super) interactive: Option<bool>,
    /// Whether it is `run`, which starts a new one.
    pub(super) is_new: bool,
    /// The image or container.
    pub(super) image: Option<Word>,
}

impl Command {
    /// The container that is run, if this is docker or podman.
    pub(super) fn container(&self) -> Option<Container> {
        if !matches!(self.program.as_str(), "docker" | "podman" | "nerdctl") {
            return None;
        }
        let mut words = self.words.iter().enumerate().skip(1);
        let step = loop {
            let (at, word) = words.next()?;
            match word.text.as_str() {
                "-c" | "--context" | "-H" | "--host" | "--config" | "-l" | "--log-level" | "--connection" | "--url" => {
                    words.next();
                }
                "container" => {}
                text if text.starts_with('-') => {}
                "run" | "exec" => break at,
                _ => return None,
            }
        };
        let word = self.words.get(step)?;
        let mut container = Container {
            step: format!("{} {}", self.program, word.text),
            at: word.at.clone(),
            detached: None,
            interactive: Some(false),
            is_new: word.text == "run",
            image: None,
        };
        let mut words = self.words.iter().skip(step + 1);
        while let Some(word) = words.next() {
            if !word.text.starts_with('-') || word.text == "-" {
                container.image = Some(word.clone());
                break;
            }
            if container.option(word) {
                words.next();
            }
        }
        Some(container)
    }
}

/// Long options of `docker run`, `podman run` and `exec` that take no value.
const FLAGS: [&str; 27] = [
    "detach",
    "disable-content-trust",
    "env-host",
    "help",
    "http-proxy",
    "init",
    "interactive",
    "no-healthcheck",
    "no-hostname",
    "no-hosts",
    "oom-kill-disable",
    "passwd",
    "privileged",
    "publish-all",
    "quiet",
    "read-only",
    "read-only-tmpfs",
    "replace",
    "rm",
    "rmi",
    "rootfs",
    "sig-proxy",
    "tls-verify",
    "tty",
    "unsetenv-all",
    "use-api-socket",
    "latest",
];

impl Container {
    /// Takes in an option; true when the next word is its value.
    fn option(&mut self, word: &Word) -> bool {
        let text = word.text.as_str();
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let on = !matches!(value, Some("false" | "0"));
            match name {
                "detach" if on => self.detached = Some((text.to_owned(), word.at.clone())),
                "interactive" => self.interactive = Some(on),
                "attach" => self.attach(),
                _ => {}
            }
            return value.is_none() && !FLAGS.contains(&name);
        }
        let letters = text.get(1..).unwrap_or_default();
        for (at, letter) in letters.char_indices() {
            let rest = letters.get(at + 1..).unwrap_or_default();
            let off = rest.starts_with("=false") || rest.starts_with("=0");
            match letter {
                'd' if !off => self.detached = Some((text.to_owned(), word.at.clone())),
                'i' => self.interactive = Some(!off),
                'd' | 't' | 'P' | 'q' => {}
                'a' => {
                    self.attach();
                    return rest.is_empty();
                }
                _ => return rest.is_empty(),
            }
            if rest.starts_with('=') {
                return false;
            }
        }
        false
    }

    /// Streams that are named one by one: whether input is among them is left open.
    fn attach(&mut self) {
        if self.interactive == Some(false) {
            self.interactive = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::launch::tests::of;

    #[test]
    fn containers() {
        let told = |text: &str| {
            let container = of(text).container().unwrap();
            (container.detached.map(|(word, _)| word), container.interactive)
        };
        for (text, detached, interactive) in [
            ("docker run -i --rm a", None, Some(true)),
            ("docker run -it a", None, Some(true)),
            ("docker run --rm a", None, Some(false)),
            ("docker run -d -i a", Some("-d"), Some(true)),
            ("docker run -itd a", Some("-itd"), Some(true)),
            ("podman run --detach=true -i a", Some("--detach=true"), Some(true)),
            ("docker run --detach=false -i a", None, Some(true)),
            ("docker run -i=false a", None, Some(false)),
            ("docker run -i a -d", None, Some(true)),
            ("docker run a -i", None, Some(false)),
            ("docker run -e DEBUG=-d -i a -d", None, Some(true)),
            ("docker run -e -d -i a", None, Some(true)),
            ("docker run -eD=id a", None, Some(false)),
            ("docker run --name -d -i a", None, Some(true)),
            ("docker run -p 80:80 -i a", None, Some(true)),
            ("docker run --attach stdin a", None, None),
            ("docker --context remote container run -i a", None, Some(true)),
            ("cmd /c docker run -i a", None, Some(true)),
        ] {
            assert_eq!(told(text), (detached.map(str::to_owned), interactive), "{text}");
        }
        assert_eq!(of("docker compose up -d").container(), None);
        assert_eq!(of("docker start -ai atlas").container(), None);
    }
}
