//! Other hands: keys alone, and fingers on a phone.

use crate::{small_battle, story};
use anyhow::{Result, ensure};
use e2e::{Browser, Screen};
use fantoccini::actions::{Actions, InputSource, MOUSE_BUTTON_LEFT, PointerAction, TouchActions};
use fantoccini::key::Key;
use std::time::Duration;

/// Presses Tab until the focus is on a part of the page.
async fn tab_to(page: &Browser, name: &str) -> Result<()> {
    for _ in 0..60 {
        page.keys([Key::Tab.into()]).await?;
        let here = page.js("return document.activeElement?.dataset.test ?? ''").await?;
        if here == name {
            return Ok(());
        }
    }
    anyhow::bail!("Tab never comes to `{name}`")
}

#[test]
fn everything_can_be_done_by_keyboard() -> Result<()> {
    story("keyboard", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.go("/").await?;
        page.part("quick").await?;
        tab_to(&page, "quick").await?;
        page.keys([Key::Enter.into()]).await?;
        page.at_table().await?;
        page.asked("Where do your troops stand?").await?;
        page.keys([Key::Enter.into()]).await?;
        page.asked("Which piece acts next").await?;

        page.keys(['?']).await?;
        page.part("help").await?;
        page.keys([Key::Escape.into()]).await?;
        page.gone("help").await?;

        // The next unit that can act, until it is the 40th; its first order is to move.
        for _ in 0..8 {
            page.keys([' ']).await?;
            let card = page.part("card").await?.attr("data-key").await?;
            if card.as_deref() == Some("@regulars") {
                break;
            }
        }
        let before = page.piece("@regulars").await?;
        page.keys(['1']).await?;
        page.part("in-hand").await?;
        page.keys([Key::Up.into(), Key::Up.into(), Key::Up.into(), Key::Up.into(), Key::Right.into()]).await?;
        let legs = page.says("legs").await?;
        ensure!(legs.contains("ahead 2in") && legs.contains("wheel"), "arrows are legs: {legs}");
        page.keys([Key::Backspace.into()]).await?;
        page.until(
            "the last leg to be taken back",
            "return !document.querySelector('[data-test=\"legs\"]').textContent.includes('wheel')",
        )
        .await?;
        page.keys([Key::Enter.into()]).await?;
        page.told("40th Foot moves").await?;
        let after = page.piece("@regulars").await?;
        ensure!(after.1 > before.1 + 10.0, "the 40th went south: {before:?} to {after:?}");

        page.keys(['e']).await?;
        page.asked("Who fires next?").await?;
        page.keys(['e']).await?;
        page.until(
            "the next turn",
            "return document.querySelector('[data-test=\"when\"]').textContent.includes('Round 2')",
        )
        .await?;
        // A reader of screens hears the chronicle and the question.
        let live = page.count("[data-test=\"question\"][aria-live]").await?
            + page.count("[data-test=\"herald\"][aria-live]").await?;
        ensure!(live == 2, "question and chronicle are read aloud");
        Ok(())
    })
}

#[test]
fn a_phone_is_enough() -> Result<()> {
    story("phone", async |stage| {
        let page = stage.browser(Screen::Phone).await?;
        page.go("/").await?;
        page.part("home").await?;
        fits(&page).await?;
        page.shot("phone-home").await?;
        let quick = page.part("quick").await?.rectangle().await?;
        page.touch((quick.0 + quick.2 / 2.0, quick.1 + quick.3 / 2.0)).await?;
        page.at_table().await?;
        fits(&page).await?;
        page.shot("phone-deployment").await?;
        sheet_up(&page).await?;
        page.click("give").await?;
        page.asked("Which piece acts next").await?;
        sheet_down(&page).await?;

        // One finger gives an order.
        let unit = page.piece("@regulars").await?;
        page.touch(unit).await?;
        page.until(
            "the card of the 40th",
            "return !!document.querySelector('[data-test=\"card\"][data-key=\"@regulars\"]')",
        )
        .await?;
        let inch = (page.spot((36, 36), (36.0, 0.0)).await?.0 - page.spot((36, 36), (0.0, 0.0)).await?.0) / 36.0;
        let unit = page.piece("@regulars").await?;
        page.drag(&[unit, (unit.0, unit.1 + 3.0 * inch)]).await?;
        ensure!(page.count("[data-test=\"ghost\"] *").await? > 0, "a ghost follows the finger");
        page.shot("phone-order").await?;
        sheet_up(&page).await?;
        let give = page.part("give").await?.rectangle().await?;
        ensure!(give.3 >= 44.0, "a finger finds the button: {} px high", give.3);
        page.click("give").await?;
        page.until("the march to be told", "return [...document.querySelectorAll('[data-test=\"told\"] .sentence')].some((one) => one.textContent.includes('40th Foot moves'))").await?;

        // The chronicle and the army are tabs of the sheet.
        page.click("tab-chronicle").await?;
        page.told("40th Foot moves").await?;
        page.part("chronicle").await?;
        page.click("tab-army").await?;
        page.seen(".army-tab [data-test=\"unit\"]").await?;
        fits(&page).await?;
        page.shot("phone-army").await?;

        // Two fingers move the map nearer.
        sheet_down(&page).await?;
        let before =
            page.js("return document.querySelector('[data-ready=\"table\"]').getBoundingClientRect().width").await?;
        pinch(&page).await?;
        let after =
            page.js("return document.querySelector('[data-ready=\"table\"]').getBoundingClientRect().width").await?;
        let (before, after) = (before.as_f64().unwrap_or_default(), after.as_f64().unwrap_or_default());
        ensure!(after > before * 1.3, "the map came nearer: {before} to {after}");
        Ok(())
    })
}

/// Nothing sticks out at the side.
async fn fits(page: &Browser) -> Result<()> {
    let wide = page.js("return document.documentElement.scrollWidth").await?;
    ensure!(wide.as_f64().unwrap_or(9999.0) <= 390.0, "the page is {wide} px wide on a screen of 390");
    Ok(())
}

async fn sheet_up(page: &Browser) -> Result<()> {
    if page.count(".right.up").await? == 0 {
        page.click("tab-orders").await?;
        page.still().await?;
    }
    Ok(())
}

async fn sheet_down(page: &Browser) -> Result<()> {
    if page.count(".right.up").await? > 0 {
        page.click_on(".sheet-tabs [aria-selected=\"true\"]").await?;
        page.still().await?;
    }
    Ok(())
}

/// Two fingers on the map go apart.
async fn pinch(page: &Browser) -> Result<()> {
    let finger = |name: &str, way: f64| {
        let (x, y) = (195.0, 260.0);
        let down = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
        let at =
            |apart: f64| PointerAction::MoveTo { duration: Some(Duration::from_millis(20)), x: x + way * apart, y };
        let steps = (2..=8).map(|n| at(f64::from(n) * 15.0));
        let source = TouchActions::new(name.to_owned()).then(at(20.0)).then(down);
        let source = steps.fold(source, InputSource::then);
        source.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT })
    };
    page.client.perform_actions(Actions::from(finger("one", -1.0)).and(finger("two", 1.0))).await?;
    page.client.release_actions().await?;
    page.still().await
}

#[test]
fn the_tape_is_refused_politely_where_the_rules_forbid_measuring() -> Result<()> {
    story("tape", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        small_battle(&page).await?;
        page.click("tape").await?;
        let (from, to) = (page.spot((36, 36), (18.0, 26.0)).await?, page.spot((36, 36), (18.0, 10.0)).await?);
        page.drag(&[from, to]).await?;
        let says = page.says("tape-says").await?;
        ensure!(says.contains("stays rolled up") && says.contains("awi."), "{says}");
        Ok(())
    })
}
