//! What browsers do: timers, loads, and the effects of sessions.

use flagservice_client::session::{Effect, LoadResponse, Moment, NO_RESPONSE, Session, TIMED_OUT, Timer, Values};
use flagservice_core::Since;
use flagservice_server::serving::edge_feed::Revision as _;

use super::client::Client;
use super::event::{Event, LoadAnswer};
use super::tree::World;
use crate::defect::Defect;
use crate::snapshot::KEYS;
use crate::units::{LOAD_TIMEOUT, Micros, UNTIL_REFUSED, UNTIL_REQUEST};

/// The begin of a history, in milliseconds since 1970.
const BEGIN_MS: f64 = 1_795_000_000_000.0;

/// A random number that is no spread.
const ALMOST_ONE: f64 = 0.999_999;

impl World {
    /// All clients. Their pages open one at a time.
    pub(super) fn create_clients(&mut self) {
        self.groups = self.plan.groups();
        for number in 0..self.plan.shape.clients {
            let group = self.network_random.u32(0..self.groups.len().max(1) as u32);
            let key = self.network_random.u32(0..KEYS);
            let latency = self.network_random.u64(2_000..50_000);
            let client = self.clients.add(Client::new(group, key, latency));
            let at = self.plan.opening * Micros::from(number) / Micros::from(self.plan.shape.clients);
            self.queue.add(at, Event::Visit { client });
        }
    }

    /// The page of a client is opened, perhaps again.
    pub(super) fn visit(&mut self, client: u32) {
        self.clients[client].open_page(client);
        self.run_effects(client, 0.5);
        self.dispatch(client, |session, _| session.caller_settled());
    }

    /// Passes something on to a session, and does what it asks for.
    pub(super) fn dispatch(&mut self, client: u32, event: impl FnOnce(&mut Session, Moment)) {
        self.dispatch_at(client, self.now, event);
    }

    pub(super) fn dispatch_at(&mut self, client: u32, at: Micros, event: impl FnOnce(&mut Session, Moment)) {
        let random = match self.defect {
            Some(Defect::ClientsWithoutSpread) => ALMOST_ONE,
            Some(_) | None => self.client_random.f64(),
        };
        let moment = Moment { now: BEGIN_MS + at as f64 / 1_000.0, random };
        event(&mut self.clients[client].session, moment);
        self.run_effects(client, random);
    }

    fn run_effects(&mut self, client: u32, random: f64) {
        while let Some((effect, _)) = self.clients[client].session.next_effect() {
            match effect {
                Effect::Load => self.send_load(client),
                Effect::OpenStream => self.open_stream(client),
                Effect::CloseStream => {
                    self.clients[client].stream += 1;
                    self.clients[client].is_streaming = false;
                }
                // No other tab has its user.
                Effect::JoinTabs(_) => {
                    let moment = Moment { now: BEGIN_MS + self.now as f64 / 1_000.0, random };
                    self.clients[client].session.stream_granted(moment);
                }
                Effect::StartTimer(timer, ms) => {
                    let at = self.now + Micros::from(ms) * 1_000;
                    self.start_timer(client, timer, at);
                }
                Effect::StopTimer(timer) => self.set_timer(client, timer, 0),
                // A late answer to an aborted load has another number.
                Effect::AbortLoad
                | Effect::Emit(_)
                | Effect::TellTabs
                | Effect::LeaveTabs
                | Effect::WriteCache
                | Effect::SendGoals
                | Effect::SendBeacon
                | Effect::RemovePageListeners => {}
            }
        }
    }

    pub(super) fn start_timer(&mut self, client: u32, timer: Timer, at: Micros) {
        self.clients[client].started += 1;
        let started = self.clients[client].started;
        self.set_timer(client, timer, started);
        self.queue.add(at, Event::ClientTimer { client, timer: timer as u8, started });
    }

    fn set_timer(&mut self, client: u32, timer: Timer, started: u32) {
        if let Some(place) = self.clients[client].timers.get_mut(timer as usize) {
            *place = started;
        }
    }

    pub(super) fn client_timer(&mut self, client: u32, timer: u8, started: u32) {
        let place = usize::from(timer);
        let is_started = self.clients[client].timers.get(place) == Some(&started);
        let Some(timer) = Timer::ALL.get(place).copied().filter(|_| is_started) else { return };
        // Heartbeats are not in the queue: while they come, the stream is not silent.
        if timer != Timer::Stream || !self.clients[client].is_streaming {
            self.dispatch(client, |session, moment| session.timer_fired(moment, timer));
        }
    }

    /// The edge to which the balancer of a client leads now.
    pub(super) fn choose_edge(&mut self, client: u32) -> u32 {
        let group = self.groups.get(self.clients[client].group as usize);
        let edges = group.map(Vec::as_slice).unwrap_or_default();
        self.network_random.choice(edges).copied().unwrap_or(crate::units::ORIGIN)
    }

    fn send_load(&mut self, client: u32) {
        let edge = self.choose_edge(client);
        let (number, latency) = (self.clients[client].session.load_number(), self.clients[client].latency);
        // Without an effect if another answer comes first.
        self.queue.add(self.now + LOAD_TIMEOUT, Event::LoadEnds { client, number, answer: LoadAnswer::TimedOut });
        let node = &self.nodes[edge];
        if node.cut_from_clients > 0 || node.is_dark {
            return;
        }
        if node.is_up {
            self.queue.add(self.now + UNTIL_REQUEST * latency, Event::LoadArrives { client, number, edge });
        } else {
            let answer = LoadAnswer::Unreachable;
            self.queue.add(self.now + UNTIL_REFUSED * latency, Event::LoadEnds { client, number, answer });
        }
    }

    pub(super) fn load_arrives(&mut self, client: u32, number: u32, edge: u32) {
        let (key, latency) = (self.clients[client].key, self.clients[client].latency);
        if self.nodes[edge].cut_from_clients > 0 {
            return;
        }
        let answer = if self.nodes[edge].is_up { self.answer_load(edge, key) } else { LoadAnswer::Unreachable };
        self.queue.add(self.now + latency, Event::LoadEnds { client, number, answer });
    }

    fn answer_load(&mut self, edge: u32, key: u32) -> LoadAnswer {
        let is_current = self.is_current(edge);
        let snapshot = self.nodes[edge].snapshot.filter(|snapshot| snapshot.has_key(key));
        self.check_load(edge, key, snapshot.is_some());
        match snapshot {
            Some(snapshot) => LoadAnswer::Values(snapshot),
            // As crates/server/src/serving/client.rs.
            None if is_current => LoadAnswer::Status(404),
            None => LoadAnswer::Status(503),
        }
    }

    pub(super) fn load_ends(&mut self, client: u32, number: u32, answer: LoadAnswer) {
        let (status, response) = match answer {
            LoadAnswer::Unreachable => (NO_RESPONSE, Err(String::new())),
            LoadAnswer::TimedOut => (TIMED_OUT, Err(String::new())),
            LoadAnswer::Status(status) => (status, Err(String::new())),
            LoadAnswer::Values(snapshot) => {
                let values = Values { features: snapshot.values(), experiments: None };
                (
                    200,
                    Ok(LoadResponse {
                        values,
                        since: snapshot.since().to_string(),
                        token: "token".to_owned(),
                        insights: false,
                    }),
                )
            }
        };
        if !matches!(answer, LoadAnswer::TimedOut) {
            self.figures.loads += 1;
        }
        self.dispatch(client, |session, moment| session.loaded(moment, number, status, response));
        self.check_client(client);
    }

    /// What a session has never falls within an epoch.
    pub(super) fn check_client(&mut self, client: u32) {
        let known = Since::parse(self.clients[client].session.since());
        let Some(since) = known.filter(|since| self.clients[client].known != Some(*since)) else { return };
        if let Some(before) = self.clients[client].known.replace(since) {
            if !since.may_replace(&before) {
                self.violated(format!("client {client} went back from {before} to {since}"));
            }
            let newest = self.truth.now.epoch;
            if before.epoch == newest && since.epoch != newest {
                self.figures.returns_to_an_epoch += 1;
            }
        }
    }
}
