//! Who is in the way of a march: enemies one keeps off, friends one passes or does not, room at the end.,
//!

use super::judge::Plan;
use super::{limits, passage};
use crate::arrival;
use crate::charts::reach;
use crate::clause::Clause;
use crate::field::{self, Few, Field, facts, measured, stands_at};
use crate::formation::{Formation, Shape};
use crate::ground;
use crate::sight;
use crate::space::{self, Sweep};
use crate::unit::Part;
use engine::UnitId;
use engine::verdict::Mark;
use smallvec::SmallVec;
use table::{Bounds, Layout, Length, Point, Pose, Quad, SLACK};

/// Why nobody goes through friends who let nobody through.
const IN_THE_WAY: (Clause, &str) = (Clause::OrdinaryMoves, "friends are in the way");
const PACKED_GUNS: (Clause, &str) =
    (Clause::NoWayThroughPackedGuns, "nobody passes through a massed or limbered battery");

impl Plan<'_> {
    /// More than an inch from every enemy, during and at the end of the move; whoever is nearer may stay or go away.
    pub(super) fn enemies(&mut self, sweeps: &[Sweep]) {
        let side = self.field.side_of(self.unit);
        for (foe, _) in field::known(self.field, side.other()) {
            self.keep_clear(sweeps, foe);
            self.keep_away(foe);
        }
        self.keep_off_columns(sweeps);
    }

    /// The head of an enemy column that was announced stands on the table, and is kept clear of (days.16.5-f).
    fn keep_off_columns(&mut self, sweeps: &[Sweep]) {
        let (field, standoff) = (self.field, field::standoff(self.field));
        let now = |head: &Quad| {
            let here = || measured(field::gap_of(field::stands(field, self.unit), std::slice::from_ref(head)));
            if limits::waits(field, self.unit) { Length::MAX } else { here() }
        };
        let enemy = field.side_of(self.unit).other();
        let met = arrival::heads(field, enemy).find(|head| {
            let closest = sweeps.iter().map(|sweep| sweep.nearest(head, standoff)).min().unwrap_or(Length::MAX);
            measured(closest) <= standoff && measured(closest) < now(head)
        });
        if let Some(head) = met {
            let mark = Mark::Line(self.pose.at, Point::from_vec(head.centre));
            let text = "it would come within an inch of the head of an enemy column that is coming on";
            self.verdict.refuse(Clause::TheHeadOfTheColumn, text).about(self.unit).at(mark);
        }
    }

    /// The same in an order that soon finds something, for whoever wants no more than one reason.
    pub(super) fn any_enemy(&mut self, sweeps: &[Sweep]) {
        let foes = field::known(self.field, self.field.side_of(self.unit).other());
        for (foe, _) in foes {
            self.keep_clear(sweeps, foe);
            if !self.verdict.is_legal() {
                return;
            }
        }
        self.keep_off_columns(sweeps);
    }

    /// Whether a halted unit would get nearer to an enemy it sees; the first is enough.
    pub(super) fn any_shunned(&mut self) {
        if limits::keeps_off(self.field, self.unit).is_none() {
            return;
        }
        for (foe, _) in field::known(self.field, self.field.side_of(self.unit).other()) {
            self.keep_away(foe);
            if !self.verdict.is_legal() {
                return;
            }
        }
    }

    fn gap_now(&self, foe: UnitId) -> Length {
        gap_now(self.field, self.unit, foe)
    }

    fn keep_clear(&mut self, sweeps: &[Sweep], foe: UnitId) {
        let (field, unit) = (self.field, self.unit);
        let standoff = field::standoff(field);
        let forced = reach(field.charts().constant.forced_standoff);
        let far = if self.forced { forced.max(standoff) } else { standoff };
        let body = field.unit(foe).quad();
        if !sweeps.iter().any(|sweep| sweep.comes_near(body, far)) {
            return;
        }
        let quads = field::stands(field, foe);
        let gaps = sweeps.iter().flat_map(|sweep| quads.iter().map(move |quad| sweep.nearest(quad, far)));
        let closest = measured(gaps.min().unwrap_or(Length::MAX));
        if closest <= standoff && closest < self.gap_now(foe) {
            self.blame(Clause::AnInchFromTheEnemy, "it would come within an inch of an enemy it does not charge", foe);
        }
        let side = field.side_of(unit);
        if self.forced && closest <= forced && field::is_formed(field, foe) && sight::seen_by(field, side, foe) {
            self.blame(Clause::KeepingClearWhileMarching, "formed enemy is too near for a forced march", foe);
        }
    }

    fn keep_away(&mut self, foe: UnitId) {
        let (field, unit) = (self.field, self.unit);
        let Some((clause, text)) = limits::keeps_off(field, unit) else { return };
        if limits::waits(field, unit) {
            return;
        }
        let end = stands_at(field, unit, self.pose, self.formation);
        let then = measured(field::gap_of(&end, field::stands(field, foe)));
        if then < self.gap_now(foe) && sight::sees(field, unit, foe) {
            self.blame(clause, text, foe);
        }
    }

    fn blame(&mut self, clause: Clause, text: &'static str, other: UnitId) {
        let at = Mark::Line(self.pose.at, Point::from_vec(self.field.unit(other).quad().centre));
        self.verdict.refuse(clause, text).about(self.unit).at(at).among(vec![self.unit, other]);
    }

    /// Friends on the way: passed, relieved, or in the way.
    pub(super) fn friends(&mut self, sweeps: &[Sweep]) -> (Few, Few) {
        let (field, unit) = (self.field, self.unit);
        let side = field.side_of(unit);
        let (mut passes, mut relieves) = (Few::new(), Few::new());
        let aside = self.aside.clone();
        let counts = |id: UnitId| field.side_of(id) == side && !aside.contains(&id);
        let mut met = Few::new();
        for sweep in sweeps {
            for friend in space::swept(field, unit, sweep, &counts) {
                if !met.contains(&friend) {
                    met.push(friend);
                }
            }
        }
        // Mostly nobody is met, and nobody asks who stood in its way already.
        if !met.is_empty() && !limits::waits(field, unit) {
            let already = space::crowded(field, unit, self.start, field::formation(field, unit));
            met.retain(|friend| !already.contains(friend));
        }
        for friend in met {
            let guns = field::is_battery(field, friend);
            if space::is_passable(field, unit, friend) {
                let quads = field::stands(field, friend);
                let directions = sweeps.iter().flat_map(|sweep| quads.iter().flat_map(|quad| sweep.directions(quad)));
                let straight = directions.into_iter().all(|by| space::goes_through_guns(field, friend, by));
                if guns && field::shape(field, friend) == Shape::Deployed && !straight {
                    self.blame(
                        Clause::ThroughADeployedBattery,
                        "guns are passed from front to rear or from rear to front",
                        friend,
                    );
                } else {
                    passes.push(friend);
                }
                continue;
            }
            let line = field::shape(field, friend) == Shape::Line;
            let may = field.charts().switch.passage_of_lines.value && line;
            if !may {
                let (clause, text) = if guns { PACKED_GUNS } else { IN_THE_WAY };
                self.blame(clause, text, friend);
                continue;
            }
            let reasons = passage::objections(field, unit, friend, self.start, (self.pose, self.formation));
            if reasons.is_empty() {
                relieves.push(friend);
                let table = &field.charts().evolution;
                self.cost("passage of lines", Clause::CostOfPassingLines, reach(table.passage), table.passage.source);
            } else {
                reasons.into_iter().for_each(|(clause, text)| self.blame(clause, text, friend));
            }
        }
        (passes, relieves)
    }

    /// Room to stand at the end, on the table, near enough to the unit it screens.
    pub(super) fn room(&mut self) {
        let (field, unit) = (self.field, self.unit);
        let stands = stands_at(field, unit, self.pose, self.formation);
        for other in space::crowded(field, unit, self.pose, self.formation) {
            if self.aside.contains(&other) {
                continue;
            }
            let among_houses = || {
                stands.iter().any(|stand| {
                    ground::area_at(field, stand.centre)
                        .is_some_and(|(id, _)| ground::land(field, id) == ground::Land::Urban)
                })
            };
            let refuge = field::shape(field, other) == Shape::Square && field::is_battery(field, unit);
            let clause = if refuge {
                Clause::RefugeInASquare
            } else if among_houses() {
                Clause::RoomInAVillage
            } else {
                Clause::OrdinaryMoves
            };
            self.blame(clause, "there is no room to stand", other);
        }
        let over = |quads: &[table::Quad]| quads.iter().map(|quad| beyond(field, quad)).max().unwrap_or(Length::ZERO);
        let end = over(&stands);
        let first = self.used.first().map_or(self.formation, |one| one.0);
        let begin = || over(&stands_at(field, unit, self.start, first));
        if end > SLACK && end >= begin() {
            self.refuse(Clause::OrdinaryMoves, "it would leave the table");
        }
        if facts(field, unit).part_kind() == Some(Part::Screen) {
            let whole = field::whole(field, unit);
            let within = reach(field.charts().constant.screen_within);
            let far =
                field::is_there(field, whole) && measured(field::gap_of(&stands, field::stands(field, whole))) > within;
            if far {
                self.blame(Clause::ASkirmishScreen, "a screen stays near the unit it covers", whole);
            }
        }
    }
}

/// Everybody about some places a unit might go to: a quick look, for whoever has many to choose from.
pub struct Crowd<'f> {
    field: &'f Field,
    unit: UnitId,
    /// Whoever could be in its way.
    others: SmallVec<[(UnitId, &'f Quad); 16]>,
    /// Enemies it keeps off.
    foes: SmallVec<[(UnitId, &'f Quad); 16]>,
}

impl<'f> Crowd<'f> {
    /// Those who count for places inside a box.
    pub fn about(field: &'f Field, unit: UnitId, around: Bounds) -> Crowd<'f> {
        let near = around.grown((field::standoff(field) + SLACK * 2).as_f64());
        let close = |one: &Quad| near.meets(&one.bounds());
        let others = space::others(field, unit, close).collect();
        let foes = field::known(field, field.side_of(unit).other()).map(|(id, foe)| (id, foe.quad()));
        Crowd { field, unit, others, foes: foes.filter(|(_, foe)| close(foe)).collect() }
    }

    /// Whether no normal move may end so, whatever way it went: somebody stands there, or an enemy is too near. `body` is
    /// the rectangle around it then.
    pub fn takes(&self, pose: Pose, body: &Quad, layout: &Layout) -> bool {
        let (stood, others) = ((pose, body, layout), self.others.iter().copied());
        space::crowding(self.field, self.unit, stood, others).next().is_some()
            || too_near(self.field, self.unit, stood, self.foes.iter().copied())
    }
}

/// Whether a move that ends so surely ends within an inch of an enemy, nearer to him than the unit is now.
pub(super) fn ends_too_near(field: &Field, unit: UnitId, pose: Pose, formation: Formation) -> bool {
    let foes = field::known(field, field.side_of(unit).other()).map(|(id, foe)| (id, foe.quad()));
    let layout = field::layout(field, unit, formation);
    too_near(field, unit, (pose, &layout.footprint().quad(pose), &layout), foes)
}

fn too_near<'f>(
    field: &'f Field,
    unit: UnitId,
    (pose, body, layout): (Pose, &Quad, &Layout),
    mut foes: impl Iterator<Item = (UnitId, &'f Quad)>,
) -> bool {
    let standoff = field::standoff(field);
    let mut stands: Option<field::Stands> = None;
    foes.any(|(foe, other)| {
        if field::surely_beyond(body, other, standoff) {
            return false;
        }
        let stands = stands.get_or_insert_with(|| layout.quads(pose).collect());
        // A way is measured along legs that are not rounded, its end is.
        let then = measured(field::gap_of(stands, field::stands(field, foe)) + SLACK);
        then <= standoff && then < gap_now(field, unit, foe)
    })
}

/// How far an enemy is before the move.
fn gap_now(field: &Field, unit: UnitId, foe: UnitId) -> Length {
    if limits::waits(field, unit) { Length::MAX } else { field::gap(field, unit, foe) }
}

/// How far a stand hangs over the edge of the table.
fn beyond(field: &Field, quad: &table::Quad) -> Length {
    let (bounds, table) = (quad.bounds(), field.ground().bounds());
    let most = [
        table.min.x - bounds.min.x,
        table.min.y - bounds.min.y,
        bounds.max.x - table.max.x,
        bounds.max.y - table.max.y,
    ];
    Length::from_um(most.into_iter().fold(0.0, |most, by| if by > most { by } else { most }))
}
