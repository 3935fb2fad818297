//! Follows the upstream: receives bundles, publishes them, and keeps them in files. While the upstream is away, the last ones stay in
//! force, and time conditions keep changing. `FollowState` decides; this carries it out.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{BEAT, RELOAD};
use flagservice_rules::Instant;
use serde::Deserialize;
use sse_stream::Sse;
use tokio::sync::{mpsc, watch};

use crate::domain::ids::EnvironmentId;
use crate::edge::attempt::{Attempt, KeyRevoked, KnownVersions, Received};
use crate::edge::backend::EdgeBackend;
use crate::edge::bundle_files::BundleFiles;
use crate::edge::follow_state::{Action, Failure, FollowState, Moment, News, Verdict};
use crate::edge::upstream::Upstream;
use crate::sealing::SealingKey;
use crate::serving::Serving;
use crate::serving::backoff;
use crate::serving::bundle::{Bundle, CURRENT, ENVIRONMENT, GONE};
use crate::serving::bundle_texts;
use crate::serving::client_limits::{ChosenLimits, ClientLimits};
use crate::serving::publisher::Publisher;
use crate::serving::snapshot::EnvironmentSnapshot;
use crate::serving::upstream_health::UpstreamHealth;

/// How often changed environments are written to files.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// How often the time of the last message is written to a file.
const LAST_MESSAGE_INTERVAL: Duration = Duration::from_secs(10);

/// Why a connection ended that no error ended.
const NO_RESPONSE: &str = "the upstream was silent";

/// What the follower uses.
pub(super) struct Parts {
    pub(super) upstream: Arc<Upstream>,
    pub(super) serving: Arc<Serving>,
    pub(super) backend: Arc<EdgeBackend>,
    pub(super) files: Arc<BundleFiles>,
    pub(super) health: Arc<UpstreamHealth>,
    /// The limits for clients that the edge does not take from its upstream.
    pub(super) limits: ChosenLimits,
}

/// Follows the upstream.
pub(super) struct Follower {
    parts: Parts,
    publisher: Publisher,
    state: FollowState,
    /// What the edge has, also while it is too old to be served.
    environments: HashMap<EnvironmentId, Environment>,
    /// The environments that are not in their files yet.
    unwritten: HashSet<EnvironmentId>,
    attempts: HashMap<u32, Attempt>,
    /// Attempts have copies of it.
    send: mpsc::Sender<(u32, Received)>,
    received: mpsc::Receiver<(u32, Received)>,
}

/// An environment, and the keys of its stream tokens.
#[derive(Clone)]
struct Environment {
    snapshot: Arc<EnvironmentSnapshot>,
    token_keys: Arc<[SealingKey]>,
}

#[derive(Deserialize)]
struct Gone {
    environment: EnvironmentId,
}

#[derive(Deserialize)]
struct Current {
    environments: BTreeSet<EnvironmentId>,
    limits: ClientLimits,
}

impl Follower {
    pub(super) fn new(parts: Parts, state: FollowState) -> Self {
        let (send, received) = mpsc::channel(1);
        let publisher = Publisher::new(&parts.serving);
        let (environments, unwritten, attempts) = (HashMap::new(), HashSet::new(), HashMap::new());
        Self { parts, publisher, state, environments, unwritten, attempts, send, received }
    }

    /// Puts what the files have into force.
    pub(super) async fn start_from_files(&mut self) {
        let files = Arc::clone(&self.parts.files);
        let read = move || (files.read(), files.limits().unwrap_or_default());
        let (bundles, limits) = tokio::task::spawn_blocking(read).await.unwrap_or_default();
        self.parts.serving.set_limits(self.parts.limits.or(limits));
        for bundle in bundles {
            if let Err(error) = self.apply(bundle).await {
                tracing::warn!(error = format!("{error:#}"), "a bundle in a file cannot be used; the upstream has it");
            }
        }
        let actions = self.state.stop_if_too_old(self.parts.health.now());
        self.carry_out(actions, NO_RESPONSE).await;
    }

    /// Runs until the sender of `stopped` is dropped.
    pub(super) async fn run(mut self, mut stopped: watch::Receiver<()>) {
        let mut write = tokio::time::interval(WRITE_INTERVAL);
        let mut note_message = tokio::time::interval(LAST_MESSAGE_INTERVAL);
        loop {
            let timer = self.state.next_timer().saturating_sub(self.parts.health.now());
            tokio::select! {
                // Many events must not keep the rest waiting. What has been received counts before the upstream is silent.
                biased;
                _ = stopped.changed() => break,
                _ = write.tick() => self.write().await,
                _ = note_message.tick() => self.note_message().await,
                () = self.publisher.next_time_change() => self.publisher.publish_time_changes(),
                Some((number, received)) = self.received.recv() => self.handle(number, received).await,
                () = tokio::time::sleep(timer) => {
                    let actions = self.state.timer_fired(self.moment());
                    self.carry_out(actions, NO_RESPONSE).await;
                }
            }
            self.parts.health.set(self.state.standing());
        }
        self.write().await;
    }

    fn moment(&self) -> Moment {
        Moment { now: self.parts.health.now(), random: backoff::share(&*self.parts.serving.random) }
    }

    async fn handle(&mut self, number: u32, received: Received) {
        let moment = self.moment();
        self.state.received(moment.now, number);
        match received {
            Received::Bytes => {}
            Received::Response => {
                let actions = self.state.responded(moment.now, number);
                self.carry_out(actions, NO_RESPONSE).await;
            }
            Received::Event(event) if self.state.is_open(number) => {
                if let Err(error) = self.event(number, event).await {
                    self.failed(number, &error).await;
                }
            }
            // It was closed meanwhile.
            Received::Event(_) => {}
            Received::End(error) => self.failed(number, &error).await,
        }
    }

    async fn failed(&mut self, number: u32, error: &anyhow::Error) {
        let failure = if error.is::<KeyRevoked>() { Failure::KeyRevoked } else { Failure::Other };
        let actions = self.state.failed(self.moment(), number, failure);
        self.carry_out(actions, &format!("{error:#}")).await;
    }

    async fn event(&mut self, number: u32, event: Sse) -> anyhow::Result<()> {
        let data = event.data.unwrap_or_default();
        let unreadable = "an event cannot be read";
        match event.event.as_deref() {
            Some(ENVIRONMENT) => self.bundle(bundle_texts::read(&data).context("a bundle cannot be read")?).await?,
            Some(GONE) => {
                let Gone { environment } = serde_json::from_str(&data).context(unreadable)?;
                let actions = self.state.gone(&environment);
                self.carry_out(actions, NO_RESPONSE).await;
            }
            Some(CURRENT) => {
                let Current { environments, limits } = serde_json::from_str(&data).context(unreadable)?;
                self.take_limits(limits).await;
                // The files are written before the edge is ready: then it also starts again without its upstream.
                let actions = self.state.current(self.parts.health.now(), &environments);
                self.carry_out(actions, NO_RESPONSE).await;
            }
            Some(BEAT) => {
                let beat = serde_json::from_str(&data).context(unreadable)?;
                let actions = self.state.beat(self.parts.health.now(), number, beat);
                self.carry_out(actions, NO_RESPONSE).await;
            }
            Some(RELOAD) => {
                let actions = self.state.reload(self.moment(), number);
                self.carry_out(actions, NO_RESPONSE).await;
            }
            // An event of a later release.
            Some(_) | None => {}
        }
        Ok(())
    }

    async fn bundle(&mut self, bundle: Bundle) -> anyhow::Result<()> {
        let id = bundle.environment.clone();
        let version = Since { epoch: bundle.epoch, version: bundle.version, digest: 0 };
        match self.state.bundle(&id, version, bundle.after) {
            Verdict::Older => {}
            Verdict::Gap => {
                self.state.unusable(&id);
                bail!("a bundle continues from another version than the known one");
            }
            Verdict::Apply => {
                self.apply(bundle).await?;
                self.unwritten.insert(id);
            }
        }
        Ok(())
    }

    /// Puts a bundle into force.
    async fn apply(&mut self, bundle: Bundle) -> anyhow::Result<()> {
        let id = bundle.environment.clone();
        let known = self.environments.get(&id).map(|known| Arc::clone(&known.snapshot));
        let token_keys = bundle.sealing_keys()?;
        // Patterns can take long to compile.
        let compiled = tokio::task::spawn_blocking(move || bundle.snapshot(known.as_deref())).await?;
        let snapshot = compiled.map(Arc::new).inspect_err(|_| self.state.unusable(&id))?;
        self.state.applied(id.clone(), snapshot.rules().since);
        self.environments.insert(id.clone(), Environment { snapshot, token_keys });
        if self.state.is_serving() {
            self.serve(&id);
        }
        Ok(())
    }

    fn serve(&mut self, id: &EnvironmentId) {
        if let Some(Environment { snapshot, token_keys }) = self.environments.get(id).cloned() {
            // Before the snapshot: a client that loads by it gets a token that this edge reads.
            self.parts.backend.set_token_keys(id, Some(&token_keys));
            self.publisher.publish(id, snapshot);
        }
    }

    /// Carries out what the state has decided. `reason`: why a connection ended.
    async fn carry_out(&mut self, actions: Vec<Action>, reason: &str) {
        for action in actions {
            match action {
                Action::Connect(number) => self.connect(number),
                Action::Close(number) => drop(self.attempts.remove(&number)),
                Action::Remove(id) => {
                    self.stop_serving(&id);
                    self.environments.remove(&id);
                    self.unwritten.remove(&id);
                    let files = Arc::clone(&self.parts.files);
                    self.in_background(move || files.remove(&id)).await;
                }
                Action::StopServing(id) => self.stop_serving(&id),
                Action::Serve(id) => self.serve(&id),
                Action::Write => {
                    self.write().await;
                    self.note_message().await;
                }
                Action::Tell(news) => tell(news, reason),
            }
        }
    }

    fn connect(&mut self, number: u32) {
        let environments = self.state.known().map(|(id, since)| (id.as_str().to_owned(), since.to_string())).collect();
        let upstream = Arc::clone(&self.parts.upstream);
        match Attempt::begin(upstream, &KnownVersions { environments }, number, self.send.clone()) {
            Ok(attempt) => drop(self.attempts.insert(number, attempt)),
            // It has no response, and ends with the others.
            Err(error) => tracing::error!(error = format!("{error:#}"), "the upstream cannot be asked"),
        }
    }

    fn stop_serving(&mut self, id: &EnvironmentId) {
        self.publisher.remove(id);
        self.parts.backend.set_token_keys(id, None);
    }

    /// Writes the environments that have changed.
    async fn write(&mut self) {
        for id in std::mem::take(&mut self.unwritten) {
            let Some(Environment { snapshot, token_keys }) = self.environments.get(&id).cloned() else { continue };
            let files = Arc::clone(&self.parts.files);
            self.in_background(move || files.write(&Bundle::whole(&id, &snapshot, &token_keys))).await;
        }
    }

    /// Applies the limits of the upstream.
    async fn take_limits(&self, limits: ClientLimits) {
        self.parts.serving.set_limits(self.parts.limits.or(limits));
        let files = Arc::clone(&self.parts.files);
        self.in_background(move || files.write_limits(&limits)).await;
    }

    /// Notes in a file when the last message of the server came.
    async fn note_message(&self) {
        let standing = self.state.standing();
        let Some(age) = standing.age(self.parts.health.now()).filter(|_| standing.is_connected) else { return };
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let at = Instant(self.parts.serving.now().0.saturating_sub(age));
        let files = Arc::clone(&self.parts.files);
        self.in_background(move || files.note_message(at)).await;
    }

    async fn in_background(&self, work: impl FnOnce() -> std::io::Result<()> + Send + 'static) {
        let done = tokio::task::spawn_blocking(work).await.map_err(anyhow::Error::new);
        if let Err(error) = done.and_then(|done| done.map_err(|error| anyhow!(error))) {
            tracing::error!(
                error = format!("{error:#}"),
                "a file of this edge cannot be written; its next start needs the upstream"
            );
        }
    }
}

fn tell(news: News, reason: &str) {
    match news {
        News::Connected => tracing::info!("connected to the upstream"),
        News::Lost => {
            tracing::error!(
                error = reason,
                "the upstream does not respond; clients are served from the last known state"
            );
        }
        News::KeyRevoked => tracing::error!("{reason}"),
        News::TooOld => {
            tracing::error!("the server has been away for longer than --max-age; clients are no longer served");
        }
    }
}
