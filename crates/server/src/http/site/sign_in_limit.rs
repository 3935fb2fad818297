//! The rate limit of sign-in attempts, by address.

use axum::http::request::Parts;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use crate::http::extract::address::Address;
use crate::http::problem::too_many_requests;

/// How many addresses are tracked before idle ones are removed.
const MAX_TRACKED: usize = 10_000;

/// The sign-in attempts on this node.
pub struct SignInLimit {
    attempts: DefaultKeyedRateLimiter<Address>,
    proxies: Box<[IpNet]>,
}

impl SignInLimit {
    /// No attempts yet.
    pub fn new(quota: Quota, proxies: &[IpNet]) -> Self {
        Self { attempts: RateLimiter::keyed(quota), proxies: proxies.into() }
    }

    /// Counts an attempt from the address of the request. Returns a response if there were too many.
    pub fn refusal(&self, parts: &Parts) -> Option<Response> {
        if self.attempts.len() > MAX_TRACKED {
            self.attempts.retain_recent();
        }
        let refused = self.attempts.check_key(&Address::from_request(parts, &self.proxies)).err()?;
        let wait = refused.wait_time_from(DefaultClock::default().now());
        Some(too_many_requests(wait, "Too many sign-in attempts from this address."))
    }
}
