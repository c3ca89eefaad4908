//! Orders in words. What a player reads back is what he could have typed: every phrase can be typed again and gives the
//! same order, to the last hair's breadth.

use super::speech::{capital, command, feature, general, leg, legs, spot, turned, typed, unit, units};
use crate::field::Field;
use crate::order::{
    Before, Charger, Decision, Declaration, ForcedMarch, Order, Placement, Reserve, Shot, Step, WorkPlacement,
};
use crate::unit::{Crest, Task};
use book::telling::voice;
use table::Pose;

/// An order in words, without a full stop.
pub fn phrase(field: &Field, order: &Order) -> String {
    let text = match order {
        Order::Pass => declined(field.asked().map(|asked| &asked.decision)).to_owned(),
        Order::Stand => "stand".to_owned(),
        Order::Reform { formation, facing } => {
            let facing = facing.map(|facing| format!(" facing {facing}")).unwrap_or_default();
            format!("form {}{facing}", typed(*formation))
        }
        Order::Evade { to: None } => "evade".to_owned(),
        Order::Evade { to: Some(to) } => format!("evade to {}", spot(*to)),
        Order::GoOn { by } => format!("go on, wheeling {}", turned(*by)),
        _ => several(field, order).unwrap_or_else(|| one_move(field, order)),
    };
    capital(&text)
}

/// What declining means to the question in the room.
pub fn declined(decision: Option<&Decision>) -> &'static str {
    match decision {
        Some(Decision::Reserves) => "As the set-up says",
        Some(Decision::Deploy | Decision::DeployBrigade { .. }) => "Everybody stands where the set-up puts him",
        Some(Decision::Replace { .. }) => "Nobody is replaced",
        Some(Decision::Arrive { .. }) => "Nobody comes on",
        Some(Decision::Charges | Decision::Opportunity) => "Nobody charges",
        Some(Decision::Rally) => "The generals leave the rallying to the troops",
        Some(Decision::Fire | Decision::Defend) => "All hold fire",
        Some(Decision::React { .. }) => "It meets the charge as it stands",
        Some(Decision::Feint { .. }) => "All charges go on",
        Some(Decision::Move) => "No more moves",
        Some(Decision::Assault { .. }) => "Losers fall back, victors follow",
        Some(Decision::GoOn { .. }) => "It goes straight on",
        Some(Decision::Surrender { .. }) => "Nobody is given up",
        None => "No more",
    }
}

/// Whether these words, in normal form, decline some question.
pub fn declines(text: &str) -> bool {
    const ALL: [&str; 14] = [
        "as the set-up says",
        "everybody stands where the set-up puts him",
        "nobody is replaced",
        "nobody comes on",
        "nobody charges",
        "the generals leave the rallying to the troops",
        "all hold fire",
        "it meets the charge as it stands",
        "all charges go on",
        "no more moves",
        "losers fall back victors follow",
        "it goes straight on",
        "nobody is given up",
        "no more",
    ];
    ALL.contains(&text)
}

/// Items parted as a list is parted.
fn join(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join("; ")
}

/// Orders that hold several things at once.
fn several(field: &Field, order: &Order) -> Option<String> {
    let text = match order {
        Order::Reserve { off, hidden, works } => reserves(field, off, hidden, works),
        Order::Deploy { brigade, units, commanders } => {
            let brigade = brigade.map(|brigade| format!("set up {}", command(field, brigade)));
            let placed = units.iter().map(|one| format!("place {}", placement(field, one)));
            let staff = commanders
                .iter()
                .map(|one| format!("place general {} {}", general(field, one.commander), pose(one.pose)));
            match join(brigade.into_iter().chain(placed).chain(staff)) {
                none if none.is_empty() => "place nobody".to_owned(),
                some => some,
            }
        }
        Order::Replace { generals } => {
            let names: Vec<String> = generals.iter().map(|id| general(field, *id)).collect();
            format!("replace {}", nobody_or(names.join(", ")))
        }
        Order::Arrive { brigades } => {
            let each = brigades
                .iter()
                .map(|one| format!("{} {} at {}", command(field, one.brigade), voice::edge(one.edge), spot(one.at)));
            format!("announce {}", nobody_or(join(each)))
        }
        Order::Charge { declarations } => {
            let each = declarations.iter().map(|one| declaration(field, one));
            format!("charge {}", nobody_or(join(each)))
        }
        Order::Rally { help, decline, form } => {
            let helped =
                help.iter().map(|one| format!("help {} by {}", unit(field, one.unit), general(field, one.general)));
            let left = decline.iter().map(|id| format!("leave {}", unit(field, *id)));
            let formed = form.iter().map(|one| format!("form {} in {}", unit(field, one.unit), typed(one.formation)));
            match join(helped.chain(left).chain(formed)) {
                none if none.is_empty() => "rally as they must".to_owned(),
                some => some,
            }
        }
        Order::Fire { shots, reserve, arson } => {
            let fired = shots.iter().map(|one| shot(field, one));
            let kept = reserve.iter().map(|one| reserved(field, one));
            let burnt =
                arson.iter().map(|one| format!("burn {} by {}", feature(field, one.feature), units(field, &one.units)));
            match join(fired.chain(kept).chain(burnt)) {
                none if none.is_empty() => "fire nobody".to_owned(),
                some => some,
            }
        }
        Order::Feint { units: all } => format!("feint {}", units(field, all)),
        Order::Surrender { units: all } => format!("surrender {}", units(field, all)),
        Order::Assault { stay, decline } => match (stay.as_slice(), decline.as_slice()) {
            (stay, []) => format!("stay {}", units(field, stay)),
            ([], decline) => format!("halt {}", units(field, decline)),
            (stay, decline) => format!("stay {}; halt {}", units(field, stay), units(field, decline)),
        },
        _ => return None,
    };
    Some(text)
}

fn nobody_or(text: String) -> String {
    if text.is_empty() { "nobody".to_owned() } else { text }
}

fn reserves(field: &Field, off: &[engine::CommandId], hidden: &[Placement], works: &[WorkPlacement]) -> String {
    let kept = off.iter().map(|id| format!("keep {} off", command(field, *id)));
    let hiding = hidden.iter().map(|one| {
        let open = if one.hidden { "" } else { " unhidden" };
        format!("hide {}{open}", placement(field, &Placement { hidden: false, ..*one }))
    });
    let laid = works.iter().map(|one| format!("earthworks {} to {}", spot(one.from), spot(one.to)));
    match join(kept.chain(hiding).chain(laid)) {
        none if none.is_empty() => "keep nobody off".to_owned(),
        some => some,
    }
}

fn pose(pose: Pose) -> String {
    format!("at {} facing {}", spot(pose.at), pose.facing)
}

fn placement(field: &Field, one: &Placement) -> String {
    let hidden = if one.hidden { " hidden" } else { "" };
    let crest = crest(one.crest);
    format!("{} {} in {}{hidden}{crest}", unit(field, one.unit), pose(one.pose), typed(one.formation))
}

fn crest(crest: Option<Crest>) -> &'static str {
    match crest {
        None => "",
        Some(Crest::Behind) => " behind the crest",
        Some(Crest::Over) => " over the crest",
    }
}

fn declaration(field: &Field, one: &Declaration) -> String {
    let names: Vec<String> = one.units.iter().map(|charger| charging(field, charger)).collect();
    format!("{} at {}", nobody_or(names.join(" and ")), unit(field, one.at))
}

fn charging(field: &Field, one: &Charger) -> String {
    let squadron = one.squadron.map(|stands| format!(" with {stands} stands")).unwrap_or_default();
    let before = match &one.before {
        None => String::new(),
        Some(Before::Wheel(wheel)) => format!(" after {}", leg(wheel)),
        Some(Before::Form(formation)) => format!(" after form {}", typed(*formation)),
    };
    let advance = one.advance.map(|advance| format!(" going {advance}")).unwrap_or_default();
    format!("{}{squadron}{before}{advance}", unit(field, one.unit))
}

fn stands(stands: Option<u8>) -> String {
    stands.map(|stands| format!(" with {stands} stands")).unwrap_or_default()
}

fn shot(field: &Field, one: &Shot) -> String {
    let at = one.at.map(|at| format!(" at {}", unit(field, at))).unwrap_or_default();
    let staff = one.general.map(|id| format!(" at general {}", general(field, id))).unwrap_or_default();
    if at.is_empty() && staff.is_empty() && one.stands == Some(0) {
        return format!("reserve {}", unit(field, one.unit));
    }
    let none = if at.is_empty() && staff.is_empty() { " at will" } else { "" };
    let passing = if one.passing { " passing" } else { "" };
    format!("fire {}{at}{staff}{none}{}{passing}", unit(field, one.unit), stands(one.stands))
}

fn reserved(field: &Field, one: &Reserve) -> String {
    format!("reserve {}{}", unit(field, one.unit), stands(one.stands))
}

/// One move of the Movement Phase.
fn one_move(field: &Field, order: &Order) -> String {
    match order {
        Order::March { unit: id, steps, crest: at } => {
            let told: Vec<String> = steps.iter().map(step).collect();
            let steps = if told.is_empty() { "nowhere".to_owned() } else { told.join("; ") };
            format!("march {} {steps}{}", unit(field, *id), crest(*at))
        }
        Order::ForcedMarch { brigade, marches } => {
            let each = |one: &ForcedMarch| format!("{} {}", unit(field, one.unit), path(&one.legs));
            format!("force-march {}: {}", command(field, *brigade), nobody_or(join(marches.iter().map(each))))
        }
        Order::Screen { unit: id, stands, pose: at } => {
            let at = at.map(|at| format!(" {}", pose(at))).unwrap_or_default();
            format!("screen {} with {stands} stands{at}", unit(field, *id))
        }
        Order::Recall { unit: id } => format!("recall {}", unit(field, *id)),
        Order::Ride { general: who, to } => format!("ride {} to {}", general(field, *who), spot(*to)),
        Order::Join { general: who, unit: id } => format!("join {} to {}", general(field, *who), unit(field, *id)),
        Order::Attach { party, to: Some(to) } => format!("attach {} to {}", unit(field, *party), unit(field, *to)),
        Order::Attach { party, to: None } => format!("detach {}", unit(field, *party)),
        Order::Work { unit: id, task } => format!("work {}: {}", unit(field, *id), working(field, task)),
        Order::SearchFord { unit: id, river } => {
            format!("search with {} for a ford in {}", unit(field, *id), feature(field, *river))
        }
        Order::ToGround { unit: id } => format!("lie down {}", unit(field, *id)),
        Order::Man { battery } => format!("man {}", unit(field, *battery)),
        Order::Regroup { battery, crew } => {
            let each: Vec<String> = crew.iter().map(u8::to_string).collect();
            format!("regroup {} as {}", unit(field, *battery), nobody_or(each.join(", ")))
        }
        Order::Return { unit: id } => format!("return {}", unit(field, *id)),
        Order::Reveal { unit: id } => format!("reveal {}", unit(field, *id)),
        // Told by the others.
        _ => String::new(),
    }
}

/// Legs, or the word for none.
fn path(way: &[table::Leg]) -> String {
    if way.is_empty() { "halt".to_owned() } else { legs(way) }
}

/// One step of a march.
fn step(step: &Step) -> String {
    match step {
        Step::March(way) => path(way),
        Step::Form(formation) => format!("form {}", typed(*formation)),
        Step::Mount => "mount".to_owned(),
        Step::Dismount(formation) => format!("dismount in {}", typed(*formation)),
        Step::Limber => "limber up".to_owned(),
        Step::Unlimber(shape) => format!("unlimber {}", shape.word()),
    }
}

/// Work, as it can be typed again.
fn working(field: &Field, task: &Task) -> String {
    match task {
        Task::Demolish { bridge } => format!("demolish {}", feature(field, *bridge)),
        Task::Clear { obstacle, at } => format!("clear {} at {}", feature(field, *obstacle), spot(*at)),
        Task::Bridge { water, at, to, hands } => {
            let hands = if hands.is_empty() { String::new() } else { format!(" with {}", units(field, hands)) };
            format!("bridge {} at {} to {}{hands}", feature(field, *water), spot(*at), spot(*to))
        }
        Task::Barricade => "barricade".to_owned(),
        Task::Breach { at } => format!("clear works at {}", spot(*at)),
        Task::Sever { at } => format!("demolish boats at {}", spot(*at)),
    }
}
