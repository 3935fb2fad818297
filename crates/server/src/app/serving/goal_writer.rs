//! Writes the goals that wait, and counts participations: those of several requests in one transaction.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use anyhow::anyhow;
use flagservice_rules::Instant;
use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use crate::app::experiments::participation::{self, Reports};
use crate::app::insights;
use crate::app::serving::goal_keys::MAX_KEYS;
use crate::app::time_limit::within;
use crate::app::{App, AppError, Result};
use crate::domain::experiments::participation::ClientReport;
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::node::background_tasks::BackgroundTask;
use crate::serving::goal_queue::Waiting;
use crate::store::experiments::records;
use crate::store::resources::goals;
use crate::store::{self, Connection};

/// Keeps a report, each of its goals once; it is durable when this returns. Returns how many goals are stored: not those with a new key
/// when the environment has too many keys already, unless a running experiment measures it.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the environment is gone, [`AppError::GoalQueueFull`] when too many goals wait, and when
/// the database fails.
pub async fn keep(app: &Arc<App>, environment: EnvironmentId, report: ClientReport) -> Result<usize> {
    let (kept, outcome) = oneshot::channel();
    if app.goals.join(Waiting { environment, report, kept })? {
        // In its own task: the first caller may disconnect, and the goals of the others must still be written.
        tokio::spawn(write_all(Arc::clone(app)));
    }
    outcome.await.map_err(|_| AppError::Internal(anyhow!("the transaction of the goals panicked")))?
}

async fn write_all(app: Arc<App>) {
    while let Some(waiting) = app.goals.next() {
        let written = app.node.background_tasks.killable(BackgroundTask::GoalWriter, write(&app, waiting));
        // After a panic those who waited learn from their channels that there is no outcome.
        if let Err(cause) = AssertUnwindSafe(written).catch_unwind().await {
            app.node.background_tasks.panicked(BackgroundTask::GoalWriter, &*cause);
        }
    }
}

async fn write(app: &App, waiting: Vec<Waiting>) {
    // A caller who has disconnected does not get the result, and sends the goals again.
    match within(insert(app, &waiting)).await {
        Ok(counts) => {
            for (one, count) in waiting.into_iter().zip(counts) {
                let _ = one.kept.send(Ok(count));
            }
        }
        // Somebody's environment is gone. The others' goals count.
        Err(AppError::UnknownClientKey) => {
            for one in waiting {
                let outcome = within(insert(app, std::slice::from_ref(&one))).await;
                let _ = one.kept.send(outcome.map(|counts| counts.into_iter().sum()));
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

/// Inserts the goals of all of them, or of none. Returns how many of each are stored.
async fn insert(app: &App, waiting: &[Waiting]) -> Result<Vec<usize>> {
    let now = app.now();
    let mut write = app.store.write_bulk().await?;
    let connection = write.connection().await?;
    let (stored, dropped) = keep_keys(connection, app, waiting, now).await?;
    let is_kept = |one: &Waiting, goal: &Goal| !dropped.contains(&(&one.environment, goal.key.as_str()));
    let goals = waiting.iter().flat_map(|one| {
        one.report.goals.iter().filter(move |goal| is_kept(one, goal)).map(move |goal| (&one.environment, goal))
    });
    let mut goals: Vec<_> = goals.collect();
    // In one order, so that two nodes that are sent the same goals never wait for each other.
    goals.sort_by(|(_, one), (_, other)| one.id.cmp(&other.id));
    let new_goals = goals::insert(connection, &goals, now).await.map_err(refused)?;
    let mut reports: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for one in waiting {
        reports.entry(&one.environment).or_default().push(&one.report);
    }
    let summaries =
        waiting.iter().flat_map(|one| one.report.summaries.iter().map(|summary| (&one.environment, summary)));
    insights::count::count(connection, &summaries.collect::<Vec<_>>(), now).await.map_err(refused)?;
    let mut guarded = Vec::new();
    for (environment, reports) in reports {
        let reports = Reports { environment, reports, new_goals: &new_goals };
        guarded.extend(participation::count(app, connection, &reports, now).await?);
    }
    write.commit().await?;
    app.guard_checks.request(guarded);
    stored.into_iter().for_each(|(environment, key)| app.goal_keys.note(environment, key, now));
    let count = |one: &Waiting| one.report.goals.iter().filter(|goal| is_kept(one, goal)).count();
    Ok(waiting.iter().map(count).collect())
}

/// The keys of goals, with their environments.
type Keys<'a> = BTreeSet<(&'a EnvironmentId, &'a str)>;

/// Stores the keys that the goals have, or notes their use: those that are stored, and those for which there is no room.
async fn keep_keys<'a>(
    connection: &mut Connection,
    app: &App,
    waiting: &'a [Waiting],
    now: Instant,
) -> Result<(Keys<'a>, Keys<'a>)> {
    let all = waiting.iter().flat_map(|one| one.report.goals.iter().map(|goal| (&one.environment, goal.key.as_str())));
    // In one order, too.
    let new: Keys<'a> = all.filter(|(environment, key)| !app.goal_keys.is_noted(environment, key, now)).collect();
    let (mut stored, mut dropped) = (Keys::new(), Keys::new());
    let (mut known, mut measured) = (HashMap::new(), HashMap::new());
    for (environment, key) in new {
        // Once for each environment: hundreds of invented keys must not take a query each.
        let known = match known.entry(environment) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(goals::keys(connection, environment).await?),
        };
        let is_kept = known.len() < MAX_KEYS || known.contains(key) || {
            // Keys that somebody has invented must not keep an experiment from measuring.
            let measured = match measured.entry(environment) {
                Entry::Occupied(measured) => measured.into_mut(),
                Entry::Vacant(unread) => unread.insert(measured_keys(connection, environment).await?),
            };
            measured.contains(key)
        };
        if is_kept {
            known.insert(key.to_owned());
            stored.insert((environment, key));
        } else {
            dropped.insert((environment, key));
        }
    }
    goals::put_keys(connection, &stored.iter().copied().collect::<Vec<_>>(), now).await.map_err(refused)?;
    Ok((stored, dropped))
}

/// The keys of the goals of the environment's running experiments.
async fn measured_keys(connection: &mut Connection, environment: &EnvironmentId) -> Result<HashSet<String>> {
    let running = records::running(connection, environment).await?.into_iter();
    Ok(running.flat_map(|experiment| experiment.goals).map(|goal| goal.key).collect())
}

fn refused(error: store::Error) -> AppError {
    match error.as_database_error() {
        // The environment was deleted a moment ago.
        Some(refused) if refused.is_foreign_key_violation() => AppError::UnknownClientKey,
        Some(_) | None => error.into(),
    }
}
