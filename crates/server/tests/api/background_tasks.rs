//! Every background task that panics is started again and counted, and nothing is lost.

use std::time::Duration;

use flagservice_rules::Instant;
use flagservice_server::http::Settings;
use flagservice_server::node::background_tasks::BackgroundTask;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::Executor as _;

use super::integrations::{create, integration, path, settled, start};
use crate::fixture::{
    Engine, GOAL_RETENTION, NOW, Reply, Server, environment, on_each_database, on_postgres, on_sqlite,
};

/// How often tasks of this kind have panicked, according to the metrics.
async fn panics(server: &Server, task: BackgroundTask) -> u64 {
    let text = server.anonymous().get("/metrics").await.text;
    let name = format!("flagservice_background_task_panics_total{{task=\"{}\"}} ", task.name());
    text.lines().find_map(|line| line.strip_prefix(&name)).expect(&text).parse().unwrap()
}

/// Kills a task, and asserts that it is counted. It asks the server only afterwards: some tasks run for a moment.
async fn kill(server: &Server, task: BackgroundTask) {
    let counted = |all: Vec<(BackgroundTask, u64)>| all.into_iter().find(|(of, _)| *of == task).unwrap().1;
    let before = counted(server.app.node.background_tasks.panics());
    server.app.node.background_tasks.kill(task).await;
    assert!(panics(server, task).await > before, "{task:?}");
}

#[apply(on_each_database)]
async fn a_killed_follower_publishes_the_next_change(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    for enabled in [false, true] {
        kill(&server, BackgroundTask::Follower).await;
        server.switch_search_suggestions("production", enabled).await;
        assert_eq!(stream.patch().await, json!({ "search-suggestions": if enabled { "on" } else { "off" } }));
    }
    assert_eq!(server.anonymous().get("/health/ready").await.ok(200)["status"], "ready");
}

#[apply(on_sqlite)]
async fn a_node_whose_follower_does_not_run_is_not_ready_until_it_runs_again(database: Database) {
    let settings = Settings { max_snapshot_age: Duration::from_secs(2), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let anonymous = server.anonymous();
    let (problem, degraded) = loop {
        let degraded = anonymous.get("/health/ready?accept=degraded").await.ok(200);
        let ready = anonymous.get("/health/ready").await;
        if ready.status == 503 && degraded["status"] == "degraded" {
            break (ready.problem(503, "degraded"), degraded);
        }
        // Each delay before a restart is longer.
        let killed = server.app.node.background_tasks.kill(BackgroundTask::Follower);
        let _ = tokio::time::timeout(Duration::from_millis(50), killed).await;
    };
    for reason in [&problem["detail"], &degraded["reason"]] {
        assert!(reason.as_str().unwrap().starts_with("Changes have not been read"), "{reason}");
    }
    while anonymous.get("/health/ready").await.status != 200 {
        tokio::task::yield_now().await;
    }
    server.switch_search_suggestions("production", false).await;
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "off");
}

#[apply(on_postgres)]
async fn a_killed_listener_misses_no_change_of_another_node(database: Database) {
    let (writer, reader) = (Server::start(&database).await, Server::start(&database).await);
    let browser = reader.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    for enabled in [false, true] {
        kill(&reader, BackgroundTask::Listener).await;
        writer.switch_search_suggestions("production", enabled).await;
        assert_eq!(stream.patch().await, json!({ "search-suggestions": if enabled { "on" } else { "off" } }));
    }
}

#[apply(on_each_database)]
async fn changes_are_annotated_after_the_dispatcher_the_worker_and_the_delivery_were_killed(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    kill(&server, BackgroundTask::Dispatcher).await;
    server.switch_search_suggestions("production", false).await;
    receiver.receive(1).await;
    for (number, task) in [BackgroundTask::Worker, BackgroundTask::Delivery].into_iter().enumerate() {
        // The destination does not respond, so the delivery is in progress.
        receiver.reply_next([Reply::Hang(Vec::new())]);
        server.switch_search_suggestions("production", number == 0).await;
        receiver.receive(2 * number + 2).await;
        kill(&server, task).await;
        receiver.receive(2 * number + 3).await;
    }
    let log = settled(&server, &id, 3).await;
    assert_eq!(log.len(), 3);
    assert!(log.iter().all(|delivery| delivery["state"] == "delivered"), "{log:?}");
}

#[apply(on_each_database)]
async fn a_test_event_is_sent_after_its_task_was_killed(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    kill(&server, BackgroundTask::TestEvents).await;
    let tested = server.administrator().post(&path(&format!("/{id}/test")), &Value::Null).await.ok(200);
    assert_eq!(tested["lastDeliverySuccess"], true);
    assert_eq!(receiver.received().len(), 1);
}

#[apply(on_each_database)]
async fn goals_of_a_killed_writer_are_refused_and_the_next_are_stored(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let goals = json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }]);
    let mut other_write = server.app.store.write_bulk().await.unwrap();
    if database.engine() == Engine::Postgres {
        let connection = other_write.connection().await.unwrap();
        connection.execute("LOCK TABLE goals IN EXCLUSIVE MODE").await.unwrap();
    }
    let (refused, ()) = tokio::join!(browser.goals(&goals), kill(&server, BackgroundTask::GoalWriter));
    refused.problem(500, "internal");
    drop(other_write);
    browser.goals(&goals).await.ok(202);
    let counted = server.read_only().get(&environment("production", "/goals")).await.items();
    assert_eq!(counted, [json!({ "key": "purchase", "count": 1, "features": {} })]);
}

#[apply(on_each_database)]
async fn old_goals_are_deleted_after_the_task_for_it_was_killed(database: Database) {
    let server = Server::start(&database).await;
    let goals = json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }]);
    server.browser("production").goals(&goals).await.ok(202);
    kill(&server, BackgroundTask::Sweeper).await;
    let (retention_ms, hour_ms) = (i64::try_from(GOAL_RETENTION.as_millis()).unwrap(), 60 * 60 * 1000);
    let mut now = NOW.0 + retention_ms;
    let path = environment("production", "/goals");
    while !server.read_only().get(&path).await.items().is_empty() {
        // Each time: the task sleeps for an hour from whatever time it is when it begins to.
        now += hour_ms;
        server.clock.set(Instant(now));
    }
}
