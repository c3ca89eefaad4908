//! The JSON API. Each route says what it is in a `utoipa` note above it, and the description programs read is made of
//! those notes.

mod battles;
mod library;
mod solo;
mod study;

use crate::House;
use crate::failure::Failure;
use crate::live::{Refusal, RefusalKind};
use crate::store::{Record, Role};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use wire::{MOST_FILE, Problem};

/// Room in a request for a set-up and house rules inside JSON.
const MOST_BODY: usize = 4 * MOST_FILE;

#[derive(OpenApi)]
#[openapi(
    info(title = "Grognard", description = "Tabletop battles with the rules enforced. A seat's key is shown as \
        `Authorization: Bearer KEY`; every answer that is not 2xx is a Problem. Live play goes over the WebSocket at \
        /api/battles/{id}/live, whose first message is {\"hello\":{\"token\":KEY}}; see docs/server.md."),
    paths(
        healthz, library::rulesets, library::clauses, library::ruling, library::scenarios, library::levels,
        battles::create, battles::info, battles::board, battles::order, battles::motion, battles::hint, battles::live,
        solo::lend, solo::keep, study::frames, study::minds, study::replay, study::upload, study::check
    ),
    components(schemas(Problem)),
    modifiers(&SeatKey)
)]
struct Description;

struct SeatKey;

impl utoipa::Modify for SeatKey {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        document.components.get_or_insert_default().add_security_scheme("seat", bearer);
    }
}

/// All routes but the page.
pub fn routes(house: Arc<House>) -> Router {
    let replay_bytes = house.hall.limits.replay_bytes;
    Router::new()
        .route("/healthz", get(healthz))
        .route("/api/openapi.json", get(|| async { Json(Description::openapi()) }))
        .route("/api/rulesets", get(library::rulesets))
        .route("/api/rulesets/{id}/clauses", get(library::clauses))
        .route("/api/rulings/{id}", get(library::ruling))
        .route("/api/scenarios", get(library::scenarios))
        .route("/api/levels", get(library::levels))
        .route("/api/battles", post(battles::create))
        .route("/api/battles/{id}", get(battles::info))
        .route("/api/battles/{id}/board", get(battles::board))
        .route("/api/battles/{id}/orders", post(battles::order))
        .route("/api/battles/{id}/motions", post(battles::motion))
        .route("/api/battles/{id}/hint", post(battles::hint))
        .route("/api/battles/{id}/loan", post(solo::lend))
        .route("/api/battles/{id}/lines", post(solo::keep))
        .route("/api/battles/{id}/minds", get(study::minds))
        .route("/api/battles/{id}/frames", get(study::frames))
        .route("/api/battles/{id}/replay", get(study::replay))
        .route("/api/battles/{id}/live", get(battles::live))
        .route("/api/setups/check", post(study::check))
        .route("/api/replays", post(study::upload).layer(DefaultBodyLimit::max(replay_bytes)))
        .method_not_allowed_fallback(not_that_way)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .with_state(house)
}

async fn not_that_way() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this route is not asked that way; see /api/openapi.json")
}

/// Whether the house is well.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "all is well"), (status = 503, body = Problem)))]
async fn healthz(State(house): State<Arc<House>>) -> Response {
    if *house.closing.borrow() {
        return Failure::unavailable("the house is closing").into_response();
    }
    if !house.hall.store.is_well().await {
        return Failure::unavailable("the battles cannot be read").into_response();
    }
    Json(serde_json::json!({ "well": true, "awake": house.hall.awake() })).into_response()
}

/// A JSON body, or why it is none.
fn body<T: DeserializeOwned>(bytes: Result<Bytes, BytesRejection>) -> Result<T, Failure> {
    serde_json::from_slice(&whole(bytes)?).map_err(|error| Failure::bad(format!("the request cannot be read: {error}")))
}

/// A body, or why there is none.
fn whole(bytes: Result<Bytes, BytesRejection>) -> Result<Bytes, Failure> {
    bytes.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"),
        _ => Failure::bad("the request was cut short"),
    })
}

/// The battle a request is about and whom its key lets in.
async fn seated(house: &House, id: &str, headers: &HeaderMap) -> Result<(Arc<Record>, Role), Failure> {
    let record = house.hall.store.record(id).await?.ok_or_else(|| Failure::unknown("there is no such battle"))?;
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(key) = shown.and_then(|value| value.strip_prefix("Bearer ")) else {
        return Err(Failure::new(StatusCode::UNAUTHORIZED, "show the key of a seat: Authorization: Bearer KEY"));
    };
    let role = record
        .role(key.trim())
        .ok_or_else(|| Failure::new(StatusCode::FORBIDDEN, "this key opens no seat of the battle"))?;
    Ok((Arc::new(record), role))
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let status = match refusal.kind {
            RefusalKind::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::Untimely => StatusCode::CONFLICT,
            RefusalKind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            RefusalKind::House => StatusCode::SERVICE_UNAVAILABLE,
        };
        let faults = refusal.reasons.iter().map(|reason| format!("{} [{}]", reason.text, reason.clause)).collect();
        Failure { status, problem: Problem { why: refusal.why, faults } }
    }
}
