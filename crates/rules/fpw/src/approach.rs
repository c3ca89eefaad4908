//! The straight line of an advance to contact: where it begins, whom it touches first, how far that is and how far the
//! troops may go. Checks, execution, ghosts and candidates all lay the same line. R66, R67, C.6.

use super::clause::Clause;
use super::field::{
    Field, Rough, bodies, bodies_at, facts, formation, gap_between, is_engaged, is_hidden, is_there, known, rough,
    soldiers, stands, stands_at, surely_beyond, troops,
};
use super::movement;
use super::order::Aim;
use super::sight;
use engine::{Mark, UnitId, Verdict};
use serde::{Deserialize, Serialize};
use table::march::{Leg, Track};
use table::{Angle, Length, Pose, Quad, SLACK, Vec2, convex, quads_overlap};

/// How often a bisection halves: a table's length down to a micrometre.
const HALVINGS: usize = 24;

/// A straight advance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Who goes.
    pub unit: UnitId,
    /// Where it stood.
    pub from: Pose,
    /// How it turned first.
    pub wheel: Option<Leg>,
    /// Where the straight part begins.
    pub start: Pose,
    /// The way it goes, facing kept.
    pub bearing: Angle,
    /// How far until the bases touch.
    pub gap: Length,
    /// Whom it touches first.
    pub meets: UnitId,
    /// How far it may go (C.6).
    pub allowance: Length,
    /// Whether it passes through friends, which halves its pace.
    pub through: bool,
}

impl Line {
    /// The pose after a stretch of the straight part.
    pub fn pose_at(&self, distance: Length) -> Pose {
        self.start.shifted(self.bearing.unit() * distance.as_f64())
    }

    /// The pose in which the bases touch.
    pub fn contact(&self) -> Pose {
        self.pose_at(self.gap)
    }

    /// Whether the allowance reaches the enemy.
    pub fn is_reached(&self) -> bool {
        self.gap <= self.allowance + SLACK
    }

    /// The legs of the first stretch of the way.
    pub fn legs(&self, go: Length) -> Vec<Leg> {
        let by = self.bearing - self.start.facing;
        let straight = if by == Angle::NORTH { Leg::Ahead(go) } else { Leg::Oblique { by, go } };
        self.wheel.into_iter().chain(std::iter::once(straight)).collect()
    }

    /// How near to an enemy it is after a stretch of the way.
    pub fn gap_at(&self, field: &Field, enemy: &[Quad], distance: Length) -> Length {
        gap_between(&bodies_at(field, self.unit, self.pose_at(distance), formation(field, self.unit)), enemy)
    }

    /// How far it has gone when it comes as near to an enemy as this. The gap only shrinks on a straight way to contact.
    pub fn nearing(&self, field: &Field, enemy: UnitId, within: Length) -> Length {
        let enemy = bodies(field, enemy);
        if self.gap_at(field, &enemy, Length::ZERO) <= within {
            return Length::ZERO;
        }
        let (mut far, mut near) = (Length::ZERO, self.gap);
        for _ in 0..HALVINGS {
            let middle = (far + near).half();
            if self.gap_at(field, &enemy, middle) <= within { near = middle } else { far = middle }
        }
        near
    }

    /// The same line laid again among enemies who have moved; none where it now touches nobody.
    pub fn again(&self, field: &Field, at: UnitId) -> Option<Line> {
        let quads = bodies_at(field, self.unit, self.start, formation(field, self.unit));
        let (gap, meets) = first_met(field, self.unit, &quads, self.bearing.unit(), at, true)?;
        Some(Line { gap, meets, ..self.clone() })
    }

    /// How far it has gone when an enemy first sees it, if he does before contact.
    pub fn seen_by(&self, field: &Field, enemy: UnitId) -> Option<Length> {
        steps(Length::ZERO, self.gap).into_iter().find(|distance| self.is_seen(field, enemy, *distance))
    }

    /// Whether an enemy sees it all along a part of its way.
    pub fn seen_from(&self, field: &Field, enemy: UnitId, from: Length) -> bool {
        steps(from, self.gap).into_iter().all(|distance| self.is_seen(field, enemy, distance))
    }

    fn is_seen(&self, field: &Field, enemy: UnitId, distance: Length) -> bool {
        let own = stands_at(field, self.unit, self.pose_at(distance), formation(field, self.unit));
        sight::sees_at(field, enemy, &stands(field, enemy), self.unit, &own)
    }

    /// The whole way as a track.
    pub fn track(&self, field: &Field) -> Track {
        Track::plot(self.from, field.footprint(self.unit, formation(field, self.unit)), &self.legs(self.gap))
    }

    /// The last place before contact: clear of the enemy by a hair.
    pub fn brink(&self, field: &Field) -> Length {
        self.nearing(field, self.meets, SLACK + SLACK)
    }
}

/// The first enemy a body meets going straight on, and how far away; of several at the same distance the preferred one.
/// Scouts block nobody, so they are met only by whoever aims at them.
fn first_met(
    field: &Field,
    unit: UnitId,
    quads: &[Quad],
    towards: Vec2,
    prefer: UnitId,
    with_hidden: bool,
) -> Option<(Length, UnitId)> {
    let mut best: Option<(Length, UnitId)> = None;
    for (id, enemy) in troops(field, field.side_of(unit).other()) {
        if (is_hidden(enemy) && !with_hidden) || (facts(field, id).is_scout() && id != prefer) {
            continue;
        }
        let most = best.map_or(Length::MAX, |(gap, _)| gap + SLACK);
        let Some(gap) = reach(field, quads, towards, most, id) else { continue };
        best = match best {
            Some((near, first)) if first == prefer && gap + SLACK >= near => best,
            Some((near, _)) if gap >= near && id != prefer => best,
            _ => Some((gap, id)),
        };
    }
    best
}

fn reach(field: &Field, quads: &[Quad], towards: Vec2, most: Length, enemy: UnitId) -> Option<Length> {
    let theirs = bodies(field, enemy);
    let reaches = quads.iter().flat_map(|own| theirs.iter().map(move |their| (own, their)));
    reaches.filter_map(|(own, their)| table::reach(own, towards, most, their)).min()
}

/// The bearing to a target within a cone of the facing: straight ahead if that meets it first, else the smallest slant.
pub fn bearing_to(field: &Field, unit: UnitId, start: Pose, at: UnitId, cone: i32) -> Option<(Angle, Length)> {
    let quads = bodies_at(field, unit, start, formation(field, unit));
    let slants = std::iter::once(0).chain((1..=cone).flat_map(|n| [n, -n]));
    slants.map(|n| start.facing + Angle::whole(n)).find_map(|bearing| {
        let towards = bearing.unit();
        reach(field, &quads, towards, Length::MAX, at)?;
        let (gap, first) = first_met(field, unit, &quads, towards, at, false)?;
        (first == at && strikes_with_front(field, unit, start.shifted(towards * gap.as_f64()), at))
            .then_some((bearing, gap))
    })
}

/// Whether a body there touches an enemy with its front, and does not merely brush past him.
fn strikes_with_front(field: &Field, unit: UnitId, pose: Pose, at: UnitId) -> bool {
    let (left, right) = field.footprint(unit, formation(field, unit)).quad(pose).front_edge();
    bodies(field, at).iter().any(|quad| convex::gap(&[left, right], quad.points()) <= (SLACK + SLACK).as_f64())
}

fn oblique(field: &Field) -> i32 {
    field.charts().pace.oblique.value.get()
}

/// The line of a charge, laid among the enemies everybody knows of. None where it touches nobody.
pub fn line_of(field: &Field, aim: &Aim) -> Option<Line> {
    lay(field, aim, false, false)
}

/// The line as it really runs: hidden enemies stop it too.
pub fn true_line(field: &Field, aim: &Aim, forced: bool) -> Option<Line> {
    lay(field, aim, forced, true)
}

/// The line of a blunder: it faces the enemy at no price, and goes straight at him (R22). None where it cannot end clear.
pub fn forced_line(field: &Field, unit: UnitId, at: UnitId) -> Option<Line> {
    let aim = Aim { unit, at, wheel: None, bearing: None };
    lay(field, &aim, true, false).filter(|line| is_clear_of_friends(field, unit, line.contact()))
}

fn lay(field: &Field, aim: &Aim, forced: bool, with_hidden: bool) -> Option<Line> {
    let (unit, shape) = (aim.unit, formation(field, aim.unit));
    let from = field.unit(unit).pose();
    let footprint = field.footprint(unit, shape);
    let wheel = if forced {
        let toward = Angle::of(field.unit(aim.at).quad().centre - from.at.vec());
        (toward != from.facing).then(|| Leg::Turn(toward - from.facing))
    } else {
        aim.wheel
    };
    let start = wheel.map_or(from, |leg| Track::plot(from, footprint, &[leg]).end());
    let quads = bodies_at(field, unit, start, shape);
    let found = || bearing_to(field, unit, start, aim.at, oblique(field)).map(|(bearing, _)| bearing);
    let bearing = aim.bearing.or_else(found).unwrap_or(start.facing);
    let (gap, meets) = first_met(field, unit, &quads, bearing.unit(), aim.at, with_hidden)?;
    let mut line = Line { unit, from, wheel, start, bearing, gap, meets, allowance: Length::ZERO, through: false };
    let track = Track::plot(from, footprint, &line.legs(gap));
    line.through = passes_friends(field, unit, &track);
    let pace = movement::full_pace(field, unit);
    let formed = line.through || (wheel.is_some() && !forced);
    let pace = if formed { field.charts().pace.form.value.of(pace) } else { pace };
    line.allowance = movement::over_ground(field, pace, shape, &track);
    Some(line)
}

fn friends(field: &Field, unit: UnitId) -> impl Iterator<Item = UnitId> {
    let others = troops(field, field.side_of(unit)).map(|(id, _)| id);
    others.filter(move |id| *id != unit && !facts(field, *id).is_scout())
}

fn passes_friends(field: &Field, unit: UnitId, track: &Track) -> bool {
    friends(field, unit).any(|id| bodies(field, id).iter().any(|quad| track.meets(quad.points()).is_some()))
}

/// Whether a unit standing there would stand on no friend.
pub fn is_clear_of_friends(field: &Field, unit: UnitId, pose: Pose) -> bool {
    let quads = bodies_at(field, unit, pose, formation(field, unit));
    !friends(field, unit).any(|id| {
        let theirs = bodies(field, id);
        quads.iter().any(|own| theirs.iter().any(|their| quads_overlap(own, their)))
    })
}

/// Whether a charger sees its target at the start, or comes to see it before half its allowance is used.
fn sees_in_time(field: &Field, line: &Line, at: UnitId) -> bool {
    if sight::sees(field, line.unit, at) {
        return true;
    }
    let half = field.charts().react.seen_by_share.value.of(line.allowance).min(line.gap);
    let (targets, shape) = (stands(field, at), formation(field, line.unit));
    steps(Length::ZERO, half).into_iter().any(|distance| {
        let eyes = stands_at(field, line.unit, line.pose_at(distance), shape);
        sight::sees_at(field, line.unit, &eyes, at, &targets)
    })
}

/// Places to look from: every inch of a stretch, and both its ends.
pub fn steps(from: Length, to: Length) -> Vec<Length> {
    // tidy: allow(how closely a way is looked along, not a figure of the book)
    let inch = Length::whole_inches(1);
    let mut places = Vec::new();
    let mut here = from;
    while here < to {
        places.push(here);
        here += inch;
    }
    places.push(to.max(from));
    places
}

/// Judges an advance to contact on what this state knows.
pub fn judge(field: &Field, aim: &Aim, verdict: &mut Verdict) {
    let unit = aim.unit;
    if !is_there(field, unit) {
        verdict.refuse(Clause::AdvanceDeclared, "it is not on the table").about(unit);
        return;
    }
    judge_charger(field, unit, verdict);
    let enemy = is_there(field, aim.at) && field.side_of(aim.at) != field.side_of(unit);
    if !enemy || is_hidden(field.unit(aim.at)) {
        verdict.refuse(Clause::AdvanceDeclared, "the target is not an enemy known to be on the table").about(aim.at);
        return;
    }
    if !matches!(aim.wheel, None | Some(Leg::Wheel { .. } | Leg::Turn(_) | Leg::About)) {
        verdict.refuse(Clause::AdvanceNoReform, "before it goes straight it may only wheel or turn").about(unit);
        return;
    }
    judge_line(field, aim, verdict);
}

fn judge_charger(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let facts = facts(field, unit);
    if facts.arm.is_artillery() {
        verdict.refuse(Clause::AdvanceDeclared, "guns do not advance to contact").about(unit);
    }
    if facts.is_scout() {
        verdict.refuse(Clause::ScoutsSingly, "scouts do not charge").about(unit);
    }
    if formation(field, unit).is_march() {
        verdict.refuse(Clause::AdvanceNoReform, "a march column does not advance to contact").about(unit);
    }
    if is_engaged(field, unit) {
        verdict.refuse(Clause::CarriedOver, "it is in contact with an enemy already").about(unit);
    }
    if soldiers(field, unit).turn.withdrew {
        verdict.refuse(Clause::GoesOnWithdrawing, "it is withdrawing this turn").about(unit);
    }
}

fn judge_line(field: &Field, aim: &Aim, verdict: &mut Verdict) {
    let unit = aim.unit;
    let mark = Mark::Line(field.unit(unit).pose().at, field.unit(aim.at).pose().at);
    let Some(line) = line_of(field, aim) else {
        let text = "no straight line within the slant allowed touches an enemy";
        verdict.refuse(Clause::StraightAhead, text).about(aim.at).at(mark);
        return;
    };
    let cone = oblique(field);
    if line.bearing.apart(line.start.facing) > Angle::whole(cone) {
        let text = format!("an advance slants at most {cone}° off its facing");
        verdict.refuse(Clause::StraightAhead, text).about(unit).at(mark.clone());
    }
    if line.meets != aim.at {
        let text = format!("it would touch {} first", field.card(line.meets).name);
        verdict.refuse(Clause::AdvanceDeclared, text).about(line.meets).at(mark.clone());
    }
    if !line.is_reached() {
        let text = format!("the enemy is {} away, and it may go {}", line.gap, line.allowance);
        let clause = if line.through || line.wheel.is_some() { Clause::FormHalves } else { pace_clause(field, unit) };
        verdict.refuse(clause, text).about(aim.at).at(mark.clone());
    }
    if !is_clear_of_friends(field, unit, line.contact()) {
        let text = "it would end its advance on a friend";
        verdict.refuse(Clause::FormHalves, text).about(unit).at(mark.clone());
    }
    let track = line.track(field);
    if !track.stays_on(field.ground()) {
        verdict.refuse(Clause::StraightAhead, "the way leaves the table").about(unit).at(mark.clone());
    }
    if let Some(closed) =
        field.ground().features.iter().find(|f| rough(f.kind) == Rough::Impassable && track.crosses(&f.shape))
    {
        let text = format!("{} is impassable", super::field::feature_name(closed));
        verdict.refuse(Clause::TerrainHalves, text).about(unit).at(mark.clone());
    }
    if verdict.is_legal() && !sees_in_time(field, &line, aim.at) {
        let text = "it neither sees its target now nor before half its way is used up";
        verdict.refuse(Clause::AdvanceSeenInTime, text).about(aim.at).at(mark);
    }
}

fn pace_clause(field: &Field, unit: UnitId) -> Clause {
    facts(field, unit).arm.pace_clause()
}

/// Every sensible charge of a unit: the straightest line at each enemy in reach, the line at his middle, and a turn
/// toward whoever stands aside. All of them are legal.
pub fn reachable(field: &Field, unit: UnitId) -> Vec<Aim> {
    let mut found = Vec::new();
    if !is_there(field, unit) || !may_charge(field, unit) {
        return found;
    }
    let (pace, own) = (movement::full_pace(field, unit), field.unit(unit));
    for (at, enemy) in known(field, field.side_of(unit).other()) {
        if surely_beyond(own.quad(), enemy.quad(), pace) {
            continue;
        }
        let toward = Angle::of(enemy.quad().centre - own.pose().at.vec());
        let plain = Aim { unit, at, wheel: None, bearing: None };
        let before = found.len();
        let middle = Aim { bearing: Some(toward), ..plain };
        let slant = toward.apart(own.pose().facing);
        found.extend(is_legal(field, &plain).then_some(plain));
        let slanting = slant > Angle::NORTH && slant <= Angle::whole(oblique(field));
        found.extend((slanting && is_legal(field, &middle)).then_some(middle));
        if found.len() == before && slant > Angle::NORTH {
            let turned = Aim { wheel: Some(Leg::Turn(toward - own.pose().facing)), ..plain };
            found.extend(is_legal(field, &turned).then_some(turned));
        }
    }
    found
}

/// Whether a unit is of the kind, and in the state, to advance to contact.
pub fn may_charge(field: &Field, unit: UnitId) -> bool {
    let mut verdict = Verdict::fine();
    judge_charger(field, unit, &mut verdict);
    verdict.is_legal()
}

/// Whether a charge may be ordered.
pub fn is_legal(field: &Field, aim: &Aim) -> bool {
    let mut verdict = Verdict::fine();
    judge(field, aim, &mut verdict);
    verdict.is_legal()
}
