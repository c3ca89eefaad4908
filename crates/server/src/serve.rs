//! From options to an open door: routes, sockets, signals.

use crate::logs::{self, LogForm};
use crate::store::StoreError;
use crate::{House, Limits, api, page};
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{from_fn, map_response};
use axum::response::Response;
use axum::serve::ListenerExt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;
use tokio::net::TcpListener;

/// The port where nobody asks for another.
pub const DEFAULT_PORT: u16 = 8080;
/// What a page from here may load: its own scripts and workers, its own WASM, its own sockets.
// tidy: allow(the word belongs to the policy's own language)
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      worker-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; \
                      object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the battles are kept.
    pub data: PathBuf,
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; where none is named the usual one, or a free one if that is taken.
    pub port: Option<u16>,
    /// The form of the logs.
    pub log: LogForm,
    /// How much of anything.
    pub limits: Limits,
    /// In a rehearsal the dice of every battle are known: seeds are numbered from here. Never for people who mean to win.
    pub rehearsal: Option<u64>,
}

/// Where the house is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The address.
    pub at: SocketAddr,
    /// Whether the usual port was taken.
    pub elsewhere: bool,
}

/// Why nobody is served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The battles cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port is taken, or the address is not ours.
    #[error("cannot listen on {at}: {why}")]
    Listen {
        /// Where.
        at: SocketAddr,
        /// Why.
        why: io::Error,
    },
    /// The system does not let us work.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

/// All routes over a house.
pub fn app(house: Arc<House>) -> Router {
    api::routes(house).fallback(page::serve).layer(map_response(guard)).layer(from_fn(logs::requests))
}

/// Puts on every answer what keeps a page from being made to do something else.
async fn guard(mut response: Response) -> Response {
    const HEADERS: [(HeaderName, &str); 3] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Serves until the process is asked to stop. `ready` is told the address.
pub async fn serve(options: Options, ready: impl FnOnce(Address)) -> Result<(), ServeError> {
    logs::begin(options.log);
    let house = House::open(&options.data, options.limits.clone(), options.rehearsal).await?;
    let (listener, elsewhere) = listen(&options).await?;
    let at = listener.local_addr()?;
    tracing::info!(%at, data = %options.data.display(), "the house is open");
    ready(Address { at, elsewhere });
    // Nagle's algorithm would hold the waiting player's news back for tens of milliseconds.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "no TCP_NODELAY");
        }
    });
    let (app, closing) = (app(Arc::clone(&house)), house.closing.clone());
    let stop = async move {
        asked_to_stop().await;
        tracing::info!("asked to stop");
        // Sockets are hung up on at once; plain requests under way are still answered.
        closing.send_replace(true);
    };
    axum::serve(listener, app).with_graceful_shutdown(stop).await?;
    house.close().await;
    tracing::info!("the house is closed");
    Ok(())
}

/// The same for a program without a runtime of its own.
pub fn run(options: Options, ready: impl FnOnce(Address)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(options, ready))
}

async fn listen(options: &Options) -> Result<(TcpListener, bool), ServeError> {
    let at = SocketAddr::new(options.host, options.port.unwrap_or(DEFAULT_PORT));
    match TcpListener::bind(at).await {
        Ok(listener) => Ok((listener, false)),
        Err(why) if options.port.is_none() && why.kind() == io::ErrorKind::AddrInUse => {
            Ok((TcpListener::bind(SocketAddr::new(options.host, 0)).await?, true))
        }
        Err(why) => Err(ServeError::Listen { at, why }),
    }
}

#[cfg(unix)]
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn asked_to_stop() {
    let _ = tokio::signal::ctrl_c().await;
}

/// Where a user's battles are kept if nobody says otherwise.
pub fn default_data() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(|| Some(folder("HOME")?.join(".local/share")))
    };
    Some(base?.join("grognard"))
}
