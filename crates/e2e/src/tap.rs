//! A tap on the line between a browser and the server. It keeps every byte the browser is sent, and it can cut the line.

use anyhow::Result;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The tap.
pub struct Tap {
    /// Where the browser goes.
    pub port: u16,
    heard: Arc<Mutex<Vec<u8>>>,
    line: watch::Sender<Line>,
}

/// How the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    /// Cut so many times; every cut ends the connections there are.
    cuts: u32,
    /// Whether new connections are let through.
    open: bool,
}

impl Tap {
    /// Listens for the browser and passes everything on to the server's port.
    pub async fn on(server: u16) -> Result<Tap> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let (line, seen) = watch::channel(Line { cuts: 0, open: true });
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                // Nobody answers behind a cut line; the browser sees its connection end.
                if seen.borrow().open {
                    tokio::spawn(pass(browser, server, Arc::clone(&kept), seen.clone()));
                }
            }
        });
        Ok(Tap { port, heard, line })
    }

    /// Everything the browser has been sent so far, on all its connections.
    pub fn heard(&self) -> Vec<u8> {
        lock(&self.heard).clone()
    }

    /// Whether a word was sent to the browser.
    pub fn has_heard(&self, word: &str) -> bool {
        lock(&self.heard).windows(word.len()).any(|part| part == word.as_bytes())
    }

    /// Ends every connection and lets no new one through until [`Tap::mend`].
    pub fn cut(&self) {
        self.line.send_modify(|line| *line = Line { cuts: line.cuts + 1, open: false });
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.line.send_modify(|line| line.open = true);
    }
}

fn lock(heard: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes one connection on until either end, or somebody with scissors, has had enough.
async fn pass(browser: TcpStream, server: u16, heard: Arc<Mutex<Vec<u8>>>, mut line: watch::Receiver<Line>) {
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else { return };
    // As the server does itself: small messages must not wait for more.
    let _ = (server.set_nodelay(true), browser.set_nodelay(true));
    let (mut from_server, mut to_server) = server.into_split();
    let (mut from_browser, mut to_browser) = browser.into_split();
    let up = async { tokio::io::copy(&mut from_browser, &mut to_server).await.map(drop) };
    let down = async {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = from_server.read(&mut buffer).await?;
            if read == 0 {
                return std::io::Result::Ok(());
            }
            lock(&heard).extend_from_slice(&buffer[..read]);
            to_browser.write_all(&buffer[..read]).await?;
        }
    };
    let before = line.borrow().cuts;
    let cut = async { line.wait_for(|line| line.cuts != before).await.map(drop) };
    tokio::select! {
        _ = up => {}
        _ = down => {}
        _ = cut => {}
    }
}
