//! What the tests share: a house over a folder of its own, requests without a socket, and sockets.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use engine::dump::{Dump, Unpacker};
use engine::facade::Board;
use futures_util::{SinkExt, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::{House, Limits};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tower::ServiceExt;
use wire::{Created, FromBrowser, FromServer, News, Problem, Welcome};

/// The longest a test waits for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A folder of its own, gone with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("grognard-server-{}-{n}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A house with its routes.
pub struct Desk {
    pub app: Router,
    pub house: Arc<House>,
    pub folder: Arc<Folder>,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The reason, where the answer must be one.
    pub fn problem(&self, status: u16) -> Problem {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self.json()
    }
}

impl Desk {
    pub async fn open() -> Desk {
        Desk::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Desk {
        Desk::over(Arc::new(Folder::new()), limits).await
    }

    pub async fn over(folder: Arc<Folder>, limits: Limits) -> Desk {
        let house = House::open(&folder.0, limits, None).await.unwrap();
        Desk { app: server::app(Arc::clone(&house)), house, folder }
    }

    pub async fn ask(&self, request: Request<Body>) -> Answer {
        let response: Response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        Answer { status, headers, body }
    }

    pub async fn get(&self, path: &str, key: Option<&str>) -> Answer {
        self.ask(request("GET", path, key).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, key: Option<&str>, body: impl Into<Body>) -> Answer {
        self.ask(request("POST", path, key).body(body.into()).unwrap()).await
    }

    pub async fn create(&self, wish: Value) -> Created {
        let answer = self.post("/api/battles", None, wish.to_string()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        answer.json()
    }

    /// Two people at the small battle.
    pub async fn duel(&self) -> Created {
        self.create(json!({ "scenario": "awi/skirmish", "seats": ["human", "human"] })).await
    }

    /// Listens on a real socket for as long as the test lasts.
    pub async fn listen(&self) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let at = listener.local_addr().unwrap();
        let app = self.app.clone();
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("ws://{at}")
    }
}

fn request(method: &str, path: &str, key: Option<&str>) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(path);
    match key {
        Some(key) => request.header("authorization", format!("Bearer {key}")),
        None => request,
    }
}

/// A player at a socket.
pub struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    unpacker: Option<Box<dyn Unpacker>>,
    board: Option<Box<dyn Board>>,
    /// Every byte that came.
    pub heard: Vec<String>,
    seq: u32,
}

impl Player {
    /// Connects and says nothing yet.
    pub async fn connect(house: &str, battle: &str) -> Player {
        let (socket, _) = tokio_tungstenite::connect_async(format!("{house}/api/battles/{battle}/live")).await.unwrap();
        Player { socket, unpacker: None, board: None, heard: Vec::new(), seq: 0 }
    }

    /// Connects, shows a key and is welcomed.
    pub async fn sit(house: &str, battle: &str, key: &str) -> (Player, Welcome) {
        let mut player = Player::connect(house, battle).await;
        player.say(&FromBrowser::Hello { token: key.to_owned() }).await;
        match player.hear().await {
            FromServer::Welcome(welcome) => (player, *welcome),
            other => panic!("no welcome: {other:?}"),
        }
    }

    pub async fn say(&mut self, message: &FromBrowser) {
        self.say_text(&serde_json::to_string(message).unwrap()).await;
    }

    pub async fn say_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message; none where the server hung up.
    pub async fn hear_or_end(&mut self) -> Option<FromServer> {
        loop {
            match tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("nothing came") {
                Some(Ok(Message::Text(text))) => {
                    self.heard.push(text.to_string());
                    let message = serde_json::from_str(&text).unwrap();
                    match &message {
                        FromServer::Welcome(welcome) => self.look(&welcome.board),
                        FromServer::News(news) => self.look(&news.board),
                        _ => {}
                    }
                    return Some(message);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    fn look(&mut self, dump: &Dump) {
        let unpacker = self.unpacker.get_or_insert_with(|| rules::unpacker(&dump.ruleset).unwrap());
        self.board = Some(unpacker.board(dump).unwrap());
    }

    /// The table as this seat knows it.
    pub fn board(&self) -> &dyn Board {
        self.board.as_deref().expect("no board yet")
    }

    /// The question's number and an order for it, where this seat is asked one.
    pub fn choice(&self, seed: u64) -> Option<(u32, Value)> {
        let board = self.board();
        let no = board.prompt().and(board.awaited())?.0.0;
        Some((no, board.candidates(seed, 3).into_iter().next().or_else(|| board.fallback())?))
    }

    pub async fn hear(&mut self) -> FromServer {
        self.hear_or_end().await.expect("the server hung up")
    }

    /// The next news, past whatever is no news.
    pub async fn news(&mut self) -> News {
        loop {
            match self.hear().await {
                FromServer::News(news) => return *news,
                FromServer::Refused { why, reasons, .. } => panic!("refused: {why} {reasons:?}"),
                _ => {}
            }
        }
    }

    /// Gives an order and returns its number.
    pub async fn order(&mut self, no: u32, draft: Value) -> u32 {
        self.seq += 1;
        let seq = self.seq;
        self.say(&FromBrowser::Order { seq, no, draft }).await;
        seq
    }

    pub async fn motion(&mut self, motion: engine::Motion) -> u32 {
        self.seq += 1;
        let seq = self.seq;
        self.say(&FromBrowser::Motion { seq, motion }).await;
        seq
    }

    /// Waits for the verdict on an act: nothing where it was taken, the reason otherwise. News on the way are returned.
    pub async fn verdict(&mut self, wanted: u32) -> (Option<String>, Vec<News>) {
        let mut news = Vec::new();
        loop {
            match self.hear().await {
                FromServer::News(one) => news.push(*one),
                FromServer::Accepted { seq } if seq == wanted => return (None, news),
                FromServer::Refused { seq, why, .. } if seq == Some(wanted) => return (Some(why), news),
                _ => {}
            }
        }
    }
}
