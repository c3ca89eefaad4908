//! Calling battles into being, and playing them without a socket.

use super::{body, seated};
use crate::failure::Failure;
use crate::live::{Act, Call, RefusalKind};
use crate::store::{Record, Role, Terms, now};
use crate::tokens::{self, KeyHash};
use crate::{House, socket};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bots::Level;
use engine::game::Game;
use engine::{Seed, Side, Viewer};
use rules::StartError;
use std::sync::Arc;
use wire::{
    BattleInfo, BoardAnswer, Created, Hint, MOST_FILE, MOST_MESSAGE, MotionRequest, NewBattle, OrderAnswer,
    OrderRequest, Problem, SeatWish, Standing, Tokens,
};

/// Buffers of a socket: thousands are open at once, and most of them are silent.
const READ_BUFFER: usize = 4 << 10;
const WRITE_BUFFER: usize = 0;

pub type Body = Result<Bytes, BytesRejection>;
pub type Answer<T> = Result<Json<T>, Failure>;

/// Calls a battle into being and hands out its keys.
#[utoipa::path(post, path = "/api/battles", request_body = NewBattle, responses(
    (status = 201, body = Created), (status = 422, body = Problem), (status = 413, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub async fn create(State(house): State<Arc<House>>, bytes: Body) -> Result<(StatusCode, Json<Created>), Failure> {
    let wish: NewBattle = body(bytes)?;
    admit(&house)?;
    let bots = [bot(&wish.seats[0])?, bot(&wish.seats[1])?];
    if wish.seed.is_some() && bots == [None, None] {
        return Err(unfit("whoever gives the seed knows the dice: it is taken only where one person plays alone"));
    }
    let setup = setup_text(&wish)?;
    let seed = match wish.seed {
        Some(number) => Seed::from_number(number),
        None => house.seeds.draw()?,
    };
    // Between two people a hint for one of them is a second head against the other, unless both were told.
    let alone = bots != [None, None];
    let terms = Terms { hints: wish.hints.unwrap_or(alone), minds: wish.open_minds };
    let house_rules = wish.house;
    let work = move || rules::start(&setup, house_rules.as_deref(), seed);
    let game = house.work(work).await?.map_err(start_failure)?;
    let (record, created) = enrolment(game.as_ref(), bots, false, terms)?;
    house.hall.store.enrol(record, Vec::new()).await?;
    tracing::info!(battle = created.id, "a battle is called into being");
    Ok((StatusCode::CREATED, Json(created)))
}

/// Whether one more battle may be called into being now.
pub fn admit(house: &House) -> Result<(), Failure> {
    if !house.hall.has_room() {
        return Err(Failure::unavailable("the house is full: too many battles are being fought"));
    }
    if !house.may_begin() {
        let why = "too many battles are being called into being; wait a second";
        return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, why));
    }
    Ok(())
}

/// A record with fresh keys for a game just begun or brought along.
pub fn enrolment(
    game: &dyn Game,
    bots: [Option<String>; 2],
    study: bool,
    terms: Terms,
) -> Result<(Record, Created), Failure> {
    let id = tokens::id()?;
    let key = |taken: bool| if taken { Ok(None) } else { tokens::key().map(Some) };
    let (a, b) = (key(study || bots[0].is_some())?, key(study || bots[1].is_some())?);
    let watch = tokens::key()?;
    let hash = |key: &Option<String>| key.as_deref().and_then(KeyHash::of);
    let record = Record {
        id: id.clone(),
        header: game.replay().header,
        title: game.board(Viewer::Spectator).scene().title,
        sides: game.sides().map(|(_, name)| name),
        bots,
        seats: [hash(&a), hash(&b)],
        watch: KeyHash::of(&watch).ok_or_else(|| Failure::unavailable("no key could be made"))?,
        created: now(),
        standing: game.outcome().map_or(Standing::Playing, |outcome| crate::live::over(&outcome)),
        study,
        terms,
    };
    Ok((record, Created { id, tokens: Tokens { a, b, watch } }))
}

fn unfit(why: impl Into<String>) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, why)
}

fn bot(wish: &SeatWish) -> Result<Option<String>, Failure> {
    match wish {
        SeatWish::Human => Ok(None),
        SeatWish::Bot(name) => match name.parse::<Level>() {
            Ok(level) => Ok(Some(level.name().to_owned())),
            Err(why) => Err(unfit(why)),
        },
    }
}

fn setup_text(wish: &NewBattle) -> Result<String, Failure> {
    for file in [&wish.setup, &wish.house].into_iter().flatten() {
        if file.len() > MOST_FILE {
            let why = format!("a set-up or house-rule file has at most {MOST_FILE} bytes");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
    }
    match (&wish.scenario, &wish.setup) {
        (Some(id), None) => {
            let found = rules::scenario(id).ok_or_else(|| unfit(format!("there is no scenario called `{id}`")))?;
            Ok(found.text.to_owned())
        }
        (None, Some(text)) => Ok(text.clone()),
        _ => Err(unfit("name either a scenario or a set-up")),
    }
}

/// Why a game does not begin, every fault named.
pub fn start_failure(error: StartError) -> Failure {
    match error {
        StartError::Faults(faults) => Failure::faults("the set-up or the house rules have faults", &faults),
        other => unfit(other.to_string()),
    }
}

/// How a battle stands and who is at the table.
#[utoipa::path(get, path = "/api/battles/{id}", security(("seat" = [])), responses(
    (status = 200, body = BattleInfo), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
pub async fn info(State(house): State<Arc<House>>, Path(id): Path<String>, headers: HeaderMap) -> Answer<BattleInfo> {
    let (record, _) = seated(&house, &id, &headers).await?;
    Ok(Json(house.hall.ask(&record, Call::Info).await?))
}

/// The table and the question, as the seat sees them.
#[utoipa::path(get, path = "/api/battles/{id}/board", security(("seat" = [])), responses(
    (status = 200, body = BoardAnswer), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
pub async fn board(State(house): State<Arc<House>>, Path(id): Path<String>, headers: HeaderMap) -> Answer<BoardAnswer> {
    let (record, role) = seated(&house, &id, &headers).await?;
    Ok(Json(house.hall.ask(&record, |reply| Call::Board(role, reply)).await??))
}

/// Answers the question.
#[utoipa::path(post, path = "/api/battles/{id}/orders", security(("seat" = [])), request_body = OrderRequest, responses(
    (status = 200, body = OrderAnswer, description = "taken and written down, or refused by the rules with all reasons"),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
pub async fn order(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Body,
) -> Answer<OrderAnswer> {
    let (record, side) = player(&house, &id, &headers).await?;
    let OrderRequest { no, draft } = body(small(bytes)?)?;
    act(&house, &record, side, Act::Order(no, draft)).await
}

/// Concedes, offers or takes a draw, asks for a take-back or agrees to it, declines, throws the dispute die.
#[utoipa::path(post, path = "/api/battles/{id}/motions", security(("seat" = [])), request_body = MotionRequest,
    responses((status = 200, body = OrderAnswer), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub async fn motion(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Body,
) -> Answer<OrderAnswer> {
    let (record, side) = player(&house, &id, &headers).await?;
    let MotionRequest { motion } = body(small(bytes)?)?;
    act(&house, &record, side, Act::Motion(motion)).await
}

/// What the house would do in this seat's place.
#[utoipa::path(post, path = "/api/battles/{id}/hint", security(("seat" = [])), responses(
    (status = 200, body = Hint), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub async fn hint(State(house): State<Arc<House>>, Path(id): Path<String>, headers: HeaderMap) -> Answer<Hint> {
    let (record, side) = player(&house, &id, &headers).await?;
    Ok(Json(house.hall.ask(&record, |reply| Call::Advise(side, reply)).await??))
}

pub async fn player(house: &House, id: &str, headers: &HeaderMap) -> Result<(Arc<Record>, Side), Failure> {
    match seated(house, id, headers).await? {
        (record, Role::Player(side)) => Ok((record, side)),
        _ => Err(Failure::new(StatusCode::FORBIDDEN, "who watches gives no orders")),
    }
}

/// An order has the size of a message, whichever way it comes.
fn small(bytes: Body) -> Result<Body, Failure> {
    match bytes {
        Ok(bytes) if bytes.len() > MOST_MESSAGE => {
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a message has at most {MOST_MESSAGE} bytes")))
        }
        other => Ok(other),
    }
}

async fn act(house: &House, record: &Arc<Record>, side: Side, act: Act) -> Answer<OrderAnswer> {
    match house.hall.ask(record, |reply| Call::ActBy(side, act, reply)).await? {
        Ok(told) => {
            let told = told.iter().filter_map(|told| serde_json::to_value(told).ok()).collect();
            Ok(Json(OrderAnswer { accepted: true, told, reasons: Vec::new() }))
        }
        Err(refusal) if refusal.kind == RefusalKind::Illegal && !refusal.reasons.is_empty() => {
            let reasons = refusal.reasons.iter().filter_map(|reason| serde_json::to_value(reason).ok()).collect();
            Ok(Json(OrderAnswer { accepted: false, told: Vec::new(), reasons }))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// Live play over a WebSocket; its first message is the key.
#[utoipa::path(get, path = "/api/battles/{id}/live", responses(
    (status = 101, description = "the socket is open; say hello"), (status = 426, body = Problem),
    (status = 503, body = Problem)))]
pub async fn live(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Failure::new(StatusCode::UPGRADE_REQUIRED, "this route is a WebSocket").into_response();
    };
    let Some(place) = house.place() else {
        return Failure::unavailable("the house is full: too many sockets are open").into_response();
    };
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        // A message somewhat too long is still read, so that it can be answered with the reason.
        .max_message_size(2 * MOST_MESSAGE)
        .max_frame_size(2 * MOST_MESSAGE)
        .on_upgrade(move |socket| socket::attend(house, id, socket, place))
}
