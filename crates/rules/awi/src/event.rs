//! What happens beyond the common deeds, and how it changes the pieces.

use super::Awi;
use super::order::{Piece, Standing};
use super::unit::{Attack, Condition, Nation, Task};
use engine::{CommandId, CommanderId, Pieces, Side, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Angle, Length, Point};

/// The parts of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Part {
    Rally,
    Movement,
    Firing,
    Melee,
    End,
}

/// Why a morale test is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Cause {
    Charge,
    Receive,
    RoutNearby,
    CommanderKilled,
    Stay,
    Rally,
    HaltPursuit,
    Support,
    BreakOff,
}

/// Which column of the fire tables was used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Band {
    Short,
    Medium,
    Long,
}

/// A courier on the road.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Courier {
    pub side: Side,
    /// Whose pool he comes from.
    pub from: CommandId,
    /// The brigade he makes for; hidden from the enemy.
    pub to: Option<CommandId>,
    /// What he carries; hidden from the enemy.
    pub order: Option<Standing>,
    pub at: Point,
}

/// Records beside the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// Whose turn it is.
    pub active: Side,
    /// Who began.
    pub first: Side,
    /// Standing orders by command; hidden from the enemy.
    pub orders: Vec<Option<Standing>>,
    /// Couriers left by command (divisions only).
    pub pool: Vec<u8>,
    /// Couriers who come back next turn, by command.
    pub returning: Vec<u8>,
    /// On the road.
    pub couriers: Vec<Courier>,
    /// Nations that have left the field.
    pub withdrawn: Vec<Nation>,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum AwiEvent {
    Began {
        side: Side,
    },
    Part {
        side: Side,
        part: Part,
    },
    /// Disorder passes, tasks are cleared, couriers return.
    Fresh {
        side: Side,
    },
    Tested {
        unit: UnitId,
        cause: Cause,
        passed: bool,
    },
    Condition {
        unit: UnitId,
        to: Condition,
        quarry: Option<UnitId>,
    },
    Task {
        unit: UnitId,
        task: Task,
    },
    Allowance {
        unit: UnitId,
        allowance: Length,
    },
    Loaded {
        unit: UnitId,
    },
    Measured {
        from: Piece,
        to: Piece,
        distance: Length,
    },
    ChargeDeclared {
        unit: UnitId,
        at: UnitId,
        bearing: Angle,
    },
    ChargeDistance {
        unit: UnitId,
        distance: Length,
    },
    FellShort {
        unit: UnitId,
        at: UnitId,
    },
    Contact {
        unit: UnitId,
        attack: Attack,
        level: u8,
        counter: bool,
        by_pursuit: bool,
    },
    Volley {
        by: UnitId,
        at: UnitId,
        band: Band,
        grape: bool,
        hits: u8,
    },
    /// Declared beyond range: nothing thrown, the load spent.
    OutOfRange {
        by: UnitId,
        at: UnitId,
        grape: bool,
    },
    PickedOut {
        by: UnitId,
        commander: CommanderId,
        picked: bool,
    },
    /// A hit spent on an officer.
    Attempt {
        commander: CommanderId,
        killed: bool,
    },
    /// Who suffers hits fired into a melee.
    SideDice {
        own: u8,
        enemy: u8,
    },
    Marks {
        unit: UnitId,
        lost: u8,
        left: u8,
    },
    ShellFired {
        by: UnitId,
        bearing: Angle,
        estimate: Length,
    },
    Dud {
        by: UnitId,
    },
    Burst {
        by: UnitId,
        at: Point,
        touched: Vec<Piece>,
    },
    ShellHits {
        by: UnitId,
        hits: u8,
    },
    ShellShare {
        piece: Piece,
        hits: u8,
    },
    Sniped {
        by: UnitId,
        at: Piece,
        hit: bool,
    },
    MeleeDice {
        unit: UnitId,
        scores: SmallVec<[i8; 4]>,
    },
    MeleeRound {
        side: Side,
        won: u8,
        lost: u8,
    },
    Fought {
        unit: UnitId,
    },
    /// Turned inside a melee: the attacker is now to the front.
    Faced {
        unit: UnitId,
        enemy: UnitId,
    },
    RoutMove {
        unit: UnitId,
        distance: Length,
    },
    PursuitMove {
        unit: UnitId,
        distance: Length,
    },
    Disengaged {
        unit: UnitId,
    },
    OrderInForce {
        to: CommandId,
        order: Standing,
    },
    CourierSent {
        courier: Courier,
    },
    CourierRode {
        number: usize,
        to: Point,
    },
    CourierLost {
        number: usize,
    },
    CourierArrived {
        number: usize,
    },
    NationWithdrew {
        nation: Nation,
    },
    CommanderRode {
        commander: CommanderId,
    },
}

/// Changes pieces as an event says.
pub fn apply(pieces: &mut Pieces<'_, Awi>, event: &AwiEvent) {
    match event {
        AwiEvent::Began { side } => {
            pieces.ledger().first = *side;
            pieces.ledger().active = *side;
        }
        AwiEvent::Part { side, .. } => pieces.ledger().active = *side,
        AwiEvent::Fresh { side } => freshen(pieces, *side),
        AwiEvent::Condition { unit, to, quarry } => {
            let soldiers = pieces.unit(*unit);
            soldiers.condition = *to;
            soldiers.quarry = *quarry;
            if *to == Condition::Routing {
                soldiers.attacks.clear();
                soldiers.charged_in = false;
                soldiers.counter_bonus = false;
            }
        }
        AwiEvent::Task { unit, task } => pieces.unit(*unit).task = *task,
        AwiEvent::Loaded { unit } => pieces.unit(*unit).loaded = true,
        AwiEvent::Contact { unit, attack, level, counter, .. } => {
            let soldiers = pieces.unit(*unit);
            soldiers.attacks.retain(|known| known.on != attack.on);
            soldiers.attacks.push(*attack);
            soldiers.charged_in = true;
            soldiers.counter_bonus |= *counter;
            soldiers.charge_level = *level;
            soldiers.meleed = true;
            pieces.unit(attack.on).meleed = true;
        }
        AwiEvent::Volley { by, grape, .. } => {
            let soldiers = pieces.unit(*by);
            soldiers.loaded = false;
            soldiers.volleyed = true;
            soldiers.grape_left -= u8::from(*grape && soldiers.grape_left > 0);
        }
        AwiEvent::OutOfRange { by, grape, .. } => {
            let soldiers = pieces.unit(*by);
            soldiers.loaded = false;
            soldiers.grape_left -= u8::from(*grape && soldiers.grape_left > 0);
        }
        AwiEvent::ShellFired { by, .. } => pieces.unit(*by).loaded = false,
        AwiEvent::Marks { unit, left, .. } => pieces.unit(*unit).marks = *left,
        AwiEvent::Fought { unit } => {
            let soldiers = pieces.unit(*unit);
            soldiers.charged_in = false;
            soldiers.counter_bonus = false;
            soldiers.meleed = true;
        }
        AwiEvent::Faced { unit, enemy } => {
            for attack in pieces.unit(*enemy).attacks.iter_mut().filter(|attack| attack.on == *unit) {
                attack.aspect = super::unit::Aspect::Front;
            }
        }
        AwiEvent::Disengaged { unit } => {
            let gone = *unit;
            pieces.unit(gone).attacks.clear();
            pieces.each_unit(|_, _, soldiers| soldiers.attacks.retain(|attack| attack.on != gone));
        }
        AwiEvent::OrderInForce { to, order } => {
            if let Some(slot) = pieces.ledger().orders.get_mut(to.index()) {
                *slot = Some(*order);
            }
        }
        AwiEvent::CourierSent { courier } => {
            let ledger = pieces.ledger();
            if let Some(left) = ledger.pool.get_mut(courier.from.index()) {
                *left = left.saturating_sub(1);
            }
            ledger.couriers.push(courier.clone());
        }
        AwiEvent::CourierRode { number, to } => {
            if let Some(courier) = pieces.ledger().couriers.get_mut(*number) {
                courier.at = *to;
            }
        }
        AwiEvent::CourierLost { number } => drop(take_courier(pieces, *number)),
        AwiEvent::CourierArrived { number } => {
            if let Some(courier) = take_courier(pieces, *number)
                && let Some(back) = pieces.ledger().returning.get_mut(courier.from.index())
            {
                *back += 1;
            }
        }
        AwiEvent::NationWithdrew { nation } => pieces.ledger().withdrawn.push(*nation),
        AwiEvent::CommanderRode { commander } => pieces.commander(*commander).moved = true,
        AwiEvent::Tested { .. }
        | AwiEvent::Allowance { .. }
        | AwiEvent::Measured { .. }
        | AwiEvent::ChargeDeclared { .. }
        | AwiEvent::ChargeDistance { .. }
        | AwiEvent::FellShort { .. }
        | AwiEvent::PickedOut { .. }
        | AwiEvent::Attempt { .. }
        | AwiEvent::SideDice { .. }
        | AwiEvent::Dud { .. }
        | AwiEvent::Burst { .. }
        | AwiEvent::ShellHits { .. }
        | AwiEvent::ShellShare { .. }
        | AwiEvent::Sniped { .. }
        | AwiEvent::MeleeDice { .. }
        | AwiEvent::MeleeRound { .. }
        | AwiEvent::RoutMove { .. }
        | AwiEvent::PursuitMove { .. } => {}
    }
}

fn freshen(pieces: &mut Pieces<'_, Awi>, side: Side) {
    pieces.each_unit(|_, owner, soldiers| {
        if owner == side {
            soldiers.task = Task::None;
            if soldiers.condition == Condition::Disordered {
                soldiers.condition = Condition::Steady;
            }
        }
    });
    pieces.each_commander(|_, owner, rider| rider.moved &= owner != side);
    let ledger = pieces.ledger();
    for (left, back) in ledger.pool.iter_mut().zip(&mut ledger.returning) {
        *left += std::mem::take(back);
    }
}

fn take_courier(pieces: &mut Pieces<'_, Awi>, number: usize) -> Option<Courier> {
    let couriers = &mut pieces.ledger().couriers;
    (number < couriers.len()).then(|| couriers.remove(number))
}
