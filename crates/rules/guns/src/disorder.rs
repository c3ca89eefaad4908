//! Disorder by ground and water, on and off (A7, R37), and combat disorder with its cause.

use super::Guns;
use super::clause::Clause;
use super::event::{DisorderKind, GunsEvent};
use super::field::{self, Elements, Field, Ground, is_there, troops};
use super::formation::Spacing;
use super::hidden;
use engine::{Event, Umpire, UnitId};
use table::terrain::TerrainKind;
use table::{Quad, Vec2};

/// Quarters of a bound a unit stays disordered after its last corner has left the water.
const DRYING: u8 = 1;

/// Looks at a unit where it stands now and announces terrain and water disorder that comes or goes. `quarter`: a
/// quarter of a bound has passed, so that what is out of the water gets dryer.
pub fn settle(umpire: &mut Umpire<'_, Guns>, unit: UnitId, quarter: bool) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    settle_terrain(umpire, unit);
    settle_water(umpire, unit, quarter);
}

fn settle_terrain(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let was = troops(field, unit).disorder.terrain;
    // A battery in action stands in extended order, limbered in close order; cover it defends loosens foot.
    let close = field::spacing(field, unit) == Spacing::Close;
    let is = close && stands_in(field, unit, field::is_difficult);
    if was != is {
        let clause = if is { Clause::DisorderedByGround } else { Clause::ClearOfGround };
        announce(umpire, unit, DisorderKind::Terrain, is, clause);
    }
}

fn settle_water(umpire: &mut Umpire<'_, Guns>, unit: UnitId, quarter: bool) {
    let field = umpire.state();
    let own = troops(field, unit);
    let (was, wet) = (own.disorder.water, own.wet);
    let wades = stands_in(field, unit, |kind| field::ground(kind) == Ground::Stream);
    if wades && field::spacing(field, unit).is_formed() {
        if wet != DRYING {
            hidden::announce(umpire, unit, Event::own(Clause::PartInWater, GunsEvent::Wet { unit, quarters: DRYING }));
        }
        if !was {
            announce(umpire, unit, DisorderKind::Water, true, Clause::DisorderedByWater);
        }
        return;
    }
    if !was {
        return;
    }
    if wet > 0 && quarter {
        let event = GunsEvent::Wet { unit, quarters: wet - 1 };
        hidden::announce(umpire, unit, Event::own(Clause::WetQuarter, event));
    } else if wet == 0 && quarter {
        announce(umpire, unit, DisorderKind::Water, false, Clause::WaterShakenOff);
    }
}

/// Whether any element lies in ground of a kind, roads and bridges excepted (R56).
pub fn stands_in(field: &Field, unit: UnitId, is: impl Fn(TerrainKind) -> bool) -> bool {
    let features = &field.ground().features;
    let around = field.unit(unit).quad();
    let mut elements: Option<Elements> = None;
    features.iter().filter(|feature| is(feature.kind)).any(|feature| {
        feature.shape.overlaps_quad(around) && {
            let elements = elements.get_or_insert_with(|| field::elements(field, unit));
            elements.iter().any(|quad| feature.shape.overlaps_quad(quad) && !is_on_road(field, quad))
        }
    })
}

fn is_on_road(field: &Field, quad: &Quad) -> bool {
    let middle: Vec2 = quad.centre;
    field.ground().features.iter().any(|feature| field::is_road(feature.kind) && feature.shape.contains(middle))
}

/// Sets combat disorder with its clause, if the unit is not in it already.
pub fn disorder(umpire: &mut Umpire<'_, Guns>, unit: UnitId, clause: Clause) {
    let field = umpire.state();
    if is_there(field, unit) && !troops(field, unit).disorder.combat {
        announce(umpire, unit, DisorderKind::Combat, true, clause);
    }
}

/// Cavalry that would not go in is out of order until it has regrouped (cause-k, failed-f).
pub fn until_regrouped(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    if is_there(field, unit) && !troops(field, unit).disorder.combat {
        let event = GunsEvent::Disorder { unit, kind: DisorderKind::Combat, on: true };
        let event = Event::own(Clause::CavalryFlinched, event).also(Clause::DisorderedTillRegrouped);
        hidden::announce(umpire, unit, event);
    }
}

fn announce(umpire: &mut Umpire<'_, Guns>, unit: UnitId, kind: DisorderKind, on: bool, clause: Clause) {
    hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Disorder { unit, kind, on }));
}
