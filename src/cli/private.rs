//! Takes out of our command line what nobody may read there.
//!
//! Every user of the machine sees the command lines of all processes, but only we see our own environment. So, before
//! anything else, the program runs itself again with such values in variables, and their names in the arguments.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::error::Trouble;
use crate::input::private::PREFIX;

/// The options whose values may be secret.
const OPTIONS: [&str; 3] = ["--env", "--header", "--input"];

/// Runs the program again if its arguments hold such values; comes back if they do not.
///
/// # Errors
///
/// [`Trouble::Io`] when it cannot be run again.
pub(super) fn hide(arguments: &[OsString]) -> Result<(), Trouble> {
    let (shown, values) = moved(arguments);
    if values.is_empty() {
        return Ok(());
    }
    let told = |cause| Trouble::io("toolsurface", cause, "give secrets by `--header-env` or `--bearer-env`");
    let (name, rest) = shown.split_first().map_or((OsStr::new(""), &[][..]), |(name, rest)| (name.as_os_str(), rest));
    let mut command = Command::new(std::env::current_exe().map_err(told)?);
    Err(told(command.arg0(name).args(rest).envs(values).exec()))
}

/// What was typed for an option that may have been hidden.
pub(super) fn value(word: &str) -> String {
    let hidden = word.starts_with(PREFIX).then(|| std::env::var(word).ok()).flatten();
    hidden.unwrap_or_else(|| word.to_owned())
}

/// The arguments with names of variables in place of values, and the variables.
fn moved(arguments: &[OsString]) -> (Vec<OsString>, Vec<(String, OsString)>) {
    let mut values: Vec<(String, OsString)> = Vec::new();
    let mut hidden = |value: &OsStr| {
        if is_name(value) {
            return value.to_owned();
        }
        let name = format!("{PREFIX}{}", values.len());
        values.push((name.clone(), value.to_owned()));
        OsString::from(name)
    };
    let mut shown = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" {
            // What follows is the command of a server, which is not ours to change.
            shown.push(word.clone());
            shown.extend(words.cloned());
            break;
        }
        let joined = text.split_once('=').filter(|(option, _)| OPTIONS.contains(option));
        if let Some((option, value)) = joined {
            let mut word = OsString::from(format!("{option}="));
            word.push(hidden(OsStr::new(value)));
            shown.push(word);
        } else {
            shown.push(word.clone());
            let value = OPTIONS.contains(&text).then(|| words.next()).flatten();
            shown.extend(value.map(|value| hidden(value)));
        }
    }
    (shown, values)
}

/// Whether a value is the name of a hidden one.
fn is_name(value: &OsStr) -> bool {
    let name = value.to_str().filter(|name| name.starts_with(PREFIX));
    name.is_some_and(|name| std::env::var_os(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_move_and_a_servers_command_stays() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (shown, values) =
            moved(&words("toolsurface audit --header A:1 --env=K=2 --input --format json x -- sh --header B:3"));
        let expected = "toolsurface audit --header TOOLSURFACE_PRIVATE_0 --env=TOOLSURFACE_PRIVATE_1 --input \
                        TOOLSURFACE_PRIVATE_2 json x -- sh --header B:3";
        assert_eq!(shown, words(expected));
        let values: Vec<_> = values.iter().map(|(_, value)| value.to_str().unwrap()).collect();
        assert_eq!(values, ["A:1", "K=2", "--format"]);
        assert_eq!(moved(&words("toolsurface audit --header-env A=B x")).1, []);
    }
}
