//! A key or an id in a body that names nothing is refused with 422 and its pointer, wherever it is, and nothing is stored.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use super::integrations::filtered;
use crate::fixture::{
    Receiver, Server, environment, features, on_default_database, outbound, project, targeting, targeting_of,
};

/// Every reference in a body, to something unknown: the request and the pointer of the reference.
fn references() -> Vec<(Method, String, Value, &'static str)> {
    let phase = |environment: &str| json!({ "name": environment, "environmentKey": environment });
    let phases = json!([phase("staging"), phase("nowhere")]);
    let rules = json!([{ "audienceKey": "nowhere", "splits": [{ "variantKey": "on", "percentage": 100 }] }]);
    let targeted = targeting(rules.as_array().unwrap());
    let place = targeting_of("reviews", "staging");
    let conditions = json!([]);
    vec![
        (Method::POST, features(""), json!({ "key": "new", "name": "New", "pipelineKey": "nowhere" }), "/pipelineKey"),
        (Method::PATCH, features("/reviews"), json!({ "pipelineKey": "nowhere" }), "/pipelineKey"),
        (
            Method::POST,
            features("/reviews/next-phase"),
            json!({ "fromEnvironmentKey": "nowhere" }),
            "/fromEnvironmentKey",
        ),
        (
            Method::POST,
            project("/audiences"),
            json!({ "key": "new", "name": "New", "environmentKey": "nowhere", "conditions": conditions }),
            "/environmentKey",
        ),
        (
            Method::POST,
            project("/pipelines"),
            json!({ "key": "new", "name": "New", "phases": phases }),
            "/phases/1/environmentKey",
        ),
        (Method::PATCH, project("/pipelines/weekly"), json!({ "phases": phases }), "/phases/1/environmentKey"),
        (Method::PATCH, place.clone(), json!({ "rules": rules }), "/rules/0/audienceKey"),
        (Method::PATCH, place.clone(), json!({ "offVariantKey": "nowhere" }), "/offVariantKey"),
        (Method::PUT, place.clone(), targeted.clone(), "/rules/0/audienceKey"),
        (
            Method::POST,
            format!("{place}/preview"),
            json!({ "user": {}, "targeting": targeted }),
            "/targeting/rules/0/audienceKey",
        ),
        (
            Method::POST,
            "/api/v1/admin/integrations/outbound".to_owned(),
            filtered(&["nowhere"]),
            "/configuration/analytics/filter/environmentIds/0",
        ),
    ]
}

#[apply(on_default_database)]
async fn a_reference_in_a_body_to_something_unknown_is_422_with_its_pointer(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let weekly = json!({ "key": "weekly", "name": "Weekly", "phases": phases });
    administrator.post(&project("/pipelines"), &weekly).await.ok(201);
    administrator.patch(&features("/reviews"), &json!({ "pipelineKey": "weekly" })).await.ok(200);
    let before = server.stored_rows().await;
    for (method, path, body, pointer) in references() {
        let response = administrator.send(administrator.request(method, &path).json(&body)).await;
        assert_eq!(response.pointers(), [pointer], "{path} {body}");
    }
    server.assert_unchanged_since(&before).await;
    // The resources of the path are another matter.
    administrator
        .post(&environment("nowhere", "/client-keys"), &json!({ "name": "New" }))
        .await
        .problem(404, "not-found");
}
