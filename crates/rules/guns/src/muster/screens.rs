//! The skirmish screens of a set-up: one for each brigade with battalions that may extend (screen-a, R61). They are off
//! the table until they are thrown out.

use super::super::Guns;
use super::super::clause::Clause;
use super::super::formation::{Formation, Shape};
use super::super::unit::{Arm, Facts, Troops, Weapon};
use super::generals::ScreenOut;
use super::{Enlisted, Roll};
use engine::ruleset::Opening;
use engine::{CommandId, Faults, UnitCard, UnitId};
use serde_json::Map;
use smallvec::SmallVec;

/// A screen of more elements would not fit on any table.
const MOST_ELEMENTS: usize = 60;

pub(super) fn add_screens(opening: &Opening<Guns>, roll: &mut Roll, faults: &mut Faults) {
    let each = usize::from(opening.settings.screen_elements);
    for n in 0..roll.commands.len() {
        let id = CommandId(n as u16);
        let battalions: Vec<usize> = roll
            .units
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.card.command == Some(id))
            .filter(|(_, unit)| unit.card.facts.arm == Arm::Infantry && unit.card.facts.extended)
            .map(|(place, _)| place)
            .collect();
        let out = roll.pending.get_mut(n).and_then(|pending| pending.screen.take());
        let elements = (battalions.len() * each).min(MOST_ELEMENTS);
        match (elements, out) {
            (0, Some(ScreenOut { span, .. })) => {
                let what = format!("its brigade has nobody to send out as skirmishers [{}]", Clause::ScreenSize.id());
                faults.push(span, "screen", what);
            }
            (0, None) => {}
            (elements, out) => add_screen(roll, n, &battalions, elements as u8, out, faults),
        }
    }
}

fn add_screen(
    roll: &mut Roll,
    brigade: usize,
    battalions: &[usize],
    elements: u8,
    out: Option<ScreenOut>,
    faults: &mut Faults,
) {
    let Some(first) = battalions.first().map(|place| roll.units[*place].card.facts.clone()) else { return };
    let general = &roll.commanders[brigade];
    let key = format!("{}-skirmishers", general.key);
    let (side, name) = (general.side, format!("Skirmishers of {}", roll.commands[brigade].name));
    roll.keys.take(&key);
    // Losses fall on the battalions, so the screen itself has no status to lose and no marks (R61).
    let facts = Facts {
        arm: Arm::Infantry,
        elements,
        organic: 0,
        organic_weapon: None,
        quality: 0,
        start: 1,
        charge_limit: 1,
        advance_limit: 1,
        weapon: commonest(roll, battalions).unwrap_or_else(|| first.weapon.clone()),
        loose: false,
        extended: true,
        can_dismount: false,
        screen: true,
        zones: Vec::new(),
        template: None,
        ..first
    };
    let mut troops = Troops::fresh(&facts);
    let mut pose = None;
    if let Some(out) = out {
        pose = out.pose;
        troops.parents = parents_of(roll, battalions, usize::from(elements), &out, faults);
        for parent in &troops.parents {
            roll.units[parent.index()].troops.lent = true;
        }
    }
    let command = Some(CommandId(brigade as u16));
    roll.enlist(Enlisted {
        card: UnitCard { key, name, side, command, facts },
        list: None,
        pose,
        formation: Formation::usual(Shape::Extended),
        troops,
        state: Map::new(),
        hidden: false,
        defends: None,
        observer: None,
    });
}

/// The weapon most of the battalions carry, the first of them on a tie.
fn commonest(roll: &Roll, battalions: &[usize]) -> Option<Weapon> {
    let weapon = |place: &usize| &roll.units[*place].card.facts.weapon;
    let carried = |one: &Weapon| battalions.iter().filter(|place| weapon(place).key == one.key).count();
    // `max_by_key` takes the last of equals, and the first battalion goes before.
    battalions.iter().rev().map(weapon).max_by_key(|one| carried(one)).cloned()
}

fn parents_of(
    roll: &Roll,
    battalions: &[usize],
    most: usize,
    out: &ScreenOut,
    faults: &mut Faults,
) -> SmallVec<[UnitId; 4]> {
    let mut parents = SmallVec::new();
    for key in &out.parents {
        let found = roll.unit(key.strip_prefix('@').unwrap_or(key));
        match found.filter(|unit| battalions.contains(&unit.index())) {
            Some(unit) => parents.push(unit),
            None => {
                let what = format!("no battalion of this brigade that may extend is called `{key}`");
                faults.push(out.span.clone(), "screen.parents", what);
            }
        }
    }
    if parents.is_empty() || parents.len() > most {
        let what = format!("expected 1 to {most} parents [{}]", Clause::ScreenSize.id());
        faults.push(out.span.clone(), "screen.parents", what);
    }
    parents
}
