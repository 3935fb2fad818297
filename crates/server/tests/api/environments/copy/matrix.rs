//! The outcome of every combination of role, production, gate, audience scope, pending change and selected settings, as in the
//! tables of the specification.

use flagservice_core::Key;
use flagservice_server::app::changes::change::EditResult;
use flagservice_server::app::features::{self, FeatureEdit, NewFeature};
use flagservice_server::app::resources::targeting::{self, TargetingEdit};
use flagservice_server::app::{Description, Edit, Operation, TargetingRef};
use flagservice_server::domain::feature::Lifecycle;
use flagservice_server::domain::role::Role::{self, Administrator, Editor, ProductionEditor, ReadOnly};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{path, settings};
use crate::fixture::{Engine, Server, condition, environment, on_default_database, project};

/// Copy rules 1 and 2: the role, whether the target is production, and whether the role can copy there.
const RIGHTS: [(Role, bool, bool); 8] = [
    (ReadOnly, false, false),
    (ReadOnly, true, false),
    (Editor, false, true),
    (Editor, true, false),
    (ProductionEditor, false, true),
    (ProductionEditor, true, true),
    (Administrator, false, true),
    (Administrator, true, true),
];

/// What requires approval.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gate {
    Nothing,
    Environment,
    Feature,
    Phase,
}

/// Copy outcome, and copy rule 6: the gate, whether a change is pending in the target, and the outcome.
const OUTCOMES: [(Gate, bool, &str); 8] = [
    (Gate::Nothing, false, "APPLIED"),
    (Gate::Environment, false, "PENDING_APPROVAL"),
    (Gate::Feature, false, "PENDING_APPROVAL"),
    (Gate::Phase, false, "PENDING_APPROVAL"),
    (Gate::Nothing, true, "SKIPPED"),
    (Gate::Environment, true, "SKIPPED"),
    (Gate::Feature, true, "SKIPPED"),
    (Gate::Phase, true, "SKIPPED"),
];

/// The selected settings, and afterwards: whether the target is enabled, its off variant, and whether its rules are those of the
/// source. The source is on and serves `on`; the target is off and serves `off`.
const SETTINGS: [(&[&str], bool, &str, bool); 7] = [
    (&["enabled"], true, "off", false),
    (&["offVariantKey"], false, "on", false),
    (&["rules"], false, "off", true),
    (&["enabled", "offVariantKey"], true, "on", false),
    (&["enabled", "rules"], true, "off", true),
    (&["offVariantKey", "rules"], false, "on", true),
    (&["enabled", "offVariantKey", "rules"], true, "on", true),
];

/// Copy rule 4: the audience of the rule, and whether its conditions are inlined when the rule is copied.
const AUDIENCES: [(&str, bool); 2] = [("wide", false), ("of-staging", true)];

/// The target environments: key, whether it is production, and whether it requires approval.
const TARGETS: [(&str, bool, bool); 4] = [
    ("development", false, false),
    ("production", true, false),
    ("gated-development", false, true),
    ("gated-production", true, true),
];

/// One case, with its own feature.
struct Case {
    feature: String,
    gate: Gate,
    pending: bool,
    outcome: &'static str,
    audience: &'static str,
    inline: bool,
}

/// The cases of a role, a target and a selection of settings, sent in one request.
fn cases(role: Role, (target, _, approval_required): (&str, bool, bool), choice: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (gate, pending, outcome) in
        OUTCOMES.into_iter().filter(|(gate, ..)| (*gate == Gate::Environment) == approval_required)
    {
        for (audience, inline) in AUDIENCES {
            let feature = format!("{role}-{target}-{choice}-{gate:?}-{pending}-{audience}").to_lowercase();
            cases.push(Case { feature, gate, pending, outcome, audience, inline });
        }
    }
    cases
}

fn conditions() -> Value {
    json!([condition("plan", "equals", json!(["pro"])), condition("country", "in", json!(["SE", "NO"]))])
}

fn rule(audience: &str, inline: bool) -> Value {
    let mut rule = json!({ "name": "Some", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    if inline {
        rule["conditions"] = conditions();
    } else {
        rule["audienceKey"] = json!(audience);
    }
    rule
}

/// Creates the environments, audiences and the pipeline of the cases.
async fn prepare(server: &Server) {
    let administrator = server.administrator();
    for (key, production, approval_required) in
        TARGETS.into_iter().filter(|(_, _, approval_required)| *approval_required)
    {
        let new = json!({ "key": key, "name": key, "production": production, "approvalRequired": approval_required });
        administrator.post(&project("/environments"), &new).await.ok(201);
    }
    for (key, of_source) in AUDIENCES {
        let mut new = json!({ "key": key, "name": key, "conditions": conditions() });
        if of_source {
            new["environmentKey"] = json!("staging");
        }
        administrator.post(&project("/audiences"), &new).await.ok(201);
    }
    let phase = |key: &str| json!({ "name": key, "environmentKey": key, "approvalRequired": true });
    let new = json!({ "key": "release", "name": "Release", "phases": [phase("development"), phase("production")] });
    administrator.post(&project("/pipelines"), &new).await.ok(201);
}

/// Creates the feature of a case: on with its rule in staging, unchanged in the target.
async fn create_feature(operation: &mut Operation<'_>, case: &Case, target: &str) {
    let key = case.feature.as_str();
    let new = NewFeature {
        key: Key::parse(key).unwrap(),
        name: "Case".to_owned().try_into().unwrap(),
        description: Description::none(),
        variants: None,
        value_type: None,
        tags: Vec::new(),
        owner: None,
        lifecycle: Lifecycle::Active,
        approval_required: false,
        pipeline: (case.gate == Gate::Phase).then(|| Key::parse("release").unwrap()),
    };
    features::create(operation, "shop", new).await.unwrap();
    let source = json!({ "enabled": true, "offVariantKey": "on", "rules": [rule(case.audience, false)] });
    let source: flagservice_rules::Targeting = serde_json::from_value(source).unwrap();
    let address = |environment| TargetingRef { project: "shop", feature: key, environment };
    let edit = Edit { fields: source.into(), if_match: None };
    targeting::update(operation, address("staging"), edit).await.unwrap();
    let require = async |required: bool, operation: &mut Operation<'_>| {
        let fields = FeatureEdit { approval_required: Some(required), ..FeatureEdit::default() };
        features::update(operation, "shop", key, Edit { fields, if_match: None }).await.unwrap();
    };
    if case.gate == Gate::Feature || (case.pending && case.gate == Gate::Nothing) {
        require(true, operation).await;
    }
    if case.pending {
        let fields = TargetingEdit { enabled: Some(true), ..TargetingEdit::default() };
        let outcome = targeting::update(operation, address(target), Edit { fields, if_match: None }).await.unwrap();
        assert!(matches!(outcome, EditResult::PendingApproval(_)), "{key}");
    }
    if case.pending && case.gate == Gate::Nothing {
        require(false, operation).await;
    }
}

/// The targeting in the target after an applied copy.
fn expected(case: &Case, choice: usize) -> Value {
    let (_, enabled, off_variant, rules) = SETTINGS[choice];
    let rules = if rules { json!([rule(case.audience, case.inline)]) } else { json!([]) };
    json!({ "enabled": enabled, "offVariantKey": off_variant, "rules": rules })
}

/// Asserts that a result matches the tables, and returns the expected targeting in the target.
async fn check(server: &Server, case: &Case, choice: usize, result: &Value) -> Value {
    assert_eq!((&result["featureKey"], &result["outcome"]), (&json!(case.feature), &json!(case.outcome)));
    let inline = case.inline && SETTINGS[choice].3 && case.outcome != "SKIPPED";
    let audiences = if inline { json!([case.audience]) } else { json!([]) };
    assert_eq!(result["audiencesCopiedInline"], audiences, "{result}");
    let untouched = json!({ "enabled": false, "offVariantKey": "off", "rules": [] });
    match case.outcome {
        "APPLIED" => {
            assert!(result["version"].is_u64(), "{result}");
            expected(case, choice)
        }
        "PENDING_APPROVAL" => {
            let id = result["approvalId"].as_str().unwrap();
            let approval = server.read_only().get(&project(&format!("/approvals/{id}"))).await.ok(200);
            assert_eq!((&approval["before"], &approval["after"]), (&untouched, &expected(case, choice)), "{result}");
            untouched
        }
        _ => {
            assert_eq!(result["reason"]["code"], "pendingApproval", "{result}");
            untouched
        }
    }
}

#[apply(on_default_database)]
async fn each_copy_is_applied_pending_skipped_or_rejected_as_the_tables_say(database: Database) {
    let server = Server::start(&database).await;
    prepare(&server).await;
    // Which settings are copied is decided before the database is asked: with PostgreSQL one of them alone and all together.
    let choices = if database.engine() == Engine::Postgres { vec![2, 6] } else { (0..SETTINGS.len()).collect() };
    let actor = server.actor(Administrator).await;
    let mut operation = Operation::begin(&server.app, &actor).await.unwrap();
    let mut requests = Vec::new();
    for (role, production, permitted) in RIGHTS {
        for place in TARGETS.into_iter().filter(|(_, of_production, _)| *of_production == production) {
            for &choice in &choices {
                // Roles without permission request the features of those with permission.
                let cases = cases(if permitted { role } else { Administrator }, place, choice);
                if permitted {
                    for case in &cases {
                        create_feature(&mut operation, case, place.0).await;
                    }
                }
                requests.push((role, permitted, place.0, choice, cases));
            }
        }
    }
    operation.commit().await.unwrap();
    let rows: usize = requests.iter().map(|(.., cases)| cases.len()).sum();
    assert_eq!(rows, 4 * 2 * 4 * 2 * 2 * choices.len());

    // Roles without permission come first, because the others change the features.
    requests.sort_by_key(|(_, permitted, ..)| *permitted);
    let before = server.stored_rows().await;
    let mut without_permission = true;
    let mut targets: Vec<(&str, String, Value)> = Vec::new();
    for (role, permitted, place, choice, cases) in &requests {
        if without_permission && *permitted {
            server.assert_unchanged_since(&before).await;
            without_permission = false;
        }
        let keys: Vec<_> = cases.iter().map(|case| &case.feature).collect();
        let request = json!({ "source": "staging", "target": place, "featureKeys": keys,
            "settings": settings(SETTINGS[*choice].0) });
        let response = server.person(*role).post(&path(), &request).await;
        if !permitted {
            response.problem(403, "forbidden");
            continue;
        }
        let response = response.ok(200);
        let results = response["results"].as_array().unwrap();
        assert_eq!(results.len(), cases.len());
        for (case, result) in cases.iter().zip(results) {
            targets.push((place, case.feature.clone(), check(&server, case, *choice, result).await));
        }
    }
    for (target, ..) in TARGETS {
        let expected = targets.iter().filter(|(of, ..)| *of == target).map(|(_, feature, value)| (&**feature, value));
        assert_targeting(&server, target, expected).await;
    }
}

/// Asserts that these features have this targeting in the target.
async fn assert_targeting<'a>(server: &Server, target: &str, expected: impl Iterator<Item = (&'a str, &'a Value)>) {
    let query = format!("?source=staging&target={target}");
    let comparison = server.read_only().get(&environment("compare", &query)).await.ok(200);
    let rows = comparison["features"].as_array().unwrap();
    let by_key: std::collections::HashMap<_, _> =
        rows.iter().map(|row| (row["key"].as_str().unwrap(), &row["target"])).collect();
    for (feature, expected) in expected {
        let mut found = by_key[feature].clone();
        found.as_object_mut().unwrap().remove("version");
        assert_eq!(found, *expected, "{feature} in {target}");
    }
}
