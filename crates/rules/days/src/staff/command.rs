//! Who commands whom: the chain, the reach of a general, the arms he may lead.

use super::super::charts::reach;
use super::super::clause::Clause;
use super::super::field::{self, Few, Field, facts, is_there, parts_out, whole};
use super::super::unit::{Arm, Part, Quality, Rank, Serves};
use engine::{CommandId, CommanderId, Side, UnitId};
use smallvec::SmallVec;

/// A few generals.
pub type Generals = SmallVec<[CommanderId; 4]>;

/// What a general is worth; capable until he has been diced for.
pub fn quality(field: &Field, general: CommanderId) -> Quality {
    let fixed = field.muster().commander(general).facts.quality;
    field.commander(general).own.quality.or(fixed).unwrap_or(Quality::Capable)
}

/// Generals on the table who can give orders.
pub fn is_active(field: &Field, general: CommanderId) -> bool {
    let piece = field.commander(general);
    piece.is_present() && piece.own.is_fit()
}

/// The player's own general of a side, wherever he is.
pub fn player(field: &Field, side: Side) -> Option<CommanderId> {
    let muster = field.muster();
    muster.commander_ids().find(|id| {
        let card = muster.commander(*id);
        card.side == side && card.facts.rank == Rank::Army
    })
}

/// Generals over a unit, the nearest first; the player's own is over everybody, and alone over independent units.
pub fn over(field: &Field, unit: UnitId) -> Generals {
    let whole = whole(field, unit);
    let mut generals = Generals::new();
    if !facts(field, whole).independent {
        generals.extend(field::chain(field, whole));
    }
    if let Some(player) = player(field, field.side_of(whole))
        && !generals.contains(&player)
    {
        generals.push(player);
    }
    generals
}

/// Whether an arm listens to a general: guns and engineers to anybody (days.14.2-i, A-71).
pub fn serves(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let arm = facts(field, whole(field, unit)).arm;
    match field.muster().commander(general).facts.serves {
        Serves::All => true,
        Serves::Infantry => arm != Arm::Cavalry,
        Serves::Cavalry => arm != Arm::Infantry,
    }
}

/// Whether a general is with a unit or with a part of it.
pub fn is_with(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    field.commander(general).own.attached.is_some_and(|one| whole(field, one) == whole(field, unit))
}

/// The stands of a unit wherever they are: its body and the parts that are out.
fn bodies(field: &Field, unit: UnitId) -> Few {
    let whole = whole(field, unit);
    let mut bodies = parts_out(field, whole);
    if is_there(field, whole) {
        bodies.push(whole);
    }
    bodies
}

/// Whether a unit stands in the reach of a general; nobody has to see anybody (days.14.2-c).
pub fn is_near(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let radius = reach(field.charts().constant.command_radius);
    let stand = field.commander(general).quad();
    bodies(field, unit).into_iter().any(|body| {
        !field::surely_beyond(stand, field.unit(body).quad(), radius)
            && field::gap_to_general(field, general, body) <= radius
    })
}

/// Whether a general commands a unit just now: fit, serving its arm, with it, or near it and with nobody else.
fn commands(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    if !is_active(field, general) || !serves(field, general, unit) {
        return false;
    }
    is_with(field, general, unit) || (field.commander(general).own.attached.is_none() && is_near(field, general, unit))
}

/// Whether a unit is in command.
pub fn in_command(field: &Field, unit: UnitId) -> bool {
    facts(field, whole(field, unit)).independent || over(field, unit).into_iter().any(|id| commands(field, id, unit))
}

/// Whether a general may help this unit at all: of its chain, serving its arm, fit, within 16" or with it, not attached
/// to another.
pub fn may_help(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    over(field, unit).contains(&general) && commands(field, general, unit)
}

/// The clauses under which a general helps a unit, for whoever tells of it.
pub fn help_clauses(field: &Field, general: CommanderId, unit: UnitId) -> SmallVec<[Clause; 4]> {
    if is_with(field, general, unit) {
        return SmallVec::from_slice(&[Clause::WhyGeneralsJoinUnits, Clause::OneUnitAtATime]);
    }
    let mut clauses = SmallVec::from_slice(&[Clause::ReachOfCommand, Clause::CommandWithoutSight]);
    if over(field, unit).first() != Some(&general) {
        clauses.extend([Clause::ASuperiorLendsAHand, Clause::ChoosingAmongGenerals]);
    }
    clauses
}

/// The fit general attached to a unit who counts most in a test or a fight; routing ones do not count. Skirmishers and
/// gunners who are out share the general of their unit, a squadron does not.
pub fn with(field: &Field, unit: UnitId) -> Option<(CommanderId, Quality)> {
    let shares = matches!(facts(field, unit).part_kind(), Some(Part::Screen | Part::Crew));
    let of = if shares { whole(field, unit) } else { unit };
    let mut generals = field::attached(field, unit);
    if shares {
        generals.extend(field::attached(field, of));
    }
    let fit = generals.into_iter().filter(|id| is_active(field, *id)).map(|id| (id, quality(field, id)));
    fit.fold(None, |best: Option<(CommanderId, Quality)>, one| match best {
        Some(best) if best.1 >= one.1 => Some(best),
        _ => Some(one),
    })
}

/// The units of a command and of all commands below it, parts left out.
pub fn formation_of(field: &Field, command: CommandId) -> Vec<UnitId> {
    let muster = field.muster();
    let belongs = |unit: &UnitId| {
        let mut next = field.card(*unit).command;
        while let Some(one) = next {
            if one == command {
                return true;
            }
            next = muster.command(one).parent;
        }
        false
    };
    muster.unit_ids().filter(|id| facts(field, *id).part.is_none() && belongs(id)).collect()
}

/// Units of a general's command that are on the table and have nobody over them just now.
pub fn forsaken(field: &Field, general: CommanderId) -> usize {
    let units = formation_of(field, field.muster().commander(general).commands);
    units.into_iter().filter(|id| is_there(field, *id) && !in_command(field, *id)).count()
}
