//! Audiences of copied rules: one of the source environment is inlined, a project-wide one stays linked.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, copy, request, results, target, targeted};
use crate::fixture::{Server, condition, everyone, on_default_database, project, rule, targeting};

/// A rule that serves `on` to a saved audience.
fn audience_rule(key: &str) -> Value {
    json!({ "name": "Some", "audienceKey": key, "splits": everyone("on")["splits"] })
}

async fn create_audience(server: &Server, key: &str, environment: Option<&str>) -> Value {
    let conditions = json!([condition("team", "equals", json!([key])), condition("age", "greaterThan", json!([17]))]);
    let mut audience = json!({ "key": key, "name": key, "conditions": conditions });
    if let Some(environment) = environment {
        audience["environmentKey"] = json!(environment);
    }
    server.administrator().post(&project("/audiences"), &audience).await.ok(201);
    conditions
}

/// The variant of `reviews` for adults of a team, in staging and in production.
async fn served_variants(server: &Server, team: &str) -> [String; 2] {
    let user = json!({ "id": "alice", "attributes": { "team": team, "age": 30 } });
    let mut variants = ["staging", "production"].map(|_| String::new());
    for (place, environment) in ["staging", "production"].into_iter().enumerate() {
        variants[place].clone_from(&server.browser(environment).load(&user).await.features["reviews"]);
    }
    variants
}

#[apply(on_default_database)]
async fn a_rule_with_an_audience_of_the_source_is_copied_inline_and_evaluates_the_same(database: Database) {
    let server = Server::start(&database).await;
    let conditions = create_audience(&server, "of-staging", Some("staging")).await;
    target(&server, "reviews", "staging", &targeting(&[audience_rule("of-staging")])).await;
    target(&server, "reviews", "production", &targeting(&[])).await;
    assert_eq!(served_variants(&server, "of-staging").await, ["on", "off"]);

    let outcome = copy(&server.production_editor(), "reviews").await;
    assert_eq!((&outcome["outcome"], &outcome["audiencesCopiedInline"]), (&json!("APPLIED"), &json!(["of-staging"])));
    let mut inline = audience_rule("");
    inline.as_object_mut().unwrap().remove("audienceKey");
    inline["conditions"] = conditions;
    assert_eq!(targeted(&server, "reviews", "production").await["rules"], json!([inline]));
    assert_eq!(targeted(&server, "reviews", "staging").await["rules"], json!([audience_rule("of-staging")]));
    assert_eq!(served_variants(&server, "of-staging").await, ["on", "on"]);
    assert_eq!(served_variants(&server, "nobody").await, ["off", "off"]);

    // Later edits of the audience do not affect the copy.
    let other = json!({ "conditions": [condition("team", "equals", json!(["others"]))] });
    server.editor().patch(&project("/audiences/of-staging"), &other).await.ok(200);
    assert_eq!(served_variants(&server, "of-staging").await, ["off", "on"]);
    assert_eq!(served_variants(&server, "others").await, ["on", "off"]);
}

#[apply(on_default_database)]
async fn a_project_wide_audience_stays_linked(database: Database) {
    let server = Server::start(&database).await;
    create_audience(&server, "wide", None).await;
    target(&server, "reviews", "staging", &targeting(&[audience_rule("wide")])).await;
    target(&server, "reviews", "production", &targeting(&[])).await;
    let outcome = copy(&server.production_editor(), "reviews").await;
    assert_eq!((&outcome["outcome"], &outcome["audiencesCopiedInline"]), (&json!("APPLIED"), &json!([])));
    assert_eq!(targeted(&server, "reviews", "production").await["rules"], json!([audience_rule("wide")]));
    assert_eq!(
        (served_variants(&server, "wide").await, served_variants(&server, "nobody").await),
        (both_environments("on"), both_environments("off"))
    );
    // An edit of the audience changes both environments.
    let other = json!({ "conditions": [condition("team", "equals", json!(["others"]))] });
    server.production_editor().patch(&project("/audiences/wide"), &other).await.ok(200);
    assert_eq!(
        (served_variants(&server, "wide").await, served_variants(&server, "others").await),
        (both_environments("off"), both_environments("on"))
    );
}

fn both_environments(variant: &str) -> [String; 2] {
    [variant.to_owned(), variant.to_owned()]
}

#[apply(on_default_database)]
async fn rules_that_are_the_same_keep_the_links_of_the_target(database: Database) {
    let server = Server::start(&database).await;
    let conditions = create_audience(&server, "wide", None).await;
    create_audience(&server, "of-staging", Some("staging")).await;
    let linked = audience_rule("wide");
    let inline = |audience: &Value| rule(audience.as_array().unwrap());
    let same_as_of_staging =
        json!([condition("team", "equals", json!(["of-staging"])), condition("age", "greaterThan", json!([17]))]);
    for (source, goal) in [
        (inline(&conditions), linked.clone()),
        (linked, inline(&conditions)),
        (audience_rule("of-staging"), inline(&same_as_of_staging)),
    ] {
        target(&server, "reviews", "staging", &targeting(std::slice::from_ref(&source))).await;
        let off = json!({ "enabled": false, "offVariantKey": "off", "rules": [goal] });
        target(&server, "reviews", "production", &off).await;
        let outcome = copy(&server.production_editor(), "reviews").await;
        let (applied, inlined) = (&outcome["outcome"], &outcome["audiencesCopiedInline"]);
        assert_eq!((applied, inlined), (&json!("APPLIED"), &json!([])), "{source}");
        let found = targeted(&server, "reviews", "production").await;
        assert_eq!((&found["enabled"], &found["rules"]), (&json!(true), &json!([goal])), "{source}");
    }
}

#[apply(on_default_database)]
async fn linked_and_inlined_audiences_can_be_mixed_and_each_is_named_once(database: Database) {
    let server = Server::start(&database).await;
    create_audience(&server, "wide", None).await;
    let (of_z, of_a) = (
        create_audience(&server, "z-staging", Some("staging")).await,
        create_audience(&server, "a-staging", Some("staging")).await,
    );
    let rules = ["z-staging", "wide", "a-staging", "z-staging"].map(audience_rule);
    target(&server, "reviews", "staging", &targeting(&rules)).await;
    target(&server, "reviews", "production", &targeting(&[])).await;
    let outcome = copy(&server.production_editor(), "reviews").await;
    assert_eq!(outcome["audiencesCopiedInline"], json!(["z-staging", "a-staging"]));
    let inline = |conditions: &Value| {
        let mut inline = rule(conditions.as_array().unwrap());
        inline["name"] = json!("Some");
        inline
    };
    let expected = json!([inline(&of_z), audience_rule("wide"), inline(&of_a), inline(&of_z)]);
    assert_eq!(targeted(&server, "reviews", "production").await["rules"], expected);
    for (team, variant) in [("z-staging", "on"), ("wide", "on"), ("a-staging", "on"), ("nobody", "off")] {
        assert_eq!(served_variants(&server, team).await, both_environments(variant), "{team}");
    }
}

/// Each may have a megabyte of conditions, so reading all of them for each feature would hold up the others of the project.
#[apply(on_default_database)]
async fn an_audience_that_no_rule_names_is_not_read(database: Database) {
    let server = Server::start(&database).await;
    create_audience(&server, "wide", None).await;
    create_audience(&server, "unused", None).await;
    target(&server, "reviews", "staging", &targeting(&[audience_rule("wide")])).await;
    target(&server, "reviews", "production", &targeting(&[])).await;
    let mut write = server.app.store.write().await.unwrap();
    // Reading it fails.
    let damage = sqlx::query("UPDATE audiences SET conditions = '{}' WHERE key = 'unused'");
    damage.execute(&mut *write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();

    let mut dry = request(&["reviews"], &ALL);
    dry["dryRun"] = json!(true);
    assert_eq!(results(&server.production_editor(), &dry).await[0]["outcome"], "APPLIED");
    assert_eq!(copy(&server.production_editor(), "reviews").await["outcome"], "APPLIED");
    assert_eq!(served_variants(&server, "wide").await, both_environments("on"));
    // A direct edit reads no more than a copy.
    target(&server, "reviews", "production", &targeting(&[everyone("off"), audience_rule("wide")])).await;
}

#[apply(on_default_database)]
async fn audiences_are_copied_inline_only_with_the_rules(database: Database) {
    let server = Server::start(&database).await;
    create_audience(&server, "of-staging", Some("staging")).await;
    create_audience(&server, "of-production", Some("production")).await;
    let source = json!({ "enabled": true, "offVariantKey": "on", "rules": [audience_rule("of-staging")] });
    let goal = json!({ "enabled": false, "offVariantKey": "off", "rules": [audience_rule("of-production")] });
    for selected in [&ALL[..1], &ALL[1..2], &ALL[..2]] {
        target(&server, "reviews", "staging", &source).await;
        target(&server, "reviews", "production", &goal).await;
        let outcome = &results(&server.production_editor(), &request(&["reviews"], selected)).await[0];
        assert_eq!((&outcome["outcome"], &outcome["audiencesCopiedInline"]), (&json!("APPLIED"), &json!([])));
        assert_eq!(targeted(&server, "reviews", "production").await["rules"], goal["rules"], "{selected:?}");
    }
    let outcome = &results(&server.production_editor(), &request(&["reviews"], &ALL[2..])).await[0];
    assert_eq!(outcome["audiencesCopiedInline"], json!(["of-staging"]));
}
