//! `POST /edge/v1/follow`: the environments that an edge key reaches, and their changes, as server-sent events.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event;
use flagservice_core::Since;
use flagservice_core::wire::stream_event::BEAT;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::domain::ids::EnvironmentId;
use crate::http::edge::guard::EdgeKey;
use crate::http::extract::json::ClientJson;
use crate::http::sdk::environment_stream::{event, event_response, reload_after, text_event};
use crate::node::drain;
use crate::sealing::SealingKey;
use crate::serving::Serving;
use crate::serving::bundle::{BEAT_INTERVAL, Beat, CURRENT, ENVIRONMENT, GONE};
use crate::serving::bundle_texts;
use crate::serving::client;
use crate::serving::client_limits::ClientLimits;
use crate::serving::edge_feed::{EdgeFeed, Part, Revision};
use crate::serving::last_use::{LastUse, UsedKey};
use crate::serving::snapshot::EnvironmentSnapshot;

/// How often it is checked whether something has changed without a version: keys of stream tokens, and whether this node is current.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// How many events may wait until the edge reads them.
const MAX_WAITING: usize = 16;

/// The largest request, in bytes: an id and a version for each environment.
const FOLLOW_BODY: usize = 1024 * 1024;

/// What an edge has already.
#[derive(Deserialize)]
pub struct Follow {
    /// The version of the rules of each environment.
    #[serde(default)]
    environments: HashMap<String, String>,
}

#[derive(Serialize)]
struct Gone<'a> {
    environment: &'a EnvironmentId,
}

#[derive(Serialize)]
struct Current<'a> {
    /// All environments that the key reaches.
    environments: &'a [EnvironmentId],
    /// Those for clients.
    limits: ClientLimits,
}

/// Sends what the edge does not have, and then each change, until the key no longer gives access to an environment.
pub async fn follow(
    State(serving): State<Arc<Serving>>,
    EdgeKey { hash, .. }: EdgeKey,
    ClientJson(request): ClientJson<Follow, FOLLOW_BODY>,
) -> Response {
    let known = request.environments.into_iter();
    let known = known.filter_map(|(id, since)| Some((EnvironmentId::from(id), Since::parse(&since)?)));
    let (feed, (out, mut events)) = (EdgeFeed::new(known), mpsc::channel(MAX_WAITING));
    tokio::spawn(async move {
        // An error says that the edge is gone.
        let _ = EdgeStream { serving, hash, feed, last_use: LastUse::default(), out }.run().await;
    });
    event_response(stream::poll_fn(move |context| events.poll_recv(context).map(|event| event.map(Ok))))
}

/// The edge no longer listens.
struct Disconnected;

/// One edge.
struct EdgeStream {
    serving: Arc<Serving>,
    /// Of its key.
    hash: String,
    feed: EdgeFeed<EdgeRevision>,
    last_use: LastUse,
    out: mpsc::Sender<Event>,
}

/// What an edge was sent of an environment.
#[derive(Clone)]
struct EdgeRevision {
    snapshot: Arc<EnvironmentSnapshot>,
    token_keys: Arc<[SealingKey]>,
}

impl Revision for EdgeRevision {
    fn version(&self) -> Since {
        self.snapshot.since(0)
    }

    fn since(&self) -> Since {
        self.snapshot.rules().since
    }

    fn is_same(&self, other: &Self) -> bool {
        let newest = |revision: &Self| revision.token_keys.last().map(SealingKey::id);
        Arc::ptr_eq(&self.snapshot, &other.snapshot) && newest(self) == newest(other)
    }
}

impl EdgeStream {
    async fn run(&mut self) -> Result<(), Disconnected> {
        let mut published = self.serving.snapshots.changes();
        let mut stage = self.serving.node.drain.subscribe();
        let mut heartbeat = tokio::time::interval(BEAT_INTERVAL);
        let mut check = tokio::time::interval(CHECK_INTERVAL);
        heartbeat.reset();
        check.reset();
        self.note_use();
        // The edge learns first when to expect the next one.
        self.send_beat().await?;
        let mut was_current = self.serving.backend.knows_all_keys();
        self.send_changes().await?;
        while !self.feed.is_over() {
            tokio::select! {
                changed = published.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    self.send_changes().await?;
                }
                () = drain::begun(&mut stage) => {
                    return self.out.send(reload_after(&self.serving)).await.map_err(|_| Disconnected);
                }
                () = self.out.closed() => return Ok(()),
                _ = check.tick() => {
                    self.send_changes().await?;
                    self.note_use();
                }
                _ = heartbeat.tick() => {
                    self.send_beat().await?;
                    let is_current = self.serving.backend.knows_all_keys();
                    if is_current && !was_current {
                        self.send_changes().await?;
                    }
                    was_current = is_current;
                }
            }
        }
        Ok(())
    }

    async fn send_beat(&self) -> Result<(), Disconnected> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let age_ms = self.serving.backend.age().map(millis);
        self.send(BEAT, &Beat { every_ms: millis(BEAT_INTERVAL), age_ms }).await
    }

    /// Sends what differs from what the edge was sent.
    async fn send_changes(&mut self) -> Result<(), Disconnected> {
        let reached = self.serving.snapshots.reached_by(&self.hash).into_iter().filter_map(|id| {
            let snapshot = self.serving.snapshots.current(&id)?.snapshot;
            let token_keys = self.serving.backend.token_keys(&id);
            Some((id, EdgeRevision { snapshot, token_keys }))
        });
        let reached = reached.collect();
        for part in self.feed.due(reached, self.serving.backend.knows_all_keys()) {
            match part {
                Part::Whole(id, now) => {
                    let text = self.whole(id, now).await?;
                    self.send_bundle(text).await?;
                }
                Part::Changes { environment, before, now } => {
                    let (before, now, keys) = (&before.snapshot, &now.snapshot, &now.token_keys);
                    self.send_bundle(bundle_texts::changes(&environment, before, now, keys)).await?;
                }
                Part::Gone(environment) => self.send(GONE, &Gone { environment: &environment }).await?,
                Part::Current(environments) => {
                    let limits = self.serving.limits();
                    self.send(CURRENT, &Current { environments: &environments, limits }).await?;
                }
            }
        }
        Ok(())
    }

    /// The text of all of an environment. It may take long, and heartbeats continue meanwhile.
    async fn whole(&self, id: EnvironmentId, now: EdgeRevision) -> Result<Arc<str>, Disconnected> {
        let write = move || bundle_texts::whole(&id, &now.snapshot, &now.token_keys);
        let mut written = std::pin::pin!(client::long_work(&self.serving, write));
        loop {
            match tokio::time::timeout(BEAT_INTERVAL, &mut written).await {
                // If it fails, the edge connects again.
                Ok(text) => return text.map_err(|_| Disconnected),
                Err(_) => self.send_beat().await?,
            }
        }
    }

    /// Notes that the key is in use, once a minute.
    fn note_use(&self) {
        let now = self.serving.now();
        if self.last_use.is_due(now)
            && let Some(key) = self.serving.snapshots.edge_key(&self.hash)
        {
            self.serving.backend.note_use(UsedKey::Edge(key), now);
        }
    }

    async fn send(&self, name: &'static str, data: &impl Serialize) -> Result<(), Disconnected> {
        self.out.send(event(&self.serving, name, data)).await.map_err(|_| Disconnected)
    }

    async fn send_bundle(&self, text: Arc<str>) -> Result<(), Disconnected> {
        self.out.send(text_event(&self.serving, ENVIRONMENT, text)).await.map_err(|_| Disconnected)
    }
}
