//! A tree of nodes with its clients on simulated time: the origin, edges that follow it, edges that follow these, and clients of edges.
//! What happens is in one queue; nothing sleeps, and everything random comes from the seed.

use std::collections::HashMap;

use fastrand::Rng;

use super::client::Client;
use super::event::Event;
use super::link::Link;
use super::node::Node;
use super::truth::Truth;
use crate::arena::Arena;
use crate::defect::Defect;
use crate::figures::Figures;
use crate::plan::{Operation, Plan};
use crate::queue::Queue;
use crate::units::{Micros, SECOND};

/// Everything.
pub struct World {
    pub(super) now: Micros,
    pub(super) queue: Queue<Event>,
    pub(super) nodes: Arena<Node>,
    pub(super) links: Arena<Link>,
    pub(super) clients: Arena<Client>,
    /// The edges to which the address of a client leads.
    pub(super) groups: Vec<Vec<u32>>,
    pub(super) plan: Plan,
    pub(super) truth: Truth,
    /// Delays of edges, of clients, and of the network.
    pub(super) edge_random: Rng,
    pub(super) client_random: Rng,
    pub(super) network_random: Rng,
    /// When each version was written, by epoch and version.
    pub(super) written: HashMap<(u64, u64), Micros>,
    pub(super) defect: Option<Defect>,
    /// Prints what happens.
    pub(super) is_traced: bool,
    pub(super) hash: u64,
    /// What was measured and counted.
    pub figures: Figures,
    /// The invariants that did not hold.
    pub violations: Vec<String>,
}

impl World {
    /// A tree in which nothing has happened yet.
    pub fn new(plan: Plan, defect: Option<Defect>, is_traced: bool) -> Self {
        let seed = plan.seed;
        let random = |purpose: u64| Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(purpose));
        let mut world = Self {
            now: 0,
            queue: Queue::default(),
            nodes: Arena::default(),
            links: Arena::default(),
            clients: Arena::default(),
            groups: Vec::new(),
            truth: Truth::default(),
            edge_random: random(1),
            client_random: random(2),
            network_random: random(3),
            written: HashMap::new(),
            defect,
            is_traced,
            hash: 0xcbf2_9ce4_8422_2325,
            figures: Figures::new(&plan),
            violations: Vec::new(),
            plan,
        };
        world.create_nodes();
        world.create_clients();
        for (place, (at, _)) in world.plan.operations.iter().enumerate() {
            world.queue.add(*at, Event::Operation(place));
        }
        world
    }

    /// Runs until the end of the plan, or until an invariant does not hold.
    pub fn run(&mut self) {
        while self.violations.is_empty()
            && let Some((at, happening)) = self.queue.next()
            && at <= self.plan.end
        {
            self.now = at;
            self.figures.happenings += 1;
            self.step(happening);
        }
    }

    fn step(&mut self, happening: Event) {
        match happening {
            Event::EdgeTimer { node, timer } => self.edge_timer(node, timer),
            Event::FollowArrives { node, process, number, parent, parent_process } => {
                self.follow_arrives(node, process, number, parent, parent_process);
            }
            Event::FollowFails { node, process, number, failure } => {
                if self.nodes[node].process == process {
                    self.attempt_failed(node, number, failure);
                }
            }
            Event::FollowAnswered { link } => self.follow_answered(link),
            Event::ToEdge { link, message } => self.message(link, message),
            Event::LinkEnded { link } => self.link_ended(link),
            Event::LinkBeats { link } => self.link_beats(link),
            Event::Write { node, process } => {
                if self.nodes[node].process == process {
                    self.write_files(node);
                }
            }
            Event::ClientTimer { client, timer, started } => self.client_timer(client, timer, started),
            Event::LoadArrives { client, number, edge } => self.load_arrives(client, number, edge),
            Event::LoadEnds { client, number, answer } => self.load_ends(client, number, answer),
            Event::StreamArrives { client, stream, edge } => self.stream_arrives(client, stream, edge),
            Event::ToClient { client, stream, message } => self.stream_message(client, stream, message),
            Event::CatchUpEnds { client, stream, edge } => self.catch_up_ends(client, stream, edge),
            Event::Visit { client } => self.visit(client),
            Event::Operation(place) => {
                if let Some((_, operation)) = self.plan.operations.get(place).copied() {
                    self.operation(operation);
                }
            }
        }
    }

    /// The hash of everything that happened.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Notes what happened to a node or a client.
    pub(super) fn note(&mut self, what: &'static str, who: u32, value: u64) {
        let bytes = self.now.to_le_bytes().into_iter().chain(who.to_le_bytes()).chain(value.to_le_bytes());
        let hash = bytes
            .chain(what.bytes())
            .fold(self.hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        self.hash = hash;
        if self.is_traced {
            println!("{:>14.6} {what} {who} {value}", self.now as f64 / SECOND as f64);
        }
    }

    pub(super) fn violated(&mut self, what: String) {
        self.violations.push(format!("{:.3} s: {what}", self.now as f64 / SECOND as f64));
    }

    fn operation(&mut self, operation: Operation) {
        if self.is_traced {
            println!("{:>14.6} {operation:?}", self.now as f64 / SECOND as f64);
        }
        self.carry_out_operation(operation);
        self.refresh_truth();
    }
}
