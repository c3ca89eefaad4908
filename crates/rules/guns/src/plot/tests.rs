//! Plans and their execution on small fields built by hand: the vectors of movement, halts, charges, duty.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod setting;

use super::*;
use crate::event::Halt;
use crate::formation::Shape as Drawn;
use crate::settings::Scale;
use crate::unit::{Arm, Cycle, GunClass};
use engine::battle::Keep;
use engine::{Battle, Deed, Lots, Seed};
use setting::{
    Man, ahead, area, battery, charge_at, close, cm, cost, field_of, foot, halts, judged, man, march, marched_to,
    place, play, strip,
};
use table::terrain::TerrainKind;
use table::{Angle, Point};

#[test]
fn v20_ground_is_paid_on_top_of_distance() {
    let at = place(90.0, 20.0, 0);
    let wood = || vec![area(TerrainKind::Woods, (0.0, 23.0), (180.0, 25.0))];
    // Element centres lie 1 cm behind the front.
    let field = field_of(&[foot(Side::A, 8, "minie", "line", at)], wood(), Scale::Small);
    let (used, full) = cost(&field, &[ahead(10.0)]);
    assert!(close(used, 20.0) && close(full, 20.0), "{used} of {full}");
    let verdict = judged(&field, vec![march(0, vec![ahead(10.5)])]);
    assert!(verdict.refusals.iter().any(|note| note.clause == Clause::LinePace.into()), "{verdict:?}");

    let middle = man(Side::A, Arm::Infantry, 8, "minie", "line", at, Scale::Middle);
    let wood = vec![area(TerrainKind::Woods, (0.0, 22.75), (180.0, 24.75))];
    let field = field_of(&[middle], wood, Scale::Middle);
    let (used, full) = cost(&field, &[ahead(14.0)]);
    assert!(close(used, 30.0) && close(full, 30.0), "{used} of {full}");

    let wall = vec![strip(TerrainKind::Wall, (0.0, 32.0), (180.0, 32.0), 0.0)];
    let field = field_of(&[foot(Side::A, 8, "minie", "loose", at)], wall, Scale::Small);
    let (used, _) = cost(&field, &[ahead(32.0)]);
    assert!(close(used, 40.0), "{used}");
    assert!(close(cost(&field, &[ahead(11.0)]).0, 11.0));
}

/// Units, lone riders and chargers pay the same for the same ground: the dearest of what lies over one another, and not
/// only what is under the flag.
#[test]
fn ground_is_reckoned_the_same_for_everybody() {
    let at = place(90.0, 20.0, 0);
    let strips = || {
        vec![
            area(TerrainKind::Difficult, (0.0, 23.0), (180.0, 27.0)),
            area(TerrainKind::Woods, (60.0, 23.0), (120.0, 25.0)),
            // Only the left of the line goes through this one.
            area(TerrainKind::Woods, (60.0, 25.0), (84.0, 27.0)),
        ]
    };
    let field = field_of(&[foot(Side::A, 8, "minie", "line", at)], strips(), Scale::Small);
    let unit = UnitId(0);
    let (line, full) = cost(&field, &[ahead(10.0)]);
    let pose = field.unit(unit).pose();
    let toller = || ground::Toller::new(&field, unit, field::formation(&field, unit), false);
    let way = pose.forward() * cm(10.0).as_f64();
    let charge = toller().straight(pose, way, None).expect("a way");
    assert!(close(line, charge / cm(1.0).as_f64()), "{line} of {full}, {charge}");
    let lone = |x: f64| {
        let (from, to) = (place(x, 19.0, 0).at.vec(), place(x, 29.0, 0).at.vec());
        ground::lone_way(&field, crate::pace::Payer::Foot, from, to).expect("a way") / cm(1.0).as_f64()
    };
    assert!(close(line, lone(83.0)), "the dearest element pays for all: {line}, {}", lone(83.0));
    assert!(lone(83.0) > lone(90.0), "beside the second wood it is cheaper");
    let stormed = toller().straight(pose, way, Some(engine::FeatureId(2))).expect("a way");
    assert!(stormed < charge, "what is stormed is not paid for");
}

#[test]
fn v21_an_evolution_is_deducted_and_caps_what_is_left() {
    let at = place(90.0, 20.0, 0);
    let line = Step::Form(Formation::usual(Drawn::Line));
    let field = field_of(&[foot(Side::A, 8, "minie", "route", at)], Vec::new(), Scale::Small);
    let (used, full) = cost(&field, &[ahead(12.0), line.clone(), ahead(8.0)]);
    assert!(close(used, 40.0) && close(full, 40.0));
    assert!(judged(&field, vec![march(0, vec![ahead(12.0), line.clone(), ahead(8.0)])]).is_legal());
    assert!(!judged(&field, vec![march(0, vec![ahead(12.0), line, ahead(9.0)])]).is_legal());

    let field = field_of(&[foot(Side::A, 8, "minie", "line", at)], Vec::new(), Scale::Small);
    let route = Step::Form(Formation::usual(Drawn::Route));
    assert!(close(cost(&field, std::slice::from_ref(&route)).0, 20.0));
    assert!(!judged(&field, vec![march(0, vec![route, ahead(1.0)])]).is_legal());

    // A skirmish line that closes up has no more than a line's move left.
    let field = field_of(&[foot(Side::A, 8, "minie", "extended", at)], Vec::new(), Scale::Small);
    let line = Step::Form(Formation::usual(Drawn::Line));
    assert!(judged(&field, vec![march(0, vec![line.clone(), ahead(20.0)])]).is_legal());
    assert!(!judged(&field, vec![march(0, vec![line, ahead(21.0)])]).is_legal());
}

#[test]
fn v22_a_road_adds_half() {
    let at = place(90.0, 25.0, 0);
    let road = || vec![strip(TerrainKind::Road, (90.0, 0.0), (90.0, 120.0), 3.0)];
    let full = |man: Man, go: f64| {
        let field = field_of(&[man], road(), Scale::Small);
        assert!(judged(&field, vec![march(0, vec![ahead(go)])]).is_legal());
        cost(&field, &[ahead(go)]).1
    };
    assert!(close(full(foot(Side::A, 8, "minie", "route", at), 60.0), 60.0));
    assert!(close(full(battery(Side::A, GunClass::Field, "limbered", at), 30.0), 30.0));
    let horse = man(Side::A, Arm::Cavalry, 3, "sabre", "route", at, Scale::Small);
    assert!(close(full(horse, 90.0), 90.0));
    let field = field_of(&[foot(Side::A, 8, "minie", "route", at)], road(), Scale::Small);
    let off = vec![Step::March(vec![Leg::Ahead(cm(30.0)), Leg::Sideways(cm(15.0))])];
    assert!(!judged(&field, vec![march(0, off)]).is_legal());
    assert!(!judged(&field, vec![march(0, vec![ahead(40.0), Step::Form(Formation::usual(Drawn::Line))])]).is_legal());
}

#[test]
fn wheels_cost_the_arc_of_the_farthest_corner() {
    let field = field_of(&[foot(Side::A, 8, "minie", "line", place(90.0, 20.0, 0))], Vec::new(), Scale::Small);
    let wheel = |by: i32| Step::March(vec![Leg::Wheel { pivot: table::Flank::Left, by: Angle::whole(by) }]);
    let farthest = (16.0_f64 * 16.0 + 4.0).sqrt();
    let (used, _) = cost(&field, &[wheel(45)]);
    assert!(close(used, farthest * std::f64::consts::FRAC_PI_4), "{used}");
    let about = Step::March(vec![Leg::About, Leg::About]);
    assert!(close(cost(&field, &[Step::March(vec![Leg::About])]).0, 0.0));
    assert!(!judged(&field, vec![march(0, vec![about])]).is_legal(), "once in a bound");
}

#[test]
fn v29_the_brigade_owes_half_a_move() {
    let men = [40.0, 80.0, 120.0].map(|x| foot(Side::A, 8, "minie", "line", place(x, 20.0, 0)));
    let field = field_of(&men, Vec::new(), Scale::Small);
    let plan = |a: f64, b: f64| vec![march(0, vec![ahead(a)]), march(1, vec![ahead(b)])];
    assert!(judged(&field, plan(20.0, 10.0)).is_legal());
    let verdict = judged(&field, plan(20.0, 9.0));
    assert!(verdict.refusals.iter().all(|note| note.clause == Clause::HalfMoveDuty.into()) && !verdict.is_legal());
    let (need, given) = duty(&field, CommandId(0), &plan(20.0, 10.0));
    assert!(close(need.as_cm(), 30.0) && given >= need);
    let damage = GunsEvent::Damage { unit: UnitId(2), points: 8, cause: crate::event::Cause::Shells };
    let field = field.folded(&[Event::own(Clause::TakenFromTarget, damage)]);
    assert!(judged(&field, plan(20.0, 0.0)).is_legal(), "one below its limiter owes nothing");
    assert!(!judged(&field, vec![march(2, vec![ahead(5.0)])]).is_legal());
}

#[test]
fn cavalry_and_guns_keep_out_of_woods() {
    let wood = || vec![area(TerrainKind::Woods, (0.0, 30.0), (180.0, 40.0))];
    let horse = man(Side::A, Arm::Cavalry, 3, "sabre", "line", place(90.0, 20.0, 0), Scale::Small);
    let verdict = judged(&field_of(&[horse], wood(), Scale::Small), vec![march(0, vec![ahead(25.0)])]);
    assert!(verdict.refusals.iter().any(|note| note.clause == Clause::Woods.into()), "{verdict:?}");
    let mut road = wood();
    road.push(strip(TerrainKind::Road, (90.0, 0.0), (90.0, 120.0), 3.0));
    let horse = man(Side::A, Arm::Cavalry, 3, "sabre", "route", place(90.0, 20.0, 0), Scale::Small);
    let field = field_of(&[horse], road, Scale::Small);
    assert!(judged(&field, vec![march(0, vec![ahead(60.0)])]).is_legal());
}

#[test]
fn opposing_units_halt_at_a_standoff() {
    let men = [
        foot(Side::A, 8, "minie", "loose", place(90.0, 40.0, 0)),
        foot(Side::B, 8, "minie", "line", place(90.0, 60.0, 180)),
    ];
    let field = field_of(&men, Vec::new(), Scale::Small);
    let battle = play(field, vec![march(0, vec![ahead(40.0)])], vec![march(1, vec![ahead(20.0)])]);
    let state = battle.state();
    let gap = field::gap(state, UnitId(0), UnitId(1));
    assert!(close(gap.as_cm(), 1.0), "{gap}");
    // The faster one has come twice as far.
    let gone = state.unit(UnitId(0)).pose().at.y.as_cm() - 40.0;
    assert!((gone - 2.0 * (19.0 - gone)).abs() < 0.1, "{gone}");
    assert_eq!(halts(&battle), vec![(UnitId(0), Halt::EnemyNear), (UnitId(1), Halt::EnemyNear)]);
}

#[test]
fn v16_a_charge_stops_where_it_is_tested() {
    let men = [
        foot(Side::A, 8, "minie", "loose", place(90.0, 40.0, 0)),
        foot(Side::B, 8, "minie", "line", place(90.0, 64.0, 180)),
    ];
    let field = field_of(&men, Vec::new(), Scale::Small);
    let idle = GunsEvent::Allotted { brigade: CommandId(1), die: None, activated: false };
    let field = field.folded(&[Event::own(Clause::RatingMet, idle)]);
    assert_eq!(charge_targets(&field, UnitId(0)).len(), 1);
    let battle = play(field, vec![charge_at(0, 1)], Vec::new());
    let stages: Vec<_> = battle
        .events()
        .iter()
        .filter_map(|event| match &event.deed {
            Deed::Own(GunsEvent::ChargeStage { unit, stage, left }) => Some((*unit, *stage, left.as_cm())),
            _ => None,
        })
        .collect();
    let Some((UnitId(0), ChargeStage::Tested, left)) = stages.first() else { panic!("{stages:?}") };
    assert!(close(*left, 26.0), "{left}");
    assert_eq!(marched_to(&battle, UnitId(0)).map(|at| at.y), Some(cm(54.0)));
    assert_eq!(halts(&battle), vec![(UnitId(0), Halt::FlinchPoint)]);
}

#[test]
fn charges_have_their_limits() {
    let men = |drawn: &str, x: f64| {
        [foot(Side::A, 8, "minie", drawn, place(90.0, 40.0, 0)), foot(Side::B, 8, "minie", "line", place(x, 60.0, 180))]
    };
    let verdict =
        |drawn: &str, x: f64| judged(&field_of(&men(drawn, x), Vec::new(), Scale::Small), vec![charge_at(0, 1)]);
    assert!(verdict("assault", 90.0).is_legal() && verdict("assault", 110.0).is_legal());
    assert!(!verdict("route", 90.0).is_legal() && !verdict("extended", 90.0).is_legal());
    assert!(!verdict("assault", 150.0).is_legal(), "too far to the side");
}

#[test]
fn cavalry_may_ride_against_cavalry() {
    let horse = |side, y, facing| man(side, Arm::Cavalry, 3, "sabre", "line", place(90.0, y, facing), Scale::Small);
    let field = field_of(&[horse(Side::A, 30.0, 0), horse(Side::B, 70.0, 180)], Vec::new(), Scale::Small);
    let mut battle = Battle::seeded(field, Seed::from_number(3), Keep::Events);
    for _ in 0..40 {
        let Some(asked) = battle.asked().cloned() else { break };
        let side = battle.awaited().unwrap_or(Side::A);
        let order = match &asked.decision {
            Decision::Plot if side == Side::A => Order::Plot { moves: vec![charge_at(0, 1)], groups: Vec::new() },
            Decision::Plot => Order::Pass,
            Decision::CounterCharge { able } => {
                assert_eq!(able[Side::B], vec![Shot { unit: UnitId(1), at: UnitId(0) }]);
                Order::CounterCharge { units: vec![UnitId(1)] }
            }
            _ => Order::Pass,
        };
        battle.submit(side, asked.no, order).expect("legal");
    }
    assert_eq!(halts(&battle), vec![(UnitId(0), Halt::MutualCharge), (UnitId(1), Halt::MutualCharge)]);
    let fronts = [UnitId(0), UnitId(1)].map(|unit| marched_to(&battle, unit).map(|at| at.y));
    let [Some(south), Some(north)] = fronts else { panic!("{fronts:?}") };
    assert!(close((north - south).as_cm(), 10.0), "{fronts:?}");
}

#[test]
fn nobody_stops_on_a_friend() {
    let men = [
        foot(Side::A, 8, "minie", "line", place(90.0, 40.0, 0)),
        foot(Side::A, 8, "minie", "loose", place(90.0, 34.0, 0)),
        foot(Side::B, 8, "minie", "line", place(90.0, 46.0, 180)),
    ];
    let field = field_of(&men, Vec::new(), Scale::Small);
    assert!(!judged(&field, vec![march(1, vec![ahead(5.0)])]).is_legal());
    // The first is halted by the enemy, and the second finds it where it meant to stand.
    let battle = play(field, vec![march(0, vec![ahead(15.0)]), march(1, vec![ahead(15.0)])], Vec::new());
    assert!(halts(&battle).contains(&(UnitId(1), Halt::FriendInTheWay)), "{:?}", halts(&battle));
    let state = battle.state();
    let (a, b) = (field::elements(state, UnitId(0)), field::elements(state, UnitId(1)));
    assert!(!a.iter().any(|one| b.iter().any(|other| table::quads_overlap(one, other))));
}

#[test]
fn a_horse_battery_moves_unlimbers_and_may_fire() {
    let at = place(90.0, 20.0, 0);
    let field = field_of(&[battery(Side::A, GunClass::Horse, "limbered", at)], Vec::new(), Scale::Small);
    let steps = vec![ahead(30.0), Step::Unlimber, Step::Fire];
    let battle = play(field.clone(), vec![march(0, steps)], Vec::new());
    let events = battle.events();
    let has = |wanted: &GunsEvent| events.iter().any(|event| matches!(&event.deed, Deed::Own(own) if own == wanted));
    assert!(has(&GunsEvent::Cycled { battery: UnitId(0), cycle: Cycle::Deployed }));
    assert!(has(&GunsEvent::MayFire { battery: UnitId(0), fires: true }));
    assert!(has(&GunsEvent::Spent { unit: UnitId(0), used: cm(30.0), full: cm(50.0) }));
    assert!(!judged(&field, vec![march(0, vec![Step::Limber])]).is_legal());
}

#[test]
fn houses_make_garrisons_of_loose_men() {
    let town = vec![area(TerrainKind::Town, (70.0, 22.0), (110.0, 40.0))];
    let mut men = [foot(Side::A, 6, "minie", "line", place(90.0, 20.0, 0))];
    men[0].facts.loose = false;
    let field = field_of(&men, town, Scale::Small);
    let loose = Step::Form(Formation::usual(Drawn::Loose));
    assert!(!judged(&field, vec![march(0, vec![loose.clone()])]).is_legal(), "not trained for it in the open");
    let battle = play(field, vec![march(0, vec![loose, ahead(4.5)])], Vec::new());
    assert_eq!(troops(battle.state(), UnitId(0)).defending, Some(engine::FeatureId(0)));
}

#[test]
fn a_wall_is_lined_from_close_behind() {
    let wall = || vec![strip(TerrainKind::Wall, (60.0, 30.0), (120.0, 30.0), 0.0)];
    let men = [foot(Side::A, 8, "minie", "line", place(90.0, 20.0, 0))];
    let field = field_of(&men, wall(), Scale::Small);
    let defend = |go: f64| Move::March { unit: UnitId(0), steps: vec![ahead(go)], defend: Some(engine::FeatureId(0)) };
    assert!(!judged(&field, vec![defend(5.0)]).is_legal(), "too far behind");
    let verdict = judged(&field, vec![defend(10.0)]);
    assert!(verdict.is_legal(), "{:?}", verdict.refusals);
    // Coming up to the wall costs nothing; from there it is paid for by going on.
    assert!(close(cost(&field, &[ahead(10.0)]).0, 10.0) && close(cost(&field, &[ahead(11.0)]).0, 19.0));
    assert!(close(cost(&field, &[ahead(10.0), ahead(1.0)]).0, 19.0));
    assert!(close(cost(&field, &[ahead(10.0), Step::March(vec![Leg::Back(cm(2.0))])]).0, 12.0));
    let battle = play(field, vec![defend(9.5)], Vec::new());
    assert_eq!(troops(battle.state(), UnitId(0)).defending, Some(engine::FeatureId(0)));
}

#[test]
fn whoever_comes_near_alarms_those_who_reform_and_overruns_observers() {
    let men = [
        foot(Side::A, 8, "minie", "loose", place(90.0, 20.0, 0)),
        foot(Side::B, 8, "minie", "line", place(90.0, 60.0, 180)),
        battery(Side::B, GunClass::Field, "deployed", place(90.0, 100.0, 180)),
    ];
    let at = Point::new(cm(92.0), cm(35.0));
    let observer = Some(Observer::At(at));
    let field = field_of(&men, Vec::new(), Scale::Small).folded(&[
        Event::own(Clause::StandStill, GunsEvent::Reforming { unit: UnitId(1), reforming: true }),
        Event::own(Clause::ObserverCounter, GunsEvent::ObserverMoved { battery: UnitId(2), observer }),
    ]);
    let battle = play(field, vec![march(0, vec![ahead(30.0)])], Vec::new());
    assert_eq!(halts(&battle), vec![(UnitId(1), Halt::Alarm)]);
    assert_eq!(troops(battle.state(), UnitId(2)).observer, Some(Observer::Lost { until: 3 }));
}

#[test]
fn a_screen_goes_out_and_comes_back() {
    let mut men = vec![
        foot(Side::A, 8, "minie", "line", place(70.0, 20.0, 0)),
        foot(Side::A, 8, "minie", "line", place(100.0, 20.0, 0)),
        foot(Side::A, 2, "minie", "extended", place(0.0, 0.0, 0)),
    ];
    men[2].facts.screen = true;
    let field = field_of(&men, Vec::new(), Scale::Small);
    let (screen, parents) = (UnitId(2), vec![UnitId(0), UnitId(1)]);
    let out = |y: f64| Move::Screen { screen, parents: parents.clone(), pose: place(85.0, y, 0) };
    let duty = || [march(0, vec![ahead(10.0)]), march(1, vec![ahead(10.0)])];
    let plan = |line: Move| duty().into_iter().chain(std::iter::once(line)).collect::<Vec<_>>();
    assert!(!judged(&field, plan(out(75.0))).is_legal(), "no further than forty");
    let twice = Move::Screen { screen, parents: vec![UnitId(0), UnitId(0)], pose: place(85.0, 45.0, 0) };
    assert!(!judged(&field, plan(twice)).is_legal(), "one element from each");
    let battle = play(field, plan(out(45.0)), Vec::new());
    let state = battle.state();
    assert!(is_there(state, screen) && troops(state, UnitId(0)).lent);
    assert_eq!(state.unit(screen).pose(), place(85.0, 45.0, 0));

    let again = (0..3)
        .map(|no| Event::own(Clause::RatingMet, GunsEvent::Responds { unit: UnitId(no), total: 6, responds: true }));
    let active = GunsEvent::Allotted { brigade: CommandId(0), die: None, activated: true };
    let events: Vec<_> = again.chain([Event::own(Clause::RatingMet, active)]).collect();
    let field = state.folded(&events).with_agenda(vec![Phase::Bound { next: 3 }], 1);
    let moves = plan(Move::Recall { screen });
    let verdict = judged(&field, moves);
    assert!(verdict.is_legal(), "{:?}", verdict.refusals);
}

/// Random plans on random fields: whatever passes the check is carried out without a fault.
#[test]
fn legal_plans_are_carried_out() {
    let mut lots = Lots::new(23);
    for _ in 0..40 {
        let men: Vec<Man> = (0..10)
            .map(|no| {
                let side = if no % 2 == 0 { Side::A } else { Side::B };
                let pose = place(15.0 + f64::from(no) * 16.0, 40.0 + lots.unit() * 35.0, lots.below(360) as i32);
                match lots.below(4) {
                    0 => man(side, Arm::Cavalry, 3, "carbine-bl", "squadrons", pose, Scale::Small),
                    1 => battery(side, GunClass::Horse, "limbered", pose),
                    _ => foot(side, 6, "dreyse", ["line", "loose", "assault"][lots.below(3)], pose),
                }
            })
            .collect();
        let features = vec![area(TerrainKind::Woods, (40.0, 50.0), (80.0, 70.0))];
        let field = field_of(&men, features, Scale::Small);
        let plans = [Side::A, Side::B].map(|side| {
            let mut moves = dutiful(&field, side);
            for (unit, _) in field.present(side) {
                let legs = vec![Leg::Turn(Angle::whole(lots.below(360) as i32)), Leg::Ahead(cm(lots.unit() * 20.0))];
                let steps = match lots.below(3) {
                    0 => vec![Step::March(legs)],
                    1 => vec![Step::Form(Formation::usual(Drawn::Loose)), Step::March(legs)],
                    _ => vec![Step::March(legs), Step::Unlimber, Step::Fire],
                };
                let targets = charge_targets(&field, unit);
                let line = match targets.first() {
                    Some((at, legs)) if lots.below(2) == 0 => {
                        Move::Charge { unit, at: *at, legs: legs.clone(), led_by: None }
                    }
                    _ => Move::March { unit, steps, defend: None },
                };
                let told = |line: &Move| matches!(line, Move::March { unit: id, .. } if *id == unit);
                let mut tried: Vec<Move> = moves.iter().filter(|line| !told(line)).cloned().collect();
                tried.push(line);
                if check::judge(&field, side, &tried, &[]).is_legal() {
                    moves = tried;
                }
            }
            moves
        });
        let [a, b] = plans;
        let battle = play(field, a, b);
        assert!(battle.events().iter().any(|event| matches!(event.deed, Deed::Own(GunsEvent::Spent { .. }))));
    }
}

/// Fields scattered at random: the plan of the house is legal on every one of them, and nobody overlaps afterwards.
#[test]
fn the_dutiful_plan_is_always_legal() {
    let mut lots = Lots::new(11);
    for round in 0..60 {
        let mut men: Vec<Man> = Vec::new();
        let drawn = ["line", "loose", "extended", "assault", "route"];
        for _ in 0..(4 + lots.below(10)) {
            let side = if lots.below(2) == 0 { Side::A } else { Side::B };
            let pose = place(20.0 + lots.unit() * 140.0, 15.0 + lots.unit() * 90.0, lots.below(360) as i32);
            let man = match lots.below(4) {
                0 => man(side, Arm::Cavalry, 3, "sabre", "line", pose, Scale::Small),
                1 => battery(side, GunClass::Field, "limbered", pose),
                _ => foot(side, 6 + lots.below(4) as u8, "chassepot", drawn[lots.below(5)], pose),
            };
            let around = |man: &Man| man.facts.footprint(man.formation, man.facts.elements).quad(man.pose);
            let quad = around(&man);
            if men.iter().all(|other| table::gap(&around(other), &quad) > cm(2.0)) {
                men.push(man);
            }
        }
        let features = vec![
            area(TerrainKind::Woods, (40.0, 50.0), (80.0, 70.0)),
            area(TerrainKind::Lake, (110.0, 45.0), (130.0, 60.0)),
            strip(TerrainKind::Wall, (0.0, 80.0), (90.0, 85.0), 0.0),
            strip(TerrainKind::Stream, (100.0, 0.0), (170.0, 120.0), 2.0),
        ];
        let field = field_of(&men, features, Scale::Small);
        for side in [Side::A, Side::B] {
            let plan = dutiful(&field, side);
            let verdict = check::judge(&field, side, &plan, &[]);
            assert!(verdict.is_legal(), "round {round}: {:?}", verdict.refusals);
        }
        let (a, b) = (dutiful(&field, Side::A), dutiful(&field, Side::B));
        let battle = play(field, a, b);
        let state = battle.state();
        for (one, unit) in state.units() {
            for (other, _) in state.units().filter(|(id, friend)| *id > one && friend.side == unit.side) {
                let (a, b) = (field::elements(state, one), field::elements(state, other));
                let overlap = a.iter().any(|one| b.iter().any(|other| table::quads_overlap(one, other)));
                assert!(!overlap, "round {round}: {one:?} stands on {other:?}");
            }
        }
    }
}
