//! Movement and formations: paces, the price of ground, what a path may touch. Section C.6, R27 to R34.

use super::Fpw;
use super::clause::Clause;
use super::field::{
    Field, Rough, Stands, bodies, bodies_at, facts, feature_name, formation, is_road, known, rough, troops,
};
use super::order::{Going, Step};
use super::unit::{Formation, Nation};
use book::ground;
use engine::{Mark, UnitId, Verdict, View};
use smallvec::SmallVec;
use table::march::{Leg, Track};
use table::terrain::TerrainKind;
use table::{Angle, Length, Pose, Quad, SLACK, quads_overlap};

/// More legs than this are a dance, not a march.
pub const MOST_LEGS: usize = 24;

/// Full pace of a unit.
pub fn full_pace(field: &Field, unit: UnitId) -> Length {
    let pace = &field.charts().pace;
    if facts(field, unit).arm.is_mounted() { pace.horse.value.0 } else { pace.foot.value.0 }
}

/// The worst ground a track runs over; a march column that keeps to a road runs over none (R30).
pub fn ground_of(field: &Field, formation: Formation, track: &Track) -> Rough {
    if formation.is_march() && is_by_road(field, track) {
        return Rough::Open;
    }
    let features = field.ground().features.iter();
    let met = features.filter(|feature| rough(feature.kind) > Rough::Open && track.crosses(&feature.shape));
    met.map(|feature| rough(feature.kind).min(Rough::Dense)).max().unwrap_or(Rough::Open)
}

/// What ground leaves of a pace (C.6).
pub fn slowed(field: &Field, pace: Length, formation: Formation, ground: Rough) -> Length {
    let chart = &field.charts().pace;
    match ground {
        Rough::Open => pace,
        Rough::Dense | Rough::Impassable if !formation.is_march() => chart.dense.value.of(pace),
        _ => chart.terrain.value.of(pace),
    }
}

/// What ground leaves of a pace along a track: 1, 1/2 or 1/4 of it (C.6).
pub fn over_ground(field: &Field, pace: Length, formation: Formation, track: &Track) -> Length {
    slowed(field, pace, formation, ground_of(field, formation, track))
}

/// Half of a pace, for changes of formation and facing and for passing through friends (R28).
pub fn formed(field: &Field, pace: Length) -> Length {
    field.charts().pace.form.value.of(pace)
}

/// Whether the flag keeps to a road.
pub fn is_by_road(field: &Field, track: &Track) -> bool {
    ground::keeps_to(field.ground(), track, is_road)
}

/// Whether a body may stand there: on the table, on no impassable ground, on nobody but the units left out.
pub fn is_free(field: &Field, unit: UnitId, quads: &[Quad]) -> bool {
    is_free_but(field, unit, quads, &[])
}

/// The same, looking through some units.
pub fn is_free_but(field: &Field, unit: UnitId, quads: &[Quad], except: &[UnitId]) -> bool {
    quads.iter().all(|quad| field.ground().holds(quad) && !on_closed_ground(field, quad))
        && standing_on(field, unit, quads, except).is_none()
}

fn on_closed_ground(field: &Field, quad: &Quad) -> bool {
    let mut closed = field.ground().features.iter().filter(|feature| rough(feature.kind) == Rough::Impassable);
    closed.any(|feature| feature.shape.overlaps_quad(quad))
}

/// Somebody a body would stand on: own units, and enemies that are known.
fn standing_on(field: &Field, unit: UnitId, quads: &[Quad], except: &[UnitId]) -> Option<UnitId> {
    let side = field.side_of(unit);
    let others = troops(field, side).chain(known(field, side.other()));
    others.filter(|(id, _)| *id != unit && !except.contains(id) && !facts(field, *id).is_scout()).find_map(
        |(id, other)| {
            let near = quads.iter().any(|quad| quads_overlap(quad, other.quad()));
            (near && bodies(field, id).iter().any(|body| quads.iter().any(|quad| quads_overlap(quad, body))))
                .then_some(id)
        },
    )
}

/// A unit's move worked out: where it reforms, the track it takes, where and how it ends.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Plan {
    pub unit: UnitId,
    /// Where the path begins, after a change of formation there.
    pub start: Pose,
    /// The formation on the way.
    pub on_the_way: Formation,
    pub track: Track,
    pub end: Pose,
    pub formation: Formation,
    /// Whether formation or facing changes, so that the pace is halved.
    pub forms: bool,
    pub by_road: bool,
}

impl Plan {
    /// Works a step out from where the unit stands.
    pub fn of(field: &Field, step: &Step) -> Plan {
        let piece = field.unit(step.unit);
        let old = piece.body.formation;
        let new = step.formation.unwrap_or(old);
        let reforms = new != old || step.facing.is_some_and(|facing| facing != piece.pose().facing);
        let (mut start, mut on_the_way) = (piece.pose(), old);
        if !step.after {
            start = Pose { at: start.at, facing: step.facing.unwrap_or(start.facing) };
            on_the_way = new;
        }
        let track = Track::plot(start, field.footprint(step.unit, on_the_way), &step.legs);
        let mut end = track.end();
        if step.after {
            end.facing = step.facing.unwrap_or(end.facing);
        }
        let by_road = on_the_way.is_march() && !step.legs.is_empty() && is_by_road(field, &track);
        let forms = reforms || (!by_road && step.legs.iter().any(|leg| turns_or_slants(field, leg)));
        Plan { unit: step.unit, start, on_the_way, track, end, formation: new, forms, by_road }
    }

    /// The ground covered at the end.
    pub fn bodies(&self, field: &Field) -> Stands {
        bodies_at(field, self.unit, self.end, self.formation)
    }

    /// Whether it goes anywhere.
    pub fn moves(&self) -> bool {
        !self.track.stages().is_empty()
    }
}

/// Whether a leg is anything but straight ahead or oblique by at most 45° (movement-e, R27).
fn turns_or_slants(field: &Field, leg: &Leg) -> bool {
    let most = Angle::whole(field.charts().pace.oblique.value.get());
    match leg {
        Leg::Ahead(_) => false,
        Leg::Oblique { by, .. } => by.apart(Angle::NORTH) > most,
        Leg::Straight(_) => false,
        Leg::Back(_) | Leg::Sideways(_) | Leg::Wheel { .. } | Leg::Turn(_) | Leg::About => true,
    }
}

/// Units whose bodies a plan passes through: friends that are not under the same order (R32, R96).
pub fn passes_through(field: &Field, plan: &Plan, together: &[UnitId]) -> SmallVec<[UnitId; 2]> {
    let side = field.side_of(plan.unit);
    troops(field, side)
        .filter(|(id, _)| *id != plan.unit && !together.contains(id) && !facts(field, *id).is_scout())
        .filter(|(_, friend)| plan.track.meets(friend.quad().points()).is_some())
        .map(|(id, _)| id)
        .collect()
}

/// How far a plan may go, given the worst ground of its order.
pub fn allowance(field: &Field, plan: &Plan, worst: Rough, passes: bool) -> Length {
    let full = full_pace(field, plan.unit);
    let pace = if plan.forms || passes { formed(field, full) } else { full };
    slowed(field, pace, plan.on_the_way, worst)
}

/// Judges the steps of one order together. All reasons are told.
pub fn check_steps(view: &View<'_, Fpw>, steps: &[Step], going: Going, verdict: &mut Verdict) {
    let field: &Field = view;
    // Every step is looked at before any is given up, so that all reasons are told.
    let unsound = steps.iter().filter(|step| !check_form(field, step, going, verdict)).count();
    if unsound > 0 {
        return;
    }
    let plans: SmallVec<[Plan; 4]> = steps.iter().map(|step| Plan::of(field, step)).collect();
    let together: SmallVec<[UnitId; 4]> = plans.iter().map(|plan| plan.unit).collect();
    let worst =
        plans.iter().filter(|plan| plan.moves()).map(|plan| ground_of(field, plan.on_the_way, &plan.track)).max();
    for plan in &plans {
        check_distance(field, plan, worst.unwrap_or(Rough::Open), going, &together, verdict);
        check_way(field, plan, verdict);
        check_end(field, plan, &plans, &together, verdict);
    }
}

/// Whether the step is of the kind ordered, before anything is measured.
fn check_form(field: &Field, step: &Step, going: Going, verdict: &mut Verdict) -> bool {
    let before = verdict.refusals.len();
    let unit = step.unit;
    let (facts, own) = (facts(field, unit), super::field::soldiers(field, unit));
    let old = formation(field, unit);
    if step.legs.len() > MOST_LEGS {
        verdict.refuse(Clause::StraightAhead, format!("a path has at most {MOST_LEGS} legs")).about(unit);
    }
    if step.legs.iter().any(is_backward_length) {
        verdict.refuse(Clause::StraightAhead, "a leg cannot be shorter than nothing").about(unit);
    }
    if step.legs.iter().any(|leg| matches!(leg, Leg::Straight(_))) {
        verdict.refuse(Clause::StraightAhead, "say how far and which way, not which spot").about(unit);
    }
    if let Some(new) = step.formation
        && !facts.formations(own.count()).contains(&new)
    {
        let text = format!("{} cannot be drawn up in {}", field.card(unit).name, new.word());
        verdict.refuse(Clause::ThreeFormations, text).about(unit);
    }
    let reforms = step.formation.is_some_and(|new| new != old) || step.facing.is_some();
    if reforms && !matches!(going, Going::Reform) {
        let limbers =
            going == Going::HalfPace && old == Formation::Deployed && step.formation == Some(Formation::Limbered);
        if !limbers {
            let (clause, text) = match (going, facts.nation) {
                (Going::HalfPace, Nation::French) => (Clause::FrenchMagnificent, "formation and facing are kept"),
                (Going::HalfPace, Nation::German) => (Clause::GermanFog, "formation and facing are kept"),
                _ => (Clause::ReformOrder, "a change of formation needs a reform order"),
            };
            verdict.refuse(clause, text).about(unit);
        }
    }
    let on_the_way = if step.after { old } else { step.formation.unwrap_or(old) };
    let walks = step.legs.iter().any(|leg| !matches!(leg, Leg::Turn(_) | Leg::About));
    if on_the_way == Formation::Deployed && walks {
        verdict.refuse(Clause::LimberingIsForm, "guns in action must limber before they go").about(unit);
    }
    verdict.refusals.len() == before
}

pub(super) fn is_backward_length(leg: &Leg) -> bool {
    match leg {
        Leg::Ahead(go) | Leg::Back(go) | Leg::Oblique { go, .. } => go.is_negative(),
        _ => false,
    }
}

fn check_distance(field: &Field, plan: &Plan, worst: Rough, going: Going, together: &[UnitId], verdict: &mut Verdict) {
    let (unit, arm) = (plan.unit, facts(field, plan.unit).arm);
    if !plan.moves() {
        return;
    }
    let line = || Mark::Line(plan.track.start().at, plan.track.end().at);
    if going == Going::ByRoad && !plan.by_road {
        let text = "the order was to march by road, and the path leaves it";
        verdict.refuse(Clause::MarchByRoad, text).about(unit).at(line());
    }
    let friends = passes_through(field, plan, together);
    let mut have = allowance(field, plan, worst, !friends.is_empty());
    if matches!(going, Going::HalfPace | Going::Reform) && !plan.forms && friends.is_empty() {
        have = formed(field, have);
    }
    let need = plan.track.length();
    if need <= have + SLACK {
        return;
    }
    let (need, have) = (need.show(table::Unit::Inch), have.show(table::Unit::Inch));
    let text = format!("the way is {need} long, and the unit has {have}");
    verdict.refuse(arm.pace_clause(), text).about(unit).at(line());
    if plan.forms || going == Going::Reform {
        verdict.refuse(arm.form_clause(), "changing formation or facing halves the pace").about(unit).at(line());
    }
    for friend in friends {
        let text = format!("passing through {} halves the pace", field.card(friend).name);
        verdict.refuse(Clause::FormHalves, text).about(friend).at(line());
    }
    match worst {
        Rough::Open => {}
        Rough::Terrain => drop(verdict.refuse(Clause::TerrainHalves, "rough ground on the way halves it").about(unit)),
        _ if plan.on_the_way.is_march() => {
            verdict.refuse(Clause::TerrainHalves, "off the road such ground halves a march column").about(unit);
        }
        _ => drop(verdict.refuse(Clause::DenseQuarters, "dense ground on the way leaves a quarter").about(unit)),
    }
}

/// Table, impassable ground and enemies on the way.
fn check_way(field: &Field, plan: &Plan, verdict: &mut Verdict) {
    let unit = plan.unit;
    if !plan.track.stays_on(field.ground()) {
        verdict.refuse(Clause::StraightAhead, "the path leaves the table").about(unit).at(Mark::Spot(plan.end.at));
    }
    let closed = |kind: TerrainKind| rough(kind) == Rough::Impassable;
    for feature in field.ground().features.iter().filter(|feature| closed(feature.kind)) {
        let crossing = |kind| matches!(kind, TerrainKind::Bridge | TerrainKind::Ford | TerrainKind::Pontoon);
        if plan.track.crosses(&feature.shape) && !ground::is_bridged(field.ground(), &plan.track, closed, crossing) {
            let text = format!("{} ({}) cannot be entered", feature_name(feature), feature.kind);
            verdict.refuse(Clause::TerrainHalves, text).about(unit).at(Mark::Spot(plan.end.at));
        }
    }
    let end = plan.bodies(field);
    for (id, enemy) in known(field, field.side_of(unit).other()) {
        if facts(field, id).is_scout() {
            continue;
        }
        let touches = || bodies(field, id).iter().any(|body| end.iter().any(|quad| table::quads_touch(quad, body)));
        let near = end.iter().any(|quad| table::quads_touch(quad, enemy.quad()));
        if (near && touches()) || plan.track.meets(enemy.quad().points()).is_some() {
            let text = format!("only an advance to contact may touch {}", field.card(id).name);
            verdict.refuse(Clause::AdvanceDeclared, text).about(id).at(Mark::Spot(enemy.pose().at));
        }
    }
}

/// Nobody ends on anybody: friends where they stand, units of the same order where they will stand.
fn check_end(field: &Field, plan: &Plan, all: &[Plan], together: &[UnitId], verdict: &mut Verdict) {
    let unit = plan.unit;
    let end = plan.bodies(field);
    if end.iter().any(|quad| !field.ground().holds(quad)) {
        verdict.refuse(Clause::FormHalves, "there is no room on the table").about(unit).at(Mark::Spot(plan.end.at));
    }
    if end.iter().any(|quad| on_closed_ground(field, quad)) {
        verdict.refuse(Clause::FormHalves, "nobody can stand there").about(unit).at(Mark::Spot(plan.end.at));
    }
    let mut refuse = |id: UnitId, at: Pose| {
        let text = format!("it would end on {}", field.card(id).name);
        verdict.refuse(Clause::FormHalves, text).about(id).at(Mark::Spot(at.at));
    };
    if let Some(id) = standing_on(field, unit, &end, together) {
        refuse(id, field.unit(id).pose());
    }
    for other in all.iter().filter(|other| other.unit > unit) {
        let theirs = other.bodies(field);
        if theirs.iter().any(|body| end.iter().any(|quad| quads_overlap(quad, body))) {
            refuse(other.unit, other.end);
        }
    }
}
