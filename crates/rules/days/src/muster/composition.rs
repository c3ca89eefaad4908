//! The order of battle as a whole: what it costs, who commands what, and what its lists allow (days.3.3-d, 5-a, 6-a, 14.2-a,
//! What the lists have in common is a switch; the sum is not.

use super::super::Days;
use super::super::clause::Clause;
use super::super::force::extras_price;
use super::super::unit::{Arm, Rank};
use super::armies::{ArmyList, ENGINEERS, Entry, Lists, Range, scaled};
use super::{Enlisted, Roll};
use engine::ruleset::Opening;
use engine::{CommandId, Faults, SheetTable, Side};
use std::collections::BTreeMap;
use table::Length;

/// The clause under which a force is put together by its lists.
const LISTS: Clause = Clause::OrdersOfBattle;

pub(super) fn check(
    root: &SheetTable<'_, '_>,
    opening: &Opening<Days>,
    book: &Lists,
    roll: &Roll,
    faults: &mut Faults,
) {
    for side in Side::BOTH {
        let mut force = Force { root, opening, book, roll, side, faults };
        force.check_presence();
        force.check_sum();
        force.check_works();
        force.check_commands();
        if opening.settings.composition {
            force.check_generals();
            force.check_independent();
            force.check_shares();
            force.check_limits();
            force.check_brigades();
        }
    }
}

struct Force<'r, 's, 't, 'f> {
    root: &'r SheetTable<'s, 't>,
    opening: &'r Opening<Days>,
    book: &'r Lists,
    roll: &'r Roll,
    side: Side,
    faults: &'f mut Faults,
}

impl<'r> Force<'r, '_, '_, '_> {
    fn units(&self) -> impl Iterator<Item = &'r Enlisted> + use<'r> {
        let (roll, side) = (self.roll, self.side);
        roll.units.iter().filter(move |unit| unit.card.side == side)
    }

    fn of_arm(&self, arm: Arm) -> impl Iterator<Item = &'r Enlisted> + use<'r> {
        self.units().filter(move |unit| unit.card.facts.arm == arm)
    }

    fn name(&self) -> &'r str {
        &self.roll.sides[self.side].name
    }

    fn generals(&self, rank: Rank) -> usize {
        let own = self.roll.commanders.iter().filter(|card| card.side == self.side);
        own.filter(|card| card.facts.rank == rank).count()
    }

    /// A fault of the force as a whole.
    fn tell(&mut self, path: &str, clause: Clause, what: &str) {
        self.faults.push(self.root.span(), path, format!("{what} [{}]", clause.id()));
    }

    /// A fault of one command.
    fn tell_command(&mut self, id: CommandId, clause: Clause, what: &str) {
        let span = self.roll.spans.get(id.index()).cloned().unwrap_or_default();
        let card = &self.roll.commands[id.index()];
        self.faults.push(span, &card.key, format!("{} {what} [{}]", card.name, clause.id()));
    }

    fn tell_unit(&mut self, unit: &Enlisted, clause: Clause, what: &str) {
        let path = format!("units.{}", unit.card.key);
        self.faults.push(unit.span.clone(), &path, format!("{} {what} [{}]", unit.card.name, clause.id()));
    }

    /// The entry of a unit in the list it was taken from.
    fn entry(&self, unit: &Enlisted) -> Option<(&'r ArmyList, &'r Entry)> {
        let (_, list) = self.roll.armies[self.side].lists.get(unit.list?)?;
        Some((list.as_ref(), list.units.get(unit.card.facts.entry.as_deref()?)?))
    }

    fn check_presence(&mut self) {
        let fights = |unit: &Enlisted| !matches!(unit.card.facts.arm, Arm::Engineers | Arm::Wagon);
        if !self.units().any(fights) {
            let what = format!("{} has no units", self.name());
            self.tell("units", LISTS, &what);
        }
    }

    /// The whole force for no more than was agreed (days.6-a).
    fn check_sum(&mut self) {
        let army = &self.roll.armies[self.side];
        let units: u32 = self.units().map(|unit| unit.card.facts.points).sum();
        let own = self.roll.commanders.iter().filter(|card| card.side == self.side);
        let staff: u32 = own.map(|card| card.facts.points).sum();
        let extras = extras_price(&self.opening.charts, army.earthworks, army.pontoons).whole().unsigned_abs();
        let (sum, size) = (units + staff + extras, self.roll.size);
        if sum > size {
            let what = format!("{} costs {sum} points, {} more than the {size} agreed", self.name(), sum - size);
            self.tell("size", Clause::WithinTheSum, &what);
        }
    }

    /// Field works and pontoons are the engineers' business (days.15.10-b).
    fn check_works(&mut self) {
        let (roll, side) = (self.roll, self.side);
        let army = &roll.armies[side];
        if self.of_arm(Arm::Engineers).next().is_some() {
            return;
        }
        let key = &roll.sides[side].key;
        for (entry, length, clause) in [
            ("earthworks", army.earthworks, Clause::WhoMayBuyWorks),
            ("pontoons", army.pontoons, Clause::BuyingMorePontoons),
        ] {
            if length > Length::ZERO {
                let what = format!("only with an engineer officer does one buy {entry} [{}]", clause.id());
                self.faults.push(army.span.clone(), &format!("armies.{key}.{entry}"), what);
            }
        }
    }

    /// One general for the player, and nobody without troops (days.5.1-a, 14.2-a).
    fn check_commands(&mut self) {
        let players = self.book.staff.values().find_map(|entry| entry.exactly).unwrap_or(1);
        let found = self.generals(Rank::Army);
        if found != players {
            let what = format!("{} has {found} generals for the player, and needs {players}", self.name());
            self.tell("generals", Clause::ThePlayersOwnGeneral, &what);
        }
        for n in 0..self.roll.commands.len() {
            let (id, card) = (CommandId(n as u16), &self.roll.commands[n]);
            if card.side != self.side || self.roll.commanders[n].facts.rank == Rank::Army {
                continue;
            }
            let own = self.units().filter(|unit| unit.card.command == Some(id)).count();
            let below = self.roll.commands.iter().any(|other| other.parent == Some(id));
            let is_brigade = self.roll.commanders[n].facts.rank == Rank::Brigade;
            let least = if is_brigade { self.book.composition.brigade_units } else { 1 };
            if own < least && (is_brigade || !below) {
                self.tell_command(id, Clause::EveryoneHasAGeneral, "commands nothing");
            }
        }
    }

    /// Not every division of the army has its general here.
    fn check_generals(&mut self) {
        let divisions = self.generals(Rank::Division);
        let engineers = self.of_arm(Arm::Engineers).count();
        let limit = |key: &str| self.book.staff.get(key).and_then(|entry| entry.limit);
        let by_rank = self.book.staff.values().find(|entry| entry.rank == Rank::Division.word());
        let division = by_rank.and_then(|entry| entry.limit);
        for (what, found, limit, clause) in [
            ("division generals", divisions, division, LISTS),
            ("engineer officers", engineers, limit(ENGINEERS), Clause::EngineersAndTheirTrain),
        ] {
            let most = limit.map(|limit| limit.most(self.roll.size) as usize);
            if let Some(most) = most.filter(|most| found > *most) {
                let what = format!("{} has {found} {what}, and may have {most}", self.name());
                self.tell("generals", clause, &what);
            }
        }
    }

    /// Few units do without a general.
    fn check_independent(&mut self) {
        let composition = &self.book.composition;
        let free: Vec<&Enlisted> = self.units().filter(|unit| unit.card.facts.independent).collect();
        let most = scaled(composition.independent, self.roll.size) as usize;
        if free.len() > most {
            let what = format!("{} has {} independent units, and may have {most}", self.name(), free.len());
            self.tell("units", Clause::EveryoneHasAGeneral, &what);
        }
        let poor = |unit: &&&Enlisted| unit.card.facts.arm == Arm::Infantry && unit.card.facts.class == 1;
        if !composition.independent_class_1_infantry {
            for unit in free.iter().filter(poor) {
                self.tell_unit(unit, Clause::EveryoneHasAGeneral, "is Class 1 infantry, which is never independent");
            }
        }
    }

    /// No army of horse, of guns or of crack troops alone.
    fn check_shares(&mut self) {
        let composition = &self.book.composition;
        let points = |units: Vec<&Enlisted>| units.iter().map(|unit| unit.card.facts.points).sum::<u32>();
        let crack = self.units().filter(|unit| unit.card.facts.class == 4 && unit.card.facts.arm != Arm::Artillery);
        for (what, spent, percent) in [
            ("cavalry", points(self.of_arm(Arm::Cavalry).collect()), composition.cavalry_percent),
            ("artillery", points(self.of_arm(Arm::Artillery).collect()), composition.artillery_percent),
            ("Class 4", points(crack.collect()), composition.class_4_percent),
        ] {
            let most = self.roll.size.saturating_mul(percent) / 100;
            if spent > most {
                let side = self.name();
                let what = format!("{side} spends {spent} points on {what}, and may spend {most}: {percent} per cent");
                self.tell("units", LISTS, &what);
            }
        }
    }

    /// Rare units stay rare.
    fn check_limits(&mut self) {
        let mut taken: BTreeMap<(usize, &str), (usize, &Entry)> = BTreeMap::new();
        for unit in self.units() {
            let Some((_, entry)) = self.entry(unit) else { continue };
            let key = (unit.list.unwrap_or_default(), unit.card.facts.entry.as_deref().unwrap_or_default());
            taken.entry(key).or_insert((0, entry)).0 += 1;
        }
        for (found, entry) in taken.into_values() {
            let Some(limit) = entry.limit else { continue };
            let most = limit.most(self.roll.size) as usize;
            if found > most {
                let what = format!("{} has {found} of {}, and may have {most}", self.name(), entry.name);
                self.tell("units", LISTS, &what);
            }
        }
    }

    fn check_brigades(&mut self) {
        for n in 0..self.roll.commands.len() {
            let id = CommandId(n as u16);
            let is_brigade = self.roll.commanders[n].facts.rank == Rank::Brigade;
            if self.roll.commands[n].side != self.side || !is_brigade {
                continue;
            }
            let own: Vec<&Enlisted> = self.units().filter(|unit| unit.card.command == Some(id)).collect();
            self.check_strength(id, &own);
            self.check_kin(id, &own);
        }
    }

    /// Battalions and regiments of a brigade, as its list has them.
    fn check_strength(&mut self, id: CommandId, own: &[&Enlisted]) {
        let Some((list, _)) = own.iter().find_map(|unit| self.entry(unit)) else { return };
        let arm = |arm: Arm| own.iter().filter(|unit| unit.card.facts.arm == arm).count();
        let (foot, horse) = (arm(Arm::Infantry), arm(Arm::Cavalry));
        let wrong = |found: usize, range: Range| (found > 0 && !range.holds(found)).then_some((found, range));
        // A brigade is of the arm of most of its units; a regiment or two beside it makes none of the other arm.
        let found = if foot >= horse {
            wrong(foot, list.infantry_brigade).map(|found| ("battalions", found))
        } else {
            list.cavalry_brigade.and_then(|range| wrong(horse, range)).map(|found| ("regiments", found))
        };
        if let Some((what, (found, range))) = found {
            self.tell_command(id, LISTS, &format!("has {found} {what}, and should have {} to {}", range.0, range.1));
        }
    }

    /// Brigades come from one list; the Guard keeps to itself, and so do the troops of small states.
    fn check_kin(&mut self, id: CommandId, own: &[&Enlisted]) {
        let lists: Vec<usize> = own.iter().filter_map(|unit| unit.list).collect();
        if lists.iter().any(|list| Some(list) != lists.first()) {
            self.tell_command(id, LISTS, "mixes the troops of two allies");
            return;
        }
        let entries: Vec<(&ArmyList, &Entry)> = own.iter().filter_map(|unit| self.entry(unit)).collect();
        let foot: Vec<&Entry> =
            entries.iter().map(|(_, entry)| *entry).filter(|one| one.arm == Arm::Infantry).collect();
        if foot.iter().any(|entry| entry.guard) && !foot.iter().all(|entry| entry.guard) {
            self.tell_command(id, LISTS, "mixes the Guard with the line");
        }
        if !entries.iter().any(|(list, _)| list.brigade_of_one_state) {
            return;
        }
        let bound: Vec<&Entry> = entries.iter().map(|(_, one)| *one).filter(|one| !one.states.is_empty()).collect();
        let Some(first) = bound.first() else { return };
        let shared = first.states.iter().any(|state| bound.iter().all(|one| one.states.contains(state)));
        if !shared {
            self.tell_command(id, LISTS, "mixes the troops of several states");
        }
    }
}
