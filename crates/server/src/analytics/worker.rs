//! The worker: starts a task for each integration with waiting deliveries, on one node at a time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time;

use crate::analytics::integration_sender::IntegrationSender;
use crate::analytics::leased_integration::{Ended, LeasedIntegration};
use crate::app::Result;
use crate::app::delivery::leases;
use crate::clock::Stopwatch;
use crate::domain::ids::IntegrationId;
use crate::domain::integration::Lease;
use crate::node::background_tasks::BackgroundTask;
use crate::node::drain::{self, Stage};

/// How often the queue is checked for deliveries of other nodes, which do not notify this one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long a lease stays valid without renewal while deliveries wait. Its holder renews it before and after each attempt, so
/// this must be longer than an attempt or the longest pause.
const LEASE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long an integration waits whose task panicked or could deliver nothing, so that it costs the others nothing.
const PAUSE: Duration = Duration::from_secs(1);

/// Assigns integrations with waiting deliveries to tasks.
pub(super) struct Worker {
    sender: Arc<IntegrationSender>,
    node: String,
    /// Notified when deliveries were queued.
    queued: Arc<Notify>,
    stage: watch::Receiver<Stage>,
    /// The integrations with a running task of this node.
    running: HashMap<task::Id, IntegrationId>,
    tasks: JoinSet<Ended>,
    /// The integrations whose task panicked or could deliver nothing, and until when they wait.
    paused: HashMap<IntegrationId, time::Instant>,
    /// The leases of other nodes, and since when they have not been renewed.
    other_leases: HashMap<IntegrationId, (Lease, Stopwatch)>,
}

impl Worker {
    pub(super) fn new(sender: Arc<IntegrationSender>, node: String, queued: Arc<Notify>) -> Self {
        let stage = sender.app.node.drain.subscribe();
        let (running, tasks, paused, other_leases) = (HashMap::new(), JoinSet::new(), HashMap::new(), HashMap::new());
        Self { sender, node, queued, stage, running, tasks, paused, other_leases }
    }

    /// Runs until the node stops and its tasks have ended.
    pub(super) async fn run(mut self) {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        let mut stopping = self.stage.clone();
        let mut failing = false;
        loop {
            tokio::select! {
                () = drain::begun(&mut stopping) => break,
                () = self.queued.notified() => {}
                // Check the queue again: deliveries may have arrived while the task was ending.
                Some(ended) = self.tasks.join_next_with_id() => self.note_end(ended),
                _ = poll.tick() => {}
            }
            match self.start_tasks().await {
                Ok(()) => failing = false,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::error!(%error, "cannot read the delivery queue; deliveries stay in the database");
                    }
                }
            }
        }
        while self.tasks.join_next().await.is_some() {}
    }

    fn note_end(&mut self, ended: std::result::Result<(task::Id, Ended), JoinError>) {
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let integration = self.running.remove(&id);
        let blocked = match ended {
            Ok((_, ended)) => ended == Ended::Blocked,
            Err(error) => error
                .try_into_panic()
                .map(|cause| self.sender.app.node.background_tasks.panicked(BackgroundTask::Delivery, &*cause))
                .is_ok(),
        };
        if blocked {
            self.paused.extend(integration.map(|id| (id, time::Instant::now() + PAUSE)));
        }
    }

    /// Starts a task for each integration that has waiting deliveries and no valid lease of another node.
    async fn start_tasks(&mut self) -> Result<()> {
        let work = leases::with_work(&self.sender.app).await?;
        self.other_leases.retain(|known, _| work.iter().any(|(id, _)| id == known));
        self.paused.retain(|_, until| *until > time::Instant::now());
        for (id, lease) in work {
            if self.paused.contains_key(&id) || self.running.values().any(|running| *running == id) {
                continue;
            }
            let fence = if lease.holder == self.node { Some(lease.fence) } else { self.take_lease(&id, lease).await? };
            if let Some(fence) = fence {
                self.other_leases.remove(&id);
                let integration = LeasedIntegration {
                    sender: Arc::clone(&self.sender),
                    stage: self.stage.clone(),
                    id: id.clone(),
                    fence,
                    settled: 0,
                    in_progress: None,
                };
                let app = Arc::clone(&self.sender.app);
                let task = async move {
                    app.node.background_tasks.killable(BackgroundTask::Delivery, integration.run()).await
                };
                self.running.insert(self.tasks.spawn(task).id(), id);
            }
        }
        Ok(())
    }

    /// Takes the lease if it is free or has timed out, and returns its fence.
    async fn take_lease(&mut self, id: &IntegrationId, lease: Lease) -> Result<Option<u64>> {
        let clock = &*self.sender.app.clock;
        if !lease.holder.is_empty() {
            // Clocks of other nodes do not matter: what counts is how long this node has seen no renewal.
            let (seen, stopwatch) =
                self.other_leases.entry(id.clone()).or_insert_with(|| (lease.clone(), Stopwatch::start(clock)));
            if *seen != lease {
                (*seen, *stopwatch) = (lease, Stopwatch::start(clock));
                return Ok(None);
            }
            if !stopwatch.has_run_for(LEASE_TIMEOUT, clock) {
                return Ok(None);
            }
        }
        leases::take_over(&self.sender.app, id, &self.node, &lease).await
    }
}
