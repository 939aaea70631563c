//! What a config file is read with: the environment, values of inputs, the system, and files that entries name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{MOST_BYTES, vars};
use crate::input::private::PREFIX;
use crate::text::regular;

/// What variables and paths are resolved with.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// Values of inputs by id, as `--input` gives them.
    pub inputs: BTreeMap<String, String>,
    /// The system that the host runs on.
    pub platform: Platform,
    /// The project's folder; told from the file's place when none.
    pub folder: Option<PathBuf>,
    /// The user's home.
    pub home: PathBuf,
    /// The text of a file that an entry names; none when it cannot be read.
    pub files: fn(&Path) -> Option<String>,
}

/// The systems that hosts run on, as far as they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl Platform {
    /// The system that this program was built for.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Macos
    } else {
        Self::Linux
    };

    /// The platform of this name, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "linux" => Some(Self::Linux),
            "macos" | "darwin" => Some(Self::Macos),
            "windows" | "win32" => Some(Self::Windows),
            _ => None,
        }
    }

    pub(super) fn separator(self) -> &'static str {
        if self == Self::Windows { "\\" } else { "/" }
    }

    /// The name in a bundle's `platform_overrides`.
    pub(super) fn in_bundle(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Macos => "darwin",
            Self::Windows => "win32",
        }
    }
}

impl Default for Platform {
    fn default() -> Self {
        Self::HERE
    }
}

impl Default for Lookup {
    /// Knows nothing, and takes every file that an entry names for present and empty: what judges files alone needs.
    fn default() -> Self {
        Self {
            env: BTreeMap::new(),
            inputs: BTreeMap::new(),
            platform: Platform::HERE,
            folder: None,
            home: PathBuf::new(),
            files: |_| Some(String::new()),
        }
    }
}

impl Lookup {
    /// The environment of this process, and files as they are.
    pub fn of_this_machine() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self {
            // What our own command line hid there is no file's to ask for.
            env: std::env::vars_os().filter_map(text).filter(|(name, _)| !name.starts_with(PREFIX)).collect(),
            home: std::env::home_dir().unwrap_or_default(),
            files: |path| Some(String::from_utf8_lossy(&regular::read(path, MOST_BYTES).ok()?).into_owned()),
            ..Self::default()
        }
    }

    /// The value of a variable. Windows does not tell letters by case in their names.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let exact = self.env.get(name);
        let any_case = || {
            let windows = self.platform == Platform::Windows;
            self.env.iter().find(|(known, _)| windows && known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        exact.or_else(any_case).map(String::as_str)
    }

    /// The value of an input: as given, or `MCP_INPUT_<ID>` of the environment.
    pub(super) fn input(&self, id: &str) -> Option<String> {
        let given = self.inputs.get(id).map(String::as_str);
        given.or_else(|| self.variable(&format!("MCP_INPUT_{}", vars::input_variable(id)))).map(str::to_owned)
    }
}
