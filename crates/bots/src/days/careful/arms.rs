//! What a unit is, drawn up in some way, wherever it stands: its stands, its pace, what it shoots with. A march weighs
//! many places for few formations, so what the place does not change is found out once.

use super::scene::{Field, greater, um};
use engine::UnitId;
use rules::days::charts::{Grades, TargetClass, reach};
use rules::days::evolution;
use rules::days::field::{self, Stands, count, facts, order};
use rules::days::formation::{Formation, Shape};
use rules::days::shooting::weapon::{self, Weapon};
use rules::days::unit::{Arm, OrderState, Part, Trait};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;
use table::{Angle, Footprint, Layout, Length, Pose, Quad, Vec2};

/// The front of one stand: where its fire comes from, and which way it looks.
pub type Eye = (Vec2, Vec2);

/// What skirmishers have under fire to either side, as good as everything in front of them.
const WIDE: Angle = Angle::whole(80);

/// Grades of fire, from none to the best.
const GRADES: usize = 7;

/// A unit drawn up in some way.
pub struct Drawn<'f> {
    /// Who.
    pub unit: UnitId,
    /// How.
    pub formation: Formation,
    /// The rectangle around it.
    pub body: Footprint,
    /// How far it goes in a turn, guns behind their teams; in micrometres.
    pub pace: f64,
    /// What it shoots with; nothing where it cannot.
    pub arms: Option<Arms<'f>>,
    layout: Cow<'f, Layout>,
    /// Whether all its stands look the way it faces.
    looks_ahead: bool,
}

/// The most hits of one eye in each band of its weapon, with how far the band goes.
pub type Most = [(f64, f64); 3];

/// The most of one eye of a unit against each mark, by its number, as far as anybody has asked: however it is drawn up, it
/// shoots with the same arms if it shoots at all.
#[derive(Default)]
pub struct Mosts(RefCell<Vec<Option<Most>>>);

impl Mosts {
    /// The most against the mark of a number; found out once.
    fn of(&self, no: usize, find: impl FnOnce() -> Most) -> Most {
        let mut known = self.0.borrow_mut();
        if no >= known.len() {
            known.resize(no + 1, None);
        }
        known.get_mut(no).map_or([(0.0, 0.0); 3], |slot| *slot.get_or_insert_with(find))
    }

    /// The most of those whose band reaches so far.
    pub fn beyond(&self, no: usize, least: f64, find: impl FnOnce() -> Most) -> f64 {
        let bands = self.of(no, find);
        bands.iter().filter(|(out_to, _)| *out_to >= least).map(|(_, hits)| *hits).fold(0.0, greater)
    }
}

/// What a body shoots with.
pub struct Arms<'f> {
    /// The weapon.
    pub weapon: Weapon<'f>,
    /// How far it shoots.
    pub range: f64,
    /// So many of its stands fire, from the first on.
    firing: usize,
    /// The tangent of half its arc.
    spread: f64,
    /// What its own state takes off the grade, close up and further off.
    malus: (i32, i32),
    /// How far off is close up.
    close: f64,
    /// The mean hits of the dice behind each eye, by grade.
    means: [f64; GRADES],
}

/// What is shot at, as far as range and arc mind.
pub struct Outline<'s> {
    /// Its stands.
    pub stands: &'s [Quad],
    /// The middle of them.
    pub centre: Vec2,
    /// From there to the furthest corner.
    pub radius: f64,
}

/// The mean hits of a die for four stands at a grade.
fn mean(field: &Field, grade: usize) -> f64 {
    let table = &field.charts().effect;
    let row = match grade {
        0 => &table.grade0,
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

/// How far a unit goes in a turn in a formation, in micrometres.
pub fn pace(field: &Field, unit: UnitId, formation: Formation) -> f64 {
    evolution::allowance(field, unit, formation, field::is_mounted(field, unit)).as_f64()
}

impl<'f> Drawn<'f> {
    /// A unit in a formation.
    pub fn of(field: &'f Field, unit: UnitId, formation: Formation) -> Drawn<'f> {
        let layout = field::layout(field, unit, formation);
        let arms = Arms::of(field, unit, formation, layout.stands().len());
        let guns = facts(field, unit).arm == Arm::Artillery;
        let pace = pace(field, unit, if guns { Formation::usual(Shape::Limbered) } else { formation });
        let looks_ahead = layout.stands().iter().all(|stand| stand.pose.facing == Angle::NORTH);
        let body = layout.footprint();
        Drawn { unit, formation, body, pace, arms, layout, looks_ahead }
    }

    /// Which way all its stands look where it looks `forward` itself; nothing where they look several ways.
    pub fn ahead(&self, forward: Vec2) -> Option<Vec2> {
        self.looks_ahead.then_some(forward)
    }

    /// How its stands hang together.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Its stands at a place.
    pub fn stands(&self, pose: Pose) -> Stands {
        self.stands_along(pose, pose.forward())
    }

    /// The same for whoever knows which way it looks there.
    pub fn stands_along(&self, pose: Pose, forward: Vec2) -> Stands {
        self.layout.quads_along(pose, forward).collect()
    }

    /// The eyes of those of its stands that fire; none where it has nothing to shoot with.
    pub fn eyes(&self, stands: &[Quad]) -> SmallVec<[Eye; 16]> {
        let firing = self.arms.as_ref().map_or(0, |arms| arms.firing);
        let eyes = stands.iter().take(firing).map(|quad| {
            let (left, right) = quad.front_edge();
            let middle = (left + right) * 0.5;
            (middle, (middle - quad.centre).normalised())
        });
        eyes.collect()
    }
}

impl<'f> Arms<'f> {
    fn of(field: &'f Field, unit: UnitId, formation: Formation, stands: usize) -> Option<Arms<'f>> {
        let weapon = weapon_as(field, unit, formation)?;
        let card = facts(field, unit);
        let front = match formation.shape {
            Shape::Square => stands,
            _ => usize::from(formation.files_of(count(field, unit))),
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
        let ready = if card.is_battery() { weapon::ready(field, unit).len() } else { front };
        let close = match weapon {
            Weapon::Small(arm) => reach(arm.close.max).as_f64(),
            Weapon::Gun(gun) => reach(gun.close.max).as_f64(),
        };
        Some(Arms {
            weapon,
            range: weapon.range().as_f64(),
            firing: front.min(ready),
            spread: sine / cosine,
            malus: (shaken, shaken + far),
            close,
            means: std::array::from_fn(|grade| mean(field, grade) * dice),
        })
    }

    /// How far something is from an eye, where it is in its arc and range.
    pub fn sees(&self, eye: &Eye, mark: &Outline<'_>) -> Option<f64> {
        let right = eye.1.perp_right();
        // What lies wholly too far, behind or beside is not looked at stand by stand.
        let to = mark.centre - eye.0;
        let reach = self.range + um(0.7) + mark.radius;
        let foremost = to.dot(eye.1) + mark.radius;
        let beside = to.dot(right).abs() - mark.radius - um(1.0);
        if to.length_squared() > reach * reach || foremost < 0.0 || beside > foremost * self.spread {
            return None;
        }
        let mut best = f64::INFINITY;
        for stand in mark.stands {
            let to = stand.centre - eye.0;
            let (ahead, aside) = (to.dot(eye.1), to.dot(right).abs() - um(0.9));
            if ahead <= 0.0 || aside > ahead * self.spread {
                continue;
            }
            let squared = to.length_squared();
            if squared < best {
                best = squared;
            }
        }
        let apart = best.sqrt() - um(0.5);
        (apart <= self.range).then_some(if apart > 0.0 { apart } else { 0.0 })
    }

    /// So many of its stands fire.
    pub fn firing(&self) -> usize {
        self.firing
    }

    /// The most hits of one eye in each band.
    pub fn most_hits(&self, classes: &[TargetClass]) -> Most {
        let (close, effective, long) = match self.weapon {
            Weapon::Small(arm) => (&arm.close, &arm.effective, arm.long.as_ref()),
            Weapon::Gun(gun) => (&gun.close, &gun.effective, gun.long.as_ref()),
        };
        [Some(close), Some(effective), long].map(|grades| {
            grades.map_or((0.0, 0.0), |grades| {
                let (near, far) =
                    (self.graded(grades, classes, self.malus.0), self.graded(grades, classes, self.malus.1));
                (reach(grades.max).as_f64(), greater(near, far))
            })
        })
    }

    /// Whether nothing of a circle so far off lies before any of its eyes, all of which look ahead from within another:
    /// `around` is the sum of both circles. Cheap, and never wrong when it says so.
    pub fn surely_misses(&self, to: Vec2, ahead: Vec2, around: f64) -> bool {
        let foremost = to.dot(ahead) + around + um(0.1);
        let beside = to.dot(ahead.perp_right()).abs() - around - um(1.0);
        foremost < 0.0 || beside > foremost * self.spread
    }

    /// The mean hits of one eye at a distance.
    pub fn hits(&self, classes: &[TargetClass], at: f64) -> f64 {
        let Some((_, grades)) = self.weapon.band(Length::from_um(at)) else { return 0.0 };
        self.graded(grades, classes, if at <= self.close { self.malus.0 } else { self.malus.1 })
    }

    /// The mean hits of one eye in a band: the class hardest to hit counts.
    fn graded(&self, grades: &Grades, classes: &[TargetClass], malus: i32) -> f64 {
        let hardest = classes.iter().map(|class| grades.of(*class).value).min();
        let grade = hardest.unwrap_or(grades.of(TargetClass::Line).value).get() + malus;
        self.means[(grade.max(0) as usize).min(GRADES - 1)]
    }
}
