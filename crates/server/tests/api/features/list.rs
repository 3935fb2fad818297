//! The list of features: filters by lifecycle and tag, and pages.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, features, on_each_database};

/// The keys of the features that the query lets through.
async fn keys(caller: &Caller, query: &str) -> Vec<Value> {
    caller.get(&features(query)).await.column("key")
}

async fn tag(caller: &Caller, feature: &str, tags: &[&str]) {
    caller.patch(&features(&format!("/{feature}")), &json!({ "tags": tags })).await.ok(200);
}

#[apply(on_each_database)]
async fn a_lifecycle_filters_the_list(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    editor.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(keys(&editor, "?lifecycle=Draft").await, ["gift-cards"]);
    assert_eq!(keys(&editor, "?lifecycle=Archived").await, ["reviews"]);
    assert_eq!(keys(&editor, "?lifecycle=Active").await.len(), 10);
    editor.get(&features("?lifecycle=Gone")).await.problem(400, "invalid-query");
}

#[apply(on_each_database)]
async fn a_tag_filters_the_list_as_a_whole_word_in_its_case(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    tag(&editor, "reviews", &["beta", "web"]).await;
    tag(&editor, "gift-cards", &["web"]).await;
    tag(&editor, "loyalty-points", &["Beta", "beta-2", "a_b", "10%", "say \"web", "one\",\"two"]).await;
    for (query, expected) in [
        ("?tag=beta", &["reviews"][..]),
        ("?tag=Beta", &["loyalty-points"]),
        ("?tag=web", &["gift-cards", "reviews"]),
        ("?tag=be", &[]),
        ("?tag=a_b", &["loyalty-points"]),
        ("?tag=axb", &[]),
        ("?tag=10%25", &["loyalty-points"]),
        ("?tag=100", &[]),
        ("?tag=say%20%22web", &["loyalty-points"]),
        ("?tag=one%22,%22two", &["loyalty-points"]),
        ("?tag=two", &[]),
        ("?tag=beta&lifecycle=Active", &["reviews"]),
        ("?tag=beta&lifecycle=Draft", &[]),
        ("?tag=web&lifecycle=Draft", &["gift-cards"]),
    ] {
        assert_eq!(keys(&editor, query).await, expected, "{query}");
    }
}

#[apply(on_each_database)]
async fn pages_lose_and_double_nothing_while_features_come_and_go(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    let whole = keys(&editor, "").await;
    for limit in [1, 5, 11, 12, 200] {
        let (mut walked, mut pages, mut query) = (Vec::new(), 0, format!("?limit={limit}"));
        loop {
            let page = editor.get(&features(&query)).await.ok(200);
            let items = page["items"].as_array().unwrap();
            walked.extend(items.iter().map(|item| item["key"].clone()));
            pages += 1;
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            assert_eq!(items.len(), limit);
            query = format!("?limit={limit}&cursor={cursor}");
        }
        assert_eq!(walked, whole, "limit {limit}");
        // There is no empty page at the end.
        assert_eq!(pages, 12_usize.div_ceil(limit), "limit {limit}");
    }

    // After the first page a feature before its end comes, and the one at its end goes.
    let first = editor.get(&features("?limit=5")).await;
    let cursor = first.ok(200)["nextCursor"].as_str().unwrap().to_owned();
    editor.post(&features(""), &json!({ "key": "aaa", "name": "First" })).await.ok(201);
    let last = format!("/{}", whole[4].as_str().unwrap());
    editor.patch(&features(&last), &json!({ "lifecycle": "Archived" })).await.ok(200);
    editor.delete(&features(&last)).await.ok(204);
    assert_eq!(keys(&editor, &format!("?limit=200&cursor={cursor}")).await, whole[5..]);
}

#[apply(on_each_database)]
async fn a_page_has_fifty_items_when_nobody_says_how_many(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    for number in 0..39 {
        editor.post(&features(""), &json!({ "key": format!("new-{number:02}"), "name": "New" })).await.ok(201);
    }
    let first = editor.get(&features("")).await;
    assert_eq!(first.items().len(), 50);
    let cursor = first.ok(200)["nextCursor"].as_str().unwrap().to_owned();
    assert_eq!(keys(&editor, &format!("?cursor={cursor}")).await.len(), 1);
}

#[apply(on_each_database)]
async fn a_filter_holds_over_the_pages(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let page = editor.get(&features("?lifecycle=Active&limit=10")).await.ok(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    assert_eq!(keys(&editor, &format!("?lifecycle=Active&limit=10&cursor={cursor}")).await.len(), 1);
}
