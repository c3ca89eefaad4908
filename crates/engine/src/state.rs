//! Pieces and state: what stands where, and what is going on.
//!
//! Rosters are plain vectors indexed by dense ids; what never changes in a battle is shared behind one `Arc`. Fields
//! are private to the engine: rules read through accessors and change pieces only through events.

use crate::bases::Bases;
use crate::edition::{Edition, EditionNo};
use crate::event::{Audience, Deed, Event};
use crate::ids::{BySide, CommandId, CommanderId, Side, UnitId};
use crate::ruleset::{Asked, Outcome, Ruleset};
use crate::stands::StandSet;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;
use table::terrain::{Edge, Ground};
use table::{Footprint, Layout, Length, Point, Pose, Quad};

/// Where a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whereabouts {
    /// Not on the table yet.
    #[default]
    OffTable,
    /// On the table for all to see.
    OnTable,
    /// On the table, known to its owner alone.
    Hidden,
    /// Out of the battle for good.
    Gone,
    /// Only in views: a piece this viewer knows nothing about.
    Unseen,
}

impl Whereabouts {
    /// Whether it stands on the table.
    pub fn is_present(self) -> bool {
        matches!(self, Whereabouts::OnTable | Whereabouts::Hidden)
    }
}

/// A rigid body: pose, formation, stands. Stand poses are computed from the layout, never stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Body<R: Ruleset> {
    /// The middle of the front edge and the way it looks.
    pub pose: Pose,
    /// How it is drawn up.
    pub formation: R::Formation,
    /// Which stands it holds.
    pub stands: StandSet,
    #[serde(skip)]
    pub(crate) quad: Quad,
    #[serde(skip)]
    pub(crate) bases: Bases,
}

impl<R: Ruleset> Body<R> {
    /// The ground it covers.
    pub fn quad(&self) -> &Quad {
        &self.quad
    }
}

/// A unit: its body, any bodies away from it, and what the rulebook says of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Unit<R: Ruleset> {
    /// The body that carries the flag.
    pub body: Body<R>,
    /// Crew away from guns, a squadron charging alone, a thrown-out screen.
    pub detached: SmallVec<[Body<R>; 0]>,
    /// Where it is.
    pub whereabouts: Whereabouts,
    /// Whose it is: on its card too, and here because everybody asks for it all the time.
    pub side: Side,
    /// Strength and state in the rulebook's terms.
    pub own: R::Unit,
    /// Left the table unseen and untold, so it stays behind the veil: else going would show what hiding did not.
    pub(crate) left_unseen: bool,
}

impl<R: Ruleset> Unit<R> {
    /// Whether it stands on the table.
    pub fn is_present(&self) -> bool {
        self.whereabouts.is_present()
    }

    /// The ground its main body covers.
    pub fn quad(&self) -> &Quad {
        &self.body.quad
    }

    /// Where the stands of its main body are, where the rulebook keeps them.
    pub fn bases(&self) -> &Bases {
        &self.body.bases
    }

    /// Its pose.
    pub fn pose(&self) -> Pose {
        self.body.pose
    }
}

/// A commander.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Commander<R: Ruleset> {
    /// Where he is and looks.
    pub pose: Pose,
    /// Where he is.
    pub whereabouts: Whereabouts,
    /// His state in the rulebook's terms.
    pub own: R::Commander,
    #[serde(skip)]
    pub(crate) quad: Quad,
}

impl<R: Ruleset> Commander<R> {
    /// The ground his stand covers.
    pub fn quad(&self) -> &Quad {
        &self.quad
    }

    /// Whether he is on the table.
    pub fn is_present(&self) -> bool {
        self.whereabouts.is_present()
    }
}

/// What never changes about a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideCard {
    /// Its key in the set-up.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The table edges it calls its own.
    pub edges: Vec<Edge>,
    /// Where it may deploy: rectangles by two corners.
    pub zones: Vec<(Point, Point)>,
}

/// What never changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct UnitCard<R: Ruleset> {
    /// Its key in the set-up.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// The brigade it belongs to.
    pub command: Option<CommandId>,
    /// What the rulebook wants to know of it.
    pub facts: R::Facts,
}

/// What never changes about a commander.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct CommanderCard<R: Ruleset> {
    /// His key in the set-up.
    pub key: String,
    /// His name.
    pub name: String,
    /// Whose he is.
    pub side: Side,
    /// What he commands.
    pub commands: CommandId,
    /// What the rulebook wants to know of him.
    pub facts: R::Officer,
}

/// A link of the chain of command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommandCard {
    /// Its key in the set-up.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What it belongs to.
    pub parent: Option<CommandId>,
    /// Who leads it at the start.
    pub commander: Option<CommanderId>,
}

/// What never changes in a battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Muster<R: Ruleset> {
    /// Which of the family's books it is fought by.
    pub edition: EditionNo,
    /// The battle's name.
    pub title: String,
    /// The ground.
    pub ground: Arc<Ground>,
    /// The sides.
    pub sides: Arc<BySide<SideCard>>,
    /// The units' cards, each shared: the copy made for a viewer changes only those he may not know.
    pub units: Vec<Arc<UnitCard<R>>>,
    /// The commanders' cards.
    pub commanders: Arc<Vec<CommanderCard<R>>>,
    /// The chain of command.
    pub commands: Arc<Vec<CommandCard>>,
    /// The rulebook's figures, house rules laid over them.
    pub charts: Arc<R::Charts>,
    /// The rulebook's switches.
    pub settings: R::Settings,
    /// Victory terms and whatever else the scenario brings.
    pub scenario: R::Scenario,
    /// Rounds after which the battle ends.
    pub turn_limit: Option<u16>,
    /// Digest of the set-up and house rules, part of every state hash.
    pub digest: [u8; 32],
}

impl<R: Ruleset> Muster<R> {
    /// A unit's card.
    pub fn unit(&self, id: UnitId) -> &UnitCard<R> {
        &self.units[id.index()]
    }

    /// A commander's card.
    pub fn commander(&self, id: CommanderId) -> &CommanderCard<R> {
        &self.commanders[id.index()]
    }

    /// A command's card.
    pub fn command(&self, id: CommandId) -> &CommandCard {
        &self.commands[id.index()]
    }

    /// Ids of all units.
    pub fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitId> + use<R> {
        (0..self.units.len() as u16).map(UnitId)
    }

    /// Ids of all commanders.
    pub fn commander_ids(&self) -> impl Iterator<Item = CommanderId> + use<R> {
        (0..self.commanders.len() as u16).map(CommanderId)
    }

    /// Ids of all commands.
    pub fn command_ids(&self) -> impl Iterator<Item = CommandId> + use<R> {
        (0..self.commands.len() as u16).map(CommandId)
    }
}

/// Everything that changes in a battle, except the dice: whoever clones a state gets no peek at the future.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(bound = "")]
pub struct State<R: Ruleset> {
    #[serde(skip)]
    pub(crate) muster: Arc<Muster<R>>,
    pub(crate) turn: u16,
    /// Each shared until it changes: a copy of a state, and a view above all, leaves most of them as they are.
    pub(crate) units: Vec<Arc<Unit<R>>>,
    pub(crate) commanders: Vec<Commander<R>>,
    pub(crate) ledger: R::Ledger,
    pub(crate) agenda: Vec<R::Phase>,
    pub(crate) asked: Option<Asked<R>>,
    pub(crate) sealed: BySide<Option<R::Order>>,
    pub(crate) next_no: u32,
    pub(crate) outcome: Option<Outcome>,
}

impl<R: Ruleset> State<R> {
    /// A fresh state: everything off the table.
    pub fn new(
        muster: Muster<R>,
        units: Vec<(R::Formation, StandSet, R::Unit)>,
        commanders: Vec<R::Commander>,
        ledger: R::Ledger,
        agenda: Vec<R::Phase>,
    ) -> State<R> {
        let none = Quad::default();
        let units = units
            .into_iter()
            .zip(&muster.units)
            .map(|((formation, stands, own), card)| {
                Arc::new(Unit {
                    side: card.side,
                    body: Body { pose: Pose::default(), formation, stands, quad: none, bases: Bases::default() },
                    detached: SmallVec::new(),
                    whereabouts: Whereabouts::OffTable,
                    own,
                    left_unseen: false,
                })
            })
            .collect();
        let commanders = commanders
            .into_iter()
            .map(|own| Commander { pose: Pose::default(), whereabouts: Whereabouts::OffTable, own, quad: none })
            .collect();
        let mut state = State {
            muster: Arc::new(muster),
            turn: 1,
            units,
            commanders,
            ledger,
            agenda,
            asked: None,
            sealed: BySide::default(),
            next_no: 1,
            outcome: None,
        };
        state.refresh();
        state
    }

    /// What never changes.
    pub fn muster(&self) -> &Muster<R> {
        &self.muster
    }

    /// The book it is fought by.
    pub fn edition(&self) -> &'static Edition {
        R::edition(self.muster.edition)
    }

    /// The rulebook's figures.
    pub fn charts(&self) -> &R::Charts {
        &self.muster.charts
    }

    /// The rulebook's switches.
    pub fn settings(&self) -> &R::Settings {
        &self.muster.settings
    }

    /// The ground.
    pub fn ground(&self) -> &Ground {
        &self.muster.ground
    }

    /// The round, counted from 1.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// A unit.
    pub fn unit(&self, id: UnitId) -> &Unit<R> {
        &self.units[id.index()]
    }

    /// A unit's card.
    pub fn card(&self, id: UnitId) -> &UnitCard<R> {
        &self.muster.units[id.index()]
    }

    /// Whose unit it is.
    pub fn side_of(&self, id: UnitId) -> Side {
        self.unit(id).side
    }

    /// All units with their ids.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, &Unit<R>)> {
        self.units.iter().enumerate().map(|(n, unit)| (UnitId(n as u16), &**unit))
    }

    /// Units of a side that stand on the table.
    pub fn present(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit<R>)> {
        self.units().filter(move |(_, unit)| unit.is_present() && unit.side == side)
    }

    /// A commander.
    pub fn commander(&self, id: CommanderId) -> &Commander<R> {
        &self.commanders[id.index()]
    }

    /// All commanders with their ids.
    pub fn commanders(&self) -> impl Iterator<Item = (CommanderId, &Commander<R>)> {
        self.commanders.iter().enumerate().map(|(n, commander)| (CommanderId(n as u16), commander))
    }

    /// The rulebook's own records.
    pub fn ledger(&self) -> &R::Ledger {
        &self.ledger
    }

    /// The phases in progress, outermost first.
    pub fn agenda(&self) -> &[R::Phase] {
        &self.agenda
    }

    /// The question in the room.
    pub fn asked(&self) -> Option<&Asked<R>> {
        self.asked.as_ref()
    }

    /// A side's sealed answer, where this state may hold it.
    pub fn sealed(&self, side: Side) -> Option<&R::Order> {
        self.sealed[side].as_ref()
    }

    /// How the battle ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The footprint a unit has, or would have, in a formation.
    pub fn footprint(&self, id: UnitId, formation: R::Formation) -> Footprint {
        let body = &self.unit(id).body;
        let kept = body.bases.layout().filter(|_| body.formation == formation);
        kept.map_or_else(|| R::footprint(&self.card(id).facts, formation, body.stands), Layout::footprint)
    }

    /// Whether the pieces (not the agenda) are the same.
    pub fn same_pieces(&self, other: &State<R>) -> bool {
        self.turn == other.turn
            && self.units == other.units
            && self.commanders == other.commanders
            && self.ledger == other.ledger
    }

    /// The state with these events applied to its pieces: what a replay or an animation does.
    pub fn folded<'e>(&self, events: impl IntoIterator<Item = &'e Event<R>>) -> State<R> {
        let mut state = self.clone();
        events.into_iter().for_each(|event| state.apply(event));
        state
    }

    /// Puts the battle into a phase of one's choice; only case files and set-ups do this.
    pub fn with_agenda(mut self, agenda: Vec<R::Phase>, turn: u16) -> State<R> {
        self.agenda = agenda;
        self.turn = turn;
        self
    }

    /// The rulebook's records, for [`Ruleset::veil`] to blot out. Rules hold a state they may change only there and
    /// while they muster it, so nothing else can change pieces this way.
    pub fn ledger_mut(&mut self) -> &mut R::Ledger {
        &mut self.ledger
    }

    /// The phases in progress, for [`Ruleset::veil`]: a phase may remember what its side has in mind.
    pub fn agenda_mut(&mut self) -> &mut [R::Phase] {
        &mut self.agenda
    }

    /// The question in the room, for [`Ruleset::veil`].
    pub fn decision_mut(&mut self) -> Option<&mut R::Decision> {
        self.asked.as_mut().map(|asked| &mut asked.decision)
    }

    /// What the rulebook says of a unit, for [`Ruleset::veil`].
    pub fn unit_mut(&mut self, id: UnitId) -> &mut R::Unit {
        &mut self.piece(id).own
    }

    /// What the rulebook says of a commander, for [`Ruleset::veil`].
    pub fn commander_mut(&mut self, id: CommanderId) -> &mut R::Commander {
        &mut self.commanders[id.index()].own
    }

    /// What never changes, for [`Ruleset::veil`]: victory terms and reserves may be secret. Copies the muster once.
    pub fn muster_mut(&mut self) -> &mut Muster<R> {
        Arc::make_mut(&mut self.muster)
    }

    /// Lets a rulebook blot its records out of a copy made for a viewer; only [`Ruleset::veil`] is handed such a copy.
    pub fn veil_ledger(&mut self, blot: impl FnOnce(&Muster<R>, &mut R::Ledger)) {
        blot(&self.muster, &mut self.ledger);
    }

    /// Recomputes every covered ground; needed once after building or reading a state.
    pub(crate) fn refresh(&mut self) {
        for n in 0..self.units.len() {
            self.resize(UnitId(n as u16));
        }
        for n in 0..self.commanders.len() {
            self.resize_commander(CommanderId(n as u16));
        }
    }

    /// A unit to change; whoever else holds it keeps it as it was.
    fn piece(&mut self, id: UnitId) -> &mut Unit<R> {
        Arc::make_mut(&mut self.units[id.index()])
    }

    fn resize(&mut self, id: UnitId) {
        let facts = &self.muster.units[id.index()].facts;
        let unit = Arc::make_mut(&mut self.units[id.index()]);
        for body in std::iter::once(&mut unit.body).chain(&mut unit.detached) {
            body.quad = R::footprint(facts, body.formation, body.stands).quad(body.pose);
            body.bases = Bases::of::<R>(facts, body.formation, body.stands, body.pose, &self.muster.ground);
        }
    }

    fn resize_commander(&mut self, id: CommanderId) {
        let facts = &self.muster.commanders[id.index()].facts;
        let commander = &mut self.commanders[id.index()];
        commander.quad = R::officer_footprint(facts).quad(commander.pose);
    }

    /// The only way pieces change.
    pub(crate) fn apply(&mut self, event: &Event<R>) {
        match &event.deed {
            Deed::Placed { unit, pose, formation, hidden } => {
                let piece = self.piece(*unit);
                piece.body.pose = *pose;
                piece.body.formation = *formation;
                piece.whereabouts = if *hidden { Whereabouts::Hidden } else { Whereabouts::OnTable };
                self.resize(*unit);
            }
            Deed::Moved { unit, to, .. } => {
                self.piece(*unit).body.pose = *to;
                self.resize(*unit);
            }
            Deed::Reformed { unit, formation, to } => {
                let piece = self.piece(*unit);
                piece.body.pose = *to;
                piece.body.formation = *formation;
                self.resize(*unit);
            }
            Deed::StandsLost { unit, left } => {
                self.piece(*unit).body.stands = *left;
                self.resize(*unit);
            }
            Deed::Removed { unit, .. } => {
                let piece = self.piece(*unit);
                piece.left_unseen = event.audience != Audience::All && piece.whereabouts != Whereabouts::OnTable;
                piece.whereabouts = Whereabouts::Gone;
            }
            Deed::Withdrawn { unit } => self.piece(*unit).whereabouts = Whereabouts::OffTable,
            Deed::Revealed { unit } => self.piece(*unit).whereabouts = Whereabouts::OnTable,
            Deed::CommanderMoved { commander, to } => {
                let piece = &mut self.commanders[commander.index()];
                piece.pose = *to;
                piece.whereabouts = Whereabouts::OnTable;
                self.resize_commander(*commander);
            }
            Deed::CommanderConcealed { commander, to } => {
                let piece = &mut self.commanders[commander.index()];
                piece.pose = *to;
                piece.whereabouts = Whereabouts::Hidden;
                self.resize_commander(*commander);
            }
            Deed::CommanderLost { commander } => {
                self.commanders[commander.index()].whereabouts = Whereabouts::Gone;
            }
            Deed::TurnBegan { turn } => self.turn = *turn,
            Deed::Committed { .. } | Deed::Noted | Deed::DisputeDie { .. } => {}
            Deed::Own(own) => R::apply(&mut Pieces { state: self }, own),
        }
    }
}

/// The pieces as `Ruleset::apply` may change them. Only the engine can make one.
pub struct Pieces<'a, R: Ruleset> {
    state: &'a mut State<R>,
}

impl<R: Ruleset> Pieces<'_, R> {
    /// What a rulebook says of a unit.
    pub fn unit(&mut self, id: UnitId) -> &mut R::Unit {
        &mut self.state.piece(id).own
    }

    /// What a rulebook says of every unit, with whose it is.
    pub fn each_unit(&mut self, mut change: impl FnMut(UnitId, Side, &mut R::Unit)) {
        for (n, unit) in self.state.units.iter_mut().enumerate() {
            change(UnitId(n as u16), self.state.muster.units[n].side, &mut Arc::make_mut(unit).own);
        }
    }

    /// What a rulebook says of a commander.
    pub fn commander(&mut self, id: CommanderId) -> &mut R::Commander {
        &mut self.state.commanders[id.index()].own
    }

    /// Every commander, with whose he is.
    pub fn each_commander(&mut self, mut change: impl FnMut(CommanderId, Side, &mut R::Commander)) {
        for (n, commander) in self.state.commanders.iter_mut().enumerate() {
            change(CommanderId(n as u16), self.state.muster.commanders[n].side, &mut commander.own);
        }
    }

    /// The rulebook's records.
    pub fn ledger(&mut self) -> &mut R::Ledger {
        &mut self.state.ledger
    }
}

/// How far a piece's ground lies from another's.
pub fn gap(a: &Quad, b: &Quad) -> Length {
    table::gap(a, b)
}
