//! A log that cannot be written: the server keeps working, and stops as it should.

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{ServerProcess, on_sqlite, targeting_of};

/// Together these write more lines than a pipe has room for.
const WORKERS: usize = 20;
const REQUESTS: usize = 50;

/// Asserts that the server reads, writes and serves, and stops in order.
async fn expect_working(mut server: ServerProcess) {
    let editor = server.production_editor();
    editor.get("/health/ready").await.ok(200);
    assert_eq!(editor.get("/metrics").await.status, 200);
    editor.patch(&targeting_of("search-suggestions", "production"), &json!({ "enabled": false })).await.ok(200);
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "off");
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
}

#[apply(on_sqlite)]
async fn a_server_keeps_working_when_the_reader_of_its_log_has_ended(database: Database) {
    let mut server = ServerProcess::start(&database).await;
    server.close_log().await;
    expect_working(server).await;
}

#[apply(on_sqlite)]
async fn a_server_keeps_working_when_nobody_reads_its_log(database: Database) {
    let mut server = ServerProcess::start(&database).await;
    server.leave_log_unread();
    let editor = server.production_editor();
    let worker = async |_| {
        for _ in 0..REQUESTS {
            editor.get("/health/live").await.ok(200);
        }
    };
    join_all((0..WORKERS).map(worker)).await;
    expect_working(server).await;
}
