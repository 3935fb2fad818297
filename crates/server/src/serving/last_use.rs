//! When a key was last used, to the minute: a request compares one number in memory, and never waits.

use std::sync::atomic::{AtomicI64, Ordering};

use flagservice_rules::Instant;

use crate::domain::ids::{EdgeKeyId, SdkKeyId};

/// A key whose uses are noted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsedKey {
    /// A client key or server key.
    Sdk(SdkKeyId),
    /// An edge key.
    Edge(EdgeKeyId),
}

impl UsedKey {
    /// Its id.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Sdk(id) => id.as_str(),
            Self::Edge(id) => id.as_str(),
        }
    }
}

/// How old the time of last use may be before it is written again, in milliseconds: a minute.
const PRECISION_MS: i64 = 60_000;

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
    pub fn is_due(&self, now: Instant) -> bool {
        let last = self.0.load(Ordering::Relaxed);
        now.0.saturating_sub(last) >= PRECISION_MS
            && self.0.compare_exchange(last, now.0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use flagservice_rules::Instant;

    use super::LastUse;

    #[test]
    fn one_use_a_minute_is_due() {
        let last_use = LastUse::default();
        let due: Vec<_> =
            [0, 0, 59_999, 60_000, 60_001, 120_000].into_iter().map(|at| last_use.is_due(Instant(at))).collect();
        assert_eq!(due, [true, false, false, true, false, true]);
    }
}
