//! Deliveries after a restore: the backlog of the backup is delivered, later changes are unknown.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::run::run;
use crate::fixture::{
    Database, Receiver, Reply, Server, ServerProcess, on_postgres, on_sqlite, outbound, targeting_of,
};

const OUTBOUND: &str = "/api/v1/admin/integrations/outbound";

fn integration() -> Value {
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": "US" });
    json!({ "type": "analytics", "enabled": true, "configuration": { "analytics": analytics } })
}

/// Changes the off variant of a feature in staging.
async fn change(server: &Server, feature: &str) {
    let off = json!({ "offVariantKey": "on" });
    server.administrator().patch(&targeting_of(feature, "staging"), &off).await.ok(200);
}

fn labels(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("Alma Lindqvist updated {name} in Staging")).collect()
}

/// The only integration of the database.
async fn read_integration(server: &Server) -> Value {
    server.administrator().get(OUTBOUND).await.items().remove(0)
}

/// Starts a server with two changes in the backlog, because the destination hangs.
async fn start_with_backlog(database: &Database, receiver: &Receiver) -> Server {
    receiver.reply_next([Reply::Hang(Vec::new())]);
    let server = Server::start_with_destinations(database, outbound(receiver.address(), receiver.address())).await;
    server.administrator().post(OUTBOUND, &integration()).await.ok(201);
    change(&server, "express-delivery").await;
    receiver.receive(1).await;
    change(&server, "gift-cards").await;
    while read_integration(&server).await["backlog"]["waiting"] != 2 {
        tokio::task::yield_now().await;
    }
    server
}

#[apply(on_sqlite)]
async fn the_backlog_of_a_backup_is_delivered_again_in_order(database: Database) {
    let receiver = Receiver::start().await;
    let server = start_with_backlog(&database, &receiver).await;
    let file = database.folder().join("backup.db");
    run(&database, &["backup", file.to_str().unwrap()]).await.ok();
    change(&server, "loyalty-points").await;
    let time = server.run_clock_fast();
    // Only the hanging attempt and its retry need the time. With more of it, other attempts could time out on a busy machine.
    receiver.receive(2).await;
    drop(time);
    // The attempt that timed out, its retry, and the two others.
    let before = receiver.labels(4).await;
    assert_eq!(before, labels(&["Express delivery", "Express delivery", "Gift cards", "Loyalty points"]));
    server.stop().await;
    run(&database, &["restore", file.to_str().unwrap(), "--replace"]).await.ok();

    // Without the URL of the region nothing is sent, and nothing is lost.
    let server = Server::start(&database).await;
    let test = format!("{OUTBOUND}/{}/test", read_integration(&server).await["id"].as_str().unwrap());
    let test_result = server.administrator().post(&test, &json!({})).await.ok(200);
    assert!(test_result["lastDeliveryDetail"].as_str().unwrap().starts_with("Not sent: "), "{test_result}");
    assert_eq!(test_result["backlog"]["waiting"], 2);
    server.stop().await;
    assert_eq!(receiver.received().len(), 4);

    // A change that reuses a version from after the backup is delivered like any other.
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    change(&server, "sticky-basket").await;
    let after = receiver.labels(7).await.split_off(4);
    assert_eq!(after, labels(&["Express delivery", "Gift cards", "Sticky basket"]));
}

#[apply(on_postgres)]
async fn a_lease_of_a_dead_node_in_a_dump_is_taken_over(database: Database) {
    let receiver = Receiver::start().await;
    // It dies without releasing its lease, as in a dump that was taken while it ran.
    let mut dead_node = ServerProcess::start_with(&database, &["--analytics-us-url", receiver.address()]).await;
    receiver.reply_next([Reply::Hang(Vec::new())]);
    let administrator = dead_node.person(Role::Administrator);
    administrator.post(OUTBOUND, &integration()).await.ok(201);
    let off = json!({ "offVariantKey": "on" });
    administrator.patch(&targeting_of("express-delivery", "staging"), &off).await.ok(200);
    receiver.receive(1).await;
    dead_node.kill().await;
    run(&database, &["renew-epochs"]).await.ok();
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let time = server.run_clock_fast();
    receiver.receive(2).await;
    drop(time);
    change(&server, "gift-cards").await;
    assert_eq!(receiver.labels(3).await, labels(&["Express delivery", "Express delivery", "Gift cards"]));
}
