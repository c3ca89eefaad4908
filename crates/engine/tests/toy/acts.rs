//! What the toy's umpire does: deploying, marching, discovering and firing.

use super::*;
use engine::{Deed, View};
use engine::{Die, Event as Told, Leaving, Odds, Pool, Reckoning, Roll, Spread, StandSet, State, Umpire, Whereabouts};
use table::march::Track;
use table::{Angle, Point, gap};

type House<'u> = Umpire<'u, Ambush>;

pub fn deploy(umpire: &mut House<'_>, starts: &[Start]) {
    for (n, start) in starts.iter().enumerate() {
        let unit = UnitId(n as u16);
        let (pose, hidden) = (start.pose, start.hidden);
        let placed = Told::new(Clause::Deploy, Deed::Placed { unit, pose, formation: Formation::Line, hidden });
        let side = umpire.state().side_of(unit);
        umpire.announce(if hidden { placed.only(side) } else { placed });
    }
    for commander in umpire.state().muster().commander_ids() {
        let at = Point::new(Length::whole_inches(2 + 2 * i32::from(commander.0)), Length::whole_inches(2));
        let to = Pose::new(at, Angle::NORTH);
        umpire.announce(Told::new(Clause::Deploy, Deed::CommanderMoved { commander, to }));
    }
}

pub fn carry_out(umpire: &mut House<'_>, side: Side, order: &Order) {
    match order {
        Order::March { unit, legs } if umpire.state().unit(*unit).is_present() => march(umpire, side, *unit, legs),
        Order::Reform { unit, into } if umpire.state().unit(*unit).is_present() => {
            let to = umpire.state().unit(*unit).pose();
            let reformed = Told::new(Clause::March, Deed::Reformed { unit: *unit, formation: *into, to });
            announce_of(umpire, *unit, reformed);
        }
        Order::Withdraw { unit } if umpire.state().unit(*unit).is_present() => {
            let removed = Told::new(Clause::March, Deed::Removed { unit: *unit, why: Leaving::Withdrawn });
            announce_of(umpire, *unit, removed);
        }
        _ => umpire.announce(Told::own(Clause::Plan, Event::Held { side })),
    }
}

/// What happens to a hidden unit is for its own side's ears.
fn announce_of(umpire: &mut House<'_>, unit: UnitId, event: Told<Ambush>) {
    let hidden = umpire.state().unit(unit).whereabouts == Whereabouts::Hidden;
    let side = umpire.state().side_of(unit);
    umpire.announce(if hidden { event.only(side) } else { event });
    if hidden {
        // To the enemy it looks as if the side had stood still; silence would tell.
        umpire.announce(Told::own(Clause::Plan, Event::Held { side }));
    }
}

fn march(umpire: &mut House<'_>, side: Side, unit: UnitId, legs: &[Leg]) {
    let state = umpire.state();
    let piece = state.unit(unit);
    let track = Track::plot(piece.pose(), state.footprint(unit, piece.body.formation), legs);
    // Whoever is really there stops the march, seen or not.
    let met = state
        .units()
        .filter(|(other, piece)| *other != unit && piece.is_present())
        .filter_map(|(other, piece)| track.meets(piece.quad().points()).map(|meeting| (meeting, other)))
        .min_by(|(a, _), (b, _)| a.stage.cmp(&b.stage).then(a.fraction.total_cmp(&b.fraction)));
    let to = met.as_ref().map_or(track.end(), |(meeting, _)| meeting.at);
    umpire.announce(Told::own(Clause::March, Event::Counted { side }).only(side));
    announce_of(umpire, unit, Told::new(Clause::March, Deed::Moved { unit, to, path: legs.to_vec() }));
    discover(umpire);
    let ambusher = met.map(|(_, other)| other).filter(|other| umpire.state().side_of(*other) != side);
    if let Some(other) = ambusher {
        fire(umpire, side.other(), other, unit);
    }
    if umpire.state().unit(unit).whereabouts == Whereabouts::OnTable {
        umpire.begin(Phase::React { mover: unit });
    }
}

/// Hidden units with an enemy near are seen by all.
fn discover(umpire: &mut House<'_>) {
    let state = umpire.state();
    let near = state.charts().sight.discovery.value;
    let seen: Vec<UnitId> = state
        .units()
        .filter(|(_, piece)| piece.whereabouts == Whereabouts::Hidden)
        .filter(|(id, piece)| {
            state.present(state.side_of(*id).other()).any(|(_, enemy)| gap(piece.quad(), enemy.quad()) <= near)
        })
        .map(|(id, _)| id)
        .collect();
    seen.into_iter().for_each(|unit| umpire.announce(Told::new(Clause::Discovery, Deed::Revealed { unit })));
}

pub fn pool() -> Pool {
    Pool::of(2, Die::D6)
}

fn reckon(state: &State<Ambush>, by: UnitId, at: UnitId) -> Reckoning {
    let chart = &state.charts().fire;
    let range = gap(state.unit(by).quad(), state.unit(at).quad());
    let mut reckoning = Reckoning::new();
    reckoning.add(Clause::Fire, "score needed", chart.need.map(|need| need.get()));
    if range <= chart.range.close.value {
        reckoning.add(Clause::Fire, chart.range.words.value.clone(), chart.at_close.map(|less| -less.get()));
    }
    reckoning
}

fn is_hit(pips: &[u8], need: i32) -> bool {
    pips.iter().map(|pip| i32::from(*pip)).sum::<i32>() >= need
}

pub fn odds(view: &View<'_, Ambush>, by: UnitId, at: UnitId) -> Odds {
    let need = reckon(view, by, at).whole();
    let spread = Spread::of_pool(pool(), |pips| is_hit(pips, need));
    Odds::plot("a volley", &spread, |hit| if *hit { "a hit".to_owned() } else { "nothing".to_owned() })
}

pub fn fire(umpire: &mut House<'_>, side: Side, by: UnitId, at: UnitId) {
    if umpire.state().unit(by).whereabouts == Whereabouts::Hidden {
        umpire.announce(Told::new(Clause::Discovery, Deed::Revealed { unit: by }));
    }
    let reckoning = reckon(umpire.state(), by, at);
    let roll = umpire.roll(pool(), side);
    let hit = is_hit(&roll.pips, reckoning.whole());
    let shot = Told::own(Clause::Fire, Event::Shot { side, by, at, hit }).because(reckoning);
    match umpire.state().settings().slip {
        Some(Slip::Unclaimed) => umpire.announce(shot),
        Some(Slip::Half) => {
            umpire.roll(Pool::one(Die::new(20)), side);
            umpire.announce(shot.rolled(roll));
        }
        Some(Slip::Forged) => {
            let forged = Roll { pips: [6, 6].into_iter().collect(), pool: Pool::d6(2), by: side.other() };
            umpire.announce(shot.rolled(roll).rolled(forged));
        }
        Some(Slip::Twice) => {
            umpire.announce(shot.rolled(roll.clone()));
            umpire.announce(Told::own(Clause::Fire, Event::Again { side }).rolled(roll));
        }
        Some(Slip::Confesses) => {
            umpire.announce(shot.rolled(roll));
            umpire.fault("the toy knows better");
            umpire.fault("and says so twice");
        }
        _ => umpire.announce(shot.rolled(roll)),
    }
    if hit {
        suffer(umpire, at);
    }
}

fn suffer(umpire: &mut House<'_>, unit: UnitId) {
    let piece = umpire.state().unit(unit);
    let left = StandSet::first(piece.body.stands.count().saturating_sub(1));
    let done = i32::from(piece.own.hits) >= umpire.charts().fire.endures.value.get();
    umpire.announce(Told::new(Clause::Endurance, Deed::StandsLost { unit, left }));
    if done {
        umpire.announce(Told::new(Clause::Endurance, Deed::Removed { unit, why: Leaving::Destroyed }));
        let brigade = umpire.state().card(unit).command;
        let leader = brigade.and_then(|brigade| umpire.state().muster().command(brigade).commander);
        if let Some(commander) = leader {
            umpire.announce(Told::new(Clause::Endurance, Deed::CommanderLost { commander }));
        }
    }
}
