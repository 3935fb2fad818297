//! Deliveries after a restore: what waited in the backup is delivered, and what was made since is not known.

use flagservice_server::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::ran::run;
use crate::fixture::{Binary, Database, Receiver, Reply, Server, on_postgres, on_sqlite, outbound, targeting_of};

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

/// The integration of a database that has one.
async fn shown(server: &Server) -> Value {
    server.administrator().get(OUTBOUND).await.items().remove(0)
}

/// Two changes that wait behind a destination that hangs.
async fn with_a_backlog(database: &Database, receiver: &Receiver) -> Server {
    receiver.answer_next([Reply::Hang(Vec::new())]);
    let server = Server::start_outbound(database, outbound(receiver.address(), receiver.address())).await;
    server.administrator().post(OUTBOUND, &integration()).await.ok(201);
    change(&server, "express-delivery").await;
    receiver.receive(1).await;
    change(&server, "gift-cards").await;
    while shown(&server).await["backlog"]["waiting"] != 2 {
        tokio::task::yield_now().await;
    }
    server
}

#[apply(on_sqlite)]
async fn the_backlog_of_a_backup_is_delivered_again_in_order(database: Database) {
    let receiver = Receiver::start().await;
    let server = with_a_backlog(&database, &receiver).await;
    let file = database.folder().join("backup.db");
    run(&database, &["backup", file.to_str().unwrap()]).await.ok();
    let time = server.let_time_pass();
    change(&server, "loyalty-points").await;
    // The attempt that hung, its second one, and the two behind it.
    let before = receiver.labels(4).await;
    assert_eq!(before, labels(&["Express delivery", "Express delivery", "Gift cards", "Loyalty points"]));
    server.stop().await;
    drop(time);
    run(&database, &["restore", file.to_str().unwrap(), "--replace"]).await.ok();

    // Who only looks at the backup leaves out the address: nothing is sent, and nothing lost.
    let server = Server::start(&database).await;
    let test = format!("{OUTBOUND}/{}/test", shown(&server).await["id"].as_str().unwrap());
    let looked = server.administrator().post(&test, &json!({})).await.ok(200);
    assert!(looked["lastDeliveryDetail"].as_str().unwrap().starts_with("Not sent: "), "{looked}");
    assert_eq!(looked["backlog"]["waiting"], 2);
    server.stop().await;
    assert_eq!(receiver.received().len(), 4);

    // A change that gets the version of one that is not known any more is told of like any other.
    let server = Server::start_outbound(&database, outbound(receiver.address(), receiver.address())).await;
    change(&server, "sticky-basket").await;
    let after = receiver.labels(7).await.split_off(4);
    assert_eq!(after, labels(&["Express delivery", "Gift cards", "Sticky basket"]));
}

#[apply(on_postgres)]
async fn a_lease_of_a_dead_node_in_a_dump_is_taken_over(database: Database) {
    let receiver = Receiver::start().await;
    // It ends without a word, as it stands in a dump of the time at which it ran.
    let mut gone = Binary::start_with(&database, &["--analytics-us-url", receiver.address()]).await;
    receiver.answer_next([Reply::Hang(Vec::new())]);
    let administrator = gone.person(Role::Administrator);
    administrator.post(OUTBOUND, &integration()).await.ok(201);
    let off = json!({ "offVariantKey": "on" });
    administrator.patch(&targeting_of("express-delivery", "staging"), &off).await.ok(200);
    receiver.receive(1).await;
    gone.kill().await;
    run(&database, &["renew-epochs"]).await.ok();
    let server = Server::start_outbound(&database, outbound(receiver.address(), receiver.address())).await;
    let _time = server.let_time_pass();
    change(&server, "gift-cards").await;
    assert_eq!(receiver.labels(3).await, labels(&["Express delivery", "Express delivery", "Gift cards"]));
}
