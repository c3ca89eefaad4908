//! The roll-call: what each unit brings to the battle, told once when it is set up, with the sum its status comes from
//! (appendix 1, appendix 2, sections A1 and C).

use crate::Guns;
use crate::charts::{Charts, plain};
use crate::clause::Clause;
use crate::event::GunsEvent;
use crate::field::{Field, facts, is_foot, troops};
use crate::force;
use crate::formation::{Formation, Shape, Spacing};
use crate::muster::quality::{self, Class, Given};
use crate::settings::Scale;
use crate::unit::{Action, Arm, Facts};
use engine::{Cited, Event, Reckoning, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::Length;

/// What a unit is when the battle begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RollCall {
    /// Who.
    pub unit: UnitId,
    /// Combat status.
    pub status: u8,
    /// The last status at which it charges.
    pub charge: u8,
    /// The last status at which it advances.
    pub advance: u8,
    /// The front of one base: an element, or the battery.
    pub front: Length,
    /// Its depth.
    pub depth: Length,
    /// How wide it stands.
    pub frontage: Length,
    /// Short range.
    pub short: Length,
    /// Effective range.
    pub extreme: Length,
    /// Orders it is trained for.
    pub orders: SmallVec<[Spacing; 3]>,
    /// The men it stands for, or the guns of batteries and rapid-fire units.
    pub strength: u16,
    /// What it is worth, for matching forces.
    pub points: i32,
}

/// The event of one unit set up in a formation.
pub fn of(field: &Field, unit: UnitId, formation: Formation) -> Event<Guns> {
    let (facts, charts, scale) = (facts(field, unit), field.charts(), field.settings().scale);
    let call = RollCall {
        unit,
        status: facts.start,
        charge: facts.charge_limit,
        advance: facts.advance_limit,
        front: facts.element.width,
        depth: facts.element.depth,
        frontage: facts.footprint(formation, facts.elements).width,
        short: facts.weapon.short,
        extreme: facts.weapon.extreme,
        orders: orders(facts),
        strength: strength(charts, facts),
        points: force::points(charts, scale, facts),
    };
    let event = Event::own(Clause::StatusTrack, GunsEvent::Mustered(Box::new(call)))
        .also(Clause::SmallestPieces)
        .also(scale_clause(scale))
        .also(Clause::ShortAndExtreme)
        .also(Clause::Points);
    let splayed = facts.is_battery() && field.settings().splayed_bases;
    let event = tell_base(event, facts, scale).also_if(splayed, Clause::SplayedBase);
    let event = tell_formation(event, formation.shape, facts);
    let event = tell_training(event, field, unit);
    tell_status(tell_weapon(event, charts, facts), charts, facts)
}

/// The clause of a scale of figures.
pub const fn scale_clause(scale: Scale) -> Clause {
    match scale {
        Scale::Small => Clause::SmallScale,
        Scale::Middle => Clause::MiddleScale,
        Scale::Large => Clause::LargeScale,
    }
}

fn orders(facts: &Facts) -> SmallVec<[Spacing; 3]> {
    let knows = |spacing: &Spacing| match spacing {
        Spacing::Close => true,
        Spacing::Loose => facts.loose,
        Spacing::Extended => facts.extended,
    };
    if facts.is_battery() { SmallVec::new() } else { Spacing::ALL.iter().copied().filter(knows).collect() }
}

/// Men of foot and horse; guns of everybody else, two to a rapid-fire base (element-b, rapidfire-e).
fn strength(charts: &Charts, facts: &Facts) -> u16 {
    let bases = &charts.base;
    let each = match facts.arm {
        _ if facts.is_battery() => return u16::from(facts.guns),
        Arm::Infantry | Arm::Artillery => bases.foot,
        Arm::Cavalry => bases.horse,
        Arm::RapidFire => bases.rapid,
    };
    u16::try_from(plain(each).value).unwrap_or_default() * u16::from(facts.elements)
}

fn tell_base(event: Event<Guns>, facts: &Facts, scale: Scale) -> Event<Guns> {
    let size = match scale {
        Scale::Small => Clause::SmallBase,
        Scale::Middle => Clause::MiddleBase,
        Scale::Large => Clause::LargeBase,
    };
    if facts.is_battery() {
        return event
            .also(Clause::BatteryFrontage)
            .also(Clause::FrontagePerGun)
            .also(Clause::BatteryDepth)
            .also_if(facts.arm == Arm::RapidFire, Clause::CarriageGuns);
    }
    let rapid = facts.arm == Arm::RapidFire;
    event
        .also(Clause::SquareElements)
        .also(Clause::ElementStrength)
        .also(size)
        .also_if(rapid, Clause::RapidFireCompanies)
        .also_if(rapid || facts.organic > 0, Clause::RapidFireBase)
        .also_if(rapid, Clause::TwoGunsToBase)
        .also_if(rapid || facts.organic > 0, Clause::RapidFireGrouping)
}

fn tell_formation(event: Event<Guns>, shape: Shape, facts: &Facts) -> Event<Guns> {
    let clause = match shape {
        Shape::Limbered | Shape::Deployed => return event,
        Shape::Line => Clause::CloseTouches,
        Shape::Loose => Clause::LooseGap,
        Shape::Extended => Clause::ExtendedGap,
        Shape::Assault | Shape::Route | Shape::Squadrons => Clause::ColumnsAreClose,
    };
    event.also_if(facts.elements > 1, clause)
}

fn tell_training(event: Event<Guns>, field: &Field, unit: UnitId) -> Event<Guns> {
    let (facts, horse) = (facts(field, unit), facts(field, unit).is_mounted(troops(field, unit)));
    let foot = is_foot(field, unit);
    event
        .also_if(horse, Clause::CavalryOrders)
        .also_if(foot, Clause::ThreeOrders)
        .also_if(foot && !facts.loose, Clause::CloseByDefault)
        .also_if(foot && facts.loose, Clause::TrainedForLoose)
}

/// The line of appendix 1 its weapon stands in, and what kind of rapid-fire weapon it has.
fn tell_weapon(mut event: Event<Guns>, charts: &Charts, facts: &Facts) -> Event<Guns> {
    let carried = [Some(&facts.weapon), facts.organic_weapon.as_ref()];
    for weapon in carried.into_iter().flatten() {
        event = event.also(weapon_clause(charts, &weapon.key)).also_if(weapon.breech, Clause::LoaderLabels);
        event = match weapon.rapid {
            Some(Action::Mechanical) => event.also(Clause::RapidFireKinds).also(Clause::MechanicalWeapons),
            Some(Action::Gas) => event.also(Clause::RapidFireKinds).also(Clause::GasWeapons),
            None => event,
        };
    }
    event
}

/// The table of appendix 1 that prints a weapon; a weapon of ours, or of the set-up, is one that was added.
pub fn weapon_clause(charts: &Charts, key: &str) -> Clause {
    let tables: [(Clause, &[&str]); 6] = [
        (Clause::CrimeanWeapons, &["minie", "smoothbore", "sb-gun"]),
        (Clause::WeaponsOf1859, &["rml4-fr", "lorenz", "sb6", "sb12"]),
        (Clause::WeaponsOf1866, &["rml4-au", "rml8-au", "dreyse", "podewils"]),
        (Clause::WeaponsOf1870, &["krupp4", "chassepot", "krupp6", "podewils-bl"]),
        (Clause::WeaponsOf1877, &["krenck", "berdan", "bronze4", "peabody", "winchester"]),
        (Clause::WeaponsOf1914, &["magazine", "mg", "field14", "medium14", "heavy14"]),
    ];
    let plain = key.strip_suffix("-howitzer").unwrap_or(key);
    let found = tables.into_iter().find(|(_, keys)| charts.weapon.contains_key(key) && keys.contains(&plain));
    found.map_or(Clause::WeaponsMayBeAdded, |(clause, _)| clause)
}

/// The sum: elements or guns and quality; beside it how far down the marks lie (R72).
fn tell_status(event: Event<Guns>, charts: &Charts, facts: &Facts) -> Event<Guns> {
    let Some(worth) = quality::worth(charts, Given::Number(facts.quality)) else { return event };
    let row = quality::row(charts, worth.class);
    let (counted, base) = match facts.is_battery() {
        true => ((Clause::BatteryStatus, "guns"), facts.guns),
        false => ((Clause::StartingStatus, "elements"), facts.elements),
    };
    let (grade, marks) = class_clauses(worth.class);
    let between = worth.bonus != quality::bonus(charts, worth.class);
    let mut sum = Reckoning::new();
    sum.add(counted.0, counted.1, Cited::derived(i32::from(base)));
    let grade = if between { Clause::InBetweenQuality } else { grade };
    sum.add(grade, worth.class.word(), plain(row.bonus).map(|_| i32::from(worth.bonus)));
    let short = i32::from(facts.start) - sum.whole();
    if short > 0 {
        sum.add(Clause::StatusTrack, "never below one", Cited::derived(short));
    }
    sum.look(marks, "charge mark below the start", plain(row.charge));
    sum.look(marks, "advance mark below the start", plain(row.advance));
    let raised = i32::from(facts.start) - plain(row.advance).value < i32::from(facts.advance_limit);
    event
        .also(Clause::LimitersFromQuality)
        .also(Clause::LimiterDepth)
        .also_if(raised, Clause::AdvanceAtLeastOne)
        .because(sum)
}

/// What a class adds, and where its marks lie.
const fn class_clauses(class: Class) -> (Clause, Clause) {
    match class {
        Class::Elite => (Clause::Elite, Clause::EliteLimiters),
        Class::Experienced => (Clause::Experienced, Clause::ExperiencedLimiters),
        Class::Regulars => (Clause::Regulars, Clause::RegularLimiters),
        Class::Conscripts => (Clause::Conscripts, Clause::ConscriptLimiters),
        Class::Militia => (Clause::Militia, Clause::MilitiaLimiters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the code and the clauses of the chart say the same.
    #[test]
    fn every_weapon_of_the_chart_knows_its_table() {
        let text = include_str!("../../../charts/guns.toml");
        let tree = engine::chart::ChartTree::printed(text).expect("the charts");
        let charts: Charts = tree.read().expect("the charts");
        for key in charts.weapon.keys() {
            let clause = weapon_clause(&charts, key);
            let section = text.split(&format!("[weapon.{key}]")).nth(1).expect("its section");
            let told = section.split("clause = \"").nth(1).and_then(|rest| rest.split('"').next());
            assert_eq!(told, Some(clause.id()), "{key}");
        }
    }
}
