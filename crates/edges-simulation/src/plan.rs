//! What is going to happen in a history: its tree, writes, faults and checks, all drawn from the seed.

use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;

use crate::snapshot::KEYS;
use crate::units::{Micros, ORIGIN, SECOND};

/// A day.
pub const DAY: Micros = 24 * 60 * 60 * SECOND;

/// How large a tree is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Edges that follow the origin.
    pub first_level: u32,
    /// Edges that follow these.
    pub second_level: u32,
    /// Clients of all edges.
    pub clients: u32,
}

impl Shape {
    /// 1,000 edges and a million clients.
    pub const FULL: Self = Self { first_level: 31, second_level: 969, clients: 1_000_000 };
}

/// An entry of the plan.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// Somebody changes a feature.
    Change,
    /// Somebody revokes a client key, or creates it again.
    Revoke(u32),
    /// The opposite.
    Allow(u32),
    /// Somebody revokes the edge key of an edge.
    RevokeEdge(u32),
    /// A process ends. `is_dark`: with its machine.
    End { node: u32, is_dark: bool },
    /// It starts. `is_wiped`: without its files.
    Start { node: u32, is_wiped: bool },
    /// A node stops gracefully.
    Drain(u32),
    /// The database is restored to some versions before, and the origin starts.
    Restore { epoch: u64, back: u64 },
    /// A partition between a node and its upstreams, and its end.
    Cut(u32),
    /// The end.
    Join(u32),
    /// A partition between an edge and its clients, and its end.
    CutFromClients(u32),
    /// The end.
    JoinClients(u32),
    /// The connection to the upstream breaks.
    Break { node: u32, is_silent: bool },
    /// The streams of all clients of an edge break.
    LoseStreams { node: u32, is_silent: bool },
    /// A page is opened.
    Visit(u32),
    /// The last outage begins.
    Finale,
    /// All faults have ended.
    Healed,
    /// Every edge has what the origin has: after the faults, or after the change that follows.
    CheckEdges { is_first: bool },
    /// Revoked keys do not count.
    CheckKeys,
    /// Those who came back were spread.
    CheckSpread,
    /// Every client has what the origin has.
    CheckClients,
}

/// The last outage of a history, after which it is measured who comes back when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finale {
    /// All edges of many groups end, and their clients have none.
    ClientsLoseEdges,
    /// All edges of the first level end.
    FirstLevelEnds,
    /// The origin ends.
    OriginEnds,
    /// The machine of the origin is gone.
    OriginIsDark,
    /// All edges of the first level are cut off.
    FirstLevelIsCut,
    /// All edges are cut off.
    AllAreCut,
}

impl Finale {
    const ALL: [Self; 6] = [
        Self::ClientsLoseEdges,
        Self::FirstLevelEnds,
        Self::OriginEnds,
        Self::OriginIsDark,
        Self::FirstLevelIsCut,
        Self::AllAreCut,
    ];

    /// Whether it is measured how edges come back.
    pub fn concerns_edges(self) -> bool {
        matches!(self, Self::FirstLevelEnds | Self::OriginEnds)
    }
}

/// What is going to happen.
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// The tree.
    pub shape: Shape,
    /// The entries, with their times.
    pub operations: Vec<(Micros, Operation)>,
    /// The end of the history.
    pub end: Micros,
    /// The time in which all pages open.
    pub opening: Micros,
    /// When all faults have ended.
    pub healed_at: Micros,
    /// The last outage, and how long it lasts.
    pub finale: Option<(Finale, Micros)>,
    /// From here on times are measured.
    pub measured_from: Micros,
    parents: Vec<Vec<u32>>,
    max_ages: Vec<Option<Duration>>,
    groups: Vec<Vec<u32>>,
}

impl Plan {
    /// Nothing but clients that open their pages within this time.
    pub fn calm(seed: u64, shape: Shape, opening: Micros) -> Self {
        let mut random = Rng::with_seed(seed ^ 0x0005_eed0_fa11_71a1);
        let edges = shape.first_level + shape.second_level;
        let (parents, groups) = (parents(&mut random, shape), groups(&mut random, edges));
        Self {
            seed,
            shape,
            operations: Vec::new(),
            end: opening,
            opening,
            healed_at: 0,
            finale: None,
            measured_from: opening,
            parents,
            max_ages: vec![None; edges as usize],
            groups,
        }
    }

    /// The upstreams of an edge, by its place among the edges.
    pub fn parents(&self, place: u32) -> Vec<u32> {
        self.parents.get(place as usize).cloned().unwrap_or_default()
    }

    /// After how long without the server an edge stops serving.
    pub fn max_age(&self, place: u32) -> Option<Duration> {
        self.max_ages.get(place as usize).copied().flatten()
    }

    /// The edges to which the addresses of clients lead.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        self.groups.clone()
    }

    /// Gives each edge an address of its own, so that its clients have no other.
    pub fn with_own_addresses(mut self) -> Self {
        self.groups = self.edges().map(|edge| vec![edge]).collect();
        self
    }

    /// Adds an entry.
    pub fn add(&mut self, at: Micros, operation: Operation) {
        self.operations.push((at, operation));
    }

    /// A history with faults. `away`: the last outage lasts so long; otherwise the seed says how long.
    pub fn with_faults(seed: u64, shape: Shape, away: Option<Micros>) -> Self {
        let opening = if shape.clients > 100_000 { 60 * SECOND } else { 10 * SECOND };
        let mut plan = Self::calm(seed, shape, opening);
        let mut random = Rng::with_seed(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0xfa17);
        let is_long = away.is_some_and(|away| away >= DAY);
        let away = away.unwrap_or_else(|| length(&mut random, 100_000..120 * SECOND));
        let calm_until = opening + 30 * SECOND + random.u64(30 * SECOND..180 * SECOND);
        plan.healed_at = calm_until + away;
        for max_age in &mut plan.max_ages {
            let range = if is_long { 3_600..100_000 } else { 15..120 };
            *max_age = random.bool().then(|| Duration::from_secs(random.u64(range)));
        }
        let mut busy = vec![0; (shape.first_level + shape.second_level + 1) as usize];
        for _ in 0..random.u32(3..12) {
            plan.add_fault(&mut random, &mut busy, opening..calm_until);
        }
        plan.add_finale(&mut random, calm_until, away, is_long);
        plan.add_writes(&mut random);
        plan.add_visits(&mut random);
        plan.add_checks(&mut random);
        // Those of the same time happen in the order in which they were added.
        plan.operations.sort_by_key(|(at, _)| *at);
        plan
    }

    fn edges(&self) -> Range<u32> {
        1..self.shape.first_level + self.shape.second_level + 1
    }

    fn first_level(&self) -> Range<u32> {
        1..self.shape.first_level + 1
    }

    /// A fault that begins and ends within this time.
    fn add_fault(&mut self, random: &mut Rng, busy: &mut [Micros], time: Range<Micros>) {
        let at = random.u64(time.start..time.end - SECOND);
        let until = at + length(random, 100_000..120 * SECOND).min(time.end - at);
        let edge = if random.u8(0..3) == 0 { random.u32(self.first_level()) } else { random.u32(self.edges()) };
        let is_silent = random.bool();
        match random.u8(0..11) {
            kind @ 0..=2 => {
                let node = if kind == 2 && random.bool() { ORIGIN } else { edge };
                let Some(free) = busy.get_mut(node as usize).filter(|busy| **busy < at) else { return };
                *free = until + SECOND;
                let is_drained = random.u8(0..3) == 0 && until > at + 10 * SECOND;
                if is_drained {
                    self.add(at, Operation::Drain(node));
                }
                let ends_at = if is_drained { at + 10 * SECOND } else { at };
                self.add(ends_at, Operation::End { node, is_dark: is_silent && !is_drained });
                let is_wiped = node != ORIGIN && random.u8(0..5) == 0;
                self.add(until, Operation::Start { node, is_wiped });
            }
            3 => {
                let Some(free) = busy.get_mut(ORIGIN as usize).filter(|busy| **busy < at) else { return };
                *free = until + SECOND;
                self.add(at, Operation::End { node: ORIGIN, is_dark: is_silent });
                self.add(until, Operation::Restore { epoch: random.u64(1..), back: random.u64(0..5) });
            }
            4 | 5 => self.add_cut(at, until, edge..edge + 1),
            6 | 7 => {
                let range = if random.bool() { self.first_level() } else { self.edges() };
                let first = random.u32(range.clone());
                self.add_cut(at, until, first..random.u32(first..range.end) + 1);
            }
            8 => {
                self.add(at, Operation::CutFromClients(edge));
                self.add(until, Operation::JoinClients(edge));
            }
            9 => self.add(at, Operation::Break { node: edge, is_silent }),
            _ => self.add(at, Operation::LoseStreams { node: edge, is_silent }),
        }
    }

    fn add_cut(&mut self, at: Micros, until: Micros, nodes: Range<u32>) {
        for node in nodes {
            self.add(at, Operation::Cut(node));
            self.add(until, Operation::Join(node));
        }
    }

    /// The last outage, which ends when all faults have ended.
    fn add_finale(&mut self, random: &mut Rng, at: Micros, away: Micros, is_long: bool) {
        let of_origin = [Finale::OriginEnds, Finale::OriginIsDark];
        let among = if is_long { &of_origin[..] } else { &Finale::ALL[..] };
        let Some(finale) = random.choice(among).copied() else { return };
        let until = at + away;
        self.finale = Some((finale, away));
        self.add(at, Operation::Finale);
        match finale {
            Finale::ClientsLoseEdges => {
                let groups: Vec<_> = self.groups.iter().filter(|_| random.u8(0..4) > 0).flatten().copied().collect();
                for node in groups {
                    self.add(at, Operation::End { node, is_dark: false });
                    self.add(until, Operation::Start { node, is_wiped: false });
                }
            }
            Finale::FirstLevelEnds => {
                for node in self.first_level() {
                    self.add(at, Operation::End { node, is_dark: false });
                    self.add(until, Operation::Start { node, is_wiped: false });
                }
            }
            Finale::OriginEnds | Finale::OriginIsDark => {
                self.add(at, Operation::End { node: ORIGIN, is_dark: finale == Finale::OriginIsDark });
                if is_long {
                    self.add_restarts(random, at..until);
                }
                let restore = Operation::Restore { epoch: random.u64(1..), back: random.u64(0..5) };
                let start = Operation::Start { node: ORIGIN, is_wiped: false };
                self.add(until, if random.u8(0..4) == 0 { restore } else { start });
            }
            Finale::FirstLevelIsCut => self.add_cut(at, until, self.first_level()),
            Finale::AllAreCut => self.add_cut(at, until, self.edges()),
        }
    }

    /// Edges restart while the origin is away, with their files or without.
    fn add_restarts(&mut self, random: &mut Rng, time: Range<Micros>) {
        let mut edges: Vec<_> = self.edges().collect();
        random.shuffle(&mut edges);
        for node in edges.into_iter().take(8) {
            let at = random.u64(time.start..time.end - 60 * SECOND);
            self.add(at, Operation::End { node, is_dark: random.bool() });
            let is_wiped = random.u8(0..3) == 0;
            self.add(at + random.u64(SECOND..50 * SECOND), Operation::Start { node, is_wiped });
        }
    }

    fn add_writes(&mut self, random: &mut Rng) {
        let time = self.opening..self.healed_at;
        for _ in 0..random.u32(6..20) {
            self.add(random.u64(time.clone()), Operation::Change);
        }
        if random.bool() {
            let key = random.u32(0..KEYS);
            let at = random.u64(time.clone());
            self.add(at, Operation::Revoke(key));
            if random.u8(0..4) == 0 {
                self.add(random.u64(at..time.end), Operation::Allow(key));
            }
        }
        if random.u8(0..6) == 0 {
            let edge = random.u32(self.shape.first_level + 1..self.edges().end);
            self.add(random.u64(time), Operation::RevokeEdge(edge));
        }
    }

    fn add_visits(&mut self, random: &mut Rng) {
        for _ in 0..random.u32(20..200) {
            let at = random.u64(self.opening..self.healed_at + 10 * SECOND);
            self.add(at, Operation::Visit(random.u32(0..self.shape.clients)));
        }
    }

    fn add_checks(&mut self, random: &mut Rng) {
        let healed_at = self.healed_at;
        let pause = (healed_at / 40).max(7 * SECOND);
        let mut at = self.opening;
        while at < healed_at {
            self.add(at, Operation::CheckKeys);
            at += random.u64(pause / 2..pause);
        }
        self.add(healed_at, Operation::Healed);
        self.add(healed_at + 2 * SECOND, Operation::CheckEdges { is_first: true });
        self.add(healed_at + 3 * SECOND, Operation::Change);
        self.add(healed_at + 4 * SECOND, Operation::CheckEdges { is_first: false });
        self.add(healed_at + 9 * SECOND, Operation::CheckKeys);
        self.end = healed_at + 150 * SECOND;
        self.add(self.end, Operation::CheckSpread);
        self.add(self.end, Operation::CheckClients);
    }
}

/// A length, short ones as often as long ones.
fn length(random: &mut Rng, range: Range<Micros>) -> Micros {
    let (shortest, longest) = ((range.start as f64).ln(), (range.end as f64).ln());
    (shortest + (longest - shortest) * random.f64()).exp() as Micros
}

/// The upstreams of each edge: the origin, or one to three edges of the first level behind a balancer.
fn parents(random: &mut Rng, shape: Shape) -> Vec<Vec<u32>> {
    let first = (0..shape.first_level).map(|_| vec![ORIGIN]);
    let second = (0..shape.second_level).map(|place| {
        let own = place % shape.first_level;
        let count = if shape.first_level > 2 { [1, 1, 1, 2, 3] } else { [1; 5] };
        let count = random.choice(count).unwrap_or(1);
        (0..count).map(|next| 1 + (own + next) % shape.first_level).collect()
    });
    first.collect::<Vec<_>>().into_iter().chain(second).collect()
}

/// Groups of one to three edges.
fn groups(random: &mut Rng, edges: u32) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    let mut next = 1;
    while next <= edges {
        let end = (next + random.u32(1..4)).min(edges + 1);
        groups.push((next..end).collect());
        next = end;
    }
    groups
}
