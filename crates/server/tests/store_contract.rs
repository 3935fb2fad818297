//! The contract of `store` on every database: transactions, versions without gaps, serialised writers.

use flagservice_core::Key;
use flagservice_rules::{Instant, Targeting};
use flagservice_server::domain::access_token::AccessToken;
use flagservice_server::domain::changes::flag_change::FlagChange;
use flagservice_server::domain::environment::{Environment, Wake};
use flagservice_server::domain::feature::{Feature, Lifecycle, ValueType};
use flagservice_server::domain::goal::Goal;
use flagservice_server::domain::ids::{
    AccessTokenId, ChangeId, EnvironmentId, FeatureId, OrganisationId, ProjectId, UserId,
};
use flagservice_server::domain::project::Project;
use flagservice_server::domain::role::Role;
use flagservice_server::domain::targeting::StoredTargeting;
use flagservice_server::domain::user::User;
use flagservice_server::random::SystemRandom;
use flagservice_server::store::changes::outbox::{self, NewEntry};
use flagservice_server::store::changes::targetings;
use flagservice_server::store::resources::{
    access_tokens, environments, features, goals, organisations, projects, users,
};
use flagservice_server::store::{Store, Write};
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use tokio::sync::oneshot;

use crate::fixture::{NOW, on_each_empty_database};

fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

/// A store with one organisation, one person, one project, one environment and one feature.
struct Fixture {
    store: Store,
    organisation: OrganisationId,
    user: UserId,
    environment: Environment,
    feature: Feature,
}

impl Fixture {
    async fn new(url: &str) -> Self {
        let store = Store::open(url).await.unwrap();
        let organisation_id = OrganisationId::new(&SystemRandom, NOW);
        let user = UserId::new(&SystemRandom, NOW);
        let person = User {
            id: user.clone(),
            organisation_id: organisation_id.clone(),
            name: "Åsa Öberg 🦊".to_owned(),
            role: Role::Editor,
            identity: None,
            revision: 1,
        };
        let project = Project {
            id: ProjectId::new(&SystemRandom, NOW),
            organisation_id,
            key: key("shop"),
            name: "Shop".to_owned(),
            revision: 1,
        };
        let environment = Environment {
            id: EnvironmentId::new(&SystemRandom, NOW),
            project_id: project.id.clone(),
            key: key("staging"),
            name: "Staging".to_owned(),
            production: false,
            approval_required: false,
            allowed_origins: vec!["https://shop.example".to_owned()],
            revision: 1,
            position: 0,
            epoch: u64::MAX,
            version: 0,
        };
        let feature = Feature {
            id: FeatureId::new(&SystemRandom, NOW),
            project_id: project.id.clone(),
            key: key("checkout"),
            name: "Kassa \"ny\" \\ 50%".to_owned(),
            description: "line\nline".to_owned(),
            lifecycle: Lifecycle::Draft,
            salt: "1".to_owned(),
            variants: vec![key("on"), key("off")],
            value_type: ValueType::Boolean,
            tags: vec!["money".to_owned()],
            owner_id: None,
            approval_required: true,
            pipeline_id: None,
            phase_environment_id: None,
            revision: 1,
        };
        let mut write = store.write().await.unwrap();
        let connection = write.connection().await.unwrap();
        organisations::insert(connection, &project.organisation_id, "Acme", NOW).await.unwrap();
        users::insert(connection, &person, NOW).await.unwrap();
        projects::insert(connection, &project, NOW).await.unwrap();
        environments::insert(connection, &environment, NOW).await.unwrap();
        features::insert(connection, &feature, NOW).await.unwrap();
        write.commit().await.unwrap();
        Self { store, organisation: project.organisation_id, user, environment, feature }
    }

    async fn publish(&self, write: &mut Write<'_>) -> u64 {
        let (change_id, change) =
            (ChangeId::new(&SystemRandom, NOW), FlagChange::Variants { feature_key: self.feature.key.to_string() });
        let entry = NewEntry {
            environment_id: &self.environment.id,
            change_id: &change_id,
            feature_id: Some(&self.feature.id),
            at: NOW,
            change: &change,
        };
        write.publish(&entry).await.unwrap()
    }

    async fn version(&self) -> u64 {
        let mut connection = self.store.read().await.unwrap();
        environments::get(&mut connection, &self.environment.id).await.unwrap().unwrap().version
    }

    async fn entries(&self) -> Vec<u64> {
        let mut connection = self.store.read().await.unwrap();
        let entries = outbox::after(&mut connection, &self.environment.id, 0).await.unwrap();
        entries.iter().map(|entry| entry.version).collect()
    }

    async fn targeting(&self) -> Option<Targeting> {
        let mut connection = self.store.read().await.unwrap();
        let stored = targetings::find(&mut connection, &self.environment.id, &self.feature.id).await.unwrap();
        stored.map(|stored| stored.targeting)
    }

    async fn put(&self, write: &mut Write<'_>, off_variant: &str, version: u64) {
        let targeting = Targeting { enabled: true, off_variant: key(off_variant), rules: Vec::new() };
        let stored = StoredTargeting { feature_id: self.feature.id.clone(), targeting, version };
        targetings::put(write.connection().await.unwrap(), &self.environment.id, &stored).await.unwrap();
    }
}

#[apply(on_each_empty_database)]
async fn stored_values_are_read_back_unchanged(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let mut connection = fixture.store.read().await.unwrap();
    let environment = environments::get(&mut connection, &fixture.environment.id).await.unwrap().unwrap();
    assert_eq!((environment.epoch, environment.version), (u64::MAX, 0));
    let feature = features::find(&mut connection, &fixture.feature.project_id, "checkout").await.unwrap().unwrap();
    let texts = |feature: &Feature| (feature.name.clone(), feature.description.clone(), feature.variants.clone());
    assert_eq!(texts(&feature), texts(&fixture.feature));
    assert_eq!(feature.lifecycle, Lifecycle::Draft);
}

#[apply(on_each_empty_database)]
async fn a_dropped_transaction_leaves_no_data_and_no_version_gap(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let mut write = fixture.store.write().await.unwrap();
    assert_eq!(fixture.publish(&mut write).await, 1);
    fixture.put(&mut write, "on", 1).await;
    drop(write);
    assert_eq!((fixture.version().await, fixture.entries().await, fixture.targeting().await), (0, vec![], None));

    let mut write = fixture.store.write().await.unwrap();
    assert_eq!(fixture.publish(&mut write).await, 1);
    fixture.put(&mut write, "off", 1).await;
    write.commit().await.unwrap();
    assert_eq!((fixture.version().await, fixture.entries().await), (1, vec![1]));
    assert_eq!(fixture.targeting().await.unwrap().off_variant, key("off"));
}

#[apply(on_each_empty_database)]
async fn a_transaction_whose_last_step_fails_leaves_no_data(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let mut write = fixture.store.write().await.unwrap();
    fixture.publish(&mut write).await;
    fixture.put(&mut write, "on", 1).await;
    // A duplicate key.
    let again = Feature { id: FeatureId::new(&SystemRandom, NOW), ..fixture.feature.clone() };
    let taken = features::insert(write.connection().await.unwrap(), &again, NOW).await.unwrap_err();
    assert!(taken.as_database_error().unwrap().is_unique_violation());
    drop(write);
    assert_eq!((fixture.version().await, fixture.entries().await, fixture.targeting().await), (0, vec![], None));
}

#[apply(on_each_empty_database)]
async fn entries_are_numbered_without_gaps_even_if_writers_roll_back(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let writer = async |index: usize| {
        for round in 0..20 {
            let mut write = fixture.store.write().await.unwrap();
            let version = fixture.publish(&mut write).await;
            if (index + round).is_multiple_of(3) {
                drop(write);
            } else {
                fixture.put(&mut write, "on", version).await;
                write.commit().await.unwrap();
            }
        }
    };
    join_all((0..6).map(writer)).await;
    // Every third round is rolled back.
    assert_eq!(fixture.version().await, 80);
    assert_eq!(fixture.entries().await, (1..=80).collect::<Vec<_>>());
}

#[apply(on_each_empty_database)]
async fn a_second_writer_of_a_project_waits_for_the_first_and_sees_its_changes(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let (locked, first_has_it) = oneshot::channel();
    let first = async {
        let mut write = fixture.store.write().await.unwrap();
        projects::lock(write.connection().await.unwrap(), &fixture.organisation, "shop").await.unwrap().unwrap();
        locked.send(()).unwrap();
        let version = fixture.publish(&mut write).await;
        fixture.put(&mut write, "on", version).await;
        write.commit().await.unwrap();
    };
    let second = async {
        first_has_it.await.unwrap();
        let mut write = fixture.store.write().await.unwrap();
        let connection = write.connection().await.unwrap();
        projects::lock(connection, &fixture.organisation, "shop").await.unwrap().unwrap();
        let seen = targetings::find(connection, &fixture.environment.id, &fixture.feature.id).await.unwrap();
        assert_eq!(seen.expect("the data of the first writer").version, 1);
        assert_eq!(fixture.publish(&mut write).await, 2);
        write.commit().await.unwrap();
    };
    tokio::join!(first, second);
    assert_eq!(fixture.entries().await, [1, 2]);
}

#[apply(on_each_empty_database)]
async fn followers_are_woken_only_by_commits(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let mut wakes = fixture.store.wakes();
    let mut write = fixture.store.write().await.unwrap();
    fixture.publish(&mut write).await;
    drop(write);
    assert!(wakes.try_recv().is_err());
    let mut write = fixture.store.write().await.unwrap();
    fixture.publish(&mut write).await;
    assert!(wakes.try_recv().is_err());
    write.commit().await.unwrap();
    let expected = Wake::Environment { environment: fixture.environment.id.clone(), version: Some(1) };
    assert_eq!(wakes.try_recv().unwrap(), expected);
}

#[apply(on_each_empty_database)]
async fn a_token_is_valid_until_the_instant_it_expires(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let mut write = fixture.store.write().await.unwrap();
    for (hash, expires_at) in [("for ever", None), ("an hour", Some(Instant(NOW.0 + 3_600_000)))] {
        let id = AccessTokenId::new(&SystemRandom, NOW);
        let token = AccessToken {
            id,
            user_id: fixture.user.clone(),
            creator_id: None,
            name: "Test".to_owned(),
            hash: hash.to_owned(),
            hint: String::new(),
            created_at: NOW,
            expires_at,
            last_used_at: None,
            scope: None,
        };
        access_tokens::insert(write.connection().await.unwrap(), &token).await.unwrap();
    }
    write.commit().await.unwrap();
    let mut connection = fixture.store.read().await.unwrap();
    for (hash, after, counts) in [
        ("for ever", i64::MAX / 2, true),
        ("an hour", 3_599_999, true),
        ("an hour", 3_600_000, false),
        ("unknown", 0, false),
    ] {
        let found = access_tokens::bearer(&mut connection, hash, Instant(NOW.0 + after)).await.unwrap();
        assert_eq!(
            found.map(|bearer| bearer.user.name),
            counts.then(|| "Åsa Öberg 🦊".to_owned()),
            "{hash} after {after}"
        );
    }
}

#[apply(on_each_empty_database)]
async fn a_goal_is_inserted_once(database: Database) {
    let fixture = Fixture::new(database.url()).await;
    let goal = |key: &str| Goal {
        id: "goal-0001".to_owned(),
        key: key.to_owned(),
        user_id: "alice".to_owned(),
        features: [("checkout".to_owned(), "on".to_owned())].into(),
    };
    let mut write = fixture.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let environment = &fixture.environment.id;
    let purchase = goal("purchase");
    assert_eq!(goals::insert(connection, &[(environment, &purchase)], NOW).await.unwrap().len(), 1);
    assert_eq!(goals::insert(connection, &[(environment, &purchase)], NOW).await.unwrap().len(), 0);
    // Only the first one counts.
    assert_eq!(goals::insert(connection, &[(environment, &goal("signup"))], NOW).await.unwrap().len(), 0);
    write.commit().await.unwrap();
    let mut connection = fixture.store.read().await.unwrap();
    let counts = goals::counts(&mut connection, &fixture.environment.id, "", i64::MAX).await.unwrap();
    let counts: Vec<_> = counts.into_iter().map(|goal| (goal.key, goal.count)).collect();
    assert_eq!(counts, [("purchase".to_owned(), 1)]);
}
