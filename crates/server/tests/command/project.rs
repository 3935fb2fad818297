//! `export` and `import`: a project survives a round trip unchanged, and an invalid document is rejected as a whole.

use std::fs;
use std::path::PathBuf;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::run::{CommandOutput, run, tokens};
use crate::fixture::{Database, Server, condition, environment, features, on_each_database, project, targeting_of};

fn path(database: &Database, name: &str) -> PathBuf {
    database.folder().join(name)
}

async fn export(database: &Database, key: &str, name: &str, more: &[&str]) -> (PathBuf, Vec<u8>) {
    let file = path(database, name);
    run(database, &[&["export", key, "--out", file.to_str().unwrap()], more].concat()).await.ok();
    let bytes = fs::read(&file).unwrap();
    (file, bytes)
}

async fn import(database: &Database, document: &Value, more: &[&str]) -> CommandOutput {
    let file = path(database, "document.json");
    fs::write(&file, document.to_string()).unwrap();
    run(database, &[&["import", file.to_str().unwrap()], more].concat()).await
}

/// Adds what the demo lacks: a pipeline, approvals, tags, origins, an audience of one environment, an archived feature, and a
/// rule with a saved audience.
async fn fill_shop(server: &Server) {
    let administrator = server.administrator();
    let phases = json!([
        { "name": "Try", "environmentKey": "staging", "approvalRequired": false },
        { "name": "Release", "environmentKey": "production", "approvalRequired": true },
    ]);
    administrator
        .post(&project("/pipelines"), &json!({ "key": "release", "name": "Släpp \"nu\"", "phases": phases }))
        .await
        .ok(201);
    let origins = json!({ "allowedOrigins": ["https://shop.example", "null"] });
    administrator.patch(&environment("production", ""), &origins).await.ok(200);
    let audience = json!({ "key": "testers", "name": "Testers", "environmentKey": "staging",
        "conditions": [condition("age", "greaterThan", json!([17.5])), condition("since", "before", json!(["2026-01-01"]))] });
    administrator.post(&project("/audiences"), &audience).await.ok(201);
    let feature = json!({ "key": "furnished", "name": "Möbel 🛋", "description": "line\nline", "variants": ["a", "b", "c"],
        "tags": ["home", "Zebra"], "pipelineKey": "release" });
    administrator.post(&features(""), &feature).await.ok(201);
    administrator.post(&features("/furnished/next-phase"), &json!({})).await.ok(200);
    let rule = json!({ "name": "", "audienceKey": "testers", "splits": [
        { "variantKey": "a", "percentage": 33.333 }, { "variantKey": "b", "percentage": 66.667 }] });
    let targeting = json!({ "enabled": true, "offVariantKey": "c", "rules": [rule] });
    administrator.put(&targeting_of("furnished", "staging"), &targeting).await.ok(200);
    administrator.patch(&features("/gift-cards"), &json!({ "lifecycle": "Archived" })).await.ok(200);
}

/// The values of some users, by environment.
async fn variants(server: &Server, keys: &[(String, String)]) -> Vec<Value> {
    let mut all = Vec::new();
    for (environment, key) in keys {
        for user in ["alice", "bob", "carol", "dave"] {
            let loaded = server
                .browser_with(key)
                .load(&json!({ "id": user, "attributes": { "country": "SE", "age": 30 } }))
                .await;
            all.push(json!([environment, user, loaded.features]));
        }
    }
    all
}

#[apply(on_each_database)]
async fn an_imported_project_is_exported_again_as_the_same_bytes(database: Database) {
    let server = Server::start(&database).await;
    fill_shop(&server).await;
    let keys: Vec<_> = ["development", "staging", "production"]
        .map(|name| (name.to_owned(), database.credentials().client_keys[name].clone()))
        .into();
    let before = variants(&server, &keys).await;
    server.stop().await;
    let (file, exported) = export(&database, "shop", "shop.json", &[]).await;
    let (_, again) = export(&database, "shop", "again.json", &[]).await;
    assert_eq!(exported, again, "the same project gives the same bytes");

    let token =
        run(&database, &["organisation", "create", "Elsewhere", "--administrator", "Elsa", "--another"]).await.ok();
    let elsewhere = ["--organisation", "Elsewhere"];
    run(&database, &[&["import", file.to_str().unwrap()], &elsewhere[..]].concat()).await.ok();
    let (_, back) = export(&database, "shop", "back.json", &elsewhere).await;
    assert_eq!(String::from_utf8(back).unwrap(), String::from_utf8(exported).unwrap());
    run(&database, &["check"]).await.ok();

    // Users get the same variants as before.
    let server = Server::start(&database).await;
    let elsa = server.caller(Some(token.trim()));
    let mut copied = Vec::new();
    for (name, _) in keys {
        let made = elsa.post(&environment(&name, "/client-keys"), &json!({ "name": "Shop" })).await.ok(201);
        copied.push((name, made["key"].as_str().unwrap().to_owned()));
    }
    assert_eq!(variants(&server, &copied).await, before);
    let log = elsa.get("/api/v1/audit-log?resource=projects/shop/features/furnished").await;
    assert_eq!(log.column("action"), [json!("feature.create")]);
    assert_eq!(log.column("userName"), [json!("command line")]);
}

#[apply(on_each_database)]
async fn an_exported_document_contains_no_ids_client_keys_or_secrets(database: Database) {
    let server = Server::start(&database).await;
    fill_shop(&server).await;
    let mut hidden: Vec<_> = tokens(database.credentials()).into_iter().map(str::to_owned).collect();
    hidden.extend(database.credentials().client_keys.values().cloned());
    for path in ["/api/v1/users", "/api/v1/tokens"] {
        hidden.extend(
            server.administrator().get(path).await.column("id").iter().map(|id| id.as_str().unwrap().to_owned()),
        );
    }
    server.stop().await;
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let text = String::from_utf8(exported).unwrap();
    assert!(text.contains("furnished"));
    for secret in hidden {
        assert!(!text.contains(&secret), "{secret}");
    }
    // Ids are UUIDs.
    let uuid = |word: &str| word.len() == 36 && word.matches('-').count() == 4;
    assert!(!text.split('"').any(uuid));
}

#[apply(on_each_database)]
async fn an_export_does_not_overwrite_a_file_and_defaults_to_standard_output(database: Database) {
    let (file, exported) = export(&database, "shop", "shop.json", &[]).await;
    run(&database, &["export", "shop", "--out", file.to_str().unwrap()]).await.expect_error(&["not overwritten"]);
    assert_eq!(run(&database, &["export", "shop"]).await.ok().into_bytes(), exported);
    run(&database, &["export", "nothing"]).await.expect_error(&["no project 'nothing'"]);
}

#[apply(on_each_database)]
async fn importing_an_existing_project_key_requires_another_key(database: Database) {
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let document: Value = serde_json::from_slice(&exported).unwrap();
    import(&database, &document, &[]).await.expect_error(&["'shop' already", "--as KEY"]);
    import(&database, &document, &["--as", "copy"]).await.ok();
    let (_, copy) = export(&database, "copy", "copy.json", &[]).await;
    let mut expected = document;
    expected["project"]["key"] = json!("copy");
    assert_eq!(serde_json::from_slice::<Value>(&copy).unwrap(), expected);
}

#[apply(on_each_database)]
async fn a_document_of_format_version_1_can_be_imported(database: Database) {
    let server = Server::start(&database).await;
    fill_shop(&server).await;
    server.stop().await;
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let mut document: Value = serde_json::from_slice(&exported).unwrap();
    document["formatVersion"] = json!(1);
    for feature in document["features"].as_array_mut().unwrap() {
        feature.as_object_mut().unwrap().remove("phaseEnvironmentKey").unwrap();
    }
    import(&database, &document, &["--as", "copy"]).await.ok();
    // That version had no phases, so a feature starts in the first one.
    let server = Server::start(&database).await;
    let phase = server.read_only().get("/api/v1/projects/copy/features/furnished").await.ok(200)["phase"].clone();
    assert_eq!(phase, json!({ "name": "Try", "environmentKey": "staging" }));
}

#[apply(on_each_database)]
async fn a_document_with_more_patterns_than_an_environment_may_have_is_rejected_with_the_environment(
    database: Database,
) {
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let mut document: Value = serde_json::from_slice(&exported).unwrap();
    let features = document["features"].as_array_mut().unwrap();
    for number in 0..21 {
        let patterns = (0..50).map(|pattern| condition("plan", "matches", json!([format!("{number}-{pattern}$")])));
        let rule = json!({ "name": "", "conditions": patterns.collect::<Vec<_>>(), "splits": [
            { "variantKey": "on", "percentage": 100 }] });
        let mut feature = features[0].clone();
        feature["key"] = json!(format!("many-{number}"));
        feature["variants"] = json!(["on", "off"]);
        feature["targetings"] = json!({ "staging": { "enabled": true, "offVariantKey": "off", "rules": [rule] } });
        features.push(feature);
    }
    let index = document["environments"].as_array().unwrap().iter().position(|one| one["key"] == "staging").unwrap();
    let pointer = format!("/environments/{index}");
    let words = [pointer.as_str(), "1000 different patterns", "nothing has changed"];
    import(&database, &document, &["--as", "copy"]).await.expect_error(&words);
    // Those of one feature fewer have room.
    document["features"].as_array_mut().unwrap().pop();
    import(&database, &document, &["--as", "copy"]).await.ok();
}

#[apply(on_each_database)]
async fn an_import_by_the_operator_needs_no_approval(database: Database) {
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let mut document: Value = serde_json::from_slice(&exported).unwrap();
    for environment in document["environments"].as_array_mut().unwrap() {
        environment["approvalRequired"] = json!(true);
    }
    for feature in document["features"].as_array_mut().unwrap() {
        feature["approvalRequired"] = json!(true);
    }
    import(&database, &document, &["--as", "copy"]).await.ok();
    let server = Server::start(&database).await;
    let path = "/api/v1/projects/copy/features/reviews/environments/staging";
    let (copied, original) = (
        server.editor().get(path).await.ok(200),
        server.editor().get(&targeting_of("reviews", "staging")).await.ok(200),
    );
    assert_eq!(copied["rules"], original["rules"]);
    assert_eq!(server.editor().get("/api/v1/projects/copy/approvals").await.items().len(), 0);
    // Later edits need approval.
    server.editor().patch(path, &json!({ "enabled": false })).await.ok(202);
}

/// Replacements in a document, by pointer.
type Changes = Vec<(String, Value)>;

/// The pointers at the beginning of the lines of an error message.
fn pointers(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(": ").map(|(pointer, _)| pointer)).collect()
}

#[apply(on_each_database)]
async fn all_errors_in_a_document_are_reported_with_pointers_and_nothing_is_imported(database: Database) {
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let good: Value = serde_json::from_slice(&exported).unwrap();
    let stored = {
        let server = Server::start(&database).await;
        let stored = server.stored_rows().await;
        server.stop().await;
        stored
    };
    let at = |key: &str| good["features"].as_array().unwrap().iter().position(|feature| feature["key"] == key).unwrap();
    let place = at("new-checkout");
    let feature = |rest: &str| format!("/features/{place}{rest}");
    let split =
        |percentage: f64| json!([{ "name": "x", "splits": [{ "variantKey": "on", "percentage": percentage }] }]);
    let cases: Vec<(Changes, Vec<String>)> = vec![
        (vec![("/format".into(), json!("cake"))], vec!["/format".into()]),
        (vec![("/formatVersion".into(), json!(0))], vec!["/formatVersion".into()]),
        (vec![("/formatVersion".into(), json!(4))], vec!["/formatVersion".into()]),
        (vec![("/project/key".into(), json!("Not A Key"))], vec!["/project/key".into()]),
        (vec![("/surprise".into(), json!(1))], vec!["/surprise".into()]),
        (vec![(feature("/name"), json!(" "))], vec![feature("/name")]),
        (vec![(feature("/lifecycle"), json!("Sleeping"))], vec![feature("/lifecycle")]),
        (
            vec![("/environments/0/allowedOrigins".into(), json!(["https://a.example/path"]))],
            vec!["/environments/0/allowedOrigins/0".into()],
        ),
        (vec![(feature("/pipelineKey"), json!("nowhere"))], vec![feature("/pipelineKey")]),
        (vec![(feature("/phaseEnvironmentKey"), json!("staging"))], vec![feature("/phaseEnvironmentKey")]),
        (vec![("/audiences/0/environmentKey".into(), json!("nowhere"))], vec!["/audiences/0/environmentKey".into()]),
        (vec![("/environments/1/key".into(), json!("development"))], vec!["/environments/1/key".into()]),
        (
            vec![
                (feature("/targetings/staging/rules"), split(50.0)),
                (feature("/targetings/production/offVariantKey"), json!("blue")),
                (format!("/features/{}/variants", at("reviews")), json!(["on"])),
            ],
            vec![
                feature("/targetings/production/offVariantKey"),
                feature("/targetings/staging/rules/0/splits"),
                format!("/features/{}/variants", at("reviews")),
            ],
        ),
    ];
    for (changes, expected) in cases {
        let mut document = good.clone();
        for (pointer, value) in changes {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[key] = value;
        }
        let output = import(&database, &document, &["--as", "copy"])
            .await
            .expect_error(&["was not imported", "nothing has changed"]);
        let pointers_found = pointers(&output);
        for pointer in &expected {
            assert!(pointers_found.contains(&pointer.as_str()), "{pointer} in {output}");
        }
    }
    let server = Server::start(&database).await;
    server.assert_unchanged_since(&stored).await;
}

#[apply(on_each_database)]
async fn garbage_is_rejected_with_a_clear_message_and_nothing_is_imported(database: Database) {
    let stored = {
        let server = Server::start(&database).await;
        let stored = server.stored_rows().await;
        server.stop().await;
        stored
    };
    let (_, exported) = export(&database, "shop", "shop.json", &[]).await;
    let file = path(&database, "garbage.json");
    let deep = "[".repeat(100_000).into_bytes();
    for garbage in [b"".as_slice(), b"not JSON", b"{}", b"[]", b"\xff\xfe\x00", &exported[..exported.len() / 2], &deep]
    {
        fs::write(&file, garbage).unwrap();
        let output = run(&database, &["import", file.to_str().unwrap()])
            .await
            .expect_error(&["garbage.json", "no document that `export` wrote"]);
        assert!(output.len() < 1000, "{output}");
    }
    run(&database, &["import", path(&database, "absent.json").to_str().unwrap()])
        .await
        .expect_error(&["absent.json", "Cannot read"]);
    let server = Server::start(&database).await;
    server.assert_unchanged_since(&stored).await;
}
