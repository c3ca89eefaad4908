//! Compulsory moves of a fight: the beaten go back, victors go on. Sections 17.5.1 and 17.5.4, A-66, A-122.

use super::super::Days;
use super::super::charts::{count, reach};
use super::super::clause::Clause;
use super::super::event::{Cause, DaysEvent, Doing};
use super::super::field::{self, Field};
use super::super::{damage, ground, hidden, space};
use super::way;
use engine::{Deed, Event, Umpire, UnitId};
use table::{Angle, Length, Point, Pose, SLACK, Vec2};

/// A straight compulsory move.
#[derive(Clone, Copy, Debug)]
pub struct Gone {
    /// How far it went.
    pub by: Length,
    /// Whom it struck.
    pub struck: Option<UnitId>,
}

/// How far there is room.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Room {
    by: Length,
    /// Whom it strikes.
    struck: Option<UnitId>,
    /// The enemy who stops it, struck or not.
    met: Option<UnitId>,
    /// Whether horsemen rein in.
    reined: bool,
}

/// How far a unit can go straight on, and whom it would strike: enemies for whom `strikes` holds are met flush, all
/// other enemies, friends in ranks and impassable ground stop it; horsemen who follow somebody rein in before ground that
/// would harm them, those who are driven do not.
fn room(field: &Field, unit: UnitId, towards: Vec2, by: Length, reins: bool, strikes: &dyn Fn(UnitId) -> bool) -> Room {
    let stands = field::stands(field, unit);
    let (side, whole) = (field.side_of(unit), field::whole(field, unit));
    let mut most = by;
    let mut reined = false;
    for stand in stands {
        if let Some(edge) = way::to_edge(field, stand, towards * most.as_f64()) {
            most = most.min(edge);
        }
    }
    if let Some((_, _, at)) = way::first_bar(field, unit, stands, towards * most.as_f64()) {
        most = most.min(at);
    }
    if reins && field::is_mounted(field, unit) {
        for patch in ground::patches(field).filter(way::harms_horse) {
            let inside = stands.iter().any(|stand| patch.shape.overlaps_quad(stand));
            let way = towards * most.as_f64();
            let starts = stands.iter().filter_map(|stand| patch.shape.sweep(stand, way).first().map(|(from, _)| *from));
            if let Some(share) = starts.reduce(f64::min).filter(|_| !inside) {
                most = Length::from_um(most.as_f64() * share);
                reined = true;
            }
        }
    }
    let friend = |id: UnitId| {
        field.side_of(id) == side && field::whole(field, id) != whole && !space::is_passable(field, unit, id)
    };
    if let Some(met) = way::first_met(field, stands, towards, most, &friend) {
        most = met.at;
    }
    // Troops in hiding stop it like any others, and are seen then.
    let enemy = |id: UnitId| field.side_of(id) != side;
    let Some(met) = way::first_met(field, stands, towards, most, &enemy) else {
        return Room { by: most, struck: None, met: None, reined };
    };
    // Less than an inch of base is no contact: it stops short as it does before anybody it may not strike.
    let strikes = met.wide >= reach(field.charts().constant.contact) && strikes(met.unit);
    let keep = if strikes { Length::ZERO } else { field::standoff(field) };
    let by = (met.at - keep).max(Length::ZERO);
    Room { by, struck: strikes.then_some(met.unit), met: Some(met.unit), reined }
}

/// Goes straight on; strikes `after` alone where it is given, else any new enemy.
pub fn straight(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    towards: Vec2,
    by: Length,
    after: Option<UnitId>,
    clause: Clause,
) -> Gone {
    let field = umpire.state();
    let towards = towards.normalised();
    if !field::is_there(field, unit) || by.is_negative() || towards.length() < 0.5 {
        return Gone { by: Length::ZERO, struck: None };
    }
    let known = field::troops(field, unit).contact.clone();
    let strikes = |id: UnitId| after.map_or(!known.contains(&id), |quarry| quarry == id);
    let Room { by: gone, struck, met, reined } = room(field, unit, towards, by, true, &strikes);
    let from = field.unit(unit).pose();
    if gone > Length::ZERO {
        let to = from.shifted(towards * gone.as_f64());
        let event = Event::new(clause, Deed::Moved { unit, to, path: Vec::new() })
            .also(Clause::CompulsoryMovesOverRoughGround)
            .also_if(reined, Clause::ReiningInTheHorses);
        way::arrive(umpire, unit, event, from);
    }
    hidden::reveal_met(umpire, met);
    Gone { by: gone, struck }
}

/// A victor goes straight on, stopping at new enemies; returns whom it struck and what was left.
pub fn go_on(umpire: &mut Umpire<'_, Days>, unit: UnitId, towards: Vec2, by: Length) -> Option<(UnitId, Length)> {
    if !field::is_there(umpire.state(), unit) {
        return None;
    }
    let gone = straight(umpire, unit, towards, by, None, Clause::MovesAfterTheFight);
    let event = Event::own(Clause::MovesAfterTheFight, DaysEvent::Advances { unit, by: gone.by });
    hidden::announce(umpire, unit, event);
    if gone.by > Length::ZERO {
        let did = DaysEvent::Did { unit, doing: Doing::Moved };
        hidden::announce(umpire, unit, Event::own(Clause::MovesAfterTheFight, did));
        way::part(umpire, unit, Clause::MovesAfterTheFight);
    }
    gone.struck.map(|enemy| (enemy, (by - gone.by).max(Length::ZERO)))
}

/// A beaten unit goes back facing its enemy, as far as it can. One that cannot get clear of him loses a stand more, and
/// he steps back to leave the inch between them.
pub fn push_back(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: UnitId, by: Length) {
    let field = umpire.state();
    if !field::is_there(field, unit) {
        return;
    }
    let turn = field.turn();
    let whole = field::whole(field, unit);
    let event = Event::own(Clause::MovesAfterTheFight, DaysEvent::PushedBack { unit: whole, turn });
    umpire.announce(event);
    let field = umpire.state();
    let towards = way::flight(field, unit, Some(from));
    retire(umpire, unit, towards, by);
    let field = umpire.state();
    if !field::is_there(field, from) || !field::is_there(field, unit) {
        return;
    }
    face(umpire, unit, from);
    let apart = field::standoff(umpire.state());
    if field::gap(umpire.state(), unit, from) < apart {
        let lost = u8::try_from(count(umpire.charts().special.no_room_loses)).unwrap_or(u8::MAX);
        if field::is_battery(umpire.state(), unit) {
            damage::lose_crew(umpire, unit, lost);
        } else {
            damage::lose_stands(umpire, unit, lost, Cause::NoRoom, Some(from));
        }
        step_back(umpire, from, unit, apart);
    }
    for body in [unit, from] {
        way::part(umpire, body, Clause::MovesAfterTheFight);
    }
}

/// The straight way back: friends and bad ground stop it, enemies too.
fn retire(umpire: &mut Umpire<'_, Days>, unit: UnitId, towards: Vec2, by: Length) {
    let field = umpire.state();
    let Room { by: gone, met, .. } = room(field, unit, towards, by, false, &|_| false);
    if gone <= SLACK {
        hidden::reveal_met(umpire, met);
        return;
    }
    let from = field.unit(unit).pose();
    let to = from.shifted(towards * gone.as_f64());
    let event = Event::new(Clause::MovesAfterTheFight, Deed::Moved { unit, to, path: Vec::new() })
        .also(Clause::CompulsoryMovesOverRoughGround);
    way::arrive(umpire, unit, event, from);
    let did = DaysEvent::Did { unit, doing: Doing::Moved };
    hidden::announce(umpire, unit, Event::own(Clause::MovesAfterTheFight, did));
    hidden::reveal_met(umpire, met);
}

/// Turns a unit that was struck from behind so that it faces whoever drove it back, where there is room.
fn face(umpire: &mut Umpire<'_, Days>, unit: UnitId, enemy: UnitId) {
    let field = umpire.state();
    let front = field::aspect(field, unit, field.unit(enemy).quad().centre) == super::super::unit::Aspect::Front;
    if front || !field::has_flanks(field, unit) {
        return;
    }
    let (from, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let facing = Angle::of(-way::away(field, unit, enemy));
    let to = way::centred(field, unit, formation, field.unit(unit).quad().centre, facing);
    let fits = field::stands_at(field, unit, to, formation).iter().all(|stand| field.ground().holds(stand))
        && space::crowded(field, unit, to, formation).is_empty();
    if fits {
        let event = Event::new(Clause::MovesAfterTheFight, Deed::Moved { unit, to, path: Vec::new() });
        way::arrive(umpire, unit, event, from);
    }
}

/// The winner steps straight back until there is an inch between them.
fn step_back(umpire: &mut Umpire<'_, Days>, winner: UnitId, loser: UnitId, apart: Length) {
    let field = umpire.state();
    if !field::is_there(field, winner) || !field::is_there(field, loser) {
        return;
    }
    let short = apart - field::gap(field, winner, loser);
    if short <= Length::ZERO {
        return;
    }
    let towards = way::away(field, winner, loser);
    let Room { by: gone, met, .. } = room(field, winner, towards, short, false, &|_| false);
    if gone <= Length::ZERO {
        hidden::reveal_met(umpire, met);
        return;
    }
    let from = field.unit(winner).pose();
    let at = Point::from_vec(from.at.vec() + towards * gone.as_f64());
    let to = Pose { at, facing: from.facing };
    let event = Event::new(Clause::MovesAfterTheFight, Deed::Moved { unit: winner, to, path: Vec::new() });
    way::arrive(umpire, winner, event, from);
    hidden::reveal_met(umpire, met);
}

#[cfg(test)]
mod tests {
    use super::super::super::formation::Shape;
    use super::super::super::morale::tests::bench::{Raw, area, at, field, unit};
    use super::super::super::unit::Arm;
    use super::*;
    use engine::Side;
    use table::terrain::{Feature, TerrainKind};

    /// How far a line at (36, 20) that looks north gets on its way north, in inches, and whom it strikes.
    fn north(arm: Arm, others: Vec<Raw>, features: Vec<Feature>) -> (f64, Option<UnitId>, bool) {
        let units = std::iter::once(unit(Side::A, arm, Shape::Line, at(36.0, 20.0, 0.0))).chain(others).collect();
        let state = field(0, units, features);
        let ahead = Vec2 { x: 0.0, y: 1.0 };
        let found = room(&state, UnitId(0), ahead, Length::whole_inches(6), true, &|_| true);
        ((found.by.as_inches() * 100.0).round() / 100.0, found.struck, found.reined)
    }

    #[test]
    fn victors_stop_at_new_enemies_and_behind_friends() {
        let at_24 = |side| unit(side, Arm::Infantry, Shape::Line, at(38.0, 24.0, 180.0));
        assert_eq!(north(Arm::Infantry, Vec::new(), Vec::new()), (6.0, None, false));
        assert_eq!(north(Arm::Infantry, vec![at_24(Side::B)], Vec::new()), (4.0, Some(UnitId(1)), false));
        let behind = unit(Side::A, Arm::Infantry, Shape::Line, at(38.0, 24.0, 0.0));
        assert_eq!(north(Arm::Infantry, vec![behind], Vec::new()), (3.0, None, false));
        // Half an inch of base is no contact, and nobody goes through anybody.
        let brushed = unit(Side::B, Arm::Infantry, Shape::Line, at(47.5, 24.0, 180.0));
        assert_eq!(north(Arm::Infantry, vec![brushed], Vec::new()), (3.0, None, false));
    }

    #[test]
    fn horsemen_rein_in_before_houses_and_nobody_wades_a_river() {
        let houses = || vec![area(TerrainKind::Town, (30.0, 23.0), (40.0, 30.0))];
        assert_eq!(north(Arm::Cavalry, Vec::new(), houses()), (3.0, None, true));
        assert_eq!(north(Arm::Infantry, Vec::new(), houses()), (6.0, None, false));
        let river = vec![area(TerrainKind::River, (0.0, 25.0), (72.0, 28.0))];
        assert_eq!(north(Arm::Infantry, Vec::new(), river), (5.0, None, false));
    }
}
