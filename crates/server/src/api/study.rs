//! Replays and set-ups: looking back at battles, taking them away and bringing them along.

use super::battles::{admit, enrolment, start_failure};
use super::{seated, whole};
use crate::House;
use crate::failure::Failure;
use crate::live::news;
use crate::store::Terms;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::replay::ReplayFile;
use engine::setup::Mode;
use engine::{Faults, Outcome, Side, Viewer};
use serde::Deserialize;
use std::sync::Arc;
use wire::{Created, Frames, MOST_FILE, MOST_FRAMES, Minds, Problem, SetupReport, Standing};

/// Which moments.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The first one; 0 is the beginning.
    #[serde(default)]
    from: u32,
    /// How many, at most 24.
    #[serde(default = "one")]
    count: u32,
}

/// Moments whose thoughts are told at once.
const MOST_MINDS: u32 = 200;

fn one() -> u32 {
    1
}

/// Moments of a battle as the seat saw them; everything, once it is over.
#[utoipa::path(get, path = "/api/battles/{id}/frames", params(Which), security(("seat" = [])), responses(
    (status = 200, body = Frames), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem)))]
pub async fn frames(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Json<Frames>, Failure> {
    let Query(which) = which.map_err(|error| Failure::bad(error.body_text()))?;
    if which.count == 0 || which.count > MOST_FRAMES {
        return Err(Failure::bad(format!("count is 1 to {MOST_FRAMES}")));
    }
    let (record, role) = seated(&house, &id, &headers).await?;
    let viewer = match record.standing {
        Standing::Over { .. } => Viewer::Umpire,
        _ => news::viewer(&record, role),
    };
    let (replay, _) = house.hall.store.replay(&record).await?;
    let reader = Arc::clone(&house);
    let work = move || reader.shelf.read(&record.id, &replay, viewer, which.from, which.count);
    house.work(work).await?.map(Json).map_err(|why| {
        tracing::error!(battle = id, why, "a replay does not play");
        Failure::unavailable(format!("the battle cannot be played again: {why}"))
    })
}

/// What the bots thought before the orders that led to these moments: after the battle, or in it where that was agreed.
#[utoipa::path(get, path = "/api/battles/{id}/minds", params(Which), security(("seat" = [])), responses(
    (status = 200, body = Minds), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn minds(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Json<Minds>, Failure> {
    let Query(which) = which.map_err(|error| Failure::bad(error.body_text()))?;
    if which.count == 0 || which.count > MOST_MINDS {
        return Err(Failure::bad(format!("count is 1 to {MOST_MINDS}")));
    }
    let (record, _) = seated(&house, &id, &headers).await?;
    if !matches!(record.standing, Standing::Over { .. }) && !record.terms.minds {
        let why = "the battle is not over: what the bots think is told afterwards, unless it was begun with open minds";
        return Err(Failure::new(StatusCode::CONFLICT, why));
    }
    let upto = which.from.saturating_add(which.count);
    Ok(Json(Minds { minds: house.hall.store.minds(&record.id, which.from, upto).await? }))
}

/// The replay file of a battle that is over.
#[utoipa::path(get, path = "/api/battles/{id}/replay", security(("seat" = [])), responses(
    (status = 200, description = "JSON lines, as docs/formats.md has them", content_type = "application/jsonl"),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
pub async fn replay(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let (record, _) = seated(&house, &id, &headers).await?;
    let outcome = match &record.standing {
        Standing::Over { winner, why, clause } => {
            let winner = winner.and_then(|n| Side::BOTH.get(usize::from(n)).copied());
            Some(Outcome { winner, clause: clause.clone(), why: why.clone() })
        }
        _ if record.study => None,
        // The file holds the seed and every secret.
        _ => {
            let why = "the battle is not over: its replay would tell what is still hidden";
            return Err(Failure::new(StatusCode::CONFLICT, why));
        }
    };
    let (mut replay, _) = house.hall.store.replay(&record).await?;
    replay.outcome = outcome;
    let name = format!("attachment; filename=\"grognard-{id}.jsonl\"");
    let headers = [(header::CONTENT_TYPE, "application/jsonl".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, replay.to_text()).into_response())
}

/// Takes a replay file in: it is played from beginning to end, and kept to be looked at.
#[utoipa::path(post, path = "/api/replays", request_body(content = String, content_type = "application/jsonl"),
    responses((status = 201, body = Created), (status = 413, body = Problem), (status = 422, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub async fn upload(
    State(house): State<Arc<House>>,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let text = text(whole(bytes)?)?;
    admit(&house)?;
    let played = house.work(move || {
        let replay = ReplayFile::parse(&text).map_err(|faults| Failure::faults("this is no replay", &faults))?;
        let game = rules::resume(&replay, None).map_err(start_failure)?;
        let lines = replay.entries.iter().filter_map(|entry| serde_json::to_string(entry).ok()).collect();
        let (record, created) = enrolment(game.as_ref(), [None, None], true, Terms::default())?;
        Ok::<_, Failure>((record, created, lines))
    });
    let (record, created, lines) = played.await??;
    house.hall.store.enrol(record, lines).await?;
    tracing::info!(battle = created.id, "a replay is taken in");
    Ok((StatusCode::CREATED, Json(created)))
}

fn text(bytes: Bytes) -> Result<String, Failure> {
    String::from_utf8(bytes.into()).map_err(|_| Failure::bad("the file is not text"))
}

/// Names every fault of a set-up file.
#[utoipa::path(post, path = "/api/setups/check", request_body(content = String, content_type = "application/toml"),
    responses((status = 200, body = SetupReport), (status = 413, body = Problem)))]
pub async fn check(
    State(house): State<Arc<House>>,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Json<SetupReport>, Failure> {
    let text = text(whole(bytes)?)?;
    if text.len() > MOST_FILE {
        let why = format!("a set-up file has at most {MOST_FILE} bytes");
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why));
    }
    let faults = house.work(move || judge(&text)).await?;
    let words = |list: &[engine::FileFault]| list.iter().map(ToString::to_string).collect();
    let (faults, cautions) = (words(&faults.faults), words(&faults.cautions));
    Ok(Json(SetupReport { fine: Vec::is_empty(&faults), faults, cautions }))
}

fn judge(text: &str) -> Faults {
    let named = rules::ruleset_of(text).unwrap_or_default();
    // Where no ruleset is named, any of them says so.
    let id = if named.is_empty() { rules::IDS.first().copied().unwrap_or_default() } else { named.as_str() };
    let read = rules::dispatch!(id, R => match engine::setup::muster::<R>(text, None, Mode::Battle) {
        Ok(mustered) => mustered.cautions,
        Err(faults) => faults,
    });
    read.unwrap_or_else(|| Faults::whole(rules::StartError::UnknownRuleset(named).to_string()))
}
