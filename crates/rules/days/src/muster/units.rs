//! Units of a set-up: their facts, checked against the lists of their army (sections 5 to 11, B.1, B.2).

use super::super::Days;
use super::super::charts::{Charts, Stand, count, reach};
use super::super::clause::Clause;
use super::super::field::EMPIRE;
use super::super::force;
use super::super::formation::{Formation, Shape};
use super::super::unit::{Arm, Crest, Facts, GunModel, Part, Rank, Trait, Traits, Troops};
use super::armies::Lists;
use super::kind::Kind;
use super::parts::entry_of;
use super::{Enlisted, Out, Roll};
use book::enlist::MOST_UNITS;
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{CommandId, Faults, Ruleset, SheetTable, Side, UnitCard};
use serde_json::{Map, Value};
use smallvec::SmallVec;
use table::{Footprint, Length, Pose};

/// More stands than this are no unit.
const MOST_STANDS: u8 = 24;
/// More models than this are no battery.
const MOST_MODELS: u8 = 6;
/// The class of whoever is given none: average troops.
const USUAL_CLASS: u8 = 2;

pub(super) fn read_units(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    book: &Lists,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    let group = root.group("units", faults);
    if group.len() > MOST_UNITS {
        root.fault("units", format!("{} units are more than the {MOST_UNITS} a battle may have", group.len()), faults);
        return;
    }
    for (key, mut table) in group {
        let reader = Reader { opening, book, roll };
        let read = reader.read(&key, &mut table, faults);
        table.finish(faults);
        roll.keys.claim(&key, &table, faults);
        roll.units.extend(read);
    }
    share_pontoons(roll);
}

/// Pontoons bought besides travel with the first engineers of their side (days.5.2-f).
fn share_pontoons(roll: &mut Roll) {
    for side in Side::BOTH {
        let bought = roll.armies[side].pontoons;
        let party = roll.units.iter_mut().find(|unit| unit.card.side == side && unit.card.facts.arm == Arm::Engineers);
        if let Some(party) = party {
            party.troops.pontoons += bought;
        }
    }
}

pub(super) struct Reader<'r> {
    pub opening: &'r Opening<Days>,
    pub book: &'r Lists,
    pub roll: &'r Roll,
}

impl Reader<'_> {
    fn charts(&self) -> &Charts {
        &self.opening.charts
    }

    pub(super) fn edition(&self) -> &'static str {
        Days::EDITIONS.get(usize::from(self.opening.edition.0)).map_or("", |edition| edition.id)
    }

    fn read(&self, key: &str, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Enlisted> {
        if table.json("stand", faults).is_some() {
            let what = format!("both armies stand on the same bases [{}]", Clause::OneBasingForAll.id());
            table.fault("stand", what, faults);
        }
        let command = self.read_command(table, faults);
        let independent: bool = table.optional("independent", faults).unwrap_or(false);
        let side = self.read_side(table, command, faults);
        let kind = self.read_kind(table, side, faults);
        let name: Option<String> = table.optional("name", faults);
        let class = self.read_class(table, kind.as_ref(), faults);
        let start = self.read_number(table, kind.as_ref(), faults);
        let weapon = self.read_weapon(table, kind.as_ref(), faults);
        let traits = self.read_traits(table, kind.as_ref(), faults);
        let formation: Option<Formation> = table.optional("formation", faults);
        let pose: Option<Pose> = table.optional("pose", faults);
        let hidden: bool = table.optional("hidden", faults).unwrap_or(false);
        let crest: Option<Crest> = table.optional("crest", faults);
        let wagon: Option<Pose> = table.optional("wagon", faults);
        let zones = read_zones(table, faults);
        let (state, out) = self.read_case(table, faults);
        let left: Option<u8> = if self.is_case() { table.optional("left", faults) } else { None };
        let (side, kind, class, start, weapon) = (side?, kind?, class?, start?, weapon?);
        let command = command.or_else(|| self.army_command(kind.arm, independent, side));
        self.check_command(table, command, independent, kind.arm, faults);
        let mut traits: Traits = traits.into_iter().collect();
        if kind.skirmish_only.contains(&class) && !traits.contains(&Trait::SkirmishOnly) {
            traits.push(Trait::SkirmishOnly);
        }
        let mut facts = self.facts(kind.arm, class, traits, weapon, start);
        facts.independent = independent;
        facts.zones = zones;
        facts.entry.clone_from(&kind.entry);
        facts.points = force::price(self.charts(), self.opening.edition == EMPIRE, &facts).whole().unsigned_abs();
        facts.model_points = force::model_price(self.charts(), &facts);
        let left = left.unwrap_or_else(|| body_left(&facts, &state, &out)).clamp(1, start);
        let troops = self.troops(&facts, left, &state);
        let formation = formation.unwrap_or_else(|| self.usual_formation(&facts, &kind, side));
        if let Some((clause, why)) = self.objection(&facts, troops.mounted, formation.shape) {
            table.fault("formation", format!("{why} [{}]", clause.id()), faults);
        }
        if wagon.is_some() && facts.arm != Arm::Engineers {
            let clause = Clause::EngineersAndTheirTrain.id();
            table.fault("wagon", format!("only engineers have a wagon [{clause}]"), faults);
        }
        let name = name.or(kind.name).unwrap_or_else(|| key.to_owned());
        let card = UnitCard { key: key.to_owned(), name, side, command, facts };
        let (list, span) = (kind.list, table.span());
        Some(Enlisted { card, list, pose, formation, left, troops, state, hidden, crest, out, wagon, span })
    }

    fn is_case(&self) -> bool {
        self.roll.mode == Mode::Case
    }

    fn facts(&self, arm: Arm, class: u8, traits: Traits, weapon: String, start: u8) -> Facts {
        let sizes = &self.charts().stand;
        let stand = match arm {
            Arm::Infantry => &sizes.infantry,
            Arm::Cavalry => &sizes.cavalry,
            Arm::Artillery => &sizes.gun,
            Arm::Engineers => &sizes.engineer,
            Arm::Wagon => &sizes.wagon,
        };
        let limbered = if arm == Arm::Artillery { &sizes.limbered } else { stand };
        Facts {
            arm,
            class,
            traits,
            weapon,
            start,
            points: 0,
            model_points: 0,
            independent: false,
            part: None,
            parts: SmallVec::new(),
            stand: footprint(stand),
            limbered: footprint(limbered),
            gap: reach(self.charts().constant.skirmish_gap),
            zones: Vec::new(),
            entry: None,
        }
    }

    /// Crews, teams and pontoons filled up (days.5.2-e, A-24).
    fn troops(&self, facts: &Facts, left: u8, state: &Map<String, Value>) -> Troops {
        let mut troops = Troops::fresh(facts);
        troops.mounted &= state.get("mounted").and_then(Value::as_bool).unwrap_or(true);
        let (damage, points) = (&self.charts().damage, &self.charts().points);
        match facts.arm {
            Arm::Artillery => {
                let gun = GunModel { crew: count(damage.crew_per_gun) as u8, damaged: 0 };
                troops.guns = std::iter::repeat_n(gun, usize::from(left)).collect();
                let horses = if facts.is(Trait::Horse) { damage.horses_horse } else { damage.horses_foot };
                troops.horses = count(horses) as u8;
            }
            Arm::Engineers => troops.pontoons = reach(points.bridge),
            Arm::Infantry | Arm::Cavalry | Arm::Wagon => {}
        }
        troops
    }

    /// The general a unit is under.
    fn read_command(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<CommandId> {
        let key: String = table.optional("general", faults)?;
        let found = self.roll.commanders.iter().find(|card| card.key == key);
        if found.is_none() {
            table.fault("general", format!("no general is called `{key}`"), faults);
        }
        found.map(|general| general.commands)
    }

    fn read_side(
        &self,
        table: &mut SheetTable<'_, '_>,
        command: Option<CommandId>,
        faults: &mut Faults,
    ) -> Option<Side> {
        let Some(command) = command else {
            let named = table.has("side") || !table.has("general");
            return if named { self.roll.side(table, faults) } else { None };
        };
        let side = self.roll.commands[command.index()].side;
        if table.has("side") && self.roll.side(table, faults) != Some(side) {
            table.fault("side", "is not the side of its general", faults);
        }
        Some(side)
    }

    /// Engineers nobody else claims are the army's.
    fn army_command(&self, arm: Arm, independent: bool, side: Side) -> Option<CommandId> {
        let army = |card: &&engine::CommanderCard<Days>| card.side == side && card.facts.rank == Rank::Army;
        let engineers = arm == Arm::Engineers && !independent;
        self.roll.commanders.iter().find(army).filter(|_| engineers).map(|card| card.commands)
    }

    /// Every unit is under a general unless it is independent (days.14.2-a, A-72).
    fn check_command(
        &self,
        table: &SheetTable<'_, '_>,
        command: Option<CommandId>,
        independent: bool,
        arm: Arm,
        faults: &mut Faults,
    ) {
        let clause = Clause::EveryoneHasAGeneral.id();
        if command.is_some() && independent {
            table.fault("independent", format!("an independent unit is under no general [{clause}]"), faults);
        }
        if command.is_none() && !independent && !self.is_case() && !table.has("general") {
            let what = format!("is under a general, or independent = true [{clause}]");
            faults.push(table.span(), table.path(), what);
        }
        let rank = command.and_then(|id| self.roll.commanders.get(id.index())).map(|card| card.facts.rank);
        let strict = self.opening.settings.composition && !self.is_case();
        if strict && rank == Some(Rank::Army) && matches!(arm, Arm::Infantry | Arm::Cavalry) {
            let what = format!("foot and horse are under a brigade or division general, or independent [{clause}]");
            table.fault("general", what, faults);
        }
    }

    /// One class for all its stands, of those the list offers (days.6-b, -c, -e).
    fn read_class(&self, table: &mut SheetTable<'_, '_>, kind: Option<&Kind>, faults: &mut Faults) -> Option<u8> {
        let given = table.json("class", faults);
        let kind = kind?;
        let offered: Vec<String> = kind.classes.iter().map(u8::to_string).collect();
        let class = match given {
            Some(Value::Array(_)) => {
                let what = format!("all stands of a unit are of one class [{}]", Clause::TheSameThroughout.id());
                table.fault("class", what, faults);
                return None;
            }
            Some(value) => value.as_u64().filter(|class| (1..=4).contains(class)).map(|class| class as u8),
            None => match kind.classes.as_slice() {
                [only] => Some(*only),
                [first, ..] if self.is_case() => Some(*first),
                [] => Some(USUAL_CLASS),
                _ => {
                    let clause = Clause::ChoosingAClass.id();
                    let what = format!("which class is it: {} [{clause}]", offered.join(" or "));
                    faults.push(table.span(), &table.join("class"), what);
                    return None;
                }
            },
        };
        let Some(class) = class else {
            let what = format!("every unit has a class from 1 to 4 [{}]", Clause::AClassForEveryUnit.id());
            table.fault("class", what, faults);
            return None;
        };
        if !kind.classes.is_empty() && !kind.classes.contains(&class) {
            let what = format!("is of Class {}", offered.join(" or "));
            self.tell_listed(table, "class", Clause::ChoosingAClass, kind, &what, faults);
        }
        Some(class)
    }

    /// A departure from the list: refused, or only remarked upon where lists do not bind.
    fn tell_listed(
        &self,
        table: &SheetTable<'_, '_>,
        entry: &str,
        clause: Clause,
        kind: &Kind,
        what: &str,
        faults: &mut Faults,
    ) {
        let what = format!("{} {what} [{}]", kind.name.as_deref().unwrap_or("it"), clause.id());
        match self.opening.settings.composition {
            true => table.fault(entry, what, faults),
            false => table.caution(entry, what, faults),
        }
    }

    /// Stands, or the models of a battery.
    fn read_number(&self, table: &mut SheetTable<'_, '_>, kind: Option<&Kind>, faults: &mut Faults) -> Option<u8> {
        let (stands, models): (Option<u8>, Option<u8>) =
            (table.optional("stands", faults), table.optional("models", faults));
        let kind = kind?;
        let (entry, given, wrong, clause, most, usual) = match kind.arm {
            Arm::Infantry => ("stands", stands, models, Clause::ABattalionOfTwelve, MOST_STANDS, 12),
            Arm::Cavalry => ("stands", stands, models, Clause::SizeOfCavalryUnits, MOST_STANDS, 8),
            Arm::Artillery => ("models", models, stands, Clause::OneTeamForABattery, MOST_MODELS, 2),
            Arm::Engineers | Arm::Wagon => return self.party_size(table, kind.arm, stands.or(models), faults),
        };
        if wrong.is_some() {
            let other = if entry == "stands" { "models" } else { "stands" };
            table.fault(other, format!("it is counted in {entry} [{}]", clause.id()), faults);
        }
        let number = match (given, kind.size) {
            (Some(number), _) => number,
            (None, Some(size)) if size.0 == size.1 => size.0,
            (None, size) if self.is_case() => size.map_or(usual, |size| usual.clamp(size.0, size.1)),
            (None, _) => {
                if !table.has(entry) {
                    let what = format!("how many {entry} has it [{}]", clause.id());
                    faults.push(table.span(), &table.join(entry), what);
                }
                return None;
            }
        };
        let least = match kind.arm {
            // What would be gone with its first loss is no unit.
            _ if self.is_case() => 1,
            Arm::Infantry => count(self.charts().constant.shattered_foot) as u8 + 2,
            Arm::Cavalry => count(self.charts().constant.shattered_horse) as u8 + 2,
            Arm::Artillery | Arm::Engineers | Arm::Wagon => 1,
        };
        if !(least..=most).contains(&number) {
            table.fault(entry, format!("{number} is outside {least} to {most} {entry} [{}]", clause.id()), faults);
            return None;
        }
        if let Some(size) = kind.size.filter(|size| !size.holds(usize::from(number))) {
            let what = format!("has {} to {} {entry}, not {number}", size.0, size.1);
            self.tell_listed(table, entry, clause, kind, &what, faults);
        }
        Some(number)
    }

    /// The officer and all his pioneers; a wagon is one.
    fn party_size(&self, table: &SheetTable<'_, '_>, arm: Arm, given: Option<u8>, faults: &mut Faults) -> Option<u8> {
        if given.is_some() {
            let clause = Clause::EngineersAndTheirTrain.id();
            table.fault("stands", format!("engineers come as one package [{clause}]"), faults);
        }
        let pioneers = count(self.charts().points.pioneers) as u8;
        Some(if arm == Arm::Wagon { 1 } else { pioneers + 1 })
    }

    fn read_weapon(&self, table: &mut SheetTable<'_, '_>, kind: Option<&Kind>, faults: &mut Faults) -> Option<String> {
        let given: Option<String> = table.optional("weapon", faults);
        let kind = kind?;
        let empire = self.opening.edition == EMPIRE;
        let clause = match (kind.arm, empire) {
            (Arm::Artillery, false) => Clause::ThreeSortsOfArtillery,
            (Arm::Artillery, true) => Clause::FieldGunsAndHowitzers,
            (_, false) => Clause::ChassepotAndWerder,
            (_, true) => Clause::ThePriceOfRifles,
        };
        let weapon = match (given, kind.weapons.as_slice()) {
            (Some(weapon), _) => weapon,
            (None, [only]) => only.clone(),
            (None, [first, ..]) if self.is_case() => first.clone(),
            (None, several) => {
                let what = format!("what does it carry: {} [{}]", several.join(" or "), clause.id());
                faults.push(table.span(), &table.join("weapon"), what);
                return None;
            }
        };
        let known = match kind.arm {
            Arm::Infantry | Arm::Cavalry => self.charts().small_arms.contains_key(&weapon),
            Arm::Artillery => self.charts().gun.contains_key(&weapon),
            Arm::Engineers | Arm::Wagon => weapon.is_empty(),
        };
        if !known {
            let what = format!("{} has no `{weapon}` in this book [{}]", kind.arm.word(), clause.id());
            table.fault("weapon", what, faults);
        } else if kind.is_listed() && !kind.weapons.contains(&weapon) {
            let what = format!("carries {}", kind.weapons.join(" or "));
            self.tell_listed(table, "weapon", clause, kind, &what, faults);
        }
        known.then_some(weapon)
    }

    /// What its list says of it, with what the buyer chose.
    fn read_traits(&self, table: &mut SheetTable<'_, '_>, kind: Option<&Kind>, faults: &mut Faults) -> Vec<Trait> {
        let given: Option<Vec<Trait>> = table.optional("traits", faults);
        let Some(kind) = kind else { return Vec::new() };
        if !kind.is_listed() {
            return given.unwrap_or_else(|| kind.flags.clone());
        }
        let words = |set: &Vec<Trait>| {
            let words: Vec<&str> = set.iter().map(|one| one.word()).collect();
            if words.is_empty() { "none".to_owned() } else { words.join(", ") }
        };
        let chosen = match (given, kind.choice.as_slice()) {
            (None, []) => Vec::new(),
            (None, sets) if sets.iter().any(Vec::is_empty) => Vec::new(),
            (None, [first, ..]) if self.is_case() => first.clone(),
            (None, sets) => {
                let offered: Vec<String> = sets.iter().map(words).collect();
                let clause = Clause::OrdersOfBattle.id();
                let what = format!("which sort is it: traits {} [{clause}]", offered.join(" or "));
                faults.push(table.span(), &table.join("traits"), what);
                Vec::new()
            }
            (Some(given), sets) => {
                let further: Vec<Trait> = given.iter().copied().filter(|one| !kind.flags.contains(one)).collect();
                let same = |set: &Vec<Trait>| set.len() == further.len() && set.iter().all(|one| further.contains(one));
                let plain = further.is_empty() && sets.is_empty();
                if !(plain || sets.iter().any(same)) {
                    let what = format!("is not {}", words(&given));
                    self.tell_listed(table, "traits", Clause::OrdersOfBattle, kind, &what, faults);
                }
                further
            }
        };
        kind.flags.iter().copied().chain(chosen).collect()
    }

    /// A case may say anything of a unit's state, by the names of [`Troops`], and send its parts out.
    fn read_case(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> (Map<String, Value>, Vec<Out>) {
        let (mut state, mut out) = (Map::new(), Vec::new());
        if !self.is_case() {
            return (state, out);
        }
        let battle = ["order", "to_ground", "swamped", "pursuing", "mounted", "fought_before", "routed_before"];
        let fight = ["first_fire_used", "pushed_back", "charge", "contact", "won_last", "broke_into", "guns", "horses"];
        let rest = ["crew_away", "holders_lost", "relieved", "evaded_off", "waits_at", "attached", "pontoons"];
        let last = ["work", "turn", "steady"];
        for entry in battle.iter().chain(&fight).chain(&rest).chain(&last) {
            state.extend(table.json(entry, faults).map(|value| ((*entry).to_owned(), value)));
        }
        if let Some(Value::Object(more)) = table.json("state", faults) {
            state.extend(more);
        }
        for part in Part::ALL {
            let Some(mut sent) = table.table(entry_of(*part), faults) else { continue };
            let stands = sent.optional("stands", faults).unwrap_or(1);
            let (pose, formation) = (sent.get("pose", faults), sent.optional("formation", faults));
            let state = match sent.json("state", faults) {
                Some(Value::Object(state)) => state,
                _ => Map::new(),
            };
            sent.finish(faults);
            if !(1..=MOST_STANDS).contains(&stands) {
                sent.fault("stands", format!("{stands} is outside 1 to {MOST_STANDS}"), faults);
            }
            out.push(Out {
                part: *part,
                pose,
                stands: stands.clamp(1, MOST_STANDS),
                formation,
                state,
                span: sent.span(),
            });
        }
        (state, out)
    }

    fn usual_formation(&self, facts: &Facts, kind: &Kind, side: Side) -> Formation {
        let shape = match facts.arm {
            Arm::Infantry if facts.is(Trait::SkirmishOnly) => Shape::Skirmish,
            Arm::Infantry if facts.is(Trait::LineInfantry) && !self.is_case() => {
                let list = kind.list.and_then(|list| self.roll.armies[side].lists.get(list));
                return list.and_then(|(_, list)| list.usual_formation).unwrap_or(Formation::usual(Shape::Line));
            }
            Arm::Infantry | Arm::Cavalry | Arm::Wagon => Shape::Line,
            Arm::Artillery => Shape::Deployed,
            Arm::Engineers => Shape::March,
        };
        Formation::usual(shape)
    }

    /// Why a unit never stands so, if it never does.
    fn objection(&self, facts: &Facts, mounted: bool, shape: Shape) -> Option<(Clause, &'static str)> {
        let foot = matches!(shape, Shape::Line | Shape::March | Shape::Manoeuvre | Shape::Skirmish);
        let squares = self.charts().switch.squares.value || self.opening.settings.squares;
        let skirmishes = u32::from(facts.class) >= count(self.charts().constant.skirmish_class);
        let empire = self.opening.edition == EMPIRE;
        match (facts.arm, shape) {
            (Arm::Infantry, Shape::Skirmish) if !skirmishes => {
                Some((Clause::WhoMaySkirmish, "infantry of Class 1 does not skirmish"))
            }
            (Arm::Infantry, shape) if facts.is(Trait::SkirmishOnly) && shape != Shape::Skirmish => {
                Some((Clause::WhoMaySkirmish, "it is always in skirmish order"))
            }
            (Arm::Infantry, Shape::Square) if !squares => {
                Some((Clause::ShoulderToShoulder, "nobody forms square in this book"))
            }
            (Arm::Infantry, Shape::Square) if facts.is(Trait::Irregular) => {
                Some((Clause::WhoMayFormSquare, "irregulars do not form square"))
            }
            (Arm::Infantry, Shape::Square) => None,
            (Arm::Infantry, _) if !foot => {
                Some((Clause::ShoulderToShoulder, "infantry stands in line, in column, as skirmishers or in square"))
            }
            (Arm::Cavalry, Shape::Skirmish) if mounted && empire && self.charts().switch.light_only.value => {
                let heavy = !facts.is(Trait::Light);
                heavy.then_some((Clause::WhatHeaviesAreFor, "heavy cavalry does not skirmish in the saddle"))
            }
            (Arm::Cavalry, Shape::Line | Shape::Column | Shape::Skirmish) => None,
            (Arm::Cavalry, _) if mounted || !foot => {
                let clause = if empire { Clause::LeavingTheHorses } else { Clause::SkirmishingOnFootIron };
                Some((clause, "cavalry stands in line, in column or as skirmishers"))
            }
            (Arm::Artillery, shape) if !matches!(shape, Shape::Limbered | Shape::Deployed | Shape::Massed) => {
                Some((Clause::GunsInAction, "guns are limbered, deployed or massed"))
            }
            (Arm::Engineers | Arm::Wagon, _) if !foot => {
                Some((Clause::EngineersAndTheirTrain, "engineers march or stand in line"))
            }
            _ => None,
        }
    }
}

fn footprint(stand: &Stand) -> Footprint {
    let size: (Length, Length) = (reach(stand.width), reach(stand.depth));
    Footprint { width: size.0, depth: size.1 }
}

/// What the body has when a case says nothing of it: all but those of its parts that are out.
fn body_left(facts: &Facts, state: &Map<String, Value>, out: &[Out]) -> u8 {
    if let Some(Value::Array(guns)) = state.get("guns") {
        return guns.len() as u8;
    }
    let away: u8 = out.iter().filter(|one| one.part != Part::Crew).map(|one| one.stands).fold(0, u8::saturating_add);
    facts.start.saturating_sub(away)
}
