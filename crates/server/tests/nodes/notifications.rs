//! A node learns about commits of another node by notifications, and by polling if one is lost.

use std::time::Duration;

use flagservice_server::domain::changes::flag_change::FlagChange;
use flagservice_server::domain::environment::Wake;
use flagservice_server::domain::ids::{ChangeId, EnvironmentId};
use flagservice_server::domain::targeting::StoredTargeting;
use flagservice_server::store::changes::outbox::NewEntry;
use flagservice_server::store::changes::targetings;
use flagservice_server::store::resources::{environments, features};
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, PgConnection};

use crate::fixture::{Database, EventStream, HANG_TIMEOUT, NOW, Server, on_postgres};

/// The number of sequential changes.
const CHANGES: usize = 20;

/// The process ids of the listening connections of this database: their last statement is that, or the check after a silence.
async fn listening(connection: &mut PgConnection) -> Vec<i32> {
    let listening = "SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (query ILIKE 'LISTEN%' OR query ILIKE 'SHOW transaction_read_only%') ORDER BY pid";
    sqlx::query_scalar(listening).fetch_all(connection).await.unwrap()
}

/// Waits until this many connections listen, none of them listed in `before`.
async fn wait_for_listeners(connection: &mut PgConnection, count: usize, before: &[i32]) -> Vec<i32> {
    let wait = async {
        loop {
            let now = listening(connection).await;
            if now.len() == count && !now.iter().any(|pid| before.contains(pid)) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, wait).await.expect("listening nodes")
}

/// Makes changes on a node and waits for each on a stream.
async fn change_and_receive(writer: &Server, stream: &mut EventStream) {
    for number in 0..CHANGES {
        change_and_receive_once(writer, stream, number % 2 == 1).await;
    }
}

async fn change_and_receive_once(writer: &Server, stream: &mut EventStream, enabled: bool) {
    writer.switch_search_suggestions("production", enabled).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": if enabled { "on" } else { "off" } }));
}

/// Makes changes on a node, and waits until another node is notified of each: what its polls find wakes nobody.
async fn change_and_be_notified(writer: &Server, reader: &Server) {
    let mut stream = open(reader).await;
    let production = production_id(writer).await;
    for number in 0..CHANGES {
        let mut wakes = reader.app.wakes();
        change_and_receive_once(writer, &mut stream, number % 2 == 1).await;
        let version = writer.browser("production").load_id("alice").await.known_version().version;
        let expected = Wake::Environment { environment: production.clone(), version: Some(version) };
        let notified = async { while wakes.recv().await.unwrap() != expected {} };
        tokio::time::timeout(HANG_TIMEOUT, notified).await.expect("a notification");
    }
}

async fn open(server: &Server) -> EventStream {
    let browser = server.browser("production");
    browser.open(&browser.load_id("alice").await).await
}

async fn connect(database: &Database) -> PgConnection {
    PgConnection::connect(database.url()).await.unwrap()
}

#[apply(on_postgres)]
async fn a_change_on_either_node_reaches_the_other_without_waiting_for_a_poll(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    wait_for_listeners(&mut connect(&database).await, 2, &[]).await;
    for (writer, reader) in [(&first, &second), (&second, &first)] {
        change_and_be_notified(writer, reader).await;
    }
}

#[apply(on_postgres)]
async fn no_change_is_missed_while_a_listening_connection_is_lost_and_restored(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let mut operator = connect(&database).await;
    let before = wait_for_listeners(&mut operator, 2, &[]).await;
    let mut stream = open(&second).await;
    let end = async {
        for pid in &before {
            sqlx::query("SELECT pg_terminate_backend($1)").bind(pid).execute(&mut operator).await.unwrap();
        }
    };
    // Some of these changes happen while no connection listens.
    tokio::join!(change_and_receive(&first, &mut stream), end);
    wait_for_listeners(&mut operator, 2, &before).await;
    drop(stream);
    change_and_be_notified(&first, &second).await;
}

#[apply(on_postgres)]
async fn a_late_commit_with_an_earlier_id_is_not_missed(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let mut production = open(&second).await;
    let browser = second.browser("staging");
    let mut staging = browser.open(&browser.load_id("alice").await).await;

    // A change of production with its id, its version and its outbox entry, but not committed yet.
    let id = production_id(&first).await;
    let mut late = first.app.begin().await.unwrap();
    // PostgreSQL would end it if the rest of the test took longer than 5 s.
    let unlimited = "SET LOCAL idle_in_transaction_session_timeout = 0";
    sqlx::query(unlimited).execute(late.connection().await.unwrap()).await.unwrap();
    let environment = environments::get(late.connection().await.unwrap(), &id).await.unwrap().unwrap();
    let project = &environment.project_id;
    let feature =
        features::find(late.connection().await.unwrap(), project, "search-suggestions").await.unwrap().unwrap();
    let stored = targetings::find(late.connection().await.unwrap(), &id, &feature.id).await.unwrap().unwrap();
    let entry = NewEntry {
        environment_id: &id,
        change_id: &ChangeId::new(&*first.app.random, NOW),
        feature_id: Some(&feature.id),
        at: NOW,
        change: &FlagChange::Variants { feature_key: feature.key.to_string() },
    };
    let version = late.publish(&entry).await.unwrap();
    let mut targeting = stored.targeting.clone();
    targeting.enabled = false;
    let stored = StoredTargeting { targeting, version, ..stored };
    targetings::put(late.connection().await.unwrap(), &id, &stored).await.unwrap();

    // Later changes have later ids but commit first.
    for enabled in [false, true, false] {
        second.switch_search_suggestions("staging", enabled).await;
        assert_eq!(staging.patch().await, json!({ "search-suggestions": if enabled { "on" } else { "off" } }));
    }
    late.commit().await.unwrap();
    let event = production.next_event().await;
    assert_eq!(*event.features(), json!({ "search-suggestions": "off" }));
    assert_eq!(event.since().version, version);
}

#[apply(on_postgres)]
async fn a_notification_contains_only_environment_and_version(database: Database) {
    let first = Server::start(&database).await;
    let mut listener = first.app.store.listen().await.unwrap().expect("a listener");
    first.switch_search_suggestions("production", false).await;
    let since = first.browser("production").load_id("alice").await.known_version();
    let environment = production_id(&first).await;
    let expected = Wake::Environment { environment, version: Some(since.version) };
    let notification = tokio::time::timeout(HANG_TIMEOUT, listener.next()).await.expect("a notification");
    assert_eq!(notification.unwrap(), expected);
}

async fn production_id(server: &Server) -> EnvironmentId {
    let list = server.read_only().get(&crate::fixture::project("/environments")).await;
    EnvironmentId::from(list.items()[2]["id"].as_str().unwrap().to_owned())
}
