//! A real browser: its own driver, its own profile, its own tap.

mod driver;
mod hand;

use crate::http;
use crate::tap::Tap;
use anyhow::{Context, Result, bail};
use driver::Driver;
use fantoccini::error::CmdError;
use fantoccini::{Client, Locator, elements::Element};
use serde_json::{Value, json};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long anything on the page may take to come about.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often one looks.
const GLANCE: Duration = Duration::from_millis(40);

/// What a console says of a line that was cut: a socket's, or a request's.
const CUT: &[&str] = &["WebSocket", "net::ERR_CONNECTION", "net::ERR_EMPTY_RESPONSE", "net::ERR_SOCKET"];

/// What the page is shown on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
    /// 1440 by 900, with a mouse.
    Desktop,
    /// 390 by 844, with fingers.
    Phone,
}

impl Screen {
    /// Width and height of the page in pixels.
    pub fn size(self) -> (u32, u32) {
        match self {
            Screen::Desktop => (1440, 900),
            Screen::Phone => (390, 844),
        }
    }
}

/// A browser.
pub struct Browser {
    /// For what the stage has no word of its own for.
    pub client: Client,
    /// Everything it was sent.
    pub tap: Tap,
    screen: Screen,
    session: String,
    driver: Driver,
}

impl Browser {
    /// Opens a browser with a fresh profile whose way to the server leads through a tap.
    pub async fn open(profile: &Path, screen: Screen, server: u16) -> Result<Browser> {
        let tap = Tap::on(server).await?;
        let driver = Driver::start()?;
        let client = driver.session(profile, screen).await?;
        let session = client.session_id().await?.context("the driver gave no session")?;
        let browser = Browser { client, tap, screen, session, driver };
        if screen == Screen::Desktop {
            let (width, height) = screen.size();
            let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            browser.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        }
        Ok(browser)
    }

    /// Goes to a page: what stands after the host, such as `/#/muster/awi`.
    pub async fn go(&self, page: &str) -> Result<()> {
        Ok(self.client.goto(&format!("http://127.0.0.1:{}{page}", self.tap.port)).await?)
    }

    /// A link of another browser, read through this browser's own tap.
    pub async fn follow(&self, link: &str) -> Result<()> {
        let (_, page) = link.split_once('#').with_context(|| format!("{link} is no link to a seat"))?;
        self.go(&format!("/#{page}")).await
    }

    /// Where the page is: everything from the `#` on.
    pub async fn place(&self) -> Result<String> {
        let address = self.client.current_url().await?;
        Ok(format!("#{}", address.fragment().unwrap_or_default()))
    }

    /// Runs a script and takes what it returns.
    pub async fn js(&self, script: &str) -> Result<Value> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }

    /// Waits until a script returns something that is neither false, null nor nought, and gives that.
    pub async fn until(&self, what: &str, script: &str) -> Result<Value> {
        patiently(what, async || {
            let value = self.js(script).await?;
            let no = value.is_null() || value == json!(false) || value == json!(0) || value == json!("");
            Ok((!no).then_some(value))
        })
        .await
    }

    /// The first part of the page with this mark that can be seen; waits for it.
    pub async fn part(&self, name: &str) -> Result<Element> {
        self.seen(&mark(name)).await
    }

    /// The first element that can be seen; waits for it.
    pub async fn seen(&self, selector: &str) -> Result<Element> {
        patiently(&format!("`{selector}` to be seen"), async || self.glimpse(selector).await).await
    }

    /// The first element that can be seen just now.
    async fn glimpse(&self, selector: &str) -> Result<Option<Element>> {
        for element in self.client.find_all(Locator::Css(selector)).await? {
            if element.is_displayed().await? {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    /// Whether a part of the page can be seen just now.
    pub async fn shows(&self, name: &str) -> Result<bool> {
        // Between looking for an element and asking whether it is seen the page may have drawn itself anew.
        Ok(self.glimpse(&mark(name)).await.ok().flatten().is_some())
    }

    /// Waits until a part of the page can no longer be seen.
    pub async fn gone(&self, name: &str) -> Result<()> {
        patiently(&format!("`{name}` to go"), async || Ok((!self.shows(name).await?).then_some(()))).await
    }

    /// What a part of the page says.
    pub async fn says(&self, name: &str) -> Result<String> {
        let selector = mark(name);
        patiently(&format!("`{name}` to say something"), async || match self.glimpse(&selector).await? {
            Some(element) => Ok(Some(element.text().await?)),
            None => Ok(None),
        })
        .await
    }

    /// How many parts of the page have this mark, seen or not.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(selector)).await?.len())
    }

    /// Presses a part of the page as a mouse or a finger does.
    pub async fn click(&self, name: &str) -> Result<()> {
        self.click_on(&mark(name)).await
    }

    /// The same for any selector. What is covered or not ready yet is tried again until patience ends.
    pub async fn click_on(&self, selector: &str) -> Result<()> {
        patiently(&format!("`{selector}` to take a click"), async || match self.glimpse(selector).await? {
            Some(element) if element.is_enabled().await? => {
                element.click().await?;
                Ok(Some(()))
            }
            _ => Ok(None),
        })
        .await
    }

    /// Keeps a picture in `target/screenshots/`.
    pub async fn shot(&self, name: &str) -> Result<PathBuf> {
        let folder = shell::target().join("screenshots");
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, self.client.screenshot().await?)?;
        Ok(path)
    }

    /// Opens no page from here on that has workers: battles against the computer are then played by the server.
    pub async fn without_workers(&self) -> Result<()> {
        self.on_every_page("delete globalThis.Worker").await
    }

    /// Runs a script in every page before the page's own.
    pub async fn on_every_page(&self, source: &str) -> Result<()> {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await.map(drop)
    }

    /// Errors the page has told its console, except that a line was cut, which the stage does on purpose.
    pub async fn console_errors(&self) -> Result<Vec<String>> {
        let path = format!("/session/{}/se/log", self.session);
        let log = http::ask(self.driver.port, "POST", &path, None, Some(&json!({ "type": "browser" }))).await?;
        let entries = log.get("value").and_then(Value::as_array).cloned().unwrap_or_default();
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        let words = severe.filter_map(|entry| entry["message"].as_str());
        Ok(words.filter(|words| !CUT.iter().any(|cut| words.contains(cut))).map(str::to_owned).collect())
    }

    /// A command of the browser's own tools.
    pub async fn devtools(&self, command: &str, params: Value) -> Result<Value> {
        let path = format!("/session/{}/goog/cdp/execute", self.session);
        let body = json!({ "cmd": command, "params": params });
        http::ask(self.driver.port, "POST", &path, None, Some(&body)).await
    }

    /// Closes the browser; the driver's whole process group ends when this is dropped.
    pub async fn close(&self) {
        let _ = self.client.clone().close().await;
    }
}

/// The selector of a mark.
fn mark(name: &str) -> String {
    format!("[data-test=\"{name}\"]")
}

/// Tries until it succeeds or patience ends. An element that went away while it was looked at is looked for again.
async fn patiently<T, F: Future<Output = Result<Option<T>>>>(what: &str, mut attempt: impl FnMut() -> F) -> Result<T> {
    let begun = Instant::now();
    let mut last = None;
    while begun.elapsed() < PATIENCE {
        match attempt().await {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(error) if is_passing(&error) => last = Some(error),
            Err(error) => return Err(error),
        }
        tokio::time::sleep(GLANCE).await;
    }
    match last {
        Some(error) => Err(error.context(format!("waited {} s for {what}", PATIENCE.as_secs()))),
        None => bail!("waited {} s for {what}", PATIENCE.as_secs()),
    }
}

/// Whether an error goes away by itself: the page was just being drawn anew, or something lay over the element.
fn is_passing(error: &anyhow::Error) -> bool {
    const PASSING: &[&str] = &["stale element", "no such element", "click intercepted", "not interactable", "detached"];
    match error.downcast_ref::<CmdError>() {
        Some(CmdError::Standard(error)) => {
            let words = format!("{} {}", error.error(), error.message);
            PASSING.iter().any(|passing| words.contains(passing))
        }
        _ => false,
    }
}
