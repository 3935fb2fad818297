//! Goals on their way into the database: those that come while others are being written go together, in one transaction.
//!
//! A goal that comes alone is written at once; many share the price of a durable commit, and leave the database to writers
//! of other things in between.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::anyhow;
use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use super::{App, AppError, Result};
use crate::ids::EnvironmentId;
use crate::store::goals::{self, Goal};

/// How many goals go into one transaction, unless a single request has more: others wait for the database meanwhile.
const TOGETHER: usize = 200;

/// The goals that wait.
#[derive(Default)]
pub struct GoalQueue(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Somebody is writing, and will look again when that is done.
    writing: bool,
}

/// The goals of one request.
struct Waiting {
    environment: EnvironmentId,
    goals: Vec<Goal>,
    kept: oneshot::Sender<Result<()>>,
}

impl GoalQueue {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines up; true for the one that must see to it that the queue is written.
    fn join(&self, waiting: Waiting) -> bool {
        let mut queue = self.queue();
        queue.waiting.push(waiting);
        !std::mem::replace(&mut queue.writing, true)
    }

    /// Those who are written next, in the order in which they came; none: nobody writes any more.
    fn next(&self) -> Option<Vec<Waiting>> {
        let mut queue = self.queue();
        queue.writing = !queue.waiting.is_empty();
        let mut goals = 0;
        let others = queue.waiting.iter().position(|waiting| {
            goals += waiting.goals.len();
            goals > TOGETHER
        });
        let others = others.map_or(queue.waiting.len(), |place| place.max(1));
        let together: Vec<_> = queue.waiting.drain(..others).collect();
        (!together.is_empty()).then_some(together)
    }
}

/// Keeps goals, each once; they are durable when this returns.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the environment is gone, and when the database fails.
pub async fn keep(app: &Arc<App>, environment: EnvironmentId, goals: Vec<Goal>) -> Result<()> {
    let (kept, outcome) = oneshot::channel();
    if app.goals.join(Waiting { environment, goals, kept }) {
        // A task of its own: whoever came first may go away, and the others' goals must be written all the same.
        tokio::spawn(write_all(Arc::clone(app)));
    }
    outcome.await.map_err(|_| AppError::Internal(anyhow!("the goals' transaction came to no end")))?
}

async fn write_all(app: Arc<App>) {
    while let Some(waiting) = app.goals.next() {
        // After a panic those who waited learn from their channels that there is no outcome.
        let _ = AssertUnwindSafe(write(&app, waiting)).catch_unwind().await;
    }
}

async fn write(app: &App, waiting: Vec<Waiting>) {
    // Who has gone meanwhile, and does not hear the outcome, sends again.
    match insert(app, &waiting).await {
        Ok(()) => {
            for one in waiting {
                let _ = one.kept.send(Ok(()));
            }
        }
        // Somebody's environment is gone. The others' goals count.
        Err(AppError::UnknownClientKey) => {
            for one in waiting {
                let outcome = insert(app, std::slice::from_ref(&one)).await;
                let _ = one.kept.send(outcome);
            }
        }
        Err(error) => {
            let unreachable = matches!(error, AppError::Unavailable(_));
            for one in waiting {
                let cause = anyhow!("{error:?}");
                let failed = if unreachable { AppError::Unavailable(cause) } else { AppError::Internal(cause) };
                let _ = one.kept.send(Err(failed));
            }
        }
    }
}

/// Inserts the goals of all of them, or of none.
async fn insert(app: &App, waiting: &[Waiting]) -> Result<()> {
    let goals = waiting.iter().flat_map(|one| one.goals.iter().map(move |goal| (&one.environment, goal)));
    let mut goals: Vec<_> = goals.collect();
    // In one order, so that two nodes that are sent the same goals never wait for each other.
    goals.sort_by(|(_, one), (_, other)| one.id.cmp(&other.id));
    let mut write = app.store.write().await?;
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
