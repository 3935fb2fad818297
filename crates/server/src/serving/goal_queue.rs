//! Goals and participations on their way into the database: those that come while others are being written go together, in one
//! transaction.
//!
//! A goal that comes alone is written at once; many share the price of a durable commit, and leave the database to writers
//! of other things in between.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::error::{AppError, Result};

/// How many goals and participations go into one transaction, unless a single request has more: others wait for the database meanwhile.
const TOGETHER: usize = 100;

/// How many bytes of texts go together, unless a single request has more. A file of an edge becomes one report, of which the upstream takes
/// 4 MiB at most, and JSON takes up to six bytes for one.
const TOGETHER_BYTES: usize = 512 * 1024;

/// How many goals and participations may wait. A database that is slow for some seconds costs no goal, one that is stuck no memory.
const MAX_WAITING: usize = 10_000;

/// The memory that goals may take while they wait, in bytes.
const MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;

/// The goals that wait.
#[derive(Default)]
pub struct GoalQueue(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// How many goals and participations wait, and the memory that they take.
    entries: usize,
    bytes: usize,
    /// Somebody is writing, and will look again when that is done.
    writing: bool,
}

/// What one request reports.
pub struct Waiting {
    /// Its environment.
    pub environment: EnvironmentId,
    /// The goals and participations.
    pub report: ClientReport,
    /// Gets the number of goals that are stored.
    pub kept: oneshot::Sender<Result<usize>>,
}

impl GoalQueue {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines up; true for the one that must see to it that the queue is written.
    ///
    /// # Errors
    /// [`AppError::GoalQueueFull`] when too many goals wait.
    pub fn join(&self, waiting: Waiting) -> Result<bool> {
        let mut queue = self.queue();
        let (entries, bytes) = (queue.entries + waiting.report.len(), queue.bytes + waiting.report.bytes());
        if entries > MAX_WAITING || bytes > MAX_WAITING_BYTES {
            return Err(AppError::GoalQueueFull);
        }
        (queue.entries, queue.bytes) = (entries, bytes);
        queue.waiting.push(waiting);
        Ok(!std::mem::replace(&mut queue.writing, true))
    }

    /// The next batch to write, in order of arrival; none when the queue is empty and the writer ends.
    pub fn next(&self) -> Option<Vec<Waiting>> {
        let mut queue = self.queue();
        queue.writing = !queue.waiting.is_empty();
        let (mut entries, mut bytes) = (0, 0);
        let others = queue.waiting.iter().position(|waiting| {
            entries += waiting.report.len();
            bytes += waiting.report.bytes();
            entries > TOGETHER || bytes > TOGETHER_BYTES
        });
        let others = others.map_or(queue.waiting.len(), |place| place.max(1));
        let together: Vec<_> = queue.waiting.drain(..others).collect();
        queue.entries -= together.iter().map(|waiting| waiting.report.len()).sum::<usize>();
        queue.bytes -= together.iter().map(|waiting| waiting.report.bytes()).sum::<usize>();
        (!together.is_empty()).then_some(together)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tokio::sync::oneshot;

    use super::{GoalQueue, Waiting};
    use crate::domain::experiments::participation::ClientReport;
    use crate::domain::goal::Goal;

    /// How many requests with so many bytes each go together, batch by batch.
    fn batches(sizes: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let queue = GoalQueue::default();
        for size in sizes {
            let features = BTreeMap::from([("banner".to_owned(), "x".repeat(size))]);
            let (id, key, user_id) = ("goal-0001".to_owned(), "purchase".to_owned(), "ada".to_owned());
            let report = ClientReport { goals: vec![Goal { id, key, user_id, features }], ..ClientReport::default() };
            let (kept, _) = oneshot::channel();
            queue.join(Waiting { environment: "e".to_owned().into(), report, kept }).unwrap();
        }
        std::iter::from_fn(|| queue.next()).map(|batch| batch.len()).collect()
    }

    #[test]
    fn small_requests_go_together_and_large_ones_by_their_bytes() {
        assert_eq!(batches([10; 250]), [100, 100, 50]);
        assert_eq!(batches([100 * 1024; 12]), [5, 5, 2]);
        // One that is larger than all that go together goes alone.
        assert_eq!(batches([10, 1024 * 1024, 10]), [1, 1, 1]);
    }
}
