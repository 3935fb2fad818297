//! Writes the goals that wait: those of several requests in one transaction.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use anyhow::anyhow;
use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use crate::app::serving::goal_queue::Waiting;
use crate::app::time_limit::within;
use crate::app::{App, AppError, Result};
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::store::resources::goals;

/// Keeps goals, each once; they are durable when this returns.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the environment is gone, and when the database fails.
pub async fn keep(app: &Arc<App>, environment: EnvironmentId, goals: Vec<Goal>) -> Result<()> {
    let (kept, outcome) = oneshot::channel();
    if app.goals.join(Waiting { environment, goals, kept }) {
        // In its own task: the first caller may disconnect, and the goals of the others must still be written.
        tokio::spawn(write_all(Arc::clone(app)));
    }
    outcome.await.map_err(|_| AppError::Internal(anyhow!("the transaction of the goals panicked")))?
}

async fn write_all(app: Arc<App>) {
    while let Some(waiting) = app.goals.next() {
        // After a panic those who waited learn from their channels that there is no outcome.
        let _ = AssertUnwindSafe(write(&app, waiting)).catch_unwind().await;
    }
}

async fn write(app: &App, waiting: Vec<Waiting>) {
    // A caller who has disconnected does not get the result, and sends the goals again.
    match within(insert(app, &waiting)).await {
        Ok(()) => {
            for one in waiting {
                let _ = one.kept.send(Ok(()));
            }
        }
        // Somebody's environment is gone. The others' goals count.
        Err(AppError::UnknownClientKey) => {
            for one in waiting {
                let outcome = within(insert(app, std::slice::from_ref(&one))).await;
                let _ = one.kept.send(outcome);
            }
        }
        Err(error) => {
            for one in waiting {
                let _ = one.kept.send(Err(alike(&error)));
            }
        }
    }
}

/// What each of those is told whose goals were in the transaction that failed.
fn alike(error: &AppError) -> AppError {
    if matches!(error, AppError::StorageFull) {
        AppError::StorageFull
    } else if matches!(error, AppError::ReadOnlyStorage) {
        AppError::ReadOnlyStorage
    } else if let AppError::Unavailable(cause) = error {
        AppError::Unavailable(anyhow!("{cause:#}"))
    } else if let AppError::Busy(cause) = error {
        AppError::Busy(anyhow!("{cause:#}"))
    } else {
        AppError::Internal(anyhow!("{error:?}"))
    }
}

/// Inserts the goals of all of them, or of none.
async fn insert(app: &App, waiting: &[Waiting]) -> Result<()> {
    let goals = waiting.iter().flat_map(|one| one.goals.iter().map(move |goal| (&one.environment, goal)));
    let mut goals: Vec<_> = goals.collect();
    // In one order, so that two nodes that are sent the same goals never wait for each other.
    goals.sort_by(|(_, one), (_, other)| one.id.cmp(&other.id));
    let mut write = app.store.write_bulk().await?;
    for (environment, goal) in goals {
        let connection = write.connection().await?;
        let inserted = goals::insert(connection, environment, goal, app.now()).await;
        inserted.map_err(|error| match error.as_database_error() {
            // The environment was deleted a moment ago.
            Some(refused) if refused.is_foreign_key_violation() => AppError::UnknownClientKey,
            Some(_) | None => error.into(),
        })?;
    }
    write.commit().await?;
    Ok(())
}
