//! Where generals and engineers with a unit stand, and how they go along with it (days.14.4-b, A-115, A-123).

use super::super::Days;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing, TurnStep};
use super::super::field::{self, Field, facts, is_there, stands};
use super::super::hidden;
use super::super::unit::Arm;
use engine::{CommanderId, Deed, Event, Umpire, UnitId, Whereabouts};
use smallvec::SmallVec;
use table::{Footprint, Length, Pose, Quad, quads_overlap, quads_touch};

/// Who looks for a place: a general or a party of engineers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// A general.
    General(CommanderId),
    /// A party.
    Party(UnitId),
}

impl Who {
    /// The ground he needs.
    fn stand(self, field: &Field) -> Footprint {
        match self {
            Who::General(id) => field.muster().commander(id).facts.stand,
            Who::Party(id) => field.footprint(id, field::formation(field, id)),
        }
    }
}

/// A place for somebody where he touches a unit: behind it if he can, else beside or before one of its stands.
pub fn beside(field: &Field, unit: UnitId, who: Who) -> Pose {
    let (own, stand) = (stands(field, unit), who.stand(field));
    let piece = field.unit(unit);
    let footprint = field.footprint(unit, piece.body.formation);
    let rear = piece.pose().ahead(-footprint.depth);
    let behind = [0, 1, -1, 2, -2].map(|n| rear.sideways(stand.width * n));
    let others = others(field, unit, who);
    let fits = |pose: &Pose| {
        let quad = stand.quad(*pose);
        field.ground().holds(&quad)
            && own.iter().any(|one| quads_touch(one, &quad))
            && !own.iter().chain(&others).any(|one| quads_overlap(one, &quad))
    };
    let around = around(field, unit, stand);
    let all: SmallVec<[Pose; 32]> = behind.into_iter().chain(around).collect();
    let free = |pose: &&Pose| fits(pose) && !is_crowded(field, unit, who, &stand.quad(**pose));
    let found = all.iter().find(free).or_else(|| all.iter().find(|pose| fits(pose)));
    found.copied().unwrap_or(piece.pose())
}

/// Behind, beside and before every stand.
fn around(field: &Field, unit: UnitId, stand: Footprint) -> impl Iterator<Item = Pose> + use<> {
    let piece = field.unit(unit);
    let (formation, pose) = (piece.body.formation, piece.pose());
    let facts = facts(field, unit);
    let each = facts.stand_in(formation);
    let layout = facts.layout(formation, field::count(field, unit));
    let aside = each.width.half() + stand.width.half();
    let places: SmallVec<[Pose; 16]> = layout
        .stands()
        .iter()
        .map(|local| Pose {
            at: table::Point::from_vec(pose.to_world(local.pose.at.vec())),
            facing: pose.facing + local.pose.facing,
        })
        .collect();
    places.into_iter().flat_map(move |place| {
        [place.ahead(-each.depth), place.sideways(aside), place.sideways(-aside), place.ahead(stand.depth)]
    })
}

/// The ground of others who are with the same unit.
fn others(field: &Field, unit: UnitId, who: Who) -> SmallVec<[Quad; 4]> {
    let generals = field::attached(field, unit).into_iter().filter(|id| who != Who::General(*id));
    let mut others: SmallVec<[Quad; 4]> = generals.map(|id| *field.commander(id).quad()).collect();
    let parties = field::parties_with(field, unit).into_iter().filter(|id| who != Who::Party(*id));
    others.extend(parties.map(|id| *field.unit(id).quad()));
    others
}

/// Whether some other unit stands on this ground.
fn is_crowded(field: &Field, unit: UnitId, who: Who, quad: &Quad) -> bool {
    field.units().any(|(id, piece)| {
        id != unit
            && who != Who::Party(id)
            && piece.is_present()
            && quads_overlap(piece.quad(), quad)
            && stands(field, id).iter().any(|stand| quads_overlap(stand, quad))
    })
}

/// Whether a general's stand touches a unit.
pub fn touches(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let quad = field.commander(general).quad();
    stands(field, unit).iter().any(|stand| quads_touch(stand, quad))
}

/// Whether two units touch anywhere.
pub fn units_touch(field: &Field, a: UnitId, b: UnitId) -> bool {
    field::measured(field::gap_of(stands(field, a), stands(field, b))) <= Length::ZERO
}

/// After a unit moved: generals and engineers with it come along.
pub fn follow(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    leave_behind(umpire, unit);
    for general in field::attached(umpire.state(), unit) {
        if stays_unhorsed(umpire.state(), general, unit) {
            let event = DaysEvent::Attached { general, unit: None };
            umpire.announce(Event::own(Clause::WhatAttachedMeans, event).also(Clause::WhenGeneralsAreWounded));
        } else if !touches(umpire.state(), general, unit) || overlaps(umpire.state(), general, unit) {
            let to = beside(umpire.state(), unit, Who::General(general));
            put(umpire, general, to, Clause::WhatAttachedMeans);
        } else if field::is_hidden(umpire.state().unit(unit))
            != (umpire.state().commander(general).whereabouts == Whereabouts::Hidden)
        {
            let to = umpire.state().commander(general).pose;
            put(umpire, general, to, Clause::WhatAttachedMeans);
        }
    }
    for party in field::parties_with(umpire.state(), unit) {
        if !units_touch(umpire.state(), party, unit) {
            let to = beside(umpire.state(), unit, Who::Party(party));
            let moved = Event::new(Clause::WhatAttachedMeans, Deed::Moved { unit: party, to, path: Vec::new() });
            hidden::announce(umpire, party, moved);
            let did = Event::own(Clause::WhatAttachedMeans, DaysEvent::Did { unit: party, doing: Doing::Moved });
            hidden::announce(umpire, party, did);
        }
    }
}

fn overlaps(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let quad = field.commander(general).quad();
    stands(field, unit).iter().any(|stand| quads_overlap(stand, quad))
}

/// A party that marched away from the unit it was with is on its own.
fn leave_behind(umpire: &mut Umpire<'_, Days>, party: UnitId) {
    let field = umpire.state();
    if facts(field, party).arm != Arm::Engineers {
        return;
    }
    let Some(host) = field::troops(field, party).attached else { return };
    if !is_there(field, host) || !units_touch(field, party, host) {
        let event = DaysEvent::PartyAttached { party, unit: None };
        umpire.announce(Event::own(Clause::WhatAttachedMeans, event));
    }
}

/// A general without a horse does not keep up with troops that move in the Movement Phase, unless they carry him off.
fn stays_unhorsed(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let staff = &field.commander(general).own;
    let step = field.ledger().step;
    let moving = TurnStep::ALL.iter().position(|one| *one == step).is_some_and(|no| {
        let at = |step| TurnStep::ALL.iter().position(|one| *one == step).unwrap_or(0);
        no >= at(TurnStep::FirstCharged) && no <= at(TurnStep::SecondMoves)
    });
    staff.unhorsed && moving && !staff.routing && !field::is_routing(field, unit) && !touches(field, general, unit)
}

/// Sets a general somewhere; one with hidden troops is known to his own side alone.
pub fn put(umpire: &mut Umpire<'_, Days>, general: CommanderId, to: Pose, clause: Clause) {
    let field = umpire.state();
    let side = field.muster().commander(general).side;
    let with = field.commander(general).own.attached;
    let event = if with.is_some_and(|unit| field::is_hidden(field.unit(unit))) {
        Event::new(clause, Deed::CommanderConcealed { commander: general, to }).only(side)
    } else {
        Event::new(clause, Deed::CommanderMoved { commander: general, to })
    };
    umpire.announce(event);
}

/// The unit of these that is nearest to a place and on the table.
pub fn nearest(field: &Field, units: &[UnitId], to: &Quad) -> Option<UnitId> {
    let there = units.iter().copied().filter(|id| is_there(field, *id));
    there.min_by_key(|id| (field::gap_of(stands(field, *id), &[*to]), *id))
}
