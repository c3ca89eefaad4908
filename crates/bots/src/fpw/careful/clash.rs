//! Charges and fights, weighed by the very resolvers the umpire uses.

use super::scene::{Field, INCH, Survey, chance};
use engine::{Spread, UnitId};
use rules::fpw::approach::{self, Line};
use rules::fpw::field::{facts, soldiers};
use rules::fpw::odds_combat::{self, Fate, fate};
use rules::fpw::order::Aim;
use rules::fpw::unit::{Arm, Soldiers};

/// The best charge of a unit, and what it gains in points of loss.
pub fn best(field: &Field, survey: &Survey, unit: UnitId) -> Option<(Aim, f64)> {
    let aims = approach::reachable(field, unit).into_iter();
    let weighed = aims.filter_map(|aim| Some((aim, gain(field, survey, &aim)?)));
    weighed.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// What a charge gains.
pub fn gain(field: &Field, survey: &Survey, aim: &Aim) -> Option<f64> {
    let line = approach::line_of(field, aim)?;
    let (unit, foe) = (aim.unit, line.meets);
    if facts(field, foe).is_scout() {
        return Some(0.05);
    }
    let own = soldiers(field, unit);
    let fire = approach_fire(field, survey, &line);
    let horse = facts(field, unit).arm == Arm::Cavalry;
    let stands = f64::from(own.count());
    if horse && own.degradation() as f64 + fire > stands {
        return None;
    }
    let markers = f64::from(own.markers()) + fire;
    let closes = ((7.0 - markers.max(1.0)) / 6.0).clamp(0.0, 1.0);
    let after = odds_combat::struck_home(field, &line);
    let fought = fight(&after, unit, foe, survey.spirit, fire);
    let price = fire * survey.piece(unit).map_or(0.5, |piece| piece.hit_cost(fire * 0.5)) * 0.5;
    Some(closes * fought - price - (1.0 - closes) * 0.2 + helpers(field, survey, unit, foe))
}

/// What others bring who can fall upon the same enemy after it.
fn helpers(field: &Field, survey: &Survey, unit: UnitId, foe: UnitId) -> f64 {
    let Some(target) = survey.foe(foe).filter(|target| !target.engaged) else { return 0.0 };
    let near = survey.own.iter().filter(|other| {
        other.id != unit
            && !other.is_gun()
            && !other.joined
            && !other.engaged
            && other.stands > 1.0
            && other.disruption < other.stands
            && table::gap(&other.quad, &target.quad).as_inches() <= super::scene::pace(field, other.id) * 0.8
            && super::scene::is_ahead(other.pose, other.quad.radius, target.quad.centre)
    });
    survey.temper.helper * (near.count() as f64).min(2.0)
}

/// Hits expected on the way in: the target's own volleys band by band, and a share of what others near it fire.
fn approach_fire(field: &Field, survey: &Survey, line: &Line) -> f64 {
    let (Some(foe), Some(own)) = (survey.foe(line.meets), survey.piece(line.unit)) else { return 0.0 };
    let ahead = super::scene::is_ahead(foe.pose, foe.quad.radius, line.from.at.vec());
    let bonus = i32::from(own.arm == Arm::Cavalry) + i32::from(own.formation.is_dense());
    let shaken = if foe.disruption >= foe.stands { 1 } else { 0 };
    let mut hits = 0.0;
    if ahead && !foe.engaged && !foe.formation.is_march() {
        let mut from = 0.0;
        for band in field.charts().bands(foe.weapon) {
            if line.gap.as_inches() > from {
                let dice = f64::from(band.dice.value.get());
                hits += foe.stands * dice * chance(band.factor.value.get() + bonus - shaken);
            }
            from = band.to.value.0.as_inches();
        }
    }
    let contact = line.contact().at.vec();
    for other in survey.foes.iter().filter(|other| other.id != foe.id && !other.engaged) {
        let range = ((other.quad.centre - contact).length() / INCH - 1.5).max(0.0);
        if range <= 8.0 && super::scene::is_ahead(other.pose, other.quad.radius, contact) {
            let bands = field.charts().bands(other.weapon).iter().find(|band| range <= band.to.value.0.as_inches());
            hits += bands.map_or(0.0, |band| 0.6 * other.stands * chance(band.factor.value.get() + bonus));
        }
    }
    hits
}

/// What two rounds between units in contact come to for the first, in points of loss.
pub fn fight(field: &Field, unit: UnitId, foe: UnitId, spirit: f64, shaken: f64) -> f64 {
    let spread = odds_combat::round_spread(field, unit, foe);
    let lessened = (1.0 - shaken * 0.09).max(0.4);
    let first = round_value(field, unit, foe, &spread, 0, 0, spirit, lessened);
    let stand = spread
        .chance(|(given, taken)| end(field, foe, *given) == Fate::Stands && end(field, unit, *taken) == Fate::Stands);
    // The second round begins where the middle of the first leaves it.
    let given = (mean(&spread, |pair| pair.0) * lessened).round() as i32;
    let taken = mean(&spread, |pair| pair.1).round() as i32;
    first + stand * round_value(field, unit, foe, &spread, given, taken, spirit, lessened)
}

fn mean(spread: &Spread<(i32, i32)>, of: impl Fn(&(i32, i32)) -> i32) -> f64 {
    (1..=12).map(|n| spread.chance(|pair| of(pair) >= n)).sum()
}

fn end(field: &Field, unit: UnitId, hits: i32) -> Fate {
    fate(facts(field, unit).arm, soldiers(field, unit), hits.max(0) as u32)
}

#[allow(clippy::too_many_arguments)]
fn round_value(
    field: &Field,
    unit: UnitId,
    foe: UnitId,
    spread: &Spread<(i32, i32)>,
    given_before: i32,
    taken_before: i32,
    spirit: f64,
    lessened: f64,
) -> f64 {
    let mut value = 0.0;
    for hits in 0..=9 {
        let gives = spread.chance(|(given, _)| *given == hits) * lessened;
        let takes = spread.chance(|(_, taken)| *taken == hits);
        value += gives * spirit * loss(field, foe, given_before, hits) - takes * loss(field, unit, taken_before, hits);
    }
    value
}

/// Points of loss of so many further hits hand to hand.
fn loss(field: &Field, unit: UnitId, before: i32, hits: i32) -> f64 {
    let own: &Soldiers = soldiers(field, unit);
    let (stands, degraded) = (f64::from(own.count()), f64::from(own.degraded_stands()));
    let whole = stands * 2.0 - degraded;
    let at = |hits: i32| match end(field, unit, hits) {
        Fate::Stands => f64::from(hits.max(0)).min(stands - degraded),
        Fate::Withdraws => whole * 0.7,
        Fate::Removed => whole,
    };
    at(before + hits) - at(before)
}
