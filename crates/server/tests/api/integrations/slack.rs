//! Messages for Slack: one line of text with a link, through the queue of the annotations.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{log, path, read, settled, start};
use crate::fixture::{Caller, Receiver, Reply, features, on_default_database, split, targeting, targeting_of};

/// Creates an integration for Slack, and returns its id.
pub(super) async fn connect(caller: &Caller, receiver: &Receiver) -> String {
    let url = format!("{}/services/T0/B1/{TOKEN}", receiver.address());
    let new = json!({ "type": "slack", "enabled": true, "configuration": { "slack": { "url": url } } });
    let created = caller.post(&path(""), &new).await.ok(201);
    assert_eq!(created.get("signingSecret"), None);
    created["id"].as_str().unwrap().to_owned()
}

/// The secret in the URL.
const TOKEN: &str = "secret-token-of-slack";

#[apply(on_default_database)]
async fn a_change_is_a_line_with_escaped_names_and_a_link(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let id = connect(&administrator, &receiver).await;
    administrator.patch(&features("/reviews"), &json!({ "name": "<!channel> A & B" })).await.ok(200);
    for on in [10.0, 50.0] {
        let new = targeting(&[split(on, 100.0 - on)]);
        administrator.put(&targeting_of("reviews", "staging"), &new).await.ok(200);
    }
    let received = receiver.receive(2).await;
    assert_eq!(received[1].line(), format!("POST /services/T0/B1/{TOKEN} HTTP/1.1"));
    assert_eq!(received[1].header("webhook-signature"), None);
    let text = "Alma Lindqvist changed \
                <https://flags.example/projects/shop/features/reviews/environments/staging|&lt;!channel&gt; A &amp; B> \
                in Staging (shop): Rollout percentage updated (10% to 50%)";
    assert_eq!(received[1].body(), json!({ "text": text }));
    settled(&server, &id, 2).await;
    let hook = json!({ "origin": receiver.address(), "filter": { "environmentIds": [] } });
    let shown = read(&server, &id).await;
    assert_eq!((&shown["type"], &shown["configuration"]), (&json!("slack"), &json!({ "slack": hook })));
    assert!(!shown.to_string().contains(TOKEN));
}

#[apply(on_default_database)]
async fn a_failure_is_retried_once_and_shown_without_the_url(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = connect(&server.administrator(), &receiver).await;
    let _time = server.run_clock_fast();
    let gone = Reply::status("404 Not Found", "", &format!("no_service /services/T0/B1/{TOKEN}"));
    receiver.reply_next([gone.clone(), gone]);
    server.switch_search_suggestions("staging", false).await;
    server.switch_search_suggestions("staging", true).await;
    settled(&server, &id, 2).await;
    let log = log(&server, &id).await;
    let detail = "404 Not Found: no_service … – Check the URL: the receiver does not accept it.";
    let attempts = log[1]["attempts"].as_array().unwrap();
    assert_eq!(attempts.iter().map(|attempt| attempt["detail"].clone()).collect::<Vec<_>>(), [detail, detail]);
    assert_eq!(log[0]["state"], "delivered");
    let test = server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    assert_eq!(test["lastDeliverySuccess"], true);
    let text: Value = receiver.received().pop().unwrap().body();
    assert!(text["text"].as_str().unwrap().starts_with("Test event: Alma Lindqvist changed <https"), "{text}");
}
