//! How a forced retirement is made: dice (R05, R06), the way back (R42), supports carried away (R43), leaving the table,
//! dispersal (R40). Called from P3, P5 (alarm), P8 and P9.
//!
//! Guns in battery, or being worked into or out of it, do not retire (R66): their crews stand or run, so that asking them
//! to retire changes nothing. Enemies a unit drives off leave whoever is pinned before them free (failed-i).

pub mod way;

use super::Guns;
use super::charts::Charts;
use super::clause::Clause;
use super::deployment::rollcall::scale_clause;
use super::event::{BoundStep, GunsEvent, Retreat};
use super::field::{
    self, Field, distance, facts, forward, gap_of, is_hidden, is_there, known, skirmishes, troops, uses_small_arms,
};
use super::formation::Formation;
use super::settings::Scale;
use super::unit::{Arm, ChargeStage, Cycle};
use super::{disorder, generals, hidden, screen};
use engine::{Deed, Event, Flow, Leaving, Reckoning, Umpire, UnitId};
use serde::{Deserialize, Serialize};
use table::{Length, Pose, SLACK, Vec2};
use way::{Way, Wish};

/// Retirements that are due, for whoever must finish something else first: who, before whom, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Retreating {
    /// In the order they are made.
    pub due: Vec<(UnitId, Option<UnitId>, Retreat)>,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, retreating: Retreating) -> Flow<Guns> {
    for (unit, before, why) in retreating.due {
        retire(umpire, unit, before, why);
    }
    Flow::Done
}

/// Makes a unit retire now: rolls its distance where `why` asks for a die, announces `Retires`, the move, disorder,
/// `Broken` where it breaks, tests supports it goes through, removes what is dispersed or leaves the table. Returns
/// whether it is still on the table. `before`: the enemy it goes away from; the nearest one where there is none.
///
/// Cavalry that fell back (`Retreat::FellBack`) and is still within reach of small arms is told to do so once more in
/// the next forced moves (R82). `Retreat::Drawn` goes back without a die and is no retirement; `Retreat::Evacuates`
/// leaves burning houses.
pub fn retire(umpire: &mut Umpire<'_, Guns>, unit: UnitId, before: Option<UnitId>, why: Retreat) -> bool {
    if !is_there(umpire.state(), unit) {
        return false;
    }
    if !can_go_back(umpire.state(), unit) {
        return true;
    }
    match why {
        // Beaten cavalry stands where it is whoever comes near (R38).
        Retreat::Alarmed if troops(umpire.state(), unit).beaten => return true,
        Retreat::Drawn => return fall_back_drawn(umpire, unit, before),
        Retreat::Evacuates => return super::forced::evacuate(umpire, unit),
        _ => {}
    }
    if is_hidden(umpire.state().unit(unit)) {
        hidden::reveal(umpire, unit, Clause::FreeRound);
    }
    if disperses(umpire.state(), unit) {
        remove(umpire, unit, Leaving::Destroyed, Clause::Dispersed);
        return false;
    }
    let before = before.filter(|enemy| is_there(umpire.state(), *enemy));
    let least = roll_distance(umpire, unit, before, why);
    release_pinned(umpire, unit);
    shake_off(umpire, unit);
    mark(umpire, unit, why);
    let field = umpire.state();
    let wish =
        Wish { away: away(field, unit, before), least, bend: field.charts().charge.bend.value.get(), out_of: None };
    let way = way::find(field, unit, wish);
    let stays = go(umpire, unit, before, &way);
    if troops(umpire.state(), unit).broken {
        carry_away(umpire, unit, before, &way);
    }
    if stays && why == Retreat::FellBack {
        fall_back_again(umpire, unit);
    }
    stays
}

/// Whether a unit can go back at all: guns in battery cannot (R66).
pub fn can_go_back(field: &Field, unit: UnitId) -> bool {
    !facts(field, unit).is_battery() || troops(field, unit).cycle == Cycle::Limbered
}

/// Whether one retirement more is one too many in a row (R40); the second of one bound counts with the first.
pub fn disperses(field: &Field, unit: UnitId) -> bool {
    let troops = troops(field, unit);
    let most = field.charts().charge.disperse_after.value.get();
    !troops.bound.retired && is_last(troops.running, most)
}

fn is_last(running: u8, most: i32) -> bool {
    i32::from(running) + 1 >= most
}

/// The distance of a retirement, line by line: so much and so much more for each pip (R05, R06).
pub fn reckon(charts: &Charts, scale: Scale, why: Retreat, face: i32) -> (Reckoning, Length) {
    let chart = &charts.charge;
    let (clause, base, pip) = match why {
        Retreat::TwiceBeaten => (Clause::TwiceBeatenBreaks, chart.broken_base, chart.broken_pip),
        _ => (Clause::RetirementRoll, chart.retire_base, chart.retire_pip),
    };
    // Before a charge it is the same distance, whatever else the chapter on charges says of it.
    let least = if cause(why) == Clause::ChargedRetire { Clause::RetireDistance } else { clause };
    let in_units = |length: Length| length.as_um() / scale.game_unit().as_um();
    let mut reckoning = Reckoning::new();
    reckoning.add(least, "at least", base.map(|measure| in_units(measure.at(scale))));
    reckoning.add(clause, "for the die", pip.map(|measure| in_units(measure.at(scale)) * face));
    (reckoning, base.value.at(scale) + pip.value.at(scale) * face)
}

fn roll_distance(umpire: &mut Umpire<'_, Guns>, unit: UnitId, before: Option<UnitId>, why: Retreat) -> Length {
    let field = umpire.state();
    let (side, scale) = (field.side_of(unit), field.settings().scale);
    let pool = field.charts().combat.die.value.0;
    let roll = umpire.roll(pool, side);
    let (reckoning, distance) = reckon(umpire.charts(), scale, why, roll.total());
    let field = umpire.state();
    let charged = matches!(why, Retreat::Charged | Retreat::Margin);
    let natural = field::defended(field, unit).is_some_and(|(_, feature)| !field::is_perimeter(feature.kind));
    let event = Event::own(cause(why), GunsEvent::Retires { unit, before, distance, why })
        .also_if(why != Retreat::TwiceBeaten, Clause::RetirementRoll)
        .also_if(why == Retreat::Charged, Clause::AutomaticOutcome)
        .also_if(scale != Scale::Small, scale_clause(scale))
        .also_if(scale == Scale::Middle, Clause::UnprintedBracket)
        .also_if(charged && field::troops(field, unit).bound.retired, Clause::SecondRetirement)
        .also_if(charged, Clause::RetiresAtOnce)
        .also_if(charged && natural, Clause::WhatIsPerimeter)
        .also_if(why == Retreat::FellBack, Clause::RegroupingBound);
    hidden::announce(umpire, unit, event.rolled(roll).because(reckoning));
    distance
}

fn cause(why: Retreat) -> Clause {
    match why {
        Retreat::Charged | Retreat::Margin => Clause::ChargedRetire,
        Retreat::Carried => Clause::SupportsRoll,
        Retreat::Broken => Clause::GoesOnRetiring,
        Retreat::FellBack => Clause::CavalryFallsBack,
        Retreat::Alarmed => Clause::ReformAlarm,
        Retreat::TwiceBeaten => Clause::TwiceBeatenBreaks,
        Retreat::Drawn => Clause::MoreInflictedWins,
        Retreat::Evacuates => Clause::Evacuate,
    }
}

/// Whether going back for this reason breaks a unit (R39).
pub const fn breaks(why: Retreat) -> bool {
    matches!(why, Retreat::Charged | Retreat::Margin | Retreat::Carried | Retreat::TwiceBeaten)
}

/// Whoever has to run stands up, leaves his cover and his fight, and charges nobody.
pub fn shake_off(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let state = troops(umpire.state(), unit).clone();
    let mut tell = |event: GunsEvent| hidden::announce(umpire, unit, Event::own(Clause::ThenRetires, event));
    if !state.locked.is_empty() {
        tell(GunsEvent::Unlocked { unit });
    }
    if state.prone {
        tell(GunsEvent::Prone { unit, prone: false });
    }
    if state.defending.is_some() {
        tell(GunsEvent::Defends { unit, feature: None });
    }
    if state.inside {
        tell(GunsEvent::BrokeIn { unit, inside: false });
    }
    if state.reforming {
        tell(GunsEvent::Reforming { unit, reforming: false });
    }
    if state.pinned {
        tell(GunsEvent::Pinned { unit, pinned: false });
    }
    if state.rode_through {
        tell(GunsEvent::RodeThrough { unit, rode: false });
    }
    // The charge stays on record as one that failed: it is the charge before when the next bound begins.
    if state.charge.is_some_and(|charge| charge.stage != ChargeStage::Failed) {
        tell(GunsEvent::ChargeStage { unit, stage: ChargeStage::Failed, left: Length::ZERO });
    }
}

fn mark(umpire: &mut Umpire<'_, Guns>, unit: UnitId, why: Retreat) {
    let state = troops(umpire.state(), unit);
    let (broken, beaten) = (state.broken, state.beaten);
    if breaks(why) && !broken {
        hidden::announce(umpire, unit, Event::own(cause(why), GunsEvent::Broken { unit, broken: true }));
    }
    if beaten {
        hidden::announce(umpire, unit, Event::own(cause(why), GunsEvent::Beaten { unit, beaten: false }));
    }
    match why {
        Retreat::FellBack => disorder::until_regrouped(umpire, unit),
        _ => disorder::disorder(umpire, unit, Clause::DisorderedByRetiring),
    }
}

/// Straight away from an enemy: from his middle through its own; from the nearest enemy where none is named, and toward
/// its own baseline where there is none at all.
pub fn away(field: &Field, unit: UnitId, from: Option<UnitId>) -> Vec2 {
    let here = field.unit(unit).quad().centre;
    let from = from.or_else(|| nearest_enemy(field, unit));
    let line = from.map_or(Vec2::ZERO, |enemy| here - field.unit(enemy).quad().centre);
    if line.length() > SLACK.as_f64() { line.normalised() } else { -forward(field, field.side_of(unit)) }
}

/// The nearest enemy a unit could know of.
pub fn nearest_enemy(field: &Field, unit: UnitId) -> Option<UnitId> {
    let here = field.unit(unit).quad();
    let enemies = known(field, field.side_of(unit).other());
    enemies.map(|(id, enemy)| (table::gap(here, enemy.quad()), id)).min().map(|(_, id)| id)
}

/// Moves a unit along its way. Off the table, or unable to get clear of the enemy before it, it is lost.
fn go(umpire: &mut Umpire<'_, Guns>, unit: UnitId, before: Option<UnitId>, way: &Way) -> bool {
    let field = umpire.state();
    let piece = field.unit(unit);
    let to = piece.pose().shifted(way.by);
    if !field.ground().holds(&piece.quad().shifted(way.by)) {
        remove(umpire, unit, Leaving::LeftTable, Clause::ThenRetires);
        return false;
    }
    if !way.full && before.is_some_and(|enemy| !gets_clear(field, unit, enemy, to)) {
        remove(umpire, unit, Leaving::Caught, Clause::ThenRetires);
        return false;
    }
    let start = facts(field, unit).start;
    let better = |id: &UnitId| !must_test(start, facts(field, *id).start);
    let past_better = troops(field, unit).broken && way.crossed.iter().any(better);
    let also = past_better.then_some(Clause::BetterSupportsStand);
    place_citing(umpire, unit, to, None, (Clause::ThenRetires, also));
    is_there(umpire.state(), unit)
}

/// Whether a unit stopped on its way is out of reach all the same: of what is left of a charge, or of a standoff.
fn gets_clear(field: &Field, unit: UnitId, enemy: UnitId, to: Pose) -> bool {
    let at = field::elements_at(field, unit, to, field::formation(field, unit));
    let standoff = distance(field, &field.charts().pace.standoff);
    let left = troops(field, enemy).charge.as_ref().map_or(Length::ZERO, |charge| charge.left);
    to != field.unit(unit).pose() && gap_of(&at, &field::elements(field, enemy)) > standoff.max(left)
}

/// Sets a unit somewhere with all that follows from a move.
pub fn place(umpire: &mut Umpire<'_, Guns>, unit: UnitId, to: Pose, formation: Option<Formation>, clause: Clause) {
    place_citing(umpire, unit, to, formation, (clause, None));
}

fn place_citing(
    umpire: &mut Umpire<'_, Guns>,
    unit: UnitId,
    to: Pose,
    formation: Option<Formation>,
    (clause, also): (Clause, Option<Clause>),
) {
    let piece = umpire.state().unit(unit);
    let deed = match formation.filter(|formation| *formation != piece.body.formation) {
        Some(formation) => Deed::Reformed { unit, formation, to },
        None if piece.pose() == to => return,
        None => Deed::Moved { unit, to, path: Vec::new() },
    };
    let event = Event::new(clause, deed);
    let event = also.into_iter().fold(event, |event, clause| event.also(clause));
    hidden::announce(umpire, unit, event);
    generals::follow(umpire, unit);
    disorder::settle(umpire, unit, false);
    hidden::discover(umpire);
}

/// R43: foot and horse a broken unit runs through, none better than itself at the start, may be carried away. Each is
/// tested once in a bound, so that this comes to an end.
fn carry_away(umpire: &mut Umpire<'_, Guns>, unit: UnitId, before: Option<UnitId>, way: &Way) {
    for support in &way.crossed {
        if !tests(umpire.state(), unit, *support) {
            continue;
        }
        let side = umpire.state().side_of(*support);
        let pool = umpire.charts().flinch.die.value.0;
        let roll = umpire.roll(pool, side);
        let retires = is_carried(roll.total());
        let event = Event::own(Clause::SupportsRoll, GunsEvent::Supports { unit: *support, by: unit, retires });
        hidden::announce(umpire, *support, event.also(Clause::SupportsTest).rolled(roll));
        if retires {
            retire(umpire, *support, before, Retreat::Carried);
        }
    }
}

/// Whether friends must test when a broken unit runs through them.
fn tests(field: &Field, runner: UnitId, support: UnitId) -> bool {
    let card = facts(field, support);
    let troops = troops(field, support);
    let kind = !card.screen && !card.is_battery() && card.arm != Arm::Artillery;
    is_there(field, support)
        && kind
        && !troops.broken
        && !troops.bound.supports_tested
        && must_test(facts(field, runner).start, card.start)
}

/// Whether supports of a starting status are shaken by runners of another (through-a, -c).
pub const fn must_test(runner: u8, support: u8) -> bool {
    support <= runner
}

/// Whether a roll carries supports away (through-b).
pub const fn is_carried(roll: i32) -> bool {
    roll % 2 != 0
}

/// R82: whoever fell back and is still within reach of small arms does so once more; never twice more.
fn fall_back_again(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    if field.ledger().step != BoundStep::Forced && !is_out_of_range(field, unit) && !troops(field, unit).falls_back {
        let event = Event::own(Clause::FallsBackAgain, GunsEvent::FallsBack { unit, again: true });
        hidden::announce(umpire, unit, event);
    }
}

/// Whether a unit is out of reach of every enemy's small arms, arcs and sight left aside (R82).
pub fn is_out_of_range(field: &Field, unit: UnitId) -> bool {
    known(field, field.side_of(unit).other())
        .all(|(id, _)| !uses_small_arms(field, id) || !field::within(field, unit, id, facts(field, id).weapon.extreme))
}

/// Release 1: infantry pinned before an enemy is free when he retires (failed-i). Directly before it is the first enemy
/// straight ahead of its front.
fn release_pinned(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let (width, height) = field.ground().size;
    let enemy = field.side_of(unit).other();
    let pinned = known(field, enemy).filter(|(_, other)| other.own.pinned);
    let freed: Vec<UnitId> = pinned
        .filter(|(_, holder)| {
            let (quad, ahead) = (holder.quad(), holder.pose().forward());
            let meets = |other: &table::Quad| table::reach(quad, ahead, width + height, other);
            let nearest = known(field, enemy.other()).filter_map(|(id, other)| Some((meets(other.quad())?, id))).min();
            nearest.is_some_and(|(_, id)| id == unit)
        })
        .map(|(id, _)| id)
        .collect();
    for holder in freed {
        let event = Event::own(Clause::ReleasedByRetreat, GunsEvent::Pinned { unit: holder, pinned: false });
        hidden::announce(umpire, holder, event);
    }
}

/// R33: cavalry that fought to a draw goes back by the base distance, without a die, and is out of order.
fn fall_back_drawn(umpire: &mut Umpire<'_, Guns>, unit: UnitId, before: Option<UnitId>) -> bool {
    let field = umpire.state();
    let base = distance(field, &field.charts().charge.retire_base);
    let stays = match before.or_else(|| nearest_enemy(field, unit)) {
        Some(enemy) => draw_off(umpire, unit, enemy, base),
        None => true,
    };
    if stays {
        disorder::disorder(umpire, unit, Clause::DisorderedByMelee);
    }
    stays
}

/// Moves a unit straight away from an enemy by a distance without a die and without counting as a retirement (evading
/// skirmishers, drawn cavalry, units put back to a standoff). Returns whether it is still on the table. Skirmishers who
/// cannot go all the way are dispersed (R62); others halt where they have to. Locks stay as they are.
pub fn draw_off(umpire: &mut Umpire<'_, Guns>, unit: UnitId, from: UnitId, by: Length) -> bool {
    let field = umpire.state();
    if !is_there(field, unit) || !can_go_back(field, unit) {
        return is_there(field, unit);
    }
    let runs = skirmishes(field, unit);
    let clause = if runs { Clause::SkirmishersEvade } else { Clause::FailedHalts };
    let wish = Wish { away: away(field, unit, Some(from)), least: by, bend: 0, out_of: None };
    let way = way::find(field, unit, wish);
    let piece = field.unit(unit);
    let fits = field.ground().holds(&piece.quad().shifted(way.by));
    if runs && !(way.full && fits) {
        remove(umpire, unit, Leaving::Caught, Clause::SkirmishersEvade);
        return false;
    }
    let to = if fits { piece.pose().shifted(way.by) } else { at_edge(field, unit, way.by) };
    rise(umpire, unit, clause);
    place(umpire, unit, to, None, clause);
    is_there(umpire.state(), unit)
}

fn rise(umpire: &mut Umpire<'_, Guns>, unit: UnitId, clause: Clause) {
    let state = troops(umpire.state(), unit);
    let (prone, defends, reforming) = (state.prone, state.defending.is_some(), state.reforming);
    if reforming {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Reforming { unit, reforming: false }));
    }
    if prone {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Prone { unit, prone: false }));
    }
    if defends {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Defends { unit, feature: None }));
    }
}

/// Parts of a way that are tried, from the whole of it down, when the table ends on it.
const PARTS: i32 = 20;

/// The farthest place on a way that still lies on the table.
fn at_edge(field: &Field, unit: UnitId, by: Vec2) -> Pose {
    let piece = field.unit(unit);
    let part = |n: i32| by * (f64::from(n) / f64::from(PARTS));
    let inside = (0..PARTS).rev().map(part).find(|by| field.ground().holds(&piece.quad().shifted(*by)));
    inside.map_or(piece.pose(), |by| piece.pose().shifted(by))
}

/// Takes a unit off the table for good, unlocking it, counting the loss (`GunsEvent::Lost`, not for screens), freeing
/// generals with it; a screen's elements are lost with it.
pub fn remove(umpire: &mut Umpire<'_, Guns>, unit: UnitId, why: Leaving, clause: Clause) {
    let field = umpire.state();
    if !is_there(field, unit) {
        return;
    }
    let (side, is_screen) = (field.side_of(unit), facts(field, unit).screen);
    let (locked, observed) = (!troops(field, unit).locked.is_empty(), troops(field, unit).observer.is_some());
    let lent = troops(field, unit).lent;
    let mut tell = |event: GunsEvent| hidden::announce(umpire, unit, Event::own(clause, event));
    if locked {
        tell(GunsEvent::Unlocked { unit });
    }
    if observed {
        tell(GunsEvent::ObserverMoved { battery: unit, observer: None });
    }
    if is_screen {
        tell(GunsEvent::ScreenIn { screen: unit, lost: true });
    } else if why.is_loss() {
        tell(GunsEvent::Lost { side });
    }
    generals::stay_behind(umpire, unit);
    hidden::announce(umpire, unit, Event::new(clause, Deed::Removed { unit, why }));
    if lent {
        screen::orphan(umpire, unit);
    }
}

#[cfg(test)]
pub(crate) mod tests;
