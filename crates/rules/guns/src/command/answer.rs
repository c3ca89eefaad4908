//! Who would answer an order, and with which die (activate-b, R45 to R47).

use super::deal::Needs;
use crate::charts::plain;
use crate::clause::Clause;
use crate::event::BrigadeRecord;
use crate::field::{Field, brigade_units, chain, distance, elements, general_of, is_there, troops};
use crate::generals::{absence, level, place};
use crate::order::Nomination;
use crate::unit::{Ability, Cycle, Level};
use engine::{Cited, CommandId, CommanderId, Reckoning, UnitId};
use smallvec::SmallVec;
use table::{Length, SLACK, convex};

/// An order on its way to a brigade.
#[derive(Clone, Debug)]
pub struct Call {
    /// To whom.
    pub brigade: CommandId,
    /// Through whom: his zone is measured.
    pub issuer: Option<CommanderId>,
    /// Higher generals who lend their weight.
    pub present: SmallVec<[CommanderId; 2]>,
}

impl Call {
    /// As it was written down when the brigade was nominated; its own commander gives it where nothing was.
    pub fn recorded(field: &Field, brigade: CommandId) -> Call {
        let blank = BrigadeRecord::default();
        let record = field.ledger().brigades.get(brigade.index()).unwrap_or(&blank);
        let issuer = record.issuer.or_else(|| general_of(field, brigade));
        Call { brigade, issuer, present: record.present.clone() }
    }

    /// As a nomination wants it.
    pub fn wished(field: &Field, nomination: &Nomination) -> Call {
        Call {
            brigade: nomination.brigade,
            issuer: issuer(field, nomination),
            present: nomination.present.iter().copied().collect(),
        }
    }
}

/// Through whom a nomination sends its order: whoever is named, else the brigade's own commander.
pub fn issuer(field: &Field, nomination: &Nomination) -> Option<CommanderId> {
    let named = nomination.new.as_ref().and_then(|new| new.issuer).or(nomination.issuer);
    named.or_else(|| general_of(field, nomination.brigade))
}

/// Whether a unit could answer at all: combat disorder, flight, reforming and a fight make it deaf (activate-h, R37).
pub fn can_answer(field: &Field, unit: UnitId) -> bool {
    let troops = troops(field, unit);
    is_there(field, unit)
        && !troops.disorder.combat
        && !troops.broken
        && !troops.reforming
        && troops.locked.is_empty()
        && troops.cycle != Cycle::Abandoned
}

/// What a brigade's commander needs: his rating.
pub fn rating(field: &Field, brigade: CommandId) -> (Clause, Cited<i32>) {
    let general = general_of(field, brigade);
    let ability = general.and_then(|id| field.commander(id).own.ability.or(field.muster().commander(id).facts.ability));
    let ability = ability.unwrap_or(Ability::Average);
    (clause_of(ability), plain(field.charts().command.rating(ability).need))
}

fn clause_of(ability: Ability) -> Clause {
    match ability {
        Ability::Inspired => Clause::Inspired,
        Ability::Able => Clause::Able,
        Ability::Average => Clause::Average,
        Ability::Inept => Clause::Inept,
        Ability::Incompetent => Clause::Incompetent,
    }
}

/// What counts for a whole brigade: higher generals present with it, generals of its chain disabled in the bound before.
pub fn modifiers(field: &Field, call: &Call) -> Reckoning {
    let chart = &field.charts().command;
    let mut reckoning = Reckoning::new();
    for general in &call.present {
        let (clause, label, figure) = match level(field, *general) {
            Level::Division => (Clause::DivisionPresent, "divisional commander present", chart.division_present),
            Level::Corps => (Clause::CorpsPresent, "corps commander present", chart.corps_present),
            Level::Brigade | Level::Army => continue,
        };
        reckoning.add(clause, label, plain(figure));
    }
    for general in chain(field, call.brigade) {
        if field.commander(general).own.is_fit() {
            continue;
        }
        let rank = level(field, general);
        let (label, figure) = match rank {
            Level::Brigade => ("brigadier disabled", chart.brigadier_down),
            Level::Division => ("divisional commander disabled", chart.division_down),
            Level::Corps => ("corps commander disabled", chart.corps_down),
            Level::Army => continue,
        };
        reckoning.add(absence(rank), label, plain(figure));
    }
    reckoning
}

/// The radius of a general's zone; none where a telephone carries it everywhere (zone-d to -h).
pub fn radius(field: &Field, general: CommanderId) -> Option<Length> {
    let card = field.muster().commander(general);
    if card.facts.level == Level::Army && card.facts.telephone {
        return None;
    }
    Some(distance(field, field.charts().zone.radius(card.facts.level)))
}

/// The clause that gives a general's zone its size.
pub fn zone_clause(field: &Field, general: CommanderId) -> Clause {
    match level(field, general) {
        Level::Brigade => Clause::BrigadeZone,
        Level::Division => Clause::DivisionZone,
        Level::Corps => Clause::CorpsZone,
        Level::Army if radius(field, general).is_none() => Clause::FieldTelephone,
        Level::Army => Clause::ArmyZone,
    }
}

/// Whether a unit's nearest element lies outside the zone of whoever gives the order (R46). A disabled general's zone
/// stays where he fell (R47).
pub fn is_out_of_zone(field: &Field, issuer: Option<CommanderId>, unit: UnitId) -> bool {
    let Some(issuer) = issuer.filter(|id| field.commander(*id).is_present()) else { return true };
    let Some(radius) = radius(field, issuer) else { return false };
    let (from, reach) = (place(field, issuer), (radius + SLACK).as_f64());
    let quad = field.unit(unit).quad();
    if quad.centre.distance(from) + quad.radius <= reach {
        return false;
    }
    !elements(field, unit).iter().any(|element| convex::distance(element.points(), from) <= reach)
}

/// The sum of one unit with a die, line by line: the die, what counts for its brigade, whether it is out of the zone.
pub fn reckon(field: &Field, call: &Call, unit: UnitId, die: u8) -> Reckoning {
    let (clause, need) = rating(field, call.brigade);
    let mut reckoning = Reckoning::new();
    reckoning.look(clause, "command rating", need);
    reckoning.add(Clause::RatingMet, "die", Cited::derived(i32::from(die)));
    let brigade = modifiers(field, call);
    reckoning.total.0 += brigade.total.0;
    reckoning.lines.extend(brigade.lines);
    if is_out_of_zone(field, call.issuer, unit) {
        reckoning.add(Clause::OutsideZone, "outside the zone of command", plain(field.charts().command.out_of_zone));
    }
    reckoning
}

/// The lowest face at which each unit of a brigade answers; none for one that never would.
pub fn faces(field: &Field, call: &Call) -> Vec<(UnitId, Option<u8>)> {
    let need = rating(field, call.brigade).1.value - modifiers(field, call).whole();
    let penalty = field.charts().command.out_of_zone.value.get();
    let sides = die_sides(field);
    let face = |unit: UnitId| {
        let need = if is_out_of_zone(field, call.issuer, unit) { need - penalty } else { need };
        lowest(need, sides)
    };
    brigade_units(field, call.brigade)
        .filter(|unit| is_there(field, *unit))
        .map(|unit| (unit, if can_answer(field, unit) { face(unit) } else { None }))
        .collect()
}

/// The lowest face that comes to a need; none where no face does.
pub fn lowest(need: i32, sides: u8) -> Option<u8> {
    u8::try_from(need.max(1)).ok().filter(|face| *face <= sides)
}

/// How many faces the activation die has.
pub fn die_sides(field: &Field) -> u8 {
    field.charts().command.dice.value.0.dice().next().map_or(0, |die| die.sides)
}

/// The faces at which the units of a brigade answer, lowest first, for dealing dice.
pub fn needs(field: &Field, call: &Call) -> Needs {
    let mut needs: Needs = faces(field, call).into_iter().filter_map(|(_, face)| face).collect();
    needs.sort_unstable();
    needs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V19: an average brigade (4+) whose brigadier was disabled needs a 5.
    #[test]
    fn a_penalty_raises_the_face_that_is_needed() {
        assert_eq!(lowest(4 - (-1), 6), Some(5));
        assert_eq!(lowest(4 - 3, 6), Some(1));
        assert_eq!(lowest(2 - 3, 6), Some(1), "no face is below one");
        assert_eq!(lowest(6 - (-1), 6), None, "and none above six");
    }
}
