//! One history: nodes on one database, people, readers and destinations, with faults at random times; then everything heals, and the
//! invariants are checked.

pub mod client;
pub mod deliveries;
pub mod destination;
pub mod node;
pub mod operations;
mod outside;
mod plan;
pub mod readers;
mod simulator;

use std::path::Path;

use anyhow::Context;

use crate::driver::Defect;
use crate::history::simulator::Simulator;
use crate::trace;

/// What a history was.
pub struct Report {
    /// What did not hold.
    pub violations: Vec<String>,
    /// Of the trace: the same for each run of the seed.
    pub hash: u64,
    /// Operations that were asked for.
    pub operations: usize,
    /// Of these, acknowledged.
    pub acknowledged: usize,
    /// Attempts that arrived at destinations.
    pub attempts: usize,
    /// Faults of the database and the disk.
    pub faults: u64,
    /// Crashes, pauses and jumps.
    pub node_faults: u64,
    /// Simulated milliseconds.
    pub duration: u64,
}

/// Runs the history of a seed in this process, which can run one.
///
/// # Errors
/// When the simulation itself fails.
pub fn run(template: &Path, folder: &Path, seed: u64, defect: Option<Defect>) -> anyhow::Result<Report> {
    let mut simulator = Simulator::new(template, folder, seed, defect).context("the history cannot begin")?;
    simulator.live()?;
    let end = simulator.heal()?;
    let violations = simulator.check(end)?;
    let operations = simulator.operations();
    let count = |outcome| operations.iter().filter(|operation| operation.outcome() == outcome).count();
    let faults = crate::driver::faults().count;
    Ok(Report {
        violations,
        hash: trace::hash(),
        operations: operations.len(),
        acknowledged: count(operations::Outcome::Done) + count(operations::Outcome::Pending),
        attempts: deliveries::log().attempts.len(),
        faults,
        node_faults: simulator.node_faults(),
        duration: trace::now(),
    })
}
