//! A board packed for the road: the veiled state with the veiled muster, so that a browser can judge drafts and show
//! ghosts without asking anybody, and cannot learn what its side does not know.

use crate::facade::{Board, TypedBoard};
use crate::ids::{BySide, Viewer};
use crate::ruleset::{Asked, Outcome, Ruleset};
use crate::state::{Commander, Muster, State, Unit};
use crate::telling::Telling;
use crate::view::View;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::any::Any;
use std::sync::Arc;
use thiserror::Error;

/// A board packed for the road. Both ends come from the same build: no dump outlives a release, replays do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dump {
    /// Which rulebook.
    pub ruleset: String,
    /// The family of rulebooks whose chapters judge it.
    pub family: String,
    /// Whose eyes.
    pub viewer: Viewer,
    /// What never changes; left out where the reader holds it already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muster: Option<Box<RawValue>>,
    /// What changes.
    pub state: Box<RawValue>,
}

/// The muster a reader holds, so that it is sent again only when the veil over it has moved.
#[derive(Default)]
pub struct Held(Option<Box<dyn Any + Send>>);

/// Why a dump cannot be unpacked.
#[derive(Debug, Error)]
pub enum DumpError {
    /// Another build, or a broken message.
    #[error("the board cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The judge it was sent to would not have it.
    #[error("{0}")]
    Refused(String),
    /// The muster was left out and none is held.
    #[error("the board came without its muster")]
    NoMuster,
}

/// Packs a view.
pub fn pack<R: Ruleset>(view: &View<'_, R>, held: &mut Held) -> Result<Dump, DumpError> {
    let state: &State<R> = view;
    let known = held.0.as_ref().and_then(|held| held.downcast_ref::<Arc<Muster<R>>>());
    // Parts that are shared compare by address, so this is cheap even where the veil made a copy.
    let same = known.is_some_and(|known| Arc::ptr_eq(known, &state.muster) || **known == *state.muster);
    let muster = if same { None } else { Some(serde_json::value::to_raw_value(&*state.muster)?) };
    if !same {
        held.0 = Some(Box::new(Arc::clone(&state.muster)));
    }
    let ruleset = state.edition().id.to_owned();
    let state = serde_json::value::to_raw_value(state)?;
    Ok(Dump { ruleset, family: R::family().to_owned(), viewer: view.viewer(), muster, state })
}

/// Unpacks boards of one battle, one after the other.
pub trait Unpacker {
    /// The next board.
    fn board(&mut self, dump: &Dump) -> Result<Box<dyn Board>, DumpError>;
}

/// The unpacker of one rulebook.
pub struct TypedUnpacker<R: Ruleset>(Option<Arc<Muster<R>>>);

impl<R: Ruleset> Default for TypedUnpacker<R> {
    fn default() -> Self {
        TypedUnpacker(None)
    }
}

impl<R: Telling> Unpacker for TypedUnpacker<R> {
    fn board(&mut self, dump: &Dump) -> Result<Box<dyn Board>, DumpError> {
        if let Some(muster) = &dump.muster {
            self.0 = Some(Arc::new(serde_json::from_str(muster.get())?));
        }
        let muster = self.0.clone().ok_or(DumpError::NoMuster)?;
        let bare: Bare<R> = serde_json::from_str(dump.state.get())?;
        let view: View<'static, R> = View::of_veiled(bare.with(muster), dump.viewer);
        Ok(Box::new(TypedBoard::new(view)))
    }
}

/// A state without its muster: what [`State`] writes.
#[derive(Deserialize)]
#[serde(bound = "")]
struct Bare<R: Ruleset> {
    turn: u16,
    units: Vec<Unit<R>>,
    commanders: Vec<Commander<R>>,
    ledger: R::Ledger,
    agenda: Vec<R::Phase>,
    asked: Option<Asked<R>>,
    sealed: BySide<Option<R::Order>>,
    next_no: u32,
    outcome: Option<Outcome>,
}

impl<R: Ruleset> Bare<R> {
    fn with(self, muster: Arc<Muster<R>>) -> State<R> {
        let mut state = State {
            muster,
            turn: self.turn,
            units: self.units.into_iter().map(Arc::new).collect(),
            commanders: self.commanders,
            ledger: self.ledger,
            agenda: self.agenda,
            asked: self.asked,
            sealed: self.sealed,
            next_no: self.next_no,
            outcome: self.outcome,
        };
        state.refresh();
        state
    }
}
