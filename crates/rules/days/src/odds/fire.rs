//! Odds of fire: the losses of each target from everybody who fires at it, and what its nerve makes of them.

use super::nerve::{self, Shot};
use super::volley::{Effect, bounces, effects};
use super::{stands_lost, total};
use crate::Days;
use crate::clause::Clause;
use crate::damage;
use crate::damage::guns::{self, Guns};
use crate::event::{Cause, DaysEvent, Doing};
use crate::field::{self, Field};
use crate::morale;
use crate::shooting::plan::Plan;
use crate::shooting::volley::Aim;
use crate::shooting::weapon::Quarry;
use crate::unit::{Arm, GunModel};
use book::telling::voice;
use engine::{Cited, CommanderId, Deed, Event, Line, Odds, Reckoning, Spread, StandSet, UnitId};
use smallvec::SmallVec;

/// What a body has taken from all who fire at it: hits, whether from behind, and who hit it most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Taken {
    hits: u8,
    behind: bool,
    most: u8,
    by: usize,
}

impl Taken {
    fn with(self, hits: u8, behind: bool, aim: usize, aims: &[Aim]) -> Taken {
        let apart = |no: usize| aims.get(no).and_then(|aim| aim.nearest).map(|nearest| nearest.at);
        // Whoever scored most; the nearest of equals.
        let worse = hits > self.most || (hits > 0 && hits == self.most && apart(aim) < apart(self.by));
        let (most, by) = if worse { (hits, aim) } else { (self.most, self.by) };
        Taken { hits: self.hits.saturating_add(hits), behind: self.behind | behind, most, by }
    }
}

/// Losses of a unit and of its parts that are fired at.
type Family = SmallVec<[(UnitId, Taken); 2]>;

/// The odds of everything a side fires.
pub fn of_plan(field: &Field, plan: &Plan, cause: Cause) -> Vec<Odds> {
    let mut seen: Vec<UnitId> = Vec::new();
    let volleys: Vec<Spread<Effect>> = plan
        .aims
        .iter()
        .map(|aim| {
            let whole = field::whole(field, aim.by);
            let fresh = !seen.contains(&whole);
            seen.push(whole);
            effects(field, aim, fresh)
        })
        .collect();
    let mut plots = Vec::new();
    let mut done: Vec<UnitId> = Vec::new();
    for aim in &plan.aims {
        match aim.quarry {
            Quarry::General(general) => plots.extend(of_general(field, plan, &volleys, general, aim)),
            Quarry::Unit(unit) => {
                for body in [Some(unit), aim.screen].into_iter().flatten() {
                    let whole = field::whole(field, body);
                    if !done.contains(&whole) {
                        done.push(whole);
                        plots.push(of_family(field, plan, &volleys, whole, cause));
                    }
                }
            }
        }
    }
    for (aim, volley) in plan.aims.iter().zip(&volleys) {
        if aim.kindles.is_some() {
            let title = format!("{} what covers the target", voice::does(voice::unit(field, aim.by), "set light to"));
            plots.push(super::plot_of(title, &volley.map(|effect| effect.kindled), "burns", "does not catch"));
        }
        for (quarry, hits) in bounces(field, aim) {
            let name = match quarry {
                Quarry::Unit(unit) => voice::unit(field, unit),
                Quarry::General(general) => voice::commander(field, general),
            };
            let title = format!("shot of {} goes on into {name}", voice::unit(field, aim.by));
            plots.push(Odds::plot(title, &hits, |hits| match hits {
                0 => "no hit".to_owned(),
                some => voice::count(usize::from(*some), "hit"),
            }));
        }
    }
    plots
}

/// What counts for the fire of each: its dice, and how its grade comes about.
fn sheet<'a>(field: &'a Field, aims: impl Iterator<Item = &'a Aim>) -> Reckoning {
    let mut told = Reckoning::new();
    for aim in aims {
        let name = voice::unit(field, aim.by);
        for section in &aim.sections {
            let dice = Cited::derived(i32::try_from(section.dice.len()).unwrap_or(i32::MAX));
            told.look(Clause::HowManyDice, format!("{name}: dice"), dice);
            let lines = section.reckoning.lines.iter().cloned();
            told.lines.extend(lines.map(|line| Line { label: format!("{name}: {}", line.label).into(), ..line }));
        }
    }
    told
}

fn firers<'a>(field: &'a Field, aims: impl Iterator<Item = &'a Aim>) -> String {
    let names: Vec<&str> = aims.map(|aim| voice::unit(field, aim.by)).collect();
    voice::list(&names)
}

fn of_general(
    field: &Field,
    plan: &Plan,
    volleys: &[Spread<Effect>],
    general: CommanderId,
    first: &Aim,
) -> Option<Odds> {
    let at_him = |aim: &Aim| aim.quarry == Quarry::General(general);
    // One plot for everybody who fires at him, with the first of them.
    if plan.aims.iter().find(|aim| at_him(aim))?.by != first.by {
        return None;
    }
    let all = plan.aims.iter().zip(volleys).filter(|(aim, _)| at_him(aim));
    let hits = all.fold(Spread::certain(0_u8), |sum, (_, volley)| {
        sum.then(|so_far| volley.map(|effect| so_far.saturating_add(effect.target)))
    });
    let by = firers(field, plan.aims.iter().filter(|aim| at_him(aim)));
    let title = format!("{by} at {}", voice::commander(field, general));
    let fate = hits.then(|hits| nerve::after_hits(field.charts(), *hits));
    Some(Odds::plot(title, &fate, nerve::Fate::label))
}

/// The losses of a unit with its parts, and its test.
fn of_family(field: &Field, plan: &Plan, volleys: &[Spread<Effect>], whole: UnitId, cause: Cause) -> Odds {
    let is_mine = |id: UnitId| field::whole(field, id) == whole;
    let hit = |aim: &&Aim| aim.quarry.unit().into_iter().chain(aim.screen).any(is_mine);
    let title = format!("{} at {}", firers(field, plan.aims.iter().filter(hit)), voice::unit(field, whole));
    if field::is_battery(field, whole) && !field::troops(field, whole).crew_away {
        return of_battery(field, plan, volleys, whole, cause, title);
    }
    let mut taken: Spread<Family> = Spread::certain(Family::new());
    for (no, (aim, volley)) in plan.aims.iter().zip(volleys).enumerate().filter(|(_, (aim, _))| hit(aim)) {
        taken = taken.then(|so_far| {
            volley.map(|effect| {
                let mut family = so_far.clone();
                let bodies = [(aim.quarry.unit(), effect.target, effect.behind), (aim.screen, effect.screen, false)];
                for (body, hits, behind) in bodies {
                    let Some(body) = body.filter(|body| is_mine(*body) && hits > 0) else { continue };
                    match family.iter_mut().find(|(id, _)| *id == body) {
                        Some((_, taken)) => *taken = taken.with(hits, behind, no, &plan.aims),
                        None => family.push((body, Taken::default().with(hits, behind, no, &plan.aims))),
                    }
                }
                family.sort();
                family
            })
        });
    }
    let lost = taken.map(|family| losses(field, whole, family));
    let plot = Odds::plot(title, &lost, |(stands, gone)| {
        if *gone { format!("{}, and destroyed", stands_lost(*stands)) } else { stands_lost(*stands) }
    });
    let plot = plot.counting(&sheet(field, plan.aims.iter().filter(hit)));
    match then_test(field, plan, &taken, whole, cause) {
        Some(test) => plot.followed_by(test),
        None => plot,
    }
}

/// Stands a unit loses of what hit it, and whether that is the end of it.
fn losses(field: &Field, whole: UnitId, family: &Family) -> (u8, bool) {
    if field::facts(field, whole).arm == Arm::Engineers {
        return (family.iter().map(|(_, taken)| taken.hits).sum(), false);
    }
    let before = field::strength(field, whole);
    let after = field::strength(&hurt(field, whole, family, &[], Cause::Fire), whole);
    let gone = field::shattered_at(field, whole).is_some_and(|least| after <= least);
    ((before - after.min(before)).min(u32::from(u8::MAX)) as u8, gone && after < before)
}

/// The field after the losses of one unit.
fn hurt(field: &Field, whole: UnitId, family: &Family, aims: &[Aim], cause: Cause) -> Field {
    let mut field = field.clone();
    for (body, taken) in family {
        let by = aims.get(taken.by).map(|aim| aim.by);
        let mut lost = 0;
        let parts = if *body == whole { field::parts_out(&field, whole) } else { field::Few::new() };
        let kept = u8::from(!parts.is_empty());
        let own = taken.hits.min(field::count(&field, *body).saturating_sub(kept));
        for (unit, most) in std::iter::once((*body, own)).chain(parts.into_iter().map(|part| (part, u8::MAX))) {
            let fewer = (taken.hits - lost).min(most).min(field::count(&field, unit));
            if fewer > 0 {
                field = field.folded(&thinned(&field, unit, fewer));
                lost += fewer;
            }
        }
        let mut events: Vec<Event<Days>> = Vec::new();
        if taken.behind {
            let did = DaysEvent::Did { unit: whole, doing: Doing::ShotFromBehind };
            events.push(Event::own(Clause::TestingAfterFire, did));
        }
        let shot = DaysEvent::ShotDown { unit: *body, stands: lost, by, cause };
        events.push(Event::own(Clause::OneHitOneStand, shot));
        field = field.folded(&events);
    }
    field
}

fn thinned(field: &Field, unit: UnitId, lost: u8) -> Vec<Event<Days>> {
    let (left, formation, to) = damage::shrunk(field, unit, lost);
    let clause = Clause::OneHitOneStand;
    let fewer = Event::new(clause, Deed::StandsLost { unit, left: StandSet::first(u32::from(left)) });
    if left == 0 {
        return vec![fewer, Event::new(clause, Deed::Withdrawn { unit })];
    }
    vec![fewer, Event::new(clause, Deed::Reformed { unit, formation, to })]
}

/// Who tests after fire: chargers put it off, routers and staff never do.
fn is_tested(field: &Field, whole: UnitId) -> bool {
    morale::has_order(field, whole)
        && !field::is_routing(field, whole)
        && morale::bodies(field, whole).iter().all(|body| field::troops(field, *body).charge.is_none())
}

fn then_test(field: &Field, plan: &Plan, taken: &Spread<Family>, whole: UnitId, cause: Cause) -> Option<Odds> {
    let charging = field::troops(field, whole).charge.as_ref().map(|charge| charge.at);
    if let (Cause::DefensiveFire, Some(at)) = (cause, charging) {
        return Some(then_home(field, plan, taken, whole, at));
    }
    if cause == Cause::DefensiveFire || !is_tested(field, whole) {
        return None;
    }
    let end = taken.then(|family| {
        if losses(field, whole, family).1 {
            return Spread::certain(Shot::Gone);
        }
        if family.is_empty() {
            return Spread::certain(Shot::Steady);
        }
        let after = hurt(field, whole, family, &plan.aims, cause);
        let bodies: Vec<UnitId> = family.iter().map(|(body, _)| *body).collect();
        nerve::with_generals_at_risk(&after, &bodies, |field| nerve::after_fire(field, whole))
    });
    let title = format!("then {}", voice::unit(field, whole));
    Some(Odds::plot(title, &end, Shot::label))
}

/// Whether a charger still comes home after fire that was kept back for it.
fn then_home(field: &Field, plan: &Plan, taken: &Spread<Family>, whole: UnitId, at: UnitId) -> Odds {
    let end = taken.then(|family| {
        if losses(field, whole, family).1 {
            return Spread::certain(0_u8);
        }
        let after = hurt(field, whole, family, &plan.aims, Cause::DefensiveFire);
        let score = nerve::score(&after, whole, crate::event::Test::ChargingHome, Some(at));
        nerve::passes(field.charts(), score).map(|passed| 1 + u8::from(*passed))
    });
    let title = format!("then {} home", voice::does(voice::unit(field, whole), "charge"));
    Odds::plot(title, &end, |end| ["destroyed", "stops short", "goes home"][usize::from(*end).min(2)].to_owned())
}

// --- Batteries ------------------------------------------------------------------------------

/// A battery under fire: its models by their old numbers with crew and damage, its horses, what has been lost of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Battered {
    guns: Vec<(usize, u8, u8)>,
    horses: u8,
    lost: u8,
    dropped: Vec<usize>,
    behind: bool,
}

impl Battered {
    fn of(field: &Field, battery: UnitId) -> Battered {
        let own = field::troops(field, battery);
        let guns = own.guns.iter().enumerate().map(|(no, gun)| (no, gun.crew, gun.damaged)).collect();
        Battered { guns, horses: own.horses, lost: 0, dropped: Vec::new(), behind: false }
    }

    fn models(&self) -> Guns {
        self.guns.iter().map(|(_, crew, damaged)| GunModel { crew: *crew, damaged: *damaged }).collect()
    }

    fn is_gone(&self) -> bool {
        self.guns.iter().all(|(_, crew, _)| *crew == 0)
    }
}

fn of_battery(
    field: &Field,
    plan: &Plan,
    volleys: &[Spread<Effect>],
    battery: UnitId,
    cause: Cause,
    title: String,
) -> Odds {
    let mut state = Spread::certain(Battered::of(field, battery));
    let mut by = None;
    for (aim, volley) in plan.aims.iter().zip(volleys).filter(|(aim, _)| aim.quarry.unit() == Some(battery)) {
        by = by.or(Some(aim.by));
        state = volley.then(|effect| {
            let hit = state.map(|state| Battered { behind: state.behind | effect.behind, ..state.clone() });
            pounded(field, battery, aim, hit, effect.target)
        });
    }
    let plot = Odds::plot(title, &state.map(|state| (state.lost, state.is_gone())), |(lost, gone)| {
        let what = match lost {
            0 => "no loss".to_owned(),
            some => format!("{some} of crew, horses and guns"),
        };
        if *gone { format!("{what}, and destroyed") } else { what }
    });
    let plot = plot.counting(&sheet(field, plan.aims.iter().filter(|aim| aim.quarry.unit() == Some(battery))));
    if cause == Cause::DefensiveFire || !is_tested(field, battery) {
        return plot;
    }
    let end = state.then(|state| {
        if state.is_gone() {
            return Spread::certain(Shot::Gone);
        }
        if state.lost == 0 {
            return Spread::certain(Shot::Steady);
        }
        let after = battered(field, battery, state, by, cause);
        nerve::with_generals_at_risk(&after, &[battery], |field| nerve::after_fire(field, battery))
    });
    plot.followed_by(Odds::plot(format!("then {}", voice::unit(field, battery)), &end, Shot::label))
}

/// So many hits of one firer on the damage table.
fn pounded(field: &Field, battery: UnitId, aim: &Aim, state: Spread<Battered>, hits: u8) -> Spread<Battered> {
    let small_arms = crate::shooting::fire::gun_of(field, aim.by).is_none();
    let nearest = guns::nearest_first(field, battery, aim.by);
    let dice = field.charts().damage.dice.value.0;
    // The turn goes round among the models that are left.
    let mut spread = state.map(|state| (state.clone(), 0_usize));
    for _ in 0..hits {
        spread = spread.then(|(state, next)| {
            let order: Vec<usize> =
                nearest.iter().filter_map(|old| state.guns.iter().position(|(no, ..)| no == old)).collect();
            if order.is_empty() {
                return Spread::certain((state.clone(), *next));
            }
            let place = next % order.len();
            Spread::of_pool(dice, |pips| {
                let pip = total(pips).clamp(0, i32::from(u8::MAX)) as u8;
                let blow = guns::table_for(field, battery, small_arms).on(pip).value;
                struck(field, state, blow, order[place], place, small_arms)
            })
        });
    }
    spread.map(|(state, _)| state.clone())
}

fn struck(
    field: &Field,
    state: &Battered,
    blow: crate::charts::Blow,
    gun: usize,
    place: usize,
    small_arms: bool,
) -> (Battered, usize) {
    let (mut models, mut horses) = (state.models(), state.horses);
    let done = guns::strike(field.charts(), blow, (&mut models, &mut horses), gun, true, small_arms);
    let mut numbers: Vec<usize> = state.guns.iter().map(|(no, ..)| *no).collect();
    let mut dropped = state.dropped.clone();
    if done.destroyed {
        guns::lose_gun(&mut models, gun);
        numbers.remove(gun);
        dropped.push(gun);
    }
    let guns = numbers.into_iter().zip(&models).map(|(no, model)| (no, model.crew, model.damaged)).collect();
    let lost = state.lost.saturating_add(done.losses());
    let next = if done.destroyed { place } else { place + 1 };
    (Battered { guns, horses, lost, dropped, behind: state.behind }, next)
}

/// The field with the battery as it would be.
fn battered(field: &Field, battery: UnitId, state: &Battered, by: Option<UnitId>, cause: Cause) -> Field {
    let clause = Clause::HitsOnGuns;
    let mut field = field.clone();
    for gun in &state.dropped {
        let (left, formation, to) = guns::without_model(&field, battery, *gun);
        let fewer = Deed::StandsLost { unit: battery, left: StandSet::first(u32::from(left)) };
        let closes = Deed::Reformed { unit: battery, formation, to };
        field = field.folded(&[Event::new(clause, fewer), Event::new(clause, closes)]);
    }
    let guns = DaysEvent::Guns { battery, guns: state.models(), horses: state.horses };
    let shot = DaysEvent::ShotDown { unit: battery, stands: state.lost, by, cause };
    let mut events = vec![Event::own(clause, guns), Event::own(clause, shot)];
    if state.behind {
        let did = DaysEvent::Did { unit: battery, doing: Doing::ShotFromBehind };
        events.push(Event::own(Clause::TestingAfterFire, did));
    }
    field.folded(&events)
}
