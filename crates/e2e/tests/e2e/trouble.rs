//! Lines break, pages are loaded again, servers die. Nothing that was acknowledged is lost, and nobody has to do anything.
//! The browsers of these stories have no workers, so that the server plays the computer's side.

use crate::{small_battle, story};
use anyhow::{Result, ensure};
use e2e::{Browser, Screen};

/// Marches the 40th a step ahead by the buttons of the panel, up to the moment before the order is given.
pub async fn march_in_hand(page: &Browser, key: &str) -> Result<()> {
    page.select(key).await?;
    page.order("Move").await?;
    for _ in 0..4 {
        page.click_on("[aria-label=\"half an inch ahead\"]").await?;
    }
    let legs = page.says("legs").await?;
    ensure!(legs.contains("ahead 2in"), "four steps are two inches: {legs}");
    Ok(())
}

#[test]
fn a_broken_line_and_a_reload_in_the_middle_of_a_decision_lose_nothing() -> Result<()> {
    story("reconnect", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.without_workers().await?;
        small_battle(&page).await?;
        march_in_hand(&page, "@regulars").await?;
        let question = page.question().await?;

        page.tap.cut();
        page.part("line-lost").await?;
        ensure!(page.question().await? == question, "the question stays on the table");
        page.shot("line-lost").await?;
        page.tap.mend();
        page.gone("line-lost").await?;
        ensure!(page.question().await? == question, "the same question is asked again");

        // The order in hand is still there, or is made again; either way it is taken.
        if !page.shows("legs").await? {
            march_in_hand(&page, "@regulars").await?;
        }
        page.click("give").await?;
        page.told("40th Foot moves").await?;
        page.asked("Which piece acts next").await?;
        let told = page.chronicle().await?;
        let stood = page.piece("@regulars").await?;

        march_in_hand(&page, "@loyalists").await?;
        page.client.refresh().await?;
        page.at_table().await?;
        page.asked("Which piece acts next").await?;
        ensure!(page.chronicle().await? == told, "the chronicle is the same after a reload");
        let stands = page.piece("@regulars").await?;
        ensure!((stands.0 - stood.0).abs() < 2.0 && (stands.1 - stood.1).abs() < 2.0, "so is the table");
        march_in_hand(&page, "@loyalists").await?;
        page.click("give").await?;
        page.told("County loyalists move").await?;
        Ok(())
    })
}

#[test]
fn a_killed_server_comes_back_with_everything_it_had_acknowledged() -> Result<()> {
    story("killed", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.without_workers().await?;
        small_battle(&page).await?;
        march_in_hand(&page, "@regulars").await?;
        page.click("give").await?;
        page.told("40th Foot moves").await?;
        page.asked("Which piece acts next").await?;
        let told = page.chronicle().await?;
        let stood = page.piece("@regulars").await?;

        stage.kill_server()?;
        page.part("line-lost").await?;
        stage.restart_server()?;
        page.gone("line-lost").await?;
        page.asked("Which piece acts next").await?;
        ensure!(page.chronicle().await? == told, "nothing of the chronicle is lost, nothing is told twice");
        let stands = page.piece("@regulars").await?;
        ensure!(
            (stands.0 - stood.0).abs() < 2.0 && (stands.1 - stood.1).abs() < 2.0,
            "the 40th stand where they stood"
        );

        // The battle goes on, against a computer that has also come back.
        march_in_hand(&page, "@loyalists").await?;
        page.click("give").await?;
        page.told("County loyalists move").await?;
        page.general_order("End movement").await?;
        page.asked("Who fires next?").await?;
        page.general_order("End firing").await?;
        stage.kill_server()?;
        stage.restart_server()?;
        page.until("the computer's turn to be over", "return document.querySelector('[data-test=\"when\"]').textContent.includes('Round 2') && !document.querySelector('[data-test=\"waiting\"]')")
            .await?;
        Ok(())
    })
}
