//! The house played in a real browser.

use anyhow::Result;
use e2e::{Screen, stage};

const SERVER: &str = env!("CARGO_BIN_EXE_e2e-server");

#[test]
fn probe() -> Result<()> {
    stage::play(SERVER, "probe", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.go("/").await?;
        page.click("quick").await?;
        page.part("question").await?;
        page.until("table", "return !!document.querySelector('[data-ready=\"table\"]')").await?;
        page.shot("probe").await?;
        Ok(())
    })
}
