//! Limits of callers of the REST API: the rate of their requests, and how many run at once. A caller who exceeds them delays
//! nobody else.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::BaseUrl;
use crate::http::extract::address::Address;
use crate::http::extract::caller::bearer;
use crate::http::middleware::until_sent::until_sent;
use crate::http::problem::too_many_requests;
use crate::http::server::settings::CallerLimits;
use crate::http::site::session;
use crate::secret;

/// How many callers are tracked before idle ones are removed.
const MAX_TRACKED: usize = 50_000;

/// The number of requests between two counts of them.
const REQUESTS_PER_COUNT: usize = 1_000;

/// Single resources whose paths end like those of lists.
const NO_LISTS: [&str; 3] = ["/me", "/organisation", "/session"];

/// Other operations that read much: two environments, all targetings that use an audience, or patterns.
const LONG: [&str; 4] = ["/compare", "/copy", "/preview", "/audiences/{audienceKey}"];

/// The sender of a request: the hash of a token or a session, valid or not, or an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Caller {
    Credential(String),
    Address(Address),
}

/// What a request is counted by: what authenticates it, and nothing beside that, which a caller could invent for each request.
#[derive(Clone)]
pub enum CountedBy {
    /// A token.
    Token,
    /// A session. The name of its cookie depends on the public URL.
    Session(Option<BaseUrl>),
}

impl CountedBy {
    /// The hash of the credential, valid or not.
    fn credential(&self, parts: &Parts) -> Option<String> {
        match self {
            Self::Token => bearer(parts).map(secret::hash),
            Self::Session(public) => {
                session::single_cookie(&parts.headers, public.as_ref()).ok().map(|text| text.hash())
            }
        }
    }
}

/// The callers of this node.
pub struct Callers {
    limits: CallerLimits,
    proxies: Box<[IpNet]>,
    by_caller: DefaultKeyedRateLimiter<Caller>,
    /// Of all callers at an address, which can invent tokens.
    by_address: DefaultKeyedRateLimiter<Address>,
    counted: AtomicUsize,
    running: Mutex<HashMap<Caller, Running>>,
}

/// The requests of a caller that run now.
struct Running {
    count: usize,
    /// The turns of those that take long.
    turns: Arc<Semaphore>,
}

impl Callers {
    /// No requests yet.
    pub fn new(limits: CallerLimits, proxies: &[IpNet]) -> Self {
        let (rate, burst, callers) = (limits.requests_per_second, limits.burst, limits.callers_per_address);
        let of_address = Quota::per_second(rate.saturating_mul(callers)).allow_burst(burst.saturating_mul(callers));
        Self {
            limits,
            proxies: proxies.into(),
            by_caller: RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)),
            by_address: RateLimiter::keyed(of_address),
            counted: AtomicUsize::new(0),
            running: Mutex::default(),
        }
    }

    /// Counts a request. Returns how long to wait if there were too many.
    fn count(&self, caller: &Caller, address: Address) -> Result<(), Duration> {
        let counted = self.counted.fetch_add(1, Ordering::Relaxed);
        if counted.is_multiple_of(REQUESTS_PER_COUNT) && self.by_caller.len() + self.by_address.len() > MAX_TRACKED {
            self.by_caller.retain_recent();
            self.by_address.retain_recent();
        }
        let now = || DefaultClock::default().now();
        self.by_caller.check_key(caller).map_err(|refused| refused.wait_time_from(now()))?;
        self.by_address.check_key(&address).map_err(|refused| refused.wait_time_from(now()))
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Caller, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request as running until the result is dropped. Returns `None` if there are too many.
    fn begin(self: &Arc<Self>, caller: Caller) -> Option<RunningRequest> {
        let turns = {
            let mut running = self.running();
            let new = || Running { count: 0, turns: Arc::new(Semaphore::new(self.limits.concurrent_long)) };
            let of_caller = running.entry(caller.clone()).or_insert_with(new);
            if of_caller.count >= self.limits.concurrent {
                return None;
            }
            of_caller.count += 1;
            Arc::clone(&of_caller.turns)
        };
        Some(RunningRequest { callers: Arc::clone(self), caller, turns })
    }
}

/// Counts a request as running while it exists.
struct RunningRequest {
    callers: Arc<Callers>,
    caller: Caller,
    turns: Arc<Semaphore>,
}

impl RunningRequest {
    /// Waits for the turn of a request that takes long. Returns `None` if that takes too long.
    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        tokio::time::timeout(self.callers.limits.turn_timeout, turn).await.ok()?.ok()
    }
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        let mut running = self.callers.running();
        if let Some(of_caller) = running.get_mut(&self.caller) {
            of_caller.count -= 1;
            if of_caller.count == 0 {
                running.remove(&self.caller);
            }
        }
    }
}

/// Handles a request of the REST API within the limits of its caller.
pub async fn limit(
    State((callers, counted_by)): State<(Arc<Callers>, CountedBy)>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let address = Address::from_request(&parts, &callers.proxies);
    let caller = counted_by.credential(&parts).map_or(Caller::Address(address), Caller::Credential);
    if let Err(wait) = callers.count(&caller, address) {
        return too_many_requests(wait, "Too many requests of this caller.");
    }
    let at_once = || too_many_requests(Duration::ZERO, "Too many requests of this caller at once.");
    let Some(running) = callers.begin(caller) else { return at_once() };
    let turn = if takes_long(&parts) {
        let Some(turn) = running.turn().await else { return at_once() };
        Some(turn)
    } else {
        None
    };
    let response = next.run(Request::from_parts(parts, body)).await;
    // The request runs until its response is sent: one that nobody reads takes memory.
    response.map(|body| until_sent(body, (running, turn)))
}

/// Whether a request is a list or another operation that reads much.
fn takes_long(parts: &Parts) -> bool {
    let Some(route) = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str) else { return false };
    let is_list = || {
        let names_one = route.ends_with('}') || NO_LISTS.iter().any(|end| route.ends_with(end));
        // The handler of GET answers HEAD, too.
        [Method::GET, Method::HEAD].contains(&parts.method) && !names_one
    };
    LONG.iter().any(|end| route.ends_with(end)) || is_list()
}
