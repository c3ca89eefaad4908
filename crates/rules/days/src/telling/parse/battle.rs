//! Typed orders of the morale, shooting and assault phases.

use super::{Read, Reader};
use crate::field::{Field, formation, gap};
use crate::order::{Arson, Before, Charger, Declaration, Help, Order, Reform, Reserve, Shot};
use book::telling::names;
use engine::UnitId;
use table::Angle;

impl Reader<'_> {
    /// `charge UNIT [with 4 stands] [after wheel left 30] [going 6] and UNIT at ENEMY; …`
    pub(super) fn charges(&mut self) -> Read<Order> {
        if !self.words.take(&["charge", "charges", "attack"]) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        let mut declarations = Vec::new();
        while !self.words.is_empty() {
            if self.words.take(&[";", "charge"]) {
                continue;
            }
            let nobody = self.words.take(&["nobody"]);
            if nobody && self.words.peek().is_none_or(|word| word == ";") {
                continue;
            }
            declarations.push(self.declaration()?);
        }
        Ok(Order::Charge { declarations })
    }

    fn declaration(&mut self) -> Read<Declaration> {
        let mut units = Vec::new();
        loop {
            if self.words.take(&["at", "against", "into"]) {
                return Ok(Declaration { units, at: self.enemy_unit()? });
            }
            if self.words.peek().is_none_or(|word| word == ";") {
                return Err("at whom? such as: charge UNIT at ENEMY".to_owned());
            }
            if !self.words.take(&["and"]) {
                units.push(self.charger()?);
            }
        }
    }

    fn charger(&mut self) -> Read<Charger> {
        let mut one = Charger { unit: self.own_unit()?, squadron: None, before: None, advance: None };
        loop {
            if let Some(stands) = self.stands()? {
                one.squadron = Some(stands);
            } else if self.words.take(&["after", "first"]) || self.words.peek() == Some("wheel") {
                one.before = Some(self.before()?);
            } else if self.words.take(&["form"]) {
                one.before = Some(Before::Form(self.wanted_formation()?));
            } else if self.words.take(&["going", "advance", "ahead"]) {
                one.advance = Some(self.words.length()?);
            } else {
                return Ok(one);
            }
        }
    }

    fn before(&mut self) -> Read<Before> {
        if self.words.is_leg() {
            return self.words.leg().map(Before::Wheel);
        }
        self.words.take(&["form", "forming"]);
        self.wanted_formation().map(Before::Form)
    }

    /// `help UNIT by GENERAL; leave UNIT; form UNIT in line`
    pub(super) fn rally(&mut self) -> Read<Order> {
        let (mut help, mut decline, mut form) = (Vec::new(), Vec::new(), Vec::new());
        while !self.words.is_empty() {
            match self.words.word() {
                ";" | "and" => {}
                "rally" => while self.words.take(&["as", "they", "must", "all"]) {},
                "help" => {
                    let unit = self.own_unit()?;
                    self.words.take(&["by", "with"]);
                    help.push(Help { general: self.own_general()?, unit });
                }
                "leave" | "decline" | "skip" => decline.extend(self.own_units()?),
                "form" | "reform" => {
                    let unit = self.own_unit()?;
                    form.push(Reform { unit, formation: self.wanted_formation()? });
                }
                other => return Err(self.unknown(other)),
            }
        }
        Ok(Order::Rally { help, decline, form })
    }

    /// `fire UNIT at ENEMY|will [with 4 stands] [passing]; reserve UNIT [with 4 stands]; burn PLACE by UNITS`
    pub(super) fn fire(&mut self, targets: fn(&Field, UnitId) -> Vec<Shot>) -> Read<Order> {
        let words = self.words.rest();
        if matches!(words, ["hold"] | ["hold", "fire"] | ["hold", "all"]) {
            while self.words.take(&["hold", "fire", "all"]) {}
            return Ok(Order::Pass);
        }
        let (mut shots, mut reserve, mut arson) = (Vec::new(), Vec::new(), Vec::new());
        let mut keeps = false;
        while !self.words.is_empty() {
            if self.words.take(&[";", "and", "nobody"]) {
                continue;
            }
            if !self.names_own_unit() && self.words.take(&["burn", "light"]) {
                let feature = self.feature()?;
                self.words.take(&["by", "with"]);
                arson.push(Arson { feature, units: self.own_units()? });
            } else if self.words.take(&["reserve", "hold", "keep"]) {
                keeps = true;
            } else if self.words.take(&["fire", "shoot", "volley"]) {
                keeps = false;
            } else if !keeps && self.words.take(&["all", "everybody"]) {
                let field = self.field;
                shots.extend(field.present(self.side).filter_map(|(id, _)| nearest(field, id, targets)));
            } else if keeps {
                reserve.push(Reserve { unit: self.own_unit()?, stands: self.stands()? });
            } else {
                shots.push(self.shot(targets)?);
            }
        }
        Ok(Order::Fire { shots, reserve, arson })
    }

    /// Whether the next words are the name of a unit of one's own: some begin with a word that is an order elsewhere.
    fn names_own_unit(&self) -> bool {
        let units = names::units(self.field, |id| self.field.side_of(id) == self.side);
        self.find_exact(&units).is_some()
    }

    fn shot(&mut self, targets: fn(&Field, UnitId) -> Vec<Shot>) -> Read<Shot> {
        let mut one = Shot { unit: self.own_unit()?, at: None, general: None, stands: None, passing: false };
        let mut aimed = false;
        loop {
            if self.words.take(&["at", "on"]) {
                aimed = true;
                if !self.words.take(&["will", "nobody"]) {
                    self.quarry(&mut one)?;
                }
            } else if self.words.take(&["passing", "passed"]) {
                one.passing = true;
            } else if let Some(stands) = self.stands()? {
                one.stands = Some(stands);
            } else {
                break;
            }
        }
        if aimed {
            return Ok(one);
        }
        let name = &self.field.card(one.unit).name;
        let near = nearest(self.field, one.unit, targets);
        let near = near.ok_or_else(|| format!("{name} has no target; such as: fire UNIT at ENEMY"))?;
        Ok(Shot { stands: one.stands, ..near })
    }

    /// A unit, or a general by his title or his name in full.
    fn quarry(&mut self, one: &mut Shot) -> Read<()> {
        if self.words.take(&["general"]) {
            one.general = Some(self.enemy_general()?);
            return Ok(());
        }
        let units = names::units(self.field, |id| self.field.side_of(id) != self.side);
        match self.exact(&units) {
            Some(at) => one.at = Some(at),
            None => match self.exact(&names::commanders(self.field, Some(self.side.other()))) {
                Some(general) => one.general = Some(general),
                None => one.at = Some(self.enemy_unit()?),
            },
        }
        Ok(())
    }

    /// `stand`, `form square [facing 90]`, `face 90`, `evade [to X Y]`.
    pub(super) fn react(&mut self, unit: UnitId) -> Read<Order> {
        let facing = self.facing()?;
        if facing.is_some() {
            return Ok(Order::Reform { formation: formation(self.field, unit), facing });
        }
        match self.words.word() {
            "stand" | "receive" | "stay" => Ok(Order::Stand),
            "form" | "reform" => {
                let formation = self.wanted_formation()?;
                Ok(Order::Reform { formation, facing: self.facing()? })
            }
            "evade" | "run" | "away" => {
                let to = if self.words.take(&["to"]) { Some(self.words.point()?) } else { None };
                Ok(Order::Evade { to })
            }
            other => Err(self.unknown(other)),
        }
    }

    /// `stay UNIT, UNIT; halt UNIT`.
    pub(super) fn assault(&mut self) -> Read<Order> {
        let (mut stay, mut decline) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            match self.words.word() {
                ";" | "and" => {}
                "stay" | "cover" | "hold" => stay.extend(self.own_units()?),
                "halt" | "stop" | "rein" | "spare" => {
                    self.words.take(&["in"]);
                    decline.extend(self.own_units()?);
                }
                other => return Err(self.unknown(other)),
            }
        }
        Ok(Order::Assault { stay, decline })
    }

    /// `go on [wheeling left 30]`.
    pub(super) fn go_on(&mut self) -> Read<Order> {
        if !self.words.take(&["go", "on", "wheel", "wheeling"]) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        while self.words.take(&["on", "wheel", "wheeling", "straight"]) {}
        let by = if self.words.is_empty() { Angle::NORTH } else { self.turn()? };
        Ok(Order::GoOn { by })
    }
}

/// The shot at the nearest unit that can be shot at.
fn nearest(field: &Field, unit: UnitId, targets: fn(&Field, UnitId) -> Vec<Shot>) -> Option<Shot> {
    let shots = targets(field, unit).into_iter().filter(|shot| !shot.passing);
    shots
        .filter_map(|shot| Some((gap(field, unit, shot.at?), shot)))
        .min_by_key(|(apart, _)| *apart)
        .map(|(_, shot)| shot)
}
