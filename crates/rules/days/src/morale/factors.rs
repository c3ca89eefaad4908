//! What counts in a morale test: charts C-15 and C-16, line by line.

use super::super::charts::{Modifier, plain, reach};
use super::super::clause::Clause;
use super::super::event::Test;
use super::super::field::{self, Few, Field};
use super::super::settings::Weight;
use super::super::unit::{Arm, Aspect, OrderState, Part, Quality, Troops};
use super::super::{sight, staff, target};
use super::{Occasion, flanks};
use engine::{Cited, Reckoning, UnitId};
use std::borrow::Cow;
use table::Vec2;

/// A score in the making: figures of nought say nothing and are left out.
struct Sum(Reckoning);

impl Sum {
    fn add(&mut self, applies: bool, clause: Clause, label: impl Into<Cow<'static, str>>, cell: Cited<Modifier>) {
        let figure = plain(cell);
        if applies && figure.value != 0 {
            self.0.add(clause, label, figure);
        }
    }

    /// So many times the same figure.
    fn times(&mut self, times: u32, clause: Clause, label: impl Into<Cow<'static, str>>, cell: Cited<Modifier>) {
        let figure = plain(cell).map(|each| each.saturating_mul(i32::try_from(times).unwrap_or(i32::MAX)));
        if figure.value != 0 {
            self.0.add(clause, label, figure);
        }
    }
}

/// The score of a test.
pub fn score(field: &Field, unit: UnitId, test: Test, occasion: &Occasion) -> Reckoning {
    let mut sum = Sum(Reckoning::new());
    base(field, test, &mut sum);
    class(field, unit, &mut sum);
    if is_notional(field, unit) {
        return sum.0;
    }
    condition(field, unit, &mut sum);
    command(field, unit, test, occasion, &mut sum);
    let flanked = flanks::are_secure(field, unit, occasion.against);
    sum.add(flanked, Clause::FlanksSecured, "both flanks secure", field.charts().factor.flanks_secure);
    match test {
        Test::ToCharge => to_charge(field, unit, occasion, &mut sum),
        Test::BeingCharged => being_charged(field, unit, occasion, &mut sum),
        Test::Casualties => casualties(field, unit, &mut sum),
        Test::ChargingHome => charging_home(field, unit, occasion, &mut sum),
        Test::Rally => rally(field, unit, &mut sum),
    }
    sum.0
}

/// Engineers and crews without guns count nothing but their class.
fn is_notional(field: &Field, unit: UnitId) -> bool {
    let facts = field::facts(field, unit);
    matches!(facts.arm, Arm::Engineers | Arm::Wagon) || facts.part_kind() == Some(Part::Crew)
}

fn base(field: &Field, test: Test, sum: &mut Sum) {
    let tests = &field.charts().test;
    let (label, cell) = match test {
        Test::ToCharge => ("to charge", tests.to_charge),
        Test::BeingCharged => ("being charged", tests.being_charged),
        Test::Casualties => ("casualties", tests.casualties),
        Test::ChargingHome => ("charging home", tests.charging_home),
        Test::Rally => ("rally", tests.rally),
    };
    sum.0.add(Clause::TheFiveMoraleTests, label, plain(cell));
}

fn class(field: &Field, unit: UnitId, sum: &mut Sum) {
    let factor = &field.charts().factor;
    let facts = field::facts(field, field::whole(field, unit));
    let (label, cell) = match facts.class {
        // A party has no class of its own and counts as ordinary troops.
        _ if facts.arm == Arm::Engineers => ("engineers", factor.class2),
        0 | 1 => ("class 1", factor.class1),
        2 => ("class 2", factor.class2),
        3 => ("class 3", factor.class3),
        _ => ("class 4", factor.class4),
    };
    sum.0.add(Clause::ClassInMoraleTests, label, plain(cell));
}

/// The unit's own state: one line for its rung, and what the battle has done to it.
fn condition(field: &Field, unit: UnitId, sum: &mut Sum) {
    let (factor, own) = (&field.charts().factor, field::state(field, unit));
    let rung = match own.order {
        OrderState::Good => None,
        OrderState::Disordered => Some(("disordered", factor.disordered)),
        OrderState::Shaken => Some(("shaken", factor.shaken)),
        OrderState::Routing => Some(("routing", factor.routing)),
    };
    if let Some((label, cell)) = rung {
        sum.add(true, Clause::OrderInMoraleTests, label, cell);
    }
    sum.add(field::below_half(field, unit), Clause::HeavyLosses, "below half strength", factor.below_half);
    sum.add(own.fought_before, Clause::FoughtBefore, "fought at close quarters before", factor.fought_before);
    let lately = own.pushed_back.is_some_and(|turn| turn + 1 == field.turn());
    sum.add(lately, Clause::LatelyPushedBack, "pushed back last turn", factor.pushed_back);
    let once = own.routed_before && own.order != OrderState::Routing;
    sum.add(once, Clause::OnceRouted, "routed before", factor.routed_before);
    sum.add(own.to_ground, Clause::PinnedMenWaver, "gone to ground", factor.gone_to_ground);
}

/// Whether it is in command, and the one general who helps it with his best line.
fn command(field: &Field, unit: UnitId, test: Test, occasion: &Occasion, sum: &mut Sum) {
    let factor = &field.charts().factor;
    if !staff::in_command(field, unit) {
        let led = field::chain(field, unit).into_iter().any(|general| field.commander(general).own.is_fit());
        let clause = if led { Clause::ReachOfCommand } else { Clause::WithoutAGeneral };
        sum.add(true, clause, "out of command", factor.out_of_command);
    }
    let attached = staff::with(field, unit).map(|_| {
        let line = (Clause::WithAGeneralAttached, "general with the unit", factor.general_attached);
        (line.2.value.get(), line)
    });
    let helper = occasion.helped_by.filter(|_| test == Test::Rally);
    let helping = helper.filter(|general| field.commander(*general).own.is_fit()).map(|general| {
        let exceptional = field.commander(general).own.quality == Some(Quality::Exceptional);
        let (label, cell) = if exceptional {
            ("exceptional general rallies", factor.exceptional_rallies)
        } else {
            ("general rallies", factor.general_rallies)
        };
        (cell.value.get(), (Clause::AGeneralsHelpInRallying, label, cell))
    });
    // Of equal lines the one for rallying is told: it is the one that was asked for.
    let best = helping.into_iter().chain(attached).min_by_key(|(figure, _)| *figure);
    if let Some((_, (clause, label, cell))) = best {
        sum.add(true, clause, label, cell);
    }
}

/// Where a charger came from when it declared, seen from its target.
fn came_from(field: &Field, charger: UnitId, at: UnitId) -> Aspect {
    let own = field::troops(field, charger);
    if target::in_square(field, at) {
        // A square has neither flanks nor rear, and nor have those who make one together.
        return Aspect::Front;
    }
    match &own.charge {
        Some(charge) if charge.at == at => charge.aspect,
        // Whoever broke through already touches it: where most of him is counts.
        _ if own.broke_into.is_some_and(|(into, _)| into == at) => {
            field::aspect(field, at, field.unit(charger).quad().centre)
        }
        _ => field::aspect(field, at, place(field, charger)),
    }
}

/// Where a unit's command stand is.
fn place(field: &Field, unit: UnitId) -> Vec2 {
    field::command_pose(field, unit).at.vec()
}

fn to_charge(field: &Field, unit: UnitId, occasion: &Occasion, sum: &mut Sum) {
    let Some(at) = occasion.against else { return };
    let (factor, theirs) = (&field.charts().factor, field::state(field, at));
    let aspect = came_from(field, unit, at);
    sum.add(aspect != Aspect::Front, Clause::ChargingFromTheFlank, "from behind his flank", factor.from_behind);
    let steady = field::is_formed_foot(field, at) && theirs.order == OrderState::Good && aspect == Aspect::Front;
    let rides = field::is_mounted(field, unit);
    sum.add(rides && steady, Clause::HowATestIsTaken, "horse at formed foot", factor.horse_at_formed_foot);
    let heavy = target::cover_against(field, at, unit) == Some(Weight::Heavy);
    sum.add(heavy, Clause::HowATestIsTaken, "target in heavy cover", factor.at_heavy_cover);
    let weak = theirs.order >= OrderState::Shaken || theirs.to_ground;
    sum.add(weak, Clause::HowATestIsTaken, "target wavers", factor.at_weak_target);
}

/// Everybody who charges a unit, whoever broke through to it among them.
fn chargers(field: &Field, unit: UnitId, occasion: &Occasion) -> Few {
    let mut all = field::chargers(field, unit);
    if let Some(by) = occasion.against.filter(|by| !all.contains(by)) {
        all.push(by);
    }
    all
}

fn being_charged(field: &Field, unit: UnitId, occasion: &Occasion, sum: &mut Sum) {
    let factor = &field.charts().factor;
    let all = chargers(field, unit, occasion);
    let ridden_at = all.iter().any(|by| field::is_mounted(field, *by));
    let square = target::in_square(field, unit);
    let clause = field::by_book(field, Clause::HowATestIsTaken, Clause::SquareAgainstHorsemen);
    sum.add(square && ridden_at, clause, "square against horse", factor.square_v_horse);
    let covered = |by: &UnitId| target::cover_against(field, unit, *by);
    let open = |by: &UnitId| field::is_mounted(field, *by) && covered(by).is_none();
    let ridden_down = field::is_formed_foot(field, unit) && !square && all.iter().any(open);
    sum.add(ridden_down, Clause::HowATestIsTaken, "horse in the open", factor.foot_v_horse_in_open);
    let behind = all.iter().any(|by| came_from(field, *by, unit) != Aspect::Front);
    sum.add(behind, Clause::HowATestIsTaken, "charged from behind its flank", factor.charged_from_behind);
    // Cover counts as far as it is had against every charger.
    let covers: smallvec::SmallVec<[Option<Weight>; 4]> = all.iter().map(covered).collect();
    let heavy = !covers.is_empty() && covers.iter().all(|cover| *cover == Some(Weight::Heavy));
    let light = !heavy && !covers.is_empty() && covers.iter().all(Option::is_some);
    sum.add(light, Clause::DefendersThereStillTest, "in light cover", factor.in_light_cover);
    sum.add(heavy, Clause::DefendersThereStillTest, "in heavy cover", factor.in_heavy_cover);
    sum.add(all.len() > 1, Clause::HowATestIsTaken, "charged by several", factor.charged_by_several);
}

/// The bodies whose losses are counted together: a squadron on its own, else the unit with what it has sent out.
fn family(field: &Field, unit: UnitId) -> impl Iterator<Item = &Troops> {
    let own = field::facts(field, unit).part_kind() == Some(Part::Squadron);
    let whole = if own { unit } else { field::whole(field, unit) };
    let parts = field::facts(field, whole).parts.iter().filter(|(part, _)| *part != Part::Squadron);
    std::iter::once(whole).chain(parts.map(|(_, id)| *id)).map(move |id| field::troops(field, id))
}

/// Stands shot down in the Shooting Phase; crew, horses and guns for a battery.
pub fn losses(field: &Field, unit: UnitId) -> u32 {
    family(field, unit).map(|troops| u32::from(troops.turn.shot_down)).sum()
}

/// Who scored most of the hits, as far as it is known.
pub fn shot_by(field: &Field, unit: UnitId) -> Option<UnitId> {
    family(field, unit).max_by_key(|troops| troops.turn.shot_down).and_then(|troops| troops.turn.shot_by)
}

fn casualties(field: &Field, unit: UnitId, sum: &mut Sum) {
    let factor = &field.charts().factor;
    let lost = losses(field, unit);
    if field::facts(field, field::whole(field, unit)).is_battery() {
        let each = factor.battery_losses.value.get().unsigned_abs().max(1);
        let label = format!("{lost} crew, horses and guns lost");
        sum.times(lost.div_ceil(each), Clause::TestingAfterFire, label, factor.stand_shot);
    } else {
        let label =
            if lost == 1 { Cow::Borrowed("1 stand shot down") } else { format!("{lost} stands shot down").into() };
        sum.times(lost, Clause::TestingAfterFire, label, factor.stand_shot);
    }
    let behind = family(field, unit).any(|troops| troops.turn.shot_from_behind);
    sum.add(behind, Clause::TestingAfterFire, "shot from behind its flank", factor.shot_from_behind);
}

fn charging_home(field: &Field, unit: UnitId, occasion: &Occasion, sum: &mut Sum) {
    let factor = &field.charts().factor;
    let lost = u32::from(field::troops(field, unit).turn.lost);
    let label = if lost == 1 { Cow::Borrowed("1 stand lost") } else { format!("{lost} stands lost").into() };
    sum.times(lost, Clause::TheLastTestOfACharge, label, factor.stand_lost_charging);
    let Some(at) = occasion.against else { return };
    let (aspect, theirs) = (came_from(field, unit, at), field::state(field, at));
    sum.add(aspect != Aspect::Front, Clause::ChargingFromTheFlank, "from behind his flank", factor.from_behind);
    let square = target::in_square(field, at);
    let firm = field::is_formed_foot(field, at) && theirs.order < OrderState::Shaken && !theirs.to_ground;
    if field::is_mounted(field, unit) && firm && aspect == Aspect::Front {
        let (label, cell) = if square {
            ("horse at a square", factor.horse_home_at_square)
        } else {
            ("horse at formed foot", factor.horse_home_at_formed_foot)
        };
        sum.add(true, Clause::TheLastTestOfACharge, label, cell);
    }
    let heavy = target::cover_against(field, at, unit) == Some(Weight::Heavy);
    sum.add(heavy, Clause::TheLastTestOfACharge, "target in heavy cover", factor.home_at_heavy_cover);
}

fn rally(field: &Field, unit: UnitId, sum: &mut Sum) {
    let near = reach(field.charts().constant.rally_enemy);
    let enemy = field.side_of(unit).other();
    let threatens = |id: UnitId| {
        field::is_formed(field, id) && field::within(field, unit, id, near) && sight::sees(field, unit, id)
    };
    let seen = field::known(field, enemy).any(|(id, _)| threatens(id));
    sum.add(seen, Clause::StoppingFlightOrPursuit, "formed enemy near", field.charts().factor.enemy_near);
}
