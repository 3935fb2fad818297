//! What is made from texts, once for as long as something in this process uses it.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// How many there are at least before those that nothing uses any longer are looked for.
pub(crate) const MIN_TIDY: usize = 64;

/// What is in use, by the texts from which it was made.
pub(crate) struct InUse<T> {
    by_text: BTreeMap<Box<str>, Weak<T>>,
    /// The number of entries at which those that nothing uses are removed.
    tidy_at: usize,
}

impl<T> InUse<T> {
    /// Nothing.
    pub(crate) const fn new() -> Self {
        Self { by_text: BTreeMap::new(), tidy_at: MIN_TIDY }
    }

    /// What was made from the text, if something uses it.
    pub(crate) fn known(&self, text: &str) -> Option<Arc<T>> {
        self.by_text.get(text).and_then(Weak::upgrade)
    }

    /// Keeps what was made from the text for others, unless another thread was faster.
    pub(crate) fn keep(&mut self, text: &str, made: Arc<T>) -> Arc<T> {
        if let Some(known) = self.known(text) {
            return known;
        }
        if self.by_text.len() >= self.tidy_at {
            self.by_text.retain(|_, made| made.strong_count() > 0);
            self.tidy_at = MIN_TIDY.max(2 * self.by_text.len());
        }
        self.by_text.insert(text.into(), Arc::downgrade(&made));
        made
    }

    /// How many there are, with some that nothing uses any longer.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.by_text.len()
    }
}
