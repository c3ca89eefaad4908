//! Blocks laid by hand: a grid over the target, turned along the line of fire, whose cells are laid and taken up again.

use crate::desk::Desk;
use crate::hand::{Hand, Making};
use engine::scene::{Gesture, Prompt, Scene};
use leptos::prelude::*;
use table::{Point, Vec2};

/// So many cells are drawn to each side of the target.
const REACH: i8 = 4;

/// Where the cells lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grid {
    middle: Vec2,
    across: Vec2,
    along: Vec2,
}

impl Grid {
    /// The grid of a gesture over a target, as the battery sees it.
    pub fn over(gesture: &Gesture, scene: &Scene, target: &str) -> Option<Grid> {
        let Gesture::LayBlocks { unit, length: Some(length), width: Some(width), .. } = gesture else { return None };
        let at = |key: &str| scene.pieces.iter().find(|piece| piece.key == key).map(|piece| piece.pose.at.vec());
        let (from, middle) = (at(unit)?, at(target)?);
        let way = middle - from;
        let far = way.length();
        if far <= 0.0 {
            return None;
        }
        let way = way * (1.0 / far);
        Some(Grid { middle, across: Vec2::new(way.y, -way.x) * width.as_f64(), along: way * length.as_f64() })
    }

    fn corner(&self, across: f64, along: f64) -> Point {
        Point::from_vec(self.middle + self.across * across + self.along * along)
    }

    /// The ground of a cell.
    pub fn cell(&self, (column, row): (i8, i8)) -> [Point; 4] {
        let (column, row) = (f64::from(column), f64::from(row));
        [(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)].map(|(dx, dy)| self.corner(column + dx, row + dy))
    }

    /// The cell a place lies in, where the grid reaches so far.
    pub fn cell_at(&self, place: Point) -> Option<(i8, i8)> {
        let off = place.vec() - self.middle;
        let part = |way: Vec2| (off.dot(way) / way.dot(way)).round();
        let (column, row) = (part(self.across), part(self.along));
        let most = f64::from(REACH) + 0.1;
        (column.abs() <= most && row.abs() <= most).then_some((column as i8, row as i8))
    }

    /// All cells that can be pointed at.
    pub fn cells(&self) -> impl Iterator<Item = (i8, i8)> + use<> {
        (-REACH..=REACH).flat_map(|row| (-REACH..=REACH).map(move |column| (column, row)))
    }
}

/// Side by side, from the middle outwards.
fn in_a_row(count: u8) -> Vec<(i8, i8)> {
    let column = |n: u8| {
        let half = n.div_ceil(2) as i8;
        if n % 2 == 1 { half } else { -half }
    };
    (0..count).map(|n| (column(n), 0)).collect()
}

fn count_of(gesture: &Gesture) -> u8 {
    match gesture {
        Gesture::LayBlocks { count, .. } => count.unwrap_or(1),
        _ => 0,
    }
}

impl Hand {
    /// Blocks begin side by side over their target.
    pub fn lay_usual(&mut self, prompt: &Prompt) {
        let count = self.at_work(prompt).map_or(0, count_of);
        if let Some(Making::Blocks { target: Some(_), cells }) = self.work_mut()
            && cells.is_empty()
        {
            *cells = in_a_row(count);
        }
    }

    /// Lays a block, or takes it up again; the last one stays. Where every gun has its block, the farthest is moved.
    pub fn toggle_block(&mut self, prompt: &Prompt, cell: (i8, i8)) {
        let count = usize::from(self.at_work(prompt).map_or(0, count_of));
        if let Some(Making::Blocks { cells, .. }) = self.work_mut() {
            match cells.iter().position(|one| *one == cell) {
                Some(place) if cells.len() > 1 => drop(cells.remove(place)),
                Some(_) => {}
                None => {
                    let off = |one: &(i8, i8)| i32::from(one.0 - cell.0).pow(2) + i32::from(one.1 - cell.1).pow(2);
                    if cells.len() >= count
                        && let Some(far) = (0..cells.len()).max_by_key(|n| off(&cells[*n]))
                    {
                        cells.remove(far);
                    }
                    cells.push(cell);
                }
            }
        }
    }

    /// The grid under the hand.
    pub fn grid(&self, prompt: &Prompt, scene: &Scene) -> Option<Grid> {
        let Making::Blocks { target: Some(target), .. } = self.work()? else { return None };
        Grid::over(self.at_work(prompt)?, scene, target)
    }
}

/// Rows and columns as buttons: the same grid for whoever does not point at the map, the battery below it.
pub fn controls(desk: Desk, gesture: &Gesture, target: Option<&str>, cells: &[(i8, i8)]) -> AnyView {
    let Some(target) = target else {
        return view! { <p class="tip">"Click whom the blocks are meant for."</p> }.into_any();
    };
    let (count, laid) = (count_of(gesture), cells.len());
    let reach = 2.max(cells.iter().map(|(column, row)| column.abs().max(row.abs())).max().unwrap_or(0).min(REACH));
    let rows = (-reach..=reach).rev().map(|row| {
        let row = (-reach..=reach).map(|column| {
            let is = cells.contains(&(column, row));
            let middle = (column, row) == (0, 0);
            let label = format!("block {column} across, {row} along{}", if is { ", laid" } else { "" });
            view! {
                <button class="cell" class:chosen=is class:middle=middle aria-pressed=is.to_string() aria-label=label data-test="block"
                    data-cell=format!("{column},{row}")
                    on:click=move |_| desk.handle(|hand, at| hand.toggle_block(at.prompt, (column, row)))></button>
            }
        });
        view! { <div class="cells">{row.collect_view()}</div> }
    });
    let rows = rows.collect_view();
    let name = desk.name_of(target);
    view! {
        <p class="tip">{format!("{laid} of {count} blocks on {name}. Click the grid on the map, or here (up is away from the battery): a laid block is taken up, a free place gets the farthest.")}</p>
        <div class="block-grid" role="group" aria-label="Blocks" data-test="block-grid">{rows}</div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Side;
    use engine::scene::PieceKind;
    use serde_json::json;
    use table::{Angle, Footprint, Length, Pose, Unit};

    fn scene() -> Scene {
        let piece = |key: &str, side: Side, x: f64, y: f64| {
            let pose = Pose::new(Point::new(Length::cm(x), Length::cm(y)), Angle::NORTH);
            let quad = Footprint::new(Length::cm(6.0), Length::cm(3.0)).quad(pose);
            engine::facade::single(key, key, side, PieceKind::Guns, pose, &quad)
        };
        Scene {
            title: String::new(),
            when: String::new(),
            size: (Length::cm(120.0), Length::cm(120.0)),
            unit: Unit::Centimetre,
            sides: [String::new(), String::new()],
            features: Vec::new(),
            pieces: vec![piece("guns", Side::A, 20.0, 20.0), piece("foe", Side::B, 80.0, 20.0)],
        }
    }

    fn laying(at: &[&str]) -> Prompt {
        let gesture = Gesture::LayBlocks {
            label: String::new(),
            unit: "@guns".to_owned(),
            at: at.iter().map(|key| (*key).to_owned()).collect(),
            count: Some(3),
            length: Some(Length::cm(6.0)),
            width: Some(Length::cm(4.0)),
            draft: json!({ "mark": { "shots": [{ "battery": "@guns", "at": "$target", "blocks": "$blocks" }] } }),
        };
        Prompt {
            no: engine::DecisionNo(1),
            side: Side::A,
            question: String::new(),
            clause: String::new(),
            gestures: vec![gesture],
        }
    }

    #[test]
    fn the_grid_lies_along_the_line_of_fire() {
        let (scene, prompt) = (scene(), laying(&["@foe"]));
        let grid = Grid::over(&prompt.gestures[0], &scene, "@foe").unwrap();
        let place = |x: f64, y: f64| Point::new(Length::cm(x), Length::cm(y));
        assert_eq!(grid.cell_at(place(80.5, 20.5)), Some((0, 0)));
        assert_eq!(grid.cell_at(place(86.0, 20.0)), Some((0, 1)), "a length farther on, as the guns look east");
        assert_eq!(grid.cell_at(place(80.0, 16.0)), Some((1, 0)), "a width to their right");
        assert_eq!(grid.cell_at(place(20.0, 20.0)), None);
        for cell in grid.cells() {
            let corners = grid.cell(cell).map(|corner| corner.vec());
            let middle = (corners[0] + corners[2]) * 0.5;
            assert_eq!(grid.cell_at(Point::from_vec(middle)), Some(cell));
        }
    }

    #[test]
    fn blocks_begin_in_a_row_and_are_never_too_many() {
        let prompt = laying(&["@foe"]);
        let mut hand = Hand {
            making: Some((0, Making::Blocks { target: Some("@foe".to_owned()), cells: Vec::new() })),
            ..Hand::default()
        };
        hand.lay_usual(&prompt);
        let blocks = |hand: &Hand| hand.draft(&prompt).unwrap()["mark"]["shots"][0].clone();
        assert_eq!(blocks(&hand), json!({ "battery": "@guns", "at": "@foe", "blocks": [[0, 0], [1, 0], [-1, 0]] }));
        hand.toggle_block(&prompt, (1, 1));
        assert_eq!(blocks(&hand)["blocks"], json!([[0, 0], [1, 0], [1, 1]]), "no fourth gun: the farthest block moves");
        hand.toggle_block(&prompt, (1, 1));
        hand.toggle_block(&prompt, (0, 1));
        assert_eq!(blocks(&hand)["blocks"], json!([[0, 0], [1, 0], [0, 1]]));
    }
}
