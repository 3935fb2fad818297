//! One pending change for each feature and environment, and concurrent requests.

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, decide, edit, request_change, require_for_feature};
use crate::fixture::{
    Server, everyone, features, on_default_database, on_each_database, on_postgres, targeting, targeting_of,
};

#[apply(on_default_database)]
async fn a_second_change_is_rejected_with_the_pending_approval_and_the_remedy(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let before = server.stored_rows().await;
    for caller in [server.editor(), server.production_editor(), server.administrator()] {
        let other = json!({ "enabled": false });
        for response in [caller.patch(&path, &other).await, caller.put(&path, &targeting(&[])).await] {
            let refused = response.problem(409, "pending-approval");
            assert_eq!(refused["approvalId"], json!(id));
            let detail = refused["detail"].as_str().unwrap();
            for word in [&*id, "'reviews'", "'staging'", "pprove", "reject", "cancel"] {
                assert!(detail.contains(word), "{word}: {detail}");
            }
        }
    }
    server.read_only().patch(&path, &json!({ "enabled": false })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    // The change is pending only here.
    request_change(&server.editor(), "reviews", "development", &edit()).await;
    server.editor().patch(&targeting_of("gift-cards", "staging"), &edit()).await.ok(200);
}

#[apply(on_default_database)]
async fn a_change_stays_pending_if_its_gate_is_removed(database: Database) {
    let server = Server::start(&database).await;
    let (path, administrator) = (targeting_of("reviews", "staging"), server.administrator());
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
    let refused = server.editor().patch(&path, &json!({ "enabled": false })).await.problem(409, "pending-approval");
    assert_eq!(refused["approvalId"], json!(id));
    // It can still be approved; after that, edits are possible.
    decide(&administrator, &id, "approve").await.ok(200);
    let applied = server.editor().patch(&path, &json!({ "enabled": false })).await.ok(200);
    assert_eq!((&applied["enabled"], applied["rules"].as_array().unwrap().len()), (&json!(false), 2));
}

#[apply(on_default_database)]
async fn a_gated_change_to_an_archived_feature_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    require_for_feature(&server, "reviews").await;
    let before = server.stored_rows().await;
    server.editor().patch(&targeting_of("reviews", "staging"), &edit()).await.problem(409, "archived");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn of_concurrent_gated_edits_one_becomes_pending_and_the_others_are_told_about_it(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let send_edit = |number: usize| {
        let rules: Vec<_> = (0..=number).map(|_| everyone("off")).collect();
        let (editor, path) = (&editor, &path);
        async move { editor.patch(path, &json!({ "rules": rules })).await }
    };
    let responses = join_all((0..10).map(send_edit)).await;
    let pending: Vec<_> = responses.iter().filter(|response| response.status == 202).collect();
    assert_eq!(pending.len(), 1);
    let id = &pending[0].ok(202)["id"];
    for refused in responses.iter().filter(|response| response.status != 202) {
        assert_eq!(refused.problem(409, "pending-approval")["approvalId"], *id);
    }
    assert_eq!(editor.get(&approvals("")).await.column("id"), std::slice::from_ref(id));
}

#[apply(on_each_database)]
async fn of_two_concurrent_approvers_one_succeeds_and_the_change_is_applied_once(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let (first, second) = (server.production_editor(), server.administrator());
    for round in 0..10 {
        let rules: Vec<_> = (0..=round).map(|_| everyone("off")).collect();
        let id = request_change(&server.editor(), "reviews", "staging", &json!({ "rules": rules })).await;
        let outbox = server.stored_rows().await.count("outbox");
        let (left, right) = tokio::join!(decide(&first, &id, "approve"), decide(&second, &id, "approve"));
        let (won, lost) = if left.status == 200 { (left, right) } else { (right, left) };
        lost.problem(409, "approval-decided");
        let shown = first.get(&approvals(&format!("/{id}"))).await.ok(200);
        assert_eq!(shown, won.ok(200));
        assert_eq!(server.stored_rows().await.count("outbox"), outbox + 1, "{round}");
    }
}

#[apply(on_each_database)]
async fn of_a_concurrent_approval_and_cancellation_one_succeeds(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let (editor, administrator) = (server.editor(), server.administrator());
    for round in 0..10 {
        let rules: Vec<_> = (0..=round + 1).map(|_| everyone("off")).collect();
        let id = request_change(&editor, "reviews", "staging", &json!({ "rules": rules })).await;
        let (approved, cancelled) =
            tokio::join!(decide(&administrator, &id, "approve"), decide(&editor, &id, "cancel"));
        let targeting = editor.get(&targeting_of("reviews", "staging")).await.ok(200);
        let applied = targeting["rules"].as_array().unwrap().len() == round + 2;
        if applied {
            approved.ok(200);
            cancelled.problem(409, "approval-decided");
        } else {
            cancelled.ok(200);
            approved.problem(409, "approval-decided");
        }
    }
}

#[apply(on_each_database)]
async fn an_edit_concurrent_with_an_approval_is_rejected_or_applied_after_it_and_never_lost(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    let path = targeting_of("reviews", "staging");
    for round in 0..10 {
        require_for_feature(&server, "reviews").await;
        let rules: Vec<_> = (0..=round).map(|_| everyone("off")).collect();
        let id = request_change(&editor, "reviews", "staging", &json!({ "rules": rules })).await;
        // From here on only the pending change blocks edits.
        administrator.patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
        let variant = if round % 2 == 0 { "off" } else { "on" };
        let serve = json!({ "offVariantKey": variant });
        let (approved, edited) = tokio::join!(decide(&administrator, &id, "approve"), editor.patch(&path, &serve));
        approved.ok(200);
        let now = editor.get(&path).await.ok(200);
        assert_eq!(now["rules"].as_array().unwrap().len(), round + 1, "{round}: the approved change is applied");
        if edited.status == 200 {
            assert_eq!(now["offVariantKey"], variant, "{round}");
        } else {
            edited.problem(409, "pending-approval");
            editor.patch(&path, &serve).await.ok(200);
        }
    }
}

#[apply(on_each_database)]
async fn a_pending_change_survives_a_restart(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let shown = server.editor().get(&approvals(&format!("/{id}"))).await.ok(200);
    server.stop().await;
    let server = Server::start(&database).await;
    assert_eq!(server.editor().get(&approvals(&format!("/{id}"))).await.ok(200), shown);
    assert_eq!(shown["stale"], Value::Null);
    decide(&server.administrator(), &id, "approve").await.ok(200);
}

#[apply(on_postgres)]
async fn of_two_approvers_on_two_nodes_one_succeeds(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    require_for_feature(&first, "reviews").await;
    for round in 0..10 {
        let rules: Vec<_> = (0..=round).map(|_| everyone("off")).collect();
        let id = request_change(&first.editor(), "reviews", "staging", &json!({ "rules": rules })).await;
        let (left, right) = (first.production_editor(), second.administrator());
        let (left, right) = tokio::join!(decide(&left, &id, "approve"), decide(&right, &id, "approve"));
        let (won, lost) = if left.status == 200 { (left, right) } else { (right, left) };
        lost.problem(409, "approval-decided");
        for node in [&first, &second] {
            let shown = node.read_only().get(&approvals(&format!("/{id}"))).await.ok(200);
            assert_eq!(shown, won.ok(200), "{round}");
        }
    }
}
