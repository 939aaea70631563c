//! What the command of a server says before it is run.

use std::path::Path;

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
