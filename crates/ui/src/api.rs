//! Requests to the server this page came from.

use gloo_net::http::{Request, Response};
use serde::de::DeserializeOwned;
use wire::{
    BattleInfo, ClauseList, Created, Frames, Hint, LevelInfo, Minds, NewBattle, Problem, RulesetCard, RulingText,
    ScenarioInfo,
};

/// Why a request came back empty, in a sentence, with every single fault.
pub type Fail = Problem;

fn broken(error: impl ToString) -> Fail {
    Problem { why: format!("the server cannot be reached: {}", error.to_string()), faults: Vec::new() }
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, Fail> {
    if response.ok() {
        return response.json().await.map_err(broken);
    }
    let status = response.status();
    let plain = |_| Problem { why: format!("the server answered {status}"), faults: Vec::new() };
    Err(response.json::<Problem>().await.unwrap_or_else(plain))
}

async fn get<T: DeserializeOwned>(path: &str, token: Option<&str>) -> Result<T, Fail> {
    let mut request = Request::get(path);
    if let Some(token) = token {
        request = request.header("Authorization", &format!("Bearer {token}"));
    }
    read(request.send().await.map_err(broken)?).await
}

pub async fn rulesets() -> Result<Vec<RulesetCard>, Fail> {
    get("/api/rulesets", None).await
}

pub async fn scenarios() -> Result<Vec<ScenarioInfo>, Fail> {
    get("/api/scenarios", None).await
}

pub async fn levels() -> Result<Vec<LevelInfo>, Fail> {
    get("/api/levels", None).await
}

pub async fn clauses(ruleset: &str) -> Result<ClauseList, Fail> {
    get(&format!("/api/rulesets/{ruleset}/clauses"), None).await
}

pub async fn ruling(id: &str) -> Result<RulingText, Fail> {
    get(&format!("/api/rulings/{id}"), None).await
}

pub async fn battle(id: &str, token: &str) -> Result<BattleInfo, Fail> {
    get(&format!("/api/battles/{id}"), Some(token)).await
}

pub async fn frames(id: &str, token: &str, from: u32, count: u32) -> Result<Frames, Fail> {
    get(&format!("/api/battles/{id}/frames?from={from}&count={count}"), Some(token)).await
}

/// What the house would do in this seat's place.
pub async fn hint(id: &str, token: &str) -> Result<Hint, Fail> {
    let request = Request::post(&format!("/api/battles/{id}/hint")).header("Authorization", &format!("Bearer {token}"));
    read(request.send().await.map_err(broken)?).await
}

/// The answer to a wish to play a battle in this page, as it is; where there is none, whether to ask again.
pub async fn borrow(id: &str, token: &str, wish: &str) -> Result<String, bool> {
    let request = Request::post(&format!("/api/battles/{id}/loan")).header("Authorization", &format!("Bearer {token}"));
    let request = request.header("Content-Type", "application/json").body(wish).map_err(|_| false)?;
    let response = request.send().await.map_err(|_| true)?;
    if !response.ok() {
        return Err(response.status() >= 500);
    }
    response.text().await.map_err(|_| true)
}

/// What bots thought before the orders that led to these moments.
pub async fn minds(id: &str, token: &str, from: u32, count: u32) -> Result<Minds, Fail> {
    get(&format!("/api/battles/{id}/minds?from={from}&count={count}"), Some(token)).await
}

pub async fn begin(battle: &NewBattle) -> Result<Created, Fail> {
    let request = Request::post("/api/battles").json(battle).map_err(broken)?;
    read(request.send().await.map_err(broken)?).await
}

pub async fn upload(text: String) -> Result<Created, Fail> {
    let request = Request::post("/api/replays").header("Content-Type", "text/plain").body(text).map_err(broken)?;
    read(request.send().await.map_err(broken)?).await
}

/// The text of a replay file.
pub async fn replay(id: &str, token: &str) -> Result<String, Fail> {
    let request =
        Request::get(&format!("/api/battles/{id}/replay")).header("Authorization", &format!("Bearer {token}"));
    let response = request.send().await.map_err(broken)?;
    if response.ok() {
        return response.text().await.map_err(broken);
    }
    read::<()>(response).await.map(|()| String::new())
}
