//! Logs on the standard error, as lines for people or as JSON for programs. A key is never logged, nor is a path a
//! browser asked for, which may hold one; routes are logged by their pattern.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::level_filters::LevelFilter;

/// The form of the logs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogForm {
    /// For people.
    #[default]
    Plain,
    /// For programs.
    Json,
}

/// Begins logging. Where somebody has begun already, his way stays.
pub fn begin(form: LogForm) {
    let plain =
        tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(LevelFilter::INFO).with_target(false);
    let _ = match form {
        LogForm::Plain => plain.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init(),
        LogForm::Json => plain.json().try_init(),
    };
}

/// Logs each request by its route.
pub async fn requests(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let (status, micros) = (response.status(), begun.elapsed().as_micros() as u64);
    match route {
        Some(route) if status.is_server_error() => {
            tracing::warn!(%method, route, status = status.as_u16(), micros, "request");
        }
        Some(route) => tracing::info!(%method, route, status = status.as_u16(), micros, "request"),
        None => tracing::debug!(%method, status = status.as_u16(), micros, "page"),
    }
    response
}
