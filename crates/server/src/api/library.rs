//! What can be played and read: rulebooks, scenarios, opponents, clauses, rulings.

use crate::failure::Failure;
use axum::Json;
use axum::extract::Path;
use bots::Level;
use engine::{Faults, Seed, Sheet, Side, Viewer};
use rust_embed::RustEmbed;
use std::sync::OnceLock;
use wire::{ClauseCard, ClauseList, LevelInfo, Problem, RulesetCard, RulingText, ScenarioInfo};

/// The rulings of the checkout this program was built from.
#[derive(RustEmbed)]
#[folder = "../../docs/rulings/"]
struct Rulings;

/// Games of the house that nobody can play yet, and the periods of all: id, name, period, a sentence.
const SHELF: &[(&str, &str, &str, &str)] = &[
    ("awi", "", "1775–1783", ""),
    (
        "fpw",
        "Franco-Prussian Warmaster",
        "1870–1871",
        "Brigades that may or may not hear you, breech-loaders that answer every move within reach, and Krupp steel on \
         the far ridge.",
    ),
    (
        "guns",
        "Voice of the Guns",
        "1850–1916",
        "Everybody moves at once on sealed plans, activation dice are never enough, and the guns speak over the hills to \
         whatever an observer can see.",
    ),
    (
        "iron",
        "Days of Iron",
        "1870–1871",
        "The Chassepot against the needle gun, battalion by battalion: charges that come in two impulses, and ground \
         worth lying down on.",
    ),
    (
        "empire",
        "Days of Empire",
        "1854–1856",
        "The Crimea in squares and columns, with round shot that bounces, staffs that quarrel and Cossacks on the flank.",
    ),
];

/// The rulebooks of the house.
#[utoipa::path(get, path = "/api/rulesets", responses((status = 200, body = [RulesetCard])))]
pub async fn rulesets() -> Json<Vec<RulesetCard>> {
    let playable = rules::rulesets();
    let cards = SHELF.iter().map(|(id, name, period, about)| {
        let known = playable.iter().find(|ruleset| ruleset.id == *id);
        RulesetCard {
            id: (*id).to_owned(),
            name: known.map_or(*name, |ruleset| ruleset.name).to_owned(),
            about: known.map_or(*about, |ruleset| ruleset.about).to_owned(),
            period: (*period).to_owned(),
            playable: known.is_some(),
        }
    });
    Json(cards.collect())
}

/// Every clause of a rulebook, in our words.
#[utoipa::path(get, path = "/api/rulesets/{id}/clauses", responses(
    (status = 200, body = ClauseList), (status = 404, body = Problem)))]
pub async fn clauses(Path(id): Path<String>) -> Result<Json<ClauseList>, Failure> {
    let registry =
        rules::registry(&id).ok_or_else(|| Failure::unknown(format!("there is no ruleset called `{id}`")))?;
    let registry = registry.map_err(|faults| Failure::faults("the clauses cannot be read", &faults))?;
    let clauses = registry.clauses.into_iter().map(|clause| ClauseCard {
        kind: serde_json::to_value(clause.kind)
            .ok()
            .and_then(|kind| Some(kind.as_str()?.to_owned()))
            .unwrap_or_default(),
        rulings: clause.rulings.iter().map(|number| format!("{id}-{number:04}")).collect(),
        id: clause.id,
        title: clause.title,
        text: clause.text,
        source: clause.source,
        setting: clause.setting,
    });
    let clauses = clauses.collect();
    Ok(Json(ClauseList { ruleset: id, clauses }))
}

/// A ruling.
#[utoipa::path(get, path = "/api/rulings/{id}", responses((status = 200, body = RulingText), (status = 404, body = Problem)))]
pub async fn ruling(Path(id): Path<String>) -> Result<Json<RulingText>, Failure> {
    let unknown = || Failure::unknown(format!("there is no ruling `{id}`"));
    if !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(unknown());
    }
    let file = Rulings::get(&format!("{id}.md")).ok_or_else(unknown)?;
    let text = String::from_utf8(file.data.into_owned()).map_err(|_| unknown())?;
    Ok(Json(RulingText { id, text }))
}

/// The scenarios that ship with the house, the one to learn on first.
#[utoipa::path(get, path = "/api/scenarios", responses((status = 200, body = [ScenarioInfo])))]
pub async fn scenarios() -> Json<Vec<ScenarioInfo>> {
    static ALL: OnceLock<Vec<ScenarioInfo>> = OnceLock::new();
    Json(ALL.get_or_init(|| rules::SCENARIOS.iter().filter_map(describe).collect()).clone())
}

fn describe(scenario: &rules::Scenario) -> Option<ScenarioInfo> {
    let mut faults = Faults::default();
    let sheet = Sheet::parse(scenario.text, &mut faults)?;
    let mut root = sheet.root();
    let mut text = |key: &str| root.optional::<String>(key, &mut faults).unwrap_or_default();
    let (title, date, about) = (text("title"), text("date"), text("about"));
    let turn_limit = root.optional("turn_limit", &mut faults);
    let game = rules::start(scenario.text, None, Seed::from_number(0)).ok()?;
    let sides = game.sides();
    let units = Side::BOTH.map(|side| {
        let pieces = game.board(Viewer::Side(side)).dump();
        let all = pieces["units"].as_object().into_iter().flatten();
        let own = all.filter(|(_, unit)| unit["side"].as_str() == Some(sides[side.index()].0.as_str()));
        own.count() as u32
    });
    let (id, ruleset) = (scenario.id.to_owned(), scenario.ruleset.to_owned());
    Some(ScenarioInfo { id, ruleset, title, date, about, sides: sides.map(|(_, name)| name), units, turn_limit })
}

/// The opponents made of code, weakest first.
#[utoipa::path(get, path = "/api/levels", responses((status = 200, body = [LevelInfo])))]
pub async fn levels() -> Json<Vec<LevelInfo>> {
    let all =
        Level::ALL.iter().map(|level| LevelInfo { name: level.name().to_owned(), about: level.about().to_owned() });
    Json(all.collect())
}
