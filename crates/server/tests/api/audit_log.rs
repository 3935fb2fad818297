//! `/api/v1/audit-log`: every write leaves one audit record.

mod deletions;
mod filters;
mod writes;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use self::writes::{Write, writes};
use crate::every_route_is_guarded::routes;
use crate::fixture::{
    Caller, Receiver, Server, at, features, on_default_database, on_each_database, outbound, targeting_of,
};

const AUDIT_LOG: &str = "/api/v1/audit-log";

/// The start of the writes in these tests; the demo was created earlier.
const START: &str = "2026-11-21T11:00:00Z";

#[test]
fn every_writing_route_is_covered_by_these_tests() {
    let matches = |write: &Write, route: &str| {
        let (method, template) = route.split_once(' ').unwrap();
        let (template, path): (Vec<_>, Vec<_>) = (template.split('/').collect(), write.path.split('/').collect());
        let same = |(part, segment): (&&str, &&str)| part.starts_with('{') || part == segment;
        write.method == *method && template.len() == path.len() && template.iter().zip(&path).all(same)
    };
    let (writes, routes) = (writes(), routes::rest());
    // Actions on approvals need two people; `approvals/audit.rs` tests them. A preview writes nothing, and a person's preferences
    // concern nobody else. An erasure changes many records; `erasure.rs` tests its one entry.
    let ends = ["/preview", "/preferences", "/erasures"];
    let excluded = |route: &str| route.contains("/approvals/") || ends.iter().any(|end| route.ends_with(end));
    let included = |route: &&String| !route.starts_with("GET ") && !excluded(route);
    let writing: Vec<_> = routes.iter().filter(included).collect();
    assert!(!writing.is_empty());
    for route in writing {
        assert!(writes.iter().any(|write| matches(write, route)), "{route} is missing in the table of writes");
    }
}

/// Sends the write and returns the id in the response, or the previous id if there is none.
async fn send(caller: &Caller, write: &Write, id: String) -> (String, Value) {
    let Write { method, path, body, .. } = write;
    let request = caller.request(method.clone(), &path.replace("{}", &id));
    let response = caller.send(if body.is_null() { request } else { request.json(body) }).await;
    assert!((200..300).contains(&response.status), "{method} {path}: {}", response.text);
    let body = if response.text.is_empty() { Value::Null } else { response.ok(response.status) };
    (body["id"].as_str().map_or(id, str::to_owned), body)
}

#[apply(on_each_database)]
async fn every_write_leaves_one_audit_record_with_actor_time_action_before_and_after(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let me = administrator.get("/api/v1/me").await.ok(200);
    let (mut id, mut time, mut secrets) = (String::new(), at(START), Vec::new());
    for write in writes() {
        time.0 += 1000;
        server.clock.set(time);
        let before = server.stored_rows().await.count("audit_log");
        let (new_id, response) = send(&administrator, &write, id).await;
        id = new_id;
        secrets.extend(["key", "token"].iter().filter_map(|name| response[name].as_str()).map(str::to_owned));
        let Write { method, path, action, resource, has_before, has_after, .. } = write;
        assert_eq!(server.stored_rows().await.count("audit_log"), before + 1, "{method} {path}");
        let entry = &administrator.get(&format!("{AUDIT_LOG}?limit=1")).await.items()[0];
        assert_eq!((&entry["userId"], &entry["userName"]), (&me["id"], &me["name"]), "{method} {path}");
        let when: jiff::Timestamp = entry["at"].as_str().unwrap().parse().unwrap();
        assert_eq!(when.as_millisecond(), time.0, "{method} {path}");
        assert_eq!(entry["action"], action, "{method} {path}");
        assert_eq!(entry["resource"], resource.replace("{}", &id), "{method} {path}");
        let sides = (entry["before"].is_object(), entry["after"].is_object());
        assert_eq!(sides, (has_before, has_after), "{method} {path}: {entry}");
        assert_ne!(entry["before"], entry["after"], "{method} {path}");
    }
    secrets.retain(|secret| ["api-", "js-", "srv-", "edge-"].iter().any(|prefix| secret.starts_with(prefix)));
    assert_eq!(secrets.len(), 5, "a client key, a server key, two edge keys and a token");
    let log = administrator.get(&format!("{AUDIT_LOG}?limit=200")).await;
    for secret in &secrets {
        assert!(!log.text.contains(secret.as_str()));
    }
}

#[apply(on_default_database)]
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

#[apply(on_default_database)]
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

#[apply(on_default_database)]
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
