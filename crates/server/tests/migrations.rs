//! A database of an earlier release is migrated with its data.

use flagservice_core::Key;
use flagservice_rules::{Instant, Targeting};
use flagservice_server::domain::approval::{Approval, ApprovalState, CopySource, Person, Source};
use flagservice_server::domain::audit::AuditFilter;
use flagservice_server::domain::changes::flag_change::FlagChange;
use flagservice_server::domain::environment::Environment;
use flagservice_server::domain::feature::Feature;
use flagservice_server::domain::ids::{AccessTokenId, OrganisationId, UserId};
use flagservice_server::domain::integration::{Integration, Kind, Region};
use flagservice_server::store::changes::outbox::NewEntry;
use flagservice_server::store::changes::{approvals, audit_log, idempotency, targetings};
use flagservice_server::store::delivery::{fan_outs, integrations};
use flagservice_server::store::resources::sessions::Holder;
use flagservice_server::store::resources::{
    access_tokens, audiences, environments, features, pipelines, projects, sessions,
};
use flagservice_server::store::{Connection, Store, Write};
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, Connection as _, Executor as _, Row as _};

use crate::command::run::run;
use crate::fixture::{Engine, NOW, on_each_empty_database};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");
static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("./migrations/sqlite");
static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("./migrations/postgres");

/// The last migration of the release before approvals.
const BEFORE_APPROVALS: i64 = 2;

/// Data of the earlier release: a feature in a pipeline, targeted by a saved audience, as it began in a new environment, and a stored
/// response.
const DATA: &str = r#"
    INSERT INTO organisations (id, name, revision, created_at) VALUES ('o', 'Acme', 1, 0);
    INSERT INTO users (id, organisation_id, name, role, revision, created_at) VALUES ('u', 'o', 'Edda', 'editor', 1, 0);
    INSERT INTO projects (id, organisation_id, key, name, revision, created_at) VALUES ('p', 'o', 'shop', 'Shop', 3, 0);
    INSERT INTO environments (id, project_id, key, name, production, approval_required, allowed_origins, revision, position,
        epoch, version, created_at) VALUES
        ('e', 'p', 'staging', 'Staging', 0, 1, '[]', 1, 0, '00000000000000ff', 7, 0),
        ('f', 'p', 'production', 'Production', 1, 0, '[]', 1, 1, '00000000000000fe', 0, 0);
    INSERT INTO pipelines (id, project_id, key, name, phases, revision, created_at) VALUES ('l', 'p', 'release', 'Release',
        '[{"name":"Try","environmentId":"e","approvalRequired":true},{"name":"Ship","environmentId":"f","approvalRequired":false}]',
        1, 0);
    INSERT INTO features (id, project_id, key, name, description, lifecycle, salt, variants, tags, approval_required,
        pipeline_id, revision, created_at)
        VALUES ('x', 'p', 'checkout', 'Kassa "ny"', '', 'Active', '1', '["on","off"]', '["money"]', 1, 'l', 4, 0);
    INSERT INTO audiences (id, project_id, environment_id, key, name, conditions, revision, created_at)
        VALUES ('a', 'p', NULL, 'staff', 'Staff', '[{"attribute":"team","operator":"equals","values":["a"]}]', 1, 0);
    INSERT INTO targetings (feature_id, environment_id, targeting, version) VALUES ('x', 'e',
        '{"enabled":true,"offVariantKey":"off",
          "rules":[{"name":"","audienceKey":"staff","splits":[{"variantKey":"on","percentage":100}]}]}',
        7), ('x', 'f', '{"enabled":false,"offVariantKey":"on","rules":[]}', 0);
    INSERT INTO outbox (environment_id, version, change_id, feature_id, at, change) VALUES
        ('e', 6, 'b', 'x', 5, '{}'), ('f', 0, 'd', 'x', 3, '{}'), ('e', 7, 'c', 'x', 0, '{}');
    UPDATE outbox SET change = '{ }' WHERE version = 6;
    INSERT INTO idempotency_records (user_id, key, request_hash, status, body, created_at)
        VALUES ('u', 'key', 'hash', 201, '{}', 0);
    INSERT INTO audit_log (id, organisation_id, at, user_id, user_name, action, resource, before_state, after_state) VALUES
        ('1', 'o', 1, 'u', 'Edda', 'targeting.update', 'projects/shop/features/checkout',
            '{"targetings":[{"environmentKey":"old"}]}', '{"targetings":[{"environmentKey":"staging"}]}'),
        ('2', 'o', 2, 'u', 'Edda', 'environment.delete', 'projects/shop/environments/old', '{"key":"old"}', NULL),
        ('3', 'o', 3, 'u', 'Edda', 'feature.update', 'projects/shop/features/checkout', '{}', '{"environmentKey":"staging"}');
"#;

/// The last migration of the release before single sign-on.
const BEFORE_SINGLE_SIGN_ON: i64 = 14;

async fn create_earlier_database(url: &str, engine: Engine) {
    let mut connection = migrated_until(url, engine, BEFORE_APPROVALS).await;
    connection.execute(DATA).await.unwrap();
    connection.close().await.unwrap();
}

/// An empty database with the schema of an earlier release.
async fn migrated_until(url: &str, engine: Engine, last: i64) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = if engine == Engine::Sqlite { format!("{url}?mode=rwc") } else { url.to_owned() };
    let own = if engine == Engine::Postgres { &POSTGRES_MIGRATIONS } else { &SQLITE_MIGRATIONS };
    let all = MIGRATIONS.iter().chain(own.iter());
    let mut earlier: Vec<_> = all.filter(|migration| migration.version <= last).cloned().collect();
    earlier.sort_by_key(|migration| migration.version);
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    Migrator::with_migrations(earlier).run(&mut connection).await.unwrap();
    connection
}

#[apply(on_each_empty_database)]
async fn sessions_of_tokens_survive_the_update_to_single_sign_on(database: Database) {
    let mut earlier = migrated_until(database.url(), database.engine(), BEFORE_SINGLE_SIGN_ON).await;
    for statement in [
        "INSERT INTO organisations (id, name, revision, created_at) VALUES ('o', 'Acme', 1, 0)",
        "INSERT INTO users (id, organisation_id, name, role, revision, created_at) VALUES ('u', 'o', 'Edda', 'editor', 1, 0)",
        "INSERT INTO access_tokens (id, user_id, name, hash, hint, created_at) VALUES ('t', 'u', 'Pages', 'h', 'abcd', 0)",
        "INSERT INTO sessions (hash, token_id, created_at, expires_at) VALUES ('before', 't', 0, 9000000000000)",
    ] {
        earlier.execute(statement).await.unwrap();
    }
    earlier.close().await.unwrap();
    let store = Store::open(database.url()).await.unwrap();
    let mut write = store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let of_identity = "INSERT INTO identities (id, organisation_id, issuer, subject, user_id, created_at)
        VALUES ('i', 'o', 'https://login.example', 'edda-1', 'u', 0)";
    connection.execute(of_identity).await.unwrap();
    sessions::insert_of_identity(connection, "of-identity", &"i".to_owned().into(), NOW, Instant(NOW.0 + 1))
        .await
        .unwrap();
    // What an earlier release writes and reads.
    connection
        .execute(
            "INSERT INTO sessions (hash, token_id, created_at, expires_at) VALUES ('after', 't', 0, 9000000000000)",
        )
        .await
        .unwrap();
    let read =
        "SELECT s.hash FROM sessions s JOIN access_tokens t ON t.id = s.token_id JOIN users u ON u.id = t.user_id
        ORDER BY s.hash";
    let read: Vec<String> = sqlx::query_scalar(read).fetch_all(&mut *connection).await.unwrap();
    assert_eq!(read, ["after", "before"]);
    for (hash, is_of_token) in [("before", true), ("after", true), ("of-identity", false)] {
        let (holder, _) = sessions::find(connection, hash, NOW).await.unwrap().unwrap();
        assert_eq!(matches!(holder, Holder::Token(_)), is_of_token, "{hash}");
    }
    // It removes the person, and no session of theirs counts.
    for statement in ["DELETE FROM access_tokens WHERE user_id = 'u'", "DELETE FROM users WHERE id = 'u'"] {
        connection.execute(statement).await.unwrap();
    }
    for hash in ["before", "after", "of-identity"] {
        assert!(sessions::find(connection, hash, NOW).await.unwrap().is_none(), "{hash}");
    }
}

#[apply(on_each_empty_database)]
async fn a_database_from_before_approvals_is_migrated_with_its_data(database: Database) {
    create_earlier_database(database.url(), database.engine()).await;
    let store = Store::open(database.url()).await.unwrap();
    let mut write = store.write().await.unwrap();
    let migrated = assert_data_kept(write.connection().await.unwrap()).await;
    assert_outbox_in_order(write.connection().await.unwrap()).await;
    assert_audit_log_by_environment(write.connection().await.unwrap()).await;
    insert_integration(write.connection().await.unwrap(), &migrated).await;
    insert_approval(write.connection().await.unwrap(), &migrated).await;
    write.commit().await.unwrap();

    // There is at most one pending approval for each feature and environment.
    let mut write = store.write().await.unwrap();
    let second = approvals::insert(write.connection().await.unwrap(), &migrated.approval("two")).await;
    assert!(second.unwrap_err().as_database_error().unwrap().is_unique_violation());
    drop(write);

    // An earlier release can still write to the migrated database.
    let mut write = store.write().await.unwrap();
    publish_change(&mut write, &migrated).await;
    write.commit().await.unwrap();
    let mut write = store.write().await.unwrap();
    remove_person(write.connection().await.unwrap()).await;
    write.commit().await.unwrap();
    let mut write = store.write().await.unwrap();
    delete_feature(write.connection().await.unwrap(), &migrated).await;
    store_response(write.connection().await.unwrap()).await;
}

/// The migrated data.
struct Migrated {
    feature: Feature,
    staging: Environment,
    targeting: Targeting,
}

impl Migrated {
    fn approval(&self, id: &str) -> Approval {
        Approval {
            id: id.to_owned().into(),
            project_id: self.feature.project_id.clone(),
            feature_id: self.feature.id.clone(),
            feature_key: self.feature.key.clone(),
            environment_id: self.staging.id.clone(),
            environment_key: self.staging.key.clone(),
            state: ApprovalState::Pending,
            source: Source::Copy(CopySource {
                environment: Key::parse("development").unwrap(),
                copy_id: Some(id.to_owned().into()),
            }),
            requester: Person { id: UserId::from("u".to_owned()), name: "Edda".to_owned() },
            requested_at: NOW,
            comment: "\"quotes\"\n\u{202e}🚩".to_owned(),
            reasons: Vec::new(),
            before: self.targeting.clone(),
            after: self.targeting.clone(),
            record_change: None,
            target_version: 7,
            digest: "digest".to_owned(),
            decision: None,
            staleness: None,
            scheduled_for: None,
            settled_at: None,
            revision: 1,
        }
    }
}

fn organisation() -> OrganisationId {
    OrganisationId::from("o".to_owned())
}

async fn assert_data_kept(connection: &mut Connection) -> Migrated {
    let project = projects::find(connection, &organisation(), "shop").await.unwrap().unwrap();
    assert_eq!((project.name.as_str(), project.revision), ("Shop", 3));
    let mut environments = environments::list(connection, &project.id).await.unwrap();
    let rows: Vec<_> = environments.iter().map(|row| (row.key.as_str(), row.approval_required, row.version)).collect();
    assert_eq!(rows, [("staging", true, 7), ("production", false, 0)]);
    let feature = features::find(connection, &project.id, "checkout").await.unwrap().unwrap();
    assert_eq!((feature.name.as_str(), feature.approval_required, feature.revision), ("Kassa \"ny\"", true, 4));
    let pipeline = pipelines::get(connection, feature.pipeline_id.as_ref().unwrap()).await.unwrap().unwrap();
    // A feature that was assigned to the pipeline before is in the first phase.
    assert_eq!(feature.phase_environment_id, None);
    let phase = flagservice_server::app::resources::phases::current(&pipeline, &feature).unwrap();
    assert_eq!((phase.name.as_str(), phase.environment_id.as_str()), ("Try", "e"));
    assert_eq!(audiences::list(connection, &project.id).await.unwrap().len(), 1);
    let staging = environments.remove(0);
    let of_new_environment = targetings::find(connection, &environments[0].id, &feature.id).await.unwrap().unwrap();
    assert!(of_new_environment.is_served(), "version 0 did not mean yet that nothing is served");
    let stored = targetings::find(connection, &staging.id, &feature.id).await.unwrap().unwrap();
    assert_eq!((stored.version, stored.targeting.enabled), (7, true));
    let response = idempotency::find(connection, &UserId::from("u".to_owned()), "key").await.unwrap().unwrap();
    assert_eq!((response.status, response.version), (201, Some(1)));
    Migrated { feature, staging, targeting: stored.targeting }
}

/// Existing entries get an order by version within an environment, regardless of the clock. New entries follow them.
async fn assert_outbox_in_order(connection: &mut Connection) {
    let order = sqlx::query("SELECT version FROM outbox WHERE environment_id = 'e' ORDER BY rowid");
    let order: Vec<i64> =
        order.fetch_all(&mut *connection).await.unwrap().iter().map(|row| row.get("version")).collect();
    assert_eq!(order, [6, 7]);
}

/// Existing entries of the audit log are found by their environments, also by deleted ones.
async fn assert_audit_log_by_environment(connection: &mut Connection) {
    for (environment, expected) in [("staging", &["3", "1"][..]), ("old", &["1"]), ("production", &[])] {
        let filter = AuditFilter { environment: Some(environment.to_owned()), ..AuditFilter::default() };
        let entries = audit_log::page(connection, &organisation(), &filter, "", 10).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), expected, "{environment}");
    }
}

/// A new integration gets only later changes, not those from before.
async fn insert_integration(connection: &mut Connection, migrated: &Migrated) {
    assert!(fan_outs::behind(connection).await.unwrap().is_empty());
    fan_outs::skip(connection, &organisation()).await.unwrap();
    let integration = Integration {
        id: "i".to_owned().into(),
        organisation_id: organisation(),
        kind: Kind::Analytics,
        enabled: true,
        region: Region::Eu,
        credentials: "sealed".to_owned(),
        environment_ids: vec![migrated.staging.id.clone()],
        last: None,
        revision: 1,
    };
    integrations::insert(connection, &integration, NOW).await.unwrap();
    assert_eq!(integrations::find(connection, &organisation(), "i").await.unwrap(), Some(integration));
    assert!(fan_outs::behind(connection).await.unwrap().is_empty());
}

async fn insert_approval(connection: &mut Connection, migrated: &Migrated) {
    let approval = migrated.approval("one");
    approvals::insert(connection, &approval).await.unwrap();
    let read = approvals::find(connection, &migrated.feature.project_id, "one").await.unwrap().unwrap();
    assert_eq!((&read.comment, &read.source), (&approval.comment, &approval.source));
    let pending = approvals::pending(connection, &migrated.staging.id, &migrated.feature.id).await.unwrap();
    assert_eq!(pending, Some(read.id));
}

/// Changes of an earlier release are delivered to integrations too.
async fn publish_change(write: &mut Write<'_>, migrated: &Migrated) {
    let change = FlagChange::Variants { feature_key: migrated.feature.key.to_string() };
    let (id, feature_id) = ("c2".to_owned().into(), Some(&migrated.feature.id));
    let entry = NewEntry { environment_id: &migrated.staging.id, change_id: &id, feature_id, at: NOW, change: &change };
    write.publish(&entry).await.unwrap();
    let connection = write.connection().await.unwrap();
    assert_eq!(fan_outs::behind(connection).await.unwrap(), [organisation()]);
    let pending = fan_outs::pending(connection, &organisation(), 10).await.unwrap();
    assert_eq!(pending.iter().map(|entry| (entry.version, entry.change_id.as_str())).collect::<Vec<_>>(), [(8, "c2")]);
}

/// An earlier release removes a person: the sessions are deleted with the tokens.
async fn remove_person(connection: &mut Connection) {
    let (token, until) = (AccessTokenId::from("t".to_owned()), Instant(NOW.0 + 1000));
    let insert_token = "INSERT INTO access_tokens (id, user_id, name, hash, hint, created_at)
        VALUES ('t', 'u', 'Pages', 'h', 'abcd', 0)";
    connection.execute(insert_token).await.unwrap();
    let used = access_tokens::bearer(connection, "h", NOW).await.unwrap().unwrap();
    sessions::insert(connection, "session", &used, NOW, until).await.unwrap();
    let (Holder::Token(bearer), ends) = sessions::find(connection, "session", NOW).await.unwrap().unwrap() else {
        panic!("a session of a token")
    };
    assert_eq!((bearer.user.name.as_str(), bearer.token.id, ends), ("Edda", token, until));
    connection.execute("DELETE FROM access_tokens WHERE user_id = 'u'").await.unwrap();
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sessions").fetch_one(connection).await.unwrap();
    assert_eq!(left, 0);
}

/// An earlier release deletes a feature: the approvals are deleted with it.
async fn delete_feature(connection: &mut Connection, migrated: &Migrated) {
    for statement in ["DELETE FROM targetings WHERE feature_id = 'x'", "DELETE FROM features WHERE id = 'x'"] {
        connection.execute(statement).await.unwrap();
    }
    assert!(approvals::find(connection, &migrated.feature.project_id, "one").await.unwrap().is_none());
}

/// An earlier release stores a response without a version.
async fn store_response(connection: &mut Connection) {
    let body = json!({ "kept": true }).to_string();
    let insert = format!(
        "INSERT INTO idempotency_records (user_id, key, request_hash, status, body, created_at)
            VALUES ('u', 'new', 'h', 201, '{body}', 0)"
    );
    connection.execute(sqlx::AssertSqlSafe(insert)).await.unwrap();
    let stored = idempotency::find(connection, &UserId::from("u".to_owned()), "new").await.unwrap().unwrap();
    assert_eq!(stored.version, Some(1));
}

#[apply(on_each_empty_database)]
async fn only_a_start_and_renewed_epochs_bring_a_schema_up_to_date(database: Database) {
    let mut earlier = migrated_until(database.url(), database.engine(), BEFORE_SINGLE_SIGN_ON).await;
    earlier.execute("INSERT INTO data_keys (id, wrapped, created_at) VALUES (1, '', 0)").await.unwrap();
    let newest = "SELECT MAX(version) FROM _sqlx_migrations";
    for command in [&["check"][..], &["user", "list"], &["export", "shop"]] {
        let words = ["older release", &BEFORE_SINGLE_SIGN_ON.to_string(), "Start the server of this release once"];
        run(&database, command).await.expect_error(&words);
        let version: i64 = sqlx::query_scalar(newest).fetch_one(&mut earlier).await.unwrap();
        assert_eq!(version, BEFORE_SINGLE_SIGN_ON, "{command:?}");
    }
    // As the server does, it then looks for the key file.
    run(&database, &["renew-epochs"]).await.expect_error(&["The key file", "is missing"]);
    let version: i64 = sqlx::query_scalar(newest).fetch_one(&mut earlier).await.unwrap();
    assert!(version > BEFORE_SINGLE_SIGN_ON);
    earlier.close().await.unwrap();
}
