//! Goals and participations on their way to the upstream, in files: those that come while others are being written share a file. A file
//! is removed when the upstream has what is in it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::anyhow;
use serde::Deserialize;
use tokio::sync::{Notify, oneshot};

use crate::clock::Clock;
use crate::domain::experiments::participation::ClientReport;
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::edge::sealed_files::SealedFiles;
use crate::error::AppError;
use crate::random::{self, Random};
use crate::sealing::SealingKey;
use crate::serving::goal_queue::{GoalQueue, Waiting};

/// The room that goals may take on the disk while the upstream is away, in bytes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// How many bytes of goals one report has, unless a single file has more.
const REPORT_BYTES: u64 = 256 * 1024;

/// What is logged for a file that cannot be read.
const UNREADABLE: &str = "a file of goals cannot be read and stays; start this edge with the key that it was encrypted with in \
                          --previous-edge-key";

/// What clients report, by environment.
pub(super) type Reports = BTreeMap<EnvironmentId, ClientReport>;

/// What was reported earlier, and what was reported later; `None` for a single entry.
pub(super) fn halves(mut reports: Reports) -> Option<(Reports, Reports)> {
    if let Some(middle) = reports.keys().nth(reports.len().div_ceil(2)).cloned() {
        let later = reports.split_off(&middle);
        return Some((reports, later));
    }
    let (environment, report) = reports.pop_first()?;
    let (earlier, later) = report.halves()?;
    Some(([(environment.clone(), earlier)].into(), [(environment, later)].into()))
}

/// What a file has of an environment. An edge of an earlier release wrote goals alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Goals(Vec<Goal>),
    Report(ClientReport),
}

impl From<Stored> for ClientReport {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Goals(goals) => Self { goals, ..Self::default() },
            Stored::Report(report) => report,
        }
    }
}

/// The files.
pub(super) struct ReportFiles {
    files: Arc<SealedFiles>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    queue: GoalQueue,
    /// The bytes of all files.
    bytes: AtomicU64,
    /// The names of the files, in the order in which they were written.
    names: Mutex<Vec<String>>,
    /// How many others could not be read. They stay: an edge that is started with the key that they were encrypted with reads them.
    unreadable: AtomicUsize,
    /// Told when there is something to report.
    pub(super) written: Notify,
}

/// What the upstream gets in one request.
pub(super) struct Batch {
    pub(super) names: Vec<String>,
    pub(super) reports: Reports,
}

impl ReportFiles {
    pub(super) fn open(
        folder: &Path,
        keys: &Arc<[SealingKey]>,
        clock: &Arc<dyn Clock>,
        random: &Arc<dyn Random>,
    ) -> io::Result<Self> {
        let files = SealedFiles::open(&folder.join("goals"), ".goals", keys, random)?;
        let names = files.names()?;
        let bytes = names.iter().map(|name| files.size(name)).sum();
        Ok(Self {
            files: Arc::new(files),
            clock: Arc::clone(clock),
            random: Arc::clone(random),
            queue: GoalQueue::default(),
            bytes: AtomicU64::new(bytes),
            names: Mutex::new(names),
            unreadable: AtomicUsize::new(0),
            written: Notify::new(),
        })
    }

    /// Keeps a report; it is durable when this returns. Returns how many goals it has.
    pub(super) async fn keep(
        self: &Arc<Self>,
        environment: EnvironmentId,
        report: ClientReport,
    ) -> Result<usize, AppError> {
        if self.bytes.load(Ordering::Relaxed) > MAX_BYTES {
            return Err(AppError::StorageFull);
        }
        let (kept, outcome) = oneshot::channel();
        if self.queue.join(Waiting { environment, report, kept })? {
            // In its own task: the first caller may disconnect, and the goals of the others must still be written.
            let files = Arc::clone(self);
            tokio::task::spawn_blocking(move || files.write_all());
        }
        outcome.await.map_err(|_| AppError::Internal(anyhow!("the goals were not written")))?
    }

    fn write_all(&self) {
        while let Some(waiting) = self.queue.next() {
            let mut reports = Reports::new();
            for one in &waiting {
                reports.entry(one.environment.clone()).or_default().append(one.report.clone());
            }
            let written = self.write(&reports);
            for one in waiting {
                let outcome = match &written {
                    Ok(()) => Ok(one.report.goals.len()),
                    Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(AppError::StorageFull),
                    Err(error) => Err(AppError::Internal(anyhow!("cannot write goals: {error}"))),
                };
                // A caller who has disconnected sends the goals again.
                let _ = one.kept.send(outcome);
            }
        }
    }

    fn write(&self, reports: &Reports) -> io::Result<()> {
        let name = random::uuid(&*self.random, self.clock.now());
        self.files.write(&name, &serde_json::to_vec(reports)?)?;
        self.bytes.fetch_add(self.files.size(&name), Ordering::Relaxed);
        self.names().push(name);
        self.written.notify_one();
        Ok(())
    }

    fn names(&self) -> MutexGuard<'_, Vec<String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of files that wait.
    pub(super) fn waiting(&self) -> usize {
        self.names().len() + self.unreadable.load(Ordering::Relaxed)
    }

    /// The oldest reports that can be read. `None` if there are none.
    pub(super) fn oldest(&self) -> Option<Batch> {
        let (mut bytes, mut batch) = (0, Batch { names: Vec::new(), reports: Reports::new() });
        loop {
            let next = self.names().get(batch.names.len()).cloned();
            let Some(name) = next else { break };
            let size = self.files.size(&name);
            if bytes + size > REPORT_BYTES && !batch.names.is_empty() {
                break;
            }
            match self.read(&name) {
                Ok(stored) => {
                    for (environment, more) in stored {
                        batch.reports.entry(environment).or_default().append(more.into());
                    }
                    bytes += size;
                    batch.names.push(name);
                }
                Err(error) => {
                    tracing::error!(error, name, "{UNREADABLE}");
                    self.names().retain(|known| *known != name);
                    self.unreadable.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        (!batch.names.is_empty()).then_some(batch)
    }

    fn read(&self, name: &str) -> Result<BTreeMap<EnvironmentId, Stored>, String> {
        let plain = self.files.read(name).map_err(|error| error.to_string())?;
        let plain = plain.ok_or_else(|| "no known edge key opens it".to_owned())?;
        serde_json::from_slice(&plain).map_err(|error| error.to_string())
    }

    /// Removes what the upstream has.
    pub(super) fn remove(&self, names: &[String]) -> io::Result<()> {
        for name in names {
            let size = self.files.size(name);
            self.files.remove(name)?;
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            self.names().retain(|known| known != name);
        }
        Ok(())
    }
}
