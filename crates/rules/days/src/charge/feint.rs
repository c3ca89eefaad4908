//! 4.4: chargers not yet in contact may break off. Section 17.4.12, A-104.

use super::judgement::is_known;
use super::{declined_or_misplaced, did, end};
use crate::Days;
use crate::charts::count;
use crate::clause::Clause;
use crate::event::{ChargeEnd, Doing};
use crate::field::{self, Field, facts, troops};
use crate::order::{Decision, Order};
use crate::sequence::{self, Given, Phase};
use crate::unit::{Charge, ChargeKind, ChargeStage};
use engine::{Flow, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};

/// Who has been asked for feints.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Feinting {
    /// How many sides have been.
    asked: u8,
}

/// Asks each side with chargers that may still feint.
pub fn advance_feints(umpire: &mut Umpire<'_, Days>, feinting: Feinting) -> Flow<Days> {
    let sides = sequence::in_turn(umpire.state());
    let Some(side) = sides.get(usize::from(feinting.asked)).copied() else { return Flow::Done };
    umpire.replace(Phase::Feinting(Feinting { asked: feinting.asked + 1 }));
    let among = able(umpire.state(), side);
    if among.is_empty() { Flow::Again } else { Flow::Ask(Who::One(side), Decision::Feint { among }) }
}

/// Chargers of a side that may feint: of a declared charge, not in contact, of a good enough class.
fn able(field: &Field, side: Side) -> Vec<UnitId> {
    let under_way = |charge: &Charge| charge.kind == ChargeKind::Declared && charge.stage == ChargeStage::Begun;
    field
        .present(side)
        .filter(|(_, unit)| unit.own.contact.is_empty() && unit.own.charge.as_deref().is_some_and(under_way))
        .map(|(id, _)| id)
        .filter(|id| is_steady(field, *id))
        .collect()
}

fn is_steady(field: &Field, unit: UnitId) -> bool {
    u32::from(facts(field, field::whole(field, unit)).class) >= count(field.charts().constant.feint_class)
}

/// Judges feints.
pub fn check_feint(view: &View<'_, Days>, among: &[UnitId], order: &Order) -> Verdict {
    let field: &Field = view;
    let Order::Feint { units } = order else { return declined_or_misplaced(order, Clause::CallingAFeint) };
    let mut verdict = Verdict::fine();
    for unit in units.iter().filter(|unit| !among.contains(unit)) {
        if is_known(field, *unit) && !is_steady(field, *unit) {
            verdict.refuse(Clause::RawTroopsCannotFeint, "troops of its class cannot feint").about(*unit);
        } else {
            let text = "only a charger on its way to its target may feint";
            verdict.refuse(Clause::CallingAFeint, text).about(*unit);
        }
    }
    verdict
}

/// Breaks charges off.
pub fn execute_feint(umpire: &mut Umpire<'_, Days>, among: &[UnitId], given: Given) {
    let Some((_, Order::Feint { units })) = sequence::single(given) else { return };
    for unit in units.into_iter().filter(|unit| among.contains(unit)) {
        if troops(umpire.state(), unit).charge.is_none() {
            continue;
        }
        did(umpire, unit, Doing::Feinted, &[Clause::CallingAFeint, Clause::AfterAFeint, Clause::BreakingAChargeOff]);
        end(umpire, unit, ChargeEnd::Feint);
    }
}
