//! The little HTTP the stage speaks itself: to the server's JSON API, and to the driver where the standard has no word.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Asks a program on this machine and reads its JSON answer.
pub async fn ask(port: u16, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Result<Value> {
    let answer = fetch(port, method, path, token, body).await?;
    serde_json::from_str(&answer).with_context(|| format!("{method} {path}: no JSON in the answer"))
}

/// Asks a program on this machine and takes its answer as it is.
pub async fn fetch(port: u16, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Result<String> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n{token}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.context("nobody listens there")?;
    stream.write_all(request.as_bytes()).await?;
    let answer = read(&mut stream).await?;
    let (head, body) = answer.split_once("\r\n\r\n").context("no HTTP answer")?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if !status.starts_with('2') {
        bail!("{method} {path} was answered with {status}: {body}");
    }
    Ok(body.to_owned())
}

/// Reads a whole answer. The driver keeps its connections open, so the length it names counts, not the end.
async fn read(stream: &mut TcpStream) -> Result<String> {
    let mut answer = Vec::new();
    let mut buffer = vec![0; 16 << 10];
    loop {
        let read = stream.read(&mut buffer).await?;
        answer.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&answer);
        let length = text.split_once("\r\n\r\n").and_then(|(head, _)| Some((head.len() + 4, length_in(head)?)));
        if read == 0 || length.is_some_and(|(head, body)| answer.len() >= head + body) {
            return Ok(text.into_owned());
        }
    }
}

fn length_in(head: &str) -> Option<usize> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let mut lengths = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths.next()?.1.trim().parse().ok()
}
