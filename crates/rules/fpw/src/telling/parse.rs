//! Typed orders. Forgiving about names, order of words and units of length; an error says what was expected.

use super::usage;
use crate::Fpw;
use crate::field::Field;
use crate::order::{Aim, Decision, OfficerPlacement, Order, Placement, StandRef, Step, Target, What};
use crate::unit::Formation;
use book::telling::names;
use book::telling::words::{Named, Words, near, normal, shorten};
use engine::{Asked, CommandId, CommanderId, Side, UnitId, View, facade};
use table::{Leg, Pose};

type Read<T> = Result<T, String>;

/// Reads a typed order; a line that opens with a brace is read as a draft.
pub fn parse(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, words: &str) -> Read<Order> {
    if words.trim_start().starts_with('{') {
        let draft = serde_json::from_str(words).map_err(|error| format!("the draft cannot be read: {error}"))?;
        return facade::decode::<Fpw>(view, &draft);
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
    "end", "done", "pass", "no", "yes", "stay", "none", "hold", "move", "march", "go", "reform", "charge", "fire",
    "retire", "limber", "unlimber", "half", "scout", "scouts", "order", "attach", "detach", "raise", "blame", "all",
    "react", "aim", "counter", "evade", "stand", "back", "fight", "strike", "withdraw", "follow", "ride", "join",
    "leave", "place",
];

/// Words that part one piece of a list from the next.
const BETWEEN: &[&str] = &[";", "and", "then"];

impl Reader<'_> {
    fn order(&mut self) -> Read<Order> {
        if matches!(self.decision, Decision::March { .. }) && self.words.is_leg() {
            return self.march(None);
        }
        if matches!(self.decision, Decision::Command { .. }) {
            return self.command();
        }
        let verb = self.words.word();
        match verb {
            "end" | "pass" | "done" | "none" | "nobody" | "nothing" | "decline" | "stay" => Ok(Order::Pass),
            "no" | "n" => Ok(Order::Pass),
            "yes" | "y" => self.consent(),
            "hold" => {
                self.words.take(&["fire", "ground"]);
                Ok(Order::Pass)
            }
            "stand" if !matches!(self.decision, Decision::Concentrate { .. } | Decision::Reaction { .. }) => {
                Ok(Order::Pass)
            }
            "place" | "deploy" | "enter" => self.place(),
            "scouts" => self.scouts(),
            "reform" | "form" => self.reform(),
            "charge" | "attack" | "advance" => self.charge(),
            "retire" => Ok(Order::Retire { unit: self.own_unit()? }),
            "limber" | "limber-back" => {
                let step = self.step_into(Some(Formation::Limbered))?;
                match self.decision {
                    Decision::March { .. } => self.more_steps(step),
                    _ => Ok(Order::LimberBack(Step { after: false, ..step })),
                }
            }
            "unlimber" if matches!(self.decision, Decision::March { .. }) => {
                let step = self.step_into(Some(Formation::Deployed))?;
                Ok(Order::March { moves: vec![step] })
            }
            "unlimber" => Ok(Order::Unlimber { unit: self.own_unit()?, facing: self.facing()? }),
            "half" | "half-and-unlimber" => self.half_and_unlimber(),
            "scout" => {
                let unit = self.own_unit()?;
                Ok(Order::Scout { unit, legs: self.legs()? })
            }
            "move" | "march" => self.movement(),
            "go" if matches!(self.decision, Decision::StayOrGo { .. }) => Ok(Order::Go),
            "go" | "together" | "path" | "legs" => self.march(Some(verb)),
            "withdraw" => Ok(Order::Go),
            "blame" => Ok(Order::Blame { unit: self.own_unit()? }),
            "fire" | "react" | "shoot" | "volley" | "all" | "everybody" => self.fire(verb),
            "aim" | "concentrate" => Ok(Order::Concentrate { stands: self.stands()?.1 }),
            "counter" | "counter-charge" | "countercharge" => {
                self.words.take(&["charge"]);
                Ok(Order::CounterCharge)
            }
            "evade" => Ok(Order::Evade),
            "back" | "fall" | "fall-back" => {
                self.words.take(&["back"]);
                Ok(Order::FallBack)
            }
            "fight" => Ok(Order::Fight { unit: self.any_unit("a unit in a fight")? }),
            "strike" | "hit" => Ok(Order::Strike { unit: self.enemy_unit()? }),
            "follow" | "follow-up" | "pursue" => self.follow(),
            "ride" | "gallop" => self.ride(),
            "join" | "lead" => self.join(),
            "leave" => Ok(Order::Leave { commander: self.own_commander()? }),
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

    /// What "yes" means to the question in the room.
    fn consent(&self) -> Read<Order> {
        match self.decision {
            Decision::Reaction { .. } => Ok(Order::ReactAll),
            Decision::FallBack { .. } => Ok(Order::FallBack),
            Decision::FollowUp { may_follow: true, .. } => Ok(Order::FollowUp { at: None }),
            _ => Err(format!("this is no question of yes or no; expected: {}", self.ways())),
        }
    }

    fn place(&mut self) -> Read<Order> {
        let (mut units, mut commanders, mut scouts) = (Vec::new(), Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) {
                continue;
            }
            if self.words.take(&["scouts"]) {
                scouts.push(self.own_unit()?);
                continue;
            }
            let piece = self.own_piece()?;
            self.words.take(&["at", "to"]);
            let at = self.words.point()?;
            let facing = self.facing()?;
            match piece {
                Piece::Unit(unit) => {
                    self.words.take(&["in"]);
                    let said = self.words.peek().and_then(formation);
                    if said.is_some() {
                        self.words.word();
                        self.words.take(&["column", "formation"]);
                    }
                    let usual = names::usual_facing(self.field, unit, &self.field.muster().scenario.units_at);
                    let pose = Pose { at, facing: facing.unwrap_or(usual) };
                    let formation = said.unwrap_or(self.field.unit(unit).body.formation);
                    units.push(Placement { unit, pose, formation });
                }
                Piece::Commander(commander) => {
                    let pose = Pose { at, facing: facing.unwrap_or_default() };
                    commanders.push(OfficerPlacement { commander, pose });
                }
            }
        }
        Ok(Order::Deploy { units, commanders, scouts })
    }

    fn scouts(&mut self) -> Read<Order> {
        let scouts = self.own_units()?;
        Ok(Order::Deploy { units: Vec::new(), commanders: Vec::new(), scouts })
    }

    /// A change of formation: on initiative, after a fight, or under orders.
    fn reform(&mut self) -> Read<Order> {
        let step = match self.decision {
            Decision::FollowUp { unit, .. } if self.words.peek().is_some_and(|word| formation(word).is_some()) => {
                self.step_of(*unit, None)?
            }
            _ => self.step_into(None)?,
        };
        if step.formation.is_none() && step.facing.is_none() {
            return Err("which formation? expected line, dense, column or march, or a facing such as: facing 90".into());
        }
        match self.decision {
            Decision::March { .. } => self.more_steps(step),
            _ => Ok(Order::Reform(step)),
        }
    }

    fn step(&mut self) -> Read<Step> {
        self.step_into(None)
    }

    fn step_into(&mut self, into: Option<Formation>) -> Read<Step> {
        let unit = self.own_unit()?;
        self.step_of(unit, into)
    }

    /// Formation, facing and legs in any order.
    fn step_of(&mut self, unit: UnitId, into: Option<Formation>) -> Read<Step> {
        let mut step = Step { unit, formation: into, facing: None, after: false, legs: Vec::new() };
        while !self.words.is_empty() {
            if self.words.take(&["into", "in", "form", "reform", "and"]) {
                continue;
            }
            if self.words.take(&["then", "after"]) {
                step.after |= !step.legs.is_empty() || step.formation.is_some();
                continue;
            }
            if let Some(facing) = self.facing()? {
                step.facing = Some(facing);
            } else if let Some(form) = self.words.peek().and_then(formation) {
                step.after = !step.legs.is_empty();
                self.words.word();
                self.words.take(&["column", "formation", "order"]);
                step.formation = Some(form);
            } else if self.words.is_leg() {
                step.legs.push(self.words.leg()?);
            } else {
                break;
            }
        }
        Ok(step)
    }

    fn half_and_unlimber(&mut self) -> Read<Order> {
        let mut step = self.step()?;
        self.words.take(&["unlimber"]);
        step.formation = Some(Formation::Deployed);
        step.after = true;
        Ok(Order::HalfAndUnlimber(step))
    }

    fn facing(&mut self) -> Read<Option<table::Angle>> {
        if self.words.take(&["facing", "face"]) { self.words.bearing().map(Some) } else { Ok(None) }
    }

    fn legs(&mut self) -> Read<Vec<Leg>> {
        let mut legs = Vec::new();
        while !self.words.is_empty() {
            if !self.words.take(BETWEEN) {
                legs.push(self.words.leg()?);
            }
        }
        Ok(legs)
    }

    /// `move UNIT LEGS; UNIT LEGS …`
    fn movement(&mut self) -> Read<Order> {
        if self.words.is_leg() {
            return self.march(None);
        }
        let step = self.step()?;
        self.more_steps(step)
    }

    fn more_steps(&mut self, first: Step) -> Read<Order> {
        let mut moves = vec![first];
        while self.words.take(&[";"]) {
            if !self.words.is_empty() {
                self.words.take(&["move", "reform", "form"]);
                moves.push(self.step()?);
            }
        }
        Ok(Order::March { moves })
    }

    /// Legs for whoever obeys: all together.
    fn march(&mut self, verb: Option<&str>) -> Read<Order> {
        self.words.take(&["all", "together"]);
        let legs = self.legs()?;
        if legs.is_empty() {
            return Err("which way? such as: go ahead 4 wheel left 30".to_owned());
        }
        match self.decision {
            Decision::March { units, .. } if units.len() == 1 && verb != Some("together") => {
                let step = Step { unit: units[0], formation: None, facing: None, after: false, legs };
                Ok(Order::March { moves: vec![step] })
            }
            _ => Ok(Order::Together { legs }),
        }
    }

    fn charge(&mut self) -> Read<Order> {
        let first = self.aim()?;
        if matches!(self.decision, Decision::Initiative) {
            return Ok(Order::Charge(first));
        }
        let mut charges = vec![first];
        while self.words.take(BETWEEN) {
            if !self.words.is_empty() {
                self.words.take(&["charge"]);
                charges.push(self.aim()?);
            }
        }
        Ok(Order::Charges { charges })
    }

    fn aim(&mut self) -> Read<Aim> {
        let unit = self.own_unit()?;
        self.words.take(&["at", "into", "on", "to"]);
        let at = self.enemy_unit()?;
        let (mut wheel, mut bearing) = (None, None);
        loop {
            if self.words.take(&["bearing", "toward", "towards"]) {
                bearing = Some(self.words.bearing()?);
            } else if matches!(self.words.peek(), Some("wheel" | "turn" | "about")) {
                wheel = Some(self.words.leg()?);
            } else if !self.words.take(&["first", "after"]) {
                return Ok(Aim { unit, at, wheel, bearing });
            }
        }
    }

    /// Fire under orders, or in answer to a move.
    fn fire(&mut self, verb: &str) -> Read<Order> {
        let everybody = matches!(verb, "all" | "everybody") || self.words.take(&["all", "everybody", "with-all"]);
        if everybody {
            self.words.take(&["fire"]);
        }
        match self.decision {
            Decision::Reaction { .. } if everybody || self.words.is_empty() => Ok(Order::ReactAll),
            Decision::Reaction { .. } => self.stands().map(|(units, stands)| Order::React { units, stands }),
            Decision::Shots { units } if everybody || self.words.is_empty() => {
                Ok(Order::Shots { shots: units.iter().map(|unit| Target { unit: *unit, at: None }).collect() })
            }
            _ => self.shots(),
        }
    }

    fn shots(&mut self) -> Read<Order> {
        let mut shots = Vec::new();
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["fire"]) {
                continue;
            }
            let unit = self.own_unit()?;
            let at = if self.words.take(&["at", "on"]) { Some(self.enemy_unit()?) } else { None };
            shots.push(Target { unit, at });
        }
        if shots.is_empty() { Err(format!("who fires? {}", self.ways())) } else { Ok(Order::Shots { shots }) }
    }

    /// Units, each with the numbers of single stands behind it where not all of it is meant.
    fn stands(&mut self) -> Read<(Vec<UnitId>, Vec<StandRef>)> {
        let (mut units, mut stands) = (Vec::new(), Vec::new());
        while !self.words.is_empty() {
            if self.words.take(BETWEEN) || self.words.take(&["fire"]) {
                continue;
            }
            self.words.take(&["stand", "stands"]);
            let unit = self.own_unit()?;
            self.words.take(&["stand", "stands"]);
            let before = stands.len();
            while let Some(number) = self.words.peek().and_then(|word| word.parse::<u8>().ok()) {
                if number == 0 || number > self.field.unit(unit).own.count() {
                    return Err(format!("stands are counted from 1 to {}", self.field.unit(unit).own.count()));
                }
                self.words.word();
                stands.push(StandRef { unit, stand: number - 1 });
                // Between two numbers "and" is of this unit.
                self.words.take(&["and"]);
            }
            if stands.len() == before {
                units.push(unit);
            }
        }
        if units.is_empty() && stands.is_empty() {
            return Err(format!("who fires? {}", self.ways()));
        }
        if matches!(self.decision, Decision::Concentrate { .. }) {
            stands.extend(units.drain(..).flat_map(|unit| self.offered(unit)));
        }
        Ok((units, stands))
    }

    /// The stands of a unit the question is about.
    fn offered(&self, unit: UnitId) -> Vec<StandRef> {
        match self.decision {
            Decision::Concentrate { stands, .. } => stands.iter().copied().filter(|one| one.unit == unit).collect(),
            _ => Vec::new(),
        }
    }

    fn follow(&mut self) -> Read<Order> {
        self.words.take(&["up"]);
        self.words.take(&["into", "at", "on"]);
        let at = if self.words.is_empty() { None } else { Some(self.enemy_unit()?) };
        Ok(Order::FollowUp { at })
    }

    fn ride(&mut self) -> Read<Order> {
        let commander = self.own_commander()?;
        self.words.take(&["to"]);
        if self.words.is_number() {
            return Ok(Order::Ride { commander, to: self.words.point()? });
        }
        Ok(Order::Join { commander, unit: self.own_unit()? })
    }

    fn join(&mut self) -> Read<Order> {
        let commander = self.own_commander()?;
        self.words.take(&["to", "with"]);
        Ok(Order::Join { commander, unit: self.own_unit()? })
    }

    /// `[order] [GENERAL] move UNIT [and UNIT …]`, `raise GENERAL [by GENERAL]`.
    fn command(&mut self) -> Read<Order> {
        if self.words.take(&["end", "pass", "done", "none", "no", "stop", "stay", "nothing"]) {
            return Ok(Order::Pass);
        }
        self.words.take(&["order", "orders"]);
        if self.words.is_empty() {
            return Err(format!("say what to do: {}", self.ways()));
        }
        let mut general = None;
        if !self.words.peek().is_some_and(is_command_verb) {
            general = Some(self.own_commander().map_err(|_| self.unknown(self.words.peek().unwrap_or("")))?);
            self.words.take(&["orders", "order", "to"]);
        }
        let verb = self.words.word();
        if matches!(verb, "raise" | "hearten" | "bonus") {
            return self.raise(general);
        }
        self.words.take(&["to"]);
        let (what, units) = match verb {
            "move" | "march" => (What::Move, self.group()?),
            "road" | "by-road" => (What::ByRoad, self.group()?),
            "reform" | "form" => (What::Reform, self.group()?),
            "charge" | "attack" => (What::Charge, self.group()?),
            "fire" | "shoot" => (What::Fire, self.group()?),
            "detach" | "part" => (What::Detach, vec![self.own_unit()?]),
            "scout" => (What::Scout, self.group()?),
            "attach" => {
                let stand = self.own_unit()?;
                self.words.take(&["to", "with"]);
                (What::Attach(self.own_unit()?), vec![stand])
            }
            other => return Err(self.unknown(other)),
        };
        let general = general.or_else(|| self.leader(units.first().copied())).ok_or("which general? name him first")?;
        Ok(Order::Command { general, what, units })
    }

    fn raise(&mut self, general: Option<CommanderId>) -> Read<Order> {
        let who = self.own_commander()?;
        let named = if self.words.take(&["by", "through"]) { Some(self.own_commander()?) } else { general };
        let above = |id: CommanderId| {
            let muster = self.field.muster();
            let mut parent = muster.command(muster.commander(id).commands).parent;
            while let Some(command) = parent {
                let card = muster.command(command);
                if let Some(chief) = card.commander.filter(|chief| self.field.commander(*chief).is_present()) {
                    return Some(chief);
                }
                parent = card.parent;
            }
            None
        };
        let general = named.or_else(|| above(who)).ok_or("by which general? such as: raise GENERAL by GENERAL")?;
        Ok(Order::Raise { general, who })
    }

    /// Who is to order a unit where nobody is named: whoever gives orders now, else the first general up its chain.
    fn leader(&self, unit: Option<UnitId>) -> Option<CommanderId> {
        if let Decision::Command { current: Some(current) } = self.decision {
            return Some(*current);
        }
        let muster = self.field.muster();
        let mut command = self.field.card(unit?).command;
        while let Some(id) = command {
            let card = muster.command(id);
            let fit = |id: &CommanderId| self.field.commander(*id).is_present() && !self.field.commander(*id).own.done;
            if let Some(general) = card.commander.filter(fit) {
                return Some(general);
            }
            command = card.parent;
        }
        None
    }

    /// Units by name, or all units of a brigade on the table.
    fn group(&mut self) -> Read<Vec<UnitId>> {
        if self.words.take(&["brigade"]) {
            return self.brigade();
        }
        // A brigade's full name or key stands for its units where no unit is called so.
        self.own_units()
    }

    fn brigade(&mut self) -> Read<Vec<UnitId>> {
        let lists = [names::commands(self.field, self.side)];
        let id: CommandId = self.words.name("a brigade of yours", &lists)?;
        let units = self.field.present(self.side).map(|(unit, _)| unit);
        Ok(units.filter(|unit| self.field.card(*unit).command == Some(id)).collect())
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

    fn any_unit(&mut self, what: &str) -> Read<UnitId> {
        let there = names::units(self.field, |id| self.field.unit(id).is_present());
        self.words.name(what, &[there, names::units(self.field, |_| true)])
    }

    fn own_commander(&mut self) -> Read<CommanderId> {
        let lists = [names::commanders(self.field, Some(self.side)), names::commanders(self.field, None)];
        self.words.name("a general of yours", &lists)
    }

    fn own_piece(&mut self) -> Read<Piece> {
        let units = names::units(self.field, |id| self.field.side_of(id) == self.side).into_iter();
        let units = units.map(|n| Named { id: Piece::Unit(n.id), key: n.key, name: n.name });
        let riders = names::commanders(self.field, Some(self.side)).into_iter();
        let riders = riders.map(|n| Named { id: Piece::Commander(n.id), key: n.key, name: n.name });
        self.words.name("a unit or general of yours", &[units.chain(riders).collect()])
    }
}

#[derive(Clone, Copy)]
enum Piece {
    Unit(UnitId),
    Commander(CommanderId),
}

fn is_command_verb(word: &str) -> bool {
    const VERBS: [&str; 17] = [
        "move", "march", "reform", "form", "charge", "attack", "fire", "shoot", "attach", "detach", "part", "scout",
        "raise", "hearten", "bonus", "road", "by-road",
    ];
    VERBS.contains(&word)
}

fn formation(word: &str) -> Option<Formation> {
    Formation::parse(word).or(match word {
        "marching" | "road" => Some(Formation::March),
        "unlimbered" | "action" => Some(Formation::Deployed),
        "limber" => Some(Formation::Limbered),
        "unlimber" => Some(Formation::Deployed),
        _ => None,
    })
}
