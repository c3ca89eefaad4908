//! `guns`: Voice of the Guns. One file per chapter of the book; rulings in `docs/rulings`.

pub mod artillery;
pub mod assault;
pub mod blast;
pub mod candidates;
pub mod case;
pub mod charts;
pub mod clause;
pub mod command;
pub mod cycle;
pub mod defence;
pub mod deployment;
pub mod disorder;
pub mod event;
pub mod evolution;
pub mod field;
pub mod flinch;
pub mod force;
pub mod forced;
pub mod formation;
pub mod generals;
pub mod hidden;
pub mod melee;
pub mod musketry;
pub mod muster;
pub mod nearby;
pub mod odds;
pub mod order;
pub mod pace;
pub mod plot;
pub mod quarters;
pub mod rally;
pub mod ranging;
pub mod retreat;
pub mod screen;
pub mod sequence;
pub mod settings;
pub mod shooting;
pub mod sight;
pub mod telling;
pub mod unit;
pub mod victory;
pub mod zone;

use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    Answers, Asked, Edition, Faults, Flow, Lots, Pieces, Ruleset, SheetTable, Side, StandSet, State, Umpire, Verdict,
    View, Viewer,
};
use formation::{Formation, Shape};
use table::layout::Layout;
use table::{Footprint, Length};

/// The rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guns;

impl Ruleset for Guns {
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
    type Event = event::GunsEvent;
    type Clause = clause::Clause;

    const EDITIONS: &'static [Edition] = &[Edition {
        id: "guns",
        name: "Voice of the Guns",
        about: "From the Alma to the Marne: both sides plan in secret and move at once, and what a \
                                 battalion has left decides whether it still goes forward.",
        revision: 1,
        charts: include_str!("../../charts/guns.toml"),
        clauses: include_str!("../../clauses/guns.toml"),
        prefixes: &["guns"],
    }];
    const CUSTOM: clause::Clause = clause::Clause::BothSidesEachStep;

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

    fn execute(umpire: &mut Umpire<'_, Self>, asked: &Asked<Self>, answers: Answers<Self>) {
        sequence::execute(umpire, asked, answers);
    }

    fn apply(pieces: &mut Pieces<'_, Self>, event: &event::GunsEvent) {
        event::apply(pieces, event);
    }

    fn veil(state: &mut State<Self>, from: Viewer) {
        hidden::veil(state, from);
    }

    fn has_secrets(state: &State<Self>, from: Viewer) -> bool {
        hidden::has_secrets(state, from)
    }

    fn unseen() -> (unit::Facts, unit::Troops, Formation) {
        let weapon = unit::Weapon {
            key: String::new(),
            short: Length::ZERO,
            extreme: Length::ZERO,
            artillery: false,
            breech: false,
            magazine: false,
            howitzer: false,
            rapid: None,
        };
        let facts = unit::Facts {
            arm: unit::Arm::Infantry,
            elements: 0,
            organic: 0,
            organic_weapon: None,
            guns: 0,
            class: None,
            quality: 0,
            start: 0,
            charge_limit: 0,
            advance_limit: 0,
            weapon,
            loose: false,
            extended: false,
            can_dismount: false,
            indirect: false,
            element: Footprint::default(),
            screen: false,
            zones: Vec::new(),
            template: None,
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
}
