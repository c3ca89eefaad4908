//! Looking back: frames, replays taken away and brought along.

use crate::desk::{Desk, Player};
use engine::replay::ReplayFile;
use engine::{Seed, Side, Viewer};
use serde_json::json;
use wire::{BattleInfo, Created, Frames, Standing};

/// A finished battle, fought in memory.
fn fought(orders: u64) -> String {
    let text = rules::scenario("awi/freemans-farm").unwrap().text;
    let mut game = rules::start(text, None, Seed::from_number(11)).unwrap();
    for n in 0..orders {
        let (no, side) = game.awaited().unwrap();
        let draft = game.board(Viewer::Side(side)).candidates(n, 3).swap_remove(0);
        game.submit(side, no, &draft).unwrap();
    }
    game.motion(Side::A, engine::Motion::Concede).unwrap();
    game.replay().to_text()
}

async fn upload(desk: &Desk, text: String) -> Created {
    let answer = desk.post("/api/replays", None, text).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_replay_brought_along_is_played_and_kept_and_given_back() {
    let desk = Desk::open().await;
    let text = fought(40);
    let made = upload(&desk, text.clone()).await;
    assert_eq!((&made.tokens.a, &made.tokens.b), (&None, &None));
    let key = Some(made.tokens.watch.as_str());
    let info: BattleInfo = desk.get(&format!("/api/battles/{}", made.id), key).await.json();
    assert!(matches!(info.standing, Standing::Over { winner: Some(1), .. }) && info.seed.is_some());
    assert_eq!(desk.get(&format!("/api/battles/{}/replay", made.id), key).await.text(), text);

    // Whoever studies sees everything, at any moment, whichever way he jumps.
    let game = ReplayFile::parse(&text).unwrap();
    let mut unpacker = rules::unpacker("awi").unwrap();
    for (from, count, wanted) in [(0, 3, 3), (10, 24, 24), (30, 24, 12), (5, 1, 1), (41, 5, 1), (42, 5, 0)] {
        let path = format!("/api/battles/{}/frames?from={from}&count={count}", made.id);
        let frames: Frames = desk.get(&path, key).await.json();
        assert_eq!((frames.total, frames.frames.len()), (42, wanted), "{path}");
        for (n, frame) in frames.frames.iter().enumerate() {
            assert_eq!(frame.moment as usize, from + n);
            let truth = rules::resume(&game, Some(from + n)).unwrap();
            let shown = unpacker.board(&frame.board).unwrap();
            assert_eq!(shown.dump(), truth.board(Viewer::Umpire).dump());
            let before = (from + n).checked_sub(1).map(|before| rules::resume(&game, Some(before)).unwrap());
            let events = before.map_or(0, |before| before.events());
            assert_eq!(frame.told.len(), truth.chronicle(Viewer::Umpire, events).len());
            assert_eq!(frame.by, (from + n).checked_sub(1).map(|entry| game.entries[entry].side.index() as u8));
        }
    }
    let house = desk.listen().await;
    let (mut reader, welcome) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    assert_eq!((welcome.viewer, welcome.moments), (Viewer::Umpire, 41));
    let seq = reader.motion(engine::Motion::Draw).await;
    assert_eq!(reader.verdict(seq).await.0.unwrap(), "who watches gives no orders");
}

#[tokio::test]
async fn a_battle_broken_off_may_be_studied_too() {
    let desk = Desk::open().await;
    let text = fought(20);
    let lines: Vec<&str> = text.lines().take(15).collect();
    let made = upload(&desk, lines.join("\n") + "\n").await;
    let path = format!("/api/battles/{}/frames?from=14&count=1", made.id);
    let frames: Frames = desk.get(&path, Some(&made.tokens.watch)).await.json();
    assert_eq!((frames.total, frames.frames.len()), (15, 1));
    let back = desk.get(&format!("/api/battles/{}/replay", made.id), Some(&made.tokens.watch)).await.text();
    assert_eq!(back.lines().count(), 15);
}

#[tokio::test]
async fn a_replay_that_does_not_play_is_told_why() {
    let desk = Desk::open().await;
    let text = fought(20);
    let lines: Vec<&str> = text.lines().collect();
    for (spoiled, why) in [
        (String::new(), "empty"),
        ("not json\n{}\n".to_owned(), "header"),
        (lines[0].replace("\"awi\"", "\"chess\"") + "\n", "chess"),
        (lines[0].replace("\"revision\":1", "\"revision\":99") + "\n", "revision"),
        ([&lines[..5], &lines[6..]].concat().join("\n") + "\n", "line"),
        (lines[..8].join("\n") + "\n{\"odd\":1}\n{\"odder\":2}\n", "not a line of a replay"),
        (text.replacen("\"hash\":\"", "\"hash\":\"f", 1), "not a line of a replay"),
    ] {
        let problem = desk.post("/api/replays", None, spoiled).await.problem(422);
        let all = format!("{} {}", problem.why, problem.faults.join(" "));
        assert!(all.contains(why), "{why}: {all}");
    }
    let two = lines[..8].join("\n") + "\n{\"odd\":1}\n{\"odder\":2}\n";
    assert_eq!(desk.post("/api/replays", None, two).await.problem(422).faults.len(), 2, "every fault is named");
    desk.post("/api/replays", None, vec![0xff]).await.problem(400);
    desk.post("/api/replays", None, "x".repeat(3 << 20)).await.problem(422);
    desk.post("/api/replays", None, "x".repeat(9 << 20)).await.problem(413);
}

#[tokio::test]
async fn a_battle_that_lasts_gives_no_replay_and_veiled_frames() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let (a, b) = (made.tokens.a.clone().unwrap(), made.tokens.b.clone().unwrap());
    let path = |what: &str| format!("/api/battles/{}/{what}", made.id);
    assert!(desk.get(&path("replay"), Some(&a)).await.problem(409).why.contains("not over"));
    for wrong in ["frames?count=0", "frames?count=25", "frames?from=-1", "frames?from=x"] {
        desk.get(&path(wrong), Some(&a)).await.problem(400);
    }
    let frames: Frames = desk.get(&path("frames"), Some(&b)).await.json();
    assert_eq!(frames.frames[0].board.viewer, Viewer::Side(Side::B));
    let frames: Frames = desk.get(&path("frames"), Some(&made.tokens.watch)).await.json();
    assert_eq!(frames.frames[0].board.viewer, Viewer::Spectator);
    desk.post(&path("motions"), Some(&a), json!({ "motion": "concede" }).to_string()).await;
    let frames: Frames = desk.get(&path("frames?from=0&count=2"), Some(&b)).await.json();
    assert_eq!((frames.total, frames.frames[1].board.viewer), (2, Viewer::Umpire));
    let file = desk.get(&path("replay"), Some(&b)).await;
    assert!(file.headers["content-disposition"].to_str().unwrap().contains(".jsonl"));
    ReplayFile::parse(&file.text()).unwrap();
}
