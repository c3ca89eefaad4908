//! Chapter 4e: shell fire, by guess, drift and template. R13 to R17. And chapter 11: sharpshooters. R69.

use super::Awi;
use super::charts::plain;
use super::clause::Clause;
use super::event::AwiEvent;
use super::field::{Field, all_troops, arc_half_angle, facts, flag, is_there, officer_point, sees};
use super::fire;
use super::morale::Panic;
use super::officers;
use super::order::{Decision, Order, Piece};
use super::sequence::Phase;
use super::unit::{Arm, Task};
use engine::{CommanderId, Deed, Event, Flow, Leaving, Mark, Pool, Reckoning, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use table::{Angle, Length, Point, Quad, SLACK, Vec2, convex};

/// Hits of a shell being shared out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Sharing {
    pub by: UnitId,
    pub at: Point,
    /// Pieces under the template, nearest first, with the hits each has so far.
    pub shares: Vec<(Piece, u8)>,
    /// Hits still to be given.
    pub left: u8,
}

/// Judges a shell.
pub fn check(field: &Field, unit: UnitId, bearing: Angle, estimate: Length, verdict: &mut Verdict) {
    let facts = facts(field, unit);
    let chart = &field.charts().shell;
    if !facts.shell || facts.arm != Arm::Artillery {
        verdict.refuse(Clause::ShellGuess, "it has no shell").about(unit);
    }
    fire::check_firer(field, unit, verdict);
    fire::check_task(field, unit, verdict);
    if estimate < chart.estimate_min.value.0 || estimate > chart.estimate_max.value.0 {
        let (least, most) = (chart.estimate_min.value.0, chart.estimate_max.value.0);
        let text =
            format!("the estimate lies between {} and {}", least.show(table::Unit::Inch), most.show(table::Unit::Inch));
        verdict.refuse(Clause::ShellEstimateLimits, text).about(unit);
    }
    let step = chart.estimate_step.value.0.as_um().max(1);
    if estimate.as_um() % step != 0 {
        let text = format!("estimates go by steps of {}", chart.estimate_step.value.0.show(table::Unit::Inch));
        verdict.refuse(Clause::ShellGuess, text).about(unit);
    }
    if bearing.apart(field.unit(unit).pose().facing) > arc_half_angle(field) {
        verdict.refuse(Clause::SupportArc, "the direction is outside its arc of fire").about(unit);
    }
}

/// Fires a shell: drift, dud, burst, dice; sharing follows (S1 to S4).
pub fn execute(umpire: &mut Umpire<'_, Awi>, unit: UnitId, bearing: Angle, estimate: Length) {
    let side = umpire.state().side_of(unit);
    let fired = AwiEvent::ShellFired { by: unit, bearing, estimate };
    let event = Event::own(Clause::ShellGuess, fired).also(Clause::ShellEstimateLimits);
    umpire.announce(event.also(Clause::NoPremeasuring).also(Clause::SmokeMarksTheUnloaded));
    umpire.announce(Event::own(Clause::ShellGuess, AwiEvent::Task { unit, task: Task::Fired }));
    let roll = umpire.roll(umpire.charts().drift(), side);
    let drift = roll.total();
    if drift == umpire.charts().shell.dud.value.get() {
        umpire.announce(Event::own(Clause::ShellDud, AwiEvent::Dud { by: unit }).rolled(roll));
        return;
    }
    let distance = estimate + Length::whole_inches(drift);
    let at = Point::from_vec(flag(umpire.state(), unit) + bearing.unit() * distance.as_f64());
    let mut touched = under_template(umpire.state(), at);
    touched.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let pieces: Vec<Piece> = touched.iter().map(|(_, piece)| *piece).collect();
    let burst = AwiEvent::Burst { by: unit, at, touched: pieces.clone() };
    umpire.announce(Event::own(Clause::ShellDrift, burst).also(Clause::ShellTemplate).rolled(roll));
    if pieces.is_empty() {
        return;
    }
    let (dice, need) = (plain(umpire.charts().shell.dice), plain(umpire.charts().shell.need));
    let roll = umpire.roll(Pool::d6(dice.value.clamp(0, 60) as u8), side);
    let hits = roll.pips.iter().filter(|pip| i32::from(**pip) >= need.value).count() as u8;
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::ShellDice, "dice", dice).look(Clause::ShellDice, "score needed", need);
    let event = Event::own(Clause::ShellDice, AwiEvent::ShellHits { by: unit, hits });
    umpire.announce(event.rolled(roll).because(reckoning));
    let each = hits / (pieces.len() as u8).max(1);
    let left = hits - each * pieces.len() as u8;
    let shares = pieces.into_iter().map(|piece| (piece, each)).collect();
    umpire.begin(Phase::Sharing(Sharing { by: unit, at, shares, left }));
}

/// Pieces whose footprint the template touches, with their distance from the burst. Couriers and sharpshooters are
/// left alone (R15).
fn under_template(field: &Field, at: Point) -> Vec<(f64, Piece)> {
    let (width, height) = field.ground().size;
    let on_table = at.x >= Length::ZERO && at.y >= Length::ZERO && at.x <= width && at.y <= height;
    if !on_table {
        return Vec::new();
    }
    let radius = field.settings().template_radius.unwrap_or(field.charts().shell.template_radius.value.0);
    let reach = (radius + SLACK).as_f64();
    let distance = |quad: &Quad| convex::distance(quad.points(), at.vec());
    let units = all_troops(field).map(|(id, unit)| (distance(unit.quad()), Piece::Unit(id)));
    let officers = field
        .commanders()
        .filter(|(_, officer)| officer.is_present())
        .map(|(id, officer)| (distance(officer.quad()), Piece::Commander(id)));
    units.chain(officers).filter(|(gap, _)| *gap <= reach).collect()
}

fn gap_of(field: &Field, sharing: &Sharing, piece: Piece) -> f64 {
    let quad = match piece {
        Piece::Unit(id) => field.unit(id).quad(),
        Piece::Commander(id) => field.commander(id).quad(),
    };
    convex::distance(quad.points(), sharing.at.vec())
}

/// Gives odd hits to the nearest; asks where several are equally near (S5, R16).
pub fn advance(umpire: &mut Umpire<'_, Awi>, mut sharing: Sharing) -> Flow<Awi> {
    if sharing.left == 0 {
        umpire.end();
        settle(umpire, &sharing);
        return Flow::Again;
    }
    let field = umpire.state();
    let fewest = sharing.shares.iter().map(|share| share.1).min().unwrap_or(0);
    let next: Vec<(f64, Piece)> = sharing
        .shares
        .iter()
        .filter(|share| share.1 == fewest)
        .map(|share| (gap_of(field, &sharing, share.0), share.0))
        .collect();
    let nearest = next.iter().map(|share| share.0).fold(f64::INFINITY, f64::min);
    let among: Vec<Piece> =
        next.iter().filter(|share| share.0 <= nearest + SLACK.as_f64()).map(|share| share.1).collect();
    if among.len() > usize::from(sharing.left) {
        let side = field.side_of(sharing.by);
        return Flow::Ask(Who::One(side), Decision::ShellTie { among });
    }
    for piece in among {
        give(&mut sharing, piece);
    }
    umpire.replace(Phase::Sharing(sharing));
    Flow::Again
}

fn give(sharing: &mut Sharing, piece: Piece) {
    if let Some(share) = sharing.shares.iter_mut().find(|share| share.0 == piece) {
        share.1 += 1;
        sharing.left = sharing.left.saturating_sub(1);
    }
}

/// Judges the choice among equally near pieces.
pub fn check_tie(among: &[Piece], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Pick { piece } if among.contains(piece) => Verdict::fine(),
        _ => Verdict::refused(Clause::ShellSharing, "pick one of the equally near pieces"),
    }
}

/// Gives the odd hit as chosen.
pub fn execute_tie(umpire: &mut Umpire<'_, Awi>, among: &[Piece], order: &Order) {
    let Some(Phase::Sharing(mut sharing)) = umpire.top() else { return umpire.fault("a tie without a shell") };
    let piece = match order {
        Order::Pick { piece } => Some(*piece),
        _ => among.iter().min().copied(),
    };
    if let Some(piece) = piece {
        give(&mut sharing, piece);
    }
    umpire.replace(Phase::Sharing(sharing));
}

/// Marks off, dice for officers, then the tests (S6, S7).
fn settle(umpire: &mut Umpire<'_, Awi>, sharing: &Sharing) {
    let side = umpire.state().side_of(sharing.by);
    let mut killed: Vec<CommanderId> = Vec::new();
    for (piece, hits) in sharing.shares.iter().filter(|share| share.1 > 0) {
        let share = AwiEvent::ShellShare { piece: *piece, hits: *hits };
        umpire.announce(Event::own(Clause::ShellSharing, share));
        if let Piece::Commander(officer) = piece {
            let need = plain(umpire.charts().shell.commander_dies_on);
            let roll = umpire.roll(Pool::d6(*hits), side);
            let dead = roll.pips.iter().any(|pip| i32::from(*pip) >= need.value);
            let mut reckoning = Reckoning::new();
            reckoning.look(Clause::ShellOnCommander, "killed on", need);
            let event = AwiEvent::Attempt { commander: *officer, killed: dead };
            umpire.announce(Event::own(Clause::ShellOnCommander, event).rolled(roll).because(reckoning));
            if dead {
                officers::falls(umpire, *officer, Clause::ShellOnCommander);
                killed.push(*officer);
            }
        }
    }
    for (piece, hits) in &sharing.shares {
        if let Piece::Unit(unit) = piece {
            fire::take_marks(umpire, *unit, *hits, Clause::ShellDice);
        }
    }
    let panic = Panic::of_commanders(umpire.state(), &killed);
    if !panic.is_empty() {
        umpire.begin(Phase::Panic(panic));
    }
}

fn target_point(field: &Field, at: Piece) -> Option<(Vec2, Option<UnitId>)> {
    match at {
        Piece::Unit(id) if is_there(field, id) => Some((flag(field, id), Some(id))),
        Piece::Commander(id) if field.commander(id).is_present() => Some((officer_point(field, id), None)),
        _ => None,
    }
}

fn side_of(field: &Field, piece: Piece) -> engine::Side {
    match piece {
        Piece::Unit(id) => field.side_of(id),
        Piece::Commander(id) => field.muster().commander(id).side,
    }
}

/// Judges a sharpshooter's one shot.
pub fn check_snipe(field: &Field, unit: UnitId, at: Piece, side: engine::Side, verdict: &mut Verdict) {
    if facts(field, unit).arm != Arm::Sharpshooter || field.side_of(unit) != side || !field.unit(unit).is_present() {
        verdict.refuse(Clause::Sharpshooters, "this is not a sharpshooter of yours in hiding").about(unit);
        return;
    }
    let Some((place, target)) = target_point(field, at).filter(|_| side_of(field, at) != side) else {
        verdict.refuse(Clause::Sharpshooters, "the target is not an enemy on the table").about(unit);
        return;
    };
    let from = field.unit(unit).quad().centre;
    let except: Vec<UnitId> = target.into_iter().collect();
    if !sees(field, from, place, &except) {
        let line = Mark::Line(Point::from_vec(from), Point::from_vec(place));
        verdict.refuse(Clause::Amicable, "he does not see his target").about(unit).at(line);
    }
    let distance = Length::from_um(from.distance(place));
    if !field.settings().no_premeasuring && distance > field.charts().range.small_arms.long.value.0 + SLACK {
        verdict
            .refuse(Clause::SmallArmsRange, format!("out of range at {}", distance.show(table::Unit::Inch)))
            .about(unit);
    }
}

/// The one shot: whatever comes of it, the man is gone.
pub fn snipe(umpire: &mut Umpire<'_, Awi>, unit: UnitId, at: Piece) {
    let field = umpire.state();
    let side = field.side_of(unit);
    let Some((place, _)) = target_point(field, at) else { return umpire.fault("a shot at nobody") };
    let distance = Length::from_um(field.unit(unit).quad().centre.distance(place));
    let (range, chart) = (&field.charts().range.small_arms, &field.charts().sharpshooter);
    let column = if distance <= range.short.value.0 + SLACK {
        Some((Clause::SharpshooterShort, plain(chart.short)))
    } else if distance <= range.long.value.0 + SLACK {
        Some((Clause::SharpshooterLong, plain(chart.long)))
    } else {
        None
    };
    umpire.announce(Event::new(Clause::SharpshooterOnce, Deed::Revealed { unit }));
    let measured = AwiEvent::Measured { from: Piece::Unit(unit), to: at, distance };
    umpire.announce(Event::own(Clause::FlagToFlag, measured).also(Clause::NoPremeasuring));
    let mut killed = Vec::new();
    match column {
        Some((clause, need)) => {
            let roll = umpire.roll(Pool::d6(1), side);
            let hit = roll.single() >= need.value;
            let mut reckoning = Reckoning::new();
            reckoning.look(clause, "score needed", need);
            let event = Event::own(clause, AwiEvent::Sniped { by: unit, at, hit });
            umpire.announce(event.rolled(roll).because(reckoning));
            match at {
                Piece::Unit(target) if hit => fire::take_marks(umpire, target, 1, Clause::HitCostsMark),
                Piece::Commander(officer) if hit => {
                    officers::falls(umpire, officer, clause);
                    killed.push(officer);
                }
                _ => {}
            }
        }
        None => umpire.announce(Event::own(Clause::SmallArmsRange, AwiEvent::Sniped { by: unit, at, hit: false })),
    }
    umpire.announce(Event::new(Clause::SharpshooterOnce, Deed::Removed { unit, why: Leaving::Spent }));
    let panic = Panic::of_commanders(umpire.state(), &killed);
    if !panic.is_empty() {
        umpire.begin(Phase::Panic(panic));
    }
}
