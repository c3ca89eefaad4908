//! Typed orders before anything moves: reserves, setting up, new generals, arrivals.

use super::{BETWEEN, Read, Reader};
use crate::field::formation;
use crate::order::{Arrival, Order, Placement, WorkPlacement};
use book::placement::OfficerPlacement;
use book::telling::names;
use book::telling::words::{Named, shorten};
use engine::{CommanderId, UnitId};
use table::Pose;
use table::terrain::Edge;

#[derive(Clone, Copy)]
enum Piece {
    Unit(UnitId),
    General(CommanderId),
}

impl Reader<'_> {
    /// `keep BRIGADE off; hide UNIT at X Y …; earthworks X Y to X Y`
    pub(super) fn reserves(&mut self) -> Read<Order> {
        let (mut off, mut hidden, mut works) = (Vec::new(), Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) {
                continue;
            }
            match self.words.word() {
                "keep" | "off" => {
                    self.words.take(&["off"]);
                    if !self.words.take(&["nobody"]) {
                        off.push(self.brigade()?);
                    }
                    while self.words.take(&["off", "the", "table"]) {}
                }
                "hide" => {
                    let unit = self.own_unit()?;
                    let mut one = Placement { hidden: true, ..self.placement(unit, true)? };
                    if self.words.take(&["unhidden"]) {
                        one.hidden = false;
                    }
                    hidden.push(one);
                }
                "earthworks" | "works" | "lay" => {
                    self.words.take(&["earthworks", "works"]);
                    self.words.take(&["from"]);
                    let from = self.words.point()?;
                    self.words.take(&["to"]);
                    works.push(WorkPlacement { from, to: self.words.point()? });
                }
                other => return Err(self.unknown(other)),
            }
        }
        Ok(Order::Reserve { off, hidden, works })
    }

    /// `set up BRIGADE; place PIECE at X Y facing 90 in line hidden; …`
    pub(super) fn deploy(&mut self) -> Read<Order> {
        let (mut brigade, mut units, mut commanders) = (None, Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["place", "deploy", "nobody"]) {
                continue;
            }
            if self.words.take(&["set"]) {
                self.words.take(&["up"]);
                brigade = Some(self.brigade()?);
                continue;
            }
            match self.piece()? {
                Piece::Unit(unit) => units.push(self.placement(unit, false)?),
                Piece::General(commander) => {
                    let usual = self.field.muster().scenario.commanders_at.get(commander.index());
                    let facing = usual.copied().flatten().map(|pose| pose.facing).unwrap_or_default();
                    commanders.push(OfficerPlacement { commander, pose: self.pose(facing)? });
                }
            }
        }
        Ok(Order::Deploy { brigade, units, commanders })
    }

    fn piece(&mut self) -> Read<Piece> {
        if self.words.take(&["general"]) {
            return self.own_general().map(Piece::General);
        }
        let units = names::units_of(self.field, self.side).map(|list| {
            list.into_iter().map(|one| Named { id: Piece::Unit(one.id), key: one.key, name: one.name }).collect()
        });
        let generals = names::commanders(self.field, Some(self.side));
        let generals: Vec<_> = generals
            .into_iter()
            .map(|one| Named { id: Piece::General(one.id), key: one.key, name: one.name })
            .collect();
        let [_, mut own, all]: [Vec<Named<Piece>>; 3] = units;
        own.extend(generals);
        self.name("a piece of yours", &["the"], &[own, all])
    }

    /// Where a unit stands: whatever is not said is as the set-up has it.
    fn placement(&mut self, unit: UnitId, may_stay: bool) -> Read<Placement> {
        let scenario = &self.field.muster().scenario;
        let usual = scenario.units_at.get(unit.index()).copied().flatten();
        let drawn_up = scenario.drawn_up.get(unit.index()).copied().flatten();
        let facing = names::usual_facing(self.field, unit, &scenario.units_at);
        let pose = match usual {
            Some(usual) if may_stay && !self.words.is_number() && !self.words.rest().first().is_some_and(is_at) => {
                usual
            }
            _ => self.pose(facing)?,
        };
        let mut one = Placement {
            unit,
            pose,
            formation: drawn_up.unwrap_or(formation(self.field, unit)),
            hidden: false,
            crest: None,
        };
        loop {
            if let Some(facing) = self.facing()? {
                one.pose = Pose { facing, ..one.pose };
            } else if self.words.take(&["hidden", "hiding"]) {
                one.hidden = true;
            } else if let Some(crest) = self.crest() {
                one.crest = Some(crest);
            } else if let Some(formation) = self.formation()? {
                one.formation = formation;
            } else if !self.words.take(&["in", "into"]) {
                return Ok(one);
            }
        }
    }

    /// `replace GENERAL, GENERAL`, or all.
    pub(super) fn replace(&mut self, lost: &[CommanderId]) -> Read<Order> {
        if !self.words.take(&["replace", "appoint"]) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        if self.words.is_empty() || self.words.take(&["all", "everybody"]) {
            let own = |id: &CommanderId| self.field.muster().commander(*id).side == self.side;
            return Ok(Order::Replace { generals: lost.iter().copied().filter(own).collect() });
        }
        let mut generals = Vec::new();
        while !self.words.is_empty() {
            if !self.words.take(BETWEEN) && !self.words.take(&["nobody"]) {
                generals.push(self.own_general()?);
            }
        }
        Ok(Order::Replace { generals })
    }

    /// `announce BRIGADE north at X Y; …`
    pub(super) fn arrive(&mut self) -> Read<Order> {
        if !self.words.take(&["announce", "arrive", "bring"]) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        let mut brigades = Vec::new();
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["announce", "nobody"]) {
                continue;
            }
            let brigade = self.brigade()?;
            self.words.take(&["on", "from", "over", "at"]);
            self.words.take(&["the"]);
            let edge = match self.words.word() {
                "north" | "n" => Edge::North,
                "east" | "e" => Edge::East,
                "south" | "s" => Edge::South,
                "west" | "w" => Edge::West,
                other => {
                    let word = shorten(other);
                    return Err(format!("`{word}` is no edge; expected such as: announce BRIGADE north at 36 48"));
                }
            };
            self.words.take(&["edge"]);
            self.words.take(&["at", "near"]);
            brigades.push(Arrival { brigade, edge, at: self.words.point()? });
        }
        Ok(Order::Arrive { brigades })
    }
}

fn is_at(word: &&str) -> bool {
    matches!(*word, "at" | "to")
}
