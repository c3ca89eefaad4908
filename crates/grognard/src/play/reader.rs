//! Typed lines: from a keyboard, a file or a pipe; never longer than a line should be.

use std::io::{self, BufRead, IsTerminal, StdinLock};

/// A longer line is no order.
const LONGEST: usize = 64 << 10;

pub struct Reader {
    input: StdinLock<'static>,
    /// Whether somebody types, rather than a file.
    pub keyboard: bool,
}

impl Reader {
    pub fn stdin() -> Reader {
        let input = io::stdin();
        let keyboard = input.is_terminal();
        Reader { input: input.lock(), keyboard }
    }

    /// The next line without its end; nothing when the input is over.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((!bytes.is_empty()).then(|| text(&bytes)));
            }
            let (part, found) = match chunk.iter().position(|byte| *byte == b'\n') {
                Some(end) => (&chunk[..end], true),
                None => (chunk, false),
            };
            let room = LONGEST.saturating_sub(bytes.len());
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(found);
            self.input.consume(used);
            if found {
                return Ok(Some(text(&bytes)));
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}
