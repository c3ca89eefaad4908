//! Where units that are ordered to move should go: a few moves that make sense, each weighed by where it ends.

use super::scene::{Field, INCH, Piece, Survey, pace};
use super::standing::{Goal, Place, goal_of, gun_range, worth};
use engine::UnitId;
use rules::fpw::order::{Going, Order, Step, What};
use rules::fpw::unit::{Arm, Formation, Weapon};
use table::march::Leg;
use table::{Angle, Length, Pose, Vec2};

/// A way to go.
#[derive(Clone, Debug)]
pub struct Way {
    /// Under which kind of order.
    pub going: Going,
    /// The moves.
    pub steps: Vec<Step>,
    /// What it gains over standing still, in points of loss, unit by unit.
    pub gains: Vec<(UnitId, f64)>,
}

impl Way {
    /// What it gains altogether.
    pub fn gain(&self) -> f64 {
        self.gains.iter().map(|(_, gain)| gain).sum()
    }

    /// The order that lets units go this way.
    pub fn what(&self) -> What {
        match self.going {
            Going::Reform => What::Reform,
            Going::ByRoad => What::ByRoad,
            Going::Move | Going::HalfPace => What::Move,
        }
    }

    /// The answer that sends them.
    pub fn order(self) -> Order {
        Order::March { moves: self.steps }
    }
}

/// A unit's step and where it ends.
struct Leap {
    step: Step,
    place: Place,
}

/// Units under one order: who, what their places are worth to them now, and where they are to go.
struct Body<'a> {
    pieces: &'a [&'a Piece],
    now: Vec<f64>,
    goal: Goal,
}

/// Sensible ways for units under one order, best first. Whether they may be gone is for others to check.
pub fn ways(field: &Field, survey: &Survey, units: &[UnitId], half_pace: bool) -> Vec<Way> {
    let pieces: Vec<&Piece> = units.iter().filter_map(|id| survey.piece(*id)).filter(|piece| !piece.joined).collect();
    let Some(first) = pieces.first() else { return Vec::new() };
    let Some(goal) = goal_of(field, survey, &pieces) else { return Vec::new() };
    let mut found = if first.is_gun() {
        guns(field, survey, &pieces, goal)
    } else {
        let now = pieces.iter().map(|piece| worth(field, survey, piece, &Place::now(piece), Some(goal))).collect();
        let body = Body { pieces: &pieces, now, goal };
        let mut found = advances(field, survey, &body, half_pace);
        found.extend(formings(field, survey, &body));
        found.extend(retreats(field, survey, &body));
        found
    };
    found.retain(|way| way.gain() > 0.02);
    found.sort_by(|a, b| b.gain().total_cmp(&a.gain()));
    found
}

fn weigh(field: &Field, survey: &Survey, body: &Body<'_>, leaps: Vec<Leap>, going: Going) -> Way {
    let gain = |leap: &Leap| {
        let mut known = body.pieces.iter().zip(&body.now);
        let (piece, now) = known.find(|(piece, _)| piece.id == leap.step.unit)?;
        Some((piece.id, worth(field, survey, piece, &leap.place, Some(body.goal)) - now))
    };
    let gains = leaps.iter().filter_map(gain).collect();
    Way { going, steps: leaps.into_iter().map(|leap| leap.step).collect(), gains }
}

fn plain(unit: UnitId, legs: Vec<Leg>) -> Step {
    Step { unit, formation: None, facing: None, after: false, legs }
}

fn inches(length: f64) -> Length {
    Length::inches((length * 100.0).floor() / 100.0)
}

/// The leg that takes a body by a vector without turning it, if that is straight on or a slant it may take.
fn leg_by(pose: Pose, by: Vec2) -> Option<Leg> {
    let angle = Angle::millidegrees(Angle::of(by).as_millidegrees() - pose.facing.as_millidegrees());
    let go = inches(by.length() / INCH);
    match angle.signed().abs() {
        0..=1500 => Some(Leg::Ahead(go)),
        1501..=45_000 => Some(Leg::Oblique { by: angle, go }),
        _ => None,
    }
}

fn shifted(field: &Field, piece: &Piece, by: Vec2) -> Option<Leap> {
    let leg = leg_by(piece.pose, by)?;
    let place = Place::of(field, piece, piece.pose.shifted(by), piece.formation);
    Some(Leap { step: plain(piece.id, vec![leg]), place })
}

fn centre_of(pieces: &[&Piece]) -> Vec2 {
    pieces.iter().fold(Vec2::ZERO, |sum, piece| sum + piece.pose.at.vec()) * (1.0 / pieces.len().max(1) as f64)
}

/// The nearest enemy to any of them in inches.
fn nearest_gap(survey: &Survey, pieces: &[&Piece]) -> f64 {
    let gaps = pieces.iter().flat_map(|piece| survey.foes.iter().map(|foe| table::gap(&piece.quad, &foe.quad)));
    gaps.min().map_or(99.0, Length::as_inches)
}

/// Straight on or slanting, all together, and abreast where they stand one behind another.
fn advances(field: &Field, survey: &Survey, body: &Body<'_>, half_pace: bool) -> Vec<Way> {
    let (pieces, goal) = (body.pieces, body.goal);
    let mut found = Vec::new();
    let Some(first) = pieces.first() else { return found };
    let full = pace(field, first.id) * if half_pace { 0.5 } else { 1.0 };
    let to_goal = goal.at - centre_of(pieces);
    let gap = nearest_gap(survey, pieces);
    let mut distances = vec![full, full * 0.75, full * 0.5, full * 0.25];
    distances.extend([gap - 12.3, gap - 3.9, gap - 8.2].into_iter().filter(|go| (0.5..full).contains(go)));
    let ahead = first.pose.forward();
    let mut ways: Vec<Vec2> = vec![to_goal.normalised()];
    if to_goal.normalised().dot(ahead) < 0.995 {
        ways.push(ahead);
    }
    // A goal further aside than a body may slant is made for at the steepest slant.
    if to_goal.normalised().dot(ahead) < 0.71 {
        let side = if to_goal.dot(first.pose.right()) > 0.0 { 44 } else { -44 };
        ways.push((first.pose.facing + Angle::whole(side)).unit());
    }
    for way in ways {
        for go in &distances {
            let by = way * (go * INCH);
            let leaps: Option<Vec<Leap>> = pieces.iter().map(|piece| shifted(field, piece, by)).collect();
            found.extend(leaps.map(|leaps| weigh(field, survey, body, leaps, Going::Move)));
        }
    }
    found.extend(abreast(field, survey, body, full));
    found
}

/// Brings units that stand one behind another into one line as they go.
fn abreast(field: &Field, survey: &Survey, body: &Body<'_>, full: f64) -> Vec<Way> {
    let pieces = body.pieces;
    let mut found = Vec::new();
    let Some(first) = pieces.first().filter(|first| first.arm == Arm::Infantry) else { return found };
    let lined = |piece: &&&Piece| piece.formation == Formation::Line;
    if pieces.len() < 2 || !pieces.iter().all(|piece| lined(&piece)) {
        return found;
    }
    let (ahead, right) = (first.pose.forward(), first.pose.right());
    let mut row: Vec<&Piece> = pieces.to_vec();
    row.sort_by(|a, b| a.pose.at.vec().dot(right).total_cmp(&b.pose.at.vec().dot(right)));
    let depths = || row.iter().map(|piece| piece.pose.at.vec().dot(ahead));
    let (front, rear) = (depths().fold(f64::MIN, f64::max), depths().fold(f64::MAX, f64::min));
    if front - rear < 0.6 * INCH {
        return found;
    }
    let width = first.quad.radius * 2.0 + 0.1 * INCH;
    let middle = centre_of(pieces).dot(right);
    for shift in [0.0, 0.5, -0.5] {
        for go in [full * 0.75, full * 0.5, full * 0.3] {
            let line = front + go * INCH;
            let leaps: Option<Vec<Leap>> = row
                .iter()
                .enumerate()
                .map(|(n, piece)| {
                    let slot = middle + (n as f64 - (row.len() as f64 - 1.0) / 2.0 + shift) * width;
                    let here = piece.pose.at.vec();
                    let by = right * (slot - here.dot(right)) + ahead * (line - here.dot(ahead));
                    let length = by.length();
                    let by = if length > full * INCH { by * (full * INCH / length) } else { by };
                    shifted(field, piece, by)
                })
                .collect();
            found.extend(leaps.map(|leaps| {
                let mut way = weigh(field, survey, body, leaps, Going::Move);
                // One line of rifles is worth more than two behind each other.
                way.gains.iter_mut().for_each(|(_, gain)| *gain += 0.12);
                way
            }));
        }
    }
    found
}

/// Into line before the enemy's rifles reach, and round to face him.
fn formings(field: &Field, survey: &Survey, body: &Body<'_>) -> Vec<Way> {
    let (pieces, goal) = (body.pieces, body.goal);
    let mut found = Vec::new();
    let Some(first) = pieces.first() else { return found };
    let gap = nearest_gap(survey, pieces);
    let toward = Angle::of(goal.at - centre_of(pieces));
    let off = toward.apart(first.pose.facing) > Angle::whole(38);
    let foot = first.arm == Arm::Infantry;
    let deploys = pieces.iter().any(|piece| piece.formation != Formation::Line)
        && gap < if first.formation.is_march() { 15.0 } else { 21.0 };
    if !off && !deploys {
        return found;
    }
    let half = pace(field, first.id) * 0.5;
    let facing = if off { toward } else { first.pose.facing };
    let drawn = |piece: &Piece| if foot || deploys { Formation::Line } else { piece.formation };
    for (go, after) in [(half, true), (half, false), (half * 0.5, false), (0.0, false)] {
        let leaps: Vec<Leap> = pieces
            .iter()
            .map(|piece| {
                let legs = if go > 0.0 { vec![Leg::Ahead(inches(go))] } else { Vec::new() };
                let way = if after { piece.pose.facing } else { facing };
                let at = piece.pose.shifted(way.unit() * (go * INCH)).at;
                let step = Step { unit: piece.id, formation: Some(drawn(piece)), facing: Some(facing), after, legs };
                Leap { step, place: Place::of(field, piece, Pose { at, facing }, drawn(piece)) }
            })
            .collect();
        let mut way = weigh(field, survey, body, leaps, Going::Reform);
        // Out of column in time: once the rifles speak it is too late.
        let bonus = if deploys { 0.25 } else { 0.0 } + if off { 0.2 } else { 0.0 };
        way.gains.iter_mut().for_each(|(_, gain)| *gain += bonus);
        found.push(way);
    }
    found
}

/// Back out of the fire, facing it.
fn retreats(field: &Field, survey: &Survey, body: &Body<'_>) -> Vec<Way> {
    let pieces = body.pieces;
    let Some(first) = pieces.first() else { return Vec::new() };
    if nearest_gap(survey, pieces) > 13.0 {
        return Vec::new();
    }
    let half = pace(field, first.id) * 0.5;
    let back = |go: f64| {
        let leaps = pieces.iter().map(|piece| {
            let pose = piece.pose.shifted(piece.pose.forward() * (-go * INCH));
            let step = plain(piece.id, vec![Leg::Back(inches(go))]);
            Leap { step, place: Place::of(field, piece, pose, piece.formation) }
        });
        let mut way = weigh(field, survey, body, leaps.collect(), Going::Move);
        // Ground given up is not had back for nothing.
        way.gains.iter_mut().for_each(|(_, gain)| *gain -= 0.25);
        way
    };
    vec![back(half), back(half * 0.5)]
}

/// Batteries: come into action where they reach, go on where they do not.
fn guns(field: &Field, survey: &Survey, pieces: &[&Piece], goal: Goal) -> Vec<Way> {
    let mut found = Vec::new();
    let Some(first) = pieces.first().filter(|_| !survey.foes.is_empty()) else { return found };
    let toward = Angle::of(goal.at - centre_of(pieces));
    let gap = nearest_gap(survey, pieces);
    let ideal = gun_range(first.weapon);
    let reform = |piece: &Piece, new: Formation, facing: Angle, go: f64, after: bool| {
        let legs = if go > 0.0 { vec![Leg::Ahead(inches(go))] } else { Vec::new() };
        let way = if after { piece.pose.facing } else { facing };
        let pose = Pose { at: piece.pose.shifted(way.unit() * (go * INCH)).at, facing };
        let step = Step { unit: piece.id, formation: Some(new), facing: Some(facing), after, legs };
        Leap { step, place: Place::of(field, piece, pose, new) }
    };
    let fixed = |leaps: Vec<Leap>, going: Going, gain: f64| {
        let gains = leaps.iter().map(|leap| (leap.step.unit, gain)).collect();
        Way { going, steps: leaps.into_iter().map(|leap| leap.step).collect(), gains }
    };
    let half = pace(field, first.id) * 0.5;
    let limbered = first.formation == Formation::Limbered;
    if limbered {
        let deploy =
            |go: f64| pieces.iter().map(|piece| reform(piece, Formation::Deployed, toward, go, true)).collect();
        if gap <= ideal + 0.5 {
            found.push(fixed(deploy(0.0), Going::Reform, 0.6));
        } else if gap <= ideal + half && toward.apart(first.pose.facing) < Angle::whole(30) {
            found.push(fixed(deploy((gap - ideal).clamp(0.5, half)), Going::Reform, 0.55));
        }
        let full = pace(field, first.id);
        for go in [full, full * 0.6, full * 0.3] {
            let go = go.min(gap - ideal);
            if go < 0.5 {
                continue;
            }
            let by = (goal.at - centre_of(pieces)).normalised() * (go * INCH);
            let leaps: Option<Vec<Leap>> = pieces.iter().map(|piece| shifted(field, piece, by)).collect();
            match leaps {
                Some(leaps) => found.push(fixed(leaps, Going::Move, 0.2 + 0.03 * go)),
                None => {
                    let turned =
                        pieces.iter().map(|piece| reform(piece, Formation::Limbered, toward, go.min(half), false));
                    found.push(fixed(turned.collect(), Going::Reform, 0.2 + 0.02 * go));
                }
            }
        }
        if found.is_empty() {
            found.push(fixed(deploy(0.0), Going::Reform, 0.2));
        }
        return found;
    }
    // In action with nobody before the muzzles: round to the enemy if he is in reach, limber up and go if he is not.
    let reach = field.charts().bands(first.weapon).last().map_or(0.0, |band| band.to.value.0.as_inches());
    let idle = pieces.iter().all(|piece| rules::fpw::fire::ordered_targets(field, piece.id).is_empty());
    let later = (survey.turns_left - 2.0).max(0.0);
    if idle && gap <= reach && toward.apart(first.pose.facing) > Angle::whole(25) {
        let turned = pieces.iter().map(|piece| reform(piece, Formation::Deployed, toward, 0.0, false));
        found.push(fixed(turned.collect(), Going::Reform, 0.3));
    }
    let out_of_band = first.weapon == Weapon::PrussianGun && gap > 16.0 && later >= 5.0;
    let reaches = first.weapon == Weapon::Mitrailleuse && (gap <= reach || survey.spirit < 1.2);
    if (idle || out_of_band) && !reaches && later >= 2.0 && gap > ideal && survey.spirit > 0.9 {
        let walk = (gap - ideal).clamp(1.0, half);
        let value = if idle { 0.08 } else { 0.06 } * later;
        for go in [walk, walk * 0.5, 0.0] {
            let away = pieces.iter().map(|piece| reform(piece, Formation::Limbered, toward, go, false));
            found.push(fixed(away.collect(), Going::Reform, value * (0.8 + 0.2 * go / walk)));
        }
    }
    found
}
