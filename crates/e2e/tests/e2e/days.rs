//! Days of Iron and Days of Empire: a whole battle of each against the computer, and an army part of which lies hidden.

use crate::{choose, seat, story};
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen, Stage};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// One answer through the page's own buttons: whoever can charges, fires and goes forward. Says in a word what was done.
const FIGHT: &str = r#"
const parts = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].filter((one) => one.offsetParent);
const next = () => new Promise((on) => requestAnimationFrame(() => setTimeout(on, 5)));
if (parts("ending").length) return "over";
if (parts("frozen").length) return "frozen";
if (parts("waiting").length) return "waiting";
const asked = parts("question")[0]?.querySelector("h2")?.textContent ?? "";
const orders = () => [...document.querySelectorAll('[data-test="general-orders"] [data-test="order"]')].filter((one) => !one.disabled);
const units = () => [...document.querySelectorAll('.left [data-test="unit"]:not(.gone)')];
const of_card = (word) => [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].find((one) => one.dataset.order.startsWith(word));
const give = () => { const one = parts("give")[0]; if (!one || one.disabled) return false; one.click(); return true; };
const press = (word) => { const one = orders().find((one) => one.dataset.order.startsWith(word)); one?.click(); return !!one; };
const memory = (window.fought ??= { turn: "", moved: [] });
const turn = parts("when")[0]?.textContent ?? "";
if (memory.turn !== turn) { memory.turn = turn; memory.moved = []; }
if (asked.startsWith("Which of your units charge")) {
  for (const row of parts("planned")) {
    const key = row.dataset.key;
    document.querySelector(`.left [data-test="unit"][data-key="${key}"]`)?.click();
    await next();
    const option = parts("option").find((one) => /charge/i.test(one.dataset.option) && !one.dataset.option.startsWith("Does not"));
    if (!option) continue;
    option.click();
    await next();
    parts("choice")[0]?.click();
    await next();
  }
  const lines = document.querySelectorAll('[data-test="aims"] .aim').length;
  if (parts("cancel").length || parts("planned").length) if (give()) return lines ? "charged with lines" : "charged nobody";
}
if (asked.startsWith("What do your troops fire") && press("Everybody fires")) { await next(); give(); return "fired"; }
if (asked.startsWith("Who moves next?")) {
  for (const unit of units()) {
    const key = unit.dataset.key;
    if (memory.moved.includes(key) || unit.querySelector(".guns, .general")) continue;
    memory.moved.push(key);
    unit.click();
    await next();
    const march = of_card("March");
    if (!march) continue;
    march.click();
    await next();
    for (let n = 0; n < 6; n += 1) document.querySelector('[aria-label="half an inch ahead"]')?.click();
    await next();
    if (give()) return "marched";
    parts("cancel")[0]?.click();
    await next();
  }
  return press("No more moves") ? "no more moves" : "stuck";
}
const wishes = ["As the scenario says", "As the scenario places", "The next, as", "Generals help", "Fire at all", "Press on", "As it comes", "Straight on", "Fight on"];
const wish = wishes.map((wish) => orders().find((one) => one.dataset.order.startsWith(wish))).find((one) => one) ?? orders().at(-1);
if (wish) { wish.click(); await next(); if (parts("cancel").length) give(); return "pressed " + wish.dataset.order; }
if (give()) return "gave";
const card = [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].at(-1);
if (card) { card.click(); await next(); give(); return "answered " + card.dataset.order; }
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
    charged: usize,
    /// Shots of the first charge that was shown as a film.
    shots: usize,
    fired: usize,
    marched: usize,
}

async fn step(page: &Browser) -> Result<String> {
    let did = page.js(FIGHT).await?;
    let did = did.as_str().unwrap_or_default().to_owned();
    ensure!(did != "frozen", "the battle is frozen");
    if did == "waiting" || did.starts_with("no orders") {
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    Ok(did)
}

/// Whether a film runs.
const SHOWN: &str = "return !!document.querySelector('[data-test=\"film\"]')";

/// Where all pieces stand on the map.
const PLACES: &str = "return [...document.querySelectorAll('[data-test=\"piece\"]')].map((one) => `${one.dataset.key} ${one.getAttribute('transform') ?? one.innerHTML}`).sort().join()";

/// Watches a charge shot by shot: each has a title, and somebody stands elsewhere than in the one before. So many there are.
async fn watch(page: &Browser, edition: &str) -> Result<usize> {
    page.js("const play = document.querySelector('[data-test=\"film-play\"]'); if (play?.textContent === '❚❚') play.click()")
        .await?;
    page.js(
        "for (let n = 0; n < 20; n += 1) document.querySelector('[data-test=\"film-back\"]:not(:disabled)')?.click()",
    )
    .await?;
    let title = page.says("film-title").await?;
    let count: usize =
        title.split(" of ").nth(1).and_then(|of| of.trim_end_matches(')').parse().ok()).context(title)?;
    let mut before = page.js(PLACES).await?;
    for shot in 1..count {
        page.click("film-on").await?;
        let title = page.says("film-title").await?;
        ensure!(title.contains(&format!("({} of {count})", shot + 1)), "{title}");
        let now = page.js(PLACES).await?;
        ensure!(now != before, "nobody moved in shot {shot}, {title}");
        before = now;
        if shot == 1 {
            page.shot(&format!("{edition}-film")).await?;
        }
    }
    page.click("film-skip").await?;
    page.gone("film").await?;
    Ok(count)
}

/// Fights until it is over.
async fn fight(page: &Browser, edition: &str) -> Result<Deeds> {
    let (mut deeds, mut lost) = (Deeds::default(), 0);
    for _ in 0..1500 {
        if deeds.shots == 0 && page.js(SHOWN).await? == true {
            deeds.shots = watch(page, edition).await?;
        }
        let did = step(page).await?;
        // While an answer is on its way the question may change under one's hands; but not for ever.
        lost = if did.starts_with("no orders") { lost + 1 } else { 0 };
        ensure!(lost < 40, "the battle is stuck: {did}");
        match did.as_str() {
            "over" => return Ok(deeds),
            "charged with lines" => deeds.charged += 1,
            "fired" => deeds.fired += 1,
            "marched" => deeds.marched += 1,
            _ => {}
        }
    }
    anyhow::bail!("the battle does not end: {deeds:?}")
}

/// The same seat on a phone: the map with all pieces, the question, and nothing wider than the screen.
async fn on_a_phone(stage: &Stage, page: &Browser, edition: &str) -> Result<()> {
    let (id, token) = seat(page).await?;
    let phone = stage.browser(Screen::Phone).await?;
    phone.go(&format!("/#/battle/{id}/{token}")).await?;
    phone.at_table().await?;
    phone.part("question").await?;
    let pieces = "return document.querySelectorAll('[data-test=\"piece\"]').length";
    ensure!(phone.js(pieces).await? == page.js(pieces).await?, "the phone shows other pieces");
    let fits = "return document.documentElement.scrollWidth <= window.innerWidth";
    ensure!(phone.js(fits).await? == true, "the page is wider than a phone");
    phone.shot(&format!("{edition}-phone")).await?;
    Ok(())
}

/// From the first page to the ending, and from there to the replay.
async fn whole_battle(stage: &Stage, edition: &str) -> Result<()> {
    let page = stage.browser(Screen::Desktop).await?;
    choose(&page, edition, &format!("{edition}/lesson"), "against-careful").await?;
    page.shot(&format!("{edition}-begin")).await?;
    on_a_phone(stage, &page, edition).await?;
    let deeds = fight(&page, edition).await?;
    ensure!(deeds.fired > 0 && deeds.marched > 3, "too little was done: {deeds:?}");
    ensure!(deeds.charged > 0, "nobody charged with the lines of both impulses drawn: {deeds:?}");
    ensure!(deeds.shots > 1, "no charge was shown as a film: {deeds:?}");
    let ending = page.says("ending").await?;
    let titles = ["Victory", "Defeat", "A drawn battle"];
    let cites = ending.contains("days.") || ending.contains(&format!("{edition}."));
    ensure!(titles.iter().any(|title| ending.contains(title)) && cites, "{ending}");
    page.shot(&format!("{edition}-ending")).await?;

    // The record is a battle by the rules: it is played again here, die by die.
    let (id, token) = seat(&page).await?;
    let replay = stage.fetch(&format!("/api/battles/{id}/replay"), &token).await?;
    let replay = engine::replay::ReplayFile::parse(&replay).map_err(|faults| anyhow::anyhow!("{faults}"))?;
    ensure!(rules::resume(&replay, None)?.outcome().is_some(), "the replay ends as the battle did");
    page.click("to-replay").await?;
    page.part("replay-page").await?;
    page.until("pieces on the table again", "return document.querySelectorAll('[data-test=\"piece\"]').length").await?;
    Ok(())
}

#[test]
fn a_battle_of_1870_is_fought_to_its_end() -> Result<()> {
    story("iron", async |stage| whole_battle(stage, "iron").await)
}

#[test]
fn a_battle_of_1854_is_fought_to_its_end() -> Result<()> {
    story("empire", async |stage| whole_battle(stage, "empire").await)
}

/// The smallest battle, set up by hand, in which a French battalion lies hidden behind the ridge.
fn set_up_by_hand() -> Result<String> {
    let text = rules::scenario("iron/lesson").context("no such scenario")?.text;
    let mut lines = Vec::new();
    let mut section = "";
    for line in text.lines().filter(|line| *line != "deployed = true") {
        section = if line.starts_with('[') { line } else { section };
        let is_battalion = section == "[units.ligne]";
        match line.split(' ').next() {
            Some("pose") if is_battalion => {
                lines.extend(["pose = [\"12in\", \"32in\", 180]", "hidden = true"]);
            }
            Some("stands") if is_battalion => lines.push("stands = 10"),
            Some("formation") if is_battalion => lines.push("formation = \"manoeuvre\""),
            _ => lines.push(line),
        }
    }
    Ok(lines.join("\n"))
}

/// Two people at the two ends of a battle.
async fn seated(stage: &Stage, setup: String) -> Result<[Arc<Browser>; 2]> {
    let made =
        stage.ask("POST", "/api/battles", None, Some(&json!({ "setup": setup, "seats": ["human", "human"] }))).await?;
    let id = made["id"].as_str().with_context(|| made.to_string())?;
    let mut seats = Vec::new();
    for side in ["a", "b"] {
        let token = made["tokens"][side].as_str().context("no token")?;
        let page = stage.browser(Screen::Desktop).await?;
        page.go(&format!("/#/battle/{id}/{token}")).await?;
        page.at_table().await?;
        seats.push(page);
    }
    seats.try_into().map_err(|_| anyhow::anyhow!("two seats"))
}

/// What messages would call a side's hidden units: keys, names and places.
async fn secrets(stage: &Stage, page: &Browser) -> Result<Vec<String>> {
    let (id, token) = seat(page).await?;
    let answer = stage.ask("GET", &format!("/api/battles/{id}/board"), Some(&token), None).await?;
    let pieces = answer["scene"]["pieces"].as_array().context("no pieces")?;
    let is_hidden = |piece: &&Value| {
        piece["looks"].as_array().is_some_and(|looks| looks.iter().any(|look| look == "hidden"))
            && piece["kind"] != "general"
            && piece["kind"] != "chief_general"
    };
    let mut found = Vec::new();
    for piece in pieces.iter().filter(is_hidden) {
        let key = piece["key"].as_str().context("no key")?.trim_start_matches('@');
        found.push(format!("\"key\":\"{key}\""));
        found.push(format!("\"name\":{}", piece["name"]));
        found.push(format!("[{},{},", piece["pose"][0], piece["pose"][1]));
    }
    Ok(found)
}

/// Drags a ghost of the set-up by so many pixels; whether the order may still be given.
async fn carry(page: &Browser, key: &str, by: (f64, f64)) -> Result<bool> {
    let script = format!(
        "const box = document.querySelector('[data-ghost=\"{key}\"] .body')?.getBoundingClientRect();
         return box ? [box.x + box.width / 2, box.y + box.height / 2] : null"
    );
    let from: (f64, f64) = serde_json::from_value(page.until(&format!("the ghost of {key}"), &script).await?)?;
    page.drag(&[from, (from.0 + by.0, from.1 + by.1)]).await?;
    let to: (f64, f64) = serde_json::from_value(page.until(&format!("the ghost of {key}"), &script).await?)?;
    ensure!((to.0 - from.0 - by.0).abs() < 4.0, "the ghost of {key} follows the pointer: {from:?} to {to:?}");
    Ok(page.js("return !document.querySelector('[data-test=\"give\"]').disabled").await? == true)
}

#[test]
fn what_lies_hidden_is_sent_to_its_owner_alone_until_it_is_seen() -> Result<()> {
    story("hidden-battalion", async |stage| {
        let [prussian, french] = seated(stage, set_up_by_hand()?).await?;
        for page in [&prussian, &french] {
            page.asked("Who stays off the table").await?;
            page.general_order("As the scenario says").await?;
        }
        // Brigade by brigade: the first that is asked drags a piece within the zone that is drawn.
        let mut dragged = false;
        for _ in 0..40 {
            for (page, key, ahead) in [(&prussian, "@musketeers", -300.0), (&french, "@chasseurs", 300.0)] {
                if page.question().await?.starts_with("Which brigade") {
                    let here = page.count(&format!("[data-ghost=\"{key}\"]")).await? > 0;
                    if here && !dragged {
                        ensure!(page.count(".zone").await? > 0, "the zone is drawn");
                        ensure!(!carry(page, key, (0.0, ahead)).await?, "nobody is set up outside his zone");
                        page.shot("days-outside-the-zone").await?;
                        page.click_on("[data-test=\"general-orders\"] [data-order^=\"Set up\"]").await?;
                        dragged = carry(page, key, (11.0, 0.0)).await?;
                        ensure!(dragged, "a little aside is allowed: {}", page.says("in-hand").await?);
                        page.shot("days-set-up").await?;
                    }
                    page.click("give").await?;
                    page.still().await?;
                }
            }
            if dragged && told(&prussian, "Turn 1").await? {
                break;
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        ensure!(dragged, "somebody drags his troops about");

        let hidden = secrets(stage, &french).await?;
        ensure!(hidden.len() == 3, "one battalion lies hidden: {hidden:?}");
        // A turn is fought until the French may move: what is hidden stays unsaid.
        french.shot("days-hidden-owner").await?;
        prussian.shot("days-hidden-enemy").await?;
        until_moving(&french, &prussian).await?;
        for secret in &hidden {
            ensure!(french.tap.has_heard(secret), "its owner was sent {secret}");
            ensure!(!prussian.tap.has_heard(secret), "the enemy was sent {secret}");
        }
        french.select("@ligne").await?;
        french.order("Show itself").await?;
        if french.shows("give").await? {
            french.click("give").await?;
        }
        prussian
            .until("the battalion on the enemy's map", "return !!document.querySelector('[data-key=\"@ligne\"]')")
            .await?;
        ensure!(prussian.tap.has_heard(&hidden[1]), "once it shows itself the enemy is told its name");
        prussian.shot("days-shown-enemy").await.map(drop)
    })
}

/// Whether the page says that it is this turn.
async fn told(page: &Browser, when: &str) -> Result<bool> {
    let script =
        format!("return (document.querySelector('[data-test=\"when\"]')?.textContent ?? '').includes({when:?})");
    Ok(page.js(&script).await? == true)
}

/// Holds fire and stands still on both sides until one of them is asked who moves.
async fn until_moving(mover: &Browser, other: &Browser) -> Result<()> {
    const DECLINE: &str = r#"
const parts = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].filter((one) => one.offsetParent);
if (parts("waiting").length) return "waiting";
const orders = [...document.querySelectorAll('[data-test="general-orders"] [data-test="order"]')].filter((one) => !one.disabled);
orders.at(-1)?.click();
return orders.at(-1)?.dataset.order ?? "nothing";
"#;
    for _ in 0..200 {
        if mover.question().await?.starts_with("Who moves next?") {
            return Ok(());
        }
        mover.js(DECLINE).await?;
        other.js(DECLINE).await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    anyhow::bail!("nobody is asked to move: {} / {}", mover.question().await?, other.question().await?)
}
