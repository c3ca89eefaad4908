//! Odds of situations described in words, without a table: for the command line and for whoever studies the charts. The
//! figures go through the resolvers of the umpire.

use super::charts::{Charts, plain};
use super::field::Shelter;
use super::markers::Laying;
use super::odds_combat::{Fate, close_spread, fate};
use super::odds_fire::{hit_spread, laid};
use super::unit::{Arm, Markers, Quality, Soldiers, Weapon};
use engine::{Odds, Pool, Spread};
use smallvec::SmallVec;
use table::{Length, SLACK};

/// A unit in a few words: its arm, its stands and the markers on it, spread evenly.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Party {
    pub arm: Arm,
    pub stands: u8,
    pub disruption: u8,
    pub degradation: u8,
    /// Cuirassiers and lancers.
    pub heavy: bool,
    pub dense: bool,
    pub shelter: Option<Shelter>,
}

impl Party {
    /// Its markers, stand by stand.
    pub fn soldiers(&self) -> Soldiers {
        let count = self.stands.max(1);
        let mut soldiers = Soldiers::fresh(count);
        let share = |markers: u8, n: usize| markers / count + u8::from(n < usize::from(markers % count));
        for (n, stand) in soldiers.stands.iter_mut().enumerate() {
            *stand = Markers { disruption: share(self.disruption, n), degradation: share(self.degradation, n) };
        }
        soldiers
    }

    /// What its stands' own markers take off each die.
    fn own_factors(&self, charts: &Charts) -> SmallVec<[i32; 4]> {
        let modifier = &charts.fire.modifier;
        let of = |stand: &Markers| {
            let disrupted = if stand.disruption > 0 { plain(modifier.firer_disrupted).value } else { 0 };
            let degraded = if stand.degradation > 0 { plain(modifier.firer_degraded).value } else { 0 };
            disrupted + degraded
        };
        self.soldiers().stands.iter().map(of).collect()
    }

    /// What it adds to dice thrown at it, from the front.
    fn target_factor(&self, charts: &Charts, by_guns: bool) -> i32 {
        let modifier = &charts.fire.modifier;
        let cover = match self.shelter {
            None => 0,
            Some(Shelter::Cover) => plain(modifier.cover).value,
            Some(Shelter::Dense) => plain(modifier.cover).value + plain(modifier.dense_cover_further).value,
        };
        let guns = if by_guns && self.shelter.is_some() { plain(modifier.artillery_v_cover).value } else { 0 };
        let horse = if self.arm == Arm::Cavalry { plain(modifier.target_cavalry).value } else { 0 };
        let dense = if self.dense { plain(modifier.target_dense).value } else { 0 };
        cover + guns + horse + dense
    }
}

/// A command roll against a score.
pub fn command(charts: &Charts, target: i32, blunders: bool) -> Odds {
    let blunder = charts.command.blunder.value.get();
    let total =
        Spread::of_pool(charts.command.dice.value.0, |pips| pips.iter().map(|&pip| i32::from(pip)).sum::<i32>());
    let fates = total.map(|score| match score {
        score if blunders && *score >= blunder => 2,
        score if *score <= target => 0,
        _ => 1,
    });
    Odds::plot(format!("an order at {target} or less"), &fates, |fate: &i32| {
        match fate {
            0 => "obeyed",
            1 => "not obeyed",
            _ => "blunder",
        }
        .to_owned()
    })
}

/// A volley; nothing where the weapon does not reach so far.
pub fn fire(charts: &Charts, by: &Party, weapon: Weapon, range: Length, flank: bool, at: &Party) -> Option<Odds> {
    let band = charts.bands(weapon).iter().find(|band| range <= band.to.value.0 + SLACK)?;
    let side = if flank { plain(charts.fire.modifier.flank_or_rear).value } else { 0 };
    let common = plain(band.factor).value + side + at.target_factor(charts, weapon.is_gun());
    let dice = usize::try_from(band.dice.value.get()).unwrap_or(0);
    let each = by.own_factors(charts).into_iter().flat_map(|own| std::iter::repeat_n(own + common, dice));
    let factors: Vec<i32> = each.collect();
    let hits = hit_spread(charts, &factors);
    let plot = Odds::plot(format!("hits of {} dice at {range}", factors.len()), &hits, hits_label);
    let fresh = Laying::of(at.soldiers().stands, at.arm == Arm::Cavalry, u16::MAX, &[]);
    let before = fresh.stands.clone();
    let laid = laid(charts, &fresh, &hits);
    let marks = laid.map(|laying| laying.added(&before));
    let told = Odds::plot("markers on the target", &marks, |(disruption, degradation)| {
        format!("{disruption} disruption, {degradation} degradation")
    });
    let ends = laid.map(|laying| if laying.gone { 2 } else { i32::from(laying.further > 0) });
    let end = Odds::plot("the target", &ends, |end| {
        ["stands", "gives way", "is gone"][(*end).clamp(0, 2) as usize].to_owned()
    });
    Some(plot.followed_by(told).followed_by(end))
}

fn hits_label(hits: &i32) -> String {
    if *hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") }
}

/// The test to close.
pub fn close(markers: u32) -> Odds {
    Odds::plot(format!("a test to close with {markers} markers"), &close_spread(markers), |closes| {
        if *closes { "closes" } else { "goes back" }.to_owned()
    })
}

/// A round of close combat, front to front, every stand fighting.
pub fn combat(charts: &Charts, own: &Party, charging: bool, enemy: &Party) -> Odds {
    let hits = |by: &Party, charging: bool, at: &Party| {
        let combat = &charts.combat;
        let double = by.arm == Arm::Infantry && at.arm == Arm::Cavalry;
        let dice = if double { combat.dice_v_cavalry } else { combat.dice }.value.get().max(0) as usize;
        let charge = if charging { plain(combat.modifier.charging).value } else { 0 };
        let heavy = if charging && by.heavy { plain(combat.modifier.heavy_charging).value } else { 0 };
        let common = at.target_factor(charts, false) + charge + heavy;
        let need = combat.need.value.get();
        by.own_factors(charts).into_iter().fold(Spread::certain(0), |sum, factor| {
            let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(i32::from(pips[0]) + factor + common >= need));
            sum.plus(&Spread::sum_of(dice, &die))
        })
    };
    let (given, taken) = (hits(own, charging, enemy), hits(enemy, false, own));
    let both = given.then(|given| taken.map(|taken| (*given, *taken)));
    let end = |party: &Party, hits: i32| fate(party.arm, &party.soldiers(), hits.max(0).unsigned_abs());
    let fates = both.map(|(given, taken)| (end(own, *taken), end(enemy, *given)));
    let word = |fate: &Fate| match fate {
        Fate::Stands => "stands",
        Fate::Withdraws => "withdraws",
        Fate::Removed => "is gone",
    };
    Odds::plot("one round", &fates, |(first, second)| format!("own {}, enemy {}", word(first), word(second)))
        .followed_by(Odds::plot("hits given and taken", &both, |(given, taken)| format!("{given} : {taken}")))
}

/// Recovery of so many disruption markers.
pub fn recovery(charts: &Charts, quality: Quality, markers: u8) -> Odds {
    let need = charts.recovery.need.value.get() - charts.recovery_of(quality).map_or(0, |modifier| modifier.value);
    let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(i32::from(pips[0]) >= need));
    let off = Spread::sum_of(usize::from(markers), &die);
    Odds::plot(format!("markers off out of {markers}"), &off, |off| format!("{off} off"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Ruleset;
    use engine::chart::ChartTree;

    fn charts() -> Charts {
        ChartTree::printed(super::super::Fpw::EDITIONS[0].charts)
            .and_then(|tree| tree.read())
            .unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn regiment() -> Party {
        let arm = Arm::Infantry;
        Party { arm, stands: 3, disruption: 0, degradation: 0, heavy: false, dense: false, shelter: None }
    }

    fn exact(odds: &Odds, label: &str) -> String {
        odds.bars.iter().find(|bar| bar.label == label).map_or("none".to_owned(), |bar| bar.exact.clone())
    }

    #[test]
    fn a_clean_regiment_of_chassepots_at_six_inches_hits_on_four_to_six() {
        let odds = fire(&charts(), &regiment(), Weapon::Chassepot, Length::whole_inches(6), false, &regiment());
        assert_eq!(exact(&odds.unwrap(), "3 hits"), "1/8");
    }

    #[test]
    fn an_order_at_eight_is_obeyed_in_26_of_36() {
        let odds = command(&charts(), 8, true);
        assert_eq!((exact(&odds, "obeyed"), exact(&odds, "blunder")), ("13/18".to_owned(), "1/36".to_owned()));
    }

    #[test]
    fn guards_recover_sooner_than_landwehr() {
        let off = |quality| exact(&recovery(&charts(), quality, 1), "1 off");
        assert_eq!([off(Quality::Elite), off(Quality::Regular), off(Quality::Landwehr)], ["1/2", "1/3", "1/6"]);
    }

    #[test]
    fn foot_throws_double_against_horse() {
        let mut horse = regiment();
        horse.arm = Arm::Cavalry;
        horse.stands = 2;
        let odds = combat(&charts(), &horse, true, &regiment());
        assert_eq!(odds.then[0].bars.last().unwrap().label, "2 : 6");
    }
}
