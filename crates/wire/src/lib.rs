//! Messages between server and browser. Nothing here decides anything: the server checks every field it reads, and a
//! browser learns from these messages only what its seat may know.

mod live;
mod lobby;
mod solo;
mod study;

pub use live::{FromBrowser, FromServer, News, Reason, Welcome};
pub use lobby::{
    BattleInfo, Created, LevelInfo, NewBattle, RulesetCard, ScenarioInfo, SeatInfo, SeatWish, Standing, Tokens,
};
pub use solo::{Kept, Loan, LoanAnswer, LoanRequest, SoloLine, SoloLines, word};
pub use study::{
    BoardAnswer, ClauseCard, ClauseList, Frame, Frames, Hint, MindAt, Minds, MotionRequest, OrderAnswer, OrderRequest,
    Problem, RulingText, SetupReport,
};

/// Most frames of one answer.
pub const MOST_FRAMES: u32 = 24;

/// Most lines of a record sent at once.
pub const MOST_LINES: usize = 100;

/// Most bytes of one message from a browser.
pub const MOST_MESSAGE: usize = 256 << 10;
/// Most bytes of a set-up or house-rule file.
pub const MOST_FILE: usize = 512 << 10;
