//! `/api/v1/projects/{projectKey}/edge-keys`.

use flagservice_rules::Instant;
use flagservice_server::domain::ids::{EdgeKeyId, EnvironmentId};
use flagservice_server::secret::hash;
use flagservice_server::store::resources::edge_keys;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, NOW, Server, environment, on_default_database, on_each_database, project};

const ENVIRONMENTS: [&str; 3] = ["development", "staging", "production"];

fn keys(rest: &str) -> String {
    project(&format!("/edge-keys{rest}"))
}

/// The path of a key, and what is below it.
fn path(key: &Value, rest: &str) -> String {
    keys(&format!("/{}{rest}", key["id"].as_str().unwrap()))
}

/// Creates a key. What follows happens a second later, so that it is later in lists.
async fn create(server: &Server, body: &Value) -> Value {
    let created = server.administrator().post(&keys(""), body).await.ok(201);
    a_second_later(server);
    created
}

/// Creates another key in place of one. What follows happens a second later.
async fn rotate(server: &Server, key: &Value) -> Value {
    let created = server.administrator().post(&path(key, "/rotate"), &Value::Null).await.ok(201);
    a_second_later(server);
    created
}

fn a_second_later(server: &Server) {
    server.clock.set(Instant(server.app.now().0 + 1000));
}

/// The version that the server serves of an environment, and the hashes of the edge keys that give access to it.
async fn served(server: &Server, key: &str) -> (u64, Vec<String>) {
    let id = server.read_only().get(&environment(key, "")).await.ok(200)["id"].as_str().unwrap().to_owned();
    let snapshot = server.app.serving.snapshots.current(&EnvironmentId::from(id)).unwrap().snapshot;
    (snapshot.version, snapshot.edge_keys.iter().map(|key| key.hash.clone()).collect())
}

/// The environments that a key gives access to.
async fn opened(server: &Server, key: &Value) -> Vec<&'static str> {
    let mut found = Vec::new();
    for environment in ENVIRONMENTS {
        if served(server, environment).await.1.contains(&hash(key["key"].as_str().unwrap())) {
            found.push(environment);
        }
    }
    found
}

#[apply(on_default_database)]
async fn an_edge_key_is_shown_only_when_it_is_created_and_only_its_hash_is_stored(database: Database) {
    let server = Server::start(&database).await;
    let created = create(&server, &json!({ "name": "Stockholm" })).await;
    let key = created["key"].as_str().unwrap();
    assert!(key.starts_with("edge-") && key.len() >= 5 + 26, "{key}");
    assert_eq!(created["hint"].as_str().unwrap(), &key[key.len() - 4..]);
    let list = server.read_only().get(&keys("")).await;
    assert!(!list.text.contains(key), "{}", list.text);
    let at = "2026-11-21T10:00:00Z";
    let shown = json!({ "id": created["id"], "name": "Stockholm", "hint": created["hint"], "createdAt": at });
    assert_eq!(list.items(), [shown]);
    let stored = server.stored_rows().await;
    assert!(!stored.contains(key) && !stored.contains(&key[5..]));
}

#[apply(on_default_database)]
async fn a_key_gives_access_to_the_whole_project_or_to_named_environments(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let whole = create(&server, &json!({ "name": "Whole" })).await;
    let named = json!(["production", "staging", "production"]);
    let limited = create(&server, &json!({ "name": "Limited", "environmentKeys": named })).await;
    assert_eq!(whole.get("environmentKeys"), None);
    // In the order of the project, and none twice.
    assert_eq!(limited["environmentKeys"], json!(["staging", "production"]));
    assert_eq!(administrator.get(&keys("")).await.items()[1]["environmentKeys"], limited["environmentKeys"]);
    assert_eq!(opened(&server, &whole).await, ENVIRONMENTS);
    assert_eq!(opened(&server, &limited).await, ["staging", "production"]);

    administrator.post(&project("/environments"), &json!({ "key": "later", "name": "Later" })).await.ok(201);
    assert_eq!(served(&server, "later").await.1, [hash(whole["key"].as_str().unwrap())]);
}

#[apply(on_default_database)]
async fn a_node_that_starts_knows_the_keys(database: Database) {
    let server = Server::start(&database).await;
    let key = create(&server, &json!({ "name": "Limited", "environmentKeys": ["staging"] })).await;
    server.stop().await;
    let server = Server::start(&database).await;
    assert_eq!(opened(&server, &key).await, ["staging"]);
}

#[apply(on_default_database)]
async fn each_change_of_a_key_raises_the_versions_of_its_environments_and_of_no_others(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let versions = async || {
        let mut all = Vec::new();
        for environment in ENVIRONMENTS {
            all.push(served(&server, environment).await.0);
        }
        all
    };
    for (body, raised) in [
        (json!({ "name": "Limited", "environmentKeys": ["staging", "production"] }), [0, 1, 1]),
        (json!({ "name": "Whole" }), [1, 1, 1]),
    ] {
        let mut expected = versions().await;
        let mut assert_raised = async |what: &str| {
            expected.iter_mut().zip(raised).for_each(|(version, raised)| *version += raised);
            assert_eq!(versions().await, expected, "{what} of {body}");
        };
        let key = create(&server, &body).await;
        assert_raised("creation").await;
        let next = rotate(&server, &key).await;
        assert_raised("rotation").await;
        administrator.delete(&path(&key, "")).await.ok(204);
        assert_raised("revocation").await;
        administrator.delete(&path(&next, "")).await.ok(204);
        assert_raised("last revocation").await;
    }
}

#[apply(on_default_database)]
async fn rotating_makes_another_key_of_the_same_name_and_environments_and_the_old_one_counts_until_it_is_revoked(
    database: Database,
) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for body in [json!({ "name": "Limited", "environmentKeys": ["staging"] }), json!({ "name": "Whole" })] {
        let old = create(&server, &body).await;
        let answer = administrator.post(&path(&old, "/rotate"), &Value::Null).await;
        let new = answer.ok(201);
        assert_eq!(answer.header("location"), Some(path(&new, "").as_str()));
        assert_eq!((&new["name"], new.get("environmentKeys")), (&old["name"], old.get("environmentKeys")));
        assert!(new["id"] != old["id"] && new["key"] != old["key"], "{new}");
        assert!(new["key"].as_str().unwrap().starts_with("edge-"), "{new}");
        let environments = opened(&server, &old).await;
        assert!(!environments.is_empty());
        assert_eq!(opened(&server, &new).await, environments);
        administrator.delete(&path(&old, "")).await.ok(204);
        assert_eq!(opened(&server, &old).await, [""; 0]);
        assert_eq!(opened(&server, &new).await, environments);
    }
}

#[apply(on_default_database)]
async fn a_repeated_rotation_has_the_same_response_without_the_key_and_one_effect(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let old = create(&server, &json!({ "name": "Stockholm" })).await;
    let rotate_once = async || administrator.post_once(&path(&old, "/rotate"), "key", &Value::Null).await;
    let first = rotate_once().await;
    let mut expected = first.ok(201);
    let before = server.stored_rows().await;
    let again = rotate_once().await;
    server.assert_unchanged_since(&before).await;
    expected.as_object_mut().unwrap().remove("key").unwrap();
    assert_eq!(again.ok(201), expected);
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(administrator.get(&keys("")).await.items().len(), 2);
}

#[apply(on_default_database)]
async fn a_key_whose_environments_were_deleted_gives_access_to_nothing_even_in_a_new_one_of_the_same_key(
    database: Database,
) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let brief = json!({ "key": "brief", "name": "Brief" });
    administrator.post(&project("/environments"), &brief).await.ok(201);
    let two = create(&server, &json!({ "name": "Two", "environmentKeys": ["staging", "brief"] })).await;
    let one = create(&server, &json!({ "name": "One", "environmentKeys": ["brief"] })).await;
    assert_eq!(served(&server, "brief").await.1.len(), 2);
    administrator.delete(&environment("brief", "")).await.ok(204);
    administrator.post(&project("/environments"), &brief).await.ok(201);

    let rotated = rotate(&server, &one).await;
    let environments = server.read_only().get(&keys("")).await.column("environmentKeys");
    assert_eq!(environments, [json!(["staging"]), json!([]), json!([])]);
    assert_eq!(served(&server, "brief").await.1, [""; 0]);
    assert_eq!(opened(&server, &two).await, ["staging"]);
    assert_eq!(opened(&server, &one).await, [""; 0]);
    assert_eq!(opened(&server, &rotated).await, [""; 0]);
}

#[apply(on_default_database)]
async fn the_keys_of_a_deleted_project_are_deleted(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "brief", "name": "Brief" })).await.ok(201);
    administrator.post("/api/v1/projects/brief/edge-keys", &json!({ "name": "Stockholm" })).await.ok(201);
    administrator.delete("/api/v1/projects/brief").await.ok(204);
    assert_eq!(server.stored_rows().await.count("edge_keys"), 0);
}

#[apply(on_default_database)]
async fn environments_that_are_unknown_none_or_too_many_are_refused_and_nothing_is_stored(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    let elsewhere = json!({ "key": "elsewhere", "name": "Elsewhere" });
    administrator.post("/api/v1/projects/other/environments", &elsewhere).await.ok(201);
    let before = server.stored_rows().await;
    let many: Vec<_> = (0..51).map(|number| format!("e-{number}")).collect();
    for (environments, pointer, remedy) in [
        (json!(["staging", "none"]), "/environmentKeys/1", "no environment 'none'"),
        (json!(["elsewhere"]), "/environmentKeys/0", "no environment 'elsewhere'"),
        (json!([]), "/environmentKeys", "leave the field out"),
        (json!(many), "/environmentKeys", "leave the field out"),
        (json!("staging"), "/environmentKeys", "list"),
    ] {
        let refused =
            administrator.post(&keys(""), &json!({ "name": "Stockholm", "environmentKeys": environments })).await;
        assert_eq!(refused.pointers(), [pointer], "{environments}");
        assert!(refused.text.contains(remedy), "{}", refused.text);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_key_is_found_in_its_own_project_until_it_is_revoked(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    let key = create(&server, &json!({ "name": "Stockholm" })).await;
    let elsewhere = format!("/api/v1/projects/other/edge-keys/{}", key["id"].as_str().unwrap());
    let outsider = server.outsider().await;
    let before = server.stored_rows().await;
    let not_found = async |caller: &Caller, path: &str| {
        caller.post(&format!("{path}/rotate"), &Value::Null).await.problem(404, "not-found");
        caller.delete(path).await.problem(404, "not-found");
    };
    not_found(&administrator, &elsewhere).await;
    not_found(&administrator, &keys("/none")).await;
    not_found(&outsider, &path(&key, "")).await;
    server.assert_unchanged_since(&before).await;

    administrator.delete(&path(&key, "")).await.ok(204);
    assert_eq!(administrator.get(&keys("")).await.items(), [] as [Value; 0]);
    let before = server.stored_rows().await;
    not_found(&administrator, &path(&key, "")).await;
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_edge_key_is_not_valid_for_clients_for_services_or_for_the_rest_api(database: Database) {
    let server = Server::start(&database).await;
    let created = create(&server, &json!({ "name": "Stockholm" })).await;
    let key = created["key"].as_str().unwrap();
    let browser = server.browser_with(key);
    browser.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    let caller = server.caller(Some(key));
    for path in ["/server/v1/rules", "/server/v1/stream", "/api/v1/me", &keys("")] {
        caller.get(path).await.problem(401, "unauthenticated");
    }
}

#[apply(on_each_database)]
async fn a_token_with_a_scope_sees_the_keys_of_its_environments_and_manages_those_of_a_whole_project(
    database: Database,
) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for (name, environments) in [("Both", ["staging", "production"].as_slice()), ("Production", &["production"])] {
        create(&server, &json!({ "name": name, "environmentKeys": environments })).await;
    }
    let whole = create(&server, &json!({ "name": "Whole" })).await;
    let scoped = async |scope: Value| {
        let created = administrator.post("/api/v1/tokens", &json!({ "name": "Scoped", "scope": scope })).await.ok(201);
        server.caller(created["token"].as_str())
    };
    let staging = json!([{ "projectKey": "shop", "environmentKey": "staging" }]);
    let token = scoped(json!({ "access": "readWrite", "environments": staging })).await;
    assert_eq!(token.get(&keys("")).await.column("name"), ["Both", "Whole"]);
    let limited = json!({ "name": "Staging", "environmentKeys": ["staging"] });
    token.post(&keys(""), &limited).await.problem(403, "forbidden");
    token.post(&path(&whole, "/rotate"), &Value::Null).await.problem(403, "forbidden");
    token.delete(&path(&whole, "")).await.problem(403, "forbidden");

    let token = scoped(json!({ "access": "readWrite", "projects": ["shop"] })).await;
    assert_eq!(token.get(&keys("")).await.column("name"), ["Both", "Production", "Whole"]);
    let rotated = token.post(&path(&whole, "/rotate"), &Value::Null).await.ok(201);
    token.delete(&path(&rotated, "")).await.ok(204);
}

#[apply(on_each_database)]
async fn the_list_shows_to_the_minute_when_a_key_was_last_used(database: Database) {
    let server = Server::start(&database).await;
    let key = create(&server, &json!({ "name": "Stockholm" })).await;
    let id = EdgeKeyId::from(key["id"].as_str().unwrap().to_owned());
    let mut write = server.app.store.write().await.unwrap();
    // Another node notes an earlier use later.
    for minutes in [2, 1] {
        let at = Instant(NOW.0 + minutes * 60_000);
        edge_keys::touch(write.connection().await.unwrap(), &id, at).await.unwrap();
    }
    write.commit().await.unwrap();
    assert_eq!(server.read_only().get(&keys("")).await.column("lastUsedAt"), ["2026-11-21T10:02:00Z"]);
}

#[apply(on_each_database)]
async fn the_audit_log_names_the_environments_of_a_key_and_the_key_that_another_replaces(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let old = create(&server, &json!({ "name": "Stockholm", "environmentKeys": ["staging"] })).await;
    let new = rotate(&server, &old).await;
    administrator.delete(&path(&old, "")).await.ok(204);
    a_second_later(&server);
    create(&server, &json!({ "name": "Whole" })).await;

    let entries = administrator.get("/api/v1/audit-log?environmentKey=staging&action=edge-key").await;
    assert_eq!(entries.column("action"), ["edge-key.revoke", "edge-key.rotate", "edge-key.create"]);
    let rotated = &entries.items()[1];
    assert_eq!((&rotated["before"]["id"], &rotated["after"]["id"]), (&old["id"], &new["id"]));
    assert_eq!(rotated["resource"], format!("projects/shop/edge-keys/{}", new["id"].as_str().unwrap()));
    assert_eq!(rotated["after"]["environments"], json!([{ "environmentKey": "staging" }]));
    let whole = &administrator.get("/api/v1/audit-log?limit=1").await.items()[0];
    assert_eq!((&whole["after"]["name"], &whole["after"]["environments"]), (&json!("Whole"), &Value::Null));
}
