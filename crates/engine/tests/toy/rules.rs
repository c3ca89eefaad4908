//! The toy as a rulebook: muster, sequence, checks, veil and candidates.

use super::acts;
use super::*;
use engine::Edition;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    Answers, Asked, CommandCard, CommandId, CommanderCard, CommanderId, Deed, Event as Told, Faults, Flow, Lots,
    Muster, Outcome, Pieces, Ruleset, SheetTable, StandSet, State, Umpire, UnitCard, Verdict, View, Viewer, Who,
};
use std::sync::Arc;
use table::layout::Layout;
use table::march::Track;
use table::{Angle, Flank, gap};

pub const STANDS: u32 = 4;

impl Ruleset for Ambush {
    type Facts = Facts;
    type Officer = Officer;
    type Unit = Strength;
    type Commander = ();
    type Formation = Formation;
    type Ledger = Ledger;
    type Settings = Settings;
    type Scenario = Scenario;
    type Charts = Charts;
    type Phase = Phase;
    type Decision = Decision;
    type Order = Order;
    type Event = Event;
    type Clause = Clause;

    const EDITIONS: &'static [Edition] = &[Edition {
        id: "ambush",
        name: "Ambush",
        about: "A toy.",
        revision: 3,
        charts: texts::CHARTS,
        clauses: texts::CLAUSES,
        prefixes: &["ambush"],
    }];
    const CUSTOM: Clause = Clause::Custom;

    fn read_settings(settings: &mut Settings, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
        settings.slip = table.optional("slip", faults).or(settings.slip);
        settings.no_tape = table.optional("no_tape", faults).unwrap_or(settings.no_tape);
    }

    fn muster(
        root: &mut SheetTable<'_, '_>,
        opening: Opening<Self>,
        _mode: Mode,
        faults: &mut Faults,
    ) -> Option<State<Self>> {
        let Opening { edition, header, ground, charts, settings, digest } = opening;
        let side_in = |entry: &mut SheetTable<'_, '_>, faults: &mut Faults| {
            let word: String = entry.get("side", faults)?;
            let found = header.sides.iter().find(|(_, card)| card.key == word).map(|(side, _)| side);
            if found.is_none() {
                entry.fault("side", format!("no side is called `{word}`"), faults);
            }
            found
        };
        let brigades = root.group("brigades", faults);
        let leaders = root.group("leaders", faults);
        let brigade_keys: Vec<String> = brigades.iter().map(|(key, _)| key.clone()).collect();
        let leader_keys: Vec<String> = leaders.iter().map(|(key, _)| key.clone()).collect();
        let place = |keys: &[String], word: &str| keys.iter().position(|key| key == word).map(|n| n as u16);
        let mut muster: Muster<Ambush> = Muster {
            edition,
            title: header.title.clone(),
            ground: Arc::new(ground),
            sides: Arc::new(header.sides.clone()),
            units: Vec::new(),
            commanders: Arc::default(),
            commands: Arc::default(),
            charts: Arc::new(charts),
            settings,
            scenario: Scenario { powder: BySide::default() },
            turn_limit: header.turn_limit,
            digest,
        };
        for (key, mut entry) in brigades {
            let side = side_in(&mut entry, faults);
            let leader: Option<String> = entry.optional("leader", faults);
            let commander = leader.and_then(|word| place(&leader_keys, &word)).map(CommanderId);
            entry.finish(faults);
            if let Some(side) = side {
                Arc::make_mut(&mut muster.commands).push(CommandCard {
                    name: key.clone(),
                    key,
                    side,
                    parent: None,
                    commander,
                });
            }
        }
        for (key, mut entry) in leaders {
            let (side, brigade) = (side_in(&mut entry, faults), entry.get::<String>("brigade", faults));
            let facts = Officer { chief: entry.optional("chief", faults).unwrap_or(false) };
            entry.finish(faults);
            let commands = brigade.and_then(|word| place(&brigade_keys, &word)).map(CommandId);
            if let (Some(side), Some(commands)) = (side, commands) {
                Arc::make_mut(&mut muster.commanders).push(CommanderCard {
                    name: key.clone(),
                    key,
                    side,
                    commands,
                    facts,
                });
            }
        }
        let mut starts = Vec::new();
        for (key, mut entry) in root.group("units", faults) {
            let (side, arm, pose) = (side_in(&mut entry, faults), entry.get("arm", faults), entry.get("pose", faults));
            let name = entry.optional("name", faults).unwrap_or_else(|| key.clone());
            let hidden = entry.optional("hidden", faults).unwrap_or(false);
            let brigade: Option<String> = entry.optional("brigade", faults);
            entry.finish(faults);
            let command = brigade.and_then(|word| place(&brigade_keys, &word)).map(CommandId);
            if let (Some(side), Some(arm), Some(pose)) = (side, arm, pose) {
                muster.units.push(Arc::new(UnitCard { key, name, side, command, facts: Facts { arm } }));
                starts.push(Start { pose, hidden });
            }
        }
        if let Some(mut table) = root.table("powder", faults) {
            for (side, card) in header.sides.iter() {
                muster.scenario.powder[side] = table.optional(&card.key, faults).unwrap_or(0);
            }
            table.finish(faults);
        }
        let units = vec![(Formation::Line, StandSet::first(STANDS), Strength { hits: 0 }); starts.len()];
        let leaders = vec![(); muster.commanders.len()];
        let odd = Odd(muster.settings.slip == Some(Slip::Unwritable));
        let ledger = Ledger { shots: BySide::default(), marches: BySide::default(), odd };
        Some(State::new(muster, units, leaders, ledger, vec![Phase::Deploy { starts }]))
    }

    fn footprint(facts: &Facts, formation: Formation, _stands: StandSet) -> Footprint {
        footprint(facts.arm, formation)
    }

    fn officer_footprint(_: &Officer) -> Footprint {
        Footprint::new(Length::whole_inches(1), Length::whole_inches(1))
    }

    fn layout(facts: &Facts, formation: Formation, _stands: StandSet) -> Layout {
        Layout::line(1, footprint(facts.arm, formation), Length::ZERO)
    }

    fn advance(umpire: &mut Umpire<'_, Self>) -> Flow<Self> {
        let slip = umpire.state().settings().slip;
        match umpire.top() {
            None => Flow::Done,
            Some(Phase::Deploy { starts }) => {
                acts::deploy(umpire, &starts);
                umpire.replace(Phase::Round { planned: false });
                Flow::Again
            }
            Some(Phase::Round { planned: true }) => {
                let turn = umpire.state().turn() + 1;
                umpire.announce(Told::new(Clause::Plan, Deed::TurnBegan { turn }));
                umpire.replace(Phase::Round { planned: false });
                Flow::Again
            }
            Some(Phase::Round { planned: false }) => match (ending(umpire.state()), slip) {
                (Some(outcome), _) => Flow::Over(outcome),
                (None, Some(Slip::Endless)) if umpire.state().turn() > 1 => Flow::Again,
                (None, Some(Slip::Piles)) if umpire.state().turn() > 1 => {
                    umpire.begin(Phase::Round { planned: false });
                    Flow::Again
                }
                (None, Some(Slip::RunsOut)) if umpire.state().turn() > 1 => Flow::Done,
                _ => Flow::Ask(Who::Both, Decision::Plan),
            },
            Some(Phase::Act { side, order }) => {
                umpire.end();
                acts::carry_out(umpire, side, &order);
                Flow::Again
            }
            Some(Phase::React { mover }) => {
                let side = umpire.state().side_of(mover).other();
                Flow::Ask(Who::One(side), Decision::React { mover })
            }
        }
    }

    fn check(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &Order) -> Verdict {
        let mut verdict = Verdict::fine();
        match (&asked.decision, order) {
            (Decision::Plan, Order::Hold) | (Decision::React { .. }, Order::Pass) => {}
            (Decision::Plan, Order::March { unit, legs }) => check_march(view, side, *unit, legs, &mut verdict),
            (Decision::Plan, Order::Reform { unit, .. } | Order::Withdraw { unit }) => {
                check_own(view, side, *unit, &mut verdict)
            }
            (Decision::React { mover }, Order::Fire { with }) => {
                check_own(view, side, *with, &mut verdict);
                let range = gap(view.unit(*with).quad(), view.unit(*mover).quad());
                if range > view.charts().fire.reach.value {
                    verdict.refuse(Clause::Fire, "out of reach").about(*with);
                }
            }
            _ => verdict = Verdict::refused(Clause::Plan, "that is no answer to this question"),
        }
        verdict
    }

    fn execute(umpire: &mut Umpire<'_, Self>, asked: &Asked<Self>, answers: Answers<Self>) {
        match (&asked.decision, answers) {
            (Decision::Plan, Answers::Both(a, b)) => {
                umpire.replace(Phase::Round { planned: true });
                umpire.begin(Phase::Act { side: Side::B, order: b });
                umpire.begin(Phase::Act { side: Side::A, order: a });
            }
            (Decision::React { mover }, Answers::One(side, order)) => {
                umpire.end();
                match order {
                    Order::Fire { with } => acts::fire(umpire, side, with, *mover),
                    _ => umpire.announce(Told::own(Clause::Plan, Event::Held { side })),
                }
            }
            _ => umpire.fault("the answers do not fit the question"),
        }
    }

    fn apply(pieces: &mut Pieces<'_, Self>, event: &Event) {
        match event {
            Event::Counted { side } => pieces.ledger().marches[*side] += 1,
            Event::Held { .. } | Event::Again { .. } => {}
            Event::Shot { side, at, hit, .. } => {
                pieces.ledger().shots[*side] += 1;
                pieces.unit(*at).hits += u8::from(*hit);
            }
        }
    }

    fn veil(state: &mut State<Self>, from: Viewer) {
        for side in Side::BOTH.into_iter().filter(|side| !from.knows(*side)) {
            state.ledger_mut().marches[side] = 0;
            state.muster_mut().scenario.powder[side] = 0;
            for phase in state.agenda_mut() {
                match phase {
                    Phase::Act { side: whose, order } if *whose == side => *order = Order::Hold,
                    _ => {}
                }
            }
        }
    }

    fn has_secrets(state: &State<Self>, from: Viewer) -> bool {
        let powder = &state.muster().scenario.powder;
        let opened =
            |side| state.agenda().iter().any(|phase| matches!(phase, Phase::Act { side: s, .. } if *s == side));
        Side::BOTH.into_iter().any(|side| {
            !from.knows(side) && (state.ledger().marches[side] + u16::from(powder[side]) > 0 || opened(side))
        })
    }

    fn unseen() -> (Facts, Strength, Formation) {
        (Facts { arm: Arm::Foot }, Strength { hits: 0 }, Formation::Line)
    }

    fn fallback(_: &View<'_, Self>, asked: &Asked<Self>, _: Side) -> Order {
        match asked.decision {
            Decision::Plan => Order::Hold,
            Decision::React { .. } => Order::Pass,
        }
    }

    fn candidates(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
        let mut orders = Vec::new();
        for (unit, piece) in view.present(side) {
            if let Decision::React { .. } = asked.decision {
                orders.push(Order::Fire { with: unit });
                continue;
            }
            let inches = |lots: &mut Lots| Length::whole_inches(1 + lots.below(6) as i32);
            orders.push(Order::March { unit, legs: vec![Leg::Ahead(inches(lots))] });
            let oblique = Leg::Oblique { by: Angle::whole(lots.below(360) as i32), go: inches(lots) };
            orders.push(Order::March { unit, legs: vec![oblique] });
            let wheel = Leg::Wheel { pivot: Flank::Left, by: Angle::whole(lots.below(90) as i32) };
            orders.push(Order::March { unit, legs: vec![wheel, Leg::Ahead(inches(lots).half())] });
            let other = if piece.body.formation == Formation::Line { Formation::Column } else { Formation::Line };
            orders.push(Order::Reform { unit, into: other });
            if lots.below(20) == 0 {
                orders.push(Order::Withdraw { unit });
            }
        }
        orders.retain(|order| Self::check(view, asked, side, order).is_legal());
        orders.truncate(limit.saturating_sub(1));
        orders.push(Self::fallback(view, asked, side));
        orders
    }
}

fn check_own(view: &View<'_, Ambush>, side: Side, unit: UnitId, verdict: &mut Verdict) {
    if view.side_of(unit) != side {
        verdict.refuse(Clause::Plan, "that unit is not yours").about(unit);
    } else if !view.unit(unit).is_present() {
        verdict.refuse(Clause::Plan, "that unit is not on the table").about(unit);
    }
}

fn check_march(view: &View<'_, Ambush>, side: Side, unit: UnitId, legs: &[Leg], verdict: &mut Verdict) {
    check_own(view, side, unit, verdict);
    let chart = &view.charts().march;
    if legs.is_empty() || legs.len() > chart.most_legs.value.get() as usize {
        verdict.refuse(Clause::March, format!("a march has 1 to {} legs", chart.most_legs.value.get()));
    }
    let track = Track::plot(view.unit(unit).pose(), view.footprint(unit, view.unit(unit).body.formation), legs);
    if track.length() > chart.allowance.value {
        verdict.refuse(Clause::March, format!("{} is more than {}", track.length(), chart.allowance.value)).about(unit);
    }
    if !track.stays_on(view.ground()) {
        verdict.refuse(Clause::March, "the march leaves the table").about(unit);
    }
    for (other, piece) in view.units().filter(|(other, piece)| *other != unit && piece.is_present()) {
        if track.meets(piece.quad().points()).is_some() {
            verdict.refuse(Clause::March, "the way is not free").about(other);
        }
    }
    let near = |piece: &engine::Unit<Ambush>| piece.pose().at.distance(track.end().at) < view.charts().fire.reach.value;
    if view.present(side.other()).any(|(_, piece)| near(piece)) {
        verdict.caution(Clause::Fire, "the enemy may fire").about(unit);
    }
}

fn ending(state: &State<Ambush>) -> Option<Outcome> {
    let clause = engine::ClauseId::from(Clause::Ending).to_string();
    let over = |winner, why: &str| Some(Outcome { winner, clause: clause.clone(), why: why.to_owned() });
    if let Some(side) = Side::BOTH.into_iter().find(|side| state.present(*side).next().is_none()) {
        return over(Some(side.other()), "nobody is left to fight");
    }
    if state.turn() <= state.muster().turn_limit.unwrap_or(20) {
        return None;
    }
    let strength = |side| state.present(side).count();
    let winner = match strength(Side::A).cmp(&strength(Side::B)) {
        std::cmp::Ordering::Greater => Some(Side::A),
        std::cmp::Ordering::Less => Some(Side::B),
        std::cmp::Ordering::Equal => None,
    };
    over(winner, "night falls")
}
