//! The smaller questions: set-up, ways and charges of units that obey, reactions, falling back, following up.

use super::clash;
use super::marching;
use super::scene::{Field, Scene, Survey};
use super::staff;
use engine::{Lots, Side, UnitId};
use rules::fpw::approach;
use rules::fpw::deployment;
use rules::fpw::field::{facts, formation, soldiers};
use rules::fpw::movement;
use rules::fpw::odds_combat;
use rules::fpw::order::{Aim, Going, Order, Step};
use rules::fpw::unit::{Arm, Formation};
use table::march::Leg;
use table::{Angle, Length};

/// As drawn up; where scouting is played, one regiment of light horse rides ahead.
pub fn deploy(field: &Field, side: Side) -> Order {
    let ids = field.muster().unit_ids().filter(|id| field.side_of(*id) == side);
    let horse: Vec<UnitId> = ids
        .filter(|id| {
            let facts = facts(field, *id);
            facts.arm == Arm::Cavalry && !facts.is_scout() && facts.enters.is_none()
        })
        .collect();
    let light = horse.iter().copied().find(|id| !facts(field, *id).heavy);
    match light.filter(|_| field.settings().scouting && horse.len() > 1) {
        Some(unit) => deployment::drawn_up_scouting(field, side, vec![unit]),
        None => deployment::as_drawn_up(field, side),
    }
}

/// What a unit does on its own initiative.
pub fn initiative(scene: &Scene<'_, '_>, survey: &Survey, unit: UnitId, lots: &mut Lots) -> Option<Order> {
    let field = scene.field();
    let (facts, drawn) = (facts(field, unit), formation(field, unit));
    let here = field.unit(unit).quad().centre;
    if facts.is_scout() {
        let goal = staff::scouting(field, survey, here, lots.below(2));
        let turn = Angle::millidegrees(
            Angle::of(goal - here).as_millidegrees() - field.unit(unit).pose().facing.as_millidegrees(),
        );
        let far = Length::from_um((goal - here).length());
        let legs = |go: Length| vec![Leg::Turn(turn), Leg::Ahead(go)];
        let rides = [far.min(Length::whole_inches(11)), far.half().min(Length::whole_inches(6))];
        let mut orders = rides.into_iter().map(|go| Order::Scout { unit, legs: legs(go) });
        return orders.find(|order| scene.allows(order));
    }
    let (foe, apart) = survey.nearest_foe(here)?;
    let toward = Some(Angle::of(foe.quad.centre - here));
    match (facts.arm, drawn) {
        (Arm::Infantry, Formation::March) => {
            let step = Step { unit, formation: Some(Formation::Line), facing: toward, after: false, legs: Vec::new() };
            Some(Order::Reform(step))
        }
        (Arm::FootArtillery | Arm::HorseArtillery, Formation::Limbered) => {
            Some(Order::Unlimber { unit, facing: toward })
        }
        (Arm::FootArtillery | Arm::HorseArtillery, _) => {
            let own = soldiers(field, unit);
            let pressed = apart < 6.0 && own.degradation() > 0;
            let half = movement::formed(field, movement::full_pace(field, unit));
            let back = toward.map(Angle::reversed);
            let legs = vec![Leg::Ahead(half)];
            pressed.then_some(Order::LimberBack(Step {
                unit,
                formation: Some(Formation::Limbered),
                facing: back,
                after: false,
                legs,
            }))
        }
        (arm, _) => {
            let charge = clash::best(field, survey, unit).filter(|(_, gain)| *gain > scene.temper.least_gain);
            let retire = (arm == Arm::Cavalry && soldiers(field, unit).degradation() > 0 && apart < 9.0)
                .then_some(Order::Retire { unit });
            charge.map(|(aim, _)| Order::Charge(aim)).or(retire)
        }
    }
}

/// The way units go that obey.
pub fn march(scene: &Scene<'_, '_>, units: &[UnitId], going: Going) -> Order {
    let field = scene.field();
    let survey = Survey::take(scene);
    let half = going == Going::HalfPace;
    let wanted = if half { Going::Move } else { going };
    let try_with = |units: &[UnitId]| {
        let ways = marching::ways(field, &survey, units, half).into_iter();
        ways.filter(|way| way.going == wanted).map(marching::Way::order).take(10).find(|order| scene.allows(order))
    };
    if let Some(order) = try_with(units) {
        return order;
    }
    let alone = units.iter().filter(|_| units.len() > 1).find_map(|unit| try_with(&[*unit]));
    alone.unwrap_or(Order::Pass)
}

/// Whom the units charge that obey.
pub fn charges(scene: &Scene<'_, '_>, units: &[UnitId]) -> Order {
    let field = scene.field();
    let survey = Survey::take(scene);
    let aims = units.iter().filter_map(|unit| clash::best(field, &survey, *unit));
    let charges: Vec<Aim> = aims.filter(|(_, gain)| *gain > 0.1).map(|(aim, _)| aim).collect();
    if charges.is_empty() { Order::Pass } else { Order::Charges { charges } }
}

/// The unit that matters least bears the blame.
pub fn blame(field: &Field, units: &[UnitId]) -> Option<Order> {
    let least = units.iter().min_by_key(|unit| (soldiers(field, **unit).count(), **unit))?;
    Some(Order::Blame { unit: *least })
}

/// The weakest of several enemies.
pub fn strike(field: &Field, among: &[UnitId]) -> Option<Order> {
    let weakest = among.iter().max_by_key(|unit| (soldiers(field, **unit).markers(), std::cmp::Reverse(**unit)))?;
    Some(Order::Strike { unit: *weakest })
}

/// Horse charged by horse: away if it likely gets away from the stronger, else at him.
pub fn horse(field: &Field, unit: UnitId, charger: UnitId, may_evade: bool) -> Order {
    let strength = |id: UnitId| {
        let own = soldiers(field, id);
        f64::from(own.count()) - f64::from(own.degraded_stands()) * 0.5 + f64::from(facts(field, id).heavy)
    };
    let weaker = strength(unit) < strength(charger);
    let aim = Aim { unit: charger, at: unit, wheel: None, bearing: None };
    let escapes = approach::line_of(field, &aim)
        .map_or(0.0, |line| odds_combat::evade_spread(field.charts(), line.gap, line.allowance).chance(|away| *away));
    if may_evade && weaker && escapes > 0.6 { Order::Evade } else { Order::CounterCharge }
}

/// Falls back where the markers it sheds are worth the ground.
pub fn fall_back(field: &Field, unit: UnitId, markers: u8, charging: bool) -> Order {
    let own = soldiers(field, unit);
    let over = own.disruption() >= u32::from(own.count());
    // A charge about to strike home is broken off only where the test to close would likely stop it anyway.
    let broken = own.markers() > 4;
    let pays = if charging { broken } else { markers >= 2 || over };
    if markers > 0 && pays { Order::FallBack } else { Order::Pass }
}

/// Follows whom it can catch, takes a new enemy on by odds, else turns to face the nearest.
pub fn follow_up(scene: &Scene<'_, '_>, unit: UnitId, yielded: &[UnitId], may_follow: bool) -> Order {
    let field = scene.field();
    let survey = Survey::take(scene);
    let own = soldiers(field, unit);
    let half = movement::formed(field, movement::full_pace(field, unit));
    let spare = own.disruption() < u32::from(own.count()) || yielded.len() > 1;
    let horse = facts(field, unit).arm == Arm::Cavalry;
    let sound = !horse || own.degradation() < u32::from(own.count());
    if may_follow && sound {
        let caught = yielded.iter().any(|foe| rules::fpw::field::gap(field, unit, *foe) <= half);
        if caught {
            return Order::FollowUp { at: None };
        }
        let mut fresh: Vec<(f64, UnitId)> = survey
            .foes
            .iter()
            .filter(|foe| spare && !yielded.contains(&foe.id))
            .filter(|foe| table::gap(&foe.quad, field.unit(unit).quad()) <= half)
            .map(|foe| {
                let soft = if foe.is_gun() { 2.0 } else { 0.0 };
                (soft + foe.disruption + foe.degraded - f64::from(own.markers()), foe.id)
            })
            .filter(|(value, _)| *value > 1.0)
            .collect();
        fresh.sort_by(|a, b| b.0.total_cmp(&a.0));
        let follow = fresh.into_iter().map(|(_, at)| Order::FollowUp { at: Some(at) });
        if let Some(order) = follow.into_iter().find(|order| scene.allows(order)) {
            return order;
        }
    }
    let here = field.unit(unit).quad().centre;
    let Some((foe, _)) = survey.nearest_foe(here) else { return Order::Pass };
    let facing = Some(Angle::of(foe.quad.centre - here));
    let formation = facts(field, unit).arm.is_artillery().then_some(Formation::Deployed).or(Some(Formation::Line));
    let turned = Order::Reform(Step { unit, formation, facing, after: false, legs: Vec::new() });
    if scene.allows(&turned) { turned } else { Order::Pass }
}
