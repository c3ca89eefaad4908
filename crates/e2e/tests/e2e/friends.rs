//! Two players: at one screen, and by a link. Nobody is sent a byte of what he may not know.

use crate::{choose, seat, story};
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen, Stage};
use fantoccini::key::Key;

/// The table of Freeman's Farm, and a place in the south-western forest where a marksman can hide.
const TABLE: (i32, i32) = (72, 48);
const THICKET: (f64, f64) = (18.0, 9.0);
/// How the side that has him names him.
const MARKSMAN: &str = "sharpshooter-american-1";

/// Chooses Freeman's Farm with somebody on the other side.
async fn farm(page: &Browser, against: &str) -> Result<()> {
    choose(page, "awi", "awi/freemans-farm", against).await
}

/// Hides one marksman in the thicket and lets the others go home.
async fn hide_marksman(page: &Browser) -> Result<()> {
    page.asked("harpshooter").await?;
    if !page.shows("in-hand").await? {
        page.click_on("[data-test=\"general-orders\"] [data-test=\"order\"]").await?;
    }
    page.touch(page.spot(TABLE, THICKET).await?).await?;
    page.click("give").await
}

/// What only the side that hid him may know, as messages write it: his name and where he stands.
async fn secrets(stage: &Stage, id: &str, token: &str) -> Result<Vec<String>> {
    let answer = stage.ask("GET", &format!("/api/battles/{id}/board"), Some(token), None).await?;
    let pieces = answer["scene"]["pieces"].as_array().context("no pieces")?;
    let marksman = pieces.iter().find(|piece| piece["key"] == format!("@{MARKSMAN}"));
    let pose = marksman.context("the side that hid him sees him")?["pose"].clone();
    let place = |n: usize| pose[n].as_str().map(str::to_owned).context("no place");
    Ok(vec![MARKSMAN.to_owned(), place(0)?, place(1)?])
}

#[test]
fn two_friends_play_by_a_link_and_nothing_hidden_is_sent() -> Result<()> {
    story("friends", async |stage| {
        let british = stage.browser(Screen::Desktop).await?;
        farm(&british, "against-friend").await?;
        british.click("menu").await?;
        let links = british
            .js("return [...document.querySelectorAll('[data-test=\"invitation\"]')].map((one) => one.value)")
            .await?;
        let links: Vec<String> = serde_json::from_value(links)?;
        let [friend, watch, _own] = &links[..] else { anyhow::bail!("three links are handed out: {links:?}") };
        british.click("menu").await?;
        let american = stage.browser(Screen::Desktop).await?;
        american.follow(friend).await?;
        american.at_table().await?;
        british
            .until("the friend at the table", "return [...document.querySelectorAll('.seats span')].filter((one) => one.textContent.includes('at the table')).length === 2")
            .await?;

        // Whoever is asked first deploys first.
        deploy(&british, &american).await?;
        hide_marksman(&american).await?;
        american.asked("Waiting").await?;
        british.asked("harpshooter").await?;
        british.general_order_last().await?;
        american.until("the marksman on his own side's map", &drawn(MARKSMAN)).await?;

        // What the one knows the other was never sent: not on the wire, not in the page, not in the replay.
        let (id, key) = seat(&american).await?;
        let secrets = secrets(stage, &id, &key).await?;
        let (_, other) = seat(&british).await?;
        british.go(&format!("/#/replay/{id}/{other}")).await?;
        british.part("replay-page").await?;
        british.keys([Key::End.into()]).await?;
        british
            .until("the last moment of the replay", "return document.querySelectorAll('[data-test=\"piece\"]').length")
            .await?;
        let watcher = stage.browser(Screen::Phone).await?;
        watcher.follow(watch).await?;
        watcher.at_table().await?;
        ensure!(watcher.count("[data-test=\"order\"]").await? == 0, "whoever watches is not asked");
        for secret in &secrets {
            ensure!(american.tap.has_heard(secret), "the American was sent “{secret}”");
            ensure!(!british.tap.has_heard(secret), "the British were sent “{secret}”");
            ensure!(!watcher.tap.has_heard(secret), "a watcher was sent “{secret}”");
        }
        ensure!(british.count(&format!("[data-key=\"@{MARKSMAN}\"]")).await? == 0, "nor does the page show him");
        american.shot("marksman-american").await?;
        british.shot("marksman-british").await?;

        // An answer to a question that is not one's own is refused with a reason, and changes nothing.
        let board = stage.ask("GET", &format!("/api/battles/{id}/board"), Some(&other), None).await?;
        let foreign = stage
            .ask(
                "POST",
                &format!("/api/battles/{id}/orders"),
                Some("0000"),
                Some(&serde_json::json!({ "no": 1, "draft": "pass" })),
            )
            .await;
        ensure!(foreign.is_err(), "a stranger's order is refused");
        let again = stage.ask("GET", &format!("/api/battles/{id}/board"), Some(&other), None).await?;
        ensure!(board == again, "and changes nothing");
        Ok(())
    })
}

fn drawn(key: &str) -> String {
    format!("return !!document.querySelector('[data-test=\"piece\"][data-key=\"@{key}\"]')")
}

/// Both sides set up as their aides suggest, whoever is asked first.
async fn deploy(one: &Browser, other: &Browser) -> Result<()> {
    const STAND: &str = "Where do your troops stand?";
    let (first, second) = if one.question().await?.contains(STAND) { (one, other) } else { (other, one) };
    first.asked(STAND).await?;
    first.click("give").await?;
    second.asked(STAND).await?;
    second.click("give").await
}

#[test]
fn two_at_one_screen_hand_it_over_behind_a_curtain() -> Result<()> {
    story("hot-seat", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        farm(&page, "against-screen").await?;
        ensure!(page.place().await?.starts_with("#/hotseat/"), "both keys are in this browser");
        let fits = page.js("return document.documentElement.scrollHeight <= window.innerHeight").await?;
        ensure!(fits == true, "long lists scroll inside the page, not the page itself");
        for _ in 0..2 {
            raise(&page).await?;
            page.asked("Where do your troops stand?").await?;
            page.click("give").await?;
            page.until("the next question", "return !(document.querySelector('[data-test=\"question\"] h2')?.textContent ?? '').includes('troops stand') || document.querySelector('[data-test=\"curtain\"]') || document.querySelector('[data-test=\"give\"]:not([disabled])')").await?;
        }
        // Hiding marksmen is asked of both in secret, so the curtain falls between them.
        raise(&page).await?;
        page.asked("harpshooter").await?;
        if leads(&page).await? == "American" {
            hide_marksman(&page).await?;
        } else {
            page.general_order_last().await?;
        }
        hand_over(&page).await?;
        page.asked("harpshooter").await?;
        if leads(&page).await? == "American" {
            hide_marksman(&page).await?;
        } else {
            page.general_order_last().await?;
        }
        // First orders are secret too. Only the one who hid the marksman finds him on the map.
        raise(&page).await?;
        page.asked("ordered to do").await?;
        let first = leads(&page).await?;
        ensure!((page.js(&drawn(MARKSMAN)).await? == true) == (first == "American"), "{first} see what is theirs");
        page.general_order_last().await?;
        hand_over(&page).await?;
        page.asked("ordered to do").await?;
        let second = leads(&page).await?;
        ensure!(first != second, "the table was handed over");
        ensure!((page.js(&drawn(MARKSMAN)).await? == true) == (second == "American"), "{second} see what is theirs");
        Ok(())
    })
}

/// The curtain falls, hides the map, and is raised by the other player.
async fn hand_over(page: &Browser) -> Result<()> {
    page.part("curtain").await?;
    page.shot("curtain").await?;
    ensure!(covers(page).await?, "the curtain covers everything the other player may know");
    // Keys do nothing behind it.
    page.keys([Key::Enter.into(), 'e']).await?;
    ensure!(page.shows("curtain").await?, "only its own button raises the curtain");
    raise(page).await
}

/// Raises the curtain, where it is down.
async fn raise(page: &Browser) -> Result<()> {
    page.still().await?;
    if page.shows("curtain").await? {
        page.click("raise-curtain").await?;
        page.gone("curtain").await?;
    }
    Ok(())
}

/// Whose army comes first in the order of battle: one's own.
async fn leads(page: &Browser) -> Result<&'static str> {
    let first = page.js("return document.querySelector('.left .orbat h3')?.textContent ?? ''").await?;
    Ok(if first.as_str().unwrap_or_default().starts_with("American") { "American" } else { "British" })
}

/// Whether map, question, order of battle and chronicle are all behind the curtain, and none of them can be read.
async fn covers(page: &Browser) -> Result<bool> {
    let script = "return ['map', 'question', 'orbat', 'chronicle'].every((name) => {
          const part = document.querySelector(`[data-test=\"${name}\"]`);
          const box = part.getBoundingClientRect();
          const inside = (value, most) => Math.max(1, Math.min(value, most - 2));
          const there = document.elementFromPoint(
            inside(box.x + box.width / 4, window.innerWidth), inside(box.y + box.height / 4, window.innerHeight));
          return there?.closest('[data-test=\"curtain\"]') && !part.checkVisibility({ visibilityProperty: true });
        })";
    Ok(page.js(script).await? == true)
}
