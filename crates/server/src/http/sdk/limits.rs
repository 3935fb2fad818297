//! Limits for clients: the rate of loads and goals, and the number of open streams.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::domain::ids::{EnvironmentId, SdkKeyId};
use crate::http::extract::address::Address;
use crate::serving::Serving;
use crate::serving::client_limits::ClientLimits;

/// How many (key, address) pairs are tracked before idle ones are removed.
const MAX_TRACKED: usize = 100_000;

/// The number of requests between two counts of these pairs: counting is the slowest step here.
const REQUESTS_PER_COUNT: usize = 1_000;

/// Goals that an environment may send at once whatever its limit: those of one request.
const MIN_GOALS: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// The limits of this node, and what counts towards them.
pub struct Limits {
    serving: Arc<Serving>,
    rates: ArcSwap<Rates>,
    passed: AtomicUsize,
    streams: Mutex<Streams>,
}

/// Rates of requests and goals.
struct Rates {
    limits: ClientLimits,
    requests: DefaultKeyedRateLimiter<(SdkKeyId, Address)>,
    goals: DefaultKeyedRateLimiter<EnvironmentId>,
}

impl Rates {
    fn new(limits: ClientLimits) -> Self {
        let requests = Quota::per_second(limits.requests_per_second).allow_burst(limits.burst);
        // A request with as many goals as it may have must pass.
        let goals = Quota::per_minute(limits.goals_per_minute).allow_burst(limits.goals_per_minute.max(MIN_GOALS));
        Self { limits, requests: RateLimiter::keyed(requests), goals: RateLimiter::keyed(goals) }
    }
}

#[derive(Default)]
struct Streams {
    by_key: HashMap<SdkKeyId, usize>,
    by_address: HashMap<Address, usize>,
}

impl Limits {
    /// Applies the limits that [`Serving`] has at the time.
    pub fn new(serving: &Arc<Serving>) -> Self {
        Self {
            serving: Arc::clone(serving),
            rates: ArcSwap::from_pointee(Rates::new(serving.limits())),
            passed: AtomicUsize::new(0),
            streams: Mutex::default(),
        }
    }

    /// The rates so far. They begin again when the limits change, which those of an edge do when those of its upstream do.
    fn rates(&self) -> Guard<Arc<Rates>> {
        let limits = self.serving.limits();
        let rates = self.rates.load();
        if rates.limits == limits {
            return rates;
        }
        self.rates.swap(Arc::new(Rates::new(limits)));
        self.rates.load()
    }

    /// Counts goals of an environment. Returns how long to wait if there were too many.
    pub fn count_goals(&self, environment: &EnvironmentId, goals: usize) -> Result<(), Duration> {
        let Some(goals) = u32::try_from(goals).ok().and_then(NonZeroU32::new) else { return Ok(()) };
        match self.rates().goals.check_key_n(environment, goals) {
            Ok(counted) => counted.map_err(|refused| refused.wait_time_from(DefaultClock::default().now())),
            // More than one request may have.
            Err(_) => Ok(()),
        }
    }

    /// Counts a request. Returns how long to wait if there were too many.
    pub fn count_request(&self, key: &SdkKeyId, address: Address) -> Result<(), Duration> {
        let (rates, passed) = (self.rates(), self.passed.fetch_add(1, Ordering::Relaxed));
        if passed.is_multiple_of(REQUESTS_PER_COUNT) && rates.requests.len() > MAX_TRACKED {
            rates.requests.retain_recent();
        }
        let counted = rates.requests.check_key(&(key.clone(), address));
        counted.map_err(|refused| refused.wait_time_from(DefaultClock::default().now()))
    }

    /// Counts an open stream until the result is dropped. Returns `None` if there are too many.
    pub fn open_stream(self: &Arc<Self>, key: &SdkKeyId, address: Address) -> Option<OpenStream> {
        let limits = self.serving.limits();
        let mut streams = self.streams();
        let of_key = streams.by_key.get(key).copied().unwrap_or(0);
        let of_address = streams.by_address.get(&address).copied().unwrap_or(0);
        if of_key >= limits.streams_per_key || of_address >= limits.streams_per_address {
            return None;
        }
        *streams.by_key.entry(key.clone()).or_default() += 1;
        *streams.by_address.entry(address).or_default() += 1;
        drop(streams);
        Some(OpenStream { limits: Arc::clone(self), key: key.clone(), address })
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts one stream as open while it exists.
pub struct OpenStream {
    limits: Arc<Limits>,
    key: SdkKeyId,
    address: Address,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut streams = self.limits.streams();
        release(&mut streams.by_key, &self.key);
        release(&mut streams.by_address, &self.address);
    }
}

fn release<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}
