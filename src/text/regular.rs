//! Files whose path somebody else wrote.

use std::fs::{self, File};
use std::io::{Error, Read as _, Result};
use std::path::Path;

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
///
/// What reading it says. What is no regular file is refused: a pipe or a device may never end, or never begin. So is what
/// is larger, whatever size the file system tells.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(Error::other("no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::other(format!("larger than {} MiB", most / 1024 / 1024)));
    }
    Ok(bytes)
}

/// The text of such a file.
///
/// # Errors
///
/// As [`read`], and the place where it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|error| Error::other(format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to())))
}
