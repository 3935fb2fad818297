//! Who delivers: a task for each integration with something that waits, in the order of changes, on one node at a time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;
use tokio::sync::{Notify, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use crate::analytics::connection::Dialler;
use crate::analytics::dispatcher::Dispatcher;
use crate::analytics::holding::Holding;
use crate::analytics::sender::Sender;
use crate::analytics::test_events;
use crate::app::delivery::leases;
use crate::app::serving::drain::{self, Stage};
use crate::app::{App, Result};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::Lease;
use crate::random;

/// How often it is looked whether something waits, for what nobody told of: another node may have queued it.
const POLL: Duration = Duration::from_secs(1);

/// How long the holder of a lease may give no sign of life while something waits. It gives one before each attempt and
/// after it, so that these are never farther apart than an attempt and the longest pause take.
const SILENCE: i64 = 15_000;

/// How long the end waits for an attempt that is under way.
const END: Duration = Duration::from_secs(12);

/// The tasks that deliver.
pub struct Delivering {
    app: Arc<App>,
    node: String,
    dispatcher: JoinHandle<()>,
    tests: JoinHandle<()>,
    worker: JoinHandle<()>,
}

impl Delivering {
    /// Starts them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(app: Arc<App>) -> anyhow::Result<Self> {
        leases::release_ended(&app).await?;
        let node = format!("{:032x}", u128::from_be_bytes(random::bytes(&*app.random)));
        let (queued, dialler) = (Arc::new(Notify::new()), Arc::new(Dialler::new(Arc::clone(&app.clock))));
        let dispatcher = Dispatcher::new(Arc::clone(&app), Arc::clone(&queued));
        let sender = Arc::new(Sender { app: Arc::clone(&app), dialler });
        let tests = app.test_events.take().map(|events| test_events::take(Arc::clone(&sender), events));
        let worker = Worker {
            sender,
            node: node.clone(),
            queued,
            stage: app.drain.stage(),
            running: HashSet::new(),
            tasks: JoinSet::new(),
            seen: HashMap::new(),
        };
        Ok(Self {
            app,
            node,
            dispatcher: tokio::spawn(dispatcher.run()),
            tests: tokio::spawn(async move {
                if let Some(tests) = tests {
                    tests.await;
                }
            }),
            worker: tokio::spawn(worker.run()),
        })
    }

    /// Lets an attempt that is under way come to its end, and leaves the rest to the next start, or to other nodes.
    pub async fn stop(self) {
        self.app.drain.end();
        self.dispatcher.abort();
        let mut worker = self.worker;
        if timeout(END, &mut worker).await.is_err() {
            worker.abort();
        }
        self.tests.abort();
        // What is not released is taken over when it has been silent long enough.
        let _ = timeout(POLL, leases::release(&self.app, &self.node)).await;
    }
}

/// Sees to it that what waits is delivered.
struct Worker {
    sender: Arc<Sender>,
    node: String,
    queued: Arc<Notify>,
    stage: watch::Receiver<Stage>,
    /// The integrations that a task of this node delivers to.
    running: HashSet<IntegrationId>,
    tasks: JoinSet<IntegrationId>,
    /// The leases of other nodes, and since when nothing has been heard of them.
    seen: HashMap<IntegrationId, (Lease, Instant)>,
}

impl Worker {
    async fn run(mut self) {
        let mut poll = tokio::time::interval(POLL);
        let mut stopping = self.stage.clone();
        let mut failing = false;
        loop {
            tokio::select! {
                () = drain::begun(&mut stopping) => break,
                () = self.queued.notified() => {}
                Some(ended) = self.tasks.join_next() => {
                    match ended {
                        Ok(integration) => drop(self.running.remove(&integration)),
                        // A task that panicked has not said which one it was. None of them is to be lost.
                        Err(_) => self.tasks_lost().await,
                    }
                    // Something may have come while it was ending.
                }
                _ = poll.tick() => {}
            }
            match self.look().await {
                Ok(()) => failing = false,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::error!(%error, "what waits for integrations cannot be read; it stays in the database");
                    }
                }
            }
        }
        while self.tasks.join_next().await.is_some() {}
    }

    async fn tasks_lost(&mut self) {
        tracing::error!("a delivery came to no end; it is begun anew");
        self.tasks.shutdown().await;
        self.running.clear();
    }

    /// Starts a task for each integration with something that waits and no living holder.
    async fn look(&mut self) -> Result<()> {
        let work = leases::with_work(&self.sender.app).await?;
        self.seen.retain(|known, _| work.iter().any(|(id, _)| id == known));
        for (id, lease) in work {
            if self.running.contains(&id) {
                continue;
            }
            let fence = if lease.holder == self.node { Some(lease.fence) } else { self.take(&id, lease).await? };
            if let Some(fence) = fence {
                self.seen.remove(&id);
                self.running.insert(id.clone());
                let holding =
                    Holding { sender: Arc::clone(&self.sender), stage: self.stage.clone(), id, fence, earlier: None };
                self.tasks.spawn(holding.run());
            }
        }
        Ok(())
    }

    /// Takes the integration if nobody delivers to it, or nobody who lives.
    async fn take(&mut self, id: &IntegrationId, lease: Lease) -> Result<Option<u64>> {
        let now = self.sender.app.now();
        if !lease.holder.is_empty() {
            // The holder's clock does not matter: what counts is how long this node has seen no sign of life.
            let (seen, since) = self.seen.entry(id.clone()).or_insert_with(|| (lease.clone(), now));
            if *seen != lease {
                (*seen, *since) = (lease, now);
                return Ok(None);
            }
            if now.0.saturating_sub(since.0) < SILENCE {
                return Ok(None);
            }
        }
        leases::take_over(&self.sender.app, id, &self.node, &lease).await
    }
}
