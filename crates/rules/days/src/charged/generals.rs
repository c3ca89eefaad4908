//! Generals on their own in the path of a charge: they too need their nerve to get away..

use crate::Days;
use crate::charts::reach;
use crate::clause::Clause;
use crate::event::DaysEvent;
use crate::field::{self, Field};
use crate::unit::ChargeKind;
use crate::{ground, staff};
use engine::{CommanderId, Deed, Event, Side, Umpire, UnitId};
use table::{Point, Pose, Vec2, contact};

/// How often he tries half as far.
const ROUNDS: usize = 4;

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
        commander.is_present()
            && commander.own.attached.is_none()
            && !commander.own.unhorsed
            && field.muster().commander(*id).side == side
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
    // Where there is nowhere to go there is nothing to test for.
    let Some(to) = refuge(umpire.state(), general, charger) else { return };
    let score = staff::evade::score(umpire.state(), general);
    let roll = umpire.roll(umpire.charts().test.dice.value.0, side);
    let passed = roll.total() > score.whole();
    let deed = if passed { Deed::CommanderMoved { commander: general, to } } else { Deed::Noted };
    let event = Event::new(Clause::WhoCanEvade, deed).also(Clause::HowToEvade).also(Clause::WhereToEvade);
    umpire.announce(event.rolled(roll).because(score));
    if passed {
        umpire.announce(Event::own(Clause::HowToEvade, DaysEvent::GeneralMoved { general }));
    }
}

/// Straight away from the charger or to one side of that, as far as half a move takes him: on the table, over ground he can
/// ride over, and more than an inch from every enemy he knows of. None where he would be no safer.
fn refuge(field: &Field, general: CommanderId, charger: UnitId) -> Option<Pose> {
    let quad = field.commander(general).quad();
    let pace = &field.charts().pace;
    let far = pace.evade.value.of(reach(pace.staff.normal));
    let straight = away_from(field, charger, quad.centre);
    let right = straight.perp_right();
    let ways = [straight, (straight + right).normalised(), (straight - right).normalised()];
    let half = field.muster().commander(general).facts.stand.depth.half().as_f64();
    let place = |way: Vec2, by: f64| {
        let at = Point::from_vec(quad.centre + way * (by + half));
        Pose { at, facing: table::Angle::of(way) }
    };
    let lengths = (0..ROUNDS).scan(far.as_f64(), |by, _| Some(std::mem::replace(by, *by * 0.5)));
    let mut places = lengths.flat_map(|by| ways.map(|way| place(way, by)));
    places.find(|pose| is_safe(field, general, *pose))
}

/// Whether he may stand there, and could have ridden there.
fn is_safe(field: &Field, general: CommanderId, pose: Pose) -> bool {
    let card = field.muster().commander(general);
    let (quad, standoff) = (card.facts.stand.quad(pose), field::standoff(field));
    let is_near = |(id, unit): (UnitId, &engine::Unit<Days>)| {
        !field::surely_beyond(unit.quad(), &quad, standoff)
            && field::measured(field::gap_of(field::stands(field, id), &[quad])) <= standoff
    };
    field.ground().holds(&quad)
        && ground::staff_toll(field, general, pose.at).refusals.is_empty()
        && !field::known(field, card.side.other()).any(is_near)
}

/// From the nearest point of a charger to a place (C.1); the way it goes where they touch.
fn away_from(field: &Field, charger: UnitId, place: Vec2) -> Vec2 {
    let (_, from) = table::convex::nearest_points(&[place], field.unit(charger).quad().points());
    let forward = field.unit(charger).pose().forward();
    if from.distance(place) > 1.0 { (place - from).normalised() } else { forward }
}
