//! Pagination of many pending approvals.

use std::collections::BTreeSet;

use flagservice_core::Key;
use flagservice_rules::Instant;
use flagservice_server::app::changes::change::EditResult;
use flagservice_server::app::features::{self, NewFeature};
use flagservice_server::app::resources::targeting::{self, TargetingEdit};
use flagservice_server::app::{Actor, Description, Edit, Operation, TargetingRef};
use flagservice_server::domain::feature::Lifecycle;
use flagservice_server::domain::role::Role;
use flagservice_server::secret::Secret;
use macro_rules_attribute::apply;

use super::approvals;
use crate::fixture::{Engine, Server, on_each_database};

const LIMIT: usize = 150;

#[apply(on_each_database)]
async fn many_pending_approvals_are_paginated_newest_first(database: Database) {
    // With PostgreSQL they are slow to create, and three pages need the same queries as seven.
    let many = if database.engine() == Engine::Postgres { 2 * LIMIT + 1 } else { 1000 };
    let server = Server::start(&database).await;
    let token = Secret::new(database.credentials().tokens[&Role::Editor].token.clone());
    let actor = Actor::of_token(&server.app, &token).await.unwrap();
    let app = &server.app;
    let mut operation = Operation::begin(app, &actor).await.unwrap();
    let mut requested = Vec::new();
    for number in 0..many {
        server.clock.set(Instant(app.now().0 + 1));
        let new = NewFeature {
            key: Key::parse(&format!("many-{number}")).unwrap(),
            name: "Many".to_owned().try_into().unwrap(),
            description: Description::none(),
            variants: None,
            value_type: None,
            tags: Vec::new(),
            owner: None,
            lifecycle: Lifecycle::Active,
            approval_required: true,
            pipeline: None,
        };
        let feature = features::create(&mut operation, "shop", new).await.unwrap().feature;
        let fields = TargetingEdit { enabled: Some(true), ..TargetingEdit::default() };
        let address = TargetingRef { project: "shop", feature: feature.key.as_str(), environment: "staging" };
        match targeting::update(&mut operation, address, Edit { fields, if_match: None }).await.unwrap() {
            EditResult::PendingApproval(approval) => requested.push(approval.id.to_string()),
            EditResult::Applied(_) => panic!("{number} should be pending"),
        }
    }
    operation.commit().await.unwrap();
    requested.reverse();

    let reader = server.read_only();
    let (mut walked, mut query) = (Vec::new(), format!("?state=pending&limit={LIMIT}"));
    loop {
        let response = reader.get(&approvals(&query)).await;
        let page = response.ok(200);
        let items = page["items"].as_array().unwrap().clone();
        assert!((1..=LIMIT).contains(&items.len()));
        walked.extend(items.into_iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("?state=pending&limit={LIMIT}&cursor={cursor}");
    }
    assert_eq!(walked.iter().collect::<BTreeSet<_>>().len(), many, "each once");
    assert_eq!(walked, requested);
}
