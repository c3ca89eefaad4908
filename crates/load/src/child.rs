//! The server as a child process: the real binary, on loopback, over a folder of its own.

use anyhow::{Context, Result, bail};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// How long a server may take to open.
const OPENING: Duration = Duration::from_secs(30);

/// A running server.
pub struct House {
    program: PathBuf,
    data: PathBuf,
    log: PathBuf,
    /// Where it listens, the same after every restart.
    pub at: SocketAddr,
    child: Child,
}

impl House {
    /// Starts a server over a folder. Its log goes to `server.log` in the folder.
    pub async fn open(program: &Path, data: &Path) -> Result<House> {
        std::fs::create_dir_all(data)?;
        // Nobody else is likely to take a port that was free a moment ago, and a restart must find it again.
        let at = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let log = data.join("server.log");
        let child = start(program, data, &log, at).await?;
        Ok(House { program: program.to_owned(), data: data.to_owned(), log, at, child })
    }

    /// Kills the server as `kill -9` does, and starts it again over the same folder.
    pub async fn kill_and_restart(&mut self) -> Result<()> {
        self.child.kill().await.context("the server cannot be killed")?;
        self.child = start(&self.program, &self.data, &self.log, self.at).await?;
        Ok(())
    }

    /// Ends the server.
    pub async fn close(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Seconds of processor time the server has used.
    pub fn cpu(&self) -> Option<f64> {
        cpu(&self.child.id()?.to_string())
    }

    /// The memory the server has in use, in bytes, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    }
}

/// Seconds of processor time a process has used, where the system tells.
pub fn cpu(process: &str) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold blanks; what follows it does not.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |n: usize| fields.get(n)?.parse::<f64>().ok();
    // Linux counts these in hundredths of a second on every machine people have.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

async fn start(program: &Path, data: &Path, log: &Path, at: SocketAddr) -> Result<Child> {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log)?;
    let mut child = Command::new(program)
        .args(["serve", "--host", &at.ip().to_string(), "--port", &at.port().to_string(), "--data"])
        .arg(data)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{} does not start", program.display()))?;
    let out = child.stdout.take().context("the server says nothing")?;
    let mut lines = BufReader::new(out).lines();
    match timeout(OPENING, lines.next_line()).await {
        Ok(Ok(Some(line))) if line.contains("http://") => Ok(child),
        Ok(Ok(line)) => bail!("the server did not open: {}", line.unwrap_or_default()),
        Ok(Err(error)) => bail!("the server did not open: {error}"),
        Err(_) => bail!("the server did not open in {} s", OPENING.as_secs()),
    }
}

/// The `grognard` beside this program, built anew so that it is the one of this checkout.
pub fn find_server() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program lies nowhere")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = std::process::Command::new(cargo);
    build.args(["build", "--quiet", "--package", "grognard"]);
    if folder.file_name().is_some_and(|name| name == "release") {
        build.arg("--release");
    }
    if !build.status().context("cargo does not start; name the server with --server")?.success() {
        bail!("grognard does not build");
    }
    Ok(folder.join(if cfg!(windows) { "grognard.exe" } else { "grognard" }))
}
