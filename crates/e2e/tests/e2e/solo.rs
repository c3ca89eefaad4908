//! One person against the computer, played in the page: no order goes to the server, which only keeps the record.

use crate::trouble::march_in_hand;
use crate::{choose, seat, small_battle, story};
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen, Stage};
use serde_json::Value;
use std::time::Duration;

/// Counts what the page opens, and keeps its workers at hand.
const COUNT: &str = r#"
const { Worker: PlainWorker, WebSocket: PlainSocket } = globalThis;
globalThis.seen = { workers: [], sockets: 0 };
globalThis.Worker = class extends PlainWorker {
  constructor(...wishes) { super(...wishes); seen.workers.push(this); }
};
globalThis.WebSocket = class extends PlainSocket {
  constructor(...wishes) { super(...wishes); seen.sockets += 1; }
};
"#;

/// The lines of the record the page knows of, and how many of them the server has not acknowledged.
async fn record(page: &Browser, id: &str) -> Result<(u64, u64)> {
    let script = format!(
        "const shelf = JSON.parse(localStorage.getItem('grognard-solo {id}'));
         return shelf && [shelf.from + shelf.lines.length, shelf.lines.length]"
    );
    let found = page.js(&script).await?;
    let number = |n: usize| found[n].as_u64().context("the battle is not on the shelf");
    Ok((number(0)?, number(1)?))
}

/// Waits until the server has everything the page knows of.
async fn all_kept(stage: &Stage, page: &Browser, id: &str, key: &str) -> Result<u64> {
    for _ in 0..200 {
        let (lines, unkept) = record(page, id).await?;
        if unkept == 0 {
            let frames = stage.ask("GET", &format!("/api/battles/{id}/frames"), Some(key), None).await?;
            ensure!(frames["total"] == lines + 1, "the server has {} moments of {lines}", frames["total"]);
            return Ok(lines);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("the record does not arrive")
}

async fn opened(page: &Browser) -> Result<(u64, u64)> {
    let seen = page.js("return [seen.workers.length, seen.sockets]").await?;
    Ok((seen[0].as_u64().unwrap_or_default(), seen[1].as_u64().unwrap_or_default()))
}

async fn march(page: &Browser, key: &str, told: &str) -> Result<()> {
    march_in_hand(page, key).await?;
    page.click("give").await?;
    page.told(told).await.map(drop)
}

#[test]
fn a_battle_against_the_computer_needs_no_server_but_for_its_record() -> Result<()> {
    story("solo", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.on_every_page(COUNT).await?;
        small_battle(&page).await?;
        let (id, key) = seat(&page).await?;
        march(&page, "@regulars", "40th Foot moves").await?;
        ensure!(opened(&page).await? == (1, 0), "one worker, no socket: {:?}", opened(&page).await?);
        let kept = all_kept(stage, &page, &id, &key).await?;

        stage.kill_server()?;
        page.asked("Which piece acts next").await?;
        march(&page, "@loyalists", "County loyalists move").await?;
        page.part("unkept").await?;
        ensure!(!page.shows("line-lost").await?, "nobody is stopped by that");
        page.shot("solo-unkept").await?;
        page.general_order("End movement").await?;
        page.asked("Who fires next?").await?;
        page.general_order("End firing").await?;
        page.until("the computer's turn to be over", "return document.querySelector('[data-test=\"when\"]').textContent.includes('Round 2') && !document.querySelector('[data-test=\"waiting\"]')")
            .await?;
        let (lines, unkept) = record(&page, &id).await?;
        ensure!(unkept > 4 && lines == kept + unkept, "{unkept} of {lines} lines wait, {kept} were kept");
        let told = page.chronicle().await?;

        // The page is loaded again the moment the server is back: what waited in the browser is taken up with the rest.
        stage.restart_server()?;
        page.client.refresh().await?;
        page.at_table().await?;
        ensure!(page.chronicle().await? == told, "nothing is lost, nothing is told twice");
        ensure!(all_kept(stage, &page, &id, &key).await? >= lines, "the record has arrived");
        ensure!(!page.shows("unkept").await? && opened(&page).await? == (1, 0), "and the battle goes on in the page");

        page.click("menu").await?;
        page.click("concede").await?;
        page.click("concede-sure").await?;
        page.part("ending").await?;
        let replay = stage.fetch(&format!("/api/battles/{id}/replay"), &key).await?;
        let replay = engine::replay::ReplayFile::parse(&replay).map_err(|faults| anyhow::anyhow!("{faults}"))?;
        ensure!(rules::resume(&replay, None)?.outcome().is_some(), "the record is a battle by the rules");
        page.client.refresh().await?;
        page.part("ending").await?;
        Ok(())
    })
}

#[test]
fn a_worker_that_falls_over_is_started_again_and_at_last_the_server_plays() -> Result<()> {
    story("solo-death", async |stage| {
        let page = stage.browser(Screen::Phone).await?;
        page.on_every_page(COUNT).await?;
        choose(&page, "awi", "awi/skirmish", "against-veteran").await?;
        page.asked("Where do your troops stand?").await?;
        page.click("give").await?;
        page.asked("Which piece acts next").await?;
        page.shot("solo-phone").await?;
        let (id, key) = seat(&page).await?;
        all_kept(stage, &page, &id, &key).await?;
        let fall = "seen.workers.at(-1).dispatchEvent(new Event('error'))";
        page.js(fall).await?;
        page.until("another worker", "return seen.workers.length === 2").await?;
        page.gone("line-lost").await?;
        page.asked("Which piece acts next").await?;
        ensure!(opened(&page).await?.1 == 0, "no socket yet");
        page.js(fall).await?;
        page.until("the server to take over", "return seen.sockets === 1").await?;
        page.gone("line-lost").await?;
        page.asked("Which piece acts next").await?;
        page.general_order("End movement").await?;
        page.asked("Who fires next?").await?;
        let told: Value = stage.ask("GET", &format!("/api/battles/{id}/frames"), Some(&key), None).await?;
        ensure!(told["total"].as_u64() > Some(2), "the server wrote the order down");
        Ok(())
    })
}

#[test]
fn the_same_seat_on_another_device_is_played_over_the_server() -> Result<()> {
    story("solo-elsewhere", async |stage| {
        let here = stage.browser(Screen::Desktop).await?;
        here.on_every_page(COUNT).await?;
        small_battle(&here).await?;
        let (id, key) = seat(&here).await?;
        all_kept(stage, &here, &id, &key).await?;
        let there = stage.browser(Screen::Desktop).await?;
        there.on_every_page(COUNT).await?;
        there.follow(&format!("#/battle/{id}/{key}")).await?;
        there.at_table().await?;
        ensure!(opened(&there).await? == (0, 1), "the other device plays over the server");
        march(&there, "@regulars", "40th Foot moves").await?;
        // This one learns of it with its next order, and both go on together.
        march_in_hand(&here, "@loyalists").await?;
        here.click("give").await?;
        here.until("the first device to follow", "return seen.sockets === 1").await?;
        here.told("40th Foot moves").await?;
        ensure!(
            !here.chronicle().await?.iter().any(|told| told.contains("loyalists move")),
            "the server's record counts"
        );
        march(&here, "@loyalists", "County loyalists move").await?;
        there.told("County loyalists move").await?;
        // The console names the refused request.
        let _ = here.console_errors().await?;
        Ok(())
    })
}
