//! Changes at a time to come: which time is permitted, and what a change is made for. `scheduler.rs` makes them, `given_up.rs` ends those
//! that are not made.

pub mod given_up;
pub mod scheduler;

use std::time::Duration;

use flagservice_rules::{Instant, Targeting};
use jiff::Timestamp;

use crate::app::changes::targeting;
use crate::app::{App, AppError, Result};
use crate::domain::feature::Feature;
use crate::domain::ids::EnvironmentId;
use crate::store::changes::approvals;
use crate::store::{self, Connection};

/// How far ahead a change can be scheduled.
const MAX_AHEAD: Duration = Duration::from_hours(366 * 24);

/// The targeting that a change is made for: what the last change that is scheduled before its time leaves, else the current one.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn base(
    connection: &mut Connection,
    environment: &EnvironmentId,
    feature: &Feature,
    scheduled_for: Instant,
) -> store::Result<Targeting> {
    match approvals::last_scheduled(connection, environment, &feature.id, scheduled_for).await? {
        Some(earlier) => Ok(earlier.after),
        None => Ok(targeting::current(connection, environment, feature).await?.targeting),
    }
}

/// Lets a time pass that is to come, and later than every change of the targeting that is scheduled already: those were made for what
/// is there without this one.
///
/// # Errors
/// [`AppError::Invalid`] names the time, and the other change.
pub(in crate::app) async fn check_time(
    connection: &mut Connection,
    app: &App,
    (environment, feature): (&EnvironmentId, &Feature),
    scheduled_for: Instant,
) -> Result<()> {
    check_range(app, scheduled_for)?;
    match due_at_or_after(connection, (environment, feature), scheduled_for).await? {
        Some(last) => Err(refused(format!(
            "must be later than {}, when another change of this targeting is due. Cancel that one first",
            Timestamp::from_millisecond(last.0).unwrap_or(Timestamp::MAX)
        ))),
        None => Ok(()),
    }
}

/// When the last change of the targeting is due that is scheduled already; none if this time is later.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn due_at_or_after(
    connection: &mut Connection,
    (environment, feature): (&EnvironmentId, &Feature),
    scheduled_for: Instant,
) -> store::Result<Option<Instant>> {
    let last = approvals::last_scheduled(connection, environment, &feature.id, Instant(i64::MAX)).await?;
    Ok(last.and_then(|last| last.scheduled_for).filter(|last| *last >= scheduled_for))
}

/// Lets a time pass that is to come, within a year.
///
/// # Errors
/// [`AppError::Invalid`] for any other.
pub(in crate::app) fn check_range(app: &App, scheduled_for: Instant) -> Result<()> {
    if scheduled_for <= app.now() {
        return Err(refused("must be in the future. Leave it out to make the change now"));
    }
    if scheduled_for > app.clock.after(MAX_AHEAD) {
        return Err(refused("must be within a year"));
    }
    Ok(())
}

fn refused(detail: impl Into<String>) -> AppError {
    AppError::invalid("/scheduledFor", detail)
}
