//! A quick guess at fire: how many hits a body standing somewhere would score, and how many it would take there. Arcs,
//! bands, classes of target, cover, woods between and friends in the lane count; finer points do not.

use super::scene::{Field, greater, hit_worth, lesser, um};
use engine::{Side, UnitId};
use rules::days::charts::{TargetClass, reach};
use rules::days::field::{self, Stands, count, facts, is_routing, known, order, stands_at, state, troops};
use rules::days::formation::{Formation, Shape};
use rules::days::shooting::weapon::{self, Weapon};
use rules::days::target::{self, Classes};
use rules::days::unit::{Arm, OrderState, Part, Trait};
use rules::days::{evolution, settings::Weight, sight};
use table::{Angle, Pose, Quad, Vec2};

/// The front of one stand: where its fire comes from, and which way it looks.
type Eye = (Vec2, Vec2);

/// What skirmishers have under fire to either side, as good as everything in front of them.
const WIDE: Angle = Angle::whole(80);

/// A body that may shoot.
pub struct Firing<'f> {
    eyes: Vec<Eye>,
    weapon: Weapon<'f>,
    /// The tangent of half its arc.
    spread: f64,
    /// What its own state takes off the grade, close up and further off.
    malus: (i32, i32),
    /// Dice that stand behind each eye.
    dice: f64,
}

/// Something to shoot at.
pub struct Mark {
    /// Its stands.
    stands: Stands,
    centre: Vec2,
    radius: f64,
    classes: Classes,
    /// What a hit is worth.
    pub worth: f64,
}

/// The mean hits of a die for four stands at a grade.
fn mean(field: &Field, grade: i32) -> f64 {
    let table = &field.charts().effect;
    let row = match grade {
        i32::MIN..=0 => &table.grade0,
        1 => &table.grade1,
        2 => &table.grade2,
        3 => &table.grade3,
        4 => &table.grade4,
        5 => &table.grade5,
        _ => &table.grade6,
    };
    row.four.value.all().iter().map(|hits| f64::from(*hits)).sum::<f64>() / 6.0
}

/// What a unit would shoot with in a formation.
fn weapon_as(field: &Field, unit: UnitId, formation: Formation) -> Option<Weapon<'_>> {
    let card = facts(field, unit);
    let key = if card.weapon.is_empty() { &facts(field, field::whole(field, unit)).weapon } else { &card.weapon };
    match (card.arm, card.part_kind()) {
        (_, Some(Part::Holders | Part::Crew)) => None,
        (Arm::Infantry, _) => field.charts().small_arms.get(key).map(Weapon::Small),
        (Arm::Cavalry, _) => {
            let afoot = !field::is_mounted(field, unit) || formation.shape == Shape::Skirmish;
            field.charts().small_arms.get(key).filter(|_| afoot).map(Weapon::Small)
        }
        (Arm::Artillery, _) => field.charts().gun.get(key).filter(|_| formation.is_deployed()).map(Weapon::Gun),
        _ => None,
    }
}

/// How far a unit shoots well, and how far at all, whatever it stands like now; in micrometres.
pub fn ranges(field: &Field, unit: UnitId) -> Option<(f64, f64)> {
    let card = facts(field, unit);
    let ready = match card.arm {
        Arm::Artillery => Shape::Deployed,
        Arm::Cavalry => Shape::Skirmish,
        _ => Shape::Line,
    };
    match weapon_as(field, unit, Formation::usual(ready))? {
        Weapon::Small(arm) => Some((reach(arm.effective.max).as_f64(), arm.range().as_f64())),
        Weapon::Gun(gun) => Some((reach(gun.effective.max).as_f64(), gun.range().as_f64())),
    }
}

/// How far a unit shoots at its deadliest.
pub fn close_range(field: &Field, unit: UnitId) -> f64 {
    match weapon_as(field, unit, Formation::usual(Shape::Line)) {
        Some(Weapon::Small(arm)) => reach(arm.close.max).as_f64(),
        _ => 0.0,
    }
}

impl<'f> Firing<'f> {
    /// A unit as it would shoot from a place in a formation.
    pub fn at(field: &'f Field, unit: UnitId, pose: Pose, formation: Formation) -> Option<Firing<'f>> {
        let weapon = weapon_as(field, unit, formation)?;
        let card = facts(field, unit);
        let all = count(field, unit);
        let stands = stands_at(field, unit, pose, formation);
        let front = match formation.shape {
            Shape::Square => stands.len(),
            _ => usize::from(formation.files_of(all)),
        };
        let constant = &field.charts().constant;
        let half = if formation.shape == Shape::Skirmish {
            WIDE
        } else if card.is(Trait::Mitrailleuse) {
            constant.arc_mitrailleuse.value
        } else if card.is_battery() {
            constant.arc_guns.value
        } else {
            constant.arc_foot.value
        };
        let (sine, cosine) = half.sin_cos();
        let fire = &field.charts().fire;
        let shaken = if order(field, unit) == OrderState::Shaken { fire.shaken.value.get() } else { 0 };
        let raw = weapon.gun().is_none() && facts(field, field::whole(field, unit)).class <= 1;
        let far = if raw { fire.class1.value.get() } else { 0 };
        let group = f64::from(fire.group.value.get().max(1));
        let dice = weapon.gun().map_or(1.0 / group, |gun| f64::from(gun.dice.value.get()));
        let eyes = stands.iter().take(front).map(|quad| {
            let (left, right) = quad.front_edge();
            let middle = (left + right) * 0.5;
            (middle, (middle - quad.centre).normalised())
        });
        let ready = if card.is_battery() { weapon::ready(field, unit).len() } else { front };
        let eyes: Vec<Eye> = eyes.take(ready).collect();
        Some(Firing { eyes, weapon, spread: sine / cosine, malus: (shaken, shaken + far), dice })
    }

    fn range(&self) -> f64 {
        self.weapon.range().as_f64()
    }

    /// How far a mark is from an eye, where it is in its arc and range.
    fn sees(&self, eye: &Eye, mark: &Mark) -> Option<f64> {
        let reach = self.range() + um(0.7);
        if eye.0.distance(mark.centre) > reach + mark.radius {
            return None;
        }
        let right = eye.1.perp_right();
        let mut best: Option<f64> = None;
        for stand in &mark.stands {
            let to = stand.centre - eye.0;
            let (ahead, aside) = (to.dot(eye.1), to.dot(right).abs() - um(0.9));
            if ahead <= 0.0 || aside > ahead * self.spread {
                continue;
            }
            let apart = greater(to.length() - um(0.5), 0.0);
            if best.is_none_or(|best| apart < best) {
                best = Some(apart);
            }
        }
        best.filter(|apart| *apart <= self.range())
    }

    /// The mean hits of one eye at a distance.
    fn hits(&self, field: &Field, mark: &Mark, at: f64) -> f64 {
        let Some((_, grades)) = self.weapon.band(table::Length::from_um(at)) else { return 0.0 };
        let close = match self.weapon {
            Weapon::Small(arm) => at <= reach(arm.close.max).as_f64(),
            Weapon::Gun(gun) => at <= reach(gun.close.max).as_f64(),
        };
        let malus = if close { self.malus.0 } else { self.malus.1 };
        let grade = target::column(field, grades, &mark.classes).1.value.get() as i32 + malus;
        mean(field, grade) * self.dice
    }
}

impl Mark {
    /// A unit where it is, seen from a place.
    pub fn of(field: &Field, unit: UnitId, from: Vec2) -> Mark {
        let quad = field.unit(unit).quad();
        Mark {
            stands: Stands::from_slice(field::stands(field, unit)),
            centre: quad.centre,
            radius: quad.radius,
            classes: target::classes(field, unit, from),
            worth: hit_worth(field, unit),
        }
    }

    /// A unit where it might be, as somebody at a place would see it.
    pub fn at(field: &Field, unit: UnitId, pose: Pose, formation: Formation, from: Vec2, fast: bool) -> Mark {
        let stands = stands_at(field, unit, pose, formation);
        let cover = target::cover_of(field, unit, &stands, from);
        let quad = field.footprint(unit, formation).quad(pose);
        let mut classes = Classes::new();
        classes.push(class_of(field, unit, formation));
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
        Mark { stands, centre: quad.centre, radius: quad.radius, classes, worth: hit_worth(field, unit) }
    }
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

/// Whether woods or houses stand between two places and neither is in or right behind them.
pub fn is_hidden_between(field: &Field, from: Vec2, to: Vec2) -> bool {
    let deep = um(4.0);
    field.ground().features.iter().any(|feature| {
        if !sight::hides(feature.kind) {
            return false;
        }
        let bounds = feature.shape.bounds();
        let span = table::Bounds::around(&[from, to]);
        if !bounds.meets(&span) {
            return false;
        }
        let length = from.distance(to);
        let covered: f64 = feature.shape.clip((from, to)).into_iter().map(|(a, b)| (b - a) * length).sum();
        let inside = feature.shape.contains(from) || feature.shape.contains(to);
        covered > if inside { deep } else { um(0.3) }
    })
}

/// The picture of the fire on the field, made once a decision.
pub struct Smoke<'f> {
    field: &'f Field,
    /// Enemies one may shoot at.
    marks: Vec<Mark>,
    /// Enemies who may shoot, with who they are.
    guns: Vec<(UnitId, Firing<'f>, Vec2)>,
    /// Friends in whose way one must not shoot.
    friends: Vec<(UnitId, Quad)>,
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
                let firing = Firing::at(field, id, unit.pose(), field::formation(field, id))?;
                Some((id, firing, unit.quad().centre))
            })
            .collect();
        let friends = field::present(field, side).map(|(id, unit)| (id, *unit.quad())).collect();
        Smoke { field, marks, guns, friends }
    }

    /// What a unit's fire from a place is worth, a turn. Small arms take the nearest, guns choose.
    pub fn given(&self, unit: UnitId, pose: Pose, formation: Formation) -> f64 {
        let Some(firing) = Firing::at(self.field, unit, pose, formation) else { return 0.0 };
        let Some(middle) = firing.eyes.get(firing.eyes.len() / 2).map(|eye| eye.0) else { return 0.0 };
        let reach = firing.range() + um(14.0);
        let near: Vec<&Mark> = self
            .marks
            .iter()
            .filter(|mark| mark.centre.distance(middle) < reach + mark.radius)
            .filter(|mark| !is_hidden_between(self.field, middle, mark.centre))
            .collect();
        if near.is_empty() {
            return 0.0;
        }
        let friends: Vec<&Quad> = self
            .friends
            .iter()
            .filter(|(id, quad)| {
                field::whole(self.field, *id) != field::whole(self.field, unit) && quad.centre.distance(middle) < reach
            })
            .map(|(_, quad)| quad)
            .collect();
        let clear = |eye: Vec2, mark: &Mark| {
            let nearest = mark
                .stands
                .iter()
                .min_by(|a, b| (a.centre - eye).length_squared().total_cmp(&(b.centre - eye).length_squared()));
            let aim = nearest.map_or(mark.centre, |stand| stand.centre);
            !friends.iter().any(|quad| table::convex::clip((eye, aim), quad.points()).is_some())
        };
        let guns = firing.weapon.gun().is_some();
        let mut sums: Vec<f64> = vec![0.0; near.len()];
        for eye in &firing.eyes {
            let seen = near.iter().enumerate().filter_map(|(no, mark)| Some((firing.sees(eye, mark)?, no)));
            if guns {
                for (at, no) in seen {
                    if clear(eye.0, near[no]) {
                        sums[no] += firing.hits(self.field, near[no], at) * near[no].worth;
                    }
                }
                continue;
            }
            if let Some((at, no)) = seen.min_by(|a, b| a.0.total_cmp(&b.0))
                && clear(eye.0, near[no])
            {
                sums[no] += firing.hits(self.field, near[no], at) * near[no].worth;
            }
        }
        if guns { sums.into_iter().fold(0.0, greater) } else { sums.into_iter().sum() }
    }

    /// What a battery's fire at an enemy would be worth from so far off.
    pub fn promise(&self, unit: UnitId, enemy: UnitId, apart: f64) -> f64 {
        let field = self.field;
        let pose = field.unit(unit).pose();
        let Some(firing) = Firing::at(field, unit, pose, Formation::usual(Shape::Deployed)) else { return 0.0 };
        let mark = Mark::of(field, enemy, pose.at.vec());
        firing.eyes.len() as f64 * firing.hits(field, &mark, apart) * mark.worth
    }

    /// The mean hits a unit would take in a place, a turn, if everybody who could shot at it with a share of his fire;
    /// those who have it as their nearest shoot with all.
    pub fn taken(&self, unit: UnitId, pose: Pose, formation: Formation, fast: bool) -> f64 {
        let field = self.field;
        let centre = field.footprint(unit, formation).quad(pose).centre;
        let width = field.footprint(unit, formation).width.as_f64();
        let near =
            || self.guns.iter().filter(|(_, firing, from)| from.distance(centre) < firing.range() + width + um(8.0));
        // Cover is judged once, against the nearest.
        let away = |from: &Vec2| (*from - centre).length_squared();
        let nearest = near().min_by(|a, b| away(&a.2).total_cmp(&away(&b.2)));
        let Some((_, _, first)) = nearest else { return 0.0 };
        let mark = Mark::at(field, unit, pose, formation, *first, fast);
        let mut sum = 0.0;
        for (_, firing, from) in near() {
            let mut hits = 0.0;
            let mut nearest = f64::MAX;
            // Three eyes speak for all.
            let all = firing.eyes.len();
            let step = (all / 3).max(1);
            let mut asked = 0.0;
            for eye in firing.eyes.iter().skip(step / 2).step_by(step) {
                asked += 1.0;
                if let Some(at) = firing.sees(eye, &mark) {
                    hits += firing.hits(field, &mark, at);
                    nearest = lesser(nearest, at);
                }
            }
            if hits <= 0.0 || is_hidden_between(field, *from, centre) {
                continue;
            }
            let hits = hits * all as f64 / greater(asked, 1.0);
            let share = if firing.weapon.gun().is_some() { 0.35 } else { self.share(unit, *from, nearest) };
            sum += hits * share;
        }
        sum
    }

    /// How likely a rifleman at a place shoots at somebody so far off: others may be nearer.
    fn share(&self, unit: UnitId, from: Vec2, at: f64) -> f64 {
        let whole = field::whole(self.field, unit);
        let nearer = self.friends.iter().any(|(id, quad)| {
            field::whole(self.field, *id) != whole && quad.centre.distance(from) - quad.radius * 0.6 < at - um(1.0)
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

/// How far a unit goes in a turn in a formation, in micrometres.
pub fn pace(field: &Field, unit: UnitId, formation: Formation) -> f64 {
    evolution::allowance(field, unit, formation, field::is_mounted(field, unit)).as_f64()
}
