//! `awi`: battles of the American War of Independence. One file per chapter of the book; rulings in `docs/rulings`.

pub mod case;
pub mod charge;
pub mod charts;
pub mod clause;
pub mod courier;
pub mod deployment;
pub mod event;
pub mod field;
pub mod fire;
pub mod melee;
pub mod morale;
pub mod movement;
pub mod muster;
pub mod officers;
pub mod order;
pub mod programme;
pub mod rally;
pub mod rout;
pub mod sequence;
pub mod settings;
pub mod shell;
pub mod support;
pub mod unit;
pub mod victory;
pub mod volley;

pub mod candidates;
pub mod described;
pub mod force;
pub mod odds;
pub mod telling;

use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    Answers, Asked, Edition, Faults, Flow, Lots, Pieces, Ruleset, SheetTable, Side, StandSet, State, Umpire, Verdict,
    View, Viewer,
};
use table::Footprint;
use table::layout::Layout;

/// The rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Awi;

impl Ruleset for Awi {
    type Facts = unit::Facts;
    type Officer = unit::Officer;
    type Unit = unit::Soldiers;
    type Commander = unit::Rider;
    type Formation = unit::Formation;
    type Ledger = event::Ledger;
    type Settings = settings::Settings;
    type Scenario = settings::Scenario;
    type Charts = charts::Charts;
    type Phase = sequence::Phase;
    type Decision = order::Decision;
    type Order = order::Order;
    type Event = event::AwiEvent;
    type Clause = clause::Clause;

    const EDITIONS: &'static [Edition] = &[Edition {
        id: "awi",
        name: "American War of Independence",
        about: "Musket, bayonet and a few guns from Lexington to Yorktown, with every distance \
                                 judged by eye and a good officer near the colours worth a battalion.",
        revision: 1,
        charts: include_str!("../../charts/awi.toml"),
        clauses: include_str!("../../clauses/awi.toml"),
        prefixes: &["awi"],
    }];
    const CUSTOM: clause::Clause = clause::Clause::Amicable;

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

    fn footprint(facts: &unit::Facts, formation: unit::Formation, _stands: StandSet) -> Footprint {
        facts.footprint(formation)
    }

    fn officer_footprint(facts: &unit::Officer) -> Footprint {
        facts.stand
    }

    fn layout(facts: &unit::Facts, formation: unit::Formation, _stands: StandSet) -> Layout {
        facts.layout(formation)
    }

    fn advance(umpire: &mut Umpire<'_, Self>) -> Flow<Self> {
        sequence::advance(umpire)
    }

    fn check(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &order::Order) -> Verdict {
        sequence::check(view, asked, side, order)
    }

    fn execute(umpire: &mut Umpire<'_, Self>, asked: &Asked<Self>, answers: Answers<Self>) {
        sequence::execute(umpire, asked, answers);
    }

    fn apply(pieces: &mut Pieces<'_, Self>, event: &event::AwiEvent) {
        event::apply(pieces, event);
    }

    fn veil(state: &mut State<Self>, from: Viewer) {
        state.veil_ledger(|muster, ledger| {
            for (slot, card) in ledger.orders.iter_mut().zip(muster.commands.iter()) {
                if !from.knows(card.side) {
                    *slot = None;
                }
            }
            for courier in ledger.couriers.iter_mut().filter(|courier| !from.knows(courier.side)) {
                courier.to = None;
                courier.order = None;
            }
        });
    }

    fn has_secrets(state: &State<Self>, from: Viewer) -> bool {
        let ledger = state.ledger();
        let orders = ledger.orders.iter().zip(state.muster().commands.iter());
        orders.into_iter().any(|(order, card)| order.is_some() && !from.knows(card.side))
            || ledger.couriers.iter().any(|courier| courier.order.is_some() && !from.knows(courier.side))
    }

    fn unseen() -> (unit::Facts, unit::Soldiers, unit::Formation) {
        use unit::{Arm, Class, Facts, Formation, Kind, Nation, Soldiers};
        let nothing = Footprint::default();
        let facts = Facts {
            arm: Arm::Sharpshooter,
            class: Class::Line,
            kind: Kind::Sharpshooter,
            nation: Nation::British,
            gun: None,
            shell: false,
            skirmish_able: false,
            woods_free: false,
            small_arms: false,
            marks: 0,
            zones: Vec::new(),
            stand: nothing,
            stands: 0,
            gap: table::Length::ZERO,
            limbered: nothing,
        };
        (facts, Soldiers::fresh(0, 0), Formation::Line)
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
}
