//! Who strikes whom hand to hand, with how many dice and at what odds: the pure facts of a round. R74 to R77.

use super::charts::plain;
use super::clause::Clause;
use super::contact::foes;
use super::field::{Few, Field, Shelter, Stands, bodies, facts, formation, known, shelter, soldiers, stands, touch};
use super::fire::{rear_edge, share_edge};
use super::unit::{Arm, Aspect, Markers};
use engine::{Cited, UnitId};
use smallvec::SmallVec;
use table::{Quad, SLACK, convex};

/// Modifiers of one stand, each with its clause and a few words.
pub type Modifiers = SmallVec<[(Clause, &'static str, Cited<i32>); 6]>;

/// One stand's part in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strike {
    /// Which stand.
    pub stand: u8,
    /// Whom it strikes.
    pub at: UnitId,
    /// How many dice it throws.
    pub dice: Cited<i32>,
    /// Whether it strikes over the rank before it.
    pub second_rank: bool,
    /// What is added to each die.
    pub modifiers: Modifiers,
    /// The modified score that hits.
    pub need: Cited<i32>,
}

impl Strike {
    /// All modifiers together.
    pub fn factor(&self) -> i32 {
        self.modifiers.iter().map(|line| line.2.value).sum()
    }

    /// Whether a die hits.
    pub fn hits(&self, pip: u8) -> bool {
        i32::from(pip) + self.factor() >= self.need.value
    }
}

/// A choice an owner has made: whom one of his stands strikes.
pub type Choice = (UnitId, u8, UnitId);

/// Whether a unit may still fight this turn.
pub fn has_rounds_left(field: &Field, unit: UnitId) -> bool {
    i32::from(soldiers(field, unit).fight.rounds) < field.charts().combat.rounds.value.get()
}

/// Enemies a unit fights in the next round.
pub fn opponents(field: &Field, unit: UnitId) -> Few {
    if !has_rounds_left(field, unit) {
        return Few::new();
    }
    foes(field, unit).into_iter().filter(|foe| has_rounds_left(field, *foe)).collect()
}

fn touches(stand: &Quad, quads: &[Quad]) -> bool {
    quads.iter().any(|quad| table::quads_touch(stand, quad))
}

/// How much of a stand's front an enemy covers, from nothing to all of it; none if he does not touch the front at all.
fn front_share(stand: &Quad, enemy: &[Quad]) -> Option<usize> {
    const MARKS: u8 = 16;
    let (left, right) = stand.front_edge();
    let outward = ((left + right) * 0.5 - stand.centre).normalised();
    let slack = SLACK.as_f64();
    let before =
        |quad: &&Quad| convex::gap(&[left, right], quad.points()) <= slack && (quad.centre - left).dot(outward) > 0.0;
    let before: Stands = enemy.iter().filter(before).copied().collect();
    let covered = |mark: &u8| {
        let place = left.lerp(right, (f64::from(*mark) + 0.5) / f64::from(MARKS)) + outward * (slack + slack);
        before.iter().any(|quad| convex::contains(quad.points(), place))
    };
    (!before.is_empty()).then(|| (0..MARKS).filter(covered).count())
}

/// Stands in contact, and whom each may strike: the enemy on its front, else any it touches (R77).
pub fn choices(field: &Field, unit: UnitId) -> Vec<(u8, Few)> {
    let opponents = opponents(field, unit);
    let bodies: SmallVec<[(UnitId, Stands); 3]> = opponents.iter().map(|foe| (*foe, bodies(field, *foe))).collect();
    let mut found = Vec::new();
    for (n, stand) in stands(field, unit).iter().enumerate() {
        let touched: Few = bodies.iter().filter(|(_, quads)| touches(stand, quads)).map(|(foe, _)| *foe).collect();
        if touched.len() > 1 {
            let share = |foe: &UnitId| bodies.iter().find(|(id, _)| id == foe).and_then(|(_, q)| front_share(stand, q));
            let front = touched.iter().filter_map(|foe| share(foe).map(|share| (share, std::cmp::Reverse(*foe)))).max();
            match front {
                Some((_, std::cmp::Reverse(foe))) => found.push((n as u8, Few::from_slice(&[foe]))),
                None => found.push((n as u8, touched)),
            }
        } else if !touched.is_empty() {
            found.push((n as u8, touched));
        }
    }
    found
}

/// Stands in contact with the enemy each strikes, the owner's choices heeded.
fn settled(field: &Field, unit: UnitId, chosen: &[Choice]) -> Vec<(u8, UnitId)> {
    let pick = |stand: u8, among: &Few| {
        let choice = chosen.iter().find(|choice| choice.0 == unit && choice.1 == stand && among.contains(&choice.2));
        choice.map(|choice| choice.2).or(among.iter().min().copied())
    };
    choices(field, unit).iter().filter_map(|(stand, among)| Some((*stand, pick(*stand, among)?))).collect()
}

/// Stands of a unit that touch an enemy.
pub fn touching_stands(field: &Field, unit: UnitId, enemy: UnitId) -> Vec<u8> {
    let theirs = bodies(field, enemy);
    let own = stands(field, unit);
    own.iter().enumerate().filter(|(_, stand)| touches(stand, &theirs)).map(|(n, _)| n as u8).collect()
}

/// Whether a stand is drawn up right behind another: its front along the other's rear, which lets them face one way only.
fn is_behind(stand: &Quad, ahead: &Quad) -> bool {
    share_edge(stand.front_edge(), rear_edge(ahead))
}

/// Everything a unit throws in the next round, stand by stand (R74).
pub fn strikes(field: &Field, unit: UnitId, chosen: &[Choice]) -> Vec<Strike> {
    if !has_rounds_left(field, unit) {
        return Vec::new();
    }
    let own = stands(field, unit);
    let in_contact = settled(field, unit, chosen);
    let mut ahead: SmallVec<[(Quad, UnitId); 4]> =
        in_contact.iter().filter_map(|(n, at)| Some((*own.get(usize::from(*n))?, *at))).collect();
    let in_ranks = !formation(field, unit).is_march();
    if in_ranks && in_contact.len() < own.len() {
        ahead.extend(ranks_of_friends(field, unit, chosen));
    }
    let mut found = Vec::new();
    for (n, stand) in own.iter().enumerate() {
        let touching = in_contact.iter().find(|(no, _)| usize::from(*no) == n).map(|(_, at)| *at);
        let behind = || ahead.iter().find(|(quad, _)| in_ranks && is_behind(stand, quad)).map(|(_, at)| *at);
        let Some(at) = touching.or_else(behind) else { continue };
        found.push(strike(field, unit, n as u8, stand, at, touching.is_none()));
    }
    found
}

/// Stands of friends in contact right before this unit.
fn ranks_of_friends(field: &Field, unit: UnitId, chosen: &[Choice]) -> Vec<(Quad, UnitId)> {
    let mut found = Vec::new();
    for (friend, _) in known(field, field.side_of(unit)) {
        if friend != unit && touch(field, unit, friend) && !facts(field, friend).is_scout() {
            let quads = stands(field, friend);
            let fronts = settled(field, friend, chosen).into_iter();
            found.extend(fronts.filter_map(|(n, at)| Some((*quads.get(usize::from(n))?, at))));
        }
    }
    found
}

/// Friends that fight over the shoulders of units in contact, without touching an enemy themselves.
pub fn supporters(field: &Field, units: &[UnitId]) -> Vec<UnitId> {
    let mut found = Vec::new();
    for &unit in units {
        for (friend, _) in known(field, field.side_of(unit)) {
            let candidate = !units.contains(&friend) && !found.contains(&friend) && touch(field, unit, friend);
            if candidate && foes(field, friend).is_empty() && !strikes(field, friend, &[]).is_empty() {
                found.push(friend);
            }
        }
    }
    found
}

fn strike(field: &Field, unit: UnitId, n: u8, stand: &Quad, at: UnitId, second_rank: bool) -> Strike {
    let combat = &field.charts().combat;
    let double = facts(field, unit).arm == Arm::Infantry && facts(field, at).arm == Arm::Cavalry;
    let dice = plain(if double { combat.dice_v_cavalry } else { combat.dice });
    let mut modifiers = Modifiers::new();
    as_for_shooting(field, unit, n, stand, at, &mut modifiers);
    hand_to_hand(field, unit, at, &mut modifiers);
    Strike { stand: n, at, dice, second_rank, modifiers, need: plain(combat.need) }
}

/// What helps or hinders a shot does so hand to hand too, range apart (R75).
fn as_for_shooting(field: &Field, unit: UnitId, n: u8, stand: &Quad, at: UnitId, modifiers: &mut Modifiers) {
    let chart = &field.charts().fire.modifier;
    let nearest = stands(field, at).into_iter().min_by_key(|quad| table::gap(stand, quad));
    let cover = nearest.and_then(|quad| shelter(field, &quad, stand.centre));
    if cover.is_some() {
        modifiers.push((Clause::Cover, "enemy in cover", plain(chart.cover)));
    }
    if cover == Some(Shelter::Dense) {
        modifiers.push((Clause::DenseCover, "dense cover", plain(chart.dense_cover_further)));
    }
    let markers = soldiers(field, unit).stands.get(usize::from(n)).copied().unwrap_or(Markers::default());
    if markers.disruption > 0 {
        modifiers.push((Clause::FirerDisrupted, "disrupted", plain(chart.firer_disrupted)));
    }
    if markers.degradation > 0 {
        modifiers.push((Clause::FirerDegraded, "degraded", plain(chart.firer_degraded)));
    }
    if facts(field, at).arm == Arm::Cavalry {
        modifiers.push((Clause::TargetCavalry, "enemy is cavalry", plain(chart.target_cavalry)));
    }
    if matches!(soldiers(field, at).aspect_of(unit), Some(Aspect::Flank | Aspect::Rear)) {
        modifiers.push((Clause::FlankOrRear, "on his flank or rear", plain(chart.flank_or_rear)));
    }
    let own = facts(field, unit);
    let shells = own.weapon.is_gun()
        || (field.settings().mitrailleuse_v_cover && own.weapon == super::unit::Weapon::Mitrailleuse);
    if cover.is_some() && shells {
        modifiers.push((Clause::ArtilleryAtCover, "guns against cover", plain(chart.artillery_v_cover)));
    }
    if formation(field, at).is_dense() {
        modifiers.push((Clause::TargetDense, "enemy in dense formation", plain(chart.target_dense)));
    }
}

/// What counts in close combat alone (combat-e to -j).
fn hand_to_hand(field: &Field, unit: UnitId, at: UnitId, modifiers: &mut Modifiers) {
    let chart = &field.charts().combat.modifier;
    let (facts, fight) = (facts(field, unit), &soldiers(field, unit).fight);
    let cavalry = facts.arm == Arm::Cavalry;
    let enemy = soldiers(field, at);
    if cavalry && super::field::facts(field, at).arm == Arm::Cavalry && enemy.fight.failed_evade {
        modifiers.push((Clause::FailedEvader, "enemy failed to evade", plain(chart.v_failed_evader)));
    }
    if fight.impetus.is_some_and(|impetus| impetus.level) {
        modifiers.push((Clause::ChargeBonus, "charging", plain(chart.charging)));
    }
    if fight.impetus.is_some() && facts.heavy && cavalry {
        modifiers.push((Clause::HeavyBonus, "heavy cavalry charging", plain(chart.heavy_charging)));
    }
    if fight.momentum && fight.rounds > 0 {
        modifiers.push((Clause::Momentum, "won the round before", plain(chart.momentum)));
    }
    match soldiers(field, unit).aspect_of(at) {
        Some(Aspect::Flank) => {
            modifiers.push((Clause::EnemyOnFlank, "enemy on its flank", plain(chart.enemy_on_flank)));
        }
        Some(Aspect::Rear) => modifiers.push((Clause::EnemyOnRear, "enemy at its rear", plain(chart.enemy_on_rear))),
        _ => {}
    }
}
