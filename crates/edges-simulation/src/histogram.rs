//! Durations, counted to half a millisecond.

use crate::units::Micros;

/// The width of a bucket.
const BUCKET: Micros = 500;

/// The last bucket has everything that is longer.
const BUCKETS: usize = 20_000;

/// The counts.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Histogram {
    /// Adds a duration.
    pub fn add(&mut self, took: Micros) {
        let place = ((took / BUCKET) as usize).min(BUCKETS - 1);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        self.total += 1;
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The duration that this share of all does not exceed, in milliseconds.
    pub fn percentile(&self, share: f64) -> f64 {
        let wanted = (self.total as f64 * share).ceil() as u64;
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        found.map_or(0.0, |place| (place + 1) as f64 * BUCKET as f64 / 1_000.0)
    }
}
