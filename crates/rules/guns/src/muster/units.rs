//! Units of a set-up: their facts, checked against the lists of their army (section B, appendix 2, history-a).

use super::super::Guns;
use super::super::charts::{Charts, Measure, WeaponKind, WeaponRow, plain};
use super::super::clause::Clause;
use super::super::evolution;
use super::super::formation::{Formation, Shape, Spacing};
use super::super::settings::{Scale, Settings};
use super::super::unit::{Arm, Cycle, Facts, GunClass, Level, Troops, Weapon};
use super::armies::{ArmyList, Template};
use super::quality::{self, Class, Given};
use super::{Enlisted, Roll};
use book::enlist::MOST_UNITS;
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{Cited, CommandId, Faults, FeatureId, SheetTable, Side, UnitCard};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use table::{Footprint, Length, Point, Pose};

/// More elements or guns than this are no unit.
const MOST_ELEMENTS: u8 = 24;

/// Weapons by their keys, at the scale of the battle.
pub(super) type Arsenal = BTreeMap<String, Weapon>;

/// The weapons of the chart and those the set-up adds on their pattern (general-b).
pub(super) fn read_weapons(root: &mut SheetTable<'_, '_>, opening: &Opening<Guns>, faults: &mut Faults) -> Arsenal {
    let scale = opening.settings.scale;
    let chart = &opening.charts.weapon;
    let mut arsenal: Arsenal = chart.iter().map(|(key, row)| (key.clone(), row.weapon(key, scale))).collect();
    for (key, mut table) in root.group("weapons", faults) {
        let short: Option<Measure> = table.get("short", faults);
        let extreme: Option<Measure> = table.get("extreme", faults);
        let kinds: Option<Vec<WeaponKind>> = table.get("kinds", faults);
        table.finish(faults);
        if chart.contains_key(&key) {
            faults.push(table.span(), table.path(), format!("`{key}` is a weapon of the chart already"));
        }
        let (Some(short), Some(extreme), Some(kinds)) = (short, extreme, kinds) else { continue };
        let row =
            WeaponRow { short: Cited::derived(short), extreme: Cited::derived(extreme), kinds: Cited::derived(kinds) };
        let weapon = row.weapon(&key, scale);
        if weapon.short > weapon.extreme {
            let clause = Clause::ShortAndExtreme.id();
            table.fault("short", format!("short range goes beyond extreme range [{clause}]"), faults);
        }
        arsenal.insert(key, weapon);
    }
    arsenal
}

pub(super) fn read_units(root: &mut SheetTable<'_, '_>, opening: &Opening<Guns>, roll: &mut Roll, faults: &mut Faults) {
    let arsenal = read_weapons(root, opening, faults);
    let group = root.group("units", faults);
    if group.len() > MOST_UNITS {
        root.fault("units", format!("{} units are more than the {MOST_UNITS} a battle may have", group.len()), faults);
        return;
    }
    for (key, mut table) in group {
        let reader = Reader { opening, arsenal: &arsenal, roll };
        let read = reader.read(&key, &mut table, faults);
        table.finish(faults);
        roll.keys.claim(&key, &table, faults);
        if let Some(enlisted) = read {
            roll.enlist(enlisted);
        }
    }
}

/// The list a unit comes from, and what it is there.
type Listed<'r> = (&'r ArmyList, &'r Template);

struct Reader<'r> {
    opening: &'r Opening<Guns>,
    arsenal: &'r Arsenal,
    roll: &'r Roll,
}

impl<'r> Reader<'r> {
    fn charts(&self) -> &Charts {
        &self.opening.charts
    }

    fn settings(&self) -> &Settings {
        &self.opening.settings
    }

    fn read(&self, key: &str, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Enlisted> {
        let roll = self.roll;
        let command = self.read_command(table, faults);
        let name: Option<String> = table.optional("name", faults);
        let side = self.read_side(table, command, faults);
        let template_key: Option<String> = table.optional("template", faults);
        let listed = side.and_then(|side| self.find_template(table, side, template_key.as_deref(), faults));
        let template = listed.map(|(_, template)| template);
        let arm: Option<Arm> = match template {
            Some(template) => table.optional("arm", faults).or(Some(template.arm)),
            None => table.get("arm", faults),
        };
        let given: Given = table.optional("quality", faults).unwrap_or(Given::Named(Class::Regulars));
        let weapon = self.read_weapon("weapon", table, template.map(|one| one.weapons.as_slice()), faults);
        let organic: u8 = table.optional("organic", faults).unwrap_or(0);
        let organic_weapon = if organic > 0 {
            self.read_weapon("organic_weapon", table, template.map(|one| one.organic_weapons.as_slice()), faults)
        } else {
            table.optional::<String>("organic_weapon", faults);
            None
        };
        let elements: Option<u8> = table.optional("elements", faults);
        let guns: Option<u8> = table.optional("guns", faults);
        let class: Option<GunClass> = table.optional("class", faults);
        let orders: Option<Vec<Spacing>> = table.optional("orders", faults);
        let dismounts: Option<bool> = table.optional("can_dismount", faults);
        let formation: Option<Formation> = table.optional("formation", faults);
        let pose: Option<Pose> = table.optional("pose", faults);
        let hidden: bool = table.optional("hidden", faults).unwrap_or(false);
        let observer: Option<Point> = table.optional("observer", faults);
        let zones = read_zones(table, faults);
        let defends = self.read_defend(table, faults);
        let state = self.read_state(table, faults);
        if pose.is_none() && roll.mode == Mode::Battle && !table.has("pose") {
            table.fault("pose", "a unit needs a place", faults);
        }
        let (arm, side, weapon) = (arm?, side?, weapon?);
        let (elements, guns) = self.read_numbers(table, arm, elements, guns, faults);
        let is_battery = guns > 0;
        let class = is_battery.then(|| {
            let usual = template.and_then(|one| one.class.first().copied()).unwrap_or(GunClass::Field);
            class.unwrap_or(usual)
        });
        let Some(worth) = quality::worth(self.charts(), given) else {
            let clause = Clause::InBetweenQuality.id();
            table.fault("quality", format!("quality goes from militia to elite, -4 to 4 [{clause}]"), faults);
            return None;
        };
        let counted = if is_battery { guns } else { elements };
        let (start, charge_limit, advance_limit) = quality::track(self.charts(), counted, worth);
        let orders = orders.unwrap_or_else(|| self.usual_orders(arm, listed));
        let long_arm = weapon.is_long_arm();
        let can_dismount = dismounts.unwrap_or_else(|| template.is_some_and(|one| one.can_dismount)) && long_arm;
        if dismounts == Some(true) && !(arm == Arm::Cavalry && long_arm) {
            let clause = Clause::DismountedCavalry.id();
            table.fault("can_dismount", format!("only cavalry with a long arm fights on foot [{clause}]"), faults);
        }
        let facts = Facts {
            arm,
            elements,
            organic,
            organic_weapon,
            guns,
            class,
            quality: worth.bonus,
            start,
            charge_limit,
            advance_limit,
            weapon,
            loose: orders.contains(&Spacing::Loose),
            extended: orders.contains(&Spacing::Extended),
            can_dismount,
            indirect: arm == Arm::Artillery && roll.armies[side].indirect_fire,
            element: base(self.charts(), self.settings().scale, guns),
            screen: false,
            zones,
            template: template_key.filter(|_| template.is_some()),
        };
        self.check_kind(table, &facts, faults);
        if let Some((list, template)) = listed {
            self.check_listed(table, &facts, &orders, worth.bonus, list, template, faults);
        }
        if observer.is_some() && !facts.indirect {
            let clause = Clause::IndirectByPeriod.id();
            table.fault("observer", format!("its army does not fire indirectly, so it has none [{clause}]"), faults);
        }
        let mut troops = Troops::fresh(&facts);
        troops.mounted &= state.get("mounted").and_then(Value::as_bool).unwrap_or(true);
        let formation = formation.unwrap_or_else(|| usual_formation(&facts));
        if let Some((clause, why)) = evolution::objection(&facts, troops.mounted, formation, elements) {
            table.fault("formation", format!("{why} [{}]", clause.id()), faults);
        }
        if formation.shape == Shape::Deployed {
            troops.cycle = Cycle::Deployed;
        }
        let name = name.unwrap_or_else(|| template.map_or_else(|| key.to_owned(), |one| one.name.clone()));
        let card = UnitCard { key: key.to_owned(), name, side, command, facts };
        let list = listed.and_then(|(list, _)| roll.armies[side].position(list));
        Some(Enlisted { card, list, pose, formation, troops, state, hidden, defends, observer })
    }

    /// The brigade a unit belongs to (R86); only cases know units without one.
    fn read_command(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<CommandId> {
        let Some(key) = table.optional::<String>("general", faults) else {
            if self.roll.mode == Mode::Battle && !table.has("general") {
                let what = format!("every unit belongs to a brigade-level general [{}]", Clause::CommandTree.id());
                faults.push(table.span(), &table.join("general"), what);
            }
            return None;
        };
        let Some(general) = self.roll.commanders.iter().find(|card| card.key == key) else {
            table.fault("general", format!("no general is called `{key}`"), faults);
            return None;
        };
        if general.facts.level != Level::Brigade {
            let clause = Clause::CommandTree.id();
            let what = format!("{} is no brigade-level general, and holds no units himself [{clause}]", general.name);
            table.fault("general", what, faults);
        }
        Some(general.commands)
    }

    fn read_side(
        &self,
        table: &mut SheetTable<'_, '_>,
        command: Option<CommandId>,
        faults: &mut Faults,
    ) -> Option<Side> {
        match command {
            Some(command) => {
                let side = self.roll.commands[command.index()].side;
                if table.has("side") && self.roll.side(table, faults) != Some(side) {
                    table.fault("side", "is not the side of its general", faults);
                }
                Some(side)
            }
            None if self.roll.mode == Mode::Case || table.has("side") => self.roll.side(table, faults),
            None => None,
        }
    }

    fn find_template(
        &self,
        table: &SheetTable<'_, '_>,
        side: Side,
        key: Option<&str>,
        faults: &mut Faults,
    ) -> Option<Listed<'r>> {
        let lists = &self.roll.armies[side].lists;
        let strict = self.settings().historical_lists && self.roll.mode == Mode::Battle;
        let Some(key) = key else {
            if strict {
                let what = format!("which unit of its army's list is it [{}]", Clause::HistoricalLists.id());
                faults.push(table.span(), &table.join("template"), what);
            }
            return None;
        };
        // Allies may both have a `line`: the list's name goes before it then.
        let (of, plain) = key.split_once('/').map_or((None, key), |(of, plain)| (Some(of), plain));
        let mut meant = lists.iter().filter(|(name, _)| of.is_none_or(|of| of == name));
        let found = meant.find_map(|(_, list)| list.units.get(plain).map(|template| (list.as_ref(), template)));
        if found.is_none() {
            let names: Vec<&str> = lists.iter().map(|(name, _)| name.as_str()).collect();
            let what = match names.as_slice() {
                [] => format!("`{key}` is in no list: its side names no army [{}]", Clause::HistoricalLists.id()),
                _ => format!("`{key}` is not in the list of {} [{}]", names.join(", "), Clause::HistoricalLists.id()),
            };
            table.fault("template", what, faults);
        }
        found
    }

    fn read_weapon(
        &self,
        entry: &str,
        table: &mut SheetTable<'_, '_>,
        usual: Option<&[String]>,
        faults: &mut Faults,
    ) -> Option<Weapon> {
        let first = usual.and_then(|usual| usual.first().cloned());
        let key = table.optional(entry, faults).or(first);
        let Some(key) = key else {
            if !table.has(entry) {
                faults.push(table.span(), &table.join(entry), format!("`{entry}` is missing"));
            }
            return None;
        };
        let found = self.arsenal.get(&key).cloned();
        if found.is_none() {
            let what =
                format!("no weapon is called `{key}`; add it under [weapons] [{}]", Clause::WeaponsMayBeAdded.id());
            table.fault(entry, what, faults);
        }
        found
    }

    /// Elements and guns: one of the two, a battery being one base.
    fn read_numbers(
        &self,
        table: &SheetTable<'_, '_>,
        arm: Arm,
        elements: Option<u8>,
        guns: Option<u8>,
        faults: &mut Faults,
    ) -> (u8, u8) {
        let within = |entry: &str, number: u8, faults: &mut Faults| {
            if !(1..=MOST_ELEMENTS).contains(&number) {
                table.fault(entry, format!("{number} is outside 1 to {MOST_ELEMENTS}"), faults);
            }
            number.clamp(1, MOST_ELEMENTS)
        };
        let missing = |entry: &str, faults: &mut Faults| {
            if !table.has(entry) {
                faults.push(table.span(), &table.join(entry), format!("`{entry}` is missing"));
            }
        };
        match (arm, elements, guns) {
            (Arm::Artillery, None, Some(guns)) => (1, within("guns", guns, faults)),
            (Arm::Artillery, elements, _) => {
                if elements.is_some() {
                    table.fault("elements", format!("a battery has guns [{}]", Clause::BatteryFrontage.id()), faults);
                }
                missing("guns", faults);
                (1, 1)
            }
            (Arm::RapidFire, None, Some(guns)) => {
                if !self.settings().carriage_guns {
                    let clause = Clause::CarriageGuns.id();
                    let what = format!("only with the switch `carriage_guns` are they handled as guns [{clause}]");
                    table.fault("guns", what, faults);
                }
                (1, within("guns", guns, faults))
            }
            (_, Some(elements), given) => {
                if given.is_some() {
                    let clause = Clause::SquareElements.id();
                    table.fault("guns", format!("a unit of elements has no guns of its own [{clause}]"), faults);
                }
                let elements = within("elements", elements, faults);
                self.caution_size(table, arm, elements, faults);
                (elements, 0)
            }
            (_, None, _) => {
                missing("elements", faults);
                (1, 0)
            }
        }
    }

    /// Sizes out of the ordinary are worth a second look, no more (size-a, -b, -c).
    fn caution_size(&self, table: &SheetTable<'_, '_>, arm: Arm, elements: u8, faults: &mut Faults) {
        let bases = &self.charts().base;
        let (range, clause, what) = match arm {
            Arm::Infantry => (&bases.battalion, Clause::BattalionSize, "a battalion"),
            Arm::Cavalry => (&bases.squadron, Clause::SquadronSize, "a squadron"),
            Arm::Artillery | Arm::RapidFire => return,
        };
        let (least, most) = (plain(range.least).value, plain(range.most).value);
        if !(least..=most).contains(&i32::from(elements)) {
            let what = format!("{what} usually has {least} to {most} elements, not {elements} [{}]", clause.id());
            table.caution("elements", what, faults);
        }
    }

    /// Orders a unit is trained for where the set-up is silent (types-b).
    fn usual_orders(&self, arm: Arm, listed: Option<Listed<'_>>) -> Vec<Spacing> {
        match (listed, arm) {
            (Some((list, template)), _) => list.orders(template, self.roll.year),
            (None, Arm::Infantry) => vec![Spacing::Close, Spacing::Extended],
            (None, _) => Spacing::ALL.to_vec(),
        }
    }

    fn read_defend(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<FeatureId> {
        let key: String = table.optional("defend", faults)?;
        let found = super::find_feature(&self.opening.ground, &key);
        if found.is_none() {
            let key = key.trim_start_matches('@');
            table.fault("defend", format!("no terrain feature is called `{key}`"), faults);
        }
        found
    }

    /// A case may say anything of a unit's state, by the names of [`Troops`].
    fn read_state(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Map<String, Value> {
        let mut state = Map::new();
        if self.roll.mode == Mode::Battle {
            return state;
        }
        // Guns and observers of a battery are entries of every set-up already.
        let plain = ["status", "mounted", "prone", "disorder", "reforming", "beaten", "broken", "falls_back", "pinned"];
        let further =
            ["rode_through", "charge", "charged_last", "charges", "retirements", "running", "locked", "inside"];
        let last = ["cycle", "registration", "touched", "lent", "wet", "bound"];
        for entry in plain.iter().chain(&further).chain(&last) {
            if let Some(value) = table.json(entry, faults) {
                state.insert((*entry).to_owned(), value);
            }
        }
        if let Some(left) = table.json("guns_left", faults) {
            state.insert("guns".to_owned(), left);
        }
        if let Some(Value::Object(more)) = table.json("state", faults) {
            state.extend(more);
        }
        state
    }

    /// Whether arm, weapon and equipment fit together.
    fn check_kind(&self, table: &SheetTable<'_, '_>, facts: &Facts, faults: &mut Faults) {
        let weapon = &facts.weapon;
        let (fits, clause) = match facts.arm {
            Arm::Infantry => (weapon.is_long_arm(), Clause::ShortAndExtreme),
            Arm::Cavalry => (weapon.is_long_arm() || !weapon.fires(), Clause::MountedNeedsContact),
            Arm::Artillery => (weapon.artillery, Clause::GunRanges),
            Arm::RapidFire => (weapon.rapid.is_some(), Clause::RapidFireKinds),
        };
        if !fits {
            let arm = facts.arm.word().replace('_', "-");
            table.fault("weapon", format!("{arm} does not fight with `{}` [{}]", weapon.key, clause.id()), faults);
        }
        if facts.organic > 0 {
            let clause = Clause::RapidFireGrouping.id();
            if facts.arm != Arm::Infantry || facts.organic >= facts.elements {
                let what = format!("only a battalion has rapid-fire elements beside its others [{clause}]");
                table.fault("organic", what, faults);
            }
            if facts.organic_weapon.as_ref().is_some_and(|weapon| weapon.rapid.is_none()) {
                table.fault("organic_weapon", format!("is no rapid-fire weapon [{clause}]"), faults);
            }
        }
        if table.has("class") && !facts.is_battery() {
            table.fault("class", format!("only batteries have a class [{}]", Clause::GunCycle.id()), faults);
        }
    }

    /// Whether the army had such a unit that year (history-a).
    #[allow(clippy::too_many_arguments)]
    fn check_listed(
        &self,
        table: &SheetTable<'_, '_>,
        facts: &Facts,
        orders: &[Spacing],
        bonus: i8,
        list: &ArmyList,
        template: &Template,
        faults: &mut Faults,
    ) {
        let strict = self.settings().historical_lists && self.roll.mode == Mode::Battle;
        let mut tell = |entry: &str, clause: Clause, what: String| {
            let what = format!("{what} [{}]", clause.id());
            // In the field units were weaker than on paper: a set-up may lower them as it likes (size-c).
            match (strict && clause != Clause::FieldStrength, table.has(entry)) {
                (true, true) => table.fault(entry, what, faults),
                (true, false) => faults.push(table.span(), table.path(), what),
                (false, _) => table.caution(entry, what, faults),
            }
        };
        let history = Clause::HistoricalLists;
        let (name, year) = (&template.name, self.roll.year);
        if template.arm != facts.arm {
            tell("arm", history, format!("{name} is {}", template.arm.word().replace('_', "-")));
        }
        if template.years.is_some_and(|years| !years.hold(year)) {
            tell("template", history, format!("{} had no {name} in {year}", list.name));
        }
        let (entry, number, strength) = match facts.is_battery() {
            true => ("guns", facts.guns, template.guns),
            false => ("elements", facts.elements, template.elements),
        };
        match strength {
            Some(strength) if number < strength.0 => {
                let what = format!("{name} had {} to {} {entry} on paper, here {number}", strength.0, strength.1);
                tell(entry, Clause::FieldStrength, what);
            }
            Some(strength) if !strength.holds(number) => {
                let what = format!("{name} had {} to {} {entry}, not {number}", strength.0, strength.1);
                tell(entry, history, what);
            }
            None => tell(entry, history, format!("{name} is not counted in {entry}")),
            Some(_) => {}
        }
        if facts.arm == Arm::RapidFire && facts.is_battery() && !template.carriage {
            tell("guns", Clause::CarriageGuns, format!("{name} was not handled as guns"));
        }
        if !template.organic.holds(facts.organic) {
            let what = format!("{name} had {} to {} rapid-fire elements", template.organic.0, template.organic.1);
            tell("organic", history, what);
        }
        let (worst, best) = template.quality;
        if bonus < quality::bonus(self.charts(), worst) || bonus > quality::bonus(self.charts(), best) {
            tell("quality", history, format!("{name} was {} to {}", worst.word(), best.word()));
        }
        // A weapon the set-up adds is its own affair.
        let unlisted = |weapon: &Weapon, those: &[String]| {
            self.charts().weapon.contains_key(&weapon.key) && !those.contains(&weapon.key)
        };
        if unlisted(&facts.weapon, &template.weapons) {
            tell("weapon", history, format!("{name} carried {}", template.weapons.join(" or ")));
        }
        if let Some(weapon) = &facts.organic_weapon
            && unlisted(weapon, &template.organic_weapons)
        {
            tell("organic_weapon", history, format!("{name} had {}", template.organic_weapons.join(" or ")));
        }
        let trained = list.orders(template, year);
        if !facts.is_battery() && orders.iter().any(|order| !trained.contains(order)) {
            let words: Vec<&str> = trained.iter().map(|order| order.word()).collect();
            let clause = if list.loose_line.is_none() { Clause::KeptToClose } else { Clause::LooseByYear };
            tell("orders", clause, format!("{name} stood in {} order in {year}", words.join(" or ")));
        }
        if let Some(class) = facts.class
            && !template.class.contains(&class)
        {
            let words: Vec<&str> = template.class.iter().map(|class| class.word()).collect();
            tell("class", history, format!("{name} is {} artillery", words.join(" or ").replace('_', "-")));
        }
    }
}

/// One element, or the base of a battery of so many guns (artbase-a to -c, R64).
pub fn base(charts: &Charts, scale: Scale, guns: u8) -> Footprint {
    let width = charts.base.element.value.at(scale);
    let front: Length = if guns > 0 { charts.base.gun.value.at(scale) * i32::from(guns) } else { width };
    Footprint { width: front, depth: width }
}

fn usual_formation(facts: &Facts) -> Formation {
    Formation::usual(if facts.is_battery() { Shape::Deployed } else { Shape::Line })
}
