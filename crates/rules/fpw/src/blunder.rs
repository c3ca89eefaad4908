//! Blunders: a division general's double six and the national tables. R17 to R23.

use super::Fpw;
use super::clause::Clause;
use super::command::{self, Obeying, Task};
use super::event::{Blunder, FpwEvent};
use super::field::{
    self, Field, bodies_at, facts, formation, gap, gap_between, is_there, known, reactive_range, troops,
};
use super::order::{Aim, Decision, Going, Order, Step, What};
use super::sequence::Phase;
use super::unit::{Formation, Nation};
use super::{approach, charge, hidden, march, movement, sight};
use engine::{CommanderId, Event, Flow, Pool, Side, Umpire, UnitId, Verdict, Who};
use table::march::{Leg, Track};
use table::{Angle, Length, Point, Pose, SLACK, Vec2, convex};

/// Throws on the national table and applies the result at once.
pub fn begin(umpire: &mut Umpire<'_, Fpw>, side: Side, general: CommanderId, what: What, units: Vec<UnitId>) {
    let nation = umpire.state().muster().commander(general).facts.nation;
    let roll = umpire.roll(Pool::d6(1), side);
    let face = roll.single().clamp(1, 6) as u8;
    let (result, clause) = entry(nation, face);
    let event = Event::own(Clause::DoubleSix, FpwEvent::Blundered { general, face, result })
        .also(Clause::NationalTable)
        .also(clause)
        .rolled(roll);
    hidden::announce_general(umpire, general, event);
    match result {
        Blunder::NoMove => umpire.begin(Phase::Blame { units }),
        Blunder::HalfPace => umpire.begin(Phase::Obey(Obeying { side, units, task: Task::March(Going::HalfPace) })),
        Blunder::Away => march_off(umpire, side, &units, away),
        Blunder::ToTheGuns => {
            let all = units.clone();
            march_off(umpire, side, &units, move |field, unit| to_the_guns(field, unit, &all));
        }
        Blunder::Attack => attack(umpire, side, what, units),
    }
}

/// The national tables.
fn entry(nation: Nation, face: u8) -> (Blunder, Clause) {
    match (nation, face) {
        (Nation::French, 1) => (Blunder::NoMove, Clause::FrenchWhat),
        (Nation::French, 2 | 3) => (Blunder::Away, Clause::FrenchBetrayed),
        (Nation::French, 4 | 5) => (Blunder::HalfPace, Clause::FrenchMagnificent),
        (Nation::French, _) => (Blunder::Attack, Clause::FrenchAttack),
        (Nation::German, 1) => (Blunder::NoMove, Clause::GermanWhat),
        (Nation::German, 2 | 3) => (Blunder::HalfPace, Clause::GermanFog),
        (Nation::German, 4 | 5) => (Blunder::ToTheGuns, Clause::GermanThunder),
        (Nation::German, _) => (Blunder::Attack, Clause::GermanForward),
    }
}

/// Asks which unit bears the penalty, where there is a choice.
pub fn advance_blame(umpire: &mut Umpire<'_, Fpw>, units: Vec<UnitId>) -> Flow<Fpw> {
    match units.as_slice() {
        [] => Flow::Done,
        [unit] => {
            penalise(umpire, *unit);
            Flow::Done
        }
        [unit, ..] => {
            let side = umpire.state().side_of(*unit);
            Flow::Ask(Who::One(side), Decision::Blame { units })
        }
    }
}

fn penalise(umpire: &mut Umpire<'_, Fpw>, unit: UnitId) {
    let clause = match facts(umpire.state(), unit).nation {
        Nation::French => Clause::FrenchWhat,
        Nation::German => Clause::GermanWhat,
    };
    hidden::announce(umpire, unit, Event::own(clause, FpwEvent::Penalty { unit }));
}

/// Judges the choice.
pub fn check_blame(units: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Blame { unit } if units.contains(unit) => Verdict::fine(),
        Order::Blame { unit } => {
            let mut verdict = Verdict::fine();
            verdict.refuse(Clause::NationalTable, "this unit was not given the order").about(*unit);
            verdict
        }
        _ => Verdict::refused(Clause::NationalTable, "the question is which unit bears the penalty"),
    }
}

/// The unit named, or the first, bears it.
pub fn execute_blame(umpire: &mut Umpire<'_, Fpw>, units: &[UnitId], order: &Order) {
    umpire.end();
    let blamed = match order {
        Order::Blame { unit } => Some(*unit),
        _ => units.first().copied(),
    };
    if let Some(unit) = blamed {
        penalise(umpire, unit);
    }
}

/// Sends units where the table sends them; whoever has nowhere to go stays.
fn march_off(umpire: &mut Umpire<'_, Fpw>, side: Side, units: &[UnitId], way: impl Fn(&Field, UnitId) -> Option<Step>) {
    let field = umpire.state();
    let steps: Vec<Step> = units.iter().filter_map(|unit| way(field, *unit)).collect();
    set_off(umpire, side, steps);
}

fn set_off(umpire: &mut Umpire<'_, Fpw>, side: Side, steps: Vec<Step>) {
    for step in &steps {
        let used = FpwEvent::MoveUsed { unit: step.unit, halted: true };
        hidden::announce(umpire, step.unit, Event::own(Clause::NationalTable, used));
    }
    if !steps.is_empty() {
        march::begin(umpire, side, steps);
    }
}

/// The pace a blunder moves a unit at: guns in action limber first and so have half (R19).
fn pace(field: &Field, unit: UnitId) -> (Length, Option<Formation>) {
    let full = movement::full_pace(field, unit);
    match formation(field, unit) {
        Formation::Deployed => (movement::formed(field, full), Some(Formation::Limbered)),
        _ => (full, None),
    }
}

/// French 2 and 3: straight away from the nearest visible enemy until a full pace apart (R20).
fn away(field: &Field, unit: UnitId) -> Option<Step> {
    let full = movement::full_pace(field, unit);
    let (apart, enemy) = sight::seen_enemies(field, unit, full).into_iter().next()?;
    let from = direction(field, enemy, unit);
    let (most, limber) = pace(field, unit);
    straight(field, unit, from, full - apart, most, limber)
}

/// German 4 and 5: straight toward the nearest friend under the enemy's guns, stopping short of him (R21).
fn to_the_guns(field: &Field, unit: UnitId, ordered: &[UnitId]) -> Option<Step> {
    let side = field.side_of(unit);
    let range = reactive_range(field);
    let threatened =
        |friend: UnitId| known(field, side.other()).any(|(enemy, _)| field::within(field, friend, enemy, range));
    let friends =
        troops(field, side).map(|(id, _)| id).filter(|id| !ordered.contains(id) && !facts(field, *id).is_scout());
    let (apart, friend) = friends.filter(|id| threatened(*id)).map(|id| (gap(field, unit, id), id)).min()?;
    let (most, limber) = pace(field, unit);
    let short = (apart - field.charts().pace.friend_stop.value.0).max(Length::ZERO);
    straight(field, unit, direction(field, unit, friend), short, most, limber)
}

/// From one unit's middle toward another's.
fn direction(field: &Field, from: UnitId, to: UnitId) -> Vec2 {
    let (a, b) = convex::nearest_points(field.unit(from).quad().points(), field.unit(to).quad().points());
    let way = if a.distance(b) > SLACK.as_f64() {
        b - a
    } else {
        field.unit(to).quad().centre - field.unit(from).quad().centre
    };
    way.normalised()
}

/// A straight move with formation and facing kept: as far as wanted or as the pace over that ground allows, stopped by
/// the table's edge, bodies and impassable ground.
fn straight(
    field: &Field,
    unit: UnitId,
    way: Vec2,
    distance: Length,
    pace: Length,
    limber: Option<Formation>,
) -> Option<Step> {
    let start = field.unit(unit).pose();
    let drawn = limber.unwrap_or(formation(field, unit));
    let leg = |go: Length| {
        let by = Angle::of(way).as_millidegrees() - start.facing.as_millidegrees();
        Leg::Oblique { by: Angle::millidegrees(by), go }
    };
    let plot = |go: Length| Track::plot(start, field.footprint(unit, drawn), &[leg(go)]);
    let mut go = movement::over_ground(field, pace, drawn, &plot(distance.min(pace))).min(distance);
    // tidy: allow(how finely room is looked for)
    let step = Length::whole_inches(1) / 4;
    while go > Length::ZERO && !may_go(field, unit, &plot(go), drawn) {
        go -= step;
    }
    (go > SLACK).then(|| Step { unit, formation: limber, facing: None, after: false, legs: vec![leg(go)] })
}

/// Whether a straight move ends clear and touches no enemy on its way.
fn may_go(field: &Field, unit: UnitId, track: &Track, drawn: Formation) -> bool {
    let end = bodies_at(field, unit, track.end(), drawn);
    let mut enemies = known(field, field.side_of(unit).other());
    movement::is_free(field, unit, &end)
        && enemies.all(|(id, enemy)| {
            track.meets(enemy.quad().points()).is_none() && gap_between(&end, &field::bodies(field, id)) > SLACK
        })
}

/// Result 6: at full pace straight at the nearest visible enemy, into contact if possible (R22, R23).
fn attack(umpire: &mut Umpire<'_, Fpw>, side: Side, what: What, units: Vec<UnitId>) {
    let mut charges = Vec::new();
    let mut steps = Vec::new();
    let mut as_ordered = Vec::new();
    for unit in units {
        if !is_there(umpire.state(), unit) {
            continue;
        }
        let Some(enemy) = nearest_seen(umpire.state(), unit) else {
            as_ordered.push(unit);
            continue;
        };
        let field = umpire.state();
        let march = formation(field, unit).is_march() || facts(field, unit).arm.is_artillery();
        if march {
            steps.extend(close_up(field, unit, enemy));
            continue;
        }
        if approach::forced_line(field, unit, enemy).is_some_and(|line| line.is_reached()) {
            charges.push(Aim { unit, at: enemy, wheel: None, bearing: None });
        } else {
            face(umpire, unit, enemy);
            let field = umpire.state();
            let full = movement::full_pace(field, unit);
            steps.extend(straight(field, unit, direction(field, unit, enemy), full, full, None));
        }
    }
    if !as_ordered.is_empty() {
        command::carry_out(umpire, side, what, as_ordered);
    }
    set_off(umpire, side, steps);
    if !charges.is_empty() {
        for aim in &charges {
            let used = FpwEvent::MoveUsed { unit: aim.unit, halted: true };
            hidden::announce(umpire, aim.unit, Event::own(Clause::NationalTable, used));
        }
        charge::begin(umpire, charges, true);
    }
}

fn nearest_seen(field: &Field, unit: UnitId) -> Option<UnitId> {
    let (width, height) = field.ground().size;
    sight::seen_enemies(field, unit, width + height).first().map(|(_, enemy)| *enemy)
}

/// March columns and guns go at the enemy too, and stop at the edge of his fire.
fn close_up(field: &Field, unit: UnitId, enemy: UnitId) -> Option<Step> {
    let (most, limber) = pace(field, unit);
    let room = (gap(field, unit, enemy) - reactive_range(field)).max(Length::ZERO);
    straight(field, unit, direction(field, unit, enemy), room, most, limber)
}

/// Turns a unit to face an enemy about its middle, free of cost; it stays as it is where there is no room.
fn face(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, enemy: UnitId) {
    let field = umpire.state();
    let piece = field.unit(unit);
    let facing = Angle::of(field.unit(enemy).quad().centre - piece.quad().centre);
    let drawn = piece.body.formation;
    let depth = field.footprint(unit, drawn).depth;
    let pose = Pose { at: Point::from_vec(piece.quad().centre), facing }.ahead(depth.half());
    let quads = bodies_at(field, unit, pose, drawn);
    let touches = || {
        let mut enemies = known(field, field.side_of(unit).other());
        enemies.any(|(id, _)| gap_between(&quads, &field::bodies(field, id)) <= SLACK)
    };
    if movement::is_free(field, unit, &quads) && !touches() {
        march::reform(umpire, unit, pose, drawn);
    }
}
