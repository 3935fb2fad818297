//! The last uses of keys that are to be written to the database.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use flagservice_rules::Instant;
use tokio::sync::Mutex as AsyncMutex;

use crate::serving::last_use::UsedKey;

/// How many keys go into one transaction: others wait for the database meanwhile.
const TOGETHER: usize = 100;

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
    waiting: BTreeMap<UsedKey, Instant>,
    /// Somebody is writing, and will look again when that is done.
    writing: bool,
}

impl KeyUses {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a use; true for the one that must see to it that the queue is written.
    pub(super) fn add(&self, key: UsedKey, at: Instant) -> bool {
        let mut queue = self.queue();
        queue.waiting.insert(key, at);
        !std::mem::replace(&mut queue.writing, true)
    }

    /// The next uses to write; none when the queue is empty and the writer ends.
    pub(super) fn next(&self) -> Option<BTreeMap<UsedKey, Instant>> {
        let mut queue = self.queue();
        queue.writing = !queue.waiting.is_empty();
        let others = queue.waiting.keys().nth(TOGETHER).cloned();
        let others = others.map(|first| queue.waiting.split_off(&first)).unwrap_or_default();
        let together = std::mem::replace(&mut queue.waiting, others);
        (!together.is_empty()).then_some(together)
    }

    /// Queues uses again that could not be written, unless the keys have been used since.
    pub(super) fn put_back(&self, uses: BTreeMap<UsedKey, Instant>) {
        let mut queue = self.queue();
        for (key, at) in uses {
            queue.waiting.entry(key).or_insert(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use flagservice_rules::Instant;

    use super::{KeyUses, TOGETHER};
    use crate::domain::ids::SdkKeyId;
    use crate::serving::last_use::UsedKey;

    #[test]
    fn many_keys_are_written_in_parts_and_the_last_use_of_each_counts() {
        let (uses, key) = (KeyUses::default(), |number: usize| UsedKey::Sdk(SdkKeyId::from(format!("{number:04}"))));
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
