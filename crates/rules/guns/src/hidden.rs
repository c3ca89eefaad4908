//! Ambush: hidden units, who uncovers them, and what a viewer may not know of them. R74.

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{self, Field, elements, is_hidden, surely_beyond};
use super::nearby::Nearby;
use super::order::{Decision, Matter, Move, Shot};
use super::sequence::Phase;
use super::sight;
use engine::{CommanderId, Deed, Event, Side, State, Umpire, UnitId, Viewer, Whereabouts};
use smallvec::{SmallVec, smallvec};
use table::SLACK;

/// Announces an event about a unit: to its own side alone while it is hidden.
pub fn announce(umpire: &mut Umpire<'_, Guns>, unit: UnitId, event: Event<Guns>) {
    let field = umpire.state();
    let secret = is_hidden(field.unit(unit));
    let side = field.side_of(unit);
    umpire.announce(if secret { event.only(side) } else { event });
}

/// Lays a side's plan open, but for what it says of units in hiding: that its own side alone hears.
pub fn announce_plan(umpire: &mut Umpire<'_, Guns>, side: Side, moves: Vec<Move>, groups: Vec<Vec<UnitId>>) {
    let field = umpire.state();
    let tells = |unit: &UnitId| is_hidden(field.unit(*unit));
    let secret = |one: &Move| units_of(one).iter().any(tells);
    let open: Vec<Move> = moves.iter().filter(|one| !secret(one)).cloned().collect();
    let (masked, shown): (Vec<Vec<UnitId>>, Vec<Vec<UnitId>>) =
        groups.into_iter().partition(|group| group.iter().any(tells));
    let whole = open.len() == moves.len() && masked.is_empty();
    let clause = Clause::Simultaneous;
    umpire.announce(Event::own(clause, GunsEvent::Plotted { side, moves: open, groups: shown }));
    if !whole {
        umpire.announce(Event::own(clause, GunsEvent::Plotted { side, moves, groups: masked }).only(side));
    }
}

/// Uncovers a hidden unit (it fired, moved, or was come upon), and generals in hiding with it.
pub fn reveal(umpire: &mut Umpire<'_, Guns>, unit: UnitId, clause: Clause) {
    if !is_hidden(umpire.state().unit(unit)) {
        return;
    }
    umpire.announce(Event::new(clause, Deed::Revealed { unit }));
    let field = umpire.state();
    let with: Vec<(CommanderId, table::Pose)> = field
        .commanders()
        .filter(|(_, one)| one.whereabouts == Whereabouts::Hidden && one.own.attached == Some(unit))
        .map(|(id, one)| (id, one.pose))
        .collect();
    for (commander, to) in with {
        umpire.announce(Event::new(clause, Deed::CommanderMoved { commander, to }));
    }
}

/// Uncovers hidden units an enemy element has come near in sight; call it after every quarter and every move.
pub fn discover(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let hidden: Vec<UnitId> = field.units().filter(|(_, unit)| is_hidden(unit)).map(|(id, _)| id).collect();
    if hidden.is_empty() {
        return;
    }
    let eyes = Side::BOTH.map(|side| Nearby::present(field, side));
    let found: Vec<UnitId> = hidden
        .into_iter()
        .filter(|unit| {
            let enemies = match field.side_of(*unit) {
                Side::A => &eyes[1],
                Side::B => &eyes[0],
            };
            is_found(field, *unit, enemies)
        })
        .collect();
    for unit in found {
        reveal(umpire, unit, Clause::AmbushedSilent);
    }
}

/// Whether an enemy element is near enough and sees any of its own.
fn is_found(field: &Field, unit: UnitId, enemies: &Nearby) -> bool {
    let reach = field::distance(field, &field.charts().charge.ambush);
    let lair = elements(field, unit);
    let quad = field.unit(unit).quad();
    enemies.around(quad, reach).any(|(enemy, around)| {
        !surely_beyond(around, quad, reach)
            && elements(field, enemy).iter().any(|eye| {
                lair.iter().any(|target| {
                    table::gap(eye, target) <= reach + SLACK
                        && sight::element_sees(field, eye, enemy, target, unit, false)
                })
            })
    })
}

/// The units a line of a plan speaks of.
pub fn units_of(one: &Move) -> SmallVec<[UnitId; 4]> {
    match one {
        Move::March { unit, .. } | Move::Join { unit, .. } | Move::LieDown { unit } => smallvec![*unit],
        Move::Charge { unit, at, .. } => smallvec![*unit, *at],
        Move::Ride { .. } => SmallVec::new(),
        Move::Observe { battery, .. } | Move::Return { battery } => smallvec![*battery],
        Move::Screen { screen, parents, .. } => std::iter::once(*screen).chain(parents.iter().copied()).collect(),
        Move::Recall { screen } => smallvec![*screen],
    }
}

/// Whether anything is hidden from this viewer beyond what the engine looks for: nothing; what is blotted out below is
/// told of units that are off the table or in hiding.
pub fn has_secrets(state: &State<Guns>, from: Viewer) -> bool {
    state.units().any(|(_, unit)| {
        matches!(unit.whereabouts, Whereabouts::Hidden | Whereabouts::OffTable) && !from.knows(unit.side)
    })
}

/// Blots out what the engine does not hide by itself: where unseen units would stand, what is planned for them, who
/// rides with them.
pub fn veil(state: &mut State<Guns>, from: Viewer) {
    let unseen: Vec<UnitId> =
        state.units().filter(|(_, unit)| unit.whereabouts == Whereabouts::Unseen).map(|(id, _)| id).collect();
    if unseen.is_empty() {
        return;
    }
    let mut masks = vec![false; state.units().count()];
    for id in &unseen {
        masks[id.index()] = true;
    }
    let known = |id: &UnitId| masks.get(id.index()) != Some(&true);
    veil_scenario(state, from, &unseen);
    veil_pieces(state, &known);
    state.veil_ledger(|_, ledger| {
        for plan in &mut ledger.plots.0 {
            plan.retain(|one| units_of(one).iter().all(known));
        }
        ledger.groups.retain(|group| group.iter().all(known));
        for brigade in &mut ledger.brigades {
            let names = |order: &super::order::BrigadeOrder| matches!(order.objective, Matter::Unit(at) if !known(&at));
            if brigade.order.as_ref().is_some_and(names) {
                brigade.order = None;
            }
        }
    });
    veil_decision(state.decision_mut(), &known);
}

/// The set-up's own places: of unseen units always, of everything else until the enemy has set up.
fn veil_scenario(state: &mut State<Guns>, from: Viewer, unseen: &[UnitId]) {
    let opening = matches!(state.agenda().first(), Some(Phase::Opening { deployed: false }));
    let muster = state.muster();
    let generals: Vec<usize> = muster
        .commander_ids()
        .filter(|id| opening && !from.knows(muster.commander(*id).side))
        .map(CommanderId::index)
        .collect();
    let commands: Vec<usize> = muster
        .command_ids()
        .filter(|id| opening && !from.knows(muster.command(*id).side))
        .map(|id| id.index())
        .collect();
    let scenario = &mut state.muster_mut().scenario;
    for n in unseen.iter().map(|id| id.index()) {
        blot(&mut scenario.units_at, n);
        blot(&mut scenario.drawn_up, n);
        blot(&mut scenario.in_hiding, n);
        blot(&mut scenario.defends, n);
        blot(&mut scenario.observers_at, n);
    }
    for n in generals {
        blot(&mut scenario.commanders_at, n);
    }
    for n in commands {
        blot(&mut scenario.orders, n);
    }
}

fn blot<T: Default>(list: &mut [T], n: usize) {
    if let Some(entry) = list.get_mut(n) {
        *entry = T::default();
    }
}

/// What visible pieces would tell of unseen ones.
fn veil_pieces(state: &mut State<Guns>, known: &impl Fn(&UnitId) -> bool) {
    let riders: Vec<CommanderId> = state
        .commanders()
        .filter(|(_, one)| one.whereabouts == Whereabouts::Unseen || one.own.attached.is_some_and(|unit| !known(&unit)))
        .map(|(id, _)| id)
        .collect();
    for id in riders {
        state.commander_mut(id).attached = None;
    }
    let tells = |own: &super::unit::Troops| {
        !own.parents.iter().chain(&own.locked).chain(&own.bound.ambushed).all(known)
            || own.registration.as_ref().is_some_and(|one| !known(&one.at))
            || own.charge.as_ref().is_some_and(|charge| !known(&charge.at))
    };
    let telling: Vec<UnitId> = state.units().filter(|(_, unit)| tells(&unit.own)).map(|(id, _)| id).collect();
    for id in telling {
        let own = state.unit_mut(id);
        own.locked.retain(|unit| known(unit));
        own.bound.ambushed.retain(|unit| known(unit));
        own.registration = own.registration.take().filter(|one| known(&one.at));
        own.charge = own.charge.take().filter(|charge| known(&charge.at));
    }
}

fn veil_decision(decision: Option<&mut Decision>, known: &impl Fn(&UnitId) -> bool) {
    let both = |shot: &Shot| known(&shot.unit) && known(&shot.at);
    match decision {
        Some(Decision::CounterCharge { able }) => {
            for shots in &mut able.0 {
                shots.retain(both);
            }
        }
        Some(Decision::LieDown { units }) => units.retain(known),
        Some(Decision::PressOn { among, .. }) => among.retain(known),
        _ => {}
    }
}
