//! Battles played in the page of the one person who fights them: handed out, and their record taken in.

use super::battles::{Answer, Body, player};
use super::{body, seated};
use crate::House;
use crate::live::{Call, RefusalKind};
use crate::store::Role;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use std::sync::Arc;
use wire::{Kept, LoanAnswer, LoanRequest, Problem, SoloLines};

/// Hands a battle of one person against the computer to that person's page, which then plays it by itself.
#[utoipa::path(post, path = "/api/battles/{id}/loan", security(("seat" = [])), request_body = LoanRequest, responses(
    (status = 200, body = LoanAnswer, description = "the battle, or why it is played over the server"),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 503, body = Problem)))]
pub async fn lend(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Body,
) -> Answer<LoanAnswer> {
    let (record, role) = seated(&house, &id, &headers).await?;
    let LoanRequest { was } = body(bytes)?;
    // Every page asks, and most battles stay here: that is no failure.
    let kept = |why: String| Ok(Json(LoanAnswer { loan: None, why: Some(why) }));
    let Role::Player(side) = role else { return kept("who watches plays nothing".to_owned()) };
    match house.hall.ask(&record, |reply| Call::Lend(side, was, reply)).await? {
        Ok(loan) => Ok(Json(LoanAnswer { loan: Some(loan), why: None })),
        Err(refusal) if refusal.kind == RefusalKind::Untimely => kept(refusal.why),
        Err(refusal) => Err(refusal.into()),
    }
}

/// Keeps lines of the record of a battle that was handed out; each is played again before it is written down.
#[utoipa::path(post, path = "/api/battles/{id}/lines", security(("seat" = [])), request_body = SoloLines, responses(
    (status = 200, body = Kept, description = "written down, or there already"), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem, description = "the battle is played elsewhere, or its record says otherwise"),
    (status = 413, body = Problem), (status = 422, body = Problem, description = "a line cannot be played"),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub async fn keep(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Body,
) -> Answer<Kept> {
    let (record, side) = player(&house, &id, &headers).await?;
    let lines: SoloLines = body(bytes)?;
    Ok(Json(house.hall.ask(&record, |reply| Call::Keep(side, lines, reply)).await??))
}
