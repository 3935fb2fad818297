//! Acknowledged writes survive a restart and a `kill -9`, and the database settings make commits durable.

mod syncs;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, Row as _};

use flagservice_server::store::{Connection, Store, suffixed};

use crate::fixture::{
    Database, Engine, Server, ServerProcess, eventually, everyone, features, on_each_database, on_each_empty_database,
    on_sqlite, targeting, targeting_of,
};

/// The value of a setting on a connection.
async fn setting(connection: &mut Connection, query: &'static str) -> String {
    let row = sqlx::query(query).fetch_one(connection).await.unwrap();
    row.try_get::<String, _>(0).unwrap_or_else(|_| row.get::<i64, _>(0).to_string())
}

/// Sets a default for new connections that makes commits not durable, if the database has such a default.
async fn weaken_defaults(database: &Database) {
    sqlx::any::install_default_drivers();
    if database.engine() == Engine::Postgres {
        let mut connection = Connection::connect(database.url()).await.unwrap();
        let weaken =
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$";
        sqlx::raw_sql(weaken).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }
}

#[apply(on_each_empty_database)]
async fn every_connection_has_the_settings_that_make_a_commit_durable(database: Database) {
    weaken_defaults(&database).await;
    let store = Store::open(database.url()).await.unwrap();
    let expected: &[(&str, &str)] = match database.engine() {
        // synchronous: 2 is FULL.
        Engine::Sqlite => &[("PRAGMA journal_mode", "wal"), ("PRAGMA synchronous", "2"), ("PRAGMA foreign_keys", "1")],
        Engine::Postgres => &[("SHOW synchronous_commit", "on"), ("SHOW fsync", "on")],
    };
    let mut write = store.write().await.unwrap();
    let (mut first, mut second) = (store.read().await.unwrap(), store.read().await.unwrap());
    for &(query, durable) in expected {
        assert_eq!(setting(write.connection().await.unwrap(), query).await, durable, "{query} of a writer");
        assert_eq!(setting(&mut first, query).await, durable, "{query} of a reader");
        assert_eq!(setting(&mut second, query).await, durable, "{query} of another reader");
    }
}

#[apply(on_each_database)]
async fn acknowledged_writes_survive_a_restart_with_the_same_version(database: Database) {
    let server = Server::start(&database).await;
    server.production_editor().put(&targeting_of("reviews", "production"), &targeting(&[everyone("on")])).await.ok(200);
    server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    server.browser("production").goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "a" }])).await.ok(202);
    let (stored, loaded) = (server.stored_rows().await, server.browser("production").load_id("alice").await);
    server.stop().await;

    let server = Server::start(&database).await;
    server.assert_unchanged_since(&stored).await;
    let again = server.browser("production").load_id("alice").await;
    assert_eq!((&again.features, &again.since), (&loaded.features, &loaded.since));
    assert_eq!((again.features["reviews"].as_str(), again.features["new-one"].as_str()), ("on", "off"));
}

#[apply(on_each_database)]
async fn kill_9_loses_no_acknowledged_write(database: Database) {
    const WRITERS: [&str; 4] = ["new-checkout", "reviews", "gift-cards", "sticky-basket"];
    // The acknowledged writes of each.
    let counts: [AtomicU32; 4] = Default::default();
    let mut server = ServerProcess::start(&database).await;
    let (editor, epoch) =
        (server.production_editor(), server.browser("staging").load_id("alice").await.known_version().epoch);
    // Each writer counts its writes in the name of a rule, until the server is killed.
    let write = async |(feature, acknowledged): (&str, &AtomicU32)| loop {
        let mut rule = everyone("on");
        rule["name"] = json!(format!("{}", acknowledged.load(Ordering::Relaxed) + 1));
        let request = editor.request(reqwest::Method::PUT, &targeting_of(feature, "staging"));
        match request.json(&targeting(&[rule])).send().await {
            Ok(response) if response.status() == 200 => {
                acknowledged.fetch_add(1, Ordering::Relaxed);
            }
            Ok(response) => panic!("{response:?}"),
            Err(_) => return,
        }
    };
    // Kills the server during these writes, of which each writer has made one.
    let kill = async {
        let all_write = async || counts.iter().all(|count| count.load(Ordering::Relaxed) > 0);
        eventually("each writer has made a write", all_write).await;
        let path = targeting_of("search-suggestions", "staging");
        for round in 0..20 {
            editor.patch(&path, &json!({ "enabled": round % 2 == 1 })).await.ok(200);
        }
        server.kill().await;
    };
    tokio::join!(join_all(WRITERS.into_iter().zip(&counts).map(write)), kill);

    let server = ServerProcess::start(&database).await;
    for (feature, acknowledged) in WRITERS.into_iter().zip(counts.map(AtomicU32::into_inner)) {
        let stored = server.production_editor().get(&targeting_of(feature, "staging")).await.ok(200);
        let count: u32 = stored["rules"][0]["name"].as_str().unwrap().parse().unwrap();
        // The write in progress may have been committed without a response.
        assert!(
            count == acknowledged || count == acknowledged + 1,
            "{feature}: {acknowledged} acknowledged, {count} stored"
        );
    }
    assert_eq!(server.browser("staging").load_id("alice").await.known_version().epoch, epoch);
}

#[apply(on_each_database)]
async fn a_creation_whose_response_was_lost_in_a_crash_has_one_effect_when_repeated(database: Database) {
    let mut server = ServerProcess::start(&database).await;
    let (editor, body) = (server.production_editor(), json!({ "key": "new", "name": "New" }));
    let mut connection = Connection::connect(database.url()).await.unwrap();
    let query = "SELECT COUNT(*) FROM idempotency_records";
    let mut count = async || sqlx::query(query).fetch_one(&mut connection).await.unwrap().get::<i64, _>(0);
    let before = count().await;
    let crash = async {
        // The effect and the stored response are committed together.
        while count().await == before {
            tokio::task::yield_now().await;
        }
        server.kill().await;
    };
    // The response, if any, is ignored.
    let request = editor.request(reqwest::Method::POST, &features("")).header("idempotency-key", "once").json(&body);
    let _ = tokio::join!(request.send(), crash);

    let server = ServerProcess::start(&database).await;
    let editor = server.production_editor();
    let again = editor.post_once(&features(""), "once", &body).await.ok(201);
    assert_eq!(again, editor.get(&features("/new")).await.ok(200), "as it was created before the crash");
    assert_eq!(editor.post_once(&features(""), "once", &body).await.ok(201), again);
    editor.post_once(&features(""), "twice", &body).await.problem(409, "exists");
}

/// How many files this process has open in a folder.
fn open_files(folder: &Path) -> usize {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    let files = open.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
    files.filter(|file| file.starts_with(folder)).count()
}

#[apply(on_sqlite)]
async fn a_closed_database_is_one_file_also_if_its_log_was_being_emptied(database: Database) {
    for _ in 0..20 {
        let store = Arc::new(Store::open(database.url()).await.unwrap());
        // As long as somebody reads what was before a write, the log cannot be emptied.
        let mut reader = store.snapshot().await.unwrap();
        sqlx::query("SELECT revision FROM organisations").fetch_all(&mut *reader).await.unwrap();
        let mut write = store.write().await.unwrap();
        let update = sqlx::query("UPDATE organisations SET revision = revision + 1");
        update.execute(write.connection().await.unwrap()).await.unwrap();
        write.commit().await.unwrap();
        let before = open_files(database.folder());
        let emptying = Arc::clone(&store);
        let emptying = tokio::spawn(async move { emptying.empty_log().await });
        while open_files(database.folder()) == before {
            tokio::task::yield_now().await;
        }
        // As a service that stops does with its sweep.
        emptying.abort();
        let _ = emptying.await;
        drop(reader);
        store.close().await;
        assert_eq!(open_files(database.folder()), 0);
        assert!(!suffixed(&database.file(), "-wal").exists());
    }
}

#[apply(on_each_database)]
async fn the_log_contains_no_user_key_or_token(database: Database) {
    let mut server = ServerProcess::start(&database).await;
    let browser = server.browser("production");
    let user = json!({ "id": "canary-id", "attributes": { "email": "canary-attribute" } });
    let loaded = browser.load(&user).await;
    let mut stream = browser.open(&loaded).await;
    browser.goals(&json!([{ "id": "canary-goal-id", "key": "purchase", "userId": "canary-id" }])).await.ok(202);
    browser
        .post_load(r#"{"user": {"id": "canary-id", "attributes": "canary-attribute"}}"#)
        .await
        .problem(422, "invalid");
    browser.open_path(&format!("/stream?token=canary-token{}", loaded.token)).await.expect_empty("reload").await;
    server.caller_with_token("api-canary-token").get("/api/v1/projects").await.problem(401, "unauthenticated");
    let path = targeting_of("search-suggestions", "production");
    server.production_editor().patch(&path, &json!({ "enabled": false })).await.ok(200);
    stream.patch().await;
    drop(stream);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let traced = server.production_editor().request(reqwest::Method::GET, "/api/v1/projects");
    let traced =
        traced.header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01")).header("x-request-id", "ours-7");
    assert_eq!(server.production_editor().send(traced).await.header("x-request-id"), Some("ours-7"));
    let forged = server.production_editor().request(reqwest::Method::GET, "/api/v1/projects");
    server.production_editor().send(forged.header("traceparent", "00-canary-canary-01")).await.ok(200);

    // A process that is killed may not have written its last lines.
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
    let log = server.stop().await;
    // The log has lines for each kind of request.
    for route in ["/client/v1/{clientKey}/load", "/client/v1/{clientKey}/stream", "/client/v1/{clientKey}/goals"] {
        assert!(log.contains(route), "{route} in {log}");
    }
    let lines = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let traced: Vec<_> = lines.filter(|line| line["fields"]["trace"] == trace).collect();
    assert_eq!(traced.len(), 1, "{traced:?}");
    assert_eq!(
        (&traced[0]["fields"]["id"], &traced[0]["fields"]["route"]),
        (&json!("ours-7"), &json!("/api/v1/projects"))
    );
    let credentials = database.credentials();
    let secrets = credentials.client_keys.values().chain(credentials.tokens.values().map(|person| &person.token));
    for secret in secrets.map(String::as_str).chain(["canary", &loaded.token]) {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
