//! Goals and participations on their way to the upstream, in files: those that come while others are being written share a file. A file
//! is removed when the upstream has what is in it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;
use serde::Deserialize;
use tokio::sync::{Notify, oneshot};

use crate::clock::Clock;
use crate::domain::experiments::participation::ClientReport;
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::edge::sealed_files::SealedFiles;
use crate::error::{AppError, Result};
use crate::random::{self, Random};
use crate::sealing::SealingKey;
use crate::serving::goal_queue::{GoalQueue, Waiting};

/// The room that goals may take on the disk while the upstream is away, in bytes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// How many bytes of goals one report has, unless a single file has more.
const REPORT_BYTES: u64 = 256 * 1024;

/// What clients report, by environment.
pub(super) type Reports = BTreeMap<EnvironmentId, ClientReport>;

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
    /// Told when there is something to report.
    pub(super) written: Notify,
}

/// What the upstream gets in one request.
pub(super) struct Batch {
    names: Vec<String>,
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
            written: Notify::new(),
        })
    }

    /// Keeps a report; it is durable when this returns. Returns how many goals it has.
    pub(super) async fn keep(self: &Arc<Self>, environment: EnvironmentId, report: ClientReport) -> Result<usize> {
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
        self.names.lock().unwrap_or_else(PoisonError::into_inner).push(name);
        self.written.notify_one();
        Ok(())
    }

    /// The number of files that wait.
    pub(super) fn waiting(&self) -> usize {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The oldest reports. `None` if there are none.
    pub(super) fn oldest(&self) -> Option<Batch> {
        let (mut bytes, mut names) = (0, Vec::new());
        for name in self.names.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            bytes += self.files.size(name);
            if bytes > REPORT_BYTES && !names.is_empty() {
                break;
            }
            names.push(name.clone());
        }
        if names.is_empty() {
            return None;
        }
        let mut reports = Reports::new();
        for name in &names {
            for (environment, more) in self.read(name).unwrap_or_default() {
                reports.entry(environment).or_default().append(more.into());
            }
        }
        Some(Batch { names, reports })
    }

    /// Reads a file. One that no key opens is removed with the batch: nobody will ever be able to read it.
    fn read(&self, name: &str) -> Option<BTreeMap<EnvironmentId, Stored>> {
        let plain = self.files.read(name).map_err(|error| error.to_string());
        let plain = plain.and_then(|plain| plain.ok_or_else(|| "no known edge key opens it".to_owned()));
        let goals = plain.and_then(|plain| serde_json::from_slice(&plain).map_err(|error| error.to_string()));
        goals.inspect_err(|error| tracing::error!(error, name, "a file of goals cannot be read; they are lost")).ok()
    }

    /// Removes what the upstream has.
    pub(super) fn remove(&self, batch: &Batch) -> io::Result<()> {
        for name in &batch.names {
            let size = self.files.size(name);
            self.files.remove(name)?;
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            self.names.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != name);
        }
        Ok(())
    }
}
