//! A volley before its dice fall: groups of stands by band, columns, grades, dice that may be thrown again. C-01 to C-05,
//! C-08, A-25 to. Odds are counted from the same [`Aim`].

use super::aim::{Bearing, Firer};
use super::weapon::{self, Quarry, Weapon};
use crate::charts::{Band, Faces, Grades, TargetClass, count, plain, reach};
use crate::clause::Clause;
use crate::event::Crossing;
use crate::field::{self, Field};
use crate::formation::Shape;
use crate::ground;
use crate::sight::{self, Lane};
use crate::target::{self, Classes};
use crate::unit::{Arm, OrderState};
use engine::{Cited, FeatureId, Reckoning, StandSet, UnitId};
use smallvec::SmallVec;
use table::terrain::TerrainKind;
use table::{Length, Quad, SLACK, Vec2};

/// One die, and what it stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Die {
    /// Stands behind it.
    pub stands: u8,
    /// What its faces do to the target.
    pub faces: Faces,
    /// What they do to the screen first, where guns fire through one.
    pub screen: Option<Faces>,
    /// The stand or model that throws it; the first of its group.
    pub from: Bearing,
}

/// The dice of one band.
#[derive(Clone, Debug)]
pub struct Section {
    /// The band of all of them.
    pub band: Band,
    /// The column of the target.
    pub class: TargetClass,
    /// The grade at the end.
    pub grade: i32,
    /// How it came about.
    pub reckoning: Reckoning,
    /// The dice, from the left.
    pub dice: SmallVec<[Die; 4]>,
    /// Stands that fire in it, those without a die among them.
    pub stands: u8,
}

/// A volley at one target.
#[derive(Clone, Debug)]
pub struct Aim {
    /// Who fires.
    pub by: UnitId,
    /// At whom.
    pub quarry: Quarry,
    /// Close first.
    pub sections: SmallVec<[Section; 2]>,
    /// Missing dice thrown again because it is the first volley.
    pub first_fire: u8,
    /// Missing dice thrown again because crack troops fire it.
    pub crack: u8,
    /// The skirmishers before the target of guns.
    pub screen: Option<UnitId>,
    /// What the coloured die, the first of all, may set alight.
    pub kindles: Option<FeatureId>,
    /// At what crossed its arc.
    pub passing: bool,
    /// Fire kept back.
    pub defensive: bool,
    /// The stands that fire.
    pub bearings: Vec<Bearing>,
    /// The nearest of its stands, and how far its target is.
    pub nearest: Option<Bearing>,
    /// The clauses it obeys beside those of every volley; empty until it is [cited](Aim::cite), which only telling needs.
    pub clauses: SmallVec<[Clause; 8]>,
}

impl Aim {
    /// Stands that fire.
    pub fn stands(&self) -> u8 {
        self.sections.iter().map(|section| section.stands).sum()
    }

    /// Which stands fire.
    pub fn stands_firing(&self) -> StandSet {
        self.bearings.iter().map(|bearing| bearing.stand).collect()
    }

    /// Dice thrown.
    pub fn dice(&self) -> usize {
        self.sections.iter().map(|section| section.dice.len()).sum()
    }

    /// Looks up which clauses it obeys, before anything of it has happened.
    pub fn cite(&mut self, field: &Field) {
        self.clauses = clauses_of(field, self);
    }

    /// Whether it can do any harm, or start a fire.
    pub fn is_worth_it(&self) -> bool {
        let harms = |faces: &Faces| faces.all().iter().any(|hits| *hits > 0);
        let die = |die: &Die| harms(&die.faces) || die.screen.as_ref().is_some_and(harms);
        self.kindles.is_some() || self.sections.iter().any(|section| section.dice.iter().any(die))
    }
}

/// How many stands stand behind each die: full groups, then a remainder; one man alone only where he may.
pub fn split(stands: usize, group: usize, lone: bool) -> SmallVec<[u8; 4]> {
    let group = group.max(1);
    let (full, rest) = (stands / group, stands % group);
    let rest = (rest > 1 || (rest == 1 && lone)).then_some(rest as u8);
    std::iter::repeat_n(group as u8, full).chain(rest).collect()
}

/// The grade of a unit's fire in a band.
fn grade(field: &Field, unit: UnitId, weapon: Weapon<'_>, band: Band, column: (TargetClass, Cited<i32>)) -> Reckoning {
    let fire = &field.charts().fire;
    let gun = weapon.gun().is_some();
    let row = if gun { field::by_book(field, Clause::DiceForTheGuns, Clause::OneDieAGun) } else { Clause::HowManyDice };
    let mut sum = Reckoning::new();
    let range = match band {
        Band::Close => "close",
        Band::Effective => "effective",
        Band::Long => "long",
    };
    sum.add(row, format!("grade against {} at {range} range", column.0.word()), column.1);
    if field::order(field, unit) == OrderState::Shaken {
        sum.add(Clause::ShakenUntilRallied, "shaken", plain(fire.shaken));
    }
    let raw = field::facts(field, field::whole(field, unit)).class <= 1;
    if raw && !gun && band != Band::Close {
        sum.add(Clause::HowManyDice, "class 1 beyond close range", plain(fire.class1));
    }
    sum
}

/// The final grade: never off the table.
fn clamped(field: &Field, sum: &Reckoning) -> i32 {
    let fire = &field.charts().fire;
    sum.whole().clamp(fire.least_grade.value.get(), fire.best_grade.value.get().max(fire.least_grade.value.get()))
}

/// A section's sums for a band and the classes of a target.
pub(crate) fn section(
    field: &Field,
    unit: UnitId,
    weapon: Weapon<'_>,
    band: Band,
    grades: &Grades,
    classes: &[TargetClass],
) -> Section {
    let (class, cell) = target::column(field, grades, classes);
    let reckoning = grade(field, unit, weapon, band, (class, plain(cell)));
    let grade = clamped(field, &reckoning);
    Section { band, class, grade, reckoning, dice: SmallVec::new(), stands: 0 }
}

/// Takes aim with some stands of a unit. Nothing where no stand bears.
pub fn take(field: &Field, firer: &Firer<'_>, quarry: Quarry, bearings: &[Bearing]) -> Option<Aim> {
    let nearest = bearings.iter().min_by_key(|bearing| bearing.at).copied()?;
    let classes = classes_of(field, firer.unit, quarry, &nearest);
    let mut aim = bare(firer.unit, quarry);
    aim.nearest = Some(nearest);
    aim.bearings = bearings.to_vec();
    let mut banded: Vec<Banded<'_>> = bearings
        .iter()
        .filter_map(|bearing| firer.weapon.band(bearing.at).map(|(band, grades)| (band, grades, *bearing)))
        .collect();
    banded.sort_by_key(|(band, ..)| *band);
    match firer.weapon {
        Weapon::Gun(gun) => {
            let screened = |bearing: &Bearing| bearing.screen;
            aim.screen = bearings.iter().find_map(screened);
            for (band, grades, bearing) in banded {
                let at = place(field, &mut aim, firer, band, grades, &classes);
                let Some(section) = aim.sections.get_mut(at) else { continue };
                let faces = field.charts().effect.grade(section.grade).four.value;
                let screen = bearing.screen.and_then(|_| screen_faces(field, firer, band, grades));
                section.stands += 1;
                let die = Die { stands: count(field.charts().fire.group) as u8, faces, screen, from: bearing };
                section.dice.extend(std::iter::repeat_n(die, count(gun.dice) as usize));
            }
            aim.kindles = kindles(field, gun.fires.value, &aim, &nearest);
        }
        Weapon::Small(_) => {
            for side in sides(field, firer.unit, &banded) {
                small_dice(field, firer, &mut aim, &side, &classes);
            }
        }
    }
    aim.sections.sort_by_key(|section| section.band);
    again(field, &mut aim);
    Some(aim)
}

fn bare(by: UnitId, quarry: Quarry) -> Aim {
    Aim {
        by,
        quarry,
        sections: SmallVec::new(),
        first_fire: 0,
        crack: 0,
        screen: None,
        kindles: None,
        passing: false,
        defensive: false,
        bearings: Vec::new(),
        nearest: None,
        clauses: SmallVec::new(),
    }
}

/// The classes of a quarry for a unit; its cover is that of the stands the nearest firer sees.
fn classes_of(field: &Field, unit: UnitId, quarry: Quarry, nearest: &Bearing) -> Classes {
    let Quarry::Unit(id) = quarry else {
        return Classes::from_slice(&[field.charts().target.staff.value]);
    };
    let all = field::stands(field, id);
    if !ground::may_shelter(field, all) {
        return target::classes_with(field, id, None);
    }
    let lane = Lane::between(field, unit, id);
    let eye = field::stands(field, unit).get(usize::from(nearest.stand)).copied();
    let seen: Vec<Quad> =
        all.iter().filter(|stand| eye.as_ref().is_none_or(|eye| lane.stand_sees(eye, stand))).copied().collect();
    let stands = if seen.is_empty() { all.to_vec() } else { seen };
    target::classes_with(field, id, target::cover_of(field, id, &stands, nearest.eye))
}

/// The place of a band's section.
fn place(
    field: &Field,
    aim: &mut Aim,
    firer: &Firer<'_>,
    band: Band,
    grades: &Grades,
    classes: &[TargetClass],
) -> usize {
    if let Some(at) = aim.sections.iter().position(|section| section.band == band) {
        return at;
    }
    aim.sections.push(section(field, firer.unit, firer.weapon, band, grades, classes));
    aim.sections.len() - 1
}

/// What a gun's die does to skirmishers before its target; nothing where they cannot be hit at that range.
fn screen_faces(field: &Field, firer: &Firer<'_>, band: Band, grades: &Grades) -> Option<Faces> {
    let kind = field.charts().target.skirmish.value;
    if grades.of(kind).value.get() == 0 {
        return None;
    }
    let sums = section(field, firer.unit, firer.weapon, band, grades, &[kind]);
    Some(field.charts().effect.grade(sums.grade).four.value)
}

/// A stand that bears, and the band it shoots in.
type Banded<'g> = (Band, &'g Grades, Bearing);

/// A square fires by sides, everybody else as one.
fn sides<'g>(field: &Field, unit: UnitId, banded: &[Banded<'g>]) -> SmallVec<[Vec<Banded<'g>>; 4]> {
    let mut sides: SmallVec<[Vec<Banded<'_>>; 4]> = SmallVec::new();
    if !weapon::is_square(field, unit) {
        sides.push(banded.to_vec());
        return sides;
    }
    let [front, rear, left, right] = crate::formation::side_counts(field::count(field, unit));
    // The stands go round clockwise from the front.
    let ends = [front, front + right, front + right + rear, front + right + rear + left];
    let mut from = 0;
    for end in ends {
        let one = banded.iter().filter(|(_, _, bearing)| (from..end).contains(&bearing.stand)).copied();
        sides.push(one.collect());
        from = end;
    }
    sides.retain(|side| !side.is_empty());
    sides
}

/// Groups of stands of one side, nearest band first; a group shoots in the band of its last man.
fn small_dice(field: &Field, firer: &Firer<'_>, aim: &mut Aim, side: &[Banded<'_>], classes: &[TargetClass]) {
    let unit = firer.unit;
    let alone = field::skirmishes(field, unit) && field::count(field, unit) == 1;
    let lone = alone || weapon::is_square(field, unit);
    let group = count(field.charts().fire.group) as usize;
    let mut from = 0;
    for size in split(side.len(), group, lone) {
        let men = side.get(from..from + usize::from(size)).unwrap_or_default();
        from += usize::from(size);
        let (Some((_, _, first)), Some((band, grades, _))) = (men.first(), men.last()) else { continue };
        let at = place(field, aim, firer, *band, grades, classes);
        let Some(section) = aim.sections.get_mut(at) else { continue };
        let faces = field.charts().effect.grade(section.grade).column(size).value;
        section.stands += size;
        section.dice.push(Die { stands: size, faces, screen: None, from: *first });
    }
    // A man left over has no die, but he has fired.
    if let Some((band, grades, _)) = side.get(from) {
        let at = place(field, aim, firer, *band, grades, classes);
        if let Some(section) = aim.sections.get_mut(at) {
            section.stands += (side.len() - from) as u8;
        }
    }
}

/// Dice that may be thrown again.
fn again(field: &Field, aim: &mut Aim) {
    let (fire, switch) = (&field.charts().fire, &field.charts().switch);
    let facts = field::facts(field, field::whole(field, aim.by));
    if facts.arm != Arm::Infantry {
        return;
    }
    if switch.first_fire.value && !field::state(field, aim.by).first_fire_used {
        aim.first_fire = count(fire.first_fire_dice) as u8;
    }
    let crack = switch.crack_volley.value && u32::from(facts.class) >= count(fire.crack_class);
    let in_line = field::shape(field, aim.by) == Shape::Line;
    if crack && in_line && u32::from(aim.stands()) >= count(fire.crack_stands) {
        aim.crack = count(fire.crack_dice) as u8;
    }
}

/// What the coloured die can set alight: the wood, the houses or the wooden barrier that cover the target (C-08).
fn kindles(field: &Field, fires: bool, aim: &Aim, nearest: &Bearing) -> Option<FeatureId> {
    let first = aim.sections.iter().min_by_key(|section| section.band)?;
    let close = first.band == Band::Close && !field.charts().fire.fire_close.value;
    if !fires || close || !matches!(first.class, TargetClass::Light | TargetClass::Heavy) {
        return None;
    }
    let id = aim.quarry.unit()?;
    let stands = field::stands(field, id);
    let stand = stands.iter().min_by_key(|stand| Length::from_um(stand.centre.distance(nearest.aim)))?;
    let area = ground::area_at(field, stand.centre).map(|(feature, _)| feature);
    area.or_else(|| wooden_barrier(field, stand, nearest.eye)).filter(|feature| !ground::is_burning(field, *feature))
}

fn wooden_barrier(field: &Field, stand: &Quad, from: Vec2) -> Option<FeatureId> {
    use TerrainKind as T;
    let near = reach(field.charts().constant.cover).as_f64() + SLACK.as_f64();
    let natures = &field.muster().scenario.natures;
    let mut features = field.ground().numbered();
    let found = features.find(|(id, feature)| {
        let wooden = natures.get(usize::from(id.0)).is_some_and(|nature| nature.wooden);
        wooden
            && matches!(feature.kind, T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Redoubt)
            && feature.shape.gap_to(stand) <= near
            && !feature.shape.clip((from, stand.centre)).is_empty()
    });
    found.map(|(id, _)| FeatureId(id.0))
}

/// Everything a volley obeys.
fn clauses_of(field: &Field, aim: &Aim) -> SmallVec<[Clause; 8]> {
    let (unit, bearings) = (aim.by, aim.bearings.as_slice());
    let gun = weapon::weapon(field, unit).and_then(Weapon::gun);
    let mut clauses: SmallVec<[Clause; 8]> = SmallVec::new();
    clauses.push(weapon::half_arc(field, unit).1);
    clauses.push(if gun.is_some() { Clause::GunnersChooseTheirMark } else { Clause::SmallArmsAtTheNearest });
    if gun.is_some() {
        clauses.push(field::by_book(field, Clause::DiceForTheGuns, Clause::OneDieAGun));
        clauses.push(field::by_book(field, Clause::ThreeSortsOfArtillery, Clause::OneDieAGun));
    }
    if gun.is_some() && aim.quarry.unit().is_some_and(|id| field::skirmishes(field, id)) {
        clauses.push(field::by_book(field, Clause::AThinTarget, Clause::BombardmentIsNotPlayed));
    }
    let group = count(field.charts().fire.group) as u8;
    let odd = |die: &Die| gun.is_none() && die.stands < group;
    let square = weapon::is_square(field, unit);
    let sides = sides_used(field, unit, bearings);
    let high = gun.is_some() && aim.nearest.is_some_and(|one| ground::level(field, one.eye) >= sight::HIGH);
    let shell = gun.is_some_and(|gun| gun.howitzer.value);
    let over = bearings.iter().any(|bearing| bearing.over);
    let hidden_away = |one: Bearing| ground::level(field, one.aim) > 0 || ground::area_at(field, one.aim).is_some();
    let sheltered = aim.nearest.is_some_and(hidden_away);
    let staff = aim.quarry.unit().is_none_or(|id| field::facts(field, id).arm == Arm::Engineers);
    let failed = field::troops(field, unit).turn.charge_failed;
    let struck = !field::troops(field, unit).contact.is_empty();
    let rest: [(bool, Clause); 16] = [
        (struck, Clause::StandingUpToIt),
        (aim.sections.iter().any(|section| section.dice.iter().any(odd)), Clause::TwoOrThreeLeftOver),
        (square, Clause::HowASquareShoots),
        (square, Clause::FireFromASquare),
        (square && field::count(field, unit) == 8, Clause::EightStandsInSquare),
        (sides > 1, Clause::TwoSidesOneTarget),
        (aim.screen.is_some(), Clause::ShellingThroughAScreen),
        (aim.screen.is_some(), Clause::SeeingThroughAScreen),
        (high, Clause::CommandingTheField),
        (over && high, Clause::ShootingOverFriendsHeads),
        (shell && (over || sheltered), Clause::ShellFromHowitzers),
        (!over && !high, Clause::TheLaneOfFire),
        (!over && !high, Clause::WhereTheLaneMatters),
        (staff, Clause::PickingOffOfficers),
        (failed, Clause::FailedChargersMayShoot),
        (field::skirmishes(field, unit), Clause::SkirmishersFieldOfFire),
    ];
    clauses.extend(rest.into_iter().filter(|(holds, _)| *holds).map(|(_, clause)| clause));
    if staff {
        clauses.push(Clause::ShootingAtStaff);
    }
    if let (Some(nearest), false) = (aim.nearest, aim.passing) {
        clauses.extend(sight::ground_between(field, nearest.eye, nearest.aim));
        clauses.extend(aim.quarry.unit().into_iter().flat_map(|id| shelter(field, id, nearest.eye)));
    }
    clauses.dedup();
    if aim.passing {
        clauses.push(Clause::PassingShots);
    }
    clauses
}

/// The clauses about what shelters a target, or would if it did not stand in the street.
fn shelter(field: &Field, target: UnitId, from: Vec2) -> SmallVec<[Clause; 2]> {
    let stands = field::stands(field, target);
    if !ground::may_shelter(field, stands) {
        return SmallVec::new();
    }
    let around = |stand: &Quad| ground::area_at(field, stand.centre).map(|(feature, _)| feature);
    let urban = |stand: &Quad| around(stand).is_some_and(|feature| ground::is_urban(field, feature));
    let covered = |stand: &Quad| ground::stand_cover(field, target, stand, from).is_some();
    let rules: [(bool, Clause); 3] = [
        (stands.iter().any(|stand| urban(stand) && covered(stand)), Clause::RuinsShelterAsWell),
        (stands.iter().any(|stand| urban(stand) && !covered(stand)), Clause::NoShelterInTheStreet),
        (stands.iter().any(|stand| around(stand).is_none() && covered(stand)), Clause::CloseBehindCover),
    ];
    rules.into_iter().filter(|(holds, _)| *holds).map(|(_, clause)| clause).collect()
}

fn sides_used(field: &Field, unit: UnitId, bearings: &[Bearing]) -> usize {
    if !weapon::is_square(field, unit) {
        return 0;
    }
    let stands = field::stands(field, unit);
    let mut ways: SmallVec<[Vec2; 4]> = SmallVec::new();
    for bearing in bearings {
        let Some(stand) = stands.get(usize::from(bearing.stand)) else { continue };
        let way = (bearing.eye - stand.centre).normalised();
        if ways.iter().all(|one| one.dot(way) < 0.5) {
            ways.push(way);
        }
    }
    ways.len()
}

/// Takes aim with these stands at what passed, where and as it was then.
pub fn take_passing(field: &Field, firer: &Firer<'_>, crossing: &Crossing, men: StandSet) -> Option<Aim> {
    let (band, grades) = firer.weapon.band(crossing.at)?;
    let quarry = Quarry::Unit(crossing.unit);
    let mut aim = bare(firer.unit, quarry);
    aim.passing = true;
    let bearings: Vec<Bearing> = firer
        .arcs()
        .filter(|(stand, _)| men.has(*stand))
        .map(|(stand, arc)| {
            let aim = arc.eye() + arc.forward() * crossing.at.as_f64();
            Bearing { stand, at: crossing.at, eye: arc.eye(), aim, screen: None, over: false }
        })
        .collect();
    aim.nearest = bearings.first().copied();
    let banded: Vec<_> = bearings.iter().map(|bearing| (band, grades, *bearing)).collect();
    let classes = [crossing.class];
    match firer.weapon {
        Weapon::Gun(gun) => {
            let mut sums = section(field, firer.unit, firer.weapon, band, grades, &classes);
            let faces = field.charts().effect.grade(sums.grade).four.value;
            sums.stands = bearings.len() as u8;
            let each = count(gun.dice) as usize;
            for from in &bearings {
                let die = Die { stands: count(field.charts().fire.group) as u8, faces, screen: None, from: *from };
                sums.dice.extend(std::iter::repeat_n(die, each));
            }
            aim.sections.push(sums);
        }
        Weapon::Small(_) => small_dice(field, firer, &mut aim, &banded, &classes),
    }
    again(field, &mut aim);
    aim.bearings = bearings;
    (!aim.bearings.is_empty()).then_some(aim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Days;
    use crate::charts::Charts;
    use engine::Ruleset;
    use engine::chart::ChartTree;

    fn charts(no: usize) -> Charts {
        ChartTree::printed(Days::EDITIONS[no].charts).and_then(|tree| tree.read()).unwrap()
    }

    /// PV-14.
    #[test]
    fn stands_are_counted_off_by_fours() {
        let of = |stands| split(stands, 4, false).to_vec();
        assert_eq!(
            [of(12), of(11), of(10), of(9), of(4)],
            [vec![4; 3], vec![4, 4, 3], vec![4, 4, 2], vec![4, 4], vec![4]]
        );
        assert_eq!([split(1, 4, true).to_vec(), split(5, 4, true).to_vec()], [vec![1], vec![4, 1]]);
        assert!(of(1).is_empty() && of(0).is_empty());
    }

    /// PV-15 and PV-16: the tables the vectors read.
    #[test]
    fn grades_and_faces_are_those_of_the_vectors() {
        let iron = charts(0);
        let eight = Length::whole_inches(8);
        let (band, grades) = iron.small_arms["chassepot"].band(eight).unwrap();
        assert_eq!((band, grades.of(TargetClass::Line).value.get()), (Band::Effective, 3));
        let faces = iron.effect.grade(3).column(4).value;
        assert_eq!([4, 2, 6].map(|pip| faces.hits(pip)), [1, 0, 1]);
        let empire = charts(1);
        let (_, grades) = empire.small_arms["rifle"].band(Length::whole_inches(6)).unwrap();
        assert_eq!(grades.of(TargetClass::Line).value.get(), 2);
        let faces = empire.effect.grade(2).column(4).value;
        assert_eq!([3, 5, 6].map(|pip| faces.hits(pip)), [0, 1, 1]);
    }
}
