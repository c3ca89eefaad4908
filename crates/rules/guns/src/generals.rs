//! Generals: going along with their units, leaving them, risk of injury (P7.3, R70), successors (P10.3, R47).
//!
//! A general's stand blocks nobody (section C), so an attached one simply stands behind his unit, touching it.

use super::Guns;
use super::charts::plain;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{
    Elements, Field, distance, elements, facts, first_rank, forward, is_there, known, surely_beyond, troops,
    uses_small_arms,
};
use super::sight::Lane;
use super::unit::{Health, Level};
use engine::{CommanderId, Deed, Event, Reckoning, Side, Umpire, UnitId, Whereabouts};
use table::{Angle, Footprint, Length, Point, Pose, Quad, SLACK, Vec2, convex, quads_overlap};

/// Generals of a side on the table, in the order of the set-up.
pub fn of_side(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> + '_ {
    let theirs = move |id: &CommanderId| field.muster().commander(*id).side == side;
    field.commanders().filter(|(_, general)| general.is_present()).map(|(id, _)| id).filter(theirs)
}

/// Generals attached to a unit.
pub fn attached(field: &Field, unit: UnitId) -> impl Iterator<Item = CommanderId> + '_ {
    field.commanders().filter(move |(_, general)| general.own.attached == Some(unit)).map(|(id, _)| id)
}

/// A general's rank.
pub fn level(field: &Field, general: CommanderId) -> Level {
    field.muster().commander(general).facts.level
}

/// The middle of a general's stand, from which zones are measured.
pub fn place(field: &Field, general: CommanderId) -> Vec2 {
    field.commander(general).quad().centre
}

/// The pose of a general whose stand has its middle at a place.
pub fn pose_at(field: &Field, general: CommanderId, to: Point) -> Pose {
    let depth = field.muster().commander(general).facts.stand.depth;
    Pose { at: to, facing: field.commander(general).pose.facing }.ahead(depth.half())
}

/// Where a general attached to a unit stands: behind it and touching it; in its midst where the table ends there.
pub fn join_pose(field: &Field, general: CommanderId, unit: UnitId) -> Pose {
    let piece = field.unit(unit);
    let stand = field.muster().commander(general).facts.stand;
    let depth = field.footprint(unit, piece.body.formation).depth;
    let behind = piece.pose().ahead(-depth);
    if field.ground().holds(&stand.quad(behind)) {
        return behind;
    }
    Pose { at: Point::from_vec(piece.quad().centre), facing: piece.pose().facing }.ahead(stand.depth.half())
}

/// Attached generals go along with a unit that moved or changed place; call it after every move of a unit.
pub fn follow(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let riders: Vec<CommanderId> = attached(umpire.state(), unit).collect();
    for general in riders {
        let to = join_pose(umpire.state(), general, unit);
        put(umpire, general, to);
    }
}

/// Sets a general somewhere; one in hiding stays unknown to the enemy.
pub fn put(umpire: &mut Umpire<'_, Guns>, general: CommanderId, to: Pose) {
    let field = umpire.state();
    let piece = field.commander(general);
    if piece.pose == to || !piece.is_present() {
        return;
    }
    let side = field.muster().commander(general).side;
    let event = if piece.whereabouts == Whereabouts::Hidden {
        Event::new(Clause::GeneralsPace, Deed::CommanderConcealed { commander: general, to }).only(side)
    } else {
        Event::new(Clause::GeneralsPace, Deed::CommanderMoved { commander: general, to })
    };
    umpire.announce(event);
}

/// The generals of a unit that leaves the table stay where they are (R85).
pub fn stay_behind(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let riders: Vec<CommanderId> = attached(umpire.state(), unit).collect();
    for general in riders {
        let side = umpire.state().muster().commander(general).side;
        let hidden = umpire.state().commander(general).whereabouts == Whereabouts::Hidden;
        let event = Event::own(Clause::UnitFinished, GunsEvent::Attached { general, unit: None });
        umpire.announce(if hidden { event.only(side) } else { event });
    }
}

/// Generals whose ground the enemy has come to stand on ride to the nearest friends, or back toward their own edge.
pub fn make_room(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let trodden = |general: &CommanderId| {
        let side = field.muster().commander(*general).side;
        is_trodden(field, side, field.commander(*general).quad())
    };
    let displaced: Vec<CommanderId> =
        Side::BOTH.into_iter().flat_map(|side| of_side(field, side)).filter(trodden).collect();
    for general in displaced {
        if umpire.state().commander(general).own.attached.is_some_and(|unit| is_there(umpire.state(), unit)) {
            continue;
        }
        let to = refuge(umpire.state(), general);
        put(umpire, general, to);
    }
}

fn is_trodden(field: &Field, side: Side, stand: &Quad) -> bool {
    let mut enemies = known(field, side.other());
    enemies.any(|(id, enemy)| {
        quads_overlap(enemy.quad(), stand) && elements(field, id).iter().any(|element| quads_overlap(element, stand))
    })
}

/// A free place behind the nearest friendly unit; without friends the first free place toward his own baseline.
fn refuge(field: &Field, general: CommanderId) -> Pose {
    let card = field.muster().commander(general);
    let (here, stand) = (field.commander(general).quad(), card.facts.stand);
    let mut friends: Vec<(Length, UnitId)> =
        field.present(card.side).map(|(id, unit)| (table::gap(here, unit.quad()), id)).collect();
    friends.sort();
    let is_free = |pose: &Pose| {
        let quad = stand.quad(*pose);
        field.ground().holds(&quad) && !is_trodden(field, card.side, &quad)
    };
    let behind = friends.iter().map(|(_, unit)| join_pose(field, general, *unit)).find(is_free);
    behind.or_else(|| rearward(field, general, stand).find(is_free)).unwrap_or(field.commander(general).pose)
}

/// Steps toward his own baseline, each as deep as his stand, as far as the table reaches.
fn rearward(field: &Field, general: CommanderId, stand: Footprint) -> impl Iterator<Item = Pose> + use<> {
    let back = -forward(field, field.muster().commander(general).side);
    let start = field.commander(general).pose;
    let (width, height) = field.ground().size;
    let step = stand.depth.as_f64().max(SLACK.as_f64());
    let steps = ((width.as_f64() + height.as_f64()) / step) as u32;
    (1..=steps).map(move |n| start.shifted(back * (step * f64::from(n))))
}

/// P7.3: every general at risk rolls (R70).
pub fn risk(umpire: &mut Umpire<'_, Guns>) {
    for side in Side::BOTH {
        let generals: Vec<CommanderId> = of_side(umpire.state(), side).collect();
        for general in generals {
            let why = dangers(umpire.state(), general);
            if let Some((first, rest)) = why.split_first() {
                roll_for(umpire, side, general, *first, rest);
            }
        }
    }
}

fn roll_for(umpire: &mut Umpire<'_, Guns>, side: Side, general: CommanderId, first: Clause, rest: &[Clause]) {
    let chart = &umpire.charts().risk;
    let (pool, need) = (chart.die.value.0, plain(chart.disabled_from));
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::RiskRoll, "disabled from", need);
    let roll = umpire.roll(pool, side);
    let disabled = (roll.total() >= need.value).then_some(umpire.state().turn());
    let mut event = Event::own(Clause::RiskRoll, GunsEvent::AtRisk { general, disabled }).also(first);
    for clause in rest {
        event = event.also(*clause);
    }
    umpire.announce(event.rolled(roll).because(reckoning));
}

/// Why a general is at risk as everything stands now; nothing where he is safe.
pub fn dangers(field: &Field, general: CommanderId) -> Vec<Clause> {
    let piece = field.commander(general);
    if !piece.is_present() || !piece.own.is_fit() {
        return Vec::new();
    }
    let mut dangers = Vec::new();
    if piece.own.attached.is_some_and(|unit| is_there(field, unit) && troops(field, unit).charge.is_some()) {
        dangers.push(Clause::RiskLeading);
    }
    if is_under_muskets(field, general) {
        dangers.push(Clause::RiskMusketry);
    }
    if is_near_shells(field, general) {
        dangers.push(Clause::RiskShells);
    }
    dangers
}

fn is_near_shells(field: &Field, general: CommanderId) -> bool {
    let (stand, reach) = (field.commander(general).quad(), distance(field, &field.charts().risk.shells));
    let mut shelled =
        Side::BOTH.into_iter().flat_map(|side| known(field, side)).filter(|(_, unit)| unit.own.bound.shelled);
    shelled.any(|(id, unit)| {
        !surely_beyond(stand, unit.quad(), reach)
            && elements(field, id).iter().any(|element| table::gap(element, stand) <= reach + SLACK)
    })
}

/// Whether his stand lies in the zone, and in sight, of an enemy who could fire small arms, whether he fires or not.
fn is_under_muskets(field: &Field, general: CommanderId) -> bool {
    let stand = field.commander(general).quad();
    let enemy = field.muster().commander(general).side.other();
    known(field, enemy).any(|(id, unit)| {
        let range = small_arms_range(field, id);
        // The far corners of a zone lie less than twice its depth away.
        !surely_beyond(stand, unit.quad(), range + range) && can_shoot(field, id) && covers(field, id, range, stand)
    })
}

fn covers(field: &Field, unit: UnitId, range: Length, stand: &Quad) -> bool {
    let angle = Angle::whole(field.charts().combat.zone_angle.value.get());
    let ranks: Elements = elements(field, unit);
    let lane = Lane::of_ground(field);
    ranks.iter().take(first_rank(field, unit)).any(|element| {
        convex::overlaps(&zone(element, range, angle), stand.points())
            && super::sight::eyes_of(element).into_iter().any(|eye| lane.is_open(eye, stand.centre))
    })
}

/// The combat zone of an element: its front edge, sides that splay by an angle, depth measured straight ahead (R17).
pub fn zone(element: &Quad, range: Length, angle: Angle) -> [Vec2; 4] {
    let (left, right) = element.front_edge();
    let along = (right - left).normalised();
    let ahead = Vec2 { x: -along.y, y: along.x };
    let (sin, cos) = angle.sin_cos();
    let (deep, splay) = (ahead * range.as_f64(), along * (range.as_f64() * sin / cos));
    [left, right, right + deep + splay, left + deep - splay]
}

fn small_arms_range(field: &Field, unit: UnitId) -> Length {
    let facts = facts(field, unit);
    let organic = facts.organic_weapon.as_ref().map_or(Length::ZERO, |weapon| weapon.extreme);
    facts.weapon.extreme.max(organic)
}

/// Whether a unit could fire small arms as it is now; those who charge do not (R28).
fn can_shoot(field: &Field, unit: UnitId) -> bool {
    let troops = troops(field, unit);
    uses_small_arms(field, unit)
        && !troops.broken
        && !troops.reforming
        && troops.charge.is_none()
        && troops.locked.is_empty()
}

/// P10.3: successors of generals disabled in the bound before take over (R47).
pub fn succeed(umpire: &mut Umpire<'_, Guns>) {
    for side in Side::BOTH {
        let generals: Vec<CommanderId> = of_side(umpire.state(), side).collect();
        for general in generals {
            let Health::Disabled { bound } = umpire.state().commander(general).own.health else { continue };
            if bound < umpire.state().turn() {
                replace(umpire, side, general);
            }
        }
    }
}

fn replace(umpire: &mut Umpire<'_, Guns>, side: Side, general: CommanderId) {
    let rank = level(umpire.state(), general);
    if rank != Level::Brigade {
        let event = GunsEvent::Successor { general, ability: None };
        return umpire.announce(Event::own(absence(rank), event));
    }
    let pool = umpire.charts().command.ability_die.value.0;
    let roll = umpire.roll(pool, side);
    let face = u8::try_from(roll.total()).unwrap_or_default();
    let ability = umpire.charts().command.ability(face);
    let event = GunsEvent::Successor { general, ability: Some(ability) };
    umpire.announce(Event::own(Clause::CommanderAbility, event).also(Clause::WithoutBrigadier).rolled(roll));
}

/// The clause about troops whose general of this rank is down.
pub fn absence(rank: Level) -> Clause {
    match rank {
        Level::Brigade => Clause::WithoutBrigadier,
        Level::Division => Clause::WithoutDivision,
        Level::Corps | Level::Army => Clause::WithoutCorps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(x: f64, y: f64) -> Quad {
        Quad::of_square(Point::new(Length::mm(x), Length::mm(y)).vec(), Length::mm(20.0))
    }

    /// V23: the element's front-centre is the origin, and it looks north.
    #[test]
    fn a_zone_is_a_trapezoid() {
        let zone = zone(&element(0.0, -10.0), Length::cm(30.0), Angle::whole(30));
        let holds = |x: f64, y: f64| convex::overlaps(&zone, element(x, y).points());
        assert!(holds(185.0, 285.0));
        assert!(!holds(190.0, 280.0));
        assert!(holds(0.0, 305.0));
        assert!(!holds(0.0, 311.0));
        assert!(!holds(0.0, -20.0), "nothing lies in it behind the front edge");
    }
}
