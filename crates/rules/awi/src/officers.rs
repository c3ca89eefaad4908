//! Chapter 7: commanding officers. Who helps whom, who rides with whom, and making room. R58, R62, R63.

use super::Awi;
use super::charts::plain;
use super::clause::Clause;
use super::field::{Field, all_troops, facts, troops};
use super::unit::{Arm, Level, Rating};
use engine::{Cited, CommandId, CommanderId, Deed, Event, Umpire, UnitId};
use table::terrain::Ground;
use table::{Footprint, Length, Pose, Quad, SLACK, Vec2, quads_overlap};

/// The officer whose factor counts for a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Help {
    /// Who.
    pub who: CommanderId,
    /// How good he is.
    pub rating: Rating,
    /// What he adds.
    pub factor: Cited<i32>,
    /// Whether he is the divisional commander.
    pub is_division: bool,
    /// Whether another officer is in reach, whose factor is not added.
    pub others: bool,
}

/// Whether an officer is entitled to a unit: his own brigade, or his division (R58).
pub fn commands(field: &Field, officer: CommanderId, unit: UnitId) -> bool {
    let Some(brigade) = field.card(unit).command else { return false };
    commands_brigade(field, officer, brigade)
}

/// Whether an officer commands a brigade, directly or through his division.
pub fn commands_brigade(field: &Field, officer: CommanderId, brigade: CommandId) -> bool {
    let commands = field.muster().commander(officer).commands;
    commands == brigade || field.muster().command(brigade).parent == Some(commands)
}

/// The best officer for a unit within reach, by factor; the nearer of equals does not matter.
pub fn help(field: &Field, unit: UnitId) -> Option<Help> {
    best(field, unit, |rating, touching| {
        let row = field.charts().rating(rating);
        row.map(|pair| pair[usize::from(touching)].get())
    })
}

/// The best-rated officer in reach, for defensive fire (R29).
pub fn best_rated(field: &Field, unit: UnitId) -> Option<Help> {
    best(field, unit, |rating, _| Cited::derived(rating as i32))
}

fn best(field: &Field, unit: UnitId, worth: impl Fn(Rating, bool) -> Cited<i32>) -> Option<Help> {
    let reach = field.charts().officer.reach.value.0 + SLACK;
    let quad = field.unit(unit).quad();
    let mut found: Option<Help> = None;
    let mut count = 0;
    for (id, officer) in field.commanders() {
        if !officer.is_present() || !commands(field, id, unit) {
            continue;
        }
        let gap = table::gap(quad, officer.quad());
        if gap > reach {
            continue;
        }
        count += 1;
        let card = &field.muster().commander(id).facts;
        let factor = worth(card.rating, gap <= SLACK);
        if found.is_none_or(|best| factor.value > best.factor.value) {
            let is_division = card.level == Level::Division;
            found = Some(Help { who: id, rating: card.rating, factor, is_division, others: false });
        }
    }
    found.map(|best| Help { others: count > 1, ..best })
}

/// What a brigade commander adds to a charge of shaky troops: the plain factor of the unit's own, within reach (R22).
pub fn charge_factor(field: &Field, unit: UnitId) -> Option<(Rating, Cited<i32>)> {
    let brigade = field.card(unit).command?;
    let officer = field.muster().command(brigade).commander?;
    let stand = field.commander(officer);
    let reach = field.charts().officer.reach.value.0 + SLACK;
    if !stand.is_present() || table::gap(field.unit(unit).quad(), stand.quad()) > reach {
        return None;
    }
    let rating = field.muster().commander(officer).facts.rating;
    let row = field.charts().rating(rating);
    Some((rating, plain(row.map(|pair| pair[0]))))
}

/// Officers who could go along with a unit's move: in base contact and entitled to it.
pub fn companions(field: &Field, unit: UnitId) -> impl Iterator<Item = CommanderId> {
    let quad = *field.unit(unit).quad();
    field
        .commanders()
        .filter(move |(id, officer)| {
            officer.is_present() && commands(field, *id, unit) && table::quads_touch(&quad, officer.quad())
        })
        .map(|(id, _)| id)
}

/// Takes officers along, as far as they live.
pub fn take_along(umpire: &mut Umpire<'_, Awi>, with: &[CommanderId], from: Pose, to: Pose) {
    for &officer in with {
        if umpire.state().commander(officer).is_present() {
            let to = carried(umpire.state(), officer, from, to);
            umpire.announce(Event::new(Clause::BothLevels, Deed::CommanderMoved { commander: officer, to }));
        }
    }
}

/// Where an officer comes to be with a unit that goes from one pose to another: he keeps his place beside its flag.
pub fn carried(field: &Field, officer: CommanderId, from: Pose, to: Pose) -> Pose {
    let old = field.commander(officer).pose;
    let at = table::Point::from_vec(to.to_world(from.to_local(old.at.vec())));
    Pose { at, facing: old.facing + (to.facing - from.facing) }
}

/// An officer is killed. The list of tests names none for a divisional commander, and the house adds none (R62, R78).
pub fn falls(umpire: &mut Umpire<'_, Awi>, officer: CommanderId, clause: Clause) {
    let is_division = umpire.state().muster().commander(officer).facts.level == Level::Division;
    let event = Event::new(clause, Deed::CommanderLost { commander: officer });
    umpire.announce(event.also_if(is_division, Clause::FurtherTests));
}

/// Moves every officer out from under units that came to stand on him (R63): to the nearest free spot touching a unit
/// of his command, or else simply clear.
pub fn make_room(umpire: &mut Umpire<'_, Awi>) {
    let field = umpire.state();
    let crowded: Vec<CommanderId> = field
        .commanders()
        .filter(|(_, officer)| officer.is_present())
        .filter(|(_, officer)| all_troops(field).any(|(_, unit)| quads_overlap(unit.quad(), officer.quad())))
        .map(|(id, _)| id)
        .collect();
    for officer in crowded {
        if let Some(pose) = free_spot(umpire.state(), officer) {
            let deed = Deed::CommanderMoved { commander: officer, to: pose };
            umpire.announce(Event::new(Clause::BothLevels, deed));
        }
    }
}

fn free_spot(field: &Field, officer: CommanderId) -> Option<Pose> {
    let card = field.muster().commander(officer);
    let (stand, old) = (card.facts.stand, field.commander(officer).pose);
    let here = field.commander(officer).quad().centre;
    let mut spots: Vec<Vec2> = Vec::new();
    let reach = stand.width.as_f64() * 0.5;
    for (_, unit) in troops(field, card.side).filter(|(id, _)| commands(field, officer, *id)) {
        let (quad, pose) = (unit.quad(), unit.pose());
        let half_depth = (quad.corners[0] - quad.corners[3]).length() * 0.5;
        let half_width = (quad.corners[0] - quad.corners[1]).length() * 0.5;
        for (side, ahead) in [(0.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)] {
            let x = side * (half_width + reach);
            let y = -half_depth + ahead * (half_depth + reach);
            spots.push(pose.to_world(Vec2 { x, y }));
        }
    }
    let nearest = |spots: &mut Vec<Vec2>| {
        spots.sort_by(|a, b| a.distance(here).total_cmp(&b.distance(here)));
        spots.iter().find_map(|spot| stand_at(field, officer, *spot, old, stand))
    };
    nearest(&mut spots).or_else(|| {
        // tidy: allow(how finely a free spot is looked for)
        let step = Length::mm(12.7).as_f64();
        let rings = (1..40).flat_map(|ring| {
            (0..24).map(move |n| here + table::Angle::whole(n * 15).unit() * (step * f64::from(ring)))
        });
        nearest(&mut rings.collect())
    })
}

fn stand_at(field: &Field, officer: CommanderId, centre: Vec2, old: Pose, stand: Footprint) -> Option<Pose> {
    let at = table::Point::from_vec(centre + old.forward() * (stand.depth.as_f64() * 0.5));
    let pose = Pose { at, facing: old.facing };
    is_free_for_officer(field, officer, &stand.quad(pose)).then_some(pose)
}

/// Whether an officer may stand here: on the table, on nobody, on passable ground.
pub fn is_free_for_officer(field: &Field, officer: CommanderId, quad: &Quad) -> bool {
    let clear_of_units = all_troops(field).all(|(_, unit)| !quads_overlap(unit.quad(), quad));
    let clear_of_officers = field
        .commanders()
        .all(|(id, other)| id == officer || !other.is_present() || !quads_overlap(other.quad(), quad));
    clear_of_units && clear_of_officers && is_open(field.ground(), quad, Arm::Cavalry)
}

/// Whether ground is on the table and open to an arm.
pub fn is_open(ground: &Ground, quad: &Quad, arm: Arm) -> bool {
    let bridged = || {
        ground.features.iter().any(|way| {
            super::field::going(way.kind) == super::field::Going::Crossing && way.shape.contains(quad.centre)
        })
    };
    ground.holds(quad)
        && (ground
            .features
            .iter()
            .all(|feature| !super::field::is_closed(feature.kind, arm) || !feature.shape.overlaps_quad(quad))
            || bridged())
}

/// The living brigade commander's units that feel his death (6b-e).
pub fn bereaved(field: &Field, officer: CommanderId, place: &Quad) -> Vec<UnitId> {
    let card = field.muster().commander(officer);
    let reach = field.charts().panic.commander_death.reach.value.0 + SLACK;
    troops(field, card.side)
        .filter(|(id, _)| field.card(*id).command == Some(card.commands))
        .filter(|(id, _)| !super::field::is_routing(field, *id) && facts(field, *id).is_troops())
        .filter(|(_, unit)| table::gap(unit.quad(), place) <= reach)
        .map(|(id, _)| id)
        .collect()
}
