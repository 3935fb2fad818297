//! `changes::change::submit` for a copy: the same gate as direct edits, plus the source environment.

use flagservice_rules::Targeting;
use flagservice_server::app::changes::change::{ApprovalMode, Submitted, submit};
use flagservice_server::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use flagservice_server::app::resources::projects;
use flagservice_server::app::{Actor, AppError, Operation};
use flagservice_server::domain::approval::{CopySource, Source};
use flagservice_server::domain::role::Role;
use flagservice_server::secret::Secret;
use flagservice_server::store::changes::targetings;
use flagservice_server::store::resources::{environments, features};
use macro_rules_attribute::apply;
use serde_json::json;

use super::{approvals, decide, require_for_feature};
use crate::fixture::{Database, Server, on_default_database, on_each_database, targeting_of};

async fn actor(server: &Server, database: &Database, role: Role) -> Actor {
    Actor::of_token(&server.app, &Secret::new(database.credentials().tokens[&role].token.clone())).await.unwrap()
}

/// Copies the targeting of `reviews` in staging to another environment, as an actor.
async fn copy(server: &Server, actor: &Actor, target: &str) -> Result<Submitted, AppError> {
    let app = &server.app;
    let mut operation = Operation::begin(app, actor).await?;
    let project = projects::find_to_write(&mut operation, "shop").await?;
    let connection = operation.connection().await?;
    let find = async |connection: &mut _, key| environments::find(connection, &project.id, key).await.unwrap().unwrap();
    let (source, target) = (find(&mut *connection, "staging").await, find(&mut *connection, target).await);
    let feature = features::find(connection, &project.id, "reviews").await?.unwrap();
    let mut stored: Vec<Targeting> = Vec::new();
    for environment in [&source, &target] {
        stored.push(targetings::find(connection, &environment.id, &feature.id).await?.unwrap().targeting);
    }
    let (after, before) = (stored.remove(0), stored.remove(0));
    let plan = Plan::targeting(project, feature, TargetingChange::edit(target, before, after));
    let source = Source::Copy(CopySource { environment: source.key, copy_id: None });
    let note = ChangeNote { source, comment: "As tested".to_owned(), scheduled_for: None };
    let outcome = submit(&mut operation, &plan, ApprovalMode::Requestable(note)).await?;
    operation.commit().await?;
    Ok(outcome)
}

#[apply(on_default_database)]
async fn a_copy_that_needs_approval_keeps_its_source_and_is_applied_when_approved(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let pablo = actor(&server, &database, Role::ProductionEditor).await;
    let known = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200);
    let Ok(Submitted::PendingApproval(held)) = copy(&server, &pablo, "production").await else {
        panic!("the copy should be pending")
    };
    assert_eq!(server.read_only().get(&targeting_of("reviews", "production")).await.ok(200), known);
    let shown = server.read_only().get(&approvals(&format!("/{}", held.id))).await.ok(200);
    assert_eq!((&shown["kind"], &shown["sourceEnvironmentKey"]), (&json!("copy"), &json!("staging")));
    assert_eq!(shown["comment"], "As tested");
    let again = copy(&server, &pablo, "production").await;
    assert!(matches!(again, Err(AppError::PendingChange { approval, .. }) if approval == held.id));

    server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
    decide(&server.administrator(), held.id.as_str(), "approve").await.ok(200);
    let (source, target) = (targeting_of("reviews", "staging"), targeting_of("reviews", "production"));
    let (mut source, mut target) =
        (server.read_only().get(&source).await.ok(200), server.read_only().get(&target).await.ok(200));
    for side in [&mut source, &mut target] {
        side.as_object_mut().unwrap().remove("version");
    }
    assert_eq!(target, source);
    let resource = "/api/v1/audit-log?resource=projects/shop/features/reviews&limit=1";
    let entry = &server.read_only().get(resource).await.items()[0];
    assert_eq!((&entry["after"]["copiedFrom"], &entry["after"]["comment"]), (&json!("staging"), &json!("As tested")));
}

#[apply(on_each_database)]
async fn a_copy_without_a_gate_is_applied_at_once_and_one_without_permission_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let (edda, ravi) = (actor(&server, &database, Role::Editor).await, actor(&server, &database, Role::ReadOnly).await);
    let before = server.stored_rows().await;
    assert!(matches!(copy(&server, &edda, "production").await, Err(AppError::Forbidden(_))));
    assert!(matches!(copy(&server, &ravi, "development").await, Err(AppError::Forbidden(_))));
    server.assert_unchanged_since(&before).await;
    let pablo = actor(&server, &database, Role::ProductionEditor).await;
    let Ok(Submitted::Applied(versions)) = copy(&server, &pablo, "production").await else {
        panic!("the copy should be applied")
    };
    let applied = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200);
    assert_eq!(json!([applied["version"]]), json!(versions));
}
