//! Marches: every unit looks at what it could do, weighs fire given and taken against the way it has still to go, and
//! does the best that is lawful.

use super::Temper;
use super::arms::{self, Drawn, Mosts};
use super::plan::{Goal, Plan};
use super::rank::Rank;
use super::route::{Gait, Route};
use super::scene::{Field, INCH, Scene, greater, hit_worth, lesser, stake, um};
use super::volley::{Choice, Smoke};
use super::ways::{Course, by_ways, courses, stance};
use engine::UnitId;
use rules::days::charts::reach;
use rules::days::field::{self, facts, formation, is_mounted, is_routing, order};
use rules::days::formation::{Formation, Shape};
use rules::days::movement::Crowd;
use rules::days::order::Order;
use rules::days::unit::{Arm, OrderState};
use rules::days::{evolution, ground, movement};
use table::{Angle, Pose, Quad, Vec2};

/// Courses that look no better than standing still by so much, in points, are not worth an order.
const LEAST: f64 = 0.15;
/// So many of the best courses are put to the judge before a unit stays where it is.
const TRIES: usize = 60;
/// Nobody counts more turns of standing still than these.
const LONGEST: u16 = 3;
/// Whoever is stuck has all of them judged.
const ALL: usize = usize::MAX;
/// The last stretch is gone at so many inches a turn.
const FIGHTING_PACE: f64 = 5.0;
/// Whoever shoots so many inches further than his enemy can let him come.
const OUTRANGES: f64 = 4.0;
/// So near, in inches, foot goes to whom it has to drive off a place.
const BAYONET: f64 = 3.0;
/// Whoever is in such haste does not stop to form up.
const RUSH: f64 = 1.5;
/// Unless enemies bar his way so many inches off: columns of march drive nobody away.
const CLOSE: f64 = 8.0;
/// So many times what one friend beside it is worth are two.
const BOTH_FLANKS: f64 = 3.0;
/// So often a place is looked at until all is known about it.
const LOOKS: u8 = 3;
/// The first of them.
const FIRST: u8 = 1;

/// One unit's thoughts about where to stand.
pub struct Mind<'m> {
    field: &'m Field,
    smoke: &'m Smoke<'m>,
    plan: &'m Plan,
    temper: &'m Temper,
    unit: UnitId,
    goal: Goal,
    /// Where it would like to get near to, and how near.
    there: Option<(Vec2, f64)>,
    /// The way there.
    route: Option<Route<'m>>,
    worth: f64,
    /// What there is of it to lose.
    stake: f64,
    /// Whether it shoots a good deal further than whom it goes for: then there is less of a hurry.
    outranges: bool,
    /// What its fire would be worth where it wants to be; guns only.
    promise: f64,
    /// Whether it goes for a place that has to be taken and does not stand on it yet.
    storms: bool,
    /// Whether enemies stand on the place it goes for, or close to it.
    barred: bool,
    /// The most its fire could do to anybody.
    mosts: Mosts,
    /// How much more than usual it has to hurry: the day is lost if it does not get to its place in time.
    haste: f64,
}

/// What counts about a place; as long as something is not known, the best of it.
struct Place {
    /// Which way it looks there.
    forward: Vec2,
    body: Quad,
    /// How many turns off it leaves the unit.
    turns: f64,
    exposed: f64,
    given: f64,
    /// At whom that could be.
    marks: Choice,
    joined: f64,
    taken: f64,
    broken: f64,
    /// Whether it is a column in a heavy wood.
    entangled: bool,
    held: bool,
}

impl<'m> Mind<'m> {
    fn of(field: &'m Field, smoke: &'m Smoke<'m>, plan: &'m Plan, temper: &'m Temper, unit: UnitId) -> Mind<'m> {
        let goal = plan.goal(unit);
        let worth = hit_worth(field, unit);
        let (pose, formation, _) = stance(field, unit);
        let drawn = Drawn::of(field, unit, formation);
        let mut mind = Mind {
            field,
            smoke,
            plan,
            temper,
            unit,
            goal,
            there: None,
            route: None,
            worth,
            stake: stake(field, unit),
            outranges: false,
            promise: 0.0,
            storms: false,
            barred: matches!(goal, Goal::Place(feature) if plan.is_barred(feature)),
            mosts: Mosts::default(),
            haste: 1.0,
        };
        mind.there = mind.place();
        let here = pose.at.vec();
        mind.route = mind.there.map(|(there, _)| Route::to(&plan.going, mind.gait(), mind.friends(), there, here));
        mind.haste = mind.haste(pose, &drawn);
        if let Goal::Foe(enemy) = goal {
            let reach = |unit: UnitId| arms::ranges(field, unit).map_or(0.0, |(_, most)| most);
            let foot = mind.arm() == Arm::Infantry && facts(field, enemy).arm == Arm::Infantry;
            mind.outranges = foot && reach(unit) > reach(enemy) + um(OUTRANGES);
        }
        mind.promise = match (goal, mind.there) {
            (Goal::Foe(enemy), Some((_, near))) if mind.arm() == Arm::Artillery => smoke.promise(unit, enemy, near),
            _ => 0.0,
        };
        mind.storms = match goal {
            Goal::Place(feature) if plan.is_prize(feature) => {
                ground::feature(field, feature).is_some_and(|place| place.shape.gap_to(field.unit(unit).quad()) > 0.0)
            }
            // Nor is a place taken while an enemy is on it.
            Goal::Foe(enemy) => mind.arm() == Arm::Infantry && plan.prize(field, enemy) > 0.0,
            _ => false,
        };
        mind
    }

    /// Whoever has to take a place before the day is over leaves nothing for the last turns.
    fn haste(&self, pose: Pose, drawn: &Drawn<'_>) -> f64 {
        match self.goal {
            Goal::Place(feature) if self.plan.is_prize(feature) => {
                let spare = self.plan.left - self.turns_off(pose, drawn);
                (1.0 + self.temper.early - spare).clamp(1.0, self.temper.haste)
            }
            _ => 1.0,
        }
    }

    fn gait(&self) -> Gait {
        match self.arm() {
            Arm::Artillery | Arm::Wagon => Gait::Wheels,
            Arm::Cavalry if is_mounted(self.field, self.unit) => Gait::Horse,
            _ => Gait::Foot,
        }
    }

    /// Friends it has to go round.
    fn friends(&self) -> impl Iterator<Item = UnitId> + use<'m> {
        let (field, whole) = (self.field, field::whole(self.field, self.unit));
        field::present(field, field.side_of(self.unit))
            .map(|(id, _)| id)
            .filter(move |id| field::whole(field, *id) != whole && !is_routing(field, *id))
    }

    /// Where it makes for now.
    fn aim(&self) -> Option<Vec2> {
        let here = self.field.unit(self.unit).pose().at.vec();
        self.there.map(|(there, _)| self.route.as_ref().map_or(there, |route| route.next(here)))
    }

    fn arm(&self) -> Arm {
        facts(self.field, self.unit).arm
    }

    /// Where it wants to be near, and how near.
    fn place(&self) -> Option<(Vec2, f64)> {
        let (field, unit) = (self.field, self.unit);
        let here = field.unit(unit).quad().centre;
        match self.goal {
            Goal::Foe(enemy) if field::is_there(field, enemy) => {
                let there = self.plan.spot(unit).unwrap_or_else(|| field.unit(enemy).quad().centre);
                let near = match self.arm() {
                    Arm::Cavalry if is_mounted(field, unit) => um(self.waiting(enemy)),
                    Arm::Artillery => arms::ranges(field, unit)?.0 * 0.85,
                    // The bayonet clears it.
                    Arm::Infantry if self.plan.prize(field, enemy) > 0.0 => um(BAYONET),
                    _ => self.best_range(enemy)?,
                };
                Some((there, near))
            }
            Goal::Place(feature) => {
                let shape = &ground::feature(field, feature)?.shape;
                let inside = self.plan.spot(unit).unwrap_or_else(|| shape.centre());
                let off = shape.distance(here);
                // Half a body inside holds it.
                Some((if off <= 0.0 { here } else { inside }, 0.0))
            }
            _ => None,
        }
    }

    /// How far off horse waits: within a charge of those it can ride down, behind the foot for the others.
    fn waiting(&self, enemy: UnitId) -> f64 {
        let field = self.field;
        let prey = order(field, enemy) >= OrderState::Shaken
            || facts(field, enemy).arm == Arm::Artillery
            || field::skirmishes(field, enemy);
        if prey { self.temper.horse_at } else { self.temper.horse_back }
    }

    /// The distance at which its fire is best for what it costs.
    fn best_range(&self, enemy: UnitId) -> Option<f64> {
        let field = self.field;
        let (effective, _) = arms::ranges(field, self.unit)?;
        let theirs = arms::ranges(field, enemy).filter(|_| facts(field, enemy).arm == Arm::Infantry);
        let outranges = theirs.is_none_or(|(near, _)| near + um(0.8) < effective);
        let press = if outranges { self.temper.press_far } else { self.temper.press };
        Some(greater(effective - um(press), um(2.0)))
    }

    /// Turns until it gets there, wheels and forming up counted.
    fn turns_off(&self, pose: Pose, drawn: &Drawn<'_>) -> f64 {
        let Some((there, _)) = self.there else { return 0.0 };
        let here = pose.at.vec();
        let (apart, next) = match &self.route {
            Some(route) => route.from(here),
            None => ((there - here).length(), there),
        };
        self.turns_along(pose, drawn, apart, Some(next - here))
    }

    /// No more than that: as if the way were straight, and nobody had to wheel.
    fn least_turns_off(&self, pose: Pose, drawn: &Drawn<'_>) -> f64 {
        let Some((there, _)) = self.there else { return 0.0 };
        self.turns_along(pose, drawn, pose.at.vec().distance(there), None)
    }

    /// The same for so long a way that begins in some direction; where that is not known it lies straight ahead.
    fn turns_along(&self, pose: Pose, drawn: &Drawn<'_>, apart: f64, way: Option<Vec2>) -> f64 {
        let Some((_, near)) = self.there else { return 0.0 };
        let formation = drawn.formation;
        let far = greater(apart - near, 0.0);
        let guns = self.arm() == Arm::Artillery;
        let pace = greater(drawn.pace, um(1.0));
        let fights = match formation.shape {
            // Places are stormed by columns.
            Shape::Line | Shape::Manoeuvre if self.storms => formation.shape == Shape::Manoeuvre,
            Shape::Line | Shape::Skirmish | Shape::Square | Shape::Deployed | Shape::Massed => true,
            Shape::March | Shape::Manoeuvre | Shape::Column | Shape::Limbered => false,
        };
        let off = way.map_or(0.0, |way| Angle::of(way).apart(pose.facing).as_degrees());
        let off = if off > 120.0 { 180.0 - off + 25.0 } else { off };
        let free = if far > um(1.0) { self.temper.slack * 0.5 } else { self.temper.slack };
        let turn = if apart < um(1.5) { 0.0 } else { greater(off - free, 0.0).to_radians() };
        let width = match formation.shape {
            Shape::Skirmish => 0.0,
            Shape::Deployed | Shape::Massed => um(4.0),
            _ => drawn.body.width.as_f64(),
        };
        let rushes = self.haste > RUSH && !(self.barred && far < um(CLOSE));
        let forming = if fights || guns || rushes { 0.0 } else { self.temper.forming };
        let wheeling = lesser(2.0 * turn * width, pace * self.temper.wheeling) / pace;
        // The last stretch is gone as troops go that fight, whatever they are drawn up as now.
        let last = if guns || self.gait() == Gait::Horse { 0.0 } else { lesser(far, um(self.temper.last)) };
        (far - last) / pace + last / um(FIGHTING_PACE) + wheeling + forming
    }

    /// What a unit gives to get out of a jam: whoever has far to go and shoots at nobody would rather go round about than
    /// stand.
    fn patience(&self) -> f64 {
        let (pose, formation) = (self.field.unit(self.unit).pose(), formation(self.field, self.unit));
        let drawn = Drawn::of(self.field, self.unit, formation);
        let far = self.turns_off(pose, &drawn) > 1.2;
        let idle = self.smoke.given_at(&drawn, pose) < 0.2;
        let marches = matches!(self.goal, Goal::Foe(_) | Goal::Place(_));
        let halted = f64::from(self.plan.halted(self.unit).min(LONGEST));
        let turns = self.temper.patience + halted * self.temper.detour;
        if far && idle && marches { self.temper.hurry * turns } else { 0.0 }
    }

    /// What it is worth to stand so.
    fn value(&self, pose: Pose, drawn: &Drawn<'_>) -> f64 {
        let (forward, range) = (pose.forward(), drawn.arms.as_ref().map_or(0.0, |arms| arms.range));
        let body = drawn.body.quad_along(pose.at.vec(), forward);
        let near = self.smoke.near(body.centre, body.radius, range);
        let mut place = self.best_case(pose, (forward, body), drawn, &near);
        (1..=LOOKS).for_each(|look| self.look(pose, drawn, &mut place, look));
        self.weigh(drawn, &place)
    }

    /// A place at its best: what is soon found out, and the best of everything else. With every look it may turn out
    /// worse, never better.
    fn best_case(&self, pose: Pose, (forward, body): (Vec2, Quad), drawn: &Drawn<'_>, near: &[usize]) -> Place {
        let (given, marks) = self.smoke.most_given(drawn, &self.mosts, near, (forward, &body));
        Place {
            forward,
            body,
            turns: self.least_turns_off(pose, drawn),
            exposed: self.exposed(pose, drawn),
            given,
            marks,
            joined: self.temper.joined * BOTH_FLANKS,
            taken: 0.0,
            broken: 0.0,
            entangled: false,
            held: true,
        }
    }

    /// Looks more closely at a place: first at the way from it, then at its own fire and its friends, then at everything
    /// else.
    fn look(&self, pose: Pose, drawn: &Drawn<'_>, place: &mut Place, look: u8) {
        if look == FIRST {
            place.turns = self.turns_off(pose, drawn);
            return;
        }
        let stands = drawn.stands_along(pose, place.forward);
        if look < LOOKS {
            place.given = self.smoke.given(drawn, &stands, place.marks);
            place.joined = self.joined(pose, place.forward, drawn);
            return;
        }
        let broken = ground::disordering(self.field, &stands).is_some();
        place.broken = if broken { self.temper.broken_ground } else { 0.0 };
        place.entangled = broken && self.is_entangled(pose, drawn.formation);
        place.held = matches!(self.goal, Goal::Place(feature) if self.holds(feature, &stands));
        place.taken = self.smoke.taken(drawn, &stands, &place.body, false);
    }

    /// What a place is worth. Fire given, a place held and friends beside it never make it worth less, fire taken and
    /// broken ground never more: [`best`] counts on it.
    fn weigh(&self, drawn: &Drawn<'_>, place: &Place) -> f64 {
        let temper = self.temper;
        let taken = lesser(place.taken * self.worth * 1.2, self.stake);
        if self.goal == Goal::Retire {
            return self.out_of_it(&place.body, place.given, taken) - place.broken;
        }
        let turns = place.turns;
        let mut sum = -taken * temper.take;
        if self.arm() == Arm::Artillery {
            sum += self.gunnery(turns, drawn, place.given) * temper.give;
            sum -= turns * temper.guns_hurry * self.support() * self.plan.eager;
        } else {
            let hurry = match self.goal {
                Goal::Place(_) => temper.hurry * temper.storm * self.haste,
                _ => temper.hurry * if self.outranges { temper.calm } else { 1.0 },
            };
            sum += place.given * temper.give - turns * hurry * self.plan.eager;
        }
        if matches!(self.goal, Goal::Place(_)) {
            sum += if place.held { temper.hold * self.haste } else { 0.0 };
        } else {
            sum -= place.broken;
        }
        if place.entangled {
            sum -= temper.entangled;
        }
        sum -= place.exposed;
        sum += place.joined;
        sum
    }

    /// How much more guns want to come up where their side has a place to take: foot storms nothing without them.
    fn support(&self) -> f64 {
        if self.plan.has_prizes() { 4.0 } else { 1.0 }
    }

    /// What guns would do from here in the turns to come, as so much a turn: they stay and shoot, or get to where they
    /// shoot best and are silent until then.
    fn gunnery(&self, off: f64, drawn: &Drawn<'_>, given: f64) -> f64 {
        let (field, unit) = (self.field, self.unit);
        let turns = lesser(self.plan.left, self.temper.outlook * self.support().sqrt());
        let acts = movement::limits::acts(field, unit);
        let limbering = match (drawn.formation.is_deployed(), acts.limber_and_go.value) {
            (false, _) => 0.0,
            (true, true) => 0.5,
            (true, false) => 1.0,
        };
        let unlimbering = if acts.go_and_unlimber.value { 0.5 } else { 1.0 };
        let silent = off + limbering + unlimbering;
        let later = self.promise * greater(turns - silent, 0.0) / greater(turns, 1.0);
        greater(given, later)
    }

    /// Whether it would stand on the place it is to hold.
    fn holds(&self, feature: engine::FeatureId, stands: &[Quad]) -> bool {
        let place = ground::feature(self.field, feature);
        place.is_some_and(|place| stands.iter().any(|stand| place.shape.gap_to(stand) <= 0.0))
    }

    /// Columns do not form up in a heavy wood: whoever stops there in one does not fight before he is out of it.
    fn is_entangled(&self, pose: Pose, formation: Formation) -> bool {
        let column = matches!(formation.shape, Shape::March | Shape::Manoeuvre) && !self.storms;
        column && evolution::among_heavy_trees(self.field, self.unit, pose, formation)
    }

    /// Spent units keep out of reach, but not out of the battle.
    fn out_of_it(&self, quad: &Quad, given: f64, taken: f64) -> f64 {
        let near = self.smoke.nearest(quad.centre) / INCH;
        let bounds = self.field.ground().bounds();
        let edge = if bounds.grown(-um(2.0)).contains(quad.centre) { 0.0 } else { 2.0 };
        given * 0.3 - taken * 1.6 + lesser(near, 22.0) * self.temper.retire - edge
    }

    /// Columns near the enemy are caught by charges, flanks turned to him by fire.
    fn exposed(&self, pose: Pose, drawn: &Drawn<'_>) -> f64 {
        let marching = matches!(drawn.formation.shape, Shape::March | Shape::Limbered);
        let (horse, guns) = (is_mounted(self.field, self.unit), self.arm() == Arm::Artillery);
        if !(marching || horse || guns) {
            return 0.0;
        }
        let near = self.smoke.nearest(pose.at.vec());
        let (marching, horse, guns) = (marching && near < um(14.0), horse && near < um(6.0), guns && near < um(7.0));
        let risk = if marching { self.temper.marching } else { 0.0 }
            + if horse { 0.04 } else { 0.0 }
            + if guns { 0.06 } else { 0.0 };
        risk * self.stake
    }

    /// Troops with friends close to both flanks are steadier.
    fn joined(&self, pose: Pose, forward: Vec2, drawn: &Drawn<'_>) -> f64 {
        let (field, unit, body) = (self.field, self.unit, drawn.body);
        if self.arm() != Arm::Infantry || matches!(drawn.formation.shape, Shape::Skirmish | Shape::Square) {
            return 0.0;
        }
        let (half, rear) = (body.width.half().as_f64(), -body.depth.as_f64());
        let near = reach(field.charts().constant.flank_near).as_f64() - um(0.05);
        let (whole, here, right) = (field::whole(field, unit), pose.at.vec(), forward.perp_right());
        let covered = |x: f64| {
            let edge = [0.0, rear].map(|y| here + right * x + forward * y);
            self.smoke.friends.iter().filter(|friend| friend.steady && friend.whole != whole).any(|friend| {
                friend.quad.centre.distance(edge[0]) < friend.quad.radius + near - rear
                    && table::convex::gap(&edge, friend.quad.points()) < near
            })
        };
        match (covered(-half), covered(half)) {
            (true, true) => self.temper.joined * BOTH_FLANKS,
            (false, false) => 0.0,
            _ => self.temper.joined,
        }
    }
}

/// The best lawful march of a unit; nothing where it stays.
pub fn march(scene: &Scene<'_, '_>, smoke: &Smoke<'_>, plan: &Plan, temper: &Temper, unit: UnitId) -> Option<Order> {
    let field = scene.field();
    if !movement::limits::may_move(field, unit) {
        return None;
    }
    let waits = movement::limits::waits(field, unit);
    let mind = Mind::of(field, smoke, plan, temper, unit);
    let here = || mind.value(field.unit(unit).pose(), &Drawn::of(field, unit, formation(field, unit))) + LEAST;
    let stays = if waits { f64::MIN } else { here() };
    let aim = mind.aim();
    // Only those who are stuck look at everything they could do.
    let course = best(&mind, courses(field, unit, aim, plan), stays, TRIES)
        .or_else(|| best(&mind, by_ways(field, unit, aim, plan), stays - mind.patience(), ALL))?;
    Some(Order::March { unit, steps: course.steps(), crest: None })
}

/// The best lawful course that is worth more than the least.
fn best(mind: &Mind<'_>, mut found: Vec<Course>, least: f64, tries: usize) -> Option<Course> {
    let (field, unit) = (mind.field, mind.unit);
    let mut drawn: Vec<Drawn<'_>> = Vec::new();
    let mut as_drawn: Vec<usize> = Vec::with_capacity(found.len());
    for course in &found {
        let known = drawn.iter().position(|one| one.formation == course.formation);
        as_drawn.push(known.unwrap_or(drawn.len()));
        if known.is_none() {
            drawn.push(Drawn::of(field, unit, course.formation));
        }
    }
    // Courses that look the same way follow one another.
    let mut looks = (Angle::NORTH, Angle::NORTH.unit());
    let mut forward = |facing: Angle| {
        if looks.0 != facing {
            looks = (facing, facing.unit());
        }
        looks.1
    };
    let bodies: Vec<(Vec2, Quad)> = found
        .iter()
        .zip(&as_drawn)
        .map(|(course, no)| {
            let forward = forward(course.end.facing);
            (forward, drawn[*no].body.quad_along(course.end.at.vec(), forward))
        })
        .collect();
    // Nobody asks of every place about enemies who are out of reach of all of them.
    let here = field.unit(unit).quad().centre;
    let radius = bodies.iter().map(|(_, body)| body.centre.distance(here) + body.radius).fold(0.0, greater);
    let range = drawn.iter().filter_map(|one| one.arms.as_ref()).map(|arms| arms.range).fold(0.0, greater);
    let near = mind.smoke.near(here, radius, range);
    let mut places: Vec<Place> = Vec::with_capacity(found.len());
    for ((course, no), body) in found.iter().zip(&as_drawn).zip(bodies) {
        places.push(mind.best_case(course.end, body, &drawn[*no], &near));
    }
    let most = places.iter().zip(&as_drawn).map(|(place, no)| mind.weigh(&drawn[*no], place));
    let mut rank = Rank::of(most, least, LOOKS);
    let around = places.iter().map(|place| place.body.bounds()).reduce(|all, one| all.joined(&one));
    let crowd = Crowd::about(field, unit, around.unwrap_or_default());
    let mut weigh = |no: usize, look: u8| {
        let drawn = &drawn[as_drawn[no]];
        // It is sooner seen that a place is taken than what it would be worth.
        if look == FIRST && crowd.takes(found[no].end, &places[no].body, drawn.layout()) {
            return f64::MIN;
        }
        mind.look(found[no].end, drawn, &mut places[no], look);
        mind.weigh(drawn, &places[no])
    };
    let lawful = |no: &usize| movement::is_lawful(field, unit, &found[*no].steps());
    let chosen = std::iter::from_fn(|| rank.next(&mut weigh)).take(tries).find(lawful)?;
    Some(found.swap_remove(chosen))
}
