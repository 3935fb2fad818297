//! Who delivers: a task for each integration with something that waits, in the order of changes, on one node at a time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use flagservice_rules::Instant;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::annotation::{Annotation, Change};
use super::connection::Dialler;
use super::destination::{Destination, after, pass};
use super::dispatcher::Dispatcher;
use super::sending::{Between, send};
use crate::app::drain::{self, Stage};
use crate::app::integrations::{Attempt, Delivery, DeliveryState, Integration, LOGGED, Outcome};
use crate::app::test_events::{Sent, TestEvent};
use crate::app::{App, Result, credentials};
use crate::ids::IntegrationId;
use crate::random;
use crate::store::integrations::Lease;
use crate::store::{deliveries, integrations};

/// How often it is looked whether something waits, for what nobody told of: another node may have queued it.
const POLL: Duration = Duration::from_secs(1);

/// How long the holder of a lease may give no sign of life while something waits. It gives one before each attempt and
/// after it, so that these are never farther apart than an attempt and the longest pause take.
const SILENCE: i64 = 15_000;

/// How long a test event may take, pause and second attempt included.
const TEST: Duration = Duration::from_secs(24);

/// How long the end waits for an attempt that is under way.
const END: Duration = Duration::from_secs(12);

/// The log is cut each time that this many deliveries were added.
const PRUNE: u64 = 50;

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
        if !app.store.has_several_nodes() {
            // Nobody else delivers from this file: whoever held a lease has ended.
            let mut write = app.store.write().await?;
            integrations::release(write.connection().await?, None).await?;
            write.commit().await?;
        }
        let node = format!("{:032x}", u128::from_be_bytes(random::bytes(&*app.random)));
        let (queued, dialler) = (Arc::new(Notify::new()), Arc::new(Dialler::new(Arc::clone(&app.clock))));
        let dispatcher = Dispatcher::new(Arc::clone(&app), Arc::clone(&queued));
        let sender = Arc::new(Sender { app: Arc::clone(&app), dialler });
        let tests = app.test_events.take().map(|events| take_tests(Arc::clone(&sender), events));
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
        let release = async {
            let mut write = self.app.store.write().await?;
            integrations::release(write.connection().await?, Some(&self.node)).await?;
            write.commit().await
        };
        // What is not released is taken over when it has been silent long enough.
        let _ = timeout(POLL, release).await;
    }
}

/// What sends.
struct Sender {
    app: Arc<App>,
    dialler: Arc<Dialler>,
}

/// Why nothing can be sent to an integration. What waits goes on waiting.
enum Stuck {
    /// The region has no address.
    Address(String),
    /// The keys cannot be read.
    Keys,
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(region) => {
                write!(f, "Not sent: this server has no address of the region {region}. Ask its operator to set one.")
            }
            Self::Keys => f.write_str("Not sent: the stored keys cannot be read. Enter both keys anew."),
        }
    }
}

impl Sender {
    async fn send(
        &self,
        integration: &Integration,
        (change, at): (&serde_json::Value, Instant),
        deadline: Option<Instant>,
        between: &mut dyn Between,
    ) -> Result<std::result::Result<Option<Sent>, Stuck>> {
        let app = &*self.app;
        let Some(address) = app.outbound.address(integration.region) else {
            return Ok(Err(Stuck::Address(integration.region.to_string())));
        };
        let Some(credentials) = credentials::open(app, &integration.id, &integration.credentials).await? else {
            return Ok(Err(Stuck::Keys));
        };
        let change: Change = serde_json::from_value(change.clone()).map_err(anyhow::Error::new)?;
        let public = app.outbound.public.as_ref().map_or("", |public| public.as_str());
        let annotation = Annotation::of(&change, at, public);
        let destination = Destination { app, dialler: &self.dialler, address, credentials: &credentials };
        Ok(Ok(send(&destination, &annotation, deadline, between).await))
    }
}

/// Sends test events as they come, each at once.
async fn take_tests(sender: Arc<Sender>, mut events: mpsc::Receiver<TestEvent>) {
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => drop(tasks.spawn(test(Arc::clone(&sender), event))),
                None => return,
            },
            Some(_) = tasks.join_next() => {}
        }
    }
}

async fn test(sender: Arc<Sender>, TestEvent { integration, change, sent }: TestEvent) {
    struct Alone(Arc<App>);

    #[async_trait]
    impl Between for Alone {
        async fn failed(&mut self, _: &Attempt) -> bool {
            true
        }

        async fn wait(&mut self, pause: Duration) -> bool {
            pass(&self.0, pause).await;
            true
        }
    }

    let app = &sender.app;
    let deadline = after(app, TEST);
    let mut alone = Alone(Arc::clone(app));
    let outcome = match sender.send(&integration, (&change, app.now()), Some(deadline), &mut alone).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(stuck)) => {
            let attempt = Attempt { at: app.now(), status: None, detail: stuck.to_string() };
            Some(Sent { success: false, attempts: vec![attempt] })
        }
        Err(error) => {
            tracing::error!(%error, integration = %integration.id, "a test event was not sent");
            None
        }
    };
    if let Some(outcome) = outcome {
        // Who asked may have gone.
        let _ = sent.send(outcome);
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
        let app = Arc::clone(&self.sender.app);
        let work = integrations::with_work(&mut *app.store.read().await?).await?;
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
        let app = Arc::clone(&self.sender.app);
        let now = app.now();
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
        let mut write = app.store.write().await?;
        let fence = integrations::take_over(write.connection().await?, id, &self.node, &lease).await?;
        write.commit().await?;
        Ok(fence)
    }
}

/// An integration that this node delivers to.
struct Holding {
    sender: Arc<Sender>,
    stage: watch::Receiver<Stage>,
    id: IntegrationId,
    fence: u64,
    /// What is being delivered, while it is.
    earlier: Option<Delivery>,
}

impl Holding {
    /// Delivers until nothing waits, the node stops or somebody else has taken over.
    async fn run(mut self) -> IntegrationId {
        // After each delivery its outcome was a sign of life.
        let mut renewed = false;
        while *self.stage.borrow() == Stage::Serving {
            match self.next(renewed).await {
                Ok(true) => renewed = true,
                Ok(false) => break,
                Err(error) => {
                    tracing::error!(%error, integration = %self.id, "an annotation is not delivered now; it goes on waiting");
                    break;
                }
            }
        }
        self.id
    }

    /// Delivers the first that waits; false when there is nothing more to do.
    async fn next(&mut self, renewed: bool) -> Result<bool> {
        let app = Arc::clone(&self.sender.app);
        let mut connection = app.store.read().await?;
        let Some((integration, _)) = integrations::get(&mut connection, &self.id).await? else { return Ok(false) };
        let next = deliveries::next(&mut connection, &self.id).await?;
        drop(connection);
        let Some(delivery) = next.filter(|_| integration.enabled) else { return Ok(false) };
        if !renewed && !self.renew().await? {
            return Ok(false);
        }
        self.earlier = Some(delivery.clone());
        let sender = Arc::clone(&self.sender);
        match sender.send(&integration, (&delivery.change, delivery.at), None, self).await? {
            Ok(Some(sent)) => self.settle(delivery, &sent).await,
            Ok(None) => Ok(false),
            Err(stuck) => {
                self.show(&integration, &stuck).await?;
                Ok(false)
            }
        }
    }

    async fn renew(&self) -> Result<bool> {
        let mut write = self.sender.app.store.write().await?;
        let held = integrations::renew(write.connection().await?, &self.id, self.fence).await?;
        write.commit().await?;
        Ok(held)
    }

    /// Shows why nothing is sent.
    async fn show(&self, integration: &Integration, stuck: &Stuck) -> Result<()> {
        let detail = stuck.to_string();
        if integration.last.as_ref().is_some_and(|last| last.detail == detail) {
            return Ok(());
        }
        let outcome = Outcome { at: self.sender.app.now(), success: false, detail };
        let mut write = self.sender.app.store.write().await?;
        integrations::set_last(write.connection().await?, &self.id, &outcome).await?;
        Ok(write.commit().await.map(drop)?)
    }

    /// Keeps what became of the delivery, for as long as it takes: forgotten, it would be sent again.
    async fn settle(&self, mut delivery: Delivery, sent: &Sent) -> Result<bool> {
        let app = &self.sender.app;
        delivery.state = if sent.success { DeliveryState::Delivered } else { DeliveryState::Failed };
        delivery.attempts.extend(sent.attempts.iter().cloned());
        delivery.settled_at = Some(app.now());
        let counter = if sent.success { &app.metrics.annotations_delivered } else { &app.metrics.annotations_failed };
        counter.inc();
        loop {
            match self.keep(&delivery).await {
                Ok(held) => return Ok(held),
                Err(error) if *self.stage.borrow() == Stage::Serving => {
                    tracing::error!(%error, integration = %self.id, "what became of an annotation is not kept yet");
                    tokio::time::sleep(POLL).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps the delivery as it stands; false when somebody else has taken over.
    async fn keep(&self, delivery: &Delivery) -> Result<bool> {
        let mut write = self.sender.app.store.write().await?;
        let connection = write.connection().await?;
        if !integrations::renew(connection, &self.id, self.fence).await? {
            return Ok(false);
        }
        deliveries::update(connection, delivery).await?;
        if let (Some(at), Some(last)) = (delivery.settled_at, delivery.attempts.last()) {
            let success = delivery.state == DeliveryState::Delivered;
            let outcome = Outcome { at, success, detail: last.detail.clone() };
            integrations::set_last(connection, &self.id, &outcome).await?;
            if delivery.position.is_multiple_of(PRUNE) {
                deliveries::prune(connection, &self.id, LOGGED).await?;
            }
        }
        write.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Between for Holding {
    async fn failed(&mut self, first: &Attempt) -> bool {
        let Some(mut delivery) = self.earlier.clone() else { return false };
        delivery.attempts.push(first.clone());
        self.keep(&delivery).await.unwrap_or_else(|error| {
            tracing::error!(%error, integration = %self.id, "an attempt was not kept; the annotation goes on waiting");
            false
        })
    }

    async fn wait(&mut self, pause: Duration) -> bool {
        let app = Arc::clone(&self.sender.app);
        tokio::select! {
            () = pass(&app, pause) => {}
            // The next start sends it again.
            () = drain::begun(&mut self.stage) => return false,
        }
        self.renew().await.unwrap_or(false)
    }
}
