//! Runs the program and waits for it, but not for ever.

use serde_json::Value;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Nothing the tests do takes this long; whatever does hangs.
const PATIENCE: Duration = Duration::from_secs(180);

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {:.400} {}", self.out, self.err))
    }

    /// Ends as it should, without a panic.
    pub fn expect(self, code: i32) -> Ran {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_eq!(self.code, code, "out: {:.2000}\nerr: {:.2000}", self.out, self.err);
        self
    }
}

pub fn grognard(args: &[&str]) -> Ran {
    with_input(args, b"")
}

pub fn with_input(args: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
    command.args(args);
    wait(command, input)
}

/// The same in a folder of its own.
pub fn in_folder(folder: &PathBuf, args: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
    command.args(args).current_dir(folder);
    wait(command, input)
}

/// The same with no more memory than a small machine has.
#[cfg(target_os = "linux")]
pub fn with_little_memory(args: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1500000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_grognard")]).args(args);
    wait(command, input)
}

#[cfg(not(target_os = "linux"))]
pub fn with_little_memory(args: &[&str], input: &[u8]) -> Ran {
    with_input(args, input)
}

pub fn wait(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("RUST_BACKTRACE");
    let mut child: Child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let input = input.to_vec();
    // The program may stop listening before we stop talking.
    let talker = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("it hangs: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let _ = talker.join();
    Ran { code: status.code().unwrap_or(-1), out: reader.join().unwrap(), err: complaints.join().unwrap() }
}

/// A fresh folder.
pub fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The scenario the README begins with, as a file's text.
pub fn skirmish() -> &'static str {
    rules::scenario("awi/skirmish").unwrap().text
}

/// A short case that passes.
pub const CASE: &str = r#"
title = "A battalion stands fast"
ruleset = "awi"
clauses = []
start = { active = "british", part = "movement" }
table = { size = ["48in", "48in"] }
sides.british = { edges = ["north"] }
sides.american = { edges = ["south"] }
units.guards = { side = "british", type = "grenadiers", class = "elite", pose = ["24in", "28in", 180] }
units.militia = { side = "american", type = "militia", class = "raw", pose = ["24in", "10in", 0] }

[[step]]
by = "british"
order = { hold = { unit = "@guards" } }
"#;
