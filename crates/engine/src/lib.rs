//! The umpire. A side is asked a decision and answers with an order; the order is checked on what that side can
//! see, executed with recorded dice, told as events that cite their clause, and only events change the pieces.
//!
//! Nothing here knows a rulebook: whatever would be true of any tabletop battle lives in this crate, and the rest is
//! behind the [`Ruleset`] trait. No I/O, no clock, no global, no thread.
#![warn(missing_docs)]

pub mod bases;
pub mod battle;
pub mod blanks;
pub mod chart;
pub mod clause;
pub mod dice;
pub mod dump;
pub mod edition;
pub mod event;
pub mod export;
pub mod facade;
pub mod game;
pub mod hash;
pub mod ids;
pub mod names;
pub mod odds;
pub mod reckoning;
pub mod relay;
pub mod replay;
pub mod roster;
pub mod ruleset;
pub mod scene;
pub mod setup;
pub mod sheet;
mod stands;
pub mod state;
pub mod telling;
pub mod thoughts;
pub mod umpire;
pub mod verdict;
pub mod view;

pub use bases::Bases;
pub use battle::{Battle, Fault, Motion, SubmitError};
pub use chart::{Cited, Source};
pub use clause::{ClauseId, ClauseKind, Registry};
pub use dice::{Dice, DiceError, Die, Lots, Pips, Pool, Roll, Scripted, Seed, Seeded};
pub use edition::{Edition, EditionNo};
pub use event::{Audience, Deed, Event, Leaving};
pub use hash::StateHash;
pub use ids::{BySide, CommandId, CommanderId, DecisionNo, FeatureId, Side, UnitId, Viewer};
pub use odds::{Chance, Factor, Odds, Spread, Stake};
pub use reckoning::{Fixed, Line, Reckoning, Step};
pub use ruleset::{Answers, Asked, Flow, Outcome, Plain, Ruleset, Who};
pub use sheet::{Faults, FileFault, Sheet, SheetTable};
pub use stands::StandSet;
pub use state::{
    Body, CommandCard, Commander, CommanderCard, Muster, Pieces, SideCard, State, Unit, UnitCard, Whereabouts,
};
pub use telling::Telling;
pub use umpire::Umpire;
pub use verdict::{Mark, Note, Verdict};
pub use view::View;
