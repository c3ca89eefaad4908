//! A quick guess at fire: how many hits a body standing somewhere would score, and how many it would take there. Arcs,
//! bands, classes of target, cover, woods between and friends in the lane count; finer points do not.

use super::arms::{Arms, Drawn, Eye, Mosts, Outline};
use super::scene::{Field, greater, hit_worth, lesser, um};
use engine::{Side, UnitId};
use rules::days::field::{self, facts, is_routing, known, state, troops};
use rules::days::formation::{Formation, Shape};
use rules::days::target::{self, Classes};
use rules::days::unit::Arm;
use rules::days::{charts::TargetClass, settings::Weight, sight};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use table::terrain::Feature;
use table::{Pose, Quad, Vec2};

/// More than rounding could hide, in micrometres.
const HAIR: f64 = 10.0;
/// A little more than a sum of fire could be by rounding.
const ROUNDED_UP: f64 = 1.0 + 1e-9;

/// An enemy to shoot at.
struct Mark<'f> {
    field: &'f Field,
    unit: UnitId,
    /// From where it is looked at.
    from: Vec2,
    stands: &'f [Quad],
    centre: Vec2,
    radius: f64,
    /// What it counts as, once somebody has it in reach.
    classes: RefCell<Option<Classes>>,
    /// What a hit is worth.
    worth: f64,
}

/// A mark, and whether nothing hides it as far as anybody has looked.
type Seen<'s> = (&'s Mark<'s>, Cell<Option<bool>>);

/// An enemy who may shoot.
struct Gunner<'f> {
    arms: Arms<'f>,
    eyes: SmallVec<[Eye; 16]>,
    from: Vec2,
}

/// A friend in whose way one must not shoot.
pub struct Friend {
    /// The unit, or whose part it is.
    pub whole: UnitId,
    /// Where it stands.
    pub quad: Quad,
    /// Whether it keeps a flank beside it safe: foot or guns that do not run.
    pub steady: bool,
}

impl<'f> Mark<'f> {
    /// A unit where it is, seen from a place.
    fn of(field: &'f Field, unit: UnitId, from: Vec2) -> Mark<'f> {
        let quad = field.unit(unit).quad();
        Mark {
            field,
            unit,
            from,
            stands: field::stands(field, unit),
            centre: quad.centre,
            radius: quad.radius,
            classes: RefCell::default(),
            worth: hit_worth(field, unit),
        }
    }

    /// What it counts as; found out once.
    fn classes(&self) -> Classes {
        let mut known = self.classes.borrow_mut();
        known.get_or_insert_with(|| target::classes(self.field, self.unit, self.from)).clone()
    }

    fn outline(&self) -> Outline<'_> {
        Outline { stands: self.stands, centre: self.centre, radius: self.radius }
    }

    /// Where somebody aims at it: its nearest stand.
    fn aim(&self, eye: Vec2) -> Vec2 {
        let away = |stand: &&Quad| (stand.centre - eye).length_squared();
        let nearest = self.stands.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.map_or(self.centre, |stand| stand.centre)
    }
}

/// The classes of a unit where it might be, as somebody at a place would see it.
fn classes_at(field: &Field, drawn: &Drawn<'_>, stands: &[Quad], from: Vec2, fast: bool) -> Classes {
    let unit = drawn.unit;
    let cover = target::cover_of(field, unit, stands, from);
    let mut classes = Classes::new();
    classes.push(class_of(field, unit, drawn.formation));
    if fast {
        classes.push(TargetClass::Fast);
    }
    if state(field, unit).to_ground {
        classes.push(TargetClass::Dispersed);
    }
    classes.extend(cover.map(|weight| match weight {
        Weight::Heavy => TargetClass::Heavy,
        Weight::Light | Weight::Undefined => TargetClass::Light,
    }));
    classes
}

fn class_of(field: &Field, unit: UnitId, formation: Formation) -> TargetClass {
    if is_routing(field, unit) {
        return TargetClass::Line;
    }
    match formation.shape {
        Shape::Skirmish => TargetClass::Dispersed,
        Shape::Line | Shape::Square | Shape::Deployed | Shape::Massed => TargetClass::Line,
        Shape::March | Shape::Manoeuvre | Shape::Column | Shape::Limbered => TargetClass::Dense,
    }
}

/// Whether a line passes so near to a circle that it may cross what lies in it.
fn passes_near(from: Vec2, to: Vec2, quad: &Quad) -> bool {
    let (along, way) = (to - from, quad.centre - from);
    let (whole, share) = (along.length_squared(), way.dot(along));
    let squared = if share <= 0.0 || whole <= 0.0 {
        way.length_squared()
    } else if share >= whole {
        (quad.centre - to).length_squared()
    } else {
        let aside = along.cross(way);
        aside * aside / whole
    };
    let near = quad.radius + HAIR;
    squared <= near * near
}

/// Some of the enemies one may shoot at, by their numbers: a bit for each of the first, and all beyond those.
#[derive(Clone, Copy, Default)]
pub struct Choice(u64);

impl Choice {
    const ALL: Choice = Choice(u64::MAX);

    fn add(&mut self, no: usize) {
        self.0 |= 1_u64.checked_shl(no as u32).unwrap_or(0);
    }

    fn holds(self, no: usize) -> bool {
        1_u64.checked_shl(no as u32).is_none_or(|bit| self.0 & bit != 0)
    }
}

/// The picture of the fire on the field, made once a decision.
pub struct Smoke<'f> {
    field: &'f Field,
    /// Enemies one may shoot at.
    marks: Vec<Mark<'f>>,
    /// Enemies who may shoot.
    guns: Vec<Gunner<'f>>,
    /// Friends on the table.
    pub friends: Vec<Friend>,
    /// Woods and houses.
    screens: Vec<&'f Feature>,
}

impl<'f> Smoke<'f> {
    /// As a side sees it.
    pub fn of(field: &'f Field, side: Side) -> Smoke<'f> {
        let middle = middle_of(field, side);
        let open = |id: UnitId| {
            troops(field, id).contact.is_empty()
                && !matches!(facts(field, id).arm, Arm::Engineers)
                && !troops(field, id).crew_away
        };
        let marks =
            known(field, side.other()).filter(|(id, _)| open(*id)).map(|(id, _)| Mark::of(field, id, middle)).collect();
        let guns = known(field, side.other())
            .filter(|(id, _)| !is_routing(field, *id) && troops(field, *id).contact.is_empty())
            .filter_map(|(id, unit)| {
                let drawn = Drawn::of(field, id, field::formation(field, id));
                let eyes = drawn.eyes(field::stands(field, id));
                Some(Gunner { arms: drawn.arms?, eyes, from: unit.quad().centre })
            })
            .collect();
        let friends = field::present(field, side)
            .map(|(id, unit)| {
                let holds = matches!(facts(field, id).arm, Arm::Infantry | Arm::Artillery);
                let steady = holds && !is_routing(field, id);
                Friend { whole: field::whole(field, id), quad: *unit.quad(), steady }
            })
            .collect();
        let screens = field.ground().features.iter().filter(|feature| sight::hides(feature.kind)).collect();
        Smoke { field, marks, guns, friends, screens }
    }

    /// Whether woods or houses stand between two places and neither is in or right behind them.
    fn is_hidden_between(&self, from: Vec2, to: Vec2) -> bool {
        let deep = um(4.0);
        let span = table::Bounds::around(&[from, to]);
        self.screens.iter().any(|feature| {
            if !feature.shape.bounds().meets(&span) {
                return false;
            }
            let length = from.distance(to);
            let covered: f64 = feature.shape.clip((from, to)).into_iter().map(|(a, b)| (b - a) * length).sum();
            if covered <= um(0.3) {
                return false;
            }
            covered > deep || !(feature.shape.contains(from) || feature.shape.contains(to))
        })
    }

    /// The most a unit's fire from about a place, looking so, could be worth, a turn, at those who are near: never less than what [`Smoke::given`] says; and
    /// at whom it could be.
    pub fn most_given(
        &self,
        drawn: &Drawn<'_>,
        known: &Mosts,
        near: &[usize],
        (forward, body): (Vec2, &Quad),
    ) -> (f64, Choice) {
        let mut choice = Choice::default();
        let Some(arms) = &drawn.arms else { return (0.0, choice) };
        let ahead = drawn.ahead(forward);
        let mut most = 0.0;
        for (no, mark) in near.iter().filter_map(|no| Some((*no, self.marks.get(*no)?))) {
            let (to, around) = (mark.centre - body.centre, mark.radius + body.radius);
            let reach = arms.range + um(1.0) + around;
            let squared = to.length_squared();
            if squared > reach * reach || ahead.is_some_and(|ahead| arms.surely_misses(to, ahead, around)) {
                continue;
            }
            choice.add(no);
            // No eye is nearer to any of its stands than this.
            let least = squared.sqrt() - around - um(1.0);
            let hits = known.beyond(no, least, || arms.most_hits(&mark.classes()));
            most = greater(most, hits * mark.worth);
        }
        (most * arms.firing() as f64 * ROUNDED_UP, choice)
    }

    /// The enemies somebody could have in range who stands in a circle, by their numbers.
    pub fn near(&self, middle: Vec2, radius: f64, range: f64) -> SmallVec<[usize; 32]> {
        // A little more than what is asked for every place.
        let reach = radius + range + um(1.1);
        let close = |mark: &Mark<'_>| mark.centre.distance(middle) <= reach + mark.radius;
        self.marks.iter().enumerate().filter(|(_, mark)| close(mark)).map(|(no, _)| no).collect()
    }

    /// What a unit's fire from a place is worth, a turn.
    pub fn given_at(&self, drawn: &Drawn<'_>, pose: Pose) -> f64 {
        self.given(drawn, &drawn.stands(pose), Choice::ALL)
    }

    /// What a unit's fire from where these stands are is worth, a turn, at those it could be at. Small arms take the
    /// nearest, guns choose.
    pub fn given(&self, drawn: &Drawn<'_>, stands: &[Quad], choice: Choice) -> f64 {
        let Some(arms) = &drawn.arms else { return 0.0 };
        let eyes = drawn.eyes(stands);
        let Some(middle) = eyes.get(eyes.len() / 2).map(|eye| eye.0) else { return 0.0 };
        let reach = arms.range + um(14.0);
        let near: SmallVec<[Seen<'_>; 16]> = self
            .marks
            .iter()
            .enumerate()
            .filter(|(no, mark)| choice.holds(*no) && mark.centre.distance(middle) < reach + mark.radius)
            .map(|(_, mark)| (mark, Cell::new(None)))
            .collect();
        if near.is_empty() {
            return 0.0;
        }
        let is_open = |(mark, known): &Seen<'_>| {
            let open = known.get().unwrap_or_else(|| !self.is_hidden_between(middle, mark.centre));
            known.set(Some(open));
            open
        };
        let whole = field::whole(self.field, drawn.unit);
        let clear = |eye: Vec2, mark: &Mark<'_>| {
            let aim = mark.aim(eye);
            !self.friends.iter().any(|friend| {
                friend.whole != whole
                    && passes_near(eye, aim, &friend.quad)
                    && friend.quad.centre.distance(middle) < reach
                    && table::convex::clip((eye, aim), friend.quad.points()).is_some()
            })
        };
        let guns = arms.weapon.gun().is_some();
        let mut sums: SmallVec<[f64; 16]> = SmallVec::from_elem(0.0, near.len());
        for eye in &eyes {
            let seen = near.iter().enumerate().filter_map(|(no, one)| {
                let at = arms.sees(eye, &one.0.outline())?;
                is_open(one).then_some((at, no))
            });
            if guns {
                for (at, no) in seen {
                    let mark = near[no].0;
                    if clear(eye.0, mark) {
                        sums[no] += arms.hits(&mark.classes(), at) * mark.worth;
                    }
                }
                continue;
            }
            if let Some((at, no)) = seen.min_by(|a, b| a.0.total_cmp(&b.0))
                && clear(eye.0, near[no].0)
            {
                let mark = near[no].0;
                sums[no] += arms.hits(&mark.classes(), at) * mark.worth;
            }
        }
        if guns { sums.into_iter().fold(0.0, greater) } else { sums.into_iter().sum() }
    }

    /// What a battery's fire at an enemy would be worth from so far off.
    pub fn promise(&self, unit: UnitId, enemy: UnitId, apart: f64) -> f64 {
        let field = self.field;
        let pose = field.unit(unit).pose();
        let drawn = Drawn::of(field, unit, Formation::usual(Shape::Deployed));
        let Some(arms) = &drawn.arms else { return 0.0 };
        let mark = Mark::of(field, enemy, pose.at.vec());
        arms.firing() as f64 * arms.hits(&mark.classes(), apart) * mark.worth
    }

    /// The mean hits a unit would take where these stands are, a turn, if everybody who could shot at it with a share of
    /// his fire; those who have it as their nearest shoot with all.
    pub fn taken(&self, drawn: &Drawn<'_>, stands: &[Quad], body: &Quad, fast: bool) -> f64 {
        let centre = body.centre;
        let width = drawn.body.width.as_f64();
        let near = || self.guns.iter().filter(|one| one.from.distance(centre) < one.arms.range + width + um(8.0));
        // Cover is judged once, against the nearest.
        let away = |from: &Vec2| (*from - centre).length_squared();
        let first = || near().min_by(|a, b| away(&a.from).total_cmp(&away(&b.from))).map_or(centre, |one| one.from);
        let mut classes: Option<Classes> = None;
        let outline = Outline { stands, centre, radius: body.radius };
        let mut sum = 0.0;
        for Gunner { arms, eyes, from } in near() {
            let mut hits = 0.0;
            let mut nearest = f64::MAX;
            // Three eyes speak for all.
            let all = eyes.len();
            let step = (all / 3).max(1);
            let mut asked = 0.0;
            for eye in eyes.iter().skip(step / 2).step_by(step) {
                asked += 1.0;
                if let Some(at) = arms.sees(eye, &outline) {
                    let classes = classes.get_or_insert_with(|| classes_at(self.field, drawn, stands, first(), fast));
                    hits += arms.hits(classes, at);
                    nearest = lesser(nearest, at);
                }
            }
            if hits <= 0.0 || self.is_hidden_between(*from, centre) {
                continue;
            }
            let hits = hits * all as f64 / greater(asked, 1.0);
            let share = if arms.weapon.gun().is_some() { 0.35 } else { self.share(drawn.unit, *from, nearest) };
            sum += hits * share;
        }
        sum
    }

    /// How likely a rifleman at a place shoots at somebody so far off: others may be nearer.
    fn share(&self, unit: UnitId, from: Vec2, at: f64) -> f64 {
        let whole = field::whole(self.field, unit);
        let nearer = self.friends.iter().any(|friend| {
            friend.whole != whole && friend.quad.centre.distance(from) - friend.quad.radius * 0.6 < at - um(1.0)
        });
        if nearer { 0.35 } else { 0.9 }
    }

    /// The least distance from a place to an enemy.
    pub fn nearest(&self, place: Vec2) -> f64 {
        self.marks.iter().map(|mark| mark.centre.distance(place)).fold(f64::MAX, lesser)
    }
}

/// The middle of a side's troops.
pub fn middle_of(field: &Field, side: Side) -> Vec2 {
    let places: Vec<Vec2> = known(field, side).map(|(_, unit)| unit.quad().centre).collect();
    let count = places.len().max(1) as f64;
    let sum = places.iter().fold(Vec2::new(0.0, 0.0), |sum, place| sum + *place);
    sum * count.recip()
}
