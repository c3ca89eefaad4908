//! Views: the veiled state itself. Hidden units are blanks, sealed orders of the other side are gone, so checks and
//! candidates run unchanged on a view and cannot leak.

use crate::bases::Bases;
use crate::ids::{BySide, Side, Viewer};
use crate::ruleset::Ruleset;
use crate::stands::StandSet;
use crate::state::{Body, Muster, State, Unit, UnitCard, Whereabouts};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;
use table::terrain::Ground;
use table::{Pose, Quad};

/// What one viewer knows.
pub struct View<'a, R: Ruleset> {
    state: Cow<'a, State<R>>,
    viewer: Viewer,
}

impl<'a, R: Ruleset> View<'a, R> {
    /// Makes the view; borrows the state where nothing is hidden from this viewer.
    pub fn new(state: &'a State<R>, viewer: Viewer) -> View<'a, R> {
        View::with(state, viewer, &mut Cut::default())
    }

    /// The same for whoever asks again and again: the roster is cut anew only when somebody else is hidden than last time.
    pub(crate) fn with(state: &'a State<R>, viewer: Viewer, cut: &mut Cut<R>) -> View<'a, R> {
        if !has_secrets(state, viewer) {
            return View { state: Cow::Borrowed(state), viewer };
        }
        View { state: Cow::Owned(veiled(state, viewer, cut)), viewer }
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

/// What was made for a viewer before and serves again.
pub(crate) struct Cut<R: Ruleset> {
    /// The roster as it was last cut, if it ever was.
    roster: Option<Roster<R>>,
    /// What stands in the place of whoever is hidden, by whose he is.
    blanks: BySide<Option<Arc<Unit<R>>>>,
}

/// A roster: from which one it was cut, without whom, and what was left.
struct Roster<R: Ruleset> {
    from: Arc<Muster<R>>,
    without: Vec<usize>,
    left: Arc<Muster<R>>,
}

impl<R: Ruleset> Default for Cut<R> {
    fn default() -> Self {
        Cut { roster: None, blanks: BySide([None, None]) }
    }
}

impl<R: Ruleset> Cut<R> {
    /// The roster without the hidden units.
    fn roster(&mut self, whole: &Arc<Muster<R>>, units: &[Arc<Unit<R>>], hidden: &[usize]) -> Arc<Muster<R>> {
        let same = |last: &&Roster<R>| Arc::ptr_eq(&last.from, whole) && last.without == hidden;
        if let Some(last) = self.roster.as_ref().filter(same) {
            return Arc::clone(&last.left);
        }
        let left = Arc::new(blanked(whole, units, hidden));
        self.roster = Some(Roster { from: Arc::clone(whole), without: hidden.to_vec(), left: Arc::clone(&left) });
        left
    }

    /// A unit nothing is known of but whose it is.
    fn blank(&mut self, side: Side, ground: &Ground) -> Arc<Unit<R>> {
        let blank = self.blanks[side].get_or_insert_with(|| {
            let (facts, own, formation) = R::unseen();
            let (pose, stands) = (Pose::default(), StandSet::default());
            let bases = Bases::of::<R>(&facts, formation, stands, pose, ground);
            Arc::new(Unit {
                body: Body { pose, formation, stands, quad: Quad::default(), bases },
                detached: SmallVec::new(),
                whereabouts: Whereabouts::Unseen,
                side,
                own,
                left_unseen: false,
            })
        });
        Arc::clone(blank)
    }
}

/// The roster is cut too: a name alone would tell that the unit exists.
fn blanked<R: Ruleset>(whole: &Muster<R>, units: &[Arc<Unit<R>>], hidden: &[usize]) -> Muster<R> {
    let mut muster = whole.clone();
    // The digest is taken over the texts that name the hidden units, so it would confirm a guess.
    muster.digest = [0; 32];
    for &n in hidden {
        let (facts, _, _) = R::unseen();
        let (key, name) = (format!("unseen-{n}"), String::from("unseen"));
        muster.units[n] = Arc::new(UnitCard { key, name, side: units[n].side, command: None, facts });
    }
    muster
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

/// The state as a viewer knows it. What he may not know is left out from the first, not copied and then struck out.
fn veiled<R: Ruleset>(state: &State<R>, viewer: Viewer, cut: &mut Cut<R>) -> State<R> {
    let hidden: Vec<usize> = (0..state.units.len()).filter(|&n| hides(&state.units[n], viewer)).collect();
    let (muster, units) = if hidden.is_empty() {
        (Arc::clone(&state.muster), state.units.clone())
    } else {
        let muster = cut.roster(&state.muster, &state.units, &hidden);
        let known = |unit: &Arc<Unit<R>>| {
            if hides(unit, viewer) { cut.blank(unit.side, &state.muster.ground) } else { Arc::clone(unit) }
        };
        (muster, state.units.iter().map(known).collect())
    };
    let mut veiled = State {
        muster,
        turn: state.turn,
        units,
        commanders: state.commanders.clone(),
        ledger: state.ledger.clone(),
        agenda: state.agenda.clone(),
        asked: state.asked.clone(),
        sealed: BySide(Side::BOTH.map(|side| state.sealed[side].clone().filter(|_| viewer.knows(side)))),
        next_no: state.next_no,
        outcome: state.outcome.clone(),
    };
    for n in 0..veiled.commanders.len() {
        if hides_commander(&veiled, n, viewer) {
            let commander = &mut veiled.commanders[n];
            commander.whereabouts = Whereabouts::Unseen;
            commander.pose = Pose::default();
            commander.quad = Quad::default();
        }
    }
    R::veil(&mut veiled, viewer);
    veiled
}
