//! Fords looked for and woods found out (days.15.4-d, -e, 15.8-b, A-77).

use super::super::Days;
use super::super::charts::{plain, reach};
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field::{self, Field, is_there, stands, troops};
use super::super::hidden;
use super::super::settings::Weight;
use super::judge::is_own;
use super::{feature, features};
use engine::verdict::Mark;
use engine::{Event, FeatureId, Reckoning, Side, Umpire, UnitId, Verdict};
use table::terrain::{Feature, TerrainKind as K};
use table::{Length, Outline, Point, Vec2};

/// The place of a line nearest to another place, and how far along the line it lies.
fn project(feature: &Feature, place: Vec2) -> Option<(f64, Vec2)> {
    let Outline::Line { points, .. } = feature.shape.outline() else { return None };
    let mut best: Option<(f64, f64, Vec2)> = None;
    let mut before = 0.0;
    for pair in points.windows(2) {
        let [from, to] = pair else { continue };
        let (from, way) = (from.vec(), to.vec() - from.vec());
        let length = way.length();
        let on = (place - from).dot(way.normalised()).clamp(0.0, length);
        let foot = from + way.normalised() * on;
        let aside = foot.distance(place);
        if best.is_none_or(|(least, ..)| aside < least) {
            best = Some((aside, before + on, foot));
        }
        before += length;
    }
    best.map(|(_, along, foot)| (along, foot))
}

/// How far along a river, a stream or a wall a place lies, where it is drawn as a line.
pub fn along(feature: &Feature, place: Vec2) -> Option<f64> {
    project(feature, place).map(|(along, _)| along)
}

/// How far apart two places of a river are, along it where it is drawn as a line.
pub fn apart_along(river: &Feature, a: Vec2, b: Vec2) -> Length {
    let apart = match (along(river, a), along(river, b)) {
        (Some(a), Some(b)) => (a - b).abs(),
        _ => a.distance(b),
    };
    field::measured(Length::from_um(apart))
}

/// The stand of a unit nearest to a river: how far it is, and the place of the river it would try.
fn bank(field: &Field, unit: UnitId, river: &Feature) -> Option<(Length, Point)> {
    let quads = stands(field, unit);
    let near = quads.iter().map(|stand| (river.shape.gap_to(stand), stand));
    let (gap, stand) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let place = project(river, stand.centre).map_or(stand.centre, |(_, foot)| foot);
    Some((field::measured(Length::from_um(gap)), Point::from_vec(place)))
}

/// Judges `SearchFord`.
pub fn judge(field: &Field, side: Side, unit: UnitId, river: FeatureId, verdict: &mut Verdict) {
    let clause = Clause::LookingForAFord;
    if !is_own(field, side, unit) {
        verdict.refuse(clause, "only units of your own on the table can look for a ford");
        return;
    }
    let Some(found) = feature(field, river).filter(|found| matches!(found.kind, K::River | K::Stream)) else {
        verdict.refuse(clause, "there is no such river");
        return;
    };
    if found.kind == K::Stream {
        verdict.refuse(Clause::StreamsAreNoBar, "a stream can be waded anywhere");
        return;
    }
    let own = troops(field, unit);
    if own.turn.searched {
        verdict.refuse(clause, "it has looked for a ford this turn").about(unit);
    }
    if field::is_routing(field, unit) || !own.contact.is_empty() {
        verdict.refuse(clause, "troops that run or fight look for nothing").about(unit);
    }
    let Some((gap, place)) = bank(field, unit, found) else { return };
    if gap > Length::ZERO {
        let text = format!("the bank is {gap} away: it has to touch it");
        verdict.refuse(clause, text).about(unit).at(Mark::Spot(place));
    }
    let spacing = reach(field.charts().constant.ford_spacing);
    let mut tried = field.ledger().fords.iter().filter(|search| search.river == river);
    if let Some(search) = tried.find(|search| apart_along(found, search.at.vec(), place.vec()) < spacing) {
        let text = format!("the river has been tried less than {spacing} from there");
        verdict.refuse(Clause::WhereOneMayLook, text).at(Mark::Line(search.at, place));
    }
    let width = reach(field.charts().constant.ford_width);
    let known = |feature: &Feature| feature.kind == K::Ford && feature.shape.distance(place.vec()) <= width.as_f64();
    if features(field).any(|(_, feature)| known(feature)) {
        verdict.refuse(Clause::FordsEveryoneKnows, "there is a ford everybody knows of").at(Mark::Spot(place));
    }
}

/// The die for a ford.
pub fn search(umpire: &mut Umpire<'_, Days>, unit: UnitId, river: FeatureId) {
    let field = umpire.state();
    let Some((_, at)) = feature(field, river).and_then(|river| bank(field, unit, river)) else { return };
    let (pool, need) = (field.charts().test.dice.value.0, plain(field.charts().constant.ford_pip));
    let side = field.side_of(unit);
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::LookingForAFord, "found from", need);
    let roll = umpire.roll(pool, side);
    let found = roll.total() >= need.value;
    let event = Event::own(Clause::LookingForAFord, DaysEvent::FordSought { river, at, found });
    let event = event.also(Clause::WhereOneMayLook).also_if(found, Clause::FordsAreForColumns);
    umpire.announce(event.also_if(found, Clause::WadingThroughAFord).rolled(roll).because(reckoning));
    let did = Event::own(Clause::LookingForAFord, DaysEvent::Did { unit, doing: Doing::Searched });
    hidden::announce(umpire, unit, did);
}

/// Woods nobody has looked into yet.
pub fn is_unknown(field: &Field, id: FeatureId, feature: &Feature) -> bool {
    let nature = field.muster().scenario.natures.get(usize::from(id.0));
    matches!(feature.kind, K::Woods | K::Orchard)
        && nature.is_some_and(|nature| nature.weight == Weight::Undefined)
        && field.ledger().woods.iter().all(|(wood, _)| *wood != id)
}

/// Woods nobody knew that a unit has come near to.
pub fn unknown_near(field: &Field, unit: UnitId) -> Vec<FeatureId> {
    if !is_there(field, unit) {
        return Vec::new();
    }
    let within = reach(field.charts().constant.wood_found);
    let quads = stands(field, unit);
    let near = |feature: &Feature| {
        quads.iter().any(|stand| field::measured(Length::from_um(feature.shape.gap_to(stand))) <= within)
    };
    let found = features(field).filter(|(id, feature)| is_unknown(field, *id, feature) && near(feature));
    found.map(|(id, _)| id).collect()
}

/// What the die makes of an unnamed wood.
pub fn weight_on(field: &Field, pips: i32) -> Weight {
    let light = pips <= plain(field.charts().constant.wood_light_to).value;
    if light { Weight::Light } else { Weight::Heavy }
}

/// After a move: woods nobody knew within 2" are diced for by the moving side.
pub fn find_woods(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    for feature in unknown_near(umpire.state(), unit) {
        let field = umpire.state();
        let (pool, side) = (field.charts().test.dice.value.0, field.side_of(unit));
        let mut reckoning = Reckoning::new();
        reckoning.look(Clause::WoodsNobodyHasNamed, "light up to", plain(field.charts().constant.wood_light_to));
        let roll = umpire.roll(pool, side);
        let weight = weight_on(umpire.state(), roll.total());
        let event = Event::own(Clause::WoodsNobodyHasNamed, DaysEvent::WoodIs { feature, weight });
        umpire.announce(event.rolled(roll).because(reckoning));
    }
}
