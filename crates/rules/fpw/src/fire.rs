//! Who may fire at whom: reaction, standing fire, fire under orders. R35 to R42, R47.

use super::Fpw;
use super::charge;
use super::clause::Clause;
use super::event::{FpwEvent, Manner};
use super::field::{
    Field, blocks_sight, facts, formation, is_engaged, is_hidden, is_there, known, reactive_range, soldiers, stands,
    surely_beyond, troops,
};
use super::firemove::Pullback;
use super::hidden;
use super::order::{Decision, Occasion, Order, Shot, StandRef, Target};
use super::sequence::Phase;
use super::sight::{Spot, stand_sees};
use super::unit::{Arm, Formation, Nation, Weapon};
use super::volley::Volleys;
use engine::{Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Angle, Footprint, FrontArc, Length, Point, Pose, Quad, SLACK, Vec2, convex};

/// Fire offered to the side that is not on turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Reaction {
    pub by: Side,
    pub targets: Vec<UnitId>,
    pub occasion: Occasion,
}

/// One stand that looks along its barrels.
#[derive(Clone, Copy, Debug)]
pub struct Shooter {
    /// Whose stand it is, and which.
    pub who: StandRef,
    /// Where it stands.
    pub quad: Quad,
    arc: FrontArc,
}

/// What a stand sees of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// To the nearest stand it sees (C.5).
    pub range: Length,
    /// That stand.
    pub nearest: u8,
}

impl Shooter {
    /// A stand of a unit where it is; none if the unit has no such stand.
    pub fn of(field: &Field, who: StandRef) -> Option<Shooter> {
        let quad = stands(field, who.unit).get(usize::from(who.stand)).copied()?;
        Some(Shooter::new(field, who, quad))
    }

    fn new(field: &Field, who: StandRef, quad: Quad) -> Shooter {
        let (left, right) = quad.front_edge();
        let middle = (left + right) * 0.5;
        let pose = Pose { at: Point::from_vec(middle), facing: Angle::of(middle - quad.centre) };
        let width = Length::from_um(left.distance(right));
        let half = Angle::whole(field.charts().fire.arc.value.get());
        let arc = FrontArc::from_corners(pose, Footprint { width, depth: Length::ZERO }, half);
        Shooter { who, quad, arc }
    }

    /// The middle of its front edge.
    pub fn muzzle(&self) -> Vec2 {
        let (left, right) = self.quad.front_edge();
        (left + right) * 0.5
    }

    /// From its front edge to a rectangle.
    pub fn range_to(&self, quad: &Quad) -> Length {
        let (left, right) = self.quad.front_edge();
        Length::from_um(convex::gap(&[left, right], quad.points()))
    }

    /// Whether any part of a rectangle lies in its arc (C.4).
    pub fn has_in_arc(&self, quad: &Quad) -> bool {
        self.arc.touches(quad.points())
    }

    fn spot(&self) -> Spot {
        Spot { unit: self.who.unit, quad: self.quad }
    }

    /// Whether it sees a stand of another unit.
    pub fn sees(&self, field: &Field, unit: UnitId, quad: Quad) -> bool {
        stand_sees(field, self.spot(), Spot { unit, quad })
    }

    /// What it sees of a unit: some stand in arc and in sight, the nearest in sight not further than `most`.
    pub fn sights(&self, field: &Field, at: UnitId, most: Length) -> Option<Sighting> {
        if surely_beyond(&self.quad, field.unit(at).quad(), most) {
            return None;
        }
        let quads = stands(field, at);
        if !quads.iter().any(|quad| self.has_in_arc(quad)) {
            return None;
        }
        let mut near: SmallVec<[(Length, u8); 4]> =
            quads.iter().enumerate().map(|(n, quad)| (self.range_to(quad), n as u8)).collect();
        near.sort();
        let mut first = None;
        for (range, n) in near {
            let quad = quads[usize::from(n)];
            if first.is_none() && range > most + SLACK {
                return None;
            }
            // Sight is dear: past the nearest stand in view only one in arc is of interest.
            if (first.is_none() || self.has_in_arc(&quad)) && self.sees(field, at, quad) {
                let found = *first.get_or_insert(Sighting { range, nearest: n });
                if self.has_in_arc(&quad) {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// How far a weapon reaches; nothing for troops that do not shoot.
pub fn reach(field: &Field, unit: UnitId) -> Option<Length> {
    field.charts().bands(facts(field, unit).weapon).last().map(|band| band.to.value.0)
}

/// Whether a unit is in shape to shoot at all: a weapon, not in march column or limbered, not in contact (R35, R90).
pub fn can_shoot(field: &Field, unit: UnitId) -> bool {
    let facts = facts(field, unit);
    let ready = is_there(field, unit) && !facts.is_scout() && !formation(field, unit).is_march();
    ready && reach(field, unit).is_some() && !is_engaged(field, unit)
}

/// Whether an edge lies along another.
pub fn share_edge(a: (Vec2, Vec2), b: (Vec2, Vec2)) -> bool {
    let slack = SLACK.as_f64();
    if convex::gap(&[a.0, a.1], &[b.0, b.1]) > slack {
        return false;
    }
    let along = (a.1 - a.0).normalised();
    let place = |point: Vec2| along.dot(point - a.0);
    let (one, other) = (place(b.0), place(b.1));
    let shared = one.max(other).min(place(a.1)) - one.min(other).max(0.0);
    shared > slack
}

/// The rear edge of a rectangle.
pub fn rear_edge(quad: &Quad) -> (Vec2, Vec2) {
    (quad.corners[2], quad.corners[3])
}

/// The stands of a unit that nobody of their own side stands in front of, edge to edge (R35).
fn free_stands(field: &Field, unit: UnitId) -> SmallVec<[Shooter; 4]> {
    let quads = stands(field, unit);
    let here = field.unit(unit).quad();
    let mut friends: Vec<Quad> = Vec::new();
    for (id, friend) in troops(field, field.side_of(unit)) {
        let near = !surely_beyond(here, friend.quad(), Length::ZERO) && !facts(field, id).is_scout();
        if near && (id != unit || quads.len() > 1) {
            friends.extend(stands(field, id));
        }
    }
    let masked = |quad: &Quad| friends.iter().any(|friend| share_edge(quad.front_edge(), rear_edge(friend)));
    let free = quads.iter().enumerate().filter(|(_, quad)| !masked(quad));
    free.map(|(n, quad)| Shooter::new(field, StandRef { unit, stand: n as u8 }, *quad)).collect()
}

/// Whether a unit may be shot at by a side: an enemy it knows of, in no contact (R80, R90).
fn is_target(field: &Field, by: Side, at: UnitId) -> bool {
    let unit = field.unit(at);
    unit.side != by && unit.is_present() && !is_hidden(unit) && !is_engaged(field, at)
}

/// The nearest of some targets for a stand; of equals the first on the roster.
fn nearest(field: &Field, shooter: &Shooter, targets: &[UnitId], most: Length) -> Option<(Length, UnitId)> {
    let sighted = targets.iter().filter_map(|at| Some((shooter.sights(field, *at, most)?.range, *at)));
    sighted.min()
}

/// Every stand of `by` that may fire reactively at these units now, with the target the rules give it: the nearest of
/// them in arc, sight and range (R35, R38, R39, R42).
///
/// Fire at a charge is that of the others: whoever is charged has its approach fire, or none at all (R68, R70, R71).
pub fn able(field: &Field, by: Side, targets: &[UnitId], occasion: Option<Occasion>) -> Vec<Shot> {
    let charged = |unit: UnitId| occasion == Some(Occasion::Charging) && charge::is_charged(field, unit);
    let targets: SmallVec<[UnitId; 8]> = targets.iter().copied().filter(|at| is_target(field, by, *at)).collect();
    let mut shots = Vec::new();
    if targets.is_empty() {
        return shots;
    }
    for (unit, piece) in known(field, by) {
        let Some(reach) = reach(field, unit) else { continue };
        let most = reach.min(reactive_range(field));
        let near = targets.iter().any(|at| !surely_beyond(piece.quad(), field.unit(*at).quad(), most));
        if !near || charged(unit) || !can_shoot(field, unit) {
            continue;
        }
        let fired = piece.own.turn.fired;
        for shooter in free_stands(field, unit) {
            if fired & (1 << shooter.who.stand.min(15)) != 0 {
                continue;
            }
            if let Some((_, at)) = nearest(field, &shooter, &targets, most) {
                shots.push(Shot { unit, stand: shooter.who.stand, at });
            }
        }
    }
    shots
}

/// Every unspent stand of a side with its nearest eligible enemy within reactive range (R40).
pub fn able_standing(field: &Field, by: Side) -> Vec<Shot> {
    able(field, by, &enemies(field, by), None)
}

fn enemies(field: &Field, by: Side) -> SmallVec<[UnitId; 8]> {
    known(field, by.other()).map(|(id, _)| id).filter(|id| !facts(field, *id).is_scout()).collect()
}

/// The stands of one unit that have a charger in arc and sight, for approach fire at a band (R70); the nearest charger
/// each. Whether they have fired before does not matter.
pub fn approach_shots(field: &Field, unit: UnitId, chargers: &[UnitId]) -> Vec<Shot> {
    if !can_shoot(field, unit) {
        return Vec::new();
    }
    let shooters = free_stands(field, unit);
    let aimed = shooters.iter().filter_map(|shooter| {
        let (_, at) = nearest(field, shooter, chargers, Length::MAX)?;
        Some(Shot { unit, stand: shooter.who.stand, at })
    });
    aimed.collect()
}

/// Asks whether to fire, if anybody can.
pub fn advance_reaction(umpire: &mut Umpire<'_, Fpw>, reaction: Reaction) -> Flow<Fpw> {
    let able = able(umpire.state(), reaction.by, &reaction.targets, Some(reaction.occasion));
    if able.is_empty() {
        return Flow::Done;
    }
    let Reaction { by, targets, occasion } = reaction;
    Flow::Ask(Who::One(by), Decision::Reaction { occasion, targets, able })
}

/// Judges who is to fire.
pub fn check_reaction(able: &[Shot], order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass | Order::ReactAll => {}
        Order::React { units, stands } => {
            if units.is_empty() && stands.is_empty() {
                verdict.refuse(Clause::ReactiveFire, "nobody is named to fire");
            }
            for unit in units.iter().filter(|unit| !able.iter().any(|shot| shot.unit == **unit)) {
                verdict.refuse(Clause::ReactiveFire, "none of its stands can fire at the mover").about(*unit);
            }
            for stand in stands.iter().filter(|stand| !able.iter().any(|shot| is_of(shot, stand))) {
                let text = format!("its stand {} cannot fire at the mover", stand.stand + 1);
                verdict.refuse(Clause::ReactiveFire, text).about(stand.unit);
            }
        }
        _ => drop(verdict.refuse(Clause::ReactiveFire, "the question is who fires at the mover")),
    }
    verdict
}

fn is_of(shot: &Shot, stand: &StandRef) -> bool {
    shot.unit == stand.unit && shot.stand == stand.stand
}

/// Fires, or does not.
pub fn execute_reaction(umpire: &mut Umpire<'_, Fpw>, able: &[Shot], order: &Order) {
    let Some(Phase::Reaction(reaction)) = umpire.top() else { return umpire.fault("an answer without a reaction") };
    let shots: Vec<Shot> = match order {
        Order::ReactAll => able.to_vec(),
        Order::React { units, stands } => {
            let named = |shot: &&Shot| units.contains(&shot.unit) || stands.iter().any(|stand| is_of(shot, stand));
            able.iter().filter(named).copied().collect()
        }
        _ => Vec::new(),
    };
    if shots.is_empty() {
        return umpire.end();
    }
    let clause = match reaction.occasion {
        Occasion::Moved => Clause::UnderFire,
        Occasion::Leaving => Clause::LeavingFire,
        Occasion::Charging => Clause::ReactiveFire,
    };
    let event = Event::own(clause, FpwEvent::Fired { shots: shots.clone(), ordered: false });
    let event = event
        .also_if(clause != Clause::ReactiveFire, Clause::ReactiveFire)
        .also_if(reaction.occasion == Occasion::Moved, Clause::MoveThenFire)
        .also(Clause::ShootingIsReactive)
        .also(Clause::OncePerFirePhase);
    umpire.announce(event);
    umpire.replace(Phase::Volleys(Volleys::new(shots, Manner::Reactive(reaction.occasion), None)));
}

/// At the end of the command phase of `side` the other side's unspent stands must fire (R40, R41); whoever was hit after
/// going forward may then fall back (R57).
pub fn advance_standing(umpire: &mut Umpire<'_, Fpw>, side: Side, fired: bool) -> Flow<Fpw> {
    if fired {
        let hurt = |own: &super::unit::Soldiers| {
            own.turn.inflicted > 0 && own.turn.advance.as_ref().is_some_and(|advance| advance.toward)
        };
        let units: Vec<UnitId> =
            troops(umpire.state(), side).filter(|(_, unit)| hurt(&unit.own)).map(|(id, _)| id).collect();
        if units.is_empty() {
            return Flow::Done;
        }
        umpire.replace(Phase::Pullback(Pullback { units }));
        return Flow::Again;
    }
    let field = umpire.state();
    let shots = if field.settings().standing_fire { able_standing(field, side.other()) } else { Vec::new() };
    if shots.is_empty() {
        return Flow::Done;
    }
    let event = Event::own(Clause::ReactiveFire, FpwEvent::Fired { shots: shots.clone(), ordered: false });
    umpire.announce(event.also(Clause::NearestTarget).also(Clause::Arc).also(Clause::OncePerFirePhase));
    umpire.replace(Phase::Standing { side, fired: true });
    umpire.begin(Phase::Volleys(Volleys::new(shots, Manner::Standing, None)));
    Flow::Again
}

/// Whether it is French foot with a rifle that fires under orders at long range (R47).
pub fn fires_long(field: &Field, unit: UnitId) -> bool {
    let facts = facts(field, unit);
    let french = facts.arm == Arm::Infantry && facts.nation == Nation::French;
    french && matches!(facts.weapon, Weapon::Chassepot | Weapon::BreechLoader)
}

/// Judges whether a unit may be given a fire order at all, whatever its targets.
pub fn may_fire_ordered(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let (facts, turn) = (facts(field, unit), &soldiers(field, unit).turn);
    let guns = facts.arm.is_artillery();
    if !guns && !fires_long(field, unit) {
        let text = format!("{} fire only in answer to the enemy", facts.weapon.name());
        let text = if facts.weapon == Weapon::None { "it has no firearms".to_owned() } else { text };
        verdict.refuse(Clause::ShootingIsReactive, text).about(unit);
        return;
    }
    let once = if guns { Clause::GunsFireOnce } else { Clause::FrenchLongFire };
    if turn.fired_ordered {
        verdict.refuse(once, "it has fired under orders this turn").about(unit);
    }
    if guns && formation(field, unit) != Formation::Deployed {
        verdict.refuse(Clause::LimberingIsForm, "limbered guns cannot fire").about(unit);
    }
    if !guns && formation(field, unit).is_march() {
        verdict.refuse(Clause::MarchColumn, "a march column cannot fire").about(unit);
    }
    if turn.deployed_late {
        verdict.refuse(Clause::InitiativeHalfAndDeploy, "it came into action on the move this turn").about(unit);
    }
    if is_engaged(field, unit) {
        verdict.refuse(Clause::CarriedOver, "it is fighting hand to hand").about(unit);
    }
}

/// Whom a unit could fire at under orders: guns anybody in arc, sight and range; foot those its stands would have to
/// take, at long range only.
pub fn ordered_targets(field: &Field, unit: UnitId) -> Vec<UnitId> {
    if !can_shoot(field, unit) {
        return Vec::new();
    }
    let mut targets: Vec<UnitId> = if facts(field, unit).arm.is_artillery() {
        let by = field.side_of(unit);
        known(field, by.other()).map(|(id, _)| id).filter(|at| !gun_shots(field, unit, *at).is_empty()).collect()
    } else {
        long_shots(field, unit).iter().map(|shot| shot.at).collect()
    };
    targets.sort();
    targets.dedup();
    targets
}

fn gun_shots(field: &Field, unit: UnitId, at: UnitId) -> Vec<Shot> {
    let Some(most) = reach(field, unit) else { return Vec::new() };
    if surely_beyond(field.unit(unit).quad(), field.unit(at).quad(), most) || !is_target(field, field.side_of(unit), at)
    {
        return Vec::new();
    }
    let shooters = free_stands(field, unit).into_iter().filter(|shooter| shooter.sights(field, at, most).is_some());
    shooters.map(|shooter| Shot { unit, stand: shooter.who.stand, at }).collect()
}

/// The stands of foot whose nearest target is beyond reactive range, each with that target (R47).
fn long_shots(field: &Field, unit: UnitId) -> Vec<Shot> {
    let Some(most) = reach(field, unit).filter(|_| fires_long(field, unit)) else { return Vec::new() };
    let beyond = field.charts().fire.long_fire_beyond.value.0 + SLACK;
    let by = field.side_of(unit);
    let mut targets = enemies(field, by);
    let here = field.unit(unit).quad();
    targets.retain(|at| !surely_beyond(here, field.unit(*at).quad(), most) && is_target(field, by, *at));
    let aimed = free_stands(field, unit).into_iter().filter_map(|shooter| {
        let (range, at) = nearest(field, &shooter, &targets, most)?;
        (range > beyond).then_some(Shot { unit, stand: shooter.who.stand, at })
    });
    aimed.collect()
}

/// The shots one unit's line of a fire order stands for.
pub fn shots_of(field: &Field, target: &Target) -> Vec<Shot> {
    match target.at {
        _ if !can_shoot(field, target.unit) => Vec::new(),
        Some(at) if facts(field, target.unit).arm.is_artillery() => gun_shots(field, target.unit, at),
        Some(_) => Vec::new(),
        None => long_shots(field, target.unit),
    }
}

/// Shots under a fire order: targets in arc, range and sight; foot at long range only.
pub fn check_shots(view: &View<'_, Fpw>, units: &[UnitId], order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    let shots = match order {
        Order::Pass => return verdict,
        Order::Shots { shots } => shots,
        _ => return Verdict::refused(Clause::ShootingUnderOrders, "the question is what to fire at"),
    };
    if shots.is_empty() {
        verdict.refuse(Clause::ShootingUnderOrders, "nobody is told to fire");
    }
    for (n, target) in shots.iter().enumerate() {
        let unit = target.unit;
        if !units.contains(&unit) {
            verdict.refuse(Clause::LowEnoughActs, "it has no order to fire").about(unit);
            continue;
        }
        if shots[..n].iter().any(|other| other.unit == unit) {
            verdict.refuse(Clause::OncePerFirePhase, "it is named two times").about(unit);
            continue;
        }
        may_fire_ordered(field, unit, &mut verdict);
        match (facts(field, unit).arm.is_artillery(), target.at) {
            (true, Some(at)) => check_gun_shot(field, unit, at, &mut verdict),
            (true, None) => drop(verdict.refuse(Clause::ArtilleryPicks, "the guns need a target").about(unit)),
            (false, Some(_)) => {
                let text = "foot names no target: each stand fires at the nearest";
                verdict.refuse(Clause::NearestTarget, text).about(unit);
            }
            (false, None) => {
                if long_shots(field, unit).is_empty() {
                    let text = "none of its stands has its nearest target at long range";
                    verdict.refuse(Clause::FrenchLongFire, text).about(unit);
                }
            }
        }
    }
    verdict
}

/// Judges one battery's target with all reasons against it.
fn check_gun_shot(field: &Field, unit: UnitId, at: UnitId, verdict: &mut Verdict) {
    let by = field.side_of(unit);
    let target = field.unit(at);
    if target.side == by || !target.is_present() || is_hidden(target) {
        verdict.refuse(Clause::ArtilleryPicks, "the target is not an enemy on the table").about(at);
        return;
    }
    if is_engaged(field, at) {
        verdict.refuse(Clause::CarriedOver, "nobody fires into a fight hand to hand").about(at);
    }
    let (from, to) = (field.unit(unit).pose().at, target.pose().at);
    let quads = stands(field, at);
    let shooters = free_stands(field, unit);
    if shooters.is_empty() {
        verdict.refuse(Clause::WholeEdge, "friends stand right in front of its guns").about(unit);
        return;
    }
    if !shooters.iter().any(|shooter| quads.iter().any(|quad| shooter.has_in_arc(quad))) {
        verdict.refuse(Clause::Arc, "the target is outside its arc of fire").about(at).at(Mark::Line(from, to));
    }
    let most = reach(field, unit).unwrap_or(Length::ZERO);
    let range = shooters.iter().flat_map(|shooter| quads.iter().map(|quad| shooter.range_to(quad))).min();
    let range = range.unwrap_or(Length::MAX);
    if range > most + SLACK {
        let text = format!("the target is out of range at {}", range.show(table::Unit::Inch));
        let clause = facts(field, unit).weapon.clause();
        verdict.refuse(clause, text).about(at).at(Mark::Measured(from, to, range));
    } else if !shooters.iter().any(|shooter| quads.iter().any(|quad| shooter.sees(field, at, *quad))) {
        let (clause, text) = why_unseen(field, unit, at);
        verdict.refuse(clause, text).about(at).at(Mark::Line(from, to));
    } else if verdict.is_legal() && gun_shots(field, unit, at).is_empty() {
        let text = "what it sees of the target is not in arc and in range";
        verdict.refuse(Clause::Arc, text).about(at).at(Mark::Line(from, to));
    }
}

/// The ground or the bodies that hide a target.
fn why_unseen(field: &Field, unit: UnitId, at: UnitId) -> (Clause, &'static str) {
    let mut hiding = field.ground().features.iter().filter(|feature| blocks_sight(feature.kind));
    let inside = |feature: &table::Feature, id: UnitId| feature.shape.overlaps_quad(field.unit(id).quad());
    match hiding.find(|feature| inside(feature, at)) {
        Some(feature) if inside(feature, unit) => (Clause::SightInside, "nobody sees as far as that under cover"),
        Some(_) => (Clause::InsideUnseen, "the target is too deep under cover to be seen from outside"),
        None => (Clause::WholeEdge, "it does not see a whole edge of the target"),
    }
}

/// Fires as ordered.
pub fn execute_shots(umpire: &mut Umpire<'_, Fpw>, order: Order) {
    umpire.end();
    let Order::Shots { shots: targets } = order else { return };
    let shots: Vec<Shot> = targets.iter().flat_map(|target| shots_of(umpire.state(), target)).collect();
    if shots.is_empty() {
        return;
    }
    let revealed: Vec<UnitId> =
        targets.iter().map(|target| target.unit).filter(|unit| is_hidden(umpire.state().unit(*unit))).collect();
    for unit in revealed {
        hidden::reveal(umpire, unit, Clause::ScoutsUncover);
    }
    let guns = shots.iter().any(|shot| facts(umpire.state(), shot.unit).arm.is_artillery());
    let foot = shots.iter().any(|shot| !facts(umpire.state(), shot.unit).arm.is_artillery());
    let event = Event::own(Clause::ShootingUnderOrders, FpwEvent::Fired { shots: shots.clone(), ordered: true });
    umpire.announce(event.also_if(guns, Clause::GunsFireOnce).also_if(foot, Clause::FrenchLongFire));
    umpire.begin(Phase::Volleys(Volleys::new(shots, Manner::Ordered, None)));
}
