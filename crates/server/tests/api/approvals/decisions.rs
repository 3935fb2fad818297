//! Approve, reject, cancel and comment: who may do so, and the effect on the change.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, decide, edit, request_change, require_for_feature};
use crate::fixture::{Server, StoredRows, everyone, on_default_database, on_each_database, targeting, targeting_of};

async fn read(server: &Server, id: &str) -> Value {
    server.read_only().get(&approvals(&format!("/{id}"))).await.ok(200)
}

#[apply(on_each_database)]
async fn approving_applies_the_change_like_a_direct_edit(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let approver = server.production_editor();
    // The same edit, once directly and once with approval.
    let new = json!({ "enabled": true, "offVariantKey": "on", "rules": [everyone("off")] });
    editor.put(&path, &targeting(&[everyone("on")])).await.ok(200);
    let before = server.stored_rows().await;
    let direct = editor.put(&path, &new).await.ok(200);
    let after_direct = server.stored_rows().await;
    editor.put(&path, &targeting(&[everyone("on")])).await.ok(200);

    let was = editor.get(&path).await.ok(200);
    require_for_feature(&server, "reviews").await;
    let id = request_change(&editor, "reviews", "staging", &new).await;
    let browser = server.browser("staging");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    let pending = server.stored_rows().await;
    let response = decide(&approver, &id, "approve").await;
    let approved = response.ok(200);
    assert_eq!(response.etag(), "\"2\"");
    assert_eq!((&approved["state"], &approved["stale"]), (&json!("approved"), &Value::Null));
    assert_eq!(approved["decidedBy"]["name"], "Pablo Reyes");
    assert_eq!(approved["decidedAt"], "2026-11-21T10:00:00Z");
    assert_eq!(read(&server, &id).await, approved);

    let applied = editor.get(&path).await.ok(200);
    assert_eq!(applied["version"], json!(was["version"].as_u64().unwrap() + 1));
    for field in ["enabled", "offVariantKey", "rules"] {
        assert_eq!(applied[field], direct[field], "{field}");
    }
    assert_eq!(stream.patch().await, json!({ "reviews": "off" }));
    assert_eq!(browser.load_id("alice").await.features["reviews"], "off");

    // One outbox entry, like that of the direct edit, by the approver.
    let after = server.stored_rows().await;
    let entry = |from: &StoredRows, to: &StoredRows| -> Vec<String> {
        from.differences(to).into_iter().filter(|row| row.starts_with("outbox:")).collect()
    };
    let (by_edit, by_approval) = (entry(&before, &after_direct), entry(&pending, &after));
    assert_eq!((by_edit.len(), by_approval.len()), (1, 1));
    for aspect in ["offVariant", "rolloutPercentage"] {
        let found = |rows: &[String]| rows[0].contains(aspect);
        assert!(found(&by_edit) && found(&by_approval), "{aspect}: {by_edit:?} {by_approval:?}");
    }
    assert!(by_approval[0].contains("Pablo Reyes") && !by_approval[0].contains("Edda"), "{by_approval:?}");
}

#[apply(on_default_database)]
async fn rejecting_or_cancelling_changes_nothing_and_allows_another_change(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    require_for_feature(&server, "reviews").await;
    let known = editor.get(&path).await.ok(200);
    for (verb, state, decider) in
        [("reject", "rejected", server.production_editor()), ("cancel", "cancelled", server.editor())]
    {
        let id = request_change(&editor, "reviews", "staging", &edit()).await;
        let outbox = server.stored_rows().await.count("outbox");
        let decided =
            decider.post(&approvals(&format!("/{id}/{verb}")), &json!({ "comment": "Not now." })).await.ok(200);
        assert_eq!(decided["state"], state);
        assert_eq!(decided["comments"][0]["text"], "Not now.");
        assert_eq!(editor.get(&path).await.ok(200), known, "{verb}");
        assert_eq!(server.stored_rows().await.count("outbox"), outbox);
    }
    request_change(&editor, "reviews", "staging", &edit()).await;
}

/// Decisions on a change that the editor requested: role, environment, decision and status.
const DECISIONS: [(Role, &str, &str, u16); 24] = [
    (Role::ReadOnly, "staging", "approve", 403),
    (Role::ReadOnly, "staging", "reject", 403),
    (Role::ReadOnly, "staging", "cancel", 403),
    (Role::Editor, "staging", "approve", 200),
    (Role::Editor, "staging", "reject", 200),
    (Role::Editor, "staging", "cancel", 403),
    (Role::ProductionEditor, "staging", "approve", 200),
    (Role::ProductionEditor, "staging", "reject", 200),
    (Role::ProductionEditor, "staging", "cancel", 403),
    (Role::Administrator, "staging", "approve", 200),
    (Role::Administrator, "staging", "reject", 200),
    (Role::Administrator, "staging", "cancel", 200),
    (Role::ReadOnly, "production", "approve", 403),
    (Role::ReadOnly, "production", "reject", 403),
    (Role::ReadOnly, "production", "cancel", 403),
    (Role::Editor, "production", "approve", 403),
    (Role::Editor, "production", "reject", 403),
    (Role::Editor, "production", "cancel", 403),
    (Role::ProductionEditor, "production", "approve", 200),
    (Role::ProductionEditor, "production", "reject", 200),
    (Role::ProductionEditor, "production", "cancel", 403),
    (Role::Administrator, "production", "approve", 200),
    (Role::Administrator, "production", "reject", 200),
    (Role::Administrator, "production", "cancel", 200),
];

#[apply(on_default_database)]
async fn anyone_who_can_make_a_change_can_decide_on_it_and_requesters_or_administrators_can_cancel_it(
    database: Database,
) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let requester = server.production_editor();
    for (number, (role, place, verb, status)) in DECISIONS.into_iter().enumerate() {
        let colleague = server.colleague(&format!("Colleague {number}"), role).await;
        // Each case is a separate change.
        let rules: Vec<_> = (0..=number).map(|_| everyone("off")).collect();
        let id = request_change(&requester, "reviews", place, &json!({ "rules": rules })).await;
        let response = decide(&colleague, &id, verb).await;
        assert_eq!(response.status, status, "{role} {verb} in {place}: {}", response.text);
        if status == 403 {
            response.problem(403, "forbidden");
            assert_eq!(read(&server, &id).await["state"], "pending");
            decide(&requester, &id, "cancel").await.ok(200);
        }
    }
}

#[apply(on_default_database)]
async fn requesters_cannot_approve_or_reject_their_own_request(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    for requester in [server.editor(), server.production_editor(), server.administrator()] {
        let id = request_change(&requester, "reviews", "staging", &edit()).await;
        let before = server.stored_rows().await;
        for verb in ["approve", "reject"] {
            let refused = decide(&requester, &id, verb).await.problem(403, "own-request");
            assert!(refused["detail"].as_str().unwrap().contains("cancel"), "{refused}");
        }
        server.assert_unchanged_since(&before).await;
        decide(&requester, &id, "cancel").await.ok(200);
    }
    // Keys belong to the person, not to the token.
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let token = server.token(Role::Editor, None).await;
    decide(&server.caller(Some(&token)), &id, "approve").await.problem(403, "own-request");
}

#[apply(on_default_database)]
async fn a_decision_is_final(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let (editor, administrator) = (server.editor(), server.administrator());
    for (number, (verb, state)) in
        [("approve", "approved"), ("reject", "rejected"), ("cancel", "cancelled")].into_iter().enumerate()
    {
        let rules: Vec<_> = (0..=number).map(|_| everyone("off")).collect();
        let id = request_change(&editor, "reviews", "staging", &json!({ "rules": rules })).await;
        decide(&administrator, &id, verb).await.ok(200);
        let before = server.stored_rows().await;
        for again in ["approve", "reject", "cancel"] {
            let refused = decide(&administrator, &id, again).await.problem(409, "approval-decided");
            assert!(refused["detail"].as_str().unwrap().contains(state), "{refused}");
        }
        server.assert_unchanged_since(&before).await;
    }
}

#[apply(on_each_database)]
async fn comments_keep_their_order_author_and_time_and_can_be_added_after_the_decision(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let path = approvals(&format!("/{id}/comments"));
    let texts = ["Why \"now\"?\nAnd why all?", "Because \u{202e}of 🚩", "After all", "Well done"];
    let add_comment = async |caller: crate::fixture::Caller, text: &str| {
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        caller.post(&path, &json!({ "comment": text })).await.ok(201)
    };
    let first = add_comment(server.production_editor(), texts[0]).await;
    assert_eq!(first["comments"][0]["at"], "2026-11-21T10:00:01Z");
    add_comment(server.editor(), texts[1]).await;
    let decision = json!({ "comment": texts[2] });
    server.administrator().post(&approvals(&format!("/{id}/approve")), &decision).await.ok(200);
    let last = add_comment(server.editor(), texts[3]).await;
    let comments = last["comments"].as_array().unwrap();
    let found: Vec<_> = comments.iter().map(|comment| (&comment["author"]["name"], &comment["text"])).collect();
    let names = ["Pablo Reyes", "Edda Okafor", "Alma Lindqvist", "Edda Okafor"].map(|name| json!(name));
    let texts = texts.map(|text| json!(text));
    assert_eq!(found, names.iter().zip(&texts).collect::<Vec<_>>());
    assert_eq!(read(&server, &id).await, last);

    let before = server.stored_rows().await;
    server.read_only().post(&path, &json!({ "comment": "Me too" })).await.problem(403, "forbidden");
    for text in ["", " \n", &"x".repeat(5001)] {
        assert_eq!(server.editor().post(&path, &json!({ "comment": text })).await.pointers(), ["/comment"]);
    }
    assert_eq!(server.editor().post(&path, &json!({})).await.pointers(), [""]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_approval_has_at_most_two_hundred_comments(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let path = approvals(&format!("/{id}/comments"));
    let editor = server.editor();
    for number in 0..200 {
        editor.post(&path, &json!({ "comment": format!("{number}") })).await.ok(201);
    }
    assert_eq!(editor.post(&path, &json!({ "comment": "one more" })).await.pointers(), ["/comment"]);
    // The approval can still be decided.
    decide(&server.administrator(), &id, "approve").await.ok(200);
}
