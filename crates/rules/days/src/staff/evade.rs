//! A lone general about to be ridden down tries to get away (days.14.5-a, A-126).

use super::super::Days;
use super::super::charts::{plain, reach};
use super::super::clause::Clause;
use super::super::event::{DaysEvent, TurnStep};
use super::super::field::{self, Field, known, stands};
use super::super::ground;
use super::super::unit::Quality;
use super::{command, post};
use engine::{CommanderId, Event, Reckoning, Umpire, UnitId};
use table::{Pose, Quad, Vec2};

/// The score he has to beat: the test of whoever is charged, with the class his quality stands for.
pub fn score(field: &Field, general: CommanderId) -> Reckoning {
    let (test, factor) = (&field.charts().test, &field.charts().factor);
    let class = match command::quality(field, general) {
        Quality::Inept => factor.class1,
        Quality::Capable => factor.class2,
        Quality::Exceptional => factor.class3,
    };
    let mut score = Reckoning::new();
    score.add(Clause::TheFiveMoraleTests, "being charged", plain(test.being_charged));
    score.add(Clause::ClassInMoraleTests, "what he is worth", plain(class));
    score
}

/// Whether he has had his test against these chargers when everybody had: a failure means that he stays.
fn has_failed(field: &Field, from: UnitId) -> bool {
    let tested = matches!(
        field.ledger().step,
        TurnStep::Routs
            | TurnStep::Feints
            | TurnStep::SecondImpulse
            | TurnStep::FirstMoves
            | TurnStep::SecondMoves
            | TurnStep::Home
    );
    tested && field::troops(field, from).charge.is_some()
}

/// Rolls, and brings him away if he passes and there is somewhere to go.
pub fn try_it(umpire: &mut Umpire<'_, Days>, general: CommanderId, from: UnitId) -> bool {
    let field = umpire.state();
    if field.commander(general).own.unhorsed || has_failed(field, from) {
        return false;
    }
    let Some(to) = refuge(field, general, from) else { return false };
    let (score, pool) = (score(field, general), field.charts().test.dice.value.0);
    let roll = umpire.roll(pool, umpire.state().muster().commander(general).side);
    let passed = roll.total() > score.whole();
    let event = Event::own(Clause::TakingAGeneral, DaysEvent::AtRisk { general, hit: !passed });
    umpire.announce(event.also(Clause::HowATestIsTaken).rolled(roll).because(score));
    if passed {
        post::put(umpire, general, to, Clause::HowToEvade);
    }
    passed
}

/// Straight away from the enemy, or to one side of that, as far as one evades; none where he would be no safer.
fn refuge(field: &Field, general: CommanderId, from: UnitId) -> Option<Pose> {
    let piece = field.commander(general);
    let card = field.muster().commander(general);
    let pace = &field.charts().pace;
    let far = pace.evade.value.of(reach(pace.staff.normal));
    let start = piece.quad().centre;
    let enemy = field.unit(from).quad().centre;
    let straight = if start.distance(enemy) > 1.0 { (start - enemy).normalised() } else { -piece.pose.forward() };
    let right = straight.perp_right();
    let ways = [straight, (straight + right).normalised(), (straight - right).normalised()];
    let safe = |way: &Vec2| {
        let quad: Quad = piece.quad().shifted(*way * far.as_f64());
        let standoff = field::standoff(field);
        field.ground().holds(&quad)
            && ground::staff_toll(field, general, piece.pose.shifted(*way * far.as_f64()).at).refusals.is_empty()
            && !known(field, card.side.other()).any(|(id, unit)| {
                !field::surely_beyond(unit.quad(), &quad, standoff)
                    && field::measured(field::gap_of(stands(field, id), &[quad])) <= standoff
            })
    };
    ways.into_iter().find(safe).map(|way| piece.pose.shifted(way * far.as_f64()))
}
