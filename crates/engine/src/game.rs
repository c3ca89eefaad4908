//! The authority over one battle with its type erased; implemented once for every rulebook.

use crate::battle::{Battle, Fault, Keep, Motion, SubmitError};
use crate::dice::Seed;
use crate::dump::{self, Dump, DumpError, Held};
use crate::facade::{self, Board, Draft, TypedBoard};
use crate::hash::StateHash;
use crate::ids::{DecisionNo, Side, Viewer};
use crate::replay::{self, ReplayError, ReplayFile};
use crate::ruleset::Outcome;
use crate::scene::Told;
use crate::setup::{self, Mode};
use crate::sheet::Faults;
use crate::telling::Telling;
use std::any::Any;

/// The authority.
pub trait Game: Send {
    /// What one viewer knows.
    fn board(&self, viewer: Viewer) -> Box<dyn Board + '_>;
    /// The question's number and the side whose answer is awaited.
    fn awaited(&self) -> Option<(DecisionNo, Side)>;
    /// Takes an order; returns what the sender is told.
    fn submit(&mut self, side: Side, no: DecisionNo, draft: &Draft) -> Result<Vec<Told>, SubmitError>;
    /// Acts beside the rulebook.
    fn motion(&mut self, side: Side, motion: Motion) -> Result<bool, SubmitError>;
    /// Everything a viewer was told from the `from`th event on.
    fn chronicle(&self, viewer: Viewer, from: usize) -> Vec<Told>;
    /// How many events there are.
    fn events(&self) -> usize;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The fault that froze it.
    fn fault(&self) -> Option<Fault>;
    /// The state's fingerprint.
    fn hash(&self) -> StateHash;
    /// The replay so far.
    fn replay(&self) -> ReplayFile;
    /// How many orders and motions there are.
    fn entries(&self) -> usize;
    /// The `n`th order or motion as a replay records it.
    fn entry(&self, n: usize) -> Option<replay::Entry>;
    /// Does what a line of a record says, which must lead to the state the line records: one step of a replay.
    fn repeat(&mut self, entry: &replay::Entry) -> Result<(), String>;
    /// A draw or take-back on offer, and by whom.
    fn offer(&self) -> Option<(Side, Motion)>;
    /// Whether the last order may still be taken back, and whose it was.
    fn may_take_back(&self) -> Option<Side>;
    /// What one viewer knows, packed for the road; `held` remembers what its reader holds already.
    fn dump(&self, viewer: Viewer, held: &mut Held) -> Result<Dump, DumpError>;
    /// The names of the sides: key and name.
    fn sides(&self) -> [(String, String); 2];
    /// The typed game inside, for whoever knows the rulebook.
    fn as_any(&self) -> &dyn Any;
}

/// A battle with the texts and the seed it came from.
pub struct TypedGame<R: Telling> {
    /// The battle.
    pub battle: Battle<R>,
    setup: String,
    house: Option<String>,
    seed: Seed,
}

impl<R: Telling> TypedGame<R> {
    /// Starts a battle.
    pub fn start(setup: &str, house: Option<&str>, seed: Seed) -> Result<Self, Faults> {
        let mustered = setup::muster::<R>(setup, house, Mode::Battle)?;
        let battle = Battle::seeded(mustered.state, seed, Keep::Everything);
        Ok(TypedGame { battle, setup: setup.to_owned(), house: house.map(str::to_owned), seed })
    }

    /// Takes a battle up where a replay leaves it.
    pub fn resume(replay: &ReplayFile, upto: Option<usize>) -> Result<Self, ReplayError> {
        let battle = replay::play::<R>(replay, upto)?;
        let header = &replay.header;
        Ok(TypedGame { battle, setup: header.setup.clone(), house: header.house.clone(), seed: header.seed })
    }
}

impl<R: Telling> Game for TypedGame<R> {
    fn board(&self, viewer: Viewer) -> Box<dyn Board + '_> {
        Box::new(TypedBoard::new(self.battle.view(viewer)))
    }

    fn awaited(&self) -> Option<(DecisionNo, Side)> {
        Some((self.battle.asked()?.no, self.battle.awaited()?))
    }

    fn submit(&mut self, side: Side, no: DecisionNo, draft: &Draft) -> Result<Vec<Told>, SubmitError> {
        let from = self.battle.events().len();
        // Whoever is not asked is told so, whatever his order says.
        self.battle.expects(side, no)?;
        // Decoded on what the sender can see: the name of a hidden enemy must be as unknown as any other.
        let order = facade::decode(&self.battle.view(Viewer::Side(side)), draft).map_err(SubmitError::Unreadable)?;
        self.battle.submit(side, no, order)?;
        Ok(self.chronicle(Viewer::Side(side), from))
    }

    fn motion(&mut self, side: Side, motion: Motion) -> Result<bool, SubmitError> {
        self.battle.motion(side, motion)
    }

    fn chronicle(&self, viewer: Viewer, from: usize) -> Vec<Told> {
        let view = self.battle.view(viewer);
        self.battle.events().iter().skip(from).filter_map(|event| facade::tell(&view, event)).collect()
    }

    fn events(&self) -> usize {
        self.battle.events().len()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.battle.outcome().cloned()
    }

    fn fault(&self) -> Option<Fault> {
        self.battle.fault().cloned()
    }

    fn hash(&self) -> StateHash {
        self.battle.hash()
    }

    fn replay(&self) -> ReplayFile {
        ReplayFile::of(&self.battle, &self.setup, self.house.as_deref(), self.seed)
    }

    fn entries(&self) -> usize {
        self.battle.entries().len()
    }

    fn entry(&self, n: usize) -> Option<replay::Entry> {
        self.battle.entries().get(n).map(replay::entry_of)
    }

    fn repeat(&mut self, entry: &replay::Entry) -> Result<(), String> {
        replay::repeat(&mut self.battle, entry)?;
        let found = self.hash();
        if found != entry.hash {
            return Err(format!("the state hash is {found}, the record says {}", entry.hash));
        }
        Ok(())
    }

    fn offer(&self) -> Option<(Side, Motion)> {
        self.battle.offer()
    }

    fn may_take_back(&self) -> Option<Side> {
        self.battle.may_take_back()
    }

    fn dump(&self, viewer: Viewer, held: &mut Held) -> Result<Dump, DumpError> {
        dump::pack(&self.battle.view(viewer), held)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn sides(&self) -> [(String, String); 2] {
        let sides = &self.battle.state().muster().sides;
        [Side::A, Side::B].map(|side| (sides[side].key.clone(), sides[side].name.clone()))
    }
}
