//! The house played in a real browser, from the first page to the last, with everything that may go wrong in between.

#[path = "e2e/alone.rs"]
mod alone;
#[path = "e2e/days.rs"]
mod days;
#[path = "e2e/friends.rs"]
mod friends;
#[path = "e2e/generals.rs"]
mod generals;
#[path = "e2e/guns.rs"]
mod guns;
#[path = "e2e/hands.rs"]
mod hands;
#[path = "e2e/minds.rs"]
mod minds;
#[path = "e2e/motions.rs"]
mod motions;
#[path = "e2e/solo.rs"]
mod solo;
#[path = "e2e/trouble.rs"]
mod trouble;

use anyhow::{Context, Result};
use e2e::{Browser, Stage, crowd, stage};

/// Tells a story on a stage of its own.
fn story(name: &str, story: impl AsyncFnOnce(&Stage) -> Result<()>) -> Result<()> {
    stage::play(env!("CARGO_BIN_EXE_e2e-server"), name, story)
}

/// From the first page to the first turn of the small battle against the computer.
async fn small_battle(page: &Browser) -> Result<()> {
    page.go("/").await?;
    page.click("quick").await?;
    page.at_table().await?;
    page.asked("Where do your troops stand?").await?;
    page.click("give").await?;
    page.asked("Which piece acts next").await
}

/// Chooses a battle with somebody on the other side.
async fn choose(page: &Browser, ruleset: &str, scenario: &str, against: &str) -> Result<()> {
    page.go("/").await?;
    page.click_on(&format!("[data-test=\"choose\"][data-ruleset=\"{ruleset}\"]")).await?;
    page.click_on(&format!("[data-test=\"scenario\"][data-id=\"{scenario}\"]")).await?;
    page.click(against).await?;
    page.click("begin").await?;
    page.at_table().await
}

/// The battle and the key of the page's seat.
async fn seat(page: &Browser) -> Result<(String, String)> {
    let place = page.place().await?;
    let mut words = place.split('/').skip(2).map(str::to_owned);
    Ok((words.next().context("no battle")?, words.next().context("no key")?))
}

/// The measuring program's table really is what it says, and really can be played.
#[test]
fn the_crowded_table_has_four_hundred_stands() {
    let game = rules::start(&crowd::setup(), None, engine::Seed::from_number(1));
    let game = game.map_err(|error| error.to_string()).unwrap();
    let (_, asked) = game.awaited().unwrap();
    let scene = game.board(engine::Viewer::Side(asked)).scene();
    assert_eq!(scene.sides.len(), 2);
    assert!(crowd::setup().matches("[units.").count() * 3 >= crowd::STANDS);
}
