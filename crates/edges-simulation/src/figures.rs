//! What a history counts and measures.

use std::time::Duration;

use flagservice_client::backoff::backoff;
use flagservice_server::edge::follow_state::DELAYS;

use crate::histogram::Histogram;
use crate::plan::{Finale, Plan};
use crate::units::{Micros, SECOND};

/// The length of a bin.
pub const BIN: Micros = SECOND / 10;

/// How many times as many as with an even spread may come back at once.
const MAX_PEAK: f64 = 4.0;

/// The largest random number that a client draws.
const ALMOST_ONE: f64 = 0.999_999;

/// The figures.
pub struct Figures {
    /// Events of the simulation.
    pub happenings: u64,
    /// Attempts of edges to connect.
    pub attempts: u64,
    /// Answers to loads.
    pub loads: u64,
    /// Versions that the origin wrote.
    pub changes: u64,
    /// Restores of its database.
    pub restores: u64,
    /// Bundles that an edge left because it had a later version.
    pub older_bundles: u64,
    /// How often a client went back to values of before a restore, on an edge that had not learned of it.
    pub returns_to_an_epoch: u64,
    /// When all faults had ended.
    pub healed_at: Micros,
    /// The longest time from there until an edge was current.
    pub longest_until_current: Duration,
    /// The highest share of an even spread with which clients and edges came back.
    pub client_peak: f64,
    /// The same of edges.
    pub edge_peak: f64,
    /// From a change to the edges of each level.
    pub to_edges: [Histogram; 3],
    /// From a change to clients.
    pub to_clients: Histogram,
    /// From the begin of what is measured.
    pub attempts_at_origin: Vec<u32>,
    /// Edges that connected, by level, and clients that opened a stream, or asked for one.
    pub edge_connections: [Vec<u32>; 3],
    /// Streams that clients asked for.
    pub stream_requests: Vec<u32>,
    /// Clients that came back.
    pub client_returns: Vec<u32>,
    measured_from: Micros,
}

impl Figures {
    /// Nothing yet.
    pub fn new(plan: &Plan) -> Self {
        Self {
            happenings: 0,
            attempts: 0,
            loads: 0,
            changes: 0,
            restores: 0,
            older_bundles: 0,
            returns_to_an_epoch: 0,
            healed_at: 0,
            longest_until_current: Duration::ZERO,
            client_peak: 0.0,
            edge_peak: 0.0,
            to_edges: Default::default(),
            to_clients: Histogram::default(),
            attempts_at_origin: Vec::new(),
            edge_connections: Default::default(),
            stream_requests: Vec::new(),
            client_returns: Vec::new(),
            measured_from: plan.measured_from,
        }
    }

    fn bin(bins: &mut Vec<u32>, measured_from: Micros, at: Micros) {
        let Some(after) = at.checked_sub(measured_from) else { return };
        let place = (after / BIN) as usize;
        if bins.len() <= place {
            bins.resize(place + 1, 0);
        }
        if let Some(bin) = bins.get_mut(place) {
            *bin += 1;
        }
    }

    /// A version has reached an edge.
    pub fn reached_edge(&mut self, level: u32, written_at: Micros, at: Micros) {
        if let Some(histogram) = self.to_edges.get_mut(level as usize).filter(|_| written_at >= self.measured_from) {
            histogram.add(at - written_at);
        }
    }

    /// A version has reached a client.
    pub fn reached_client(&mut self, written_at: Micros, at: Micros) {
        if written_at >= self.measured_from {
            self.to_clients.add(at - written_at);
        }
    }

    /// An edge tries to connect to the origin.
    pub fn attempt_at_origin(&mut self, at: Micros) {
        Self::bin(&mut self.attempts_at_origin, self.measured_from, at);
    }

    /// An edge has connected.
    pub fn edge_connected(&mut self, level: u32, at: Micros) {
        if let Some(bins) = self.edge_connections.get_mut(level as usize) {
            Self::bin(bins, self.measured_from, at);
        }
    }

    /// A client asks for a stream.
    pub fn stream_requested(&mut self, at: Micros) {
        Self::bin(&mut self.stream_requests, self.measured_from, at);
    }

    /// A client that lost its stream has one again.
    pub fn client_returned(&mut self, at: Micros) {
        Self::bin(&mut self.client_returns, self.measured_from, at);
    }

    /// An edge was current so long after all faults had ended.
    pub fn current_after(&mut self, took: Duration) {
        self.longest_until_current = self.longest_until_current.max(took);
    }

    /// Whether clients or edges came back too close to each other after the last outage.
    pub fn too_close(&mut self, plan: &Plan) -> Vec<String> {
        let Some((finale, away)) = plan.finale else { return Vec::new() };
        let mut found = Vec::new();
        let healed = (plan.healed_at.saturating_sub(self.measured_from) / BIN) as usize;
        let after = |bins: &[u32], seconds: usize| {
            bins.get(healed..).unwrap_or_default().iter().take(seconds * 10).copied().collect()
        };
        if finale == Finale::ClientsLoseEdges {
            let bins: Vec<u32> = after(&self.client_returns, 60);
            let seconds: Vec<u32> = bins.chunks(10).map(|second| second.iter().sum()).collect();
            let (peak, is_too_close) = peak(&seconds, client_window(away) / SECOND as f64, 200, 5.0);
            self.client_peak = peak;
            if is_too_close {
                found.push(format!("clients came back with {peak:.1} times the rate of an even spread: {seconds:?}"));
            }
        }
        let level = if finale == Finale::FirstLevelEnds { 2 } else { 1 };
        if finale.concerns_edges() && away >= SECOND {
            let bins: Vec<u32> = after(self.edge_connections.get(level).map(Vec::as_slice).unwrap_or_default(), 3);
            let window = DELAYS.1.as_micros() as f64 / BIN as f64;
            let (peak, is_too_close) = peak(&bins, window, 8, 2.0);
            self.edge_peak = peak;
            if is_too_close {
                found.push(format!("edges came back with {peak:.1} times the rate of an even spread: {bins:?}"));
            }
        }
        found
    }
}

/// The highest count of a bin, as a multiple of an even spread over so many bins, and whether that is too much. Few are never too close:
/// chance moves their count by some standard deviations.
fn peak(bins: &[u32], window: f64, fewest: u32, deviations: f64) -> (f64, bool) {
    let count: u32 = bins.iter().sum();
    if count < fewest {
        return (0.0, false);
    }
    let even = f64::from(count) / window;
    let highest = bins.iter().copied().max().map_or(0.0, f64::from);
    let limit = MAX_PEAK * even;
    (highest / even, highest > limit + deviations * limit.sqrt())
}

/// The longest delay that most clients have reached after so long without an edge.
pub fn client_window(away: Micros) -> f64 {
    let (mut spent, mut failures) = (0.0, 0);
    loop {
        failures += 1;
        let limit = f64::from(backoff(failures, ALMOST_ONE)) * 1_000.0;
        spent += limit / 2.0;
        if spent >= away as f64 || failures > 6 {
            return limit;
        }
    }
}
