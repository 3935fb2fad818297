//! Many histories, several at the same time.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::{Value, json};

use crate::defect::Defect;
use crate::histogram::Histogram;
use crate::history::{self, Report};

/// What the process exits with when an invariant did not hold.
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
    pub is_twice: bool,
    /// Whether each has 1,000 edges and a million clients.
    pub is_full: bool,
}

impl Default for Campaign {
    fn default() -> Self {
        Self { histories: 100, first: 1, seconds: None, jobs: 1, defect: None, is_twice: false, is_full: false }
    }
}

/// What the histories were.
#[derive(Default)]
struct Totals {
    histories: u64,
    repeated: u64,
    differing: Vec<u64>,
    counts: BTreeMap<String, u64>,
    until_current: Histogram,
    longest_until_current: Duration,
    client_peak: f64,
    edge_peak: f64,
    found: BTreeMap<u64, Vec<String>>,
}

impl Campaign {
    /// Runs the histories, and prints their figures.
    ///
    /// # Errors
    /// With a planted defect that none found, and when a history was another one the second time.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let (next, is_found, totals) = (AtomicU64::new(0), AtomicBool::new(false), Mutex::new(Totals::default()));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while !is_found.load(Ordering::Relaxed)
                        && self.seconds.is_none_or(|seconds| started.elapsed() < Duration::from_secs(seconds))
                    {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.histories {
                            break;
                        }
                        let report = history::run(self.first + number, self.is_full, self.defect, false);
                        let again =
                            self.is_twice.then(|| history::run(self.first + number, self.is_full, self.defect, false));
                        is_found.fetch_or(!report.violations.is_empty(), Ordering::Relaxed);
                        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                        totals.add(self.first + number, report, again.as_ref());
                    }
                });
            }
        });
        self.report(&totals.into_inner().unwrap_or_else(PoisonError::into_inner), started.elapsed())
    }

    fn report(&self, totals: &Totals, took: Duration) -> anyhow::Result<ExitCode> {
        let defect = self.defect.map(Defect::name);
        let found = totals.found.first_key_value();
        let until_current = [0.5, 0.99].map(|share| totals.until_current.percentile(share));
        println!(
            "{}",
            json!({
                "histories": totals.histories, "repeated": totals.repeated, "first": self.first,
                "last": self.first + totals.histories.saturating_sub(1), "defect": defect,
                "seconds": took.as_secs_f64(), "counts": totals.counts,
                "untilCurrent": until_current, "longestUntilCurrent": totals.longest_until_current.as_secs_f64(),
                "clientPeak": totals.client_peak, "edgePeak": totals.edge_peak,
                "found": found.map(|(seed, violations)| json!({ "seed": seed, "violations": violations })),
            })
        );
        ensure!(totals.differing.is_empty(), "these seeds had another history the second time: {:?}", totals.differing);
        let Some((seed, violations)) = found else {
            let name = defect.unwrap_or_default();
            ensure!(defect.is_none(), "{} histories did not find the defect {name}", totals.histories);
            return Ok(ExitCode::SUCCESS);
        };
        let shown = violations.join("\n  ");
        if let Some(defect) = defect {
            eprintln!("The defect {defect} was found with seed {seed}:\n  {shown}");
            return Ok(ExitCode::SUCCESS);
        }
        let full = if self.is_full { " --full" } else { "" };
        eprintln!(
            "An invariant does not hold in the history of seed {seed}. Repeat it with --seed {seed}{full} --trace.\n  {shown}"
        );
        Ok(ExitCode::from(VIOLATION))
    }
}

impl Totals {
    fn add(&mut self, seed: u64, report: Report, again: Option<&Report>) {
        self.histories += 1;
        if let Some(again) = again {
            self.repeated += 1;
            if again.hash != report.hash {
                self.differing.push(seed);
            }
        }
        for (name, count) in report.counts() {
            *self.counts.entry(name).or_default() += count.as_u64().unwrap_or_default();
        }
        let figures = report.figures;
        self.until_current.add(figures.longest_until_current.as_micros() as u64);
        self.longest_until_current = self.longest_until_current.max(figures.longest_until_current);
        self.client_peak = self.client_peak.max(figures.client_peak);
        self.edge_peak = self.edge_peak.max(figures.edge_peak);
        if !report.violations.is_empty() {
            self.found.insert(seed, report.violations);
        }
    }
}

/// Runs one history, and prints its figures.
pub fn run_alone(seed: u64, is_full: bool, defect: Option<Defect>, is_traced: bool) -> ExitCode {
    let report = history::run(seed, is_full, defect, is_traced);
    let hash = format!("{:016x}", report.hash);
    let counts: Value = report.counts().into();
    println!("{}", json!({ "seed": seed, "hash": hash, "violations": report.violations, "counts": counts }));
    if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(VIOLATION) }
}
