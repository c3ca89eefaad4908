//! The server as a process of its own, so that it can be killed and started again over the same battles.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The first battle's seed, unless `GROGNARD_E2E_SEED` names another: with the same dice a story goes the same way.
const SEED: &str = "1870";

/// A running server.
pub struct Server {
    program: PathBuf,
    folder: PathBuf,
    child: Child,
    /// Where it listens.
    pub port: u16,
}

impl Server {
    /// Starts the program on a free port, with its battles and its log in a folder.
    pub fn start(program: &Path, folder: &Path) -> Result<Server> {
        let page = shell::root().join("crates/server/page/index.html");
        if !page.exists() {
            bail!("the page is not built: run `cargo xtask ui` first");
        }
        let (child, port) = spawn(program, folder, 0)?;
        Ok(Server { program: program.to_owned(), folder: folder.to_owned(), child, port })
    }

    /// Ends it at once, as a power cut would: it has no time to do anything.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Starts it again over the same battles on the same port.
    pub fn restart(&mut self) -> Result<()> {
        (self.child, self.port) = spawn(&self.program, &self.folder, self.port)?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = (self.child.kill(), self.child.wait());
    }
}

/// Starts the program and waits for the line that says where it is.
fn spawn(program: &Path, folder: &Path, port: u16) -> Result<(Child, u16)> {
    let log = std::fs::File::options().create(true).append(true).open(folder.join("server.log"))?;
    let mut child = Command::new(program)
        .arg(folder.join("battles"))
        .arg(port.to_string())
        .arg(std::env::var("GROGNARD_E2E_SEED").unwrap_or_else(|_| SEED.to_owned()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .with_context(|| format!("{} does not start", program.display()))?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    match line.trim().parse() {
        Ok(port) => Ok((child, port)),
        Err(_) => {
            let _ = (child.kill(), child.wait());
            bail!("the server does not open; see {}", folder.join("server.log").display())
        }
    }
}
