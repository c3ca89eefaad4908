//! Battles hosted by messages alone, as the page's worker hosts them.

#![allow(clippy::unwrap_used, clippy::panic)]

use bots::Leash;
use engine::dump::Unpacker;
use engine::facade::Board;
use engine::game::Game;
use engine::replay::ReplayFile;
use engine::{Motion, Seed, Side};
use steward::Solo;
use steward::solo::{MakeSeat, Out, unkept};
use wire::{BattleInfo, FromBrowser, FromServer, Loan, Reason, SeatInfo, SoloLine, SoloLines, Standing};

/// One small battle of every family, and how a player of it is made.
const BATTLES: &[(&str, MakeSeat)] = &[
    ("awi/skirmish", bots::seat_of::<rules::awi::Awi>),
    ("fpw/brigade", bots::seat_of::<rules::fpw::Fpw>),
    ("guns/alma", bots::seat_of::<rules::guns::Guns>),
    ("iron/lesson", bots::seat_of::<rules::days::Days>),
];

/// A loan as the server makes it.
fn loan(game: &dyn Game, level: &str) -> Loan {
    let replay = game.replay();
    let seat = |bot: Option<&str>| SeatInfo { side: String::new(), bot: bot.map(str::to_owned), present: false };
    let info = BattleInfo {
        id: "b".to_owned(),
        ruleset: replay.header.ruleset.clone(),
        title: String::new(),
        created: 0,
        updated: 0,
        seats: [seat(None), seat(Some(level))],
        standing: Standing::Playing,
        seed_hash: replay.header.seed.commitment(),
        seed: None,
        watchers: 0,
        hints: true,
        open_minds: false,
    };
    let (family, lease) = (String::new(), "l".to_owned());
    Loan { family, lease, info, side: 0, header: replay.header, entries: replay.entries }
}

/// A player at a hosted battle who knows only what he is told.
struct Player {
    solo: Solo,
    unpacker: Box<dyn Unpacker>,
    board: Option<Box<dyn Board>>,
    lines: Vec<SoloLine>,
    over: Option<BattleInfo>,
    seq: u32,
}

impl Player {
    fn sit(scenario: &str, level: &str, seat: MakeSeat, upto: &[SoloLine]) -> Player {
        let setup = rules::scenario(scenario).unwrap();
        let fresh = rules::start(setup.text, None, Seed::from_number(7)).unwrap();
        let mut replay = fresh.replay();
        replay.entries = upto.iter().map(|line| line.entry.clone()).collect();
        let game = rules::resume(&replay, None).unwrap();
        let solo = Solo::new(&loan(game.as_ref(), level), game, seat).unwrap();
        let unpacker = rules::unpacker(setup.ruleset).unwrap();
        let mut player = Player { solo, unpacker, board: None, lines: upto.to_vec(), over: None, seq: 0 };
        let welcome = player.solo.welcome().unwrap();
        player.take_in(welcome);
        player
    }

    /// Takes everything in; the last verdict on an act of this player.
    fn take_in(&mut self, outs: Vec<Out>) -> Option<Result<u32, (String, Vec<Reason>)>> {
        let mut verdict = None;
        for out in outs {
            match out {
                Out::Keep(line) => self.lines.push(*line),
                Out::Say(message) => match *message {
                    FromServer::Welcome(welcome) => self.board = Some(self.unpacker.board(&welcome.board).unwrap()),
                    FromServer::News(news) => {
                        self.board = Some(self.unpacker.board(&news.board).unwrap());
                        self.over = news.info.or(self.over.take());
                    }
                    FromServer::Accepted { seq } => verdict = Some(Ok(seq)),
                    FromServer::Refused { why, reasons, .. } => verdict = Some(Err((why, reasons))),
                    _ => {}
                },
            }
        }
        verdict
    }

    fn board(&self) -> &dyn Board {
        self.board.as_deref().unwrap()
    }

    fn say(&mut self, make: impl FnOnce(u32) -> FromBrowser) -> Result<u32, (String, Vec<Reason>)> {
        self.seq += 1;
        let outs = self.solo.hear(make(self.seq), 100).unwrap();
        self.take_in(outs).unwrap()
    }

    /// Does the next thing; false when the battle is over.
    fn step(&mut self) -> bool {
        if self.board().outcome().is_some() {
            return false;
        }
        if self.solo.is_bots_turn() {
            let outs = self.solo.bot_turn(&mut Leash::nodes(40), 100).unwrap();
            self.take_in(outs);
            return true;
        }
        let board = self.board();
        let (no, draft) = (board.awaited().unwrap().0.0, board.fallback().unwrap());
        assert!(self.say(|seq| FromBrowser::Order { seq, no, draft }).is_ok());
        true
    }

    fn replay(&self) -> ReplayFile {
        self.solo.game().replay()
    }
}

#[test]
fn a_battle_of_every_family_is_fought_to_its_end_and_its_lines_are_its_record() {
    for (scenario, seat) in BATTLES {
        let mut player = Player::sit(scenario, "careful", *seat, &[]);
        let mut steps = 0;
        while player.step() {
            steps += 1;
            assert!(steps < 20_000, "{scenario} does not end");
        }
        let over = player.over.as_ref().unwrap();
        assert!(matches!(over.standing, Standing::Over { .. }) && over.seed.is_some(), "{scenario}");
        let replay = player.replay();
        let told: Vec<_> = player.lines.iter().map(|line| line.entry.clone()).collect();
        assert_eq!(told, replay.entries, "{scenario}");
        assert!(rules::resume(&replay, None).unwrap().outcome().is_some());
    }
}

#[test]
fn a_battle_taken_up_in_the_middle_goes_on_from_the_same_hash() {
    let (scenario, seat) = BATTLES[0];
    let mut player = Player::sit(scenario, "veteran", seat, &[]);
    while player.lines.len() < 30 && player.step() {}
    let mut again = Player::sit(scenario, "veteran", seat, &player.lines);
    assert_eq!(again.solo.game().hash(), player.solo.game().hash());
    assert_eq!(again.board().dump(), player.board().dump());
    // The same orders from here on lead to the same states, whoever held the battle before.
    while again.lines.len() < 60 && again.step() {}
    rules::resume(&again.replay(), None).unwrap();
    assert!(player.lines.iter().any(|line| line.thoughts.is_some()), "what a veteran thinks is kept");
    assert!(player.lines.iter().filter(|line| line.thoughts.is_some()).all(|line| line.entry.side == Side::B));
}

#[test]
fn the_rules_refuse_with_every_reason_and_nothing_is_kept() {
    let (scenario, seat) = BATTLES[0];
    let mut player = Player::sit(scenario, "random", seat, &[]);
    for n in 0..400 {
        let asked = !player.solo.is_bots_turn() && player.board().prompt().is_some();
        let march = player.board().candidates(n, 4).into_iter().find_map(|draft| draft.pointer("/move/unit").cloned());
        let Some(unit) = march.filter(|_| asked) else {
            assert!(player.step());
            continue;
        };
        let no = player.board().awaited().unwrap().0.0;
        let legs = ["ahead 400in"];
        let draft = serde_json::json!({ "move": { "unit": unit, "half": false, "by_road": false, "legs": legs } });
        let kept = player.lines.len();
        let (why, reasons) = player.say(|seq| FromBrowser::Order { seq, no, draft }).unwrap_err();
        assert_eq!(why, "the rules forbid it");
        assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.clause.starts_with("awi.")));
        let stale = serde_json::json!({});
        assert!(player.say(|seq| FromBrowser::Order { seq, no: no + 1, draft: stale }).is_err());
        assert_eq!(player.lines.len(), kept);
        let hint = player.solo.advise(&mut Leash::nodes(40)).unwrap();
        assert!(hint.no == no && !hint.thoughts.ways.is_empty());
        return;
    }
    panic!("nobody ever moved");
}

#[test]
fn motions_are_answered_as_over_the_server() {
    let (scenario, seat) = BATTLES[0];
    let mut player = Player::sit(scenario, "careful", seat, &[]);
    while player.solo.game().may_take_back() != Some(Side::A) {
        assert!(player.step());
    }
    let kept = player.lines.len();
    assert!(player.say(|seq| FromBrowser::Motion { seq, motion: Motion::TakeBack }).is_ok());
    assert_eq!(player.lines.len(), kept + 2, "asked, and agreed to");
    assert!(player.say(|seq| FromBrowser::Motion { seq, motion: Motion::Draw }).is_ok());
    assert_eq!(player.solo.game().offer(), None, "the computer does not part");
    assert!(player.say(|seq| FromBrowser::Motion { seq, motion: Motion::Decline }).is_err());
    assert!(player.say(|seq| FromBrowser::Motion { seq, motion: Motion::Concede }).is_ok());
    assert!(matches!(player.over.as_ref().unwrap().standing, Standing::Over { winner: Some(1), .. }));
    assert!(!player.solo.is_bots_turn());
}

#[test]
fn what_lay_on_the_shelf_follows_on_the_record_or_is_dropped() {
    let (scenario, seat) = BATTLES[0];
    let mut player = Player::sit(scenario, "random", seat, &[]);
    while player.lines.len() < 8 && player.step() {}
    let lines = player.lines.clone();
    let entries: Vec<_> = lines.iter().map(|line| line.entry.clone()).collect();
    let shelf = |from: usize, upto: usize| SoloLines {
        lease: "l".to_owned(),
        from: from as u32,
        lines: lines[from..upto].to_vec(),
    };
    let lacks = |kept: usize, shelf: &SoloLines| unkept(&entries[..kept], shelf).map(|lines| lines.len());
    assert_eq!(lacks(4, &shelf(4, 8)), Some(4));
    assert_eq!(lacks(6, &shelf(4, 8)), Some(2), "some of them arrived, and nobody said so");
    assert_eq!(lacks(8, &shelf(4, 6)), Some(0));
    assert_eq!(lacks(3, &shelf(4, 8)), None, "a line between is missing");
    let mut other = shelf(4, 8);
    other.lines.reverse();
    assert_eq!(lacks(6, &other), None, "somebody played on elsewhere");
}
