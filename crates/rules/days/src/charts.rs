//! The figures of `charts/iron.toml` and `charts/empire.toml` in typed form. House rules may change a figure within its
//! bounds, never the shape. Most figures are reconstructions: the sheets they stood on are lost.

pub use super::figures::{Blow, Condition, Faces, Fate, Ratio, Span, TargetClass, Toll, Turned, Wound};
use book::chart;
pub use book::figures::{Count, Modifier, Reach, Share, Throw, plain};
use engine::Cited;
use engine::chart::Bounded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::{Angle, Length};

chart! {
    /// All figures of a book. Both books have the same tables; what one does not know is nought or switched off.
    Charts {
        switch: Switches, constant: Constants, stand: Stands, points: Points, staff: BTreeMap<String, StaffSpans>,
        target: Targets, small_arms: BTreeMap<String, SmallArm>, gun: BTreeMap<String, Gun>, effect: Effects,
        fire: Fire, damage: Damage, wound: Wounds, pace: Paces, ground: Grounds, evolution: Evolutions,
        battery: Batteries, test: Tests, factor: Factors, outcome: Outcomes, assault: Assaults, result: Results,
        special: Specials, work: Works, margin: Margins, scouting: Scouting,
    }
    /// What a book plays with.
    Switches {
        squares: Cited<bool>, first_fire: Cited<bool>, crack_volley: Cited<bool>, bounding_shot: Cited<bool>,
        to_ground: Cited<bool>, passage_of_lines: Cited<bool>, light_only: Cited<bool>, horse_holders: Cited<bool>,
    }
    /// Distances, counts and angles.
    Constants {
        table_width: Cited<Reach>, table_depth: Cited<Reach>, deployment_depth: Cited<Reach>,
        command_radius: Cited<Reach>, replace_within: Cited<Reach>, attached_hit: Cited<Count>, sight: Cited<Reach>,
        sight_arc: Cited<Angle>, sight_heavy: Cited<Reach>, sight_light: Cited<Reach>,
        sight_skirmishers: Cited<Reach>, dead_ground_beyond: Cited<Reach>, crest: Cited<Reach>, cover: Cited<Reach>,
        standoff: Cited<Reach>, contact: Cited<Reach>, impulse_over: Cited<Share>, impulse_to: Cited<Share>,
        caught_foot: Cited<Reach>, caught_mounted: Cited<Reach>, fast: Cited<Reach>, halt_short: Cited<Reach>,
        shot_charge: Cited<Reach>, gun_dead_ground: Cited<Reach>, overhead_danger: Cited<Reach>,
        arc_foot: Cited<Angle>, arc_guns: Cited<Angle>, arc_mitrailleuse: Cited<Angle>, arc_skirmish: Cited<Angle>,
        forced_standoff: Cited<Reach>, entry_standoff: Cited<Reach>, off_board_share: Cited<Share>,
        fire_spread: Cited<Reach>, fire_turns: Cited<Count>, wood_found: Cited<Reach>, wood_light_to: Cited<Count>,
        river_wider: Cited<Reach>, ford_width: Cited<Reach>, ford_spacing: Cited<Reach>, ford_pip: Cited<Count>,
        evader_back: Cited<Count>, squadron_least: Cited<Count>, square_least: Cited<Count>,
        holders_per: Cited<Count>, shattered_foot: Cited<Count>, shattered_horse: Cited<Count>,
        breakthrough_wheel: Cited<Angle>, half_strength: Cited<Share>, flank_near: Cited<Reach>,
        flank_enemy: Cited<Reach>, rally_enemy: Cited<Reach>, column_width: Cited<Count>, march_width: Cited<Count>,
        skirmish_gap: Cited<Reach>, screen_beside: Cited<Reach>, screen_share: Cited<Share>,
        screen_within: Cited<Reach>, skirmish_class: Cited<Count>, feint_class: Cited<Count>,
        stay_class: Cited<Count>, passage_class: Cited<Count>, passage_gap: Cited<Reach>,
        squadron_reunite: Cited<Reach>, charge_together: Cited<Reach>,
    }
    /// Sizes of stands.
    Stands { infantry: Stand, cavalry: Stand, general: Stand, engineer: Stand, gun: Stand, limbered: Stand, wagon: Stand, }
    /// One stand.
    Stand { width: Cited<Reach>, depth: Cited<Reach>, }
    /// What troops cost.
    Points {
        general_army: Cited<Count>, general_division: Cited<Count>, general_brigade: Cited<Count>,
        engineers: Cited<Count>, pioneers: Cited<Count>, bridge: Cited<Reach>, train: Cited<Count>,
        pontoon: Cited<Count>, pontoon_each: Cited<Reach>, earthworks: Cited<Count>, earthworks_each: Cited<Reach>,
        horse_artillery: Cited<Count>, infantry: ByClass, cavalry: ByClass, modifier: BTreeMap<String, Cited<Count>>,
    }
    /// A figure for each class.
    ByClass { class1: Cited<Count>, class2: Cited<Count>, class3: Cited<Count>, class4: Cited<Count>, }
    /// On which pips a general turns out how.
    StaffSpans { inept: Cited<Span>, capable: Cited<Span>, exceptional: Cited<Span>, }
    /// In which column troops are shot at.
    Targets {
        order: Cited<Vec<TargetClass>>, staff: Cited<TargetClass>, skirmish: Cited<TargetClass>,
        to_ground: Cited<TargetClass>, engineers: Cited<TargetClass>, crew: Cited<TargetClass>,
        line: Cited<TargetClass>, deployed: Cited<TargetClass>, square: Cited<TargetClass>,
        holders: Cited<TargetClass>, routing: Cited<TargetClass>, column: Cited<TargetClass>,
        limbered: Cited<TargetClass>, wagon: Cited<TargetClass>, relieved: Cited<TargetClass>,
    }
    /// A small arm.
    SmallArm { cost: Cited<Count>, breech_loader: Cited<bool>, close: Grades, effective: Grades, long: Option<Grades>, }
    /// Grades by kind of target, out to a distance.
    Grades {
        max: Cited<Reach>, dispersed: Cited<Count>, line: Cited<Count>, dense: Cited<Count>, fast: Cited<Count>,
        light: Cited<Count>, heavy: Cited<Count>,
    }
    /// A gun.
    Gun {
        cost: Cited<Count>, dice: Cited<Count>, howitzer: Cited<bool>, fires: Cited<bool>, close: Grades,
        effective: Grades, long: Option<Grades>, bound: Bounds,
    }
    /// How far round shot goes on behind its first target, by the band that one stands in.
    Bounds { close: Cited<Reach>, effective: Cited<Reach>, long: Cited<Reach>, }
    /// What a die does, by grade.
    Effects {
        grade0: Effect, grade1: Effect, grade2: Effect, grade3: Effect, grade4: Effect, grade5: Effect, grade6: Effect,
    }
    /// What a die does for so many stands.
    Effect { four: Cited<Faces>, three: Cited<Faces>, two: Cited<Faces>, one: Cited<Faces>, }
    /// Shooting.
    Fire {
        dice: Cited<Throw>, group: Cited<Count>, least_grade: Cited<Modifier>, best_grade: Cited<Modifier>,
        shaken: Cited<Modifier>, class1: Cited<Modifier>, crack_class: Cited<Count>, crack_stands: Cited<Count>,
        crack_dice: Cited<Count>, first_fire_dice: Cited<Count>, fire_pip: Cited<Count>, fire_close: Cited<bool>,
        arson_stands: Cited<Count>, arson_pip: Cited<Count>,
    }
    /// Hits on guns.
    Damage {
        dice: Cited<Throw>, crew_per_gun: Cited<Count>, least_crew: Cited<Count>, damaged_for: Cited<Count>,
        damaged_crew: Cited<Count>, destroyed_crew: Cited<Count>, team_near: Cited<Reach>, horses_foot: Cited<Count>,
        horses_horse: Cited<Count>, as_foot_at: Cited<Count>, half_pace_at: Cited<Count>, stuck_at: Cited<Count>,
        guns_by_guns: Blows, guns_by_small_arms: Blows, limbered: Blows, limbered_by_small_arms: Blows,
    }
    /// What a hit does to a battery, by pip.
    Blows {
        pip1: Cited<Blow>, pip2: Cited<Blow>, pip3: Cited<Blow>, pip4: Cited<Blow>, pip5: Cited<Blow>, pip6: Cited<Blow>,
    }
    /// Hits on staff and engineers.
    Wounds { general: WoundFaces, engineers: WoundFaces, }
    /// What a hit does to him, by pip.
    WoundFaces {
        pip1: Cited<Wound>, pip2: Cited<Wound>, pip3: Cited<Wound>, pip4: Cited<Wound>, pip5: Cited<Wound>,
        pip6: Cited<Wound>,
    }
    /// Allowances.
    Paces {
        least: Cited<Reach>, evade: Cited<Share>, opportunity: Cited<Share>, first_rout: Cited<Share>,
        infantry_line: Pace, infantry_manoeuvre: Pace, infantry_march: Pace, infantry_skirmish: Pace,
        infantry_square: Pace, cavalry_line: Pace, cavalry_column: Pace, cavalry_skirmish: Pace,
        cavalry_dismounted: Pace, cavalry_leading: Pace, guns_foot: Pace, guns_horse: Pace, guns_siege: Pace,
        guns_by_hand: Pace, crew: Pace, staff: Pace, engineers: Pace, wagon: Pace,
    }
    /// How far troops go.
    Pace {
        normal: Cited<Reach>, charge: Cited<Reach>, forced: Cited<Reach>, road: Cited<Reach>, rout: Cited<Reach>,
    }
    /// What ground costs.
    Grounds {
        slope_gentle: Going, slope_steep: Going, difficult: Going, wood_light: Going,
        wood_heavy: Going, urban_light: Going, urban_heavy: Going, obstacle_light: Going,
        obstacle_heavy: Going, stream: Going, ford: Going, river: Going,
        swamp: Going, bridge: Going, burning: Going,
    }
    /// What a feature costs each kind of troops.
    Going {
        formed: Cited<Toll>, open_order: Cited<Toll>, engineers: Cited<Toll>, mounted: Cited<Toll>,
        limbered: Cited<Toll>, staff: Cited<Toll>, column_only: Cited<bool>,
    }
    /// What changes of formation cost.
    Evolutions {
        line_column: Cited<Reach>, march_column: Cited<Reach>, march_line: Cited<Reach>, skirmish: Cited<Reach>,
        detachment: Cited<Reach>, square: Cited<Reach>, square_march: Cited<Reach>, turn: Cited<Reach>,
        march_width: Cited<Reach>, bend: Cited<Reach>, cavalry_line_column: Cited<Reach>,
        cavalry_skirmish: Cited<Reach>, cavalry_turn: Cited<Reach>, mounting: Cited<Reach>,
        limber_foot: Cited<Reach>, limber_horse: Cited<Reach>, limber_siege: Cited<Toll>, pivot: Cited<Reach>,
        pivot_most: Cited<Angle>, passage: Cited<Reach>, to_ground: Cited<Reach>, wheel: Cited<Count>,
    }
    /// What batteries may do in one turn.
    Batteries { horse: BatteryActs, foot: BatteryActs, siege: BatteryActs, }
    /// What one kind of battery may do in one turn.
    BatteryActs {
        shoot_and_go: Cited<bool>, limber_and_go: Cited<bool>, go_and_unlimber: Cited<bool>, shoot_and_shift: Cited<bool>,
    }
    /// What each morale test starts from.
    Tests {
        dice: Cited<Throw>, to_charge: Cited<Modifier>, being_charged: Cited<Modifier>, casualties: Cited<Modifier>,
        charging_home: Cited<Modifier>, rally: Cited<Modifier>,
    }
    /// What is added in morale tests.
    Factors {
        class1: Cited<Modifier>, class2: Cited<Modifier>, class3: Cited<Modifier>, class4: Cited<Modifier>,
        routing: Cited<Modifier>, shaken: Cited<Modifier>, disordered: Cited<Modifier>, below_half: Cited<Modifier>,
        fought_before: Cited<Modifier>, pushed_back: Cited<Modifier>, routed_before: Cited<Modifier>,
        gone_to_ground: Cited<Modifier>, out_of_command: Cited<Modifier>, general_attached: Cited<Modifier>,
        exceptional_rallies: Cited<Modifier>, general_rallies: Cited<Modifier>, from_behind: Cited<Modifier>,
        square_v_horse: Cited<Modifier>, flanks_secure: Cited<Modifier>, horse_at_formed_foot: Cited<Modifier>,
        at_heavy_cover: Cited<Modifier>, at_weak_target: Cited<Modifier>, foot_v_horse_in_open: Cited<Modifier>,
        charged_from_behind: Cited<Modifier>, in_light_cover: Cited<Modifier>, in_heavy_cover: Cited<Modifier>,
        charged_by_several: Cited<Modifier>, stand_shot: Cited<Modifier>, battery_losses: Cited<Modifier>,
        shot_from_behind: Cited<Modifier>, stand_lost_charging: Cited<Modifier>,
        horse_home_at_formed_foot: Cited<Modifier>, horse_home_at_square: Cited<Modifier>,
        home_at_heavy_cover: Cited<Modifier>, enemy_near: Cited<Modifier>,
    }
    /// What failing and passing does.
    Outcomes {
        charged_shaken_to: Cited<Modifier>, charged_rout_at: Cited<Modifier>, breakthrough_rout_at: Cited<Modifier>,
        shot_halted_to: Cited<Modifier>, shot_shaken_at: Cited<Modifier>, shot_rout_at: Cited<Modifier>,
        shot_halted_foot: Cited<Condition>, shot_halted_others: Cited<Condition>,
        home_disordered_at: Cited<Modifier>, rally_disordered: Cited<Condition>, rally_shaken: Cited<Condition>,
        good_by: Cited<Modifier>, rally_routing: Cited<Condition>, rally_pursuing: Cited<Condition>,
    }
    /// Close assault.
    Assaults {
        dice: Cited<Throw>, horse_charging: Cited<Modifier>, foot_charging: Cited<Modifier>,
        column_charging: Cited<Modifier>, cuirassiers_charging: Cited<Modifier>,
        heavy_horse_charging: Cited<Modifier>, horse_v_foot_in_open: Cited<Modifier>,
        breech_loaders_v_horse: Cited<Modifier>, square_v_horse: Cited<Modifier>, light_cover: Cited<Modifier>,
        heavy_cover: Cited<Modifier>, uphill: Cited<Modifier>, half_again: Cited<Modifier>, twice: Cited<Modifier>,
        thrice: Cited<Modifier>, half_again_at: Cited<Ratio>, twice_at: Cited<Ratio>, thrice_at: Cited<Ratio>,
        general_exceptional: Cited<Modifier>, general_capable: Cited<Modifier>, general_inept: Cited<Modifier>,
        engineers: Cited<Modifier>, won_last_round: Cited<Modifier>, disordered: Cited<Modifier>,
        shaken: Cited<Modifier>, gone_to_ground: Cited<Modifier>, below_half: Cited<Modifier>,
        enemy_on_flank: Cited<Modifier>, enemy_on_rear: Cited<Modifier>, march_column: Cited<Modifier>,
        skirmishers: Cited<Modifier>, deployed_guns: Cited<Modifier>, limbered: Cited<Modifier>,
    }
    /// Results by the difference of scores.
    Results { locked: AssaultResult, marginal: AssaultResult, minor: AssaultResult, major: AssaultResult, }
    /// One result.
    AssaultResult {
        from: Cited<Count>, loser_loses: Cited<Count>, loser_back: Cited<Reach>, loser_back_mounted: Cited<Reach>,
        loser_state: Cited<Condition>, loser_faces: Cited<Turned>, winner_loses: Cited<Count>,
        winner_on: Cited<Reach>, winner_on_mounted: Cited<Reach>, winner_state: Cited<Condition>,
        winner_pursues: Cited<bool>,
    }
    /// Losers of a special kind.
    Specials {
        guns_marginal_crew: Cited<Count>, guns_marginal_back: Cited<Reach>, guns_minor: Cited<Fate>,
        guns_major: Cited<Fate>, limbered_minor: Cited<Fate>, limbered_major: Cited<Fate>, guns_advance: Cited<bool>,
        skirmishers_minor: Cited<Fate>, square_marginal_back: Cited<Reach>, square_marginal_state: Cited<Condition>,
        square_minor: Cited<Fate>, routers: Cited<Fate>, skirmishers_v_horse: Cited<Fate>,
        no_room_loses: Cited<Count>,
    }
    /// What engineers and others build and break.
    Works {
        wooden_bridge: Cited<Count>, stone_bridge: Cited<Count>, bridge_falls: Cited<Count>,
        bridge_span: Cited<Reach>, clear_pioneers: Cited<Count>, clear_width: Cited<Reach>, clear: Cited<Count>,
        pontoon: Cited<Count>, pontoon_width: Cited<Reach>, pontoon_length: Cited<Reach>,
        pontoon_pioneers: Cited<Count>, pontoon_hands: Cited<Count>, hands_near: Cited<Reach>,
        barricade: Cited<Count>,
    }
    /// Victory by points lost.
    Margins {
        draw: Cited<Bounded<0, 100_000>>, minor: Cited<Bounded<0, 100_000>>, major: Cited<Bounded<0, 100_000>>,
        of: Cited<Bounded<0, 100_000>>, in_proportion: Cited<bool>,
    }
    /// Scouting.
    Scouting {
        class1: Cited<Count>, class2: Cited<Count>, class3: Cited<Count>, class4: Cited<Count>, lead: Cited<Count>,
    }
}

/// A distance of the book.
pub fn reach(cell: Cited<Reach>) -> Length {
    cell.value.0
}

/// A count of the book, for comparing with stands.
pub fn count(cell: Cited<Count>) -> u32 {
    cell.value.get().unsigned_abs()
}

/// A band of range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Band {
    Close,
    Effective,
    Long,
}

impl Grades {
    /// The grade in a column.
    pub fn of(&self, class: TargetClass) -> Cited<Count> {
        match class {
            TargetClass::Dispersed => self.dispersed,
            TargetClass::Line => self.line,
            TargetClass::Dense => self.dense,
            TargetClass::Fast => self.fast,
            TargetClass::Light => self.light,
            TargetClass::Heavy => self.heavy,
        }
    }
}

/// The bands of a weapon, the nearest first.
fn band<'b>(
    close: &'b Grades,
    effective: &'b Grades,
    long: Option<&'b Grades>,
    at: Length,
) -> Option<(Band, &'b Grades)> {
    let bands = [Some((Band::Close, close)), Some((Band::Effective, effective)), long.map(|long| (Band::Long, long))];
    bands.into_iter().flatten().find(|(_, grades)| at <= reach(grades.max))
}

impl SmallArm {
    /// The band a distance falls into; none beyond the last.
    pub fn band(&self, at: Length) -> Option<(Band, &Grades)> {
        band(&self.close, &self.effective, self.long.as_ref(), at)
    }

    /// How far it shoots.
    pub fn range(&self) -> Length {
        reach(self.long.as_ref().unwrap_or(&self.effective).max)
    }
}

impl Gun {
    /// The band a distance falls into; none beyond the last.
    pub fn band(&self, at: Length) -> Option<(Band, &Grades)> {
        band(&self.close, &self.effective, self.long.as_ref(), at)
    }

    /// How far it shoots.
    pub fn range(&self) -> Length {
        reach(self.long.as_ref().unwrap_or(&self.effective).max)
    }

    /// How far round shot goes on behind a target in a band.
    pub fn bound_in(&self, band: Band) -> Cited<Reach> {
        match band {
            Band::Close => self.bound.close,
            Band::Effective => self.bound.effective,
            Band::Long => self.bound.long,
        }
    }
}

impl Effects {
    /// What a die does at a grade; grades beyond the table are its last.
    pub fn grade(&self, grade: i32) -> &Effect {
        match grade {
            ..=0 => &self.grade0,
            1 => &self.grade1,
            2 => &self.grade2,
            3 => &self.grade3,
            4 => &self.grade4,
            5 => &self.grade5,
            _ => &self.grade6,
        }
    }
}

impl Effect {
    /// The faces for so many stands; four for any more.
    pub fn column(&self, stands: u8) -> &Cited<Faces> {
        match stands {
            0 | 1 => &self.one,
            2 => &self.two,
            3 => &self.three,
            _ => &self.four,
        }
    }
}

impl ByClass {
    /// The figure of a class.
    pub fn of(&self, class: u8) -> Cited<Count> {
        match class {
            0 | 1 => self.class1,
            2 => self.class2,
            3 => self.class3,
            _ => self.class4,
        }
    }
}

impl Blows {
    /// What a pip does.
    pub fn on(&self, pip: u8) -> Cited<Blow> {
        match pip {
            0 | 1 => self.pip1,
            2 => self.pip2,
            3 => self.pip3,
            4 => self.pip4,
            5 => self.pip5,
            _ => self.pip6,
        }
    }
}

impl WoundFaces {
    /// What a pip does.
    pub fn on(&self, pip: u8) -> Cited<Wound> {
        match pip {
            0 | 1 => self.pip1,
            2 => self.pip2,
            3 => self.pip3,
            4 => self.pip4,
            5 => self.pip5,
            _ => self.pip6,
        }
    }
}

impl Results {
    /// The result of a difference.
    pub fn of(&self, difference: i32) -> &AssaultResult {
        let rows = [&self.major, &self.minor, &self.marginal];
        rows.into_iter().find(|row| difference >= row.from.value.get()).unwrap_or(&self.locked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Days;
    use engine::Ruleset;
    use engine::chart::ChartTree;

    #[test]
    fn the_charts_of_both_books_read() {
        for edition in Days::EDITIONS {
            let charts: Charts = ChartTree::printed(edition.charts).and_then(|tree| tree.read()).unwrap();
            assert_eq!(charts.results_by_difference(), ["locked", "marginal", "minor", "minor", "major", "major"]);
            let wheel = charts.evolution.wheel.value.get();
            assert_eq!(wheel, 2, "{}: a wheel costs twice its arc", edition.id);
        }
    }

    impl Charts {
        /// The names of the results from nought to five.
        fn results_by_difference(&self) -> [&'static str; 6] {
            let result = &self.result;
            std::array::from_fn(|difference| {
                let found = result.of(difference as i32);
                let names = [("locked", &result.locked), ("marginal", &result.marginal), ("minor", &result.minor)];
                names.into_iter().find(|(_, row)| std::ptr::eq(*row, found)).map_or("major", |(name, _)| name)
            })
        }
    }
}
