//! Edits of an environment: its flags, its allowed origins, and the effects of deleting it.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, on_default_database, on_each_database, project, targeting_of};

#[apply(on_default_database)]
async fn an_administrator_can_change_each_field_of_an_environment(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let mut expected = server.read_only().get(&path).await.ok(200);
    for (field, value) in [
        ("name", json!("Rehearsal")),
        ("production", json!(true)),
        ("approvalRequired", json!(true)),
        ("allowedOrigins", json!(["https://shop.example", "http://localhost:3000", "null"])),
    ] {
        let changed = administrator.patch(&path, &json!({ field: value })).await.ok(200);
        expected[field] = value;
        // Clients may be affected, so the version increases.
        assert!(changed["version"].as_u64() > expected["version"].as_u64(), "{field}: {changed}");
        expected["version"] = changed["version"].clone();
        assert_eq!(changed, expected);
        assert_eq!(server.read_only().get(&path).await.ok(200), expected);
    }
    let before = server.stored_rows().await;
    server.production_editor().patch(&path, &json!({ "production": false })).await.problem(403, "forbidden");
    administrator.patch(&path, &json!({ "production": true })).await.ok(200);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn the_production_flag_decides_at_once_who_can_change_targeting(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let edit = |enabled: bool| json!({ "enabled": enabled });
    administrator.patch(&path, &json!({ "production": true })).await.ok(200);
    let targeting = targeting_of("reviews", "staging");
    server.editor().patch(&targeting, &edit(false)).await.problem(403, "forbidden");
    administrator.patch(&path, &json!({ "production": false })).await.ok(200);
    server.editor().patch(&targeting, &edit(false)).await.ok(200);
}

#[apply(on_default_database)]
async fn changing_an_environment_with_an_old_etag_is_rejected_with_both_versions(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let seen = administrator.get(&path).await.etag();
    // A targeting change does not change the environment's own revision.
    server.switch_search_suggestions("staging", false).await;
    let first = administrator.patch_if(&path, &seen, &json!({ "name": "First" })).await;
    first.ok(200);
    let before = server.stored_rows().await;
    administrator.patch_if(&path, &seen, &json!({ "name": "Second" })).await.assert_stale(&seen, &first.etag());
    server.assert_unchanged_since(&before).await;
    administrator.patch(&path, &json!({ "name": "Second" })).await.ok(200);
}

#[apply(on_default_database)]
async fn an_invalid_origin_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let before = server.stored_rows().await;
    for origin in [
        "shop.example",
        "https://shop.example/",
        "https://shop.example/a",
        "https://",
        "*",
        "https://*.example",
        "",
        "ftp://a",
        // Browsers send none of these.
        "https://A.example",
        "https://shop.example:443",
        "http://shop.example:80",
        "https://ä.example",
        "https://shop.example\n",
        "http://localhost:x",
        "https://..",
        "https://me@shop.example",
        &format!("https://{}", "a.".repeat(2_500)),
    ] {
        let origins = json!(["https://shop.example", origin]);
        let edit = json!({ "allowedOrigins": origins });
        let refused = administrator.patch(&environment("staging", ""), &edit).await;
        assert_eq!(refused.pointers(), ["/allowedOrigins/1"], "{origin}");
        let new = json!({ "key": "canary", "name": "Canary", "allowedOrigins": origins });
        let refused = administrator.post(&project("/environments"), &new).await;
        assert_eq!(refused.pointers(), ["/allowedOrigins/1"], "{origin}");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn the_error_names_the_origin_that_browsers_send(database: Database) {
    let server = Server::start(&database).await;
    let path = environment("staging", "");
    for (origin, sent) in [
        ("https://Shop.example:443/cart", "https://shop.example"),
        ("http://ä.example:8080", "http://xn--4ca.example:8080"),
    ] {
        let refused = server.administrator().patch(&path, &json!({ "allowedOrigins": [origin] })).await;
        let detail = refused.problem(422, "invalid")["errors"][0]["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with(&format!("Browsers send '{sent}'.")), "{detail}");
    }
    let allowed =
        json!(["https://shop.example", "http://[::1]:3000", "http://127.0.0.1", "https://xn--4ca.example", "null"]);
    server.administrator().patch(&path, &json!({ "allowedOrigins": allowed })).await.ok(200);
}

#[apply(on_default_database)]
async fn an_environment_has_as_many_origins_as_the_limit_says(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let origins =
        |count: usize| (0..count).map(|port| json!(format!("http://localhost:{}", 3_000 + port))).collect::<Value>();
    let refused = administrator.patch(&path, &json!({ "allowedOrigins": origins(101) })).await;
    assert_eq!(refused.pointers(), ["/allowedOrigins"]);
    administrator.patch(&path, &json!({ "allowedOrigins": origins(100) })).await.ok(200);
}

#[apply(on_each_database)]
async fn an_origin_that_an_earlier_release_stored_may_stay(database: Database) {
    let server = Server::start(&database).await;
    let mut write = server.app.begin().await.unwrap();
    sqlx::query("UPDATE environments SET allowed_origins = '[\"https://Old.example\"]' WHERE key = 'staging'")
        .execute(write.connection().await.unwrap())
        .await
        .unwrap();
    server.app.commit(write).await.unwrap();
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let both = json!({ "name": "Stage", "allowedOrigins": ["https://Old.example", "https://shop.example"] });
    administrator.patch(&path, &both).await.ok(200);
    let another = json!({ "allowedOrigins": ["https://Old.example", "https://Older.example"] });
    assert_eq!(administrator.patch(&path, &another).await.pointers(), ["/allowedOrigins/1"]);
}

#[apply(on_default_database)]
async fn a_production_environment_cannot_be_deleted_while_its_flag_is_set(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("production", ""));
    let before = server.stored_rows().await;
    let refused = administrator.delete(&path).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("production"), "{refused}");
    server.assert_unchanged_since(&before).await;
    administrator.patch(&path, &json!({ "production": false })).await.ok(200);
    server.production_editor().delete(&path).await.problem(403, "forbidden");
    administrator.delete(&path).await.ok(204);
    assert_eq!(server.read_only().get(&project("/environments")).await.column("key"), ["development", "staging"]);
}

#[apply(on_each_database)]
async fn deleting_an_environment_ends_only_its_own_streams_and_client_keys(database: Database) {
    let server = Server::start(&database).await;
    let (staging, development) = (server.browser("staging"), server.browser("development"));
    let loaded = staging.load_id("alice").await;
    let mut streams = [staging.open(&loaded).await, staging.open(&loaded).await];
    let mut other = development.open(&development.load_id("alice").await).await;
    staging.goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }])).await.ok(202);

    server.administrator().delete(&environment("staging", "")).await.ok(204);
    staging.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    staging.goals(&json!([])).await.problem(404, "unknown-client-key");
    for stream in &mut streams {
        stream.expect_end().await;
    }
    // A client that reconnects with the token is told to load again.
    let mut again = staging.open(&loaded).await;
    again.expect_empty("reload").await;
    again.expect_end().await;

    server.read_only().get(&environment("staging", "")).await.problem(404, "not-found");
    server.read_only().get(&targeting_of("reviews", "staging")).await.problem(404, "not-found");
    // An audience of this environment is deleted with it.
    let audiences = server.read_only().get(&project("/audiences")).await.column("key");
    assert_eq!(audiences, ["nordics", "paying-customers", "staff"]);
    server.switch_search_suggestions("development", false).await;
    assert_eq!(other.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn an_environment_in_a_pipeline_cannot_be_deleted_and_the_error_names_the_pipeline(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let pipeline = json!({ "key": "release", "name": "Release", "phases": phases });
    administrator.post(&project("/pipelines"), &pipeline).await.ok(201);
    let before = server.stored_rows().await;
    let refused = administrator.delete(&environment("staging", "")).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("'release'"), "{refused}");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn another_organisations_environments_are_not_found(database: Database) {
    let server = Server::start(&database).await;
    let (outsider, path) = (server.outsider().await, environment("staging", ""));
    let before = server.stored_rows().await;
    outsider.get(&path).await.problem(404, "not-found");
    outsider.patch(&path, &json!({ "name": "Mine" })).await.problem(404, "not-found");
    outsider.delete(&path).await.problem(404, "not-found");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_busy_environment_can_be_deleted_without_server_errors(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for round in 0..3 {
        let new = json!({ "key": "busy", "name": "Busy" });
        administrator.post(&project("/environments"), &new).await.ok(201);
        let key = administrator.post(&environment("busy", "/client-keys"), &json!({ "name": "Web" })).await.ok(201);
        let browser = server.browser_with(key["key"].as_str().unwrap());
        // Each client sends goals until the key is no longer valid.
        let send = async |sender: u32| {
            for number in 0.. {
                let id = format!("goal-{round}-{sender}-{number}");
                let response = browser.goals(&json!([{ "id": id, "key": "purchase", "userId": "alice" }])).await;
                if response.status != 202 {
                    response.problem(404, "unknown-client-key");
                    return;
                }
            }
        };
        let delete = async {
            while administrator.get(&environment("busy", "/goals")).await.items().is_empty() {}
            administrator.delete(&environment("busy", "")).await.ok(204);
        };
        tokio::join!(delete, send(0), send(1), send(2), send(3));
    }
}
