//! The browser of the end-to-end tests: Chromium and its driver, found or installed.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// A browser and the program that drives it.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Chromium or Chrome.
    pub browser: PathBuf,
    /// Its chromedriver.
    pub driver: PathBuf,
}

const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const DRIVERS: &[&str] =
    &["chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver", "chromedriver.exe"];
const PACKAGES: &[&str] = &["chromium", "chromium-driver"];
const ADVICE: &str = "install Chromium (or Chrome) and the chromedriver of the same version and put both on the path, \
                      or name them in the variables CHROME and CHROMEDRIVER";

/// Looks for both; the error says what is missing and what to do about it.
pub fn find() -> Result<Browser> {
    let browser = one("CHROME", BROWSERS);
    let driver = one("CHROMEDRIVER", DRIVERS);
    match (browser, driver) {
        (Some(browser), Some(driver)) => Ok(Browser { browser, driver }),
        (None, None) => bail!("there is no Chromium and no chromedriver: `cargo xtask browser`, or {ADVICE}"),
        (None, Some(_)) => bail!("there is a chromedriver, but no Chromium: `cargo xtask browser`, or {ADVICE}"),
        (Some(_), None) => bail!("there is a browser, but no chromedriver: `cargo xtask browser`, or {ADVICE}"),
    }
}

/// Looks for both and installs them where the system lets us.
pub fn ensure() -> Result<Browser> {
    if find().is_err() {
        install()?;
    }
    let found = find()?;
    for program in [&found.browser, &found.driver] {
        let name = program.to_str().context("the browser lies in a place whose name is no text")?;
        println!("    {}", crate::output(name, &["--version"])?);
    }
    Ok(found)
}

/// What a variable names, or else the first of the names that is a program.
fn one(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let places = names.iter().flat_map(|name| {
        let absolute = Path::new(name).is_absolute();
        if absolute { vec![PathBuf::from(name)] } else { folders.iter().map(|folder| folder.join(name)).collect() }
    });
    places.into_iter().find(|place| place.is_file())
}

/// Debian and its kin have both in packages of one version.
fn install() -> Result<()> {
    if one("", &["apt-get"]).is_none() {
        bail!("there is no browser to test with, and no apt-get to install it: {ADVICE}");
    }
    let root = crate::output("id", &["-u"])? == "0";
    let mut words = if root { vec!["apt-get"] } else { vec!["sudo", "-n", "apt-get"] };
    words.extend(["install", "-y", "--no-install-recommends"]);
    words.extend(PACKAGES);
    println!("    no browser yet: {}", words.join(" "));
    if run_quietly(&words).is_ok() {
        return Ok(());
    }
    // A fresh machine may never have read the lists of packages.
    let update: Vec<&str> = words.iter().take_while(|word| **word != "install").copied().chain(["update"]).collect();
    run_quietly(&update)?;
    run_quietly(&words).with_context(|| format!("the browser is not installed; {ADVICE}"))
}

fn run_quietly(words: &[&str]) -> Result<()> {
    let (program, arguments) = words.split_first().context("nothing to run")?;
    crate::output(program, arguments).map(drop)
}
