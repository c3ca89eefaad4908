//! Formations: how stands are drawn up. Written in files and orders as a word with what differs from the usual behind
//! it: `line`, `march*1` (one file), `line^4:30` (bent after the fourth stand from the left, wings refused by 30°),
//! `line^4:-30^8:30`. Sections 12 and C.2.

use book::words;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use table::layout::{Layout, LocalStand};
use table::{Angle, Footprint, Length, Point, Pose, Vec2};

words! {
    /// How a unit is drawn up. `Column` is the cavalry's, `Deployed` guns with gaps, `Massed` guns wheel to wheel.
    Shape {
        Line = "line", March = "march", Manoeuvre = "manoeuvre", Skirmish = "skirmish", Square = "square",
        Column = "column", Limbered = "limbered", Deployed = "deployed", Massed = "massed",
    }
}

/// A joint of a bent line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Bend {
    /// After so many stands from the left; zero for none.
    pub after: u8,
    /// Degrees by which the stands to the right of it are turned: clockwise refuses the wings, anticlockwise advances
    /// them.
    pub by: i8,
}

/// More joints than this are no line any more.
pub const MOST_BENDS: usize = 3;
/// Files of a manoeuvre column (days.12.1-b) and of a usual march column: shapes, not figures that are reckoned with.
const COLUMN_FILES: u8 = 4;
const MARCH_FILES: u8 = 2;

/// How a unit is drawn up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Formation {
    /// The shape.
    pub shape: Shape,
    /// Files of a march column or a column of horse; zero for the usual two.
    pub files: u8,
    /// Joints of a line, from the left.
    pub bends: [Bend; MOST_BENDS],
}

/// Why a text is no formation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is no formation: expected line, march, manoeuvre, skirmish, square, column, limbered, deployed or massed, \
     with `*1` for a single file and `^4:30` for a line bent by 30° after its fourth stand"
)]
pub struct NoFormation(String);

impl Formation {
    /// The usual way to stand in a shape.
    pub const fn usual(shape: Shape) -> Formation {
        Formation { shape, files: 0, bends: [Bend { after: 0, by: 0 }; MOST_BENDS] }
    }

    /// The joints there are.
    pub fn joints(&self) -> impl Iterator<Item = Bend> + '_ {
        self.bends.iter().copied().filter(|bend| bend.after > 0)
    }

    /// Whether it is a bent line.
    pub fn is_bent(&self) -> bool {
        self.shape == Shape::Line && self.joints().next().is_some()
    }

    /// Stands in a full rank.
    pub fn files_of(self, count: u8) -> u8 {
        let files = match self.shape {
            Shape::Line | Shape::Skirmish | Shape::Deployed | Shape::Massed => count,
            Shape::Manoeuvre => COLUMN_FILES,
            Shape::March | Shape::Column if self.files == 0 => MARCH_FILES,
            Shape::March | Shape::Column => self.files,
            Shape::Limbered => 1,
            Shape::Square => side_counts(count)[0],
        };
        files.clamp(1, count.max(1))
    }

    /// The place of the command stand among the stands of the layout.
    pub fn command_stand(self, count: u8) -> usize {
        let (n, files) = (usize::from(count.max(1)), usize::from(self.files_of(count)));
        match self.shape {
            Shape::Line | Shape::Skirmish => n / 2,
            Shape::March | Shape::Column => files - 1,
            Shape::Manoeuvre if n < usize::from(COLUMN_FILES) => (n - 1) / 2,
            Shape::Manoeuvre => 1,
            Shape::Square => files / 2,
            Shape::Deployed | Shape::Massed => n - 1,
            Shape::Limbered => 0,
        }
    }

    /// The stands as they stand, from the front rank and the left on; squares begin with their front and go round
    /// clockwise.
    pub fn layout(self, count: u8, stand: Footprint, gap: Length) -> Layout {
        let n = usize::from(count.max(1));
        match self.shape {
            Shape::Line if self.is_bent() => bent(self, count, stand),
            Shape::Line | Shape::Massed => Layout::line(n, stand, Length::ZERO),
            Shape::Skirmish | Shape::Deployed => Layout::line(n, stand, gap),
            Shape::March | Shape::Column => column(n, usize::from(self.files_of(count)), stand),
            Shape::Manoeuvre => Layout::blocks(n, stand, usize::from(self.files_of(count)), Length::ZERO),
            Shape::Limbered => Layout::column(n, stand, Length::ZERO),
            Shape::Square => square(count, stand),
        }
    }

    /// Where the command stand of such a layout is, relative to the flag. Mostly nobody has to draw the others up.
    pub fn command_place(self, count: u8, stand: Footprint, gap: Length) -> Pose {
        let (n, no) = (usize::from(count.max(1)), self.command_stand(count));
        let of_blocks = |files: usize, gap: Length| Layout::block(n, stand, files, gap, no).pose;
        match self.shape {
            Shape::Line if self.is_bent() => self.drawn_up_place(count, stand, gap),
            Shape::Line | Shape::Massed => of_blocks(n, Length::ZERO),
            Shape::Skirmish | Shape::Deployed => of_blocks(n, gap),
            Shape::Manoeuvre => of_blocks(usize::from(self.files_of(count)), Length::ZERO),
            Shape::Limbered => of_blocks(1, Length::ZERO),
            Shape::March | Shape::Column | Shape::Square => self.drawn_up_place(count, stand, gap),
        }
    }

    /// The same by drawing all stands up.
    fn drawn_up_place(self, count: u8, stand: Footprint, gap: Length) -> Pose {
        let layout = self.layout(count, stand, gap);
        layout.stands().get(self.command_stand(count)).map_or(Pose::default(), |stand| stand.pose)
    }

    /// Whether it is a column of any kind.
    pub fn is_column(self) -> bool {
        matches!(self.shape, Shape::March | Shape::Manoeuvre | Shape::Column | Shape::Limbered)
    }

    /// Whether guns stand ready in it.
    pub fn is_deployed(self) -> bool {
        matches!(self.shape, Shape::Deployed | Shape::Massed)
    }
}

/// Stands on the four sides of a square: front, rear, left, right (empire.12.3-a).
pub fn side_counts(count: u8) -> [u8; 4] {
    std::array::from_fn(|side| count / 4 + u8::from(usize::from(count % 4) > side))
}

/// A column whose odd last stand keeps to the right file.
fn column(n: usize, files: usize, stand: Footprint) -> Layout {
    let ranks = n.div_ceil(files.max(1));
    let stands = (0..n).map(|no| {
        let (rank, file) = (no / files.max(1), no % files.max(1));
        let missing = if rank + 1 == ranks { ranks * files - n } else { 0 };
        let x = (file + missing) as f64 * stand.width.as_f64();
        local(Vec2 { x, y: -(rank as f64) * stand.depth.as_f64() }, Angle::NORTH, stand)
    });
    Layout::arranged(stands)
}

/// Four rows, each beginning where the one before it ends, clockwise.
fn square(count: u8, stand: Footprint) -> Layout {
    let [front, rear, left, right] = side_counts(count).map(f64::from);
    let (width, depth) = (stand.width.as_f64(), stand.depth.as_f64());
    let across = front.max(rear) * width + depth;
    let down = left.max(right) * width + depth;
    let row = move |side: usize, along: f64| match side {
        0 => (Vec2 { x: along, y: 0.0 }, Angle::NORTH),
        1 => (Vec2 { x: across, y: -along }, Angle::EAST),
        2 => (Vec2 { x: across - along, y: -down }, Angle::SOUTH),
        _ => (Vec2 { x: 0.0, y: along - down }, Angle::WEST),
    };
    let sides = [front, right, rear, left].into_iter().enumerate();
    let stands = sides.flat_map(move |(side, stands)| {
        (0..stands as usize).map(move |no| {
            let (flag, facing) = row(side, (no as f64 + 0.5) * width);
            local(flag, facing, stand)
        })
    });
    Layout::arranged(stands)
}

/// A line with joints, seen from its command stand. Neighbours share a rear corner where wings are refused and a front
/// corner where they are advanced, so stands never overlap.
fn bent(formation: Formation, count: u8, stand: Footprint) -> Layout {
    let (width, depth) = (stand.width.as_f64(), stand.depth.as_f64());
    let mut facing = Angle::NORTH;
    // The front left corner of the next stand.
    let mut corner = Vec2 { x: 0.0, y: 0.0 };
    let mut poses = Vec::with_capacity(usize::from(count));
    for no in 0..count.max(1) {
        if let Some(bend) = formation.joints().find(|bend| bend.after == no) {
            let turned = facing + Angle::whole(i32::from(bend.by));
            if bend.by > 0 {
                corner = corner - facing.unit() * depth + turned.unit() * depth;
            }
            facing = turned;
        }
        let right = facing.unit().perp_right();
        poses.push((corner + right * (width * 0.5), facing));
        corner += right * width;
    }
    let (flag, looks) = poses.get(formation.command_stand(count)).copied().unwrap_or_default();
    let seen = poses.into_iter().map(|(place, facing)| local((place - flag).turned(-looks), facing - looks, stand));
    Layout::arranged(seen)
}

fn local(flag: Vec2, facing: Angle, footprint: Footprint) -> LocalStand {
    LocalStand { pose: Pose { at: Point::from_vec(flag), facing }, footprint }
}

impl fmt::Display for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shape.word())?;
        if self.files > 0 {
            write!(f, "*{}", self.files)?;
        }
        self.joints().try_for_each(|bend| write!(f, "^{}:{}", bend.after, bend.by))
    }
}

impl FromStr for Formation {
    type Err = NoFormation;

    fn from_str(text: &str) -> Result<Formation, NoFormation> {
        let wrong = || NoFormation(text.to_owned());
        let mut parts = text.split('^');
        let head = parts.next().unwrap_or_default();
        let (word, files) = match head.split_once('*') {
            Some((word, files)) => (word, files.trim().parse().ok().filter(|files| *files > 0).ok_or_else(wrong)?),
            None => (head, 0),
        };
        let shape = Shape::parse(word.trim()).ok_or_else(wrong)?;
        if files > MARCH_FILES || (files > 0 && !matches!(shape, Shape::March | Shape::Column)) {
            return Err(wrong());
        }
        let mut formation = Formation { files, ..Formation::usual(shape) };
        for (n, part) in parts.enumerate() {
            let (after, by) = part.split_once(':').ok_or_else(wrong)?;
            let bend =
                Bend { after: after.trim().parse().map_err(|_| wrong())?, by: by.trim().parse().map_err(|_| wrong())? };
            // Joints stand from the left to the right, at least two stands apart, and bend by less than a right angle.
            let before = if n == 0 { 0 } else { formation.bends[n - 1].after };
            let sound = shape == Shape::Line && bend.after >= before + 2 && bend.by != 0 && bend.by.unsigned_abs() < 90;
            *formation.bends.get_mut(n).filter(|_| sound).ok_or_else(wrong)? = bend;
        }
        Ok(formation)
    }
}

impl Serialize for Formation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Formation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Formation, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INCH: Footprint = Footprint { width: Length::whole_inches(1), depth: Length::whole_inches(1) };

    fn size(text: &str, count: u8) -> (i32, i32) {
        let formation: Formation = text.parse().unwrap();
        let footprint = formation.layout(count, INCH, Length::whole_inches(1)).footprint();
        let inch = Length::whole_inches(1).as_um();
        (footprint.width.as_um() / inch, footprint.depth.as_um() / inch)
    }

    #[test]
    fn frontages_and_depths_are_those_of_the_book() {
        assert_eq!(size("march*1", 12), (1, 12));
        assert_eq!(size("march", 11), (2, 6));
        assert_eq!(size("manoeuvre", 12), (4, 3));
        assert_eq!(size("manoeuvre", 3), (3, 1));
        assert_eq!(size("line", 12), (12, 1));
        assert_eq!(size("skirmish", 6), (11, 1));
        assert_eq!(size("deployed", 3), (5, 1));
        assert_eq!(size("massed", 3), (3, 1));
        assert_eq!(size("square", 8), (3, 3));
        assert_eq!(size("square", 12), (4, 4));
    }

    #[test]
    fn stands_of_a_square_or_a_bent_line_touch_and_never_overlap() {
        for text in ["square", "line^4:60", "line^4:-60", "line^3:80^6:80^9:80", "line^4:-45^8:45"] {
            let formation: Formation = text.parse().unwrap();
            let layout = formation.layout(12, INCH, Length::ZERO);
            let quads: Vec<_> = layout.quads(Pose::default()).collect();
            for (n, a) in quads.iter().enumerate() {
                for b in &quads[n + 1..] {
                    let apart = (a.centre - b.centre).length_squared().sqrt() / Length::whole_inches(1).as_f64();
                    assert!(apart > 0.7, "{text}: {apart}");
                }
            }
            assert_eq!(text.parse::<Formation>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_command_stand_is_where_the_book_puts_it() {
        let at = |text: &str, count| text.parse::<Formation>().unwrap().command_stand(count);
        assert_eq!(
            [at("line", 12), at("line", 11), at("march", 9), at("march*1", 9), at("manoeuvre", 12), at("deployed", 3)],
            [6, 5, 1, 0, 1, 2]
        );
    }

    #[test]
    fn what_is_no_formation_is_refused() {
        for text in ["", "wedge", "line*2", "march*3", "line^1:20", "line^4:90", "line^4:30^5:30", "square^2:30"] {
            assert!(text.parse::<Formation>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_command_stand_is_found_where_all_of_them_stand() {
        let gap = Length::whole_inches(1);
        let bent = "line^4:30".parse().unwrap();
        for formation in Shape::ALL.iter().map(|shape| Formation::usual(*shape)).chain([bent]) {
            for count in 1..=24 {
                let layout = formation.layout(count, INCH, gap);
                let stand = layout.stands().get(formation.command_stand(count));
                let place = stand.map_or(Pose::default(), |stand| stand.pose);
                assert_eq!(place, formation.command_place(count, INCH, gap), "{formation} of {count}");
            }
        }
    }
}
