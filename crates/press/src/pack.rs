//! Lays the page's files into the server's folder, each text and program also packed.

use anyhow::{Context, Result};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;

/// What browsers gain from having packed. Pictures and fonts are packed already.
const PACKED: &[&str] = &[".wasm", ".js", ".css", ".html", ".svg", ".json", ".webmanifest"];

/// Writes the files and their packed twins, takes away what is no longer part of the page, and tells the sizes.
pub fn lay(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", shell::shown(folder)))?;
    println!("    {:<24} {:>10} {:>10}", shell::shown(folder), "bytes", "gzip");
    let mut kept = vec![".gitignore".to_owned()];
    for (name, bytes) in files {
        let fresh = write_changed(&folder.join(name), bytes)?;
        kept.push(name.clone());
        let mut size = "-".to_owned();
        if PACKED.iter().any(|ending| name.ends_with(ending)) {
            let twin = format!("{name}.gz");
            size = pack(&folder.join(&twin), bytes, fresh)?.to_string();
            kept.push(twin);
        }
        println!("    {name:<24} {:>10} {size:>10}", bytes.len());
    }
    sweep(folder, &kept)
}

/// Writes a file unless it says so already; tells whether it had to.
fn write_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", shell::shown(path)))?;
    Ok(true)
}

/// Packs anew where the original is fresh or the packed twin is missing; tells the packed size.
fn pack(path: &Path, bytes: &[u8], fresh: bool) -> Result<u64> {
    if fresh || !path.exists() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes)?;
        write_changed(path, &encoder.finish()?)?;
    }
    Ok(std::fs::metadata(path)?.len())
}

/// Files of an earlier page would be served for ever.
fn sweep(folder: &Path, kept: &[String]) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && !kept.contains(&name) {
            std::fs::remove_file(entry.path()).with_context(|| format!("cannot remove {name}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod checks {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_page_is_laid_packed_and_swept() {
        let folder = std::env::temp_dir().join(format!("grognard-press-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("old.js"), "of an earlier page").unwrap();
        std::fs::write(folder.join(".gitignore"), "*").unwrap();
        let text = b"body { color: black }".repeat(50);
        lay(&folder, &[("style.css".to_owned(), text.clone()), ("drum.png".to_owned(), vec![1, 2, 3])]).unwrap();
        assert!(!folder.join("old.js").exists());
        assert!(folder.join(".gitignore").exists());
        assert!(!folder.join("drum.png.gz").exists());
        let packed = std::fs::read(folder.join("style.css.gz")).unwrap();
        assert!(packed.len() < text.len() / 4);
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut back).unwrap();
        assert_eq!(back, text);
        assert!(!write_changed(&folder.join("style.css"), &text).unwrap());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
