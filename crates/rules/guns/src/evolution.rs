//! Changes of formation: what they cost (evol-a to -g, R52, R53), which formations an arm may take (section C).

use super::clause::Clause;
use super::field::{self, Field, distance};
use super::formation::{Formation, Shape, Spacing};
use super::unit::{Arm, Facts};
use engine::UnitId;
use table::{Length, Pose, SLACK};

/// Assault columns need this many elements at least: two files, two ranks.
const LEAST_COLUMN: u8 = 4;

/// The deduction for a change, and its clause; an error says why it cannot be made.
pub fn cost(field: &Field, unit: UnitId, from: Formation, to: Formation) -> Result<(Length, Clause), String> {
    let table = &field.charts().evolution;
    let (measure, clause) = match family(from.shape, to.shape) {
        None => return Err(format!("there is no way from {} to {}", from.shape.word(), to.shape.word())),
        Some(Change::Same) => return Ok((displacement(field, unit, from, to), Clause::OtherChanges)),
        Some(Change::RouteColumn) => (&table.route_column, Clause::RouteToColumn),
        Some(Change::RouteLine) => (&table.route_line, Clause::RouteToLine),
        Some(Change::RouteOpen) => (&table.route_open, Clause::RouteToOpen),
        Some(Change::ColumnLine) => (&table.column_line, Clause::ColumnToLine),
        Some(Change::ColumnOpen) => (&table.column_open, Clause::ColumnToOpen),
        Some(Change::LineOpen) => (&table.line_open, Clause::OtherChanges),
    };
    Ok((distance(field, measure), clause))
}

/// Rows of the table of evolutions; each costs the same both ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Same,
    RouteColumn,
    RouteLine,
    RouteOpen,
    ColumnLine,
    ColumnOpen,
    LineOpen,
}

fn family(from: Shape, to: Shape) -> Option<Change> {
    use Shape::{Assault, Deployed, Extended, Limbered, Line, Loose, Route, Squadrons};
    let one_way = |a: Shape, b: Shape| match (a, b) {
        (Route, Assault | Squadrons) => Some(Change::RouteColumn),
        (Route, Line) => Some(Change::RouteLine),
        (Route, Loose | Extended) => Some(Change::RouteOpen),
        (Assault | Squadrons, Line) => Some(Change::ColumnLine),
        (Assault | Squadrons, Loose | Extended) => Some(Change::ColumnOpen),
        (Line, Loose | Extended) | (Loose, Extended) => Some(Change::LineOpen),
        _ => None,
    };
    match (from, to) {
        // A battery changes by its cycle, not by an evolution.
        (Limbered | Deployed, _) | (_, Limbered | Deployed) => None,
        _ if from == to => Some(Change::Same),
        _ => one_way(from, to).or_else(|| one_way(to, from)),
    }
}

/// How far the element that goes farthest has to go when files or gaps change within a formation (R52).
fn displacement(field: &Field, unit: UnitId, from: Formation, to: Formation) -> Length {
    let (facts, count) = (field::facts(field, unit), field::count(field, unit));
    let (before, after) = (facts.layout(from, count), facts.layout(to, count));
    let (before, after) = (before.quads(Pose::default()), after.quads(Pose::default()));
    let way = before.zip(after).map(|(old, new)| Length::from_um(old.centre.distance(new.centre)));
    way.max().unwrap_or(Length::ZERO)
}

/// Formations a unit may stand in (training, arm, numbers): for checks, prompts and candidates.
pub fn allowed(field: &Field, unit: UnitId) -> Vec<Formation> {
    let (facts, count) = (field::facts(field, unit), field::count(field, unit));
    let mounted = field::troops(field, unit).mounted;
    let usual = Shape::ALL.iter().map(|shape| Formation::usual(*shape));
    let two_ranks = [Shape::Line, Shape::Loose, Shape::Extended].into_iter().map(|shape| Formation {
        shape,
        files: count.div_ceil(2),
        gap: None,
    });
    let broad = std::iter::once(Formation { shape: Shape::Assault, files: LEAST_COLUMN - 1, gap: None });
    usual
        .chain(two_ranks.filter(|formation| formation.ranks_of(count) > 1))
        .chain(broad)
        .filter(|formation| objection(facts, mounted, *formation, count).is_none())
        .collect()
}

/// Why a unit may not stand in a formation at all, whatever it stands in now.
pub fn objection(facts: &Facts, mounted: bool, formation: Formation, count: u8) -> Option<(Clause, String)> {
    let refuse = |clause: Clause, text: &str| Some((clause, text.to_owned()));
    let shape = formation.shape;
    let gunlike = matches!(shape, Shape::Limbered | Shape::Deployed);
    if facts.is_battery() != gunlike {
        return match facts.is_battery() {
            true => refuse(Clause::GunCycle, "a battery is limbered or deployed, nothing else"),
            false => refuse(Clause::ThreeOrders, "only batteries limber and deploy"),
        };
    }
    if gunlike {
        return None;
    }
    if formation.files > count.max(1) {
        return refuse(Clause::CloseTouches, "it has not so many elements to a rank");
    }
    if facts.screen {
        return screen_objection(facts, formation, count);
    }
    let rides = facts.arm == Arm::Cavalry && mounted;
    let (files, ranks) = (formation.files_of(count), formation.ranks_of(count));
    match shape {
        Shape::Line | Shape::Squadrons if rides && ranks > 1 => {
            refuse(Clause::SquadronLinePace, "a squadron rides in one rank, or in column of route")
        }
        Shape::Squadrons if !rides => refuse(Clause::SquadronColumnPace, "only mounted squadrons form columns of them"),
        Shape::Line if count > 1 && files <= ranks => {
            refuse(Clause::LinePace, "a line has more files than ranks; deeper than that it is a column")
        }
        Shape::Loose if !facts.loose => refuse(Clause::TrainedForLoose, "it is not trained for loose order"),
        Shape::Extended if !facts.extended => refuse(Clause::SkirmishersExtended, "it is not trained to skirmish"),
        Shape::Assault if rides => refuse(Clause::ColumnsAreClose, "cavalry forms no assault column"),
        Shape::Assault if count < LEAST_COLUMN => {
            refuse(Clause::ColumnsAreClose, "an assault column needs four elements at least")
        }
        Shape::Assault if files < 2 || ranks < files => {
            refuse(Clause::ColumnsAreClose, "an assault column has two files or more and at least as many ranks")
        }
        _ => gap_objection(facts, formation),
    }
}

/// Gaps belong to lines of any order, and are never wider than a screen may stretch.
fn gap_objection(facts: &Facts, formation: Formation) -> Option<(Clause, String)> {
    let gap = formation.gap?;
    let opens = matches!(formation.shape, Shape::Line | Shape::Loose | Shape::Extended);
    if !opens && gap > SLACK {
        return Some((Clause::ColumnsAreClose, "a column stands base to base".to_owned()));
    }
    if gap > facts.width() * 2 + SLACK {
        return Some((Clause::CloseTouches, "such wide gaps hold no unit together".to_owned()));
    }
    if formation.shape == Shape::Line && gap + SLACK >= Spacing::Loose.gap(facts.width()) {
        return Some((Clause::LooseGap, "with gaps like these it would be in loose order".to_owned()));
    }
    None
}

fn screen_objection(facts: &Facts, formation: Formation, count: u8) -> Option<(Clause, String)> {
    let (width, gap) = (facts.width(), formation.gap.unwrap_or(facts.width()));
    let stretched = gap + SLACK < width || gap > width * 2 + SLACK;
    if formation.shape != Shape::Extended || formation.ranks_of(count) > 1 || stretched {
        let text = "a screen is one rank in extended order, its gaps one to two elements wide";
        return Some((Clause::ScreenActsAsOne, text.to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Facts, Weapon};
    use table::Footprint;

    fn battalion(elements: u8) -> Facts {
        let weapon = Weapon {
            key: "minie".to_owned(),
            short: Length::cm(10.0),
            extreme: Length::cm(30.0),
            artillery: false,
            breech: false,
            magazine: false,
            howitzer: false,
            rapid: None,
        };
        Facts {
            arm: Arm::Infantry,
            elements,
            organic: 0,
            organic_weapon: None,
            guns: 0,
            class: None,
            quality: 0,
            start: elements,
            charge_limit: 1,
            advance_limit: 1,
            weapon,
            loose: false,
            extended: true,
            can_dismount: false,
            indirect: false,
            element: Footprint::new(Length::mm(20.0), Length::mm(20.0)),
            screen: false,
            zones: Vec::new(),
            template: None,
        }
    }

    fn refused(text: &str, count: u8) -> bool {
        text.parse::<Formation>().is_ok_and(|formation| objection(&battalion(count), true, formation, count).is_some())
    }

    #[test]
    fn columns_are_deeper_than_wide_and_lines_wider_than_deep() {
        for fine in ["line", "line*4", "assault", "assault*3", "route", "extended"] {
            assert!(!refused(fine, 8), "{fine}");
        }
        for wrong in ["line*2", "assault*4", "loose", "limbered", "squadrons", "route/5mm", "line/12mm"] {
            assert!(refused(wrong, 8), "{wrong}");
        }
        assert!(refused("assault", 3) && refused("line*3", 8));
    }

    #[test]
    fn the_table_reads_the_same_both_ways() {
        for from in Shape::ALL {
            for to in Shape::ALL {
                assert_eq!(family(*from, *to), family(*to, *from), "{from:?} {to:?}");
            }
        }
        assert_eq!(family(Shape::Route, Shape::Line), Some(Change::RouteLine));
        assert_eq!(family(Shape::Assault, Shape::Extended), Some(Change::ColumnOpen));
        assert_eq!(family(Shape::Deployed, Shape::Line), None);
    }

    #[test]
    fn squeezed_gaps_close_the_order() {
        // V06.
        let width = Length::mm(20.0);
        let spacing = |text: &str| text.parse::<Formation>().map(|formation| formation.spacing(width, 8));
        assert_eq!(spacing("extended/19mm"), Ok(Spacing::Loose));
        assert_eq!(spacing("loose/9mm"), Ok(Spacing::Close));
        assert_eq!(spacing("extended/20mm"), Ok(Spacing::Extended));
    }
}
