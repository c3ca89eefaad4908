//! `grognard serve` as people start and stop it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, ended with the test.
struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Served {
    fn start(name: &str, args: &[&str]) -> Served {
        Served::over(std::env::temp_dir().join(format!("grognard-serve-{name}-{}", std::process::id())), args)
    }

    fn over(folder: PathBuf, args: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
            .args(["serve", "--data"])
            .arg(&folder)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Served { child, out, folder }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// `127.0.0.1:PORT` of the line that says where it is.
    fn address(&mut self) -> String {
        let line = self.line();
        let url = line.strip_prefix("Grognard is at http://").unwrap_or_else(|| panic!("{line}"));
        url.trim_end_matches('/').to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn ask(address: &str, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.replace('\n', "\r\n").as_bytes()).unwrap();
    stream
}

#[test]
fn it_says_where_it_is_and_makes_its_folder() {
    let mut served = Served::start("where", &["--port", "0", "--log", "json"]);
    let address = served.address();
    let mut answer = String::new();
    let request = "GET /healthz HTTP/1.1\nhost: x\nconnection: close\n\n";
    ask(&address, request).read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(served.folder.join("battles.sqlite").exists());
}

#[test]
fn a_port_that_is_taken_is_an_error_where_it_was_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut served = Served::start("taken", &["--port", &port]);
    assert_eq!(served.line(), "");
    assert_eq!(served.child.wait().unwrap().code(), Some(2));
    let mut error = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(error.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{error}");
}

#[test]
fn the_usual_port_may_be_taken() {
    // Where this fails somebody else has it, which is as good.
    let _taken = TcpListener::bind("127.0.0.1:8080");
    let mut served = Served::start("usual", &[]);
    assert_eq!(served.line(), "Port 8080 is taken, so another one was chosen.");
    assert!(!served.address().ends_with(":8080"));
}

#[test]
fn a_folder_that_cannot_be_one_is_an_error() {
    let mut served = Served::over(PathBuf::from("/dev/null/battles"), &["--port", "0"]);
    assert_eq!(served.line(), "");
    assert_eq!(served.child.wait().unwrap().code(), Some(2));
    let mut error = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(error.contains("cannot be opened"), "{error}");
}

#[cfg(unix)]
#[test]
fn asked_to_stop_it_sends_sockets_home_and_ends_well() {
    let mut served = Served::start("stop", &["--port", "0"]);
    let address = served.address();
    let upgrade = "GET /api/battles/x/live HTTP/1.1\nhost: x\nconnection: upgrade\nupgrade: websocket\n\
                   sec-websocket-version: 13\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\n\n";
    let mut socket = ask(&address, upgrade);
    let mut begun = [0; 12];
    socket.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 101");
    let asked = Instant::now();
    let stop = Command::new("kill").args(["-TERM", &served.child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    let mut rest = Vec::new();
    socket.read_to_end(&mut rest).unwrap();
    let rest = String::from_utf8_lossy(&rest);
    assert!(rest.contains("\"farewell\"") && rest.contains("\"again\":true"), "{rest}");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
}
