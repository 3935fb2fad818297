//! Copies that need approval: nothing changes until they are approved, and then exactly what was requested.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, copy, differ, request, require_approval, results, swedes, target, targeted, version};
use crate::fixture::{
    Server, at, condition, environment, everyone, features, on_default_database, project, targeting, targeting_of,
};

fn approval(id: &Value, rest: &str) -> String {
    project(&format!("/approvals/{}{rest}", id.as_str().unwrap_or_else(|| panic!("an approval's id: {id}"))))
}

/// Assigns `reviews` to a pipeline whose phase in the given environment requires approval.
async fn assign(server: &Server, gated: &str) {
    let phase =
        |key: &str| json!({ "name": format!("In {key}"), "environmentKey": key, "approvalRequired": key == gated });
    let new =
        json!({ "key": format!("held-in-{gated}"), "name": "Held", "phases": [phase("staging"), phase("production")] });
    server.administrator().post(&project("/pipelines"), &new).await.ok(201);
    let edit = json!({ "pipelineKey": format!("held-in-{gated}") });
    server.administrator().patch(&features("/reviews"), &edit).await.ok(200);
}

fn gate(name: &str) -> Value {
    json!({ "gate": name, "pipelineKey": null, "pipelineName": null, "phaseName": null })
}

#[apply(on_default_database)]
async fn a_copy_needs_approval_if_the_target_environment_the_feature_or_the_phase_requires_it(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phase = json!({ "gate": "phase", "pipelineKey": "held-in-production", "pipelineName": "Held",
        "phaseName": "In production" });
    differ(&server).await;
    for (name, expected) in [
        ("phase of the source", None),
        ("environment of the source", None),
        ("phase", Some(json!([phase]))),
        ("feature", Some(json!([gate("feature"), phase]))),
        ("environment", Some(json!([gate("environment"), gate("feature"), phase]))),
    ] {
        match name {
            "phase of the source" => assign(&server, "staging").await,
            "environment of the source" => {
                let required = json!({ "approvalRequired": true });
                administrator.patch(&environment("staging", ""), &required).await.ok(200);
            }
            "phase" => assign(&server, "production").await,
            "feature" => require_approval(&server, "reviews").await,
            _ => {
                let required = json!({ "approvalRequired": true });
                administrator.patch(&environment("production", ""), &required).await.ok(200);
            }
        }
        let before = server.stored_rows().await;
        let outcome = copy(&server.production_editor(), "reviews").await;
        let Some(reasons) = expected else {
            assert_eq!(outcome["outcome"], "APPLIED", "{name}");
            target(&server, "reviews", "production", &targeting(&[])).await;
            continue;
        };
        let expected = json!({ "featureKey": "reviews", "outcome": "PENDING_APPROVAL",
            "approvalId": outcome["approvalId"], "approvalReasons": reasons, "audiencesCopiedInline": [] });
        assert_eq!(outcome, expected, "{name}");
        // Only the approval and its audit record, with its environment, are new.
        let written = before.differences(&server.stored_rows().await);
        assert!(written.iter().all(|row| row.starts_with("approvals:") || row.starts_with("audit_")), "{written:?}");
        assert_eq!(written.len(), 3, "{written:?}");
        administrator.post(&approval(&outcome["approvalId"], "/cancel"), &json!({})).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn a_pending_copy_changes_nothing_until_it_is_approved_and_then_exactly_what_was_requested(database: Database) {
    let server = Server::start(&database).await;
    let (source, goal) = differ(&server).await;
    require_approval(&server, "reviews").await;
    let swede = json!({ "id": "alice", "attributes": { "country": "SE" } });
    let browser = server.browser("production");
    let loaded = browser.load(&swede).await;
    let mut stream = browser.open(&loaded).await;
    let seen = version(&server, "production").await;
    let read = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200);
    let mut request = request(&["reviews"], &["enabled", "rules"]);
    request["comment"] = json!("As tested this week.");
    let outcome = results(&server.production_editor(), &request).await.remove(0);
    assert_eq!(outcome["outcome"], "PENDING_APPROVAL", "{outcome}");
    assert_eq!(targeted(&server, "reviews", "production").await, goal);
    assert_eq!(version(&server, "production").await, seen);
    assert_eq!(browser.load(&swede).await.since, loaded.since);

    let expected =
        json!({ "enabled": source["enabled"], "offVariantKey": goal["offVariantKey"], "rules": source["rules"] });
    let shown = server.read_only().get(&approval(&outcome["approvalId"], "")).await.ok(200);
    for (field, value) in [
        ("kind", json!("copy")),
        ("state", json!("pending")),
        ("sourceEnvironmentKey", json!("staging")),
        ("environmentKey", json!("production")),
        ("comment", json!("As tested this week.")),
        ("targetVersion", read["version"].clone()),
        ("before", goal.clone()),
        ("after", expected.clone()),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }
    // Later changes of the source do not matter: the request is fixed.
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
    target(&server, "reviews", "staging", &targeting(&[everyone("off")])).await;
    server.clock.set(at("2026-11-21T11:00:00Z"));
    server.administrator().post(&approval(&outcome["approvalId"], "/approve"), &json!({})).await.ok(200);
    assert_eq!(targeted(&server, "reviews", "production").await, expected);
    assert_eq!(stream.patch().await, json!({ "reviews": "on" }));
    assert_eq!(version(&server, "production").await, seen + 1);
    let log = server.read_only().get("/api/v1/audit-log?from=2026-11-21T11:00:00Z").await.items();
    let change = log.iter().find(|entry| entry["action"] == "targeting.update").unwrap();
    assert_eq!(
        (&change["after"]["copiedFrom"], &change["after"]["comment"], &change["after"]["approvalId"]),
        (&json!("staging"), &json!("As tested this week."), &outcome["approvalId"])
    );
    assert_eq!(change["after"]["requestedBy"]["name"], "Pablo Reyes");
}

#[apply(on_default_database)]
async fn a_copy_cannot_be_approved_by_its_requester_or_by_someone_who_could_not_make_it(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    require_approval(&server, "reviews").await;
    let outcome = copy(&server.production_editor(), "reviews").await;
    let (approve, before) = (approval(&outcome["approvalId"], "/approve"), server.stored_rows().await);
    server.production_editor().post(&approve, &json!({})).await.problem(403, "own-request");
    server.editor().post(&approve, &json!({})).await.problem(403, "forbidden");
    server.read_only().post(&approve, &json!({})).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_approval_of_a_copy_is_bound_to_the_version_of_the_target(database: Database) {
    let server = Server::start(&database).await;
    let (_, goal) = differ(&server).await;
    require_approval(&server, "reviews").await;
    let outcome = copy(&server.production_editor(), "reviews").await;
    // Even if the new value equals the old one.
    server.write_without_gate("reviews", "production", &goal).await;
    let approve = approval(&outcome["approvalId"], "/approve");
    server.administrator().post(&approve, &json!({})).await.problem(409, "approval-stale");
    assert_eq!(targeted(&server, "reviews", "production").await, goal);
    let shown = server.read_only().get(&approval(&outcome["approvalId"], "")).await.ok(200);
    assert_eq!((&shown["state"], &shown["stale"]["because"]), (&json!("stale"), &json!("targetChanged")));
    // Another request is possible now.
    let again = copy(&server.production_editor(), "reviews").await;
    assert_eq!(again["outcome"], "PENDING_APPROVAL");
    server.administrator().post(&approval(&again["approvalId"], "/approve"), &json!({})).await.ok(200);
}

#[apply(on_default_database)]
async fn an_audience_of_the_source_is_inlined_in_the_approved_change(database: Database) {
    let server = Server::start(&database).await;
    require_approval(&server, "gift-cards").await;
    let conditions = json!([condition("plan", "equals", json!(["pro"]))]);
    let new = json!({ "key": "of-staging", "name": "Some", "environmentKey": "staging", "conditions": conditions });
    server.editor().post(&project("/audiences"), &new).await.ok(201);
    let rule = json!({ "name": "Some", "audienceKey": "of-staging", "splits": everyone("on")["splits"] });
    server.write_without_gate("gift-cards", "staging", &targeting(&[rule])).await;
    let outcome = copy(&server.production_editor(), "gift-cards").await;
    assert_eq!(outcome["audiencesCopiedInline"], json!(["of-staging"]));
    let shown = server.read_only().get(&approval(&outcome["approvalId"], "")).await.ok(200);
    assert_eq!(shown["after"]["rules"][0]["conditions"], conditions);
    // Later edits of the audience do not matter: the reviewed change is applied.
    let other = json!({ "name": "Others" });
    server.editor().patch(&project("/audiences/of-staging"), &other).await.ok(200);
    server.administrator().post(&approval(&outcome["approvalId"], "/approve"), &json!({})).await.ok(200);
    assert_eq!(targeted(&server, "gift-cards", "production").await["rules"], shown["after"]["rules"]);
}

#[apply(on_default_database)]
async fn only_the_gated_features_of_a_request_need_approval(database: Database) {
    let server = Server::start(&database).await;
    let keys = ["reviews", "gift-cards", "new-checkout"];
    for feature in keys {
        target(&server, feature, "staging", &targeting(&[everyone("off"), everyone("on")])).await;
    }
    require_approval(&server, "gift-cards").await;
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let outcomes: Vec<_> = found.iter().map(|result| &result["outcome"]).collect();
    assert_eq!(outcomes, ["APPLIED", "PENDING_APPROVAL", "APPLIED"]);
    for (feature, same) in keys.into_iter().zip([true, false, true]) {
        let sides = (targeted(&server, feature, "staging").await, targeted(&server, feature, "production").await);
        assert_eq!(sides.0 == sides.1, same, "{feature}");
    }
    let again = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let codes: Vec<_> = again.iter().map(|result| &result["reason"]["code"]).collect();
    assert_eq!(codes, ["identical", "pendingApproval", "identical"]);
}

#[apply(on_default_database)]
async fn the_approvals_that_one_copy_requests_have_the_id_of_their_copy(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for key in ["alpha", "beta", "gamma"] {
        administrator.post(&features(""), &json!({ "key": key, "name": key })).await.ok(201);
        target(&server, key, "staging", &json!({ "enabled": true, "offVariantKey": "off", "rules": [swedes()] })).await;
    }
    differ(&server).await;
    let required = json!({ "approvalRequired": true });
    administrator.patch(&environment("production", ""), &required).await.ok(200);
    let copy_ids = async |keys: &[&str]| {
        let mut ids = Vec::new();
        for result in results(&server.production_editor(), &request(keys, &ALL)).await {
            ids.push(server.read_only().get(&approval(&result["approvalId"], "")).await.ok(200)["copyId"].clone());
        }
        ids
    };
    let pair = copy_ids(&["alpha", "beta"]).await;
    assert!(pair[0].is_string() && pair[0] == pair[1], "{pair:?}");
    let single = copy_ids(&["gamma"]).await;
    assert!(single[0].is_string() && single[0] != pair[0], "{single:?}");

    let edit = json!({ "enabled": true });
    server.production_editor().patch(&targeting_of("reviews", "production"), &edit).await.ok(202);
    let edits = server.read_only().get(&project("/approvals?featureKey=reviews")).await.items();
    assert_eq!(edits[0]["copyId"], Value::Null, "an edit is part of no copy");
}
