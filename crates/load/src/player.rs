//! One seat at one battle, over a WebSocket.

use anyhow::{Context, Result, anyhow, bail};
use engine::Motion;
use engine::dump::{Dump, Unpacker};
use engine::facade::{Board, Draft};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use wire::{BattleInfo, FromBrowser, FromServer, Standing};

/// The longest anybody waits for the server.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many drafts a player chooses among.
const CHOICE: usize = 4;

/// A seat.
pub struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    unpacker: Box<dyn Unpacker>,
    board: Box<dyn Board>,
    seq: u32,
    /// Whether the battle is over.
    pub over: bool,
    /// Bytes that came.
    pub bytes: u64,
    /// News heard.
    pub news: u64,
}

/// What came of an act, and when.
pub enum Verdict {
    /// Taken and written down.
    Accepted(Instant),
    /// Refused, with the reason.
    Refused(String),
}

impl Player {
    /// Sits down.
    pub async fn sit(at: SocketAddr, battle: &str, key: &str) -> Result<Player> {
        let stream = timeout(PATIENCE, TcpStream::connect(at)).await??;
        stream.set_nodelay(true)?;
        let address = format!("ws://{at}/api/battles/{battle}/live");
        let (socket, _) =
            timeout(PATIENCE, tokio_tungstenite::client_async(address, MaybeTlsStream::Plain(stream))).await??;
        let mut socket = socket;
        let hello = FromBrowser::Hello { token: key.to_owned() };
        socket.send(Message::text(serde_json::to_string(&hello)?)).await?;
        let (text, _) = hear(&mut socket).await?;
        let bytes = text.len() as u64;
        let welcome = match serde_json::from_str(&text)? {
            FromServer::Welcome(welcome) => welcome,
            other => bail!("no welcome but {other:?}"),
        };
        let mut unpacker = rules::unpacker(&welcome.info.ruleset).context("no unpacker")?;
        let board = unpacker.board(&welcome.board)?;
        let over = welcome.info.standing != Standing::Playing;
        Ok(Player { socket, unpacker, board, seq: 0, over, bytes, news: 0 })
    }

    /// The number of the question and an order for it, where this seat is asked one.
    pub fn choose(&self, seed: u64) -> Option<(u32, Draft)> {
        let no = self.board.awaited()?.0.0;
        let mut found = self.board.candidates(seed, CHOICE);
        let draft =
            if found.is_empty() { self.board.fallback()? } else { found.swap_remove(seed as usize % found.len()) };
        Some((no, draft))
    }

    /// Whether this seat is asked something.
    pub fn is_asked(&self) -> bool {
        self.board.prompt().is_some()
    }

    /// Sends an order; returns its number and when it went.
    pub async fn order(&mut self, no: u32, draft: Draft) -> Result<(u32, Instant)> {
        self.seq += 1;
        let text = serde_json::to_string(&FromBrowser::Order { seq: self.seq, no, draft })?;
        let sent = Instant::now();
        self.socket.send(Message::text(text)).await?;
        Ok((self.seq, sent))
    }

    /// Makes a motion.
    pub async fn motion(&mut self, motion: Motion) -> Result<u32> {
        self.seq += 1;
        let text = serde_json::to_string(&FromBrowser::Motion { seq: self.seq, motion })?;
        self.socket.send(Message::text(text)).await?;
        Ok(self.seq)
    }

    /// Waits for what becomes of an act.
    pub async fn verdict(&mut self, wanted: u32) -> Result<Verdict> {
        loop {
            let (message, at) = self.next().await?;
            match message {
                FromServer::Accepted { seq } if seq == wanted => return Ok(Verdict::Accepted(at)),
                FromServer::Refused { seq, why, .. } if seq == Some(wanted) => return Ok(Verdict::Refused(why)),
                _ => {}
            }
        }
    }

    /// Waits for the next news, and says when they came.
    pub async fn hear_news(&mut self) -> Result<Instant> {
        let heard = self.news;
        loop {
            let (_, at) = self.next().await?;
            if self.news > heard {
                return Ok(at);
            }
        }
    }

    /// Takes what has come already.
    pub async fn catch_up(&mut self) -> Result<()> {
        while let Ok(message) = timeout(Duration::ZERO, self.next()).await {
            message?;
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<(FromServer, Instant)> {
        let (text, at) = hear(&mut self.socket).await?;
        self.bytes += text.len() as u64;
        let message: FromServer = serde_json::from_str(&text)?;
        match &message {
            FromServer::Welcome(welcome) => self.look(&welcome.board, Some(&welcome.info))?,
            FromServer::News(news) => {
                self.news += 1;
                self.look(&news.board, news.info.as_ref())?;
            }
            FromServer::Farewell { why, .. } => bail!("sent away: {why}"),
            _ => {}
        }
        Ok((message, at))
    }

    fn look(&mut self, dump: &Dump, info: Option<&BattleInfo>) -> Result<()> {
        self.board = self.unpacker.board(dump)?;
        self.over |= info.is_some_and(|info| info.standing != Standing::Playing);
        Ok(())
    }
}

async fn hear(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Result<(String, Instant)> {
    loop {
        let heard = timeout(PATIENCE, socket.next()).await.context("the server is silent")?;
        match heard.ok_or_else(|| anyhow!("the server hung up"))?? {
            Message::Text(text) => return Ok((text.to_string(), Instant::now())),
            Message::Close(_) => bail!("the server hung up"),
            _ => {}
        }
    }
}
