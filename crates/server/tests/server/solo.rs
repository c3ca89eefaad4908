//! Battles played in the page: lent out, and their record taken in line by line.

use crate::desk::{Desk, Player};
use bots::Leash;
use serde_json::json;
use server::Limits;
use std::sync::Arc;
use steward::Solo;
use steward::solo::Out;
use wire::{Created, FromBrowser, Kept, Loan, LoanAnswer, Minds, Problem, SoloLine, SoloLines};

/// A page that plays a battle by itself.
struct Page {
    solo: Solo,
    battle: String,
    key: String,
    lines: SoloLines,
    seq: u32,
}

async fn ask_loan(desk: &Desk, battle: &str, key: &str, was: Option<&str>) -> LoanAnswer {
    let wish = json!({ "was": was }).to_string();
    let answer = desk.post(&format!("/api/battles/{battle}/loan"), Some(key), wish).await;
    assert!(answer.status.is_success(), "{}", answer.text());
    answer.json()
}

impl Page {
    fn open(made: &Created, loan: &Loan) -> Page {
        let replay =
            engine::replay::ReplayFile { header: loan.header.clone(), entries: loan.entries.clone(), outcome: None };
        let game = rules::resume(&replay, None).unwrap();
        let solo = Solo::new(loan, game, bots::seat_of::<rules::awi::Awi>).unwrap();
        let lines = SoloLines { lease: loan.lease.clone(), from: loan.entries.len() as u32, lines: Vec::new() };
        Page { solo, battle: made.id.clone(), key: made.tokens.a.clone().unwrap(), lines, seq: 0 }
    }

    async fn borrow(desk: &Desk, made: &Created, was: Option<&str>) -> Page {
        let key = made.tokens.a.clone().unwrap();
        let answer = ask_loan(desk, &made.id, &key, was).await;
        Page::open(made, &answer.loan.unwrap_or_else(|| panic!("not lent: {:?}", answer.why)))
    }

    fn note(&mut self, outs: Vec<Out>) {
        for out in outs {
            if let Out::Keep(line) = out {
                self.lines.lines.push(*line);
            }
        }
    }

    /// Plays until so many lines wait.
    fn play(&mut self, lines: usize) {
        while self.lines.lines.len() < lines {
            let outs = if self.solo.is_bots_turn() {
                self.solo.bot_turn(&mut Leash::nodes(40), 0).unwrap()
            } else {
                let board = self.solo.game().board(engine::Viewer::Side(engine::Side::A));
                let (no, draft) = (board.awaited().unwrap().0.0, board.fallback().unwrap());
                drop(board);
                self.say(|seq| FromBrowser::Order { seq, no, draft })
            };
            self.note(outs);
        }
    }

    fn say(&mut self, make: impl FnOnce(u32) -> FromBrowser) -> Vec<Out> {
        self.seq += 1;
        self.solo.hear(make(self.seq), 0).unwrap()
    }

    async fn send(&self, desk: &Desk, lines: &SoloLines) -> Result<Kept, (u16, Problem)> {
        let body = serde_json::to_string(lines).unwrap();
        let answer = desk.post(&format!("/api/battles/{}/lines", self.battle), Some(&self.key), body).await;
        if answer.status.is_success() { Ok(answer.json()) } else { Err((answer.status.as_u16(), answer.json())) }
    }

    /// Brings what waits to the server.
    async fn deliver(&mut self, desk: &Desk) -> Kept {
        let kept = self.send(desk, &self.lines).await.unwrap();
        self.lines.from += self.lines.lines.len() as u32;
        self.lines.lines.clear();
        kept
    }

    fn one(&self, from: u32, line: SoloLine) -> SoloLines {
        SoloLines { lease: self.lines.lease.clone(), from, lines: vec![line] }
    }
}

async fn begin(desk: &Desk, level: &str) -> Created {
    desk.create(json!({ "scenario": "awi/skirmish", "seed": 7, "seats": ["human", { "bot": level }] })).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_battle_is_played_in_the_page_and_the_house_keeps_its_record() {
    let desk = Desk::open().await;
    let made = begin(&desk, "veteran").await;
    let mut page = Page::borrow(&desk, &made, None).await;
    page.play(12);
    // Who asks how it stands, looks at the table or back at it wakes no bot of the house.
    for what in ["", "/board", "/frames?from=0&count=4"] {
        assert!(desk.get(&format!("/api/battles/{}{what}", made.id), Some(&page.key)).await.status.is_success());
    }
    assert_eq!(page.deliver(&desk).await, Kept { lines: 12 });
    page.play(7);
    // An acknowledgement that was lost on the way costs nothing.
    let again = page.lines.clone();
    assert_eq!(page.deliver(&desk).await, Kept { lines: 19 });
    assert_eq!(page.send(&desk, &again).await.unwrap(), Kept { lines: 19 });

    // A watcher sees it all the same.
    let house = desk.listen().await;
    let (mut watcher, welcome) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    assert_eq!(welcome.moments, 19);
    assert!(welcome.info.seats[0].present, "who plays in his page is at the table");
    page.play(2);
    page.deliver(&desk).await;
    assert_eq!(watcher.news().await.moments, 20);
    assert_eq!(watcher.news().await.moments, 21);

    let outs = page.say(|seq| FromBrowser::Motion { seq, motion: engine::Motion::Concede });
    page.note(outs);
    page.deliver(&desk).await;
    let replay = desk.get(&format!("/api/battles/{}/replay", made.id), Some(&page.key)).await.text();
    let replay = engine::replay::ReplayFile::parse(&replay).unwrap();
    assert_eq!(replay.entries, page.solo.game().replay().entries);
    rules::resume(&replay, None).unwrap();
    let minds = desk.get(&format!("/api/battles/{}/minds?count=200", made.id), Some(&page.key)).await;
    assert!(minds.json::<Minds>().minds.iter().all(|mind| mind.by == 1));
    let over = ask_loan(&desk, &made.id, &page.key, Some(&page.lines.lease)).await;
    assert!(over.loan.is_none() && over.why.unwrap().contains("over"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_plays_on_elsewhere_takes_the_battle_back() {
    let desk = Desk::open().await;
    let made = begin(&desk, "careful").await;
    let mut page = Page::borrow(&desk, &made, None).await;
    page.play(6);
    page.deliver(&desk).await;
    // Another window of the same seat is not lent it; the same browser after a reload is.
    let other = ask_loan(&desk, &made.id, &page.key, None).await;
    assert!(other.loan.is_none() && other.why.unwrap().contains("another window"));
    let mut page = Page::borrow(&desk, &made, Some(&page.lines.lease.clone())).await;
    page.play(2);
    page.deliver(&desk).await;
    page.play(8);

    let house = desk.listen().await;
    let (mut player, welcome) = Player::sit(&house, &made.id, &page.key).await;
    assert_eq!(welcome.moments, 8);
    let (status, problem) = page.send(&desk, &page.lines).await.unwrap_err();
    assert!(status == 409 && problem.why.contains("another window"), "{problem:?}");
    // The house's own bot plays from here on.
    let mut moments = welcome.moments;
    while moments < 20 {
        if let Some((no, draft)) = player.choice(u64::from(moments)) {
            player.order(no, draft).await;
        }
        moments = player.news().await.moments;
    }
    drop(player);
    let lines = page.lines.clone();
    let refused = loop {
        match page.send(&desk, &lines).await {
            Err((status, problem)) if !problem.why.contains("window") => break (status, problem.why),
            // The socket's farewell is still under way.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            Ok(kept) => panic!("taken: {kept:?}"),
        }
    };
    assert!(refused.0 == 409 && refused.1.contains("says otherwise"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_that_do_not_follow_or_cannot_be_played_are_refused_and_change_nothing() {
    let desk = Desk::open().await;
    let made = begin(&desk, "careful").await;
    let mut page = Page::borrow(&desk, &made, None).await;
    page.play(4);
    page.deliver(&desk).await;
    page.play(2);
    let [next, after] = [page.lines.lines[0].clone(), page.lines.lines[1].clone()];
    let (status, problem) = page.send(&desk, &page.one(5, after.clone())).await.unwrap_err();
    assert!(status == 409 && problem.why.contains("does not follow"), "{problem:?}");
    let mut forged = next.clone();
    forged.entry.hash = after.entry.hash;
    let (status, problem) = page.send(&desk, &page.one(4, forged)).await.unwrap_err();
    assert!(status == 422 && problem.why.contains("hash"), "{problem:?}");
    let mut loose = next.clone();
    loose.entry.order = Some(json!({ "win": "now" }));
    let (status, problem) = page.send(&desk, &page.one(4, loose)).await.unwrap_err();
    assert!(status == 422 && problem.why.contains("cannot be played"), "{problem:?}");
    let many = SoloLines { lines: vec![next; 101], ..page.lines.clone() };
    assert_eq!(page.send(&desk, &many).await.unwrap_err().0, 422);
    let path = format!("/api/battles/{}/lines", made.id);
    desk.post(&path, Some(&page.key), "{\"lease\":1}").await.problem(400);
    desk.post(&path, Some(&made.tokens.watch), "{}").await.problem(403);
    desk.post(&path, None, "{}").await.problem(401);
    desk.post(&path, Some(&page.key), vec![b' '; 3 << 20]).await.problem(413);
    // What is right is still taken.
    assert_eq!(page.deliver(&desk).await, Kept { lines: 6 });
}

#[tokio::test]
async fn only_a_battle_of_one_person_against_the_computer_is_lent() {
    let desk = Desk::open().await;
    let duel = desk.duel().await;
    let alone = begin(&desk, "careful").await;
    for (battle, key, why) in [
        (&duel.id, duel.tokens.a.as_ref().unwrap(), "one person"),
        (&duel.id, &duel.tokens.watch, "watches"),
        (&alone.id, &alone.tokens.watch, "watches"),
    ] {
        let answer = ask_loan(&desk, battle, key, None).await;
        assert!(answer.loan.is_none() && answer.why.as_ref().unwrap().contains(why), "{answer:?}");
    }
    desk.post(&format!("/api/battles/{}/loan", alone.id), None, "{}").await.problem(401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_was_closed_meanwhile_takes_what_was_played_without_it() {
    let desk = Desk::open().await;
    let made = begin(&desk, "careful").await;
    let mut page = Page::borrow(&desk, &made, None).await;
    page.play(5);
    page.deliver(&desk).await;
    let folder = Arc::clone(&desk.folder);
    drop(desk);
    page.play(20);
    let desk = Desk::over(folder, Limits::default()).await;
    // Somebody asks how it stands before the page comes back: no bot plays on.
    let path = format!("/api/battles/{}", made.id);
    assert!(desk.get(&path, Some(&made.tokens.watch)).await.status.is_success());
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(page.deliver(&desk).await, Kept { lines: 25 });
}
