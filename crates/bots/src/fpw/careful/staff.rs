//! Where generals ride: within reach of those they order, behind them, and beside a unit only where that pays.

use super::scene::{Field, INCH, Piece, Scene, Survey};
use engine::CommanderId;
use rules::fpw::command;
use rules::fpw::generals;
use rules::fpw::order::Order;
use rules::fpw::unit::Level;
use table::{Point, Vec2};

/// The next general's ride, if anybody still has one worth making.
pub fn ride(scene: &Scene<'_, '_>, survey: &Survey, rode: &mut Vec<CommanderId>) -> Option<Order> {
    let field = scene.field();
    let mut able: Vec<CommanderId> = generals::present(field, scene.side)
        .filter(|id| !field.commander(*id).own.rode && !rode.contains(id))
        .collect();
    // Whoever leads others rides last, to where they have gone.
    able.sort_by_key(|id| (generals::level(field, *id), *id));
    for general in able {
        rode.push(general);
        if let Some(order) = ride_of(scene, survey, general) {
            return Some(order);
        }
    }
    None
}

fn ride_of(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> Option<Order> {
    let field = scene.field();
    let mine: Vec<&Piece> =
        survey.own.iter().filter(|piece| !piece.joined && command::holder(field, piece.id) == Some(general)).collect();
    let reach = command::radius(field, general).map_or(60.0, |reach| reach.value.as_inches());
    let below: Vec<Vec2> = generals::present(field, scene.side)
        .filter(|who| command::is_under(field, *who, general))
        .map(|who| field.commander(who).quad().centre)
        .collect();
    if mine.is_empty() && below.is_empty() {
        return None;
    }
    if let Some(order) = join(scene, survey, general, &mine) {
        return Some(order);
    }
    let here = field.commander(general).quad().centre;
    let score = |at: Vec2| price(survey, &mine, &below, at, reach, here);
    let mut places: Vec<(f64, Vec2)> = spots(survey, &mine, &below).map(|at| (score(at), at)).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let now = score(here);
    let leaves = field.commander(general).own.attached.is_some();
    for (cost, at) in places.into_iter().take(12) {
        if cost > now - 0.3 && !leaves {
            return None;
        }
        let order = Order::Ride { commander: general, to: Point::from_vec(at) };
        if scene.allows(&order) {
            return Some(order);
        }
    }
    None
}

/// Joins a unit where all he has to order is one body out of the enemy's reach.
fn join(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId, mine: &[&Piece]) -> Option<Order> {
    let field = scene.field();
    let first = mine.first()?;
    let one = mine.len() == 1 || command::groups(field, general).first().is_some_and(|group| group.len() == mine.len());
    let (_, apart) = survey.nearest_foe(first.quad.centre)?;
    if generals::level(field, general) != Level::Division || !one || apart < 14.0 {
        return None;
    }
    if field.commander(general).own.attached.is_some_and(|unit| mine.iter().any(|piece| piece.id == unit)) {
        return None;
    }
    let order = Order::Join { commander: general, unit: first.id };
    scene.allows(&order).then_some(order)
}

/// Places to look at: behind each of his units, and about the middle of them.
fn spots(survey: &Survey, mine: &[&Piece], below: &[Vec2]) -> impl Iterator<Item = Vec2> {
    let all: Vec<Vec2> = mine.iter().map(|piece| piece.quad.centre).chain(below.iter().copied()).collect();
    let middle = all.iter().fold(Vec2::ZERO, |sum, at| sum + *at) * (1.0 / all.len().max(1) as f64);
    let (back, side) = (survey.forward * -INCH, survey.forward.perp_right() * INCH);
    let around = move |at: Vec2| {
        [1.6, 2.6, 3.8, -0.2].into_iter().flat_map(move |deep| {
            [0.0, 1.5, -1.5, 3.0, -3.0].into_iter().map(move |aside| at + back * deep + side * aside)
        })
    };
    std::iter::once(middle).chain(all).flat_map(around)
}

/// What a place costs him: units he cannot reach, the distance to those he can, and the enemy's rifles.
fn price(survey: &Survey, mine: &[&Piece], below: &[Vec2], at: Vec2, reach: f64, here: Vec2) -> f64 {
    let mut cost = (at - here).length() / INCH * 0.01;
    for piece in mine {
        // From the edge of his own stand to the furthest corner.
        let corners = piece.quad.corners.iter().map(|corner| (*corner - at).length());
        let far = corners.fold(0.0, f64::max) / INCH - 0.4;
        let weight = if piece.is_gun() { 0.6 } else { piece.stands * 0.6 };
        cost += weight * (if far > reach { 3.0 } else { 0.0 } + (far / 6.0).floor() * 0.6 + far * 0.04);
    }
    for other in below {
        let far = (*other - at).length() / INCH + 0.5;
        cost += if far > reach { 2.0 } else { 0.0 } + (far / 6.0).floor() * 0.5 + far * 0.03;
    }
    let near = survey.nearest_foe(at).map_or(99.0, |(_, apart)| apart);
    cost + if near < 5.0 { 2.0 } else { 0.0 }
}

/// A scout's ride: at the enemy's side of the field, and to and fro there.
pub fn scouting(field: &Field, survey: &Survey, from: Vec2, turn: usize) -> Vec2 {
    let aside = survey.forward.perp_right() * (if turn.is_multiple_of(2) { 6.0 } else { -6.0 } * INCH);
    let wished = from + survey.forward * (9.0 * INCH) + aside;
    let bounds = field.ground().bounds();
    let centre = bounds.centre();
    // Never off the table.
    let (wide, high) = field.ground().size;
    let clamp = |value: f64, middle: f64, whole: f64| value.clamp(middle - whole * 0.46, middle + whole * 0.46);
    Vec2 { x: clamp(wished.x, centre.x, wide.as_f64()), y: clamp(wished.y, centre.y, high.as_f64()) }
}
