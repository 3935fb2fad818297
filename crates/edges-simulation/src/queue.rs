//! What is going to happen, in the order of time. Things of the same time happen in the order in which they were scheduled.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The queue.
pub struct Queue<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    scheduled: u64,
}

struct Entry<T> {
    at: u64,
    number: u64,
    what: T,
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), scheduled: 0 }
    }
}

impl<T> Queue<T> {
    /// Schedules something.
    pub fn add(&mut self, at: u64, what: T) {
        self.scheduled += 1;
        self.heap.push(Reverse(Entry { at, number: self.scheduled, what }));
    }

    /// Takes what happens next, with its time.
    pub fn next(&mut self) -> Option<(u64, T)> {
        self.heap.pop().map(|Reverse(entry)| (entry.at, entry.what))
    }
}
