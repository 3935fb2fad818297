//! When keys were last used, to the minute, and the uses that are to be written: a request compares one number in memory, and never
//! waits.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flagservice_rules::Instant;
use tokio::sync::Mutex as AsyncMutex;

use crate::domain::ids::SdkKeyId;

/// How old the time of last use may be before it is written again, in milliseconds: a minute.
const PRECISION_MS: i64 = 60_000;

/// How many keys go into one transaction: others wait for the database meanwhile.
const TOGETHER: usize = 100;

/// The last use of a key that this node has queued or written. Everybody who holds the key shares it.
#[derive(Debug)]
pub struct LastUse(AtomicI64);

impl Default for LastUse {
    fn default() -> Self {
        Self(AtomicI64::new(i64::MIN))
    }
}

impl LastUse {
    /// Whether the use at this instant is to be written. Of several at the same time only one is.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let last = self.0.load(Ordering::Relaxed);
        now.0.saturating_sub(last) >= PRECISION_MS
            && self.0.compare_exchange(last, now.0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// The uses that are to be written: at most one of each key.
#[derive(Default)]
pub struct KeyUses {
    queue: Mutex<Queue>,
    /// Held while uses are written: a node that stops waits for it.
    pub(super) turn: AsyncMutex<()>,
}

#[derive(Default)]
struct Queue {
    /// In one order, so that two nodes that write the same keys never wait for each other.
    waiting: BTreeMap<SdkKeyId, Instant>,
    /// Somebody is writing, and will look again when that is done.
    writing: bool,
}

impl KeyUses {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a use; true for the one that must see to it that the queue is written.
    pub(super) fn add(&self, key: SdkKeyId, at: Instant) -> bool {
        let mut queue = self.queue();
        queue.waiting.insert(key, at);
        !std::mem::replace(&mut queue.writing, true)
    }

    /// The next uses to write; none when the queue is empty and the writer ends.
    pub(super) fn next(&self) -> Option<BTreeMap<SdkKeyId, Instant>> {
        let mut queue = self.queue();
        queue.writing = !queue.waiting.is_empty();
        let others = queue.waiting.keys().nth(TOGETHER).cloned();
        let others = others.map(|first| queue.waiting.split_off(&first)).unwrap_or_default();
        let together = std::mem::replace(&mut queue.waiting, others);
        (!together.is_empty()).then_some(together)
    }

    /// Queues uses again that could not be written, unless the keys have been used since.
    pub(super) fn put_back(&self, uses: BTreeMap<SdkKeyId, Instant>) {
        let mut queue = self.queue();
        for (key, at) in uses {
            queue.waiting.entry(key).or_insert(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use flagservice_rules::Instant;

    use super::{KeyUses, LastUse, TOGETHER};
    use crate::domain::ids::SdkKeyId;

    #[test]
    fn one_use_a_minute_is_due() {
        let last_use = LastUse::default();
        let due: Vec<_> =
            [0, 0, 59_999, 60_000, 60_001, 120_000].into_iter().map(|at| last_use.is_due(Instant(at))).collect();
        assert_eq!(due, [true, false, false, true, false, true]);
    }

    #[test]
    fn many_keys_are_written_in_parts_and_the_last_use_of_each_counts() {
        let (uses, key) = (KeyUses::default(), |number: usize| SdkKeyId::from(format!("{number:04}")));
        assert!(uses.add(key(0), Instant(1)));
        for number in 0..=TOGETHER {
            assert!(!uses.add(key(number), Instant(2)), "Somebody is writing already.");
        }
        let (first, rest) = (uses.next().unwrap(), uses.next().unwrap());
        assert_eq!((first.len(), rest.len()), (TOGETHER, 1));
        assert_eq!(first[&key(0)], Instant(2));
        uses.add(key(0), Instant(3));
        uses.put_back(first);
        assert_eq!(uses.next().unwrap()[&key(0)], Instant(3));
        assert!(uses.next().is_none());
        assert!(uses.add(key(0), Instant(4)), "The writer has ended.");
    }
}
