//! Phases: a feature in a release pipeline is in one phase, and moves to the next on request.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::pipelines::remove_phases;
use crate::fixture::{
    Caller, Server, everyone, features, on_default_database, on_each_database, project, targeting_of,
};

fn phase(name: &str, environment: &str) -> Value {
    json!({ "name": name, "environmentKey": environment, "approvalRequired": false })
}

/// Creates a pipeline from development through staging to production.
async fn create_release_pipeline(server: &Server) {
    let phases = [phase("Build", "development"), phase("Try", "staging"), phase("Ship", "production")];
    let new = json!({ "key": "release", "name": "Release", "phases": phases });
    server.administrator().post(&project("/pipelines"), &new).await.ok(201);
}

async fn assign(server: &Server, feature: &str) -> Value {
    let path = features(&format!("/{feature}"));
    server.editor().patch(&path, &json!({ "pipelineKey": "release" })).await.ok(200)
}

async fn next(caller: &Caller, feature: &str) -> crate::fixture::ApiResponse {
    caller.post(&features(&format!("/{feature}/next-phase")), &json!({})).await
}

/// The current phase of the feature.
async fn current(server: &Server, feature: &str) -> Value {
    server.read_only().get(&features(&format!("/{feature}"))).await.ok(200)["phase"].clone()
}

fn phase_json(name: &str, environment: &str) -> Value {
    json!({ "name": name, "environmentKey": environment })
}

#[apply(on_default_database)]
async fn a_feature_starts_in_the_first_phase_and_moves_to_the_next(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    assert_eq!(current(&server, "reviews").await, Value::Null);
    assert_eq!(assign(&server, "reviews").await["phase"], phase_json("Build", "development"));
    let new = json!({ "key": "new", "name": "New", "pipelineKey": "release" });
    assert_eq!(server.editor().post(&features(""), &new).await.ok(201)["phase"], phase_json("Build", "development"));

    let production = server.production_editor();
    let before = production.get(&features("/reviews")).await;
    let moved = next(&production, "reviews").await;
    assert_eq!(moved.ok(200)["phase"], phase_json("Try", "staging"));
    assert_ne!(moved.etag(), before.etag());
    assert_eq!(moved.etag(), production.get(&features("/reviews")).await.etag());
    assert_eq!(next(&production, "reviews").await.ok(200)["phase"], phase_json("Ship", "production"));
    let listed = production.get(&features("?limit=200")).await.items();
    let phase = |key: &str| listed.iter().find(|feature| feature["key"] == key).unwrap()["phase"].clone();
    assert_eq!(
        (phase("reviews"), phase("new")),
        (phase_json("Ship", "production"), phase_json("Build", "development"))
    );
}

#[apply(on_each_database)]
async fn without_a_next_phase_or_a_pipeline_moving_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    let production = server.production_editor();
    let detail = |response: &crate::fixture::ApiResponse| {
        response.problem(409, "no-such-step")["detail"].as_str().unwrap().to_owned()
    };
    let none = detail(&next(&production, "reviews").await);
    assert!(none.contains("no release pipeline"), "{none}");
    assign(&server, "reviews").await;
    next(&production, "reviews").await.ok(200);
    next(&production, "reviews").await.ok(200);
    let before = server.stored_rows().await;
    let last = detail(&next(&production, "reviews").await);
    assert!(last.contains("last phase") && last.contains("'release'"), "{last}");
    server.assert_unchanged_since(&before).await;
    let phases = json!([phase("Try", "staging")]);
    let empty = json!({ "key": "empty", "name": "Empty", "phases": phases });
    server.administrator().post(&project("/pipelines"), &empty).await.ok(201);
    remove_phases(&server, "empty").await;
    server.editor().patch(&features("/gift-cards"), &json!({ "pipelineKey": "empty" })).await.ok(200);
    assert_eq!(current(&server, "gift-cards").await, Value::Null);
    let empty = detail(&next(&production, "gift-cards").await);
    assert!(empty.contains("no phases"), "{empty}");
    next(&production, "nothing").await.problem(404, "not-found");
}

/// The role, the environment of the next phase, and the status.
const MOVES: [(Role, &str, u16); 8] = [
    (Role::ReadOnly, "staging", 403),
    (Role::Editor, "staging", 200),
    (Role::ProductionEditor, "staging", 200),
    (Role::Administrator, "staging", 200),
    (Role::ReadOnly, "production", 403),
    (Role::Editor, "production", 403),
    (Role::ProductionEditor, "production", 200),
    (Role::Administrator, "production", 200),
];

#[apply(on_default_database)]
async fn moving_requires_permission_to_edit_the_environment_of_the_next_phase(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    for (number, (role, target, status)) in MOVES.into_iter().enumerate() {
        let key = format!("case-{number}");
        let new = json!({ "key": key, "name": "Case", "pipelineKey": "release" });
        server.editor().post(&features(""), &new).await.ok(201);
        if target == "production" {
            next(&server.editor(), &key).await.ok(200);
        }
        let response = next(&server.person(role), &key).await;
        assert_eq!(response.status, status, "{role} to {target}: {}", response.text);
        if status == 403 {
            response.problem(403, "forbidden");
        }
    }
}

#[apply(on_default_database)]
async fn moving_changes_no_targeting_wakes_no_stream_and_is_in_the_audit_log(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    assign(&server, "reviews").await;
    server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
    let before = server.stored_rows().await;
    next(&server.editor(), "reviews").await.ok(200);
    let after = server.stored_rows().await;
    let written = before.differences(&after);
    assert!(written.iter().all(|row| row.starts_with("features:") || row.starts_with("audit_log:")), "{written:?}");
    assert_eq!(after.count("audit_log"), before.count("audit_log") + 1);
    let entry = &server.read_only().get("/api/v1/audit-log?limit=1").await.items()[0];
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("feature.next-phase"), &json!("Edda Okafor")));
    assert_ne!(entry["before"]["phaseEnvironmentId"], entry["after"]["phaseEnvironmentId"]);
}

#[apply(on_default_database)]
async fn editing_targeting_or_the_feature_never_moves_it(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    assign(&server, "reviews").await;
    let editor = server.editor();
    next(&editor, "reviews").await.ok(200);
    for environment in ["development", "staging"] {
        let edit = json!({ "rules": [everyone("on"), everyone("off")] });
        editor.patch(&targeting_of("reviews", environment), &edit).await.ok(200);
    }
    editor.patch(&features("/reviews"), &json!({ "name": "Opinions", "pipelineKey": "release" })).await.ok(200);
    assert_eq!(current(&server, "reviews").await, phase_json("Try", "staging"));
    // A feature that leaves the pipeline and returns starts in the first phase.
    editor.patch(&features("/reviews"), &json!({ "pipelineKey": null })).await.ok(200);
    assert_eq!(current(&server, "reviews").await, Value::Null);
    assert_eq!(assign(&server, "reviews").await["phase"], phase_json("Build", "development"));
}

#[apply(on_default_database)]
async fn a_request_that_names_the_current_phase_moves_only_once(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    assign(&server, "reviews").await;
    let (editor, path) = (server.administrator(), features("/reviews/next-phase"));
    let from = json!({ "fromEnvironmentKey": "development" });
    let (first, second) = tokio::join!(editor.post(&path, &from), editor.post(&path, &from));
    let (moved, refused) = if first.status == 200 { (first, second) } else { (second, first) };
    assert_eq!(moved.ok(200)["phase"], phase_json("Try", "staging"));
    refused.problem(409, "no-such-step");
    assert_eq!(current(&server, "reviews").await, phase_json("Try", "staging"));
    // With an idempotency key, a repeated request runs once.
    let once = editor.post_once(&path, "key", &json!({})).await;
    let before = server.stored_rows().await;
    let again = editor.post_once(&path, "key", &json!({})).await;
    assert_eq!((again.ok(200), again.etag()), (once.ok(200), once.etag()));
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_feature_stays_in_its_phase_when_other_phases_change(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    assign(&server, "reviews").await;
    next(&server.editor(), "reviews").await.ok(200);
    let seen = server.editor().get(&features("/reviews")).await.etag();
    let (administrator, pipeline) = (server.administrator(), project("/pipelines/release"));
    let phases = |phases: &[Value]| json!({ "phases": phases });
    // Rename, reorder, and insert a phase before it.
    let edit = phases(&[phase("Show", "staging"), phase("Build", "development"), phase("Ship", "production")]);
    administrator.patch(&pipeline, &edit).await.ok(200);
    assert_eq!(current(&server, "reviews").await, phase_json("Show", "staging"));
    assert_eq!(server.editor().get(&features("/reviews")).await.etag(), seen);
}

#[apply(on_each_database)]
async fn a_feature_whose_phase_is_removed_moves_to_the_nearest_earlier_one(database: Database) {
    let server = Server::start(&database).await;
    create_release_pipeline(&server).await;
    let (administrator, pipeline) = (server.administrator(), project("/pipelines/release"));
    let production = server.production_editor();
    for (key, moves) in [("first", 0), ("second", 1), ("third", 2)] {
        let new = json!({ "key": key, "name": "New", "pipelineKey": "release" });
        production.post(&features(""), &new).await.ok(201);
        for _ in 0..moves {
            next(&production, key).await.ok(200);
        }
    }
    let phases = |phases: &[Value]| json!({ "phases": phases });
    let places = async || {
        let mut places = Vec::new();
        for key in ["first", "second", "third"] {
            places.push(current(&server, key).await["environmentKey"].clone());
        }
        places
    };
    server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
    let before = server.stored_rows().await;
    administrator
        .patch(&pipeline, &phases(&[phase("Build", "development"), phase("Ship", "production")]))
        .await
        .ok(200);
    assert_eq!(places().await, ["development", "development", "production"]);
    // One record for the pipeline, and one for the feature that moved.
    assert_eq!(server.stored_rows().await.count("audit_log"), before.count("audit_log") + 2);
    // Without an earlier phase, it moves to the first.
    administrator.patch(&pipeline, &phases(&[phase("Ship", "production")])).await.ok(200);
    assert_eq!(places().await, ["production", "production", "production"]);
    remove_phases(&server, "release").await;
    assert_eq!(places().await, [Value::Null, Value::Null, Value::Null]);
    administrator.patch(&pipeline, &phases(&[phase("Try", "staging"), phase("Ship", "production")])).await.ok(200);
    assert_eq!(places().await, ["staging", "staging", "staging"]);
    // From there it can move on again.
    assert_eq!(next(&production, "third").await.ok(200)["phase"], phase_json("Ship", "production"));
}
