//! What can be played and read, the page, and what every answer carries.

use crate::desk::Desk;
use axum::body::Body;
use axum::http::Request;
use serde_json::Value;
use wire::{ClauseList, LevelInfo, RulesetCard, RulingText, ScenarioInfo, SetupReport};

#[tokio::test]
async fn the_shelves_are_full() {
    let desk = Desk::open().await;
    let cards: Vec<RulesetCard> = desk.get("/api/rulesets", None).await.json();
    let playable: Vec<&str> = cards.iter().filter(|card| card.playable).map(|card| card.id.as_str()).collect();
    assert_eq!(playable, rules::IDS);
    assert_eq!(cards.len(), 5);
    assert!(cards.iter().all(|card| ![&card.name, &card.about, &card.period].iter().any(|text| text.is_empty())));

    let scenarios: Vec<ScenarioInfo> = desk.get("/api/scenarios", None).await.json();
    assert_eq!(scenarios.len(), rules::SCENARIOS.len());
    assert!(scenarios.iter().all(|scenario| !scenario.title.is_empty() && scenario.units.iter().all(|n| *n > 0)));

    let levels: Vec<LevelInfo> = desk.get("/api/levels", None).await.json();
    assert_eq!(levels.len(), bots::Level::ALL.len());
}

#[tokio::test]
async fn clauses_and_their_rulings_are_read() {
    let desk = Desk::open().await;
    let list: ClauseList = desk.get("/api/rulesets/awi/clauses", None).await.json();
    assert!(list.clauses.len() > 100);
    let ruled = list.clauses.iter().find(|clause| !clause.rulings.is_empty()).unwrap();
    for id in &ruled.rulings {
        let ruling: RulingText = desk.get(&format!("/api/rulings/{id}"), None).await.json();
        assert!(ruling.text.starts_with(&format!("# {id}")), "{}", ruling.text);
    }
    assert!(desk.get("/api/rulesets/chess/clauses", None).await.problem(404).why.contains("chess"));
    for id in ["awi-9999", "..%2F..%2FREADME", "%2e%2e"] {
        desk.get(&format!("/api/rulings/{id}"), None).await.problem(404);
    }
}

#[tokio::test]
async fn a_set_up_is_told_all_its_faults() {
    let desk = Desk::open().await;
    let text = rules::scenario("awi/skirmish").unwrap().text;
    let report: SetupReport = desk.post("/api/setups/check", None, text).await.json();
    assert!(report.fine && report.faults.is_empty(), "{report:?}");
    let spoiled = text.replace("turn_limit", "turn_limits").replacen("kind", "kinds", 2);
    let report: SetupReport = desk.post("/api/setups/check", None, spoiled).await.json();
    assert!(!report.fine && report.faults.len() > 1, "{report:?}");
    let report: SetupReport = desk.post("/api/setups/check", None, "ruleset = \"chess\"").await.json();
    assert!(report.faults[0].contains("chess"), "{report:?}");
    let report: SetupReport = desk.post("/api/setups/check", None, "no toml at all [").await.json();
    assert!(!report.fine);
    desk.post("/api/setups/check", None, vec![0xff, 0xfe]).await.problem(400);
    desk.post("/api/setups/check", None, "#".repeat(wire::MOST_FILE + 1)).await.problem(413);
}

#[tokio::test]
async fn the_description_names_every_route_and_every_route_answers() {
    let desk = Desk::open().await;
    let description: Value = desk.get("/api/openapi.json", None).await.json();
    let paths = description["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 20);
    for (path, methods) in paths {
        for (method, route) in methods.as_object().unwrap() {
            assert!(
                !route["summary"].as_str().or(route["description"].as_str()).unwrap_or_default().is_empty(),
                "{path}"
            );
            let method = method.to_uppercase();
            let request = Request::builder().method(method.as_str()).uri(path.replace("{id}", "nothing"));
            let answer = desk.ask(request.body(Body::empty()).unwrap()).await;
            assert_ne!(answer.status.as_u16(), 405, "{method} {path}");
            assert!(!answer.text().contains("no such route"), "{method} {path}");
            if !answer.status.is_success() {
                answer.problem(answer.status.as_u16());
            }
        }
    }
    assert!(description["components"]["schemas"]["Problem"].is_object());
    assert!(description["components"]["securitySchemes"]["seat"].is_object());
}

#[tokio::test]
async fn a_strange_route_or_method_is_a_problem() {
    let desk = Desk::open().await;
    desk.get("/api/nothing", None).await.problem(404);
    desk.get("/api", None).await.problem(404);
    desk.post("/api/rulesets", None, "").await.problem(405);
    desk.post("/somewhere", None, "").await.problem(405);
    desk.get("/missing.js", None).await.problem(404);
    desk.get("/.gitignore", None).await.problem(404);
}

#[tokio::test]
async fn every_answer_is_guarded_and_every_place_leads_to_the_page() {
    let desk = Desk::open().await;
    for path in ["/", "/battle/0123", "/lesson", "/api/rulesets", "/healthz"] {
        let answer = desk.get(path, None).await;
        assert!(answer.status.is_success(), "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        // tidy: allow(the word belongs to the policy's own language)
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'"));
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
    }
    let page = desk.get("/", None).await;
    assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    assert!(page.text().contains("Grognard"));
}
