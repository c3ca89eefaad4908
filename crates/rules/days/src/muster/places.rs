//! Where the set-up would have everybody stand: on the table, in its zone, in a formation it knows (section 16.2).

use super::super::clause::Clause;
use super::super::evolution;
use super::super::field::{Field, Stands, facts, stands_at};
use book::enlist::in_zones;
use engine::{Faults, SheetTable, Side, UnitId};
use table::terrain::Ground;
use table::{Point, Quad, quads_overlap};

pub(super) fn check(field: &Field, root: &SheetTable<'_, '_>, faults: &mut Faults) {
    let scenario = &field.muster().scenario;
    let mut taken: Vec<(UnitId, Stands)> = Vec::new();
    for id in field.muster().unit_ids().filter(|id| facts(field, *id).part.is_none()) {
        let mut tell = |clause: Clause, what: &str| {
            let path = format!("units.{}", field.card(id).key);
            faults.push(root.span_of("units"), &path, format!("{what} [{}]", clause.id()));
        };
        let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() else {
            if !is_kept_off(field, id) {
                tell(Clause::WhereToSetUp, "a unit needs a place");
            }
            continue;
        };
        let formation = field.unit(id).body.formation;
        let stands = stands_at(field, id, pose, formation);
        check_place(field, &stands, field.side_of(id), &facts(field, id).zones, &mut tell);
        if let Some((other, _)) = taken.iter().find(|(_, others)| overlap(&stands, others)) {
            tell(Clause::WhereToSetUp, &format!("stands where {} is", field.card(*other).name));
        }
        taken.push((id, stands));
        for note in evolution::may_form(field, id, formation).refusals {
            let path = format!("units.{}.formation", field.card(id).key);
            faults.push(root.span_of("units"), &path, format!("{} [{}]", note.text, note.clause.as_str()));
        }
    }
    for id in field.muster().commander_ids() {
        let card = field.muster().commander(id);
        let Some(pose) = scenario.commanders_at.get(id.index()).copied().flatten() else { continue };
        let stand = card.facts.stand.quad(pose);
        let mut tell = |clause: Clause, what: &str| {
            let path = format!("generals.{}", card.key);
            faults.push(root.span_of("generals"), &path, format!("{what} [{}]", clause.id()));
        };
        check_place(field, &[stand], card.side, &card.facts.zones, &mut tell);
    }
}

/// Whether its brigade begins off the table.
fn is_kept_off(field: &Field, id: UnitId) -> bool {
    let kept = |command: engine::CommandId| field.muster().scenario.kept_off.get(command.index()).copied();
    field.card(id).command.and_then(kept).unwrap_or(false)
}

/// Its own zones go before those of its side; a scenario that is set up already places everybody as it likes.
fn check_place(
    field: &Field,
    stands: &[Quad],
    side: Side,
    own: &[(Point, Point)],
    tell: &mut impl FnMut(Clause, &str),
) {
    let zones = if own.is_empty() { &field.muster().sides[side].zones } else { own };
    if !stands.iter().all(|stand| on_table(field.ground(), stand)) {
        tell(Clause::WhereToSetUp, "stands off the table");
    } else if !field.muster().scenario.deployed && !stands.iter().all(|stand| in_zones(zones, stand)) {
        tell(Clause::WhereToSetUp, "stands outside its zone");
    }
}

fn overlap(stands: &[Quad], others: &[Quad]) -> bool {
    stands.iter().any(|stand| others.iter().any(|other| quads_overlap(stand, other)))
}

fn on_table(ground: &Ground, stand: &Quad) -> bool {
    let whole = (Point::default(), Point::new(ground.size.0, ground.size.1));
    in_zones(&[whole], stand)
}
