//! The table as characters: for a terminal, a mail, a test. A drawing, not a tape measure: a cell is half an inch or
//! more.
//!
//! The sides differ by brackets and by the case of their labels, so the map reads the same without colour.

mod labels;
mod terrain;

pub use labels::labels;

use engine::Side;
use engine::scene::{PieceKind, Scene, ScenePiece};
use table::{Angle, Vec2};

/// How a map is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Columns of the map, frame not counted.
    pub columns: usize,
    /// ANSI colours.
    pub colour: bool,
}

impl Style {
    /// As wide as fits, unless the map grew higher than a screen.
    pub fn fitting(scene: &Scene, width: usize, colour: bool) -> Style {
        let shape = scene.size.0.as_f64() / scene.size.1.as_f64().max(1.0);
        let high_enough = (TALL * SCREEN as f64 * shape) as usize;
        Style { columns: width.saturating_sub(5).min(high_enough).min(110).max(*COLUMNS.start()), colour }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style { columns: 76, colour: false }
    }
}

/// The fewest and the most columns that still make a map.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=200;
/// A character is about twice as high as wide.
const TALL: f64 = 2.0;
const MOST_ROWS: usize = 120;
/// Rows of a map that still leave room for a question.
const SCREEN: usize = 36;

/// What a cell shows, for colouring.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Ink {
    #[default]
    Plain,
    Faint,
    Green,
    Water,
    Stone,
    Roof,
    Of(Side),
}

#[derive(Clone, Copy, Default)]
struct Cell {
    glyph: char,
    ink: Ink,
    /// Part of a label, which later labels leave alone.
    label: bool,
}

struct Grid {
    columns: usize,
    rows: usize,
    /// Micrometres per cell.
    cell: (f64, f64),
    cells: Vec<Cell>,
}

impl Grid {
    fn new(scene: &Scene, columns: usize) -> Grid {
        let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end());
        let (width, height) = (scene.size.0.as_f64().max(1.0), scene.size.1.as_f64().max(1.0));
        let rows = ((height / width) * columns as f64 / TALL).round().clamp(4.0, MOST_ROWS as f64) as usize;
        let blank = Cell { glyph: ' ', ink: Ink::Plain, label: false };
        let cell = (width / columns as f64, height / rows as f64);
        Grid { columns, rows, cell, cells: vec![blank; columns * rows] }
    }

    /// The middle of a cell on the table; row 0 is the north.
    fn place(&self, column: usize, row: usize) -> Vec2 {
        let north = self.rows as f64 * self.cell.1;
        Vec2::new((column as f64 + 0.5) * self.cell.0, north - (row as f64 + 0.5) * self.cell.1)
    }

    /// The cell of a place; nearest on the map where it is off the table.
    fn cell_of(&self, place: Vec2) -> (usize, usize) {
        let north = self.rows as f64 * self.cell.1;
        let clamp = |value: f64, most: usize| (value.floor().max(0.0) as usize).min(most - 1);
        (clamp(place.x / self.cell.0, self.columns), clamp((north - place.y) / self.cell.1, self.rows))
    }

    fn get_mut(&mut self, column: usize, row: usize) -> Option<&mut Cell> {
        if column >= self.columns { None } else { self.cells.get_mut(row * self.columns + column) }
    }

    fn set(&mut self, column: usize, row: usize, glyph: char, ink: Ink) {
        if let Some(cell) = self.get_mut(column, row)
            && !cell.label
        {
            *cell = Cell { glyph, ink, label: false };
        }
    }

    /// Whether a label fits here without touching another.
    fn is_free(&self, column: usize, row: usize, length: usize) -> bool {
        row < self.rows
            && column + length <= self.columns
            && (column..column + length).all(|n| self.cells.get(row * self.columns + n).is_some_and(|cell| !cell.label))
    }

    fn write(&mut self, column: usize, row: usize, text: &str, ink: Ink) {
        for (n, glyph) in text.chars().enumerate() {
            if let Some(cell) = self.get_mut(column + n, row) {
                *cell = Cell { glyph, ink, label: true };
            }
        }
    }

    fn lines(&self, colour: bool) -> Vec<String> {
        self.cells.chunks(self.columns).map(|row| line(row, colour)).collect()
    }
}

fn line(row: &[Cell], colour: bool) -> String {
    let mut text = String::with_capacity(row.len() + 16);
    let mut ink = Ink::Plain;
    for cell in row {
        if colour && cell.ink != ink {
            text.push_str(paint(cell.ink));
            ink = cell.ink;
        }
        text.push(cell.glyph);
    }
    if ink != Ink::Plain {
        text.push_str(RESET);
    }
    text
}

const RESET: &str = "\u{1b}[0m";

fn paint(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => RESET,
        Ink::Faint => "\u{1b}[0;2m",
        Ink::Green => "\u{1b}[0;32m",
        Ink::Water => "\u{1b}[0;36m",
        Ink::Stone => "\u{1b}[0;33m",
        Ink::Roof => "\u{1b}[0;35m",
        Ink::Of(Side::A) => "\u{1b}[0;1;31m",
        Ink::Of(Side::B) => "\u{1b}[0;1;34m",
    }
}

/// The arrow of a facing.
pub fn arrow(facing: Angle) -> char {
    const ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];
    let eighth = ((facing.as_degrees() + 22.5) / 45.0) as usize % ARROWS.len();
    ARROWS.get(eighth).copied().unwrap_or('↑')
}

/// The map with its frame and legend, line by line.
pub fn draw(scene: &Scene, style: Style) -> Vec<String> {
    let mut grid = Grid::new(scene, style.columns);
    terrain::draw(&mut grid, scene);
    let named = labels(scene);
    for piece in &scene.pieces {
        body(&mut grid, piece);
    }
    for (piece, label) in scene.pieces.iter().zip(&named) {
        tag(&mut grid, piece, label);
    }
    let mut lines = framed(&grid, scene, style.colour);
    lines.extend(terrain::key(scene, grid.columns + 2));
    lines.extend(legend(scene, &named, style));
    lines
}

/// The cells a piece stands on.
fn body(grid: &mut Grid, piece: &ScenePiece) {
    let glyph = match (piece.side, is_unit(piece.kind)) {
        (_, false) => return,
        (Side::A, true) => '=',
        (Side::B, true) => '-',
    };
    for stand in &piece.stands {
        let corners = stand.map(|corner| corner.vec());
        // Two dozen places of the stand are enough to find every cell it covers.
        for across in 0..=4 {
            for back in 0..=4 {
                let (across, back) = (f64::from(across) / 4.0, f64::from(back) / 4.0);
                let front = corners[0].lerp(corners[1], across);
                let rear = corners[3].lerp(corners[2], across);
                let middle = (corners[0] + corners[2]) * 0.5;
                // Drawn a little in, so that a border never fills the neighbouring cell.
                let place = front.lerp(rear, back).lerp(middle, 0.06);
                let (column, row) = grid.cell_of(place);
                grid.set(column, row, glyph, Ink::Of(piece.side));
            }
        }
    }
}

fn is_unit(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Foot | PieceKind::Horse | PieceKind::Guns | PieceKind::LimberedGuns)
}

/// A label with brackets and arrow, near the middle of its piece.
fn tag(grid: &mut Grid, piece: &ScenePiece, label: &str) {
    let text = match (is_unit(piece.kind), piece.side) {
        (true, Side::A) => format!("[{label}{}]", arrow(piece.pose.facing)),
        (true, Side::B) => format!("({label}{})", arrow(piece.pose.facing)),
        (false, Side::A) => format!("[{label}]"),
        (false, Side::B) => format!("({label})"),
    };
    let length = text.chars().count();
    let corners: Vec<Vec2> = piece.stands.iter().flatten().map(|corner| corner.vec()).collect();
    let middle = if corners.is_empty() { piece.pose.at.vec() } else { table::Bounds::around(&corners).centre() };
    let (column, row) = grid.cell_of(middle);
    let start = column.saturating_sub(length / 2).min(grid.columns.saturating_sub(length));
    let rows = [0_isize, 1, -1, 2, -2].into_iter().filter_map(|by| row.checked_add_signed(by));
    let shifts = [0_isize, 3, -3].into_iter().filter_map(|by| start.checked_add_signed(by));
    let spots: Vec<(usize, usize)> = shifts.flat_map(|start| rows.clone().map(move |row| (start, row))).collect();
    let (start, row) =
        spots.iter().copied().find(|(start, row)| grid.is_free(*start, *row, length)).unwrap_or((start, row));
    grid.write(start, row, &text, Ink::Of(piece.side));
}

/// The frame, with inches along its edges to name places by.
fn framed(grid: &Grid, scene: &Scene, colour: bool) -> Vec<String> {
    let mut scale = vec![' '; grid.columns + 2];
    let step = if scene.size.0.as_inches() > 40.0 { 12 } else { 6 };
    let mut inch = 0;
    while f64::from(inch) <= scene.size.0.as_inches() {
        let (column, _) = grid.cell_of(Vec2::new(f64::from(inch) * 25_400.0, 0.0));
        for (n, digit) in inch.to_string().chars().enumerate() {
            if let Some(slot) = scale.get_mut(column + 1 + n) {
                *slot = digit;
            }
        }
        inch += step;
    }
    let rule: String = std::iter::repeat_n('═', grid.columns).collect();
    let mut lines = vec![format!("╔{rule}╗")];
    let mut last = i32::MAX;
    for (row, text) in grid.lines(colour).into_iter().enumerate() {
        let inches = grid.place(0, row).y / 25_400.0;
        let mark = (inches / f64::from(step)).round() as i32 * step;
        let near = (inches - f64::from(mark)).abs() <= grid.cell.1 / 50_800.0;
        let note = if near && mark != last && mark > 0 { format!(" {mark}") } else { String::new() };
        if near {
            last = mark;
        }
        lines.push(format!("║{text}║{note}"));
    }
    lines.push(format!("╚{rule}╝"));
    lines.push(scale.into_iter().collect::<String>().trim_end().to_owned());
    lines
}

/// Who is who: label, key to type, name, formation and state.
fn legend(scene: &Scene, named: &[String], style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let [open, close] = if side == Side::A { ['[', ']'] } else { ['(', ')'] };
        lines.push(format!("{open} {} {close}", scene.sides[side.index()]));
        let own: Vec<(&ScenePiece, &String)> =
            scene.pieces.iter().zip(named).filter(|(piece, _)| piece.side == side).collect();
        let wide = own.iter().map(|(piece, _)| piece.key.chars().count()).max().unwrap_or(0).min(24);
        for (piece, label) in own {
            lines.push(entry(piece, label, wide, style.colour));
        }
    }
    lines
}

fn entry(piece: &ScenePiece, label: &str, wide: usize, colour: bool) -> String {
    let mut text = format!("  {label:<4} {:<wide$}  {}", piece.key.trim_start_matches('@'), piece.name);
    if !piece.formation.is_empty() {
        text.push_str(&format!(", {}", piece.formation));
    }
    if !piece.badges.is_empty() {
        let badges: Vec<&str> = piece.badges.iter().map(|badge| badge.text.as_str()).collect();
        text.push_str(&format!(": {}", badges.join(", ")));
    }
    if colour { format!("{}{text}{RESET}", paint(Ink::Of(piece.side))) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Seed, Viewer};

    fn scene(id: &str) -> Scene {
        let game = rules::start(rules::scenario(id).unwrap().text, None, Seed::from_number(1)).unwrap();
        game.board(Viewer::Umpire).scene()
    }

    #[test]
    fn arrows_follow_the_compass() {
        let arrows: String = (0..8).map(|n| arrow(Angle::whole(n * 45))).collect();
        assert_eq!(arrows, "↑↗→↘↓↙←↖");
        assert_eq!(arrow(Angle::whole(359)), '↑');
    }

    #[test]
    fn every_line_of_the_map_is_as_wide_as_the_frame() {
        for id in ["awi/skirmish", "awi/s40", "awi/cowpens"] {
            let scene = scene(id);
            for columns in [10, 76, 100, 500] {
                let lines = draw(&scene, Style { columns, colour: false });
                let wide = lines[0].chars().count();
                let rows: Vec<&String> = lines.iter().filter(|line| line.starts_with('║')).collect();
                assert!(rows.len() >= 4, "{id}");
                assert!(rows.iter().all(|row| row.chars().nth(wide - 1) == Some('║')), "{id} at {columns}");
            }
        }
    }

    #[test]
    fn colour_is_only_colour() {
        let scene = scene("awi/skirmish");
        let plain = draw(&scene, Style { columns: 72, colour: false }).join("\n");
        let mut painted = draw(&scene, Style { columns: 72, colour: true }).join("\n");
        assert!(painted.contains('\u{1b}') && !plain.contains('\u{1b}'));
        while let Some(start) = painted.find('\u{1b}') {
            let end = painted[start..].find('m').unwrap() + start;
            painted.replace_range(start..=end, "");
        }
        assert_eq!(painted, plain);
    }
}
