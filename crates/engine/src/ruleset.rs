//! What a rulebook must bring. Chapter code is concrete; generics stop at this trait.

use crate::clause::ClauseId;
use crate::dice::Lots;
use crate::edition::{Edition, EditionNo};
use crate::ids::{DecisionNo, Side, Viewer};
use crate::setup::{Mode, SetupHeader};
use crate::sheet::{Faults, SheetTable};
use crate::stands::StandSet;
use crate::state::{Pieces, State};
use crate::umpire::Umpire;
use crate::verdict::Verdict;
use crate::view::View;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use table::layout::Layout;
use table::{Footprint, Ground};

/// What rests in a state: comparable, printable, savable.
pub trait Plain: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
impl<T: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Plain for T {}

/// One rulebook.
pub trait Ruleset: Sized + Clone + PartialEq + Eq + Debug + Send + Sync + 'static {
    /// What never changes about a unit.
    type Facts: Plain + Eq;
    /// What never changes about a commander.
    type Officer: Plain + Eq;
    /// A unit's strength and state.
    type Unit: Plain;
    /// A commander's state.
    type Commander: Plain;
    /// How a body may be drawn up.
    type Formation: Plain + Copy;
    /// Records beside the pieces.
    type Ledger: Plain;
    /// Switches.
    type Settings: Plain + Eq + Default;
    /// Victory terms and scenario rules.
    type Scenario: Plain + Eq;
    /// The book's figures.
    type Charts: Plain + Eq;
    /// A phase in progress with its working memory.
    type Phase: Plain;
    /// A question.
    type Decision: Plain;
    /// An answer.
    type Order: Plain;
    /// What happens beyond the common deeds.
    type Event: Plain;
    /// Clauses by meaning.
    type Clause: Copy + Into<ClauseId>;

    /// The printed books played by these chapters, at least one.
    const EDITIONS: &'static [Edition];
    /// The clause cited when a battle-level act (sealing, conceding, a dispute) happens.
    const CUSTOM: Self::Clause;

    /// Words a set-up may put under a feature's `nature`.
    const NATURES: &'static [&'static str] = &[];

    /// Whether [`Unit::bases`](crate::Unit::bases) are kept for every unit: for rulebooks that measure from stand to
    /// stand.
    const KEEPS_BASES: bool = false;

    /// The name of the family: what clauses that hold in all its books begin with.
    fn family() -> &'static str {
        let first = &Self::EDITIONS[0];
        first.prefixes.first().copied().unwrap_or(first.id)
    }

    /// A book by its place; the first where there is no such place.
    fn edition(no: EditionNo) -> &'static Edition {
        Self::EDITIONS.get(usize::from(no.0)).unwrap_or(&Self::EDITIONS[0])
    }

    /// The place of a book by its id.
    fn edition_no(id: &str) -> Option<EditionNo> {
        let place = Self::EDITIONS.iter().position(|edition| edition.id == id)?;
        u8::try_from(place).ok().map(EditionNo)
    }

    /// Reads switches over the defaults or over what was read before.
    fn read_settings(settings: &mut Self::Settings, table: &mut SheetTable<'_, '_>, faults: &mut Faults);

    /// Builds the opening state from a set-up, writing down every fault of it.
    fn muster(
        root: &mut SheetTable<'_, '_>,
        opening: Opening<Self>,
        mode: Mode,
        faults: &mut Faults,
    ) -> Option<State<Self>>;

    /// The rectangle a body covers.
    fn footprint(facts: &Self::Facts, formation: Self::Formation, stands: StandSet) -> Footprint;
    /// The rectangle a commander covers.
    fn officer_footprint(facts: &Self::Officer) -> Footprint;
    /// The stands of a body, for drawing and for rules that look at single stands.
    fn layout(facts: &Self::Facts, formation: Self::Formation, stands: StandSet) -> Layout;

    /// Turns the page until someone must choose.
    fn advance(umpire: &mut Umpire<'_, Self>) -> Flow<Self>;
    /// Judges an order on what its side can see: all the reasons, not the first.
    fn check(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &Self::Order) -> Verdict;
    /// Whether [`Ruleset::check`] would let an order pass, for whoever does not ask why not. Rulebooks that can tell so
    /// sooner do.
    fn allows(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &Self::Order) -> bool {
        Self::check(view, asked, side, order).is_legal()
    }
    /// Does what was ordered; it was checked, so it cannot refuse.
    fn execute(umpire: &mut Umpire<'_, Self>, asked: &Asked<Self>, answers: Answers<Self>);
    /// Changes pieces as an event says.
    fn apply(pieces: &mut Pieces<'_, Self>, event: &Self::Event);
    /// Hides what the engine does not hide by itself (hidden and off-table units, sealed orders), through
    /// [`State::ledger_mut`] and its kin.
    fn veil(state: &mut State<Self>, from: Viewer);
    /// Whether [`Ruleset::veil`] would hide anything, so that views can borrow.
    fn has_secrets(state: &State<Self>, from: Viewer) -> bool;
    /// The blank a viewer sees in the place of a piece it knows nothing about.
    fn unseen() -> (Self::Facts, Self::Unit, Self::Formation);
    /// An answer that is always legal: declining.
    fn fallback(view: &View<'_, Self>, asked: &Asked<Self>, side: Side) -> Self::Order;
    /// Legal answers worth considering, best guess first, the fallback among them.
    fn candidates(
        view: &View<'_, Self>,
        asked: &Asked<Self>,
        side: Side,
        lots: &mut Lots,
        limit: usize,
    ) -> Vec<Self::Order>;
    /// A legal answer by lot, for whoever does not weigh them. Rulebooks to whom it is dear to judge several do not.
    fn any(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, lots: &mut Lots) -> Self::Order {
        let mut found = Self::candidates(view, asked, side, lots, ANY);
        let pick = lots.below(found.len());
        if found.is_empty() { Self::fallback(view, asked, side) } else { found.swap_remove(pick) }
    }
}

/// How many candidates an answer by lot is drawn from.
const ANY: usize = 6;

/// What the engine has read of a set-up before the rulebook takes over.
pub struct Opening<R: Ruleset> {
    /// Which of the family's books it is for.
    pub edition: EditionNo,
    /// Title, limits, sides.
    pub header: SetupHeader,
    /// The ground.
    pub ground: Ground,
    /// Figures with house rules laid over them.
    pub charts: R::Charts,
    /// Switches.
    pub settings: R::Settings,
    /// Digest of all texts.
    pub digest: [u8; 32],
}

/// What `advance` wants next.
pub enum Flow<R: Ruleset> {
    /// Look again.
    Again,
    /// The top phase is finished.
    Done,
    /// Somebody must choose.
    Ask(Who, R::Decision),
    /// The battle is over.
    Over(Outcome),
}

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// One side.
    One(Side),
    /// Both at once, answers sealed until both are in.
    Both,
}

impl Who {
    /// Whether this side is asked.
    pub fn includes(self, side: Side) -> bool {
        match self {
            Who::One(one) => one == side,
            Who::Both => true,
        }
    }
}

/// A question with its number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Asked<R: Ruleset> {
    /// Its number.
    pub no: DecisionNo,
    /// Who is asked.
    pub who: Who,
    /// What is asked.
    pub decision: R::Decision,
}

/// Answers as `execute` gets them.
pub enum Answers<R: Ruleset> {
    /// One side answered.
    One(Side, R::Order),
    /// Both sealed answers, A's first.
    Both(R::Order, R::Order),
}

impl<R: Ruleset> Answers<R> {
    /// The only answer of a question put to one side.
    pub fn single(self) -> (Side, R::Order) {
        match self {
            Answers::One(side, order) => (side, order),
            Answers::Both(order, _) => (Side::A, order),
        }
    }
}

/// How a battle ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The victor; nobody in a draw.
    pub winner: Option<Side>,
    /// The clause that decided it.
    pub clause: String,
    /// The reason in a sentence.
    pub why: String,
}
