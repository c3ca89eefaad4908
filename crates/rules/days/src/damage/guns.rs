//! Hits on batteries: the damage table, model by model. Section 17.3.5, C-10, A-92.

use super::super::Days;
use super::super::charts::{Blow, Blows, Charts, count as figure};
use super::super::clause::Clause;
use super::super::event::{Cause, DaysEvent};
use super::super::field::{self, Field};
use super::super::formation::Formation;
use super::super::hidden;
use super::super::unit::{GunModel, Part};
use super::{by_fire, resize, shatter};
use engine::{Cited, Event, Reckoning, Umpire, UnitId};
use smallvec::SmallVec;
use table::Pose;

/// The guns of a battery.
pub(crate) type Guns = SmallVec<[GunModel; 3]>;

/// What one hit did.
#[derive(Clone, Copy, Default)]
pub(crate) struct Done {
    crew: u8,
    horses: u8,
    damaged: bool,
    /// The model is gone.
    pub(crate) destroyed: bool,
    /// Horses were to be hit, and there were none.
    no_horses: bool,
}

impl Done {
    /// What it counts for in the test that follows.
    pub(crate) fn losses(self) -> u8 {
        self.crew + self.horses + u8::from(self.destroyed)
    }
}

/// Rolls hits on a battery on the damage table, gun by gun, the nearest to the firer first and then round again. Gunners
/// away from their guns lose a man for every hit. The worst of its enemies is whom it will run from.
pub fn hit_battery(
    umpire: &mut Umpire<'_, Days>,
    battery: UnitId,
    hits: u8,
    (by, worst): (UnitId, Option<UnitId>),
    small_arms: bool,
    cause: Cause,
) {
    let field = umpire.state();
    if !field::is_there(field, battery) || hits == 0 {
        return;
    }
    if !field::is_battery(field, battery) {
        super::lose_stands(umpire, battery, hits, cause, worst);
        return;
    }
    let mut order = nearest_first(field, battery, by);
    let mut next = 0;
    let mut losses = 0_u8;
    for _ in 0..hits {
        if order.is_empty() || !field::is_there(umpire.state(), battery) {
            break;
        }
        let place = next % order.len();
        let gun = order[place];
        let done = one_hit(umpire, battery, gun, by, small_arms);
        losses = losses.saturating_add(done.losses());
        if done.destroyed {
            order.remove(place);
            order.iter_mut().filter(|other| **other > gun).for_each(|other| *other -= 1);
            next = place;
        } else {
            next = place + 1;
        }
    }
    if losses > 0 && by_fire(cause) {
        let event = DaysEvent::ShotDown { unit: battery, stands: losses, by: worst, cause };
        hidden::announce(umpire, battery, Event::own(Clause::HitsOnGuns, event));
    }
    shatter(umpire, battery);
}

/// The models by their distance from the firer.
pub(crate) fn nearest_first(field: &Field, battery: UnitId, by: UnitId) -> SmallVec<[usize; 4]> {
    let firer = field::stands(field, by);
    let models = field::stands(field, battery);
    let guns = field::troops(field, battery).guns.len();
    let mut order: SmallVec<[usize; 4]> = (0..guns).collect();
    order.sort_by_key(|gun| models.get(*gun).map(|model| field::measured(field::gap_of(&[*model], firer))));
    order
}

/// The table for a hit.
pub(crate) fn table_for(field: &Field, battery: UnitId, small_arms: bool) -> &Blows {
    let damage = &field.charts().damage;
    match (field::is_limbered(field, battery), small_arms) {
        (true, true) => &damage.limbered_by_small_arms,
        (true, false) => &damage.limbered,
        (false, true) => &damage.guns_by_small_arms,
        (false, false) => &damage.guns_by_guns,
    }
}

/// One roll on the table, and what it does to one model.
fn one_hit(umpire: &mut Umpire<'_, Days>, battery: UnitId, gun: usize, by: UnitId, small_arms: bool) -> Done {
    let firer = umpire.state().side_of(by);
    let dice = umpire.charts().damage.dice.value.0;
    let roll = umpire.roll(dice, firer);
    let blow = table_for(umpire.state(), battery, small_arms).on(roll.single().clamp(0, i32::from(u8::MAX)) as u8);
    let own = field::troops(umpire.state(), battery);
    let (mut guns, mut horses, manned) = (own.guns.clone(), own.horses, !own.crew_away);
    let done = strike(umpire.charts(), blow.value, (&mut guns, &mut horses), gun, manned, small_arms);
    let mut reckoning = Reckoning::new();
    reckoning.look(blow_clause(small_arms), format!("a hit: {}", blow.value), Cited::derived(roll.single()));
    let told = DaysEvent::BatteryHit {
        battery,
        gun: gun as u8,
        crew: done.crew,
        horses: done.horses,
        damaged: done.damaged,
        destroyed: done.destroyed,
    };
    let event = Event::own(Clause::HitsOnGuns, told)
        .also_if(small_arms, Clause::BulletsSpareTheGun)
        .also_if(done.no_horses, Clause::NoHorsesAtHand)
        .rolled(roll)
        .because(reckoning);
    hidden::announce(umpire, battery, event);
    if done.destroyed {
        lose_gun(&mut guns, gun);
    }
    hidden::announce(umpire, battery, Event::own(Clause::HitsOnGuns, DaysEvent::Guns { battery, guns, horses }));
    if done.destroyed {
        drop_model(umpire, battery, gun);
    }
    done
}

/// What one blow does to a battery at one of its models.
pub(crate) fn strike(
    charts: &Charts,
    blow: Blow,
    (guns, horses): (&mut Guns, &mut u8),
    gun: usize,
    manned: bool,
    small_arms: bool,
) -> Done {
    let mut done = Done::default();
    let mut toll = 0;
    match blow {
        Blow::Crew(crew) => toll = crew,
        Blow::Horses(lost) => {
            done.horses = lost.min(*horses);
            *horses -= done.horses;
            toll = lost - done.horses;
            done.no_horses = toll > 0;
        }
        Blow::GunDamaged if !small_arms => {
            toll = figure(charts.damage.damaged_crew) as u8;
            done.damaged = true;
            // The phase in which it is hit is over for it; it misses so many of those that follow.
            let turns = (figure(charts.damage.damaged_for) as u8).saturating_add(1);
            guns.get_mut(gun).into_iter().for_each(|model| model.damaged = model.damaged.max(turns));
        }
        Blow::GunDestroyed if !small_arms => {
            toll = figure(charts.damage.destroyed_crew) as u8;
            done.destroyed = true;
        }
        Blow::GunDamaged | Blow::GunDestroyed => {}
    }
    // Men who are away from their guns cannot be hit at them.
    done.crew = if manned { thin_out(guns, gun, toll) } else { 0 };
    done
}

/// A model is gone; its men go to the others.
pub(crate) fn lose_gun(guns: &mut Guns, gun: usize) {
    let survivors = if gun < guns.len() { guns.remove(gun).crew } else { 0 };
    take_in(guns, survivors);
}

const fn blow_clause(small_arms: bool) -> Clause {
    if small_arms { Clause::BulletsSpareTheGun } else { Clause::HitsOnGuns }
}

/// Takes crew off a model, then off those with most men; tells how many there were to take.
pub(super) fn thin_out(guns: &mut Guns, gun: usize, toll: u8) -> u8 {
    let mut lost = 0;
    for _ in 0..toll {
        let there = guns.get(gun).is_some_and(|model| model.crew > 0);
        let most = guns.iter().enumerate().max_by_key(|(no, model)| (model.crew, std::cmp::Reverse(*no)));
        let from = if there { Some(gun) } else { most.map(|(no, _)| no) };
        let Some(model) = from.and_then(|no| guns.get_mut(no)).filter(|model| model.crew > 0) else { break };
        model.crew -= 1;
        lost += 1;
    }
    lost
}

/// The men of a lost gun go to those with the fewest.
pub(super) fn take_in(guns: &mut Guns, men: u8) {
    for _ in 0..men {
        if let Some(model) = guns.iter_mut().min_by_key(|model| model.crew) {
            model.crew += 1;
        }
    }
}

/// A model goes; the others stay where they are beside the command model, which passes to the next if it was this one.
fn drop_model(umpire: &mut Umpire<'_, Days>, battery: UnitId, gun: usize) {
    let (left, formation, to) = without_model(umpire.state(), battery, gun);
    resize(umpire, battery, left, (formation, to), Clause::HitsOnGuns);
}

/// How many models are left without this one, and where their middle is.
pub(crate) fn without_model(field: &Field, battery: UnitId, gun: usize) -> (u8, Formation, Pose) {
    let (facts, formation, count) =
        (field::facts(field, battery), field::formation(field, battery), field::count(field, battery));
    let left = count.saturating_sub(1);
    let command = formation.command_stand(count);
    let anchor = match gun {
        _ if gun != command => command,
        0 => 1,
        _ => gun - 1,
    };
    let layout = facts.layout(formation, count);
    let pose = field.unit(battery).pose();
    let local = layout.stands().get(anchor).map_or(Pose::default(), |stand| stand.pose);
    let flag = Pose { at: table::Point::from_vec(pose.to_world(local.at.vec())), facing: pose.facing + local.facing };
    (left, formation, facts.body_pose(formation, left, flag))
}

/// Takes gun models off a battery: captured, their crews with the rest of it. Places are those of its stands.
pub fn lose_models(umpire: &mut Umpire<'_, Days>, battery: UnitId, models: &[usize]) {
    let mut models: SmallVec<[usize; 4]> = models.iter().copied().collect();
    models.sort_unstable();
    models.dedup();
    for gun in models.into_iter().rev() {
        let own = field::troops(umpire.state(), battery);
        let (mut guns, horses) = (own.guns.clone(), own.horses);
        if gun < guns.len() && field::is_there(umpire.state(), battery) {
            let crew = guns.remove(gun).crew;
            take_in(&mut guns, crew);
            let event = DaysEvent::Guns { battery, guns, horses };
            hidden::announce(umpire, battery, Event::own(Clause::MarginDecidesTheResult, event));
            drop_model(umpire, battery, gun);
        }
    }
    shatter(umpire, battery);
}

/// Takes crew off a battery without a table (C-20), or off its gunners who are away from the guns. Returns how many.
pub fn lose_crew(umpire: &mut Umpire<'_, Days>, battery: UnitId, crew: u8) -> u8 {
    let battery = field::whole(umpire.state(), battery);
    let own = field::troops(umpire.state(), battery);
    let (mut guns, horses) = (own.guns.clone(), own.horses);
    let lost = thin_out(&mut guns, usize::MAX, crew);
    if lost == 0 {
        return 0;
    }
    hidden::announce(umpire, battery, Event::own(Clause::HitsOnGuns, DaysEvent::Guns { battery, guns, horses }));
    let field = umpire.state();
    if let Some(away) = field::part_out(field, battery, Part::Crew) {
        let men = field::troops(field, battery).crew().min(u32::from(u8::MAX)) as u8;
        let fewer = field::count(field, away).saturating_sub(men);
        super::shrink(umpire, away, fewer, Clause::HitsOnGuns);
    }
    shatter(umpire, battery);
    lost
}
