//! Outbound integrations, which receive the organisation's flag changes. The organisation is the caller's.

use flagservice_rules::Violation;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::changes::revision;
use crate::app::delivery::fan_out;
pub use crate::app::delivery::test_events::Sent;
use crate::app::secrets::credentials::{self, Credentials};
use crate::app::{Actor, App, AppError, Edit, IfMatch, Operation, Page, Paged, Result};
use crate::domain::delivery::{Backlog, Delivery, DeliveryState};
use crate::domain::flag_change::FeatureChange;
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

/// An integration as it is written.
pub struct NewIntegration {
    /// What kind of destination it has.
    pub kind: Kind,
    /// Whether changes are delivered.
    pub enabled: bool,
    /// The key that names the account; blank or none keeps the stored one.
    pub api_key: Option<Secret>,
    /// The key that proves it; blank or none keeps the stored one.
    pub secret_key: Option<Secret>,
    /// Picks the destination's address.
    pub region: Region,
    /// Only changes in these are delivered; none listed: in all.
    pub environment_ids: Vec<EnvironmentId>,
}

/// An integration with what waits for it.
pub struct IntegrationDetails {
    /// The integration.
    pub integration: Integration,
    /// What waits.
    pub backlog: Backlog,
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
        described.push(describe(connection, integration).await?);
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
    describe(connection, integration).await
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

/// Creates an integration. It receives the changes made from then on.
///
/// # Errors
/// [`AppError::Invalid`] for a key that is missing, a region without an address and an environment that is not the
/// organisation's.
pub async fn create(operation: &mut Operation<'_>, new: NewIntegration) -> Result<IntegrationDetails> {
    operation.actor.require(Role::Administrator)?;
    fan_out::finish(operation).await?;
    let connection = operation.write.connection().await?;
    let (api_key, secret_key) = keys(&new)?;
    let mut violations = violations(operation.app, connection, operation.actor, &new, &[]).await?;
    for (key, pointer) in [(&api_key, API_KEY), (&secret_key, SECRET_KEY)] {
        if key.is_none() {
            let detail = "A new integration needs this key of the analytics project.";
            violations.push(Violation { pointer: pointer.to_owned(), detail: detail.to_owned() });
        }
    }
    let (true, Some(api_key), Some(secret_key)) = (violations.is_empty(), api_key, secret_key) else {
        return Err(AppError::Invalid(violations));
    };
    let now = operation.app.now();
    let id = IntegrationId::new(&*operation.app.random, now);
    let integration = Integration {
        credentials: credentials::seal(operation.app, &id, &Credentials { api_key, secret_key })?,
        id,
        organisation_id: operation.actor.organisation_id.clone(),
        kind: new.kind,
        enabled: new.enabled,
        region: new.region,
        environment_ids: new.environment_ids,
        last: None,
        revision: 1,
    };
    integrations::insert(connection, &integration, now).await?;
    let (resource, after) = (resource(&integration), Some(state(&integration)));
    record_audit(operation, AuditRecord { action: "integration.create", resource, before: None, after }).await?;
    Ok(IntegrationDetails { integration, backlog: Backlog::default() })
}

/// Replaces what an integration is set to; a key that is blank stays.
///
/// # Errors
/// Those of [`create`], except for deleted environments that the stored filter names, and [`AppError::Stale`] when it changed since
/// the caller saw it.
pub async fn update(
    operation: &mut Operation<'_>,
    id: &str,
    Edit { fields: new, if_match }: Edit<NewIntegration>,
) -> Result<IntegrationDetails> {
    operation.actor.require(Role::Administrator)?;
    // Before it is read: from here on nobody else edits it.
    fan_out::finish(operation).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, operation.actor, id).await?;
    revision::check(if_match, before.revision)?;
    let (api_key, secret_key) = keys(&new)?;
    let violations = violations(operation.app, connection, operation.actor, &new, &before.environment_ids).await?;
    if !violations.is_empty() {
        return Err(AppError::Invalid(violations));
    }
    let mut after = before.clone();
    (after.kind, after.enabled, after.region) = (new.kind, new.enabled, new.region);
    after.environment_ids = new.environment_ids;
    let replaced = api_key.is_some() || secret_key.is_some();
    if replaced {
        let keys = match (api_key, secret_key) {
            (Some(api_key), Some(secret_key)) => Credentials { api_key, secret_key },
            (api_key, secret_key) => {
                let stored =
                    credentials::open(operation.app, &before.id, &before.credentials).await?.ok_or_else(|| {
                        AppError::invalid(API_KEY, "The stored keys cannot be read. Send both keys again.")
                    })?;
                Credentials {
                    api_key: api_key.unwrap_or(stored.api_key),
                    secret_key: secret_key.unwrap_or(stored.secret_key),
                }
            }
        };
        after.credentials = credentials::seal(operation.app, &before.id, &keys)?;
    }
    let connection = operation.write.connection().await?;
    if after == before {
        return describe(connection, before).await;
    }
    after.revision += 1;
    integrations::update(connection, &after).await?;
    let mut after_state = state(&after);
    if let Some(fields) = after_state.as_object_mut() {
        fields.insert("keysReplaced".to_owned(), json!(replaced));
    }
    let record = AuditRecord {
        action: "integration.update",
        resource: resource(&after),
        before: Some(state(&before)),
        after: Some(after_state),
    };
    record_audit(operation, record).await?;
    describe(operation.write.connection().await?, after).await
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
    integrations::delete(connection, &integration.id).await?;
    let (resource, before) = (resource(&integration), Some(state(&integration)));
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
        change,
        is_test: true,
        state,
        attempts: sent.attempts,
        settled_at: Some(outcome.at),
    };
    deliveries::insert(connection, &delivery).await?;
    integrations::set_last(connection, &integration.id, &outcome).await?;
    let after = Some(json!({ "success": outcome.success, "detail": outcome.detail }));
    let resource = resource(&integration);
    record_audit(operation, AuditRecord { action: "integration.test", resource, before: None, after }).await?;
    integration.last = Some(outcome);
    describe(operation.write.connection().await?, integration).await
}

const API_KEY: &str = "/configuration/analytics/apiKey";
const SECRET_KEY: &str = "/configuration/analytics/secretKey";

async fn find(connection: &mut Connection, actor: &Actor, id: &str) -> Result<Integration> {
    let found = integrations::find(connection, &actor.organisation_id, id).await?;
    found.ok_or_else(|| AppError::not_found("integration", id))
}

async fn describe(connection: &mut Connection, integration: Integration) -> Result<IntegrationDetails> {
    let backlog = deliveries::backlog(connection, &integration.id).await?;
    Ok(IntegrationDetails { integration, backlog })
}

/// The keys that somebody sends; none where they are blank.
fn keys(new: &NewIntegration) -> Result<(Option<Secret>, Option<Secret>)> {
    let api_key = credentials::taken(API_KEY, new.api_key.as_ref(), true)?;
    Ok((api_key, credentials::taken(SECRET_KEY, new.secret_key.as_ref(), false)?))
}

/// What is wrong with the settings. Environments of the stored filter may have been deleted since: what was read can be written
/// back. Without them the filter could be empty, and the changes of all environments would be delivered.
async fn violations(
    app: &App,
    connection: &mut Connection,
    actor: &Actor,
    new: &NewIntegration,
    stored: &[EnvironmentId],
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    if app.outbound.address(new.region).is_none() {
        violations.push(Violation {
            pointer: "/configuration/analytics/region".to_owned(),
            detail: format!("This server has no address of the region {}. Ask its operator to set one.", new.region),
        });
    }
    let known = fan_outs::environments_of(connection, &actor.organisation_id).await?;
    for (index, id) in new.environment_ids.iter().enumerate() {
        if !(known.contains(id) || stored.contains(id)) {
            violations.push(Violation {
                pointer: format!("/configuration/analytics/filter/environmentIds/{index}"),
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
fn state(integration: &Integration) -> Value {
    json!({
        "type": integration.kind, "enabled": integration.enabled, "region": integration.region,
        "environmentIds": integration.environment_ids,
    })
}

fn resource(integration: &Integration) -> String {
    format!("admin/integrations/outbound/{}", integration.id)
}
