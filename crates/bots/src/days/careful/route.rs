//! The way to a place round what is in it: woods that horse cannot ride through, water without a bridge, friends who
//! stand there. The table is laid out in squares, and from every square the least way is known.

use super::scene::{Field, INCH, greater, lesser, um};
use engine::{Side, UnitId};
use rules::days::ground::{self, Land, Patch, Piece};
use rules::days::settings::Weight;
use smallvec::SmallVec;
use std::cell::RefCell;
use table::{Bounds, Quad, Vec2};

/// A square is so many inches wide.
const SQUARE: f64 = 1.5;
/// Hundredths of an inch are reckoned with, so that the way is the same on every machine.
const FINE: f64 = 100.0;
/// No way at all.
const BARRED: u32 = u32::MAX;
/// Ways along squares are longer than straight ones by at most this.
const CROOKED: f64 = 0.924;
/// A square a friend stands on counts as so many.
const FRIEND: u32 = 12;
/// So near to a friend, in inches, a square is his: a line is thinner than a square and would else lie between the
/// middles of two, where nobody sees it.
const ROOM: f64 = 0.8;
/// So far ahead on its way a unit looks, in inches.
const AHEAD: f64 = 9.0;
/// A square of water that can be waded counts as so many.
const FORD: f64 = 2.0;
/// So near to ground nobody enters, in inches, a body has no room.
const ELBOW: f64 = 2.5;
/// And a square there counts as so many.
const TIGHT: f64 = 4.0;
/// Squares further off than who asks are looked at only so much further, in hundredths of an inch: further than anybody
/// goes in a turn, by any way.
const BEYOND: u32 = 3_000;
/// The least any square costs.
const LEAST_STEP: u32 = (SQUARE * FINE) as u32;
/// Squares to look at are gathered by how far their way would be at least, in bands so wide.
const BAND: u32 = 64;
/// No entry of a list.
const NONE: u32 = u32::MAX;

/// Who goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gait {
    /// On foot.
    Foot,
    /// On horseback.
    Horse,
    /// Behind horses.
    Wheels,
}

/// What a patch of ground is like to whoever crosses it; its place never changes.
type Sort = (Piece, Land, Weight, bool, bool);

/// What the ground is like for each gait: what a square costs, in hundredths of an inch. Round the table runs a rim of
/// squares nobody enters, so that whoever looks round a square need not ask where the table ends.
#[derive(Clone, Default)]
pub struct Going {
    columns: usize,
    rows: usize,
    cost: [Vec<u32>; 3],
    /// What all this was made from: as long as it stays the same, so do the costs.
    from: Vec<Sort>,
    /// The squares every unit takes up, and the rectangle it stood in when they were found.
    taken: Vec<(Quad, Vec<u32>)>,
}

/// How many times the way through a patch counts; nothing where there is none through it.
fn factor(patch: &Patch<'_>, gait: Gait) -> Option<f64> {
    if patch.burning {
        return None;
    }
    let heavy = patch.weight == Weight::Heavy;
    let (foot, horse, wheels) = match patch.land {
        Land::Open | Land::Road | Land::Bridge | Land::Ford => (1.0, 1.0, 1.0),
        Land::Wood if heavy => (4.0, f64::MAX, f64::MAX),
        // One in two of the woods nobody has looked into is a heavy one, and nobody forms up in those.
        Land::Wood if patch.weight == Weight::Undefined => (2.8, 4.0, 4.0),
        Land::Wood => (1.9, 2.5, 3.0),
        Land::Urban => (1.8, 2.5, 2.5),
        Land::Hill if patch.steep => (1.3, 1.5, 1.8),
        Land::Hill => (1.1, 1.15, 1.2),
        Land::Difficult => (1.7, 2.0, 2.5),
        Land::Swamp => (2.5, f64::MAX, f64::MAX),
        Land::Obstacle if heavy => (2.0, 3.5, f64::MAX),
        Land::Obstacle => (1.6, 2.0, 2.5),
        Land::Stream => (1.6, 1.9, 2.2),
        Land::River | Land::Cliff => (f64::MAX, f64::MAX, f64::MAX),
    };
    let times = match gait {
        Gait::Foot => foot,
        Gait::Horse => horse,
        Gait::Wheels => wheels,
    };
    (times < f64::MAX).then_some(times)
}

impl Going {
    /// Looks whether the ground has changed, and learns it anew where it has.
    pub fn review(&mut self, field: &Field) {
        let patches: Vec<Patch<'_>> = ground::patches(field).collect();
        let sort = |patch: &Patch<'_>| (patch.piece, patch.land, patch.weight, patch.steep, patch.burning);
        let same = self.from.len() == patches.len() && patches.iter().zip(&self.from).all(|(a, b)| sort(a) == *b);
        if same && self.columns > 0 {
            return;
        }
        let bounds = field.ground().bounds();
        let size = bounds.max - bounds.min;
        let count = |length: f64| (length / um(SQUARE)).ceil().max(1.0) as usize;
        self.columns = count(size.x);
        self.rows = count(size.y);
        self.from = patches.iter().map(sort).collect();
        let places: Vec<Bounds> = patches.iter().map(|patch| patch.shape.bounds().grown(um(ELBOW))).collect();
        self.cost = [const { Vec::new() }; 3].map(|_: Vec<u32>| vec![BARRED; self.width() * (self.rows + 2)]);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let no = self.number(column, row);
                let centre = self.centre(no);
                let here =
                    patches.iter().zip(&places).filter(|(_, place)| place.contains(centre)).map(|(patch, _)| patch);
                for (costs, cost) in self.cost.iter_mut().zip(square_costs(field, here, centre)) {
                    costs[no] = cost;
                }
            }
        }
    }

    /// Finds out which squares a side's units take up; of those who have not stirred it is known.
    pub fn note_taken(&mut self, field: &Field, side: Side) {
        self.taken.resize_with(field.muster().units.len(), Default::default);
        for (id, unit) in field.present(side) {
            let known = self.taken.get(id.index()).is_some_and(|(quad, _)| quad == unit.quad());
            if !known {
                let squares = self.taken_by(unit.quad());
                if let Some(slot) = self.taken.get_mut(id.index()) {
                    *slot = (*unit.quad(), squares);
                }
            }
        }
    }

    /// The squares somebody stands on, or close to.
    fn taken_by(&self, friend: &Quad) -> Vec<u32> {
        let room = um(ROOM);
        let around = friend.bounds().grown(room);
        let (low, high, width) = (self.square(around.min), self.square(around.max), self.width());
        let mut squares = Vec::new();
        for row in low / width..=high / width {
            for column in low % width..=high % width {
                // By the circle around him first.
                let centre = centre_at(column, row);
                let out = friend.centre.distance(centre) > friend.radius + room + 1.0;
                if !out && table::convex::distance(friend.points(), centre) <= room {
                    squares.push((row * width + column) as u32);
                }
            }
        }
        squares
    }

    /// So many squares are in a row, the rim among them.
    fn width(&self) -> usize {
        self.columns + 2
    }

    /// The number of a square of the table.
    fn number(&self, column: usize, row: usize) -> usize {
        (row + 1) * self.width() + column + 1
    }

    fn centre(&self, no: usize) -> Vec2 {
        centre_at(no % self.width(), no / self.width())
    }

    /// Column and row of a square, the rim counted.
    fn place(&self, no: usize) -> (u32, u32) {
        // Small numbers are soonest divided.
        let (no, width) = (no as u32, self.width() as u32);
        (no % width, no / width)
    }

    fn square(&self, place: Vec2) -> usize {
        let no = |at: f64, most: usize| ((at / um(SQUARE)).floor().max(0.0) as usize).min(most.saturating_sub(1));
        self.number(no(place.x, self.columns), no(place.y, self.rows))
    }

    /// The squares next to one of the table, with whether they lie across a corner.
    fn around(&self, no: usize) -> [(usize, bool); 8] {
        let (below, above) = (no - self.width(), no + self.width());
        [
            (below - 1, true),
            (below, false),
            (below + 1, true),
            (no - 1, false),
            (no + 1, false),
            (above - 1, true),
            (above, false),
            (above + 1, true),
        ]
    }
}

/// The middle of a square, the rim counted.
fn centre_at(column: usize, row: usize) -> Vec2 {
    Vec2::new(um((column as f64 - 0.5) * SQUARE), um((row as f64 - 0.5) * SQUARE))
}

/// What a square costs each gait.
fn square_costs<'p>(field: &Field, near: impl Iterator<Item = &'p Patch<'p>>, centre: Vec2) -> [u32; 3] {
    let close = um(SQUARE * 0.5);
    let touches = |patch: &&Patch<'_>| {
        let thin = matches!(patch.land, Land::Stream | Land::River | Land::Cliff | Land::Obstacle | Land::Bridge);
        if thin { patch.shape.distance(centre) < close } else { patch.shape.contains(centre) }
    };
    let around: SmallVec<[&Patch<'_>; 8]> = near.collect();
    let here: SmallVec<[&Patch<'_>; 8]> = around.iter().copied().filter(touches).collect();
    let wet = |patch: &&Patch<'_>| matches!(patch.land, Land::River | Land::Stream);
    let bridged = here.iter().any(|patch| patch.land == Land::Bridge);
    if !bridged && here.iter().any(wet) && ground::in_ford(field, centre) {
        return [(SQUARE * FINE * FORD) as u32; 3];
    }
    [Gait::Foot, Gait::Horse, Gait::Wheels].map(|gait| {
        let mut times = 1.0;
        for patch in here.iter().filter(|patch| !(bridged && wet(patch))) {
            let Some(one) = factor(patch, gait) else { return BARRED };
            times = greater(times, one);
        }
        // Bodies are broader than a square: along the edge of what bars the way there is little room.
        let tight = |patch: &&&Patch<'_>| !wet(patch) && factor(patch, gait).is_none();
        if around.iter().filter(tight).any(|patch| patch.shape.distance(centre) < um(ELBOW)) {
            times = greater(times, TIGHT);
        }
        (SQUARE * FINE * times) as u32
    })
}

/// The least way to one place from everywhere.
pub struct Route<'g> {
    going: &'g Going,
    there: Vec2,
    /// What a square costs, friends minded.
    cost: Vec<u32>,
    /// Where whoever asks stands.
    here: usize,
    /// The same as column and row.
    here_at: (u32, u32),
    search: RefCell<Search>,
}

/// The search as far as it has got: it spreads from the place that is made for towards whoever asks, and no further than
/// anybody has asked.
struct Search {
    left: Vec<u32>,
    /// From which square one best goes on to which, as far as anybody has asked.
    onward: Vec<u32>,
    /// Squares to look at, gathered by how long a way over them to whoever asks is at least: nothing that is looked at
    /// later makes a shorter one, so that all of a band is settled when its turn is over.
    bands: Vec<u32>,
    /// The entries of the bands, each with the one before it.
    open: Vec<Entry>,
    /// The band whose turn it is.
    now: usize,
    /// So far it goes at most.
    enough: u32,
}

/// A square to look at.
struct Entry {
    so_far: u32,
    no: u32,
    before: u32,
}

impl Search {
    fn push(&mut self, least: u32, so_far: u32, no: usize) {
        let band = (least / BAND) as usize;
        if band >= self.bands.len() {
            self.bands.resize(band + 1, NONE);
        }
        let before = std::mem::replace(&mut self.bands[band], self.open.len() as u32);
        self.open.push(Entry { so_far, no: no as u32, before });
    }
}

/// How far it is at least from one square to another.
fn least_between((x, y): (u32, u32), (to_x, to_y): (u32, u32)) -> u32 {
    let (dx, dy) = (x.abs_diff(to_x), y.abs_diff(to_y));
    let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
    (more - less) * LEAST_STEP + less * cornerwise(LEAST_STEP)
}

/// What a square costs that is entered across a corner.
fn cornerwise(step: u32) -> u32 {
    step * 141 / 100
}

impl<'g> Route<'g> {
    /// The ways to a place for a gait, round friends, from a place and whatever is not much further off than it. Where
    /// friends stand must have been noted.
    pub fn to(
        going: &'g Going,
        gait: Gait,
        friends: impl Iterator<Item = UnitId>,
        there: Vec2,
        from: Vec2,
    ) -> Route<'g> {
        let mut cost = going.cost[gait as usize].clone();
        for (_, squares) in friends.filter_map(|friend| going.taken.get(friend.index())) {
            for no in squares {
                if let Some(slot) = cost.get_mut(*no as usize).filter(|slot| **slot != BARRED) {
                    *slot = slot.saturating_mul(FRIEND);
                }
            }
        }
        let (left, onward) = (vec![BARRED; cost.len()], vec![NONE; cost.len()]);
        let open = Vec::with_capacity(cost.len() / 2);
        let search = Search { left, onward, bands: Vec::new(), open, now: 0, enough: BARRED };
        let here = going.square(from);
        let route = Route { going, there, cost, here, here_at: going.place(here), search: RefCell::new(search) };
        let first = going.square(there);
        let least = route.least(first);
        let mut search = route.search.borrow_mut();
        if let Some(slot) = search.left.get_mut(first) {
            *slot = 0;
            search.push(least, 0, first);
        }
        drop(search);
        route
    }

    /// How far it is at least from a square to whoever asks.
    fn least(&self, no: usize) -> u32 {
        least_between(self.going.place(no), self.here_at)
    }

    /// Takes the search one square further.
    fn spread(&self, search: &mut Search, so_far: u32, no: usize) {
        if so_far > search.enough || search.left.get(no).is_none_or(|best| *best < so_far) {
            return;
        }
        if no == self.here {
            let enough = so_far.saturating_add(BEYOND);
            search.enough = if search.enough == BARRED { enough } else { search.enough.max(enough) };
        }
        for (next, corner) in self.going.around(no) {
            let Some(step) = self.cost.get(next).copied().filter(|step| *step != BARRED) else { continue };
            let total = so_far + if corner { cornerwise(step) } else { step };
            if let Some(slot) = search.left.get_mut(next).filter(|slot| total < **slot) {
                *slot = total;
                search.push(total + self.least(next), total, next);
            }
        }
    }

    /// How far it is from a square, where that is no further than `most`; further where it is. The search goes on until no
    /// way it has not looked at could be shorter: squares full of friends are far off, and mostly nobody has to know how
    /// far.
    fn left_within(&self, search: &mut Search, no: usize, most: u32) -> u32 {
        let left = |search: &Search| search.left.get(no).copied().unwrap_or(BARRED);
        if self.cost.get(no).is_none_or(|cost| *cost == BARRED) {
            return left(search);
        }
        let beyond = self.least(no);
        while let Some(first) = search.bands.get(search.now).copied() {
            let settled = search.now as u32 * BAND;
            if left(search).min(most).saturating_add(beyond) < settled {
                break;
            }
            if first == NONE {
                search.now += 1;
                continue;
            }
            // A square of the same band may still bring others of it nearer.
            search.bands[search.now] = NONE;
            let mut at = first;
            while let Some(Entry { so_far, no, before }) = search.open.get(at as usize) {
                let (so_far, no) = (*so_far, *no as usize);
                at = *before;
                self.spread(search, so_far, no);
            }
        }
        left(search)
    }

    /// Squares with what they cost, the cheapest first: those are found soonest, and the others mostly need not be.
    fn cheapest_first<const N: usize>(&self, mut squares: [usize; N]) -> [usize; N] {
        squares.sort_by_key(|no| self.cost.get(*no).copied().unwrap_or(BARRED));
        squares
    }

    /// The square one best goes on to from a square; the square itself where none is nearer.
    fn onward(&self, search: &mut Search, no: usize) -> usize {
        let known = search.onward.get(no).copied().unwrap_or(NONE);
        if known != NONE {
            return known as usize;
        }
        let mut best = (BARRED, usize::MAX);
        for next in self.cheapest_first(self.going.around(no).map(|(next, _)| next)) {
            best = best.min((self.left_within(search, next, best.0), next));
        }
        let nearer = best.0 < self.left_within(search, no, best.0);
        let next = if nearer { best.1 } else { no };
        if let Some(slot) = search.onward.get_mut(no) {
            *slot = next as u32;
        }
        next
    }

    /// How far it still is from a place, in micrometres: never less than the straight way.
    pub fn left(&self, from: Vec2) -> f64 {
        let straight = from.distance(self.there);
        let no = self.going.square(from);
        let width = self.going.width();
        let mut search = self.search.borrow_mut();
        let mut best: Option<f64> = None;
        let [a, b, c, d, e, f, g, h] = self.going.around(no).map(|(next, _)| next);
        for next in self.cheapest_first([a, b, c, d, no, e, f, g, h]) {
            let off = centre_at(next % width, next / width).distance(from);
            // A hundredth of an inch more than could still be shorter.
            let most = best.map_or(BARRED, |best| ((best - off) / INCH * FINE + 1.0) as u32);
            let left = self.left_within(&mut search, next, most);
            if left != BARRED {
                let way = f64::from(left) / FINE * INCH + off;
                best = Some(best.map_or(way, |best| lesser(best, way)));
            }
        }
        best.map_or(straight, |way| greater(straight, way * CROOKED))
    }

    /// Where to make for: the place itself, or a point on the way round.
    pub fn next(&self, from: Vec2) -> Vec2 {
        self.from(from).1
    }

    /// How far it still is from a place, and where to make for.
    pub fn from(&self, from: Vec2) -> (f64, Vec2) {
        let left = self.left(from);
        (left, self.next_of(from, left))
    }

    fn next_of(&self, from: Vec2, left: f64) -> Vec2 {
        let straight = from.distance(self.there);
        if left < straight * 1.06 + um(0.5) {
            return self.there;
        }
        let mut search = self.search.borrow_mut();
        let mut no = self.going.square(from);
        for _ in 0..(AHEAD / SQUARE) as usize {
            let next = self.onward(&mut search, no);
            if next == no {
                break;
            }
            no = next;
        }
        if self.left_within(&mut search, no, 0) == 0 { self.there } else { self.going.centre(no) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;
    use engine::setup::{Mode, muster};
    use rules::days::Days;

    fn opening(scenario: &str) -> engine::State<Days> {
        let scenario = rules::scenario(scenario).expect("a scenario of the house");
        let mustered = muster::<Days>(scenario.text, None, Mode::Battle).map_err(|faults| faults.to_string());
        mustered.expect("it musters").state
    }

    #[test]
    fn horse_is_not_sent_through_a_heavy_wood() {
        let field = opening("iron/woerth");
        let mut going = Going::default();
        going.review(&field);
        let barred = |patch: &Patch<'_>| patch.land == Land::Wood && factor(patch, Gait::Horse).is_none();
        let wood = ground::patches(&field).find(barred).expect("there is such a wood");
        let middle = wood.shape.centre();
        assert_eq!(going.cost[Gait::Horse as usize][going.square(middle)], BARRED);
        assert_ne!(going.cost[Gait::Foot as usize][going.square(middle)], BARRED);

        // From one side of it to the other the way leads round it, and is longer than the straight one.
        let across = Vec2::new(0.0, wood.shape.bounds().max.y - wood.shape.bounds().min.y);
        let (from, there) = (middle - across * 0.7, middle + across * 0.7);
        let route = Route::to(&going, Gait::Horse, std::iter::empty(), there, from);
        assert!(route.left(from) > from.distance(there) * 1.02);
        assert!(!wood.shape.contains(route.next(from)));
    }

    #[test]
    fn the_search_finds_the_least_way_from_everywhere_about() {
        let field = opening("iron/woerth");
        let mut going = Going::default();
        going.review(&field);
        let taken = |quad: &Quad| (*quad, going.taken_by(quad));
        going.taken = field.units().map(|(_, unit)| taken(unit.quad())).collect();
        let friends: Vec<UnitId> = field.units().map(|(id, _)| id).take(12).collect();
        let size = field.ground().bounds().max;
        for (from, there) in [(0.2, 0.8), (0.7, 0.3), (0.5, 0.55)] {
            let (from, there) = (size * from, size * there);
            let route = Route::to(&going, Gait::Foot, friends.iter().copied(), there, from);
            // The same by patience: nobody is nearer by way of a neighbour.
            let mut left = vec![BARRED; route.cost.len()];
            left[going.square(there)] = 0;
            loop {
                let before = left.clone();
                for no in (0..left.len()).filter(|no| before[*no] != BARRED) {
                    for (next, corner) in going.around(no) {
                        let step = route.cost[next];
                        if step != BARRED {
                            let total = left[no] + if corner { cornerwise(step) } else { step };
                            left[next] = left[next].min(total);
                        }
                    }
                }
                if before == left {
                    break;
                }
            }
            let near = |no: &usize| left[*no] != BARRED && left[*no] <= left[route.here] + BEYOND;
            let mut search = route.search.borrow_mut();
            assert!((0..left.len()).filter(near).all(|no| route.left_within(&mut search, no, BARRED) == left[no]));
        }
    }

    #[test]
    fn the_ground_is_learnt_once_and_again_when_it_changes() {
        let field = opening("iron/lesson");
        let mut going = Going::default();
        going.review(&field);
        let known = going.cost.clone();
        going.cost[0].clear();
        going.review(&field);
        assert!(going.cost[0].is_empty(), "the same ground is not learnt twice");
        going.from.pop();
        going.review(&field);
        assert_eq!(going.cost, known);
    }
}
