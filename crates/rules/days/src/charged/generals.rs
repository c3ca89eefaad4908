//! Generals on their own in the path of a charge: they too need their nerve to get away..

use crate::Days;
use crate::charts::reach;
use crate::clause::Clause;
use crate::event::DaysEvent;
use crate::field::{self, Field};
use crate::staff;
use crate::unit::ChargeKind;
use engine::{CommanderId, Deed, Event, Side, Umpire, UnitId};
use table::{Length, Point, Pose, Vec2, contact};

/// Halvings that keep him on the table.
const ROUNDS: usize = 8;

/// Every general of a side whom a charge is about to ride down tests, and rides off if he passes.
pub fn evade(umpire: &mut Umpire<'_, Days>, side: Side, kind: ChargeKind) {
    for general in alone(umpire.state(), side) {
        let Some(charger) = charger_of(umpire.state(), general, kind) else { continue };
        test(umpire, side, general, charger);
    }
}

/// Generals of a side with nobody around them.
fn alone(field: &Field, side: Side) -> Vec<CommanderId> {
    let is_alone = |id: &CommanderId| {
        let commander = field.commander(*id);
        commander.is_present() && commander.own.attached.is_none() && field.muster().commander(*id).side == side
    };
    field.muster().commander_ids().filter(is_alone).collect()
}

/// Whose straight way leads over him.
fn charger_of(field: &Field, general: CommanderId, kind: ChargeKind) -> Option<UnitId> {
    let quad = field.commander(general).quad();
    let side = field.muster().commander(general).side;
    let mut enemies = field.present(side.other());
    let found = enemies.find(|(id, unit)| {
        let Some(charge) = unit.own.charge.as_ref().filter(|charge| charge.kind == kind) else { return false };
        let stands = field::stands(field, *id);
        let towards = unit.pose().forward();
        stands.iter().any(|stand| contact::reach(stand, towards, charge.left, quad).is_some())
    });
    found.map(|(id, _)| id)
}

fn test(umpire: &mut Umpire<'_, Days>, side: Side, general: CommanderId, charger: UnitId) {
    let score = staff::evade::score(umpire.state(), general);
    let roll = umpire.roll(umpire.charts().test.dice.value.0, side);
    let passed = roll.total() > score.whole();
    let deed = if passed {
        Deed::CommanderMoved { commander: general, to: refuge(umpire.state(), general, charger) }
    } else {
        Deed::Noted
    };
    let event = Event::new(Clause::WhoCanEvade, deed).also(Clause::HowToEvade).also(Clause::WhereToEvade);
    umpire.announce(event.rolled(roll).because(score));
    if passed {
        umpire.announce(Event::own(Clause::HowToEvade, DaysEvent::GeneralMoved { general }));
    }
}

/// Straight away from the charger, half a move, and never off the table.
fn refuge(field: &Field, general: CommanderId, charger: UnitId) -> Pose {
    let quad = field.commander(general).quad();
    let pace = &field.charts().pace;
    let far = pace.evade.value.of(reach(pace.staff.normal));
    let away = away_from(field, charger, quad.centre);
    let body = field.muster().commander(general).facts.stand;
    let half = body.depth.half().as_f64();
    let facing = table::Angle::of(away);
    let at = |by: Length| Pose { at: Point::from_vec(quad.centre + away * (by.as_f64() + half)), facing };
    let mut by = far;
    for _ in 0..ROUNDS {
        if field.ground().holds(&body.quad(at(by))) {
            break;
        }
        by = by.half();
    }
    at(by)
}

/// From the nearest point of a charger to a place (C.1); the way it goes where they touch.
fn away_from(field: &Field, charger: UnitId, place: Vec2) -> Vec2 {
    let (_, from) = table::convex::nearest_points(&[place], field.unit(charger).quad().points());
    let forward = field.unit(charger).pose().forward();
    if from.distance(place) > 1.0 { (place - from).normalised() } else { forward }
}
