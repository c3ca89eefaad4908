//! What a unit could do with its move: straight on, wheels, changes of formation, turns.

use super::arms::pace;
use super::plan::{Goal, Plan};
use super::scene::{Field, um};

use engine::UnitId;
use rules::days::field::{facts, formation, is_mounted, troops};
use rules::days::formation::{Formation, Shape};
use rules::days::movement::limits;
use rules::days::order::Step;
use rules::days::unit::{Arm, Part};
use rules::days::{arrival, evolution};
use smallvec::{SmallVec, smallvec};
use table::march::{Leg, Track};
use table::{Angle, Flank, Length, Point, Pose, Vec2};

/// One thing a unit could do, and where it ends. Of a hundred of them one is ordered, so they are no orders yet.
#[derive(Clone, Debug)]
pub struct Course {
    /// A change it begins with.
    first: Option<Change>,
    /// The way it goes.
    legs: Legs,
    /// A change it ends with.
    last: Option<Change>,
    /// Where it stands then.
    pub end: Pose,
    /// And how.
    pub formation: Formation,
}

/// A way: no course has more legs than two.
type Legs = SmallVec<[Leg; 2]>;

/// A change of formation.
#[derive(Clone, Copy, Debug)]
enum Change {
    Form(Formation),
    Limber,
    Unlimber,
}

impl Change {
    fn step(self) -> Step {
        match self {
            Change::Form(to) => Step::Form(to),
            Change::Limber => Step::Limber,
            Change::Unlimber => Step::Unlimber(Shape::Deployed),
        }
    }
}

impl Course {
    /// What it is as an order.
    pub fn steps(&self) -> Vec<Step> {
        let march = (!self.legs.is_empty()).then(|| Step::March(self.legs.to_vec()));
        let (first, last) = (self.first.map(Change::step), self.last.map(Change::step));
        [first, march, last].into_iter().flatten().collect()
    }
}

/// Draws courses up.
struct Draughtsman<'f> {
    field: &'f Field,
    unit: UnitId,
    pose: Pose,
    now: Formation,
    aim: Option<Vec2>,
    found: Vec<Course>,
}

/// Shares of what can be afforded.
const SHARES: [f64; 7] = [1.0, 0.87, 0.74, 0.6, 0.45, 0.3, 0.15];

/// The same of what is left after a wheel.
const ON: [f64; 5] = [1.0, 0.8, 0.6, 0.4, 0.2];

/// Whoever goes out of the way of others goes at least so many inches.
const ASIDE: f64 = 1.5;
/// Bodies no wider than this, in inches, wheel easily.
const NARROW: f64 = 4.5;

/// The courses of a unit that makes for a place.
pub fn courses(field: &Field, unit: UnitId, aim: Option<Vec2>, plan: &Plan) -> Vec<Course> {
    let (mut drawn, entering) = draughtsman(field, unit, aim, plan);
    let (pose, now) = (drawn.pose, drawn.now);
    let card = facts(field, unit);
    if entering {
        drawn.straight(pose, now, pace(field, unit, now), None);
    } else if now.shape == Shape::Skirmish {
        drawn.loose();
        drawn.changes();
    } else if card.arm == Arm::Artillery && card.part.is_none() {
        drawn.guns();
    } else {
        drawn.formed();
        drawn.changes();
        drawn.about();
    }
    drawn.found
}

/// What else there is for a formed unit whose way is blocked: every wheel, every turn, every
/// formation, short of the whole move too.
pub fn by_ways(field: &Field, unit: UnitId, aim: Option<Vec2>, plan: &Plan) -> Vec<Course> {
    let (mut drawn, entering) = draughtsman(field, unit, aim, plan);
    let now = drawn.now;
    if entering || matches!(now.shape, Shape::Skirmish | Shape::Square) || now.is_deployed() {
        return Vec::new();
    }
    drawn.wheels();
    if now.shape != Shape::Limbered {
        drawn.turns();
    }
    // Whoever turns about on the spot has not got out of anybody's way, however far his front is from where it was.
    let start = drawn.centre(drawn.pose, now);
    let mut found = std::mem::take(&mut drawn.found);
    found.retain(|course| drawn.centre(course.end, course.formation).distance(start) > um(ASIDE));
    drawn.changes();
    found.append(&mut drawn.found);
    found
}

/// Where and how a unit stands before its move, and whether it is only now coming onto the table.
pub fn stance(field: &Field, unit: UnitId) -> (Pose, Formation, bool) {
    let entering = limits::waits(field, unit).then(|| arrival::entry(field, unit)).flatten();
    let (pose, now) = entering.unwrap_or_else(|| (field.unit(unit).pose(), formation(field, unit)));
    (pose, now, entering.is_some())
}

fn draughtsman<'f>(field: &'f Field, unit: UnitId, aim: Option<Vec2>, plan: &Plan) -> (Draughtsman<'f>, bool) {
    let (pose, now, entering) = stance(field, unit);
    let away = plan.goal(unit) == Goal::Retire;
    let aim = aim.or_else(|| away.then(|| pose.at.vec() - plan.forward * um(20.0)));
    (Draughtsman { field, unit, pose, now, aim, found: Vec::new() }, entering)
}

impl Draughtsman<'_> {
    /// A way in the formation it has.
    fn go(&mut self, legs: Legs, end: Pose) {
        self.found.push(Course { first: None, legs, last: None, end, formation: self.now });
    }

    /// A change of formation and nothing else.
    fn change(&mut self, change: Change, end: Pose, formation: Formation) {
        self.found.push(Course { first: Some(change), legs: Legs::new(), last: None, end, formation });
    }

    /// A way and a change of formation at its end.
    fn go_and_change(&mut self, legs: Legs, last: Change, end: Pose, formation: Formation) {
        self.found.push(Course { first: None, legs, last: Some(last), end, formation });
    }

    /// Where the middle of its body would be.
    fn centre(&self, pose: Pose, formation: Formation) -> Vec2 {
        self.field.footprint(self.unit, formation).quad(pose).centre
    }

    fn end_of(&self, pose: Pose, formation: Formation, legs: &[Leg]) -> Pose {
        Track::plot(pose, self.field.footprint(self.unit, formation), legs).end()
    }

    /// How far it has to turn to look at its aim.
    fn off(&self, pose: Pose) -> i32 {
        self.aim.map_or(0, |aim| (Angle::of(aim - pose.at.vec()) - pose.facing).signed())
    }

    /// Straight on after some steps, as far as there is pace left for.
    fn straight(&mut self, pose: Pose, formation: Formation, left: f64, first: Option<Change>) {
        let most = self.aim.map_or(left, |aim| {
            let far = pose.at.vec().distance(aim);
            if far < left { far } else { left }
        });
        let forward = pose.forward();
        for share in SHARES {
            let ahead = Length::from_um(most * share);
            if ahead < Length::whole_inches(1).half() {
                continue;
            }
            let end = pose.shifted(forward * ahead.as_f64());
            self.found.push(Course { first, legs: smallvec![Leg::Ahead(ahead)], last: None, end, formation });
        }
    }

    /// Wheels towards the aim, straight on after them.
    fn formed(&mut self) {
        let (pose, now) = (self.pose, self.now);
        let allowance = pace(self.field, self.unit, now);
        self.straight(pose, now, allowance, None);
        let width = self.field.footprint(self.unit, now).width.as_f64();
        let off = self.off(pose);
        // The widest wheel there is pace for.
        let most = (allowance / (2.0 * width.max(1.0))).to_degrees() * 1000.0;
        let full = (off.abs() as f64).min(most * 0.98);
        for part in [1.0, 0.6, 0.3] {
            let by = full * part;
            if by < 1_500.0 {
                continue;
            }
            let pivot = if off < 0 { Flank::Left } else { Flank::Right };
            let wheel = Leg::Wheel { pivot, by: Angle::millidegrees(by as i32) };
            let end = self.end_of(pose, now, &[wheel]);
            self.go(smallvec![wheel], end);
            self.after(wheel, end, allowance - 2.0 * width * (by / 1000.0).to_radians(), &ON);
        }
        if width < um(NARROW) {
            self.round_about(width, allowance);
        }
    }

    /// Columns go round what is in their way.
    fn round_about(&mut self, width: f64, allowance: f64) {
        for (pivot, degrees) in [(Flank::Left, 25), (Flank::Right, 25), (Flank::Left, 50), (Flank::Right, 50)] {
            let wheel = Leg::Wheel { pivot, by: Angle::whole(degrees) };
            let left = allowance - 2.0 * width * f64::from(degrees).to_radians();
            if left > um(1.0) {
                let end = self.end_of(self.pose, self.now, &[wheel]);
                self.after(wheel, end, left, &ON);
            }
        }
    }

    /// Wheels to either side by steps, and on.
    fn wheels(&mut self) {
        let (pose, now) = (self.pose, self.now);
        let width = self.field.footprint(self.unit, now).width.as_f64();
        let allowance = pace(self.field, self.unit, now);
        for degrees in [7, 15, 25, 37, 50, 65, 80, 90] {
            for pivot in [Flank::Left, Flank::Right] {
                let left = allowance - 2.0 * width * f64::from(degrees).to_radians();
                if left < 0.0 {
                    continue;
                }
                let wheel = Leg::Wheel { pivot, by: Angle::whole(degrees) };
                let end = self.end_of(pose, now, &[wheel]);
                self.go(smallvec![wheel], end);
                self.after(wheel, end, left, &ON);
            }
        }
    }

    /// Straight on after a wheel or a turn, for shares of what is left.
    fn after(&mut self, turn: Leg, end: Pose, left: f64, shares: &[f64]) {
        let forward = end.forward();
        for share in shares {
            let ahead = Length::from_um(left * share);
            if ahead > Length::whole_inches(1).half() {
                self.go(smallvec![turn, Leg::Ahead(ahead)], end.shifted(forward * ahead.as_f64()));
            }
        }
    }

    /// Other formations, before or after what is left of the move.
    fn changes(&mut self) {
        let (field, unit, pose, now) = (self.field, self.unit, self.pose, self.now);
        if troops(field, unit).turn.reformed || facts(field, unit).part_kind() == Some(Part::Screen) {
            return;
        }
        let shapes: &[Shape] = if is_mounted(field, unit) {
            &[Shape::Line, Shape::Column]
        } else {
            &[Shape::Line, Shape::Manoeuvre, Shape::March]
        };
        for to in shapes.iter().map(|shape| Formation::usual(*shape)).filter(|to| to.shape != now.shape) {
            let Some(cost) = evolution::cost(field, unit, to) else { continue };
            let end = evolution::reformed_pose(field, unit, to);
            let change = Change::Form(to);
            self.change(change, end, to);
            let (before, after) = (pace(field, unit, now), pace(field, unit, to));
            let left = before.min(after) - cost.as_f64();
            if left < um(0.5) {
                continue;
            }
            self.straight(end, to, left, Some(change));
            let ahead = Length::from_um(left);
            let later = evolution::pose_after(field, unit, pose.ahead(ahead), now, to);
            self.go_and_change(smallvec![Leg::Ahead(ahead)], change, later, to);
            self.wheel_and_form(to, left);
        }
    }

    /// A narrow front wheels before it forms a wide one.
    fn wheel_and_form(&mut self, to: Formation, left: f64) {
        let (field, unit, pose, now) = (self.field, self.unit, self.pose, self.now);
        let width = field.footprint(unit, now).width.as_f64();
        let off = self.off(pose);
        let most = (left / (2.0 * width.max(1.0))).to_degrees() * 1000.0;
        let by = (off.abs() as f64).min(most * 0.98);
        if by < 2_000.0 || now.shape == Shape::Skirmish {
            return;
        }
        let pivot = if off < 0 { Flank::Left } else { Flank::Right };
        let wheel = Leg::Wheel { pivot, by: Angle::millidegrees(by as i32) };
        let turned = self.end_of(pose, now, &[wheel]);
        let end = evolution::pose_after(field, unit, turned, now, to);
        self.go_and_change(smallvec![wheel], Change::Form(to), end, to);
    }

    /// About, or to a side, and on.
    fn about(&mut self) {
        let pose = self.pose;
        if self.off(pose).abs() < 50_000 {
            return;
        }
        self.turns();
    }

    /// All turns in place, and on after them.
    fn turns(&mut self) {
        let (field, unit, pose, now) = (self.field, self.unit, self.pose, self.now);
        if troops(field, unit).turn.reformed {
            return;
        }
        let left = pace(field, unit, now) - evolution::turning(field, unit).as_f64();
        let mut legs = vec![Leg::About];
        legs.extend([Leg::Turn(Angle::EAST), Leg::Turn(Angle::WEST)]);
        for leg in legs {
            let end = self.end_of(pose, now, &[leg]);
            self.go(smallvec![leg], end);
            self.after(leg, end, left, &[1.0, 0.7, 0.4]);
        }
    }

    /// Skirmishers go wherever they like, and look where they like within a right angle.
    fn loose(&mut self) {
        let (pose, now) = (self.pose, self.now);
        let allowance = pace(self.field, self.unit, now);
        let aim = self.aim.unwrap_or_else(|| pose.ahead(Length::whole_inches(10)).at.vec());
        let way = aim - pose.at.vec();
        let far = way.length();
        let turn = (Angle::of(way) - pose.facing).signed().clamp(-89_000, 89_000);
        let looks = Leg::Turn(Angle::millidegrees(turn));
        if turn.abs() > 3_000 {
            let end = self.end_of(pose, now, &[looks]);
            self.go(smallvec![looks], end);
        }
        for aside in [0, 40, -40, 180, 140, -140] {
            let most = if aside == 0 && far < allowance { far } else { allowance };
            for share in [1.0, 0.66, 0.33] {
                let direction = way.normalised().turned(Angle::whole(aside));
                let to = pose.at.vec() + direction * (most * share - um(0.02));
                let straight = Leg::Straight(Point::from_vec(to));
                let mut legs: Legs = smallvec![straight];
                let face = (Angle::of(aim - to) - pose.facing).signed().clamp(-89_000, 89_000);
                if face.abs() > 3_000 {
                    legs.push(Leg::Turn(Angle::millidegrees(face)));
                }
                let end = self.end_of(pose, now, &legs);
                self.go(legs, end);
            }
        }
    }

    /// Guns: limber and go, go and unlimber, turn by hand.
    fn guns(&mut self) {
        let (field, unit, pose, now) = (self.field, self.unit, self.pose, self.now);
        let limbered = Formation::usual(Shape::Limbered);
        let ready = Formation::usual(Shape::Deployed);
        let allowance = pace(field, unit, limbered);
        if now.is_deployed() {
            self.turn_by_hand();
            if troops(field, unit).turn.fired > 0 && !limits::acts(field, unit).shoot_and_go.value {
                return;
            }
            let Some(cost) = evolution::cost(field, unit, limbered) else { return };
            let end = evolution::reformed_pose(field, unit, limbered);
            self.change(Change::Limber, end, limbered);
            let left = allowance - cost.as_f64();
            if left > um(0.5) && limits::acts(field, unit).limber_and_go.value {
                self.straight(end, limbered, left, Some(Change::Limber));
            }
            return;
        }
        self.formed();
        let Some(cost) = evolution::cost(field, unit, ready) else { return };
        let courses = self.found.clone();
        self.change(Change::Unlimber, evolution::reformed_pose(field, unit, ready), ready);
        if !limits::acts(field, unit).go_and_unlimber.value {
            return;
        }
        // The same ways, as far as what unlimbering takes leaves them, and into action at their end.
        let keep = (1.0 - cost.as_f64() / allowance.max(1.0)).max(0.0);
        for course in courses {
            let legs: Legs = course.legs.iter().map(|leg| shortened(*leg, keep)).collect();
            let end = evolution::pose_after(field, unit, self.end_of(pose, now, &legs), now, ready);
            self.go_and_change(legs, Change::Unlimber, end, ready);
        }
    }

    fn turn_by_hand(&mut self) {
        let (pose, now) = (self.pose, self.now);
        let most = 45_000;
        let off = self.off(pose).clamp(-most, most);
        for turn in [off, most / 3, -most / 3] {
            if turn.abs() > 6_000 {
                let leg = Leg::Turn(Angle::millidegrees(turn));
                let end = self.end_of(pose, now, &[leg]);
                self.go(smallvec![leg], end);
            }
        }
    }
}

fn shortened(leg: Leg, keep: f64) -> Leg {
    match leg {
        Leg::Ahead(by) => Leg::Ahead(by.times(keep)),
        Leg::Wheel { pivot, by } => {
            Leg::Wheel { pivot, by: Angle::millidegrees((f64::from(by.as_millidegrees()) * keep) as i32) }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::super::Careful;
    use super::*;
    use crate::Bot;
    use engine::battle::Keep;
    use engine::setup::{Mode, muster};
    use engine::{Battle, Seed, Side};
    use rules::days::order::Decision;
    use rules::days::{Days, field, movement};

    /// Puts everything a side could do to both judges; tells how much of it is lawful, and how much is not.
    fn judged(field: &Field, side: Side) -> (usize, usize) {
        let (plan, mut lawful, mut refused) = (Plan::default(), 0, 0);
        for (unit, body) in field::present(field, side).filter(|(unit, _)| limits::may_move(field, *unit)) {
            let away = |foe: Vec2| foe.distance(body.quad().centre);
            let foes = field::known(field, side.other()).map(|(_, foe)| foe.quad().centre);
            let aim = foes.min_by(|a, b| away(*a).total_cmp(&away(*b)));
            for course in courses(field, unit, aim, &plan).into_iter().chain(by_ways(field, unit, aim, &plan)) {
                let steps = course.steps();
                let thorough = movement::judge(field, unit, &steps);
                let quick = movement::is_lawful(field, unit, &steps);
                assert_eq!(quick, thorough.verdict.is_legal(), "{unit:?}: {steps:?}: {:?}", thorough.verdict);
                assert_eq!((thorough.end, thorough.formation), (course.end, course.formation), "{unit:?}: {steps:?}");
                *(if quick { &mut lawful } else { &mut refused }) += 1;
            }
        }
        (lawful, refused)
    }

    #[test]
    fn the_quick_judge_of_marches_says_what_the_thorough_one_says() {
        for id in ["iron/woerth", "iron/frontier", "empire/danube", "empire/inkerman"] {
            let scenario = rules::scenario(id).expect("a scenario of the house");
            let mustered = muster::<Days>(scenario.text, None, Mode::Battle).map_err(|faults| faults.to_string());
            let state = mustered.expect("it musters").state;
            let mut battle = Battle::seeded(state, Seed::from_number(7), Keep::Nothing);
            let mut players = [Careful::new(1), Careful::new(2)];
            let (mut asked_for, mut lawful, mut refused) = (0, 0, 0);
            while let Some(side) = battle.awaited() {
                let taken = battle.suppose(side, |view, asked| {
                    asked_for += 1;
                    if matches!(asked.decision, Decision::Move) && asked_for % 12 == 0 {
                        let (more, less) = judged(view.state(), side);
                        (lawful, refused) = (lawful + more, refused + less);
                    }
                    players[side.index()].choose(view, asked, side)
                });
                taken.expect("its order is taken");
            }
            assert!(lawful > 100 && refused > 100, "{id}: {lawful} {refused}");
        }
    }
}
