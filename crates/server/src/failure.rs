//! Why a request is not served: a status and a [`Problem`], for every answer that is not 2xx.

use crate::store::StoreError;
use crate::tokens::NoChance;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine::Faults;
use wire::Problem;

/// A status and the reason.
#[derive(Debug)]
pub struct Failure {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub problem: Problem,
}

impl Failure {
    /// A failure with one sentence.
    pub fn new(status: StatusCode, why: impl Into<String>) -> Failure {
        Failure { status, problem: Problem { why: why.into(), faults: Vec::new() } }
    }

    /// The request makes no sense.
    pub fn bad(why: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, why)
    }

    /// There is no such thing.
    pub fn unknown(why: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, why)
    }

    /// The house has no room, or is at fault itself.
    pub fn unavailable(why: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// A file with faults, each named.
    pub fn faults(why: &str, faults: &Faults) -> Failure {
        let faults = faults.faults.iter().map(ToString::to_string).collect();
        Failure { status: StatusCode::UNPROCESSABLE_ENTITY, problem: Problem { why: why.to_owned(), faults } }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        tracing::error!(%error, "the store failed");
        Failure::unavailable("the battles cannot be read or written just now; nothing was changed")
    }
}

impl From<NoChance> for Failure {
    fn from(error: NoChance) -> Failure {
        tracing::error!(%error, "no chance");
        Failure::unavailable("the system gives no random numbers just now")
    }
}
