//! Readers: clients that load a user's values and follow them as a stream, from any node, and continue where they were.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::history::client::{Request, open, send};
use crate::history::node::Node;
use crate::trace;

/// After how long a silence a reader connects again, as clients do.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(50);

/// A point in the history of an environment, as clients name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    text: String,
    epoch: String,
    version: u64,
}

impl Since {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let epoch = parts.next()?.to_owned();
        let version = parts.next()?.parse().ok()?;
        Some(Self { text: text.to_owned(), epoch, version })
    }

    fn is_before(&self, other: &Self) -> bool {
        self.epoch == other.epoch && self.version < other.version
    }
}

/// What a reader knows.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The variant of each feature.
    pub values: BTreeMap<String, String>,
    /// Of which version they are.
    pub since: Option<Since>,
    token: Option<String>,
    /// Whether it is connected.
    connected: bool,
    /// When it connects again.
    again_at: u64,
    /// What the protocol rules out.
    pub violations: Vec<String>,
}

/// A reader of an environment.
pub struct Reader {
    number: usize,
    /// The number of its environment.
    pub environment: usize,
    client_key: String,
    state: Arc<Mutex<State>>,
}

/// Notes that the connection has ended, however it does.
struct Connected(Arc<Mutex<State>>, u64);

impl Drop for Connected {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.connected = false;
        state.again_at = trace::now() + self.1;
    }
}

impl Reader {
    /// A reader that knows nothing yet.
    pub fn new(number: usize, environment: usize, client_key: &str) -> Self {
        Self { number, environment, client_key: client_key.to_owned(), state: Arc::default() }
    }

    /// What it knows.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it wants to connect now.
    pub fn is_waiting(&self) -> bool {
        let state = self.state();
        !state.connected && state.again_at <= trace::now()
    }

    /// Connects to a node.
    pub fn connect(&self, node: &Node, chance: &mut Chance) {
        let Some(running) = node.running() else { return };
        self.state().connected = true;
        let connected = Connected(Arc::clone(&self.state), chance.number(50..=1_500));
        let follower = Follower {
            number: self.number,
            client_key: self.client_key.clone(),
            state: Arc::clone(&self.state),
            // Some read slowly.
            delay: Duration::from_millis(if chance.happens(0.3) { chance.number(1..=1_500) } else { 0 }),
        };
        trace::note(format_args!("reader {} connects to node {}", self.number, node.number));
        node.spawn(async move {
            let _connected = connected;
            follower.follow(running.router).await;
        });
    }
}

/// A connected reader.
struct Follower {
    number: usize,
    client_key: String,
    state: Arc<Mutex<State>>,
    delay: Duration,
}

impl Follower {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn follow(&self, router: Router) {
        if self.state().token.is_none() && !self.load(router.clone()).await {
            return;
        }
        let (token, since) = {
            let state = self.state();
            (state.token.clone().unwrap_or_default(), state.since.as_ref().map(|since| since.text.clone()))
        };
        let since = since.map(|since| format!("&since={since}")).unwrap_or_default();
        let path = format!("/client/v1/{}/stream?token={token}{since}", self.client_key);
        let Ok(response) = open(router, Request::new("GET", &path)).await else { return };
        if !response.status().is_success() {
            return;
        }
        let mut body = response.into_body();
        let mut text = String::new();
        while let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE_TIMEOUT, body.frame()).await {
            text.push_str(&String::from_utf8_lossy(frame.data_ref().map_or(&[], |data| &**data)));
            while let Some(end) = text.find("\n\n") {
                let event: String = text.drain(..end + 2).collect();
                if !self.take(&event) {
                    return;
                }
            }
            sleep(self.delay).await;
        }
    }

    /// Loads the values. Says whether it worked.
    async fn load(&self, router: Router) -> bool {
        let path = format!("/client/v1/{}/load", self.client_key);
        let user = json!({ "user": { "id": format!("reader-{}", self.number) } });
        let answer = send(router, Request::new("POST", &path).with_body(Some(user))).await;
        let text = |name: &str| answer.body.get(name)?.as_str().map(str::to_owned);
        let (Some(since), Some(token)) = (text("since").as_deref().and_then(Since::parse), text("token")) else {
            return false;
        };
        let mut state = self.state();
        trace::note(format_args!("reader {} loads {}", self.number, since.text));
        state.token = Some(token);
        // Within an epoch, a lower version is older: a node may be behind, and the stream brings what is newer.
        if state.since.as_ref().is_none_or(|known| !since.is_before(known)) {
            state.values = values(&answer.body).into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
            state.since = Some(since);
        }
        true
    }

    /// Takes an event. Says whether the stream continues.
    fn take(&self, event: &str) -> bool {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let (name, data) = (field("event").unwrap_or_default(), field("data").unwrap_or("null"));
        let data: Value = serde_json::from_str(data).unwrap_or_default();
        let mut state = self.state();
        match name {
            "put" | "patch" => {
                trace::note(format_args!("reader {}: {name} {:?}", self.number, field("id")));
                if let Some(since) = field("id").and_then(Since::parse) {
                    if let Some(known) = state.since.as_ref().filter(|known| since.is_before(known)) {
                        let violation =
                            format!("reader {} had {} and was sent {}", self.number, known.text, since.text);
                        state.violations.push(violation);
                    }
                    state.since = Some(since);
                }
                if name == "put" {
                    state.values.clear();
                }
                for (feature, variant) in values(&data) {
                    match variant {
                        Some(variant) => drop(state.values.insert(feature, variant)),
                        None => drop(state.values.remove(&feature)),
                    }
                }
                true
            }
            "reload" => {
                trace::note(format_args!("reader {} is to load again", self.number));
                state.token = None;
                false
            }
            _ => true,
        }
    }
}

/// The features of a body, with their variants; none for a feature that is gone.
fn values(body: &Value) -> BTreeMap<String, Option<String>> {
    let features = body.get("features").and_then(Value::as_object).into_iter().flatten();
    features.map(|(feature, variant)| (feature.clone(), variant.as_str().map(str::to_owned))).collect()
}
