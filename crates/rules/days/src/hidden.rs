//! Hidden and absent troops: who knows of them, when they are seen. Section 16.4, A-75.

use super::Days;
use super::charts::reach;
use super::clause::Clause;
use super::field::{self, Field, facts, is_hidden, measured};
use super::formation::Formation;
use super::order::Decision;
use super::sequence::Phase;
use super::unit::Crest;
use super::{ground, sight, staff};
use engine::{CommanderId, Deed, Event, Side, State, Umpire, UnitId, Verdict, View, Viewer, Whereabouts, Who};
use smallvec::SmallVec;
use table::terrain::TerrainKind;
use table::{Length, Pose, Quad, Vec2, convex};

/// Hides from a viewer what the engine does not hide by itself: brigades kept off, plans in the agenda.
pub fn veil(state: &mut State<Days>, from: Viewer) {
    let unseen: Vec<bool> = state.units().map(|(_, unit)| unit.whereabouts == Whereabouts::Unseen).collect();
    let known = |id: &UnitId| unseen.get(id.index()) != Some(&true);
    veil_scenario(state, from, &unseen);
    veil_pieces(state, &known);
    state.veil_ledger(|muster, ledger| {
        ledger.absent.retain(|one| {
            let side = muster.commands.get(one.brigade.index()).map(|card| card.side);
            one.entry.is_some() || side.is_some_and(|side| from.knows(side))
        });
        ledger.crossings.retain(|one| known(&one.seen_by) && known(&one.unit));
    });
    veil_decision(state, from);
}

/// Whether the enemy of a side cannot know where all its troops are: some may lie in wait, whether they do or not. Such a
/// side is asked whatever there is to ask, because a question put only to those who have an answer would give it away.
pub fn is_elusive(field: &Field, side: Side) -> bool {
    let mut own = field.muster().unit_ids().filter(|id| field.side_of(*id) == side);
    own.any(|id| facts(field, id).part.is_none() && is_out_of_sight(field, id))
}

/// Whether the enemy of a unit cannot tell where it is: in hiding, or off the table without having been announced there.
pub fn is_out_of_sight(field: &Field, id: UnitId) -> bool {
    let unit = field.unit(id);
    match unit.whereabouts {
        Whereabouts::Hidden => true,
        Whereabouts::OffTable => unit.own.evaded_off.is_none() && unit.own.waits_at.is_none(),
        Whereabouts::OnTable | Whereabouts::Gone | Whereabouts::Unseen => false,
    }
}

/// The set-up's own places: of unseen units always, of generals until they stand somewhere; and what was to stay off.
fn veil_scenario(state: &mut State<Days>, from: Viewer, unseen: &[bool]) {
    let muster = state.muster();
    let opening = matches!(state.agenda().first(), Some(Phase::Opening(_)));
    let generals: Vec<usize> = muster
        .commander_ids()
        .filter(|id| !from.knows(muster.commander(*id).side))
        .filter(|id| opening || !state.commander(*id).is_present())
        .map(CommanderId::index)
        .collect();
    let commands: Vec<usize> = muster
        .command_ids()
        .filter(|id| !from.knows(muster.command(*id).side))
        .map(|id| id.index())
        .filter(|n| muster.scenario.kept_off.get(*n) == Some(&true))
        .collect();
    let tells = muster.scenario.units_at.iter().zip(unseen).any(|(at, unseen)| *unseen && at.is_some());
    let told = generals.iter().any(|n| muster.scenario.commanders_at.get(*n).is_some_and(Option::is_some));
    if !tells && !told && commands.is_empty() {
        return;
    }
    let scenario = &mut state.muster_mut().scenario;
    for n in (0..unseen.len()).filter(|n| unseen.get(*n) == Some(&true)) {
        blot(&mut scenario.units_at, n);
        blot(&mut scenario.drawn_up, n);
        blot(&mut scenario.in_hiding, n);
        blot(&mut scenario.at_crest, n);
    }
    generals.into_iter().for_each(|n| blot(&mut scenario.commanders_at, n));
    commands.into_iter().for_each(|n| blot(&mut scenario.kept_off, n));
}

fn blot<T: Default>(list: &mut [T], n: usize) {
    if let Some(entry) = list.get_mut(n) {
        *entry = T::default();
    }
}

/// What visible pieces would tell of unseen ones.
fn veil_pieces(state: &mut State<Days>, known: &impl Fn(&UnitId) -> bool) {
    let riders: Vec<CommanderId> = state
        .commanders()
        .filter(|(_, one)| one.own.attached.is_some_and(|unit| !known(&unit)))
        .map(|(id, _)| id)
        .collect();
    riders.into_iter().for_each(|id| state.commander_mut(id).attached = None);
    let tells = |own: &super::unit::Troops| {
        let named = [own.attached, own.relieved, own.turn.shot_by, own.turn.fired_at];
        !named.iter().flatten().all(known)
    };
    let telling: Vec<UnitId> = state.units().filter(|(_, unit)| tells(&unit.own)).map(|(id, _)| id).collect();
    for id in telling {
        let own = state.unit_mut(id);
        own.attached = own.attached.filter(|unit| known(unit));
        own.relieved = own.relieved.filter(|unit| known(unit));
        own.turn.shot_by = own.turn.shot_by.filter(|unit| known(unit));
        own.turn.fired_at = own.turn.fired_at.filter(|unit| known(unit));
    }
}

/// Which brigades a side has left, to set up or to bring on, is its own affair.
fn veil_decision(state: &mut State<Days>, from: Viewer) {
    let theirs = state.asked().is_some_and(|asked| match asked.who {
        Who::One(side) => !from.knows(side),
        Who::Both => false,
    });
    if !theirs {
        return;
    }
    match state.decision_mut() {
        Some(Decision::DeployBrigade { left }) => left.clear(),
        Some(Decision::Arrive { absent }) => absent.clear(),
        _ => {}
    }
}

/// Whether there is anything to hide.
pub fn has_secrets(state: &State<Days>, from: Viewer) -> bool {
    let muster = state.muster();
    let off = state.ledger().absent.iter().filter(|one| one.entry.is_none());
    let sides = off.filter_map(|one| muster.commands.get(one.brigade.index()).map(|card| card.side));
    let opening = matches!(state.agenda().first(), Some(Phase::Opening(_)));
    let masked = |side: Side| !from.knows(side);
    (opening && Side::BOTH.into_iter().any(masked))
        || sides.into_iter().any(masked)
        || state.units().any(|(_, unit)| is_secret(unit.whereabouts) && masked(unit.side))
}

fn is_secret(whereabouts: Whereabouts) -> bool {
    matches!(whereabouts, Whereabouts::Hidden | Whereabouts::OffTable)
}

/// Announces an event about a unit: to its owner alone while it is hidden or off the table.
pub fn announce(umpire: &mut Umpire<'_, Days>, unit: UnitId, event: Event<Days>) {
    let field = umpire.state();
    let (secret, side) = (is_secret(field.unit(unit).whereabouts), field.side_of(unit));
    umpire.announce(if secret { event.only(side) } else { event });
}

/// Puts every hidden unit on the table that some enemy now sees.
pub fn discover(umpire: &mut Umpire<'_, Days>) {
    let field = umpire.state();
    let hidden: SmallVec<[UnitId; 8]> = field.units().filter(|(_, unit)| is_hidden(unit)).map(|(id, _)| id).collect();
    let found: SmallVec<[UnitId; 8]> = hidden.into_iter().filter(|unit| is_found(field, *unit)).collect();
    for unit in found {
        show(umpire, unit, &[Clause::HowFarOneSees, Clause::FromStandToStand, Clause::LookingToTheFront]);
    }
}

/// Whether some enemy sees a hidden unit; that a wall it lies close behind hides it is a matter of sight.
fn is_found(field: &Field, unit: UnitId) -> bool {
    sight::seen_by(field, field.side_of(unit).other(), unit)
}

/// The pieces of walls, hedges and works close to a stand.
fn walls_near(field: &Field, stand: &Quad) -> Vec<Vec<Vec2>> {
    let walls = ground::patches(field).filter(|patch| patch.land == ground::Land::Obstacle);
    let close = reach(field.charts().constant.cover);
    let apart = |piece: &[Vec2]| measured(Length::from_um(convex::gap(piece, stand.points())));
    walls
        .flat_map(|patch| patch.shape.parts().map(<[Vec2]>::to_vec).collect::<Vec<_>>())
        .filter(|piece| apart(piece) <= close)
        .collect()
}

/// Puts a hidden unit on the table because it shoots or shows itself, and generals in hiding with it.
pub fn reveal(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    show(umpire, unit, &[]);
}

/// Whoever stopped somebody is in hiding no more.
pub fn reveal_met(umpire: &mut Umpire<'_, Days>, met: Option<UnitId>) {
    if let Some(met) = met {
        reveal(umpire, met);
    }
}

fn show(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: &[Clause]) {
    if !is_hidden(umpire.state().unit(unit)) {
        return;
    }
    let event = Event::new(Clause::ComingToLight, Deed::Revealed { unit }).also(Clause::WritingItDown);
    umpire.announce(by.iter().fold(event, |event, clause| event.also(*clause)));
    staff::follow(umpire, unit);
}

/// Judges `Reveal`.
pub fn check_reveal(view: &View<'_, Days>, side: Side, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    if field.side_of(unit) != side {
        verdict.refuse(Clause::ComingToLight, "this is not a unit of yours").about(unit);
    } else if !is_hidden(field.unit(unit)) {
        let text = format!("{} is not in hiding", field.card(unit).name);
        verdict.refuse(Clause::ComingToLight, text).about(unit);
    }
    verdict
}

/// Refuses whatever a unit would do with its feet while it is hidden (days.16.4-d).
pub fn keep_still(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    if is_hidden(field.unit(unit)) {
        let text = format!("{} is in hiding and must show itself first", field.card(unit).name);
        verdict.refuse(Clause::StillWhileHidden, text).about(unit);
    }
}

/// Whether a unit stands where it may hide.
pub fn may_hide(field: &Field, unit: UnitId) -> bool {
    let own = field.unit(unit);
    may_hide_at(field, unit, own.pose(), own.body.formation, own.own.crest)
}

/// Whether a place is one where a unit may hide: each stand in or behind woods or houses, close behind a wall, or behind
/// a crest (days.16.4-a).
pub fn may_hide_at(field: &Field, unit: UnitId, pose: Pose, formation: Formation, crest: Option<Crest>) -> bool {
    if crest == Some(Crest::Behind) {
        return true;
    }
    let ahead = field::forward(field, field.side_of(unit)) * reach(field.charts().constant.sight).as_f64();
    let count = field::count(field, unit);
    facts(field, unit).layout(formation, count).quads(pose).all(|stand| {
        let line = (stand.centre, stand.centre + ahead);
        is_screened(field, &stand, line)
            || walls_near(field, &stand).iter().any(|piece| convex::clip(line, piece).is_some())
    })
}

/// Whether woods, houses or a crest lie around a stand or between it and the enemy's edge.
fn is_screened(field: &Field, stand: &Quad, line: (Vec2, Vec2)) -> bool {
    use TerrainKind::{Building, Hill, Orchard, Town, Woods};
    let level = ground::level(field, stand.centre);
    field.ground().features.iter().any(|feature| match feature.kind {
        Woods | Orchard | Town | Building => {
            feature.shape.contains(stand.centre) || !feature.shape.clip(line).is_empty()
        }
        Hill if feature.level > level => !feature.shape.clip(line).is_empty(),
        Hill => feature.crests.iter().any(|crest| crosses_line(crest, line)),
        _ => false,
    })
}

fn crosses_line(crest: &[table::Point], line: (Vec2, Vec2)) -> bool {
    crest.windows(2).any(|pair| match pair {
        [a, b] => convex::clip(line, &[a.vec(), b.vec()]).is_some(),
        _ => false,
    })
}
