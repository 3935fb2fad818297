//! Which changes are annotated, for which integrations, and what is sent, byte for byte.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{
    API_KEY, SECRET_KEY, create, details, environment_id, filtered, integration, kind, log, path, read, settled, start,
};
use crate::fixture::{
    Caller, Receiver, Server, condition, environment, everyone, features, on_default_database, on_each_database,
    outbound, project, rule, split, targeting, targeting_of,
};

#[apply(on_default_database)]
async fn a_delivery_is_exactly_this_request_in_the_region_of_the_integration(database: Database) {
    let (us, eu) = (Receiver::start().await, Receiver::start().await);
    let server =
        Server::start_with_destinations(&database, outbound(us.address(), &format!("{}/", eu.address()))).await;
    let reviews = targeting_of("reviews", "staging");
    server.editor().put(&reviews, &targeting(&[split(10.0, 90.0)])).await.ok(200);
    create(&server, &integration("US")).await;
    let mut second = integration("EU");
    second["configuration"]["analytics"]["apiKey"] = json!("other");
    create(&server, &second).await;
    server.editor().put(&reviews, &targeting(&[split(40.0, 60.0)])).await.ok(200);

    let body = concat!(
        r#"{"label":"Edda Okafor updated Reviews in Staging","start":"2026-11-21T10:00:00+00:00","category":"Feature flags","#,
        r#""details":"Feature: Reviews (reviews)\nEnvironment: Staging\nProject: shop\nChanged by: Edda Okafor\n\n"#,
        r#"https://flags.example/projects/shop/features/reviews/environments/staging\nChange: Rollout percentage updated (10% to 40%)"}"#
    );
    for (receiver, api_key) in [(&us, API_KEY), (&eu, "other")] {
        let received = receiver.receive(1).await;
        let expected = [
            "POST /api/3/annotations HTTP/1.1".to_owned(),
            format!("Host: {}", receiver.address().trim_start_matches("http://")),
            format!("Authorization: Basic {}", STANDARD.encode(format!("{api_key}:{SECRET_KEY}"))),
            "Content-Type: application/json".to_owned(),
            "Accept: application/json".to_owned(),
            "User-Agent: FlagService".to_owned(),
            "Connection: close".to_owned(),
            format!("Content-Length: {}", body.len()),
            String::new(),
            body.to_owned(),
        ];
        assert_eq!(received[0].text(), expected.join("\r\n"));
        assert!(received[0].body().get("chart_id").is_none());
        assert_eq!(received.len(), 1);
    }
}

/// Changes names, tags, pipelines, features, keys and environments, which do not affect evaluation.
async fn make_changes_without_annotation(administrator: &Caller, targeting: &Value) {
    let mut renamed = targeting.clone();
    renamed["rules"][0]["name"] = json!("People of ours");
    administrator.put(&targeting_of("reviews", "staging"), &renamed).await.ok(200);
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    administrator
        .post(&project("/pipelines"), &json!({ "key": "weekly", "name": "Weekly", "phases": phases }))
        .await
        .ok(201);
    for edit in [json!({ "name": "Ratings" }), json!({ "tags": ["shop"] }), json!({ "pipelineKey": "weekly" })] {
        administrator.patch(&features("/reviews"), &edit).await.ok(200);
    }
    administrator.post(&features(""), &json!({ "key": "fresh", "name": "Fresh" })).await.ok(201);
    administrator.patch(&environment("staging", ""), &json!({ "name": "Stage" })).await.ok(200);
    administrator.post(&environment("staging", "/client-keys"), &json!({ "name": "Shop" })).await.ok(201);
}

#[apply(on_default_database)]
async fn every_trigger_emits_one_annotation_with_its_type_and_nothing_else_emits_one(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let reviews = targeting_of("reviews", "staging");
    let put = async |rules: &[Value]| drop(administrator.put(&reviews, &targeting(rules)).await.ok(200));
    let staff = rule(&[condition("team", "equals", json!(["staff"]))]);
    let beta = rule(&[condition("team", "equals", json!(["beta"]))]);
    put(&[split(0.0, 100.0)]).await;
    let id = create(&server, &integration("US")).await;
    put(&[split(50.0, 50.0)]).await;
    put(&[staff, split(50.0, 50.0)]).await;
    put(&[beta, split(50.0, 50.0)]).await;
    put(&[split(50.0, 50.0)]).await;
    administrator.patch(&reviews, &json!({ "enabled": false })).await.ok(200);
    administrator.patch(&reviews, &json!({ "enabled": true })).await.ok(200);
    administrator.patch(&reviews, &json!({ "offVariantKey": "on" })).await.ok(200);
    let several = json!({ "enabled": false, "offVariantKey": "off", "rules": [split(20.0, 80.0)] });
    administrator.put(&reviews, &several).await.ok(200);
    make_changes_without_annotation(&administrator, &several).await;
    administrator.patch(&features("/gift-cards"), &json!({ "lifecycle": "Active" })).await.ok(200);
    administrator.patch(&features("/gift-cards"), &json!({ "lifecycle": "Archived" })).await.ok(200);

    let received = receiver.receive(10).await;
    let kinds: Vec<_> = received.iter().map(kind).collect();
    assert_eq!(
        kinds,
        [
            "Rollout percentage updated (0% to 50%)",
            "Targeting rule added",
            "Targeting rule edited",
            "Targeting rule removed",
            "Flag disabled",
            "Flag enabled",
            "Off variant changed (off to on)",
            "Flag disabled, Off variant changed (on to off), Rollout percentage updated (50% to 20%)",
            "Lifecycle status changed (Draft to Active)",
            "Lifecycle status changed (Active to Archived)",
        ]
        .map(str::to_owned)
    );
    // A lifecycle change affects all three environments, but is one change.
    assert_eq!(received[8].field("label"), "Alma Lindqvist updated Gift cards in all environments");
    let expected = [
        "Feature: Gift cards (gift-cards)",
        "Environment: all environments",
        "Project: shop",
        "Changed by: Alma Lindqvist",
        "",
        "https://flags.example/projects/shop/features/gift-cards",
        "Change: Lifecycle status changed (Draft to Active)",
    ];
    assert_eq!(details(&received[8]), expected);
    assert_eq!(settled(&server, &id, 10).await.len(), 10);
    assert_eq!(receiver.received().len(), 10);
}

#[apply(on_default_database)]
async fn editing_a_saved_audience_emits_rule_edited_wherever_it_is_used(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let conditions = json!({ "conditions": [condition("country", "in", json!(["SE"]))] });
    server.administrator().patch(&project("/audiences/nordics"), &conditions).await.ok(200);
    let received = receiver.receive(3).await;
    let labels: BTreeSet<_> = received.iter().map(|request| request.field("label")).collect();
    let expected = ["Development", "Production", "Staging"]
        .map(|name| format!("Alma Lindqvist updated Express delivery in {name}"));
    assert_eq!(labels, expected.into());
    assert!(received.iter().all(|request| kind(request) == "Targeting rule edited"));
}

#[apply(on_default_database)]
async fn an_approved_change_is_annotated_when_it_is_applied_with_its_approver(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let pending =
        server.editor().put(&targeting_of("reviews", "staging"), &targeting(&[everyone("off")])).await.ok(202);
    assert_eq!(log(&server, &id).await, [] as [Value; 0]);
    let approve = project(&format!("/approvals/{}/approve", pending["id"].as_str().unwrap()));
    server.production_editor().post(&approve, &json!({})).await.ok(200);
    assert_eq!(receiver.labels(1).await, ["Pablo Reyes updated Reviews in Staging"]);
}

#[apply(on_each_database)]
async fn a_copy_is_annotated_like_a_direct_edit_at_once_or_when_approved(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let source = json!({ "enabled": true, "offVariantKey": "on", "rules": [split(30.0, 70.0)] });
    for feature in ["search-suggestions", "free-shipping-banner"] {
        administrator.put(&targeting_of(feature, "development"), &source).await.ok(200);
    }
    administrator.patch(&features("/free-shipping-banner"), &json!({ "approvalRequired": true })).await.ok(200);
    create(&server, &integration("US")).await;
    let copy = json!({
        "source": "development", "target": "staging", "featureKeys": ["search-suggestions", "free-shipping-banner"],
        "settings": { "enabled": false, "offVariantKey": true, "rules": false }, "comment": "As it was tried",
    });
    let outcomes = server.editor().post(&project("/environments/copy"), &copy).await.ok(200);
    let approval = outcomes["results"][1]["approvalId"].as_str().unwrap();
    assert_eq!(receiver.labels(1).await, ["Edda Okafor updated Search suggestions in Staging"]);
    administrator.post(&project(&format!("/approvals/{approval}/approve")), &json!({})).await.ok(200);
    let received = receiver.receive(2).await;
    assert_eq!(received[1].field("label"), "Alma Lindqvist updated Free shipping banner in Staging");
    assert!(received.iter().all(|request| kind(request) == "Off variant changed (off to on)"));
}

#[apply(on_default_database)]
async fn the_filter_selects_by_environment_and_lifecycle_changes_match_any_environment_of_the_project(
    database: Database,
) {
    let (server, receiver) = start(&database).await;
    let (staging, production) = (environment_id(&server, "staging").await, environment_id(&server, "production").await);
    let all = create(&server, &filtered(&[])).await;
    let both = create(&server, &filtered(&[&staging, &production])).await;
    let one = create(&server, &filtered(&[&production])).await;
    for place in ["development", "staging", "production"] {
        server.switch_search_suggestions(place, false).await;
    }
    server.administrator().patch(&features("/gift-cards"), &json!({ "lifecycle": "Active" })).await.ok(200);
    for (id, environments) in [
        (&all, vec!["development", "staging", "production"]),
        (&both, vec!["staging", "production"]),
        (&one, vec!["production"]),
    ] {
        let log = settled(&server, id, environments.len() + 1).await;
        assert_eq!(log.len(), environments.len() + 1);
        let of = |feature: &str| log.iter().filter(|row| row["featureKey"] == feature).collect::<Vec<_>>();
        assert_eq!(of("gift-cards").len(), 1);
        let annotated: BTreeSet<_> =
            of("search-suggestions").iter().map(|row| row["environmentKey"].as_str().unwrap()).collect();
        assert_eq!(annotated, environments.into_iter().collect());
    }
    assert_eq!(receiver.received().len(), 4 + 3 + 2);
}

#[apply(on_default_database)]
async fn an_integration_gets_changes_only_while_it_exists_and_is_enabled(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let switch = async |feature: &str| {
        administrator.patch(&targeting_of(feature, "staging"), &json!({ "offVariantKey": "on" })).await.ok(200);
    };
    switch("express-delivery").await;
    let id = create(&server, &integration("US")).await;
    switch("loyalty-points").await;
    let mut off = integration("US");
    off["enabled"] = json!(false);
    administrator.put(&path(&format!("/{id}")), &off).await.ok(200);
    let disabled = read(&server, &id).await;
    assert_eq!((&disabled["installed"], &disabled["delivering"]), (&json!(true), &json!(false)));
    switch("sticky-basket").await;
    administrator.put(&path(&format!("/{id}")), &integration("US")).await.ok(200);
    switch("new-checkout").await;
    let log = settled(&server, &id, 2).await;
    let annotated: Vec<_> = log.iter().map(|row| row["featureKey"].clone()).collect();
    assert_eq!(annotated, ["new-checkout", "loyalty-points"]);
    assert_eq!(receiver.labels(2).await.len(), 2);
}

#[apply(on_default_database)]
async fn a_change_is_annotated_even_if_its_environment_is_deleted_right_after(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let administrator = server.administrator();
    let new = json!({ "key": "preview", "name": "Preview" });
    administrator.post(&project("/environments"), &new).await.ok(201);
    administrator.patch(&targeting_of("reviews", "preview"), &json!({ "enabled": true })).await.ok(200);
    administrator.delete(&environment("preview", "")).await.ok(204);
    assert_eq!(receiver.labels(1).await, ["Alma Lindqvist updated Reviews in Preview"]);
}

#[apply(on_default_database)]
async fn names_with_line_breaks_cannot_forge_lines(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let administrator = server.administrator();
    let name = "Free\r\nChanged by: Eve\u{2028}<b>\u{202e}";
    let new = json!({ "key": "odd", "name": name });
    administrator.post(&features(""), &new).await.ok(201);
    administrator.patch(&targeting_of("odd", "staging"), &json!({ "enabled": true })).await.ok(200);
    let received = receiver.receive(1).await;
    assert_eq!(received[0].field("label"), "Alma Lindqvist updated Free  Changed by: Eve <b>  in Staging");
    let lines = details(&received[0]);
    assert_eq!(lines[0], "Feature: Free  Changed by: Eve <b>  (odd)");
    assert_eq!(lines[3], "Changed by: Alma Lindqvist");
    assert_eq!(lines.len(), 7);
}

#[apply(on_each_database)]
async fn long_names_with_html_and_quotes_arrive_unchanged_and_forge_nothing(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let odd =
        "<script>alert('x')</script>&amp;\"\\\"},\"chart_id\":1,{\"\r\nChange: Nothing\n\n\u{1b}[2J\u{85}\u{2029}";
    let long: String = odd.chars().cycle().take(10_000).collect();
    let blank = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    let harmless: String = long.chars().map(|character| if blank(character) { ' ' } else { character }).collect();
    let eve = server.colleague(&long, Role::Editor).await;
    // The REST API does not accept names of this length.
    let mut write = server.app.begin().await.unwrap();
    let statement = sqlx::query("UPDATE features SET name = $1 WHERE key = 'reviews'").bind(&long);
    statement.execute(write.connection().await.unwrap()).await.unwrap();
    server.app.commit(write).await.unwrap();
    eve.put(&targeting_of("reviews", "staging"), &targeting(&[everyone("off")])).await.ok(200);

    let received = receiver.receive(1).await;
    let body = received[0].body();
    let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["category", "details", "label", "start"]);
    assert_eq!(received[0].field("label"), format!("{harmless} updated {harmless} in Staging"));
    let expected = [
        format!("Feature: {harmless} (reviews)"),
        "Environment: Staging".to_owned(),
        "Project: shop".to_owned(),
        format!("Changed by: {harmless}"),
        String::new(),
        "https://flags.example/projects/shop/features/reviews/environments/staging".to_owned(),
    ];
    assert_eq!(details(&received[0])[..6], expected);
}
