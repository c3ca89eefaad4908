//! Where sharpshooters hide: in cover the enemy's commanders will pass, near enough and not underfoot.

use super::Careful;
use super::eye::{INCH, Spot};
use super::plan::middle;
use super::scene::Scene;
use engine::{CommanderId, UnitId};
use rules::awi::deployment::is_hiding_place;
use rules::awi::field::facts;
use rules::awi::order::Order;
use rules::awi::unit::{Arm, Rating};
use table::{Point, Vec2};

/// Places looked at.
const LOOKS: usize = 400;

impl Careful {
    /// Chooses hiding places.
    pub fn hide(&mut self, scene: &Scene<'_, '_>) -> Order {
        let field = scene.field();
        self.eye.refresh(field);
        let men: Vec<UnitId> = field
            .units()
            .filter(|(id, _)| field.side_of(*id) == scene.side && facts(field, *id).arm == Arm::Sharpshooter)
            .map(|(id, _)| id)
            .collect();
        let (Some(home), Some(man)) = (middle(field, scene.side), men.first().copied()) else { return Order::Pass };
        let lanes: Vec<Lane> = field
            .commanders()
            .filter(|(id, officer)| officer.is_present() && field.muster().commander(*id).side != scene.side)
            .map(|(id, officer)| {
                let weight = match field.muster().commander(id).facts.rating {
                    Rating::Poor => 0.1,
                    Rating::Normal => 0.4,
                    Rating::Good => 0.8,
                    Rating::Excellent => 1.0,
                };
                Lane { of: id, from: officer.quad().centre, weight }
            })
            .collect();
        let enemy = middle(field, scene.side.other()).unwrap_or(home);
        let (width, height) = field.ground().size;
        let zones = &field.muster().sides[scene.side.other()].zones;
        let mut spots: Vec<(f64, Point)> = Vec::new();
        for _ in 0..LOOKS {
            let spot =
                Point::new(width.times(0.02 + 0.96 * self.lots.unit()), height.times(0.02 + 0.96 * self.lots.unit()));
            let inside = |(low, high): &(Point, Point)| {
                spot.x >= low.x && spot.x <= high.x && spot.y >= low.y && spot.y <= high.y
            };
            if zones.iter().any(inside) || !is_hiding_place(field, spot) {
                continue;
            }
            let looks = |lane: &Lane, aside: f64| self.eye.judge(Spot::Unit(man), Spot::Commander(lane.of), aside);
            spots.push((promise(spot.vec(), &lanes, enemy, home, looks), spot));
        }
        spots.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut at: Vec<Point> = Vec::new();
        for (_, spot) in spots {
            if at.len() < men.len() && at.iter().all(|other| other.vec().distance(spot.vec()) > 4.0 * INCH) {
                at.push(spot);
            }
        }
        Order::Sharpshooters { at }
    }
}

/// The way of a commander.
struct Lane {
    of: CommanderId,
    from: Vec2,
    weight: f64,
}

/// How likely commanders come by: every one rides down his lane, parallel to the way from his army to ours. How far a
/// lane lies aside is judged by eye.
fn promise(spot: Vec2, lanes: &[Lane], enemy: Vec2, home: Vec2, mut looks: impl FnMut(&Lane, f64) -> f64) -> f64 {
    let way = (home - enemy).normalised();
    let length = home.distance(enemy);
    lanes
        .iter()
        .map(|lane| {
            let offset = spot - lane.from;
            let along = offset.dot(way) / length.max(1.0);
            let aside = looks(lane, offset.cross(way).abs());
            let passes_by = if (0.15..0.85).contains(&along) { 1.0 - (along - 0.5).abs() } else { 0.0 };
            let near = if aside < 1.5 { 0.6 } else { (1.0 - (aside - 1.5) / 5.0).max(0.0) };
            lane.weight * passes_by * near
        })
        .sum()
}
