//! Judging a march: steps laid out one after another, what they cost, who and what is in the way. Sections 17.4.3 to
//! 17.4.9, C-12 to C-14b, A-52, A-54, A-96.

use super::limits::{self, Reasons};
use crate::charts::{count as figure, reach};
use crate::clause::Clause;
use crate::evolution;
use crate::field::{self, Few, Field, facts, measured, stands_at, troops};
use crate::formation::{Formation, Shape};
use crate::ground::{self, Tolls, Way};
use crate::order::Step;
use crate::space::Sweep;
use crate::unit::{Arm, Part};
use crate::{arrival, detachment};
use engine::chart::Source;
use engine::verdict::Mark;
use engine::{UnitId, Verdict};
use smallvec::SmallVec;
use std::borrow::Cow;
use table::march::{Leg, Track};
use table::{Angle, Length, Pose};

/// What one thing takes off the allowance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostLine {
    /// What.
    pub label: Cow<'static, str>,
    /// By which clause.
    pub clause: Clause,
    /// How much; the whole move is `Length::MAX`.
    pub cost: Length,
    /// Where the figure comes from.
    pub source: Source,
}

/// A march judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Whether it may be made, with all reasons against it.
    pub verdict: Verdict,
    /// Where it ends.
    pub end: Pose,
    /// How the unit is drawn up then.
    pub formation: Formation,
    /// Whether it is in the saddle then.
    pub mounted: bool,
    /// What everything costs.
    pub costs: Vec<CostLine>,
    /// What it may spend, the bonus of a road in it.
    pub allowance: Length,
    /// What the ground does.
    pub tolls: Tolls,
    /// Lines it relieves.
    pub relieves: Few,
    /// Friends it passes without trouble: screens, guns in action.
    pub passes: Few,
    /// Whether it goes anywhere.
    pub moves: bool,
    /// Whether it changes formation.
    pub reforms: bool,
    /// Whether it is part of a forced march.
    pub forced: bool,
}

impl Judged {
    /// What the move costs altogether.
    pub fn spent(&self) -> Length {
        self.costs.iter().map(|line| line.cost).sum()
    }
}

/// Judges the steps of one unit's normal move.
pub fn judge(field: &Field, unit: UnitId, steps: &[Step]) -> Judged {
    plan(field, unit, steps).finish()
}

/// Whether [`judge`] would let the steps pass; a good deal quicker.
pub fn is_lawful(field: &Field, unit: UnitId, steps: &[Step]) -> bool {
    plan(field, unit, steps).stands()
}

fn plan<'f>(field: &'f Field, unit: UnitId, steps: &[Step]) -> Plan<'f> {
    let mut plan = Plan::new(field, unit, false, Few::new());
    plan.refuse_all(limits::objections(field, unit));
    if steps.is_empty() {
        plan.refuse(Clause::OrdinaryMoves, "it is told to do nothing");
    }
    plan.detachment();
    for step in steps {
        plan.take(step);
    }
    plan
}

/// Judges one unit's part of a forced march; its brigade is not in its way, since all of it moves.
pub fn judge_forced(field: &Field, unit: UnitId, legs: &[Leg], brigade: Few) -> Judged {
    let mut plan = Plan::new(field, unit, true, brigade);
    plan.refuse_all(limits::objections(field, unit));
    plan.march(legs);
    plan.finish()
}

/// A move as it is laid out.
pub(super) struct Plan<'f> {
    pub(super) field: &'f Field,
    pub(super) unit: UnitId,
    pub(super) forced: bool,
    pub(super) aside: Few,
    pub(super) verdict: Verdict,
    pub(super) start: Pose,
    pub(super) pose: Pose,
    pub(super) formation: Formation,
    pub(super) mounted: bool,
    pub(super) ways: SmallVec<[(Track, Formation); 3]>,
    pub(super) used: SmallVec<[(Formation, bool); 3]>,
    pub(super) costs: Vec<CostLine>,
    pub(super) went: Length,
    pub(super) changes: u8,
    pub(super) turned: bool,
}

impl<'f> Plan<'f> {
    fn new(field: &'f Field, unit: UnitId, forced: bool, aside: Few) -> Plan<'f> {
        let entering = arrival::entry_pose(field, unit).filter(|_| limits::waits(field, unit));
        let formation =
            if entering.is_some() { evolution::marching(field, unit) } else { field::formation(field, unit) };
        let pose = entering.unwrap_or_else(|| field.unit(unit).pose());
        let mounted = field::is_mounted(field, unit);
        Plan {
            field,
            unit,
            forced,
            aside,
            verdict: Verdict::fine(),
            start: pose,
            pose,
            formation,
            mounted,
            ways: SmallVec::new(),
            used: SmallVec::from_slice(&[(formation, mounted)]),
            costs: Vec::new(),
            went: Length::ZERO,
            changes: 0,
            turned: false,
        }
    }

    pub(super) fn refuse(&mut self, clause: Clause, text: impl Into<Cow<'static, str>>) {
        let at = Mark::Spot(self.pose.at);
        self.verdict.refuse(clause, text).about(self.unit).at(at);
    }

    fn refuse_all(&mut self, reasons: Reasons) {
        reasons.into_iter().for_each(|(clause, text)| self.refuse(clause, text));
    }

    pub(super) fn cost(&mut self, label: &'static str, clause: Clause, cost: Length, source: Source) {
        self.costs.push(CostLine { label: Cow::Borrowed(label), clause, cost, source });
    }

    /// Sending skirmishers out, or taking them in, came off its move (C-14).
    fn detachment(&mut self) {
        let table = &self.field.charts().evolution;
        if troops(self.field, self.unit).turn.screened {
            let cost = reach(table.detachment);
            self.cost("skirmishers sent out or taken in", Clause::ASkirmishScreen, cost, table.detachment.source);
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::March(legs) => self.march(legs),
            Step::Form(to) => self.form(*to),
            Step::Mount => self.mount(),
            Step::Dismount(to) => self.dismount(*to),
            Step::Limber => self.limber(Formation::usual(Shape::Limbered)),
            Step::Unlimber(shape) => self.limber(Formation::usual(*shape)),
        }
    }

    /// One formation change a turn (days.17.4.7-a).
    fn change(&mut self, label: &'static str, clause: Clause, cost: Length) {
        self.changes = self.changes.saturating_add(1);
        if self.forced {
            self.refuse(Clause::ForcedMarching, "nobody changes formation on a forced march");
        }
        if self.changes > 1 || troops(self.field, self.unit).turn.reformed {
            self.refuse(
                Clause::OneChangePerTurn,
                "it changes formation once a turn, and turning about is such a change",
            );
        }
        let source = self.field.charts().evolution.turn.source;
        self.cost(label, clause, cost, source);
    }

    fn stand_as(&mut self, to: Formation, mounted: bool) {
        let (field, unit) = (self.field, self.unit);
        let before = (self.pose, self.formation);
        self.pose = evolution::pose_after(field, unit, self.pose, self.formation, to);
        self.formation = to;
        self.mounted = mounted;
        self.used.push((to, mounted));
        let trees = |(pose, formation)| evolution::among_heavy_trees(field, unit, pose, formation);
        if trees(before) || trees((self.pose, to)) {
            self.refuse(Clause::ReFormingAmongTrees, "nobody changes formation in a heavy wood");
        }
        let barred = |stand: &table::Quad| {
            ground::patches_near(field, ground::spot(stand.centre)).any(|patch| {
                matches!(patch.land, ground::Land::River | ground::Land::Cliff) && patch.shape.contains(stand.centre)
            }) && !ground::on_bridge(field, stand.centre)
                && !ground::in_ford(field, stand.centre)
        };
        if stands_at(field, unit, self.pose, to).iter().any(barred) {
            self.refuse(Clause::RiverOrStream, "some of it would stand in the water");
        }
        let still = Track::plot(self.pose, field.footprint(unit, to), &[]);
        self.ways.push((still, to));
    }

    fn form(&mut self, to: Formation) {
        let (field, unit) = (self.field, self.unit);
        let guns = field::is_battery(field, unit)
            && (to.shape == Shape::Limbered) != (self.formation.shape == Shape::Limbered);
        match evolution::change(field, unit, self.formation, to, self.mounted) {
            _ if guns => self.refuse(Clause::ReFormingAndMovingOn, "guns limber and unlimber"),
            Some((cost, clause)) => self.change("change of formation", clause, cost),
            None => self
                .refuse(Clause::WhatIsAFormationChange, format!("there is no change from {} to {to}", self.formation)),
        }
        let able = evolution::may_form_as(field, unit, to, self.mounted);
        self.verdict.refusals.extend(able.refusals);
        self.stand_as(to, self.mounted);
        let file = to.shape == Shape::Column && to.files == 1;
        let narrow = |stand: &table::Quad| ground::on_road(field, stand) || ground::on_bridge(field, stand.centre);
        if file && !stands_at(field, unit, self.pose, to).iter().all(narrow) {
            self.refuse(Clause::KindsOfColumn, "horse rides in single file on roads and bridges only");
        }
    }

    fn mount(&mut self) {
        let able = detachment::may_mount(self.field, self.unit);
        self.verdict.refusals.extend(able.refusals);
        let (cost, clause) = evolution::mounting(self.field);
        if self.mounted || facts(self.field, self.unit).arm != Arm::Cavalry {
            self.refuse(clause, "it has no horses to mount");
        }
        self.change("mounting", clause, cost);
        self.stand_as(evolution::mounted_as(self.field, self.unit), true);
    }

    fn dismount(&mut self, to: Formation) {
        let able = evolution::may_dismount(self.field, self.unit);
        self.verdict.refusals.extend(able.refusals);
        let (cost, clause) = evolution::mounting(self.field);
        self.change("dismounting", clause, cost);
        let able = evolution::may_form_as(self.field, self.unit, to, false);
        self.verdict.refusals.extend(able.refusals);
        self.stand_as(to, false);
    }

    fn limber(&mut self, to: Formation) {
        let (field, unit) = (self.field, self.unit);
        let up = to.shape == Shape::Limbered;
        let sound = field::is_battery(field, unit) && (self.formation.shape == Shape::Limbered) != up;
        if !sound || !(up || to.is_deployed()) {
            self.refuse(
                Clause::ReFormingAndMovingOn,
                "only guns limber, and only those in action; the others unlimber",
            );
            return;
        }
        if up && evolution::is_stuck(field, unit) {
            self.refuse(Clause::TwoHorsesLost, "too few horses are left to draw the guns");
        }
        match evolution::change(field, unit, self.formation, to, false) {
            Some((cost, clause)) => self.change(if up { "limbering" } else { "unlimbering" }, clause, cost),
            None => self.refuse(Clause::ReFormingAndMovingOn, "there is no such change"),
        }
        self.stand_as(to, false);
    }

    fn march(&mut self, legs: &[Leg]) {
        if legs.is_empty() {
            self.refuse(Clause::OrdinaryMoves, "it is told to go nowhere");
            return;
        }
        legs.iter().for_each(|leg| self.leg(*leg));
        let (field, unit) = (self.field, self.unit);
        let track = Track::plot(self.pose, field.footprint(unit, self.formation), legs);
        let times = figure(field.charts().evolution.wheel) as i32;
        let source = field.charts().evolution.wheel.source;
        for (leg, stage) in legs.iter().zip(track.stages()) {
            match leg {
                Leg::Wheel { .. } => {
                    let cost = stage.outer_arc * times;
                    self.went += cost;
                    self.cost("wheel", Clause::PriceOfAWheel, cost, source);
                }
                Leg::Turn(_) | Leg::About => {}
                _ => {
                    self.went += stage.travelled;
                    self.cost("march", Clause::WhereMovesAreMeasured, stage.travelled, source);
                }
            }
        }
        self.pose = track.end();
        self.ways.push((track, self.formation));
    }

    /// Whether these troops make such a leg, and what turning costs them.
    fn leg(&mut self, leg: Leg) {
        let (field, unit) = (self.field, self.unit);
        let facts = facts(field, unit);
        let free = facts.arm == Arm::Engineers || matches!(facts.part_kind(), Some(Part::Crew));
        let open = free || self.formation.shape == Shape::Skirmish;
        let by_hand = self.formation.is_deployed();
        match leg {
            Leg::Ahead(by) if by > Length::ZERO => {}
            Leg::Wheel { by, .. } if by > Angle::NORTH => {
                if by_hand || self.formation.shape == Shape::Square {
                    self.refuse(Clause::TurningByWheels, "lines and columns wheel; guns in action and squares do not");
                }
            }
            Leg::Turn(by) => self.turn(by, free, by_hand),
            Leg::About if free => {}
            Leg::About if by_hand => self.refuse(Clause::ReFormingAndMovingOn, "guns in action are not turned about"),
            Leg::About => self.turn_as_a_change(),
            Leg::Back(by) | Leg::Oblique { go: by, .. } if by > Length::ZERO && (open || by_hand) => {}
            Leg::Sideways(by) if by != Length::ZERO && (open || by_hand) => {}
            Leg::Straight(_) if open => {}
            _ => {
                self.refuse(Clause::TurningByWheels, "formed troops go straight ahead and change direction by wheeling")
            }
        }
    }

    fn turn(&mut self, by: Angle, free: bool, by_hand: bool) {
        let size = by.signed().abs();
        let right = Angle::EAST.as_millidegrees();
        if free || size == 0 {
            return;
        }
        if by_hand {
            let table = &self.field.charts().evolution;
            if size > table.pivot_most.value.as_millidegrees() {
                self.refuse(Clause::ReFormingAndMovingOn, "guns in action are not turned so far by hand");
            }
            let cost = reach(table.pivot);
            self.went += cost;
            self.cost("turning the guns", Clause::ReFormingAndMovingOn, cost, table.pivot.source);
            return;
        }
        if self.formation.shape == Shape::Skirmish && size < right {
            if self.turned {
                self.refuse(Clause::WhatIsAFormationChange, "skirmishers turn in place once a move");
            }
            self.turned = true;
            return;
        }
        if size != right && size != Angle::SOUTH.as_millidegrees() {
            self.refuse(Clause::TurningByWheels, "formed troops turn by right angles, or wheel");
        }
        self.turn_as_a_change();
    }

    fn turn_as_a_change(&mut self) {
        let cost = evolution::turning(self.field, self.unit);
        if evolution::among_heavy_trees(self.field, self.unit, self.pose, self.formation) {
            self.refuse(Clause::ReFormingAmongTrees, "nobody turns about in a heavy wood");
        }
        self.change("turning", Clause::WhatIsAFormationChange, cost);
    }

    pub(super) fn sweeps(&self) -> SmallVec<[Sweep; 3]> {
        self.ways.iter().map(|(track, formation)| Sweep::of(self.field, self.unit, *formation, track)).collect()
    }

    fn tolls(&self, sweeps: &[Sweep]) -> Tolls {
        self.tolls_until(sweeps, &|_| false)
    }

    pub(super) fn tolls_until(&self, sweeps: &[Sweep], enough: &dyn Fn(&Tolls) -> bool) -> Tolls {
        let ways: SmallVec<[Way<'_>; 3]> =
            self.ways.iter().map(|(track, formation)| Way { track, formation: *formation }).collect();
        ground::tolls_until(self.field, self.unit, &ways, sweeps, self.mounted, enough)
    }

    pub(super) fn is_change_alone(&self) -> bool {
        self.changes > 0 && self.went == Length::ZERO
    }

    /// Whether it goes no further than anybody may whatever it costs.
    pub(super) fn is_an_inch(&self) -> bool {
        let least = reach(self.field.charts().pace.least);
        self.changes == 0 && measured(self.went) <= least && !self.forced
    }

    fn finish(mut self) -> Judged {
        let (field, unit) = (self.field, self.unit);
        let sweeps = self.sweeps();
        let tolls = self.tolls(&sweeps);
        self.verdict.refusals.extend(tolls.refusals.iter().cloned());
        for line in &tolls.lines {
            let label = Cow::Owned(line.name.clone());
            self.costs.push(CostLine { label, clause: line.clause, cost: line.cost, source: line.source });
        }
        let (passes, relieves) = self.friends(&sweeps);
        self.activity();
        self.enemies(&sweeps);
        self.room();
        let allowance = self.allowance(&tolls);
        self.afford(allowance, &tolls);
        self.warn(&tolls);
        let moves = self.went > Length::ZERO || self.turned || limits::waits(field, unit);
        Judged {
            verdict: self.verdict,
            end: self.pose,
            formation: self.formation,
            mounted: self.mounted,
            costs: self.costs,
            allowance,
            tolls,
            relieves,
            passes,
            moves,
            reforms: self.changes > 0,
            forced: self.forced,
        }
    }

    /// What is legal, and costs order.
    fn warn(&mut self, tolls: &Tolls) {
        let unit = self.unit;
        if tolls.over_obstacle {
            self.verdict.caution(Clause::OverAnObstacle, "coming over an obstacle disorders it").about(unit);
        }
        if let Some(clause) = tolls.disorders {
            self.verdict.caution(clause, "the ground on the way disorders it").about(unit);
        }
        if self.forced {
            self.verdict.caution(Clause::DisorderedByHardMarching, "a forced march disorders it").about(unit);
        }
    }

    /// What may be spent: the lowest allowance of all formations on the way, and the bonus of a road.
    pub(super) fn allowance(&self, tolls: &Tolls) -> Length {
        let (field, unit) = (self.field, self.unit);
        let paces = &field.charts().pace;
        let driven = self.used.iter().any(|(formation, _)| formation.shape == Shape::Limbered);
        let counts = |formation: &Formation| !driven || !formation.is_deployed();
        let used = || self.used.iter().filter(|(formation, _)| counts(formation));
        let pace = |formation: Formation, mounted: bool| {
            let pace = evolution::pace_as(field, unit, formation, mounted);
            let basic = reach(if self.forced { pace.forced } else { pace.normal });
            evolution::halved_for_horses(field, unit, formation, basic)
        };
        let mut least = used().map(|(formation, mounted)| pace(*formation, *mounted)).min().unwrap_or(Length::ZERO);
        // Dismounted horse leads its mounts through a swamp.
        if tolls.swamp && facts(field, unit).arm == Arm::Cavalry {
            least = least.min(reach(paces.cavalry_leading.normal));
        }
        if tolls.on_road {
            let bonus = |formation: Formation, mounted| reach(evolution::pace_as(field, unit, formation, mounted).road);
            least += used().map(|(formation, mounted)| bonus(*formation, *mounted)).min().unwrap_or(Length::ZERO);
        }
        least
    }

    /// Whether the move can be paid for: in full, or a change and nothing else, or an inch at least (mv-min).
    pub(super) fn afford(&mut self, allowance: Length, tolls: &Tolls) {
        let spent = self.spent();
        let inch = self.is_an_inch() && allowance > Length::ZERO;
        if measured(spent) <= measured(allowance) || self.is_change_alone() || inch {
            return;
        }
        let clause = match self.changes {
            _ if self.forced => Clause::ForcedMarching,
            0 if !tolls.lines.is_empty() => Clause::GroundShortensTheMove,
            0 => Clause::OrdinaryMoves,
            _ => Clause::ReFormingAndMovingOn,
        };
        let text = match spent {
            Length::MAX => "that takes its whole move, and it can do nothing else".to_owned(),
            _ => format!("that costs {}, and it has {}", measured(spent), measured(allowance)),
        };
        let (from, to) = (self.start.at, self.pose.at);
        self.verdict.refuse(clause, text).about(self.unit).at(Mark::Measured(from, to, measured(self.went)));
    }

    /// What the arm and what it did before allow: guns (C-14b), squares (empire.12.3-f).
    pub(super) fn activity(&mut self) {
        let (field, unit) = (self.field, self.unit);
        let goes = self.went > Length::ZERO;
        let fired = troops(field, unit).turn.fired > 0;
        let square = self.used.iter().any(|(formation, _)| formation.shape == Shape::Square);
        if square && fired && goes {
            self.refuse(Clause::FireOrMarch, "a square that has fired stays where it is");
        }
        if !field::is_battery(field, unit) {
            return;
        }
        let acts = limits::acts(field, unit);
        let deployed_first = self.used.first().is_some_and(|(formation, _)| formation.is_deployed());
        let driven = self.used.iter().any(|(formation, _)| formation.shape == Shape::Limbered);
        let source = Clause::ReFormingAndMovingOn;
        if driven && evolution::is_stuck(field, unit) && (goes || deployed_first) {
            self.refuse(Clause::TwoHorsesLost, "too few horses are left to draw the guns");
        }
        let by_hand = self.ways.iter().any(|(track, formation)| {
            formation.is_deployed() && track.stages().iter().any(|stage| stage.from != stage.to)
        });
        if by_hand && driven {
            self.refuse(source, "guns are either pushed by hand or limbered");
        }
        if by_hand && !limits::can_push(field, unit) {
            self.refuse(source, "too few gunners are left to push the guns");
        }
        if fired && driven && !acts.shoot_and_go.value {
            self.refuse(Clause::ShootAndBeOff, "only horse artillery shoots and then limbers up");
        }
        if fired && !driven && !acts.shoot_and_shift.value {
            self.refuse(source, "having fired, these guns stay where they are");
        }
        if driven && deployed_first && goes && !acts.limber_and_go.value {
            self.refuse(source, "these guns limber in one turn and move in another");
        }
        if driven && !deployed_first && goes && self.formation.is_deployed() && !acts.go_and_unlimber.value {
            self.refuse(Clause::DriveUpAndUnlimber, "these guns move in one turn and unlimber in another");
        }
    }
}
