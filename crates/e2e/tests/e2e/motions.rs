//! Acts beside the rulebook: taking back, the dispute die, giving up; and the file of the battle that is left.

use crate::trouble::march_in_hand;
use crate::{small_battle, story};
use anyhow::{Context, Result, ensure};
use e2e::Screen;

#[test]
fn an_order_is_taken_back_a_dispute_is_settled_and_a_battle_given_up() -> Result<()> {
    story("motions", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        small_battle(&page).await?;
        let (stood, told) = (page.piece("@regulars").await?, page.chronicle().await?);
        march_in_hand(&page, "@regulars").await?;
        page.click("give").await?;
        page.told("40th Foot moves").await?;
        page.asked("Which piece acts next").await?;

        // The computer consents, for no die has been thrown: everything is as it was.
        page.click("menu").await?;
        page.click("take-back").await?;
        page.until(
            "the order to be taken back",
            "return ![...document.querySelectorAll('[data-test=\"told\"]')].some((one) => one.textContent.includes('40th Foot moves'))",
        )
        .await?;
        page.asked("Which piece acts next").await?;
        ensure!(page.chronicle().await? == told, "the chronicle is as long as it was");
        let stands = page.piece("@regulars").await?;
        ensure!((stands.0 - stood.0).abs() < 2.0 && (stands.1 - stood.1).abs() < 2.0, "so stands the 40th");

        page.click("menu").await?;
        page.click("dispute").await?;
        page.until(
            "the dispute die in the chronicle",
            "return document.querySelector('[data-test=\"told\"] .die') && document.querySelector('[data-test=\"told\"]').textContent.toLowerCase().includes('dispute')",
        )
        .await?;

        // A draw is not to be had from the computer; the battle goes on.
        page.click("menu").await?;
        page.click("offer-draw").await?;
        page.asked("Which piece acts next").await?;

        page.click("menu").await?;
        page.click("concede").await?;
        page.click("concede-sure").await?;
        let ending = page.says("ending").await?;
        ensure!(ending.contains("Defeat") && ending.contains("gave the battle up"), "{ending}");

        // The file it leaves can be taken in again and is watched whole.
        let place = page.place().await?;
        let words: Vec<&str> = place.split('/').collect();
        let (id, token) = (words.get(2).context("no battle")?, words.get(3).context("no key")?);
        let file = stage.fetch(&format!("/api/battles/{id}/replay"), token).await?;
        ensure!(file.lines().count() > 4 && file.contains("take_back") && file.contains("concede"), "{file:.200}");
        Ok(())
    })
}
