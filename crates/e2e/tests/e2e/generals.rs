//! The battles of 1870: orders that may not get through, fire that answers, and armies set up in secret.

use crate::{choose, seat, story};
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen, Stage};
use fantoccini::key::Key;

/// One step of a battle through the page's own buttons: guns fire, foot goes forward, whoever may answer fire does.
/// Says in a word what was done.
const FIGHT: &str = r#"
const parts = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].filter((one) => one.offsetParent);
const next = () => new Promise((on) => requestAnimationFrame(() => setTimeout(on, 5)));
if (parts("ending").length) return "over";
if (parts("frozen").length) return "frozen";
if (parts("waiting").length) return "waiting";
const asked = parts("question")[0]?.querySelector("h2")?.textContent ?? "";
const orders = () => [...document.querySelectorAll('[data-test="general-orders"] [data-test="order"]')];
const units = () => [...document.querySelectorAll('.left [data-test="unit"]:not(.gone)')];
const of_card = (word) => [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].find((one) => one.dataset.order.startsWith(word));
const give = () => { const one = parts("give")[0]; if (!one || one.disabled) return false; one.click(); return true; };
if (asked.includes("who fires?")) {
  return document.querySelectorAll('[data-test="aims"] .aim').length ? "fire with lines" : "fire without lines";
}
if (asked.startsWith("Which way")) {
  for (const unit of units()) {
    unit.click();
    await next();
    const go = of_card("All go together") ?? of_card("Go");
    if (!go) continue;
    go.click();
    await next();
    for (let n = 0; n < 10; n += 1) document.querySelector('[aria-label="half an inch ahead"]')?.click();
    await next();
    if (give()) return "marched";
    parts("cancel")[0]?.click();
    await next();
    break;
  }
}
const aim = async (...words) => {
  for (const unit of units()) {
    unit.click();
    await next();
    const order = words.map(of_card).find((one) => one);
    if (!order) continue;
    order.click();
    await next();
    parts("choice")[0]?.click();
    await next();
    if (give()) return true;
    parts("cancel")[0]?.click();
    await next();
  }
  return false;
};
if (asked.includes("fire at?")) {
  const nearest = orders().find((one) => one.dataset.order.endsWith("the nearest"));
  if (nearest) { nearest.click(); return "shot"; }
  if (await aim("Fire on", "All fire on", "Fire alone on")) return "shot";
}
if (asked.includes("attack?") && await aim("Advance on", "Advance alone on")) return "charged";
if (asked.startsWith("Which general") || asked.includes(" order next?")) {
  for (const unit of units()) {
    unit.click();
    await next();
    const goes = unit.querySelector(".guns") ? undefined : of_card("Move the brigade") ?? of_card("Move");
    const order = of_card("Fire") ?? of_card("Charge") ?? goes;
    if (order) { order.click(); await next(); give(); return "ordered"; }
  }
}
if (give()) return "gave";
if (orders().length) { orders().at(-1).click(); return "pressed " + orders().at(-1)?.dataset.order; }
for (const unit of units()) {
  unit.click();
  await next();
  const answer = [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].at(-1);
  if (!answer) continue;
  answer.click();
  await next();
  give();
  return "answered " + answer.dataset.order;
}
return "no orders: " + asked;
"#;

/// What was done in a battle, and how often.
#[derive(Default, Debug)]
struct Deeds {
    ordered: usize,
    marched: usize,
    shot: usize,
    answered: usize,
    without_lines: usize,
}

#[test]
fn a_battle_of_orders_and_answers_is_fought_to_its_end() -> Result<()> {
    story("brigade", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        choose(&page, "fpw", "fpw/brigade", "against-careful").await?;
        first_order(&page).await?;
        let deeds = fight(&page).await?;
        ensure!(deeds.ordered > 3 && deeds.marched > 0 && deeds.shot > 0, "too little was done: {deeds:?}");
        ensure!(deeds.without_lines == 0, "fire that answers is drawn on the map: {deeds:?}");
        let ending = page.says("ending").await?;
        let titles = ["Victory", "Defeat", "A drawn battle"];
        ensure!(titles.iter().any(|title| ending.contains(title)) && ending.contains("fpw."), "{ending}");
        page.shot("fpw-ending").await?;

        // The record is a battle by the rules: it is played again here, die by die.
        let (id, token) = seat(&page).await?;
        let replay = stage.fetch(&format!("/api/battles/{id}/replay"), &token).await?;
        let replay = engine::replay::ReplayFile::parse(&replay).map_err(|faults| anyhow::anyhow!("{faults}"))?;
        let game = rules::resume(&replay, None)?;
        ensure!(game.outcome().is_some(), "the replay ends as the battle did");
        page.click("to-replay").await?;
        page.part("replay-page").await?;
        page.until("pieces on the table again", "return document.querySelectorAll('[data-test=\"piece\"]').length")
            .await?;
        page.click("next").await?;
        page.until(
            "the next moment",
            "return document.querySelector('[data-test=\"moment-says\"]').textContent.startsWith('1 of ')",
        )
        .await?;
        Ok(())
    })
}

/// A brigade's order by hand: what each unit needs shows before the dice are thrown.
async fn first_order(page: &Browser) -> Result<()> {
    for _ in 0..6 {
        if page.question().await?.contains("orders whom") {
            break;
        }
        page.general_order_last().await?;
        page.still().await?;
    }
    page.asked("orders whom").await?;
    ensure!(page.count("[data-test=\"general-orders\"] [data-test=\"order\"]").await? <= 2, "no wall of buttons");
    ensure!(page.count("[data-test=\"officer\"][data-key=\"@warnstedt\"]").await? == 1, "the general is at hand");
    page.select("@ir1").await?;
    let look = "const order = [...document.querySelectorAll('[data-test=\"card\"] [data-test=\"order\"]')]
           .find((one) => one.dataset.order.startsWith('Move the brigade'));
         order?.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
         return !!order";
    ensure!(page.js(look).await? == true, "the brigade can be moved");
    let glance = page.says("glance").await?;
    ensure!(
        glance.contains("1st Regiment") && glance.contains("2nd Regiment") && glance.contains('%'),
        "each unit's chance to obey shows beforehand: {glance}"
    );
    ensure!(page.count("[data-test=\"aims\"] .command").await? == 2, "a line leads from the general to each of them");
    page.shot("fpw-brigade-order").await.map(drop)
}

async fn fight(page: &Browser) -> Result<Deeds> {
    let (mut deeds, mut lost) = (Deeds::default(), 0);
    for _ in 0..3000 {
        let did = page.js(FIGHT).await?;
        let did = did.as_str().unwrap_or_default();
        lost = if did.starts_with("no orders") { lost + 1 } else { 0 };
        ensure!(did != "frozen" && lost < 40, "the battle is stuck: {did}");
        match did {
            "over" => return Ok(deeds),
            "ordered" => deeds.ordered += 1,
            "marched" => deeds.marched += 1,
            "shot" => deeds.shot += 1,
            "fire with lines" | "fire without lines" => {
                deeds.answered += 1;
                deeds.without_lines += usize::from(did == "fire without lines");
                if deeds.answered == 1 {
                    page.shot("fpw-answer").await?;
                }
                // One key, and everybody who may fires.
                page.keys(['f']).await?;
            }
            _ => {}
        }
        if did == "waiting" || lost > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
        }
    }
    anyhow::bail!("the battle does not end")
}

/// What messages would call the hidden units of a side: keys, names and places.
async fn hidden(stage: &Stage, id: &str, token: &str) -> Result<Vec<String>> {
    let answer = stage.ask("GET", &format!("/api/battles/{id}/board"), Some(token), None).await?;
    let pieces = answer["scene"]["pieces"].as_array().context("no pieces")?;
    let is_hidden = |piece: &&serde_json::Value| {
        piece["looks"].as_array().is_some_and(|looks| looks.iter().any(|look| look == "hidden"))
    };
    let mut found = Vec::new();
    // Who leads the armies is known to both sides.
    let is_troops = |piece: &&serde_json::Value| piece["kind"] != "general" && piece["kind"] != "chief_general";
    for piece in pieces.iter().filter(is_hidden).filter(is_troops) {
        let key = piece["key"].as_str().context("no key")?.trim_start_matches('@');
        found.push(format!("\"key\":\"{key}\""));
        found.push(format!("\"name\":{}", piece["name"]));
        found.push(format!("[{},{},", piece["pose"][0], piece["pose"][1]));
    }
    Ok(found)
}

#[test]
fn an_army_set_up_in_secret_is_sent_to_nobody_else() -> Result<()> {
    story("outposts", async |stage| {
        let prussian = stage.browser(Screen::Desktop).await?;
        choose(&prussian, "fpw", "fpw/outposts", "against-friend").await?;
        prussian.click("menu").await?;
        let links = prussian
            .js("return [...document.querySelectorAll('[data-test=\"invitation\"]')].map((one) => one.value)")
            .await?;
        let links: Vec<String> = serde_json::from_value(links)?;
        let [friend, watch, _own] = &links[..] else { anyhow::bail!("three links are handed out: {links:?}") };
        prussian.click("menu").await?;
        let french = stage.browser(Screen::Desktop).await?;
        french.follow(friend).await?;
        french.at_table().await?;
        let watcher = stage.browser(Screen::Phone).await?;
        watcher.follow(watch).await?;
        watcher.at_table().await?;

        let sides = [&prussian, &french];
        let first = usize::from(!prussian.question().await?.contains("Where do your troops stand?"));
        for page in [sides[first], sides[1 - first]] {
            page.asked("Where do your troops stand?").await?;
            page.click("give").await?;
        }
        // The chronicle, too: a hidden unit is ordered about, and only its owner hears of it.
        let acting = if waits(&prussian).await? { &french } else { &prussian };
        for _ in 0..12 {
            let did = acting.js(FIGHT).await?;
            if did == "marched" || did == "waiting" {
                break;
            }
            acting.still().await?;
        }
        let (id, prussian_key) = seat(&prussian).await?;
        let (_, french_key) = seat(&french).await?;
        for (page, key) in [(&prussian, &prussian_key), (&french, &french_key)] {
            page.go(&format!("/#/replay/{id}/{key}")).await?;
            page.part("replay-page").await?;
            page.keys([Key::End.into()]).await?;
            page.until("the last moment", "return document.querySelectorAll('[data-test=\"piece\"]').length").await?;
        }
        for (owner, key, other) in [(&prussian, &prussian_key, &french), (&french, &french_key, &prussian)] {
            let secrets = hidden(stage, &id, key).await?;
            ensure!(secrets.len() >= 9, "hardly anything is hidden: {secrets:?}");
            for secret in &secrets {
                ensure!(owner.tap.has_heard(secret), "its owner was sent {secret}");
                ensure!(!other.tap.has_heard(secret), "the enemy was sent {secret}");
                ensure!(!watcher.tap.has_heard(secret), "a watcher was sent {secret}");
            }
        }
        prussian.shot("outposts-prussian").await?;
        watcher.shot("outposts-watcher").await.map(drop)
    })
}

/// Whether somebody else is asked.
async fn waits(page: &Browser) -> Result<bool> {
    page.still().await?;
    page.shows("waiting").await
}
