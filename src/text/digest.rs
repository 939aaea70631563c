//! Short, stable digests that other programs can recompute.

use sha2::{Digest as _, Sha256};

/// The SHA-256 of `bytes` in lower-case hex, 64 digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first 16 hex digits of [`sha256`] over `parts`, each closed by a zero byte so that parts cannot run together.
pub fn short(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(part);
        text.push('\0');
    }
    sha256(text.as_bytes()).chars().take(16).collect()
}
