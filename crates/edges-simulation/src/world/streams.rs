//! Streams of clients, as edges answer them.

use flagservice_client::session::{Timer, Values};
use flagservice_server::serving::edge_feed::Revision as _;

use super::event::{Event, StreamMessage};
use super::tree::World;
use crate::snapshot::Snapshot;
use crate::units::{Micros, SECOND, SEND, UNTIL_REFUSED, UNTIL_REQUEST};

/// The time between two heartbeats of a stream.
const BEAT: Micros = 20 * SECOND;

/// How long a stream may be silent for a client (`src/session/stream.rs`).
const SILENCE_TIMEOUT: Micros = 50 * SECOND;

/// How long an edge waits for the version that a client has (`crates/server/src/edge/backend.rs`).
const CATCH_UP: Micros = 3 * SECOND;

impl World {
    pub(super) fn open_stream(&mut self, client: u32) {
        let edge = self.choose_edge(client);
        let browser = &mut self.clients[client];
        browser.stream += 1;
        browser.edge = edge;
        browser.is_streaming = false;
        let (stream, latency) = (browser.stream, browser.latency);
        let node = &self.nodes[edge];
        self.figures.stream_requested(self.now);
        if node.cut_from_clients > 0 || node.is_dark {
            return;
        }
        if node.is_up {
            self.queue.add(self.now + UNTIL_REQUEST * latency, Event::StreamArrives { client, stream, edge });
        } else {
            let message = StreamMessage::Failed;
            self.queue.add(self.now + UNTIL_REFUSED * latency, Event::ToClient { client, stream, message });
        }
    }

    pub(super) fn stream_arrives(&mut self, client: u32, stream: u32, edge: u32) {
        let node = &self.nodes[edge];
        if self.clients[client].stream != stream || node.cut_from_clients > 0 {
            return;
        }
        let key = self.clients[client].key;
        if !node.is_up {
            return self.send_to_client(client, stream, StreamMessage::Failed, 0);
        }
        if node.is_draining {
            return self.send_to_client(client, stream, StreamMessage::Reload(1_000), 0);
        }
        let Some(snapshot) = node.snapshot.filter(|snapshot| snapshot.has_key(key)) else {
            return self.send_to_client(client, stream, StreamMessage::Reload(0), 0);
        };
        match self.clients[client].known {
            // As crates/server/src/serving/client.rs.
            Some(since) if !snapshot.version().may_replace(&since) => {
                self.nodes[edge].waiting.push((client, stream, since));
                self.queue.add(self.now + CATCH_UP, Event::CatchUpEnds { client, stream, edge });
            }
            _ => self.accept_stream(client, stream, edge, snapshot),
        }
    }

    fn accept_stream(&mut self, client: u32, stream: u32, edge: u32, snapshot: Snapshot) {
        let browser = &mut self.clients[client];
        browser.is_streaming = true;
        browser.opened_at = self.now;
        browser.sent = Some(snapshot.since());
        let is_new = browser.known != Some(snapshot.since());
        if std::mem::take(&mut browser.is_returning) {
            self.figures.client_returned(self.now);
        }
        self.nodes[edge].streams.push((client, stream));
        self.send_to_client(client, stream, StreamMessage::Open, 0);
        if is_new {
            self.send_to_client(client, stream, StreamMessage::Put(snapshot), 0);
        }
    }

    pub(super) fn catch_up_ends(&mut self, client: u32, stream: u32, edge: u32) {
        let waiting = &mut self.nodes[edge].waiting;
        let before = waiting.len();
        waiting.retain(|(waits, number, _)| (*waits, *number) != (client, stream));
        if waiting.len() < before {
            self.send_to_client(client, stream, StreamMessage::Reload(0), 0);
        }
    }

    /// Sends something after others that are sent before it.
    pub(super) fn send_to_client(&mut self, client: u32, stream: u32, message: StreamMessage, slot: u64) {
        let at = self.now + self.clients[client].latency + slot * SEND;
        self.queue.add(at, Event::ToClient { client, stream, message });
    }

    /// A new version goes to all streams of an edge.
    pub(super) fn fan_out(&mut self, edge: u32, snapshot: Snapshot, slot: &mut u64) {
        let waiting = std::mem::take(&mut self.nodes[edge].waiting);
        for (client, stream, since) in waiting {
            if snapshot.version < since.version {
                self.nodes[edge].waiting.push((client, stream, since));
            } else if self.clients[client].stream == stream && snapshot.has_key(self.clients[client].key) {
                self.accept_stream(client, stream, edge, snapshot);
            } else {
                self.send_to_client(client, stream, StreamMessage::Reload(0), 0);
            }
        }
        let mut streams = std::mem::take(&mut self.nodes[edge].streams);
        streams.retain(|(client, stream)| self.send_version(*client, *stream, snapshot, slot));
        self.nodes[edge].streams = streams;
    }

    /// Sends a new version on a stream. Returns whether the stream stays open.
    fn send_version(&mut self, client: u32, stream: u32, snapshot: Snapshot, slot: &mut u64) -> bool {
        let browser = &mut self.clients[client];
        if browser.stream != stream || !browser.is_streaming {
            return false;
        }
        *slot += 1;
        if !snapshot.has_key(browser.key) {
            self.send_to_client(client, stream, StreamMessage::Reload(0), *slot);
            return false;
        }
        if browser.sent.replace(snapshot.since()) != Some(snapshot.since()) {
            self.send_to_client(client, stream, StreamMessage::Patch(snapshot), *slot);
        }
        true
    }

    /// Something has come on a stream, as `src/browser/event_stream.rs` passes it on.
    pub(super) fn stream_message(&mut self, client: u32, stream: u32, message: StreamMessage) {
        if self.clients[client].stream != stream {
            return;
        }
        self.clients[client].event_at = self.now;
        match message {
            StreamMessage::Open => self.dispatch(client, |session, moment| session.stream_alive(moment)),
            StreamMessage::Put(snapshot) => self.receive(client, snapshot, true),
            StreamMessage::Patch(snapshot) => self.receive(client, snapshot, false),
            StreamMessage::Reload(after_ms) => {
                self.clients[client].is_streaming = false;
                self.dispatch(client, |session, moment| session.stream_reload(moment, after_ms));
            }
            StreamMessage::Failed => {
                self.clients[client].is_streaming = false;
                self.dispatch(client, |session, moment| session.stream_failed(moment));
            }
        }
    }

    fn receive(&mut self, client: u32, snapshot: Snapshot, all: bool) {
        self.dispatch(client, |session, moment| {
            session.stream_alive(moment);
            let values = Values { features: snapshot.values(), experiments: None };
            session.receive(snapshot.since().to_string(), values, all);
        });
        self.check_client(client);
        if let Some(written_at) = self.written.get(&(snapshot.epoch, snapshot.version)) {
            self.figures.reached_client(*written_at, self.now);
        }
    }

    /// A stream breaks. `is_silent`: the client is not told, and notices that no heartbeat comes.
    pub(super) fn lose_stream(&mut self, client: u32, stream: u32, is_silent: bool) {
        let now = self.now;
        let browser = &mut self.clients[client];
        if browser.stream != stream || !browser.is_streaming {
            return;
        }
        browser.is_returning = true;
        if !is_silent {
            return self.send_to_client(client, stream, StreamMessage::Failed, 0);
        }
        browser.is_streaming = false;
        let beat_at = browser.opened_at + (now - browser.opened_at) / BEAT * BEAT;
        if beat_at > browser.event_at {
            browser.event_at = beat_at;
            self.dispatch_at(client, beat_at, |session, moment| session.stream_alive(moment));
        }
        let silent_at = self.clients[client].event_at + SILENCE_TIMEOUT + 1_000;
        self.start_timer(client, Timer::Stream, silent_at.max(now));
    }

    /// All streams of an edge break.
    pub(super) fn lose_streams(&mut self, edge: u32, is_silent: bool) {
        for (client, stream) in std::mem::take(&mut self.nodes[edge].streams) {
            self.lose_stream(client, stream, is_silent);
        }
    }
}
