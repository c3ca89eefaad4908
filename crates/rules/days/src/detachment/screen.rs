//! Skirmishers sent out ahead of their unit (days.12.3-a to -c, A-40).

use super::super::Days;
use super::super::charts::{count as figure, reach};
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field::{self, Field, Stands, facts, is_there, stands, troops, whole};
use super::super::formation::{Formation, Shape};
use super::super::hidden;
use super::super::morale;
use super::super::movement::limits;
use super::super::rout;
use super::super::settle;
use super::super::sight;
use super::super::space;
use super::super::unit::{Arm, OrderState, Part, Trait};
use super::is_own;
use super::split::{self, Wing};
use engine::verdict::Mark;
use engine::{Deed, Event, Side, Umpire, UnitId, Verdict};
use table::terrain::TerrainKind;
use table::{Length, Pose, Quad, Vec2, convex, quads_overlap};

/// Most stands a unit may send out: half of them, rounded down.
pub fn most(field: &Field, unit: UnitId) -> u8 {
    let stands = u32::from(field::count(field, unit));
    let share = field.charts().constant.screen_share.value;
    (1..=stands).take_while(|some| share.used(*some, stands).0 <= share.used(*some, stands).1).count() as u8
}

/// Where a screen stands unless its owner says otherwise: before the middle of the front, half as far as it may be.
pub fn usual_pose(field: &Field, unit: UnitId) -> Pose {
    let depth = facts(field, unit).stand.depth;
    let within = reach(field.charts().constant.screen_within);
    let pose = field.unit(unit).pose();
    pose.ahead(within.half() + depth)
}

fn skirmishers(field: &Field, screen: UnitId, pose: Pose, count: u8) -> Stands {
    facts(field, screen).layout(Formation::usual(Shape::Skirmish), count).quads(pose).collect()
}

/// Judges `Screen`.
pub fn judge(field: &Field, side: Side, unit: UnitId, count: u8, pose: Option<Pose>, verdict: &mut Verdict) {
    let clause = Clause::ASkirmishScreen;
    if !is_own(field, side, unit) {
        verdict.refuse(clause, "only units of your own on the table send skirmishers out");
        return;
    }
    let own = facts(field, unit);
    if own.arm != Arm::Infantry || own.part.is_some() || own.is(Trait::SkirmishOnly) {
        verdict.refuse(clause, "only formed infantry sends skirmishers out").about(unit);
        return;
    }
    let least = figure(field.charts().constant.skirmish_class);
    if u32::from(own.class) < least {
        let text = format!("infantry below class {least} does not skirmish");
        verdict.refuse(Clause::WhoMaySkirmish, text).about(unit);
    }
    if !matches!(field::shape(field, unit), Shape::Line | Shape::March | Shape::Manoeuvre) {
        verdict.refuse(clause, "skirmishers go out from a line or a column").about(unit);
    }
    at_leisure(field, unit, clause, verdict);
    let screen = field::part(field, unit, Part::Screen);
    if screen.is_none_or(|screen| is_there(field, screen)) {
        verdict.refuse(clause, "its skirmishers are out already").about(unit);
    }
    let most = most(field, unit);
    if count == 0 || count > most {
        let text = format!("from one to {most} of its stands may go out as skirmishers");
        verdict.refuse(clause, text).about(unit);
    }
    let pose = pose.unwrap_or_else(|| usual_pose(field, unit));
    if let Some(screen) = screen.filter(|_| count > 0) {
        judge_place(field, side, unit, screen, &skirmishers(field, screen, pose, count), verdict);
    }
}

/// Whether a unit has the time for it.
fn at_leisure(field: &Field, unit: UnitId, clause: Clause, verdict: &mut Verdict) {
    let own = troops(field, unit);
    if field::is_routing(field, unit) {
        verdict.refuse(clause, "running troops do nothing but run").about(unit);
    }
    if field::is_hidden(field.unit(unit)) {
        verdict.refuse(Clause::StillWhileHidden, "troops in hiding keep still").about(unit);
    }
    if own.to_ground {
        verdict.refuse(Clause::GettingUpAgain, "it has gone to ground").about(unit);
    }
    if !own.contact.is_empty() || own.charge.is_some() {
        verdict.refuse(clause, "it is charging or fighting").about(unit);
    }
    if own.turn.moved || own.turn.stopped || own.turn.feinted || own.turn.evaded || own.turn.rallied {
        verdict.refuse(clause, "skirmishers go out and come in before their unit moves").about(unit);
    }
    let chargers = field::chargers(field, unit);
    let caught = chargers.iter().any(|by| troops(field, *by).charge.as_ref().is_some_and(|charge| charge.caught));
    if caught {
        verdict.refuse(Clause::CaughtAtShortDistance, "it is caught by a charge at short distance").about(unit);
    } else if !chargers.is_empty() {
        let text = "it is charged, and has chosen how to meet it";
        verdict.refuse(Clause::TargetsTestOnceAllHaveMoved, text).about(unit);
    }
    if own.turn.screened {
        verdict.refuse(Clause::OneChangePerTurn, "its skirmishers have been out or come in this turn").about(unit);
    }
}

fn judge_place(field: &Field, side: Side, unit: UnitId, screen: UnitId, men: &Stands, verdict: &mut Verdict) {
    let clause = Clause::ASkirmishScreen;
    let within = reach(field.charts().constant.screen_within);
    let spot = |quad: &Quad| Mark::Spot(table::Point::from_vec(quad.centre));
    let pose = field.unit(unit).pose();
    let parent = stands(field, unit);
    if let Some(behind) = men.iter().find(|man| pose.to_local(man.centre).y <= 0.0) {
        verdict.refuse(clause, "skirmishers stand ahead of the front of their unit").about(unit).at(spot(behind));
    }
    if field::measured(field::gap_of(men, parent)) > within {
        verdict.refuse(clause, format!("skirmishers stay within {within} of their unit")).about(unit);
    }
    if let Some(off) = men.iter().find(|man| !field.ground().holds(man)) {
        verdict.refuse(clause, "that is off the table").at(spot(off));
    }
    if let Some(wet) = men.iter().find(|man| is_barred(field, man)) {
        verdict.refuse(Clause::GroundShortensTheMove, "nobody can stand there").at(spot(wet));
    }
    if let Some((clause, text)) = limits::keeps_off(field, unit) {
        let nearer = |id: UnitId| {
            field::measured(field::gap_of(men, stands(field, id))) < field::gap(field, unit, id)
                && sight::sees(field, unit, id)
        };
        if let Some((foe, _)) = field::known(field, side.other()).find(|(id, _)| nearer(*id)) {
            verdict.refuse(clause, text).about(unit).among(vec![unit, foe]);
        }
    }
    let standoff = field::standoff(field);
    for (id, piece) in field.units().filter(|(id, piece)| *id != screen && piece.is_present()) {
        if men.iter().all(|man| field::surely_beyond(man, piece.quad(), standoff)) {
            continue;
        }
        let theirs = stands(field, id);
        if piece.side != side && field::measured(field::gap_of(men, theirs)) <= standoff {
            let text = format!("skirmishers keep {standoff} from the enemy");
            verdict.refuse(Clause::AnInchFromTheEnemy, text).about(id);
        } else if piece.side == side && men.iter().any(|man| theirs.iter().any(|one| quads_overlap(man, one))) {
            verdict.refuse(clause, "somebody stands there").about(id);
        }
    }
}

/// Water nobody wades, or a fire.
fn is_barred(field: &Field, man: &Quad) -> bool {
    let ground = field.ground();
    let firm = |kind| matches!(kind, TerrainKind::Bridge | TerrainKind::Ford | TerrainKind::Pontoon);
    super::super::works::features(field).any(|(id, feature)| {
        let deep = matches!(feature.kind, TerrainKind::River | TerrainKind::Lake | TerrainKind::Cliff);
        let bars = deep || super::super::ground::is_burning(field, id);
        bars && feature.shape.overlaps_quad(man) && !ground.at(man.centre).any(|(_, one)| firm(one.kind))
    })
}

/// Skirmishers go out.
pub fn send_out(umpire: &mut Umpire<'_, Days>, unit: UnitId, count: u8, pose: Option<Pose>) {
    let field = umpire.state();
    let Some(screen) = field::part(field, unit, Part::Screen).filter(|screen| !is_there(field, *screen)) else {
        return;
    };
    let Some(rest) = field::count(field, unit).checked_sub(count).filter(|rest| *rest > 0 && count > 0) else { return };
    let pose = pose.unwrap_or_else(|| usual_pose(field, unit));
    let goes = Wing { stands: count, formation: Formation::usual(Shape::Skirmish), pose };
    let stays = split::resized(field, unit, rest, field::formation(field, unit));
    split::send(umpire, unit, screen, goes, stays, Clause::ASkirmishScreen);
    let did = Event::own(Clause::ASkirmishScreen, DaysEvent::Did { unit, doing: Doing::Screened });
    let one = count == 1;
    hidden::announce(umpire, unit, did.also(Clause::HowMuchItScreens).also_if(one, Clause::OneStandAsAScreen));
    let did = Event::own(Clause::ASkirmishScreen, DaysEvent::Did { unit: screen, doing: Doing::Moved });
    hidden::announce(umpire, unit, did);
    super::super::staff::follow(umpire, unit);
    settle::moved(umpire, screen, pose);
}

/// Judges `Recall`: of the skirmishers or of the unit they belong to.
pub fn judge_recall(field: &Field, side: Side, unit: UnitId, verdict: &mut Verdict) {
    let clause = Clause::ASkirmishScreen;
    if unit.index() >= field.muster().units.len() || field.side_of(unit) != side {
        verdict.refuse(clause, "only skirmishers of your own can be taken in");
        return;
    }
    let parent = whole(field, unit);
    let Some(screen) = field::part_out(field, parent, Part::Screen) else {
        verdict.refuse(clause, "it has no skirmishers out").about(unit);
        return;
    };
    if !is_there(field, parent) {
        verdict.refuse(clause, "their unit is not on the table").about(unit);
        return;
    }
    at_leisure(field, parent, clause, verdict);
    if !troops(field, screen).contact.is_empty() || troops(field, screen).turn.moved {
        verdict.refuse(clause, "the skirmishers have moved, or are fighting").about(screen);
    }
    if !field::chargers(field, screen).is_empty() {
        verdict.refuse(Clause::TargetsTestOnceAllHaveMoved, "the skirmishers are charged").about(screen);
    }
    let pace = reach(field.charts().pace.infantry_skirmish.normal);
    if !field::within(field, screen, parent, pace) {
        verdict.refuse(clause, format!("the skirmishers are more than {pace} from their unit")).about(screen);
    }
}

/// Skirmishers come in.
pub fn recall(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let parent = whole(umpire.state(), unit);
    let Some(screen) = field::part_out(umpire.state(), parent, Part::Screen) else { return };
    let did = Event::own(Clause::ASkirmishScreen, DaysEvent::Did { unit: parent, doing: Doing::Screened });
    hidden::announce(umpire, parent, did);
    if split::take_in(umpire, screen, Clause::ASkirmishScreen) {
        let pose = umpire.state().unit(parent).pose();
        settle::moved(umpire, parent, pose);
    }
}

/// How much further men run at a time who find no room to halt.
const STRIDE: Length = Length::whole_inches(1).half(); // tidy: allow(a search step, no figure of the book)

/// How often they try.
const STRIDES: i32 = 24;

/// A screen runs back: half a rout distance; rejoins and disorders its parent if it reaches it. Over whom a charger
/// has gone runs on before him, and so far that it gets clear of him (days.17.2.7-g).
pub fn screen_runs(umpire: &mut Umpire<'_, Days>, screen: UnitId, from: UnitId, over: bool) {
    let field = umpire.state();
    if !is_there(field, screen) || facts(field, screen).part_kind() != Some(Part::Screen) {
        return;
    }
    let parent = whole(field, screen);
    let pace = &field.charts().pace;
    let far = pace.first_rout.value.of(reach(pace.infantry_skirmish.rout));
    let (men, theirs) = (stands(field, screen), stands(field, parent));
    let (away, more) = if over {
        (field.unit(from).pose().forward(), rout::behind(field, from, men, far.as_f64()))
    } else {
        (rout::away(field, screen, from), 0.0)
    };
    let by = away * (far.as_f64() + more);
    let meets = |man: &Quad| theirs.iter().any(|one| convex::sweep(man.points(), by, one.points()).is_some());
    let reached = is_there(field, parent) && men.iter().any(meets);
    let start = field.unit(screen).pose();
    let has_room = |by: &Vec2| space::has_room(field, screen, start.shifted(*by), field::formation(field, screen));
    let room = (0..STRIDES).map(|n| by + away * (STRIDE * n).as_f64()).find(has_room);
    let fits = room.is_some();
    let silenced = DaysEvent::Did { unit: screen, doing: Doing::Silenced };
    umpire.announce(Event::own(Clause::NoShotsFromTheOverrun, silenced).also(Clause::OverrunSkirmishers));
    if (reached || !fits) && split::take_in(umpire, screen, Clause::WhichWayAScreenRuns) {
        morale::worsen(umpire, parent, OrderState::Disordered, Clause::OverrunSkirmishers);
        return;
    }
    let to = room.map_or(start, |by| start.shifted(by));
    let moved = Event::new(Clause::WhichWayAScreenRuns, Deed::Moved { unit: screen, to, path: Vec::new() });
    umpire.announce(moved.also(Clause::OverrunSkirmishers).also(Clause::AScreenGoesTogether));
    umpire.announce(Event::own(Clause::WhichWayAScreenRuns, DaysEvent::Ran { unit: screen, so_far: far }));
    settle::moved(umpire, screen, start);
}

/// The Movement Phase ends: screens that ran and did not reach their unit are back with it.
pub fn rejoin(umpire: &mut Umpire<'_, Days>) {
    for screen in super::out(umpire.state(), Part::Screen) {
        let field = umpire.state();
        let ran = troops(field, screen).turn.routed > Length::ZERO;
        let parent = whole(field, screen);
        if ran && is_there(field, parent) && !field::is_routing(field, parent) {
            split::take_in(umpire, screen, Clause::WhichWayAScreenRuns);
        }
    }
}
