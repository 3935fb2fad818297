//! The background tasks of this node, and how often each kind has panicked.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, resume_unwind};
use std::pin::pin;
use std::time::Duration;

use tokio::sync::{broadcast, watch};

/// The number of kills that may be unread. A task that has missed some is killed once.
const KILLS: usize = 16;

/// How often a kill is sent until a task has panicked.
const KILL_INTERVAL: Duration = Duration::from_millis(20);

/// A kind of background task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackgroundTask {
    /// Reads changes and publishes snapshots.
    Follower,
    /// Receives notifications of other nodes.
    Listener,
    /// Turns changes into deliveries.
    Dispatcher,
    /// Starts a delivery task for each integration.
    Worker,
    /// Delivers the annotations of one integration.
    Delivery,
    /// Sends test events.
    TestEvents,
    /// Writes goals.
    GoalWriter,
    /// Removes what has been kept long enough.
    Sweeper,
    /// Writes when keys were last used.
    KeyUses,
    /// Replaces data keys that are old.
    KeyRotation,
    /// Makes scheduled changes.
    Scheduler,
    /// Checks the guards of experiments.
    Guards,
}

impl BackgroundTask {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Follower,
        Self::Listener,
        Self::Dispatcher,
        Self::Worker,
        Self::Delivery,
        Self::TestEvents,
        Self::GoalWriter,
        Self::Sweeper,
        Self::KeyUses,
        Self::KeyRotation,
        Self::Scheduler,
        Self::Guards,
    ];

    /// The name in logs and metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Follower => "follower",
            Self::Listener => "listener",
            Self::Dispatcher => "dispatcher",
            Self::Worker => "worker",
            Self::Delivery => "delivery",
            Self::TestEvents => "test_events",
            Self::GoalWriter => "goal_writer",
            Self::Sweeper => "sweeper",
            Self::KeyUses => "key_uses",
            Self::KeyRotation => "key_rotation",
            Self::Scheduler => "scheduler",
            Self::Guards => "guards",
        }
    }
}

/// Counts the panics of background tasks.
pub struct BackgroundTasks {
    panics: watch::Sender<BTreeMap<BackgroundTask, u64>>,
    kills: broadcast::Sender<BackgroundTask>,
}

impl Default for BackgroundTasks {
    fn default() -> Self {
        Self { panics: watch::Sender::default(), kills: broadcast::Sender::new(KILLS) }
    }
}

impl BackgroundTasks {
    /// How often tasks of each kind have panicked.
    pub fn panics(&self) -> Vec<(BackgroundTask, u64)> {
        let panics = self.panics.borrow();
        BackgroundTask::ALL.into_iter().map(|task| (task, panics.get(&task).copied().unwrap_or_default())).collect()
    }

    /// Lets all running tasks of a kind panic, and returns when one of them has. For tests.
    pub async fn kill(&self, task: BackgroundTask) {
        let count = |panics: &BTreeMap<BackgroundTask, u64>| panics.get(&task).copied().unwrap_or_default();
        let before = count(&self.panics.borrow());
        let mut panics = self.panics.subscribe();
        let mut again = tokio::time::interval(KILL_INTERVAL);
        let has_panicked = async { drop(panics.wait_for(|panics| count(panics) > before).await) };
        let mut has_panicked = pin!(has_panicked);
        loop {
            tokio::select! {
                () = &mut has_panicked => return,
                // Nobody receives it while no such task runs.
                _ = again.tick() => drop(self.kills.send(task)),
            }
        }
    }

    /// Counts and logs a panic.
    pub fn panicked(&self, task: BackgroundTask, cause: &(dyn Any + Send)) {
        let cause = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
        let (task_name, cause) = (task.name(), cause.unwrap_or("unknown"));
        self.panics.send_modify(|panics| *panics.entry(task).or_default() += 1);
        // A panic here would end the supervision of the task.
        let log = || tracing::error!(task = task_name, cause, "a background task panicked; it is started again");
        drop(catch_unwind(log));
    }

    /// Runs the task until it ends or is killed.
    pub async fn killable<Task: Future>(&self, task: BackgroundTask, work: Task) -> Task::Output {
        let mut kills = self.kills.subscribe();
        let killed = async {
            loop {
                match kills.recv().await {
                    Ok(killed) if killed != task => {}
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                    Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
                }
            }
        };
        let work = pin!(work);
        tokio::select! {
            output = work => output,
            () = killed => resume_unwind(Box::new("killed")),
        }
    }
}
