//! An id may be any text. What the team has chosen stays as it is, also if somebody erases an id that is the same word.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::json;

use super::ERASURES;
use crate::fixture::{Server, condition, everyone, features, on_each_database, project, rule, targeting, targeting_of};

#[apply(on_each_database)]
async fn words_that_are_also_the_id_of_a_user_stay_as_they_are(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), targeting_of("reviews", "staging"));
    let new = json!({ "key": "zed", "name": "zed", "tags": ["zed"], "approvalRequired": true });
    administrator.post_once(&features(""), "key", &new).await.ok(201);
    administrator.patch(&features("/zed"), &json!({ "description": "zed" })).await.ok(200);
    administrator.put(&path, &targeting(&[everyone("on")])).await.ok(200);
    administrator.put(&path, &targeting(&[everyone("off")])).await.ok(200);
    let edit = json!({ "offVariantKey": "on" });
    let pending = server.editor().patch(&targeting_of("zed", "staging"), &edit).await.ok(202);
    let approval = project(&format!("/approvals/{}/approve", pending["id"].as_str().unwrap()));
    administrator.post(&approval, &json!({})).await.ok(200);

    let before = server.stored_rows().await;
    for word in ["zed", "on", "off", "staging", "enabled", "offVariant"] {
        let erased = administrator.post(ERASURES, &json!({ "userId": word })).await.ok(200);
        assert_eq!(erased, json!({ "removed": {}, "rules": [] }), "{word}");
    }
    let changed = before.differences(&server.stored_rows().await);
    // A lock that keeps deliveries away meanwhile has a row.
    assert!(changed.iter().all(|row| row.starts_with("fan_outs: ")), "{changed:?}");
}

#[apply(on_each_database)]
async fn a_users_id_is_replaced_in_the_conditions_of_earlier_targetings_whatever_the_attribute(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), targeting_of("reviews", "staging"));
    let of = |attribute: &str, values: &[&str]| targeting(&[rule(&[condition(attribute, "in", json!(values))])]);
    administrator.put(&path, &of("email", &["zed@example.org", "ann@example.org"])).await.ok(200);
    administrator.put(&path, &of("email", &["ann@example.org"])).await.ok(200);
    let audience = of("login", &["zed@example.org"])["rules"][0]["conditions"].clone();
    let new = json!({ "key": "crew", "name": "zed@example.org", "conditions": audience });
    administrator.post_once(&project("/audiences"), "key", &new).await.ok(201);

    let erased = administrator.post(ERASURES, &json!({ "userId": "zed@example.org" })).await.ok(200);
    let removed = json!({ "auditLog": 3, "idempotencyAnswers": 1 });
    assert_eq!(erased, json!({ "removed": removed, "rules": ["projects/shop/audiences/crew"] }));
    let entries = administrator.get("/api/v1/audit-log?action=targeting.update&limit=1").await.items();
    let values = &entries[0]["before"]["targetings"][0]["targeting"]["rules"][0]["conditions"][0]["values"];
    assert_eq!(*values, json!(["removed-person", "ann@example.org"]));
    let entries = administrator.get("/api/v1/audit-log?action=audience.create&limit=1").await.items();
    assert_eq!(entries[0]["after"]["name"], "zed@example.org", "a name that the team has chosen");
}

#[apply(on_each_database)]
async fn the_names_of_the_tokens_of_a_person_who_was_removed_before_are_replaced(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, colleague) = (server.administrator(), server.colleague("Zed Zander", Role::Editor).await);
    let id = colleague.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    colleague.post("/api/v1/tokens", &json!({ "name": "Zed Zander's laptop" })).await.ok(201);
    administrator.delete(&format!("/api/v1/users/{id}")).await.ok(204);
    assert!(server.stored_rows().await.contains("Zed Zander"));
    administrator.post(ERASURES, &json!({ "userId": id })).await.ok(200);
    let left = server.stored_rows().await;
    for text in ["Zed Zander", &id] {
        assert!(left.rows_with(text).is_empty(), "{:?}", left.rows_with(text));
    }
}

#[apply(on_each_database)]
async fn the_answers_to_somebody_of_another_organisation_stay(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    let new = json!({ "key": "elsewhere", "name": "Elsewhere" });
    let created = outsider.post_once("/api/v1/projects", "key", &new).await.ok(201);
    let id = outsider.get("/api/v1/me").await.ok(200)["id"].clone();
    let erased = server.administrator().post(ERASURES, &json!({ "userId": id })).await.ok(200);
    assert_eq!(erased, json!({ "removed": {}, "rules": [] }));
    assert_eq!(outsider.post_once("/api/v1/projects", "key", &new).await.ok(201), created);
}
