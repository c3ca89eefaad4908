//! Which nominations are legal (P1.1, R45, R46, R49, R50).

use super::answer::{can_answer, issuer, radius};
use super::may_stay_disordered;
use crate::Guns;
use crate::clause::Clause;
use crate::field::{Field, brigade_units, brigades, chain, distance, elements, general_of, is_there, known};
use crate::generals::{level, place};
use crate::order::{BrigadeOrder, Matter, NewOrder, Nomination, Order, Posture};
use crate::settings::OrdersEnforcement;
use crate::sight::{sees_feature_within, sees_unit_within};
use crate::unit::Level;
use engine::{CommandId, CommanderId, Mark, Side, UnitId, Verdict, View};
use table::{Point, SLACK, Vec2};

/// Judges nominations.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Nominate { brigades, stay_disordered } => {
            for (n, nomination) in brigades.iter().enumerate() {
                let earlier = brigades.get(..n).unwrap_or_default();
                check_one(field, side, nomination, earlier, &mut verdict);
            }
            for unit in stay_disordered {
                check_stays(field, side, *unit, &mut verdict);
            }
        }
        _ => drop(verdict.refuse(Clause::DiePerBrigade, "name the brigades that are to move, or nobody")),
    }
    verdict
}

fn check_stays(field: &Field, side: Side, unit: UnitId, verdict: &mut Verdict) {
    let exists = unit.index() < field.muster().units.len();
    if !exists || field.side_of(unit) != side || !is_there(field, unit) {
        verdict.refuse(Clause::StandStill, "only your own units on the table can be left unreformed");
    } else if !may_stay_disordered(field, unit) {
        let text = format!("{} has nothing to choose: it does not reform, or it must", field.card(unit).name);
        verdict.refuse(Clause::StandStill, text).about(unit);
    }
}

/// Whether a brigade could be nominated at all: it is a brigade of this side and somebody in it can answer.
pub fn can_be_named(field: &Field, side: Side, brigade: CommandId) -> bool {
    brigades(field, side).any(|own| own == brigade) && brigade_units(field, brigade).any(|unit| can_answer(field, unit))
}

/// Whether a brigade may go on with what it was told; one told to hold needs a new order (R50).
pub fn may_continue(field: &Field, brigade: CommandId) -> bool {
    let posture = standing(field, brigade).map(|order| order.posture);
    !is_strict(field) || posture != Some(Posture::Hold)
}

/// A brigade's standing order.
pub fn standing(field: &Field, brigade: CommandId) -> Option<BrigadeOrder> {
    field.ledger().brigades.get(brigade.index()).and_then(|record| record.order)
}

/// Whether orders must be justified (R50).
pub fn is_strict(field: &Field) -> bool {
    field.settings().orders_enforcement == OrdersEnforcement::Strict
}

fn check_one(field: &Field, side: Side, nomination: &Nomination, earlier: &[Nomination], verdict: &mut Verdict) {
    let brigade = nomination.brigade;
    if !brigades(field, side).any(|own| own == brigade) {
        verdict.refuse(Clause::DiePerBrigade, "only brigades of your own can be named");
        return;
    }
    let name = &field.muster().command(brigade).name;
    if earlier.iter().any(|other| other.brigade == brigade) {
        verdict.refuse(Clause::DiePerBrigade, format!("{name} is named twice"));
    }
    if !can_be_named(field, side, brigade) {
        verdict.refuse(Clause::DisorderedDeaf, format!("nobody in {name} can answer an order"));
    }
    check_issuer(field, nomination, verdict);
    match &nomination.new {
        Some(new) => check_new(field, side, nomination, new, verdict),
        None if !may_continue(field, brigade) => {
            verdict.refuse(Clause::FurtherOrders, format!("{name} was told to hold and needs a new order to move"));
        }
        None => {}
    }
    check_present(field, nomination, earlier, verdict);
}

/// Whoever gives the order is above the brigade and fit; its own commander's old order goes on though he is down (R47).
fn check_issuer(field: &Field, nomination: &Nomination, verdict: &mut Verdict) {
    let of_new = nomination.new.as_ref().and_then(|new| new.issuer);
    if of_new.is_some() && nomination.issuer.is_some() && of_new != nomination.issuer {
        verdict.refuse(Clause::OrdersToBelow, "two different generals are named for one order");
    }
    for general in of_new.into_iter().chain(nomination.issuer) {
        if !chain(field, nomination.brigade).contains(&general) {
            verdict.refuse(Clause::OrdersToBelow, "a general gives orders only to formations below him");
            return;
        }
    }
    let Some(general) = issuer(field, nomination) else {
        verdict.refuse(Clause::OrdersToBelow, "it has nobody to give it orders");
        return;
    };
    let own = general_of(field, nomination.brigade) == Some(general);
    let piece = field.commander(general);
    let able = piece.is_present() && piece.own.is_fit();
    if !able && (nomination.new.is_some() || !own) {
        let text = format!("{} is in no state to give orders", field.muster().commander(general).name);
        verdict.refuse(Clause::OrdersToBelow, text).at(Mark::Spot(Point::from_vec(place(field, general))));
    }
}

fn check_new(field: &Field, side: Side, nomination: &Nomination, new: &NewOrder, verdict: &mut Verdict) {
    let strict = is_strict(field);
    match new.order.posture {
        Posture::Withdraw if !field.settings().withdraw_orders => {
            verdict.refuse(Clause::WithdrawOrders, "orders to withdraw are not played with");
        }
        Posture::Hold if strict => {
            verdict
                .refuse(Clause::HalfMoveDuty, "a brigade that is to hold is not named: who is activated must advance");
        }
        _ => {}
    }
    if !is_place(field, side, new.order.objective) {
        verdict.refuse(Clause::FurtherOrders, "its objective is no place on the table, no ground and no enemy in view");
    }
    if strict && let Some(general) = issuer(field, nomination) {
        check_cause(field, general, new.cause, verdict);
    }
}

/// Whether an order may aim at it: a place on the table, a piece of ground, an enemy.
fn is_place(field: &Field, side: Side, objective: Matter) -> bool {
    match objective {
        Matter::Point(point) => field.ground().bounds().contains(point.vec()),
        Matter::Feature(feature) => feature.index() < field.ground().features.len(),
        Matter::Unit(unit) => known(field, side.other()).any(|(id, _)| id == unit),
    }
}

/// What prompts a new order must lie in its giver's zone and in his sight (orders-d, -e).
fn check_cause(field: &Field, general: CommanderId, cause: Matter, verdict: &mut Verdict) {
    if !field.commander(general).is_present() {
        return;
    }
    let from = place(field, general);
    let name = &field.muster().commander(general).name;
    let mark = |place: Vec2| Mark::Line(Point::from_vec(from), Point::from_vec(place));
    let (clause, text) = match shortcoming(field, general, cause) {
        None => return,
        Some(Shortcoming::Nothing) => {
            (Clause::FurtherOrders, String::from("an enemy, a friend or ground in view must prompt a new order"))
        }
        Some(Shortcoming::TooFar) if is_seen(field, from, cause) => {
            (Clause::OutsideZoneIgnored, format!("{name} takes no notice of what he sees outside his zone"))
        }
        Some(Shortcoming::TooFar) => {
            (Clause::EventInZone, format!("what prompts the order lies outside the zone of {name}"))
        }
        Some(Shortcoming::Unseen) => (Clause::EventSeen, format!("{name} cannot see what is to prompt his order")),
    };
    let note = verdict.refuse(clause, text);
    match cause {
        Matter::Unit(unit) if unit.index() < field.muster().units.len() => {
            note.about(unit).at(mark(field.unit(unit).quad().centre));
        }
        Matter::Feature(feature) => {
            if let Some(feature) = field.ground().features.get(feature.index()) {
                note.at(mark(feature.shape.centre()));
            }
        }
        _ => {}
    }
}

/// Whether something is in sight of a place, however far it is.
fn is_seen(field: &Field, from: Vec2, cause: Matter) -> bool {
    match cause {
        Matter::Unit(unit) => sees_unit_within(field, from, unit, None),
        Matter::Feature(feature) => sees_feature_within(field, from, feature, None),
        Matter::Point(_) => false,
    }
}

/// Why something cannot prompt an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortcoming {
    /// It is nothing that could.
    Nothing,
    /// It lies outside the zone.
    TooFar,
    /// No part of it in the zone is in sight.
    Unseen,
}

/// Why something cannot prompt an order of a general; nothing where it can.
pub fn shortcoming(field: &Field, general: CommanderId, cause: Matter) -> Option<Shortcoming> {
    let (from, limit) = (place(field, general), radius(field, general));
    let near = |away: f64| limit.is_none_or(|limit| away <= (limit + SLACK).as_f64());
    let (is_near, is_seen) = match cause {
        Matter::Point(_) => return Some(Shortcoming::Nothing),
        Matter::Unit(unit) => {
            if unit.index() >= field.muster().units.len() || !is_there(field, unit) {
                return Some(Shortcoming::Nothing);
            }
            let away = elements(field, unit)
                .iter()
                .map(|one| table::convex::distance(one.points(), from))
                .fold(f64::MAX, f64::min);
            (near(away), near(away) && sees_unit_within(field, from, unit, limit))
        }
        Matter::Feature(id) => {
            let Some(feature) = field.ground().features.get(id.index()) else { return Some(Shortcoming::Nothing) };
            let is_near = near(feature.shape.distance(from));
            (is_near, is_near && sees_feature_within(field, from, id, limit))
        }
    };
    match (is_near, is_seen) {
        (true, true) => None,
        (true, false) => Some(Shortcoming::Unseen),
        (false, _) => Some(Shortcoming::TooFar),
    }
}

/// Higher generals lend their weight to one brigade they are with (R45).
fn check_present(field: &Field, nomination: &Nomination, earlier: &[Nomination], verdict: &mut Verdict) {
    for (n, general) in nomination.present.iter().enumerate() {
        let before = nomination.present.get(..n).unwrap_or_default();
        let elsewhere = earlier.iter().any(|other| other.present.contains(general));
        if general.index() >= field.muster().commanders.len() {
            verdict.refuse(Clause::DivisionPresent, "there is no such general");
        } else if before.contains(general) || elsewhere {
            let text = format!("{} can be present with one brigade only", field.muster().commander(*general).name);
            verdict.refuse(Clause::DivisionPresent, text);
        } else if let Some((clause, text)) = absent(field, nomination.brigade, *general) {
            let here = Point::from_vec(place(field, *general));
            verdict.refuse(clause, text).at(Mark::Spot(here));
        }
    }
}

/// Why a general lends no weight to a brigade; nothing where he does.
pub fn absent(field: &Field, brigade: CommandId, general: CommanderId) -> Option<(Clause, String)> {
    let name = &field.muster().commander(general).name;
    let rank = level(field, general);
    let clause = if rank == Level::Corps { Clause::CorpsPresent } else { Clause::DivisionPresent };
    if !chain(field, brigade).contains(&general) || !matches!(rank, Level::Division | Level::Corps) {
        return Some((clause, format!("{name} is no divisional or corps commander above it")));
    }
    let piece = field.commander(general);
    if !piece.is_present() || !piece.own.is_fit() {
        return Some((clause, format!("{name} is in no state to lend it his weight")));
    }
    let reach = distance(field, &field.charts().zone.attach) + SLACK;
    let stand = piece.quad();
    let by_units = brigade_units(field, brigade).filter(|unit| is_there(field, *unit)).any(|unit| {
        !crate::field::surely_beyond(stand, field.unit(unit).quad(), reach)
            && elements(field, unit).iter().any(|element| table::gap(element, stand) <= reach)
    });
    let by_commander = || {
        let own = general_of(field, brigade).map(|own| field.commander(own));
        own.is_some_and(|own| own.is_present() && table::gap(own.quad(), stand) <= reach)
    };
    (!by_units && !by_commander()).then(|| (clause, format!("{name} is not present with it")))
}
