//! `/api/v1/projects/{projectKey}/environments/{environmentKey}/goals`: counts of goals.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, features, on_default_database, on_each_database};

fn goal(id: u32, key: &str, user: &str, features: Value) -> Value {
    json!({ "id": format!("goal-{id:04}"), "key": key, "userId": user, "features": features })
}

#[apply(on_each_database)]
async fn goals_are_counted_once_by_feature_and_variant(database: Database) {
    let server = Server::start(&database).await;
    let path = environment("production", "/goals");
    assert_eq!(server.read_only().get(&path).await.ok(200), json!({ "items": [] }));
    let browser = server.browser("production");
    let goals = json!([
        goal(1, "purchase", "alice", json!({ "new-checkout": "on", "banner-color": "plum" })),
        goal(2, "purchase", "bob", json!({ "new-checkout": "off", "banner-color": "plum" })),
        goal(3, "purchase", "carol", json!({ "new-checkout": "on" })),
        goal(4, "purchase", "dave", json!({})),
        goal(5, "signup", "alice", json!({ "new-checkout": "on" })),
    ]);
    browser.goals(&goals).await.ok(202);
    // A repeated id does not count, even with other contents.
    browser.goals(&json!([goal(1, "purchase", "alice", json!({ "new-checkout": "off" }))])).await.ok(202);
    server
        .browser("staging")
        .goals(&json!([goal(1, "purchase", "alice", json!({ "new-checkout": "on" }))]))
        .await
        .ok(202);

    let counted = server.read_only().get(&path).await.items();
    let features = json!({ "new-checkout": { "on": 2, "off": 1 }, "banner-color": { "plum": 2 } });
    let purchase = json!({ "key": "purchase", "count": 4, "features": features });
    let signup = json!({ "key": "signup", "count": 1, "features": { "new-checkout": { "on": 1 } } });
    assert_eq!(counted, [purchase, signup]);
    let of_staging = server.read_only().get(&environment("staging", "/goals")).await.items();
    assert_eq!(of_staging, [json!({ "key": "purchase", "count": 1, "features": { "new-checkout": { "on": 1 } } })]);
}

#[apply(on_each_database)]
async fn goals_of_a_deleted_feature_do_not_count_for_a_new_one_of_the_same_key(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.administrator(), server.browser("production"));
    let path = environment("production", "/goals");
    let with_both = json!({ "reviews": "off", "new-checkout": "on" });
    let first = json!([goal(1, "purchase", "alice", with_both.clone()), goal(2, "old", "alice", with_both.clone())]);
    browser.goals(&first).await.ok(202);
    let reviews = features("/reviews");
    editor.patch(&reviews, &json!({ "lifecycle": "Archived" })).await.ok(200);
    editor.delete(&reviews).await.ok(204);
    let counted = |key: &str, count: u32, of_reviews: u32| {
        let mut features = json!({ "new-checkout": { "on": count } });
        if of_reviews > 0 {
            features["reviews"] = json!({ "off": of_reviews });
        }
        json!({ "key": key, "count": count, "features": features })
    };
    assert_eq!(editor.get(&path).await.items(), [counted("old", 1, 0), counted("purchase", 1, 0)]);

    server.clock.set(Instant(server.app.now().0 + 1_000));
    editor.post(&features(""), &json!({ "key": "reviews", "name": "Reviews" })).await.ok(201);
    assert_eq!(editor.get(&path).await.items(), [counted("old", 1, 0), counted("purchase", 1, 0)]);
    let second = json!([goal(3, "new", "alice", with_both.clone()), goal(4, "purchase", "alice", with_both)]);
    browser.goals(&second).await.ok(202);
    let expected = [counted("new", 1, 1), counted("old", 1, 0), counted("purchase", 2, 1)];
    assert_eq!(editor.get(&path).await.items(), expected);
}

#[apply(on_default_database)]
async fn goals_of_another_organisation_or_an_unknown_environment_are_not_found(database: Database) {
    let server = Server::start(&database).await;
    server.outsider().await.get(&environment("production", "/goals")).await.problem(404, "not-found");
    server.read_only().get(&environment("nowhere", "/goals")).await.problem(404, "not-found");
}
