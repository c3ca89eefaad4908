//! The program that drives a browser. It runs in a process group of its own, for killing it alone would leave its
//! browser behind.

use super::Screen;
use anyhow::{Context, Result};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--mute-audio",
];

/// So often a driver is started before it is given up.
const MOST_TRIES: u32 = 5;

/// A running driver.
pub struct Driver {
    child: Child,
    browser: std::path::PathBuf,
    /// Where it listens.
    pub port: u16,
}

impl Driver {
    /// Starts a driver on a free port. It asks the system for a port on one kind of address and then wants the same on
    /// the other; when two drivers start at once the second may be taken by then, and it ends. Another try gets another.
    pub fn start() -> Result<Driver> {
        let mut tries = 1;
        loop {
            match Driver::try_start() {
                Err(_) if tries < MOST_TRIES => tries += 1,
                result => return result,
            }
        }
    }

    fn try_start() -> Result<Driver> {
        let found = shell::browser::find()?;
        let mut child = Command::new(&found.driver)
            .arg("--port=0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start", found.driver.display()))?;
        let out = child.stdout.take();
        // From here on, whatever happens, dropping the driver ends its group.
        let mut driver = Driver { child, browser: found.browser, port: 0 };
        let mut lines = BufReader::new(out.context("the driver says nothing")?).lines();
        for line in lines.by_ref() {
            if let Some(port) = port_in(&line?) {
                driver.port = port;
                break;
            }
        }
        if driver.port == 0 {
            anyhow::bail!("the driver ended before it listened");
        }
        // Somebody must read what it says, or it stops when the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(driver)
    }

    /// Opens a browser with a profile of its own.
    pub async fn session(&self, profile: &Path, screen: Screen) -> Result<Client> {
        let (width, height) = screen.size();
        let mut arguments: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        arguments.push(format!("--window-size={width},{height}"));
        let mut options = json!({ "binary": self.browser, "args": arguments });
        if screen == Screen::Phone {
            let metrics = json!({ "width": width, "height": height, "pixelRatio": 2.0, "touch": true, "mobile": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "pageLoad": 30_000, "script": 60_000 },
        });
        let wanted = wanted.as_object().cloned().unwrap_or_default();
        let address = format!("http://127.0.0.1:{}", self.port);
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(wanted).connect(&address).await;
        client.context("the browser does not open")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id())
            && let Some(group) = Pid::from_raw(id)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Reads `ChromeDriver was started successfully on port 12345.`
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("successfully on port ")?;
    rest.trim_end_matches('.').trim().parse().ok()
}
