//! Counts the o200k_base tokens of a file's `.result`, or of the whole file, as compact JSON. Nothing else.

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: bpe-openai-count FILE")?;
    let document: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let text = serde_json::to_string(document.get("result").unwrap_or(&document))?;
    println!("{}", bpe_openai::o200k_base().count(&text));
    Ok(())
}
