//! The shelf of rulebooks: every family is a crate of its own in a folder beside this one, with charts, clause
//! registries, scenarios and cases common to all of them.
//!
//! [`dispatch!`] is the only place in the house that knows which rulesets there are.

pub mod case;

pub use awi;
pub use book::{enlist, figures, ground, placement, telling};
pub use days;
pub use fpw;
pub use guns;

use engine::dump::{TypedUnpacker, Unpacker};
use engine::game::{Game, TypedGame};
use engine::replay::{ReplayError, ReplayFile};
use engine::{Edition, Faults, Registry, Ruleset, Seed, Telling};
use thiserror::Error;

/// Runs an expression with `R` standing for the ruleset of this id; `None` where there is no such ruleset.
#[macro_export]
macro_rules! dispatch {
    ($id:expr, $R:ident => $body:expr) => {
        match $id {
            "awi" => {
                type $R = $crate::awi::Awi;
                Some($body)
            }
            "fpw" => {
                type $R = $crate::fpw::Fpw;
                Some($body)
            }
            "guns" => {
                type $R = $crate::guns::Guns;
                Some($body)
            }
            "iron" | "empire" => {
                type $R = $crate::days::Days;
                Some($body)
            }
            _ => None,
        }
    };
}

/// The ids of all rulesets.
pub const IDS: &[&str] = &["awi", "fpw", "guns", "iron", "empire"];

/// A ruleset for people.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct RulesetInfo {
    /// Short name.
    pub id: &'static str,
    /// Full name.
    pub name: &'static str,
    /// A sentence.
    pub about: &'static str,
    /// Counts up with every rules fix.
    pub revision: u32,
}

/// A scenario that ships with the house.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Such as `awi/cowpens`.
    pub id: &'static str,
    /// Its ruleset.
    pub ruleset: &'static str,
    /// The set-up file.
    pub text: &'static str,
}

macro_rules! scenarios {
    ($($ruleset:literal: $($name:literal)*;)*) => {
        &[$($(Scenario {
            id: concat!($ruleset, "/", $name),
            ruleset: $ruleset,
            text: include_str!(concat!("../scenarios/", $ruleset, "/", $name, ".toml")),
        },)*)*]
    };
}

/// Every scenario, the one to learn on first.
pub const SCENARIOS: &[Scenario] = scenarios! {
    "awi": "skirmish" "lesson" "cowpens" "freemans-farm" "birmingham-hill" "savannah" "s40";
    "fpw": "brigade" "vionville" "st-privat" "rote-berg" "outposts";
    "guns": "alma" "magenta" "swiepwald" "colombey" "grivitsa" "le-cateau" "gravelotte";
    "iron": "lesson" "frontier" "loire" "woerth" "spicheren" "mars-la-tour";
    "empire": "lesson" "river-line" "chernaya" "danube" "alma" "balaclava" "inkerman";
};

/// Standard battles of the later rulebooks, made to measure speed by: found by their ids, but no battles to choose, for
/// armies that meet on even ground with nothing to defend mostly part undecided. That of `awi` is a battle like others.
pub const STANDARD: &[Scenario] = scenarios! {
    "fpw": "s40";
    "guns": "s40";
    "iron": "s40";
    "empire": "s40";
};

/// Finds a scenario by its id, or by the part after the slash.
pub fn scenario(id: &str) -> Option<&'static Scenario> {
    let all = || SCENARIOS.iter().chain(STANDARD);
    let by_name = || all().find(|scenario| scenario.id.split_once('/').is_some_and(|(_, name)| name == id));
    all().find(|scenario| scenario.id == id).or_else(by_name)
}

/// A book by its id.
pub fn edition(id: &str) -> Option<&'static Edition> {
    dispatch!(id, R => R::edition_no(id).map(R::edition)).flatten()
}

/// The family a book belongs to: its chapters, its clause registry and its rulings bear this name.
pub fn family(id: &str) -> Option<&'static str> {
    dispatch!(id, R => R::family())
}

/// The books of a book's family, itself among them.
pub fn sisters(id: &str) -> Vec<&'static str> {
    dispatch!(id, R => R::EDITIONS.iter().map(|edition| edition.id).collect()).unwrap_or_default()
}

/// A book's charts as a house-rule file, every figure with its source.
pub fn charts_file(id: &str) -> Option<Result<String, Faults>> {
    Some(engine::export::house_file(edition(id)?, family(id)?))
}

/// Every ruleset.
pub fn rulesets() -> Vec<RulesetInfo> {
    let told = |edition: &'static Edition| RulesetInfo {
        id: edition.id,
        name: edition.name,
        about: edition.about,
        revision: edition.revision,
    };
    IDS.iter().filter_map(|id| edition(id)).map(told).collect()
}

/// A ruleset's clauses.
pub fn registry(id: &str) -> Option<Result<Registry, Faults>> {
    let edition = edition(id)?;
    Some(Registry::parse(edition.clauses).map(|registry| registry.of(edition)))
}

/// Why a battle does not begin.
#[derive(Debug, Error)]
pub enum StartError {
    /// No such ruleset.
    #[error("there is no ruleset called `{0}`; there are: {list}", list = IDS.join(", "))]
    UnknownRuleset(String),
    /// The set-up or house rules are faulty.
    #[error("{0}")]
    Faults(#[from] Faults),
    /// The replay does not play.
    #[error("{0}")]
    Replay(#[from] ReplayError),
}

/// The ruleset a TOML file says it is for.
pub fn ruleset_of(text: &str) -> Option<String> {
    let mut faults = Faults::default();
    let sheet = engine::Sheet::parse(text, &mut faults)?;
    sheet.root().optional("ruleset", &mut faults)
}

/// Starts a battle from a set-up.
pub fn start(setup: &str, house: Option<&str>, seed: Seed) -> Result<Box<dyn Game>, StartError> {
    let ruleset = ruleset_of(setup).unwrap_or_default();
    if ruleset.is_empty() {
        // Let the reader say what is wrong with the file.
        engine::setup::muster::<awi::Awi>(setup, house, engine::setup::Mode::Battle)?;
    }
    let game = dispatch!(ruleset.as_str(), R => TypedGame::<R>::start(setup, house, seed).map(boxed));
    game.ok_or(StartError::UnknownRuleset(ruleset))?.map_err(StartError::Faults)
}

/// Unpacks boards of a ruleset's battles.
pub fn unpacker(ruleset: &str) -> Option<Box<dyn Unpacker>> {
    dispatch!(ruleset, R => Box::new(TypedUnpacker::<R>::default()) as Box<dyn Unpacker>)
}

/// Takes a battle up where a replay leaves it, or after its first `upto` lines.
pub fn resume(replay: &ReplayFile, upto: Option<usize>) -> Result<Box<dyn Game>, StartError> {
    let ruleset = replay.header.ruleset.as_str();
    let game = dispatch!(ruleset, R => TypedGame::<R>::resume(replay, upto).map(boxed));
    game.ok_or_else(|| StartError::UnknownRuleset(ruleset.to_owned()))?.map_err(StartError::Replay)
}

fn boxed<R: Telling>(game: TypedGame<R>) -> Box<dyn Game> {
    Box::new(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rulebook_has_a_standard_battle_that_can_begin() {
        for id in IDS {
            let standard = scenario(&format!("{id}/s40")).map(|scenario| scenario.text).unwrap_or_default();
            let game = start(standard, None, Seed::from_number(40));
            assert!(game.is_ok_and(|game| game.awaited().is_some()), "{id}");
        }
        assert_eq!(scenario("s40").map(|scenario| scenario.id), Some("awi/s40"), "a bare name is a battle to choose");
    }
}
