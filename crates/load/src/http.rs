//! As much of HTTP as a load client needs: one request, one answer, on loopback.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use wire::Created;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer: its status and its body.
async fn ask(at: SocketAddr, method: &str, path: &str, key: Option<&str>, body: &str) -> Result<(u16, String)> {
    let mut stream = TcpStream::connect(at).await?;
    let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n{key}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.context("no answer")??;
    let answer = String::from_utf8(answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").context("the answer was cut short")?;
    let status = head.split_whitespace().nth(1).and_then(|word| word.parse().ok()).context("no status")?;
    let length = head.lines().filter_map(|line| line.split_once(':'));
    let length = length
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, value)| value.trim().parse().ok());
    if length != Some(body.len()) {
        bail!("the answer was cut short");
    }
    Ok((status, body.to_owned()))
}

/// Asks until the server is there and has an answer; for requests that may be repeated.
async fn insist(at: SocketAddr, method: &str, path: &str, key: Option<&str>, body: &str) -> Result<String> {
    let mut last = String::new();
    for _ in 0..600 {
        match ask(at, method, path, key, body).await {
            Ok((200 | 201, body)) => return Ok(body),
            // Too many at once, or just opening: both pass.
            Ok((429 | 503, body)) => last = body,
            Ok((status, body)) => bail!("{method} {path}: {status} {body}"),
            Err(error) => last = error.to_string(),
        }
        sleep(Duration::from_millis(100)).await;
    }
    bail!("{method} {path}: no answer: {last}")
}

/// Calls a battle into being.
pub async fn create(at: SocketAddr, wish: &Value) -> Result<Created> {
    Ok(serde_json::from_str(&insist(at, "POST", "/api/battles", None, &wish.to_string()).await?)?)
}

/// The replay of a battle that is over.
pub async fn replay(at: SocketAddr, battle: &str, key: &str) -> Result<String> {
    insist(at, "GET", &format!("/api/battles/{battle}/replay"), Some(key), "").await
}
