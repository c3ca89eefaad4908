//! An order to fire, read as a whole: who shoots at whom with which stands, who keeps fire back, who lays fires. The same
//! reading judges an order and carries it out. Section 17.3, 15.9-b, A-28 to A-32.

use super::aim::{Bearing, Firer, Sheet, Why};
use super::volley::{self, Aim};
use super::weapon::{self, Quarry};
use crate::charts::count;
use crate::clause::Clause;
use crate::field::{self, Field};
use crate::ground;
use crate::order::{Arson, Order, Reserve, Shot};
use crate::passing;
use engine::verdict::Mark;
use engine::{FeatureId, Side, UnitId, Verdict};
use table::{Point, Vec2};

/// What a side does in the Shooting Phase.
#[derive(Default)]
pub struct Plan {
    /// Volleys, in roster order.
    pub aims: Vec<Aim>,
    /// Stands kept back.
    pub reserves: Vec<(UnitId, u8)>,
    /// Fires laid by hand.
    pub arson: Vec<FeatureId>,
    /// Stands of each unit that lay fires.
    pub busy: Vec<(UnitId, u8)>,
}

impl Plan {
    /// The same with the clauses of every volley looked up.
    #[must_use]
    pub fn cited(mut self, field: &Field) -> Plan {
        self.aims.iter_mut().for_each(|aim| aim.cite(field));
        self
    }
}

/// A unit that has taken aim already: what each of its stands can do about every enemy in range.
pub struct Aimed<'f> {
    /// Who.
    pub firer: Firer<'f>,
    /// What [`Firer::sheets`] says.
    pub sheets: Vec<Sheet>,
}

/// Reads an order with all reasons against it.
pub fn read(field: &Field, side: Side, order: &Order) -> (Plan, Verdict) {
    read_aimed(field, side, order, &[])
}

/// The same for whoever has had some units take aim on this very field: they need not do so again.
pub fn read_aimed<'f>(field: &'f Field, side: Side, order: &Order, aimed: &[Aimed<'f>]) -> (Plan, Verdict) {
    let (mut plan, mut verdict) = (Plan::default(), Verdict::fine());
    match order {
        Order::Pass => {}
        Order::Fire { shots, reserve, arson } => {
            lay_fires(field, side, arson, &mut plan, &mut verdict);
            let known = |unit: &UnitId| weapon::is_own(field, side, *unit);
            for shot in shots.iter().filter(|shot| !known(&shot.unit)) {
                verdict.refuse(Clause::SayingWhoFires, "that is no unit of yours").about(shot.unit);
            }
            for one in reserve.iter().filter(|one| !known(&one.unit)) {
                verdict.refuse(Clause::HoldingFireBack, "that is no unit of yours").about(one.unit);
            }
            let mut units: Vec<UnitId> = shots.iter().map(|shot| shot.unit).filter(known).collect();
            units.extend(reserve.iter().map(|one| one.unit).filter(known));
            units.sort_unstable();
            units.dedup();
            for unit in units {
                let own: Vec<&Shot> = shots.iter().filter(|shot| shot.unit == unit).collect();
                let kept: Vec<&Reserve> = reserve.iter().filter(|one| one.unit == unit).collect();
                let aimed = aimed.iter().find(|one| one.firer.unit == unit);
                read_unit(field, (unit, aimed), &own, &kept, &mut plan, &mut verdict);
            }
        }
        _ => {
            verdict.refuse(Clause::TargetsBeforeDice, "say who shoots at whom, and who keeps its fire back");
        }
    }
    (plan, verdict)
}

/// Whether [`read`] would find nothing against an order, for whoever does not ask what comes of it: whoever has one target
/// needs no more than one stand that bears on it.
pub fn is_lawful(field: &Field, side: Side, order: &Order) -> bool {
    let Order::Fire { shots, reserve, arson } = order else { return read(field, side, order).1.is_legal() };
    let busy = |unit: UnitId| !arson.is_empty() || reserve.iter().any(|one| one.unit == unit);
    let alone = |shot: &Shot| shots.iter().filter(|one| one.unit == shot.unit).count() == 1;
    let surely = |shot: &Shot| !busy(shot.unit) && alone(shot) && surely_fires(field, side, shot);
    let shots: Vec<Shot> = shots.iter().copied().filter(|shot| !surely(shot)).collect();
    read(field, side, &Order::Fire { shots, reserve: reserve.clone(), arson: arson.clone() }).1.is_legal()
}

/// Whether the only shot of a unit is surely lawful, judged by the first stand that bears.
fn surely_fires(field: &Field, side: Side, shot: &Shot) -> bool {
    let unit = shot.unit;
    if !weapon::is_own(field, side, unit) || !weapon::silence(field, unit).is_empty() {
        return false;
    }
    if shot.passing || shot.stands.is_some() || shot.general.is_some() {
        return false;
    }
    let free = weapon::ready(field, unit).len() > usize::from(field::troops(field, unit).turn.fired);
    let Some(firer) = Firer::of(field, unit).filter(|_| free) else { return false };
    match shot.at {
        _ if firer.weapon.gun().is_none() => firer.may_shoot(shot.at),
        Some(at) => {
            let quarry = Quarry::Unit(at);
            weapon::exists(field, quarry) && weapon::spared(field, unit, quarry).is_empty() && firer.bears_on(quarry)
        }
        None => firer.bears_on_any(),
    }
}

fn read_unit<'f>(
    field: &'f Field,
    (unit, aimed): (UnitId, Option<&Aimed<'f>>),
    shots: &[&Shot],
    kept: &[&Reserve],
    plan: &mut Plan,
    verdict: &mut Verdict,
) {
    let silence = weapon::silence(field, unit);
    for (clause, why) in &silence {
        verdict.refuse(*clause, *why).about(unit);
    }
    if !silence.is_empty() {
        return;
    }
    let own = if aimed.is_none() { Firer::of(field, unit) } else { None };
    let Some(firer) = aimed.map(|one| &one.firer).or(own.as_ref()) else { return };
    let ready = weapon::ready(field, unit).len() as u8;
    let busy = plan.busy.iter().filter(|(id, _)| *id == unit).map(|(_, stands)| *stands).sum::<u8>();
    let spent = busy + field::troops(field, unit).turn.fired;
    let withheld = shots.iter().any(|shot| is_withheld(shot));
    let reserved: u8 = kept.iter().filter_map(|one| one.stands).fold(0, u8::saturating_add);
    if kept.len() > 1 {
        verdict.refuse(Clause::HoldingFireBack, "its reserve is named twice").about(unit);
    }
    let free = ready.saturating_sub(spent);
    if reserved > free || kept.iter().any(|one| one.stands == Some(0)) {
        verdict.refuse(Clause::UnfiredStandsOnly, "it has not so many stands to keep back").about(unit);
    }
    let mut budget = free.saturating_sub(reserved);
    judge_battery(field, unit, shots, verdict);
    let aims = shots.iter().any(|shot| !is_withheld(shot));
    let at_will = shots.iter().any(|shot| !is_withheld(shot) && is_at_will(shot));
    // Guns may choose, so the sheet of what they are told to shoot at is all they need.
    let found = match (firer.weapon.gun(), aimed) {
        (None, None) if aims => firer.sheets(),
        (Some(_), _) if at_will => firer.nearest_for_guns(),
        _ => Vec::new(),
    };
    let sheets = aimed.filter(|_| found.is_empty()).map_or(found.as_slice(), |one| one.sheets.as_slice());
    let mut used: Vec<u8> = Vec::new();
    for (no, shot) in shots.iter().enumerate().filter(|(_, shot)| !is_withheld(shot)) {
        if is_at_will(shot) {
            fire_at_will(field, firer, sheets, shot.stands, (&mut used, &mut budget), plan, verdict);
            continue;
        }
        let again = shots.iter().take(no).any(|one| (one.at, one.general) == (shot.at, shot.general));
        if again || shot.stands == Some(0) {
            verdict.refuse(Clause::OneShotATurn, "each target is named once, with the stands that fire").about(unit);
            continue;
        }
        let aim = take_shot(field, firer, sheets, shot, (&used, budget), verdict);
        if let Some((aim, stands)) = aim {
            if !aim.is_worth_it() {
                verdict.caution(Clause::HowManyDice, "it cannot hurt the target from there").about(unit);
            }
            budget = budget.saturating_sub(stands.len() as u8);
            used.extend(stands);
            plan.aims.push(aim);
        }
    }
    if !kept.is_empty() || withheld {
        let stands = if reserved > 0 { reserved.min(free) } else { budget };
        if stands == 0 {
            verdict.refuse(Clause::UnfiredStandsOnly, "all its stands fire").about(unit);
        } else {
            plan.reserves.push((unit, stands));
        }
    }
}

/// A shot that names no target and no stands: the fire is kept back.
fn is_withheld(shot: &Shot) -> bool {
    shot.at.is_none() && shot.general.is_none() && shot.stands == Some(0)
}

/// A shot that leaves the target to whoever fires.
fn is_at_will(shot: &Shot) -> bool {
    shot.at.is_none() && shot.general.is_none() && !shot.passing
}

/// A unit that fires without being told at whom: every stand at whoever is nearest to it, a battery at the nearest it
/// can hit.
fn fire_at_will(
    field: &Field,
    firer: &Firer<'_>,
    sheets: &[Sheet],
    most: Option<u8>,
    (used, budget): (&mut Vec<u8>, &mut u8),
    plan: &mut Plan,
    verdict: &mut Verdict,
) {
    let near = |sheet: &Sheet| sheet.bearings().iter().map(|bearing| bearing.at).min();
    let mut order: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.bears() && sheet.quarry.unit().is_some()).collect();
    order.sort_by_key(|sheet| (near(sheet), sheet.quarry));
    if field::is_battery(field, firer.unit) {
        order.truncate(1);
    }
    let mut left = most.unwrap_or(u8::MAX);
    let before = plan.aims.len();
    for sheet in order {
        let free = sheet.bearings().into_iter().any(|bearing| !used.contains(&bearing.stand));
        if !free || left.min(*budget) == 0 {
            continue;
        }
        let shot =
            Shot { unit: firer.unit, at: sheet.quarry.unit(), general: None, stands: Some(left), passing: false };
        if let Some((aim, stands)) = take_shot(field, firer, sheets, &shot, (used, *budget), verdict) {
            left = left.saturating_sub(stands.len() as u8);
            *budget = budget.saturating_sub(stands.len() as u8);
            used.extend(stands);
            plan.aims.push(aim);
        }
    }
    if plan.aims.len() == before {
        verdict.refuse(Clause::SayingWhoFires, "there is nobody it can shoot at").about(firer.unit);
    }
}

/// A battery has one target, unless several enemies charge it (days.10.1-g).
fn judge_battery(field: &Field, unit: UnitId, shots: &[&Shot], verdict: &mut Verdict) {
    if !field::is_battery(field, unit) || shots.len() < 2 {
        return;
    }
    let chargers = field::chargers(field, unit);
    let all_charge = shots.iter().all(|shot| shot.at.is_some_and(|at| chargers.contains(&at)));
    if chargers.len() < 2 || !all_charge {
        verdict
            .refuse(Clause::OneTargetForABattery, "a battery fires at one target, or at those who charge it")
            .about(unit);
    }
}

fn take_shot(
    field: &Field,
    firer: &Firer<'_>,
    sheets: &[Sheet],
    shot: &Shot,
    (used, budget): (&[u8], u8),
    verdict: &mut Verdict,
) -> Option<(Aim, Vec<u8>)> {
    let unit = firer.unit;
    let quarry = match (shot.at, shot.general) {
        (Some(at), None) => Quarry::Unit(at),
        (None, Some(general)) => Quarry::General(general),
        _ => {
            verdict.refuse(Clause::SayingWhoFires, "name one target").about(unit);
            return None;
        }
    };
    if !weapon::exists(field, quarry) {
        verdict.refuse(Clause::SayingWhoFires, "there is no such target").about(unit);
        return None;
    }
    let most = shot.stands.unwrap_or(u8::MAX).min(budget);
    if shot.passing {
        return take_passing(field, firer, quarry, (used, most), verdict);
    }
    let spared = weapon::spared(field, unit, quarry);
    for (clause, why) in &spared {
        note(verdict, field, unit, quarry, (*clause, why));
    }
    if !spared.is_empty() {
        return None;
    }
    let sheet = sheets.iter().find(|sheet| sheet.quarry == quarry);
    let own = sheet.is_none().then(|| firer.sheet(quarry));
    let sheet = sheet.or(own.as_ref())?;
    let mut bearings: Vec<Bearing> =
        sheet.bearings().into_iter().filter(|bearing| !used.contains(&bearing.stand)).collect();
    if bearings.is_empty() || most == 0 {
        if sheet.bears() {
            note(verdict, field, unit, quarry, (Clause::OneShotATurn, "no stand that could fire at it is left"));
        }
        if sheet.is_complete() {
            refuse_sheet(field, unit, sheet, verdict);
        } else {
            refuse_sheet(field, unit, &firer.full_sheet(quarry), verdict);
        }
        return None;
    }
    // The nearest first, so that whoever sends only some sends the best; dice are counted off from the left again.
    if bearings.len() > usize::from(most) {
        bearings.sort_by_key(|bearing| bearing.at);
        bearings.truncate(usize::from(most));
        bearings.sort_by_key(|bearing| bearing.stand);
    }
    let stands = bearings.iter().map(|bearing| bearing.stand).collect();
    Some((volley::take(field, firer, quarry, &bearings)?, stands))
}

/// All the reasons why no stand bears, each once.
fn refuse_sheet(field: &Field, unit: UnitId, sheet: &Sheet, verdict: &mut Verdict) {
    let mut told: Vec<Clause> = Vec::new();
    for why in sheet.stands.iter().filter_map(|stand| stand.as_ref().err()) {
        let (mut clause, text) = why.reason(field, unit);
        if let (Why::Sight, Some(at)) = (why, sheet.quarry.unit()) {
            clause = crate::sight::why_unseen(field, unit, at);
        }
        if !told.contains(&clause) {
            told.push(clause);
            note(verdict, field, unit, sheet.quarry, (clause, text));
        }
    }
}

fn place_of(field: &Field, quarry: Quarry) -> Vec2 {
    match quarry {
        Quarry::Unit(unit) => field.unit(unit).quad().centre,
        Quarry::General(general) => field.commander(general).quad().centre,
    }
}

fn note(verdict: &mut Verdict, field: &Field, unit: UnitId, quarry: Quarry, (clause, text): (Clause, &'static str)) {
    let note = verdict.refuse(clause, text).about(unit);
    let there = match quarry {
        Quarry::Unit(target) => super::aim::is_open(field, target),
        Quarry::General(general) => field.commander(general).is_present(),
    };
    if there && field::is_there(field, unit) {
        let from = Point::from_vec(field.unit(unit).quad().centre);
        note.at(Mark::Line(from, Point::from_vec(place_of(field, quarry))));
    }
}

fn take_passing(
    field: &Field,
    firer: &Firer<'_>,
    quarry: Quarry,
    (used, most): (&[u8], u8),
    verdict: &mut Verdict,
) -> Option<(Aim, Vec<u8>)> {
    let unit = firer.unit;
    let crossing = quarry.unit().and_then(|at| passing::seen(field, unit, at));
    let Some(crossing) = crossing else {
        verdict.refuse(Clause::PassingShots, "nothing like that crossed its arc while it stood still").about(unit);
        return None;
    };
    let spared = weapon::spared_in_passing(field, unit, crossing.unit);
    for (clause, why) in &spared {
        note(verdict, field, unit, quarry, (*clause, why));
    }
    if !spared.is_empty() {
        return None;
    }
    let free = firer.arcs().map(|(no, _)| no).filter(|no| crossing.by.has(*no) && !used.contains(no));
    let men: Vec<u8> = free.take(usize::from(most)).collect();
    if men.is_empty() {
        verdict.refuse(Clause::OneShotATurn, "no stand that could fire at it is left").about(unit);
        return None;
    }
    Some((volley::take_passing(field, firer, crossing, men.iter().copied().collect())?, men))
}

/// Fires laid by hand: two stands inside give up their shot (days.15.9-b).
fn lay_fires(field: &Field, side: Side, arson: &[Arson], plan: &mut Plan, verdict: &mut Verdict) {
    let needed = count(field.charts().fire.arson_stands) as u8;
    for one in arson {
        let clause = Clause::FireLaidByHand;
        let mut refuse = |why: &'static str| {
            verdict.refuse(clause, why);
        };
        if ground::is_burning(field, one.feature) || plan.arson.contains(&one.feature) {
            refuse("it burns already");
            continue;
        }
        let mut missing = needed;
        let mut lent: Vec<(UnitId, u8)> = Vec::new();
        for unit in one.units.iter().copied().filter(|unit| weapon::is_own(field, side, *unit)) {
            let busy: u8 = plan.busy.iter().chain(&lent).filter(|(id, _)| *id == unit).map(|(_, stands)| *stands).sum();
            let able = weapon::silence(field, unit).is_empty();
            let hands = if able { inside(field, unit, one.feature).saturating_sub(busy).min(missing) } else { 0 };
            if hands > 0 {
                missing -= hands;
                lent.push((unit, hands));
            }
        }
        if missing > 0 {
            refuse("two stands inside that could fire must lay it");
            continue;
        }
        plan.busy.extend(lent);
        plan.arson.push(one.feature);
    }
}

/// Stands of a unit inside a wood or urban area.
pub fn inside(field: &Field, unit: UnitId, feature: FeatureId) -> u8 {
    if !field::is_there(field, unit) {
        return 0;
    }
    let stands = field::stands(field, unit);
    let there = |centre: Vec2| ground::area_at(field, centre).is_some_and(|(id, _)| id == feature);
    stands.iter().filter(|stand| there(stand.centre)).count() as u8
}
