//! What is outside of the nodes: the destinations of webhooks, and the network that carries wakes from node to node.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use flagservice_server::domain::environment::Wake;
use tokio::runtime::{self, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time;

use crate::chance::Chance;
use crate::history::destination::{Arrived, Destinations};
use crate::history::node::{Node, Wakes};
use crate::trace;

/// The longest time that a wake is on its way, in milliseconds.
const LATE: u64 = 3_000;

/// Everything outside of the nodes.
pub struct Outside {
    runtime: Runtime,
    started: time::Instant,
    /// The destinations of webhooks.
    pub destinations: Arc<Destinations>,
    /// Where connections to them arrive.
    pub arrivals: UnboundedSender<Arrived>,
    /// What nodes have announced.
    pub wakes: Wakes,
    /// Wakes on their way: when they arrive, and at which node.
    under_way: Vec<(u64, usize, Wake)>,
    chance: Chance,
    lost_wakes: f64,
}

impl Outside {
    /// Starts the destinations.
    ///
    /// # Errors
    /// When there is no runtime for them.
    pub fn start(seed: u64, destinations: Destinations, lost_wakes: f64) -> anyhow::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
        let started = runtime.block_on(async { time::Instant::now() });
        let destinations = Arc::new(destinations);
        let (arrivals, arrived) = unbounded_channel();
        runtime.spawn(Arc::clone(&destinations).run(arrived));
        let (wakes, under_way, chance) = (Wakes::default(), Vec::new(), Chance::new(seed, "wakes"));
        Ok(Self { runtime, started, destinations, arrivals, wakes, under_way, chance, lost_wakes })
    }

    /// No more faults.
    pub fn heal(&mut self) {
        self.lost_wakes = 0.0;
        self.destinations.heal();
    }

    /// Runs it until this time.
    pub fn step(&mut self, until: u64) {
        let target = self.started + Duration::from_millis(until);
        self.runtime.block_on(async { time::sleep_until(target).await });
    }

    /// Carries wakes from node to node.
    pub fn carry<'a>(&mut self, nodes: impl Iterator<Item = &'a Node> + Clone) {
        let announced = std::mem::take(&mut *self.wakes.lock().unwrap_or_else(PoisonError::into_inner));
        for (from, wake) in announced {
            for node in nodes.clone().filter(|node| node.number != from) {
                if !self.chance.happens(self.lost_wakes) {
                    let longest = if self.chance.happens(0.1) { LATE } else { 30 };
                    self.under_way.push((trace::now() + self.chance.number(1..=longest), node.number, wake.clone()));
                }
            }
        }
        let now = trace::now();
        for (_, to, wake) in self.under_way.extract_if(.., |(at, ..)| *at <= now) {
            if let Some(node) = nodes.clone().find(|node| node.number == to) {
                trace::note(format_args!("node {to} is notified of a commit"));
                node.receive_wake(wake);
            }
        }
    }
}
