//! `/api/v1/audit-log`: every write leaves one audit record.

mod filters;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::every_route_is_guarded::routes;
use crate::fixture::{
    Caller, Receiver, Server, at, condition, environment, everyone, features, on_each_database, outbound, project,
    targeting, targeting_of,
};

const AUDIT_LOG: &str = "/api/v1/audit-log";

/// The start of the writes in these tests; the demo was created earlier.
const START: &str = "2026-11-21T11:00:00Z";

/// A write, and the expected audit record: the action, the resource (`{}` is the id in the response), and whether it has `before`
/// and `after`.
type Write = (Method, String, Value, &'static str, &'static str, (bool, bool));

const CREATED: (bool, bool) = (false, true);
const CHANGED: (bool, bool) = (true, true);
const DELETED: (bool, bool) = (true, false);

/// One write of every kind. The order matters.
#[rustfmt::skip]
fn writes() -> Vec<Write> {
    let (post, patch, put, delete) = (Method::POST, Method::PATCH, Method::PUT, Method::DELETE);
    let named = |key: &str| json!({ "key": key, "name": "New" });
    let audience = json!({ "key": "new", "name": "New", "conditions": [] });
    let conditions = json!({ "conditions": [condition("plan", "in", json!(["pro"]))] });
    let phases = json!([{ "name": "Try", "environmentKey": "development" }, { "name": "Show", "environmentKey": "staging" }]);
    let pipeline = json!({ "key": "new", "name": "New", "phases": phases });
    let copy = json!({ "source": "staging", "target": "development", "featureKeys": ["new"], "settings": { "rules": true } });
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": "US" });
    let integration = |enabled| json!({ "type": "analytics", "enabled": enabled, "configuration": { "analytics": analytics } });
    const OUTBOUND: &str = "/api/v1/admin/integrations/outbound";
    vec![
        (patch.clone(), "/api/v1/organisation".into(), json!({ "name": "New" }), "organisation.update", "organisation", CHANGED),
        (post.clone(), "/api/v1/projects".into(), named("new"), "project.create", "projects/new", CREATED),
        (patch.clone(), "/api/v1/projects/new".into(), json!({ "name": "Newer" }), "project.update", "projects/new", CHANGED),
        (delete.clone(), "/api/v1/projects/new".into(), Value::Null, "project.delete", "projects/new", DELETED),
        (post.clone(), project("/environments"), named("new"), "environment.create", "projects/shop/environments/new", CREATED),
        (patch.clone(), environment("new", ""), json!({ "approvalRequired": true }), "environment.update", "projects/shop/environments/new", CHANGED),
        (post.clone(), environment("new", "/client-keys"), json!({ "name": "Web" }), "client-key.create", "projects/shop/environments/new/client-keys/{}", CREATED),
        (delete.clone(), environment("new", "/client-keys/{}"), Value::Null, "client-key.revoke", "projects/shop/environments/new/client-keys/{}", DELETED),
        (post.clone(), environment("new", "/server-keys"), json!({ "name": "Web" }), "server-key.create", "projects/shop/environments/new/server-keys/{}", CREATED),
        (delete.clone(), environment("new", "/server-keys/{}"), Value::Null, "server-key.revoke", "projects/shop/environments/new/server-keys/{}", DELETED),
        (delete.clone(), environment("new", ""), Value::Null, "environment.delete", "projects/shop/environments/new", DELETED),
        (post.clone(), project("/pipelines"), pipeline, "pipeline.create", "projects/shop/pipelines/new", CREATED),
        (patch.clone(), project("/pipelines/new"), json!({ "name": "Newer" }), "pipeline.update", "projects/shop/pipelines/new", CHANGED),
        (post.clone(), features(""), named("new"), "feature.create", "projects/shop/features/new", CREATED),
        (patch.clone(), features("/new"), json!({ "pipelineKey": "new" }), "feature.update", "projects/shop/features/new", CHANGED),
        (post.clone(), features("/new/next-phase"), json!({}), "feature.next-phase", "projects/shop/features/new", CHANGED),
        (patch.clone(), features("/new"), json!({ "pipelineKey": null }), "feature.update", "projects/shop/features/new", CHANGED),
        (patch.clone(), features("/new"), json!({ "tags": ["new"] }), "feature.update", "projects/shop/features/new", CHANGED),
        (put.clone(), targeting_of("new", "staging"), targeting(&[everyone("on")]), "targeting.update", "projects/shop/features/new", CHANGED),
        (post.clone(), environment("copy", ""), copy, "targeting.update", "projects/shop/features/new", CHANGED),
        (patch.clone(), targeting_of("new", "staging"), json!({ "enabled": false }), "targeting.update", "projects/shop/features/new", CHANGED),
        (patch.clone(), features("/new"), json!({ "lifecycle": "Archived" }), "feature.update", "projects/shop/features/new", CHANGED),
        (delete.clone(), features("/new"), Value::Null, "feature.delete", "projects/shop/features/new", DELETED),
        (delete.clone(), project("/pipelines/new"), Value::Null, "pipeline.delete", "projects/shop/pipelines/new", DELETED),
        (post.clone(), project("/audiences"), audience, "audience.create", "projects/shop/audiences/new", CREATED),
        (patch.clone(), project("/audiences/new"), conditions, "audience.update", "projects/shop/audiences/new", CHANGED),
        (delete.clone(), project("/audiences/new"), Value::Null, "audience.delete", "projects/shop/audiences/new", DELETED),
        (post.clone(), "/api/v1/users".into(), json!({ "name": "Nora", "role": "editor" }), "user.create", "users/{}", CREATED),
        (patch, "/api/v1/users/{}".into(), json!({ "role": "readOnly" }), "user.update", "users/{}", CHANGED),
        (delete.clone(), "/api/v1/users/{}".into(), Value::Null, "user.delete", "users/{}", DELETED),
        (post.clone(), OUTBOUND.into(), integration(false), "integration.create", "admin/integrations/outbound/{}", CREATED),
        (put, format!("{OUTBOUND}/{{}}"), integration(true), "integration.update", "admin/integrations/outbound/{}", CHANGED),
        (post.clone(), format!("{OUTBOUND}/{{}}/test"), Value::Null, "integration.test", "admin/integrations/outbound/{}", CREATED),
        (delete.clone(), format!("{OUTBOUND}/{{}}"), Value::Null, "integration.delete", "admin/integrations/outbound/{}", DELETED),
        (post, "/api/v1/tokens".into(), json!({ "name": "Robot" }), "token.create", "tokens/{}", CREATED),
        (delete, "/api/v1/tokens/{}".into(), Value::Null, "token.revoke", "tokens/{}", DELETED),
    ]
}

#[test]
fn every_writing_route_is_covered_by_these_tests() {
    let is = |write: &Write, route: &str| {
        let (method, path) = route.split_once(' ').unwrap();
        let (parts, there): (Vec<_>, Vec<_>) = (path.split('/').collect(), write.1.split('/').collect());
        let same = |(part, there): (&&str, &&str)| part.starts_with('{') || part == there;
        write.0 == *method && parts.len() == there.len() && parts.iter().zip(&there).all(same)
    };
    let (writes, routes) = (writes(), routes::rest());
    // Actions on approvals need two people; `approvals/audit.rs` tests them.
    // A preview writes nothing.
    let elsewhere = |route: &str| route.contains("/approvals/") || route.ends_with("/preview");
    let here = |route: &&String| !route.starts_with("GET ") && !elsewhere(route);
    let writing: Vec<_> = routes.iter().filter(here).collect();
    assert!(!writing.is_empty());
    for route in writing {
        assert!(writes.iter().any(|write| is(write, route)), "{route} is missing in the table of writes");
    }
}

/// Sends the write and returns the id in the response, or the previous id if there is none.
async fn write(caller: &Caller, (method, path, body, ..): &Write, id: String) -> (String, Value) {
    let request = caller.request(method.clone(), &path.replace("{}", &id));
    let response = caller.send(if body.is_null() { request } else { request.json(body) }).await;
    assert!((200..300).contains(&response.status), "{method} {path}: {}", response.text);
    let new_id = if response.text.is_empty() { Value::Null } else { response.ok(response.status) };
    (new_id["id"].as_str().map_or(id, str::to_owned), new_id)
}

#[apply(on_each_database)]
async fn every_write_leaves_one_audit_record_with_actor_time_action_before_and_after(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let me = administrator.get("/api/v1/me").await.ok(200);
    let (mut id, mut time, mut secrets) = (String::new(), at(START), Vec::new());
    for each in writes() {
        time.0 += 1000;
        server.clock.set(time);
        let before = server.stored_rows().await.count("audit_log");
        let (new_id, response) = write(&administrator, &each, id).await;
        id = new_id;
        secrets.extend(["key", "token"].iter().filter_map(|name| response[name].as_str()).map(str::to_owned));
        let (method, path, _, action, resource, (was, is)) = each;
        assert_eq!(server.stored_rows().await.count("audit_log"), before + 1, "{method} {path}");
        let entry = &administrator.get(&format!("{AUDIT_LOG}?limit=1")).await.items()[0];
        assert_eq!((&entry["userId"], &entry["userName"]), (&me["id"], &me["name"]), "{method} {path}");
        let when: jiff::Timestamp = entry["at"].as_str().unwrap().parse().unwrap();
        assert_eq!(when.as_millisecond(), time.0, "{method} {path}");
        assert_eq!(entry["action"], action, "{method} {path}");
        assert_eq!(entry["resource"], resource.replace("{}", &id), "{method} {path}");
        assert_eq!((entry["before"].is_object(), entry["after"].is_object()), (was, is), "{method} {path}: {entry}");
        assert_ne!(entry["before"], entry["after"], "{method} {path}");
    }
    secrets.retain(|secret| secret.starts_with("api-") || secret.starts_with("js-") || secret.starts_with("srv-"));
    assert_eq!(secrets.len(), 3, "a client key, a server key and a token");
    let log = administrator.get(&format!("{AUDIT_LOG}?limit=200")).await;
    for secret in &secrets {
        assert!(!log.text.contains(secret.as_str()));
    }
}

#[apply(on_each_database)]
async fn an_audit_record_shows_the_resource_before_and_after(database: Database) {
    let server = Server::start(&database).await;
    server.clock.set(at(START));
    let latest = async || server.read_only().get(&format!("{AUDIT_LOG}?limit=1")).await.items()[0].clone();
    server.editor().patch(&features("/reviews"), &json!({ "name": "Opinions" })).await.ok(200);
    let entry = latest().await;
    assert_eq!((&entry["before"]["name"], &entry["after"]["name"]), (&json!("Reviews"), &json!("Opinions")));
    assert_eq!(entry["userName"], "Edda Okafor");

    server.clock.set(at("2026-11-21T11:00:01Z"));
    server.editor().patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let entry = latest().await;
    for (side, enabled) in [("before", true), ("after", false)] {
        let targetings = &entry[side]["targetings"];
        assert_eq!(targetings[0]["environmentKey"], "staging", "{entry}");
        assert_eq!(targetings[0]["targeting"]["enabled"], enabled, "{entry}");
    }
}

#[apply(on_each_database)]
async fn the_audit_log_keeps_the_name_that_a_person_had_even_after_their_removal(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    let me = editor.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    server.clock.set(at(START));
    editor.patch(&features("/reviews"), &json!({ "name": "Opinions" })).await.ok(200);
    let user = format!("/api/v1/users/{me}");
    administrator.patch(&user, &json!({ "name": "Edda Berg" })).await.ok(200);
    administrator.delete(&user).await.ok(204);
    let log = administrator.get(&format!("{AUDIT_LOG}?userId={me}")).await;
    assert_eq!(log.column("userName"), ["Edda Okafor"]);
    assert_eq!(log.column("action"), ["feature.update"]);
}

#[apply(on_each_database)]
async fn a_rejected_request_leaves_no_audit_record(database: Database) {
    let server = Server::start(&database).await;
    server.editor().get("/api/v1/me").await.ok(200);
    let before = server.stored_rows().await.count("audit_log");
    server.editor().patch(&features("/nothing"), &json!({ "name": "New" })).await.problem(404, "not-found");
    server.editor().patch(&features("/reviews"), &json!({ "variants": [] })).await.problem(422, "invalid");
    server.editor().post("/api/v1/projects", &json!({ "key": "new", "name": "New" })).await.problem(403, "forbidden");
    server.editor().patch_if(&features("/reviews"), "\"99\"", &json!({ "name": "New" })).await.problem(412, "stale");
    assert_eq!(server.stored_rows().await.count("audit_log"), before);
}
