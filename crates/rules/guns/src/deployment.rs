//! Setting up, sealed for both sides: units, generals, observers, ambushes, opening orders; then brigadiers whose worth
//! was left open are diced for. Section D1, R59, R67, R74.

mod judge;
pub mod rollcall;

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{Field, facts};
use super::formation::Shape;
use super::muster::enemy_baseline;
use super::order::{Decision, Matter, ObserverPlacement, OpeningOrder, Order, Placement, Posture};
use super::sequence::{Given, Phase};
use super::unit::{Ability, Cycle, Level, Observer};
use super::{disorder, evolution, hidden};
use book::placement::OfficerPlacement;
use engine::{CommanderId, Deed, Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Whereabouts, Who};
pub use judge::check_defaults;
use table::Point;

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, deployed: bool) -> Flow<Guns> {
    if deployed {
        begin(umpire);
        return Flow::Again;
    }
    if umpire.state().muster().scenario.deployed {
        execute(umpire, Given::default());
        return Flow::Again;
    }
    Flow::Ask(Who::Both, Decision::Deploy)
}

/// The first bound begins when every brigadier's worth is known.
fn begin(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let open: Vec<(CommanderId, Side)> = Side::BOTH
        .into_iter()
        .flat_map(|side| field.muster().commander_ids().map(move |id| (id, side)))
        .filter(|(id, side)| {
            let card = field.muster().commander(*id);
            card.side == *side && card.facts.level == Level::Brigade && field.commander(*id).own.ability.is_none()
        })
        .collect();
    for (general, side) in open {
        dice_for(umpire, general, side);
    }
    umpire.announce(Event::new(Clause::BothSidesEachStep, Deed::TurnBegan { turn: 1 }));
    umpire.replace(Phase::Bound { next: 0 });
}

/// What a brigadier is worth, by the die (ability-a to -f).
fn dice_for(umpire: &mut Umpire<'_, Guns>, general: CommanderId, side: Side) {
    let roll = umpire.roll(umpire.charts().command.ability_die.value.0, side);
    let ability = umpire.charts().command.ability(roll.total().clamp(0, i32::from(u8::MAX)) as u8);
    let event = GunsEvent::Ability { general, ability };
    umpire.announce(Event::own(Clause::CommanderAbility, event).also(ability_clause(ability)).rolled(roll));
}

/// The line of the ability table.
pub const fn ability_clause(ability: Ability) -> Clause {
    match ability {
        Ability::Inspired => Clause::Inspired,
        Ability::Able => Clause::Able,
        Ability::Average => Clause::Average,
        Ability::Inept => Clause::Inept,
        Ability::Incompetent => Clause::Incompetent,
    }
}

/// Everything of a side that is set up, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Places {
    pub units: Vec<Placement>,
    pub commanders: Vec<OfficerPlacement>,
    pub observers: Vec<ObserverPlacement>,
}

/// What a side asks for; nothing where it passes.
#[derive(Clone, Copy, Default)]
struct Asked<'o> {
    units: &'o [Placement],
    commanders: &'o [OfficerPlacement],
    observers: &'o [ObserverPlacement],
    orders: &'o [OpeningOrder],
}

impl<'o> Asked<'o> {
    fn of(order: Option<&'o Order>) -> Asked<'o> {
        match order {
            Some(Order::Deploy { units, commanders, observers, orders }) => {
                Asked { units, commanders, observers, orders }
            }
            _ => Asked::default(),
        }
    }
}

/// Where everything of a side stands: where the order says, else where the set-up places it.
fn places(field: &Field, side: Side, asked: Asked<'_>) -> Places {
    let scenario = &field.muster().scenario;
    let own = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && !facts(field, *id).screen);
    let units: Vec<Placement> = own
        .filter_map(|unit| {
            let given = asked.units.iter().find(|placement| placement.unit == unit).copied();
            given.or_else(|| default_place(field, unit))
        })
        .collect();
    let generals = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let commanders = generals.filter_map(|commander| {
        let given = asked.commanders.iter().find(|placement| placement.commander == commander).copied();
        let default = scenario.commanders_at.get(commander.index()).copied().flatten();
        given.or(default.map(|pose| OfficerPlacement { commander, pose }))
    });
    let commanders = commanders.collect();
    let batteries = units.iter().filter(|placement| facts(field, placement.unit).indirect);
    let observers = batteries.map(|placement| {
        let battery = placement.unit;
        let given = asked.observers.iter().find(|one| one.battery == battery).copied();
        given.unwrap_or(ObserverPlacement { battery, at: default_observer(field, placement) })
    });
    let observers = observers.collect();
    Places { units, commanders, observers }
}

/// Where the set-up places a unit, and how.
fn default_place(field: &Field, unit: UnitId) -> Option<Placement> {
    let (scenario, n) = (&field.muster().scenario, unit.index());
    let pose = scenario.units_at.get(n).copied().flatten()?;
    let formation = scenario.drawn_up.get(n).copied().flatten().unwrap_or(field.unit(unit).body.formation);
    let hidden = scenario.in_hiding.get(n).copied().unwrap_or(false);
    Some(Placement { unit, pose, formation, hidden, defend: scenario.defends.get(n).copied().flatten() })
}

/// An observer stands where the set-up sends him; one who would be with his battery goes where it goes.
fn default_observer(field: &Field, placement: &Placement) -> Point {
    let (scenario, n) = (&field.muster().scenario, placement.unit.index());
    let battery = scenario.units_at.get(n).copied().flatten().map(|pose| pose.at);
    let sent = scenario.observers_at.get(n).copied().flatten();
    sent.filter(|at| Some(*at) != battery).unwrap_or(placement.pose.at)
}

/// The deployment the set-up gives a side, spelled out piece by piece.
pub fn as_drawn_up(field: &Field, side: Side) -> Order {
    let Places { units, commanders, observers } = places(field, side, Asked::default());
    Order::Deploy { units, commanders, observers, orders: Vec::new() }
}

/// Judges a deployment.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    match order {
        Order::Pass => return verdict,
        Order::Deploy { .. } => {}
        _ => return Verdict::refused(Clause::TableAndBaselines, "the question is where your troops stand"),
    }
    let asked = Asked::of(Some(order));
    check_units(field, side, asked.units, &mut verdict);
    for (n, placement) in asked.commanders.iter().enumerate() {
        let card = field.muster().commander(placement.commander);
        if card.side != side {
            verdict.refuse(Clause::TableAndBaselines, "this is not a general of yours");
        } else if asked.commanders[..n].iter().any(|other| other.commander == placement.commander) {
            verdict.refuse(Clause::TableAndBaselines, format!("{} is set up twice", card.name));
        }
    }
    for (n, placement) in asked.observers.iter().enumerate() {
        let battery = placement.battery;
        if field.side_of(battery) != side || !facts(field, battery).indirect {
            let text = "only a battery of yours that fires indirectly has an observer";
            verdict.refuse(Clause::ObserverNeeded, text).about(battery);
        } else if asked.observers[..n].iter().any(|other| other.battery == battery) {
            verdict.refuse(Clause::ObserverNeeded, "its observer is set up twice").about(battery);
        }
    }
    check_orders(field, side, asked.orders, &mut verdict);
    if verdict.is_legal() {
        judge::judge(field, side, &places(field, side, asked), |trouble| {
            let note = verdict.refuse(trouble.clause, trouble.text);
            note.at(Mark::Spot(trouble.at));
            if let Some(unit) = trouble.unit {
                note.about(unit);
            }
        });
    }
    verdict
}

fn check_units(field: &Field, side: Side, units: &[Placement], verdict: &mut Verdict) {
    for (n, placement) in units.iter().enumerate() {
        let unit = placement.unit;
        let (clause, text) = if field.side_of(unit) != side {
            (Clause::TableAndBaselines, "this is not a unit of yours")
        } else if facts(field, unit).screen {
            (Clause::ScreenIsUnit, "skirmishers are thrown out when the battle has begun")
        } else if units[..n].iter().any(|other| other.unit == unit) {
            (Clause::TableAndBaselines, "it is set up twice")
        } else {
            let count = super::field::count(field, unit);
            let own = facts(field, unit);
            let mounted = field.unit(unit).own.mounted;
            if let Some((clause, why)) = evolution::objection(own, mounted, placement.formation, count) {
                verdict.refuse(clause, why).about(unit);
            }
            continue;
        };
        verdict.refuse(clause, text).about(unit);
    }
}

/// Opening orders: one for each brigade, toward something that can be told apart (orders-a).
fn check_orders(field: &Field, side: Side, orders: &[OpeningOrder], verdict: &mut Verdict) {
    let clause = Clause::OpeningOrders;
    if !orders.is_empty() && highest(field, side).is_none() {
        verdict.refuse(clause, "there is no commander to give opening orders");
    }
    for (n, OpeningOrder { brigade, order }) in orders.iter().enumerate() {
        let name = &field.muster().command(*brigade).name;
        if !super::field::brigades(field, side).any(|own| own == *brigade) {
            verdict.refuse(clause, format!("{name} is no brigade of yours"));
            continue;
        }
        if orders[..n].iter().any(|other| other.brigade == *brigade) {
            verdict.refuse(clause, format!("{name} gets two orders"));
        }
        if order.posture == Posture::Withdraw && !field.settings().withdraw_orders {
            verdict.refuse(Clause::WithdrawOrders, "it was agreed to play without orders to withdraw");
        }
        let text = match order.objective {
            Matter::Point(at) if !field.ground().bounds().contains(at.vec()) => "its objective is off the table",
            Matter::Unit(unit) if field.side_of(unit) == side => "its objective is a friend",
            Matter::Unit(unit) if !field.unit(unit).is_present() => "nobody has seen its objective yet",
            _ => continue,
        };
        verdict.refuse(clause, format!("{name}: {text}"));
    }
}

/// The highest commander of a side that has a place, the first of equals.
pub fn highest(field: &Field, side: Side) -> Option<CommanderId> {
    let scenario = &field.muster().scenario;
    let placed = |id: &CommanderId| {
        field.commander(*id).is_present() || scenario.commanders_at.get(id.index()).is_some_and(Option::is_some)
    };
    let own = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let mut best: Option<CommanderId> = None;
    for id in own.filter(placed) {
        let level = |id: CommanderId| field.muster().commander(id).facts.level;
        if best.is_none_or(|best| level(id) > level(best)) {
            best = Some(id);
        }
    }
    best
}

/// The opening orders of a side: those given, else the set-up's. An objective nobody can see becomes the enemy's baseline.
pub fn opening_orders(field: &Field, side: Side, given: &[OpeningOrder]) -> Vec<Event<Guns>> {
    let issuer = highest(field, side);
    let orders = &field.muster().scenario.orders;
    let brigades = super::field::brigades(field, side);
    let events = brigades.filter_map(|brigade| {
        let given = given.iter().find(|one| one.brigade == brigade).map(|one| one.order);
        let mut order = given.or_else(|| orders.get(brigade.index()).copied().flatten())?;
        if let Matter::Unit(at) = order.objective
            && field.unit(at).whereabouts != Whereabouts::OnTable
        {
            order.objective = Matter::Point(enemy_baseline(field.ground(), &field.muster().sides, side));
        }
        let event = GunsEvent::Ordered { brigade, order, issuer, cause: None };
        Some(Event::own(Clause::OpeningOrders, event))
    });
    events.collect()
}

/// Carries both out; the first bound begins when the page is turned.
pub fn execute(umpire: &mut Umpire<'_, Guns>, given: Given) {
    for side in Side::BOTH {
        let asked = Asked::of(given[side].as_ref());
        let places = places(umpire.state(), side, asked);
        for placement in &places.units {
            place_unit(umpire, *placement);
        }
        for OfficerPlacement { commander, pose } in places.commanders {
            let deed = Deed::CommanderMoved { commander, to: pose };
            umpire.announce(Event::new(Clause::TableAndBaselines, deed).also(Clause::CommandTree));
        }
        for ObserverPlacement { battery, at } in places.observers {
            let event = GunsEvent::ObserverMoved { battery, observer: Some(Observer::At(at)) };
            hidden::announce(umpire, battery, Event::own(Clause::ObserverCounter, event));
        }
    }
    // Orders come when both stand: nobody is sent against an enemy who lies in ambush.
    for side in Side::BOTH {
        for event in opening_orders(umpire.state(), side, Asked::of(given[side].as_ref()).orders) {
            umpire.announce(event);
        }
    }
    let units: Vec<UnitId> = umpire.state().muster().unit_ids().collect();
    for unit in units.into_iter().filter(|unit| umpire.state().unit(*unit).is_present()).collect::<Vec<_>>() {
        disorder::settle(umpire, unit, false);
    }
    hidden::discover(umpire);
    umpire.replace(Phase::Opening { deployed: true });
}

/// Sets a unit on the table; of an ambush only its owner hears (R74).
fn place_unit(umpire: &mut Umpire<'_, Guns>, placement: Placement) {
    let Placement { unit, pose, formation, hidden, defend } = placement;
    let side = umpire.state().side_of(unit);
    let deed = Deed::Placed { unit, pose, formation, hidden };
    let event = Event::new(Clause::TableAndBaselines, deed).also_if(hidden, Clause::AmbushedSilent);
    umpire.announce(if hidden { event.only(side) } else { event });
    let call = rollcall::of(umpire.state(), unit, formation);
    hidden::announce(umpire, unit, call);
    let field = umpire.state();
    let cycle = if formation.shape == Shape::Deployed { Cycle::Deployed } else { Cycle::Limbered };
    if facts(field, unit).is_battery() && field.unit(unit).own.cycle != cycle {
        hidden::announce(umpire, unit, Event::own(Clause::GunCycle, GunsEvent::Cycled { battery: unit, cycle }));
    }
    if defend.is_some() {
        let event = GunsEvent::Defends { unit, feature: defend };
        hidden::announce(umpire, unit, Event::own(Clause::DefendersLoose, event));
    }
}
