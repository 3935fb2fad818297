//! From changes to deliveries: one for each enabled integration whose filter matches, queued with the cursor that says how
//! far the outbox was read. It is called by those who deliver, and before an integration changes: what was changed earlier
//! is queued by the settings that held then.

use std::collections::HashMap;

use tokio::sync::Notify;

use crate::app::time_limit::within;
use crate::app::{App, AppError, Operation, Result};
use crate::domain::changes::flag_change::{Announcement, Aspect, FeatureChange, FlagChange};
use crate::domain::delivery::{Delivery, DeliveryState};
use crate::domain::environment::Environment;
use crate::domain::ids::{EnvironmentId, OrganisationId};
use crate::domain::project::Project;
use crate::store::delivery::deliveries;
use crate::store::delivery::fan_outs::{self, Pending};
use crate::store::delivery::integrations::{self, Recipient};
use crate::store::{self, Connection};

/// How many entries are read at once.
const WINDOW: u64 = 500;

/// What was done in one go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many deliveries were queued.
    pub queued: usize,
    /// Whether the outbox may have more.
    pub more: bool,
}

/// Fans out all new entries of every organisation, and wakes the deliverers.
///
/// # Errors
/// When the database fails.
pub async fn dispatch(app: &App, queued: &Notify) -> Result<()> {
    let behind = within(async { Ok(fan_outs::behind(&mut *app.store.read().await?).await?) }).await?;
    let mut failed = Ok(());
    for organisation in behind {
        match dispatch_all(app, queued, &organisation).await {
            // What cannot be read of one organisation does not hold up the others.
            Err(error @ (AppError::Internal(_) | AppError::Unreadable(_))) => failed = Err(error),
            done => done?,
        }
    }
    failed
}

async fn dispatch_all(app: &App, queued: &Notify, organisation: &OrganisationId) -> Result<()> {
    loop {
        let progress = within(dispatch_next(app, organisation)).await?;
        if progress.queued > 0 {
            queued.notify_one();
        }
        if !progress.more {
            return Ok(());
        }
    }
}

async fn dispatch_next(app: &App, organisation: &OrganisationId) -> Result<Progress> {
    let mut write = app.begin_bulk().await?;
    let progress = dispatch_batch(app, write.connection().await?, organisation).await?;
    write.commit().await?;
    Ok(progress)
}

/// Fans out what the organisation's outbox has next, in the caller's transaction.
///
/// # Errors
/// When the database fails; then nothing may be committed.
async fn dispatch_batch(
    app: &App,
    connection: &mut Connection,
    organisation: &OrganisationId,
) -> store::Result<Progress> {
    let mut position = fan_outs::lock(connection, organisation).await?;
    let recipients = integrations::recipients(connection, organisation).await?;
    let pending = fan_outs::pending(connection, organisation, WINDOW).await?;
    let more = u64::try_from(pending.len()).unwrap_or(u64::MAX) >= WINDOW;
    let mut progress = Progress { queued: 0, more };
    let mut cursors: HashMap<EnvironmentId, u64> = HashMap::new();
    for entry in pending {
        let announced = entry.change.as_ref().ok().and_then(FlagChange::announced);
        for recipient in recipients.rows.iter().filter(|recipient| matches(recipient, &entry.environment_id)) {
            let Some(announcement) = announced.as_ref().filter(|announced| gets(recipient, announced)) else {
                continue;
            };
            position += 1;
            let delivery = Delivery {
                integration_id: recipient.id.clone(),
                position,
                entry: name_of(&entry, announcement),
                at: entry.at,
                announcement: announcement.clone(),
                is_test: false,
                state: DeliveryState::Waiting,
                attempts: Vec::new(),
                settled_at: None,
            };
            progress.queued += usize::from(deliveries::insert(connection, &delivery).await?);
        }
        if let Err(unreadable) = entry.change {
            app.set_aside.note_undelivered(unreadable);
        }
        cursors.insert(entry.environment_id, entry.version);
    }
    recipients.unreadable.into_iter().for_each(|row| app.set_aside.note_undelivered(row));
    for (environment, version) in &cursors {
        fan_outs::advance(connection, environment, *version).await?;
    }
    fan_outs::set_position(connection, organisation, position).await?;
    Ok(progress)
}

/// Fans out all that is in the organisation's outbox. Without an integration there is nobody to tell, and it is passed over.
pub(in crate::app) async fn finish(operation: &mut Operation<'_>) -> Result<()> {
    let organisation = &operation.actor.organisation_id;
    let connection = operation.write.connection().await?;
    fan_outs::lock(connection, organisation).await?;
    let recipients = integrations::recipients(connection, organisation).await?;
    if recipients.rows.is_empty() && recipients.unreadable.is_empty() {
        return Ok(fan_outs::skip(connection, organisation).await?);
    }
    while dispatch_batch(operation.app, connection, organisation).await?.more {}
    Ok(())
}

/// The organisation's next position, for a delivery that comes from no outbox.
pub(in crate::app) async fn next_position(connection: &mut Connection, organisation: &OrganisationId) -> Result<u64> {
    let position = fan_outs::lock(connection, organisation).await? + 1;
    fan_outs::set_position(connection, organisation, position).await?;
    Ok(position)
}

/// The synthetic change of a test event, in an environment of a project if there is one.
pub(in crate::app) fn test_change(place: Option<(&Project, &Environment)>, user: &str) -> FeatureChange {
    let (project_key, environment_key, environment_name) = match place {
        Some((project, environment)) => (project.key.as_str(), environment.key.as_str(), environment.name.as_str()),
        None => ("test", "test", "Test"),
    };
    FeatureChange {
        aspects: vec![Aspect::Enabled],
        feature_key: "test-event".to_owned(),
        feature_name: "Test event".to_owned(),
        project_key: project_key.to_owned(),
        environment_key: environment_key.to_owned(),
        environment_name: environment_name.to_owned(),
        user_name: user.to_owned(),
        break_glass: None,
        transitions: Vec::new(),
    }
}

fn matches(recipient: &Recipient, environment: &EnvironmentId) -> bool {
    let filter = &recipient.environment_ids;
    recipient.enabled && (filter.is_empty() || filter.contains(environment))
}

/// Annotations are of changes alone.
fn gets(recipient: &Recipient, announcement: &Announcement) -> bool {
    recipient.takes_approvals || announcement.approval().is_none()
}

/// A change of the feature itself is one, however many environments it touches; any other is one for each environment.
fn name_of(entry: &Pending, announcement: &Announcement) -> String {
    if announcement.change().is_everywhere() {
        return entry.change_id.clone();
    }
    format!("{}:{}", entry.change_id, entry.environment_id)
}
