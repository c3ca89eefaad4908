//! Names in a sentence, and verbs that agree with them.

use engine::{CommandId, CommanderId, FeatureId, Ruleset, Side, State, UnitId, Whereabouts};
use table::terrain::Edge;
use table::{Angle, Flank, Leg, Length, Point, Unit};

/// A unit's name; a piece this viewer knows nothing about has none.
pub fn unit<R: Ruleset>(field: &State<R>, id: UnitId) -> &str {
    let known = field.units().nth(id.index()).is_some_and(|(_, unit)| unit.whereabouts != Whereabouts::Unseen);
    if known { &field.card(id).name } else { "an unseen unit" }
}

/// A commander's name.
pub fn commander<R: Ruleset>(field: &State<R>, id: CommanderId) -> &str {
    field.muster().commanders.get(id.index()).map_or("a commander", |card| &card.name)
}

/// The name of a brigade or division.
pub fn command<R: Ruleset>(field: &State<R>, id: CommandId) -> &str {
    field.muster().commands.get(id.index()).map_or("a brigade", |card| &card.name)
}

/// A terrain feature's name, in the middle of a sentence.
pub fn feature<R: Ruleset>(field: &State<R>, id: FeatureId) -> String {
    match field.ground().features.get(id.index()) {
        None => "a place".to_owned(),
        Some(feature) if feature.name.is_empty() => format!("{} {}", feature.kind, feature.key),
        Some(feature) => match feature.name.strip_prefix("The ") {
            Some(rest) => format!("the {rest}"),
            None => feature.name.clone(),
        },
    }
}

/// A side with its article.
pub fn side<R: Ruleset>(field: &State<R>, side: Side) -> String {
    let name = &field.muster().sides[side].name;
    if name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("the ")) {
        name.clone()
    } else {
        format!("the {name}")
    }
}

/// Whose turn: "British turn", "Americans' turn".
pub fn turn_of<R: Ruleset>(field: &State<R>, side: Side) -> String {
    let name = &field.muster().sides[side].name;
    format!("{name}{} turn", if name.ends_with('s') { "’" } else { "" })
}

/// Whether a unit's name asks for a plural verb: riflemen and dragoons do, the 33rd Foot does not.
pub fn is_plural(name: &str) -> bool {
    let head = name.split(" of ").next().unwrap_or(name).split(',').next().unwrap_or(name);
    let last = head.split_whitespace().next_back().unwrap_or("").to_lowercase();
    let singular = ["ss", "'s", "’s", "corps", "massachusetts", "ois", "ais", "us"];
    last.ends_with("men") || (last.ends_with('s') && !singular.iter().any(|end| last.ends_with(end)))
}

/// Subject and verb: `does("33rd Foot", "break off")` is "33rd Foot breaks off".
pub fn does(name: &str, verb: &str) -> String {
    if is_plural(name) {
        return format!("{name} {}", if verb == "be" { "are" } else { verb });
    }
    let (head, rest) = match verb.split_once(' ') {
        Some((head, rest)) => (head, format!(" {rest}")),
        None => (verb, String::new()),
    };
    let third = match head {
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        _ if head.ends_with(['s', 'x', 'z', 'o']) || head.ends_with("ch") || head.ends_with("sh") => {
            format!("{head}es")
        }
        _ => match head.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{head}s"),
        },
    };
    format!("{name} {third}{rest}")
}

/// Subject, a form of "to be" and what follows.
pub fn is(name: &str, what: &str) -> String {
    format!("{} {what}", does(name, "be"))
}

/// A capital in front and a full stop behind.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// Small numbers in words.
pub fn number(count: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// "two hits", "one mark", "no rounds".
pub fn count(count: impl Into<usize>, thing: &str) -> String {
    let count = count.into();
    format!("{} {thing}{}", number(count), if count == 1 { "" } else { "s" })
}

/// "A, B and C".
pub fn list(names: &[&str]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => (*one).to_owned(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// A length as people say it.
pub fn inches(length: Length) -> String {
    length.show(Unit::Inch)
}

/// A place by its distances from the western and southern edge.
pub fn point(point: Point) -> String {
    point_in(point, Unit::Inch)
}

/// The same in the measure of the battle.
pub fn point_in(point: Point, unit: Unit) -> String {
    format!("{} east, {} north", point.x.show(unit), point.y.show(unit))
}

/// A bearing in compass words where it is one, in degrees otherwise.
pub fn bearing(angle: Angle) -> String {
    const WORDS: [&str; 8] = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    let (eighth, rest) = (angle.as_millidegrees() / 45_000, angle.as_millidegrees() % 45_000);
    match WORDS.get(eighth as usize) {
        Some(word) if rest == 0 => (*word).to_owned(),
        _ => format!("{angle}"),
    }
}

/// An edge in a word.
pub fn edge(edge: Edge) -> &'static str {
    match edge {
        Edge::North => "north",
        Edge::East => "east",
        Edge::South => "south",
        Edge::West => "west",
    }
}

/// A leg in words.
pub fn leg(leg: &Leg) -> String {
    leg_in(leg, Unit::Inch)
}

/// The same in the measure of the battle.
pub fn leg_in(leg: &Leg, unit: Unit) -> String {
    match leg {
        Leg::Ahead(go) => format!("ahead {}", go.show(unit)),
        Leg::Back(go) => format!("back {}", go.show(unit)),
        Leg::Sideways(go) if go.is_negative() => format!("left {}", (-*go).show(unit)),
        Leg::Sideways(go) => format!("right {}", go.show(unit)),
        Leg::Oblique { by, go } => format!("oblique {} {}", degrees(*by), go.show(unit)),
        Leg::Straight(to) => format!("to {}", point_in(*to, unit)),
        Leg::Turn(by) => format!("turn {}", degrees(*by)),
        Leg::Wheel { pivot: Flank::Left, by } => format!("wheel left {}", size(*by)),
        Leg::Wheel { pivot: Flank::Right, by } => format!("wheel right {}", size(*by)),
        Leg::About => "about".to_owned(),
    }
}

fn degrees(by: Angle) -> String {
    format!("{} {}", if by.signed() < 0 { "left" } else { "right" }, size(by))
}

/// Whole degrees; nobody wheels finer than that by word of command.
fn size(by: Angle) -> String {
    format!("{}°", (by.signed().abs() + 500) / 1_000)
}

/// "does" or "do", as the name asks for.
pub fn do_of(name: &str) -> &'static str {
    if is_plural(name) { "do" } else { "does" }
}

/// A path in words; a long one only by its length.
pub fn legs(legs: &[Leg]) -> String {
    legs_in(legs, Unit::Inch)
}

/// The same in the measure of the battle.
pub fn legs_in(legs: &[Leg], unit: Unit) -> String {
    if legs.len() > 4 {
        return format!("in {}", count(legs.len(), "leg"));
    }
    legs.iter().map(|leg| leg_in(leg, unit)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_agree_with_regiments() {
        assert_eq!(does("33rd Foot", "charge"), "33rd Foot charges");
        assert_eq!(does("Light companies", "charge"), "Light companies charge");
        assert_eq!(does("Pennsylvania riflemen", "be"), "Pennsylvania riflemen are");
        assert_eq!(does("8th Massachusetts", "break off"), "8th Massachusetts breaks off");
        assert_eq!(does("Morgan's riflemen, 1st wing", "rally"), "Morgan's riflemen, 1st wing rally");
        assert_eq!(does("Jäger corps", "rally"), "Jäger corps rallies");
        assert_eq!(does("", "press on"), " presses on");
    }

    #[test]
    fn numbers_lists_and_sentences() {
        assert_eq!(count(1usize, "hit"), "one hit");
        assert_eq!(count(0usize, "hit"), "no hits");
        assert_eq!(count(40usize, "hit"), "40 hits");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(sentence("von Linsing runs"), "Von Linsing runs.");
        assert_eq!(sentence(""), ".");
    }
}
