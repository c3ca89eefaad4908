//! Questions in a wargamer's words, each with its clause and the gestures that answer it.

use super::Offer;
use crate::Guns;
use crate::clause::Clause;
use crate::field::Field;
use crate::order::{Decision, Order};
use book::telling::voice::{count, do_of, is, list, number, unit};
use engine::scene::Prompt;
use engine::{Asked, Side, UnitId, View};

/// The question with its gestures.
pub fn prompt(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side) -> Prompt {
    let (question, clause) = question(view, &asked.decision, side);
    let mut offer = Offer::new(view, asked, side);
    gestures(&mut offer, &asked.decision);
    Prompt { no: asked.no, side, question, clause: clause.id().to_owned(), gestures: offer.into_gestures() }
}

/// So many units are named one by one in a question.
const MOST_NAMES: usize = 2;

fn several(field: &Field, units: &[UnitId]) -> String {
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    if names.len() <= MOST_NAMES { list(&names) } else { count(names.len(), "unit") }
}

fn question(field: &Field, decision: &Decision, side: Side) -> (String, Clause) {
    match decision {
        Decision::Deploy => {
            ("Where do your troops stand, and what are they told to do?".to_owned(), Clause::OpeningOrders)
        }
        Decision::Nominate => ("Which brigades are to move, and with what orders?".to_owned(), Clause::FurtherOrders),
        Decision::Allot { dice, brigades } => {
            let faces: Vec<String> = dice[side].iter().map(u8::to_string).collect();
            let faces: Vec<&str> = faces.iter().map(String::as_str).collect();
            let text =
                format!("You rolled {} for {}: who gets which?", list(&faces), count(brigades[side].len(), "brigade"));
            (text, Clause::DiceDealtFreely)
        }
        Decision::Mark => ("Which batteries fire indirectly, and at what?".to_owned(), Clause::RangingSecond),
        Decision::Plot => {
            ("What does everybody do this bound? The enemy plans as you do.".to_owned(), Clause::Simultaneous)
        }
        Decision::CounterCharge { able } => {
            let mut units: Vec<UnitId> = able[side].iter().map(|shot| shot.unit).collect();
            units.dedup();
            (format!("{}: ride against it?", charged(field, &units)), Clause::CavalryInContact)
        }
        Decision::Guns => ("What do the guns fire at?".to_owned(), Clause::ArtillerySixth),
        Decision::Musketry => ("What do the troops fire at?".to_owned(), Clause::MusketrySeventh),
        Decision::LieDown { units } => {
            let own: Vec<UnitId> = units.iter().copied().filter(|id| field.side_of(*id) == side).collect();
            (format!("{} would not go in: lie down?", several(field, &own)), Clause::FailedLiesDown)
        }
        Decision::Abandon { battery } => {
            let name = unit(field, *battery);
            (format!("The enemy is upon {name}: do the gunners stand by their guns?"), Clause::GunnersTookCover)
        }
        Decision::PressOn { unit: id, among } => {
            let name = unit(field, *id);
            let more = number(among.len());
            let text = format!("Whom {} {name} go for next? {more} in the path", do_of(name));
            (text, Clause::FollowOn)
        }
        Decision::RideThrough { unit: id } => (
            format!("{}: ride on through them?", is(unit(field, *id), "master of the fight")),
            Clause::CavalryBreaksThrough,
        ),
    }
}

fn charged(field: &Field, units: &[UnitId]) -> String {
    match units {
        [one] => is(unit(field, *one), "charged by cavalry"),
        _ => format!("{} are charged by cavalry", several(field, units)),
    }
}

fn gestures(offer: &mut Offer<'_, '_>, decision: &Decision) {
    let side = offer.side;
    match decision {
        Decision::Deploy => offer.set_up(),
        Decision::Nominate => offer.nominations(),
        Decision::Allot { dice, brigades } => offer.allotment(&dice[side], &brigades[side]),
        Decision::Mark => offer.markings(),
        Decision::Plot => offer.plot(),
        Decision::CounterCharge { able } => offer.counter_charges(&able[side]),
        Decision::Guns => offer.guns(),
        Decision::Musketry => offer.musketry(),
        Decision::LieDown { units } => offer.lying_down(units),
        Decision::Abandon { battery } => {
            offer.button_of(*battery, "Stand by the guns", Some('s'), &Order::Pass);
            offer.button_of(*battery, "Run for cover or friends", Some('r'), &Order::Abandon);
        }
        Decision::PressOn { unit, among } => offer.pressing_on(*unit, among),
        Decision::RideThrough { unit } => {
            offer.button_of(*unit, "Ride through", Some('r'), &Order::RideThrough);
            offer.button_of(*unit, "Rein in", Some('s'), &Order::Pass);
        }
    }
}
