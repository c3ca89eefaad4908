//! Which stands of a unit bear on whom: arc, range, sight, screens, the lane of fire, hills. C.4 to C.6, A-30, A-31, A-36,
//!

mod nearest;
mod outward;

use super::arc::Arc;
use super::screen::screens;
use super::weapon::{self, Quarry, Weapon};
use crate::charts::reach;
use crate::clause::Clause;
use crate::field::{self, Field, is_hidden, measured, surely_beyond};
use crate::ground;
use crate::sight::{self, HIGH, Lane};
use engine::{Lots, UnitId};
use outward::Outward;
use smallvec::SmallVec;
use std::cell::Cell;
use table::{Bounds, Length, Quad, Vec2, convex};

/// So much larger than a body its box is drawn, in micrometres: more than rounding could hide.
const HAIR: f64 = 10.0;

/// One stand that can shoot at something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bearing {
    /// The number of the stand in its unit.
    pub stand: u8,
    /// How far the target is from its front edge.
    pub at: Length,
    /// The middle of its front edge.
    pub eye: Vec2,
    /// The nearest visible part of the target in its arc.
    pub aim: Vec2,
    /// The enemy skirmishers between, for guns.
    pub screen: Option<UnitId>,
    /// Fires over friends.
    pub over: bool,
}

/// Why a stand cannot shoot at something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Why {
    /// Not in its arc.
    Arc,
    /// Too far.
    Range(Length),
    /// Not to be seen.
    Sight,
    /// Guns down on the table do not reach up to a High Hill.
    Height,
    /// Too close under guns on a High Hill.
    DeadGround(Length),
    /// Behind a screen.
    Screen(UnitId),
    /// A friend stands in the lane of fire; the distance, for what is nearest.
    Friend(Length),
    /// A friend stands too close to the target of guns on a High Hill.
    FriendAtTarget(Length),
    /// Another enemy is nearer.
    Nearer(UnitId),
    /// Nobody looked: others are surely nearer, or it is out of arc or range.
    Unasked,
}

impl Why {
    /// The clause and the sentence.
    pub fn reason(self, field: &Field, unit: UnitId) -> (Clause, &'static str) {
        match self {
            Why::Arc => (weapon::half_arc(field, unit).1, "no stand has it in its arc"),
            Why::Range(_) => (Clause::SayingWhoFires, "it is out of range"),
            Why::Sight => (Clause::FromStandToStand, "no stand sees it"),
            Why::Height => (Clause::GunsFiringUpHigh, "only howitzers fire from the table up to a high hill"),
            Why::DeadGround(_) => (Clause::DeadGroundBelowGuns, "it is too close below the guns on their high hill"),
            Why::Screen(_) => (Clause::RiflesAndScreens, "skirmishers screen it"),
            Why::Friend(_) => (Clause::FireThatEndangersFriends, "friends stand in the lane of fire"),
            Why::FriendAtTarget(_) => (Clause::FriendsTooNearTheMark, "friends stand too near the target"),
            Why::Nearer(_) | Why::Unasked => (Clause::SmallArmsAtTheNearest, "another enemy is nearer"),
        }
    }

    /// The distance at which the target still counts as the nearest eligible one.
    fn eligible_at(self) -> Option<Length> {
        match self {
            Why::Friend(at) => Some(at),
            _ => None,
        }
    }
}

/// What each stand that is ready can do about one quarry.
pub struct Sheet {
    /// The quarry.
    pub quarry: Quarry,
    /// By stand, those that are ready.
    pub stands: Vec<Result<Bearing, Why>>,
}

impl Sheet {
    /// The stands that bear.
    pub fn bearings(&self) -> Vec<Bearing> {
        self.stands.iter().filter_map(|stand| stand.as_ref().ok().copied()).collect()
    }

    /// Whether every stand has looked.
    pub fn is_complete(&self) -> bool {
        !self.stands.contains(&Err(Why::Unasked))
    }

    /// Whether any stand bears.
    pub fn bears(&self) -> bool {
        self.stands.iter().any(Result::is_ok)
    }
}

/// A stand that is ready: its number, its arc, and where it stands.
type Post<'f> = (u8, Arc, &'f Quad);

/// A friend about: the box around its body, its body and its stands.
type Friend<'f> = (Bounds, &'f Quad, &'f [Quad]);

/// A unit that takes aim.
pub struct Firer<'f> {
    field: &'f Field,
    /// Who.
    pub unit: UnitId,
    /// With what.
    pub weapon: Weapon<'f>,
    arcs: Vec<Post<'f>>,
    /// Friends that fire could endanger, itself among them.
    friends: Vec<Friend<'f>>,
    /// Which of them was in the way last.
    in_the_way: Cell<usize>,
}

/// What one unit looks through at another: the lane between them, and screens before the other, as lines.
pub struct Outlook<'f> {
    lane: Lane<'f>,
    screens: SmallVec<[(UnitId, [Vec2; 2]); 2]>,
}

/// A target as one unit looks at it.
#[derive(Clone, Copy)]
struct Target<'t, 'f> {
    stands: &'t [Quad],
    /// The rectangle around them.
    body: &'t Quad,
    outlook: &'t Outlook<'f>,
}

impl<'f> Outlook<'f> {
    /// A body at a place of its way.
    fn at<'t>(&'t self, place: &'t Quad) -> Target<'t, 'f> {
        Target { stands: std::slice::from_ref(place), body: place, outlook: self }
    }
}

impl<'f> Firer<'f> {
    /// A unit with something to shoot with.
    pub fn of(field: &'f Field, unit: UnitId) -> Option<Firer<'f>> {
        Firer::heedless(field, unit).map(Firer::minding_friends)
    }

    /// The same before it has looked round for friends: enough to know what lies in its arcs.
    pub fn heedless(field: &'f Field, unit: UnitId) -> Option<Firer<'f>> {
        if !field::is_there(field, unit) {
            return None;
        }
        let weapon = weapon::weapon(field, unit)?;
        let (half, _) = weapon::half_arc(field, unit);
        let stands = field::stands(field, unit);
        let opening = half.sin_cos();
        let ready = weapon::ready(field, unit);
        let arcs = ready
            .iter()
            .filter_map(|no| stands.get(usize::from(*no)).map(|quad| (*no, Arc::opening(quad, opening), quad)));
        let (arcs, in_the_way) = (arcs.collect(), Cell::new(usize::MAX));
        Some(Firer { field, unit, weapon, arcs, friends: Vec::new(), in_the_way })
    }

    /// With an eye to the friends its fire could endanger.
    #[must_use]
    pub fn minding_friends(mut self) -> Firer<'f> {
        self.friends = self.friends_around();
        self
    }

    fn friends_around(&self) -> Vec<Friend<'f>> {
        let (field, range) = (self.field, self.weapon.range());
        let own = field::stands(field, self.unit);
        let side = field.side_of(self.unit);
        let body = field.unit(self.unit).quad();
        let boxed = |quad: &Quad| quad.bounds().grown(HAIR);
        let mut friends = vec![(boxed(body), body, own)];
        for (id, unit) in field.present(side) {
            let with_it = unit.own.attached == Some(self.unit);
            if id != self.unit && !with_it && !surely_beyond(body, unit.quad(), range) {
                friends.push((boxed(unit.quad()), unit.quad(), field::stands(field, id)));
            }
        }
        let staff = field.commanders().filter(|(id, one)| {
            field.muster().commander(*id).side == side && one.is_present() && one.own.attached.is_none()
        });
        friends.extend(staff.map(|(_, one)| (boxed(one.quad()), one.quad(), std::slice::from_ref(one.quad()))));
        friends
    }

    /// The arcs of its stands that are ready, by the number of the stand.
    pub fn arcs(&self) -> impl Iterator<Item = (u8, &Arc)> {
        self.arcs.iter().map(|(no, arc, _)| (*no, arc))
    }

    /// Enemies that could be in range and may be shot at.
    fn enemies(&self) -> impl Iterator<Item = UnitId> + '_ {
        let (field, range) = (self.field, self.weapon.range());
        let own = field.unit(self.unit).quad();
        let near = field::known(field, field.side_of(self.unit).other())
            .filter(move |(_, unit)| !surely_beyond(own, unit.quad(), range));
        near.map(|(id, _)| id).filter(|id| weapon::spared(field, self.unit, Quarry::Unit(*id)).is_empty())
    }

    /// What every stand can do about every enemy in range; small arms must take the nearest. Guns have no sheets of
    /// those who are surely out of their arcs or hidden by the ground.
    pub fn sheets(&self) -> Vec<Sheet> {
        let field = self.field;
        let enemies: SmallVec<[UnitId; 16]> = self.enemies().collect();
        let mut sheets = if self.weapon.gun().is_some() {
            enemies.iter().filter_map(|id| self.open_sheet(Quarry::Unit(*id))).collect()
        } else {
            let mut sheets = self.nearest_sheets(&enemies);
            self.keep_the_nearest(&mut sheets);
            sheets
        };
        if field::skirmishes(field, self.unit) && self.weapon.gun().is_none() {
            let generals = field.commanders().map(|(id, _)| Quarry::General(id));
            sheets.extend(
                generals.filter(|one| weapon::spared(field, self.unit, *one).is_empty()).map(|one| self.sheet(one)),
            );
        }
        sheets
    }

    /// Whether a quarry lies in none of its arcs, judged by the circle around it: nobody need look that way.
    fn surely_misses(&self, quarry: Quarry) -> bool {
        let body = match quarry {
            Quarry::Unit(id) => self.field.unit(id).quad(),
            Quarry::General(id) => self.field.commander(id).quad(),
        };
        self.arcs.iter().all(|(_, arc, _)| arc.surely_misses(body))
    }

    /// Whether any stand bears on a quarry, whoever else is near.
    pub fn bears_on(&self, quarry: Quarry) -> bool {
        self.open_outlook(quarry).is_some_and(|outlook| {
            let target = self.target(quarry, &outlook);
            self.arcs.iter().any(|(_, arc, quad)| self.bears(arc, quad, target))
        })
    }

    /// How it looks at a quarry some stand may bear on: what is out of arc or range of all stands need not be looked at,
    /// nor what the ground hides.
    fn open_outlook(&self, quarry: Quarry) -> Option<Outlook<'f>> {
        let (stands, body) = self.outline(quarry);
        let reached = self.arcs.iter().any(|(_, arc, quad)| self.least(arc, quad, stands, body).is_some());
        reached.then(|| self.outlook_on(quarry)).filter(|outlook| !outlook.lane.is_shut())
    }

    /// The sheet of such a quarry.
    fn open_sheet(&self, quarry: Quarry) -> Option<Sheet> {
        self.open_outlook(quarry).map(|outlook| self.sheet_through(quarry, &outlook))
    }

    /// The enemies somebody with guns may choose among.
    pub fn gun_targets(&self) -> impl Iterator<Item = Quarry> + '_ {
        self.enemies().map(Quarry::Unit).filter(|quarry| self.bears_on(*quarry))
    }

    /// One of them by lot: they are looked at from anywhere on, until there is one.
    pub fn some_gun_target(&self, lots: &mut Lots) -> Option<Quarry> {
        let mut enemies: SmallVec<[UnitId; 16]> = self.enemies().collect();
        let first = lots.below(enemies.len());
        enemies.rotate_left(first);
        enemies.into_iter().map(Quarry::Unit).find(|quarry| self.bears_on(*quarry))
    }

    /// Whether guns can hit anybody.
    pub fn bears_on_any(&self) -> bool {
        self.by_distance().into_iter().any(|(_, id)| self.bears_on(Quarry::Unit(id)))
    }

    /// Enemies in arc and range, the nearest first.
    fn by_distance(&self) -> SmallVec<[(Length, UnitId); 16]> {
        let near = |id: UnitId| {
            let (stands, body) = (field::stands(self.field, id), self.field.unit(id).quad());
            self.arcs.iter().filter_map(|(_, arc, quad)| self.least(arc, quad, stands, body)).min()
        };
        let mut order: SmallVec<[(Length, UnitId); 16]> =
            self.enemies().filter_map(|id| Some((near(id)?, id))).collect();
        order.sort_unstable();
        order
    }

    /// The sheets of the enemies among whom the nearest that guns can hit is: the others are not looked at.
    pub fn nearest_for_guns(&self) -> Vec<Sheet> {
        let mut least = Length::MAX;
        let mut sheets = Vec::new();
        for (near, id) in self.by_distance() {
            if near > least {
                break;
            }
            let sheet = self.sheet(Quarry::Unit(id));
            least = sheet.bearings().iter().map(|bearing| bearing.at).min().unwrap_or(least).min(least);
            sheets.push(sheet);
        }
        sheets
    }

    /// How far the nearest part of a target in an arc is, where it is in range. `body` is the rectangle around its stands.
    fn least(&self, arc: &Arc, quad: &Quad, stands: &[Quad], body: &Quad) -> Option<Length> {
        let range = self.weapon.range();
        if arc.surely_misses(body) {
            return None;
        }
        let near = || stands.iter().filter(|stand| !surely_beyond(quad, stand, range));
        let bound = |stand: &Quad| measured(arc.at_least(stand));
        let distance = |stand: &Quad| arc.nearest(stand).map(|(_, at)| measured(at));
        // The likeliest is measured first, so that few of the others have to be.
        let first = if stands.len() > 1 { near().min_by_key(|stand| bound(stand)) } else { near().next() }?;
        let mut least = distance(first);
        for stand in near().filter(|stand| !std::ptr::eq(*stand, first)) {
            if least.is_none_or(|least| bound(stand) < least) {
                least = [least, distance(stand)].into_iter().flatten().min();
            }
        }
        least.filter(|at| *at <= range)
    }

    /// All that could be said about one quarry, the nearest enemies minded.
    pub fn full_sheet(&self, quarry: Quarry) -> Sheet {
        let mut sheets: Vec<Sheet> = self.enemies().map(|id| self.sheet(Quarry::Unit(id))).collect();
        self.keep_the_nearest(&mut sheets);
        sheets.into_iter().find(|sheet| sheet.quarry == quarry).unwrap_or_else(|| self.sheet(quarry))
    }

    /// What every stand can do about one quarry, whoever else is near.
    pub fn sheet(&self, quarry: Quarry) -> Sheet {
        if self.surely_misses(quarry) {
            return Sheet { quarry, stands: vec![Err(Why::Arc); self.arcs.len()] };
        }
        self.sheet_through(quarry, &self.outlook_on(quarry))
    }

    fn sheet_through(&self, quarry: Quarry, outlook: &Outlook<'f>) -> Sheet {
        let target = self.target(quarry, outlook);
        Sheet { quarry, stands: self.arcs.iter().map(|(no, arc, quad)| self.bear(*no, arc, quad, target)).collect() }
    }

    /// How near a body comes to the arcs of its stands, where it is in range.
    pub fn nearest_in_arc(&self, body: &Quad) -> Option<Length> {
        let bounds: SmallVec<[Length; 16]> =
            self.arcs.iter().map(|(_, arc, _)| measured(arc.at_least_of_body(body))).collect();
        let measure = |no: usize| {
            let (_, arc, quad) = &self.arcs[no];
            self.least(arc, quad, std::slice::from_ref(body), body)
        };
        // The likeliest is measured first, so that few of the others have to be.
        let first = (0..bounds.len()).min_by_key(|no| bounds[*no])?;
        let mut least = measure(first);
        for no in (0..bounds.len()).filter(|no| *no != first) {
            if least.is_none_or(|least| bounds[no] < least) {
                least = [least, measure(no)].into_iter().flatten().min();
            }
        }
        least
    }

    /// No more than that; nothing where nobody takes aim.
    pub fn least_in_arc(&self, body: &Quad) -> Option<Length> {
        self.arcs.iter().map(|(_, arc, _)| measured(arc.at_least_of_body(body))).min()
    }

    /// How it looks at a unit that passes over some places; none where the ground hides all of them.
    pub fn outlook<'p>(&self, unit: UnitId, places: &'p [Quad]) -> Option<Outlook<'p>>
    where
        'f: 'p,
    {
        let lane = Lane::along(self.field, self.unit, unit, places);
        (!lane.is_shut()).then(|| Outlook { lane, screens: screens(self.field, unit) })
    }

    /// Whether any stand bears on a unit at a place of its way.
    pub fn bears_at(&self, outlook: &Outlook<'_>, place: &Quad) -> bool {
        self.arcs.iter().any(|stand| self.bear_in_passing(stand, outlook.at(place)).is_some())
    }

    /// From how near the nearest stand bears on a unit at a place of its way, where that is nearer than `below`. Those who
    /// would be nearest look first, and none after the first that bears.
    pub fn nearest_bearing(&self, outlook: &Outlook<'_>, place: &Quad, below: Length) -> Option<Length> {
        let near = |(no, stand): (usize, &Post<'_>)| {
            let (aim, at) = self.measure_in_passing(stand, place).filter(|(_, at)| *at < below)?;
            Some((at, no, aim))
        };
        let mut near: SmallVec<[(Length, usize, Vec2); 16]> = self.arcs.iter().enumerate().filter_map(near).collect();
        near.sort_unstable_by_key(|(at, no, _)| (*at, *no));
        let bears = |(at, no, aim): &(Length, usize, Vec2)| {
            self.bear_at_measured(&self.arcs[*no], outlook.at(place), (*aim, *at)).is_some()
        };
        near.into_iter().find(bears).map(|(at, ..)| at)
    }

    /// The stands that bear on a unit at a place of its way.
    pub fn bearings_at(&self, outlook: &Outlook<'_>, place: &Quad) -> impl Iterator<Item = Bearing> {
        self.arcs.iter().filter_map(|stand| self.bear_in_passing(stand, outlook.at(place)))
    }

    /// How it looks at a quarry.
    fn outlook_on(&self, quarry: Quarry) -> Outlook<'f> {
        let field = self.field;
        match quarry {
            Quarry::Unit(id) => Outlook { lane: Lane::between(field, self.unit, id), screens: screens(field, id) },
            Quarry::General(id) => {
                Outlook { lane: sight::lane_to_general(field, self.unit, id), screens: SmallVec::new() }
            }
        }
    }

    /// A quarry as it stands.
    fn target<'t>(&self, quarry: Quarry, outlook: &'t Outlook<'f>) -> Target<'t, 'f>
    where
        'f: 't,
    {
        let (stands, body) = self.outline(quarry);
        Target { stands, body, outlook }
    }

    /// The stands of a quarry, and the rectangle around them.
    fn outline(&self, quarry: Quarry) -> (&'f [Quad], &'f Quad) {
        match quarry {
            Quarry::Unit(id) => (field::stands(self.field, id), self.field.unit(id).quad()),
            Quarry::General(id) => {
                let quad = self.field.commander(id).quad();
                (std::slice::from_ref(quad), quad)
            }
        }
    }

    /// Whether a stand bears on a body at a place of its way, for whoever does not ask why not.
    fn bear_in_passing(&self, stand: &Post<'_>, target: Target<'_, '_>) -> Option<Bearing> {
        self.bear_at_measured(stand, target, self.measure_in_passing(stand, target.body)?)
    }

    /// Which part of a place is nearest in the arc of a stand, and how far off, where that is in range.
    fn measure_in_passing(&self, (_, arc, quad): &Post<'_>, place: &Quad) -> Option<(Vec2, Length)> {
        let range = self.weapon.range();
        if arc.surely_misses(place) || surely_beyond(quad, place, range) {
            return None;
        }
        arc.nearest(place).map(|(aim, at)| (aim, measured(at))).filter(|(_, at)| *at <= range)
    }

    /// Whether a stand bears on a body whose nearest part it has measured: the eye, which is dear, looks last.
    fn bear_at_measured(
        &self,
        (no, arc, quad): &Post<'_>,
        target: Target<'_, '_>,
        (aim, at): (Vec2, Length),
    ) -> Option<Bearing> {
        let place = target.body;
        let screen = self.screen(arc.eye(), aim, target);
        if screen.is_some() && self.weapon.gun().is_none() {
            return None;
        }
        let over = self.lane_of_fire(arc, quad, (at, aim, place), target).ok()?;
        let seen = target.outlook.lane.stand_sees(quad, place);
        seen.then(|| Bearing { stand: *no, at, eye: arc.eye(), aim, screen, over })
    }

    fn bear(&self, no: u8, arc: &Arc, quad: &Quad, target: Target<'_, '_>) -> Result<Bearing, Why> {
        let range = self.weapon.range();
        if arc.surely_misses(target.body) {
            return Err(Why::Arc);
        }
        let near = target.stands.iter().filter(|stand| !surely_beyond(quad, stand, range));
        let mut parts = Outward::of(arc, near);
        let Some(first) = parts.next() else {
            let apart = target.stands.iter().filter_map(|stand| arc.nearest(stand)).map(|(_, at)| at).min();
            return Err(apart.map_or(Why::Arc, |at| Why::Range(measured(at))));
        };
        if first.0 > range {
            return Err(Why::Range(first.0));
        }
        let mut near = std::iter::once(first).chain(parts).take_while(|(at, ..)| *at <= range);
        let (at, aim, stand) =
            near.find(|(.., stand)| target.outlook.lane.stand_sees(quad, stand)).ok_or(Why::Sight)?;
        let screen = self.screen(arc.eye(), aim, target);
        if let Some(screen) = screen
            && self.weapon.gun().is_none()
        {
            return Err(Why::Screen(screen));
        }
        let over = self.lane_of_fire(arc, quad, (at, aim, stand), target)?;
        Ok(Bearing { stand: no, at, eye: arc.eye(), aim, screen, over })
    }

    /// Whether [`Firer::bear`] finds that a stand bears, for whoever does not ask why not: nobody looks where friends or a
    /// screen are in the way of every part of the target.
    fn bears(&self, arc: &Arc, quad: &Quad, target: Target<'_, '_>) -> bool {
        let range = self.weapon.range();
        if arc.surely_misses(target.body) {
            return false;
        }
        let near = target.stands.iter().filter(|stand| !surely_beyond(quad, stand, range));
        let parts = Outward::of(arc, near);
        let sees = |stand: &Quad| target.outlook.lane.stand_sees(quad, stand);
        // Parts nobody may fire at: the nearest part that is seen must be none of them.
        let mut barred: SmallVec<[&Quad; 16]> = SmallVec::new();
        for (at, aim, stand) in parts.take_while(|(at, ..)| *at <= range) {
            let screened = self.weapon.gun().is_none() && self.screen(arc.eye(), aim, target).is_some();
            if screened || self.lane_of_fire(arc, quad, (at, aim, stand), target).is_err() {
                barred.push(stand);
                continue;
            }
            if barred.drain(..).any(sees) {
                return false;
            }
            if sees(stand) {
                return true;
            }
        }
        false
    }

    fn screen(&self, eye: Vec2, aim: Vec2, target: Target<'_, '_>) -> Option<UnitId> {
        target.outlook.screens.iter().find(|(_, line)| convex::clip((eye, aim), line).is_some()).map(|(id, _)| *id)
    }

    /// Heights and friends: whether it fires over heads.
    fn lane_of_fire(
        &self,
        arc: &Arc,
        quad: &Quad,
        (at, aim, stand): (Length, Vec2, &Quad),
        target: Target<'_, '_>,
    ) -> Result<bool, Why> {
        let (field, constant) = (self.field, &self.field.charts().constant);
        let gun = self.weapon.gun();
        let howitzer = gun.is_some_and(|gun| gun.howitzer.value);
        let level = gun.map(|_| ground::level(field, quad.centre));
        let high = level.is_some_and(|level| level >= HIGH);
        if level == Some(0) && !howitzer && ground::level(field, stand.centre) >= HIGH {
            return Err(Why::Height);
        }
        if high && at <= reach(constant.gun_dead_ground) {
            return Err(Why::DeadGround(at));
        }
        let [left, right] = arc.front();
        let way = aim - arc.eye();
        let strip = [left, right, right + way, left + way];
        let around = Bounds::around(&strip);
        // By the circle around a friend first: most of those about stand wholly beside the strip.
        let (long, half) = (way.length(), (right - left).cross(way).abs() * 0.5);
        let beside =
            |friend: &Quad| (friend.centre - arc.eye()).cross(way).abs() > half + (friend.radius + HAIR) * long;
        let is_near = |(boxed, body, _): &Friend<'_>| boxed.meets(&around) && !beside(body);
        let stands_there =
            |friend: &Quad| !beside(friend) && friend != quad && convex::overlaps(&strip, friend.points());
        if !high && !howitzer {
            // Whoever was in the way of one stand is so of the next.
            let bars = |friend: &Friend<'_>| is_near(friend) && friend.2.iter().any(stands_there);
            if self.friends.get(self.in_the_way.get()).is_some_and(bars) {
                return Err(Why::Friend(at));
            }
            let first = self.friends.iter().position(bars);
            return first.inspect(|no| self.in_the_way.set(*no)).map_or(Ok(false), |_| Err(Why::Friend(at)));
        }
        let near = self.friends.iter().filter(|friend| is_near(friend)).flat_map(|(.., stands)| stands.iter());
        let mut in_the_way = near.filter(|friend| stands_there(friend)).peekable();
        let over = in_the_way.peek().is_some();
        let danger = reach(constant.overhead_danger);
        let near = |friend: &Quad| measured(field::gap_of(std::slice::from_ref(friend), target.stands)) <= danger;
        if high && in_the_way.any(near) {
            return Err(Why::FriendAtTarget(at));
        }
        Ok(over)
    }
}

/// Whether an enemy is known well enough to be shot at.
pub fn is_open(field: &Field, unit: UnitId) -> bool {
    field::is_there(field, unit) && !is_hidden(field.unit(unit))
}
