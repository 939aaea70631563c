//! Runs the program as a user would: a folder, a home and an environment of its own, a bound on its time, and what it
//! said on both streams.

#![allow(dead_code, reason = "each test file uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_toolsurface");
/// No run of this suite takes longer, however busy the machine is.
const BOUND: Duration = Duration::from_mins(1);

/// A fresh folder to work in. Its parent is a repository root, so that no settings above it are found.
pub(crate) struct Place {
    root: tempfile::TempDir,
}

/// What one run left behind.
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Place {
    /// An empty working folder.
    pub(crate) fn new() -> Self {
        let place = Self { root: tempfile::tempdir().unwrap() };
        for folder in [".git", "home", "work"] {
            std::fs::create_dir(place.root.path().join(folder)).unwrap();
        }
        place
    }

    /// A working folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let place = Self::new();
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    /// The working folder.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// Writes a file below the working folder, and the folders it needs.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.work().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Reads a file below the working folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command with nothing of our environment but PATH.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.path().join("home"))
            .current_dir(self.work())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in(".", args, "")
    }

    /// Runs the program with this on its standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Ran {
        self.run_in(".", args, input)
    }

    /// Runs the program in a folder below the working folder.
    pub(crate) fn run_in(&self, folder: &str, args: &[&str], input: &str) -> Ran {
        let mut command = self.command(PROGRAM);
        command.current_dir(self.work().join(folder)).args(args);
        finish(command, input, &args.join(" "))
    }

    /// Runs a line of shell, in which `toolsurface` is the program under test.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let mut path = Path::new(PROGRAM).parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = self.command("sh");
        command.env("PATH", path).args(["-c", line]);
        finish(command, "", line)
    }

    /// Text of the program with what differs from machine to machine and release to release replaced.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(&self.work().display().to_string(), "[WORK]")
            .replace(PROGRAM, "[PROGRAM]")
            .replace(concat!("\"tool\": \"", env!("CARGO_PKG_VERSION")), "\"tool\": \"[VERSION]")
            .split_inclusive('\n')
            // How many rules ran changes with every new one.
            .scan(false, |counting, line| {
                let Some((before, after)) = line.split_once(" rules ran") else {
                    *counting &= !line.trim().is_empty() && !line.starts_with("-v");
                    return Some(if *counting { without_figures(line) } else { line.to_owned() });
                };
                *counting = true;
                let before = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
                Some(format!("{before}[N] rules ran{}", without_figures(after)))
            })
            .collect()
    }
}

fn without_figures(line: &str) -> String {
    let is_figure = |letter: char| letter.is_ascii_digit();
    let words = line.split_inclusive([' ', '\n']).map(|word| match word.trim_end() {
        figure if !figure.is_empty() && figure.chars().all(is_figure) => word.replace(figure, "[N]"),
        _ => word.to_owned(),
    });
    words.collect()
}

impl Ran {
    /// Fails unless the run ended with this code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "exit code\n--- stdout\n{}--- stderr\n{}", self.out, self.err);
        self
    }

    /// Fails unless stderr stayed empty.
    #[track_caller]
    pub(crate) fn quiet(self) -> Self {
        assert_eq!(self.err, "", "stderr");
        self
    }

    /// Fails unless stdout stayed empty: there was nothing to report.
    #[track_caller]
    pub(crate) fn reports_nothing(self) -> Self {
        assert_eq!(self.out, "", "stdout");
        self
    }

    /// Fails unless stdout says each of these, line breaks and frames aside.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        holds(&self.out, parts);
        self
    }

    /// Fails unless stderr says each of these, line breaks and frames aside.
    #[track_caller]
    pub(crate) fn complains(self, parts: &[&str]) -> Self {
        holds(&self.err, parts);
        self
    }

    /// The report on stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }

    /// The only target of a JSON report.
    #[track_caller]
    pub(crate) fn target(&self) -> Value {
        let report = self.json();
        assert_eq!(report["targets"].as_array().map(Vec::len), Some(1), "{report}");
        report["targets"][0].clone()
    }

    /// The findings of a JSON report.
    #[track_caller]
    pub(crate) fn findings(&self) -> Vec<Value> {
        self.target()["findings"].as_array().unwrap().clone()
    }

    /// The rules of a JSON report's findings that have this state, each once.
    #[track_caller]
    pub(crate) fn rules(&self, state: &str) -> Vec<String> {
        let mut rules: Vec<String> = self
            .findings()
            .iter()
            .filter(|finding| finding["state"] == state)
            .map(|finding| finding["rule"].as_str().unwrap().to_owned())
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    let words = words(text);
    for part in parts {
        assert!(words.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Text without line breaks and the frames around it, as one line of words.
pub(crate) fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "│").collect();
    words.join(" ")
}

/// Runs a command to its end, or fails when that does not come in time.
pub(crate) fn finish(mut command: Command, input: &str, told: &str) -> Ran {
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{told}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that does not read its input is no failure of the test.
    let writing = spawn(move || drop(stdin.write_all(input.as_bytes())));
    let out = reading(child.stdout.take().unwrap());
    let err = reading(child.stderr.take().unwrap());
    let code = wait(&mut child, told);
    writing.join().unwrap();
    let text = |bytes: JoinHandle<Vec<u8>>| String::from_utf8(bytes.join().unwrap()).unwrap();
    Ran { code, out: text(out), err: text(err) }
}

/// Waits for the exit code, at most [`BOUND`].
pub(crate) fn wait(child: &mut Child, told: &str) -> i32 {
    let until = Instant::now() + BOUND;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or_else(|| panic!("{told}: {status}"));
        }
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("{told}: not at its end after {BOUND:?}");
        }
        sleep(Duration::from_millis(2));
    }
}

fn reading(mut from: impl std::io::Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// A tool that no rule has anything to say about.
pub(crate) fn healthy(name: &str) -> Value {
    json!({
        "name": name,
        "title": "Parcel lookup",
        "description": "Finds one parcel by its number and tells where it was seen last.",
        "inputSchema": {
            "type": "object",
            "properties": { "number": { "type": "string", "description": "Number on the label of the parcel." } },
            "required": ["number"],
            "additionalProperties": false
        },
        "outputSchema": {
            "type": "object",
            "properties": { "depot": { "type": "string", "description": "Where it was seen last." } },
            "required": ["depot"]
        },
        "annotations": { "readOnlyHint": true, "openWorldHint": false }
    })
}

/// A healthy tool with members put in the place of its own; null takes a member away.
pub(crate) fn tool(name: &str, members: Value) -> Value {
    let (Value::Object(mut tool), Value::Object(members)) = (healthy(name), members) else { panic!("no members") };
    tool.extend(members);
    tool.retain(|_, value| !value.is_null());
    Value::Object(tool)
}

/// Three tools: the first lacks its input schema (an error), the second its description (a warning), the third its
/// title (a piece of information).
pub(crate) fn faults() -> Vec<Value> {
    vec![
        tool("find_crate", json!({ "inputSchema": null })),
        tool("find_pallet", json!({ "description": null })),
        tool("find_truck", json!({ "title": null })),
    ]
}

/// The `tools/list` result of these tools.
pub(crate) fn list(tools: &[Value]) -> String {
    json!({ "tools": tools }).to_string()
}

/// The command of a legacy server in shell, after `--`: `page_1` is what it answers to its first `tools/list`, and
/// `then` what it does instead of an answer to the next.
pub(crate) fn server(page_1: &str, then: &str) -> Vec<String> {
    let script = format!(
        r#"
answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$1"; }}
list() {{ answer '{page_1}'; list() {{ {then}; }}; }}
while IFS= read -r line; do
  id=${{line#*'"id":'}}
  id=${{id%%,*}}
  case $line in
  *'"server/discover"'*) printf '{{"jsonrpc":"2.0","id":%s,"error":{{"code":-32601,"message":"unknown"}}}}\n' "$id" ;;
  *'"initialize"'*) answer '{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"sh","version":"1"}}}}' ;;
  *'"tools/list"'*) list ;;
  esac
done"#
    );
    ["--", "sh", "-c", &script].map(str::to_owned).to_vec()
}

/// `args` with a target behind them.
pub(crate) fn with_target<'a>(args: &[&'a str], target: &'a [String]) -> Vec<&'a str> {
    args.iter().copied().chain(target.iter().map(String::as_str)).collect()
}
