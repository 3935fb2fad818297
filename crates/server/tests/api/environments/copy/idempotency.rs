//! A copy with an `Idempotency-Key` runs once, even if it is repeated or interrupted.

use std::time::Duration;

use flagservice_server::http::Settings;
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::{Connection as _, Row as _};

use super::{ALL, differ, path, request, require_approval, target, targeted, version};
use crate::fixture::{
    ApiResponse, Caller, Engine, Obstacle, Server, ServerProcess, environment, everyone, features, on_default_database,
    on_each_database, on_postgres, split, targeting,
};

#[apply(on_default_database)]
async fn a_repeated_copy_request_has_the_same_response_and_copies_nothing_again(database: Database) {
    let server = Server::start(&database).await;
    let (_, goal) = differ(&server).await;
    target(&server, "gift-cards", "staging", &targeting(&[everyone("on")])).await;
    require_approval(&server, "gift-cards").await;
    let caller = server.production_editor();
    let request = request(&["reviews", "gift-cards", "nothing"], &ALL);
    let first = caller.post_once(&path(), "key", &request).await;
    let outcomes: Vec<_> =
        first.ok(200)["results"].as_array().unwrap().iter().map(|result| result["outcome"].clone()).collect();
    assert_eq!(outcomes, ["APPLIED", "PENDING_APPROVAL", "SKIPPED"]);
    let repeat = async || {
        let before = server.stored_rows().await;
        let again = caller.post_once(&path(), "key", &request).await;
        assert_eq!((again.status, &again.text), (200, &first.text));
        assert_eq!(again.header("content-type"), first.header("content-type"));
        server.assert_unchanged_since(&before).await;
    };
    repeat().await;
    // Later edits are kept.
    target(&server, "reviews", "production", &goal).await;
    repeat().await;
    assert_eq!(targeted(&server, "reviews", "production").await, goal);
    // Another key makes it another copy.
    let other = caller.post_once(&path(), "other", &request).await.ok(200);
    assert_eq!(other["results"][0]["outcome"], "APPLIED");
    assert_eq!(other["results"][1]["reason"]["code"], "pendingApproval");
}

#[apply(on_default_database)]
async fn a_finished_copy_is_answered_again_even_if_it_would_now_be_rejected(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let mut request = request(&["reviews"], &ALL);
    request["target"] = json!("development");
    let caller = server.editor();
    let first = caller.post_once(&path(), "key", &request).await;
    assert_eq!(first.ok(200)["results"][0]["outcome"], "APPLIED");
    server.administrator().patch(&environment("development", ""), &json!({ "production": true })).await.ok(200);
    assert_eq!(caller.post_once(&path(), "key", &request).await.text, first.text);
    server.administrator().patch(&environment("development", ""), &json!({ "production": false })).await.ok(200);
    server.administrator().delete(&environment("development", "")).await.ok(204);
    assert_eq!(caller.post_once(&path(), "key", &request).await.text, first.text);
    caller.post_once(&path(), "other", &request).await.problem(404, "not-found");
    // After 24 hours the key can be used again.
    server.clock.set(flagservice_rules::Instant(server.app.now().0 + 24 * 60 * 60 * 1000 + 1));
    caller.post_once(&path(), "key", &request).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn another_body_with_the_same_key_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let (caller, whole) = (server.production_editor(), request(&["reviews"], &ALL));
    caller.post_once(&path(), "key", &whole).await.ok(200);
    let before = server.stored_rows().await;
    for other in [request(&["gift-cards"], &ALL), request(&["reviews"], &ALL[1..])] {
        assert_eq!(caller.post_once(&path(), "key", &other).await.pointers(), ["/Idempotency-Key"]);
    }
    let new = json!({ "key": "new", "name": "New" });
    assert_eq!(caller.post_once(&features(""), "key", &new).await.pointers(), ["/Idempotency-Key"]);
    server.assert_unchanged_since(&before).await;
}

/// Creates features whose targeting differs between staging and production.
async fn create_features(server: &Server, count: usize) -> Vec<String> {
    let keys: Vec<_> = (0..count).map(|number| format!("many-{number:03}")).collect();
    let of = |key: &String| (key.clone(), vec![("staging", targeting(&[everyone("off"), split(20.0, 80.0)]))]);
    server.create_features(keys.iter().map(of)).await;
    keys
}

fn copy_request(keys: &[String]) -> Value {
    request(&keys.iter().map(String::as_str).collect::<Vec<_>>(), &ALL)
}

/// Asserts that the response is complete and each feature was copied exactly once.
async fn assert_each_copied_once(server: &Server, keys: &[String], response: &Value, first_version: u64) {
    let results = response["results"].as_array().unwrap();
    let named: Vec<_> = results.iter().map(|result| result["featureKey"].as_str().unwrap()).collect();
    assert_eq!(named, keys);
    let versions: Vec<_> = results.iter().map(|result| result["version"].as_u64()).collect();
    let expected: Vec<_> = (first_version + 1..).map(Some).take(keys.len()).collect();
    assert_eq!(versions, expected, "{results:?}");
    assert_eq!(version(server, "production").await, first_version + u64::try_from(keys.len()).unwrap());
    let mut connection = server.app.store.read().await.unwrap();
    let rows = sqlx::query(
        "SELECT resource FROM audit_log WHERE action = 'targeting.update' AND after_state LIKE '%copiedFrom%'",
    );
    let rows = rows.fetch_all(&mut *connection).await.unwrap();
    let mut traced: Vec<String> = rows.iter().map(|row| row.get("resource")).collect();
    traced.sort();
    let expected: Vec<_> = keys.iter().map(|key| format!("projects/shop/features/{key}")).collect();
    assert_eq!(traced, expected);
}

#[apply(on_each_database)]
async fn concurrent_identical_requests_copy_each_feature_once_and_get_the_same_response(database: Database) {
    let server = Server::start(&database).await;
    let keys = create_features(&server, 20).await;
    let (caller, request) = (server.production_editor(), copy_request(&keys));
    let before = version(&server, "production").await;
    let path = path();
    let responses = join_all((0..8).map(|_| caller.post_once(&path, "key", &request))).await;
    let done: Vec<_> = responses.iter().filter(|response| response.status == 200).collect();
    assert!(!done.is_empty());
    assert!(done.iter().all(|response| response.text == done[0].text));
    for response in responses.iter().filter(|response| response.status != 200) {
        response.problem(409, "still-running");
    }
    assert_each_copied_once(&server, &keys, &done[0].ok(200), before).await;
}

#[apply(on_postgres)]
async fn two_nodes_with_the_same_request_copy_each_feature_once(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let keys = create_features(&first, 40).await;
    let request = copy_request(&keys);
    let before = version(&first, "production").await;
    let callers = [first.production_editor(), second.production_editor()];
    let ask = async |caller: &Caller| loop {
        let response = caller.post_once(&path(), "key", &request).await;
        if response.status == 200 {
            return response.text;
        }
        response.problem(409, "still-running");
    };
    let (one, other) = tokio::join!(ask(&callers[0]), ask(&callers[1]));
    assert_eq!(one, other);
    assert_each_copied_once(&first, &keys, &serde_json::from_str(&one).unwrap(), before).await;
}

#[apply(on_default_database)]
async fn a_copy_that_timed_out_continues_when_it_is_sent_again(database: Database) {
    let patient = Server::start(&database).await;
    let keys = create_features(&patient, 200).await;
    let before = version(&patient, "production").await;
    patient.stop().await;
    let request = copy_request(&keys);
    let mut interrupted = 0;
    let mut timeout = Duration::from_millis(50);
    let response = loop {
        // A busy machine may not get anything done within the first timeouts.
        timeout *= 2;
        assert!(timeout < Duration::from_secs(60), "it never ends");
        let settings = Settings { request_timeout: timeout, ..Settings::default() };
        let server = Server::start_with(&database, settings).await;
        let response = send_until_it_ends(&server.production_editor(), &request, 20, &mut interrupted).await;
        server.stop().await;
        if let Some(response) = response {
            break response;
        }
    };
    assert!(interrupted > 0, "nothing was interrupted");
    let patient = Server::start(&database).await;
    assert_each_copied_once(&patient, &keys, &response.ok(200), before).await;
}

/// Sends the same request until it is answered, at most so many times, and counts the times that it was not.
async fn send_until_it_ends(
    caller: &Caller,
    request: &Value,
    times: u32,
    interrupted: &mut u32,
) -> Option<ApiResponse> {
    for _ in 0..times {
        let response = caller.post_once(&path(), "key", request).await;
        match response.status {
            200 => return Some(response),
            // Its transaction may still be rolled back.
            409 => drop(response.problem(409, "still-running")),
            _ => drop(response.problem(503, "timeout")),
        }
        *interrupted += 1;
    }
    None
}

/// The advisory lock that PostgreSQL waits for in the test below.
const STUCK: i64 = 7_300;

#[apply(on_each_database)]
async fn a_copy_that_was_killed_continues_when_it_is_sent_again(database: Database) {
    const FEATURES: usize = 40;
    const COPIED: u64 = 20;
    let server = Server::start(&database).await;
    let keys = create_features(&server, FEATURES).await;
    let before = version(&server, "production").await;
    let obstacle = Obstacle {
        before: "UPDATE OF version ON environments",
        when: &format!("NEW.key = 'production' AND NEW.version > {}", before + COPIED),
        // This takes hours.
        sqlite: "SELECT count(*) FROM features a, features b, features c, features d, features e, features f, features g",
        postgres: &format!("PERFORM pg_advisory_xact_lock({STUCK})"),
    };
    obstacle.put(&database, &server).await;
    server.stop().await;

    let mut victim = ServerProcess::start(&database).await;
    let mut connection = flagservice_server::store::Connection::connect(database.url()).await.unwrap();
    if database.engine() == Engine::Postgres {
        let lock = sqlx::query("SELECT pg_advisory_lock($1)").bind(STUCK);
        lock.execute(&mut connection).await.unwrap();
    }
    // Each copied feature raises the version by one.
    let query = "SELECT e.version FROM environments e JOIN projects p ON p.id = e.project_id
        WHERE p.key = 'shop' AND e.key = 'production'";
    let mut copied = async || {
        let version = sqlx::query(query).fetch_one(&mut connection).await.unwrap().get::<i64, _>(0);
        u64::try_from(version).unwrap() - before
    };
    let request = copy_request(&keys);
    let caller = victim.production_editor();
    let sent = caller.request(reqwest::Method::POST, &path()).header("idempotency-key", "key").json(&request).send();
    let kill = async {
        while copied().await < COPIED {
            tokio::task::yield_now().await;
        }
        victim.kill().await;
    };
    // No response arrives.
    let _ = tokio::join!(sent, kill);
    connection.close().await.unwrap();

    let server = Server::start(&database).await;
    Obstacle::remove(&database, &server).await;
    assert_eq!(version(&server, "production").await, before + COPIED);
    let caller = server.production_editor();
    assert_eq!(
        caller.post_once(&path(), "key", &copy_request(&keys[1..])).await.pointers(),
        ["/Idempotency-Key"],
        "another body is another request"
    );
    // On a busy machine the rest takes longer than a request may.
    let response = send_until_it_ends(&caller, &request, 20, &mut 0).await.expect("it never ends");
    assert_each_copied_once(&server, &keys, &response.ok(200), before).await;
    target(&server, &keys[0], "production", &targeting(&[everyone("on")])).await;
    assert_eq!(caller.post_once(&path(), "key", &request).await.text, response.text);
    let differences =
        server.read_only().get(&environment("compare", "?source=staging&target=production")).await.ok(200);
    let rows = differences["features"].as_array().unwrap();
    let differ: Vec<_> = rows
        .iter()
        .filter(|row| row["key"].as_str().unwrap().starts_with("many-") && row["differences"] != json!([]))
        .map(|row| row["key"].clone())
        .collect();
    assert_eq!(differ, [json!(keys[0])]);
}
