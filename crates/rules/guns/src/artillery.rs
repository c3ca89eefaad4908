//! P6: direct and indirect fire, both sides at once (R15, R18, R63, R67, R68); then what batteries do after it.

use super::Guns;
use super::blast::{self, Everybody};
use super::clause::Clause;
use super::event::{Cause, FireKind, GunsEvent, Manner};
use super::field::{Field, facts, gap, is_deployed, is_there, present, troops};
use super::nearby::Nearby;
use super::order::{Decision, Order, Shot};
use super::ranging::{self, Strike};
use super::sequence::{Given, Phase, ask};
use super::shooting::judgement::{self, Reasons, is_own, reasons};
use super::shooting::{self, ReadyShot, Struck, bury, damage, declared, of_fire};
use super::unit::GunClass;
use super::{cycle, hidden, musketry, zone};
use engine::{BySide, Event, Flow, Side, Umpire, UnitId, Verdict, View};

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, asked: bool) -> Flow<Guns> {
    if !asked {
        ranging::forget(umpire);
        umpire.replace(Phase::Guns { asked: true });
        let field = umpire.state();
        let choice = BySide([Side::A, Side::B].map(|side| anybody_can_fire(field, side)));
        if let Some(question) = ask(choice, Decision::Guns) {
            return question;
        }
    }
    umpire.end();
    cycle::after_fire(umpire);
    Flow::Again
}

fn anybody_can_fire(field: &Field, side: Side) -> bool {
    let mut batteries = present(field, side).filter(|(id, _)| silence(field, *id).is_empty()).peekable();
    if batteries.peek().is_none() {
        return false;
    }
    let enemies = Nearby::known(field, side.other());
    batteries.any(|(id, _)| judgement::has_target(field, id, &enemies) || ranging::strike(field, id).is_some())
}

/// Why a unit may not fire in this step.
pub fn silence(field: &Field, unit: UnitId) -> Reasons {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    if !facts.weapon.artillery || !facts.is_battery() {
        return reasons(&[(true, Clause::ArtillerySixth, "only artillery fires in this step")]);
    }
    let mut all = judgement::silence(field, unit);
    let deployed = is_deployed(field, unit);
    all.extend(reasons(&[
        (!deployed, Clause::GunCycle, "its guns are not in battery"),
        (deployed && !own.bound.fires, Clause::GunCycle, "its plan for this bound leaves no time to fire"),
        (own.guns == 0, Clause::GunsCounted, "none of its guns is served"),
    ]));
    all
}

/// Judges targets.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Fire { shots, hold } => {
            judgement::check_shots(view, side, shots, silence, &mut verdict);
            check_hold(view, side, shots, hold, &mut verdict);
        }
        _ => drop(verdict.refuse(Clause::ArtillerySixth, "the question is what the guns fire at")),
    }
    verdict
}

/// Only guns marked for indirect fire can be told to hold it.
fn check_hold(field: &Field, side: Side, shots: &[Shot], hold: &[UnitId], verdict: &mut Verdict) {
    for unit in hold {
        if !is_own(field, side, *unit) {
            verdict.refuse(Clause::ArtillerySixth, "whoever holds its fire must be a battery of yours on the table");
            continue;
        }
        if shots.iter().any(|shot| shot.unit == *unit) {
            verdict.refuse(Clause::OpenSights, "it is told to fire and to hold its fire").about(*unit);
        }
        if !troops(field, *unit).registration.as_ref().is_some_and(|registration| registration.marked) {
            verdict.refuse(Clause::ObserverNeeded, "it was not marked for indirect fire").about(*unit);
        }
    }
}

/// One battery's fire.
enum Salvo {
    Direct(Shot),
    Indirect(Strike),
}

impl Salvo {
    fn battery(&self) -> UnitId {
        match self {
            Salvo::Direct(shot) => shot.unit,
            Salvo::Indirect(strike) => strike.battery,
        }
    }
}

/// Fires. Passing names no new targets; guns marked for indirect fire give it all the same.
pub fn execute(umpire: &mut Umpire<'_, Guns>, given: Given) {
    let salvoes = salvoes(umpire.state(), given);
    let everybody = Everybody::of(umpire.state());
    let ready: Vec<ReadyShot> = declare(umpire, &salvoes, &everybody);
    let struck: Vec<Struck> = ready.iter().map(|shot| shooting::throw(umpire, shot)).collect();
    for hit in struck {
        damage(umpire, hit.by, hit.at, hit.damage, Cause::Shells);
    }
    for salvo in &salvoes {
        if let Salvo::Indirect(strike) = salvo {
            register(umpire, strike);
        }
    }
    bury(umpire);
}

/// What every battery of both sides fires, in the order of the roster (R79).
fn salvoes(field: &Field, given: Given) -> Vec<Salvo> {
    let mut all = Vec::new();
    for (side, order) in [Side::A, Side::B].into_iter().zip(given.0) {
        let (shots, hold) = match order {
            Some(Order::Fire { shots, hold }) => (shots, hold),
            Some(_) => (Vec::new(), Vec::new()),
            None => continue,
        };
        let busy = |id: &UnitId| hold.contains(id) || shots.iter().any(|shot| shot.unit == *id);
        let marked = present(field, side).map(|(id, _)| id).filter(|id| !busy(id));
        let mut of_side: Vec<Salvo> = marked.filter_map(|id| ranging::strike(field, id)).map(Salvo::Indirect).collect();
        let direct = shots.iter().copied().filter(|shot| is_there(field, shot.unit) && is_there(field, shot.at));
        of_side.extend(direct.map(Salvo::Direct));
        of_side.sort_by_key(Salvo::battery);
        all.extend(of_side);
    }
    all
}

/// Declares everything and puts everybody under fire before the figures of the first shot are worked out (R15).
fn declare(umpire: &mut Umpire<'_, Guns>, salvoes: &[Salvo], everybody: &Everybody) -> Vec<ReadyShot> {
    let mut hits = Vec::new();
    for salvo in salvoes {
        match salvo {
            Salvo::Direct(shot) => {
                declared::fires(umpire, shot.unit, shot.at, true);
                declared::under_fire(umpire, shot.at, FireKind::Shelled);
                hits.push((*shot, Manner::Direct, 0));
            }
            Salvo::Indirect(strike) => {
                declared::fires(umpire, strike.battery, strike.at, false);
                let area = blast::blocks(umpire.state(), strike.battery, strike.point, &strike.blocks);
                let event = falls(umpire.state(), strike, &area);
                umpire.announce(event);
                for (at, blocks) in everybody.under(umpire.state(), &area) {
                    declared::under_fire(umpire, at, FireKind::Shelled);
                    hits.push((Shot { unit: strike.battery, at }, strike.manner, blocks));
                }
            }
        }
    }
    let field = umpire.state();
    hits.into_iter().filter_map(|(shot, manner, blocks)| ready(field, shot, manner, blocks)).collect()
}

/// The figures of one calculation: guns that bear for direct fire, blocks on the unit for indirect.
pub fn ready(field: &Field, shot: Shot, manner: Manner, blocks: u8) -> Option<ReadyShot> {
    if manner == Manner::Direct {
        return musketry::ready(field, shot, manner);
    }
    let range = zone::over_heads(field, shot.unit, shot.at).unwrap_or_else(|| gap(field, shot.unit, shot.at));
    let calculation = of_fire(field, shot.unit, shot.at, manner, blocks, range);
    (blocks > 0).then_some(ReadyShot { by: shot.unit, at: shot.at, manner, range, calculation })
}

/// The telling of where indirect fire falls.
fn falls(field: &Field, strike: &Strike, area: &[table::Quad]) -> Event<Guns> {
    let ranging = strike.manner == Manner::Ranging;
    let event =
        GunsEvent::Blast { battery: strike.battery, point: strike.point, blocks: strike.blocks.clone(), ranging };
    let again = ranging && troops(field, strike.battery).registration.as_ref().is_some_and(|before| before.ranged);
    let block = match facts(field, strike.battery).class.unwrap_or(GunClass::Field) {
        GunClass::Horse | GunClass::Field => Clause::FieldBlock,
        GunClass::Medium => Clause::MediumBlock,
        GunClass::Heavy | GunClass::SuperHeavy => Clause::HeavyBlock,
    };
    Event::own(Clause::BlockPerGun, event)
        .also(block)
        .also(Clause::ObserverNeeded)
        .also(if ranging { Clause::FirstBoundRanging } else { Clause::RangedFire })
        .also_if(again, Clause::RangeAfresh)
        .also_if(blast::falls_on_observer(field, area), Clause::ObserverNoTarget)
}

/// After its fire a battery is ranged on its target, or has lost it.
fn register(umpire: &mut Umpire<'_, Guns>, strike: &Strike) {
    let before = troops(umpire.state(), strike.battery).registration.as_deref();
    if before == strike.after.as_ref() {
        return;
    }
    let clause = if strike.after.is_some() { Clause::RangedFire } else { Clause::RangeAfresh };
    let registration = strike.after.clone().map(Box::new);
    let event = GunsEvent::Registered { battery: strike.battery, registration };
    hidden::announce(umpire, strike.battery, Event::own(clause, event));
}

/// Enemies a battery may fire at over open sights now.
pub fn targets(field: &Field, battery: UnitId) -> Vec<UnitId> {
    if !silence(field, battery).is_empty() {
        return Vec::new();
    }
    judgement::targets(field, battery, &Nearby::known(field, field.side_of(battery).other()))
}

/// Every battery of a side that can fire over open sights now, with the enemies each may fire at, in roster order.
pub fn shots(field: &Field, side: Side) -> Vec<(UnitId, Vec<UnitId>)> {
    judgement::all_targets(field, side, silence)
}
