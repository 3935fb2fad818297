//! `/api/v1/admin/integrations/outbound`: destinations for annotations of flag changes.

mod approvals;
mod deliveries;
mod failures;
mod order;
mod private_addresses;
mod secrets;
mod slack;
mod test_events;
mod webhook_secrets;
mod webhooks;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Received, Receiver, Server, on_default_database, on_each_database, outbound, project};

/// The keys of the tests' analytics project.
const API_KEY: &str = "key-4711-of-the-project";
const SECRET_KEY: &str = "secret-0815-of-the-project";

/// The pointer of the ids in a filter.
const UNKNOWN: &str = "/configuration/analytics/filter/environmentIds";

/// A path below `…/outbound`.
pub(super) fn path(rest: &str) -> String {
    format!("/api/v1/admin/integrations/outbound{rest}")
}

/// The body that creates an integration in this region.
pub fn integration(region: &str) -> Value {
    json!({
        "type": "analytics", "enabled": true,
        "configuration": { "analytics": { "apiKey": API_KEY, "secretKey": SECRET_KEY, "region": region } },
    })
}

/// The same, filtered by environments.
pub fn filtered(ids: &[&str]) -> Value {
    let mut new = integration("US");
    new["configuration"]["analytics"]["filter"] = json!({ "environmentIds": ids });
    new
}

/// A server, and a destination for both regions.
pub(super) async fn start(database: &crate::fixture::Database) -> (Server, Receiver) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(database, outbound(receiver.address(), receiver.address())).await;
    (server, receiver)
}

/// Creates an integration and returns its id.
pub(super) async fn create(server: &Server, new: &Value) -> String {
    let created = server.administrator().post(&path(""), new).await.ok(201);
    created["id"].as_str().unwrap().to_owned()
}

/// The id of an environment in the shop.
async fn environment_id(server: &Server, key: &str) -> String {
    let environments = server.administrator().get(&project("/environments")).await.items();
    let found = environments.iter().find(|environment| environment["key"] == key).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

async fn read(server: &Server, id: &str) -> Value {
    server.administrator().get(&path(&format!("/{id}"))).await.ok(200)
}

/// The delivery log, newest first.
pub(super) async fn log(server: &Server, id: &str) -> Vec<Value> {
    server.administrator().get(&path(&format!("/{id}/deliveries?limit=200"))).await.items()
}

/// The delivery log, once it has this many finished deliveries.
pub(super) async fn settled(server: &Server, id: &str, count: usize) -> Vec<Value> {
    for _ in 0..2_000 {
        let log = log(server, id).await;
        if log.iter().filter(|delivery| delivery["state"] != "waiting").count() >= count {
            return log;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{count} deliveries have not finished: {:?}", log(server, id).await);
}

/// The lines of an annotation's details.
fn details(received: &Received) -> Vec<String> {
    received.field("details").split('\n').map(str::to_owned).collect()
}

/// The type of change in an annotation.
fn kind(received: &Received) -> String {
    let lines = details(received);
    assert_eq!(lines.len(), 7, "{lines:?}");
    lines[6].strip_prefix("Change: ").unwrap().to_owned()
}

#[apply(on_default_database)]
async fn the_regions_say_where_the_server_can_deliver_and_others_are_refused(database: Database) {
    let receiver = Receiver::start().await;
    let mut only_us = outbound(receiver.address(), receiver.address());
    only_us.eu = None;
    let server = Server::start_with_destinations(&database, only_us).await;
    let administrator = server.administrator();
    let regions = administrator.get("/api/v1/admin/integrations/regions").await.ok(200);
    let expected = [json!({ "region": "US", "available": true }), json!({ "region": "EU", "available": false })];
    assert_eq!(regions, json!({ "regions": expected }));
    for region in expected {
        let (name, status) = (region["region"].as_str().unwrap(), if region["available"] == true { 201 } else { 422 });
        assert_eq!(administrator.post(&path(""), &integration(name)).await.status, status, "{name}");
    }
}

#[apply(on_default_database)]
async fn an_integration_is_returned_without_its_keys_and_with_its_delivery_status(database: Database) {
    let (server, _receiver) = start(&database).await;
    let administrator = server.administrator();
    let staging = environment_id(&server, "staging").await;
    let created = administrator.post(&path(""), &filtered(&[&staging])).await;
    let mut shown = created.ok(201);
    assert_eq!(created.etag(), "\"1\"");
    let id = shown["id"].as_str().unwrap().to_owned();
    assert_eq!(administrator.get(&path(&format!("/{id}"))).await.ok(200), shown);
    assert_eq!(administrator.get(&path("")).await.items(), [shown.clone()]);
    shown.as_object_mut().unwrap().remove("id");
    let expected = json!({
        "type": "analytics", "enabled": true,
        "configuration": { "analytics": { "region": "US", "filter": { "environmentIds": [staging] } } },
        "installed": true, "delivering": true,
        "lastDeliveryAt": null, "lastDeliverySuccess": null, "lastDeliveryDetail": null,
        "backlog": { "waiting": 0, "oldestChangeAt": null, "backlogged": false },
    });
    assert_eq!(shown, expected);
}

#[apply(on_default_database)]
async fn put_replaces_everything_except_blank_keys(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let id = create(&server, &filtered(&[&environment_id(&server, "staging").await])).await;
    let own = path(&format!("/{id}"));
    let test = path(&format!("/{id}/test"));
    let mut new = integration("EU");
    for (number, blank) in [json!(""), json!("  "), Value::Null].into_iter().enumerate() {
        let analytics = &mut new["configuration"]["analytics"];
        (analytics["apiKey"], analytics["secretKey"]) = (blank.clone(), blank);
        new["enabled"] = json!(number == 1);
        let response = administrator.put(&own, &new).await;
        let shown = response.ok(200);
        assert_eq!(response.etag(), format!("\"{}\"", number + 2));
        assert_eq!(shown["enabled"], json!(number == 1));
        assert_eq!(shown["delivering"], shown["enabled"]);
        assert_eq!(
            shown["configuration"],
            json!({ "analytics": { "region": "EU", "filter": { "environmentIds": [] } } })
        );
        administrator.post(&test, &json!({})).await.ok(200);
    }
    // Only one of the two keys.
    new["configuration"]["analytics"] = json!({ "secretKey": "another", "region": "EU" });
    administrator.put(&own, &new).await.ok(200);
    administrator.post(&test, &json!({})).await.ok(200);
    let keys: Vec<_> = receiver.receive(4).await.iter().map(|sent| sent.header("authorization").unwrap()).collect();
    let basic = |key: &str, secret: &str| {
        use base64::Engine as _;
        format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("{key}:{secret}")))
    };
    let (kept, other) = (basic(API_KEY, SECRET_KEY), basic(API_KEY, "another"));
    assert_eq!(keys, [kept.clone(), kept.clone(), kept, other]);
}

#[apply(on_default_database)]
async fn an_invalid_integration_is_rejected_with_pointers(database: Database) {
    let (server, _receiver) = start(&database).await;
    let administrator = server.administrator();
    let id = create(&server, &integration("US")).await;
    let outsider = server.outsider().await;
    let elsewhere = json!({ "key": "else", "name": "Elsewhere" });
    outsider.post("/api/v1/projects", &elsewhere).await.ok(201);
    let theirs = json!({ "key": "there", "name": "There" });
    let theirs = outsider.post("/api/v1/projects/else/environments", &theirs).await.ok(201)["id"].clone();
    let before = server.stored_rows().await;
    let at = |pointer: &str, value: Value| {
        let mut new = integration("US");
        match new.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => {
                let (above, name) = pointer.rsplit_once('/').unwrap();
                new.pointer_mut(above).unwrap()[name] = value;
            }
        }
        new
    };
    let analytics = |rest: &str| format!("/configuration/analytics/{rest}");
    let environments = analytics("filter/environmentIds");
    let nowhere = json!({ "environmentIds": ["nowhere", theirs] });
    for (new, pointers) in [
        (at("/type", json!("pigeon")), vec!["/type".to_owned()]),
        (at("/organisationId", json!("other")), vec!["/organisationId".to_owned()]),
        (at("/enabled", json!("yes")), vec!["/enabled".to_owned()]),
        (at(&analytics("region"), json!("us")), vec![analytics("region")]),
        (at(&analytics("colour"), json!("red")), vec![analytics("colour")]),
        (at(&analytics("apiKey"), json!("a:b")), vec![analytics("apiKey")]),
        (at(&analytics("apiKey"), json!(4711)), vec![analytics("apiKey")]),
        (at(&analytics("secretKey"), json!("a\nb")), vec![analytics("secretKey")]),
        (at(&analytics("secretKey"), json!("a".repeat(1_001))), vec![analytics("secretKey")]),
        (at(&analytics("filter"), nowhere), vec![format!("{environments}/0"), format!("{environments}/1")]),
    ] {
        let refused = administrator.post(&path(""), &new).await;
        assert_eq!(refused.pointers(), pointers, "{new}");
        assert!(!refused.text.contains("4711"), "{}", refused.text);
        assert_eq!(administrator.put(&path(&format!("/{id}")), &new).await.pointers(), pointers, "{new}");
    }
    // A blank key keeps the stored one, but a new integration has none.
    let mut blank = integration("US");
    blank["configuration"]["analytics"]["apiKey"] = json!("");
    blank["configuration"]["analytics"].as_object_mut().unwrap().remove("secretKey");
    assert_eq!(administrator.post(&path(""), &blank).await.pointers(), [analytics("apiKey"), analytics("secretKey")]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_integration_that_names_a_deleted_environment_can_be_written_back_as_it_was_read(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let new = json!({ "key": "canary", "name": "Canary" });
    let canary = administrator.post(&project("/environments"), &new).await.ok(201)["id"].as_str().unwrap().to_owned();
    let id = create(&server, &filtered(&[&canary])).await;
    administrator.delete(&project("/environments/canary")).await.ok(204);

    let own = path(&format!("/{id}"));
    let shown = read(&server, &id).await;
    let body = json!({ "type": shown["type"], "enabled": false, "configuration": shown["configuration"] });
    assert_eq!(administrator.put(&own, &body).await.ok(200)["configuration"], shown["configuration"]);
    let body = json!({ "type": shown["type"], "enabled": true, "configuration": shown["configuration"] });
    administrator.put(&own, &body).await.ok(200);
    // The filter still names an environment, so that nothing else is delivered.
    server.switch_search_suggestions("staging", false).await;
    administrator.post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    assert_eq!(receiver.received().len(), 1);
    // Other unknown ids are refused, and so is this one once it is gone, also in another integration.
    assert_eq!(administrator.put(&own, &filtered(&[&canary, "nowhere"])).await.pointers(), [format!("{UNKNOWN}/1")]);
    assert_eq!(administrator.post(&path(""), &filtered(&[&canary])).await.pointers(), [format!("{UNKNOWN}/0")]);
    administrator.put(&own, &filtered(&[])).await.ok(200);
    assert_eq!(administrator.put(&own, &filtered(&[&canary])).await.pointers(), [format!("{UNKNOWN}/0")]);
}

#[apply(on_default_database)]
async fn a_region_without_a_url_is_rejected_with_the_remedy(database: Database) {
    let server = Server::start(&database).await;
    let refused = server.administrator().post(&path(""), &integration("EU")).await;
    assert_eq!(refused.pointers(), ["/configuration/analytics/region"]);
    assert!(refused.text.contains("operator"), "{}", refused.text);
}

async fn assert_all_routes_reject(caller: &Caller, id: &str, status: u16, kind: &str) {
    let own = path(&format!("/{id}"));
    caller.get(&own).await.problem(status, kind);
    caller.put(&own, &integration("US")).await.problem(status, kind);
    caller.post(&format!("{own}/test"), &json!({})).await.problem(status, kind);
    caller.get(&format!("{own}/deliveries")).await.problem(status, kind);
    caller.delete(&own).await.problem(status, kind);
}

#[apply(on_default_database)]
async fn integrations_belong_to_the_tokens_organisation_and_only_its_administrators_have_access(database: Database) {
    let (server, _receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let outsider = server.outsider().await;
    let before = server.stored_rows().await;
    assert_all_routes_reject(&outsider, &id, 404, "not-found").await;
    assert_eq!(outsider.get(&path("")).await.items(), [] as [Value; 0]);
    for caller in [server.production_editor(), server.editor(), server.read_only()] {
        assert_all_routes_reject(&caller, &id, 403, "forbidden").await;
        caller.get(&path("")).await.problem(403, "forbidden");
        caller.post(&path(""), &integration("US")).await.problem(403, "forbidden");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn writes_use_etags_and_creations_and_tests_use_idempotency_keys(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let first = administrator.post_once(&path(""), "once", &integration("US")).await;
    let created = first.ok(201);
    let again = administrator.post_once(&path(""), "once", &integration("US")).await;
    assert_eq!((again.ok(201), again.etag()), (created.clone(), first.etag()));
    administrator.post_once(&path(""), "once", &integration("EU")).await.problem(422, "invalid");
    assert_eq!(administrator.get(&path("")).await.items().len(), 1);

    let own = path(&format!("/{}", created["id"].as_str().unwrap()));
    let test = format!("{own}/test");
    let tested = administrator.post_once(&test, "tested", &json!({})).await;
    let shown = tested.ok(200);
    assert_eq!(administrator.post_once(&test, "tested", &json!({})).await.ok(200), shown);
    assert_eq!(receiver.received().len(), 1);

    let mut off = integration("US");
    off["enabled"] = json!(false);
    let put_if = async |etag: &str| {
        let request = administrator.request(reqwest::Method::PUT, &own).header("if-match", etag).json(&off);
        administrator.send(request).await
    };
    assert_eq!(put_if("\"1\"").await.etag(), "\"2\"");
    put_if("\"1\"").await.assert_stale("\"1\"", "\"2\"");
    let delete = administrator.request(reqwest::Method::DELETE, &own).header("if-match", "\"1\"");
    administrator.send(delete).await.assert_stale("\"1\"", "\"2\"");
    administrator.delete(&own).await.ok(204);
    administrator.get(&own).await.problem(404, "not-found");
    administrator.post_once(&test, "tested-later", &json!({})).await.problem(404, "not-found");
}
