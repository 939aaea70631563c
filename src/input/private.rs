//! Values that the user typed into our own command line and that must not stay there: every user of the machine can
//! read it in the list of processes.
//!
//! Apart from the command line that moves them into our environment, because a started server inherits that
//! environment, and these must be taken out of it.

use std::ffi::OsString;

/// How the names of the variables begin that hold such values.
pub const PREFIX: &str = "TOOLSURFACE_PRIVATE_";

/// The names of those that are set, none of which a server may inherit.
pub fn names() -> impl Iterator<Item = OsString> {
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}
