//! What is asked, by whom, and what he sees: every piece on the table in the few figures judgement needs.

use super::Temper;
use engine::{Asked, Ruleset, Side, UnitId, View};
use rules::fpw::Fpw;
use rules::fpw::charts::Band;
use rules::fpw::field::{Shelter, facts, formation, is_engaged, known, shelter, soldiers, troops};
use rules::fpw::movement;
use rules::fpw::order::Order;
use rules::fpw::unit::{Arm, Formation, Weapon};
use rules::fpw::victory;
use table::{Pose, Quad, Vec2};

pub use rules::fpw::field::Field;

/// Micrometres of an inch.
pub const INCH: f64 = 25_400.0;

/// Whoever is asked to fire under orders does so about this often.
const ORDER_COMES: f64 = 0.65;

/// A question in the player's hands.
pub struct Scene<'a, 'v> {
    /// What he sees.
    pub view: &'a View<'v, Fpw>,
    /// The question.
    pub asked: &'a Asked<Fpw>,
    /// Who he is.
    pub side: Side,
    /// How bold he is.
    pub temper: Temper,
}

impl<'a> Scene<'a, '_> {
    /// The field as he sees it.
    pub fn field(&self) -> &'a Field {
        self.view.state()
    }

    /// Whether an order may be given.
    pub fn allows(&self, order: &Order) -> bool {
        Fpw::check(self.view, self.asked, self.side, order).is_legal()
    }
}

/// A unit at a glance.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Who.
    pub id: UnitId,
    /// Where.
    pub quad: Quad,
    /// Where its flag is.
    pub pose: Pose,
    /// What it fights as.
    pub arm: Arm,
    /// What it shoots with.
    pub weapon: Weapon,
    /// How it is drawn up.
    pub formation: Formation,
    /// Stands.
    pub stands: f64,
    /// Disruption on it.
    pub disruption: f64,
    /// Stands that are degraded.
    pub degraded: f64,
    /// Cover it stands in, as a modifier of the enemy's dice.
    pub cover: i32,
    /// Whether it touches an enemy.
    pub engaged: bool,
    /// Joined to another unit, so that it is no body of its own.
    pub joined: bool,
}

impl Piece {
    fn of(field: &Field, id: UnitId, enemies_at: Vec2) -> Piece {
        let (facts, own, unit) = (facts(field, id), soldiers(field, id), field.unit(id));
        let cover = match shelter(field, unit.quad(), enemies_at) {
            None => 0,
            Some(Shelter::Cover) => -1,
            Some(Shelter::Dense) => -2,
        };
        Piece {
            id,
            quad: *unit.quad(),
            pose: unit.pose(),
            arm: facts.arm,
            weapon: facts.weapon,
            formation: formation(field, id),
            stands: f64::from(own.count().max(1)),
            disruption: f64::from(own.disruption()),
            degraded: f64::from(own.degraded_stands()),
            cover,
            engaged: is_engaged(field, id),
            joined: own.host.is_some(),
        }
    }

    /// What one more hit by fire costs it, in points of loss: little while it is only shaken, much once markers pile up.
    pub fn hit_cost(&self, hits_before: f64) -> f64 {
        if self.arm == Arm::Cavalry {
            return if self.degraded + hits_before + 1.0 > self.stands { 2.4 } else { 1.2 };
        }
        if self.degraded >= self.stands {
            return 1.7;
        }
        let over = (self.disruption + hits_before + 1.0 - self.stands).clamp(0.0, 1.0);
        0.35 + 0.55 * over + 0.15 * self.degraded / self.stands
    }

    /// How many of its stands shoot.
    fn muzzles(&self) -> f64 {
        match self.formation {
            Formation::March | Formation::Limbered => 0.0,
            Formation::Dense => self.stands.min(2.0),
            Formation::Column => 1.0,
            Formation::Line | Formation::Deployed => self.stands,
        }
    }

    /// Whether it is a gun of either kind.
    pub fn is_gun(&self) -> bool {
        self.arm.is_artillery()
    }
}

/// The chance of a die with this factor.
pub fn chance(factor: i32) -> f64 {
    f64::from((3 + factor).clamp(0, 6)) / 6.0
}

/// Somebody as a target.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Horse.
    pub horse: bool,
    /// In dense formation.
    pub dense: bool,
    /// Its cover.
    pub cover: i32,
    /// Taken in flank or rear.
    pub flanked: bool,
}

impl Mark {
    fn modifier(self, guns: bool) -> i32 {
        let shells = i32::from(guns && self.cover < 0);
        i32::from(self.horse) + i32::from(self.dense) + i32::from(self.flanked) + self.cover + shells
    }
}

/// Everybody at a glance, and how the day stands.
pub struct Survey {
    /// His own.
    pub own: Vec<Piece>,
    /// The enemies he knows of, scouts left out.
    pub foes: Vec<Piece>,
    /// The way to the enemy.
    pub forward: Vec2,
    /// How much a hit given weighs against one taken.
    pub spirit: f64,
    /// For each enemy, the two of his own nearest to him: who, and how far in inches.
    pub close: Vec<[(Option<UnitId>, f64); 2]>,
    /// How bold the player is.
    pub temper: Temper,
    /// Turns still to come, this one counted.
    pub turns_left: f64,
    /// The share of the battle that is over.
    pub elapsed: f64,
}

impl Survey {
    /// Looks at the whole field.
    pub fn take(scene: &Scene<'_, '_>) -> Survey {
        let (field, side, temper) = (scene.field(), scene.side, scene.temper);
        let foes_at = middle(field, side.other()).unwrap_or_else(|| field.ground().bounds().centre());
        let own_at = middle(field, side).unwrap_or_else(|| field.ground().bounds().centre());
        let scout = |id: UnitId| facts(field, id).is_scout();
        let own = troops(field, side).filter(|(id, _)| !scout(*id)).map(|(id, _)| Piece::of(field, id, foes_at));
        let foes = known(field, side.other()).filter(|(id, _)| !scout(*id));
        let foes: Vec<Piece> = foes.map(|(id, _)| Piece::of(field, id, own_at)).collect();
        let limit = f64::from(field.muster().turn_limit.unwrap_or(12).max(1));
        let turn = f64::from(field.turn());
        let elapsed = (turn / limit).min(1.0);
        let standing = |side: Side| {
            let (lost, of) = victory::share(field, side);
            f64::from(lost) / f64::from(of.max(1)) * 100.0 - victory::held_worth(field, side) as f64
        };
        // Whoever would lose if the light failed now has to do something about it, the more the later it is.
        let behind = standing(side) - standing(side.other());
        let pressing = if behind > -3.0 { temper.pressing * elapsed } else { 0.0 };
        let spirit = temper.spirit + (behind / 12.0).clamp(-0.3, 0.7) * (0.5 + elapsed) + pressing;
        let forward = (foes_at - own_at).normalised();
        let own: Vec<Piece> = own.collect();
        let close = foes.iter().map(|foe| two_nearest(&own, foe)).collect();
        Survey { own, foes, forward, spirit, close, temper, turns_left: (limit - turn + 1.0).max(1.0), elapsed }
    }

    /// One of his own.
    pub fn piece(&self, id: UnitId) -> Option<&Piece> {
        self.own.iter().find(|piece| piece.id == id)
    }

    /// An enemy.
    pub fn foe(&self, id: UnitId) -> Option<&Piece> {
        self.foes.iter().find(|piece| piece.id == id)
    }

    /// The nearest enemy to a place that is worth walking up to, and how far off he is in inches.
    pub fn nearest_foe(&self, at: Vec2) -> Option<(&Piece, f64)> {
        let apart = self.foes.iter().map(|foe| (foe, (foe.quad.centre - at).length() / INCH));
        apart.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

fn two_nearest(own: &[Piece], foe: &Piece) -> [(Option<UnitId>, f64); 2] {
    let mut best = [(None, f64::MAX); 2];
    for piece in own.iter().filter(|piece| !piece.joined) {
        let apart = (piece.quad.centre - foe.quad.centre).length() / INCH;
        if apart < best[0].1 {
            best = [(Some(piece.id), apart), best[0]];
        } else if apart < best[1].1 {
            best[1] = (Some(piece.id), apart);
        }
    }
    best
}

fn middle(field: &Field, side: Side) -> Option<Vec2> {
    let (mut sum, mut count) = (Vec2::ZERO, 0.0);
    for (_, unit) in known(field, side) {
        sum += unit.quad().centre;
        count += 1.0;
    }
    (count > 0.0).then(|| sum * (1.0 / count))
}

/// Hits a unit expects of one volley at a range in inches.
pub fn volley(field: &Field, shooter: &Piece, range: f64, mark: Mark) -> f64 {
    let Some(band) = band(field, shooter.weapon, range) else { return 0.0 };
    let factor = band.factor.value.get() + mark.modifier(shooter.weapon.is_gun());
    let dice = f64::from(band.dice.value.get());
    let clean = (shooter.stands - shooter.disruption.min(shooter.stands)).max(0.0) / shooter.stands;
    let sound = (shooter.stands - shooter.degraded) / shooter.stands;
    let muzzles = shooter.muzzles();
    let shaken = chance(factor - 1);
    let mean = chance(factor) * clean + shaken * (1.0 - clean);
    muzzles * dice * (mean - (1.0 - sound) / 6.0).max(0.0)
}

fn band(field: &Field, weapon: Weapon, range: f64) -> Option<&Band> {
    field.charts().bands(weapon).iter().find(|band| range <= band.to.value.0.as_inches())
}

/// How often a turn a unit fires at such a range: in the enemy's turn whenever he is near, in its own under orders.
pub fn volleys_a_turn(field: &Field, shooter: &Piece, range: f64) -> f64 {
    let near = f64::from(range <= field.charts().fire.reactive_range.value.0.as_inches());
    let ordered =
        shooter.is_gun() || (near < 1.0 && matches!(shooter.weapon, Weapon::Chassepot | Weapon::BreechLoader));
    near + if ordered { ORDER_COMES } else { 0.0 }
}

/// Whether a body looks towards a place, and whether that place is in its flank or rear.
pub fn is_ahead(pose: Pose, half_width: f64, place: Vec2) -> bool {
    let local = pose.to_local(place);
    local.y > 0.0 && local.x.abs() <= half_width + local.y
}

/// How far a unit walks in a turn, in inches.
pub fn pace(field: &Field, unit: UnitId) -> f64 {
    movement::full_pace(field, unit).as_inches()
}
