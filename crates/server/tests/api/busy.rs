//! A busy database: what changes something has connections of its own, and busy is not the same as lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::fixture::{
    HANG_TIMEOUT, Server, condition, eventually, features, on_default_database, on_sqlite, project, targeting,
    targeting_of,
};

/// Features that use an audience: so many that an edit of it gives way to others.
const USES: usize = 30;

#[apply(on_default_database)]
async fn lists_and_reports_with_every_connection_do_not_stop_a_kill_switch_and_the_node_stays_ready(
    database: Database,
) {
    let server = Server::start_with_all_connections(&database).await;
    let mut held = Vec::new();
    while let Ok(connection) = server.app.store.read().await {
        held.push(connection);
    }
    assert!(!held.is_empty());
    let (editor, path) = (server.production_editor(), targeting_of("search-suggestions", "production"));
    tokio::time::timeout(HANG_TIMEOUT, editor.patch(&path, &json!({ "enabled": false }))).await.unwrap().ok(200);
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "off");

    let busy = editor.get(&features("")).await;
    busy.problem(503, "database-busy");
    assert!(busy.header("retry-after").is_some());
    let ready = server.anonymous().get("/health/ready").await.ok(200);
    assert_eq!(ready["status"], "ready");
    assert!(ready["reason"].as_str().unwrap().contains("busy"), "{ready}");
    let metrics = server.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("flagservice_database_up 1\n"), "{metrics}");
    assert!(!metrics.contains("flagservice_database_busy_total 0\n"), "{metrics}");
    drop(held);
    editor.get(&features("")).await.ok(200);
}

#[apply(on_default_database)]
async fn goals_that_wait_to_be_written_do_not_stop_a_kill_switch(database: Database) {
    const WRITERS: usize = 20;
    /// As long as a very slow write takes.
    const WRITE: Duration = Duration::from_millis(400);
    let server = Server::start_with_all_connections(&database).await;
    let written = Arc::new(AtomicUsize::new(0));
    // Closed once the change is made: the writers wait no longer.
    let changed = Arc::new(Semaphore::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let (app, written, changed) = (Arc::clone(&server.app), Arc::clone(&written), Arc::clone(&changed));
            tokio::spawn(async move {
                let write = app.store.write_bulk().await.unwrap();
                let _ = tokio::time::timeout(WRITE, changed.acquire()).await;
                drop(write);
                written.fetch_add(1, Ordering::Relaxed);
            })
        })
        .collect();
    server.switch_search_suggestions("production", false).await;
    assert!(written.load(Ordering::Relaxed) < WRITERS, "all were written before the change");
    changed.close();
    join_all(writers).await;
}

/// Writes nothing, again and again, until it is dropped.
async fn keep_writing(server: &Server) {
    loop {
        drop(server.app.store.write().await.unwrap());
    }
}

#[apply(on_sqlite)]
async fn an_edit_of_an_audience_that_many_features_use_gives_way_to_a_kill_switch(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let (editor, path) = (server.editor(), project("/audiences/everybody"));
    let named = |name: &str| json!([condition("flagservice.user.id", "equals", json!([name]))]);
    let new = json!({ "key": "everybody", "name": "Everybody", "conditions": named("alice") });
    editor.post(&project("/audiences"), &new).await.ok(201);
    let rule = json!({ "name": "", "audienceKey": "everybody", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    for number in 0..USES {
        let key = format!("used-{number}");
        editor.post(&features(""), &json!({ "key": key, "name": "New" })).await.ok(201);
        editor.put(&targeting_of(&key, "development"), &targeting(std::slice::from_ref(&rule))).await.ok(200);
    }
    let change = json!({ "conditions": named("bob") });
    let mut edit = Box::pin(editor.patch(&path, &change));
    // The edit has the first turn after this one, and then there is always one who waits.
    let held = server.app.store.write().await.unwrap();
    tokio::select! {
        edited = &mut edit => panic!("it did not wait: {}", edited.text),
        () = eventually("the edit waits for its turn", async || server.app.store.is_waited_for()) => {}
    }
    {
        let writing = join_all([keep_writing(&server), keep_writing(&server), keep_writing(&server)]);
        let switching = async {
            // The others are in line now.
            tokio::task::yield_now().await;
            drop(held);
            server.switch_search_suggestions("production", false).await;
        };
        tokio::select! {
            _ = writing => unreachable!(),
            edited = &mut edit => panic!("it did not give way: {}", edited.text),
            () = switching => {}
        }
    }
    edit.await.ok(200);
    let served = server.browser("development").load_id("bob").await.features;
    assert_eq!(served.iter().filter(|(key, variant)| key.starts_with("used-") && *variant == "on").count(), USES);
}
