//! What would you do, and what did it think: advice at the table, and the bot's mind in the replay.

use crate::{choose, seat, story};
use anyhow::{Context, Result, ensure};
use e2e::Screen;

/// Orders given on advice before the battle is given up: enough for the other side to have had its turn.
const ORDERS: usize = 24;

#[test]
fn advice_is_taken_and_the_bots_thoughts_are_read_afterwards() -> Result<()> {
    story("minds", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        choose(&page, "awi", "awi/skirmish", "against-veteran").await?;
        page.asked("Where do your troops stand?").await?;
        page.click("give").await?;
        let mut shown = false;
        for _ in 0..ORDERS {
            page.part("ask-advice").await?;
            page.click("ask-advice").await?;
            page.part("way").await?;
            let several = page.count("[data-test=\"way\"]").await? > 1;
            if several && !shown {
                shown = true;
                let said = page.says("advice-told").await?;
                ensure!(said.contains("of 100 afterwards"), "{said}");
                // The pointer over a way draws it, and what the brigades would do.
                page.js("document.querySelector('[data-test=\"way\"]').focus()").await?;
                page.until(
                    "the plan on the map",
                    "return document.querySelectorAll('[data-test=\"intents\"] .intent').length > 0",
                )
                .await?;
                page.shot("advice").await?;
            }
            page.click("way").await?;
            // Advice belongs to one question and goes with it.
            let taken = "return document.querySelectorAll('[data-test=\"way\"]').length === 0";
            page.until("the order to be taken", taken).await?;
        }
        ensure!(shown, "nothing was ever weighed");

        page.click("menu").await?;
        page.click("concede").await?;
        page.click("concede-sure").await?;
        page.part("ending").await?;
        let (id, token) = seat(&page).await?;
        let minds = stage.ask("GET", &format!("/api/battles/{id}/minds?count=200"), Some(&token), None).await?;
        let moment = minds["minds"][0]["moment"].as_u64().context("the veteran never thought")?;
        page.go(&format!("/#/replay/{id}/{token}/{moment}")).await?;
        let mind = page.says("mind").await?;
        ensure!(mind.contains("weighed") && page.count("[data-test=\"mind-ways\"] li").await? > 1, "{mind}");
        page.shot("mind").await?;
        Ok(())
    })
}
