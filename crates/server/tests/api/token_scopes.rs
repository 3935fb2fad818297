//! The scope of a personal access token only takes away: which changes, lists and answers it leaves. `every_route_is_guarded` has the
//! table of all routes.

mod ways_round;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, environment, features, on_default_database, on_each_database, project, targeting_of,
};

const TOKENS: &str = "/api/v1/tokens";

/// A token of the caller with this scope: the response that created it, and a caller with it.
async fn scoped(server: &Server, owner: &Caller, scope: Value) -> (Value, Caller) {
    let created = owner.post(TOKENS, &json!({ "name": "Scoped", "scope": scope })).await.ok(201);
    let caller = server.caller(created["token"].as_str());
    (created, caller)
}

/// A scope of these environments of the shop.
fn of_environments(access: &str, keys: &[&str]) -> Value {
    let environments: Vec<_> = keys.iter().map(|key| json!({ "projectKey": "shop", "environmentKey": key })).collect();
    json!({ "access": access, "environments": environments })
}

fn expect_out_of_scope(problem: &Value, words: &[&str]) {
    let detail = problem["detail"].as_str().unwrap();
    for word in words.iter().chain(&["scope", "Use a token"]) {
        assert!(detail.contains(word), "'{word}' in: {detail}");
    }
}

#[apply(on_each_database)]
async fn a_scope_is_shown_with_its_token_and_in_words_in_the_audit_log(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let environments = json!([{ "projectKey": "shop", "environmentKey": "staging" }]);
    for (scope, shown, words) in [
        (json!({ "access": "readOnly" }), json!({ "access": "readOnly" }), "read only, in all projects"),
        (
            json!({ "access": "readWrite", "projects": ["shop", "shop"], "environments": environments }),
            json!({ "access": "readWrite", "projects": ["shop"], "environments": [] }),
            "read and write, in the project shop",
        ),
        (
            of_environments("readOnly", &["staging", "development", "staging"]),
            json!({ "access": "readOnly", "projects": [], "environments": [
                { "projectKey": "shop", "environmentKey": "development" },
                { "projectKey": "shop", "environmentKey": "staging" },
            ] }),
            "read only, in the environment development of shop and the environment staging of shop",
        ),
    ] {
        let (created, _) = scoped(&server, &administrator, scope).await;
        let listed = administrator.get(TOKENS).await.items();
        let listed = listed.iter().find(|token| token["id"] == created["id"]).unwrap();
        assert_eq!(listed["scope"], shown);
        let entries =
            administrator.get(&format!("/api/v1/audit-log?resource=tokens/{}", created["id"].as_str().unwrap())).await;
        assert_eq!(entries.items()[0]["after"]["scope"], words);
    }
    let plain = administrator.post(TOKENS, &json!({ "name": "Plain" })).await.ok(201);
    assert_eq!(plain.get("scope"), None);
}

#[apply(on_default_database)]
async fn a_scope_that_limits_nothing_or_names_what_does_not_exist_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let many: Vec<_> = (0..51).map(|number| format!("p{number}")).collect();
    let staging = |project: &str, environment: &str| {
        let environments = json!([{ "projectKey": project, "environmentKey": environment }]);
        json!({ "access": "readOnly", "environments": environments })
    };
    for (scope, pointer) in [
        (json!({ "access": "readWrite" }), "/scope"),
        (json!({ "access": "readOnly", "projects": [] }), "/scope/projects"),
        (json!({ "access": "readOnly", "environments": [] }), "/scope/environments"),
        (json!({ "access": "readOnly", "projects": many }), "/scope"),
        (json!({ "access": "readOnly", "projects": ["shop", "none"] }), "/scope/projects/1"),
        (staging("none", "staging"), "/scope/environments/0/projectKey"),
        (staging("shop", "none"), "/scope/environments/0/environmentKey"),
        (json!({ "access": "all" }), "/scope/access"),
        (json!({ "access": "readOnly", "odd": true }), "/scope/odd"),
    ] {
        let refused = server.editor().post(TOKENS, &json!({ "name": "Scoped", "scope": scope })).await;
        assert_eq!(refused.status, 422, "{scope}: {}", refused.text);
        assert_eq!(refused.pointers(), [pointer], "{scope}");
    }
    // As if the other organisation's project did not exist.
    let theirs = json!({ "name": "Scoped", "scope": staging("shop", "staging") });
    let refused = server.outsider().await.post(TOKENS, &theirs).await;
    assert_eq!(refused.pointers(), ["/scope/environments/0/projectKey"]);
    let after = server.stored_rows().await;
    assert_eq!(before.count("access_token_places"), after.count("access_token_places"));
}

#[apply(on_default_database)]
async fn a_token_never_allows_more_than_the_role_of_its_person(database: Database) {
    let server = Server::start(&database).await;
    let (_, token) = scoped(&server, &server.editor(), json!({ "access": "readWrite", "projects": ["shop"] })).await;
    token.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let refused = token.patch(&targeting_of("reviews", "production"), &json!({ "enabled": true })).await;
    let problem = refused.problem(403, "forbidden");
    assert!(problem["detail"].as_str().unwrap().contains("production editor"), "{problem}");
    let (_, token) = scoped(&server, &server.read_only(), json!({ "access": "readWrite", "projects": ["shop"] })).await;
    let refused = token.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": true })).await;
    let problem = refused.problem(403, "forbidden");
    assert!(problem["detail"].as_str().unwrap().contains("Your role is read-only"), "{problem}");
}

#[apply(on_default_database)]
async fn a_token_of_an_environment_changes_its_targeting_and_keys_and_nothing_else(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let (_, token) = scoped(&server, &administrator, of_environments("readWrite", &["staging"])).await;
    token.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    token.post(&environment("staging", "/server-keys"), &json!({ "name": "Robot" })).await.ok(201);
    let before = server.stored_rows().await;
    let refused = token.patch(&targeting_of("reviews", "production"), &json!({ "enabled": false })).await;
    expect_out_of_scope(&refused.problem(403, "forbidden"), &["the environment production of shop"]);
    for refused in [
        token.get(&targeting_of("reviews", "production")).await,
        token.post(&environment("development", "/server-keys"), &json!({ "name": "Robot" })).await,
        token.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await,
        token.post(&features(""), &json!({ "key": "new-one", "name": "New" })).await,
        token.delete(&environment("staging", "")).await,
        token.post(TOKENS, &json!({ "name": "More" })).await,
    ] {
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["the environment staging of shop"]);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn lists_show_only_what_the_scope_includes(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    for (key, of) in [("at-staging", "staging"), ("at-production", "production")] {
        let condition = json!({ "attribute": "team", "operator": "equals", "values": ["a"] });
        let new = json!({ "key": key, "name": key, "environmentKey": of, "conditions": [condition] });
        administrator.post(&project("/audiences"), &new).await.ok(201);
    }
    administrator.patch(&targeting_of("reviews", "production"), &json!({ "enabled": false })).await.ok(200);
    administrator.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let (created, token) = scoped(&server, &administrator, of_environments("readOnly", &["staging"])).await;

    assert_eq!(token.get("/api/v1/projects").await.column("key"), ["shop"]);
    assert_eq!(token.get(&project("/environments")).await.column("key"), ["staging"]);
    let listed = token.get(&features("?environments=true")).await.items();
    assert!(listed.len() > 3);
    for feature in &listed {
        let of: Vec<_> =
            feature["environments"].as_array().unwrap().iter().map(|state| &state["environmentKey"]).collect();
        assert_eq!(of, [&json!("staging")], "{feature}");
    }
    let audiences = token.get(&project("/audiences")).await.column("key");
    assert!(audiences.contains(&json!("at-staging")) && !audiences.contains(&json!("at-production")), "{audiences:?}");
    token.get(&project("/audiences/at-staging")).await.ok(200);
    token.get(&project("/audiences/at-production")).await.problem(403, "forbidden");
    assert_eq!(token.get(TOKENS).await.column("id"), [created["id"].clone()]);

    let entries = token.get("/api/v1/audit-log?limit=200").await.items();
    assert!(entries.iter().any(|entry| entry["action"] == "targeting.update"), "{entries:?}");
    for entry in &entries {
        assert!(entry["resource"].as_str().unwrap().starts_with("projects/shop"), "{entry}");
        assert!(!entry.to_string().contains("\"environmentKey\":\"production\""), "{entry}");
        assert!(!entry["resource"].as_str().unwrap().contains("environments/production"), "{entry}");
    }
    for resource in ["tokens", "projects/other", "projects/shop/environments/production"] {
        assert_eq!(token.get(&format!("/api/v1/audit-log?resource={resource}")).await.items(), [] as [Value; 0]);
    }
}

#[apply(on_each_database)]
async fn the_audit_log_hides_the_audiences_of_environments_that_the_scope_does_not_include(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let of_audience = |key: &str| format!("/api/v1/audit-log?resource=projects/shop/audiences/{key}");
    for of in ["staging", "production"] {
        let audience = json!({ "key": of, "name": of, "environmentKey": of, "conditions": [] });
        administrator.post(&project("/audiences"), &audience).await.ok(201);
        administrator.patch(&project(&format!("/audiences/{of}")), &json!({ "name": "Renamed" })).await.ok(200);
    }
    administrator.delete(&project("/audiences/production")).await.ok(204);
    let (_, token) = scoped(&server, &administrator, of_environments("readOnly", &["staging"])).await;
    assert_eq!(token.get(&of_audience("production")).await.items(), [] as [Value; 0]);
    assert_eq!(token.get(&of_audience("staging")).await.items().len(), 2);

    // Entries of earlier releases have the environment's id alone.
    let mut write = server.app.store.write().await.unwrap();
    let earlier = r#"UPDATE audit_log SET before_state = NULL, after_state = '{"key":"production","environmentId":"e-1"}'
        WHERE action = 'audience.create'"#;
    sqlx::query(earlier).execute(&mut *write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
    let creations = "/api/v1/audit-log?action=audience.create";
    assert_eq!(token.get(creations).await.items(), [] as [Value; 0]);
    let whole_project = json!({ "access": "readOnly", "projects": ["shop"] });
    let (_, token) = scoped(&server, &administrator, whole_project).await;
    assert!(!token.get(creations).await.items().is_empty());
}

#[apply(on_default_database)]
async fn a_token_of_a_deleted_project_is_refused_even_in_a_new_one_of_the_same_key(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let new = json!({ "key": "brief", "name": "Brief" });
    administrator.post("/api/v1/projects", &new).await.ok(201);
    let (created, token) =
        scoped(&server, &administrator, json!({ "access": "readOnly", "projects": ["brief"] })).await;
    token.get("/api/v1/projects/brief").await.ok(200);
    administrator.delete("/api/v1/projects/brief").await.ok(204);
    administrator.post("/api/v1/projects", &new).await.ok(201);
    expect_out_of_scope(&token.get("/api/v1/projects/brief").await.problem(403, "forbidden"), &["have been deleted"]);
    token.get(&features("")).await.problem(403, "forbidden");
    assert_eq!(token.get("/api/v1/projects").await.items(), [] as [Value; 0]);
    let listed = administrator.get(TOKENS).await.items();
    let listed = listed.iter().find(|listed| listed["id"] == created["id"]).unwrap();
    assert_eq!(listed["scope"], json!({ "access": "readOnly", "projects": [], "environments": [] }));
}

#[apply(on_default_database)]
async fn an_earlier_release_finds_neither_a_token_with_a_scope_nor_its_session(database: Database) {
    let server = Server::start(&database).await;
    let (created, token) = scoped(&server, &server.person(Role::Administrator), json!({ "access": "readOnly" })).await;
    let session = token.sign_in().await;
    session.get("/ui/api/v1/me").await.ok(200);
    let text = session.cookie().split_once('=').unwrap().1;
    let stored = server.stored_rows().await;
    for (table, secret) in [("access_tokens", created["token"].as_str().unwrap()), ("sessions", text)] {
        // Earlier releases look for the hash itself.
        let hash = flagservice_server::secret::hash(secret);
        let rows = stored.rows(table);
        assert!(rows.iter().any(|row| row.contains(&format!("scoped {hash}"))), "{table}: {rows:?}");
        assert!(!rows.iter().any(|row| row.contains(&hash)), "{table}");
    }
}

/// Reads a list in pages of this size. Each is full but the last, and no cursor has a hidden key.
async fn walk(caller: &Caller, path: &str, limit: usize) -> Vec<Value> {
    let (mut keys, mut query) = (Vec::new(), format!("?limit={limit}"));
    loop {
        let response = caller.get(&format!("{path}{query}")).await;
        let page = response.column("key");
        let Some(cursor) = response.ok(200)["nextCursor"].as_str().map(str::to_owned) else {
            return [keys, page].concat();
        };
        assert_eq!(page.len(), limit, "{path}{query}");
        let named = String::from_utf8(URL_SAFE_NO_PAD.decode(&cursor).unwrap()).unwrap();
        assert!(!named.contains("hidden"), "{named}");
        keys.extend(page);
        query = format!("?limit={limit}&cursor={cursor}");
    }
}

#[apply(on_each_database)]
async fn no_cursor_has_the_key_of_a_project_or_an_audience_outside_the_scope(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for key in ["a-hidden", "b-shared", "c-hidden", "d-hidden", "z-shared", "zz-hidden"] {
        administrator.post("/api/v1/projects", &json!({ "key": key, "name": "New" })).await.ok(201);
        let mut audience = json!({ "key": key, "name": "New", "conditions": [] });
        if key.contains("hidden") {
            audience["environmentKey"] = json!("production");
        }
        administrator.post(&project("/audiences"), &audience).await.ok(201);
    }
    // In no order, and one project twice.
    let scope = json!({
        "access": "readOnly", "projects": ["z-shared", "b-shared"],
        "environments": [
            { "projectKey": "shop", "environmentKey": "staging" },
            { "projectKey": "shop", "environmentKey": "development" },
        ],
    });
    let (_, limited) = scoped(&server, &administrator, scope).await;
    let audiences = administrator.get(&project("/audiences?limit=200")).await.items();
    let visible = audiences.iter().filter(|audience| audience["environmentKey"] != "production");
    let visible: Vec<_> = visible.map(|audience| audience["key"].clone()).collect();
    for limit in [1, 2, 3, 50] {
        assert_eq!(walk(&limited, "/api/v1/projects", limit).await, ["b-shared", "shop", "z-shared"], "{limit}");
        assert_eq!(walk(&limited, &project("/audiences"), limit).await, visible, "{limit}");
    }
}
