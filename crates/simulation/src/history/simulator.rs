//! The simulator: it moves time in small steps, gives the nodes their turns in an order that the seed says, and lets things happen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use crate::chance::Chance;
use crate::driver::{self, Defect, Faults, faults};
use crate::history::destination::{self, Destinations, NodeNetwork};
use crate::history::node::{Node, Start};
use crate::history::operations::{Operation, Operations, Person};
use crate::history::outside::Outside;
use crate::history::plan::{Event, Plan};
use crate::history::readers::Reader;
use crate::model::commits::Commits;
use crate::model::stored::Observer;
use crate::model::{self, annotations, streams};
use crate::template::{self, Template};
use crate::trace;

/// The steps of time, in milliseconds: short ones while something happens, longer ones while nothing does.
const SHORTEST_STEP: u64 = 5;
const LONGEST_STEP: u64 = 80;

/// How long a healed history may take until everything is delivered and shown. The longest waits are those for a lease (15 s) and for a
/// task that was started again and again (30 s).
const CONVERGENCE: u64 = 150_000;

/// How often it is looked at whether it is.
const LOOK: u64 = 1_000;

/// How many readers each environment has.
const READERS: usize = 2;

/// A history that runs.
pub struct Simulator {
    plan: Plan,
    chance: Chance,
    template: Template,
    database: PathBuf,
    key: PathBuf,
    /// A node, or when it starts.
    nodes: Vec<Result<Node, u64>>,
    skews: Vec<i64>,
    incarnations: u64,
    outside: Outside,
    person: Person,
    operations: Operations,
    readers: Vec<Reader>,
    observer: Observer,
    commits: Commits,
    node_faults: u64,
    step: u64,
    seed: u64,
}

impl Simulator {
    /// A history that has not begun.
    pub fn new(template: &Path, folder: &Path, seed: u64, defect: Option<Defect>) -> anyhow::Result<Self> {
        let (database, key) = (folder.join("flagservice.db"), folder.join("flagservice.key"));
        let template = template::copy(template, &database, &key)?;
        let plan = Plan::new(seed);
        let mut chance = Chance::new(seed, "simulator");
        Faults::begin(seed, driver::Rates::of(&mut chance), defect, plan.nodes > 1);
        let rates = destination::Rates::of(&mut chance);
        let destinations = Destinations::new(seed, rates, template.webhooks.clone());
        let outside = Outside::start(seed, destinations, plan.lost_wakes)?;
        let (mut observer, mut commits) = (Observer::open(&database)?, Commits::default());
        commits.observe(&mut observer)?;
        let keys = template.client_keys.iter().enumerate();
        let readers = keys.flat_map(|(environment, key)| (0..READERS).map(move |number| (environment, key, number)));
        let readers =
            readers.map(|(environment, key, number)| Reader::new(environment * READERS + number, environment, key));
        let readers = readers.collect();
        let nodes = (0..plan.nodes).map(|_| Err(0)).collect();
        let (skews, person) = (plan.skews.clone(), Person::new(seed, template.clone()));
        let (operations, incarnations, node_faults) = (Operations::default(), 0, 0);
        let step = SHORTEST_STEP;
        Ok(Self {
            plan,
            chance,
            template,
            database,
            key,
            nodes,
            skews,
            incarnations,
            outside,
            person,
            operations,
            readers,
            observer,
            commits,
            node_faults,
            step,
            seed,
        })
    }

    /// What people did.
    pub fn operations(&self) -> Vec<Operation> {
        self.operations.list().clone()
    }

    /// How often a node was crashed, stopped or paused, or its clock jumped.
    pub fn node_faults(&self) -> u64 {
        self.node_faults
    }

    /// Lets everything happen that the plan says.
    ///
    /// # Errors
    /// When the simulation itself fails.
    pub fn live(&mut self) -> anyhow::Result<()> {
        let mut events = std::mem::take(&mut self.plan.events).into_iter().peekable();
        while trace::now() < self.plan.healed_at {
            while let Some((_, event)) = events.next_if(|(at, _)| *at <= trace::now()) {
                self.apply(event);
            }
            let next = events.peek().map_or(self.plan.healed_at, |(at, _)| *at);
            self.advance(next)?;
        }
        Ok(())
    }

    /// Ends all faults, and waits until everything is delivered and shown. Returns why it is not, if it takes too long.
    ///
    /// # Errors
    /// When the simulation itself fails.
    pub fn heal(&mut self) -> anyhow::Result<Option<String>> {
        trace::note(format_args!("everything heals"));
        faults().end();
        self.outside.heal();
        let give_up_at = trace::now() + CONVERGENCE;
        loop {
            let look_at = trace::now() + LOOK;
            while trace::now() < look_at {
                self.advance(look_at)?;
            }
            let missing = self.missing()?;
            if missing.is_none() || trace::now() > give_up_at {
                return Ok(missing);
            }
        }
    }

    /// What is not delivered or shown yet.
    fn missing(&mut self) -> anyhow::Result<Option<String>> {
        if self.nodes.iter().any(|node| !is_ready(node)) {
            return Ok(Some("a node is not ready".to_owned()));
        }
        // A webhook that is off has nothing to deliver now, and its backlog is part of the history.
        let (switches, _) = self.observer.switches()?;
        if switches.iter().any(|switch| !switch.enabled) {
            if let Some(Ok(node)) = self.nodes.iter().find(|node| is_ready(node)) {
                self.person.switch_on(node, &self.operations);
            }
            return Ok(Some("a webhook is off".to_owned()));
        }
        if let Some(difference) = streams::difference(&mut self.observer, &self.readers)? {
            return Ok(Some(difference));
        }
        let stored = self.observer.everything()?;
        Ok(annotations::missing(&stored, &self.commits, &self.template.webhooks))
    }

    /// What does not hold at the end.
    ///
    /// # Errors
    /// When the simulation itself fails.
    pub fn check(&mut self, missing: Option<String>) -> anyhow::Result<Vec<String>> {
        let stored = self.observer.everything()?;
        let operations = self.operations();
        let mut found = model::violations(&stored, &operations, &self.commits, &self.template.webhooks);
        for reader in &self.readers {
            found.append(&mut reader.state().violations);
        }
        found.extend(missing.map(|missing| format!("after {} s without faults: {missing}", CONVERGENCE / 1_000)));
        Ok(found)
    }

    /// Moves time by a step, at most to this time.
    fn advance(&mut self, at_most: u64) -> anyhow::Result<()> {
        let until = (trace::now() + self.step).min(at_most.max(trace::now() + 1));
        let calls = faults().calls;
        self.start_nodes()?;
        let mut order: Vec<_> = (0..=self.nodes.len()).collect();
        self.chance.shuffle(&mut order);
        for place in order {
            match self.nodes.get_mut(place) {
                Some(Ok(node)) => node.step(until),
                Some(Err(_)) => {}
                None => self.outside.step(until),
            }
        }
        trace::set_now(until);
        self.outside.carry(self.nodes.iter().filter_map(|node| node.as_ref().ok()));
        self.connect_readers();
        let (committed, is_active) = {
            let mut faults = faults();
            (std::mem::take(&mut faults.committed), faults.calls > calls)
        };
        if committed {
            self.commits.observe(&mut self.observer)?;
        }
        self.step = if is_active { SHORTEST_STEP } else { (self.step * 2).min(LONGEST_STEP) };
        Ok(())
    }

    /// Starts the nodes whose time has come, and those again that could not start or have stopped.
    fn start_nodes(&mut self) -> anyhow::Result<()> {
        for number in 0..self.nodes.len() {
            let Some(place) = self.nodes.get_mut(number) else { continue };
            if place.as_ref().is_ok_and(Node::has_ended) {
                let down = self.chance.number(100..=2_000);
                *place = Err(trace::now() + down);
            }
            if !matches!(place, Err(starts_at) if *starts_at <= trace::now()) {
                continue;
            }
            self.incarnations += 1;
            let network = NodeNetwork {
                node: number,
                destinations: Arc::clone(&self.outside.destinations),
                arrivals: self.outside.arrivals.clone(),
            };
            trace::note(format_args!("node {number} starts"));
            let start = Start {
                database_url: format!("sqlite:{}", self.database.display()),
                key_file: self.key.clone(),
                seed: self.seed.wrapping_mul(1_000).wrapping_add(self.incarnations),
                skew: self.skews.get(number).copied().unwrap_or_default(),
                network,
                wakes: Arc::clone(&self.outside.wakes),
            };
            *place = Ok(Node::start(start).with_context(|| format!("node {number}"))?);
        }
        Ok(())
    }

    fn connect_readers(&mut self) {
        for reader in &self.readers {
            if reader.is_waiting() {
                let up: Vec<_> =
                    self.nodes.iter().filter(|node| is_ready(node)).filter_map(|node| node.as_ref().ok()).collect();
                if let Some(node) = self.chance.pick(&up) {
                    reader.connect(node, &mut self.chance);
                }
            }
        }
    }

    fn apply(&mut self, event: Event) {
        trace::note(format_args!("{event:?}"));
        let (Event::Crash { node, .. } | Event::Stop { node } | Event::Pause { node, .. } | Event::Jump { node, .. }) =
            event
        else {
            let up: Vec<_> = self.nodes.iter().filter_map(|node| node.as_ref().ok()).collect();
            if let Some(node) = self.chance.pick(&up) {
                self.person.act(node, &self.operations);
            }
            return;
        };
        if let (Event::Jump { by, .. }, Some(skew)) = (event, self.skews.get_mut(node)) {
            *skew += by;
        }
        let Some(place) = self.nodes.get_mut(node) else { return };
        self.node_faults += 1;
        match (event, &mut *place) {
            (Event::Crash { down, .. }, Ok(_)) => *place = Err(trace::now() + down),
            (Event::Stop { .. }, Ok(node)) => node.stop(),
            (Event::Pause { duration, .. }, Ok(node)) => node.pause(trace::now() + duration),
            (Event::Jump { by, .. }, Ok(node)) => node.clock.jump(by),
            (_, _) => {}
        }
    }
}

/// Whether the node answers, as a load balancer would find.
fn is_ready(node: &Result<Node, u64>) -> bool {
    node.as_ref().is_ok_and(|node| node.is_running() && !node.is_paused())
}
