//! Before anybody is set up: edges, wind, the worth of generals, scouting. S4 and S5, C-21, C-24.

use crate::Days;
use crate::charts::{Charts, count};
use crate::clause::Clause;
use crate::event::DaysEvent;
use crate::field::{self, Field, facts};
use crate::settings::Disputed;
use crate::unit::{Arm, Quality, Rank, Trait};
use engine::{BySide, CommanderId, Die, Event, Pool, Side, Umpire, UnitId};
use table::Angle;
use table::terrain::TerrainKind;

/// What the players could not agree on: the lower half of the faces gives the first side its way, the upper half the
/// second (days.3.4-a, 19-b).
pub fn disputes(umpire: &mut Umpire<'_, Days>) {
    if !umpire.state().ledger().disputed.is_empty() {
        return;
    }
    for (rule, wanted_by) in umpire.state().muster().scenario.disputes.clone() {
        let roll = umpire.roll(umpire.charts().test.dice.value.0, wanted_by);
        let faces = roll.pool.dice().map(|die| i32::from(die.sides)).sum::<i32>();
        let favoured = if roll.total() * 2 <= faces { Side::A } else { Side::B };
        let optional = matches!(rule, Disputed::Scouting | Disputed::NationalStaff);
        let clause = if optional { Clause::ADieForDoubtfulOptions } else { Clause::ADieForQuarrels };
        let event = Event::own(clause, DaysEvent::Decided { rule, on: favoured == wanted_by });
        umpire.announce(event.also_if(optional, Clause::ChoosingOptionalRules).rolled(roll));
    }
}

/// On chance ground a die gives the players their edges, and with them zones and places (days.16-b).
pub fn seats(umpire: &mut Umpire<'_, Days>) {
    let field = umpire.state();
    let scenario = &field.muster().scenario;
    if scenario.deployed || !scenario.chance_edges || field.ledger().south.is_some() {
        return;
    }
    let roll = umpire.roll(umpire.charts().test.dice.value.0, Side::A);
    // The lower half of the faces seats the first side in the south.
    let faces = roll.pool.dice().map(|die| i32::from(die.sides)).sum::<i32>();
    let south = if roll.total() * 2 <= faces { Side::A } else { Side::B };
    let event = Event::own(Clause::WhoSitsWhere, DaysEvent::Seated { south }).also(Clause::AMatchOnChanceGround);
    umpire.announce(event.rolled(roll));
}

/// What the set-up has on fire burns before anybody is set up (days.15-b, -c).
pub fn flames(umpire: &mut Umpire<'_, Days>) {
    let since = umpire.state().turn();
    for feature in umpire.state().muster().scenario.burning.clone() {
        let event = Event::own(Clause::SettledBetweenThePlayers, DaysEvent::Ablaze { feature, since });
        umpire.announce(event.also(Clause::BeforeAnyoneIsPlaced));
    }
}

/// Hours of a clock face, by which the wind is diced for.
// tidy: allow(a clock face, not a figure of the book)
const HOURS: u8 = 12;

/// The wind the set-up tells of; else, where something can burn, diced for (days.15.12-a).
pub fn wind(umpire: &mut Umpire<'_, Days>) {
    let field = umpire.state();
    if field.ledger().wind.is_some() {
        return;
    }
    if let Some(to) = field.ground().wind {
        let event = Event::own(Clause::WhichWayItBlows, DaysEvent::Wind { to }).also(Clause::FindingTheWind);
        umpire.announce(event);
        return;
    }
    if !can_burn(field) {
        return;
    }
    let roll = umpire.roll(Pool::one(Die::new(HOURS)), Side::A);
    // tidy: allow(a full circle)
    let to = Angle::whole(roll.total() * (360 / i32::from(HOURS)));
    let event = Event::own(Clause::WhichWayItBlows, DaysEvent::Wind { to }).also(Clause::FindingTheWind);
    umpire.announce(event.rolled(roll));
}

fn can_burn(field: &Field) -> bool {
    use TerrainKind::{Building, Orchard, Town, Woods};
    let burns = field.muster().scenario.natures.iter().any(|nature| nature.wooden);
    burns || field.ground().features.iter().any(|one| matches!(one.kind, Building | Orchard | Town | Woods))
}

/// What each general is worth whose quality is not known yet: fixed by the set-up, Capable for the player's own, else
/// diced for (days.14.1-a).
pub fn generals(umpire: &mut Umpire<'_, Days>) {
    let field = umpire.state();
    let of = |side: Side| {
        let own = field.muster().commander_ids().filter(move |id| field.muster().commander(*id).side == side);
        own.filter(|id| field.commander(*id).own.quality.is_none())
    };
    let open: Vec<CommanderId> = Side::BOTH.into_iter().flat_map(of).collect();
    for general in open {
        worth(umpire, general);
    }
}

fn worth(umpire: &mut Umpire<'_, Days>, general: CommanderId) {
    let field = umpire.state();
    let card = field.muster().commander(general);
    let told = |quality: Quality| DaysEvent::Quality { general, quality, successor: false };
    if let Some(quality) = card.facts.quality {
        umpire.announce(Event::own(Clause::WhenQualityIsKnown, told(quality)));
        return;
    }
    if card.facts.rank == Rank::Army {
        let event = Event::own(Clause::ThePlayerIsCapable, told(Quality::Capable)).also(Clause::WhenQualityIsKnown);
        umpire.announce(event);
        return;
    }
    let (side, dice) = (card.side, field.charts().test.dice.value.0);
    let table =
        if field::agreed(field, Disputed::NationalStaff) { card.facts.table.clone() } else { STANDARD.to_owned() };
    let national = nation_clause(field, &table);
    let roll = umpire.roll(dice, side);
    let quality = quality_on(umpire.charts(), &table, roll.total());
    let event = match national {
        Some(nation) => Event::own(nation, told(quality)).also(Clause::GeneralsByNation),
        None => Event::own(Clause::HowGoodAGeneralIs, told(quality)),
    };
    umpire.announce(event.also(Clause::WhenQualityIsKnown).rolled(roll));
}

/// The table for everybody.
const STANDARD: &str = "standard";

/// What a die makes of a general by a table of the chart; the standard one where there is no such table.
pub fn quality_on(charts: &Charts, table: &str, pip: i32) -> Quality {
    let Some(spans) = charts.staff.get(table).or_else(|| charts.staff.get(STANDARD)) else { return Quality::Capable };
    let pip = u8::try_from(pip).unwrap_or_default();
    if spans.inept.value.holds(pip) {
        Quality::Inept
    } else if spans.exceptional.value.holds(pip) {
        Quality::Exceptional
    } else {
        Quality::Capable
    }
}

/// The clause of a nation's table; none for the standard one.
fn nation_clause(field: &Field, table: &str) -> Option<Clause> {
    if !field.charts().staff.contains_key(table) {
        return None;
    }
    match table {
        STANDARD => None,
        "prussian" => Some(Clause::PrussianGenerals),
        "other_german" => Some(Clause::GeneralsOfOtherGermanStates),
        "british" => Some(Clause::BritishGenerals),
        "russian" => Some(Clause::RussianGenerals),
        "turkish" => Some(Clause::TurkishGenerals),
        "french" => Some(field::by_book(field, Clause::FrenchGeneralsOf1870, Clause::FrenchGeneralsInTheCrimea)),
        _ => Some(Clause::GeneralsByNation),
    }
}

/// Whether a unit scouts: light horse; where the book knows none, all horse but cuirassiers.
fn scouts(field: &Field, unit: UnitId) -> bool {
    let facts = facts(field, unit);
    let light =
        if field.charts().switch.light_only.value { facts.is(Trait::Light) } else { !facts.is(Trait::Cuirassier) };
    facts.arm == Arm::Cavalry && facts.part.is_none() && light
}

/// Scouting points of a side (days.19.2-a).
pub fn scouting_points(field: &Field, side: Side) -> u32 {
    let table = &field.charts().scouting;
    let own = field.muster().unit_ids().filter(|id| field.side_of(*id) == side && scouts(field, *id));
    let worth = |id: UnitId| {
        let facts = facts(field, id);
        let each = match facts.class {
            0 | 1 => table.class1,
            2 => table.class2,
            3 => table.class3,
            _ => table.class4,
        };
        count(each) * u32::from(facts.start)
    };
    own.map(worth).sum()
}

/// Compares what the light horse has found out; tells who was out-scouted (days.19.3-a).
pub fn scouting(umpire: &mut Umpire<'_, Days>) -> Option<Side> {
    let field = umpire.state();
    if !field::agreed(field, Disputed::Scouting) {
        return None;
    }
    let [a, b] = Side::BOTH.map(|side| scouting_points(field, side));
    let lead = count(field.charts().scouting.lead);
    let outdone = match () {
        () if a >= b + lead => Some(Side::B),
        () if b >= a + lead => Some(Side::A),
        () => None,
    };
    let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
    let event = DaysEvent::Scouted { points: BySide([small(a), small(b)]), outdone };
    let event = Event::own(Clause::ScoutingBeforeTheBattle, event)
        .also(Clause::ChoosingOptionalRules)
        .also(Clause::WhoGoesScouting)
        .also(Clause::WorthOfAScout)
        .also_if(outdone.is_some(), Clause::OutscoutingTheEnemy);
    umpire.announce(event);
    outdone
}
