//! From the arguments to targets: what each is, how it is reached, and which settings hold for it.

use std::collections::{BTreeMap, BTreeSet};

use super::args::TargetArgs;
use super::private;
use crate::error::Trouble;
use crate::input::headers::{self, Wanted};
use crate::input::hosts::{File, Platform};
use crate::input::target::{Configs, Place, Target};
use crate::input::{self, calls, remote};
use crate::policy::{Config, Entry};
use crate::text::safe;

/// Walks through the list in one session that show whether it is stable.
const STABLE_WALKS: usize = 3;
/// Sessions that show it.
const STABLE_STARTS: usize = 2;

/// A target, what the settings say of it, and how it is gathered.
pub(super) struct Chosen {
    pub(super) target: Target,
    pub(super) entry: Option<Entry>,
    pub(super) options: input::Options,
}

impl Chosen {
    /// Whether an empty list is fine.
    pub(super) fn allows_empty(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.allow_empty)
    }
}

/// How config files of hosts among the targets are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Files {
    /// Whether they are judged as files.
    pub(super) judged: bool,
    /// Whether their servers are targets.
    pub(super) entered: bool,
    /// The system that their hosts run on.
    pub(super) platform: Platform,
}

/// The targets that the arguments name, or the default of the settings; each has a name of its own.
pub(super) fn all(words: &[String], reach: &TargetArgs, config: &Config, files: Files) -> Result<Vec<Chosen>, Trouble> {
    let wanted = Reach::of(reach)?;
    let (mut found, asked) = named(words, &wanted, config, files)?;
    let wanted = wanted.without(&asked);
    wanted.fitting(&found)?;
    let mut chosen = Vec::new();
    for (target, entry) in &mut found {
        wanted.apply(target, entry.as_ref())?;
        target.words.splice(0..0, options_again(reach, target));
        own_program(target);
        let options = gathering(reach, config, entry.as_ref())?;
        chosen.push(Chosen { target: target.clone(), entry: entry.clone(), options });
    }
    tell_apart(&mut chosen);
    Ok(chosen)
}

/// The only target that the arguments name.
pub(super) fn one(word: Option<&str>, reach: &TargetArgs, config: &Config) -> Result<Chosen, Trouble> {
    let words: Vec<String> = word.map(str::to_owned).into_iter().collect();
    let files = Files { judged: false, entered: true, platform: Platform::HERE };
    let mut chosen = all(&words, reach, config, files)?;
    match (chosen.pop(), chosen.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => {
            let names: Vec<String> = chosen.iter().chain(&last).map(|one| safe::quoted(&one.target.name)).collect();
            let help = format!("there is: {}", names.join(", "));
            Err(Trouble::usage("this command takes one server; name it with `--server`", help))
        }
    }
}

type Found = (Target, Option<Entry>);

/// Names of variables that config files use and the environment has not.
type Asked = BTreeSet<String>;

fn named(words: &[String], wanted: &Reach<'_>, config: &Config, files: Files) -> Result<(Vec<Found>, Asked), Trouble> {
    match (words, wanted.args.command.as_slice()) {
        ([word, ..], [_, ..]) => {
            let word = if word.contains("://") { remote::shown(word) } else { word.clone() };
            Err(Trouble::usage(
                format!("both {} and a command after `--`", safe::quoted(&word)),
                "name files, addresses and names from toolsurface.toml, or `-- command args`",
            ))
        }
        ([], [_, ..]) => entered(vec![(Target::command(wanted.args.command.clone())?, None)], wanted, files),
        ([], []) => {
            let entry = config.default_target().ok_or_else(no_target)?;
            entered(vec![(entry.target.clone(), Some(entry.clone()))], wanted, files)
        }
        (words, []) => {
            if words.iter().filter(|word| *word == "-").count() > 1 {
                return Err(Trouble::usage("`-` stands there twice", "standard input can be read once only"));
            }
            let found: Result<Vec<Found>, Trouble> = words.iter().map(|word| by_word(word, config)).collect();
            entered(found?, wanted, files)
        }
    }
}

/// The targets with config files of hosts replaced by what they bring: the files themselves, judged together, and the
/// servers that their hosts start.
fn entered(found: Vec<Found>, wanted: &Reach<'_>, files: Files) -> Result<(Vec<Found>, Asked), Trouble> {
    let args = wanted.args;
    let (configs, others): (Vec<Found>, Vec<Found>) = found.into_iter().partition(|(target, _)| target.is_config());
    if configs.is_empty() {
        for (option, given) in [
            ("--server", !args.server.is_empty()),
            ("--input", !args.input.is_empty()),
            ("--config-only", !files.entered),
        ] {
            if given {
                let problem = format!("`{option}` is for config files of hosts, and no target is one");
                return Err(Trouble::usage(problem, "leave it out"));
            }
        }
        return Ok((others, Asked::new()));
    }
    let inputs = args.input.iter().map(|word| pair(&private::value(word), "--input", "ID=VALUE"));
    let given = Configs {
        inputs: inputs.collect::<Result<_, _>>()?,
        env: wanted.env.iter().cloned().collect(),
        only: args.server.clone(),
        platform: files.platform,
        paths: Vec::new(),
    };
    // All are judged together; the settings of the first hold for that.
    let settings = configs.first().and_then(|(_, entry)| entry.clone());
    let (mut paths, mut words, mut servers, mut read) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (target, entry) in configs {
        let Place::Config(one) = target.place else { continue };
        paths.extend(one.paths.iter().cloned());
        let own = Configs { paths: one.paths, ..given.clone() }.reached()?;
        // Under the root of another host its own finds none.
        let found = own.iter().filter(|file| files.entered && file.wrong_root.is_none());
        let started = found.flat_map(File::enabled);
        servers.extend(started.map(|(_, server)| (Target::entry(server, &target.words), entry.clone())));
        words.extend(target.words);
        read.extend(own);
    }
    known_servers(&args.server, &read, &servers, files)?;
    known_inputs(&given.inputs, &read)?;
    servers.retain(|(target, _)| args.server.is_empty() || args.server.contains(&target.name));
    let mut found = Vec::new();
    if files.judged {
        let place = Place::Config(Configs { paths, ..given });
        found.push((
            Target { name: words.join(", "), place, words, version: None, id: None, profile_of: None },
            settings,
        ));
    }
    found.extend(servers);
    found.extend(others);
    let uses = read.iter().flat_map(|file| &file.entries).flat_map(|entry| &entry.uses);
    let given = uses.filter(|used| used.is_of_environment() && std::env::var_os(&used.name).is_none());
    Ok((found, given.map(|used| used.name.clone()).collect()))
}

/// Refuses the name of a server that no file has, or that no host starts.
fn known_servers(names: &[String], read: &[File], started: &[Found], files: Files) -> Result<(), Trouble> {
    for name in names {
        let quoted = safe::quoted(name);
        let mut all = read.iter().flat_map(|file| &file.entries);
        let is_there = all.any(|entry| entry.name == *name);
        if is_there && (!files.entered || started.iter().any(|(target, _)| target.name == *name)) {
            continue;
        }
        if is_there {
            let help = "judge its entry with `--config-only`, or switch it on";
            return Err(Trouble::usage(format!("the server {quoted} is switched off"), help));
        }
        let known: Vec<String> =
            read.iter().flat_map(|file| &file.entries).map(|entry| safe::quoted(&entry.name)).collect();
        let help =
            if known.is_empty() { "there is none".to_owned() } else { format!("there is: {}", known.join(", ")) };
        return Err(Trouble::usage(format!("no server {quoted}"), help));
    }
    Ok(())
}

/// Refuses the value of an input that no file asks for.
fn known_inputs(inputs: &BTreeMap<String, String>, read: &[File]) -> Result<(), Trouble> {
    let known: BTreeSet<&str> = read.iter().flat_map(|file| &file.inputs).map(String::as_str).collect();
    match inputs.keys().find(|id| !known.contains(id.as_str())) {
        None => Ok(()),
        Some(id) => {
            let known: Vec<String> = known.into_iter().map(safe::quoted).collect();
            let help = if known.is_empty() {
                "they ask for none".to_owned()
            } else {
                format!("there is: {}", known.join(", "))
            };
            Err(Trouble::usage(format!("no config file asks for an input {}", safe::quoted(id)), help))
        }
    }
}

fn by_word(word: &str, config: &Config) -> Result<Found, Trouble> {
    match config.targets.get(word) {
        Some(entry) => Ok((entry.target.clone(), Some(entry.clone()))),
        None => Ok((Target::from_words(&[word.to_owned()])?, None)),
    }
}

pub(super) fn no_target() -> Trouble {
    Trouble::usage(
        "no target: none was named, and no toolsurface.toml above this folder has a default",
        "name one:\n  toolsurface audit -- npx -y @modelcontextprotocol/server-everything\n  toolsurface audit \
         list.json\n  toolsurface audit -- toolsurface demo",
    )
}

/// What the arguments say of reaching any target.
struct Reach<'a> {
    args: &'a TargetArgs,
    headers: Wanted,
    env: Vec<(String, String)>,
}

impl<'a> Reach<'a> {
    fn of(args: &'a TargetArgs) -> Result<Self, Trouble> {
        let mut headers = Wanted { bearer: args.bearer_env.clone(), ..Wanted::default() };
        for word in &args.header {
            let text = private::value(word);
            let (name, value) = text.split_once(':').ok_or_else(|| wrong("--header", "'Name: value'"))?;
            headers.given.push(headers::checked(name.trim(), value).map_err(told("--header"))?);
        }
        for word in &args.header_env {
            let (name, variable) = pair(word, "--header-env", "Name=VARIABLE")?;
            headers::checked(&name, "").map_err(told("--header-env"))?;
            headers.from_env.push((name, variable));
        }
        let names =
            headers.given.iter().map(|header| &header.name).chain(headers.from_env.iter().map(|(name, _)| name));
        if headers.bearer.is_some() && names.into_iter().any(|name| name.eq_ignore_ascii_case("authorization")) {
            let help = "give the token in one way";
            return Err(Trouble::usage("`--bearer-env` and another `Authorization` header exclude each other", help));
        }
        let env = args.env.iter().map(|word| pair(&private::value(word), "--env", "NAME=value"));
        Ok(Self { args, headers, env: env.collect::<Result<_, _>>()? })
    }

    /// The same without variables whose values came into config files: what uses them has them already.
    fn without(mut self, asked: &Asked) -> Self {
        self.env.retain(|(name, _)| !asked.contains(name));
        self
    }

    /// Refuses options that no target has a use for, since an option without effect would be believed to have one; and
    /// what may be secret or does something where it would reach several servers: it is meant for one of them.
    fn fitting(&self, found: &[Found]) -> Result<(), Trouble> {
        let args = self.args;
        let count = |is: fn(&Target) -> bool| found.iter().filter(|(target, _)| is(target)).count();
        let http = (count(|target| matches!(target.place, Place::Http(_))), "an address");
        let stdio = (count(|target| matches!(target.place, Place::Stdio(_))), "a server that is started");
        let live = (count(Target::is_live), "a live server");
        for (option, given, (fits, what)) in [
            ("--header", !args.header.is_empty(), http),
            ("--header-env", !args.header_env.is_empty(), http),
            ("--bearer-env", args.bearer_env.is_some(), http),
            ("--transport", args.transport.is_some(), http),
            ("--env", !self.env.is_empty(), stdio),
            ("--repeat", args.repeat.is_some(), live),
            ("--stability", args.stability, live),
            ("--watch", args.watch.is_some(), live),
            ("--probe", args.probe, live),
            ("--calls", args.calls.is_some(), live),
        ] {
            if given && fits == 0 {
                return Err(Trouble::usage(format!("`{option}` is for {what}, and no target is one"), left_out(found)));
            }
            let is_for_one = ["--header", "--header-env", "--bearer-env", "--env", "--calls"].contains(&option);
            if given && is_for_one && fits > 1 {
                let help = "name one target, or one server of a config file with `--server`";
                return Err(Trouble::usage(format!("`{option}` would reach {fits} servers"), help));
            }
        }
        Ok(())
    }

    fn apply(&self, target: &mut Target, entry: Option<&Entry>) -> Result<(), Trouble> {
        match &mut target.place {
            Place::Http(remote) => {
                let headers = self.headers.resolve()?;
                let settled = entry.map_or_else(|| Ok(Vec::new()), |entry| entry.headers.resolve())?;
                // The command line goes before the settings, and those before a config file.
                for given in [settled, headers] {
                    let is_replaced = |name: &str| given.iter().any(|new| new.name.eq_ignore_ascii_case(name));
                    remote.headers.retain(|known| !is_replaced(&known.name));
                    remote.headers.extend(given);
                }
                remote.shape = self.args.transport.unwrap_or(remote.shape);
            }
            Place::Stdio(launch) => launch.env.extend(self.env.iter().cloned()),
            Place::File(_) | Place::Stdin | Place::Config(_) | Place::Blocked(_) => {}
        }
        Ok(())
    }
}

/// The options that must be given again to see the same, without what may be secret: a header becomes a variable to
/// be set, other values are left open.
fn options_again(reach: &TargetArgs, target: &Target) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    if target.is_live() {
        reach.era.iter().for_each(|era| add("--era", era.as_str()));
    }
    if matches!(target.place, Place::Http(_)) {
        reach.transport.iter().for_each(|shape| add("--transport", shape.as_str()));
        reach.bearer_env.iter().for_each(|variable| add("--bearer-env", variable));
        reach.header_env.iter().for_each(|word| add("--header-env", word));
        for name in reach
            .header
            .iter()
            .map(|word| private::value(word))
            .filter_map(|text| Some(text.split_once(':')?.0.trim().to_owned()))
        {
            add("--header-env", &format!("{name}={}", name.to_uppercase().replace('-', "_")));
        }
    }
    let is_entry = target.is_live() && target.words.iter().any(|word| word == "--server");
    let is_started = matches!(target.place, Place::Stdio(_));
    for (option, given, fits) in [("--env", &reach.env, is_started || is_entry), ("--input", &reach.input, is_entry)] {
        let names =
            given.iter().map(|word| private::value(word)).filter_map(|text| Some(text.split_once('=')?.0.to_owned()));
        names.filter(|_| fits).for_each(|name| add(option, &format!("{name}=…")));
    }
    words
}

/// What to do about an option that nothing has a use for: a server could have one that is not contacted.
fn left_out(found: &[Found]) -> String {
    let why = found.iter().find_map(|(target, _)| match &target.place {
        Place::Blocked(why) => Some(format!("{} is not contacted: {why}", safe::quoted(&target.name))),
        _ => None,
    });
    why.unwrap_or_else(|| "leave it out".to_owned())
}

/// `name=value`. What is wrong is said without the value.
fn pair(word: &str, option: &str, form: &str) -> Result<(String, String), Trouble> {
    match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(wrong(option, form)),
    }
}

fn wrong(option: &str, form: &str) -> Trouble {
    Trouble::usage(format!("`{option}` is not given as `{form}`"), "quote it for the shell")
}

fn told(option: &str) -> impl Fn(String) -> Trouble {
    move |problem| Trouble::usage(format!("`{option}`: {problem}"), "check what the shell made of it")
}

/// `toolsurface` as the first word of a command means this very program, which need not be on PATH.
fn own_program(target: &mut Target) {
    let Place::Stdio(launch) = &mut target.place else { return };
    if launch.command.first().is_some_and(|first| first == env!("CARGO_PKG_NAME")) {
        launch.program = std::env::current_exe().ok();
    }
}

/// The options for gathering, from arguments, then settings.
fn gathering(args: &TargetArgs, config: &Config, entry: Option<&Entry>) -> Result<input::Options, Trouble> {
    let mut options = input::Options { revision: args.spec, ..input::Options::default() };
    let live = &mut options.live;
    live.era = args.era.or_else(|| entry.and_then(|entry| entry.era)).unwrap_or_default();
    live.start = args.start_timeout.or_else(|| config.limits.start());
    live.probe_time = args.probe_timeout.or_else(|| config.limits.probe()).unwrap_or(live.probe_time);
    live.request = args.request_timeout.or_else(|| config.limits.request()).unwrap_or(live.request);
    live.repeat = args.repeat.map_or(1, usize::from);
    if args.stability {
        live.repeat = live.repeat.max(STABLE_WALKS);
        live.starts = STABLE_STARTS;
    }
    live.watch = args.watch;
    live.probe = args.probe;
    live.calls = args.calls.as_deref().map_or_else(|| Ok(Vec::new()), calls::read)?;
    Ok(options)
}

/// Gives each target a name of its own: files of one name are called by their paths, and what is still the same is
/// numbered.
fn tell_apart(chosen: &mut [Chosen]) {
    let names = |chosen: &[Chosen]| chosen.iter().map(|one| one.target.name.clone()).collect::<Vec<_>>();
    let before = names(chosen);
    for one in &mut *chosen {
        let is_shared = before.iter().filter(|name| **name == one.target.name).count() > 1;
        if let Some(path) = one.target.file().filter(|_| is_shared) {
            one.target.name = path;
        }
    }
    let before = names(chosen);
    for (n, one) in chosen.iter_mut().enumerate() {
        let earlier = before.iter().take(n).filter(|name| **name == one.target.name).count();
        if earlier > 0 {
            one.target.name = format!("{} ({})", one.target.name, earlier + 1);
        }
    }
}
