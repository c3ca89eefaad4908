//! Giving way: withdrawal under fire, rout, those who go on withdrawing, and the confusion of whoever is run through.
//! R58 to R60, R62.

use super::charts::plain;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{Few, Field, Rough, bodies_at, facts, is_there, known, rough, soldiers, troops};
use super::unit::{Arm, Formation};
use super::{Fpw, generals, hidden, markers, movement};
use engine::{Cited, Deed, Die, Event, Leaving, Pool, Reckoning, Side, Umpire, UnitId};
use table::{Length, Pose, Quad, SLACK, convex, quads_overlap};

/// Further than any two bodies reach together: a way that surely leads out of a crowd.
// tidy: allow(a length to sweep along, not a figure of the book)
const FAR: Length = Length::whole_inches(60);

/// Compulsory withdrawals of a side that goes on withdrawing (R60).
pub fn upkeep(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    let units: Vec<(UnitId, u8)> = troops(umpire.state(), side)
        .map(|(id, _)| (id, surplus(umpire.state(), id)))
        .filter(|(_, surplus)| *surplus > 0)
        .collect();
    for (unit, surplus) in units {
        if is_there(umpire.state(), unit) {
            let event = Event::own(Clause::GoesOnWithdrawing, FpwEvent::KeepsWithdrawing { unit });
            hidden::announce(umpire, unit, event);
            withdraw(umpire, unit, surplus, Clause::GoesOnWithdrawing);
        }
    }
}

/// Disruption beyond the number of stands on a unit degraded throughout; nothing on any other, and on horse (R60, R61).
pub fn surplus(field: &Field, unit: UnitId) -> u8 {
    let own = soldiers(field, unit);
    if facts(field, unit).arm == Arm::Cavalry || !own.all_degraded() {
        return 0;
    }
    own.disruption().saturating_sub(u32::from(own.count())).min(u32::from(u8::MAX)) as u8
}

/// The dice of a withdrawal by so many markers.
pub fn withdrawal_pool(field: &Field, markers: u8) -> Pool {
    let each = field.charts().fire.withdraw.value.0;
    let die = each.dice().next().unwrap_or(Die::D6);
    Pool::of(markers.saturating_mul(each.len().min(20) as u8), die)
}

/// Throws one die for each marker, moves the unit straight back, removes it if it routs, confuses whom it passes through.
/// Returns how far it went, or nothing where it is gone.
pub fn withdraw(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, dice: u8, clause: Clause) -> Option<Length> {
    let field = umpire.state();
    if !is_there(field, unit) {
        return None;
    }
    if dice == 0 {
        return Some(Length::ZERO);
    }
    let (side, pace) = (field.side_of(unit), movement::full_pace(field, unit));
    let pool = withdrawal_pool(field, dice);
    let roll = umpire.roll(pool, side);
    let distance = Length::whole_inches(roll.total());
    let routs = distance > pace;
    let mut reckoning = Reckoning::new();
    reckoning.look(clause, "markers that drive it back", Cited::derived(i32::from(dice)));
    let pace_inches = Cited::new(pace.as_inches().round() as i32, pace_source(umpire.state(), unit));
    reckoning.look(facts(umpire.state(), unit).arm.pace_clause(), "its pace in inches", pace_inches);
    let event = FpwEvent::Withdraws { unit, distance, routs };
    let fought = clause == Clause::InfantryWithdraw;
    let event = Event::own(clause, event).also_if(routs, Clause::Routs).also_if(fought, Clause::MoraleAfterRound);
    let event = event.rolled(roll).because(reckoning);
    hidden::announce(umpire, unit, event);
    if routs {
        markers::remove(umpire, unit, Leaving::Destroyed, Clause::Routs);
        return None;
    }
    step_back(umpire, unit, distance, clause).then_some(distance)
}

fn pace_source(field: &Field, unit: UnitId) -> engine::Source {
    let pace = &field.charts().pace;
    if facts(field, unit).arm.is_mounted() { pace.horse.source } else { pace.foot.source }
}

/// How a way back ends.
enum Way {
    To(Length),
    OffTable,
    Barred,
}

/// Moves a unit straight back by compulsion, facing kept, through friends until clear (R59, R62). It is in contact with
/// nobody any more; deployed guns are limbered. Whether it is still there.
pub fn step_back(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, by: Length, clause: Clause) -> bool {
    if !is_there(umpire.state(), unit) {
        return false;
    }
    if by <= Length::ZERO {
        return true;
    }
    markers::disengage(umpire, unit, clause);
    let from = umpire.state().unit(unit).pose();
    if umpire.state().unit(unit).body.formation == Formation::Deployed {
        let limbered = Deed::Reformed { unit, formation: Formation::Limbered, to: from };
        hidden::announce(umpire, unit, Event::new(clause, limbered).also(Clause::LimberingIsForm));
    }
    let go = match way_back(umpire.state(), unit, by) {
        Way::To(go) => go,
        Way::OffTable => {
            markers::remove(umpire, unit, Leaving::LeftTable, clause);
            return false;
        }
        Way::Barred => {
            markers::remove(umpire, unit, Leaving::Destroyed, clause);
            return false;
        }
    };
    let passed = passed_through(umpire.state(), unit, go);
    let scouts = scouts_on_the_way(umpire.state(), unit, go);
    let to = from.ahead(-go);
    hidden::announce(umpire, unit, Event::new(clause, Deed::Moved { unit, to, path: Vec::new() }));
    generals::follow(umpire, unit, from, to);
    for scout in scouts {
        markers::remove(umpire, scout, Leaving::Spent, Clause::ScoutsLeave);
    }
    for friend in passed {
        confuse(umpire, friend);
    }
    generals::make_room(umpire);
    hidden::discover(umpire);
    true
}

/// The bodies of a unit where it is, and where they are after so much of the way back.
fn backed(field: &Field, unit: UnitId, go: Length) -> (Pose, super::field::Stands) {
    let pose = field.unit(unit).pose().ahead(-go);
    (pose, bodies_at(field, unit, pose, field.unit(unit).body.formation))
}

fn way_back(field: &Field, unit: UnitId, by: Length) -> Way {
    let (pose, start) = backed(field, unit, Length::ZERO);
    let back = pose.forward() * -1.0;
    let mut go = by;
    for _ in 0..40 {
        if is_barred(field, unit, &start, back, go) {
            return Way::Barred;
        }
        let (_, end) = backed(field, unit, go);
        if end.iter().any(|quad| !field.ground().holds(quad)) {
            return Way::OffTable;
        }
        // It goes on until it is clear of everybody it ran into.
        let crowd = Side::BOTH.into_iter().flat_map(|side| troops(field, side)).find(|(id, other)| {
            *id != unit
                && !facts(field, *id).is_scout()
                && end.iter().any(|quad| {
                    quads_overlap(quad, other.quad())
                        && super::field::bodies(field, *id).iter().any(|body| quads_overlap(quad, body))
                })
        });
        let Some((_, other)) = crowd else { return Way::To(go) };
        let long = back * FAR.as_f64();
        let exits = end.iter().filter_map(|quad| convex::sweep(quad.points(), long, other.quad().points()));
        let exit = exits.map(|(_, to)| to).fold(0.0, f64::max);
        go += Length::from_um(exit * FAR.as_f64()) + SLACK;
    }
    Way::Barred
}

/// Whether a known enemy or ground nobody enters lies on the way (R59).
fn is_barred(field: &Field, unit: UnitId, start: &[Quad], back: table::Vec2, go: Length) -> bool {
    let meets = |other: &Quad| start.iter().any(|quad| table::reach(quad, back, go, other).is_some());
    let enemy = known(field, field.side_of(unit).other())
        .any(|(id, other)| !facts(field, id).is_scout() && meets(other.quad()));
    let by = back * go.as_f64();
    let closed = field.ground().features.iter().filter(|feature| rough(feature.kind) == Rough::Impassable);
    enemy || { closed }.any(|feature| start.iter().any(|quad| !feature.shape.sweep(quad, by).is_empty()))
}

fn on_the_way<'f>(field: &'f Field, unit: UnitId, side: Side, go: Length) -> impl Iterator<Item = UnitId> + 'f {
    let (pose, start) = backed(field, unit, Length::ZERO);
    let back = pose.forward() * -1.0;
    troops(field, side)
        .filter(move |(id, other)| {
            let meets = |quad: &Quad| table::reach(quad, back, go, other.quad()).is_some_and(|at| at + SLACK < go);
            *id != unit && start.iter().any(meets)
        })
        .map(|(id, _)| id)
}

/// Friends it runs through.
fn passed_through(field: &Field, unit: UnitId, go: Length) -> Few {
    on_the_way(field, unit, field.side_of(unit), go).filter(|id| !facts(field, *id).is_scout()).collect()
}

/// Enemy scouts it comes upon.
fn scouts_on_the_way(field: &Field, unit: UnitId, go: Length) -> Few {
    on_the_way(field, unit, field.side_of(unit).other(), go).filter(|id| facts(field, *id).is_scout()).collect()
}

/// A die for each stand of a unit run through; the marker is disruption, for horse too (R62).
fn confuse(umpire: &mut Umpire<'_, Fpw>, unit: UnitId) {
    let field = umpire.state();
    let (side, stands) = (field.side_of(unit), soldiers(field, unit).count());
    let need = plain(field.charts().confusion.on);
    let roll = umpire.roll(Pool::d6(stands), side);
    let struck: Vec<usize> =
        roll.pips.iter().enumerate().filter(|(_, pip)| i32::from(**pip) >= need.value).map(|(n, _)| n).collect();
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::Confusion, "disrupted on", need);
    markers::confuse(umpire, unit, &struck, roll, reckoning);
}
