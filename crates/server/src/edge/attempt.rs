//! One attempt to follow the upstream: a task that passes on what its response brings.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{anyhow, bail, ensure};
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::{Response, StatusCode};
use serde::Serialize;
use sse_stream::{Sse, SseStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::edge::upstream::Upstream;

const PATH: &str = "/edge/v1/follow";

/// The kind of the problem with which a server or an edge rejects an edge key.
const UNAUTHENTICATED: &str = "/problems/unauthenticated";

/// How much of an error response is read, in bytes.
const MAX_ERROR_BYTES: usize = 2_048;

/// What an attempt receives.
pub(super) enum Received {
    /// A response with events.
    Response,
    /// A part of an event, which may be long.
    Bytes,
    /// An event.
    Event(Sse),
    /// The end, always the last.
    End(anyhow::Error),
}

/// The upstream does not know the edge key.
#[derive(Debug, thiserror::Error)]
#[error(
    "The edge key is unknown or revoked, so this edge serves nothing. Create a key with: flagservice-server edge-key create PROJECT NAME"
)]
pub(super) struct KeyRevoked;

/// What an edge has: a version for each environment.
#[derive(Serialize)]
pub(super) struct KnownVersions {
    pub(super) environments: BTreeMap<String, String>,
}

/// A running attempt. It ends when this is dropped.
pub(super) struct Attempt(JoinHandle<()>);

impl Drop for Attempt {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Attempt {
    /// Begins to follow. Everything received is sent with this number.
    pub(super) fn begin(
        upstream: Arc<Upstream>,
        known: &KnownVersions,
        number: u32,
        received: mpsc::Sender<(u32, Received)>,
    ) -> anyhow::Result<Self> {
        let body = serde_json::to_vec(known)?;
        Ok(Self(tokio::spawn(async move {
            let read = async |response| receive(response, number, &received).await;
            let ended = upstream.post(PATH, body, read).await.map_err(anyhow::Error::new).and_then(|ended| ended);
            let error = ended.err().unwrap_or_else(|| anyhow!("the connection ended"));
            // The follower may have stopped.
            let _ = received.send((number, Received::End(error))).await;
        })))
    }
}

async fn receive(
    response: Response<Incoming>,
    number: u32,
    received: &mpsc::Sender<(u32, Received)>,
) -> anyhow::Result<()> {
    let status = response.status();
    if status != StatusCode::OK {
        let text = Limited::new(response.into_body(), MAX_ERROR_BYTES).collect().await;
        let text = text.map(|text| String::from_utf8_lossy(&text.to_bytes()).into_owned()).unwrap_or_default();
        // Something else than a Flag Service may respond with this status, too.
        ensure!(status != StatusCode::UNAUTHORIZED || !text.contains(UNAUTHENTICATED), KeyRevoked);
        bail!("{status}: {text}");
    }
    received.send((number, Received::Response)).await?;
    let body = response.into_body().map_frame(|frame| {
        // If there is no room, something else shows that the upstream is not silent.
        let _ = received.try_send((number, Received::Bytes));
        frame
    });
    let mut events = SseStream::new(body);
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| anyhow!("the stream cannot be read: {error}"))?;
        received.send((number, Received::Event(event))).await?;
    }
    Ok(())
}
