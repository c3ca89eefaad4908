//! Badges and looks: a unit's state at a glance. The book lays blue markers for disorder and red ones for shaken troops;
//! here each has its letter too, so that colour is never the only sign.

use crate::field::{self, Field, count, facts, is_battery, is_hidden, is_there, state, troops, whole};
use crate::telling::sentences::working;
use crate::unit::{Charge, ChargeKind, ChargeStage, OrderState, Troops};
use book::telling::voice;
use engine::UnitId;
use engine::scene::{Badge, Look, Tone};

fn badge(sign: impl Into<String>, text: impl Into<String>, tone: Tone) -> Badge {
    Badge { sign: sign.into(), text: text.into(), tone }
}

/// A unit's state at a glance.
pub fn badges(field: &Field, unit: UnitId) -> Vec<Badge> {
    if !is_there(field, unit) {
        return Vec::new();
    }
    let (own, all) = (troops(field, unit), state(field, unit));
    let mut badges = vec![strength(field, unit)];
    badges.extend(order(all));
    badges.extend(conditions(own, all));
    badges.extend(guns(field, unit));
    if let Some(charge) = &own.charge {
        badges.push(badge("C", charging(field, charge), Tone::Note));
    }
    if !own.contact.is_empty() {
        let names: Vec<&str> = own.contact.iter().map(|id| voice::unit(field, *id)).collect();
        badges.push(badge("M", format!("in close assault with {}", voice::list(&names)), Tone::Note));
    }
    if let Some(after) = field::pursued(field, unit) {
        badges.push(badge("P", format!("pursues {}", voice::unit(field, after)), Tone::Alarm));
    }
    if own.turn.reserved > 0 {
        let kept = voice::count(usize::from(own.turn.reserved), if is_battery(field, unit) { "gun" } else { "stand" });
        badges.push(badge("F", format!("fire kept back: {kept}"), Tone::Calm));
    }
    if let Some(work) = &own.work {
        badges.push(badge("W", working(field, &work.task), Tone::Calm));
    }
    if is_hidden(field.unit(unit)) {
        badges.push(badge("?", "hidden from the enemy", Tone::Calm));
    }
    badges
}

/// A charge in words.
pub fn charging(field: &Field, charge: &Charge) -> String {
    let kind = match (charge.counter, charge.kind) {
        (true, _) => "counter-charging",
        (false, ChargeKind::Declared) => "charging",
        (false, ChargeKind::Opportunity) => "charging at an opportunity:",
    };
    let stage = match charge.stage {
        ChargeStage::Begun => "on its way",
        ChargeStage::Close => "close upon it",
        ChargeStage::Home => "home",
    };
    format!("{kind} {}, {stage}", voice::unit(field, charge.at))
}

/// Stands left, such as `10/12`; crew for a battery.
fn strength(field: &Field, unit: UnitId) -> Badge {
    if facts(field, unit).part.is_some() {
        let here = count(field, unit);
        let of = voice::unit(field, whole(field, unit));
        let text = format!("{} of {of}", voice::count(usize::from(here), "stand"));
        return badge(here.to_string(), text, Tone::Calm);
    }
    let (left, start) = (field::strength(field, unit), field::start(field, unit));
    let what = if is_battery(field, unit) { "crew" } else { "stands" };
    let shattered = field::shattered_at(field, unit).is_some_and(|least| left <= least + 1);
    let (tone, worn) = match (shattered, field::below_half(field, unit)) {
        (true, _) => (Tone::Alarm, ": another loss shatters it"),
        (false, true) => (Tone::Alarm, ": below half"),
        (false, false) => (Tone::Calm, ""),
    };
    badge(format!("{left}/{start}"), format!("{left} of {start} {what}{worn}"), tone)
}

fn order(all: &Troops) -> Option<Badge> {
    match all.order {
        OrderState::Good => None,
        OrderState::Disordered if all.swamped => Some(badge("D", "disordered (blue) by a swamp", Tone::Note)),
        OrderState::Disordered => Some(badge("D", "disordered (blue)", Tone::Note)),
        OrderState::Shaken => Some(badge("S", "shaken (red)", Tone::Alarm)),
        OrderState::Routing => Some(badge("R", "routing", Tone::Alarm)),
    }
}

fn conditions(own: &Troops, all: &Troops) -> Vec<Badge> {
    let signs = [
        (all.to_ground, "G", "gone to ground", Tone::Note),
        (own.turn.halted, "H", "halted by fire: no nearer to the enemy this turn", Tone::Note),
        (own.turn.stopped, "h", "stopped short of the enemy: no more moves this turn", Tone::Note),
        (own.turn.charge_failed, "f", "would not charge: no nearer to the enemy this turn", Tone::Note),
        (own.turn.rallied, "r", "rallied this turn: no other move", Tone::Note),
        (own.turn.silenced, "X", "silenced: ridden through, cannot fire this turn", Tone::Alarm),
        (own.broke_into.is_some(), "B", "breaks through into another enemy", Tone::Note),
        (all.crew_away, "A", "the gunners are away from their guns", Tone::Alarm),
        (all.holders_lost, "L", "its horses are gone for good", Tone::Note),
    ];
    signs.into_iter().filter(|sign| sign.0).map(|(_, sign, text, tone)| badge(sign, text, tone)).collect()
}

fn guns(field: &Field, unit: UnitId) -> Vec<Badge> {
    if !is_battery(field, unit) {
        return Vec::new();
    }
    let own = troops(field, unit);
    let damaged = own.guns.iter().filter(|gun| gun.damaged > 0).count();
    let mut badges = Vec::new();
    if damaged > 0 {
        badges.push(badge(format!("{damaged}x"), format!("{} damaged", voice::count(damaged, "gun")), Tone::Alarm));
    }
    if crate::evolution::is_stuck(field, unit) {
        badges.push(badge("T", "too few horses to move the guns", Tone::Alarm));
    }
    badges
}

/// What the eye catches first.
pub fn looks(field: &Field, unit: UnitId) -> Vec<Look> {
    let piece = field.unit(unit);
    if !piece.is_present() {
        return Vec::new();
    }
    let (own, order) = (troops(field, unit), field::order(field, unit));
    let flag = field::formation(field, unit).command_stand(count(field, unit)) as u8;
    let looks = [
        (own.turn.fired > 0, Look::Smoke),
        (order == OrderState::Routing, Look::Rout),
        (matches!(order, OrderState::Disordered | OrderState::Shaken), Look::Disorder),
        (order == OrderState::Disordered, Look::Markers { stand: flag, light: 1, heavy: 0 }),
        (order == OrderState::Shaken, Look::Markers { stand: flag, light: 0, heavy: 1 }),
        (is_hidden(piece), Look::Hidden),
    ];
    let mut looks: Vec<Look> = looks.into_iter().filter(|(shows, _)| *shows).map(|(_, look)| look).collect();
    let damaged = own.guns.iter().zip(0..).filter(|(gun, _)| gun.damaged > 0 && is_battery(field, unit));
    looks.extend(damaged.map(|(_, stand)| Look::Markers { stand, light: 0, heavy: 1 }));
    looks
}
