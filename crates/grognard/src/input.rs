//! Files and what they are. Nothing is read beyond the largest size its format allows.

use anyhow::{Context, Result, bail};
use engine::replay::ReplayFile;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A TOML file: set-up, house rules or case.
pub fn toml(path: &Path) -> Result<String> {
    bounded(path, engine::sheet::MOST_BYTES)
}

/// A replay, read and understood; its faults name their lines.
pub fn replay(path: &Path) -> Result<ReplayFile> {
    let text = bounded(path, engine::replay::MOST_BYTES)?;
    ReplayFile::parse(&text).with_context(|| format!("{} is not a replay", path.display()))
}

/// Any file as text, refused if it is longer than `most` bytes; `-` is the standard input.
pub fn bounded(path: &Path, most: usize) -> Result<String> {
    let bytes = bytes(path, most).with_context(|| format!("cannot read {}", path.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            bail!("cannot read {}: it is not text (byte {} is not UTF-8)", path.display(), at + 1)
        }
    }
}

fn bytes(path: &Path, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        let facts = file.metadata()?;
        if facts.is_dir() {
            bail!("it is a folder");
        }
        if facts.len() > most as u64 {
            bail!("it is longer than {most} bytes");
        }
        file.take(limit).read_to_end(&mut bytes)?;
    }
    if bytes.len() > most {
        bail!("it is longer than {most} bytes");
    }
    Ok(bytes)
}

/// A set-up with the name it goes by.
pub struct Setup {
    /// A scenario's id, or the file's name.
    pub name: String,
    pub text: String,
}

/// A scenario by its id, or a set-up file by its path.
pub fn setup(word: &str) -> Result<Setup> {
    if let Some(scenario) = rules::scenario(word) {
        return Ok(Setup { name: scenario.id.to_owned(), text: scenario.text.to_owned() });
    }
    let path = Path::new(word);
    if !path.exists() && word != "-" {
        let ids: Vec<&str> = rules::SCENARIOS.iter().map(|scenario| scenario.id).collect();
        bail!("there is neither a scenario nor a file called `{word}`; scenarios: {}", ids.join(", "));
    }
    Ok(Setup { name: word.to_owned(), text: toml(path)? })
}

/// A house-rule file, where one is named.
pub fn house(path: Option<&Path>) -> Result<Option<String>> {
    path.map(toml).transpose()
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    if path.exists() && !path.is_file() {
        // A pipe or a terminal is written to, never replaced.
        return std::fs::write(path, text).with_context(context);
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".part");
    std::fs::write(&fresh, text).with_context(context)?;
    std::fs::rename(&fresh, path).with_context(context)
}
