//! A stage for one story: a server, as many browsers as it takes, and a clean floor afterwards.

use crate::browser::{Browser, Screen};
use crate::http;
use crate::server::Server;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// No story takes longer.
const LONGEST: Duration = Duration::from_secs(180);

/// The stage.
pub struct Stage {
    name: String,
    folder: PathBuf,
    port: u16,
    server: Mutex<Server>,
    browsers: Mutex<Vec<Arc<Browser>>>,
}

/// Plays a story. Where it fails, pictures of all browsers are left in `target/screenshots/` and the logs in
/// `target/e2e/`. Where it succeeds, the browsers' consoles must be free of errors as well.
pub fn play(server: &str, name: &str, story: impl AsyncFnOnce(&Stage) -> Result<()>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let stage = Stage::set(Path::new(server), name)?;
        let told = tokio::time::timeout(LONGEST, story(&stage)).await;
        let told = told.unwrap_or_else(|_| bail!("the story takes longer than {} s", LONGEST.as_secs()));
        stage.clear(told).await
    })
}

impl Stage {
    fn set(program: &Path, name: &str) -> Result<Stage> {
        let folder = shell::target().join("e2e").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)?;
        let server = Server::start(program, &folder)?;
        let port = server.port;
        Ok(Stage { name: name.to_owned(), folder, port, server: Mutex::new(server), browsers: Mutex::default() })
    }

    /// Opens one more browser, which knows nothing of the others.
    pub async fn browser(&self, screen: Screen) -> Result<Arc<Browser>> {
        let n = lock(&self.browsers).len();
        let browser = Arc::new(Browser::open(&self.folder.join(format!("profile-{n}")), screen, self.port).await?);
        lock(&self.browsers).push(Arc::clone(&browser));
        Ok(browser)
    }

    /// Kills the server as a power cut would.
    pub fn kill_server(&self) -> Result<()> {
        lock(&self.server).kill()
    }

    /// Starts it again.
    pub fn restart_server(&self) -> Result<()> {
        lock(&self.server).restart()
    }

    /// Asks the JSON API, beside all browsers.
    pub async fn ask(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Result<Value> {
        let answer = self.patiently(method, path, token, body).await?;
        serde_json::from_str(&answer).with_context(|| format!("{method} {path}: no JSON in the answer"))
    }

    /// The record of a battle played in a page follows the page by a moment: what is not to be told before the end is
    /// asked for again.
    async fn patiently(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Result<String> {
        let mut tries = 0;
        loop {
            match http::fetch(self.port, method, path, token, body).await {
                Err(error) if tries < 30 && error.to_string().contains("answered with 409") => tries += 1,
                answer => return answer,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Asks the JSON API for something that is no JSON.
    pub async fn fetch(&self, path: &str, token: &str) -> Result<String> {
        self.patiently("GET", path, Some(token), None).await
    }

    async fn clear(&self, told: Result<()>) -> Result<()> {
        let browsers: Vec<Arc<Browser>> = lock(&self.browsers).clone();
        let mut told = told;
        for (n, browser) in browsers.iter().enumerate() {
            if told.is_ok() {
                let errors = browser.console_errors().await?;
                if !errors.is_empty() {
                    told = Err(anyhow::anyhow!("the console of browser {n} says: {}", errors.join("; ")));
                }
            }
        }
        for (n, browser) in browsers.iter().enumerate() {
            if told.is_err() {
                let _ = browser.shot(&format!("failed-{}-{n}", self.name)).await;
            }
            browser.close().await;
        }
        if told.is_ok() {
            let _ = lock(&self.server).kill();
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        told.with_context(|| {
            format!("{}: pictures in target/screenshots/, logs in {}", self.name, self.folder.display())
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
