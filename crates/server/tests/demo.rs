//! The demo has data for every page, and the edits of the demo script need no approval.

use std::collections::BTreeSet;

use flagservice_server::app::changes::approvals::{self, ApprovalQuery};
use flagservice_server::app::changes::change::EditResult;
use flagservice_server::app::features::{self, FeatureQuery};
use flagservice_server::app::resources::targeting::{self, TargetingEdit};
use flagservice_server::app::resources::{audiences, environments, goals, pipelines};
use flagservice_server::app::{Actor, Edit, EnvironmentRef, Operation, Page, TargetingRef, seed};
use flagservice_server::domain::feature::Lifecycle;
use flagservice_server::domain::role::Role;
use flagservice_server::secret::Secret;
use macro_rules_attribute::apply;

use crate::fixture::{NOW, on_each_empty_database, service};

#[apply(on_each_empty_database)]
async fn the_demo_has_data_for_every_page(database: Database) {
    let (service, _) = service(&database, NOW).await.unwrap();
    let app = &service.app;
    let credentials = seed::demo(app).await.unwrap().unwrap();
    let roles: Vec<_> = credentials.tokens.keys().copied().collect();
    assert_eq!(roles, [Role::ReadOnly, Role::Editor, Role::ProductionEditor, Role::Administrator]);
    // The Node examples use it.
    assert_eq!(credentials.server_keys.keys().collect::<Vec<_>>(), ["production"]);
    let token = |role: Role| Secret::new(credentials.tokens[&role].token.clone());
    let reader = Actor::of_token(app, &token(Role::ReadOnly)).await.unwrap();
    let all = Page::parse(None, Some("200")).unwrap();

    let listed = features::list(app, &reader, "shop", &FeatureQuery::default(), &all).await.unwrap().items;
    let listed: Vec<_> = listed.into_iter().map(|listed| listed.described).collect();
    assert!(listed.len() >= 12, "{}", listed.len());
    let lifecycles: BTreeSet<_> = listed.iter().map(|described| described.feature.lifecycle.to_string()).collect();
    let all_lifecycles =
        [Lifecycle::Draft, Lifecycle::Active, Lifecycle::Archived].map(|lifecycle| lifecycle.to_string());
    assert_eq!(lifecycles, all_lifecycles.into());
    assert!(listed.iter().any(|described| !described.feature.tags.is_empty()));
    assert!(listed.iter().any(|described| described.phase.is_some()));

    let environments = environments::list(app, &reader, "shop", &all).await.unwrap().items;
    assert!(environments.len() >= 3);
    // All three gates.
    assert!(environments.iter().any(|environment| environment.approval_required));
    assert!(listed.iter().any(|described| described.feature.approval_required));
    let pipelines = pipelines::list(app, &reader, "shop", &all).await.unwrap().items;
    let mut phases = pipelines.iter().flat_map(|described| &described.pipeline.phases);
    assert!(phases.any(|phase| phase.approval_required));
    // A project-wide audience, and one of an environment.
    let audiences = audiences::list(app, &reader, "shop", &all).await.unwrap().items;
    let scopes: BTreeSet<_> = audiences.iter().map(|described| described.environment.is_some()).collect();
    assert_eq!(scopes.len(), 2);

    let waiting = approvals::list(app, &reader, "shop", &ApprovalQuery::default(), &all).await.unwrap().items;
    assert_eq!(waiting.len(), 1);
    let production = EnvironmentRef { project: "shop", environment: "production" };
    assert!(goals::counts(app, &reader, production, &all).await.unwrap().items.len() > 1);

    let production_editor = Actor::of_token(app, &token(Role::ProductionEditor)).await.unwrap();
    let mut operation = Operation::begin(app, &production_editor).await.unwrap();
    let fields = TargetingEdit { enabled: Some(true), ..TargetingEdit::default() };
    let address = TargetingRef { project: "shop", feature: "new-checkout", environment: "production" };
    let outcome = targeting::update(&mut operation, address, Edit { fields, if_match: None }).await.unwrap();
    assert!(matches!(outcome, EditResult::Applied(_)));
    operation.commit().await.unwrap();
    service.stop().await;
}
