//! Approvals are announced to webhooks and to Slack, in order with the changes, and never to analytics.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{create, environment_id, integration, log, path, settled, start};
use crate::fixture::{
    Caller, Receiver, Server, environment, features, on_default_database, on_each_database, project, split, targeting,
    targeting_of,
};

/// Requires approvals for `reviews`, whose rollout in staging is at 10%.
async fn require_approval(server: &Server) {
    server.write_without_gate("reviews", "staging", &targeting(&[split(10.0, 90.0)])).await;
    let required = json!({ "approvalRequired": true });
    server.administrator().patch(&features("/reviews"), &required).await.ok(200);
}

/// Requests a change of the rollout, and returns the id of the approval.
async fn request(caller: &Caller, on: f64) -> String {
    let mut new = targeting(&[split(on, 100.0 - on)]);
    new["comment"] = json!("For the <sale>");
    let pending = caller.put(&targeting_of("reviews", "staging"), &new).await.ok(202);
    pending["id"].as_str().unwrap().to_owned()
}

async fn decide(caller: &Caller, id: &str, verb: &str, comment: &str) -> u16 {
    let path = project(&format!("/approvals/{id}/{verb}"));
    caller.post(&path, &json!({ "comment": comment })).await.status
}

/// What each request is about.
fn events(received: &[crate::fixture::Received]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let event = |body: Value| (text(&body["type"]), text(&body["approval"]["state"]));
    received.iter().map(|request| event(request.body())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(event, state)| ((*event).to_owned(), (*state).to_owned())).collect()
}

#[apply(on_each_database)]
async fn requests_and_decisions_arrive_in_order_with_the_changes_and_analytics_gets_changes_only(database: Database) {
    let (server, analytics) = start(&database).await;
    let hooks = Receiver::start().await;
    require_approval(&server).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    let annotations = create(&server, &integration("US")).await;
    let (id, _) = super::webhooks::connect(&administrator, &hooks).await;

    let first = request(&editor, 20.0).await;
    assert_eq!(decide(&administrator, &first, "approve", "Go").await, 200);
    let second = request(&editor, 30.0).await;
    assert_eq!(decide(&administrator, &second, "reject", "Not now").await, 200);
    let third = request(&editor, 40.0).await;
    assert_eq!(decide(&editor, &third, "cancel", "").await, 422);
    assert_eq!(decide(&editor, &third, "cancel", "My mistake").await, 200);
    let fourth = request(&editor, 50.0).await;
    server.write_without_gate("reviews", "staging", &targeting(&[split(60.0, 40.0)])).await;
    assert_eq!(decide(&administrator, &fourth, "approve", "Go").await, 409);

    let received = hooks.receive(9).await;
    let expected = [
        ("approval.requested", "pending"),
        ("approval.decided", "approved"),
        ("feature.changed", ""),
        ("approval.requested", "pending"),
        ("approval.decided", "rejected"),
        ("approval.requested", "pending"),
        ("approval.withdrawn", "cancelled"),
        ("approval.requested", "pending"),
        ("approval.stale", "stale"),
    ];
    assert_eq!(events(&received), pairs(&expected));
    let requested = received[0].body();
    let approval = json!({
        "id": first, "state": "pending", "requestedBy": { "name": "Edda Okafor" }, "comment": "For the <sale>",
    });
    assert_eq!((&requested["approval"], &requested["reason"]), (&approval, &Value::Null));
    assert_eq!(requested["person"]["name"], "Edda Okafor");
    assert_eq!(requested["summary"], "Rollout percentage updated (10% to 20%)");
    assert_eq!(requested["link"], json!(format!("https://flags.example/projects/shop/approvals/{first}")));
    let decided = received[1].body();
    assert_eq!((&decided["person"]["name"], &decided["reason"]), (&json!("Alma Lindqvist"), &json!("Go")));
    assert_eq!(received[4].body()["reason"], "Not now");
    assert!(received[8].body()["reason"].as_str().unwrap().contains("has changed"), "{}", received[8].text());

    let log = settled(&server, &id, 9).await;
    assert_eq!((&log[8]["type"], &log[8]["approvalId"]), (&json!("approval.requested"), &json!(first)));
    settled(&server, &annotations, 1).await;
    assert_eq!(analytics.received().len(), 1);
    assert!(analytics.received()[0].field("details").ends_with("Change: Rollout percentage updated (10% to 20%)"));
}

#[apply(on_default_database)]
async fn slack_gets_a_sentence_for_each(database: Database) {
    let (server, _analytics) = start(&database).await;
    let receiver = Receiver::start().await;
    require_approval(&server).await;
    super::slack::connect(&server.administrator(), &receiver).await;
    let id = request(&server.editor(), 20.0).await;
    assert_eq!(decide(&server.administrator(), &id, "reject", "No & <never>").await, 200);
    let received = receiver.receive(2).await;
    let link = format!("<https://flags.example/projects/shop/approvals/{id}|Reviews>");
    let what = "in Staging (shop): Rollout percentage updated (10% to 20%)";
    for (request, text) in received.iter().zip([
        format!("Edda Okafor requests an approval for {link} {what} – For the &lt;sale&gt;"),
        format!("Alma Lindqvist rejected Edda Okafor's change of {link} {what} – No &amp; &lt;never&gt;"),
    ]) {
        assert_eq!(request.field("text"), text);
    }
}

#[apply(on_default_database)]
async fn a_change_of_the_feature_itself_says_what_was_requested(database: Database) {
    let (server, _analytics) = start(&database).await;
    let receiver = Receiver::start().await;
    require_approval(&server).await;
    super::webhooks::connect(&server.administrator(), &receiver).await;
    let archived = json!({ "lifecycle": "Archived" });
    let pending = server.production_editor().patch(&features("/reviews"), &archived).await;
    let pending = pending.ok(202)["id"].as_str().unwrap().to_owned();
    assert_eq!(decide(&server.production_editor(), &pending, "cancel", "Later").await, 200);
    let received = receiver.receive(2).await;
    assert_eq!(received[0].body()["summary"], "Lifecycle status changed (Active to Archived)");
    assert_eq!(received[0].body()["environment"], Value::Null);
}

#[apply(on_each_database)]
async fn a_request_for_the_feature_itself_is_one_event_for_each_whose_filter_names_any_environment(database: Database) {
    let (server, _analytics) = start(&database).await;
    let (administrator, pablo) = (server.administrator(), server.production_editor());
    for gated in ["development", "staging"] {
        let required = json!({ "approvalRequired": true });
        administrator.patch(&environment(gated, ""), &required).await.ok(200);
    }
    let receivers = [Receiver::start().await, Receiver::start().await, Receiver::start().await];
    for (receiver, filter) in receivers.iter().zip([vec![], vec!["staging"], vec!["development", "staging"]]) {
        let mut ids = Vec::new();
        for key in filter {
            ids.push(environment_id(&server, key).await);
        }
        let hook = json!({ "url": format!("{}/", receiver.address()), "filter": { "environmentIds": ids } });
        let new = json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": hook } });
        create(&server, &new).await;
    }
    let request = async |lifecycle: &str| {
        let pending = pablo.patch(&features("/reviews"), &json!({ "lifecycle": lifecycle })).await.ok(202);
        pending["id"].as_str().unwrap().to_owned()
    };
    let archive = request("Archived").await;
    assert_eq!(decide(&administrator, &archive, "approve", "Go").await, 200);
    request("Active").await;
    administrator.delete(&environment("development", "")).await.ok(204);

    for receiver in &receivers {
        let received = receiver.receive(5).await;
        let expected = [
            ("approval.requested", "pending"),
            ("approval.decided", "approved"),
            ("feature.changed", ""),
            ("approval.requested", "pending"),
            ("approval.stale", "stale"),
        ];
        assert_eq!(events(&received), pairs(&expected));
        assert!(received.iter().all(|request| request.body()["environment"].is_null()), "{}", received[0].text());
    }
}

#[apply(on_default_database)]
async fn a_filter_of_environments_limits_approvals_too(database: Database) {
    let (server, _analytics) = start(&database).await;
    let (production, staging) = (Receiver::start().await, Receiver::start().await);
    require_approval(&server).await;
    for (receiver, environment) in [(&production, "production"), (&staging, "staging")] {
        let filter = json!({ "environmentIds": [environment_id(&server, environment).await] });
        let hook = json!({ "url": format!("{}/", receiver.address()), "filter": filter });
        let new = json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": hook } });
        create(&server, &new).await;
    }
    request(&server.editor(), 20.0).await;
    staging.receive(1).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(events(&production.receive(1).await), pairs(&[("feature.changed", "")]));
}

#[apply(on_default_database)]
async fn without_anybody_to_tell_an_approval_leaves_the_outbox_alone(database: Database) {
    let (server, _analytics) = start(&database).await;
    require_approval(&server).await;
    create(&server, &integration("US")).await;
    let before = server.stored_rows().await;
    let id = request(&server.editor(), 20.0).await;
    assert_eq!(decide(&server.administrator(), &id, "reject", "No").await, 200);
    let changed = before.differences(&server.stored_rows().await);
    assert!(changed.iter().all(|row| !(row.starts_with("outbox:") || row.starts_with("environments:"))), "{changed:?}");
}

#[apply(on_default_database)]
async fn clients_learn_of_nothing_and_the_targeting_keeps_its_version(database: Database) {
    let (server, _analytics) = start(&database).await;
    let receiver = Receiver::start().await;
    require_approval(&server).await;
    let (id, _) = super::webhooks::connect(&server.administrator(), &receiver).await;
    let before = server.editor().get(&targeting_of("reviews", "staging")).await;
    let features = server.browser("staging").load_id("alice").await.features;
    request(&server.editor(), 20.0).await;
    receiver.receive(1).await;
    settled(&server, &id, 1).await;
    let after = server.editor().get(&targeting_of("reviews", "staging")).await;
    assert_eq!((after.ok(200), after.etag()), (before.ok(200), before.etag()));
    assert_eq!(server.browser("staging").load_id("alice").await.features, features);
    assert_eq!(log(&server, &id).await.len(), 1);
    let shown = server.administrator().get(&path(&format!("/{id}"))).await.ok(200);
    assert_eq!(shown["backlog"]["waiting"], 0);
}
