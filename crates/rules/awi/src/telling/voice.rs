//! Names in a sentence: those of this rulebook beside the common ones.

pub use book::telling::voice::*;

use crate::courier;
use crate::field::Field;
use crate::order::{Objective, Piece, Standing, Verb};

/// The name of a unit or commander.
pub fn piece(field: &Field, piece: Piece) -> &str {
    match piece {
        Piece::Unit(id) => unit(field, id),
        Piece::Commander(id) => commander(field, id),
    }
}

/// What an order to a brigade is about.
fn objective(field: &Field, objective: Objective) -> String {
    match objective {
        Objective::Point(place) => point(place),
        Objective::Feature(id) => feature(field, id),
        Objective::Unit(id) => unit(field, id).to_owned(),
        Objective::Brigade(id) => command(field, id).to_owned(),
        Objective::Edge(which) => format!("the {} edge", edge(which)),
        Objective::Nothing => String::new(),
    }
}

/// An order to a brigade in words.
pub fn standing(field: &Field, order: Standing) -> String {
    let about = objective(field, order.objective);
    match order.verb {
        Verb::Advance => format!("advance on {about}"),
        Verb::Withdraw => format!("withdraw to {about}"),
        Verb::Reserve => "stay in reserve".to_owned(),
        Verb::Attack | Verb::Hold | Verb::Support => format!("{} {about}", courier::verb(order.verb)),
    }
}
