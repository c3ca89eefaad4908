//! One player: the newcomer, the lesson, a whole battle.

use crate::{small_battle, story};
use anyhow::{Context, Result, ensure};
use e2e::{Browser, Screen};

#[test]
fn a_newcomer_is_in_a_battle_after_one_click_and_moves_a_unit() -> Result<()> {
    story("newcomer", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.go("/").await?;
        page.part("home").await?;
        page.shot("home").await?;
        page.click("quick").await?;
        page.at_table().await?;
        ensure!(page.place().await?.starts_with("#/battle/"), "one click leads to a battle");
        page.asked("Where do your troops stand?").await?;
        page.shot("deployment").await?;
        page.click("give").await?;
        page.asked("Which piece acts next").await?;

        // The 40th march two inches forward: south, which is down.
        let before = page.piece("@regulars").await?;
        let inch = inch(&page).await?;
        page.drag(&[before, (before.0, before.1 + 2.5 * inch)]).await?;
        ensure!(page.count("[data-test=\"ghost\"] *").await? > 0, "a ghost shows where the unit would stand");
        let phrase = page.says("phrase").await?;
        ensure!(phrase.contains("40th Foot"), "the order is said in words: {phrase}");
        ensure!(!page.shows("reasons").await?, "nothing speaks against a short march");
        page.shot("first-order").await?;
        page.click("give").await?;
        page.told("40th Foot moves").await?;
        let after = page.piece("@regulars").await?;
        let (across, down) = ((after.0 - before.0) / inch, (after.1 - before.1) / inch);
        ensure!(
            across.abs() < 0.6 && (1.5..=3.5).contains(&down),
            "it went {down:.1} inches down and {across:.1} across"
        );

        // The gun is to go farther than it can; the rules forbid it and say why, with a clause.
        page.select("@grasshopper").await?;
        page.order("Move").await?;
        for _ in 0..8 {
            page.click_on("[aria-label=\"half an inch ahead\"]").await?;
        }
        let reasons = page.says("reasons").await?;
        ensure!(reasons.contains("awi."), "every reason has its clause: {reasons}");
        ensure!(page.seen("[data-test=\"give\"]").await?.attr("disabled").await?.is_some(), "it cannot be given");
        page.shot("refusal").await?;
        page.click_on("[data-test=\"reasons\"] [data-test=\"clause-link\"]").await?;
        let clause = page.says("clause-drawer").await?;
        ensure!(clause.contains("awi.") && clause.len() > 80, "the clause is told in our words: {clause}");
        Ok(())
    })
}

#[test]
fn the_lesson_ticks_off_what_was_learnt() -> Result<()> {
    story("lesson", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        page.go("/").await?;
        page.click("learn").await?;
        page.at_table().await?;
        ensure!(page.count("[data-test=\"skill\"]").await? == 5, "five skills are taught");
        ensure!(page.says("coach-says").await?.len() > 20, "the coach says what to do");
        // Whatever the rally dice ask is answered until the troops may march.
        for _ in 0..20 {
            if page.question().await?.contains("Which piece acts next") {
                break;
            }
            page.js(FIGHT).await?;
            page.still().await?;
        }
        page.asked("Which piece acts next").await?;
        ensure!(page.js(&learnt("Move")).await? == false, "nobody has moved yet");
        page.select("@grenadiers").await?;
        page.until("selecting to be ticked off", &learnt("Select")).await?;
        page.order("Move").await?;
        page.click_on("[aria-label=\"half an inch ahead\"]").await?;
        page.click("give").await?;
        page.until("moving to be ticked off", &learnt("Move")).await?;
        page.shot("lesson").await?;
        Ok(())
    })
}

/// Asks the page whether a skill is ticked off.
fn learnt(skill: &str) -> String {
    format!(
        "return [...document.querySelectorAll('[data-test=\"skill\"]')]
           .some((one) => one.textContent.includes('{skill}') && one.classList.contains('done'))"
    )
}

/// Fires with whoever may, gives what lies in the hand, and ends what cannot be done; through the page's own buttons.
const FIGHT: &str = r#"
const parts = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].filter((one) => one.offsetParent);
const next = () => new Promise((on) => requestAnimationFrame(() => setTimeout(on, 5)));
if (parts("ending").length) return "over";
if (parts("frozen").length) return "frozen";
if (parts("waiting").length) return "waiting";
const asked = parts("question")[0]?.innerText ?? "";
if (asked.includes("Who fires next")) {
  for (const unit of document.querySelectorAll('.left [data-test="unit"]:not(.gone)')) {
    unit.click();
    await next();
    const fire = [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].find((one) => one.dataset.order === "Fire");
    if (!fire) continue;
    fire.click();
    await next();
    parts("choice")[0]?.click();
    await next();
    const odds = parts("odds").length;
    const give = parts("give")[0];
    if (give && !give.disabled) { give.click(); return odds ? "fired with odds" : "fired"; }
    parts("cancel")[0]?.click();
    await next();
  }
}
const give = parts("give")[0];
if (give && !give.disabled) { give.click(); return "gave"; }
const orders = [...document.querySelectorAll('[data-test="general-orders"] [data-test="order"]')];
if (orders.length) {
  orders.at(-1).click();
  return "pressed " + orders.at(-1).dataset.order;
}
// A question about one unit alone: its card has the answers.
for (const unit of document.querySelectorAll('.left [data-test="unit"]:not(.gone)')) {
  unit.click();
  await next();
  const answer = [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].at(-1);
  if (!answer) continue;
  answer.click();
  await next();
  const give = parts("give")[0];
  if (give && !give.disabled) give.click();
  return "answered " + answer.dataset.order;
}
return "no orders: " + asked;
"#;

#[test]
fn a_whole_battle_against_the_computer_ends_on_the_victory_page() -> Result<()> {
    story("whole-battle", async |stage| {
        let page = stage.browser(Screen::Desktop).await?;
        small_battle(&page).await?;
        let fired = fight_to_the_end(&page).await?;
        ensure!(fired > 0, "somebody fired, and saw the odds first");
        let ending = page.says("ending").await?;
        let titles = ["Victory", "Defeat", "A drawn battle"];
        ensure!(titles.iter().any(|title| ending.contains(title)) && ending.contains("awi."), "{ending}");
        page.shot("ending").await?;

        // What the server wrote down is a battle by the rules: it is played again here, die by die.
        let place = page.place().await?;
        let words: Vec<&str> = place.split('/').collect();
        let (id, token) = (words.get(2).context("no battle")?, words.get(3).context("no key")?);
        let replay = stage.fetch(&format!("/api/battles/{id}/replay"), token).await?;
        let replay = engine::replay::ReplayFile::parse(&replay).map_err(|faults| anyhow::anyhow!("{faults}"))?;
        let game = rules::resume(&replay, None)?;
        ensure!(game.outcome().is_some(), "the replay ends as the battle did");

        page.click("to-replay").await?;
        page.part("replay-page").await?;
        page.until("the first moment", "return document.querySelector('[data-test=\"moment-says\"]').textContent.startsWith('0 of ') && !document.querySelector('[data-test=\"moment-says\"]').textContent.endsWith(' 0')").await?;
        page.click("next").await?;
        page.until(
            "the next moment",
            "return document.querySelector('[data-test=\"moment-says\"]').textContent.startsWith('1 of ')",
        )
        .await?;
        page.until("pieces on the table again", "return document.querySelectorAll('[data-test=\"piece\"]').length")
            .await?;
        page.shot("replay").await?;
        Ok(())
    })
}

/// Fights until it is over; how often somebody fired with the odds on the table.
async fn fight_to_the_end(page: &Browser) -> Result<usize> {
    let (mut fired, mut lost) = (0, 0);
    // Even twelve rounds in which everybody fires need far fewer steps.
    for _ in 0..3000 {
        let did = page.js(FIGHT).await?;
        let did = did.as_str().unwrap_or_default();
        // While an answer is on its way the question may change under one's hands; but not for ever.
        lost = if did.starts_with("no orders") { lost + 1 } else { 0 };
        ensure!(did != "frozen" && lost < 40, "the battle is stuck: {did}");
        match did {
            "over" => return Ok(fired),
            "waiting" => tokio::time::sleep(std::time::Duration::from_millis(60)).await,
            "fired with odds" => fired += 1,
            _ if lost > 0 => tokio::time::sleep(std::time::Duration::from_millis(60)).await,
            _ => {}
        }
    }
    anyhow::bail!("the battle does not end")
}

/// An inch of the small battle's table in the window.
async fn inch(page: &Browser) -> Result<f64> {
    let (left, _) = page.spot((36, 36), (0.0, 0.0)).await?;
    let (right, _) = page.spot((36, 36), (36.0, 0.0)).await?;
    Ok((right - left) / 36.0)
}
