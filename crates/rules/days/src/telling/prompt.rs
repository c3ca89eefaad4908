//! Questions in a wargamer's words, each with its clause and the gestures that answer it.

use super::gestures;
use crate::Days;
use crate::clause::Clause;
use crate::field::Field;
use crate::order::Decision;
use book::telling::voice::{commander, count, do_of, is, list, unit};
use engine::scene::Prompt;
use engine::{Asked, Side, UnitId, View};

/// The question with its gestures.
pub fn prompt(view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Prompt {
    let (question, clause) = question(view, &asked.decision, side);
    let gestures = gestures::gestures(view, asked, side);
    Prompt { no: asked.no, side, question, clause: clause.id().to_owned(), gestures }
}

/// So many units are named one by one in a question.
const MOST_NAMES: usize = 2;

fn several(field: &Field, units: &[UnitId]) -> String {
    let names: Vec<&str> = units.iter().map(|id| unit(field, *id)).collect();
    if names.len() <= MOST_NAMES { list(&names) } else { count(names.len(), "unit") }
}

fn question(field: &Field, decision: &Decision, side: Side) -> (String, Clause) {
    let plain = |text: &str, clause: Clause| (text.to_owned(), clause);
    match decision {
        Decision::Reserves => {
            plain("Who stays off the table, who lies hidden, where are your works?", Clause::SilenceAboutReserves)
        }
        Decision::Deploy => plain("Where do your troops stand?", Clause::SettingUpByMap),
        Decision::DeployBrigade { left } => {
            let text = format!("Which brigade do you set up next, and where? {} left", left.len());
            (text, Clause::SettingUpInTurns)
        }
        Decision::Replace { lost } => {
            let names: Vec<&str> = lost.iter().map(|id| commander(field, *id)).collect();
            (format!("Does somebody take the place of {}?", list(&names)), Clause::ReplacingACaptive)
        }
        Decision::Arrive { absent } => {
            let names: Vec<&str> = absent.iter().map(|id| field.muster().command(*id).name.as_str()).collect();
            (format!("Does dust rise for {} this turn, and where?", list(&names)), Clause::DustOnTheHorizon)
        }
        Decision::Charges => plain("Which of your units charge, and whom?", Clause::NamingChargerAndTarget),
        Decision::Rally => plain("Which generals help whom to rally?", Clause::GeneralsWhoRallyTroops),
        Decision::Fire => plain(
            "What do your troops fire at, and who keeps his fire back? The enemy chooses as you do.",
            Clause::TargetsBeforeDice,
        ),
        Decision::React { unit: id, by } => {
            let (name, by) = (unit(field, *id), several(field, by));
            let text =
                format!("{}, and stood: how {} {name} meet it?", is(name, &format!("charged by {by}")), do_of(name));
            (text, Clause::TargetsTestOnceAllHaveMoved)
        }
        Decision::Feint { among } => {
            (format!("Break off the charge of {}?", several(field, among)), Clause::CallingAFeint)
        }
        Decision::Opportunity => plain("Does anybody seize the moment to charge?", Clause::OpportunityCharges),
        Decision::Defend => plain("At whom does the fire go that was kept back?", Clause::HoldingFireBack),
        Decision::Move => plain("Who moves next?", Clause::OrdinaryMoves),
        Decision::Assault { stay, follow } => {
            let all: Vec<UnitId> = stay[side].iter().chain(&follow[side]).copied().collect();
            let text = format!("{}: who holds his cover, whatever comes of the fight?", several(field, &all));
            (text, Clause::RefusingToLeaveCover)
        }
        Decision::GoOn { unit: id } => {
            let text = format!("The enemy before {} is gone: straight on, or against another?", unit(field, *id));
            (text, Clause::NobodyLeftToChase)
        }
        Decision::Surrender { units } => {
            let own: Vec<UnitId> = units.iter().copied().filter(|id| field.side_of(*id) == side).collect();
            (format!("Give up {}?", several(field, &own)), Clause::GivingUnitsUp)
        }
    }
}
