//! Views: the veiled state itself. Hidden units are blanks, sealed orders of the other side are gone, so checks and
//! candidates run unchanged on a view and cannot leak.

use crate::bases::Bases;
use crate::ids::{Side, Viewer};
use crate::ruleset::Ruleset;
use crate::stands::StandSet;
use crate::state::{Body, State, Unit, UnitCard, Whereabouts};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;
use table::{Pose, Quad};

/// What one viewer knows.
pub struct View<'a, R: Ruleset> {
    state: Cow<'a, State<R>>,
    viewer: Viewer,
}

impl<'a, R: Ruleset> View<'a, R> {
    /// Makes the view; borrows the state where nothing is hidden from this viewer.
    pub fn new(state: &'a State<R>, viewer: Viewer) -> View<'a, R> {
        if has_secrets(state, viewer) {
            let mut veiled = state.clone();
            veil(&mut veiled, viewer);
            View { state: Cow::Owned(veiled), viewer }
        } else {
            View { state: Cow::Borrowed(state), viewer }
        }
    }

    /// A view from a state that was veiled already, somewhere else.
    pub(crate) fn of_veiled(state: State<R>, viewer: Viewer) -> View<'static, R> {
        View { state: Cow::Owned(state), viewer }
    }

    /// Whose view it is.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The veiled state.
    pub fn state(&self) -> &State<R> {
        &self.state
    }

    /// The veiled state to keep.
    pub fn into_state(self) -> State<R> {
        self.state.into_owned()
    }
}

impl<R: Ruleset> Deref for View<'_, R> {
    type Target = State<R>;
    fn deref(&self) -> &State<R> {
        &self.state
    }
}

fn hides<R: Ruleset>(unit: &Unit<R>, viewer: Viewer) -> bool {
    let unknown = match unit.whereabouts {
        Whereabouts::Hidden | Whereabouts::OffTable => true,
        Whereabouts::Gone => unit.left_unseen,
        Whereabouts::OnTable | Whereabouts::Unseen => false,
    };
    unknown && !viewer.knows(unit.side)
}

fn has_secrets<R: Ruleset>(state: &State<R>, viewer: Viewer) -> bool {
    let sealed = Side::BOTH.into_iter().any(|side| !viewer.knows(side) && state.sealed[side].is_some());
    sealed
        || R::has_secrets(state, viewer)
        || state.units.iter().any(|unit| hides(unit, viewer))
        || (0..state.commanders.len()).any(|n| hides_commander(state, n, viewer))
}

/// Commanders off the table are known by name and stand nowhere, so only those in hiding have anything to tell.
fn hides_commander<R: Ruleset>(state: &State<R>, n: usize, viewer: Viewer) -> bool {
    state.commanders[n].whereabouts == Whereabouts::Hidden && !viewer.knows(state.muster.commanders[n].side)
}

fn veil<R: Ruleset>(state: &mut State<R>, viewer: Viewer) {
    for side in Side::BOTH {
        if !viewer.knows(side) {
            state.sealed[side] = None;
        }
    }
    let hidden: Vec<usize> = (0..state.units.len()).filter(|&n| hides(&state.units[n], viewer)).collect();
    if !hidden.is_empty() {
        // The roster is cut too: a name alone would tell that the unit exists.
        let muster = Arc::make_mut(&mut state.muster);
        // The digest is taken over the texts that name the hidden units, so it would confirm a guess.
        muster.digest = [0; 32];
        let (facts, _, formation) = R::unseen();
        let bases = Bases::of::<R>(&facts, formation, StandSet::default(), Pose::default(), &muster.ground);
        for n in hidden {
            let (facts, own, formation) = R::unseen();
            let side = state.units[n].side;
            let blank = format!("unseen-{n}");
            let card = UnitCard { key: blank, name: String::from("unseen"), side, command: None, facts };
            muster.units[n] = Arc::new(card);
            state.units[n] = Unit {
                body: Body {
                    pose: Pose::default(),
                    formation,
                    stands: StandSet::default(),
                    quad: Quad::default(),
                    bases: bases.clone(),
                },
                detached: SmallVec::new(),
                whereabouts: Whereabouts::Unseen,
                side,
                own,
                left_unseen: false,
            };
        }
    }
    for n in 0..state.commanders.len() {
        if hides_commander(state, n, viewer) {
            let commander = &mut state.commanders[n];
            commander.whereabouts = Whereabouts::Unseen;
            commander.pose = Pose::default();
            commander.quad = Quad::default();
        }
    }
    R::veil(state, viewer);
}
