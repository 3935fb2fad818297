//! The gate for every role, inside and outside production, by what requires approval. Permissions are checked first.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, edit};
use crate::fixture::{Server, environment, features, on_default_database, project, targeting_of};

/// What requires approval.
#[derive(Clone, Copy, Debug)]
enum Gate {
    Nothing,
    Environment,
    Feature,
    /// The phase of the feature's pipeline in this environment.
    Phase,
    /// A phase of the feature's pipeline in another environment.
    PhaseElsewhere,
    All,
}

use Gate::{All, Environment, Feature, Nothing, Phase, PhaseElsewhere};
use Role::{Administrator, Editor, ProductionEditor, ReadOnly};

/// Role, environment, what requires approval, and the status: 200 applied, 202 pending, 403 rejected.
const EDITS: [(Role, &str, Gate, u16); 48] = [
    (ReadOnly, "staging", Nothing, 403),
    (ReadOnly, "staging", Environment, 403),
    (ReadOnly, "staging", Feature, 403),
    (ReadOnly, "staging", Phase, 403),
    (ReadOnly, "staging", PhaseElsewhere, 403),
    (ReadOnly, "staging", All, 403),
    (ReadOnly, "production", Nothing, 403),
    (ReadOnly, "production", Environment, 403),
    (ReadOnly, "production", Feature, 403),
    (ReadOnly, "production", Phase, 403),
    (ReadOnly, "production", PhaseElsewhere, 403),
    (ReadOnly, "production", All, 403),
    (Editor, "staging", Nothing, 200),
    (Editor, "staging", Environment, 202),
    (Editor, "staging", Feature, 202),
    (Editor, "staging", Phase, 202),
    (Editor, "staging", PhaseElsewhere, 200),
    (Editor, "staging", All, 202),
    (Editor, "production", Nothing, 403),
    (Editor, "production", Environment, 403),
    (Editor, "production", Feature, 403),
    (Editor, "production", Phase, 403),
    (Editor, "production", PhaseElsewhere, 403),
    (Editor, "production", All, 403),
    (ProductionEditor, "staging", Nothing, 200),
    (ProductionEditor, "staging", Environment, 202),
    (ProductionEditor, "staging", Feature, 202),
    (ProductionEditor, "staging", Phase, 202),
    (ProductionEditor, "staging", PhaseElsewhere, 200),
    (ProductionEditor, "staging", All, 202),
    (ProductionEditor, "production", Nothing, 200),
    (ProductionEditor, "production", Environment, 202),
    (ProductionEditor, "production", Feature, 202),
    (ProductionEditor, "production", Phase, 202),
    (ProductionEditor, "production", PhaseElsewhere, 200),
    (ProductionEditor, "production", All, 202),
    (Administrator, "staging", Nothing, 200),
    (Administrator, "staging", Environment, 202),
    (Administrator, "staging", Feature, 202),
    (Administrator, "staging", Phase, 202),
    (Administrator, "staging", PhaseElsewhere, 200),
    (Administrator, "staging", All, 202),
    (Administrator, "production", Nothing, 200),
    (Administrator, "production", Environment, 202),
    (Administrator, "production", Feature, 202),
    (Administrator, "production", Phase, 202),
    (Administrator, "production", PhaseElsewhere, 200),
    (Administrator, "production", All, 202),
];

/// The expected reasons in the response.
fn reasons(gate: Gate, place: &str) -> Value {
    let reason = |gate: &str| json!({ "gate": gate, "pipelineKey": null, "pipelineName": null, "phaseName": null });
    let phase = json!({ "gate": "phase", "pipelineKey": format!("held-in-{place}"), "pipelineName": "Held",
        "phaseName": format!("In {place}") });
    match gate {
        Nothing | PhaseElsewhere => json!([]),
        Environment => json!([reason("environment")]),
        Feature => json!([reason("feature")]),
        Phase => json!([phase]),
        All => json!([reason("environment"), reason("feature"), phase]),
    }
}

/// Creates pipelines whose phase in one environment requires approval.
async fn create_pipelines(server: &Server) {
    for place in ["staging", "production"] {
        let phase =
            |key: &str| json!({ "name": format!("In {key}"), "environmentKey": key, "approvalRequired": key == place });
        let new = json!({ "key": format!("held-in-{place}"), "name": "Held", "phases": [phase("staging"), phase("production")] });
        server.administrator().post(&project("/pipelines"), &new).await.ok(201);
    }
}

#[apply(on_default_database)]
async fn role_environment_and_gate_decide_whether_an_edit_is_applied_needs_approval_or_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    create_pipelines(&server).await;
    for (number, (role, place, gate, status)) in EDITS.into_iter().enumerate() {
        let key = format!("case-{number}");
        let elsewhere = if place == "staging" { "production" } else { "staging" };
        let pipeline = match gate {
            Phase | All => json!(format!("held-in-{place}")),
            PhaseElsewhere => json!(format!("held-in-{elsewhere}")),
            Nothing | Environment | Feature => Value::Null,
        };
        let by_feature = matches!(gate, Feature | All);
        let new = json!({ "key": key, "name": "Case", "approvalRequired": by_feature, "pipelineKey": pipeline });
        administrator.post(&features(""), &new).await.ok(201);
        let by_environment = json!({ "approvalRequired": matches!(gate, Environment | All) });
        administrator.patch(&environment(place, ""), &by_environment).await.ok(200);

        let path = targeting_of(&key, place);
        let before = administrator.get(&path).await.ok(200);
        let response = server.person(role).patch(&path, &edit()).await;
        let case = format!("{role} in {place} with {gate:?}: {}", response.text);
        assert_eq!(response.status, status, "{case}");
        assert_eq!(administrator.get(&path).await.ok(200) == before, status != 200, "{case}");
        let waiting = administrator.get(&approvals(&format!("?featureKey={key}"))).await.items();
        assert_eq!(waiting.len(), usize::from(status == 202), "{case}");
        match status {
            202 => {
                let pending = response.ok(202);
                assert_eq!(pending["reasons"], reasons(gate, place), "{case}");
                let path = approvals(&format!("/{}", pending["id"].as_str().unwrap()));
                assert_eq!(server.read_only().get(&path).await.ok(200), pending, "{case}");
            }
            403 => drop(response.problem(403, "forbidden")),
            _ => {}
        }
    }
}

#[apply(on_default_database)]
async fn only_administrators_can_remove_an_approval_requirement(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), features("/reviews"));
    create_pipelines(&server).await;
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let free = json!({ "key": "free", "name": "Free", "phases": phases });
    server.administrator().post(&project("/pipelines"), &free).await.ok(201);
    // An editor of the feature can add requirements.
    editor.patch(&path, &json!({ "approvalRequired": true, "pipelineKey": "held-in-production" })).await.ok(200);
    let before = server.stored_rows().await;
    for edit in [
        json!({ "approvalRequired": false }),
        json!({ "pipelineKey": null }),
        json!({ "pipelineKey": "free" }),
        json!({ "pipelineKey": "held-in-staging" }),
    ] {
        let refused = editor.patch(&path, &edit).await.problem(403, "forbidden");
        assert!(refused["detail"].as_str().unwrap().contains("administrator"), "{refused}");
    }
    server.assert_unchanged_since(&before).await;
    server.administrator().patch(&path, &json!({ "approvalRequired": false, "pipelineKey": "free" })).await.ok(200);
    // This removes no requirement.
    editor.patch(&path, &json!({ "pipelineKey": null })).await.ok(200);
}

#[apply(on_default_database)]
async fn the_current_phase_of_a_feature_does_not_affect_the_gate(database: Database) {
    let server = Server::start(&database).await;
    create_pipelines(&server).await;
    let (editor, path) = (server.production_editor(), features("/reviews"));
    editor.patch(&path, &json!({ "pipelineKey": "held-in-production" })).await.ok(200);
    let targeting = targeting_of("reviews", "production");
    let pending = editor.patch(&targeting, &edit()).await.ok(202);
    super::decide(&editor, pending["id"].as_str().unwrap(), "cancel").await.ok(200);
    editor.post(&features("/reviews/next-phase"), &json!({})).await.ok(200);
    editor.patch(&targeting, &edit()).await.ok(202);
    editor.patch(&targeting_of("reviews", "staging"), &edit()).await.ok(200);
}
