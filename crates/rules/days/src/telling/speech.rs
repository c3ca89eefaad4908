//! Words of this game that several kinds of sentence need: formations, ranks, bands of range, names that can be typed
//! again.

use crate::charts::{Band, TargetClass};
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::unit::{OrderState, Quality, Rank, Serves};
use book::telling::names;
use book::telling::voice;
use book::telling::words::{Named, normal};
use engine::{CommandId, CommanderId, FeatureId, UnitId};
use table::{Angle, Flank, Leg, Point};

/// A capital in front, no full stop behind.
pub fn capital(text: &str) -> String {
    voice::sentence(text).trim_end_matches('.').to_owned()
}

/// A shape as people say it.
pub fn shape_words(shape: Shape) -> &'static str {
    match shape {
        Shape::Line => "line",
        Shape::March => "march column",
        Shape::Manoeuvre => "manoeuvre column",
        Shape::Skirmish => "skirmish order",
        Shape::Square => "square",
        Shape::Column => "column",
        Shape::Limbered => "limbered",
        Shape::Deployed => "in action",
        Shape::Massed => "in action, wheel to wheel",
    }
}

/// A formation as people say it.
pub fn formation_words(formation: Formation) -> String {
    let bent = if formation.is_bent() { "bent " } else { "" };
    let files = match formation.files {
        0 => String::new(),
        files => format!(", {} wide", voice::number(usize::from(files))),
    };
    format!("{bent}{}{files}", shape_words(formation.shape))
}

/// A formation after "take post".
pub fn drawn_up(formation: Formation) -> String {
    match formation.shape {
        Shape::Limbered | Shape::Deployed | Shape::Massed => formation_words(formation),
        _ => format!("in {}", formation_words(formation)),
    }
}

/// Taking up a formation, as a verb.
pub fn formed(formation: Formation) -> String {
    match formation.shape {
        Shape::Limbered => "limber up".to_owned(),
        Shape::Deployed => "unlimber".to_owned(),
        Shape::Massed => "unlimber wheel to wheel".to_owned(),
        _ => format!("form {}", formation_words(formation)),
    }
}

/// A band of range.
pub fn band(band: Band) -> &'static str {
    match band {
        Band::Close => "close",
        Band::Effective => "effective",
        Band::Long => "long",
    }
}

/// What a target is shot at as.
pub fn target(class: TargetClass) -> &'static str {
    match class {
        TargetClass::Dispersed => "a dispersed target",
        TargetClass::Line => "a target in line",
        TargetClass::Dense => "a dense target",
        TargetClass::Fast => "a fast target",
        TargetClass::Light => "light cover",
        TargetClass::Heavy => "heavy cover",
    }
}

/// A rung of the ladder of order.
pub fn order_words(order: OrderState) -> &'static str {
    match order {
        OrderState::Good => "in good order",
        OrderState::Disordered => "disordered",
        OrderState::Shaken => "shaken",
        OrderState::Routing => "routing",
    }
}

/// What a general is worth, after an article.
pub fn quality(quality: Quality) -> &'static str {
    match quality {
        Quality::Inept => "an inept",
        Quality::Capable => "a capable",
        Quality::Exceptional => "an exceptional",
    }
}

/// A general's rank.
pub fn rank(rank: Rank) -> &'static str {
    match rank {
        Rank::Brigade => "brigade general",
        Rank::Division => "division general",
        Rank::Army => "army commander",
    }
}

/// Which troops listen to him.
pub fn serves(serves: Serves) -> &'static str {
    match serves {
        Serves::Infantry => "infantry",
        Serves::Cavalry => "cavalry",
        Serves::All => "all arms",
    }
}

/// A key of the charts as people say it.
pub fn weapon_words(key: &str) -> String {
    let word = |word: &str| match word {
        "ml" => "muzzle-loading".to_owned(),
        "bl" => "breech-loading".to_owned(),
        other => other.to_owned(),
    };
    capital(&key.split('_').map(word).collect::<Vec<_>>().join(" "))
}

/// Words with which something else begins than a name.
const TAKEN: &[&str] = &[
    "and",
    "then",
    "the",
    "all",
    "everybody",
    "nobody",
    "general",
    "brigade",
    "place",
    "deploy",
    "set",
    "keep",
    "hide",
    "earthworks",
    "help",
    "leave",
    "form",
    "fire",
    "hold",
    "reserve",
    "burn",
    "stay",
    "halt",
    "with",
    "at",
    "by",
    "to",
    "replace",
    "announce",
    "charge",
    "rally",
    "feint",
    "surrender",
];
/// No longer names are looked for.
pub const MOST_WORDS: usize = 8;

/// What a piece is called where it can be typed again: by its name where that is its alone, else by its key.
fn called<T: Copy + PartialEq>(list: &[Named<T>], id: T, name: &str) -> String {
    let Some(own) = list.iter().find(|one| one.id == id) else { return name.to_owned() };
    let plain = normal(name).unwrap_or_default();
    let first = plain.split(' ').next().unwrap_or_default();
    let clear = !plain.is_empty()
        && !plain.contains(';')
        && plain.split(' ').count() <= MOST_WORDS
        && !TAKEN.contains(&first)
        && list.iter().all(|one| one.id == id || (one.name != plain && one.key != plain));
    if clear { name.to_owned() } else { own.key.clone() }
}

/// A unit as it can be typed again.
pub fn unit(field: &Field, id: UnitId) -> String {
    let name = voice::unit(field, id);
    let Some(side) = field.muster().units.get(id.index()).map(|card| card.side) else { return name.to_owned() };
    called(&names::units(field, |one| field.side_of(one) == side), id, name)
}

/// Units as they can be typed again.
pub fn units(field: &Field, ids: &[UnitId]) -> String {
    match ids {
        [] => "nobody".to_owned(),
        ids => ids.iter().map(|id| unit(field, *id)).collect::<Vec<_>>().join(", "),
    }
}

/// A general as he can be typed again.
pub fn general(field: &Field, id: CommanderId) -> String {
    called(&names::commanders(field, None), id, voice::commander(field, id))
}

/// A brigade as it can be typed again.
pub fn command(field: &Field, id: CommandId) -> String {
    let name = voice::command(field, id);
    let Some(side) = field.muster().commands.get(id.index()).map(|card| card.side) else { return name.to_owned() };
    called(&names::commands(field, side), id, name)
}

/// Every feature of the table with its names.
pub fn features(field: &Field) -> Vec<Named<FeatureId>> {
    let named = field.ground().features.iter().zip(0..);
    named.map(|(feature, no)| Named::new(FeatureId(no), &feature.key, &feature.name)).collect()
}

/// A feature as it can be typed again.
pub fn feature(field: &Field, id: FeatureId) -> String {
    let name = field.ground().features.get(id.index()).map_or("", |feature| &feature.name);
    called(&features(field), id, name)
}

/// A place to the last hair's breadth.
pub fn spot(point: Point) -> String {
    format!("{} {}", point.x, point.y)
}

/// A turn to the left or right to the last hair's breadth.
pub fn turned(by: Angle) -> String {
    let thousandths = by.signed().unsigned_abs();
    let side = if by.signed() < 0 { "left" } else { "right" };
    let rest = format!("{:03}", thousandths % 1_000);
    match rest.trim_end_matches('0') {
        "" => format!("{side} {}°", thousandths / 1_000),
        rest => format!("{side} {}.{rest}°", thousandths / 1_000),
    }
}

/// A leg to the last hair's breadth.
pub fn leg(leg: &Leg) -> String {
    match leg {
        Leg::Ahead(go) => format!("ahead {go}"),
        Leg::Back(go) => format!("back {go}"),
        Leg::Sideways(go) if go.is_negative() => format!("left {}", -*go),
        Leg::Sideways(go) => format!("right {go}"),
        Leg::Oblique { by, go } => format!("oblique {} {go}", turned(*by)),
        Leg::Straight(to) => format!("to {}", spot(*to)),
        Leg::Turn(by) => format!("turn {}", turned(*by)),
        Leg::Wheel { pivot, by } => {
            let size = turned(*by);
            let size = size.split_once(' ').map_or("", |(_, size)| size);
            let side = if *pivot == Flank::Left { "left" } else { "right" };
            format!("wheel {side} {size}")
        }
        Leg::About => "about".to_owned(),
    }
}

/// Legs to the last hair's breadth.
pub fn legs(legs: &[Leg]) -> String {
    legs.iter().map(leg).collect::<Vec<_>>().join(", ")
}

/// A formation as it can be typed again: `line`, `march*1`, `line bent 30 after 4`.
pub fn typed(formation: Formation) -> String {
    let files = if formation.files == 0 { String::new() } else { format!("*{}", formation.files) };
    let bends = formation.joints().map(|bend| format!(" bent {} after {}", bend.by, bend.after));
    format!("{}{files}{}", formation.shape.word(), bends.collect::<String>())
}
