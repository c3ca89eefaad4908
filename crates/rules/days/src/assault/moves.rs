//! Who stays, who falls back, who goes on. 17.4.13-c, 17.5.1, 17.5.4, 17.5.5-d, C-20, A-64 to.

use super::super::Days;
use super::super::charts::{Fate, count as figure, reach};
use super::super::clause::Clause;
use super::super::damage;
use super::super::event::{DaysEvent, MeleeResult};
use super::super::field::{self, Few, Field};
use super::super::unit::{Arm, Part, Quality};
use super::super::{detachment, ground, rout, settle, space};
use super::factors;
use super::melee::{self, Melee};
use super::results::{Beaten, Victor, row};
use engine::event::Leaving;
use engine::{Deed, Event, Umpire, UnitId, Verdict};
use smallvec::SmallVec;
use table::arc::Flank;
use table::march::{Leg, Track};
use table::{Angle, Length, Pose, Vec2};

/// Whether a unit may refuse to be driven or drawn out of its cover (days.17.5.5-d, A-64).
pub fn may_stay(field: &Field, unit: UnitId) -> bool {
    let steady = u32::from(field::facts(field, unit).class) >= figure(field.charts().constant.stay_class);
    let led = matches!(factors::led_by(field, unit), Some(Quality::Capable | Quality::Exceptional));
    !field::facts(field, unit).is_battery() && (steady || led) && factors::cover(field, unit).is_some()
}

/// Whether a unit need not follow a beaten enemy (days.17.4.13-c).
pub fn may_decline(field: &Field, unit: UnitId) -> bool {
    let facts = field::facts(field, unit);
    let stands_there = matches!(facts.arm, Arm::Infantry) || field::is_limbered(field, unit);
    (stands_there && factors::cover(field, unit).is_some()) || may_stay(field, unit)
}

/// Units of a fight that have a choice if they lose, and if they win.
pub fn choosers(field: &Field, melee: &Melee) -> (Few, Few) {
    let doomed = |unit: &UnitId| melee.ridden_down.contains(unit);
    let stay = melee.all().filter(|unit| !doomed(unit) && may_stay(field, *unit));
    let follow = melee.all().filter(|unit| !doomed(unit) && may_decline(field, *unit));
    (stay.collect(), follow.collect())
}

/// A loser's lot: guns taken, rout, or back a little.
pub fn fall_back(umpire: &mut Umpire<'_, Days>, beaten: &Beaten, stays: bool) {
    let field = umpire.state();
    let unit = beaten.unit;
    if !field::is_there(field, unit) {
        return;
    }
    if field::is_deployed(field, unit) {
        lose_guns(umpire, beaten);
    } else if field::is_limbered(field, unit) && beaten.result >= MeleeResult::Minor {
        lose_teams(umpire, beaten);
    } else if beaten.result == MeleeResult::Major {
        part(umpire, unit);
        rout::begin(umpire, unit, Some(beaten.by), Clause::MovesAfterTheFight);
    } else {
        push(umpire, beaten, stays);
    }
}

/// Out of contact with everybody.
fn part(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    if !field::troops(umpire.state(), unit).contact.is_empty() {
        umpire.announce(Event::own(Clause::MovesAfterTheFight, DaysEvent::Parted { unit, from: None }));
    }
}

/// Pushed back facing the enemy, unless it stays in its cover or is a square.
fn push(umpire: &mut Umpire<'_, Days>, beaten: &Beaten, stays: bool) {
    let (unit, field) = (beaten.unit, umpire.state());
    let line = row(&field.charts().result, beaten.result);
    let mounted = field::is_mounted(field, unit);
    let usual = reach(if mounted { line.loser_back_mounted } else { line.loser_back });
    let held = beaten.square && beaten.result == MeleeResult::Marginal;
    let by = if held { reach(field.charts().special.square_marginal_back) } else { usual };
    if stays && by > Length::ZERO && leaves_cover(field, unit, away(field, unit, beaten.by), by) {
        let told = DaysEvent::Stays { unit, beaten: true };
        umpire.announce(Event::own(Clause::RefusingToLeaveCover, told));
        return;
    }
    if by <= Length::ZERO {
        return;
    }
    part(umpire, unit);
    rout::push_back(umpire, unit, beaten.by, by);
    let field = umpire.state();
    let whole = field::whole(field, unit);
    let known = field::troops(field, whole).turn.pushed;
    if field::is_there(field, unit) && !known {
        let told = DaysEvent::PushedBack { unit: whole, turn: field.turn() };
        umpire.announce(Event::own(Clause::MovesAfterTheFight, told));
    }
}

/// From an enemy towards a unit.
fn away(field: &Field, unit: UnitId, from: UnitId) -> Vec2 {
    let line = field.unit(unit).quad().centre - field.unit(from).quad().centre;
    let length = line.length_squared().sqrt();
    if length > 0.0 { line * length.recip() } else { field.unit(unit).pose().forward() * -1.0 }
}

/// Whether a move takes a unit out of its cover: out of the wood or the houses it is in, away from any obstacle.
fn leaves_cover(field: &Field, unit: UnitId, towards: Vec2, by: Length) -> bool {
    let here = melee::place(field, unit);
    let area = |place: Vec2| ground::area_at(field, place).map(|(feature, _)| feature);
    area(here).is_none() || area(here) != area(here + towards * by.as_f64())
}

/// Guns in action that lose (C-20).
fn lose_guns(umpire: &mut Umpire<'_, Days>, beaten: &Beaten) {
    let unit = beaten.unit;
    let special = umpire.charts().special.clone();
    match beaten.result {
        MeleeResult::Locked => {}
        MeleeResult::Marginal => {
            part(umpire, unit);
            drive_off_crew(umpire, unit, reach(special.guns_marginal_back));
        }
        MeleeResult::Minor if special.guns_minor.value == Fate::Captured => {
            capture(umpire, beaten);
            drive_off_crew(umpire, unit, Length::ZERO);
            run(umpire, beaten);
        }
        MeleeResult::Minor | MeleeResult::Major => {
            damage::remove_by(umpire, unit, Leaving::Destroyed, Clause::GunsInRout);
        }
    }
}

/// Guns behind their teams that lose: those in contact are taken, the rest runs.
fn lose_teams(umpire: &mut Umpire<'_, Days>, beaten: &Beaten) {
    let special = &umpire.charts().special;
    let fate = if beaten.result == MeleeResult::Major { special.limbered_major } else { special.limbered_minor };
    match fate.value {
        Fate::Destroyed => damage::remove_by(umpire, beaten.unit, Leaving::Destroyed, Clause::GunsInRout),
        Fate::Captured => {
            capture(umpire, beaten);
            run(umpire, beaten);
        }
        Fate::Major => run(umpire, beaten),
    }
}

/// The models of a battery that touch the enemy are his; all of them where none is seen to.
fn capture(umpire: &mut Umpire<'_, Days>, beaten: &Beaten) {
    let (unit, field) = (beaten.unit, umpire.state());
    let enemies: Few = melee::opponents(field, unit).collect();
    let mut models: SmallVec<[usize; 4]> = melee::places_touched(field, unit, &enemies).collect();
    if models.is_empty() {
        models = (0..usize::from(field::count(field, unit))).collect();
    }
    let told = DaysEvent::Captured { unit, by: Some(beaten.by) };
    umpire.announce(Event::own(Clause::MarginDecidesTheResult, told).also(Clause::GunsInRout));
    part(umpire, unit);
    damage::guns::lose_models(umpire, unit, &models);
}

/// The gunners leave their guns, so far behind them.
fn drive_off_crew(umpire: &mut Umpire<'_, Days>, battery: UnitId, by: Length) {
    let field = umpire.state();
    if !field::is_there(field, battery) || field::troops(field, battery).crew() == 0 {
        return;
    }
    let facts = field::facts(field, battery);
    let depth = facts.footprint(field::formation(field, battery), field::count(field, battery)).depth;
    let to = field.unit(battery).pose().ahead(-(depth + by));
    detachment::crew_leaves(umpire, battery, to);
}

/// Whoever is left of a battery runs: its gunners where they have left the guns.
fn run(umpire: &mut Umpire<'_, Days>, beaten: &Beaten) {
    let field = umpire.state();
    let runner = field::part_out(field, beaten.unit, Part::Crew).unwrap_or(beaten.unit);
    if field::is_there(field, runner) {
        rout::begin(umpire, runner, Some(beaten.by), Clause::MovesAfterTheFight);
    }
}

/// Whether a victor has somewhere to go, and how far.
pub fn advance_of(field: &Field, victor: &Victor) -> Option<Length> {
    let unit = victor.unit;
    let line = row(&field.charts().result, victor.result);
    let by = reach(if field::is_mounted(field, unit) { line.winner_on_mounted } else { line.winner_on });
    let guns = field::facts(field, unit).is_battery() && !field.charts().special.guns_advance.value;
    let free = melee::can_fight(field, unit) && field::troops(field, unit).contact.is_empty();
    (free && !guns && by > Length::ZERO).then_some(by)
}

/// Whether a victor goes on: one that may and wants to stay does, told once.
pub fn declines(umpire: &mut Umpire<'_, Days>, victor: &Victor, by: Length) {
    let field = umpire.state();
    let walled = matches!(field::facts(field, victor.unit).arm, Arm::Infantry | Arm::Artillery);
    let clause = if walled { Clause::StayingBehindTheWall } else { Clause::RefusingToLeaveCover };
    let told = DaysEvent::Stays { unit: victor.unit, beaten: false };
    umpire.announce(Event::own(clause, told).also_if(by > Length::ZERO, Clause::RefusingToLeaveCover));
}

/// A victor goes on, after whom he has beaten; he does not run into those he has just pushed back.
pub fn follow(umpire: &mut Umpire<'_, Days>, victor: &Victor, by: Length, pushed: &[UnitId]) {
    let field = umpire.state();
    let by = short_of(field, victor.unit, by, pushed);
    let (unit, over) = (victor.unit, victor.over);
    let runs = field::is_there(field, over) && field::is_routing(field, over);
    // Skirmishers who were sent out stay with their unit.
    let screens = field::facts(field, unit).part_kind() == Some(Part::Screen);
    if row(&field.charts().result, victor.result).winner_pursues.value && runs && !screens {
        let told = DaysEvent::Pursues { unit, after: Some(over) };
        umpire.announce(Event::own(Clause::MovesAfterTheFight, told));
    }
    let field = umpire.state();
    let towards = if victor.charged || !field::is_there(field, over) {
        field.unit(unit).pose().forward()
    } else {
        away(field, over, unit)
    };
    go(umpire, unit, towards, by, Clause::LineOfTheAdvance);
}

/// So far that the inch to those who were pushed back is kept.
fn short_of(field: &Field, unit: UnitId, by: Length, pushed: &[UnitId]) -> Length {
    let there = pushed.iter().copied().filter(|enemy| melee::can_fight(field, *enemy));
    let room = there.map(|enemy| field::gap(field, unit, enemy) - field::standoff(field));
    room.fold(by, Length::min).max(Length::ZERO)
}

/// Straight on; whoever is struck is attacked in the next turn.
pub fn go(umpire: &mut Umpire<'_, Days>, unit: UnitId, towards: Vec2, by: Length, clause: Clause) {
    let field = umpire.state();
    if by <= Length::ZERO || !field::is_there(field, unit) {
        return;
    }
    let reined_in = field::is_mounted(field, unit);
    let event = Event::own(clause, DaysEvent::MustAdvance { unit, by, towards: Angle::of(towards) })
        .also(Clause::MovesAfterTheFight)
        .also(Clause::ResultMovesIgnoreGround)
        .also(Clause::CompulsoryMovesOverRoughGround)
        .also_if(reined_in, Clause::ReiningInTheHorses);
    umpire.announce(event);
    let Some((struck, left)) = rout::go_on(umpire, unit, towards, by) else { return };
    let field = umpire.state();
    if !field::is_there(field, unit) || !field::is_there(field, struck) {
        return;
    }
    if !field::troops(field, unit).contact.contains(&struck) {
        let told = DaysEvent::Contact { unit, with: struck };
        umpire.announce(Event::own(Clause::BreakingThrough, told));
    }
    if melee::can_fight(umpire.state(), struck) {
        let told = DaysEvent::BreaksInto { unit, into: Some((struck, left)) };
        umpire.announce(Event::own(Clause::BreakingThrough, told));
    }
}

/// Wheels by which a victor whose enemy is gone would come upon another within reach (days.17.5.4-e).
pub fn wheels(field: &Field, unit: UnitId, by: Length) -> Vec<Angle> {
    let pose = field.unit(unit).pose();
    let enemies = field::known(field, field.side_of(unit).other());
    let near = enemies.filter(|(id, _)| field::within(field, unit, *id, by));
    let bearings = near.map(|(_, enemy)| Angle::of(enemy.quad().centre - pose.at.vec()) - pose.facing);
    let bearings = bearings.filter(|turn| turn.signed() != 0);
    let mut found: Vec<Angle> = bearings.filter(|turn| judge_wheel(field, unit, by, *turn).is_legal()).collect();
    found.sort_unstable_by_key(|turn| turn.signed());
    found.dedup();
    found
}

/// The wheel as a leg: towards the flank that stands still.
fn wheel_leg(turn: Angle) -> Leg {
    let signed = turn.signed();
    let pivot = if signed < 0 { Flank::Left } else { Flank::Right };
    Leg::Wheel { pivot, by: Angle::millidegrees(signed.abs()) }
}

/// Where a wheel ends, and what is left of the advance after paying for it.
fn wheeled(field: &Field, unit: UnitId, by: Length, turn: Angle) -> (Pose, Length) {
    let footprint = field.footprint(unit, field::formation(field, unit));
    let track = Track::plot(field.unit(unit).pose(), footprint, &[wheel_leg(turn)]);
    let arc: Length = track.stages().iter().map(|stage| stage.outer_arc).sum();
    let cost = arc * field.charts().evolution.wheel.value.get();
    (track.end(), by - cost)
}

/// Judges a wheel: not too far, paid for, with an enemy ahead after it.
pub fn judge_wheel(field: &Field, unit: UnitId, by: Length, turn: Angle) -> Verdict {
    let mut verdict = Verdict::fine();
    let most = field.charts().constant.breakthrough_wheel.value;
    if turn.signed().abs() > most.signed().abs() {
        let text = format!("a victor wheels by no more than {most}");
        verdict.refuse(Clause::NobodyLeftToChase, text).about(unit);
        return verdict;
    }
    let (to, left) = wheeled(field, unit, by, turn);
    if left <= Length::ZERO {
        verdict.refuse(Clause::NobodyLeftToChase, "the wheel costs more than the advance").about(unit);
        return verdict;
    }
    if !lies_ahead(field, unit, to, left) {
        verdict.refuse(Clause::NobodyLeftToChase, "no enemy is within reach that way").about(unit);
    }
    if !space::crowded(field, unit, to, field::formation(field, unit)).is_empty() {
        verdict.refuse(Clause::NobodyLeftToChase, "there is no room to wheel").about(unit);
    }
    verdict
}

/// Whether an enemy stands in the strip ahead of a pose, near enough.
fn lies_ahead(field: &Field, unit: UnitId, pose: Pose, reach: Length) -> bool {
    let half = field.footprint(unit, field::formation(field, unit)).width.half().as_f64();
    let in_strip = |stand: &table::Quad| {
        let places: SmallVec<[Vec2; 4]> = stand.points().iter().map(|place| pose.to_local(*place)).collect();
        let near = places.iter().any(|place| place.y >= 0.0 && place.y <= reach.as_f64());
        near && places.iter().any(|place| place.x < half) && places.iter().any(|place| place.x > -half)
    };
    let enemies = field::known(field, field.side_of(unit).other());
    enemies.map(|(id, _)| id).any(|id| field::stands(field, id).iter().any(in_strip))
}

/// Wheels towards another enemy and goes on with what is left.
pub fn wheel_and_go(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: Length, turn: Angle) {
    let field = umpire.state();
    let from = field.unit(unit).pose();
    let (to, left) = wheeled(field, unit, by, turn);
    // Troops nobody knew of may stand in the way of the wheel.
    let room = space::crowded(field, unit, to, field::formation(field, unit)).is_empty();
    if !room || left <= Length::ZERO {
        go(umpire, unit, from.forward(), by, Clause::NobodyLeftToChase);
        return;
    }
    let moved = Deed::Moved { unit, to, path: vec![wheel_leg(turn)] };
    umpire.announce(Event::new(Clause::NobodyLeftToChase, moved));
    settle::moved(umpire, unit, from);
    go(umpire, unit, to.forward(), left, Clause::NobodyLeftToChase);
}
