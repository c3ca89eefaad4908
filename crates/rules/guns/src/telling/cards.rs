//! Cards: a piece's strength, state, command, what it has done and what it may do.

use super::Offer;
use super::answers::Targets;
use super::plan::stands_in;
use super::speech::{ability, capital, far, order_words, rank};
use super::{badges, charge_words};
use crate::Guns;
use crate::field::{Field, brigade, count, distance, facts, spacing, troops};
use crate::formation::Spacing;
use crate::order::Decision;
use crate::pace;
use crate::plot;
use crate::unit::{Arm, Facts, GunClass, Health, Level, Observer, Weapon};
use crate::{artillery, musketry, screen};
use book::telling::voice;
use engine::scene::{Gesture, Tone};
use engine::{CommanderId, UnitId, View, Whereabouts};
use table::Length;

/// A unit's card.
pub fn unit(view: &View<'_, Guns>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let piece = field.unit(unit);
    if piece.whereabouts == Whereabouts::Unseen {
        return vec!["Nothing is known of it.".to_owned()];
    }
    let facts = facts(field, unit);
    let mut lines = vec![field.card(unit).name.clone(), capital(&what(facts))];
    if !piece.is_present() {
        let words = match piece.whereabouts {
            Whereabouts::Gone => "Out of the battle",
            _ if facts.screen => "Not thrown out",
            _ => "Not on the table yet",
        };
        lines.push(words.to_owned());
        return lines;
    }
    lines.push(status(field, unit));
    if let Some(weapon) = arms(field, facts) {
        lines.push(weapon);
    }
    let order = match spacing(field, unit) {
        Spacing::Close => "close order",
        Spacing::Loose => "counts as loose order",
        Spacing::Extended => "counts as extended order",
    };
    lines.push(format!("Formation: {}, {order}", stands_in(field, unit)));
    let full = pace::full_move(field, unit).0;
    if full > Length::ZERO {
        lines.push(format!("Full move {}", far(field, full)));
    }
    lines.extend(state_lines(field, unit));
    lines.extend(chain(field, unit));
    lines.extend(done(field, unit));
    lines.extend(prospects(view, unit));
    lines
}

/// What it is, in a line.
fn what(facts: &Facts) -> String {
    let quality = quality(facts.quality);
    match facts.arm {
        _ if facts.screen => "skirmish screen".to_owned(),
        Arm::Artillery | Arm::RapidFire if facts.is_battery() => {
            let class = match facts.class {
                Some(GunClass::Horse) => "horse battery",
                Some(GunClass::Medium) => "medium battery",
                Some(GunClass::Heavy) => "heavy battery",
                Some(GunClass::SuperHeavy) => "super-heavy battery",
                Some(GunClass::Field) | None => "field battery",
            };
            format!("{quality}{class} of {} guns", facts.guns)
        }
        Arm::Infantry => {
            format!("{quality}infantry, {}{}", voice::count(usize::from(facts.elements), "element"), organic(facts))
        }
        Arm::Cavalry => format!("{quality}cavalry, {}", voice::count(usize::from(facts.elements), "element")),
        Arm::Artillery | Arm::RapidFire => {
            format!("{quality}rapid-fire weapons, {}", voice::count(usize::from(facts.elements), "element"))
        }
    }
}

fn organic(facts: &Facts) -> String {
    match facts.organic {
        0 => String::new(),
        n => format!(", {} of them rapid-fire", voice::number(usize::from(n))),
    }
}

/// A class of the book, or the number between two.
fn quality(quality: i8) -> String {
    const CLASSES: [&str; 5] = ["militia ", "conscript ", "regular ", "experienced ", "elite "];
    let step = i32::from(quality) + 4;
    match CLASSES.get(usize::try_from(step / 2).unwrap_or(usize::MAX)) {
        Some(class) if step % 2 == 0 => (*class).to_owned(),
        _ => format!("quality {quality:+} "),
    }
}

/// The track from the start down to 1, what is left of it and both limiters.
fn status(field: &Field, unit: UnitId) -> String {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    if facts.screen {
        return format!("Fires with a combat status of {}", screen::status(field, unit));
    }
    let number = |n: u8| {
        let mark = match n {
            _ if n == facts.charge_limit && n == facts.advance_limit => "ca",
            _ if n == facts.charge_limit => "c",
            _ if n == facts.advance_limit => "a",
            _ => "",
        };
        if n > own.status { "·".to_owned() } else { format!("{n}{mark}") }
    };
    let track: Vec<String> = (1..=facts.start).rev().map(number).collect();
    format!("Combat status {} of {}: {} (c charges, a advances)", own.status, facts.start, track.join(" "))
}

fn arms(field: &Field, facts: &Facts) -> Option<String> {
    let told = |weapon: &Weapon| {
        let kind = [(weapon.breech, "breech-loading"), (weapon.magazine, "magazine"), (weapon.howitzer, "howitzer")];
        let kinds: Vec<&str> = kind.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        format!("{}{kinds}: short {}, extreme {}", weapon.key, far(field, weapon.short), far(field, weapon.extreme))
    };
    if !facts.weapon.fires() {
        return Some("Cold steel alone".to_owned());
    }
    let second = facts.organic_weapon.as_ref().map(|weapon| format!("; {}", told(weapon))).unwrap_or_default();
    Some(format!("{}{second}", capital(&told(&facts.weapon))))
}

/// Its badges in words, and what they leave out.
fn state_lines(field: &Field, unit: UnitId) -> Vec<String> {
    let own = troops(field, unit);
    let told = badges(field, unit).into_iter().skip(1).filter(|badge| badge.tone != Tone::Calm);
    let mut lines: Vec<String> = told.map(|badge| capital(&badge.text)).collect();
    if let Some(charge) = &own.charge {
        let left = far(field, charge.left);
        lines.push(format!("Charge: {}, {left} in hand", charge_words(charge.stage)));
    }
    if let Some(place) = own.defending {
        lines.push(format!("Defends {}", voice::feature(field, place)));
    }
    match own.observer {
        Some(Observer::At(_)) => lines.push("Has an observer out".to_owned()),
        Some(Observer::Lost { until }) => lines.push(format!("Observer lost; another in bound {until}")),
        None => {}
    }
    if let Some(registration) = &own.registration {
        let how = if registration.ranged { "Ranged in on" } else { "Ranging in on" };
        lines.push(format!("{how} {}", voice::unit(field, registration.at)));
    }
    if !own.parents.is_empty() {
        let names: Vec<&str> = own.parents.iter().map(|id| voice::unit(field, *id)).collect();
        lines.push(format!("Skirmishers of {}", voice::list(&names)));
    }
    if own.charges > 0 {
        lines.push(format!("{} made", capital(&voice::count(usize::from(own.charges), "charge"))));
    }
    if own.retirements > 0 {
        let total = voice::count(usize::from(own.retirements), "bound");
        lines.push(format!("Driven back in {total}, {} running", voice::number(usize::from(own.running))));
    }
    lines
}

/// Its brigade with its order, and who commands above it.
fn chain(field: &Field, unit: UnitId) -> Vec<String> {
    let muster = field.muster();
    let mut names = Vec::new();
    let mut command = brigade(field, unit);
    while let Some(id) = command {
        let card = muster.command(id);
        let leader = card.commander.map(|id| format!(" ({})", voice::commander(field, id))).unwrap_or_default();
        names.push(format!("{}{leader}", card.name));
        command = card.parent;
    }
    let mut lines: Vec<String> = if names.is_empty() { Vec::new() } else { vec![format!("Of {}", names.join(", "))] };
    let record = brigade(field, unit).and_then(|id| field.ledger().brigades.get(id.index()));
    if let Some(order) = record.and_then(|record| record.order) {
        lines.push(format!("Ordered to {}", order_words(field, order)));
    }
    lines
}

fn done(field: &Field, unit: UnitId) -> Vec<String> {
    let bound = &troops(field, unit).bound;
    let mut acts = Vec::new();
    if bound.responds {
        acts.push("obeys".to_owned());
    }
    if bound.used > Length::ZERO {
        acts.push(format!("{} of {} of its move used", far(field, bound.used), far(field, bound.full)));
    }
    let did = [
        (bound.fired, "has fired"),
        (bound.skirmished, "under skirmishers’ fire"),
        (bound.volleyed, "under the fire of formed foot"),
        (bound.retired, "was driven back"),
        (bound.fought, "fought hand to hand"),
        (bound.alarmed, "alarmed while reforming"),
    ];
    acts.extend(did.into_iter().filter(|(is, _)| *is).map(|(_, words)| words.to_owned()));
    if bound.damage > 0 {
        acts.push(format!("lost {}", voice::count(usize::from(bound.damage), "point")));
    }
    if acts.is_empty() { Vec::new() } else { vec![format!("This bound: {}", acts.join("; "))] }
}

/// What a unit may do now, or why it may not; told to its own side alone.
fn prospects(view: &View<'_, Guns>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let side = field.side_of(unit);
    let Some(asked) = field.asked().filter(|asked| view.viewer().knows(side) && asked.who.includes(side)) else {
        return Vec::new();
    };
    let mut offer = Offer::new(view, asked, side);
    match &asked.decision {
        Decision::Plot => {
            offer.unit_moves(unit);
            offer.observer_moves(unit);
        }
        Decision::Guns => offer.shots_of(unit, artillery::targets as Targets, None),
        Decision::Musketry => offer.shots_of(unit, musketry::targets as Targets, None),
        _ => {}
    }
    let why = || match (&asked.decision, plot::allowance(field, unit)) {
        (Decision::Plot, Err((clause, text))) => Some(format!("May not move: {text} [{}]", clause.id())),
        _ => None,
    };
    may(&offer.gestures).or_else(why).into_iter().collect()
}

/// The acts on offer in a line, each once.
fn may(gestures: &[Gesture]) -> Option<String> {
    let mut acts: Vec<String> = Vec::new();
    for gesture in gestures {
        let label = match gesture {
            Gesture::Button { label, .. }
            | Gesture::PickTarget { label, .. }
            | Gesture::DrawPath { label, .. }
            | Gesture::PickFormation { label, .. } => label,
            _ => continue,
        };
        let mut letters = label.chars();
        let act: String = letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
        if !acts.contains(&act) {
            acts.push(act);
        }
    }
    (!acts.is_empty()).then(|| format!("May: {}", acts.join("; ")))
}

/// A general's card.
pub fn officer(view: &View<'_, Guns>, id: CommanderId) -> Vec<String> {
    let field: &Field = view;
    let (card, piece) = (field.muster().commander(id), field.commander(id));
    let own = &piece.own;
    let worth = own.ability.map(|worth| format!(", {}", ability(worth).split_once(' ').map_or("", |word| word.1)));
    let mut lines = vec![
        card.name.clone(),
        capital(&format!("{}{}", rank(card.facts.level), worth.unwrap_or_default())),
        format!("Commands {}", voice::command(field, card.commands)),
    ];
    if let Some(worth) = own.ability {
        let need = field.charts().command.rating(worth).need.value.get();
        lines.push(format!("His brigade is activated by {need} or more"));
    }
    lines.push(match card.facts.telephone && card.facts.level == Level::Army {
        true => "Orders reach everywhere by telephone".to_owned(),
        false => format!("Orders reach {}", far(field, distance(field, field.charts().zone.radius(card.facts.level)))),
    });
    if let Health::Disabled { bound } = own.health {
        lines.push(format!("Hit in bound {bound}; another takes over"));
    }
    if !piece.is_present() {
        let gone = piece.whereabouts == Whereabouts::Gone;
        lines.push(if gone { "Out of the battle".to_owned() } else { "Not on the table yet".to_owned() });
        return lines;
    }
    if let Some(unit) = own.attached {
        lines.push(format!("With {}", voice::unit(field, unit)));
    }
    if let Some(brigade) = own.present {
        lines.push(format!("Lends his weight to {} this bound", voice::command(field, brigade)));
    }
    if let Some(record) = field.ledger().brigades.get(card.commands.index()) {
        lines.extend(record.order.map(|order| format!("Ordered to {}", order_words(field, order))));
        if record.activated {
            let die = record.die.map(|die| format!(" by a {die}")).unwrap_or_default();
            let units = super::super::field::brigade_units(field, card.commands);
            let here: u32 = units.filter(|id| field.unit(*id).is_present()).map(|id| u32::from(count(field, id))).sum();
            lines.push(format!("Activated{die}; {here} elements on the table"));
        }
    }
    lines.push(format!("Rides up to {}", far(field, distance(field, &field.charts().pace.general))));
    lines
}
