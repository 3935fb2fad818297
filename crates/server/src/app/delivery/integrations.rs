//! Outbound integrations, which receive the organisation's flag changes, and webhooks its approvals. The organisation is the caller's.

use std::time::Duration;

use flagservice_rules::Violation;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::changes::revision;
use crate::app::delivery::fan_out;
pub use crate::app::delivery::settings::NewSettings;
use crate::app::delivery::settings::{self, Entered};
pub use crate::app::delivery::test_events::Sent;
use crate::app::secrets::credentials::{self, Credentials, Hook, Signing};
use crate::app::secrets::signing::SigningKey;
use crate::app::{Actor, App, AppError, Edit, IfMatch, Operation, Page, Paged, Result};
use crate::domain::changes::flag_change::{Announcement, FeatureChange};
use crate::domain::delivery::{Backlog, Delivery, DeliveryState};
use crate::domain::ids::{EnvironmentId, IntegrationId};
use crate::domain::integration::{Integration, Kind, Outcome, Region};
use crate::domain::role::Role;
use crate::secret::Secret;
use crate::store::Connection;
use crate::store::delivery::{deliveries, fan_outs, integrations};
use crate::store::resources::{environments, projects};

/// With more than this many that wait, an integration counts as backlogged.
pub const BACKLOGGED: u64 = 10_000;

/// How many settled deliveries of an integration stay in its log.
pub const LOGGED: u64 = 1_000;

/// How long the signing secret before a new one signs, too.
const SECRET_OVERLAP: Duration = Duration::from_hours(24);

/// An integration as it is written.
pub struct NewIntegration {
    /// Whether changes are delivered.
    pub enabled: bool,
    /// Where they are delivered.
    pub settings: NewSettings,
    /// Only changes in these are delivered; none listed: in all.
    pub environment_ids: Vec<EnvironmentId>,
}

/// An integration with what waits for it.
pub struct IntegrationDetails {
    /// The integration.
    pub integration: Integration,
    /// What waits.
    pub backlog: Backlog,
    /// The origin of a webhook's URL; none for other destinations, and when it cannot be decrypted.
    pub origin: Option<String>,
}

/// The organisation's integrations, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, page: &Page) -> Result<Paged<IntegrationDetails>> {
    let connection = &mut *app.store.read().await?;
    let limit = usize::try_from(page.fetch()).unwrap_or_default();
    let integrations = integrations::page(connection, &actor.organisation_id, &page.after, limit).await?;
    let Paged { items, next_cursor } = page.paginate(integrations, |integration| integration.id.as_str());
    let mut described = Vec::with_capacity(items.len());
    for integration in items {
        described.push(describe(app, connection, integration).await?);
    }
    Ok(Paged { items: described, next_cursor })
}

/// The organisation's integration of that id.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, id: &str) -> Result<IntegrationDetails> {
    let connection = &mut *app.store.read().await?;
    let integration = find(connection, actor, id).await?;
    describe(app, connection, integration).await
}

/// Its deliveries, newest first: the pending ones and the results of the others.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such integration.
pub async fn log(app: &App, actor: &Actor, id: &str, page: &Page) -> Result<Paged<Delivery>> {
    let connection = &mut *app.store.read().await?;
    let integration = find(connection, actor, id).await?;
    let limit = usize::try_from(page.fetch()).unwrap_or_default();
    let deliveries = deliveries::page(connection, &integration.id, page.after_number()?, limit).await?;
    Ok(page.paginate(deliveries, |delivery| &delivery.position))
}

/// Creates an integration. It receives the changes made from then on. Returns the signing secret of a webhook, too.
///
/// # Errors
/// [`AppError::Invalid`] for a key or URL that is missing or unusable, a region without an address and an environment that
/// is not the organisation's.
pub async fn create(
    operation: &mut Operation<'_>,
    new: NewIntegration,
) -> Result<(IntegrationDetails, Option<Secret>)> {
    operation.actor.require(Role::Administrator)?;
    fan_out::finish(operation).await?;
    let app = operation.app;
    let connection = operation.write.connection().await?;
    let mut violations = violations(app, connection, operation.actor, &new, None).await?;
    let entered = Entered::read(app, &new.settings, &mut violations)?;
    let credentials = entered.for_new(app, &mut violations)?;
    let (true, Some(credentials)) = (violations.is_empty(), credentials) else {
        return Err(AppError::Invalid(violations));
    };
    let now = app.now();
    let id = IntegrationId::new(&*app.random, now);
    let integration = Integration {
        credentials: credentials::seal(app, &id, &credentials)?,
        id,
        organisation_id: operation.actor.organisation_id.clone(),
        kind: new.settings.kind(),
        enabled: new.enabled,
        region: new.settings.region().unwrap_or(Region::Us),
        environment_ids: new.environment_ids,
        last: None,
        revision: 1,
    };
    integrations::insert(connection, &integration, now).await?;
    let origin = origin_of(&credentials);
    let (resource, after) = (resource(&integration), Some(state(&integration, origin.as_deref())));
    record_audit(operation, AuditRecord { action: "integration.create", resource, before: None, after }).await?;
    Ok((IntegrationDetails { integration, backlog: Backlog::default(), origin }, secret_of(&credentials)))
}

/// Replaces what an integration is set to; a key or a URL that is blank stays, and so does a signing secret.
///
/// # Errors
/// Those of [`create`], except for a region and deleted environments that are stored; [`AppError::Invalid`] for another type; and
/// [`AppError::Stale`] when it changed since the caller saw it.
pub async fn update(
    operation: &mut Operation<'_>,
    id: &str,
    Edit { fields: new, if_match }: Edit<NewIntegration>,
) -> Result<IntegrationDetails> {
    operation.actor.require(Role::Administrator)?;
    // Before it is read: from here on nobody else edits it.
    fan_out::finish(operation).await?;
    let app = operation.app;
    let connection = operation.write.connection().await?;
    let before = find(connection, operation.actor, id).await?;
    revision::check(if_match, before.revision)?;
    let mut violations = violations(app, connection, operation.actor, &new, Some(&before)).await?;
    if new.settings.kind() != before.kind {
        let detail = format!("The type stays {}. Create another integration.", before.kind.as_str());
        violations.push(Violation { pointer: "/type".to_owned(), detail });
    }
    let entered = Entered::read(app, &new.settings, &mut violations)?;
    if !violations.is_empty() {
        return Err(AppError::Invalid(violations));
    }
    let mut after = before.clone();
    after.enabled = new.enabled;
    after.region = new.settings.region().unwrap_or(before.region);
    after.environment_ids = new.environment_ids;
    let replaced = !entered.is_blank();
    if replaced {
        let stored = credentials::open_with(app, connection, &before.id, &before.credentials).await?;
        after.credentials = credentials::seal(app, &before.id, &entered.over(stored)?)?;
    }
    if after == before {
        return describe(app, connection, before).await;
    }
    after.revision += 1;
    integrations::update(connection, &after).await?;
    record_update(operation, "integration.update", &before, &after, ("keysReplaced", replaced)).await?;
    describe(app, operation.write.connection().await?, after).await
}

/// Makes a new signing secret for a webhook, and returns it with the new revision. For a day, requests have the signatures of both.
///
/// # Errors
/// [`AppError::NotFound`] for other integrations, and [`AppError::Invalid`] when the stored URL cannot be decrypted.
pub async fn rotate_secret(operation: &mut Operation<'_>, id: &str) -> Result<(u64, Secret)> {
    operation.actor.require(Role::Administrator)?;
    let app = operation.app;
    let connection = operation.write.connection().await?;
    fan_outs::lock(connection, &operation.actor.organisation_id).await?;
    let before = find(connection, operation.actor, id).await?;
    if before.kind != Kind::Webhook {
        return Err(AppError::not_found("webhook", id));
    }
    let stored = credentials::open_with(app, connection, &before.id, &before.credentials).await?;
    let Some(Credentials::Hook(Hook { url, signing })) = stored else {
        return Err(settings::unreadable(before.kind));
    };
    let until = app.clock.after(SECRET_OVERLAP);
    let previous = signing.map(|signing| (signing.key, until));
    let key = SigningKey::generate(&*app.random)?;
    let secret = key.text().clone();
    let credentials = Credentials::Hook(Hook { url, signing: Some(Signing { key, previous }) });
    let sealed = credentials::seal(app, &before.id, &credentials)?;
    let after = Integration { credentials: sealed, revision: before.revision + 1, ..before.clone() };
    integrations::update(connection, &after).await?;
    record_update(operation, "integration.rotate-secret", &before, &after, ("secretReplaced", true)).await?;
    Ok((after.revision, secret))
}

/// Deletes an integration with what waits for it.
///
/// # Errors
/// [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, id: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let connection = operation.write.connection().await?;
    fan_outs::lock(connection, &operation.actor.organisation_id).await?;
    let integration = find(connection, operation.actor, id).await?;
    revision::check(if_match, integration.revision)?;
    let origin = stored_origin(operation.app, connection, &integration).await?;
    integrations::delete(connection, &integration.id).await?;
    let (resource, before) = (resource(&integration), Some(state(&integration, origin.as_deref())));
    record_audit(operation, AuditRecord { action: "integration.delete", resource, before, after: None }).await
}

/// Sends a synthetic flag change, regardless of filter, `enabled` and backlog, and returns the result.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such integration.
pub async fn send_test(app: &App, actor: &Actor, id: &str) -> Result<(FeatureChange, Sent)> {
    actor.require(Role::Administrator)?;
    let mut connection = app.store.read().await?;
    let integration = find(&mut connection, actor, id).await?;
    let change = test_change(&mut connection, actor).await?;
    // What follows takes long.
    drop(connection);
    let sent = app.test_events.send(integration, change.clone()).await?;
    Ok((change, sent))
}

/// Stores the result of a test event like that of a delivery.
///
/// # Errors
/// [`AppError::NotFound`] when the integration was deleted meanwhile.
pub async fn keep_test(
    operation: &mut Operation<'_>,
    id: &str,
    change: FeatureChange,
    sent: Sent,
) -> Result<IntegrationDetails> {
    let connection = operation.write.connection().await?;
    let position = fan_out::next_position(connection, &operation.actor.organisation_id).await?;
    let mut integration = find(connection, operation.actor, id).await?;
    let now = operation.app.now();
    let state = if sent.success { DeliveryState::Delivered } else { DeliveryState::Failed };
    let last = sent.attempts.last();
    let outcome = Outcome {
        at: last.map_or(now, |attempt| attempt.at),
        success: sent.success,
        detail: last.map(|attempt| attempt.detail.clone()).unwrap_or_default(),
    };
    let delivery = Delivery {
        integration_id: integration.id.clone(),
        position,
        entry: format!("test:{position}"),
        at: now,
        announcement: Announcement::Feature(change),
        is_test: true,
        state,
        attempts: sent.attempts,
        settled_at: Some(outcome.at),
    };
    deliveries::insert(connection, &delivery).await?;
    deliveries::prune(connection, &integration.id, LOGGED).await?;
    integrations::set_last(connection, &integration.id, &outcome).await?;
    // Everybody who signs in can read the audit log, and the detail repeats what the destination has sent.
    let status = delivery.attempts.last().and_then(|attempt| attempt.status);
    let after = Some(json!({ "success": outcome.success, "status": status }));
    let resource = resource(&integration);
    record_audit(operation, AuditRecord { action: "integration.test", resource, before: None, after }).await?;
    integration.last = Some(outcome);
    describe(operation.app, operation.write.connection().await?, integration).await
}

async fn find(connection: &mut Connection, actor: &Actor, id: &str) -> Result<Integration> {
    let found = integrations::find(connection, &actor.organisation_id, id).await?;
    found.ok_or_else(|| AppError::not_found("integration", id))
}

async fn describe(app: &App, connection: &mut Connection, integration: Integration) -> Result<IntegrationDetails> {
    let backlog = deliveries::backlog(connection, &integration.id).await?;
    let origin = stored_origin(app, connection, &integration).await?;
    Ok(IntegrationDetails { integration, backlog, origin })
}

async fn stored_origin(app: &App, connection: &mut Connection, integration: &Integration) -> Result<Option<String>> {
    if integration.kind == Kind::Analytics {
        return Ok(None);
    }
    let stored = credentials::open_with(app, connection, &integration.id, &integration.credentials).await?;
    Ok(stored.as_ref().and_then(origin_of))
}

/// The origin of a webhook's URL.
fn origin_of(credentials: &Credentials) -> Option<String> {
    match credentials {
        Credentials::Analytics(_) => None,
        Credentials::Hook(hook) => Some(hook.url.origin()),
    }
}

/// The signing secret, for the one response that shows it.
fn secret_of(credentials: &Credentials) -> Option<Secret> {
    match credentials {
        Credentials::Analytics(_) => None,
        Credentials::Hook(hook) => hook.signing.as_ref().map(|signing| signing.key.text().clone()),
    }
}

async fn record_update(
    operation: &mut Operation<'_>,
    action: &'static str,
    before: &Integration,
    after: &Integration,
    (replaced, whether): (&str, bool),
) -> Result<()> {
    let (app, connection) = (operation.app, operation.write.connection().await?);
    let old = stored_origin(app, connection, before).await?;
    let new = stored_origin(app, connection, after).await?;
    let mut state_after = state(after, new.as_deref());
    if let Some(fields) = state_after.as_object_mut() {
        fields.insert(replaced.to_owned(), json!(whether));
    }
    let before = Some(state(before, old.as_deref()));
    let record = AuditRecord { action, resource: resource(after), before, after: Some(state_after) };
    record_audit(operation, record).await
}

/// What is wrong with the settings. What was read can be written back: the region may have lost its address since, and environments of the
/// filter may have been deleted. Without them the filter could be empty, and the changes of all environments would be delivered.
async fn violations(
    app: &App,
    connection: &mut Connection,
    actor: &Actor,
    new: &NewIntegration,
    before: Option<&Integration>,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let is_new = |region: &Region| before.is_none_or(|before| before.region != *region);
    let unknown = |region: &Region| app.outbound.address(*region).is_none();
    if let Some(region) = new.settings.region().filter(|region| is_new(region) && unknown(region)) {
        violations.push(Violation {
            pointer: "/configuration/analytics/region".to_owned(),
            detail: format!("This server has no address of the region {region}. Ask its operator to set one."),
        });
    }
    let known = fan_outs::environments_of(connection, &actor.organisation_id).await?;
    for (index, id) in new.environment_ids.iter().enumerate() {
        if !(known.contains(id) || before.is_some_and(|before| before.environment_ids.contains(id))) {
            violations.push(Violation {
                pointer: format!("/configuration/{}/filter/environmentIds/{index}", new.settings.kind().as_str()),
                detail: format!("There is no environment of the id '{id}'. Take ids from lists of environments."),
            });
        }
    }
    Ok(violations)
}

/// A change in the first place of the organisation that there is.
async fn test_change(connection: &mut Connection, actor: &Actor) -> Result<FeatureChange> {
    for project in projects::list(connection, &actor.organisation_id, "", i64::MAX).await? {
        if let Some(first) = environments::list(connection, &project.id).await?.first() {
            return Ok(fan_out::test_change(Some((&project, first)), &actor.name));
        }
    }
    Ok(fan_out::test_change(None, &actor.name))
}

/// What the audit log shows of it.
fn state(integration: &Integration, origin: Option<&str>) -> Value {
    let Integration { kind, enabled, region, environment_ids, .. } = integration;
    let mut state = json!({ "type": kind, "enabled": enabled, "environmentIds": environment_ids });
    if let Some(fields) = state.as_object_mut() {
        match kind {
            Kind::Analytics => fields.insert("region".to_owned(), json!(region)),
            Kind::Webhook | Kind::Slack => fields.insert("origin".to_owned(), json!(origin)),
        };
    }
    state
}

fn resource(integration: &Integration) -> String {
    format!("admin/integrations/outbound/{}", integration.id)
}
