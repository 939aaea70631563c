//! What the command of a server says before it is run, and how long its starts took.

use std::path::Path;

use super::wire::Wire;

/// A start of the process that led to an open session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Milliseconds from the start to the answer that opened the session.
    pub ms: u64,
    /// Whether what is run may have been downloaded first: the first start by a package runner or of a container.
    pub cold: bool,
}

impl Wire {
    /// The starts that led to an open session, in order; none over HTTP.
    pub fn starts(&self) -> impl Iterator<Item = Start> {
        let downloads = downloads(&self.command);
        let starts = self.sessions.iter().filter(|session| session.is_start).enumerate();
        starts.filter_map(move |(n, session)| Some(Start { ms: session.opened?, cold: n == 0 && downloads }))
    }
}

/// Whether a command may first download what it runs, so that its first start is a cold one.
pub fn downloads(command: &[String]) -> bool {
    let program = command.first().and_then(|word| Path::new(word).file_name());
    let program = program.unwrap_or_default().to_string_lossy().to_lowercase();
    let program = program.strip_suffix(".cmd").or_else(|| program.strip_suffix(".exe")).unwrap_or(&program);
    let step = command.get(1).map(String::as_str);
    match program {
        "npx" | "uvx" | "docker" | "podman" | "bunx" => true,
        "pnpm" | "yarn" => step == Some("dlx"),
        "npm" => step == Some("exec"),
        "pipx" => step == Some("run"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_may_download() {
        for (command, runner) in [
            ("npx -y server", true),
            ("/usr/bin/npx server", true),
            ("npx.cmd server", true),
            ("docker run -i mcp/time", true),
            ("pnpm dlx server", true),
            ("pnpm start", false),
            ("pipx run server", true),
            ("node npx", false),
            ("", false),
        ] {
            let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            assert_eq!(downloads(&command), runner, "{command:?}");
        }
    }
}
