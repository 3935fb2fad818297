//! Webhooks: requests with documented fields, signed as Standard Webhooks say, through the queue of the annotations.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use ring::hmac;
use serde_json::{Value, json};

use super::{create, environment_id, integration, log, path, read, settled, start};
use crate::fixture::{
    Caller, NOW, Received, Receiver, Reply, Server, ServerProcess, eventually, features, on_default_database,
    on_each_database, split, targeting, targeting_of,
};

/// The body that creates a webhook of this URL.
pub(super) fn webhook(url: &str) -> Value {
    json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": { "url": url } } })
}

/// Creates a webhook to the receiver, and returns its id and its signing secret.
pub(super) async fn connect(caller: &Caller, receiver: &Receiver) -> (String, String) {
    let created = caller.post(&path(""), &webhook(&format!("{}/hooks/4711", receiver.address()))).await.ok(201);
    let text = |name: &str| created[name].as_str().unwrap().to_owned();
    (text("id"), text("signingSecret"))
}

/// The signatures that the request needs with this secret, computed as the receiver of a webhook does.
pub(super) fn signature(request: &Received, secret: &str) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let (id, timestamp) = (request.header("webhook-id").unwrap(), request.header("webhook-timestamp").unwrap());
    let text = request.text();
    let body = text.split_once("\r\n\r\n").unwrap().1;
    let signed = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(signed.as_ref()))
}

fn assert_signed(request: &Received, secret: &str) {
    assert_eq!(request.header("webhook-signature"), Some(signature(request, secret)), "{}", request.text());
}

/// Sets the percentage of `reviews` in staging.
async fn roll_out(caller: &Caller, percentage: usize) {
    let on = f64::from(u32::try_from(percentage).unwrap());
    caller.put(&targeting_of("reviews", "staging"), &targeting(&[split(on, 100.0 - on)])).await.ok(200);
}

/// To which percentage the request says that the rollout changed.
fn percentage(request: &Received) -> String {
    let body = request.body();
    let changes = body["changes"].as_array().unwrap();
    let rollout = changes.iter().find(|change| change["type"] == "rolloutPercentage");
    rollout.map_or_else(String::new, |change| change["transitions"][0]["to"].as_str().unwrap().to_owned())
}

#[apply(on_default_database)]
async fn a_change_is_a_signed_request_with_the_documented_fields(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let (_, secret) = connect(&administrator, &receiver).await;
    roll_out(&administrator, 10).await;
    roll_out(&administrator, 50).await;
    let received = receiver.receive(2).await;
    let request = &received[1];
    assert_eq!(request.line(), "POST /hooks/4711 HTTP/1.1");
    assert_eq!(request.header("content-type").as_deref(), Some("application/json"));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("webhook-timestamp"), Some((NOW.0 / 1_000).to_string()));
    assert_signed(request, &secret);
    let id = request.header("webhook-id").unwrap();
    assert!(id.starts_with("msg_") && !id.contains('.'), "{id}");
    let transition = json!({ "of": "", "from": "10%", "to": "50%" });
    let change = json!({
        "type": "rolloutPercentage", "text": "Rollout percentage updated", "transitions": [transition],
    });
    let expected = json!({
        "id": id, "type": "feature.changed", "time": "2026-11-21T10:00:00Z",
        "project": { "key": "shop" }, "environment": { "key": "staging", "name": "Staging" },
        "feature": { "key": "reviews", "name": "Reviews" }, "person": { "name": "Alma Lindqvist" },
        "changes": [change], "summary": "Rollout percentage updated (10% to 50%)", "approval": null, "reason": null,
        "link": "https://flags.example/projects/shop/features/reviews/environments/staging",
    });
    assert_eq!(request.body(), expected);
}

#[apply(on_default_database)]
async fn a_lifecycle_change_is_one_request_without_an_environment(database: Database) {
    let (server, receiver) = start(&database).await;
    connect(&server.administrator(), &receiver).await;
    server.administrator().patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    server.switch_search_suggestions("staging", false).await;
    let received = receiver.receive(2).await;
    let body = received[0].body();
    assert_eq!(body["environment"], Value::Null);
    assert_eq!(body["changes"][0]["type"], "lifecycle");
    assert_eq!(body["link"], "https://flags.example/projects/shop/features/reviews");
    assert_eq!(received[1].body()["feature"]["key"], "search-suggestions");
}

#[apply(on_each_database)]
async fn a_retry_has_the_same_id_and_body_and_is_signed_again_and_the_order_stays(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let (id, secret) = connect(&administrator, &receiver).await;
    let _time = server.run_clock_fast();
    let failing = Reply::status("503 Service Unavailable", "", "try /hooks/4711 later");
    receiver.reply_next([Reply::ok(), failing.clone(), Reply::ok(), failing.clone(), failing]);
    for percentage in 1..=6 {
        roll_out(&administrator, percentage).await;
    }
    let received = receiver.receive(8).await;
    let order: Vec<_> = received.iter().skip(1).map(percentage).collect();
    assert_eq!(order, ["2%", "2%", "3%", "3%", "4%", "5%", "6%"]);
    received.iter().for_each(|request| assert_signed(request, &secret));
    for (first, second) in [(1, 2), (3, 4)] {
        assert_eq!(received[first].header("webhook-id"), received[second].header("webhook-id"));
        assert_eq!(received[first].body(), received[second].body());
        assert_ne!(received[first].header("webhook-timestamp"), received[second].header("webhook-timestamp"));
    }
    let log = settled(&server, &id, 6).await;
    let states: Vec<_> = log.iter().map(|delivery| delivery["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["delivered", "delivered", "delivered", "failed", "delivered", "delivered"]);
    assert_eq!(log[3]["type"], "feature.changed");
    // The path of the URL is secret, also when the receiver repeats it.
    assert_eq!(log[3]["attempts"][1]["detail"], "503 Service Unavailable: try … later");
    assert_eq!(log[4]["attempts"][1]["detail"], "200 OK");
}

#[apply(on_default_database)]
async fn every_success_status_counts_as_delivered_and_redirects_are_not_followed(database: Database) {
    let (server, receiver) = start(&database).await;
    let (id, _) = connect(&server.administrator(), &receiver).await;
    let _time = server.run_clock_fast();
    let test = path(&format!("/{id}/test"));
    for status in ["200 OK", "201 Created", "202 Accepted", "204 No Content"] {
        receiver.reply_next([Reply::status(status, "", "")]);
        let shown = server.administrator().post(&test, &json!({})).await.ok(200);
        assert_eq!((&shown["lastDeliverySuccess"], &shown["lastDeliveryDetail"]), (&json!(true), &json!(status)));
    }
    let elsewhere = Reply::status("308 Permanent Redirect", &format!("Location: {}/other\r\n", receiver.address()), "");
    receiver.reply_next([elsewhere.clone(), elsewhere]);
    let shown = server.administrator().post(&test, &json!({})).await.ok(200);
    let found = shown["lastDeliveryDetail"].as_str().unwrap();
    assert!(found.starts_with("308 ") && found.contains("Redirects are not followed"), "{found}");
    assert_eq!(receiver.received().len(), 6, "four successes, and two attempts of one failure");
}

#[apply(on_default_database)]
async fn a_test_event_has_a_type_of_its_own_and_ignores_filter_and_backlog(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let mut off = webhook(&format!("{}/hooks", receiver.address()));
    off["enabled"] = json!(false);
    let created = administrator.post(&path(""), &off).await.ok(201);
    let id = created["id"].as_str().unwrap();
    administrator.post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    administrator.post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    let received = receiver.received();
    assert_signed(&received[0], created["signingSecret"].as_str().unwrap());
    let body = received[0].body();
    assert_eq!((&body["type"], &body["feature"]["name"]), (&json!("test"), &json!("Test event")));
    assert_eq!(body["link"], json!(format!("https://flags.example/integrations/{id}")));
    assert_ne!(received[0].header("webhook-id"), received[1].header("webhook-id"));
    assert_eq!(log(&server, id).await[0]["test"], true);
}

#[apply(on_default_database)]
async fn a_filter_limits_a_webhook_to_its_environments(database: Database) {
    let (server, receiver) = start(&database).await;
    let mut filtered = webhook(&format!("{}/hooks", receiver.address()));
    let staging = environment_id(&server, "staging").await;
    filtered["configuration"]["webhook"]["filter"] = json!({ "environmentIds": [staging] });
    let id = create(&server, &filtered).await;
    for (environment, enabled) in [("production", false), ("staging", false), ("development", false), ("staging", true)]
    {
        server.switch_search_suggestions(environment, enabled).await;
    }
    settled(&server, &id, 2).await;
    let received = receiver.received();
    let places: Vec<_> = received.iter().map(|request| request.body()["environment"]["key"].clone()).collect();
    assert_eq!(places, ["staging", "staging"]);
}

#[apply(on_default_database)]
async fn a_webhook_is_written_and_read_without_its_url(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let (id, secret) = connect(&administrator, &receiver).await;
    let own = path(&format!("/{id}"));
    let hook = json!({ "origin": receiver.address(), "filter": { "environmentIds": [] } });
    let shown = read(&server, &id).await;
    assert_eq!((&shown["type"], &shown["configuration"]), (&json!("webhook"), &json!({ "webhook": hook })));
    // A blank URL keeps the stored one, another one replaces it, and the secret stays.
    for (url, line) in [(json!(" "), "/hooks/4711"), (Value::Null, "/hooks/4711"), (json!(receiver.address()), "/")] {
        let mut new = webhook("");
        new["configuration"]["webhook"]["url"] = url;
        let written = administrator.put(&own, &new).await.ok(200);
        assert_eq!(written.get("signingSecret"), None);
        administrator.post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
        let last = receiver.received().pop().unwrap();
        assert_eq!(last.line(), format!("POST {line} HTTP/1.1"));
        assert_signed(&last, &secret);
    }
}

#[apply(on_default_database)]
async fn an_invalid_webhook_is_refused_with_the_field_and_the_remedy(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let (id, _) = connect(&administrator, &receiver).await;
    let before = server.stored_rows().await;
    let at = |pointer: &str, value: Value| {
        let mut new = webhook("https://hooks.example/a");
        let (above, name) = pointer.rsplit_once('/').unwrap();
        new.pointer_mut(above).unwrap()[name] = value;
        new
    };
    let url = "/configuration/webhook/url";
    let filter = json!({ "environmentIds": ["nowhere"] });
    for (new, pointer) in [
        (at("/type", json!("slack")), "/configuration/webhook"),
        (at("/configuration", json!({})), "/configuration/webhook"),
        (at("/configuration", integration("US")["configuration"].clone()), "/configuration/analytics"),
        (at("/configuration/slack", json!({ "url": "https://hooks.example" })), "/configuration/slack"),
        (at(url, json!("not a url")), url),
        (at(url, json!("ftp://hooks.example")), url),
        (at(url, json!(["https://hooks.example/secret"])), url),
        (at("/configuration/webhook/region", json!("US")), "/configuration/webhook/region"),
        (at("/configuration/webhook/filter", filter), "/configuration/webhook/filter/environmentIds/0"),
    ] {
        let refused = administrator.post(&path(""), &new).await;
        assert_eq!(refused.pointers(), [pointer], "{new}");
        assert!(!refused.text.contains("/secret"), "{}", refused.text);
        assert_eq!(administrator.put(&path(&format!("/{id}")), &new).await.pointers(), [pointer], "{new}");
    }
    assert_eq!(administrator.post(&path(""), &webhook(" ")).await.pointers(), [url]);
    let other = administrator.put(&path(&format!("/{id}")), &integration("US")).await;
    assert_eq!(other.pointers(), ["/type"]);
    assert!(other.text.contains("Create another integration"), "{}", other.text);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_new_secret_signs_at_once_and_the_one_before_for_a_day_more(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let (id, old) = connect(&administrator, &receiver).await;
    let (test, own) = (path(&format!("/{id}/test")), path(&format!("/{id}/secret")));
    let rotated = administrator.post_once(&own, "rotated", &Value::Null).await;
    let new = rotated.ok(200)["signingSecret"].as_str().unwrap().to_owned();
    assert_eq!(rotated.etag(), "\"2\"");
    assert_ne!(new, old);
    // A repeat changes nothing, and shows the secret no more.
    let again = administrator.post_once(&own, "rotated", &Value::Null).await;
    assert_eq!((again.ok(200), again.etag()), (json!({}), rotated.etag()));
    administrator.post(&test, &json!({})).await.ok(200);
    let first = receiver.received().pop().unwrap();
    let both = format!("{} {}", signature(&first, &new), signature(&first, &old));
    assert_eq!(first.header("webhook-signature"), Some(both));
    server.clock.set(flagservice_rules::Instant(NOW.0 + 24 * 60 * 60 * 1_000));
    administrator.post(&test, &json!({})).await.ok(200);
    assert_signed(&receiver.received().pop().unwrap(), &new);
    // Others have no signing secret.
    let analytics = create(&server, &integration("US")).await;
    administrator.post(&path(&format!("/{analytics}/secret")), &Value::Null).await.problem(404, "not-found");
}

#[apply(on_each_database)]
async fn nothing_is_lost_when_the_server_is_killed_and_a_repeat_has_the_same_id(database: Database) {
    let receiver = Receiver::start().await;
    receiver.reply_always(Reply::Hang(Vec::new()));
    let arguments = ["--private-destination", "127.0.0.0/8"];
    let mut server = ServerProcess::start_with(&database, &arguments).await;
    let administrator = server.person(flagservice_server::domain::role::Role::Administrator);
    let (_, secret) = connect(&administrator, &receiver).await;
    for percentage in 1..=5 {
        roll_out(&administrator, percentage).await;
    }
    receiver.receive(1).await;
    server.kill().await;
    receiver.reply_always(Reply::ok());
    let _server = ServerProcess::start_with(&database, &arguments).await;
    let last = async || receiver.received().last().is_some_and(|request| percentage(request) == "5%");
    eventually("the last change is delivered", last).await;
    let received = receiver.received();
    let (repeated, others) = received.split_at(received.len() - 4);
    let order: Vec<_> = others.iter().map(percentage).collect();
    assert_eq!(order, ["2%", "3%", "4%", "5%"]);
    // The first server may have had time to repeat it, too.
    assert!(repeated.len() >= 2);
    for request in repeated {
        assert_eq!(request.header("webhook-id"), repeated[0].header("webhook-id"));
        assert_eq!(request.body(), repeated[0].body());
    }
    received.iter().for_each(|request| assert_signed(request, &secret));
}

#[apply(on_default_database)]
async fn a_webhook_and_analytics_get_the_same_changes_and_neither_waits_for_the_other(database: Database) {
    let (server, receiver) = start(&database).await;
    let hooks = Receiver::start().await;
    let slow = Receiver::start().await;
    slow.reply_always(Reply::Hang(Vec::new()));
    connect(&server.administrator(), &slow).await;
    connect(&server.administrator(), &hooks).await;
    create(&server, &integration("US")).await;
    for number in 0..6 {
        server.switch_search_suggestions("staging", number % 2 == 1).await;
    }
    let kinds =
        hooks.receive(6).await.iter().map(|request| request.body()["changes"][0]["type"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds, ["disabled", "enabled", "disabled", "enabled", "disabled", "enabled"]);
    assert_eq!(receiver.receive(6).await.len(), 6);
    assert_eq!(slow.receive(1).await.len(), 1);
}

/// What an administrator sees of one that was deleted: nothing, and it gets nothing.
#[apply(on_each_database)]
async fn a_deleted_webhook_gets_nothing_more(database: Database) {
    let (server, receiver): (Server, Receiver) = start(&database).await;
    let (id, _) = connect(&server.administrator(), &receiver).await;
    server.administrator().delete(&path(&format!("/{id}"))).await.ok(204);
    let (other, _) = connect(&server.administrator(), &receiver).await;
    server.switch_search_suggestions("staging", false).await;
    settled(&server, &other, 1).await;
    assert_eq!(receiver.received().len(), 1);
}
