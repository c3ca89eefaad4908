//! Gunners away from their guns, and between them (days.10.2-a, 17.4.16-e, A-57, C-10).

use super::super::Days;
use super::super::charts::{count as figure, reach};
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field::{self, Field, is_there, known, stands, troops};
use super::super::formation::{Formation, Shape};
use super::super::hidden;
use super::super::settle;
use super::super::unit::{GunModel, Part};
use super::{is_own, split};
use engine::event::Leaving;
use engine::{Deed, Event, Side, StandSet, Umpire, UnitId, Verdict};
use smallvec::SmallVec;
use table::Pose;

/// Gunners leave their guns: the crew part is placed, one stand to a gun. Whoever is with the battery goes with them.
pub fn crew_leaves(umpire: &mut Umpire<'_, Days>, battery: UnitId, to: Pose) {
    let field = umpire.state();
    let Some(crew) = field::part(field, battery, Part::Crew).filter(|crew| !is_there(field, *crew)) else { return };
    if !is_there(field, battery) {
        return;
    }
    let to = standing_room(field, battery, crew, to);
    let (left, hidden) =
        (StandSet::first(u32::from(field::count(field, battery))), field::is_hidden(field.unit(battery)));
    let clause = Clause::GunsAreLeftStanding;
    let away = Event::own(clause, DaysEvent::CrewAway { battery, away: true }).also(Clause::GunnersUnderACharge);
    hidden::announce(umpire, battery, away);
    hidden::announce(umpire, battery, Event::new(clause, Deed::StandsLost { unit: crew, left }));
    let placed = Deed::Placed { unit: crew, pose: to, formation: Formation::usual(Shape::Skirmish), hidden };
    hidden::announce(umpire, battery, Event::new(clause, placed));
    split::hand_over(umpire, battery, crew, clause);
    settle::moved(umpire, crew, to);
}

/// The place nearest to the one they run to where gunners find room on the table; by their guns where there is none.
fn standing_room(field: &Field, battery: UnitId, crew: UnitId, to: Pose) -> Pose {
    let guns = field.unit(battery).pose();
    let layout = field::facts(field, crew).layout(Formation::usual(Shape::Skirmish), field::count(field, battery));
    let steps = 8;
    let back = guns.at.vec() - to.at.vec();
    let tries = (0..=steps).map(|n| to.shifted(back * (f64::from(n) / f64::from(steps))));
    let on_table = |pose: &Pose| layout.quads(*pose).all(|quad| field.ground().holds(&quad));
    tries.into_iter().find(on_table).unwrap_or(guns)
}

/// Judges `Man`.
pub fn judge_return(field: &Field, side: Side, battery: UnitId, verdict: &mut Verdict) {
    let clause = Clause::GunsAreLeftStanding;
    if !is_own(field, side, battery) || !field::is_battery(field, battery) {
        verdict.refuse(clause, "only batteries of your own on the table can be manned");
        return;
    }
    let Some(crew) = field::part_out(field, battery, Part::Crew).filter(|_| troops(field, battery).crew_away) else {
        verdict.refuse(clause, "its gunners are not away from it").about(battery);
        return;
    };
    let turn = &troops(field, crew).turn;
    // Whom a charge of friends drove off in the Morale Phase goes back in this very Movement Phase (days.17.4.8-d).
    let ridden_through = troops(field, battery).turn.silenced;
    if turn.moved || (!ridden_through && (turn.evaded || troops(field, battery).turn.evaded)) {
        verdict.refuse(clause, "the gunners have moved this turn: they go back in the next").about(crew);
    }
    if field::is_routing(field, battery) {
        verdict.refuse(clause, "the gunners are running").about(crew);
    }
    let pace = reach(field.charts().pace.crew.normal);
    if !field::within(field, crew, battery, pace) {
        verdict.refuse(clause, format!("the gunners are more than {pace} from their guns")).about(crew);
    }
    let (guns, standoff) = (stands(field, battery), field::standoff(field));
    for (id, enemy) in known(field, side.other()) {
        let near = !field::surely_beyond(enemy.quad(), field.unit(battery).quad(), standoff)
            && field::measured(field::gap_of(guns, stands(field, id))) <= standoff;
        if near {
            verdict.refuse(Clause::AnInchFromTheEnemy, "the enemy is at the guns").about(id);
        }
    }
}

/// Gunners go back to their guns.
pub fn come_back(umpire: &mut Umpire<'_, Days>, battery: UnitId) {
    let Some(crew) = field::part_out(umpire.state(), battery, Part::Crew) else { return };
    let clause = Clause::GunsAreLeftStanding;
    split::hand_over(umpire, crew, battery, clause);
    hidden::announce(umpire, crew, Event::new(clause, Deed::Removed { unit: crew, why: Leaving::Spent }));
    hidden::announce(umpire, battery, Event::own(clause, DaysEvent::CrewAway { battery, away: false }));
    let did = Event::own(clause, DaysEvent::Did { unit: battery, doing: Doing::Moved });
    hidden::announce(umpire, battery, did);
    super::super::staff::follow(umpire, battery);
}

/// Judges `Regroup`.
pub fn judge_regroup(field: &Field, side: Side, battery: UnitId, crew: &[u8], verdict: &mut Verdict) {
    let clause = Clause::HitsOnGuns;
    if !is_own(field, side, battery) || !field::is_battery(field, battery) {
        verdict.refuse(clause, "only batteries of your own on the table can shift gunners");
        return;
    }
    let own = troops(field, battery);
    if own.crew_away
        || own.turn.worked
        || own.turn.moved
        || own.turn.reformed
        || !own.contact.is_empty()
        || field::is_routing(field, battery)
    {
        let text = "gunners change places only at guns that neither move nor fight hand to hand";
        verdict.refuse(clause, text).about(battery);
    }
    let most = figure(field.charts().damage.crew_per_gun);
    let sum: u32 = crew.iter().map(|men| u32::from(*men)).sum();
    if crew.len() != own.guns.len() || sum != own.crew() || crew.iter().any(|men| u32::from(*men) > most) {
        let (have, guns) = (own.crew(), own.guns.len());
        let text = format!("its {have} gunners serve {guns} guns, at most {most} each");
        verdict.refuse(clause, text).about(battery);
    }
}

/// Crew goes from gun to gun.
pub fn regroup(umpire: &mut Umpire<'_, Days>, battery: UnitId, crew: &[u8]) {
    let own = troops(umpire.state(), battery);
    if crew.len() != own.guns.len() {
        return;
    }
    let guns: SmallVec<[GunModel; 3]> =
        own.guns.iter().zip(crew).map(|(gun, men)| GunModel { crew: *men, damaged: gun.damaged }).collect();
    let event = DaysEvent::Guns { battery, guns, horses: own.horses };
    hidden::announce(umpire, battery, Event::own(Clause::HitsOnGuns, event));
    let did = Event::own(Clause::HitsOnGuns, DaysEvent::Did { unit: battery, doing: Doing::Worked });
    hidden::announce(umpire, battery, did);
}
