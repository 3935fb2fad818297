//! How often somebody may try to sign in, from one address.

use std::num::NonZeroU32;

use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use crate::http::extract::address::Address;
use crate::http::problem::Problem;

/// Tries in a second, once all of [`AT_ONCE`] have been used.
const PER_SECOND: NonZeroU32 = NonZeroU32::MIN;

/// Tries that may come at once: an office has one address.
const AT_ONCE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// How many addresses are remembered before those that may try as often as anybody are forgotten.
const REMEMBERED: usize = 10_000;

/// The tries of this node.
pub struct SignInLimit {
    tries: DefaultKeyedRateLimiter<Address>,
    proxies: Box<[IpNet]>,
}

impl SignInLimit {
    /// Nobody has tried yet.
    pub fn new(proxies: &[IpNet]) -> Self {
        let quota = Quota::per_second(PER_SECOND).allow_burst(AT_ONCE);
        Self { tries: RateLimiter::keyed(quota), proxies: proxies.into() }
    }

    /// Counts a try of the address that the request comes from. Returns the answer when there have been too many.
    pub fn refusal(&self, parts: &Parts) -> Option<Response> {
        if self.tries.len() > REMEMBERED {
            self.tries.retain_recent();
        }
        let refused = self.tries.check_key(&Address::from_request(parts, &self.proxies)).err()?;
        let seconds = refused.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
        let detail = format!("Somebody at this address has tried to sign in too often. Wait {seconds} s.");
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail);
        Some(([(header::RETRY_AFTER, HeaderValue::from(seconds))], problem).into_response())
    }
}
