//! `POST /server/v1/goals`: goals sent by a service, each counted once.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, environment, on_default_database};

#[apply(on_default_database)]
async fn a_goal_counts_once_even_if_the_browser_sends_it_too(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    let features = json!({ "reviews": "on" });
    let goal = |id: &str, user: &str| json!({ "id": id, "key": "purchase", "userId": user, "features": features, "later": true });
    let goals = json!([goal("goal-0001", "alice"), goal("goal-0002", "bob")]);
    for _ in 0..2 {
        assert_eq!(key.goals(&goals).await.ok(202), json!({ "accepted": 2 }));
    }
    server.browser("staging").goals(&json!([goal("goal-0001", "alice")])).await.ok(202);
    let counts = server.read_only().get(&environment("staging", "/goals")).await.ok(200);
    let count = &counts["items"][0];
    assert_eq!(count["key"], "purchase", "{counts}");
    assert!(counts.to_string().contains("\"count\":2"), "{counts}");
}

#[apply(on_default_database)]
async fn a_goal_without_a_valid_id_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    let response = key.goals(&json!([{ "id": "short", "key": "purchase", "userId": "alice" }])).await;
    assert_eq!(response.pointers(), ["/goals/0/id"]);
}
