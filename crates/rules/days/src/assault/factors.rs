//! What each side brings to a fight, line by line; every line once for a side, however many units it fits. C-18, A-58 to
//!

use super::super::charts::{Assaults, plain};
use super::super::clause::Clause;
use super::super::field::{self, Field};
use super::super::formation::Shape;
use super::super::settings::Weight;
use super::super::unit::{Arm, Aspect, OrderState, Quality, Trait};
use super::super::{ground, staff, target};
use super::melee::{self, Melee};
use engine::{BySide, Cited, Reckoning, Side, UnitId};
use smallvec::SmallVec;
use table::terrain::TerrainKind;

/// The sums of both sides without their dice.
pub fn scores(field: &Field, melee: &Melee) -> BySide<Reckoning> {
    BySide::from_fn(|side| score(field, melee, side))
}

fn score(field: &Field, melee: &Melee, side: Side) -> Reckoning {
    let mut sum = Reckoning::new();
    let classes: SmallVec<[u8; 4]> = melee.counted(side).map(|unit| field::facts(field, unit).class).collect();
    sum.add(Clause::ScoreInCloseAssault, "average class", Cited::derived(i32::from(average(&classes))));
    let table = &field.charts().assault;
    let units: SmallVec<[UnitId; 4]> = melee.counted(side).collect();
    let any = |fits: &dyn Fn(UnitId) -> bool| units.iter().copied().any(fits);
    impetus(field, table, &any, &mut sum);
    arms(field, table, &any, &mut sum);
    shelter(field, table, &any, &mut sum);
    numbers(field, melee, side, &mut sum);
    leaders(field, table, &any, &mut sum);
    condition(field, table, &any, &mut sum);
    position(field, table, &any, &mut sum);
    sum
}

/// Asks whether something fits at least one unit of the side.
type Any<'a> = dyn Fn(&dyn Fn(UnitId) -> bool) -> bool + 'a;

/// The mean of classes, halves up.
pub fn average(classes: &[u8]) -> u8 {
    let count = classes.len().max(1) as u32;
    let sum: u32 = classes.iter().map(|class| u32::from(*class)).sum();
    ((2 * sum + count) / (2 * count)) as u8
}

/// Adds a line that changes something.
fn line(sum: &mut Reckoning, applies: bool, clause: Clause, label: &'static str, value: Cited<i32>) {
    if applies && value.value != 0 {
        sum.add(clause, label, value);
    }
}

fn impetus(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let charging = |id: UnitId| melee::is_charging(field, id);
    let mounted = |id: UnitId| field::is_mounted(field, id);
    let through = any(&|id| melee::breaks_through(field, id));
    let clause = if through { Clause::VictorsKeepTheirImpetus } else { Clause::ScoreInCloseAssault };
    let rides = |what: Trait| any(&|id| charging(id) && mounted(id) && field::facts(field, id).is(what));
    line(sum, any(&|id| charging(id) && mounted(id)), clause, "horse charging", plain(table.horse_charging));
    line(
        sum,
        any(&|id| charging(id) && field::is_foot(field, id)),
        clause,
        "foot charging",
        plain(table.foot_charging),
    );
    let column = any(&|id| charging(id) && field::is_foot(field, id) && field::shape(field, id) == Shape::Manoeuvre);
    let own = Clause::ScoreInCloseAssault;
    line(sum, column, own, "charging in manoeuvre column", plain(table.column_charging));
    line(sum, rides(Trait::Cuirassier), own, "cuirassiers charging", plain(table.cuirassiers_charging));
    line(sum, rides(Trait::Heavy), own, "heavy horse charging", plain(table.heavy_horse_charging));
}

fn arms(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let own = Clause::ScoreInCloseAssault;
    let mounted = |id: UnitId| field::is_mounted(field, id);
    let caught = |foot: UnitId, horse: UnitId| {
        field::is_formed_foot(field, foot) && !target::in_square(field, foot) && melee::is_open(field, foot, horse)
    };
    let rides_at = any(&|id| mounted(id) && melee::opponents(field, id).any(|foot| caught(foot, id)));
    line(sum, rides_at, own, "horse against formed foot in the open", plain(table.horse_v_foot_in_open));
    let steady = |id: UnitId| {
        field::is_formed_foot(field, id) && has_breech_loader(field, id) && field::order(field, id) == OrderState::Good
    };
    let from_the_front = |id: UnitId| {
        melee::opponents(field, id).any(|horse| mounted(horse) && came_from(field, horse, id) == Aspect::Front)
    };
    let volleys = any(&|id| steady(id) && from_the_front(id));
    line(sum, volleys, own, "breech-loaders against horse", plain(table.breech_loaders_v_horse));
    let square = any(&|id| target::in_square(field, id) && melee::opponents(field, id).any(mounted));
    let clause = field::by_book(field, own, Clause::AllAreInSquare);
    line(sum, square, clause, "square against horse", plain(table.square_v_horse));
}

fn has_breech_loader(field: &Field, unit: UnitId) -> bool {
    let arm = field.charts().small_arms.get(&field::facts(field, unit).weapon);
    arm.is_some_and(|arm| arm.breech_loader.value)
}

/// From which side an enemy in contact came: for a charger, as he stood when he declared.
pub fn came_from(field: &Field, enemy: UnitId, unit: UnitId) -> Aspect {
    if !field::has_flanks(field, unit) || target::in_square(field, unit) {
        return Aspect::Front;
    }
    match field::troops(field, enemy).charge.as_deref() {
        Some(charge) if charge.at == unit => charge.aspect,
        // Whoever has been in contact before is judged by where most of him is.
        _ => field::aspect(field, unit, field.unit(enemy).quad().centre),
    }
}

/// The best cover a unit that does not itself charge has from its enemies.
pub fn cover(field: &Field, unit: UnitId) -> Option<Weight> {
    if melee::is_charging(field, unit) || field::is_mounted(field, unit) {
        return None;
    }
    let covers = melee::opponents(field, unit).filter_map(|enemy| target::cover_against(field, unit, enemy));
    covers.reduce(|best, one| if best == Weight::Heavy { best } else { one })
}

fn shelter(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let clause = Clause::DefendersThereStillTest;
    let light = any(&|id| cover(field, id).is_some_and(|weight| weight != Weight::Heavy));
    line(sum, light, clause, "defends light cover", plain(table.light_cover));
    let heavy = any(&|id| cover(field, id) == Some(Weight::Heavy));
    line(sum, heavy, clause, "defends heavy cover", plain(table.heavy_cover));
    let level = |id: UnitId| ground::level(field, melee::place(field, id));
    let above = any(&|id| melee::opponents(field, id).any(|enemy| level(id) > level(enemy)));
    line(sum, above, Clause::ScoreInCloseAssault, "stands higher", plain(table.uphill));
}

fn numbers(field: &Field, melee: &Melee, side: Side, sum: &mut Reckoning) {
    let table = &field.charts().assault;
    let (ours, theirs) = (melee::numbers(field, melee, side), melee::numbers(field, melee, side.other()));
    let steps = [
        (table.thrice_at, table.thrice, "three times as many"),
        (table.twice_at, table.twice, "twice as many"),
        (table.half_again_at, table.half_again, "half as many again"),
    ];
    if let Some((_, value, label)) = steps.into_iter().find(|(ratio, ..)| ratio.value.reached(ours, theirs)) {
        line(sum, true, Clause::RoutersDoNotOutnumber, label, plain(value));
    }
}

fn leaders(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let led = |wanted: Quality| any(&|id| led_by(field, id) == Some(wanted));
    let clause = Clause::StaffInTheThickOfIt;
    line(sum, led(Quality::Exceptional), clause, "exceptional general", plain(table.general_exceptional));
    line(sum, led(Quality::Capable), clause, "capable general", plain(table.general_capable));
    line(sum, led(Quality::Inept), clause, "inept general", plain(table.general_inept));
    let storms = any(&|id| has_pioneers(field, id) && melee::is_charging(field, id) && attacks_works(field, id));
    line(sum, storms, Clause::EngineersInTheAssault, "engineers at walls and works", plain(table.engineers));
    let won = any(&|id| field::troops(field, id).won_last);
    line(sum, won, Clause::ScoreInCloseAssault, "won the last round", plain(table.won_last_round));
}

/// The quality of the general with a unit.
pub fn led_by(field: &Field, unit: UnitId) -> Option<Quality> {
    staff::with(field, unit).map(|(_, quality)| quality)
}

/// An engineer officer with at least one pioneer.
fn has_pioneers(field: &Field, unit: UnitId) -> bool {
    field::parties_with(field, unit).into_iter().any(|party| field::count(field, party) > 1)
}

/// Whether some enemy it touches defends houses, an obstacle or works.
fn attacks_works(field: &Field, unit: UnitId) -> bool {
    let walled = |enemy: UnitId| {
        let area = ground::area_at(field, melee::place(field, enemy)).map(|(feature, _)| feature);
        let kind = area.and_then(|feature| field.ground().features.get(feature.index())).map(|feature| feature.kind);
        let trees = matches!(kind, Some(TerrainKind::Woods | TerrainKind::Orchard | TerrainKind::Scrub));
        cover(field, enemy).is_some() && !trees
    };
    melee::opponents(field, unit).any(walled)
}

fn condition(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let clause = Clause::ScoreInCloseAssault;
    let is = |order: OrderState| any(&|id| field::order(field, id) == order);
    line(sum, is(OrderState::Disordered), clause, "disordered", plain(table.disordered));
    line(sum, is(OrderState::Shaken), clause, "shaken", plain(table.shaken));
    let down = any(&|id| field::state(field, id).to_ground);
    line(sum, down, clause, "gone to ground", plain(table.gone_to_ground));
    line(sum, any(&|id| field::below_half(field, id)), clause, "below half strength", plain(table.below_half));
}

fn position(field: &Field, table: &Assaults, any: &Any<'_>, sum: &mut Reckoning) {
    let own = Clause::ScoreInCloseAssault;
    let struck =
        |aspect: Aspect| any(&|id| melee::opponents(field, id).any(|enemy| came_from(field, enemy, id) == aspect));
    let (flank, rear) = (struck(Aspect::Flank), struck(Aspect::Rear));
    line(sum, rear, Clause::OutflankedThoughInCover, "enemy in the rear", plain(table.enemy_on_rear));
    line(sum, flank && !rear, Clause::OutflankedThoughInCover, "enemy on the flank", plain(table.enemy_on_flank));
    let shape = |wanted: Shape| any(&|id| field::shape(field, id) == wanted && !field::facts(field, id).is_battery());
    line(sum, shape(Shape::March), own, "in march column", plain(table.march_column));
    let loose = any(&|id| {
        field::skirmishes(field, id) && melee::opponents(field, id).any(|enemy| field::is_formed(field, enemy))
    });
    line(sum, loose, Clause::WhomSkirmishersMayCharge, "skirmishers against formed troops", plain(table.skirmishers));
    line(sum, any(&|id| field::is_deployed(field, id)), own, "guns in action", plain(table.deployed_guns));
    let hitched = any(&|id| field::is_limbered(field, id) || field::facts(field, id).arm == Arm::Wagon);
    line(sum, hitched, own, "limbered", plain(table.limbered));
}
