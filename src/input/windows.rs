//! Windows: which file a command names, and how a script is started.
//!
//! Apart from the live layers, and pure, because here is no Windows: what can be told from texts alone is written and
//! tested as functions of texts. The few lines that only Windows can compile are in `windows/glue.rs`.

#[cfg(windows)]
pub mod glue;

/// The extensions that are tried when `PATHEXT` is not set.
const PATHEXT: &str = ".COM;.EXE;.BAT;.CMD";

/// A text without a byte order mark at its start, which editors on Windows like to write.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A line without the carriage return that stands before its line feed.
pub fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Where programs are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The value of `PATH`.
    pub path: &'a str,
    /// The value of `PATHEXT`.
    pub extensions: Option<&'a str>,
}

impl Search<'_> {
    /// The file that a program's name means, as `cmd.exe` finds it; none when there is no such file.
    ///
    /// The folder one stands in is no place to look: a server's folder must not be able to replace `npx`.
    pub fn resolve(&self, program: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
        if program.contains(['/', '\\', ':']) {
            return self.with_extension(program, exists);
        }
        let folders =
            self.path.split(';').map(|folder| folder.trim().trim_matches('"')).filter(|folder| !folder.is_empty());
        folders.into_iter().find_map(|folder| {
            let folder = folder.trim_end_matches(['/', '\\']);
            self.with_extension(&format!("{folder}\\{program}"), &exists)
        })
    }

    /// The path itself where its extension is one of a program's, else the first extension that makes it a file.
    fn with_extension(&self, path: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
        let extensions = || self.extensions.unwrap_or(PATHEXT).split(';').filter(|known| known.starts_with('.'));
        let lower = path.to_lowercase();
        if extensions().any(|known| lower.ends_with(&known.to_lowercase())) && exists(path) {
            return Some(path.to_owned());
        }
        extensions().map(|known| format!("{path}{}", known.to_lowercase())).find(|path| exists(path))
    }
}

/// Whether a file is a script, which only `cmd.exe` can run.
pub fn is_script(path: &str) -> bool {
    // Windows takes blanks and dots off the end of a name, so `npx.cmd. ` is a script too.
    let path = path.trim_end_matches(['.', ' ']).to_lowercase();
    [".cmd", ".bat"].into_iter().any(|end| path.ends_with(end))
}

/// Why a command cannot be handed to `cmd.exe`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("argument {position} of a script holds {what}, which cmd.exe cannot be kept from reading")]
pub struct Unquotable {
    /// Which argument, from 1; 0 is the script.
    pub position: usize,
    /// What it holds.
    pub what: &'static str,
}

/// The arguments of `cmd.exe` that run a script with these arguments, as one text to pass on unchanged:
/// `/d /v:off /s /c "…"`.
///
/// No `AutoRun` of the registry, no delayed expansion; every word stands in quotes of its own, in which `&`, `|`, `<`,
/// `>`, `^` and blanks mean nothing, and `/s` takes off the outer pair alone.
///
/// # Errors
///
/// [`Unquotable`] for a `%`, which `cmd.exe` expands inside quotes too, and for line ends and NUL, which end its line.
/// This is the class of CVE-2024-24576: what cannot be quoted is refused, not guessed at.
pub fn script_line(script: &str, args: &[&str]) -> Result<String, Unquotable> {
    let mut line = "/d /v:off /s /c \"".to_owned();
    for (position, word) in std::iter::once(script).chain(args.iter().copied()).enumerate() {
        let found = word.chars().find_map(|letter| match letter {
            '%' => Some("`%`"),
            '\n' | '\r' => Some("a line end"),
            '\0' => Some("NUL"),
            // A quote in a file's name cannot be, and would end the name.
            '"' if position == 0 => Some("a quote"),
            _ => None,
        });
        if let Some(what) = found {
            return Err(Unquotable { position, what });
        }
        line.push_str(if position > 0 { " " } else { "" });
        quote(word, &mut line);
    }
    line.push('"');
    Ok(line)
}

/// A word in quotes, as `cmd.exe` and then the program behind it read it: a quote is doubled, which keeps both inside,
/// and so are the backslashes before one.
fn quote(word: &str, out: &mut String) {
    out.push('"');
    let mut slashes = 0;
    for letter in word.chars() {
        if letter == '"' {
            out.extend(std::iter::repeat_n('\\', slashes));
            out.push('"');
        }
        slashes = if letter == '\\' { slashes + 1 } else { 0 };
        out.push(letter);
    }
    out.extend(std::iter::repeat_n('\\', slashes));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_their_extension() {
        let files = [
            "C:\\node\\npx.cmd",
            "C:\\node\\node.exe",
            "D:\\uv\\uvx.exe",
            "D:\\uv\\npx.exe",
            "C:\\a b\\run.bat",
            "srv.cmd",
            "C:\\x\\py",
        ];
        let exists = |path: &str| files.iter().any(|file| file.eq_ignore_ascii_case(path));
        let search = Search { path: "C:\\node;\"C:\\a b\\\"; ;D:\\uv\\", extensions: None };
        for (program, found) in [
            ("npx", Some("C:\\node\\npx.cmd")),
            ("node", Some("C:\\node\\node.exe")),
            ("NODE.EXE", Some("C:\\node\\NODE.EXE")),
            ("uvx", Some("D:\\uv\\uvx.exe")),
            ("run", Some("C:\\a b\\run.bat")),
            ("C:\\node\\npx", Some("C:\\node\\npx.cmd")),
            // What lies in the folder one stands in is not looked at, and what has no extension is no program.
            ("srv", None),
            ("C:\\x\\py", None),
            ("deno", None),
        ] {
            assert_eq!(search.resolve(program, exists).as_deref(), found, "{program}");
        }
        let only_exe = Search { extensions: Some(".EXE"), ..search };
        assert_eq!(only_exe.resolve("npx", exists).as_deref(), Some("D:\\uv\\npx.exe"));
    }

    #[test]
    fn scripts_are_told_by_their_end() {
        for (path, script) in
            [("npx.cmd", true), ("A.BAT", true), ("npx.cmd. ", true), ("node.exe", false), ("cmd", false)]
        {
            assert_eq!(is_script(path), script, "{path}");
        }
    }

    #[test]
    fn every_word_is_quoted() {
        let line = |args: &[&str]| script_line("C:\\a b\\npx.cmd", args).unwrap();
        assert_eq!(line(&["-y", "pkg"]), "/d /v:off /s /c \"\"C:\\a b\\npx.cmd\" \"-y\" \"pkg\"\"");
        assert_eq!(
            line(&["a&calc", "b|c", "^", ""]),
            "/d /v:off /s /c \"\"C:\\a b\\npx.cmd\" \"a&calc\" \"b|c\" \"^\" \"\"\""
        );
        assert_eq!(line(&["{\"a\":1}"]), "/d /v:off /s /c \"\"C:\\a b\\npx.cmd\" \"{\"\"a\"\":1}\"\"");
        assert_eq!(
            line(&["C:\\dir\\", "x\\\"&calc"]),
            "/d /v:off /s /c \"\"C:\\a b\\npx.cmd\" \"C:\\dir\\\\\" \"x\\\\\"\"&calc\"\""
        );
    }

    #[test]
    fn what_cmd_reads_inside_quotes_is_refused() {
        for (args, position, what) in [
            (&["%PATH%"][..], 1, "`%`"),
            (&["a", "100%"], 2, "`%`"),
            (&["a\ncalc"], 1, "a line end"),
            (&["a\rcalc"], 1, "a line end"),
            (&["a\0b"], 1, "NUL"),
        ] {
            assert_eq!(script_line("npx.cmd", args), Err(Unquotable { position, what }));
        }
        assert_eq!(script_line("a\"b.cmd", &[]).unwrap_err().what, "a quote");
    }

    #[test]
    fn quotes_are_always_in_pairs_and_keep_what_is_between_inside() {
        // Read as cmd.exe does: a quote turns the meaning of `&` on and off.
        for word in ["a\"&\"b", "\"", "\"\"&", "&\"", "\\\"&calc", "a\\\\\"b&c"] {
            let line = script_line("x.cmd", &[word]).unwrap();
            let inner = &line["/d /v:off /s /c \"".len()..line.len() - 1];
            let mut quoted = false;
            for letter in inner.chars() {
                quoted ^= letter == '"';
                assert!(quoted || letter != '&', "{word}: {line}");
            }
            assert!(!quoted, "{word}: {line}");
        }
    }

    #[test]
    fn ends_and_marks() {
        assert_eq!(without_bom("\u{feff}{}"), "{}");
        assert_eq!(without_return("{}\r"), "{}");
        assert_eq!(without_return("{}"), "{}");
    }
}
