//! Situations described in words instead of laid out on a table: the same resolvers over the same charts, for the
//! command line and for notebooks.

use super::charts::{Charts, plain};
use super::clause::Clause;
use super::event::Band;
use super::field::Cover;
use super::melee::Fighter;
use super::morale::{Trial, trial_of};
use super::odds::{ChargeEnd, Fighters, charge_spread, melee_plot, plain_fighter, test_plot, volley_plot};
use super::officers::Help;
use super::settings::Settings;
use super::unit::{Aspect, Class, Gun, Rating};
use super::volley::Volley;
use engine::{CommanderId, Odds};
use table::{Length, SLACK};

pub use super::volley::{Target, gunnery, musketry};

/// An officer in reach of a unit, and whether he touches it.
pub type Nearby = Option<(Rating, bool)>;

/// A morale test.
pub fn trial(charts: &Charts, settings: &Settings, class: Class, marks: u8, officer: Nearby) -> Trial {
    let help = officer.map(|(rating, touching)| {
        let factor = charts.rating(rating).map(|pair| pair[usize::from(touching)].get());
        Help { who: CommanderId(0), rating, factor, is_division: false, others: false }
    });
    trial_of(charts, settings, class, marks, help)
}

/// How a unit came into a melee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Stance {
    pub higher: bool,
    pub charged: bool,
    pub charged_disordered: bool,
    pub cover: Option<Cover>,
    pub aspect: Option<Aspect>,
}

/// A unit in a round of melee.
pub fn fighter(charts: &Charts, class: Class, mounted: bool, stance: Stance) -> Fighter {
    let chart = &charts.melee.modifier;
    let mut modifiers = Fighters::new();
    if stance.higher {
        modifiers.push((Clause::HigherGround, "higher ground", plain(chart.higher_ground)));
    }
    if stance.charged {
        modifiers.push((Clause::ChargeBonus, "charged in", plain(chart.first_round_of_charge)));
    }
    if stance.charged_disordered {
        modifiers.push((Clause::ChargingTheDisordered, "charged the disordered", plain(chart.target_disordered)));
    }
    match stance.cover {
        Some(Cover::Hard) => modifiers.push((Clause::DefendingHardCover, "behind hard cover", plain(chart.hard_cover))),
        Some(Cover::Soft) => {
            modifiers.push((Clause::DefendingLightCover, "behind light cover", plain(chart.light_cover)));
        }
        None => {}
    }
    match stance.aspect {
        Some(Aspect::Rear) => modifiers.push((Clause::RearAttack, "attacking the rear", plain(chart.rear))),
        Some(Aspect::Flank) => modifiers.push((Clause::FlankAttack, "attacking the flank", plain(chart.flank))),
        _ => {}
    }
    plain_fighter(charts, class, mounted, modifiers)
}

/// A unit that charges or is charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Party {
    pub class: Class,
    pub mounted: bool,
    /// Marks left; full strength where it is left out.
    pub marks: Option<u8>,
    pub officer: Nearby,
}

impl Party {
    fn marks(&self, charts: &Charts) -> u8 {
        self.marks.unwrap_or(charts.class(self.class).marks.value.get().clamp(0, 255) as u8)
    }

    fn trial(&self, charts: &Charts, settings: &Settings) -> Trial {
        trial(charts, settings, self.class, self.marks(charts), self.officer)
    }
}

/// A charge from its declaration to the first round of melee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Charge {
    pub by: Party,
    pub on: Party,
    /// How far the enemy is; left out, the charge always reaches him.
    pub gap: Option<Length>,
    /// Whether the enemy is loaded and fires.
    pub fire: bool,
    /// Whether it is his first volley.
    pub first_volley: bool,
    /// The gun he is, if he is one.
    pub gun: Option<Gun>,
    pub cover: Option<Cover>,
    pub grape: bool,
}

/// The fire a charge runs into: a good officer holds it to the last moment (R29, R30).
pub fn defensive_fire(charts: &Charts, charge: &Charge) -> Option<Volley> {
    if !charge.fire {
        return None;
    }
    let firm = charge.on.officer.is_some_and(|(rating, _)| rating >= Rating::Good);
    match charge.gun {
        Some(gun) => {
            let bands = [Band::Long, Band::Medium, Band::Short];
            let band = if firm {
                None
            } else {
                bands.into_iter().find(|band| gunnery(charts, gun, *band, false, false).is_some())
            };
            gunnery(charts, gun, band.unwrap_or(Band::Short), charge.grape, false)
        }
        None => {
            let target = Target { first_volley: charge.first_volley, ..Target::default() };
            Some(musketry(charts, charge.on.class, if firm { Band::Short } else { Band::Long }, target))
        }
    }
}

/// How a described charge ends, with its parts.
pub fn charge(charts: &Charts, settings: &Settings, charge: &Charge) -> Odds {
    let (start, receive) = (charge.by.trial(charts, settings), charge.on.trial(charts, settings));
    let steady = matches!(charge.by.class, Class::Elite | Class::Line);
    let basic = if charge.by.mounted { charts.r#move.horse } else { charts.r#move.foot };
    let certain = basic.value.0 * charts.charge.factor.value.get();
    let factor = charge.by.officer.map_or(0, |(rating, _)| charts.rating(rating).value[0].get());
    let fire = defensive_fire(charts, charge);
    let marks = i32::from(charge.by.marks(charts));
    let reach = charge.gap.filter(|_| !steady).map(|gap| (charts, factor, gap));
    let too_far = steady && charge.gap.is_some_and(|gap| gap > certain + SLACK);
    let ends = if too_far {
        start.odds().map(|started| if *started { ChargeEnd::FallsShort } else { ChargeEnd::Refuses })
    } else {
        charge_spread(&start, reach, &receive, fire.as_ref(), marks)
    };
    let mut plot = Odds::plot("the charge", &ends, |end| {
        match end {
            ChargeEnd::Refuses => "will not start",
            ChargeEnd::FallsShort => "falls short",
            ChargeEnd::EnemyRuns => "the enemy runs",
            ChargeEnd::ShotDown => "shot down",
            ChargeEnd::GoesIn => "goes in",
        }
        .to_owned()
    });
    plot.then.push(test_plot("starts", &start));
    plot.then.push(test_plot("the enemy stands", &receive));
    plot.then.extend(fire.map(|volley| volley_plot("hits by his fire", &volley)));
    let own = fighter(charts, charge.by.class, charge.by.mounted, Stance { charged: true, ..Stance::default() });
    let enemy =
        fighter(charts, charge.on.class, charge.on.mounted, Stance { cover: charge.cover, ..Stance::default() });
    plot.then.push(melee_plot("first round, if it goes in", &own, &enemy));
    plot
}
