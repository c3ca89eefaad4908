//! Typed orders before anything moves: setting up, opening orders, naming brigades.

use super::{BETWEEN, Read, Reader};
use crate::field::{brigades, formation};
use crate::order::{BrigadeOrder, NewOrder, Nomination, ObserverPlacement, OpeningOrder, Order, Placement, Posture};
use book::placement::OfficerPlacement;
use book::telling::names;
use book::telling::words::Named;
use engine::{CommanderId, UnitId};
use table::Pose;

#[derive(Clone, Copy)]
enum Piece {
    Unit(UnitId),
    Commander(CommanderId),
}

impl Reader<'_> {
    /// `place PIECE X Y …; observer BATTERY X Y; order BRIGADE attack …`
    pub(super) fn deploy(&mut self) -> Read<Order> {
        let (mut units, mut commanders) = (Vec::new(), Vec::new());
        let (mut observers, mut orders) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["place", "deploy"]) {
                continue;
            }
            if self.words.take(&["observer"]) {
                self.words.take(&["of"]);
                let battery = self.own_unit()?;
                self.words.take(&["at", "to"]);
                observers.push(ObserverPlacement { battery, at: self.words.point()? });
            } else if self.words.take(&["order", "orders"]) {
                let brigade = self.brigade()?;
                self.words.take(&["to"]);
                let Some(order) = self.brigade_order()? else {
                    return Err("what is it to do? expected advance, attack or hold, and where".to_owned());
                };
                orders.push(OpeningOrder { brigade, order });
            } else {
                match self.piece()? {
                    Piece::Unit(unit) => units.push(self.placement(unit)?),
                    Piece::Commander(commander) => {
                        self.words.take(&["at", "to"]);
                        let at = self.words.point()?;
                        let facing = self.facing()?.unwrap_or_default();
                        commanders.push(OfficerPlacement { commander, pose: Pose { at, facing } });
                    }
                }
            }
        }
        Ok(Order::Deploy { units, commanders, observers, orders })
    }

    fn placement(&mut self, unit: UnitId) -> Read<Placement> {
        self.words.take(&["at", "to"]);
        let at = self.words.point()?;
        let scenario = &self.field.muster().scenario;
        let usual = scenario.drawn_up.get(unit.index()).copied().flatten();
        let facing = names::usual_facing(self.field, unit, &scenario.units_at);
        let mut one = Placement {
            unit,
            pose: Pose { at, facing },
            formation: usual.unwrap_or(formation(self.field, unit)),
            hidden: false,
            defend: None,
        };
        loop {
            if let Some(facing) = self.facing()? {
                one.pose.facing = facing;
            } else if self.words.take(&["hidden", "ambush"]) {
                one.hidden = true;
            } else if self.words.take(&["defend", "defending"]) {
                one.defend = Some(self.feature()?);
            } else if let Some(shape) = self.formation() {
                one.formation = shape;
            } else if !self.words.take(&["in", "into", "and"]) {
                return Ok(one);
            }
        }
    }

    fn piece(&mut self) -> Read<Piece> {
        let units = names::units(self.field, |id| self.field.side_of(id) == self.side).into_iter();
        let units = units.map(|named| Named { id: Piece::Unit(named.id), key: named.key, name: named.name });
        let riders = names::commanders(self.field, Some(self.side)).into_iter();
        let riders = riders.map(|named| Named { id: Piece::Commander(named.id), key: named.key, name: named.name });
        self.words.name("a unit or general of yours", &[units.chain(riders).collect()])
    }

    /// A posture with its objective, where one comes next.
    fn brigade_order(&mut self) -> Read<Option<BrigadeOrder>> {
        let posture = match self.words.peek() {
            Some("advance") => Posture::Advance,
            Some("attack" | "assault") => Posture::Attack,
            Some("hold" | "defend") => Posture::Hold,
            Some("withdraw" | "retire") => Posture::Withdraw,
            _ => return Ok(None),
        };
        self.words.word();
        Ok(Some(BrigadeOrder { posture, objective: self.matter()? }))
    }

    /// `name BRIGADE, BRIGADE attack ENEMY because PLACE by GENERAL; BRIGADE through GENERAL; stay UNIT`
    pub(super) fn nominate(&mut self) -> Read<Order> {
        let mut named: Vec<Nomination> = Vec::new();
        let mut stay_disordered = Vec::new();
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["name", "nominate", "continue", "is", "goes"]) {
                continue;
            }
            if self.words.take(&["stay", "unreformed", "disordered"]) {
                stay_disordered.push(self.own_unit()?);
            } else if self.words.take(&["all", "everybody"]) {
                let all = brigades(self.field, self.side);
                named.extend(all.map(|brigade| Nomination { brigade, issuer: None, new: None, present: Vec::new() }));
            } else if !named.is_empty() && self.of_nomination(&mut named)? {
                continue;
            } else {
                let brigade = self.brigade()?;
                named.push(Nomination { brigade, issuer: None, new: None, present: Vec::new() });
            }
        }
        Ok(Order::Nominate { brigades: named, stay_disordered })
    }

    /// Words that belong to the brigade named last; tells whether there were any.
    fn of_nomination(&mut self, named: &mut [Nomination]) -> Read<bool> {
        let Some(last) = named.last_mut() else { return Ok(false) };
        self.words.take(&["to"]);
        if let Some(order) = self.brigade_order()? {
            if !self.words.take(&["because", "since", "for", "seeing"]) {
                return Err("what prompts it? such as: name BRIGADE attack ENEMY because ENEMY".to_owned());
            }
            last.new = Some(NewOrder { issuer: None, cause: self.matter()?, order });
        } else if self.words.take(&["by"]) {
            let issuer = self.own_commander()?;
            match &mut last.new {
                Some(new) => new.issuer = Some(issuer),
                None => last.issuer = Some(issuer),
            }
        } else if self.words.take(&["through"]) {
            last.issuer = Some(self.own_commander()?);
        } else if self.words.take(&["with"]) {
            last.present.push(self.own_commander()?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
