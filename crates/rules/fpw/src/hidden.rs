//! Hidden set-up and scouting: who is uncovered when, and what a viewer may not know. R87, R99.

use super::Fpw;
use super::clause::Clause;
use super::field::{self, Field, Shelter, facts, is_hidden, reactive_range, stands};
use super::order::Decision;
use super::sequence::Phase;
use super::sight::{self, Spot};
use engine::{CommanderId, Deed, Event, State, Umpire, UnitId, Viewer, Whereabouts};
use table::SLACK;

/// Whether there is anything to blot out beyond what the engine hides by itself: only where pieces are hidden.
pub fn has_secrets(state: &State<Fpw>, from: Viewer) -> bool {
    state.units().any(|(_, unit)| {
        matches!(unit.whereabouts, Whereabouts::Hidden | Whereabouts::OffTable) && !from.knows(unit.side)
    })
}

/// Blots out where hidden pieces would stand, whom they follow and what they are about to do. The engine has blanked the
/// pieces themselves.
pub fn veil(state: &mut State<Fpw>, from: Viewer) {
    let unseen: Vec<UnitId> =
        state.units().filter(|(_, unit)| unit.whereabouts == Whereabouts::Unseen).map(|(id, _)| id).collect();
    let officers: Vec<CommanderId> =
        state.commanders().filter(|(_, one)| one.whereabouts == Whereabouts::Unseen).map(|(id, _)| id).collect();
    if unseen.is_empty() && officers.is_empty() {
        return;
    }
    for id in &officers {
        *state.commander_mut(*id) = super::unit::Staff::default();
    }
    let scenario = &mut state.muster_mut().scenario;
    for id in &unseen {
        if let Some(place) = scenario.units_at.get_mut(id.index()) {
            *place = None;
        }
    }
    let sides: Vec<engine::Side> = state.muster().commanders.iter().map(|card| card.side).collect();
    let scenario = &mut state.muster_mut().scenario;
    for (place, side) in scenario.commanders_at.iter_mut().zip(sides) {
        if !from.knows(side) {
            *place = None;
        }
    }
    let known = |id: &UnitId| !unseen.contains(id);
    for phase in state.agenda_mut() {
        match phase {
            Phase::Command(commanding) => {
                commanding.current = commanding.current.filter(|general| !officers.contains(general));
            }
            Phase::Obey(obeying) => obeying.units.retain(known),
            Phase::Blame { units } => units.retain(known),
            Phase::Pullback(pullback) => pullback.units.retain(known),
            Phase::Reaction(reaction) => reaction.targets.retain(known),
            Phase::March(marching) => {
                marching.steps.retain(|step| known(&step.unit));
                marching.moved.retain(known);
            }
            _ => {}
        }
    }
    match state.decision_mut() {
        Some(
            Decision::March { units, .. }
            | Decision::Charges { units }
            | Decision::Shots { units }
            | Decision::Blame { units },
        ) => units.retain(known),
        // Who might answer is nobody's business before he has.
        Some(Decision::Reaction { targets, able, .. }) => {
            targets.retain(known);
            able.retain(|shot| known(&shot.unit) && known(&shot.at));
        }
        Some(Decision::Concentrate { stands, .. }) => stands.retain(|stand| known(&stand.unit)),
        Some(Decision::Command { current }) => *current = current.filter(|general| !officers.contains(general)),
        _ => {}
    }
}

/// Announces an event about a unit: to its owner alone while it is hidden.
pub fn announce(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, event: Event<Fpw>) {
    let field = umpire.state();
    let secret = is_hidden(field.unit(unit));
    let side = field.side_of(unit);
    umpire.announce(if secret { event.only(side) } else { event });
}

/// Announces an event about several units: to their owner alone if any of them is hidden.
pub fn announce_all(umpire: &mut Umpire<'_, Fpw>, units: &[UnitId], event: Event<Fpw>) {
    let secret = units.iter().copied().find(|unit| is_hidden(umpire.state().unit(*unit)));
    match secret.or(units.first().copied()) {
        Some(unit) => announce(umpire, unit, event),
        None => umpire.announce(event),
    }
}

/// Announces an event about a general: to his side alone while he is hidden.
pub fn announce_general(umpire: &mut Umpire<'_, Fpw>, general: CommanderId, event: Event<Fpw>) {
    let side = umpire.state().muster().commander(general).side;
    let secret = is_hidden_general(umpire.state(), general);
    umpire.announce(if secret { event.only(side) } else { event });
}

/// A general's place is told: to his side alone while he is hidden.
pub fn place_general(umpire: &mut Umpire<'_, Fpw>, general: CommanderId, to: table::Pose, clause: Clause, hide: bool) {
    let side = umpire.state().muster().commander(general).side;
    if hide {
        umpire.announce(Event::new(clause, Deed::CommanderConcealed { commander: general, to }).only(side));
    } else {
        umpire.announce(Event::new(clause, Deed::CommanderMoved { commander: general, to }));
    }
}

/// Whether a general is hidden.
pub fn is_hidden_general(field: &Field, general: CommanderId) -> bool {
    field.commander(general).whereabouts == Whereabouts::Hidden
}

/// A unit has moved, changed formation or fired: in the enemy's sight that uncovers it, and it may have come to see
/// others.
pub fn moved(umpire: &mut Umpire<'_, Fpw>, unit: UnitId) {
    let field = umpire.state();
    if is_hidden(field.unit(unit)) {
        let quads = stands(field, unit);
        let mut enemies = field.present(field.side_of(unit).other());
        let seen = enemies.any(|(id, _)| sight::sees_at(field, id, &stands(field, id), unit, &quads));
        drop(enemies);
        if seen {
            reveal(umpire, unit, Clause::ScoutsUncover);
        }
    }
    discover(umpire);
}

/// Uncovers whatever the enemy has come to see. Called after every move and volley.
pub fn discover(umpire: &mut Umpire<'_, Fpw>) {
    let field = umpire.state();
    let hidden: Vec<UnitId> = field.units().filter(|(_, unit)| is_hidden(unit)).map(|(id, _)| id).collect();
    for unit in hidden {
        if let Some(clause) = discovered(umpire.state(), unit) {
            reveal(umpire, unit, clause);
        }
    }
}

/// Why an enemy has found a hidden unit, if he has.
fn discovered(field: &Field, unit: UnitId) -> Option<Clause> {
    let quads = stands(field, unit);
    field.present(field.side_of(unit).other()).find_map(|(enemy, piece)| {
        let scout = facts(field, enemy).is_scout();
        let chart = &field.charts().scouting;
        let furthest = if scout { chart.open.value.0 } else { reactive_range(field) };
        if field::surely_beyond(piece.quad(), field.unit(unit).quad(), furthest) {
            return None;
        }
        let eyes = stands(field, enemy);
        let seen = eyes.iter().any(|eye| {
            quads.iter().any(|target| {
                let sheltered = scout && field::shelter(field, target, eye.centre) >= Some(Shelter::Cover);
                let reach = if sheltered { chart.cover.value.0 } else { furthest };
                let from = Spot { unit: enemy, quad: *eye };
                table::gap(eye, target) <= reach + SLACK && sight::stand_sees(field, from, Spot { unit, quad: *target })
            })
        });
        seen.then_some(if scout { Clause::ScoutsSpot } else { Clause::ScoutsUncover })
    })
}

/// A unit is uncovered, and with it the generals who command it or ride with it (R99).
pub fn reveal(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, clause: Clause) {
    umpire.announce(Event::new(clause, Deed::Revealed { unit }));
    let field = umpire.state();
    let holder = super::command::holder(field, unit);
    let found: Vec<(CommanderId, table::Pose)> = field
        .commanders()
        .filter(|(_, one)| one.whereabouts == Whereabouts::Hidden)
        .filter(|(id, one)| holder == Some(*id) || one.own.attached == Some(unit))
        .map(|(id, one)| (id, one.pose))
        .collect();
    for (general, to) in found {
        umpire.announce(Event::new(clause, Deed::CommanderMoved { commander: general, to }));
    }
}
