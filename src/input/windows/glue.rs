//! What only Windows can compile: the pure functions beside this file, put to use.
//!
//! **This file has never been compiled**: there was no Windows where it was written, and no compiler for it. It is kept
//! as short as it can be for that reason; everything that could be a function of texts is one, and tested.

use std::ffi::OsString;
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};

use win32job::{ExtendedLimitInfo, Job};

use super::{Search, is_script, script_line};
use crate::input::live::Launch;

/// The command of a launch: its program found by `PATH` and `PATHEXT`, a script run through `cmd.exe`.
///
/// # Errors
///
/// `NotFound` when no such program is there, `InvalidInput` when a script's arguments cannot be quoted.
pub fn command(launch: &Launch) -> io::Result<Command> {
    let (word, args) = launch.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let named = launch.program.as_ref().and_then(|path| path.to_str()).unwrap_or(word);
    let variable = |name: &str| {
        // The server's own variables come first, and names are told apart without case.
        let own = launch.env.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone());
        own.or_else(|| std::env::var(name).ok())
    };
    let (path, extensions) = (variable("PATH").unwrap_or_default(), variable("PATHEXT"));
    let search = Search { path: &path, extensions: extensions.as_deref() };
    let file = search.resolve(named, |path| Path::new(path).is_file()).ok_or(io::ErrorKind::NotFound)?;
    let mut command = if is_script(&file) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let line = script_line(&file, &args).map_err(|told| io::Error::new(io::ErrorKind::InvalidInput, told))?;
        let shell = std::env::var_os("ComSpec").unwrap_or_else(|| OsString::from("cmd.exe"));
        let mut command = Command::new(shell);
        command.raw_arg(line);
        command
    } else {
        let mut command = Command::new(file);
        command.args(args);
        command
    };
    command.envs(&launch.env);
    if let Some(folder) = &launch.cwd {
        command.current_dir(folder);
    }
    Ok(command)
}

/// A process and all that it starts: they end when this is dropped. A child that the process starts before it is taken
/// in escapes, as nothing in the standard library starts a process suspended.
pub struct Group {
    _job: Job,
}

impl Group {
    /// Takes in a process that was just started.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of(child: &Child) -> io::Result<Self> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        job.assign_process(child.as_raw_handle() as isize).map_err(io::Error::other)?;
        Ok(Self { _job: job })
    }
}
