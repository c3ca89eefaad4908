//! Voice of the Guns: both sides plan a whole army in secret. The plan is made by hand, survives a reload, stays on the
//! server until both are in, and is then played out quarter by quarter.

use crate::story;
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen, Stage};
use serde_json::{Value, json};
use std::time::Duration;

/// The battle, cut short so that it is fought to its end in a minute.
const SCENARIO: &str = "guns/colombey";
const BOUNDS: &str = "turn_limit = 3";

/// One answer through the page's own buttons. Says in a word what was done.
const ANSWER: &str = r#"
const parts = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].filter((one) => one.offsetParent);
const next = () => new Promise((on) => requestAnimationFrame(() => setTimeout(on, 5)));
if (parts("ending").length) return "over";
if (parts("frozen").length) return "frozen";
if (parts("waiting").length || document.querySelector('[data-test="question"][aria-busy="true"]')) return "waiting";
const hold = "HOLD";
if (hold && (parts("question")[0]?.textContent ?? "").includes(hold)) return "held";
const orders = [...document.querySelectorAll('[data-test="general-orders"] [data-test="order"]')].filter((one) => !one.disabled);
const give = () => { const one = parts("give")[0]; if (!one || one.disabled) return false; one.click(); return true; };
const wishes = ["Every brigade that may", "Let the staff deal", "Keep to the old", "Everybody fires", "Let the brigadiers", "All counter", "Stand by", "Ride through"];
const order = wishes.map((wish) => orders.find((one) => one.dataset.order.startsWith(wish))).find((one) => one) ?? orders.at(-1);
if (!order) return give() ? "gave" : "nothing: " + (parts("question")[0]?.textContent ?? "");
order.click();
await next();
if (parts("cancel").length) give();
return order.dataset.order;
"#;

/// Calls a battle between two people into being and seats them.
async fn seated(stage: &Stage, first: Screen, second: Screen) -> Result<[std::sync::Arc<Browser>; 2]> {
    let text = rules::scenario(SCENARIO).context("no such scenario")?.text;
    let text: Vec<&str> = text.lines().map(|line| if line.starts_with("turn_limit") { BOUNDS } else { line }).collect();
    let wish = json!({ "setup": text.join("\n"), "seats": ["human", "human"] });
    let made = stage.ask("POST", "/api/battles", None, Some(&wish)).await?;
    let id = made["id"].as_str().context("no id")?;
    let mut seats = Vec::new();
    for (side, screen) in [("a", first), ("b", second)] {
        let token = made["tokens"][side].as_str().context("no token")?;
        let page = stage.browser(screen).await?;
        page.go(&format!("/#/battle/{id}/{token}")).await?;
        page.at_table().await?;
        seats.push(page);
    }
    seats.try_into().map_err(|_| anyhow::anyhow!("two seats"))
}

/// Answers whatever either is asked until one of them is asked something with these words; says who.
async fn until_asked(pages: &[&Browser], words: &str) -> Result<usize> {
    for _ in 0..400 {
        for (n, page) in pages.iter().enumerate() {
            let did = answer_but(page, words).await?;
            if did == "held" {
                return Ok(n);
            }
            ensure!(did != "over", "the battle is over before anybody is asked “{words}”");
        }
    }
    anyhow::bail!("nobody is ever asked “{words}”")
}

/// Answers whatever either is asked, short of this side's plan and the enemy's.
async fn until_planning(pages: &[&Browser; 2], planner: usize) -> Result<()> {
    const PLAN: &str = "What does everybody do";
    for _ in 0..400 {
        for page in pages {
            answer_but(page, PLAN).await?;
        }
        if answer_but(pages[planner], PLAN).await? == "held" {
            return Ok(());
        }
    }
    anyhow::bail!("no plan is asked for")
}

async fn answer(page: &Browser) -> Result<String> {
    answer_but(page, "").await
}

/// Answers, unless the question has these words.
async fn answer_but(page: &Browser, words: &str) -> Result<String> {
    let did = page.js(&ANSWER.replace("HOLD", words)).await?;
    let did = did.as_str().unwrap_or_default().to_owned();
    ensure!(did != "frozen" && !did.starts_with("nothing"), "the battle is stuck: {did}");
    if did == "waiting" {
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    Ok(did)
}

/// The legs of the plan in hand, as messages write them.
async fn legs(page: &Browser) -> Result<Vec<String>> {
    let kept = page
        .until(
            "the plan on the shelf",
            "return Object.keys(localStorage).filter((key) => key.startsWith('grognard-plan ')).map((key) => localStorage[key])[0]",
        )
        .await?;
    let kept: Value = serde_json::from_str(kept.as_str().unwrap_or_default())?;
    let mut found = Vec::new();
    fn walk(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) if text.starts_with("ahead ") => found.push(text.clone()),
            Value::Array(list) => list.iter().for_each(|one| walk(one, found)),
            Value::Object(fields) => fields.values().for_each(|one| walk(one, found)),
            _ => {}
        }
    }
    walk(&kept, &mut found);
    Ok(found)
}

/// Deals every die by hand: the first is dragged, the others are taken and put down with a click each.
async fn deal(page: &Browser) -> Result<()> {
    let dice = page.count("[data-test=\"die\"]").await?;
    ensure!(dice > 0 && page.count("[data-test=\"deal-row\"]").await? == dice, "a die for each brigade named");
    let middle = |selector: &str| {
        format!(
            "const box = document.querySelector('{selector}').getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]"
        )
    };
    let from: (f64, f64) = serde_json::from_value(page.js(&middle("[data-test=\"die\"]")).await?)?;
    let to: (f64, f64) = serde_json::from_value(page.js(&middle("[data-test=\"deal-row\"]")).await?)?;
    page.drag(&[from, to]).await?;
    page.until("the die on its row", "return document.querySelector('[data-test=\"deal-row\"] [data-test=\"die\"]')")
        .await?;
    for row in 1..dice {
        page.click_on("[data-test=\"deal\"] [data-test=\"die\"]").await?;
        page.click_on(&format!("[data-deal-to=\"{row}\"] .deal-name")).await?;
    }
    ensure!(page.count("[data-test=\"deal\"] [data-test=\"die\"]").await? == 0, "all are dealt");
    page.shot("guns-dice").await?;
    // The staff's own deal is always legal; ours may break the rule that no useful die is left over.
    match page.js("return document.querySelector('[data-test=\"give\"]').disabled").await? {
        Value::Bool(false) => page.click("give").await,
        _ => page.general_order("Let the staff deal them").await,
    }
}

/// A unit of the plan that can march and stands on the map, and whose brigade can do the same.
async fn marcher(page: &Browser) -> Result<String> {
    let keys =
        page.js("return [...document.querySelectorAll('[data-test=\"planned\"]')].map((one) => one.dataset.key)");
    let keys: Vec<String> = serde_json::from_value(keys.await?)?;
    for key in keys {
        let script = format!(
            "document.querySelector('.left [data-test=\"unit\"][data-key=\"{key}\"]')?.click();
             await new Promise((on) => requestAnimationFrame(() => setTimeout(on, 5)));
             return !!document.querySelector('[data-test=\"option\"][data-option=\"March\"]')
               && !!document.querySelector('[data-test=\"piece\"][data-key=\"{key}\"]')"
        );
        if page.js(&script).await? == true {
            return Ok(key);
        }
    }
    anyhow::bail!("nobody can march")
}

/// How many have something to do.
async fn moving(page: &Browser) -> Result<usize> {
    let words = page.says("tally").await?;
    words.split_whitespace().next().and_then(|word| word.parse().ok()).with_context(|| words.clone())
}

#[test]
fn a_sealed_plan_stays_on_the_server_until_both_are_in() -> Result<()> {
    story("guns", async |stage| {
        let [french, prussian] = seated(stage, Screen::Desktop, Screen::Desktop).await?;
        let pages = [&*french, &*prussian];
        let dealer = until_asked(&pages, "who gets which?").await?;
        deal(pages[dealer]).await?;

        // Whoever dealt dice has brigades that move; the other side's plan may wait.
        let planner = dealer;
        until_planning(&pages, planner).await?;
        let (mine, other) = (pages[planner], pages[1 - planner]);
        mine.part("tally").await?;
        let key = marcher(mine).await?;
        let from = mine.piece(&key).await?;
        let ahead = if planner == 0 { -1.0 } else { 1.0 };
        mine.drag(&[from, (from.0, from.1 + ahead * 23.0)]).await?;
        ensure!(mine.says("legs").await?.contains("cm"), "lengths are centimetres");
        ensure!(mine.count("[data-test=\"ghost\"] [data-ghost]").await? >= 1, "the plan is drawn");
        let before = moving(mine).await?;
        mine.click("copy-brigade").await?;
        ensure!(moving(mine).await? > before, "the brigade does the same");
        mine.shot("guns-plan").await?;

        // A reload does not cost it.
        let (count, plan) = (moving(mine).await?, legs(mine).await?);
        ensure!(plan.len() > 1, "several march: {plan:?}");
        mine.client.refresh().await?;
        mine.at_table().await?;
        mine.part("tally").await?;
        ensure!(moving(mine).await? == count && legs(mine).await? == plan, "the plan is taken up again");

        let secrets = sealed(mine, other).await?;
        mine.asked("Waiting").await?;
        // Long enough for anything that was going to leak to have leaked.
        tokio::time::sleep(Duration::from_millis(500)).await;
        for secret in &secrets {
            ensure!(!other.tap.has_heard(secret), "the enemy was sent {secret} before the reveal");
        }
        other.asked("What does everybody do").await?;
        other.general_order("Let the brigadiers see to it").await?;
        other
            .until(
                "the reveal",
                "return !document.querySelector('[data-test=\"question\"] h2').textContent.includes('everybody')",
            )
            .await?;
        for secret in &secrets {
            ensure!(other.tap.has_heard(secret), "once both are in, {secret} is told");
        }
        watch(mine).await?;
        finish(stage, &pages).await
    })
}

/// Nothing a finger has to hit is smaller than this, in pixels.
const FINGER: f64 = 44.0;

#[test]
fn a_plan_is_drawn_and_sealed_with_one_finger() -> Result<()> {
    story("guns-phone", async |stage| {
        // The second side attacks, so that its brigades have somewhere to go.
        let [other, phone] = seated(stage, Screen::Desktop, Screen::Phone).await?;
        let key = until_marching(&[&*other, &*phone]).await?;

        // The unit is touched, and its card can be reached with the sheet as low as it lies.
        phone.touch(phone.piece(&key).await?).await?;
        phone.part("held-piece").await?;
        phone.shot("guns-phone-card").await?;
        phone.click_on("[data-test=\"option\"][data-option=\"March\"]").await?;
        let key = phone.js("return document.querySelector('[data-test=\"held-piece\"]').dataset.key").await?;
        let from = phone.piece(key.as_str().context("nobody in hand")?).await?;
        phone.drag(&[from, (from.0, from.1 + 12.0)]).await?;
        ensure!(phone.says("legs").await?.contains("cm"), "a path is drawn");
        ensure!(moving(&phone).await? >= 1, "somebody has something to do");
        phone.shot("guns-phone-path").await?;
        roomy(&phone).await?;

        do_duty(&phone).await?;
        phone.shot("guns-phone-plan").await?;
        phone.click("give").await?;
        phone.asked("Waiting").await?;
        other.general_order("Let the brigadiers see to it").await?;
        phone.part("film").await?;
        phone.shot("guns-phone-film").await?;
        phone.click("film-skip").await?;
        phone.gone("film").await
    })
}

/// Goes on to the first plan in which somebody of the second side can march; who.
async fn until_marching(pages: &[&Browser; 2]) -> Result<String> {
    for _ in 0..3 {
        until_planning(pages, 1).await?;
        if let Ok(key) = marcher(pages[1]).await {
            return Ok(key);
        }
        answer(pages[1]).await?;
        answer(pages[0]).await?;
    }
    anyhow::bail!("nobody of the second side is ever roused")
}

/// Whoever must still go does his duty and his brigade with him, until the plan may be sealed.
async fn do_duty(page: &Browser) -> Result<()> {
    const SEALABLE: &str = "return !document.querySelector('[data-test=\"give\"]').disabled";
    for _ in 0..8 {
        if page.js(SEALABLE).await? == true {
            return Ok(());
        }
        // What is against it can be read, and put away again.
        page.click("why").await?;
        let reasons = page.says("reasons").await?;
        ensure!(reasons.contains("guns."), "every reason has its clause: {reasons}");
        page.shot("guns-phone-reasons").await?;
        page.click("why").await?;
        page.click("next-idle").await?;
        page.click_on("[data-test=\"option\"][data-option=\"Do its duty\"]").await?;
        page.click("copy-brigade").await?;
    }
    anyhow::bail!("duty is done, and still the plan is refused: {}", page.says("why").await?)
}

/// Everything to be pressed in the sheet is large enough for a finger.
async fn roomy(page: &Browser) -> Result<()> {
    let script = "return [...document.querySelectorAll('.planner button')].filter((one) => one.offsetParent)
        .filter((one) => !one.classList.contains('clause') && one.getBoundingClientRect().height < FINGER)
        .map((one) => one.dataset.test ?? one.textContent)";
    let small = page.js(&script.replace("FINGER", &FINGER.to_string())).await?;
    ensure!(small.as_array().is_some_and(Vec::is_empty), "too small for a finger: {small}");
    Ok(())
}

/// Seals the plan, an aide's where the one made by hand is not legal; what of it the enemy has never heard before.
async fn sealed(page: &Browser, enemy: &Browser) -> Result<Vec<String>> {
    if page.js("return document.querySelector('[data-test=\"give\"]').disabled").await? == true {
        let reasons = page.says("reasons").await?;
        ensure!(reasons.contains("guns."), "every reason has its clause: {reasons}");
        page.click("clear-plan").await?;
        page.click("clear-plan").await?;
        page.click("aide").await?;
    }
    let plan = legs(page).await?;
    page.click("give").await?;
    let secrets = plan.iter().map(|leg| format!("\"{leg}\"")).filter(|leg| !enemy.tap.has_heard(leg));
    let secrets: Vec<String> = secrets.collect();
    ensure!(!secrets.is_empty(), "the plan has something nobody has heard before: {plan:?}");
    Ok(secrets)
}

/// The moves of both sides, part by part.
async fn watch(page: &Browser) -> Result<()> {
    page.part("film").await?;
    page.click("film-play").await?;
    let title = page.says("film-title").await?;
    ensure!(title.contains(" of "), "{title}");
    page.shot("guns-film").await?;
    page.click("film-on").await?;
    page.click("film-skip").await?;
    page.gone("film").await?;
    page.click("film-again").await?;
    page.part("film").await?;
    page.click("film-skip").await
}

/// Both answer whatever they are asked until the battle is over.
async fn finish(stage: &Stage, pages: &[&Browser; 2]) -> Result<()> {
    for _ in 0..600 {
        let mut over = true;
        for page in pages {
            over &= answer(page).await? == "over";
        }
        if over {
            let ending = pages[0].says("ending").await?;
            ensure!(ending.contains("guns."), "an ending has its clause: {ending}");
            pages[0].shot("guns-ending").await?;
            // The record is a battle by the rules: it is played again here, die by die.
            let (id, token) = crate::seat(pages[0]).await?;
            let replay = stage.fetch(&format!("/api/battles/{id}/replay"), &token).await?;
            let replay = engine::replay::ReplayFile::parse(&replay).map_err(|faults| anyhow::anyhow!("{faults}"))?;
            ensure!(rules::resume(&replay, None)?.outcome().is_some(), "the replay ends as the battle did");
            return Ok(());
        }
    }
    anyhow::bail!("the battle does not end")
}
