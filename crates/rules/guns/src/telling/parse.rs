//! Typed orders. Forgiving about names, order of words and units of length; an error says what was expected.

mod command;
mod plan;

use super::answers::nearest_shots;
use super::speech::measure;
use super::usage;
use crate::Guns;
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::order::{Decision, Marking, Matter, Order, Shot};
use crate::{artillery, musketry};
use book::telling::names;
use book::telling::words::{Named, Words, near, normal, shorten};
use engine::{Asked, CommandId, CommanderId, FeatureId, Side, UnitId, View, facade};

type Read<T> = Result<T, String>;

/// Reads a typed order; a line that opens with a brace is read as a draft.
pub fn parse(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, words: &str) -> Read<Order> {
    if words.trim_start().starts_with('{') {
        let draft = serde_json::from_str(words).map_err(|error| format!("the draft cannot be read: {error}"))?;
        return facade::decode::<Guns>(view, &draft);
    }
    let text = normal(words)?;
    let words = Words::measured(&text, measure(view));
    let mut reader = Reader { field: view, decision: &asked.decision, side, words };
    let order = reader.order()?;
    reader.words.finish()?;
    Ok(order)
}

struct Reader<'r> {
    field: &'r Field,
    decision: &'r Decision,
    side: Side,
    words: Words<'r>,
}

/// The first words of orders, for whoever mistyped one.
const VERBS: &[&str] = &[
    "done", "pass", "none", "no", "hold", "place", "observer", "order", "name", "deal", "mark", "march", "form",
    "charge", "ride", "join", "observe", "screen", "recall", "together", "mount", "dismount", "limber", "unlimber",
    "return", "lie", "counter", "fire", "run", "abandon", "stand", "press", "stop", "stay",
];

/// Words that part one piece of a list from the next.
const BETWEEN: &[&str] = &[";", "and", "then"];

impl Reader<'_> {
    fn order(&mut self) -> Read<Order> {
        let declines = ["done", "pass", "none", "nobody", "nothing", "no", "n", "house", "end", "decline"];
        if self.words.peek().is_some_and(|word| declines.contains(&word)) {
            self.words.word();
            return Ok(Order::Pass);
        }
        if self.words.is_empty() {
            return Err(format!("say what to do: {}", self.ways()));
        }
        match self.decision {
            Decision::Deploy => self.deploy(),
            Decision::Nominate => self.nominate(),
            Decision::Allot { dice, brigades } => {
                let side = self.side;
                self.allot(&dice[side], &brigades[side])
            }
            Decision::Mark => self.mark(),
            Decision::Plot => self.plot(),
            Decision::CounterCharge { able } => {
                let all = able[self.side].iter().map(|shot| shot.unit).collect();
                let units = self.some_of(&["counter", "counter-charge", "charge"], all)?;
                Ok(Order::CounterCharge { units })
            }
            Decision::Guns => self.fire(artillery::targets),
            Decision::Musketry => self.fire(musketry::targets),
            Decision::LieDown { units } => {
                let units = self.some_of(&["lie", "prone", "down"], units.clone())?;
                Ok(Order::LieDown { units })
            }
            Decision::Abandon { .. } => {
                self.either(&["run", "abandon", "yes", "y"], &["stand", "stay"], Order::Abandon)
            }
            Decision::RideThrough { .. } => {
                self.either(&["ride", "through", "yes", "y"], &["stay", "rein", "halt", "stop"], Order::RideThrough)
            }
            Decision::PressOn { among, .. } => self.press_on(among),
        }
    }

    fn ways(&self) -> String {
        usage::usage(self.decision).iter().map(|usage| usage.words).collect::<Vec<_>>().join(" | ")
    }

    fn unknown(&self, word: &str) -> String {
        match near(word, VERBS.iter().map(|verb| (*verb, ""))).as_slice() {
            [] => format!("`{}` is no order here; expected: {}", shorten(word), self.ways()),
            [first, ..] => {
                format!("`{}` is no order here; did you mean `{first}`? Expected: {}", shorten(word), self.ways())
            }
        }
    }

    /// A question of yes or no.
    fn either(&mut self, yes: &[&str], no: &[&str], order: Order) -> Read<Order> {
        if self.words.take(yes) {
            while self.words.take(yes) || self.words.take(&["them", "on"]) {}
            return Ok(order);
        }
        if self.words.take(no) {
            self.words.take(&["in", "fast", "by", "firm"]);
            return Ok(Order::Pass);
        }
        Err(self.unknown(self.words.peek().unwrap_or("")))
    }

    /// `VERB all`, or `VERB UNIT UNIT …`.
    fn some_of(&mut self, verbs: &[&str], all: Vec<UnitId>) -> Read<Vec<UnitId>> {
        if !self.words.take(verbs) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        while self.words.take(verbs) {}
        if self.words.is_empty() || self.words.take(&["all", "everybody"]) {
            return Ok(all);
        }
        self.own_units()
    }

    fn press_on(&mut self, among: &[UnitId]) -> Read<Order> {
        if self.words.take(&["stop", "stay", "halt"]) {
            return Ok(Order::Pass);
        }
        if !self.words.take(&["press", "go", "attack", "yes", "y"]) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        while self.words.take(&["on", "at", "against", "into"]) {}
        match among {
            [only] if self.words.is_empty() => Ok(Order::PressOn { at: *only }),
            _ => Ok(Order::PressOn { at: self.enemy_unit()? }),
        }
    }

    /// `deal 6 to BRIGADE; 4 to BRIGADE`: dice by their faces, each once.
    fn allot(&mut self, dice: &[u8], brigades: &[CommandId]) -> Read<Order> {
        self.words.take(&["deal", "give", "allot"]);
        let mut deal: Vec<Option<u8>> = vec![None; brigades.len()];
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["the", "a", "deal", "give"]) {
                continue;
            }
            let word = self.words.word();
            let face: u8 = word.parse().map_err(|_| {
                format!("`{}` is no die; expected the face of one of yours, such as: deal 6 to BRIGADE", shorten(word))
            })?;
            let is_free = |no: &usize| !deal.contains(&Some(*no as u8));
            let die = (0..dice.len()).filter(is_free).find(|no| dice.get(*no) == Some(&face));
            let Some(die) = die else { return Err(format!("there is no {face} left among your dice")) };
            self.words.take(&["to", "for"]);
            let brigade = self.brigade()?;
            let Some(slot) = brigades.iter().position(|one| *one == brigade).and_then(|no| deal.get_mut(no)) else {
                return Err("that brigade was not named this bound".to_owned());
            };
            *slot = Some(die as u8);
        }
        Ok(Order::Allot { deal })
    }

    /// `mark BATTERY at ENEMY [point X Y] [blocks 0 0 1 0]; …`
    fn mark(&mut self) -> Read<Order> {
        let mut shots = Vec::new();
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["mark", "range"]) {
                continue;
            }
            let battery = self.own_unit()?;
            self.words.take(&["at", "on", "in"]);
            self.words.take(&["on"]);
            let at = self.enemy_unit()?;
            let point = if self.words.take(&["point", "marker"]) { Some(self.words.point()?) } else { None };
            let mut blocks = Vec::new();
            if self.words.take(&["blocks", "pattern"]) {
                while let Some(across) = self.whole_number() {
                    let along = self.whole_number().ok_or("blocks come in pairs: a column and a row")?;
                    blocks.push((across, along));
                }
            }
            shots.push(Marking { battery, at, point, blocks });
        }
        Ok(Order::Mark { shots })
    }

    fn whole_number(&mut self) -> Option<i8> {
        let number = self.words.peek()?.parse().ok()?;
        self.words.word();
        Some(number)
    }

    /// `fire UNIT at ENEMY; UNIT at ENEMY; hold UNIT`.
    fn fire(&mut self, targets: fn(&Field, UnitId) -> Vec<UnitId>) -> Read<Order> {
        let mut holds = self.words.take(&["hold"]);
        if holds && (self.words.is_empty() || self.words.take(&["fire"])) {
            return Ok(Order::Pass);
        }
        if self.words.take(&["fire", "shoot", "volley"]) {
            holds = false;
        }
        if self.words.take(&["all", "everybody"]) || self.words.is_empty() {
            self.words.take(&["fire"]);
            let shots = nearest_shots(self.field, self.side, targets);
            return Ok(Order::Fire { shots, hold: Vec::new() });
        }
        let (mut shots, mut hold) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) {
                continue;
            }
            if self.words.take(&["hold"]) {
                holds = true;
            }
            if self.words.take(&["fire", "shoot"]) {
                holds = false;
            }
            let unit = self.own_unit()?;
            if self.words.take(&["at", "on"]) {
                shots.push(Shot { unit, at: self.enemy_unit()? });
            } else if holds {
                hold.push(unit);
            } else {
                let nearest = nearest_shots(self.field, self.side, targets);
                let aimed = nearest.into_iter().find(|shot| shot.unit == unit);
                let name = &self.field.card(unit).name;
                shots.push(aimed.ok_or_else(|| format!("at whom does {name} fire? such as: fire UNIT at ENEMY"))?);
            }
        }
        Ok(Order::Fire { shots, hold })
    }

    fn facing(&mut self) -> Read<Option<table::Angle>> {
        if self.words.take(&["facing", "face"]) { self.words.bearing().map(Some) } else { Ok(None) }
    }

    fn own_units(&mut self) -> Read<Vec<UnitId>> {
        let mut units = vec![self.own_unit()?];
        while !self.words.is_empty() {
            if !self.words.take(BETWEEN) {
                units.push(self.own_unit()?);
            }
        }
        Ok(units)
    }

    fn own_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side);
        self.words.name("a unit of yours", &lists)
    }

    fn enemy_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side.other());
        self.words.name("an enemy unit", &lists)
    }

    fn own_commander(&mut self) -> Read<CommanderId> {
        let lists = [names::commanders(self.field, Some(self.side)), names::commanders(self.field, None)];
        self.words.name("a general of yours", &lists)
    }

    fn brigade(&mut self) -> Read<CommandId> {
        self.words.take(&["brigade"]);
        let lists = [names::commands(self.field, self.side)];
        self.words.name("a brigade of yours", &lists)
    }

    fn feature(&mut self) -> Read<FeatureId> {
        let named = self.field.ground().features.iter().zip(0..);
        let list = named.map(|(feature, no)| Named::new(FeatureId(no), &feature.key, &feature.name)).collect();
        self.words.name("a place on the table", &[list])
    }

    /// A spot, a place by name, or a unit of either side; an enemy sooner than a friend.
    fn matter(&mut self) -> Read<Matter> {
        self.words.take(&["on", "to", "at", "of"]);
        if self.words.take(&["place", "point"]) || self.words.is_number() {
            if self.words.is_number() {
                return Ok(Matter::Point(self.words.point()?));
            }
            return self.feature().map(Matter::Feature);
        }
        let there = |side: Side| {
            let field = self.field;
            let list = names::units(field, |id| field.side_of(id) == side && field.unit(id).is_present());
            list.into_iter().map(|named| Named { id: Matter::Unit(named.id), key: named.key, name: named.name })
        };
        let features = self.field.ground().features.iter().zip(0..);
        let features = features
            .map(|(feature, no)| Named::new(Matter::Feature(FeatureId(no)), &feature.key, &feature.name))
            .collect();
        let lists = [there(self.side.other()).collect(), features, there(self.side).collect()];
        self.words.name("a unit, a place or a spot such as 60 45", &lists)
    }

    /// A formation: `line`, `assault`, `line*4`, with words around it that change nothing.
    fn formation(&mut self) -> Option<Formation> {
        let word = self.words.peek()?;
        let formation = word.parse().ok().or_else(|| {
            let shape = match word {
                "skirmish" | "skirmishers" | "open" => Shape::Extended,
                "column" => Shape::Assault,
                "road" | "marching" => Shape::Route,
                "squadron" => Shape::Squadrons,
                "action" | "unlimbered" => Shape::Deployed,
                _ => return None,
            };
            Some(Formation::usual(shape))
        })?;
        self.words.word();
        while self.words.take(&["column", "order", "formation", "of", "route", "squadrons"]) {}
        Some(formation)
    }
}
