//! Writers and readers that are stuck do not stop others: each project's writers wait in a line, and abandoned queries end.

use std::time::{Duration, Instant};

use flagservice_server::http::Settings;
use flagservice_server::store::resources::{organisations, projects};
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};

use crate::fixture::{ApiResponse, Database, HANG_TIMEOUT, Network, Proxy, Server, on_postgres, targeting_of};

/// How long the follower waits for the database.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(3);

/// Waits until this many queries of the database wait for a lock.
async fn wait_for_waiting(operator: &mut PgConnection, expected: usize) {
    let start = Instant::now();
    loop {
        let count = waiting_processes(operator).await.len();
        if count == expected {
            return;
        }
        assert!(start.elapsed() < HANG_TIMEOUT, "{count} queries wait for a lock, not {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The processes of the database that wait for a lock. Within a transaction, PostgreSQL lists those that it had when they were listed
/// first, unless that snapshot is cleared.
async fn waiting_processes(operator: &mut PgConnection) -> Vec<i32> {
    let waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    operator.execute("SELECT pg_stat_clear_snapshot()").await.unwrap();
    sqlx::query_scalar(waiting).fetch_all(operator).await.unwrap()
}

async fn connect(database: &Database) -> PgConnection {
    PgConnection::connect(database.url()).await.unwrap()
}

/// Creates a project with an environment and a feature, and returns the path of its targeting.
async fn other_project(server: &Server) -> String {
    let administrator = server.administrator();
    let create = async |path: &str, key: &str| {
        administrator.post(path, &json!({ "key": key, "name": key })).await.ok(201);
    };
    create("/api/v1/projects", "other").await;
    create("/api/v1/projects/other/environments", "live").await;
    create("/api/v1/projects/other/features", "banner").await;
    "/api/v1/projects/other/features/banner/environments/live".to_owned()
}

#[apply(on_postgres)]
async fn ten_waiting_writers_of_one_project_do_not_stop_a_write_of_another(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let other = other_project(&server).await;
    let mut operator = connect(&database).await;
    operator.execute("BEGIN; UPDATE projects SET revision = revision WHERE key = 'shop'").await.unwrap();
    let writer = server.administrator();
    let stuck: Vec<_> = (0..10)
        .map(|number| {
            let (writer, path) = (writer.clone(), targeting_of("search-suggestions", "staging"));
            tokio::spawn(async move { writer.patch(&path, &json!({ "enabled": number % 2 == 1 })).await.status })
        })
        .collect();
    wait_for_waiting(&mut operator, 1).await;

    writer.patch(&other, &json!({ "enabled": true })).await.ok(200);
    // All but the first wait without a connection.
    wait_for_waiting(&mut operator, 1).await;
    operator.execute("COMMIT").await.unwrap();
    // None of them had to give up for that write.
    for status in join_all(stuck).await {
        assert_eq!(status.unwrap(), 200);
    }
}

#[apply(on_postgres)]
async fn ten_waiting_writers_of_an_organisation_do_not_stop_a_write_of_its_projects(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let mut operator = connect(&database).await;
    let administrator = server.administrator();
    administrator.get("/api/v1/me").await.ok(200);
    operator.execute("BEGIN; UPDATE organisations SET revision = revision").await.unwrap();
    let stuck: Vec<_> = (0..10)
        .map(|number| {
            let (caller, project) = (administrator.clone(), json!({ "key": format!("new-{number}"), "name": "New" }));
            tokio::spawn(
                async move { caller.post_once("/api/v1/projects", &format!("{number}"), &project).await.status },
            )
        })
        .collect();
    wait_for_waiting(&mut operator, 1).await;
    server.switch_search_suggestions("production", false).await;
    operator.execute("COMMIT").await.unwrap();
    // None of them had to give up for that write.
    for status in join_all(stuck).await {
        assert_eq!(status.unwrap(), 201);
    }
}

#[apply(on_postgres)]
async fn when_a_node_falls_silent_in_the_middle_of_a_write_others_write_on_within_the_timeout(database: Database) {
    let proxy = Proxy::to(database.url()).await;
    let near = Server::start_with_all_connections(&database).await;
    let silent = Server::start_on_url(&database, proxy.url(), Settings::default()).await;
    let mut write = silent.app.begin().await.unwrap();
    let connection = write.connection().await.unwrap();
    let organisation = organisations::list(connection).await.unwrap().remove(0).0;
    projects::lock(connection, &organisation, "shop").await.unwrap().unwrap();

    proxy.set(Network::Silent);
    // It would be told that the database is busy if the lock lasted longer than PostgreSQL lets a writer wait.
    near.switch_search_suggestions("production", false).await;
    proxy.set(Network::Up);
    write.commit().await.unwrap_err();
}

#[apply(on_postgres)]
async fn a_dropped_request_ends_its_query(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let mut operator = connect(&database).await;
    // Only requests use this table: background tasks would wait for the lock as well.
    operator.execute("BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (path, reader) = ("/api/v1/audit-log", server.administrator());
    let request = tokio::spawn(async move { reader.get(path).await });
    wait_for_waiting(&mut operator, 1).await;
    request.abort();
    // The lock is still held.
    wait_for_waiting(&mut operator, 0).await;
    operator.execute("COMMIT").await.unwrap();
    server.administrator().get(path).await.ok(200);
}

#[apply(on_postgres)]
async fn a_writer_that_waits_too_long_for_a_lock_is_told_that_the_database_is_busy(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let mut operator = connect(&database).await;
    operator.execute("BEGIN; UPDATE projects SET revision = revision WHERE key = 'shop'").await.unwrap();
    let path = targeting_of("search-suggestions", "production");
    let editor = server.production_editor();
    // The lock is held until the answer is there.
    editor.patch(&path, &json!({ "enabled": false })).await.problem(503, "database-busy");
    server.anonymous().get("/health/ready").await.ok(200);
    operator.execute("COMMIT").await.unwrap();
    editor.patch(&path, &json!({ "enabled": false })).await.ok(200);
}

#[apply(on_postgres)]
async fn a_read_that_is_stuck_stops_no_write_while_others_are_answered(database: Database) {
    /// How often the database may stand still, so that the server rightly refuses a write.
    const MAX_ROUNDS: usize = 5;

    let server = Server::start_with_all_connections(&database).await;
    let mut operator = connect(&database).await;
    for _ in 0..MAX_ROUNDS {
        // Only the follower's read of all versions uses this table.
        operator.execute("BEGIN; LOCK TABLE data_keys IN ACCESS EXCLUSIVE MODE").await.unwrap();
        wait_for_waiting(&mut operator, 1).await;
        let refused = writes_until_another_read_waits(&server, &mut operator).await;
        operator.execute("COMMIT").await.unwrap();
        match refused {
            None => return,
            Some(answer) => answer.problem(503, "database-unavailable"),
        };
        server.anonymous().wait_until_ready().await;
    }
    panic!("writes were refused in each of {MAX_ROUNDS} rounds");
}

/// Writes until the follower has given up its read and waits on another connection, and once more. Returns the answer of a write that
/// was refused, which it may be only if none was accepted for as long as the follower waits.
async fn writes_until_another_read_waits(server: &Server, operator: &mut PgConnection) -> Option<ApiResponse> {
    let first = waiting_processes(operator).await;
    let path = targeting_of("search-suggestions", "production");
    let editor = server.production_editor();
    let (mut enabled, mut last_accepted) = (false, None::<Instant>);
    loop {
        let another_waits = waiting_processes(operator).await.iter().any(|process| !first.contains(process));
        let answer = editor.patch(&path, &json!({ "enabled": enabled })).await;
        enabled = !enabled;
        if answer.status != 200 {
            let since = last_accepted.map(|accepted| accepted.elapsed());
            assert!(
                since.is_none_or(|since| since >= DATABASE_TIMEOUT),
                "{since:?} after one that was accepted: {}",
                answer.text
            );
            return Some(answer);
        }
        last_accepted = Some(Instant::now());
        if another_waits {
            return None;
        }
    }
}
