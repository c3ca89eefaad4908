//! 1.1: who has the initiative. Section 17.1, A-89.

use super::Days;
use super::clause::Clause;
use super::event::DaysEvent;
use engine::{Event, Side, Umpire};

/// Both roll; the higher has the initiative for the whole turn, equal dice are thrown again. A scenario may give the
/// first turn to the attacker.
pub fn roll(umpire: &mut Umpire<'_, Days>) {
    let field = umpire.state();
    if let Some(side) = field.muster().scenario.attacker.filter(|_| field.turn() == 1) {
        umpire.announce(Event::own(Clause::SetUpAndBegin, DaysEvent::Initiative { side }));
        return;
    }
    let dice = field.charts().test.dice.value.0;
    loop {
        let (a, b) = (umpire.roll(dice, Side::A), umpire.roll(dice, Side::B));
        let side = match a.total().cmp(&b.total()) {
            std::cmp::Ordering::Greater => Some(Side::A),
            std::cmp::Ordering::Less => Some(Side::B),
            std::cmp::Ordering::Equal => None,
        };
        let event = side.map_or(DaysEvent::InitiativeTied, |side| DaysEvent::Initiative { side });
        umpire.announce(Event::own(Clause::RollingForInitiative, event).rolled(a).rolled(b));
        if side.is_some() || umpire.is_faulted() {
            return;
        }
    }
}
