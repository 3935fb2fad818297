//! Conditions and patterns of a targeting are limited, in writes and in previews.

use flagservice_rules::Patterns;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, condition, on_default_database, on_each_database, rule, targeting, targeting_of};

/// The most conditions of a targeting, and how many of them can be patterns.
const CONDITIONS: usize = 500;
pub const PATTERNS: usize = 50;

/// So many conditions, each with its own small pattern.
pub fn patterns(name: &str, count: usize) -> Vec<Value> {
    (0..count).map(|number| condition("plan", "matches", json!([format!("{name}{number}$")]))).collect()
}

/// Patterns of which each takes almost as much memory as a pattern may.
fn large_patterns(name: &str, count: usize) -> Vec<Value> {
    (0..count).map(|number| condition("plan", "matches", json!([large_pattern(name, number)]))).collect()
}

fn large_pattern(name: &str, number: usize) -> String {
    format!(r"\w{{4}}{name}{number}")
}

#[apply(on_default_database)]
async fn a_targeting_has_at_most_500_conditions_and_50_patterns(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let conditions = |count: usize| vec![condition("plan", "equals", json!(["pro"])); count];
    editor.put(&path, &targeting(&[rule(&conditions(CONDITIONS))])).await.ok(200);
    editor.put(&path, &targeting(&[rule(&patterns("a", PATTERNS))])).await.ok(200);
    let before = server.stored_rows().await;
    // They may be in several rules.
    let halves = [rule(&conditions(CONDITIONS)), rule(&conditions(1))];
    for (rules, words) in [
        (&halves[..], ["500 conditions", "there are 501", "`in`"]),
        (&[rule(&patterns("a", PATTERNS + 1))], ["50 conditions with `matches`", "there are 51", "`|`"]),
        (&[rule(&patterns(&"a".repeat(400), 41))], ["the patterns of a targeting", "16 KB together", "Shorten"]),
    ] {
        let refused = editor.put(&path, &targeting(rules)).await;
        assert_eq!(refused.pointers(), ["/rules"]);
        words.iter().for_each(|word| assert!(refused.text.contains(word), "{word} in {}", refused.text));
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn the_patterns_of_a_targeting_take_at_most_4_mb_when_they_are_compiled(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    // The tests on both databases run in one process, which shares compiled patterns.
    let name = format!("{:?}", database.engine());
    let refused = editor.put(&path, &targeting(&[rule(&[]), rule(&large_patterns(&name, PATTERNS))])).await;
    let pointers = refused.pointers();
    let [pointer] = pointers.as_slice() else { panic!("{pointers:?}") };
    assert!(pointer.starts_with("/rules/1/conditions/") && pointer.ends_with("/values/0"), "{pointer}");
    assert!(refused.text.contains("may take 4 MB") && refused.text.contains("fewer repetitions"), "{}", refused.text);
    // Those after that one were not compiled, and nothing keeps the others.
    let large: Vec<_> = (0..PATTERNS).map(|number| large_pattern(&name, number)).collect();
    assert!(Patterns::known(large.iter().map(String::as_str)).is_empty());
}

#[apply(on_default_database)]
async fn a_request_with_hundreds_of_patterns_is_refused_before_one_of_them_is_compiled(database: Database) {
    let server = Server::start(&database).await;
    let many = (0..750).map(|number| condition("plan", "matches", json!([format!(r"\w{{9}}{number}")])));
    let draft = targeting(&[rule(&many.collect::<Vec<_>>())]);
    let path = targeting_of("reviews", "staging");
    assert_eq!(server.editor().put(&path, &draft).await.pointers(), ["/rules"]);
    let question = json!({ "user": { "id": "alice" }, "targeting": draft });
    assert_eq!(server.read_only().post(&format!("{path}/preview"), &question).await.pointers(), ["/targeting/rules"]);
}

#[apply(on_default_database)]
async fn a_preview_has_the_budgets_of_a_targeting_and_of_a_user(database: Database) {
    let server = Server::start(&database).await;
    let path = format!("{}/preview", targeting_of("reviews", "staging"));
    let reader = server.read_only();
    let preview = async |user: Value, conditions: &[Value]| {
        reader.post(&path, &json!({ "user": user, "targeting": targeting(&[rule(conditions)]) })).await
    };
    let alice = json!({ "id": "alice", "attributes": { "plan": "a0" } });
    assert_eq!(preview(alice.clone(), &patterns("a", 1)).await.ok(200)["variantKey"], "on");
    assert_eq!(preview(alice.clone(), &patterns("a", PATTERNS + 1)).await.pointers(), ["/targeting/rules"]);
    let [pointer] = preview(alice, &large_patterns("preview", PATTERNS)).await.pointers().try_into().unwrap();
    assert!(pointer.starts_with("/targeting/rules/0/conditions/"), "{pointer}");
    let long = |length: usize| json!({ "id": "alice", "attributes": { "plan": "a".repeat(length) } });
    preview(long(16_000), &patterns("a", 1)).await.ok(200);
    assert_eq!(preview(long(17_000), &patterns("a", 1)).await.pointers(), ["/user"]);
}

#[apply(on_default_database)]
async fn an_unchanged_rule_is_not_compiled_again_when_a_feature_is_switched_off(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    // The tests on both databases run in one process, which shares compiled patterns.
    let name = format!("switched-{:?}-", database.engine());
    let off = json!({ "enabled": false, "offVariantKey": "off", "rules": [rule(&patterns(&name, 3))] });
    server.editor().put(&path, &off).await.ok(200);
    let texts: Vec<_> = (0..3).map(|number| format!("{name}{number}$")).collect();
    let known = || Patterns::known(texts.iter().map(String::as_str)).len();
    assert_eq!(known(), 0, "nothing keeps patterns of a feature that is off");
    server.editor().patch(&path, &json!({ "enabled": false })).await.ok(200);
    assert_eq!(known(), 0);
    server.editor().patch(&path, &json!({ "enabled": true })).await.ok(200);
    assert_eq!(known(), 3);
    server.editor().patch(&path, &json!({ "enabled": false })).await.ok(200);
    // Some earlier versions stay in memory for a moment.
    for number in 0..6 {
        server.switch_search_suggestions("staging", number % 2 == 0).await;
    }
    assert_eq!(known(), 0);
}

#[apply(on_default_database)]
async fn a_user_with_long_texts_gets_the_same_variants(database: Database) {
    let server = Server::start(&database).await;
    let rules = [rule(&[condition("plan", "matches", json!(["b$"]))])];
    server.editor().put(&targeting_of("reviews", "staging"), &targeting(&rules)).await.ok(200);
    let key = server.client_key("staging");
    for length in [10, 10_000] {
        for (end, variant) in [("b", "on"), ("c", "off")] {
            let plan = format!("{}{end}", "a".repeat(length));
            let user = json!({ "id": "alice", "attributes": { "plan": plan } });
            assert_eq!(server.browser("staging").load(&user).await.features["reviews"], variant);
            let context = json!({ "context": { "targetingKey": "alice", "plan": plan } });
            let evaluate = async |path: &str| {
                let caller = server.caller(Some(key));
                caller.post(&format!("/ofrep/v1/evaluate/flags{path}"), &context).await.ok(200)
            };
            assert_eq!(evaluate("/reviews").await["variant"], variant);
            let all = evaluate("").await;
            let flags = all["flags"].as_array().unwrap();
            assert!(flags.iter().any(|flag| flag["key"] == "reviews" && flag["variant"] == variant), "{all}");
        }
    }
}

#[apply(on_each_database)]
async fn a_stream_that_searches_many_patterns_gets_its_changes(database: Database) {
    let server = Server::start(&database).await;
    // The last letter is a b.
    let plan = "ab".repeat(100);
    let rules = |searched: &str| {
        let large = (0..10).map(|number| format!("{number}[ab]{{1000}}c"));
        let rules = large.chain([searched.to_owned()]).map(|text| rule(&[condition("plan", "matches", json!([text]))]));
        targeting(&rules.collect::<Vec<_>>())
    };
    let path = targeting_of("reviews", "staging");
    server.editor().put(&path, &rules("a$")).await.ok(200);
    let browser = server.browser("staging");
    let loaded = browser.load(&json!({ "id": "alice", "attributes": { "plan": plan } })).await;
    assert_eq!(loaded.features["reviews"], "off");
    let mut stream = browser.open(&loaded).await;
    for (searched, variant) in [("b$", "on"), ("a$", "off")] {
        server.editor().put(&path, &rules(searched)).await.ok(200);
        // A patch; all values if the search of the version before took so long that it is forgotten.
        assert_eq!(stream.next_event().await.features()["reviews"], variant);
    }
    let without_version = browser.open_path(&format!("/stream?token={}", loaded.token)).await.next_event().await;
    assert_eq!(without_version.features()["reviews"], "off");
}
