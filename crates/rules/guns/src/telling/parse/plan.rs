//! Typed plans: several moves parted by `;`, each beginning with its verb.

use super::{BETWEEN, Read, Reader};
use crate::field::{brigade, brigade_units, facts, troops};
use crate::order::{Move, Order, Step};
use engine::UnitId;
use table::Pose;

impl Reader<'_> {
    pub(super) fn plot(&mut self) -> Read<Order> {
        let (mut moves, mut groups) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) {
                continue;
            }
            if self.words.take(&["together", "group"]) {
                groups.push(self.units_here()?);
            } else {
                moves.extend(self.moves()?);
            }
        }
        Ok(Order::Plot { moves, groups })
    }

    /// Own units up to the next `;`.
    fn units_here(&mut self) -> Read<Vec<UnitId>> {
        let mut units = Vec::new();
        while self.words.peek().is_some_and(|word| word != ";") {
            if !self.words.take(&["and"]) {
                units.push(self.own_unit()?);
            }
        }
        Ok(units)
    }

    fn moves(&mut self) -> Read<Vec<Move>> {
        let verb = self.words.word();
        let one = match verb {
            "march" | "move" | "go" | "advance" => return self.marches(None),
            "form" | "reform" => return self.forms(),
            "mount" => return self.marches(Some(Step::Mount)),
            "dismount" => return self.marches(Some(Step::Dismount)),
            "unlimber" => return self.marches(Some(Step::Unlimber)),
            "limber" => {
                self.words.take(&["up"]);
                return self.marches(Some(Step::Limber));
            }
            "fire" => return self.marches(Some(Step::Fire)),
            "defend" | "garrison" | "man" => {
                let unit = self.own_unit()?;
                Move::March { unit, steps: Vec::new(), defend: Some(self.feature()?) }
            }
            "charge" | "attack" => self.charge()?,
            "ride" | "gallop" => self.ride()?,
            "join" | "lead" => {
                let commander = self.own_commander()?;
                self.words.take(&["to", "with"]);
                Move::Join { commander, unit: self.own_unit()? }
            }
            "observe" | "walk" | "observer" => {
                let battery = self.own_unit()?;
                self.words.take(&["to", "at", "from"]);
                Move::Observe { battery, to: self.words.point()? }
            }
            "screen" => self.screen()?,
            "recall" => Move::Recall { screen: self.own_unit()? },
            "return" => Move::Return { battery: self.own_unit()? },
            "lie" | "prone" => {
                self.words.take(&["down"]);
                Move::LieDown { unit: self.own_unit()? }
            }
            other => return Err(self.unknown(other)),
        };
        Ok(vec![one])
    }

    /// Who moves: a unit, or every unit of a brigade that obeys.
    fn movers(&mut self) -> Read<Vec<UnitId>> {
        if !self.words.take(&["brigade"]) {
            return Ok(vec![self.own_unit()?]);
        }
        let named = self.brigade()?;
        let field = self.field;
        let obeys = |id: &UnitId| field.unit(*id).is_present() && troops(field, *id).bound.responds;
        Ok(brigade_units(field, named).filter(obeys).collect())
    }

    /// `march UNIT LEGS… form line …`; `first` is the step its verb stands for.
    fn marches(&mut self, first: Option<Step>) -> Read<Vec<Move>> {
        let units = self.movers()?;
        let mut steps: Vec<Step> = first.into_iter().collect();
        let defend = self.steps(&mut steps)?;
        if steps.is_empty() && defend.is_none() {
            return Err("which way? such as: march UNIT ahead 12".to_owned());
        }
        let one = |unit: UnitId| Move::March { unit, steps: steps.clone(), defend };
        Ok(units.into_iter().map(one).collect())
    }

    /// `form UNIT line LEGS…`.
    fn forms(&mut self) -> Read<Vec<Move>> {
        let units = self.movers()?;
        self.words.take(&["into", "in"]);
        let Some(formation) = self.formation() else {
            return Err("which formation? expected line, loose, extended, assault, route or squadrons".to_owned());
        };
        let mut steps = vec![Step::Form(formation)];
        let defend = self.steps(&mut steps)?;
        let one = |unit: UnitId| Move::March { unit, steps: steps.clone(), defend };
        Ok(units.into_iter().map(one).collect())
    }

    /// Steps in their order up to the next `;`; the cover it is to line at the end.
    fn steps(&mut self, steps: &mut Vec<Step>) -> Read<Option<engine::FeatureId>> {
        let mut defend = None;
        loop {
            if self.words.take(&["then", "and", "up"]) {
                continue;
            }
            if self.words.is_leg() {
                let leg = self.words.leg()?;
                match steps.last_mut() {
                    Some(Step::March(legs)) => legs.push(leg),
                    _ => steps.push(Step::March(vec![leg])),
                }
                continue;
            }
            let step = match self.words.peek() {
                Some("mount") => Step::Mount,
                Some("dismount") => Step::Dismount,
                Some("unlimber") => Step::Unlimber,
                Some("limber") => Step::Limber,
                Some("fire") => Step::Fire,
                Some("form" | "reform" | "into" | "in") => {
                    self.words.word();
                    let Some(formation) = self.formation() else {
                        return Err("which formation? expected line, loose, extended, assault or route".to_owned());
                    };
                    steps.push(Step::Form(formation));
                    continue;
                }
                Some("defend" | "garrison" | "man") => {
                    self.words.word();
                    defend = Some(self.feature()?);
                    continue;
                }
                _ => return Ok(defend),
            };
            self.words.word();
            steps.push(step);
        }
    }

    fn charge(&mut self) -> Read<Move> {
        let unit = self.own_unit()?;
        self.words.take(&["at", "into", "on", "to"]);
        let at = self.enemy_unit()?;
        let (mut legs, mut led_by) = (Vec::new(), None);
        loop {
            if self.words.take(&["led"]) {
                self.words.take(&["by"]);
                led_by = Some(self.own_commander()?);
            } else if self.words.is_leg() {
                legs.push(self.words.leg()?);
            } else if !self.words.take(&["then", "after", "first"]) {
                return Ok(Move::Charge { unit, at, legs, led_by });
            }
        }
    }

    fn ride(&mut self) -> Read<Move> {
        let commander = self.own_commander()?;
        self.words.take(&["to"]);
        if self.words.is_number() {
            return Ok(Move::Ride { commander, to: self.words.point()? });
        }
        Ok(Move::Join { commander, unit: self.own_unit()? })
    }

    /// `screen SCREEN from UNIT UNIT at X Y facing 90`; all battalions of its brigade that may where none is named.
    fn screen(&mut self) -> Read<Move> {
        let screen = self.own_unit()?;
        let mut parents = Vec::new();
        if self.words.take(&["from", "of"]) {
            while self.words.peek().is_some_and(|word| word != "at" && word != ";") {
                if !self.words.take(&["and"]) {
                    parents.push(self.own_unit()?);
                }
            }
        } else {
            parents = super::super::plan::parents(self.field, screen);
        }
        self.words.take(&["at", "to"]);
        let at = self.words.point()?;
        let facing = self.facing()?;
        let first = parents.first().map(|parent| self.field.unit(*parent).pose().facing);
        let facing = facing.or(first).unwrap_or_default();
        if !facts(self.field, screen).screen || brigade(self.field, screen).is_none() {
            return Err("that is no screen of skirmishers".to_owned());
        }
        Ok(Move::Screen { screen, parents, pose: Pose { at, facing } })
    }
}
