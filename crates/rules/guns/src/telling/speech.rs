//! Words of this game that several kinds of sentence need: lengths at the scale of the battle, formations, orders of
//! brigades.

use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::order::{BrigadeOrder, Matter, Posture};
use crate::settings::Scale;
use crate::unit::{Ability, Cycle, Level};
use book::telling::voice;
use table::{Leg, Length, Point, Unit};

/// The measure of the battle: inches for large figures, centimetres for all others.
pub fn measure(field: &Field) -> Unit {
    match field.settings().scale {
        Scale::Small | Scale::Middle => Unit::Centimetre,
        Scale::Large => Unit::Inch,
    }
}

/// A length as people say it.
pub fn far(field: &Field, length: Length) -> String {
    length.show(measure(field))
}

/// A place as people say it.
pub fn place(field: &Field, point: Point) -> String {
    voice::point_in(point, measure(field))
}

/// A path behind a colon; nothing where it has no legs.
pub fn way(field: &Field, legs: &[Leg]) -> String {
    if legs.is_empty() { String::new() } else { format!(": {}", voice::legs_in(legs, measure(field))) }
}

/// Tenths as a decimal number.
pub fn tenths(value: i16) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}.{}", value.unsigned_abs() / 10, value.unsigned_abs() % 10)
}

fn shape_words(shape: Shape) -> &'static str {
    match shape {
        Shape::Line => "line",
        Shape::Loose => "loose order",
        Shape::Extended => "extended order",
        Shape::Assault => "assault column",
        Shape::Route => "column of route",
        Shape::Squadrons => "column of squadrons",
        Shape::Limbered => "limbered",
        Shape::Deployed => "in action",
    }
}

/// A formation in words, such as `line of four files`.
pub fn formation_words(formation: Formation) -> String {
    let shape = shape_words(formation.shape);
    match formation.files {
        0 => shape.to_owned(),
        files => format!("{shape}, {}", voice::count(usize::from(files), "file")),
    }
}

/// A formation after "take post".
pub fn drawn_up(formation: Formation) -> String {
    match formation.shape {
        Shape::Limbered => "limbered".to_owned(),
        Shape::Deployed => "with the guns in action".to_owned(),
        _ => format!("in {}", formation_words(formation)),
    }
}

/// Taking up a formation, as a verb.
pub fn formed(formation: Formation) -> String {
    match formation.shape {
        Shape::Limbered => "limber up".to_owned(),
        Shape::Deployed => "unlimber".to_owned(),
        _ => format!("form {}", formation_words(formation)),
    }
}

/// Somewhere, or somebody.
pub fn matter(field: &Field, matter: Matter) -> String {
    match matter {
        Matter::Point(point) => place(field, point),
        Matter::Feature(feature) => voice::feature(field, feature),
        Matter::Unit(unit) => voice::unit(field, unit).to_owned(),
    }
}

/// A brigade's order after "ordered to".
pub fn order_words(field: &Field, order: BrigadeOrder) -> String {
    let what = match order.posture {
        Posture::Advance => "advance to",
        Posture::Attack => "attack",
        Posture::Hold => "hold",
        Posture::Withdraw => "withdraw to",
    };
    format!("{what} {}", matter(field, order.objective))
}

/// A general's rank.
pub fn rank(level: Level) -> &'static str {
    match level {
        Level::Brigade => "brigadier",
        Level::Division => "divisional commander",
        Level::Corps => "corps commander",
        Level::Army => "army commander",
    }
}

/// What a brigadier is worth, after an article.
pub fn ability(ability: Ability) -> &'static str {
    match ability {
        Ability::Inspired => "an inspired",
        Ability::Able => "an able",
        Ability::Average => "an average",
        Ability::Inept => "an inept",
        Ability::Incompetent => "an incompetent",
    }
}

/// Where a battery has got to, as a verb.
pub fn cycle(cycle: Cycle) -> &'static str {
    match cycle {
        Cycle::Limbered => "limber up",
        Cycle::Unlimbering => "begin to unlimber",
        Cycle::Deployed => "come into action",
        Cycle::Limbering => "begin to limber up",
        Cycle::Abandoned => "stand without gunners",
    }
}

/// A capital in front, no full stop behind.
pub fn capital(text: &str) -> String {
    voice::sentence(text).trim_end_matches('.').to_owned()
}
