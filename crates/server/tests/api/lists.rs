//! Every list: complete pages, the same errors, and the same order on every database.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Receiver, Server, environment, features, on_each_database, outbound, project, targeting_of,
};

/// The paths of all lists, according to the OpenAPI document.
fn lists() -> Vec<String> {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let is_list = |item: &&Value| {
        let response = &item["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        response["$ref"].as_str().is_some_and(|name| name.contains("/List_"))
    };
    let paths = document["paths"].as_object().unwrap().iter().filter(|(_, item)| is_list(item));
    let of_shop = |path: &str| path.replace("{projectKey}", "shop").replace("{environmentKey}", "staging");
    paths.map(|(path, _)| of_shop(path)).collect()
}

/// Keys that are sorted differently by bytes than by natural-language collations.
const KEYS: [&str; 6] = ["B", "a-b", "a.b", "a1", "a_b", "ab"];

/// Creates at least two items in each list.
async fn fill(server: &Server) {
    let administrator = server.administrator();
    // Not in sorted order.
    for (number, key) in ["ab", "a_b", "a.b", "B", "a-b", "a1"].into_iter().enumerate() {
        let named = json!({ "key": key, "name": "New" });
        administrator.post("/api/v1/projects", &named).await.ok(201);
        let gated = json!({ "key": key, "name": "New", "approvalRequired": true });
        administrator.post(&features(""), &gated).await.ok(201);
        // Another person's, so that the administrator can decide on it.
        server.editor().patch(&targeting_of(key, "staging"), &json!({ "enabled": true })).await.ok(202);
        let audience = json!({ "key": key, "name": "New", "conditions": [] });
        administrator.post(&project("/audiences"), &audience).await.ok(201);
        let goals = json!([{ "key": "purchase", "role": "primary" }]);
        let experiment = json!({ "key": key, "name": "New", "featureKey": "reviews", "goals": goals });
        administrator.post(&environment("staging", "/experiments"), &experiment).await.ok(201);
        let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
        let pipeline = json!({ "key": key, "name": "New", "phases": phases });
        administrator.post(&project("/pipelines"), &pipeline).await.ok(201);
        for keys in ["/client-keys", "/server-keys"] {
            administrator.post(&environment("staging", keys), &json!({ "name": "New" })).await.ok(201);
        }
        administrator.post(&project("/edge-keys"), &json!({ "name": "New" })).await.ok(201);
        let goal = json!([{ "id": format!("goal-000{number}"), "key": key, "userId": "alice" }]);
        server.browser("staging").goals(&goal).await.ok(202);
    }
}

/// Creates two integrations, the second with two deliveries, and returns the id of the second.
async fn integrations(administrator: &Caller) -> String {
    const PATH: &str = "/api/v1/admin/integrations/outbound";
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": "US" });
    let new = json!({ "type": "analytics", "enabled": false, "configuration": { "analytics": analytics } });
    administrator.post(PATH, &new).await.ok(201);
    let id = administrator.post(PATH, &new).await.ok(201)["id"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        administrator.post(&format!("{PATH}/{id}/test"), &json!({})).await.ok(200);
    }
    id
}

/// Reads the list in pages of this size.
async fn walk(caller: &Caller, path: &str, limit: usize) -> Vec<Value> {
    let (mut walked, mut query) = (Vec::new(), format!("?limit={limit}"));
    loop {
        let response = caller.get(&format!("{path}{query}")).await;
        let items = response.items();
        assert!(items.len() <= limit && !items.is_empty(), "{path}{query}: {}", response.text);
        walked.extend(items);
        let page = response.ok(200);
        let Some(cursor) = page["nextCursor"].as_str() else { return walked };
        query = format!("?limit={limit}&cursor={cursor}");
    }
}

#[apply(on_each_database)]
async fn every_list_is_paginated_without_lost_or_repeated_items(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let id = integrations(&administrator).await;
    fill(&server).await;
    let lists = lists();
    assert!(lists.len() >= 10, "{lists:?}");
    for path in lists {
        let path = path.replace("{id}", &id);
        let whole = administrator.get(&format!("{path}?limit=200")).await.items();
        assert!(whole.len() >= 2, "{path}: {whole:?}");
        for limit in [1, 2, whole.len() - 1, whole.len()] {
            assert_eq!(walk(&administrator, &path, limit).await, whole, "{path} by {limit}");
        }
    }
}

#[apply(on_each_database)]
async fn every_list_rejects_invalid_limits_and_cursors_alike(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.administrator();
    for path in lists() {
        for limit in ["0", "201", "-1", "ten", "1.5", "", "70000", "1e1"] {
            assert_eq!(reader.get(&format!("{path}?limit={limit}")).await.pointers(), ["/limit"], "{path} {limit}");
        }
        for cursor in ["*", "a", "_w", "AA"] {
            assert_eq!(reader.get(&format!("{path}?cursor={cursor}")).await.pointers(), ["/cursor"], "{path} {cursor}");
        }
        assert_eq!(reader.get(&format!("{path}?limit=0&cursor=*")).await.pointers(), ["/limit"], "{path}");
    }
}

#[apply(on_each_database)]
async fn lists_by_key_are_in_byte_order_on_every_database(database: Database) {
    let server = Server::start(&database).await;
    fill(&server).await;
    let reader = server.read_only();
    let expected_keys: BTreeSet<_> = KEYS.into_iter().collect();
    let goals = environment("staging", "/goals");
    for path in ["/api/v1/projects", &features(""), &project("/audiences"), &project("/pipelines"), &goals] {
        for limit in [1, 4, 200] {
            let walked = walk(&reader, path, limit).await;
            let keys: Vec<_> = walked.iter().map(|item| item["key"].as_str().unwrap()).collect();
            assert!(keys.is_sorted(), "{path}: {keys:?}");
            let found: Vec<_> = keys.into_iter().filter(|key| expected_keys.contains(key)).collect();
            assert_eq!(found, KEYS, "{path} by {limit}");
        }
    }
}
