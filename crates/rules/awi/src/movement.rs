//! Chapter 3: basic movement. Allowances with their dice, the price of ground, programmes of a turn. R40 to R48.

use super::Awi;
use super::clause::Clause;
use super::courier;
use super::event::AwiEvent;
use super::field::{self, Field, facts, is_there, soldiers, troops};
use super::officers;
use super::order::{Allowance, Decision, Going, Order};
use super::sequence::Phase;
use super::settings::CountryColumn;
use super::unit::{Arm, Class, Condition, Formation, Task};
use engine::{
    Asked, Cited, CommanderId, Deed, Event, Fixed, Flow, Mark, Pool, Reckoning, Side, Source, Step, Umpire, UnitId,
    Verdict, View, Who,
};
use serde::{Deserialize, Serialize};
use table::march::{Leg, Track};
use table::{Length, Point, Pose, Quad, SLACK, quads_overlap};

/// The Movement part: couriers ride first, then pieces are activated one by one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Movement {
    /// Whose it is.
    pub side: Side,
    /// How many couriers have ridden; then new ones may be sent.
    pub stage: Stage,
}

/// Where the part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Stage {
    CouriersRide(usize),
    CouriersSent,
    Activate,
}

/// A path being asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct March {
    pub unit: UnitId,
    pub going: Going,
    pub allowance: Allowance,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Awi>, movement: Movement) -> Flow<Awi> {
    let side = movement.side;
    match movement.stage {
        Stage::CouriersRide(number) => courier::ride_next(umpire, side, number),
        Stage::CouriersSent if courier::may_send(umpire.state(), side) => {
            Flow::Ask(Who::One(side), Decision::SendCourier)
        }
        Stage::CouriersSent => {
            umpire.replace(Phase::Movement(Movement { side, stage: Stage::Activate }));
            Flow::Again
        }
        Stage::Activate if anybody_left(umpire.state(), side) => Flow::Ask(Who::One(side), Decision::Activate),
        Stage::Activate => Flow::Done,
    }
}

fn anybody_left(field: &Field, side: Side) -> bool {
    troops(field, side).any(|(id, _)| may_act(field, id))
        || field.commanders().any(|(id, officer)| may_ride(field, side, id) && officer.is_present())
}

/// Whether a unit still has its turn.
pub fn may_act(field: &Field, unit: UnitId) -> bool {
    let own = soldiers(field, unit);
    is_there(field, unit) && own.task == Task::None && own.condition == Condition::Steady
}

/// Whether a commander still has his ride.
pub fn may_ride(field: &Field, side: Side, officer: CommanderId) -> bool {
    let card = field.muster().commander(officer);
    card.side == side && field.commander(officer).is_present() && !field.commander(officer).own.moved
}

/// The plain basic move and its clause; Raw foot throw for theirs.
pub fn basic(field: &Field, unit: UnitId) -> (Cited<Length>, Clause, Option<Pool>) {
    let (moves, facts) = (&field.charts().r#move, facts(field, unit));
    let formation = field.unit(unit).body.formation;
    match facts.arm {
        Arm::Cavalry => (moves.horse.map(|reach| reach.0), Clause::HorseMove, None),
        Arm::Artillery if formation == Formation::Limbered => {
            (moves.limbered.map(|reach| reach.0), Clause::LimberedMove, None)
        }
        Arm::Artillery => (moves.unlimbered.map(|reach| reach.0), Clause::UnlimberedMove, None),
        _ if facts.class == Class::Raw => {
            (moves.raw_foot.map(|_| Length::ZERO), Clause::RawFootMove, Some(moves.raw_foot.value.0))
        }
        _ => (moves.foot.map(|reach| reach.0), Clause::FootMove, None),
    }
}

/// Whether dice decide how far a unit may go, so that its path is asked only after them.
pub fn throws_for_move(field: &Field, unit: UnitId, by_road: bool) -> bool {
    let formation = field.unit(unit).body.formation;
    basic(field, unit).2.is_some() || formation == Formation::Column || (formation == Formation::Limbered && by_road)
}

/// Throws whatever dice the move needs and announces the allowance.
pub fn throw_allowance(umpire: &mut Umpire<'_, Awi>, unit: UnitId, going: Going, by_road: bool) -> Allowance {
    let field = umpire.state();
    let side = field.side_of(unit);
    let formation = field.unit(unit).body.formation;
    let (plain, clause, die) = basic(field, unit);
    let half = going.is_half();
    let mut reckoning = Reckoning::new();
    let mut rolls = Vec::new();
    let mut base = plain.value;
    if let Some(pool) = die {
        let roll = umpire.roll(pool, side);
        base = Length::whole_inches(roll.total());
        rolls.push(roll);
    }
    note(&mut reckoning, clause, "basic move", base, plain.source);
    // After a change of formation the half is of the plain move, without the column's die (R43).
    let column = formation == Formation::Column && going != Going::AfterReform && !going.is_breaking_off();
    let road_guns = formation == Formation::Limbered && by_road;
    let (mut anywhere, mut on_road) = (base, base);
    let mut also = Vec::new();
    if column || road_guns {
        let moves = umpire.charts().r#move.clone();
        let roll = umpire.roll(moves.road_column.value.0, side);
        let extra = Length::whole_inches(roll.total());
        rolls.push(roll);
        on_road = base + extra;
        let less = moves.cross_country_less;
        anywhere = match umpire.state().settings().column_cross_country {
            _ if road_guns => base,
            CountryColumn::PlusDieLessTwo => base + extra - less.value.0,
            CountryColumn::LessTwo => base - less.value.0,
        };
        anywhere = anywhere.max(Length::ZERO);
        note(&mut reckoning, Clause::RoadColumn, "column, on a road", extra, moves.road_column.source);
        if column {
            note(&mut reckoning, Clause::CountryColumn, "column, across country", -less.value.0, less.source);
        }
    }
    if half {
        let share = match going {
            Going::AfterReform => umpire.charts().r#move.reform_share,
            _ => umpire.charts().r#move.fire_and_move_share,
        };
        anywhere = share.value.of(anywhere);
        on_road = share.value.of(on_road);
        also.push(half_clause(going));
    }
    let allowance = Allowance { anywhere, by_road: on_road, road_only: road_guns };
    let mut event = Event::own(clause, AwiEvent::Allowance { unit, allowance: anywhere.max(on_road) })
        .also(Clause::KindsOfMove)
        .because(reckoning);
    event.rolls.extend(rolls);
    event.also.extend(also.into_iter().map(Into::into));
    umpire.announce(event);
    allowance
}

/// Why only half the move is left.
fn half_clause(going: Going) -> Clause {
    if going == Going::AfterReform { Clause::FormationChange } else { Clause::FireAndMove }
}

/// The allowance of a move no die decides.
pub fn certain_allowance(field: &Field, unit: UnitId, going: Going) -> Allowance {
    let (plain, _, _) = basic(field, unit);
    let moves = &field.charts().r#move;
    let share = if going == Going::AfterReform { moves.reform_share } else { moves.fire_and_move_share };
    let length = if going.is_half() { share.value.of(plain.value) } else { plain.value };
    Allowance { anywhere: length, by_road: length, road_only: false }
}

/// A line of inches in a reckoning.
pub fn note(reckoning: &mut Reckoning, clause: Clause, label: &'static str, length: Length, source: Source) {
    let hundredths = (length.as_inches() * 100.0).round() as i32;
    reckoning.total = Fixed(reckoning.total.0 + hundredths);
    reckoning.line(clause.into(), label.into(), Step::Add, Fixed(hundredths), source);
}

/// What a path costs, with the clauses that make it so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// Inches walked.
    pub walked: Length,
    /// Inches in woods, paid again.
    pub woods: Length,
    /// Obstacles crossed.
    pub obstacles: u8,
    /// Touches difficult ground.
    pub difficult: bool,
}

impl Price {
    /// The whole price.
    pub fn total(&self, field: &Field) -> Length {
        let moves = &field.charts().r#move;
        let woods = self.woods * (moves.woods_factor.value.get() - 1);
        let bog = if self.difficult { moves.difficult.value.0 } else { Length::ZERO };
        self.walked + woods + moves.obstacle.value.0 * i32::from(self.obstacles) + bog
    }
}

/// The price of a track for an arm (R46).
pub fn price(field: &Field, track: &Track, start: &Quad, woods_free: bool) -> Price {
    let mut price = Price { walked: track.length(), woods: Length::ZERO, obstacles: 0, difficult: false };
    for feature in &field.ground().features {
        match field::going(feature.kind) {
            field::Going::Woods if !woods_free => price.woods += track.inside(&feature.shape),
            field::Going::Difficult => price.difficult |= track.crosses(&feature.shape),
            field::Going::Obstacle | field::Going::Building => {
                let new = !feature.shape.overlaps_quad(start) && track.crosses(&feature.shape);
                price.obstacles = price.obstacles.saturating_add(u8::from(new));
            }
            _ => {}
        }
    }
    price
}

/// Whether the whole path runs on a road: the flag never leaves it, and the body follows it (R42).
pub fn is_by_road(field: &Field, track: &Track) -> bool {
    book::ground::keeps_to(field.ground(), track, |kind| field::going(kind) == field::Going::Road)
}

/// Where a unit's legs would take it.
pub fn plot(field: &Field, unit: UnitId, legs: &[Leg]) -> Track {
    let piece = field.unit(unit);
    Track::plot(piece.pose(), field.footprint(unit, piece.body.formation), legs)
}

/// More legs than this are a dance, not a march.
pub const MOST_LEGS: usize = 24;

/// Judges a path: price, ground, enemies, friends, table, order of the brigade. All reasons are told.
pub fn check_path(view: &View<'_, Awi>, march: &March, legs: &[Leg], with: &[CommanderId], verdict: &mut Verdict) {
    let field: &Field = view;
    let unit = march.unit;
    check_company(field, unit, with, verdict);
    if legs.len() > MOST_LEGS {
        verdict.refuse(Clause::KindsOfMove, format!("a path has at most {MOST_LEGS} legs")).about(unit);
        return;
    }
    if legs.is_empty() {
        return;
    }
    if march.going.is_breaking_off() && !matches!(legs, [Leg::Back(_)]) {
        verdict.refuse(Clause::BreakOff, "breaking off goes straight back, facing kept").about(unit);
        return;
    }
    if legs.iter().any(is_backward_length) {
        verdict.refuse(Clause::KindsOfMove, "a leg cannot be shorter than nothing").about(unit);
        return;
    }
    let track = plot(field, unit, legs);
    check_price(field, march, &track, verdict);
    check_ground(field, unit, &track, verdict);
    check_bodies(field, unit, &track, verdict);
    if !march.going.is_breaking_off() {
        courier::check_order(field, unit, legs, track.end(), verdict);
    } else if touching_after(field, unit, track.end()) {
        verdict.refuse(Clause::BreakOff, "it must end out of contact with all enemies").about(unit);
    }
}

fn is_backward_length(leg: &Leg) -> bool {
    match leg {
        Leg::Ahead(go) | Leg::Back(go) | Leg::Oblique { go, .. } => go.is_negative(),
        _ => false,
    }
}

fn touching_after(field: &Field, unit: UnitId, pose: Pose) -> bool {
    let quad = field.footprint(unit, field.unit(unit).body.formation).quad(pose);
    troops(field, field.side_of(unit).other()).any(|(_, enemy)| table::quads_touch(&quad, enemy.quad()))
}

fn check_company(field: &Field, unit: UnitId, with: &[CommanderId], verdict: &mut Verdict) {
    for (n, &officer) in with.iter().enumerate() {
        let able = officers::companions(field, unit).any(|id| id == officer);
        if !able || with.iter().skip(n + 1).any(|other| *other == officer) {
            let name = &field.muster().commander(officer).name;
            let text = format!("{name} cannot go along: he must command the unit and touch it");
            verdict.refuse(Clause::BothLevels, text).about(unit);
        }
    }
}

/// Whether the road under a path helps. Few units gain by one; the others need not be followed along it.
fn gains_by_road(field: &Field, march: &March, track: &Track) -> bool {
    let gains = march.allowance.road_only || march.allowance.by_road > march.allowance.anywhere;
    gains && is_by_road(field, track)
}

/// How much a unit may spend on a path.
pub fn usable(field: &Field, march: &March, track: &Track) -> Length {
    if gains_by_road(field, march, track) { march.allowance.by_road } else { march.allowance.anywhere }
}

fn check_price(field: &Field, march: &March, track: &Track, verdict: &mut Verdict) {
    let unit = march.unit;
    let price = price(field, track, field.unit(unit).quad(), facts(field, unit).woods_free);
    let by_road = gains_by_road(field, march, track);
    let allowance = if by_road { march.allowance.by_road } else { march.allowance.anywhere };
    if march.allowance.road_only && !by_road {
        verdict.refuse(Clause::RoadColumn, "a road move was declared, and the path leaves the road").about(unit);
        return;
    }
    let total = price.total(field);
    if total <= allowance + SLACK {
        return;
    }
    let line = Mark::Line(track.start().at, track.end().at);
    let (cost, have) = (total.show(table::Unit::Inch), allowance.show(table::Unit::Inch));
    let text = format!("the path costs {cost}, and the unit has {have}");
    verdict.refuse(basic(field, unit).1, text).about(unit).at(line.clone());
    if march.going.is_half() {
        verdict.refuse(half_clause(march.going), "it has only half its move").about(unit).at(line.clone());
    }
    if price.obstacles > 0 {
        verdict
            .refuse(Clause::Obstacle, format!("{} obstacle(s) crossed", price.obstacles))
            .about(unit)
            .at(line.clone());
    }
    if price.woods > Length::ZERO {
        verdict.refuse(Clause::Woods, "part of the way is through woods").about(unit).at(line.clone());
    }
    if price.difficult {
        verdict.refuse(Clause::DifficultGround, "the way crosses difficult ground").about(unit).at(line.clone());
    }
    if march.allowance.by_road > march.allowance.anywhere && !by_road {
        verdict.refuse(Clause::CountryColumn, "the path leaves the road").about(unit).at(line);
    }
}

fn check_ground(field: &Field, unit: UnitId, track: &Track, verdict: &mut Verdict) {
    if !track.stays_on(field.ground()) {
        verdict.refuse(Clause::KindsOfMove, "the path leaves the table").about(unit).at(Mark::Spot(track.end().at));
    }
    let start = field.unit(unit).quad();
    for feature in &field.ground().features {
        let closed = field::is_closed(feature.kind, facts(field, unit).arm);
        if closed && !feature.shape.overlaps_quad(start) && track.crosses(&feature.shape) && !is_bridged(field, track) {
            let what = if feature.name.is_empty() { &feature.key } else { &feature.name };
            let text = format!("{what} ({}) cannot be entered", feature.kind);
            verdict.refuse(Clause::DifficultGround, text).about(unit).at(Mark::Spot(track.end().at));
        }
    }
}

/// A ford, bridge or pontoon under the flag all the way lets troops over.
fn is_bridged(field: &Field, track: &Track) -> bool {
    let closed = |kind| field::going(kind) == field::Going::Impassable;
    book::ground::is_bridged(field.ground(), track, closed, |kind| field::going(kind) == field::Going::Crossing)
}

fn check_bodies(field: &Field, unit: UnitId, track: &Track, verdict: &mut Verdict) {
    let side = field.side_of(unit);
    let footprint = field.footprint(unit, field.unit(unit).body.formation);
    let end = footprint.quad(track.end());
    for (id, enemy) in troops(field, side.other()) {
        let starts_touching = table::quads_touch(field.unit(unit).quad(), enemy.quad());
        let ends_touching = table::quads_touch(&end, enemy.quad());
        if ends_touching || (!starts_touching && track.meets(enemy.quad().points()).is_some()) {
            let text = format!("a basic move may not touch {}", field.card(id).name);
            verdict.refuse(Clause::KindsOfMove, text).about(id).at(Mark::Spot(enemy.pose().at));
        }
    }
    check_free(field, unit, &end, verdict);
}

/// A body must end on nobody: friends may be passed through, not stood upon (R48).
pub fn check_free(field: &Field, unit: UnitId, end: &Quad, verdict: &mut Verdict) {
    for (id, friend) in troops(field, field.side_of(unit)).filter(|(id, _)| *id != unit) {
        if quads_overlap(end, friend.quad()) {
            let text = format!("it would end on {}", field.card(id).name);
            verdict.refuse(Clause::KindsOfMove, text).about(id).at(Mark::Spot(friend.pose().at));
        }
    }
}

/// Executes a path.
pub fn walk(umpire: &mut Umpire<'_, Awi>, march: &March, legs: Vec<Leg>, with: &[CommanderId]) {
    if legs.is_empty() {
        return;
    }
    let field = umpire.state();
    let unit = march.unit;
    let track = plot(field, unit, &legs);
    let (from, to) = (track.start(), track.end());
    let price = price(field, &track, field.unit(unit).quad(), facts(field, unit).woods_free);
    let by_road = march.allowance.by_road > march.allowance.anywhere && is_by_road(field, &track);
    let column = field.unit(unit).body.formation == Formation::Column;
    let in_woods = facts(field, unit).woods_free && crosses_woods(field, &track);
    let event = Event::new(Clause::KindsOfMove, Deed::Moved { unit, to, path: legs })
        .also_if(price.obstacles > 0, Clause::Obstacle)
        .also_if(price.woods > Length::ZERO || in_woods, Clause::Woods)
        .also_if(price.difficult, Clause::DifficultGround)
        .also_if(by_road, Clause::RoadColumn)
        .also_if(column && !by_road, Clause::CountryColumn)
        .also_if(march.going.is_breaking_off(), Clause::BreakOff);
    umpire.announce(event);
    if march.going.is_breaking_off() {
        umpire.announce(Event::own(Clause::BreakOff, AwiEvent::Disengaged { unit }));
    }
    officers::take_along(umpire, with, from, to);
    officers::make_room(umpire);
    tread_on_sharpshooters(umpire, unit, Some(&track));
}

fn crosses_woods(field: &Field, track: &Track) -> bool {
    let mut woods = field.ground().features.iter().filter(|feature| field::going(feature.kind) == field::Going::Woods);
    woods.any(|feature| track.crosses(&feature.shape))
}

/// An enemy stand touching a hidden marksman removes him unshot (R69).
pub fn tread_on_sharpshooters(umpire: &mut Umpire<'_, Awi>, unit: UnitId, track: Option<&Track>) {
    let field = umpire.state();
    let here = *field.unit(unit).quad();
    let found: Vec<UnitId> = field
        .present(field.side_of(unit).other())
        .filter(|(id, _)| !facts(field, *id).is_troops())
        .filter(|(_, man)| {
            table::quads_touch(&here, man.quad())
                || track.is_some_and(|track| track.meets(man.quad().points()).is_some())
        })
        .map(|(id, _)| id)
        .collect();
    for man in found {
        umpire.announce(Event::new(Clause::SharpshooterConcealed, Deed::Revealed { unit: man }));
        let gone = Deed::Removed { unit: man, why: engine::Leaving::Spent };
        umpire.announce(Event::new(Clause::SharpshooterConcealed, gone));
    }
}

/// The same after a straight rush from a place to where the unit now stands.
pub fn tread_along(umpire: &mut Umpire<'_, Awi>, unit: UnitId, from: Point) {
    let field = umpire.state();
    let piece = field.unit(unit);
    let back = Track::plot(piece.pose(), field.footprint(unit, piece.body.formation), &[Leg::Straight(from)]);
    tread_on_sharpshooters(umpire, unit, Some(&back));
}

/// Asks for the path of a march, or walks it at once where it came with the order.
pub fn advance_march(umpire: &mut Umpire<'_, Awi>, march: March) -> Flow<Awi> {
    let side = umpire.state().side_of(march.unit);
    if !is_there(umpire.state(), march.unit) || march.allowance.anywhere.max(march.allowance.by_road) <= Length::ZERO {
        return Flow::Done;
    }
    Flow::Ask(Who::One(side), Decision::Path { unit: march.unit, going: march.going, allowance: march.allowance })
}

/// Judges the answer to a path question.
pub fn check_march(view: &View<'_, Awi>, asked: &Asked<Awi>, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let Decision::Path { unit, going, allowance } = &asked.decision else { return verdict };
    match order {
        Order::Pass => {}
        Order::Path { legs, with } => {
            let march = March { unit: *unit, going: *going, allowance: *allowance };
            check_path(view, &march, legs, with, &mut verdict);
        }
        _ => drop(verdict.refuse(Clause::KindsOfMove, "the question is which way the unit goes").about(*unit)),
    }
    verdict
}

/// Walks the path that was answered.
pub fn execute_march(umpire: &mut Umpire<'_, Awi>, order: Order) {
    let Some(Phase::March(march)) = umpire.top() else { return umpire.fault("a path without a march") };
    umpire.end();
    if let Order::Path { legs, with } = order {
        walk(umpire, &march, legs, &with);
    }
}

/// Where a commander's ride would end: his centre on the point.
pub fn ride_pose(field: &Field, officer: CommanderId, to: Point) -> Pose {
    let old = field.commander(officer).pose;
    let depth = field.muster().commander(officer).facts.stand.depth;
    Pose { at: to, facing: old.facing }.ahead(depth.half())
}

/// A commander's ride, and how he stands at its end.
pub fn ride_track(field: &Field, officer: CommanderId, to: Point) -> (Track, Pose) {
    let end = ride_pose(field, officer, to);
    let stand = field.muster().commander(officer).facts.stand;
    (Track::plot(field.commander(officer).pose, stand, &[Leg::Straight(end.at)]), end)
}

/// Judges a commander's ride (R63): eight inches, ground as for horse.
pub fn check_ride(view: &View<'_, Awi>, officer: CommanderId, to: Point, side: Side, verdict: &mut Verdict) {
    let field: &Field = view;
    if !may_ride(field, side, officer) {
        verdict.refuse(Clause::BothLevels, "this commander has no ride left this turn");
        return;
    }
    let (track, end) = ride_track(field, officer, to);
    let price = price(field, &track, field.commander(officer).quad(), false);
    let allowance = commander_move(field);
    if price.total(field) > allowance + SLACK {
        let text = format!(
            "the ride costs {}, and a commander has {}",
            price.total(field).show(table::Unit::Inch),
            allowance.show(table::Unit::Inch)
        );
        verdict.refuse(Clause::BothLevels, text).at(Mark::Line(track.start().at, end.at));
    }
    let quad = field.muster().commander(officer).facts.stand.quad(end);
    for (id, enemy) in troops(field, side.other()) {
        if table::quads_touch(&quad, enemy.quad()) || track.meets(enemy.quad().points()).is_some() {
            let text = format!("a commander may not ride into {}", field.card(id).name);
            verdict.refuse(Clause::KindsOfMove, text).about(id);
        }
    }
    if !officers::is_free_for_officer(field, officer, &quad) {
        verdict.refuse(Clause::KindsOfMove, "there is no room for him there").at(Mark::Spot(to));
    }
}

/// How far a commander rides.
pub fn commander_move(field: &Field) -> Length {
    field.settings().commander_move.unwrap_or(field.charts().commander.r#move.value.0)
}

/// A commander rides.
pub fn ride(umpire: &mut Umpire<'_, Awi>, officer: CommanderId, to: Point) {
    let pose = ride_pose(umpire.state(), officer, to);
    umpire.announce(Event::own(Clause::BothLevels, AwiEvent::CommanderRode { commander: officer }));
    umpire.announce(Event::new(Clause::BothLevels, Deed::CommanderMoved { commander: officer, to: pose }));
}
