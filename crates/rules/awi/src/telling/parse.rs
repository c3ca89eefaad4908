//! Typed orders. Forgiving about names, order of words and units of length; an error says what was expected.

use super::usage;
use crate::Awi;
use crate::courier;
use crate::field::Field;
use crate::order::{BrigadeOrder, Decision, Objective, OfficerPlacement, Order, Piece, Placement, Standing, Verb};
use crate::unit::Formation;
use book::telling::names;
use book::telling::words::{Named, Words, near, normal, shorten};
use engine::{Asked, CommandId, CommanderId, FeatureId, Side, UnitId, View, facade};
use table::terrain::Edge;
use table::{Leg, Pose};

type Read<T> = Result<T, String>;

/// Reads a typed order; a line that opens with a brace is read as a draft.
pub fn parse(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, words: &str) -> Read<Order> {
    if words.trim_start().starts_with('{') {
        let draft = serde_json::from_str(words).map_err(|error| format!("the draft cannot be read: {error}"))?;
        return facade::decode::<Awi>(view, &draft);
    }
    let text = normal(words)?;
    let mut reader = Reader { field: view, decision: &asked.decision, side, words: Words::of(&text) };
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
pub const VERBS: &[&str] = &[
    "end",
    "done",
    "pass",
    "no",
    "yes",
    "stay",
    "none",
    "hold",
    "move",
    "fire",
    "fire-move",
    "charge",
    "reform",
    "limber",
    "unlimber",
    "load",
    "break",
    "face",
    "facing",
    "ride",
    "go",
    "shell",
    "snipe",
    "send",
    "orders",
    "halt",
    "pursue",
    "grape",
    "shoot",
    "support",
    "sequence",
    "begin",
    "hide",
    "place",
    "kill",
    "pick",
    "fight",
    "strike",
];

impl Reader<'_> {
    fn order(&mut self) -> Read<Order> {
        if matches!(self.decision, Decision::Path { .. }) && self.words.is_leg() {
            return self.path();
        }
        let verb = self.words.word();
        match verb {
            "end" | "pass" | "done" | "none" | "nobody" | "nothing" | "stay" | "decline" => Ok(Order::Pass),
            "no" | "n" => Ok(self.refusal()),
            "yes" | "y" => self.consent(),
            "hold" | "stand" if self.words.is_empty() && !matches!(self.decision, Decision::Activate) => {
                Ok(Order::Pass)
            }
            "hold" | "stand" => Ok(Order::Hold { unit: self.own_unit()? }),
            "move" | "march" => self.movement(),
            "fire" | "volley" => self.fire(),
            "fire-move" | "firemove" | "fire-then-move" | "fire-and-move" => self.fire_then_move(),
            "charge" => self.charge(),
            "reform" | "form" => self.reform(),
            "limber" => Ok(Order::Limber { unit: self.own_unit()?, facing: self.facing()? }),
            "unlimber" => Ok(Order::Unlimber { unit: self.own_unit()?, facing: self.facing()? }),
            "load" | "reload" => Ok(Order::Load { unit: self.own_unit()? }),
            "break" | "break-off" | "breakoff" | "disengage" => self.break_off(),
            "face" if !matches!(self.decision, Decision::RallyFacing { .. }) => self.turn_in_melee(),
            "face" | "facing" | "look" => Ok(Order::Face { facing: self.words.bearing()? }),
            "ride" | "gallop" => self.ride(),
            "on" | "go-on" | "ride-on" => Ok(Order::GoOn),
            "go" if matches!(self.decision, Decision::Pursuer { .. }) && self.words.take(&["on"]) => Ok(Order::GoOn),
            "go" | "path" | "legs" => self.path(),
            "shell" => self.shell(),
            "snipe" => self.snipe(),
            "send" => self.send(),
            "order" if matches!(self.decision, Decision::SendCourier) => self.send(),
            "order" | "orders" => self.first_orders(),
            "halt" => Ok(Order::TryHalt),
            "pursue" | "chase" => Ok(Order::Pursue),
            "grape" | "grapeshot" => Ok(Order::Grape),
            "shot" | "plain" | "ball" if matches!(self.decision, Decision::DefensiveGrape { .. }) => Ok(Order::Pass),
            "shoot" => Ok(Order::Shoot),
            "support" => Ok(Order::Support { unit: self.own_unit()? }),
            "kill" | "attempt" | "divert" | "spend" => self.kill(),
            "pick" => Ok(Order::Pick { piece: self.any_piece()? }),
            "fight" => Ok(Order::Fight { unit: self.any_unit("a unit in a melee")? }),
            "strike" | "hit" => Ok(Order::Strike { unit: self.enemy_unit()? }),
            "sequence" | "rally" => self.sequence(),
            "begin" | "first" => Ok(Order::Begin { me: true }),
            "wait" | "second" => Ok(Order::Begin { me: false }),
            "hide" => self.hide(),
            "place" | "deploy" => self.place(),
            "" => Err(format!("say what to do: {}", self.ways())),
            other => Err(self.unknown(other)),
        }
    }

    fn ways(&self) -> String {
        usage::usage(self.decision).iter().map(|usage| usage.words).collect::<Vec<_>>().join(" | ")
    }

    fn unknown(&self, word: &str) -> String {
        match near(word, VERBS.iter().map(|verb| (*verb, ""))).as_slice() {
            [] => format!("`{}` is no order here; expected: {}", shorten(word), self.ways()),
            [first, ..] => {
                format!("`{}` is no order; did you mean `{first}`? Expected: {}", shorten(word), self.ways())
            }
        }
    }

    /// What "no" means to the question in the room.
    fn refusal(&self) -> Order {
        match self.decision {
            Decision::ChooseFirst => Order::Begin { me: false },
            Decision::Pursuer { .. } => Order::GoOn,
            _ => Order::Pass,
        }
    }

    /// What "yes" means to the question in the room.
    fn consent(&mut self) -> Read<Order> {
        match self.decision {
            Decision::ChooseFirst => Ok(Order::Begin { me: true }),
            Decision::Pursuer { .. } => Ok(Order::TryHalt),
            Decision::Pursue { .. } => Ok(Order::Pursue),
            Decision::FailedChargeVolley { .. } => Ok(Order::Shoot),
            Decision::DefensiveGrape { .. } => Ok(Order::Grape),
            Decision::Support { able, .. } if able.len() == 1 => Ok(Order::Support { unit: able[0] }),
            Decision::OfficerAttempt { able, .. } if able.len() == 1 => Ok(Order::Attempt { on: able[0] }),
            Decision::DivertHits { able, .. } if able.len() == 1 => Ok(Order::Divert { on: vec![able[0]] }),
            _ => Err(format!("this is no question of yes or no; expected: {}", self.ways())),
        }
    }

    fn movement(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        let (mut half, mut by_road) = (false, false);
        let (legs, with) = self.legs(|words| {
            if words.take(&["half"]) {
                half = true;
            } else if words.take(&["road"]) {
                by_road = true;
            } else {
                return words.take(&["by", "the", "full"]);
            }
            true
        })?;
        Ok(Order::Move { unit, half, by_road, legs, with })
    }

    fn path(&mut self) -> Read<Order> {
        let (legs, with) = self.legs(|_| false)?;
        if legs.is_empty() {
            return Err("which way? such as: go ahead 4 wheel left 30".to_owned());
        }
        Ok(Order::Path { legs, with })
    }

    /// Legs, and whoever rides along; `other` takes whatever else may stand between them.
    fn legs(&mut self, mut other: impl FnMut(&mut Words<'_>) -> bool) -> Read<(Vec<Leg>, Vec<CommanderId>)> {
        let (mut legs, mut with) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if other(&mut self.words) || self.words.take(&[";", "then", "and"]) {
                continue;
            }
            if self.words.take(&["with"]) {
                with.push(self.own_commander()?);
            } else {
                legs.push(self.words.leg()?);
            }
        }
        Ok((legs, with))
    }

    fn fire(&mut self) -> Read<Order> {
        match self.decision {
            Decision::FailedChargeVolley { .. } if self.words.is_empty() => return Ok(Order::Shoot),
            Decision::Support { .. } => return Ok(Order::Support { unit: self.own_unit()? }),
            _ => {}
        }
        let unit = self.own_unit()?;
        let grape = self.words.take(&["grape", "grapeshot"]);
        self.words.take(&["at", "on"]);
        let at = self.enemy_unit()?;
        Ok(Order::Fire { unit, at, grape: grape | self.words.take(&["grape", "grapeshot"]) })
    }

    fn fire_then_move(&mut self) -> Read<Order> {
        match self.fire()? {
            Order::Fire { unit, at, grape } => Ok(Order::FireThenMove { unit, at, grape }),
            _ => Err("fire-move is for the Movement part".to_owned()),
        }
    }

    fn charge(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        self.words.take(&["at", "into"]);
        let at = self.enemy_unit()?;
        let (mut bearing, mut with) = (None, Vec::new());
        loop {
            if self.words.take(&["bearing", "toward", "towards"]) {
                bearing = Some(self.words.bearing()?);
            } else if self.words.take(&["with", "and"]) {
                with.push(self.own_commander()?);
            } else {
                return Ok(Order::Charge { unit, at, bearing, with });
            }
        }
    }

    fn formation(word: &str) -> Option<Formation> {
        Formation::parse(word).or(match word {
            "skirmishers" | "skirmishing" | "open" => Some(Formation::Skirmish),
            _ => None,
        })
    }

    fn reform(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        self.words.take(&["into", "in", "to"]);
        let word = self.words.word();
        let Some(formation) = Reader::formation(word) else {
            return Err(format!("`{}` is no formation; expected line, column or skirmish", shorten(word)));
        };
        self.words.take(&["order"]);
        let facing = self.facing()?;
        self.words.take(&["to", "and"]);
        Ok(Order::Reform { unit, formation, facing, to_fire: self.words.take(&["fire"]) })
    }

    fn facing(&mut self) -> Read<Option<table::Angle>> {
        if self.words.take(&["facing", "face"]) { self.words.bearing().map(Some) } else { Ok(None) }
    }

    fn break_off(&mut self) -> Read<Order> {
        self.words.take(&["off"]);
        let unit = self.own_unit()?;
        self.words.take(&["off"]);
        Ok(Order::BreakOff { unit, half: self.words.take(&["half"]) })
    }

    fn turn_in_melee(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        self.words.take(&["to", "at"]);
        Ok(Order::TurnInMelee { unit, face: self.enemy_unit()? })
    }

    fn ride(&mut self) -> Read<Order> {
        if matches!(self.decision, Decision::Pursuer { .. }) && self.words.take(&["on"]) {
            return Ok(Order::GoOn);
        }
        let commander = self.own_commander()?;
        self.words.take(&["to"]);
        Ok(Order::Ride { commander, to: self.words.point()? })
    }

    fn shell(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        let (mut bearing, mut estimate) = (None, None);
        while !self.words.is_empty() {
            if self.words.take(&["bearing", "toward", "towards"]) {
                bearing = Some(self.words.bearing()?);
            } else if self.words.take(&["range", "estimate", "guess", "at"]) {
                estimate = Some(self.words.length()?);
            } else {
                break;
            }
        }
        match (bearing, estimate) {
            (Some(bearing), Some(estimate)) => Ok(Order::Shell { unit, bearing, estimate }),
            _ => Err("expected a direction and a guess, such as: shell UNIT bearing 10 range 18".to_owned()),
        }
    }

    fn snipe(&mut self) -> Read<Order> {
        let unit = self.own_unit()?;
        self.words.take(&["at"]);
        Ok(Order::Snipe { unit, at: self.enemy_piece()? })
    }

    fn kill(&mut self) -> Read<Order> {
        let mut on = vec![self.enemy_commander()?];
        if matches!(self.decision, Decision::OfficerAttempt { .. }) {
            return Ok(Order::Attempt { on: on[0] });
        }
        while !self.words.is_empty() {
            if self.words.take(&["twice"]) {
                on.extend(on.last().copied());
            } else if !self.words.take(&["and", ";"]) {
                on.push(self.enemy_commander()?);
            }
        }
        Ok(Order::Divert { on })
    }

    fn sequence(&mut self) -> Read<Order> {
        let mut units = vec![self.own_unit()?];
        while !self.words.is_empty() {
            if !self.words.take(&["then", "and", ";"]) {
                units.push(self.own_unit()?);
            }
        }
        Ok(Order::Sequence { units })
    }

    fn hide(&mut self) -> Read<Order> {
        let mut at = Vec::new();
        while !self.words.is_empty() {
            if !self.words.take(&["at", "and", ";"]) {
                at.push(self.words.point()?);
            }
        }
        Ok(Order::Sharpshooters { at })
    }

    fn place(&mut self) -> Read<Order> {
        let (mut units, mut commanders) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(&[";", "and"]) {
                continue;
            }
            let piece = self.own_piece()?;
            self.words.take(&["at", "to"]);
            let at = self.words.point()?;
            let facing = self.facing()?;
            match piece {
                Piece::Unit(unit) => {
                    self.words.take(&["in"]);
                    let said = self.words.peek().and_then(Reader::formation);
                    if said.is_some() {
                        self.words.word();
                    }
                    let pose = Pose {
                        at,
                        facing: facing.unwrap_or(names::usual_facing(
                            self.field,
                            unit,
                            &self.field.muster().scenario.units_at,
                        )),
                    };
                    let formation = said.unwrap_or(self.field.unit(unit).body.formation);
                    units.push(Placement { unit, pose, formation });
                }
                Piece::Commander(commander) => {
                    let pose = Pose { at, facing: facing.unwrap_or_default() };
                    commanders.push(OfficerPlacement { commander, pose });
                }
            }
        }
        Ok(Order::Deploy { units, commanders })
    }

    fn send(&mut self) -> Read<Order> {
        let to = self.brigade()?;
        Ok(Order::Send { to, order: self.standing()? })
    }

    fn first_orders(&mut self) -> Read<Order> {
        let mut orders = Vec::new();
        while !self.words.is_empty() {
            if !self.words.take(&[";", "and"]) {
                let to = self.brigade()?;
                orders.push(BrigadeOrder { to, order: self.standing()? });
            }
        }
        Ok(Order::FirstOrders { orders })
    }

    fn standing(&mut self) -> Read<Standing> {
        self.words.take(&["to"]);
        let word = self.words.word();
        let verb = match word {
            "advance" => Verb::Advance,
            "attack" => Verb::Attack,
            "hold" => Verb::Hold,
            "withdraw" | "retire" => Verb::Withdraw,
            "support" => Verb::Support,
            "reserve" => Verb::Reserve,
            other => {
                let text = "expected advance, attack, hold, withdraw, support or reserve";
                return Err(format!("`{}` is no order to a brigade; {text}", shorten(other)));
            }
        };
        self.words.take(&["to", "on", "at", "in"]);
        let objective = match verb {
            Verb::Reserve => Objective::Nothing,
            Verb::Support => Objective::Brigade(self.brigade()?),
            _ if self.words.is_number() => Objective::Point(self.words.point()?),
            Verb::Withdraw => match self.edge() {
                Some(edge) => Objective::Edge(edge),
                None => Objective::Feature(self.feature()?),
            },
            Verb::Attack => self.enemy_or_feature()?,
            Verb::Advance | Verb::Hold => Objective::Feature(self.feature()?),
        };
        Ok(Standing { verb, objective })
    }

    fn edge(&mut self) -> Option<Edge> {
        self.words.take(&["the"]);
        let edge = Edge::ALL.into_iter().find(|edge| self.words.take(&[super::voice::edge(*edge)]))?;
        self.words.take(&["edge"]);
        Some(edge)
    }

    fn own_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side);
        self.words.name("a unit of yours", &lists)
    }

    fn enemy_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side.other());
        self.words.name("an enemy unit", &lists)
    }

    fn any_unit(&mut self, what: &str) -> Read<UnitId> {
        let lists =
            [names::units(self.field, |id| self.field.unit(id).is_present()), names::units(self.field, |_| true)];
        self.words.name(what, &lists)
    }

    fn own_commander(&mut self) -> Read<CommanderId> {
        let lists = [names::commanders(self.field, Some(self.side)), names::commanders(self.field, None)];
        self.words.name("a commander of yours", &lists)
    }

    fn enemy_commander(&mut self) -> Read<CommanderId> {
        let lists = [names::commanders(self.field, Some(self.side.other())), names::commanders(self.field, None)];
        self.words.name("an enemy commander", &lists)
    }

    fn pieces(units: Vec<Named<UnitId>>, commanders: Vec<Named<CommanderId>>) -> Vec<Named<Piece>> {
        let units = units.into_iter().map(|n| Named { id: Piece::Unit(n.id), key: n.key, name: n.name });
        let riders = commanders.into_iter().map(|n| Named { id: Piece::Commander(n.id), key: n.key, name: n.name });
        units.chain(riders).collect()
    }

    fn piece_of(&mut self, what: &str, side: Side) -> Read<Piece> {
        let units = names::units(self.field, |id| self.field.side_of(id) == side);
        let first = Reader::pieces(units, names::commanders(self.field, Some(side)));
        let all = Reader::pieces(names::units(self.field, |_| true), names::commanders(self.field, None));
        self.words.name(what, &[first, all])
    }

    fn own_piece(&mut self) -> Read<Piece> {
        self.piece_of("a unit or commander of yours", self.side)
    }

    fn enemy_piece(&mut self) -> Read<Piece> {
        self.piece_of("an enemy unit or commander", self.side.other())
    }

    fn any_piece(&mut self) -> Read<Piece> {
        let all = Reader::pieces(names::units(self.field, |_| true), names::commanders(self.field, None));
        self.words.name("a unit or commander", &[all])
    }

    fn brigade(&mut self) -> Read<CommandId> {
        let muster = self.field.muster();
        let named = |id| Named::new(id, &muster.command(id).key, &muster.command(id).name);
        let own = courier::brigades(self.field, self.side).map(named).collect();
        let all = names::commands(self.field, self.side);
        self.words.name("a brigade of yours", &[own, all])
    }

    fn features(&self) -> Vec<Named<FeatureId>> {
        let features = self.field.ground().features.iter().enumerate();
        features.map(|(n, feature)| Named::new(FeatureId(n as u16), &feature.key, &feature.name)).collect()
    }

    fn feature(&mut self) -> Read<FeatureId> {
        let list = [self.features()];
        self.words.name("a place or feature", &list)
    }

    fn enemy_or_feature(&mut self) -> Read<Objective> {
        let enemies = names::units(self.field, |id| self.field.side_of(id) != self.side);
        let enemies = enemies.into_iter().map(|n| Named { id: Objective::Unit(n.id), key: n.key, name: n.name });
        let places = self.features().into_iter();
        let places = places.map(|n| Named { id: Objective::Feature(n.id), key: n.key, name: n.name });
        let lists = [enemies.collect(), places.collect()];
        self.words.name("an enemy unit or a feature", &lists)
    }
}
