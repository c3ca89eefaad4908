//! What the dice of one volley do, face by face: dice thrown again, screens, the coloured die, shot that goes on.

use super::{dice_of, one_die};
use crate::charts::{Band, Charts, Faces, Grades, TargetClass, count};
use crate::field::{self, Field};
use crate::shooting::bounce;
use crate::shooting::fire::{carries_on, gun_of};
use crate::shooting::volley::{Aim, Die, section, split};
use crate::shooting::weapon::{Quarry, Weapon};
use crate::target;
use crate::unit::Aspect;
use engine::Spread;
use smallvec::SmallVec;

/// What a volley does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Effect {
    /// Hits on its target.
    pub target: u8,
    /// Hits on the skirmishers before it.
    pub screen: u8,
    /// Some of the hits came from behind the target's flank.
    pub behind: bool,
    /// The target's cover catches fire.
    pub kindled: bool,
    /// Dice that may still be thrown again.
    again: u8,
}

impl Effect {
    /// With one more die as it fell.
    fn with(mut self, die: &Thrown<'_>, pip: u8, fire_pip: Option<u8>) -> Effect {
        if fire_pip == Some(pip) {
            self.kindled = true;
            return self;
        }
        let caught = die.die.screen.map_or(0, |faces| faces.hits(pip));
        let hits = if caught > 0 { 0 } else { die.die.faces.hits(pip) };
        self.screen = self.screen.saturating_add(caught);
        self.target = self.target.saturating_add(hits);
        self.behind |= hits > 0 && die.behind;
        self
    }
}

/// A die and where it comes from.
struct Thrown<'a> {
    die: &'a Die,
    behind: bool,
    coloured: bool,
}

/// Stands a die takes on all its faces together: the most promising are thrown again first.
fn promise(faces: Faces) -> u16 {
    faces.all().iter().map(|hits| u16::from(*hits)).sum()
}

/// What a volley does; `fresh` if nobody of its unit has fired before it in this order.
pub fn effects(field: &Field, aim: &Aim, fresh: bool) -> Spread<Effect> {
    let charts = field.charts();
    let from_behind = |die: &Die| {
        let quarry = aim.quarry.unit().filter(|_| !aim.passing);
        quarry.is_some_and(|id| field::aspect(field, id, die.from.eye) != Aspect::Front)
    };
    let dice = aim.sections.iter().flat_map(|section| &section.dice).enumerate();
    let mut dice: Vec<Thrown<'_>> =
        dice.map(|(no, die)| Thrown { die, behind: from_behind(die), coloured: no == 0 }).collect();
    dice.sort_by_key(|thrown| std::cmp::Reverse(promise(thrown.die.faces)));
    let again = aim.crack + if fresh { aim.first_fire } else { 0 };
    let pips = one_die(charts);
    let mut spread = Spread::certain(Effect { again, ..Effect::default() });
    for thrown in &dice {
        let kindles = thrown.coloured && aim.kindles.is_some();
        let fire_pip = kindles.then(|| count(charts.fire.fire_pip) as u8);
        spread = spread.then(|so_far| one_more(*so_far, thrown, &pips, fire_pip));
    }
    let room = aim.screen.map_or(0, |screen| field::count(field, screen));
    let carries = carries_on(field, aim);
    spread.map(|effect| {
        let beyond = if carries { effect.screen.saturating_sub(room) } else { 0 };
        let target = effect.target.saturating_add(beyond);
        Effect { target, screen: effect.screen - beyond, again: 0, ..*effect }
    })
}

/// One more die, thrown again where it misses and may be.
fn one_more(so_far: Effect, thrown: &Thrown<'_>, pips: &Spread<u8>, fire_pip: Option<u8>) -> Spread<Effect> {
    let faces = thrown.die.faces;
    pips.then(|pip| {
        let missed = so_far.again > 0 && faces.hits(*pip) == 0 && promise(faces) > 0;
        if missed {
            let spent = Effect { again: so_far.again - 1, ..so_far };
            pips.map(|pip| spent.with(thrown, *pip, fire_pip))
        } else {
            Spread::certain(so_far.with(thrown, *pip, fire_pip))
        }
    })
}

/// Hits of round shot that goes on, by whom it may meet. Balls of different guns are thrown for apart.
pub fn bounces(field: &Field, aim: &Aim) -> Vec<(Quarry, Spread<u8>)> {
    let mut met: Vec<(Quarry, Spread<u8>)> = Vec::new();
    let (Some(gun), Some(first)) = (gun_of(field, aim.by), aim.quarry.unit().filter(|_| !aim.passing)) else {
        return met;
    };
    let mut models: SmallVec<[u8; 6]> = SmallVec::new();
    for section in &aim.sections {
        for (no, die) in section.dice.iter().enumerate() {
            let stand = die.from.stand;
            if models.contains(&stand) {
                continue;
            }
            let Ok(bound) = bounce::reach_of(field, gun, section.band, &die.from) else { continue };
            let coloured = no == 0 && aim.kindles.is_some() && models.is_empty();
            let own = section.dice.iter().filter(|die| die.from.stand == stand);
            let hits = model_hits(field.charts(), own, coloured);
            models.push(stand);
            for struck in bounce::follow(field, gun, aim.by, &die.from, first, bound).0 {
                let ball = ball(field, aim, gun, struck, &die.from.eye);
                let Some(ball) = ball else { continue };
                let told = hits.then(|hit| if *hit { ball.clone() } else { Spread::certain(0) });
                match met.iter_mut().find(|(quarry, _)| *quarry == struck.quarry) {
                    Some((_, sum)) => *sum = sum.then(|so_far| told.map(|more| so_far + more)),
                    None => met.push((struck.quarry, told)),
                }
            }
        }
    }
    met
}

/// Whether any die of a model hits.
fn model_hits<'d>(charts: &Charts, dice: impl Iterator<Item = &'d Die>, coloured: bool) -> Spread<bool> {
    let (pips, fire_pip) = (one_die(charts), count(charts.fire.fire_pip) as u8);
    let mut hit = Spread::certain(false);
    for (no, die) in dice.enumerate() {
        // A ball the screen catches goes no further.
        let hits = |pip: u8| die.faces.hits(pip) > 0 && die.screen.is_none_or(|faces| faces.hits(pip) == 0);
        let one = pips.map(|pip| hits(*pip) && !(coloured && no == 0 && *pip == fire_pip));
        hit = hit.then(|so_far| one.map(|one| *so_far || *one));
    }
    hit
}

/// What one ball does to somebody it meets.
fn ball(
    field: &Field,
    aim: &Aim,
    gun: &crate::charts::Gun,
    struck: bounce::Struck,
    eye: &table::Vec2,
) -> Option<Spread<u8>> {
    let (band, grades) = gun.band(struck.at)?;
    let classes = match struck.quarry {
        Quarry::Unit(id) => target::classes(field, id, *eye),
        Quarry::General(_) => SmallVec::from_slice(&[field.charts().target.staff.value]),
    };
    let sums = section(field, aim.by, Weapon::Gun(gun), band, grades, &classes);
    let faces = field.charts().effect.grade(sums.grade).four.value;
    Some(sum_of(field.charts(), std::iter::repeat_n(faces, dice_of(gun))))
}

/// Hits of some dice.
fn sum_of(charts: &Charts, dice: impl Iterator<Item = Faces>) -> Spread<u8> {
    let pips = one_die(charts);
    dice.fold(Spread::certain(0), |sum, faces| sum.then(|so_far| pips.map(|pip| so_far + faces.hits(*pip))))
}

/// The volley of a weapon in words.
pub fn in_words(charts: &Charts, weapon: &str, class: TargetClass, band: Band, stands: u8) -> Option<Spread<u8>> {
    let grade = |grades: &Grades| grades.of(class).value.get();
    if let Some(arm) = charts.small_arms.get(weapon) {
        let grades = of_band(&arm.close, &arm.effective, arm.long.as_ref(), band)?;
        let groups = split(usize::from(stands), count(charts.fire.group) as usize, false);
        let effect = charts.effect.grade(grade(grades));
        return Some(sum_of(charts, groups.into_iter().map(|size| effect.column(size).value)));
    }
    let gun = charts.gun.get(weapon)?;
    let grades = of_band(&gun.close, &gun.effective, gun.long.as_ref(), band)?;
    let faces = charts.effect.grade(grade(grades)).four.value;
    Some(sum_of(charts, std::iter::repeat_n(faces, usize::from(stands) * dice_of(gun))))
}

fn of_band<'g>(close: &'g Grades, effective: &'g Grades, long: Option<&'g Grades>, band: Band) -> Option<&'g Grades> {
    match band {
        Band::Close => Some(close),
        Band::Effective => Some(effective),
        Band::Long => long,
    }
}
