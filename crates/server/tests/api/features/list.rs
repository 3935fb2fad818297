//! The list of features: filters, search and pages.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, features, on_default_database, on_each_database, targeting_of};

/// The keys of the features that match the query.
async fn keys(caller: &Caller, query: &str) -> Vec<Value> {
    caller.get(&features(query)).await.column("key")
}

async fn tag(caller: &Caller, feature: &str, tags: &[&str]) {
    caller.patch(&features(&format!("/{feature}")), &json!({ "tags": tags })).await.ok(200);
}

#[apply(on_default_database)]
async fn the_list_can_be_filtered_by_lifecycle(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    editor.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(keys(&editor, "?lifecycle=Draft").await, ["gift-cards"]);
    assert_eq!(keys(&editor, "?lifecycle=Archived").await, ["reviews"]);
    assert_eq!(keys(&editor, "?lifecycle=Active").await.len(), 10);
    editor.get(&features("?lifecycle=Gone")).await.problem(400, "invalid-query");
}

#[apply(on_each_database)]
async fn the_tag_filter_matches_whole_tags_and_is_case_sensitive(database: Database) {
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

#[apply(on_default_database)]
async fn no_feature_is_lost_or_repeated_across_pages_while_features_are_created_and_deleted(database: Database) {
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
        // The last page is not empty.
        assert_eq!(pages, 12_usize.div_ceil(limit), "limit {limit}");
    }

    // After the first page, a feature before its end is created and the one at its end is deleted.
    let first = editor.get(&features("?limit=5")).await;
    let cursor = first.ok(200)["nextCursor"].as_str().unwrap().to_owned();
    editor.post(&features(""), &json!({ "key": "aaa", "name": "First" })).await.ok(201);
    let last = format!("/{}", whole[4].as_str().unwrap());
    editor.patch(&features(&last), &json!({ "lifecycle": "Archived" })).await.ok(200);
    editor.delete(&features(&last)).await.ok(204);
    assert_eq!(keys(&editor, &format!("?limit=200&cursor={cursor}")).await, whole[5..]);
}

#[apply(on_default_database)]
async fn a_page_has_fifty_items_by_default(database: Database) {
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

#[apply(on_default_database)]
async fn a_filter_applies_to_all_pages(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let page = editor.get(&features("?lifecycle=Active&limit=10")).await.ok(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    assert_eq!(keys(&editor, &format!("?lifecycle=Active&limit=10&cursor={cursor}")).await.len(), 1);
}

#[apply(on_each_database)]
async fn a_search_matches_all_its_words_in_key_name_tags_or_description_and_is_case_insensitive(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    tag(&editor, "reviews", &["Kundenmeinung", "\u{c9}t\u{e9}"]).await;
    editor.patch(&features("/reviews"), &json!({ "description": "What OTHERS say." })).await.ok(200);
    for (query, expected) in [
        ("?search=BANNER", &["banner-color", "free-shipping-banner"][..]),
        ("?search=banner%20colour", &["banner-color"]),
        ("?search=kundenMEINUNG", &["reviews"]),
        ("?search=%C3%A9t%C3%89", &["reviews"]),
        ("?search=others", &["reviews"]),
        ("?search=SAY%20reviews%20kunden", &["reviews"]),
        ("?search=others%20banner", &[]),
        ("?search=reviews%20banner", &[]),
        ("?search=_", &[]),
        ("?search=%25", &[]),
        ("?search=gift&lifecycle=Draft", &["gift-cards"]),
        ("?search=gift&lifecycle=Active", &[]),
        ("?search=re&tag=Kundenmeinung", &["reviews"]),
    ] {
        assert_eq!(keys(&editor, query).await, expected, "{query}");
    }
    let all = keys(&editor, "").await;
    assert_eq!(keys(&editor, "?search=%20").await, all);
    // Pages of search results.
    let first = editor.get(&features("?search=banner&limit=1")).await.ok(200);
    let next = format!("?search=banner&limit=1&cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(keys(&editor, &next).await, ["free-shipping-banner"]);
    assert_eq!(editor.get(&features(&next)).await.ok(200).get("nextCursor"), None);
}

#[apply(on_default_database)]
async fn the_list_includes_each_features_state_per_environment_on_request(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let pending =
        server.editor().patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(202);
    for query in ["?environments=true", "?environments=true&limit=3", "?environments=true&search=reviews"] {
        let mut path = query.to_owned();
        let mut seen = 0;
        loop {
            let page = administrator.get(&features(&path)).await.ok(200);
            for item in page["items"].as_array().unwrap() {
                let states = item["environments"].as_array().unwrap();
                let keys: Vec<_> = states.iter().map(|state| &state["environmentKey"]).collect();
                assert_eq!(keys, ["development", "staging", "production"], "{item}");
                for state in states {
                    let (feature, environment) = (&item["key"], &state["environmentKey"]);
                    let path = targeting_of(feature.as_str().unwrap(), environment.as_str().unwrap());
                    let targeting = administrator.get(&path).await.ok(200);
                    for same in ["enabled", "offVariantKey", "served", "version"] {
                        assert_eq!(state[same], targeting[same], "{same} of {path}");
                    }
                    assert_eq!(state["rules"], targeting["rules"].as_array().unwrap().len());
                    let waits = feature == "reviews" && environment == "staging";
                    assert_eq!(state["pendingApprovalId"], if waits { pending["id"].clone() } else { Value::Null });
                }
                seen += 1;
            }
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            path = format!("{query}&cursor={cursor}");
        }
        assert_eq!(seen, if query.contains("search") { 1 } else { 12 }, "{query}");
    }
    // It is not included by default.
    assert!(administrator.get(&features("")).await.items().iter().all(|item| item.get("environments").is_none()));
    administrator.get(&features("?environments=perhaps")).await.problem(400, "invalid-query");
}
