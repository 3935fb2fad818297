//! What the follower reads: each environment in a task of its own with a connection of its own, so that one in which much changes
//! does not delay the others.

use std::collections::{HashSet, VecDeque};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::app::serving::updates::{EnvironmentVersion, FollowedEnvironment, MAX_UPDATES, Updates};
use crate::app::{App, AppError, Result};
use crate::domain::ids::EnvironmentId;
use crate::live::progress_timeout::{NoProgress, progress_timeout};
use crate::serving::snapshot::EnvironmentSnapshot;

/// How many environments are read at the same time. One connection is left for the versions of all.
const MAX_ENVIRONMENTS: usize = MAX_UPDATES - 1;

/// How long the database may take to connect, and how long to respond to one question. Reading a large environment takes many.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(3);

/// What can be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// New data keys, and the versions of all environments.
    Versions,
    /// The changes of an environment.
    Environment(EnvironmentId),
}

/// A read that has finished.
pub(super) struct Finished {
    pub(super) began: Instant,
    pub(super) outcome: Outcome,
}

/// What was read.
pub(super) enum Outcome {
    Versions(Result<Vec<EnvironmentVersion>>),
    Environment(EnvironmentId, Box<Result<FollowedEnvironment>>),
}

/// The reads that wait and those that run. A subject is never read twice at the same time.
pub(super) struct Reads {
    app: Arc<App>,
    /// In the order in which they were asked for.
    waiting: VecDeque<Subject>,
    running: HashSet<Subject>,
    tasks: JoinSet<Finished>,
}

impl Reads {
    pub(super) fn new(app: &Arc<App>) -> Self {
        Self { app: Arc::clone(app), waiting: VecDeque::new(), running: HashSet::new(), tasks: JoinSet::new() }
    }

    /// Asks for a read that begins after this call.
    pub(super) fn request(&mut self, subject: Subject) {
        if !self.waiting.contains(&subject) {
            self.waiting.push_back(subject);
        }
    }

    /// Starts the reads that wait and may run. `known` has the snapshot of an environment from which its read continues.
    pub(super) fn start(&mut self, known: impl Fn(&EnvironmentId) -> Option<Arc<EnvironmentSnapshot>>) {
        let mut next = 0;
        while let Some(subject) = self.waiting.get(next) {
            if !self.may_run(subject) {
                next += 1;
                continue;
            }
            let Some(subject) = self.waiting.remove(next) else { return };
            self.running.insert(subject.clone());
            let (app, began) = (Arc::clone(&self.app), Instant::now());
            match subject {
                Subject::Versions => self.tasks.spawn(async move {
                    let outcome = Outcome::Versions(versions(&app).await);
                    Finished { began, outcome }
                }),
                Subject::Environment(id) => {
                    let known = known(&id);
                    self.tasks.spawn(async move {
                        let read = environment(&app, &id, known).await;
                        Finished { began, outcome: Outcome::Environment(id, Box::new(read)) }
                    })
                }
            };
        }
    }

    fn may_run(&self, subject: &Subject) -> bool {
        let environments = self.running.len() - usize::from(self.running.contains(&Subject::Versions));
        !self.running.contains(subject) && (*subject == Subject::Versions || environments < MAX_ENVIRONMENTS)
    }

    /// Waits until a read has finished. `None` if none runs.
    pub(super) async fn next(&mut self) -> Option<Finished> {
        let finished = match self.tasks.join_next().await? {
            Ok(finished) => finished,
            // Nobody aborts a read while the follower runs.
            Err(panicked) => resume_unwind(panicked.into_panic()),
        };
        self.running.remove(&match &finished.outcome {
            Outcome::Versions(_) => Subject::Versions,
            Outcome::Environment(id, _) => Subject::Environment(id.clone()),
        });
        Some(finished)
    }

    /// Waits for the reads that run: a connection that is cancelled while it opens a file may close it after the service.
    pub(super) async fn end(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

async fn versions(app: &App) -> Result<Vec<EnvironmentVersion>> {
    within_time(app, async |updates| {
        updates.follow_keys(app).await?;
        updates.versions(app).await
    })
    .await
}

async fn environment(
    app: &App,
    id: &EnvironmentId,
    known: Option<Arc<EnvironmentSnapshot>>,
) -> Result<FollowedEnvironment> {
    within_time(app, async |updates| updates.environment(id, known.as_deref()).await).await
}

/// Reads, and gives up if the database does not respond in time.
async fn within_time<T>(app: &App, read: impl AsyncFnOnce(&mut Updates) -> Result<T>) -> Result<T> {
    let mut updates = timeout(DATABASE_TIMEOUT, Updates::open(app)).await.map_err(|_| timed_out())??;
    match progress_timeout(DATABASE_TIMEOUT, read(&mut updates)).await {
        Ok(read) => read,
        Err(NoProgress) => {
            updates.abandon();
            Err(timed_out())
        }
    }
}

fn timed_out() -> AppError {
    AppError::Unavailable(anyhow!("the database did not respond in time"))
}
