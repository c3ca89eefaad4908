//! Typed orders of the Movement Phase: one move at a time, each beginning with its verb.

use super::{Read, Reader};
use crate::field::{is_there, members};
use crate::formation::{Formation, Shape};
use crate::order::{ForcedMarch, Order, Step};
use crate::unit::Task;
use book::telling::words::shorten;
use engine::UnitId;
use table::Leg;

impl Reader<'_> {
    pub(super) fn moves(&mut self) -> Read<Order> {
        match self.words.word() {
            "march" | "move" | "go" | "advance" => self.march(None),
            "form" | "reform" => {
                let unit = self.own_unit()?;
                let formation = self.wanted_formation()?;
                self.steps(unit, vec![Step::Form(formation)])
            }
            "mount" => self.march(Some(Step::Mount)),
            "dismount" => {
                let unit = self.own_unit()?;
                let formation = self.on_foot()?;
                self.steps(unit, vec![Step::Dismount(formation)])
            }
            "limber" => {
                self.words.take(&["up"]);
                self.march(Some(Step::Limber))
            }
            "unlimber" => {
                let unit = self.own_unit()?;
                let shape = self.unlimbered()?;
                self.steps(unit, vec![Step::Unlimber(shape)])
            }
            "force-march" | "force" | "forced" => self.forced(),
            "screen" | "skirmish" => self.screen(),
            "recall" => Ok(Order::Recall { unit: self.own_unit()? }),
            "ride" | "gallop" => self.ride(),
            "join" => {
                let general = self.own_general()?;
                self.words.take(&["to", "with"]);
                Ok(Order::Join { general, unit: self.own_unit()? })
            }
            "attach" => {
                let party = self.own_unit()?;
                self.words.take(&["to", "with"]);
                Ok(Order::Attach { party, to: Some(self.own_unit()?) })
            }
            "detach" => Ok(Order::Attach { party: self.own_unit()?, to: None }),
            "work" => {
                let unit = self.own_unit()?;
                Ok(Order::Work { unit, task: self.task()? })
            }
            "barricade" => Ok(Order::Work { unit: self.own_unit()?, task: Task::Barricade }),
            "search" => {
                let unit = self.own_unit()?;
                while self.words.take(&["for", "a", "ford", "in"]) {}
                Ok(Order::SearchFord { unit, river: self.feature()? })
            }
            "lie" | "down" | "ground" => {
                self.words.take(&["down"]);
                Ok(Order::ToGround { unit: self.own_unit()? })
            }
            "man" => Ok(Order::Man { battery: self.own_unit()? }),
            "regroup" => self.regroup(),
            "return" => Ok(Order::Return { unit: self.own_unit()? }),
            "reveal" | "show" => Ok(Order::Reveal { unit: self.own_unit()? }),
            other => Err(self.unknown(other)),
        }
    }

    /// `march UNIT LEGS; form line; LEGS …`; `first` is the step its verb stands for.
    fn march(&mut self, first: Option<Step>) -> Read<Order> {
        let unit = self.own_unit()?;
        self.steps(unit, first.into_iter().collect())
    }

    /// Steps in their order; `;` ends one.
    fn steps(&mut self, unit: UnitId, mut steps: Vec<Step>) -> Read<Order> {
        let (mut crest, mut fresh, mut nowhere) = (None, true, false);
        loop {
            if self.words.take(&[";"]) {
                fresh = true;
            } else if self.words.take(&["then", "and"]) {
            } else if self.words.take(&["nowhere"]) {
                nowhere = true;
            } else if self.words.take(&["halt"]) {
                steps.push(Step::March(Vec::new()));
                fresh = true;
            } else if let Some(at) = self.crest() {
                crest = Some(at);
            } else if self.words.is_leg() {
                let leg = self.words.leg()?;
                match steps.last_mut() {
                    Some(Step::March(legs)) if !fresh => legs.push(leg),
                    _ => steps.push(Step::March(vec![leg])),
                }
                fresh = false;
            } else if let Some(step) = self.evolution()? {
                steps.push(step);
                fresh = true;
            } else {
                break;
            }
        }
        if steps.is_empty() && crest.is_none() && !nowhere {
            let usage = "which way? such as: march UNIT ahead 6, wheel left 30";
            return Err(match self.words.peek() {
                Some(word) => format!("`{}` is no leg; {usage}", shorten(word)),
                None => usage.to_owned(),
            });
        }
        Ok(Order::March { unit, steps, crest })
    }

    /// A step that is no march, or nothing.
    fn evolution(&mut self) -> Read<Option<Step>> {
        let step = match self.words.peek() {
            Some("mount") => Step::Mount,
            Some("limber") => Step::Limber,
            Some("dismount") => {
                self.words.word();
                return self.on_foot().map(|formation| Some(Step::Dismount(formation)));
            }
            Some("unlimber") => {
                self.words.word();
                return self.unlimbered().map(|shape| Some(Step::Unlimber(shape)));
            }
            Some("form" | "reform" | "into") => {
                self.words.word();
                return self.wanted_formation().map(|formation| Some(Step::Form(formation)));
            }
            _ => return Ok(None),
        };
        self.words.word();
        self.words.take(&["up"]);
        Ok(Some(step))
    }

    /// How horse stands when it gets off: as skirmishers where nothing is said.
    fn on_foot(&mut self) -> Read<Formation> {
        self.words.take(&["in", "into"]);
        Ok(self.formation()?.unwrap_or(Formation::usual(Shape::Skirmish)))
    }

    /// How guns come into action: with gaps where nothing is said.
    fn unlimbered(&mut self) -> Read<Shape> {
        self.words.take(&["in", "into"]);
        Ok(self.formation()?.map_or(Shape::Deployed, |formation| formation.shape))
    }

    /// `force-march BRIGADE UNIT LEGS; UNIT LEGS …`, or `force-march BRIGADE LEGS` for every unit of it.
    fn forced(&mut self) -> Read<Order> {
        self.words.take(&["march"]);
        let brigade = self.brigade()?;
        let mut marches = Vec::new();
        if self.words.is_leg() {
            let (field, legs) = (self.field, self.legs()?);
            let units = members(field, brigade).filter(|id| is_there(field, *id));
            marches.extend(units.map(|unit| ForcedMarch { unit, legs: legs.clone() }));
        }
        while !self.words.is_empty() {
            if !self.words.take(&[";", "nobody"]) {
                let unit = self.own_unit()?;
                marches.push(ForcedMarch { unit, legs: self.legs()? });
            }
        }
        Ok(Order::ForcedMarch { brigade, marches })
    }

    fn legs(&mut self) -> Read<Vec<Leg>> {
        let mut legs = Vec::new();
        loop {
            if self.words.is_leg() {
                legs.push(self.words.leg()?);
            } else if !self.words.take(&["then", "and", "halt"]) {
                return Ok(legs);
            }
        }
    }

    /// `screen UNIT with 4 stands [at X Y facing 90]`.
    fn screen(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        self.words.take(&["with"]);
        let stands = self.number("stands")?;
        self.words.take(&["stand", "stands"]);
        let ahead = self.words.peek().is_some_and(|word| word == "at" || word == "to") || self.words.is_number();
        let facing = self.field.unit(unit).pose().facing;
        let pose = if ahead { Some(self.pose(facing)?) } else { None };
        Ok(Order::Screen { unit, stands, pose })
    }

    /// `ride GENERAL to X Y`, or to a unit to join it.
    fn ride(&mut self) -> Read<Order> {
        let general = self.own_general()?;
        self.words.take(&["to"]);
        if self.words.is_number() {
            return Ok(Order::Ride { general, to: self.words.point()? });
        }
        Ok(Order::Join { general, unit: self.own_unit()? })
    }

    fn task(&mut self) -> Read<Task> {
        self.words.take(&["at", "to"]);
        match self.words.word() {
            "demolish" | "mine" | "blow" => {
                self.words.take(&["up", "the"]);
                if self.words.take(&["boats", "pontoons"]) {
                    self.words.take(&["at"]);
                    return Ok(Task::Sever { at: self.words.point()? });
                }
                Ok(Task::Demolish { bridge: self.feature()? })
            }
            "clear" | "open" => {
                self.words.take(&["the"]);
                if self.words.take(&["works", "barricade"]) {
                    self.words.take(&["at"]);
                    return Ok(Task::Breach { at: self.words.point()? });
                }
                let obstacle = self.feature()?;
                self.words.take(&["at"]);
                Ok(Task::Clear { obstacle, at: self.words.point()? })
            }
            "bridge" | "pontoon" | "span" => {
                let water = self.feature()?;
                self.words.take(&["at", "from"]);
                let at = self.words.point()?;
                self.words.take(&["to"]);
                let to = self.words.point()?;
                let hands = if self.words.take(&["with"]) { self.own_units()? } else { Vec::new() };
                Ok(Task::Bridge { water, at, to, hands })
            }
            "barricade" => Ok(Task::Barricade),
            other => Err(format!(
                "`{}` is no work; expected demolish BRIDGE, demolish boats at X Y, clear OBSTACLE at X Y, clear works at X Y, bridge WATER at X Y to X Y with \
                 UNITS, or barricade",
                shorten(other)
            )),
        }
    }

    /// `regroup BATTERY as 3 2`.
    fn regroup(&mut self) -> Read<Order> {
        let battery = self.own_unit()?;
        self.words.take(&["as", "crew"]);
        let mut crew = Vec::new();
        while !self.words.is_empty() {
            if !self.words.take(&["and", "nobody"]) {
                crew.push(self.number("gunners")?);
            }
        }
        Ok(Order::Regroup { battery, crew })
    }
}
