//! `fpw`: Franco-Prussian Warmaster. One file per chapter of the book; rulings in `docs/rulings`.

pub mod aim;
pub mod approach;
pub mod blunder;
pub mod case;
pub mod charge;
pub mod charts;
pub mod clause;
pub mod combat;
pub mod command;
pub mod contact;
pub mod deployment;
pub mod described;
pub mod entry;
pub mod event;
pub mod field;
pub mod fire;
pub mod firemove;
pub mod followup;
pub mod force;
pub mod generals;
pub mod hidden;
pub mod independent;
pub mod initiative;
pub mod march;
pub mod markers;
pub mod morale;
pub mod movement;
pub mod muster;
pub mod odds;
pub mod odds_combat;
pub mod odds_command;
pub mod odds_fire;
pub mod order;
pub mod reaction;
pub mod recovery;
pub mod sequence;
pub mod settings;
pub mod sight;
pub mod strikes;
pub mod telling;
pub mod unit;
pub mod victory;
pub mod volley;

pub mod candidates;

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
pub struct Fpw;

impl Ruleset for Fpw {
    type Facts = unit::Facts;
    type Officer = unit::Officer;
    type Unit = unit::Soldiers;
    type Commander = unit::Staff;
    type Formation = unit::Formation;
    type Ledger = event::Ledger;
    type Settings = settings::Settings;
    type Scenario = settings::Scenario;
    type Charts = charts::Charts;
    type Phase = sequence::Phase;
    type Decision = order::Decision;
    type Order = order::Order;
    type Event = event::FpwEvent;
    type Clause = clause::Clause;

    const EDITIONS: &'static [Edition] = &[Edition {
        id: "fpw",
        name: "Franco-Prussian Warmaster",
        about: "Chassepots against steel guns in 1870: generals who may not get their orders through, \
                                 and fire that answers every move made under the enemy’s eyes.",
        revision: 1,
        charts: include_str!("../../charts/fpw.toml"),
        clauses: include_str!("../../clauses/fpw.toml"),
        prefixes: &["fpw"],
    }];
    const CUSTOM: clause::Clause = clause::Clause::InitiativeFirst;

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

    fn footprint(facts: &unit::Facts, formation: unit::Formation, stands: StandSet) -> Footprint {
        facts.footprint(formation, stands.count() as u8)
    }

    fn officer_footprint(facts: &unit::Officer) -> Footprint {
        facts.stand
    }

    fn layout(facts: &unit::Facts, formation: unit::Formation, stands: StandSet) -> Layout {
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

    fn apply(pieces: &mut Pieces<'_, Self>, event: &event::FpwEvent) {
        event::apply(pieces, event);
    }

    fn veil(state: &mut State<Self>, from: Viewer) {
        hidden::veil(state, from);
    }

    fn has_secrets(state: &State<Self>, from: Viewer) -> bool {
        hidden::has_secrets(state, from)
    }

    fn unseen() -> (unit::Facts, unit::Soldiers, unit::Formation) {
        use unit::{Arm, Facts, Formation, Level, Nation, Quality, Soldiers, Weapon};
        let facts = Facts {
            arm: Arm::Infantry,
            weapon: Weapon::None,
            heavy: false,
            quality: Quality::Regular,
            nation: Nation::German,
            level: Level::Division,
            independent: false,
            scout_of: None,
            stands: 0,
            stand: Footprint::default(),
            zones: Vec::new(),
            enters: None,
        };
        (facts, Soldiers::fresh(0), Formation::Line)
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
