//! The way of a charge: a wheel or a change of formation, then dead straight on until at least an inch of base edge meets
//! the target. C.8, A-05, A-06.

use super::going::{self, Going, Run};
use super::{judgement, who};
use crate::charts::{count, reach};
use crate::clause::Clause;
use crate::evolution;
use crate::field::{self, Field, measured};
use crate::formation::{Formation, Shape};
use crate::order::{Before, Charger};
use crate::space;
use crate::unit::ChargeKind;
use engine::{UnitId, Verdict};
use smallvec::SmallVec;
use table::march::{Leg, Track};
use table::{Angle, Flank, Length, Pose, Quad, Vec2};

/// A wheel toward a target shifts the flag; a few rounds settle how far to wheel.
const ROUNDS: usize = 5;

/// More than measuring to hundredths of an inch could hide, in micrometres.
const MEASURING: f64 = 1_000.0;

/// A charge laid out.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where it stands after the wheel or the change of formation, before it goes straight on.
    pub start: Pose,
    /// How it is drawn up then.
    pub formation: Formation,
    /// What the wheel or the change costs.
    pub cost: Length,
    /// The straight way to the target.
    pub straight: Length,
    /// What the ground takes off, and what bars the way.
    pub going: Going,
    /// The allowance for all of it.
    pub allowance: Length,
    /// The distance to the target before anything moves.
    pub apart: Length,
}

impl Way {
    /// What is spent in all.
    pub fn spent(&self) -> Length {
        self.straight + self.cost + self.going.toll
    }

    /// The longest 1st Impulse: the share of the way, and what half the allowance leaves (C.8).
    pub fn longest(&self, field: &Field) -> Length {
        let constant = &field.charts().constant;
        let half = constant.impulse_to.value;
        half.of(self.straight).min(half.of(self.allowance) - self.cost)
    }

    /// The 1st Impulse has to be longer than this.
    pub fn over(&self, field: &Field) -> Length {
        field.charts().constant.impulse_over.value.of(self.straight)
    }

    /// What is left for the 2nd Impulse after an advance: never more than half the allowance.
    pub fn left(&self, field: &Field, advance: Length) -> Length {
        let rest = self.allowance - self.cost - self.going.toll - advance;
        field.charts().constant.impulse_to.value.of(self.allowance).min(rest).max(Length::ZERO)
    }
}

/// Why no way can be laid.
pub type Pathless = (Clause, String);

/// The same before anybody wants to read it: most ways that are tried lead nowhere, and nobody asks why.
enum Astray {
    /// It begins with something else than a wheel or a change of formation.
    Begins,
    /// There is no such change.
    NoChange,
    /// It does not meet its target.
    Misses,
}

impl Astray {
    fn told(self, field: &Field, at: UnitId) -> Pathless {
        match self {
            Astray::Begins => {
                (Clause::The1stImpulse, "a charge begins with a wheel or a change of formation".to_owned())
            }
            Astray::NoChange => (Clause::WhatIsAFormationChange, "there is no such change of formation".to_owned()),
            Astray::Misses => {
                let name = super::name(field, at);
                let text = format!("straight on it does not meet {name} along an inch of its base");
                (Clause::WhatCountsAsContact, text)
            }
        }
    }
}

/// A march column charges only once it has formed up.
pub fn must_form_up(field: &Field, unit: UnitId) -> bool {
    field::shape(field, unit) == Shape::March
}

/// Lays a charge out as it was ordered.
pub fn lay(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId) -> Result<Way, Pathless> {
    let lead = leads_to(field, charger, at).map_err(|why| why.told(field, at))?;
    Ok(lay_along(field, kind, charger.unit, at, lead))
}

/// The same for whoever knows where it leads.
fn lay_along(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId, lead: Lead) -> Way {
    lay_over(field, unit, lay_bare(field, kind, unit, at, lead))
}

/// The same as if it led over open ground.
fn lay_bare(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId, lead: Lead) -> Way {
    let (start, formation, cost, straight) = lead;
    let allowance = allowance(field, kind, unit, formation);
    Way { start, formation, cost, straight, going: Going::default(), allowance, apart: field::gap(field, unit, at) }
}

/// Such a way with the ground under it.
fn lay_over(field: &Field, unit: UnitId, way: Way) -> Way {
    let run = Run { from: way.start, body: field.footprint(unit, way.formation), far: way.straight };
    Way { going: going::over(field, unit, way.formation, run), ..way }
}

/// Where a charge starts, drawn up how, what that costs, and how far straight on it then meets its target.
type Lead = (Pose, Formation, Length, Length);

fn leads_to(field: &Field, charger: &Charger, at: UnitId) -> Result<Lead, Astray> {
    let unit = charger.unit;
    let (now, pose) = (field::formation(field, unit), field.unit(unit).pose());
    let (start, formation, cost) = match charger.before {
        None => (pose, now, Length::ZERO),
        Some(Before::Wheel(leg @ Leg::Wheel { .. })) => {
            let track = Track::plot(pose, field.footprint(unit, now), &[leg]);
            let arc = track.stages().first().map_or(Length::ZERO, |stage| stage.outer_arc);
            let times = count(field.charts().evolution.wheel) as i32;
            (track.end(), now, measured(arc * times))
        }
        Some(Before::Wheel(_)) => {
            return Err(Astray::Begins);
        }
        Some(Before::Form(to)) => {
            let cost = evolution::cost(field, unit, to).ok_or(Astray::NoChange)?;
            (evolution::reformed_pose(field, unit, to), to, cost)
        }
    };
    let straight = straight_to(field, unit, start, formation, at).ok_or(Astray::Misses)?;
    Ok((start, formation, cost, measured(straight)))
}

/// How far a charge may go: the charge allowance, or half a normal move (days.17.4.11-c).
pub fn allowance(field: &Field, kind: ChargeKind, unit: UnitId, formation: Formation) -> Length {
    let now = evolution::pace(field, unit, field::formation(field, unit));
    let then = evolution::pace(field, unit, formation);
    match kind {
        ChargeKind::Opportunity => field.charts().pace.opportunity.value.of(reach(now.normal)),
        // Whoever cannot charge as he stands charges as what he becomes.
        ChargeKind::Declared if reach(now.charge) == Length::ZERO => reach(then.charge),
        ChargeKind::Declared => reach(now.charge).min(reach(then.charge)),
    }
}

/// How far straight on a unit standing so touches a target along enough of its base.
pub fn straight_to(field: &Field, unit: UnitId, pose: Pose, formation: Formation, at: UnitId) -> Option<Length> {
    let layout = field::layout(field, unit, formation);
    let (body, target) = (layout.footprint().quad(pose), field.unit(at).quad());
    // Bodies that do not share enough of a lane have no stands that do.
    let across = pose.forward().perp_right();
    let (own, theirs) = (space::extent([&body], across), space::extent([target], across));
    let shared = own.1.min(theirs.1) - own.0.max(theirs.0);
    if shared + MEASURING < reach(field.charts().constant.contact).as_f64() {
        return None;
    }
    let own: field::Stands = layout.quads(pose).collect();
    straight_between(field, &own, pose.forward(), field::stands(field, at), field.unit(at).quad())
}

fn straight_between(field: &Field, own: &[Quad], towards: Vec2, theirs: &[Quad], around: &Quad) -> Option<Length> {
    let first = own.first()?;
    let most = Length::from_um((around.centre - first.centre).length() + around.radius) + around_own(own);
    let shared = measured(lane_shared(own, theirs, towards));
    if shared < reach(field.charts().constant.contact) {
        return None;
    }
    space::first_touch(own, towards, most, theirs)
}

fn around_own(own: &[Quad]) -> Length {
    own.first().zip(own.last()).map_or(Length::ZERO, |(one, other)| {
        Length::from_um((other.centre - one.centre).length() + one.radius + other.radius)
    })
}

/// How much of the lane that one body sweeps the other fills: what their bases will share.
pub fn lane_shared(own: &[Quad], theirs: &[Quad], towards: Vec2) -> Length {
    let across = towards.perp_right();
    let (own, theirs) = (lanes(own, across), lanes(theirs, across));
    let shared = own.iter().flat_map(|one| theirs.iter().map(move |other| one.1.min(other.1) - one.0.max(other.0)));
    Length::from_um(shared.filter(|shared| *shared > 0.0).sum())
}

/// The lanes of a body across a direction, joined where they touch.
fn lanes(quads: &[Quad], across: Vec2) -> SmallVec<[(f64, f64); 8]> {
    let mut lanes: SmallVec<[(f64, f64); 8]> = quads
        .iter()
        .map(|quad| {
            let places = quad.points().iter().map(|corner| corner.dot(across));
            places.fold((f64::MAX, f64::MIN), |(least, most), place| (least.min(place), most.max(place)))
        })
        .collect();
    lanes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut joined: SmallVec<[(f64, f64); 8]> = SmallVec::new();
    for lane in lanes {
        match joined.last_mut() {
            Some(last) if lane.0 <= last.1 => last.1 = last.1.max(lane.1),
            _ => joined.push(lane),
        }
    }
    joined
}

/// A good lawful charge: straight on if that serves, else with as small a wheel as serves, else after forming up.
pub fn suggest(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId) -> Option<Charger> {
    let forms = must_form_up(field, unit);
    let formed = reach(field.charts().pace.infantry_manoeuvre.charge);
    let most =
        allowance(field, kind, unit, field::formation(field, unit)).max(if forms { formed } else { Length::ZERO });
    if field::surely_beyond(field.unit(unit).quad(), field.unit(at).quad(), most) {
        return None;
    }
    if !forms && is_out_of_reach(field, unit, at, most) {
        return None;
    }
    if !who::whom(field, unit, at).is_legal() || !who::able(field, kind, unit).is_legal() {
        return None;
    }
    let (charger, way) = laid(field, kind, unit, at)?;
    judgement::judge_going(field, kind, &charger, at, || way).is_legal().then_some(charger)
}

/// Whether no way straight on or after a wheel is short enough, judged by the rectangles around both bodies: cheap, and
/// never wrong when it says so. A wheel brings no corner nearer by more than what it costs, unless the body is so deep
/// that its rear swings further than its front.
fn is_out_of_reach(field: &Field, unit: UnitId, at: UnitId, most: Length) -> bool {
    let (body, target) = (field.unit(unit).quad(), field.unit(at).quad());
    let (left, right) = body.front_edge();
    let dear = left.distance(right) * f64::from(count(field.charts().evolution.wheel)) >= body.radius * 2.0;
    dear && table::gap(body, target).as_f64() > most.as_f64() + MEASURING
}

/// A way that serves, whoever may go it; one on which an enemy stops it who is only grazed serves where there is no other.
pub fn find(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId) -> Option<Charger> {
    laid(field, kind, unit, at).map(|(charger, _)| charger)
}

/// The same with the verdict on the way.
fn laid(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId) -> Option<(Charger, Verdict)> {
    let plain = Charger { unit, squadron: None, before: None, advance: None };
    let lawful = |charger: &Charger| {
        let lead = leads_to(field, charger, at).ok().filter(|(_, formation, cost, straight)| {
            measured(*straight + *cost) <= allowance(field, kind, unit, *formation)
        })?;
        let way = lay_bare(field, kind, unit, at, lead);
        judgement::if_open(field, kind, charger, at, way, |way| lay_over(field, unit, way))
    };
    let forming = || {
        let shapes = [Shape::Line, Shape::Manoeuvre].map(Formation::usual);
        shapes.into_iter().map(|to| Charger { before: Some(Before::Form(to)), ..plain })
    };
    let wheeling = || wheels(field, unit, at).map(|leg| Charger { before: Some(Before::Wheel(leg)), ..plain });
    // Wheels are laid out only where straight on does not serve.
    let tries: Box<dyn Iterator<Item = Charger> + '_> = match (must_form_up(field, unit), kind) {
        (true, ChargeKind::Opportunity) => Box::new(std::iter::empty()),
        (true, ChargeKind::Declared) => Box::new(forming()),
        (false, ChargeKind::Opportunity) => Box::new(std::iter::once(plain)),
        (false, ChargeKind::Declared) => {
            Box::new(std::iter::once(plain).chain(std::iter::once(()).flat_map(move |()| wheeling())))
        }
    };
    let mut spare = None;
    for charger in tries {
        let Some(verdict) = lawful(&charger) else { continue };
        if verdict.cautions.iter().all(|caution| caution.clause != Clause::AnInchFromTheEnemy.into()) {
            return Some((charger, verdict));
        }
        spare = spare.or(Some((charger, verdict)));
    }
    spare
}

/// Wheels worth trying: just enough to meet the nearer end of the target, its middle, and half way between.
fn wheels(field: &Field, unit: UnitId, at: UnitId) -> impl Iterator<Item = Leg> + use<> {
    let target = field.unit(at).quad();
    let pose = field.unit(unit).pose();
    let footprint = field.footprint(unit, field::formation(field, unit));
    let side = (Angle::of(target.centre - pose.at.vec()) - pose.facing).signed();
    let pivot = if side < 0 { Flank::Left } else { Flank::Right };
    let mut by = Angle::NORTH;
    for _ in 0..ROUNDS {
        let now = Track::plot(pose, footprint, &[Leg::Wheel { pivot, by }]).end();
        let off = (Angle::of(target.centre - now.at.vec()) - now.facing).signed();
        let more = if pivot == Flank::Left { -off } else { off };
        by = Angle::millidegrees((by.as_millidegrees() + more).clamp(0, Angle::EAST.as_millidegrees()));
    }
    let full = by.as_millidegrees();
    // tidy: allow(steps of a search, no figures of the book)
    let tries = [full / 8, full / 4, full / 2, full * 3 / 4, full];
    tries.into_iter().filter(|by| *by > 0).map(move |by| Leg::Wheel { pivot, by: Angle::millidegrees(by) })
}
