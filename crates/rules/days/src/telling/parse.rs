//! Typed orders. Forgiving about names, order of words and units of length; an error says what was expected.

mod battle;
mod moves;
mod setup;
#[cfg(test)]
pub(super) mod stage;
#[cfg(test)]
mod tests;

use super::phrase::declines;
use super::speech::{MOST_WORDS, features};
use super::usage;
use crate::Days;
use crate::field::Field;
use crate::formation::{Bend, Formation, Shape};
use crate::order::{Decision, Order};
use crate::unit::Crest;
use book::telling::names;
use book::telling::words::{Named, Words, near, normal, shorten};
use engine::{Asked, CommandId, CommanderId, FeatureId, Side, UnitId, View, facade};
use table::{Angle, Pose};

type Read<T> = Result<T, String>;

/// Reads a typed order; a line that opens with a brace is read as a draft.
pub fn parse(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, words: &str) -> Read<Order> {
    if words.trim_start().starts_with('{') {
        let draft = serde_json::from_str(words).map_err(|error| format!("the draft cannot be read: {error}"))?;
        return facade::decode::<Days>(view, &draft);
    }
    let text = normal(words)?;
    if declines(&text) {
        return Ok(Order::Pass);
    }
    let mut reader = Reader { field: view, decision: &asked.decision, side, words: Words::of(&text) };
    let order = reader.order()?;
    reader.finish()?;
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
    "pass",
    "done",
    "none",
    "nothing",
    "keep",
    "hide",
    "earthworks",
    "place",
    "set",
    "replace",
    "announce",
    "charge",
    "rally",
    "help",
    "leave",
    "form",
    "fire",
    "reserve",
    "hold",
    "burn",
    "stand",
    "evade",
    "feint",
    "march",
    "mount",
    "dismount",
    "limber",
    "unlimber",
    "force-march",
    "screen",
    "recall",
    "ride",
    "join",
    "attach",
    "detach",
    "work",
    "barricade",
    "search",
    "lie",
    "man",
    "regroup",
    "return",
    "reveal",
    "stay",
    "halt",
    "go",
    "surrender",
];

/// Words that decline whatever is asked, standing alone.
const DECLINES: &[&str] = &["pass", "done", "none", "nobody", "nothing", "no", "n", "end", "decline"];

/// Words that part one piece of a list from the next.
const BETWEEN: &[&str] = &[";", "and", "then"];

impl Reader<'_> {
    fn order(&mut self) -> Read<Order> {
        if self.words.is_empty() {
            return Err(format!("say what to do: {}", self.ways()));
        }
        if self.words.rest().len() == 1 && self.words.take(DECLINES) {
            return Ok(Order::Pass);
        }
        match self.decision {
            Decision::Reserves => self.reserves(),
            Decision::Deploy | Decision::DeployBrigade { .. } => self.deploy(),
            Decision::Replace { lost } => self.replace(lost),
            Decision::Arrive { .. } => self.arrive(),
            Decision::Charges | Decision::Opportunity => self.charges(),
            Decision::Rally => self.rally(),
            Decision::Fire => self.fire(crate::shooting::targets),
            Decision::Defend => self.fire(crate::defence::targets),
            Decision::React { unit, .. } => self.react(*unit),
            Decision::Feint { among } => {
                let units = self.some_of(&["feint", "break", "off"], among)?;
                Ok(Order::Feint { units })
            }
            Decision::Move => self.moves(),
            Decision::Assault { .. } => self.assault(),
            Decision::GoOn { .. } => self.go_on(),
            Decision::Surrender { units } => {
                let units = self.some_of(&["surrender", "give", "up"], units)?;
                Ok(Order::Surrender { units })
            }
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

    /// Nothing may be left.
    fn finish(&self) -> Read<()> {
        match self.words.peek() {
            Some(word) if matches!(self.decision, Decision::Move) && VERBS.contains(&word) => {
                Err(format!("`{word}`: one move at a time; the next is asked for when this one is done"))
            }
            _ => self.words.finish(),
        }
    }

    /// `VERB all`, or `VERB UNIT UNIT …`.
    fn some_of(&mut self, verbs: &[&str], all: &[UnitId]) -> Read<Vec<UnitId>> {
        if !self.words.take(verbs) {
            return Err(self.unknown(self.words.peek().unwrap_or("")));
        }
        while self.words.take(verbs) {}
        if self.words.is_empty() || self.words.take(&["all", "everybody"]) {
            let own = all.iter().copied().filter(|id| self.field.side_of(*id) == self.side);
            return Ok(own.collect());
        }
        self.own_units()
    }

    /// Own units up to the next `;`.
    fn own_units(&mut self) -> Read<Vec<UnitId>> {
        let mut units = Vec::new();
        while self.words.peek().is_some_and(|word| word != ";") {
            if !self.words.take(&["and", "nobody"]) {
                units.push(self.own_unit()?);
            }
        }
        Ok(units)
    }

    /// A name in full: the longest run of words that is one. Keys go before names.
    fn exact<T: Copy>(&mut self, list: &[Named<T>]) -> Option<T> {
        let (id, count) = self.find_exact(list)?;
        (0..count).for_each(|_| {
            self.words.word();
        });
        Some(id)
    }

    /// A name in full at the beginning of what is left to read, with how many words it has.
    fn find_exact<T: Copy>(&self, list: &[Named<T>]) -> Option<(T, usize)> {
        let rest = self.words.rest();
        (1..=MOST_WORDS.min(rest.len())).rev().find_map(|count| {
            let run = rest.get(..count)?.join(" ");
            let run = run.trim_start_matches('@');
            let by_key = list.iter().find(|one| one.key == run);
            let mut named = list.iter().filter(|one| !run.is_empty() && one.name == run);
            let by_name = || named.next().filter(|_| named.next().is_none());
            by_key.or_else(by_name).map(|one| (one.id, count))
        })
    }

    /// A name in full from any list, else the beginning of one from the first list that knows it. The first list is part
    /// of the second, so that names in full are looked for in it last.
    fn name<T: Copy>(&mut self, what: &str, before: &[&str], lists: &[Vec<Named<T>>]) -> Read<T> {
        for list in lists.iter().skip(1).chain(lists.first()) {
            if let Some(id) = self.exact(list) {
                return Ok(id);
            }
        }
        if self.words.take(before) {
            return self.name(what, &[], lists);
        }
        self.words.name(what, lists)
    }

    fn own_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side);
        self.name("a unit of yours", &["the", "with", "of"], &lists)
    }

    fn enemy_unit(&mut self) -> Read<UnitId> {
        let lists = names::units_of(self.field, self.side.other());
        self.name("an enemy unit", &["the"], &lists)
    }

    fn own_general(&mut self) -> Read<CommanderId> {
        let (own, all) = (names::commanders(self.field, Some(self.side)), names::commanders(self.field, None));
        self.name("a general of yours", &["general"], &[own, all])
    }

    fn enemy_general(&mut self) -> Read<CommanderId> {
        let theirs = names::commanders(self.field, Some(self.side.other()));
        self.name("an enemy general", &["general"], &[theirs, names::commanders(self.field, None)])
    }

    fn brigade(&mut self) -> Read<CommandId> {
        let list = names::commands(self.field, self.side);
        self.name("a brigade of yours", &["brigade", "the"], &[list])
    }

    fn feature(&mut self) -> Read<FeatureId> {
        let list = features(self.field);
        self.name("a place on the table", &["the", "in", "feature"], &[list])
    }

    fn facing(&mut self) -> Read<Option<Angle>> {
        if self.words.take(&["facing", "face"]) { self.words.bearing().map(Some) } else { Ok(None) }
    }

    /// `at X Y facing 90`.
    fn pose(&mut self, usual: Angle) -> Read<Pose> {
        self.words.take(&["at", "to"]);
        let at = self.words.point()?;
        Ok(Pose { at, facing: self.facing()?.unwrap_or(usual) })
    }

    /// A small whole number.
    fn number(&mut self, what: &str) -> Read<u8> {
        let word = self.words.word();
        word.parse().map_err(|_| format!("`{}` is no number of {what}; expected one such as 4", shorten(word)))
    }

    /// `with 4 stands`, or nothing.
    fn stands(&mut self) -> Read<Option<u8>> {
        let next = self.words.rest().get(1).is_some_and(|word| word.parse::<u8>().is_ok());
        if !next || !self.words.take(&["with"]) {
            return Ok(None);
        }
        let count = self.number("stands")?;
        self.words.take(&["stand", "stands", "model", "models", "gun", "guns"]);
        Ok(Some(count))
    }

    /// `behind the crest`, `over the crest`, or nothing.
    fn crest(&mut self) -> Option<Crest> {
        let crest = match self.words.peek() {
            Some("behind") => Crest::Behind,
            Some("over") => Crest::Over,
            _ => return None,
        };
        self.words.word();
        while self.words.take(&["the", "crest"]) {}
        Some(crest)
    }

    /// `left 30`, `right 22.5`.
    fn turn(&mut self) -> Read<Angle> {
        let left = match self.words.word() {
            "left" => true,
            "right" => false,
            other => return Err(format!("expected left or right, not `{}`", shorten(other))),
        };
        let word = self.words.word();
        let by: Angle = word.parse().map_err(|_| format!("`{}` is no turn; expected degrees", shorten(word)))?;
        self.words.take(&["deg", "degrees", "°"]);
        Ok(if left { -by } else { by })
    }

    /// A formation after words that change nothing: `line`, `march*1`, `line bent 30 after 4`, `line^4:30`.
    fn formation(&mut self) -> Read<Option<Formation>> {
        let Some(word) = self.words.peek() else { return Ok(None) };
        let (head, bend) = word.split_once('^').map_or((word, None), |(head, bend)| (head, Some(bend)));
        let known = head.parse().ok().or_else(|| {
            let shape = match head {
                "skirmishers" | "open" | "extended" => Shape::Skirmish,
                "manoeuvring" | "maneuver" => Shape::Manoeuvre,
                "marching" | "road" => Shape::March,
                "action" | "unlimbered" | "guns" => Shape::Deployed,
                "mass" => Shape::Massed,
                _ => return None,
            };
            Some(Formation::usual(shape))
        });
        let Some(mut formation) = known else { return Ok(None) };
        self.words.word();
        match bend {
            Some(bend) => self.signed_bends(&mut formation, bend)?,
            None => self.told_bends(&mut formation)?,
        }
        while self.words.take(&["column", "order", "formation"]) {}
        let sound: Formation = formation.to_string().parse().map_err(|wrong| format!("{wrong}"))?;
        Ok(Some(sound))
    }

    /// `bent 30 after 4 bent -30 after 8`.
    fn told_bends(&mut self, formation: &mut Formation) -> Read<()> {
        let mut no = 0;
        while self.words.take(&["bent"]) {
            let word = self.words.word();
            let by = word.trim_end_matches('°').parse();
            let by =
                by.map_err(|_| format!("`{}` is no bend; expected such as: line bent 30 after 4", shorten(word)))?;
            self.words.take(&["after"]);
            let bend = Bend { after: self.number("stands")?, by };
            *formation.bends.get_mut(no).ok_or("that is too many bends for a line")? = bend;
            no += 1;
        }
        Ok(())
    }

    /// `line^4:30^8:-30`, whose colons have become spaces.
    fn signed_bends(&mut self, formation: &mut Formation, first: &str) -> Read<()> {
        let wrong = || "a bent line is written such as line^4:30, or: line bent 30 after 4".to_owned();
        let mut after = first.to_owned();
        for no in 0.. {
            let word = self.words.word();
            let (by, next) = word.split_once('^').map_or((word, None), |(by, next)| (by, Some(next)));
            let bend = Bend { after: after.parse().map_err(|_| wrong())?, by: by.parse().map_err(|_| wrong())? };
            *formation.bends.get_mut(no).ok_or_else(wrong)? = bend;
            let Some(next) = next else { break };
            next.clone_into(&mut after);
        }
        Ok(())
    }

    /// A formation, or a word about what was expected.
    fn wanted_formation(&mut self) -> Read<Formation> {
        self.words.take(&["in", "into"]);
        let word = self.words.peek().unwrap_or("");
        let refusal = format!(
            "`{}` is no formation; expected line, march, manoeuvre, skirmish, square, column, limbered, deployed or \
             massed",
            shorten(word)
        );
        self.formation()?.ok_or(refusal)
    }
}
