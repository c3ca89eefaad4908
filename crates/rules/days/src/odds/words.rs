//! Situations described in words, for whoever has no battle at hand: the lines of the charts by their names.

use super::super::charts::{Assaults, Charts, Factors, Modifier, Tests, plain};
use super::super::event::Test;
use engine::Cited;

/// Finds a line of a chart by its name, and lists the names.
macro_rules! lines {
    ($(#[$doc:meta])* $find:ident, $(#[$all:meta])* $names:ident: $chart:ty { $($field:ident,)* }) => {
        $(#[$all])*
        pub const $names: &[&str] = &[$(stringify!($field),)*];

        $(#[$doc])*
        fn $find(chart: &$chart, name: &str) -> Option<Cited<Modifier>> {
            match name {
                $(stringify!($field) => Some(chart.$field),)*
                _ => None,
            }
        }
    };
}

lines! {
    /// A line of the morale chart.
    factor,
    /// What may be said of a unit that tests its morale.
    FACTORS: Factors {
        class1, class2, class3, class4, routing, shaken, disordered, below_half, fought_before, pushed_back,
        routed_before, gone_to_ground, out_of_command, general_attached, exceptional_rallies, general_rallies,
        from_behind, square_v_horse, flanks_secure, horse_at_formed_foot, at_heavy_cover, at_weak_target,
        foot_v_horse_in_open, charged_from_behind, in_light_cover, in_heavy_cover, charged_by_several, stand_shot,
        battery_losses, shot_from_behind, stand_lost_charging, horse_home_at_formed_foot, horse_home_at_square,
        home_at_heavy_cover, enemy_near,
    }
}

lines! {
    /// A line of the chart of close assault.
    advantage,
    /// What may be said of a side in a close assault.
    ADVANTAGES: Assaults {
        horse_charging, foot_charging, column_charging, cuirassiers_charging, heavy_horse_charging,
        horse_v_foot_in_open, breech_loaders_v_horse, square_v_horse, light_cover, heavy_cover, uphill, half_again,
        twice, thrice, general_exceptional, general_capable, general_inept, engineers, won_last_round, disordered,
        shaken, gone_to_ground, below_half, enemy_on_flank, enemy_on_rear, march_column, skirmishers, deployed_guns,
        limbered,
    }
}

/// The score of a morale test with these lines; a line said twice counts twice. The name that is no line, if one is none.
pub fn test_score<'n>(charts: &Charts, test: Test, lines: &[&'n str]) -> Result<i32, &'n str> {
    let Tests { to_charge, being_charged, casualties, charging_home, rally, .. } = &charts.test;
    let base = match test {
        Test::ToCharge => to_charge,
        Test::BeingCharged => being_charged,
        Test::Casualties => casualties,
        Test::ChargingHome => charging_home,
        Test::Rally => rally,
    };
    lines
        .iter()
        .try_fold(plain(*base).value, |sum, name| Ok(sum + plain(factor(&charts.factor, name).ok_or(*name)?).value))
}

/// What a side of this mean class brings to a close assault with these lines. The name that is no line, if one is none.
pub fn assault_score<'n>(charts: &Charts, class: u8, lines: &[&'n str]) -> Result<i32, &'n str> {
    lines
        .iter()
        .try_fold(i32::from(class), |sum, name| Ok(sum + plain(advantage(&charts.assault, name).ok_or(*name)?).value))
}
