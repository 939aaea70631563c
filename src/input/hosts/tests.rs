//! The formats, each with its own shapes: a server to start, one to reach, a variable of its own, one of another host,
//! one that is switched off.

use super::*;
use proptest::prelude::*;

fn lookup(pairs: &[(&str, &str)]) -> Lookup {
    let env = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Lookup { env, platform: Platform::Linux, home: PathBuf::from("/home/a"), ..Lookup::default() }
}

fn read_with(path: &str, text: &str, pairs: &[(&str, &str)]) -> File {
    read(path, text, &lookup(pairs)).unwrap_or_else(|| panic!("{path} is no config file"))
}

/// What a reach says, in a line.
fn reached(entry: &Entry) -> String {
    match &entry.reach {
        Ok(Reach::Launch(launch)) => {
            let env: Vec<String> = launch.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{} [{}]", launch.command.join(" "), env.join(" "))
        }
        Ok(Reach::Remote(remote)) => {
            let headers: Vec<String> =
                remote.headers.iter().map(|header| format!("{}: {}", header.name, header.value)).collect();
            format!("{:?} {} [{}]", remote.shape, remote.url, headers.join(", "))
        }
        Err(reason) => reason.clone(),
    }
}

/// Path, text, and what each server is reached by, with `T=t` in the environment.
const FORMATS: [(&str, &str, &[&str]); 13] = [
    (
        ".mcp.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "node", "args": ["a.js", "${T}", "${U:-u}"], "env": { "A": "${T}" } },
            "http": { "type": "http", "url": "https://a.test/${T}", "headers": { "X": "Bearer ${T}" } },
            "foreign": { "command": "node", "args": ["${env:T}"] },
            "unset": { "command": "node", "args": ["${U}"] },
            "off": { "command": "node", "disabled": true } } }"#,
        &[
            "node a.js t u [A=t]",
            "Auto https://a.test/t [X: Bearer t]",
            "`${env:T}` is no variable in Claude Code, which would pass on the text itself",
            "`${U}` has no value: set U, or give `--env U=VALUE`",
            "off",
        ],
    ),
    (
        "claude_desktop_config.json",
        r#"{ "globalShortcut": "", "mcpServers": {
            "stdio": { "command": "npx", "args": ["-y", "a@1.0.0"], "env": { "A": "1" } },
            "http": { "url": "https://a.test/mcp" },
            "foreign": { "command": "node", "env": { "A": "${T}" } },
            "off": { "command": "node", "disabled": true } } }"#,
        &[
            "npx -y a@1.0.0 [A=1]",
            "`url` holds an address, where Claude Desktop reads a command alone",
            "`${T}` is no variable in Claude Desktop, which would pass on the text itself",
            "off",
        ],
    ),
    (
        "w/.vscode/mcp.json",
        "\u{feff}{ // servers\r\n \"inputs\": [{ \"id\": \"k\", \"type\": \"promptString\", \"default\": \"d\" }],\r\n
            \"servers\": {
            \"stdio\": { \"type\": \"stdio\", \"command\": \"node\", \"args\": [\"${workspaceFolder}${/}a.js\"], \"env\": { \"A\": \"${env:T}\", \"B\": 1, \"C\": null }, \"envFile\": \"${workspaceFolder}/.env\", },
            \"http\": { \"type\": \"sse\", \"url\": \"https://a.test/mcp\", \"headers\": { \"X\": \"${input:k}\" } },
            \"foreign\": { \"command\": \"${T}\" },
            \"editor\": { \"command\": \"${command:a.b}\" } } }",
        &[
            "node w/a.js [A=t B=1]",
            "Sse https://a.test/mcp [X: d]",
            "`${T}` is no variable in VS Code, which would pass on the text itself",
            "only VS Code itself knows `${command:a.b}`",
        ],
    ),
    (
        ".copilot/mcp-config.json",
        r#"{ "mcpServers": {
            "stdio": { "type": "local", "command": "node", "args": ["${T}"], "tools": ["*"] },
            "http": { "type": "http", "url": "https://a.test/mcp", "headers": { "X": "${T}" }, "tools": ["one"] },
            "elsewhere": { "type": "http", "url": "https://a.test/${T}" },
            "foreign": { "command": "node", "env": { "A": "${input:k}" } } } }"#,
        &[
            "node t []",
            "Auto https://a.test/mcp [X: t]",
            "`${T}` stands where Copilot CLI resolves no variables",
            "`${input:k}` is no variable in Copilot CLI, which would pass on the text itself",
        ],
    ),
    (
        ".cursor/mcp.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "node", "args": ["${userHome}/a.js"], "env": { "A": "${env:T}" } },
            "http": { "url": "https://a.test/mcp", "headers": { "X": "${env:T}" } },
            "foreign": { "command": "node", "env": { "A": "{env:T}" } } } }"#,
        &[
            "node /home/a/a.js [A=t]",
            "Auto https://a.test/mcp [X: t]",
            "`{env:T}` is no variable in Cursor, which would pass on the text itself",
        ],
    ),
    (
        ".codex/config.toml",
        "model = \"x\"\n[mcp_servers.stdio]\ncommand = \"node\"\nargs = ['a.js']\nenv_vars = [\"T\", \"U\", { name = \"V\", source = \"remote\" }]\nstartup_timeout_ms = 1500\n[mcp_servers.stdio.env]\nA = \"1\"\n
[mcp_servers.http]\nurl = \"https://a.test/mcp\"\nbearer_token_env_var = \"T\"\nhttp_headers = { X = \"1\" }\nenv_http_headers = { Y = \"T\" }\n
[mcp_servers.foreign]\ncommand = \"node\"\nenv = { A = \"$TOKEN\" }\n
[mcp_servers.unset]\nurl = \"https://a.test/mcp\"\nbearer_token_env_var = \"U\"\n
[mcp_servers.off]\ncommand = \"node\"\nenabled = false\n",
        &[
            "node a.js [A=1 T=t]",
            "Auto https://a.test/mcp [X: 1, Authorization: Bearer t, Y: t]",
            "`$TOKEN` is no variable in Codex, which would pass on the text itself",
            "`U` has no value: set U, or give `--env U=VALUE`",
            "off",
        ],
    ),
    (
        ".gemini/settings.json",
        r#"{ /* own */ "mcp": { "allowed": ["a"] }, "mcpServers": {
            "stdio": { "command": "node", "args": ["$T", "${T}", "${U:-u}", "$5"], "timeout": 5000 },
            "http": { "httpUrl": "https://a.test/mcp", "headers": { "X": "$T" } },
            "sse": { "url": "https://a.test/sse" },
            "foreign": { "command": "node", "env": { "A": "${env:T}" } } } }"#,
        &[
            "node t t u $5 []",
            "Auto https://a.test/mcp [X: t]",
            "Sse https://a.test/sse []",
            "`${env:T}` is no variable in Gemini CLI, which would pass on the text itself",
        ],
    ),
    (
        "mcp_config.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "node", "env": { "A": "${env:T}" }, "disabledTools": ["x"] },
            "http": { "serverUrl": "https://a.test/${env:T}" },
            "foreign": { "command": "${T}" },
            "off": { "command": "node", "disabled": true } } }"#,
        &[
            "node [A=t]",
            "Auto https://a.test/t []",
            "`${T}` is no variable in Windsurf, which would pass on the text itself",
            "off",
        ],
    ),
    (
        "opencode.json",
        r#"{ "$schema": "https://opencode.ai/config.json", "mcp": {
            "stdio": { "type": "local", "command": ["node", "a.js", "{env:T}"], "environment": { "A": "{env:T}" } },
            "http": { "type": "remote", "url": "https://a.test/mcp", "headers": { "X": "Bearer {file:~/key}" } },
            "foreign": { "type": "local", "command": ["node", "${T}"] },
            "off": { "type": "local", "command": ["node"], "enabled": false }, } }"#,
        &[
            "node a.js t [A=t]",
            "Auto https://a.test/mcp [X: Bearer ]",
            "`${T}` is no variable in opencode, which would pass on the text itself",
            "off",
        ],
    ),
    (
        ".zed/settings.json",
        r#"{ "context_servers": {
            "stdio": { "source": "custom", "command": "node", "args": ["a.js"], "env": { "A": "1" } },
            "older": { "command": { "path": "node", "args": ["b.js"], "env": { "A": "2" } } },
            "http": { "url": "https://a.test/mcp", "headers": { "X": "1" } },
            "foreign": { "command": "node", "args": ["${T}"] },
            "off": { "command": "node", "enabled": false },
            "settings": { "settings": {} } } }"#,
        &[
            "node a.js [A=1]",
            "node b.js [A=2]",
            "Auto https://a.test/mcp [X: 1]",
            "`${T}` is no variable in Zed, which would pass on the text itself",
            "off",
            "neither a command nor an address is there",
        ],
    ),
    (
        "cline_mcp_settings.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "node", "args": [], "timeout": 60, "autoApprove": ["x"] },
            "http": { "type": "streamableHttp", "url": "https://a.test/mcp", "headers": { "X": "${env:T}" } },
            "sse": { "url": "https://a.test/mcp" },
            "foreign": { "command": "${T}" },
            "off": { "command": "node", "disabled": true } } }"#,
        &[
            "node []",
            "Auto https://a.test/mcp [X: t]",
            "Sse https://a.test/mcp []",
            "`${T}` is no variable in Cline, which would pass on the text itself",
            "off",
        ],
    ),
    (
        ".roo/mcp.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "node", "cwd": "${workspaceFolder}/sub", "alwaysAllow": ["x"] },
            "http": { "type": "streamable-http", "url": "https://a.test/mcp", "headers": { "X": "${env:T}" } },
            "foreign": { "command": "%TOKEN%" } } }"#,
        &[
            "node []",
            "Auto https://a.test/mcp [X: t]",
            "`%TOKEN%` is no variable in Roo Code, which would pass on the text itself",
        ],
    ),
    (
        ".kiro/settings/mcp.json",
        r#"{ "mcpServers": {
            "stdio": { "command": "uvx", "args": ["a==1.0"], "env": { "A": "${T}" } },
            "http": { "url": "https://a.test/mcp", "headers": { "X": "${T}" } },
            "foreign": { "command": "${workspaceFolder}/a" },
            "off": { "command": "node", "disabled": true } } }"#,
        &[
            "uvx a==1.0 [A=t]",
            "Auto https://a.test/mcp [X: t]",
            "`${workspaceFolder}` is no variable in Kiro, which would pass on the text itself",
            "off",
        ],
    ),
];

#[test]
fn every_format_is_read_as_its_host_reads_it() {
    for (path, text, wanted) in FORMATS {
        let file = read_with(path, text, &[("T", "t")]);
        assert_eq!(file.broken, None, "{path}");
        assert!(file.certain, "{path}");
        let found: Vec<String> =
            file.entries.iter().map(|entry| if entry.enabled { reached(entry) } else { "off".to_owned() }).collect();
        assert_eq!(found, wanted, "{path}");
        for entry in &file.entries {
            let name = file.text[entry.at.clone()].trim_matches('"');
            assert_eq!(name, entry.name, "{path}");
            for used in &entry.uses {
                assert_eq!(file.text[used.at.clone()].trim_matches(['"', '\'']), used.text, "{path}");
            }
        }
    }
}

#[test]
fn lists_and_times_are_kept() {
    let text = "[mcp_servers.a]\ncommand = \"a\"\nstartup_timeout_sec = 2.5\ntool_timeout_sec = 60\nenabled_tools = [\"x\"]\ndisabled_tools = [\"y\"]\n";
    let file = read_with("config.toml", text, &[]);
    let entry = &file.entries[0];
    assert_eq!((entry.start, entry.request), (Some(Duration::from_millis(2500)), Some(Duration::from_mins(1))));
    assert_eq!((entry.only[0].text.as_str(), entry.never[0].text.as_str()), ("x", "y"));
    let file = read_with(".roo/mcp.json", FORMATS[11].1, &[]);
    assert_eq!(file.entries[0].approved[0].text, "x");
    assert_eq!(read_with(".copilot/mcp-config.json", FORMATS[3].1, &[]).entries[1].only[0].text, "one");
}

#[test]
fn claude_code_keeps_servers_by_project() {
    let text = r#"{ "mcpServers": { "a": { "command": "a" } },
                    "projects": { "/w": { "mcpServers": { "b": { "command": "b" } } }, "/v": {} } }"#;
    let file = read_with(".claude.json", text, &[]);
    let found: Vec<(&str, Option<&str>)> =
        file.entries.iter().map(|entry| (entry.name.as_str(), entry.project.as_deref())).collect();
    assert_eq!(found, [("a", None), ("b", Some("/w"))]);
    // A plug-in's file may hold the servers at its root.
    let bare = read_with(".mcp.json", r#"{ "a": { "command": "${CLAUDE_PLUGIN_ROOT}/a" } }"#, &[]);
    assert_eq!((reached(&bare.entries[0]).as_str(), bare.wrong_root), ("./a []", None));
}

#[test]
fn inputs_come_from_the_command_line_or_the_environment() {
    let text = r#"{ "inputs": [{ "id": "api-key", "type": "promptString" }],
                    "servers": { "a": { "command": "a", "args": ["${input:api-key}"] } } }"#;
    let with = |lookup: &Lookup| reached(&read(".vscode/mcp.json", text, lookup).unwrap().entries[0]);
    assert_eq!(
        with(&lookup(&[])),
        "its host asks for `${input:api-key}`: give a value with `--input api-key=VALUE` or in MCP_INPUT_API_KEY"
    );
    assert_eq!(with(&lookup(&[("MCP_INPUT_API_KEY", "e")])), "a e []");
    let given =
        Lookup { inputs: [("api-key".to_owned(), "i".to_owned())].into(), ..lookup(&[("MCP_INPUT_API_KEY", "e")]) };
    assert_eq!(with(&given), "a i []");
}

#[test]
fn windows_tells_no_names_apart_by_case() {
    let text = r#"{ "mcpServers": { "a": { "command": "a", "args": ["${appdata}"] } } }"#;
    let on = |platform| {
        let lookup = Lookup { platform, ..lookup(&[("APPDATA", "x")]) };
        reached(&read(".mcp.json", text, &lookup).unwrap().entries[0])
    };
    assert_eq!(on(Platform::Windows), "a x []");
    assert_eq!(on(Platform::Linux), "`${appdata}` has no value: set appdata, or give `--env appdata=VALUE`");
}

#[test]
fn a_file_that_an_entry_names_is_read() {
    let text = r#"{ "servers": { "a": { "command": "a", "envFile": ".env", "env": { "B": "own" } } } }"#;
    let with = |files: fn(&Path) -> Option<String>| {
        reached(&read("w/.vscode/mcp.json", text, &Lookup { files, ..lookup(&[]) }).unwrap().entries[0])
    };
    let from_disk = |path: &Path| (path == Path::new("w/.env")).then(|| "A=1\r\nB=2\r\n".to_owned());
    assert_eq!(with(from_disk), "a [A=1 B=own]");
    assert_eq!(with(|_| None), "its `envFile` cannot be read");
    assert_eq!(with(|_| Some(String::new())), "a [B=own]");
}

#[test]
fn a_shell_resolves_its_own() {
    for (command, args, found) in [
        ("sh", r#""-c", "a $HOME ${i} ${HOST}""#, "sh -c a $HOME ${i} h []"),
        ("cmd", r#""/c", "%APPDATA%\\a""#, "cmd /c %APPDATA%\\a []"),
        ("cmd", r#""/c", "a", "${UNSET}""#, "`${UNSET}` has no value: set UNSET, or give `--env UNSET=VALUE`"),
        ("node", r#""$HOME/a""#, "`$HOME` is no variable in Claude Code, which would pass on the text itself"),
        ("node", r#""$home", "$$HOME", "$9.99", "a$B""#, "node $home $$HOME $9.99 a$B []"),
    ] {
        let text = format!(r#"{{ "mcpServers": {{ "a": {{ "command": "{command}", "args": [{args}] }} }} }}"#);
        assert_eq!(reached(&read_with(".mcp.json", &text, &[("HOST", "h")]).entries[0]), found);
    }
}

#[test]
fn a_registry_entry_becomes_a_command_or_an_address() {
    let text = r#"{ "name": "test.example/atlas", "version": "1.4.0", "packages": [
        { "registryType": "npm", "identifier": "@acme/atlas", "version": "1.4.1", "transport": { "type": "stdio" },
          "packageArguments": [{ "type": "positional", "value": "serve" }, { "type": "named", "name": "--region", "default": "eu" }],
          "environmentVariables": [{ "name": "T", "isRequired": true, "isSecret": true }, { "name": "LOG" }] },
        { "registryType": "pypi", "identifier": "atlas", "version": "1.4.0", "transport": { "type": "stdio" },
          "environmentVariables": [{ "name": "U", "isRequired": true }] },
        { "registryType": "oci", "identifier": "acme/atlas", "version": "1.4.0", "transport": { "type": "stdio" } },
        { "registryType": "mcpb", "identifier": "Atlas", "version": "1.4.0", "transport": { "type": "stdio" } } ],
        "remotes": [{ "type": "sse", "url": "https://{zone}.a.test/sse", "variables": { "zone": { "default": "eu" } },
          "headers": [{ "name": "X", "value": "Bearer {t}", "variables": { "t": { "isRequired": true } } }] }] }"#;
    let file = read("server.json", text, &lookup(&[("T", "t"), ("t", "s")])).unwrap();
    let found: Vec<String> = file.entries.iter().map(reached).collect();
    assert_eq!(
        found,
        [
            "npx -y @acme/atlas@1.4.1 serve --region eu [T=t]",
            "its host asks for `U`: give a value with `--input U=VALUE` or in MCP_INPUT_U",
            "docker run -i --rm acme/atlas:1.4.0 []",
            "packages of `mcpb` are not started",
            "Sse https://eu.a.test/sse [X: Bearer s]",
        ]
    );
    let versions: Vec<&str> =
        file.entries.iter().filter_map(|entry| Some(entry.version.as_ref()?.text.as_str())).collect();
    assert_eq!(versions, ["1.4.1", "1.4.0", "1.4.0", "1.4.0", "1.4.0"]);
}

#[test]
fn a_bundle_is_started_from_its_folder() {
    let text = r#"{ "manifest_version": "0.3", "name": "atlas", "version": "2.0.0",
        "server": { "type": "node", "entry_point": "server/index.js", "mcp_config": {
            "command": "node", "args": ["${__dirname}/server/index.js", "${user_config.folder}"], "env": { "K": "${user_config.key}" },
            "platform_overrides": { "win32": { "command": "node.exe" } } } },
        "user_config": { "folder": { "type": "directory", "default": "${HOME}" }, "key": { "type": "string", "sensitive": true } } }"#;
    let with = |platform, inputs: &[(&str, &str)]| {
        let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let file = read("b/manifest.json", text, &Lookup { inputs, platform, ..lookup(&[]) }).unwrap();
        assert_eq!(file.entries[0].version.as_ref().unwrap().text, "2.0.0");
        (file.entries[0].name.clone(), reached(&file.entries[0]))
    };
    let missing =
        "its host asks for `${user_config.key}`: give a value with `--input key=VALUE` or in MCP_INPUT_KEY".to_owned();
    assert_eq!(with(Platform::Linux, &[]), ("atlas".to_owned(), missing));
    let key = ("key", "k");
    assert_eq!(with(Platform::Linux, &[key, ("folder", "f")]).1, "node b/server/index.js f [K=k]");
    assert_eq!(with(Platform::Windows, &[key, ("folder", "f")]).1, "node.exe b/server/index.js f [K=k]");
}

#[test]
fn packages_can_be_named() {
    let command = |word: &str| package::launch(word).map(|launch| launch.command.join(" "));
    assert_eq!(command("npm:@acme/atlas@1.4.0").as_deref(), Some("npx -y @acme/atlas@1.4.0"));
    assert_eq!(command("pypi:atlas==1.4.0").as_deref(), Some("uvx atlas==1.4.0"));
    for word in ["npm:", "npm:--version", "npm:a b", "https://a.test", "cargo:a", "list.json"] {
        assert_eq!(command(word), None, "{word}");
    }
}

#[test]
fn no_place_shows_a_value() {
    let secrets = ["sk-Zq8vN3mK1pT7wX5yR2bL", "hunter2", "p4ss", "Tr0ub4dor3x9", "9f8e7d6c5b4a3928", "q1"];
    let text = r#"{ "mcpServers": {
        "a": { "command": "a", "args": ["--password", "hunter2", "--key=p4ss", "sk-Zq8vN3mK1pT7wX5yR2bL"],
               "env": { "A": "q1", "B": "Tr0ub4dor3x9" } },
        "b": { "url": "https://a.test/?token=9f8e7d6c5b4a3928", "headers": { "X": "q1", "Y_TOKEN": "${T:-hunter2}" } },
        "c": { "command": "a", "args": ["${TOKEN:-p4ss}", "--password", "${T:-hunter2}", "--key=${T:-p4ss}"] } } }"#;
    let file = read_with(".mcp.json", text, &[]);
    let broken = read_with(".mcp.json", &text.replace("} } }", "} } "), &[]);
    assert!(broken.broken.is_some());
    for file in [file, broken] {
        for at in (0..file.text.len()).filter(|at| file.text.is_char_boundary(*at)) {
            let place = file.place(&(at..at + 9));
            for secret in secrets {
                assert!(!place.shown.concat().contains(secret), "{secret}: {:?}", place.shown);
            }
        }
        let told = format!("{:?}", file.entries);
        for secret in secrets {
            assert!(!told.contains(secret), "{secret} in {told}");
        }
    }
}

#[test]
fn what_a_variable_brings_is_no_literal_credential() {
    let text = r#"{ "mcpServers": { "a": { "command": "a", "args": ["--key", "${K}", "--token=${K}", "https://a.test/?key=${K}"],
                    "env": { "A_KEY": "${K}", "DB": "postgres://a:${K}@db.test" } }, "b": { "type": "http", "url": "https://a.test/?key=${K}" } } }"#;
    let file = read_with(".mcp.json", text, &[("K", "Zq8vN3mK1pT7wX5yR2bL")]);
    assert!(file.entries.iter().all(|entry| entry.secrets.is_empty() && entry.reach.is_ok()));
}

#[test]
fn a_default_that_is_a_secret_is_not_told() {
    let text = r#"{ "mcpServers": { "a": { "command": "a", "args": ["${T:-x9}", "${TOKEN:-p4ss}", "${U:-Zq8vN3mK1pT7wX5yR2bL}"] } } }"#;
    let told = |file: &File| -> Vec<String> { file.entries[0].uses.iter().map(|used| used.text.clone()).collect() };
    let shown = ["${T:-x9}", "${TOKEN:-***}", "${U:-***}"];
    let own = read_with(".mcp.json", text, &[]);
    assert_eq!(told(&own), shown);
    assert_eq!(reached(&own.entries[0]), "a x9 p4ss Zq8vN3mK1pT7wX5yR2bL []");
    let foreign = read_with(".cursor/mcp.json", text, &[]);
    assert_eq!(told(&foreign), shown);
    assert!(!format!("{:?}{:?}", foreign.entries, own.entries).contains("p4ss"));
}

#[test]
fn places_are_lines_and_columns_from_one() {
    let text = "{\r\n  \"mcpServers\": {\r\n    \"ä\": { \"command\": \"${A}\" }\r\n  }\r\n}";
    let file = read_with(".mcp.json", text, &[]);
    let place = file.place(&file.entries[0].uses[0].at);
    assert_eq!((place.line, place.column), (3, 24));
    assert_eq!(place.shown, ["  \"mcpServers\": {", "    \"ä\": { \"command\": \"${A}\" }", "  }"]);
    assert_eq!((place.first_line, place.label), (2, 23..27));
    // Escapes move what stands behind them: then the whole value is the place.
    let file = read_with(".mcp.json", r#"{ "mcpServers": { "a": { "command": "\u0061${A}" } } }"#, &[]);
    assert_eq!(&file.text[file.entries[0].uses[0].at.clone()], r#""\u0061${A}""#);
}

proptest! {
    #[test]
    fn never_panics(text in any::<String>(), at in any::<usize>(), end in any::<usize>()) {
        for path in [".mcp.json", ".vscode/mcp.json", ".codex/config.toml"] {
            if let Some(file) = read(path, &text, &Lookup::default()) {
                file.place(&(at % (text.len() + 1)..end));
            }
        }
    }

    #[test]
    fn any_server_is_read(command in any::<String>(), value in any::<String>(), broken in any::<bool>()) {
        let entry = serde_json::json!({ "command": command, "args": [value], "env": { "A_TOKEN": value }, "url": value });
        let mut text = serde_json::json!({ "mcpServers": { "a": entry } }).to_string();
        if broken {
            text.pop();
        }
        let file = read(".mcp.json", &text, &Lookup::default()).unwrap();
        for entry in &file.entries {
            file.place(&entry.at);
        }
    }
}
