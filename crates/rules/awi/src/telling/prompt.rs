//! Questions in a wargamer's words, each with its clause and the gestures that answer it.

use super::Offer;
use super::voice::{self, commander, list, unit};
use crate::Awi;
use crate::clause::Clause;
use crate::courier;
use crate::field::{Field, facts, troops};
use crate::fire;
use crate::movement;
use crate::order::{Allowance, Decision, Going, Order, Piece, Verb};
use crate::unit::Arm;
use book::telling::offer::blank;
use engine::scene::{Gesture, PlanKind, Prompt};
use engine::{Asked, CommandId, Side, UnitId, Verdict, View};
use serde_json::{Value, json};
use table::{Angle, Leg, Length};

/// On the button of whoever takes a shell's odd hit.
const TAKES_IT: &str = "Takes the odd hit";

/// The question with its gestures.
pub fn prompt(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side) -> Prompt {
    let (question, clause) = question(view, &asked.decision, side);
    let mut offer = Offer::new(view, asked, side);
    gestures(&mut offer, &asked.decision);
    Prompt { no: asked.no, side, question, clause: clause.id().to_owned(), gestures: offer.into_gestures() }
}

fn question(field: &Field, decision: &Decision, side: Side) -> (String, Clause) {
    let name = |id: &UnitId| unit(field, *id);
    match decision {
        Decision::Deploy => ("Where do your troops stand?".to_owned(), Clause::ScenarioTerms),
        Decision::PlaceSharpshooters { .. } => {
            let men = marksmen(field, side).len();
            let text = match men {
                0 => "You have no sharpshooters; let the enemy hide his".to_owned(),
                _ => format!("Where do your {} hide?", voice::count(men, "sharpshooter")),
            };
            (text, Clause::SharpshooterConcealed)
        }
        Decision::FirstOrders if courier::is_structured(field, side) => {
            ("What is each brigade ordered to do?".to_owned(), Clause::OrdersToBrigades)
        }
        Decision::FirstOrders => {
            ("Your brigades need no orders; let the enemy write his".to_owned(), Clause::OrdersToBrigades)
        }
        Decision::ChooseFirst => ("The dice favour you: who has the first turn?".to_owned(), Clause::TurnsAlternate),
        Decision::RallyOrder { .. } => ("In which order do your routers try to rally?".to_owned(), Clause::TestToRally),
        Decision::RallyFacing { unit } => {
            (format!("{}: which way to face?", voice::does(name(unit), "rally")), Clause::TestToRally)
        }
        Decision::Pursuer { unit } => {
            (format!("{} in pursuit: try to halt, or go on?", voice::does(name(unit), "be")), Clause::PursuerStops)
        }
        Decision::SendCourier => ("Will you send an order by courier?".to_owned(), Clause::CouriersCarryOrders),
        Decision::Activate => ("Which piece acts next, and how?".to_owned(), Clause::KindsOfMove),
        Decision::Path { unit, going, allowance } => (way(name(unit), *going, allowance), way_clause(*going)),
        Decision::FailedChargeVolley { unit, at } => (
            format!("The charge of {} fell short: {} {} fire?", name(at), voice::do_of(name(unit)), name(unit)),
            Clause::DisorderedIsOpen,
        ),
        Decision::DefensiveGrape { unit, at } => {
            (format!("{} against {}: grapeshot or plain shot?", name(unit), name(at)), Clause::Grapeshot)
        }
        Decision::Support { charger, target, .. } => {
            let text = format!("{} against {}: who supports with fire?", name(charger), name(target));
            (text, Clause::SupportingFire)
        }
        Decision::OfficerAttempt { by, able } => {
            let names: Vec<&str> = able.iter().map(|id| commander(field, *id)).collect();
            let guns = fire::is_battery(field, *by);
            let text = format!("{} in danger from {}: spend a hit?", is_are(&names), name(by));
            (text, if guns { Clause::OfficerUnderGuns } else { Clause::PickedOut })
        }
        Decision::DivertHits { hits, able } => {
            let names: Vec<&str> = able.iter().map(|id| commander(field, *id)).collect();
            let text = format!("{} in the melee: spend any of your {}?", is_are(&names), voice::count(*hits, "hit"));
            (text, Clause::OfficerInMelee)
        }
        Decision::Pursue { unit, quarry } => {
            (format!("{}: shall {} pursue?", voice::does(name(quarry), "run"), name(unit)), Clause::MayPursue)
        }
        Decision::Fire => ("Who fires next?".to_owned(), Clause::PhaseOrder),
        Decision::ShellTie { .. } => {
            ("Equally near the burst: who takes the odd hit?".to_owned(), Clause::ShellSharing)
        }
        Decision::MeleeNext { .. } => ("Which melee is fought next?".to_owned(), Clause::CompareScores),
        Decision::UnopposedLoss { .. } => ("An unopposed blow: who takes it?".to_owned(), Clause::UnopposedDie),
    }
}

fn is_are(names: &[&str]) -> String {
    format!("{} {}", list(names), if names.len() == 1 { "is" } else { "are" })
}

fn way(name: &str, going: Going, allowance: &Allowance) -> String {
    let far = match () {
        _ if allowance.road_only => format!("{} on the road", voice::inches(allowance.by_road)),
        _ if allowance.by_road > allowance.anywhere => {
            format!("{}, or {} on the road", voice::inches(allowance.anywhere), voice::inches(allowance.by_road))
        }
        _ => voice::inches(allowance.anywhere),
    };
    let asks = if going.is_breaking_off() { "How far back" } else { "Which way" };
    format!("{asks} {} {name} go? Up to {far}", voice::do_of(name))
}

fn way_clause(going: Going) -> Clause {
    match going {
        Going::Full => Clause::KindsOfMove,
        Going::Half | Going::AfterFire => Clause::FireAndMove,
        Going::AfterReform => Clause::FormationChange,
        Going::BreakingOff | Going::BreakingOffHalf => Clause::BreakOff,
    }
}

fn marksmen(field: &Field, side: Side) -> Vec<UnitId> {
    let ids = field.muster().unit_ids().filter(|id| field.side_of(*id) == side);
    ids.filter(|id| facts(field, *id).arm == Arm::Sharpshooter).collect()
}

fn gestures(offer: &mut Offer<'_, '_>, decision: &Decision) {
    let field: &Field = offer.view;
    match decision {
        Decision::Deploy => deployment(offer),
        Decision::PlaceSharpshooters { .. } => hiding(offer),
        Decision::FirstOrders => first_orders(offer),
        Decision::ChooseFirst => {
            offer.button("We begin", Some('b'), &Order::Begin { me: true });
            offer.button("Let the enemy begin", Some('w'), &Order::Begin { me: false });
        }
        Decision::RallyOrder { units } => rally_order(offer, units),
        Decision::RallyFacing { unit } => {
            let into = vec![field.unit(*unit).body.formation.word().to_owned()];
            let draft = blank(offer.draft(&Order::Face { facing: Angle::NORTH }), "facing", "$facing");
            let key = offer.key(unit);
            offer.gestures.push(Gesture::PickFormation { label: "Face".to_owned(), unit: key, into, draft });
            offer.button_of(*unit, "Face the nearest enemy", Some('e'), &Order::Pass);
        }
        Decision::Pursuer { unit } => {
            offer.button_of(*unit, "Try to halt", Some('h'), &Order::TryHalt);
            offer.button_of(*unit, "Go on", Some('g'), &Order::GoOn);
        }
        Decision::SendCourier => {
            courier_orders(offer);
            offer.button("No more couriers", Some('e'), &Order::Pass);
        }
        Decision::Activate => {
            offer.activations();
            offer.button("End movement", Some('e'), &Order::Pass);
        }
        Decision::Path { unit, going, allowance } => path(offer, *unit, *going, allowance),
        Decision::FailedChargeVolley { unit, .. } => yes_or_no(offer, *unit, "Fire", &Order::Shoot, "Keep the load"),
        Decision::DefensiveGrape { unit, .. } => yes_or_no(offer, *unit, "Grapeshot", &Order::Grape, "Plain shot"),
        Decision::Support { able, .. } => {
            if let Some(unit) = able.first() {
                let draft = blank(offer.draft(&Order::Support { unit: *unit }), "unit", "$piece");
                offer.pick("Support with fire", able, draft);
            }
            offer.button("Nobody else", Some('n'), &Order::Pass);
        }
        Decision::OfficerAttempt { able, .. } => {
            if let Some(on) = able.first() {
                let draft = blank(offer.draft(&Order::Attempt { on: *on }), "on", "$piece");
                offer.pick("Spend a hit on", able, draft);
            }
            offer.button("All hits on the unit", Some('n'), &Order::Pass);
        }
        Decision::DivertHits { hits, able } => {
            for on in able {
                for spent in 1..=usize::from((*hits).min(4)) {
                    let label = voice::sentence(&format!("{} on him", voice::count(spent, "hit")));
                    let order = Order::Divert { on: vec![*on; spent] };
                    offer.button_of(*on, label.trim_end_matches('.'), None, &order);
                }
            }
            if able.len() > 1 && able.len() <= usize::from(*hits) {
                offer.button("One hit on each", None, &Order::Divert { on: able.clone() });
            }
            offer.button("All hits on the units", Some('n'), &Order::Pass);
        }
        Decision::Pursue { unit, .. } => yes_or_no(offer, *unit, "Pursue", &Order::Pursue, "Stay in hand"),
        Decision::Fire => {
            offer.firing();
            offer.button("End firing", Some('e'), &Order::Pass);
        }
        Decision::ShellTie { among } => {
            for one in among {
                let order = Order::Pick { piece: *one };
                match one {
                    Piece::Unit(id) => offer.button_of(*id, TAKES_IT, None, &order),
                    Piece::Commander(id) => offer.button_of(*id, TAKES_IT, None, &order),
                }
            }
        }
        Decision::MeleeNext { units } => {
            if let Some(unit) = units.first() {
                let draft = blank(offer.draft(&Order::Fight { unit: *unit }), "unit", "$piece");
                offer.pick("Fight the melee of", units, draft);
            }
            offer.button("In roster order", Some('e'), &Order::Pass);
        }
        Decision::UnopposedLoss { among } => {
            if let Some(unit) = among.first() {
                let draft = blank(offer.draft(&Order::Strike { unit: *unit }), "unit", "$piece");
                offer.pick("Strike", among, draft);
            }
            offer.button("In roster order", Some('e'), &Order::Pass);
        }
    }
}

fn yes_or_no(offer: &mut Offer<'_, '_>, unit: UnitId, yes: &str, order: &Order, no: &str) {
    offer.button_of(unit, yes, Some('y'), order);
    offer.button_of(unit, no, Some('n'), &Order::Pass);
}

/// The plan is the whole deployment: `{ "units": […], "commanders": […] }`. A zone of one brigade or unit alone is
/// shown with those of the side; who may stand in it the check tells.
fn deployment(offer: &mut Offer<'_, '_>) {
    let field: &Field = offer.view;
    let side = offer.side;
    let units = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && facts(field, *id).is_troops());
    let units: Vec<UnitId> = units.collect();
    let riders = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let mut zones = field.muster().sides[side].zones.clone();
    for zone in units.iter().flat_map(|id| &facts(field, *id).zones) {
        if !zones.contains(zone) {
            zones.push(*zone);
        }
    }
    let words = |id: &UnitId| facts(field, *id).formations().iter().map(|one| one.word().to_owned()).collect();
    let of_units = units.iter().map(|id| (offer.key(id), words(id)));
    let formations: Vec<(String, Vec<String>)> = of_units.chain(riders.map(|id| (offer.key(id), Vec::new()))).collect();
    let pieces = formations.iter().map(|(key, _)| key.clone()).collect();
    offer.gestures.push(Gesture::Plan {
        label: "Set the troops up".to_owned(),
        kind: PlanKind::Place { formations, zones },
        pieces,
        draft: json!({ "deploy": "$plan" }),
    });
    offer.button("As the scenario places them", Some('e'), &Order::Pass);
}

/// The plan is a list of places.
fn hiding(offer: &mut Offer<'_, '_>) {
    let men = marksmen(offer.view, offer.side);
    if !men.is_empty() {
        let pieces = men.iter().map(|id| offer.key(id)).collect();
        let draft = json!({ "sharpshooters": { "at": "$plan" } });
        offer.gestures.push(Gesture::Plan {
            label: "Hide the sharpshooters".to_owned(),
            kind: PlanKind::Spots,
            pieces,
            draft,
        });
    }
    offer.button("None", Some('e'), &Order::Pass);
}

fn rally_order(offer: &mut Offer<'_, '_>, units: &[UnitId]) {
    offer.button("In roster order", Some('e'), &Order::Pass);
    for first in units {
        let rest = units.iter().filter(|unit| *unit != first);
        let order = Order::Sequence { units: std::iter::once(first).chain(rest).copied().collect() };
        offer.button_of(*first, "Rally first", None, &order);
    }
    let pieces = units.iter().map(|id| offer.key(id)).collect();
    let draft = json!({ "sequence": { "units": "$plan" } });
    offer.gestures.push(Gesture::Plan {
        label: "In an order of your own".to_owned(),
        kind: PlanKind::Sequence,
        pieces,
        draft,
    });
}

fn path(offer: &mut Offer<'_, '_>, unit: UnitId, going: Going, allowance: &Allowance) {
    if going.is_breaking_off() {
        let march = movement::March { unit, going, allowance: *allowance };
        let fits = |go: &Length| {
            let mut verdict = Verdict::fine();
            movement::check_path(offer.view, &march, &[Leg::Back(*go)], &[], &mut verdict);
            verdict.is_legal()
        };
        let most = allowance.anywhere;
        let tries = [most, most.times(0.75), most.half(), most.times(0.25)];
        let able: Vec<Length> = tries.into_iter().filter(|go| *go > Length::ZERO && fits(go)).collect();
        for go in able {
            let order = Order::Path { legs: vec![Leg::Back(go)], with: Vec::new() };
            offer.button_of(unit, format!("Straight back {}", voice::inches(go)), None, &order);
        }
        let draft = blank(offer.draft(&Order::Path { legs: Vec::new(), with: Vec::new() }), "legs", "$legs");
        let label = "Straight back".to_owned();
        let key = offer.key(unit);
        offer.gestures.push(Gesture::DrawPath { label, unit: key, allowance: most, draft });
    } else {
        let most = if allowance.road_only { allowance.by_road } else { allowance.anywhere.max(allowance.by_road) };
        offer.draw("Go", unit, most, |with| Order::Path { legs: Vec::new(), with });
    }
    offer.button_of(unit, "Stay", Some('e'), &Order::Pass);
}

/// Every verb with its objectives for one brigade; `make` wraps an order into the draft of the question.
fn verbs(offer: &mut Offer<'_, '_>, name: &str, by: &str, make: impl Fn(Value, Verb) -> Value) {
    let field: &Field = offer.view;
    let features: Vec<String> =
        (0..field.ground().features.len() as u16).map(|n| offer.key(engine::FeatureId(n))).collect();
    let enemies: Vec<String> = troops(field, offer.side.other()).map(|(id, _)| offer.key(id)).collect();
    let mut pick = |label: &str, at: &[String], objective: Value, verb: Verb| {
        if !at.is_empty() {
            let label = format!("{name}: {label}");
            let draft = make(objective, verb);
            offer.gestures.push(Gesture::PickTarget { label, by: by.to_owned(), at: at.to_vec(), draft });
        }
    };
    pick("advance on", &features, json!({ "feature": "$target" }), Verb::Advance);
    pick("hold", &features, json!({ "feature": "$target" }), Verb::Hold);
    pick("attack", &enemies, json!({ "unit": "$target" }), Verb::Attack);
    pick("attack a place", &features, json!({ "feature": "$target" }), Verb::Attack);
    pick("withdraw to", &features, json!({ "feature": "$target" }), Verb::Withdraw);
    let anywhere = field.ground().size.0 + field.ground().size.1;
    for (verb, label) in [(Verb::Advance, "advance to a spot"), (Verb::Hold, "hold a spot")] {
        let draft = make(json!({ "point": "$point" }), verb);
        offer.point_at(format!("{name}: {label}"), by.to_owned(), anywhere, draft);
    }
    for edge in field.muster().sides[offer.side].edges.clone() {
        let draft = make(json!({ "edge": serde_json::to_value(edge).unwrap_or(Value::Null) }), Verb::Withdraw);
        let label = format!("{name}: withdraw to the {} edge", voice::edge(edge));
        offer.gestures.push(Gesture::Button { of: Some(by.to_owned()), label, key: None, draft });
    }
    let (label, draft) = (format!("{name}: stay in reserve"), make(json!("nothing"), Verb::Reserve));
    offer.gestures.push(Gesture::Button { of: Some(by.to_owned()), label, key: None, draft });
}

/// One press for each brigade it could support: brigades are no pieces that could be pointed at.
fn supports(offer: &mut Offer<'_, '_>, brigade: CommandId, by: &str, make: impl Fn(Value, Verb) -> Value) {
    let field: &Field = offer.view;
    let others: Vec<CommandId> = courier::brigades(field, offer.side).filter(|other| *other != brigade).collect();
    for other in others {
        let label = format!("{}: support {}", voice::command(field, brigade), voice::command(field, other));
        let draft = make(json!({ "brigade": offer.key(other) }), Verb::Support);
        offer.gestures.push(Gesture::Button { of: Some(by.to_owned()), label, key: None, draft });
    }
}

/// Who stands for a brigade on the map: its commander, else its first unit there, else the brigade itself.
fn leader(offer: &Offer<'_, '_>, brigade: CommandId) -> String {
    let field: &Field = offer.view;
    let commander = field.muster().command(brigade).commander.filter(|id| field.commander(*id).is_present());
    let mut units = troops(field, offer.side).filter(|(id, _)| field.card(*id).command == Some(brigade));
    match (commander, units.next()) {
        (Some(officer), _) => offer.key(officer),
        (None, Some((unit, _))) => offer.key(unit),
        (None, None) => offer.key(brigade),
    }
}

fn courier_orders(offer: &mut Offer<'_, '_>) {
    let field: &Field = offer.view;
    let all: Vec<CommandId> = courier::brigades(field, offer.side).collect();
    for brigade in all.iter().copied().filter(|brigade| courier::can_reach(field, *brigade)) {
        let (name, by, to) = (voice::command(field, brigade), leader(offer, brigade), offer.key(brigade));
        let make = |objective: Value, verb: Verb| {
            let order = json!({ "verb": courier::verb(verb), "objective": objective });
            json!({ "send": { "to": to, "order": order } })
        };
        verbs(offer, name, &by, make);
        supports(offer, brigade, &by, make);
    }
}

/// What one brigade may be told first: gestures whose drafts are entries of the list of first orders.
fn options(offer: &mut Offer<'_, '_>, brigade: CommandId) -> Vec<Gesture> {
    let so_far = std::mem::take(&mut offer.gestures);
    let (name, by, to) = (voice::command(offer.view, brigade), leader(offer, brigade), offer.key(brigade));
    let make = |objective: Value, verb: Verb| json!({ "to": to, "order": { "verb": courier::verb(verb), "objective": objective } });
    verbs(offer, name, &by, make);
    supports(offer, brigade, &by, make);
    std::mem::replace(&mut offer.gestures, so_far)
}

/// The plan is a list of `{ "to": brigade, "order": { "verb": …, "objective": … } }`; the rest are short cuts for all
/// brigades at once.
fn first_orders(offer: &mut Offer<'_, '_>) {
    let field: &Field = offer.view;
    if courier::is_structured(field, offer.side) {
        let all: Vec<CommandId> = courier::brigades(field, offer.side).collect();
        let pieces: Vec<String> = all.iter().map(|brigade| offer.key(brigade)).collect();
        let draft = json!({ "first_orders": { "orders": "$plan" } });
        let options = all.iter().map(|brigade| (offer.key(brigade), options(offer, *brigade))).collect();
        let by = all.first().map(|brigade| leader(offer, *brigade)).unwrap_or_default();
        offer.gestures.push(Gesture::Plan {
            label: "An order for each brigade".to_owned(),
            kind: PlanKind::Each { options },
            pieces: pieces.clone(),
            draft,
        });
        let make = |objective: Value, verb: Verb| {
            let order = json!({ "verb": courier::verb(verb), "objective": objective });
            let orders: Vec<Value> = pieces.iter().map(|to| json!({ "to": to, "order": order })).collect();
            json!({ "first_orders": { "orders": orders } })
        };
        verbs(offer, "All brigades", &by, make);
    }
    offer.button("Every brigade holds where it stands", Some('e'), &Order::Pass);
}
