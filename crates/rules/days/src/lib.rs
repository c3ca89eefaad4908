//! `iron` and `empire`: Days of Iron and Days of Empire, two printed books of one family. They differ by charts, clauses
//! and switches; one file per chapter serves both. Rulings in `docs/rulings`.

pub mod arrival;
pub mod assault;
pub mod candidates;
pub mod case;
pub mod charge;
pub mod charged;
pub mod charts;
pub mod clause;
pub mod damage;
pub mod defence;
pub mod deployment;
pub mod detachment;
pub mod event;
pub mod evolution;
pub mod field;
pub mod figures;
pub mod fires;
pub mod force;
pub mod formation;
pub mod ground;
pub mod hidden;
pub mod initiative;
pub mod morale;
pub mod movement;
pub mod muster;
pub mod odds;
pub mod order;
pub mod passing;
pub mod rally;
pub mod recovery;
pub mod rout;
pub mod sequence;
pub mod settings;
pub mod settle;
pub mod shooting;
pub mod sight;
pub mod space;
pub mod staff;
pub mod target;
pub mod telling;
pub mod unit;
pub mod victory;
pub mod works;

use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    Answers, Asked, Edition, Faults, Flow, Lots, Pieces, Ruleset, SheetTable, Side, StandSet, State, Umpire, Verdict,
    View, Viewer,
};
use formation::{Formation, Shape};
use smallvec::SmallVec;
use table::layout::Layout;
use table::{Footprint, Length};

/// The rulebooks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Days;

/// The clauses of both books.
const CLAUSES: &str = include_str!("../../clauses/days.toml");

impl Ruleset for Days {
    type Facts = unit::Facts;
    type Officer = unit::Officer;
    type Unit = unit::Troops;
    type Commander = unit::Staff;
    type Formation = Formation;
    type Ledger = event::Ledger;
    type Settings = settings::Settings;
    type Scenario = settings::Scenario;
    type Charts = charts::Charts;
    type Phase = sequence::Phase;
    type Decision = order::Decision;
    type Order = order::Order;
    type Event = event::DaysEvent;
    type Clause = clause::Clause;

    const EDITIONS: &'static [Edition] = &[
        Edition {
            id: "iron",
            name: "Days of Iron",
            about: "The Franco-Prussian War by regiments: needle rifle against Chassepot, charges in two impulses, and \
                    a test of nerve at every turn.",
            revision: 1,
            charts: include_str!("../../charts/iron.toml"),
            clauses: CLAUSES,
            prefixes: &["days", "iron"],
        },
        Edition {
            id: "empire",
            name: "Days of Empire",
            about: "The Crimea by regiments: squares, bouncing shot, first volleys, and cavalry that may yet ride them \
                    down.",
            revision: 1,
            charts: include_str!("../../charts/empire.toml"),
            clauses: CLAUSES,
            prefixes: &["days", "empire"],
        },
    ];
    const CUSTOM: clause::Clause = clause::Clause::FivePhasesToATurn;
    const KEEPS_BASES: bool = true;
    const NATURES: &'static [&'static str] = &[
        "light",
        "heavy",
        "undefined",
        "gentle",
        "steep",
        "easy",
        "difficult",
        "wood",
        "stone",
        "north",
        "east",
        "south",
        "west",
    ];

    fn read_settings(settings: &mut settings::Settings, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
        settings::read(settings, table, faults);
    }

    fn muster(
        root: &mut SheetTable<'_, '_>,
        opening: Opening<Self>,
        mode: Mode,
        faults: &mut Faults,
    ) -> Option<State<Self>> {
        muster::muster(root, opening, mode, faults)
    }

    fn footprint(facts: &unit::Facts, formation: Formation, stands: StandSet) -> Footprint {
        facts.footprint(formation, stands.count() as u8)
    }

    fn officer_footprint(facts: &unit::Officer) -> Footprint {
        facts.stand
    }

    fn layout(facts: &unit::Facts, formation: Formation, stands: StandSet) -> Layout {
        facts.layout(formation, stands.count() as u8)
    }

    fn advance(umpire: &mut Umpire<'_, Self>) -> Flow<Self> {
        sequence::advance(umpire)
    }

    fn check(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &order::Order) -> Verdict {
        sequence::check(view, asked, side, order)
    }

    fn allows(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &order::Order) -> bool {
        sequence::allows(view, asked, side, order)
    }

    fn execute(umpire: &mut Umpire<'_, Self>, asked: &Asked<Self>, answers: Answers<Self>) {
        sequence::execute(umpire, asked, answers);
    }

    fn apply(pieces: &mut Pieces<'_, Self>, event: &event::DaysEvent) {
        event::apply(pieces, event);
    }

    fn veil(state: &mut State<Self>, from: Viewer) {
        hidden::veil(state, from);
    }

    fn has_secrets(state: &State<Self>, from: Viewer) -> bool {
        hidden::has_secrets(state, from)
    }

    fn unseen() -> (unit::Facts, unit::Troops, Formation) {
        let facts = unit::Facts {
            arm: unit::Arm::Infantry,
            class: 0,
            traits: SmallVec::new(),
            weapon: String::new(),
            start: 0,
            points: 0,
            model_points: 0,
            independent: false,
            part: None,
            parts: SmallVec::new(),
            stand: Footprint::default(),
            limbered: Footprint::default(),
            gap: Length::ZERO,
            zones: Vec::new(),
            entry: None,
        };
        let troops = unit::Troops::fresh(&facts);
        (facts, troops, Formation::usual(Shape::Line))
    }

    fn fallback(_view: &View<'_, Self>, _asked: &Asked<Self>, _side: Side) -> order::Order {
        order::Order::Pass
    }

    fn candidates(
        view: &View<'_, Self>,
        asked: &Asked<Self>,
        side: Side,
        lots: &mut Lots,
        limit: usize,
    ) -> Vec<order::Order> {
        candidates::candidates(view, asked, side, lots, limit)
    }

    fn any(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, lots: &mut Lots) -> order::Order {
        candidates::any(view, asked, side, lots)
    }
}
