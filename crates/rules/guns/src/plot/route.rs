//! A unit's way through the bound: where it is and how it stands after any part of its move is spent. Distance and
//! deductions together are the clock (D3), so that everybody's way can be followed side by side.

use super::ground::Toller;
use crate::clause::Clause;
use crate::evolution;
use crate::field::{self, Elements, Field};
use crate::formation::{Formation, Shape};
use crate::order::Step;
use crate::pace;
use crate::unit::{Cycle, GunClass};
use engine::{FeatureId, UnitId};
use smallvec::SmallVec;
use table::march::{Leg, Motion, Stage, Track};
use table::{Length, Pose};

/// Costs closer than this are the same: a micrometre is the smallest step there is.
const HAIR: f64 = 0.5;

/// What is complete at the end of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// A stretch of the way.
    Walked,
    /// A change of formation.
    Formed(Formation),
    /// In the saddle, or out of it.
    Mounted(bool),
    /// A step of a battery's cycle.
    Cycled(Cycle),
    /// Cover is lined.
    Lined(FeatureId),
}

/// A piece of the way.
#[derive(Clone, Debug)]
pub struct Span {
    stage: Option<Stage>,
    /// Fraction of the stage against cost since the start of the way; never falls.
    clock: SmallVec<[(f64, f64); 4]>,
    ends: f64,
    /// What is complete then.
    pub done: Done,
}

/// How a unit stands somewhere along its way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// Where.
    pub pose: Pose,
    /// How.
    pub formation: Formation,
    /// In the saddle.
    pub mounted: bool,
    /// Spans that are complete.
    pub complete: usize,
}

/// A way with its cost.
#[derive(Clone, Debug)]
pub struct Route {
    /// Whose.
    pub unit: UnitId,
    start: Standing,
    /// Its pieces.
    pub spans: Vec<Span>,
    /// The full move it counts against (R53), the road's half added where it is earned.
    pub full: Length,
    /// Which pace that is.
    pub pace: Clause,
    /// What may be spent: the full move, cut by the pace of formations taken on the way.
    pub limit: Length,
    /// What the whole way costs.
    pub cost: Length,
    /// What of it is distance.
    pub travelled: Length,
    /// Ground on the way where the unit may not go, each with its clause.
    pub barred: Vec<(FeatureId, Clause)>,
    /// Clauses of the ground it pays for.
    pub tolls: SmallVec<[Clause; 2]>,
    /// Evolutions that cannot be made.
    pub wrong: Vec<(Clause, String)>,
    /// Whether slower companions set its pace (R84).
    pub held_back: bool,
    /// Whether it never leaves the road and does nothing but march.
    pub by_road: bool,
    /// The tracks of its marches, for what they sweep over.
    pub tracks: SmallVec<[Track; 1]>,
}

/// A way being laid out.
struct Layer<'f> {
    field: &'f Field,
    toller: Toller<'f>,
    now: Standing,
    cycle: Cycle,
    spent: f64,
    limit: f64,
    route: Route,
}

impl Route {
    /// Lays a way out from where the unit stands. `pace`: the full move of its group, where it moves in one (R84).
    pub fn plan(field: &Field, unit: UnitId, steps: &[Step], pace: Option<Length>) -> Route {
        Route::defending(field, unit, steps, pace, None)
    }

    /// The same, lining cover at the end (R59).
    pub fn defending(
        field: &Field,
        unit: UnitId,
        steps: &[Step],
        pace: Option<Length>,
        defend: Option<FeatureId>,
    ) -> Route {
        let piece = field.unit(unit);
        let now =
            Standing { pose: piece.pose(), formation: piece.body.formation, mounted: piece.own.mounted, complete: 0 };
        Route::from(field, unit, now, steps, pace, defend)
    }

    /// The same from another place.
    pub fn from(
        field: &Field,
        unit: UnitId,
        now: Standing,
        steps: &[Step],
        pace: Option<Length>,
        defend: Option<FeatureId>,
    ) -> Route {
        let (full, clause) = pace::full_move_in(field, unit, now.formation, now.mounted);
        let held_back = pace.is_some_and(|pace| pace < full);
        let full = pace.map_or(full, |pace| pace.min(full));
        let route = Route {
            unit,
            start: now,
            spans: Vec::new(),
            full,
            pace: clause,
            limit: full,
            cost: Length::ZERO,
            travelled: Length::ZERO,
            barred: Vec::new(),
            tolls: SmallVec::new(),
            wrong: Vec::new(),
            held_back,
            by_road: false,
            tracks: SmallVec::new(),
        };
        let toller = Toller::new(field, unit, now.formation, now.mounted);
        let cycle = field::troops(field, unit).cycle;
        let mut layer = Layer { field, toller, now, cycle, spent: 0.0, limit: full.as_f64(), route };
        for step in steps {
            layer.step(step);
        }
        if let Some(feature) = defend {
            layer.line(feature);
        }
        layer.finish(steps)
    }

    /// How it stands after so much is spent.
    pub fn at(&self, spent: f64) -> Standing {
        let mut now = self.start;
        for span in &self.spans {
            if spent + HAIR < span.ends {
                if let Some(stage) = &span.stage {
                    now.pose = stage.at(span.fraction(spent));
                }
                return now;
            }
            if let Some(stage) = &span.stage {
                now.pose = stage.to;
            }
            match span.done {
                Done::Formed(formation) => now.formation = formation,
                Done::Mounted(mounted) => {
                    now.mounted = mounted;
                    now.formation = on_foot_or_horse(now.formation, mounted);
                }
                Done::Cycled(cycle) => now.formation = battery_formation(cycle),
                Done::Walked | Done::Lined(_) => {}
            }
            now.complete += 1;
        }
        now
    }

    /// How it stands when all is done.
    pub fn end(&self) -> Standing {
        self.at(f64::MAX)
    }

    /// How it stands when its whole allowance is spent.
    pub fn end_within(&self) -> Standing {
        self.at(self.reach())
    }

    /// What it spends at most.
    pub fn reach(&self) -> f64 {
        self.cost.min(self.limit).as_f64()
    }

    /// Its elements there.
    pub fn elements(&self, field: &Field, standing: Standing) -> Elements {
        field::elements_at(field, self.unit, standing.pose, standing.formation)
    }

    /// Deductions it pays.
    pub fn deductions(&self) -> Length {
        self.cost - self.travelled
    }

    /// Whether the unit does anything at all.
    pub fn is_idle(&self) -> bool {
        self.spans.is_empty()
    }
}

impl Span {
    /// The fraction of its stage after so much is spent.
    fn fraction(&self, spent: f64) -> f64 {
        let mut before = (0.0, f64::MIN);
        for &(fraction, cost) in &self.clock {
            if cost > spent {
                let paid =
                    if before.1 > f64::MIN && cost > before.1 { (spent - before.1) / (cost - before.1) } else { 0.0 };
                return before.0 + (fraction - before.0) * paid.clamp(0.0, 1.0);
            }
            before = (fraction, cost);
        }
        before.0
    }
}

impl Layer<'_> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::March(legs) => self.march(legs),
            Step::Form(formation) => self.form(*formation),
            Step::Mount => self.mount(true),
            Step::Dismount => self.mount(false),
            Step::Unlimber => self.cycle(next_unlimbering(self.field, self.route.unit, self.cycle)),
            Step::Limber => self.cycle(next_limbering(self.field, self.route.unit, self.cycle)),
            Step::Fire => {}
        }
    }

    fn march(&mut self, legs: &[Leg]) {
        let footprint = self.field.footprint(self.route.unit, self.now.formation);
        let track = Track::plot(self.now.pose, footprint, legs);
        for stage in track.stages() {
            let mut clock = SmallVec::new();
            let distance = stage_length(stage);
            self.toller.walk(stage, self.now.formation, distance, self.spent, &mut clock);
            let ends = clock.last().map_or(self.spent, |last: &(f64, f64)| last.1);
            self.route.travelled += Length::from_um(distance);
            self.spent = ends;
            self.route.spans.push(Span { stage: Some(*stage), clock, ends, done: Done::Walked });
        }
        self.now.pose = track.end();
        self.route.tracks.push(track);
    }

    fn form(&mut self, formation: Formation) {
        let unit = self.route.unit;
        match evolution::cost(self.field, unit, self.now.formation, formation) {
            Ok((cost, _)) => {
                self.pay(cost, Done::Formed(formation));
                self.now.formation = formation;
                self.slow_down();
            }
            Err(text) => self.route.wrong.push((Clause::OtherChanges, text)),
        }
    }

    fn mount(&mut self, mounted: bool) {
        let facts = field::facts(self.field, self.route.unit);
        if self.now.mounted == mounted || !facts.can_dismount {
            let text = if facts.can_dismount { "it is so already" } else { "it does not fight on foot" };
            return self.route.wrong.push((Clause::DismountedCavalry, text.to_owned()));
        }
        let cost = field::distance(self.field, &self.field.charts().evolution.mounting);
        self.pay(cost, Done::Mounted(mounted));
        self.now.mounted = mounted;
        self.now.formation = on_foot_or_horse(self.now.formation, mounted);
        self.toller.dress(self.now.formation, mounted);
        self.slow_down();
    }

    fn cycle(&mut self, next: Option<Cycle>) {
        let Some(next) = next else { return };
        self.cycle = next;
        self.now.formation = battery_formation(next);
        self.pay(Length::ZERO, Done::Cycled(next));
    }

    /// Taking post behind cover costs what loosening a line does.
    fn line(&mut self, feature: FeatureId) {
        let table = &self.field.charts().evolution;
        let loose = self.now.formation.shape == Shape::Loose;
        let cost = if loose { Length::ZERO } else { field::distance(self.field, &table.line_open) };
        self.pay(cost, Done::Lined(feature));
    }

    fn pay(&mut self, cost: Length, done: Done) {
        self.spent += cost.as_f64();
        self.route.spans.push(Span { stage: None, clock: SmallVec::new(), ends: self.spent, done });
    }

    /// What is left after an evolution is no more than the full move of the new formation (R53).
    fn slow_down(&mut self) {
        let full = pace::full_move_in(self.field, self.route.unit, self.now.formation, self.now.mounted).0;
        self.limit = self.limit.min(self.spent + full.as_f64());
    }

    fn finish(mut self, steps: &[Step]) -> Route {
        let only_marches = steps.iter().all(|step| matches!(step, Step::March(_)));
        self.route.by_road = only_marches && self.toller.kept_to_road();
        if self.route.by_road {
            self.route.full = pace::with_road(self.field, self.route.full);
            self.limit = self.route.full.as_f64();
        }
        self.route.limit = Length::from_um(self.limit);
        self.route.cost = Length::from_um(self.spent);
        self.route.barred = self.toller.barred;
        self.route.tolls = self.toller.tolls;
        self.route
    }
}

/// What a leg costs in distance: for a swing the arc of the corner that goes farthest (R55).
fn stage_length(stage: &Stage) -> f64 {
    match stage.motion {
        Motion::Slide(by) => by.length(),
        Motion::Flip => 0.0,
        Motion::Swing { pivot, by } => {
            let corners = stage.footprint.quad(stage.from).corners;
            let farthest = corners.iter().map(|corner| corner.distance(pivot)).fold(0.0, f64::max);
            farthest * (f64::from(by.abs()) / 1000.0).to_radians()
        }
    }
}

/// A squadron in a column of them stands in line once it is off its horses.
pub fn on_foot_or_horse(formation: Formation, mounted: bool) -> Formation {
    match formation.shape {
        Shape::Squadrons if !mounted => Formation::usual(Shape::Line),
        Shape::Assault if mounted => Formation::usual(Shape::Line),
        Shape::Line if mounted => Formation::usual(Shape::Line),
        _ => formation,
    }
}

/// How a battery stands at a point of its cycle.
pub fn battery_formation(cycle: Cycle) -> Formation {
    match cycle {
        Cycle::Limbered | Cycle::Unlimbering => Formation::usual(Shape::Limbered),
        Cycle::Deployed | Cycle::Limbering | Cycle::Abandoned => Formation::usual(Shape::Deployed),
    }
}

/// Whether a battery needs two bounds to limber or to unlimber.
pub fn is_ponderous(field: &Field, unit: UnitId) -> bool {
    matches!(field::facts(field, unit).class, Some(GunClass::Heavy | GunClass::SuperHeavy))
}

fn next_unlimbering(field: &Field, unit: UnitId, cycle: Cycle) -> Option<Cycle> {
    match cycle {
        Cycle::Limbered if is_ponderous(field, unit) => Some(Cycle::Unlimbering),
        Cycle::Limbered | Cycle::Unlimbering => Some(Cycle::Deployed),
        _ => None,
    }
}

fn next_limbering(field: &Field, unit: UnitId, cycle: Cycle) -> Option<Cycle> {
    match cycle {
        Cycle::Deployed if is_ponderous(field, unit) => Some(Cycle::Limbering),
        Cycle::Deployed | Cycle::Limbering => Some(Cycle::Limbered),
        _ => None,
    }
}
