//! Keeps the cutting of a simple polygon into convex parts, on whole micrometres and therefore exact.

use crate::pose::Point;

/// A polygon cut into parts: each lists its corners anticlockwise, as numbers into `corners`.
pub(super) struct Cut {
    pub(super) corners: Vec<Point>,
    pub(super) parts: Vec<Vec<usize>>,
}

/// What keeps a ring of points from being a simple polygon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    /// Fewer than three corners are left once repeated ones are dropped.
    TooFew,
    /// All corners lie on one line.
    NoArea,
    /// Two edges that are not neighbours meet, or neighbours run back over each other.
    Crossing(Point),
}

/// Cuts a ring of points into convex parts.
pub(super) fn cut(ring: &[Point]) -> Result<Cut, Flaw> {
    let mut corners = without_repeats(ring);
    if corners.len() < 3 {
        return Err(Flaw::TooFew);
    }
    let twice_area = twice_area(&corners);
    if twice_area == 0 && corners.windows(3).all(|three| matches!(three, [a, b, c] if side(*a, *b, *c) == 0)) {
        return Err(Flaw::NoArea);
    }
    refuse_crossings(&corners)?;
    if twice_area < 0 {
        corners.reverse();
    }
    let corners = without_straight_corners(&corners);
    let all: Vec<usize> = (0..corners.len()).collect();
    if is_convex(&corners, &all) {
        return Ok(Cut { corners, parts: vec![all] });
    }
    let (triangles, diagonals) = clip_ears(&corners)?;
    let parts = merge(&corners, triangles, &diagonals);
    Ok(Cut { corners, parts })
}

/// Twice the signed area between three points: positive where they turn anticlockwise.
fn side(a: Point, b: Point, c: Point) -> i128 {
    let wide = |to: i32, from: i32| i128::from(to) - i128::from(from);
    wide(b.x.as_um(), a.x.as_um()) * wide(c.y.as_um(), a.y.as_um())
        - wide(b.y.as_um(), a.y.as_um()) * wide(c.x.as_um(), a.x.as_um())
}

fn twice_area(corners: &[Point]) -> i128 {
    let Some(&origin) = corners.first() else {
        return 0;
    };
    corners.windows(2).map(|pair| if let [a, b] = pair { side(origin, *a, *b) } else { 0 }).sum()
}

/// Drops points that repeat their predecessor, and a last one that closes the ring.
fn without_repeats(ring: &[Point]) -> Vec<Point> {
    let mut corners = ring.to_vec();
    corners.dedup();
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    corners
}

/// Drops corners at which the border runs straight on.
fn without_straight_corners(corners: &[Point]) -> Vec<Point> {
    let count = corners.len();
    let at = |no: usize| corners.get(no % count).copied().unwrap_or_default();
    (0..count).filter(|&no| side(at(no + count - 1), at(no), at(no + 1)) != 0).map(at).collect()
}

fn refuse_crossings(corners: &[Point]) -> Result<(), Flaw> {
    let count = corners.len();
    let edge = |no: usize| {
        let at = |no: usize| corners.get(no % count).copied().unwrap_or_default();
        (at(no), at(no + 1))
    };
    for one in 0..count {
        let (a, b) = edge(one);
        let (_, c) = edge(one + 1);
        // Neighbours share a corner; they may not run back over each other.
        if side(a, b, c) == 0 && is_same_way(b, a, c) {
            return Err(Flaw::Crossing(b));
        }
        for other in one + 2..count {
            if one == 0 && other == count - 1 {
                continue;
            }
            let (c, d) = edge(other);
            if segments_meet(a, b, c, d) {
                return Err(Flaw::Crossing(c));
            }
        }
    }
    Ok(())
}

/// Whether `b` and `p` lie the same way from `a`, all three being on one line.
fn is_same_way(a: Point, b: Point, p: Point) -> bool {
    let wide = |to: i32, from: i32| i128::from(to) - i128::from(from);
    let dot = wide(b.x.as_um(), a.x.as_um()) * wide(p.x.as_um(), a.x.as_um())
        + wide(b.y.as_um(), a.y.as_um()) * wide(p.y.as_um(), a.y.as_um());
    dot > 0
}

fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (c_side, d_side) = (side(a, b, c).signum(), side(a, b, d).signum());
    let (a_side, b_side) = (side(c, d, a).signum(), side(c, d, b).signum());
    if c_side != d_side && a_side != b_side {
        return true;
    }
    let in_box = |p: Point, q: Point, r: Point| {
        p.x.min(q.x) <= r.x && r.x <= p.x.max(q.x) && p.y.min(q.y) <= r.y && r.y <= p.y.max(q.y)
    };
    c_side == 0 && in_box(a, b, c)
        || d_side == 0 && in_box(a, b, d)
        || a_side == 0 && in_box(c, d, a)
        || b_side == 0 && in_box(c, d, b)
}

fn corner(corners: &[Point], no: usize) -> Point {
    corners.get(no).copied().unwrap_or_default()
}

/// Whether a ring of corner numbers never turns clockwise.
fn is_convex(corners: &[Point], ring: &[usize]) -> bool {
    let count = ring.len();
    let at = |no: usize| ring.get(no % count).map_or(Point::default(), |&no| corner(corners, no));
    (0..count).all(|no| side(at(no), at(no + 1), at(no + 2)) >= 0)
}

type Triangles = Vec<Vec<usize>>;
type Diagonals = Vec<(usize, usize)>;

/// Cuts off one ear after another; also names the cuts, so that needless ones can be undone.
fn clip_ears(corners: &[Point]) -> Result<(Triangles, Diagonals), Flaw> {
    let mut ring: Vec<usize> = (0..corners.len()).collect();
    let (mut triangles, mut diagonals) = (Vec::new(), Vec::new());
    while ring.len() > 3 {
        // A simple polygon always has an ear; should this one have none, it was not simple after all.
        let Some(tip) = (0..ring.len()).find(|&tip| is_ear(corners, &ring, tip)) else {
            return Err(Flaw::Crossing(ring.first().map_or(Point::default(), |&no| corner(corners, no))));
        };
        let (before, after) = neighbours(&ring, tip);
        triangles.push(vec![before, ring.remove(tip), after]);
        diagonals.push((before, after));
    }
    triangles.push(ring);
    Ok((triangles, diagonals))
}

fn neighbours(ring: &[usize], no: usize) -> (usize, usize) {
    let at = |no: usize| ring.get(no % ring.len()).copied().unwrap_or_default();
    (at(no + ring.len() - 1), at(no + 1))
}

fn is_ear(corners: &[Point], ring: &[usize], tip: usize) -> bool {
    let (before, after) = neighbours(ring, tip);
    let own = ring.get(tip).copied().unwrap_or_default();
    let (a, b, c) = (corner(corners, before), corner(corners, own), corner(corners, after));
    side(a, b, c) > 0
        && ring.iter().filter(|&&no| no != before && no != own && no != after).all(|&no| {
            let p = corner(corners, no);
            side(a, b, p) < 0 || side(b, c, p) < 0 || side(c, a, p) < 0
        })
}

/// Takes back every cut whose two sides are convex together.
fn merge(corners: &[Point], mut parts: Vec<Vec<usize>>, diagonals: &[(usize, usize)]) -> Vec<Vec<usize>> {
    for &(from, to) in diagonals {
        let along = |a: usize, b: usize| {
            move |ring: &Vec<usize>| (0..ring.len()).any(|no| ring.get(no) == Some(&a) && neighbours(ring, no).1 == b)
        };
        let (Some(one), Some(other)) = (parts.iter().position(along(from, to)), parts.iter().position(along(to, from)))
        else {
            continue;
        };
        let joined = match (parts.get(one), parts.get(other)) {
            (Some(one), Some(other)) => join(one, other, from, to),
            _ => continue,
        };
        if is_convex(corners, &joined) {
            parts.swap_remove(one.max(other));
            if let Some(kept) = parts.get_mut(one.min(other)) {
                *kept = joined;
            }
        }
    }
    parts
}

/// Joins two rings along the edge that runs `from`, `to` in the first and back in the second.
fn join(one: &[usize], other: &[usize], from: usize, to: usize) -> Vec<usize> {
    let rotated = |ring: &[usize], first: usize| {
        let start = ring.iter().position(|&no| no == first).unwrap_or_default();
        let mut turned = ring.to_vec();
        turned.rotate_left(start);
        turned
    };
    // The first ring from `to` round to `from`, then the second without the shared edge.
    let mut joined = rotated(one, to);
    joined.extend(rotated(other, from).into_iter().filter(|&no| no != from && no != to));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;

    fn ring(corners: &[(i32, i32)]) -> Vec<Point> {
        corners.iter().map(|&(x, y)| Point::new(Length::um(x), Length::um(y))).collect()
    }

    fn parts(corners: &[(i32, i32)]) -> Result<usize, Flaw> {
        cut(&ring(corners)).map(|cut| cut.parts.len())
    }

    #[test]
    fn needless_cuts_are_taken_back() {
        assert_eq!(parts(&[(0, 0), (4, 0), (4, 4), (0, 4)]), Ok(1));
        assert_eq!(parts(&[(0, 4), (4, 4), (4, 0), (0, 0)]), Ok(1));
        assert_eq!(parts(&[(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]), Ok(2));
        // A plus has four notches; five triangles fewer than a full triangulation are enough.
        let plus = [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)];
        assert!(parts(&plus).is_ok_and(|count| count <= 5));
    }

    #[test]
    fn corners_run_anticlockwise_whatever_the_ring_did() {
        let cut = cut(&ring(&[(0, 4), (4, 4), (4, 0), (0, 0)])).expect("a square");
        assert!(twice_area(&cut.corners) > 0);
    }

    #[test]
    fn flaws_are_told_apart() {
        assert_eq!(parts(&[(0, 0), (1, 1), (0, 0)]), Err(Flaw::TooFew));
        assert_eq!(parts(&[(0, 0), (1, 1), (2, 2)]), Err(Flaw::NoArea));
        assert!(matches!(parts(&[(0, 0), (2, 2), (2, 0), (0, 2)]), Err(Flaw::Crossing(_))));
        assert!(matches!(parts(&[(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)]), Err(Flaw::Crossing(_))));
        let far = i32::MAX;
        assert_eq!(parts(&[(-far, -far), (far, -far), (far, far), (-far, far)]), Ok(1));
    }
}
