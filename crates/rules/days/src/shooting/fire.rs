//! Dice fall: volleys, dice thrown again, shot that goes on, and the losses of all of it together. 3.2 to 3.4, D.3, A-13,
//!

use super::bounce::{self, Spent};
use super::plan::Plan;
use super::volley::{self, Aim, Section};
use super::weapon::{self, Quarry, Weapon};
use crate::charts::{Band, Gun, TargetClass, count, reach};
use crate::clause::Clause;
use crate::event::{Cause, DaysEvent, Doing};
use crate::field::{self, Field, gap};
use crate::sequence::in_turn;
use crate::unit::{Arm, Aspect, Part};
use crate::{Days, damage, fires, hidden, morale, staff, target};
use engine::{BySide, Cited, Deed, Die, Event, FeatureId, Pool, Roll, Side, Umpire, UnitId};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use table::Length;

/// Hits of one unit on one target.
struct Hits {
    on: Quarry,
    by: UnitId,
    hits: u8,
    small_arms: bool,
    cause: Cause,
    behind: bool,
    apart: Length,
}

/// What a phase of fire has done, before any of it counts (days.17.3-b).
#[derive(Default)]
pub struct Toll {
    hits: Vec<Hits>,
    fires: Vec<FeatureId>,
    first_fires: Vec<UnitId>,
}

/// One die as it fell.
#[derive(Clone, Copy)]
struct Fallen {
    section: usize,
    die: usize,
    pip: u8,
}

/// Fires everything both sides planned, whoever has the initiative first, and takes the losses together.
pub fn all(umpire: &mut Umpire<'_, Days>, plans: &BySide<Plan>, cause: Cause) {
    let mut toll = Toll::default();
    let order = in_turn(umpire.state());
    for side in order {
        for aim in &plans[side].aims {
            volley(umpire, side, aim, cause, &mut toll);
        }
        for (unit, stands) in &plans[side].reserves {
            let event = Event::own(Clause::HoldingFireBack, DaysEvent::Reserved { unit: *unit, stands: *stands });
            hidden::announce(umpire, *unit, event);
        }
        for feature in &plans[side].arson {
            lay_fire(umpire, side, *feature, &mut toll);
        }
    }
    settle(umpire, toll, cause);
}

/// Two stands try to set their cover alight.
fn lay_fire(umpire: &mut Umpire<'_, Days>, side: Side, feature: FeatureId, toll: &mut Toll) {
    let fire = &umpire.charts().fire;
    let (pool, needed) = (fire.dice.value.0, count(fire.arson_pip) as i32);
    let roll = umpire.roll(pool, side);
    if roll.single() >= needed {
        umpire.announce(Event::new(Clause::FireLaidByHand, Deed::Noted).rolled(roll));
        toll.fires.push(feature);
    } else {
        umpire.announce(Event::own(Clause::FireLaidByHand, DaysEvent::NoFire { feature }).rolled(roll));
    }
}

/// The kind of die that is thrown.
pub(crate) fn die_of(field: &Field) -> Die {
    // tidy: allow(stands in where a house rule throws no die at all)
    field.charts().fire.dice.value.0.dice().next().unwrap_or(Die::D6)
}

/// The dice of one volley.
fn volley(umpire: &mut Umpire<'_, Days>, side: Side, aim: &Aim, cause: Cause, toll: &mut Toll) {
    let field = umpire.state();
    if !field::is_there(field, aim.by) {
        return;
    }
    if field::is_hidden(field.unit(aim.by)) {
        hidden::reveal(umpire, aim.by);
    }
    let whole = field::whole(umpire.state(), aim.by);
    let fresh = !toll.first_fires.contains(&whole);
    let mut rolls: Vec<(usize, Roll)> = Vec::new();
    let mut fallen: Vec<Fallen> = Vec::new();
    let die = die_of(umpire.state());
    for (no, section) in aim.sections.iter().enumerate().filter(|(_, section)| !section.dice.is_empty()) {
        let roll = umpire.roll(Pool::of(section.dice.len() as u8, die), side);
        fallen.extend(roll.pips.iter().enumerate().map(|(die, pip)| Fallen { section: no, die, pip: *pip }));
        rolls.push((no, roll));
    }
    let first =
        if fresh { throw_again(umpire, side, aim, aim.first_fire, &mut fallen, &mut rolls, &[]) } else { vec![] };
    let crack = throw_again(umpire, side, aim, aim.crack, &mut fallen, &mut rolls, &first);
    let kindled = aim.kindles.filter(|_| {
        let pip = fallen.first().map_or(0, |die| u32::from(die.pip));
        pip == count(umpire.charts().fire.fire_pip)
    });
    toll.fires.extend(kindled);
    let score = score(umpire.state(), aim, &fallen, kindled.is_some());
    for (no, section) in aim.sections.iter().enumerate() {
        let hits = score.by_section.get(no).copied().unwrap_or(0);
        let mut event = tell(umpire.state(), aim, section, hits, cause);
        event = event.also_if(kindled.is_some() && no == 0, Clause::ShellsSetFires);
        event = event.also_if(kindled.is_some() && no == 0, Clause::AnFKillsNobody);
        event = event.also_if(!first.is_empty(), Clause::TheFirstVolley);
        event = event.also_if(!crack.is_empty(), Clause::VolleysOfCrackTroops);
        event = event.also_if(!crack.is_empty(), Clause::ACrackVolleyWorkedOut);
        for (_, roll) in rolls.iter().filter(|(of, _)| *of == no) {
            event = event.rolled(roll.clone());
        }
        hidden::announce(umpire, aim.by, event);
    }
    book(umpire, aim, &score, cause, toll);
    bounces(umpire, side, aim, &fallen, kindled.is_some(), toll);
    spend(umpire, aim, whole, toll);
}

/// Throws so many missing dice again, the most promising first; which they were.
fn throw_again(
    umpire: &mut Umpire<'_, Days>,
    side: Side,
    aim: &Aim,
    most: u8,
    fallen: &mut [Fallen],
    rolls: &mut Vec<(usize, Roll)>,
    but: &[usize],
) -> Vec<usize> {
    let pool = umpire.charts().fire.dice.value.0;
    let mut thrown = Vec::new();
    for _ in 0..most {
        let promise = |one: &Fallen| {
            let die = aim.sections.get(one.section).and_then(|section| section.dice.get(one.die));
            die.map_or(0, |die| die.faces.all().iter().map(|hits| u16::from(*hits)).sum::<u16>())
        };
        let missed = |one: &Fallen| {
            let die = aim.sections.get(one.section).and_then(|section| section.dice.get(one.die));
            die.is_some_and(|die| die.faces.hits(one.pip) == 0)
        };
        let free = fallen
            .iter()
            .enumerate()
            .filter(|(no, one)| !but.contains(no) && !thrown.contains(no) && missed(one) && promise(one) > 0);
        let Some(best) = free.max_by_key(|(no, one)| (promise(one), std::cmp::Reverse(*no))).map(|(no, _)| no) else {
            break;
        };
        let roll = umpire.roll(pool, side);
        if let Some(one) = fallen.get_mut(best) {
            one.pip = roll.single().clamp(0, i32::from(u8::MAX)) as u8;
            rolls.push((one.section, roll));
        }
        thrown.push(best);
    }
    thrown
}

/// What the dice of a volley do.
struct Score {
    by_section: SmallVec<[u8; 2]>,
    on_screen: u8,
    behind: bool,
}

fn score(field: &Field, aim: &Aim, fallen: &[Fallen], kindled: bool) -> Score {
    let mut score = Score { by_section: SmallVec::from_elem(0, aim.sections.len()), on_screen: 0, behind: false };
    for (no, one) in fallen.iter().enumerate() {
        let Some(die) = aim.sections.get(one.section).and_then(|section| section.dice.get(one.die)) else { continue };
        if kindled && no == 0 {
            continue;
        }
        let caught = die.screen.map_or(0, |faces| faces.hits(one.pip));
        score.on_screen = score.on_screen.saturating_add(caught);
        let hits = if caught > 0 { 0 } else { die.faces.hits(one.pip) };
        if let Some(sum) = score.by_section.get_mut(one.section) {
            *sum = sum.saturating_add(hits);
        }
        let from_behind = |id: UnitId| field::aspect(field, id, die.from.eye) != Aspect::Front;
        score.behind |= hits > 0 && !aim.passing && aim.quarry.unit().is_some_and(from_behind);
    }
    let room = aim.screen.map_or(0, |screen| field::count(field, screen));
    let beyond = score.on_screen.saturating_sub(room);
    if beyond > 0 && carries_on(field, aim) {
        score.on_screen = room;
        if let Some(sum) = score.by_section.first_mut() {
            *sum = sum.saturating_add(beyond);
        }
    }
    score
}

/// Whether hits beyond a screen's stands go on into the target: always, or only where shot bounds so far.
pub(crate) fn carries_on(field: &Field, aim: &Aim) -> bool {
    let (Some(screen), Some(at)) = (aim.screen, aim.quarry.unit()) else { return false };
    if !field.charts().switch.bounding_shot.value {
        return true;
    }
    let (Some(gun), Some(section)) = (gun_of(field, aim.by), aim.sections.first()) else { return false };
    gap(field, screen, at) <= reach(gun.bound_in(section.band))
}

pub(crate) fn gun_of(field: &Field, unit: UnitId) -> Option<&Gun> {
    weapon::weapon(field, unit).and_then(Weapon::gun)
}

/// The event of one band of a volley.
fn tell(field: &Field, aim: &Aim, section: &Section, hits: u8, cause: Cause) -> Event<Days> {
    let defensive = cause == Cause::DefensiveFire;
    let clause = if defensive { Clause::OnlyAtYourChargers } else { Clause::BothSidesFireTogether };
    let deed = DaysEvent::Volley {
        by: aim.by,
        at: aim.quarry.unit(),
        general: aim.quarry.general(),
        band: section.band,
        class: section.class,
        grade: section.grade.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8,
        stands: section.stands,
        hits,
        defensive,
        passing: aim.passing,
    };
    let mut reckoning = section.reckoning.clone();
    let looks = [("final grade", section.grade), ("stands or models", i32::from(section.stands))];
    for (label, value) in looks {
        reckoning.look(Clause::HowManyDice, label, Cited::derived(value));
    }
    let sort = target::clause_of(field, aim.quarry.unit(), section.class);
    let event = Event::own(clause, deed)
        .also(Clause::WhatSortOfTarget)
        .also(sort)
        .also_if(!matches!(sort, Clause::LyingDownDisperses), target::class_clause(section.class))
        .also(Clause::HowManyDice)
        .also(Clause::SayingWhoFires)
        .also(Clause::OneShotATurn)
        .also(Clause::TargetsBeforeDice)
        .also(Clause::WhatTheDiceAre)
        .also(Clause::TheDeadStillFire)
        .also_if(defensive, Clause::UnfiredStandsOnly)
        .also_if(hits > 0, Clause::OneHitOneStand)
        .also_if(hits > 0, Clause::CommandStandGoesLast);
    let event = aim.clauses.iter().fold(event, |event, clause| event.also(*clause));
    let split = field::is_battery(field, aim.by) && field::chargers(field, aim.by).len() > 1;
    let guns = gun_of(field, aim.by);
    let misses = guns.is_some_and(|gun| reach(gun.bound_in(section.band)) > Length::ZERO) && hits == 0;
    let bounding = field.charts().switch.bounding_shot.value;
    let staff = aim.quarry.unit().is_none_or(|id| field::facts(field, id).arm == Arm::Engineers);
    let covered = matches!(section.class, TargetClass::Light | TargetClass::Heavy);
    let lies = section.class == TargetClass::Dispersed
        && aim.quarry.unit().is_some_and(|id| field::state(field, id).to_ground);
    let square = aim.quarry.unit().is_some_and(|id| !target::square_group(field, id).is_empty());
    event
        .also_if(split, Clause::OneTargetForABattery)
        .also_if(lies, Clause::HardToHitLyingDown)
        .also_if(misses && bounding, Clause::MissesDoNotBounce)
        .also_if(square && hits > 0, Clause::LossesInAGreatSquare)
        .also_if(square && hits > 0, Clause::SquaresOfSeveralUnits)
        .also_if(staff && hits > 0, Clause::HitsOnLoneStaff)
        .also_if(staff && hits > 0, Clause::StaffDoNotTest)
        .also_if(covered, Clause::LightOrHeavy)
        .because(reckoning)
}

/// Enters the hits of a volley.
fn book(umpire: &mut Umpire<'_, Days>, aim: &Aim, score: &Score, cause: Cause, toll: &mut Toll) {
    let field = umpire.state();
    let small_arms = gun_of(field, aim.by).is_none();
    let hits: u8 = score.by_section.iter().fold(0, |sum, hits| sum.saturating_add(*hits));
    let apart = aim.nearest.map_or(Length::ZERO, |nearest| nearest.at);
    if hits > 0 {
        let entry = Hits { on: aim.quarry, by: aim.by, hits, small_arms, cause, behind: score.behind, apart };
        toll.hits.push(entry);
    }
    let Some(screen) = aim.screen.filter(|_| score.on_screen > 0) else { return };
    let entry =
        Hits { on: Quarry::Unit(screen), by: aim.by, hits: score.on_screen, small_arms, cause, behind: false, apart };
    toll.hits.push(entry);
    let (band, grade) = aim.sections.first().map_or((Band::Close, 0), |section| (section.band, section.grade));
    let deed = DaysEvent::Volley {
        by: aim.by,
        at: Some(screen),
        general: None,
        band,
        class: TargetClass::Dispersed,
        grade: grade.clamp(0, i32::from(i8::MAX)) as i8,
        stands: 0,
        hits: score.on_screen,
        defensive: false,
        passing: false,
    };
    let more = hits > 0 && field.charts().switch.bounding_shot.value;
    let event = Event::own(Clause::ShellingThroughAScreen, deed)
        .also(Clause::HowMuchItScreens)
        .also(Clause::ASkirmishScreen)
        .also_if(field::count(field, screen) == 1, Clause::OneStandAsAScreen)
        .also_if(more, Clause::MoreHitsThanSkirmishers);
    umpire.announce(event);
}

/// Round shot of models that hit goes on.
fn bounces(umpire: &mut Umpire<'_, Days>, side: Side, aim: &Aim, fallen: &[Fallen], kindled: bool, toll: &mut Toll) {
    let field = umpire.state();
    let (Some(gun), Some(first)) = (gun_of(field, aim.by).cloned(), aim.quarry.unit()) else { return };
    if aim.passing {
        return;
    }
    let mut models: Vec<(u8, usize, usize)> = Vec::new();
    for (no, one) in fallen.iter().enumerate() {
        let Some(die) = aim.sections.get(one.section).and_then(|section| section.dice.get(one.die)) else { continue };
        // A ball the screen catches goes no further.
        let caught = die.screen.is_some_and(|faces| faces.hits(one.pip) > 0);
        let hit = die.faces.hits(one.pip) > 0 && !caught;
        if hit && !(kindled && no == 0) && models.iter().all(|(stand, ..)| *stand != die.from.stand) {
            models.push((die.from.stand, one.section, one.die));
        }
    }
    for (_, section, die) in models {
        let Some((band, from)) = aim.sections.get(section).and_then(|one| Some((one.band, one.dice.get(die)?.from)))
        else {
            continue;
        };
        match bounce::reach_of(umpire.state(), &gun, band, &from) {
            Err(Spent::NoBounce) => {}
            Err(Spent::Slope) => umpire.announce(Event::new(Clause::NoBounceOnSlopes, Deed::Noted)),
            Ok(bound) => one_ball(umpire, side, aim, &gun, (&from, first, bound), toll),
        }
    }
}

/// One ball, from target to target.
fn one_ball(
    umpire: &mut Umpire<'_, Days>,
    side: Side,
    aim: &Aim,
    gun: &Gun,
    (from, first, bound): (&super::aim::Bearing, UnitId, Length),
    toll: &mut Toll,
) {
    let (struck, stopped) = bounce::follow(umpire.state(), gun, aim.by, from, first, bound);
    if stopped {
        umpire.announce(Event::new(Clause::WhatStopsTheBall, Deed::Noted));
    }
    let mut fights: Vec<UnitId> = Vec::new();
    for one in struck {
        let field = umpire.state();
        let Some((band, grades)) = gun.band(one.at) else { continue };
        let classes = match one.quarry {
            Quarry::Unit(id) if fights.contains(&id) => continue,
            Quarry::Unit(id) => target::classes(field, id, from.eye),
            Quarry::General(_) => SmallVec::from_slice(&[field.charts().target.staff.value]),
        };
        let sums = volley::section(field, aim.by, Weapon::Gun(gun), band, grades, &classes);
        let faces = field.charts().effect.grade(sums.grade).four.value;
        let die = die_of(field);
        let roll = umpire.roll(Pool::of(count(gun.dice) as u8, die), side);
        let hits: u8 = roll.pips.iter().map(|pip| faces.hits(*pip)).sum();
        let deed = match one.quarry {
            Quarry::Unit(at) => DaysEvent::Bounces { by: aim.by, at, hits },
            Quarry::General(general) => DaysEvent::Volley {
                by: aim.by,
                at: None,
                general: Some(general),
                band,
                class: sums.class,
                grade: sums.grade.clamp(0, i32::from(i8::MAX)) as i8,
                stands: 1,
                hits,
                defensive: false,
                passing: false,
            },
        };
        let field = umpire.state();
        let melee = one.quarry.unit().map(|id| field::troops(field, id).contact.clone()).unwrap_or_default();
        let friend = one.quarry.unit().is_some_and(|id| field.side_of(id) == side) || !melee.is_empty();
        let event = Event::own(Clause::RoundShotBouncesOn, deed)
            .also(Clause::BounceWithinGunRange)
            .also(Clause::MeasuringTheBounce)
            .also_if(!melee.is_empty() && hits > 0, Clause::ShotThatStraysIntoMelee)
            .also_if(friend && hits > 0, Clause::FriendlyFireHurtsAlike)
            .because(sums.reckoning)
            .rolled(roll);
        umpire.announce(event);
        if let Quarry::Unit(id) = one.quarry {
            fights.extend(melee.iter().copied().chain([id]).filter(|_| !melee.is_empty()));
        }
        share(umpire.state(), side, aim.by, one, hits, &melee, toll);
    }
}

/// Enters the hits of a ball; in a melee the firer's friends take the greater half.
fn share(field: &Field, side: Side, by: UnitId, one: bounce::Struck, hits: u8, melee: &[UnitId], toll: &mut Toll) {
    let mut enter = |on: Quarry, hits: u8| {
        let entry = Hits { on, by, hits, small_arms: false, cause: Cause::BouncingShot, behind: false, apart: one.at };
        if hits > 0 {
            toll.hits.push(entry);
        }
    };
    let Quarry::Unit(id) = one.quarry else {
        enter(one.quarry, hits);
        return;
    };
    let other = melee.iter().copied().find(|other| field.side_of(*other) != field.side_of(id));
    let Some(other) = other else {
        enter(one.quarry, hits);
        return;
    };
    let (friend, enemy) = if field.side_of(id) == side { (id, other) } else { (other, id) };
    let ours = bounce::on_friends(hits);
    enter(Quarry::Unit(friend), ours);
    enter(Quarry::Unit(enemy), hits - ours);
}

/// Remembers that the stands have fired, and that a first volley is spent.
fn spend(umpire: &mut Umpire<'_, Days>, aim: &Aim, whole: UnitId, toll: &mut Toll) {
    let field = umpire.state();
    let before = &field::troops(field, aim.by).turn;
    let stands = before.fired.saturating_add(aim.stands());
    let by = before.fired_by.or(aim.stands_firing());
    let fired = DaysEvent::Fired { unit: aim.by, stands, by, at: aim.quarry.unit() };
    let foot = field::facts(field, whole).arm == Arm::Infantry;
    let spent = field.charts().switch.first_fire.value && foot && !field::troops(field, whole).first_fire_used;
    umpire.announce(Event::own(Clause::OneShotATurn, fired));
    if spent {
        umpire.announce(Event::own(Clause::FirstFireIsSoonSpent, DaysEvent::FirstFireSpent { unit: whole }));
        toll.first_fires.push(whole);
    }
}

/// Takes all losses, starts all fires, and tests whoever lost anything and does not charge.
fn settle(umpire: &mut Umpire<'_, Days>, toll: Toll, cause: Cause) {
    let order = in_turn(umpire.state());
    let mut hurt: Vec<UnitId> = Vec::new();
    // Whoever is with a unit shares its risk even if nothing is left of it.
    let staff =
        toll.hits.iter().filter_map(|hits| hits.on.unit()).map(|unit| (unit, staff::company_of(umpire.state(), unit)));
    let staff: BTreeMap<UnitId, staff::Company> = staff.collect();
    for side in order {
        let mut struck: Vec<(Quarry, Cause)> = toll
            .hits
            .iter()
            .filter(|hits| umpire.state().side_of(hits.by) == side)
            .map(|hits| (hits.on, hits.cause))
            .collect();
        struck.sort_unstable();
        struck.dedup();
        for (on, cause) in struck {
            let mine = |hits: &&Hits| hits.on == on && hits.cause == cause && umpire.state().side_of(hits.by) == side;
            let all: Vec<&Hits> = toll.hits.iter().filter(mine).collect();
            let worst = on.unit().and_then(|unit| worst_enemy(umpire.state(), &toll, unit));
            take(umpire, side, on, (&all, worst), &mut hurt);
        }
    }
    hurt.sort_unstable();
    hurt.dedup();
    for unit in &hurt {
        let by = damage::enemy_of(umpire, *unit);
        if let Some(company) = staff.get(unit) {
            staff::risk_of(umpire, company, by);
        }
    }
    for feature in toll.fires {
        fires::ignite(umpire, feature);
    }
    if cause != Cause::DefensiveFire {
        test(umpire, &hurt);
    }
}

/// The enemy that scored most on a unit in the whole phase, the nearest of equals. None where only its friends
/// hit it.
fn worst_enemy(field: &Field, toll: &Toll, unit: UnitId) -> Option<UnitId> {
    let on_it = |hits: &&Hits| hits.on == Quarry::Unit(unit) && field.side_of(hits.by) != field.side_of(unit);
    let all = || toll.hits.iter().filter(on_it);
    let scored = |by: UnitId| all().filter(|hits| hits.by == by).map(|hits| u32::from(hits.hits)).sum::<u32>();
    all().max_by_key(|hits| (scored(hits.by), std::cmp::Reverse(hits.apart))).map(|hits| hits.by)
}

/// One target takes its hits of one side.
fn take(
    umpire: &mut Umpire<'_, Days>,
    side: Side,
    on: Quarry,
    (all, worst): (&[&Hits], Option<UnitId>),
    hurt: &mut Vec<UnitId>,
) {
    let unit = match on {
        Quarry::General(general) => {
            for _ in 0..all.iter().map(|hits| hits.hits).sum::<u8>() {
                staff::wound(umpire, general, side);
            }
            return;
        }
        Quarry::Unit(unit) => unit,
    };
    let field = umpire.state();
    if !field::is_there(field, unit) {
        return;
    }
    if all.iter().any(|hits| hits.behind) {
        let mut marked: SmallVec<[UnitId; 2]> = SmallVec::from_slice(&[unit, field::whole(field, unit)]);
        marked.dedup();
        for unit in marked {
            let deed = DaysEvent::Did { unit, doing: Doing::ShotFromBehind };
            umpire.announce(Event::own(Clause::TestingAfterFire, deed));
        }
    }
    let field = umpire.state();
    if field::is_battery(field, unit) {
        for hits in all {
            damage::hit_battery(umpire, unit, hits.hits, (hits.by, worst), hits.small_arms, hits.cause);
        }
        hurt.push(unit);
        return;
    }
    let total: u8 = all.iter().fold(0, |sum, hits| sum.saturating_add(hits.hits));
    if field::facts(field, unit).arm == Arm::Engineers {
        for _ in 0..total {
            staff::hit_party(umpire, unit, side);
        }
        return;
    }
    let cause = all.first().map_or(Cause::Fire, |hits| hits.cause);
    if damage::lose_stands(umpire, unit, total, cause, worst) > 0 {
        hurt.push(unit);
    }
}

/// Tests for losses; chargers put theirs off, routers take none.
fn test(umpire: &mut Umpire<'_, Days>, hurt: &[UnitId]) {
    for side in in_turn(umpire.state()) {
        let mut tested: Vec<UnitId> = Vec::new();
        for unit in hurt.iter().copied().filter(|unit| umpire.state().side_of(*unit) == side).collect::<Vec<_>>() {
            let field = umpire.state();
            // A squadron on its own has losses of its own.
            let alone = field::facts(field, unit).part_kind() == Some(Part::Squadron);
            let whole = if alone { unit } else { field::whole(field, unit) };
            let alive = field::is_there(field, whole) || !field::parts_out(field, whole).is_empty();
            let charges = field::troops(field, unit).charge.is_some();
            let has_nerve = !matches!(field::facts(field, whole).arm, Arm::Wagon | Arm::Engineers);
            if alive && has_nerve && !charges && !field::is_routing(field, whole) && !tested.contains(&whole) {
                tested.push(whole);
                morale::casualties(umpire, whole);
            }
        }
    }
}
