//! Many histories, each in a process of its own, several at the same time.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::driver::{self, Defect};
use crate::history::deliveries;
use crate::{disk, entropy, history, template, trace};

/// What a process that ran a history exits with when an invariant did not hold.
const VIOLATION: u8 = 3;

/// Which histories to run.
pub struct Campaign {
    /// How many.
    pub histories: u64,
    /// The first seed.
    pub first: u64,
    /// For how long, if that is shorter.
    pub seconds: Option<u64>,
    /// How many at the same time.
    pub jobs: usize,
    /// A planted defect.
    pub defect: Option<Defect>,
    /// Whether each runs twice, and has to be the same.
    pub twice: bool,
}

impl Default for Campaign {
    fn default() -> Self {
        Self { histories: 100, first: 1, seconds: None, jobs: 1, defect: None, twice: false }
    }
}

/// A folder that is removed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> anyhow::Result<Self> {
        let path = env::temp_dir().join(format!("flagservice-simulation-{}-{name}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The next restart of the machine removes it otherwise.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the history of a seed in this process and prints what it was, as JSON.
///
/// # Errors
/// When the simulation itself fails.
pub fn run_history(template: &Path, seed: u64, defect: Option<Defect>, show: bool) -> anyhow::Result<ExitCode> {
    entropy::seed(seed);
    if show {
        trace::show();
    }
    // The server starts a task again that panicked: that is a defect too.
    panic::set_hook(Box::new(|panic| deliveries::log().violations.push(format!("something panicked: {panic}"))));
    disk::install()?;
    driver::install();
    let folder = Folder::new("history")?;
    let report = history::run(template, &folder.0, seed, defect)?;
    let found = !report.violations.is_empty();
    let counts = json!({
        "operations": report.operations, "acknowledged": report.acknowledged, "attempts": report.attempts,
        "faults": report.faults, "node_faults": report.node_faults, "milliseconds": report.duration,
    });
    let hash = format!("{:016x}", report.hash);
    println!("{}", json!({ "seed": seed, "hash": hash, "violations": report.violations, "counts": counts }));
    Ok(ExitCode::from(if found { VIOLATION } else { 0 }))
}

/// Runs one history in a process of its own, as a campaign does, and shows what it prints.
///
/// # Errors
/// When it cannot be run.
pub fn run_alone(seed: u64, defect: Option<Defect>, show: bool) -> anyhow::Result<ExitCode> {
    let folder = Folder::new("template")?;
    template::create(&folder.0)?;
    let mut command = history_process(&folder.0, seed, defect)?;
    if show {
        command.arg("--trace");
    }
    let status = command.stdout(Stdio::inherit()).spawn()?.wait()?;
    Ok(ExitCode::from(if status.success() { 0 } else { VIOLATION }))
}

fn history_process(template: &Path, seed: u64, defect: Option<Defect>) -> anyhow::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("--seed").arg(seed.to_string()).arg("--template").arg(template);
    if let Some(defect) = defect {
        command.arg("--defect").arg(defect.name());
    }
    Ok(command)
}

/// A history that runs: its seed, and whether it has run before.
struct Running {
    seed: u64,
    again: bool,
    process: Child,
}

/// What the histories were.
#[derive(Default)]
struct Totals {
    histories: u64,
    repeated: u64,
    counts: BTreeMap<String, u64>,
    hashes: BTreeMap<u64, String>,
}

impl Campaign {
    /// Runs the histories, and prints their figures.
    ///
    /// # Errors
    /// Names the seed of a history in which an invariant did not hold, or which was another one the second time; with a planted defect
    /// that none was found.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let folder = Folder::new("template")?;
        template::create(&folder.0)?;
        let started = Instant::now();
        let (mut totals, mut running, mut next) = (Totals::default(), Vec::new(), self.first);
        let mut found = None;
        let mut begun = 0_u64;
        while found.is_none() {
            let in_time = self.seconds.is_none_or(|seconds| started.elapsed() < Duration::from_secs(seconds));
            if in_time && begun < self.histories && running.len() < self.jobs {
                running.push(self.begin(&folder.0, next, false)?);
                (next, begun) = (next + 1, begun + 1);
                continue;
            }
            if running.is_empty() {
                break;
            }
            let Running { seed, again, process } = running.remove(0);
            let output = process.wait_with_output()?;
            found = totals.add(seed, again, &output)?;
            if self.twice && !again && found.is_none() {
                running.push(self.begin(&folder.0, seed, true)?);
            }
        }
        for other in running {
            // It ends by itself.
            let _ = other.process.wait_with_output();
        }
        self.report(&totals, found, started.elapsed())
    }

    fn begin(&self, template: &Path, seed: u64, again: bool) -> anyhow::Result<Running> {
        let process = history_process(template, seed, self.defect)?.stdout(Stdio::piped()).spawn();
        Ok(Running { seed, again, process: process.context("a history cannot be started")? })
    }

    fn report(&self, totals: &Totals, found: Option<Value>, took: Duration) -> anyhow::Result<ExitCode> {
        let defect = self.defect.map(Defect::name);
        let last = self.first + totals.histories.saturating_sub(1);
        println!(
            "{}",
            json!({
                "histories": totals.histories, "repeated": totals.repeated, "first": self.first, "last": last,
                "defect": defect, "seconds": took.as_secs_f64(), "counts": totals.counts, "found": found,
            })
        );
        let Some(found) = found else {
            ensure!(
                defect.is_none(),
                "{} histories did not find the defect {}",
                totals.histories,
                defect.unwrap_or_default()
            );
            return Ok(ExitCode::SUCCESS);
        };
        let seed = found.get("seed").and_then(Value::as_u64).unwrap_or_default();
        let violations: Vec<_> =
            found.get("violations").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let shown = violations.join("\n  ");
        if let Some(defect) = defect {
            eprintln!("The defect {defect} was found with seed {seed}:\n  {shown}");
            return Ok(ExitCode::SUCCESS);
        }
        eprintln!(
            "An invariant does not hold in the history of seed {seed}. Repeat it with --seed {seed} --trace.\n  {shown}"
        );
        Ok(ExitCode::from(VIOLATION))
    }
}

impl Totals {
    /// Adds a history. Returns it if an invariant did not hold.
    fn add(&mut self, seed: u64, again: bool, output: &Output) -> anyhow::Result<Option<Value>> {
        let printed = String::from_utf8_lossy(&output.stdout);
        let last = printed.lines().next_back().unwrap_or_default();
        let history: Value =
            serde_json::from_str(last).with_context(|| format!("the history of seed {seed} ended with: {last}"))?;
        let hash = history.get("hash").and_then(Value::as_str).unwrap_or_default().to_owned();
        if again {
            self.repeated += 1;
            let first = self.hashes.remove(&seed).unwrap_or_default();
            ensure!(first == hash, "the history of seed {seed} was another one the second time: {first}, {hash}");
            return Ok(None);
        }
        self.hashes.insert(seed, hash);
        self.histories += 1;
        for (name, count) in history.get("counts").and_then(Value::as_object).into_iter().flatten() {
            *self.counts.entry(name.clone()).or_default() += count.as_u64().unwrap_or_default();
        }
        let violations = history.get("violations").and_then(Value::as_array);
        Ok(violations.is_some_and(|violations| !violations.is_empty()).then_some(history))
    }
}
