//! What those at the table are told. Every word goes through the viewer of the seat it is said to.

use engine::Viewer;
use engine::dump::{DumpError, Held};
use engine::game::Game;
use wire::{BattleInfo, FromServer, News, Standing, Welcome};

/// An outcome as messages have it.
pub fn over(outcome: &engine::Outcome) -> Standing {
    Standing::Over {
        winner: outcome.winner.map(|side| side.index() as u8),
        why: outcome.why.clone(),
        clause: outcome.clause.clone(),
    }
}

/// How a battle stands that nothing froze.
pub fn standing(game: &dyn Game) -> Standing {
    game.outcome().map_or(Standing::Playing, |outcome| over(&outcome))
}

/// Everything a seat needs to sit down. Whoever is welcomed begins anew and holds nothing.
pub fn welcome(game: &dyn Game, viewer: Viewer, info: BattleInfo, held: &mut Held) -> Result<FromServer, DumpError> {
    *held = Held::default();
    Ok(FromServer::Welcome(Box::new(Welcome {
        info,
        viewer,
        board: game.dump(viewer, held)?,
        chronicle: game.chronicle(viewer, 0),
        offer: game.offer(),
        may_take_back: game.may_take_back(),
        moments: moments(game),
    })))
}

/// What changed since there were `from` events; with the battle where more than the table changed.
pub fn news(
    game: &dyn Game,
    viewer: Viewer,
    from: usize,
    info: Option<BattleInfo>,
    held: &mut Held,
) -> Result<FromServer, DumpError> {
    Ok(FromServer::News(Box::new(News {
        board: game.dump(viewer, held)?,
        told: game.chronicle(viewer, from),
        info,
        offer: game.offer(),
        may_take_back: game.may_take_back(),
        moments: moments(game),
    })))
}

/// The length of the replay. A sealed answer counts, which tells no more than the "committed" everybody hears.
pub fn moments(game: &dyn Game) -> u32 {
    u32::try_from(game.entries()).unwrap_or(u32::MAX)
}
