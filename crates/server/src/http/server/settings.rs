//! HTTP settings of the operator.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use governor::Quota;
use ipnet::IpNet;

use crate::identity::ProviderSettings;
use crate::serving::client_limits::ClientLimits;

/// Limits for callers of the REST API, each known by a token or a session.
#[derive(Clone, Copy, Debug)]
pub struct CallerLimits {
    /// Requests per second of one caller.
    pub requests_per_second: NonZeroU32,
    /// How many of them may come in a burst.
    pub burst: NonZeroU32,
    /// How many callers' requests one address may send.
    pub callers_per_address: NonZeroU32,
    /// Requests of one caller at once.
    pub concurrent: usize,
    /// Those of them that take long, such as lists and comparisons; others wait for their turn.
    pub concurrent_long: usize,
    /// How long they wait.
    pub turn_timeout: Duration,
}

impl Default for CallerLimits {
    fn default() -> Self {
        const PER_SECOND: NonZeroU32 = NonZeroU32::new(500).unwrap();
        const BURST: NonZeroU32 = NonZeroU32::new(5_000).unwrap();
        const CALLERS: NonZeroU32 = NonZeroU32::new(10).unwrap();
        const MAX_LONG: usize = 4;
        Self {
            requests_per_second: PER_SECOND,
            burst: BURST,
            callers_per_address: CALLERS,
            concurrent: 64,
            concurrent_long: std::thread::available_parallelism().map_or(1, usize::from).min(MAX_LONG),
            turn_timeout: Duration::from_secs(20),
        }
    }
}

/// Limits for connections. A trusted proxy has no limit of its own.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Open connections.
    pub all: usize,
    /// Open connections from one address. None: so many that the address can have all its streams.
    pub per_address: Option<usize>,
    /// How long the first byte of a new connection may take.
    pub first_byte_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { all: 60_000, per_address: None, first_byte_timeout: Duration::from_secs(5) }
    }
}

/// One attempt per second, and more at once: all people in an office may share an address.
const SIGN_INS: Quota = Quota::per_second(NonZeroU32::MIN).allow_burst(NonZeroU32::new(60).unwrap());

/// The settings of HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder of static files to serve under `/pages/`.
    pub static_dir: Option<PathBuf>,
    /// Folder of administration pages to serve instead of those in the binary.
    pub admin_pages: Option<PathBuf>,
    /// Folder of documentation to serve instead of that in the binary.
    pub documentation: Option<PathBuf>,
    /// Where people can sign in instead of with a token.
    pub identity_provider: Option<ProviderSettings>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Limits for clients. An edge has those of its upstream instead.
    pub limits: ClientLimits,
    /// Limits for callers of the REST API.
    pub callers: CallerLimits,
    /// Sign-in attempts of an address.
    pub sign_ins: Quota,
    /// Limits for connections.
    pub connections: ConnectionLimits,
    /// The timeout for the head of a request, and for idle connections.
    pub head_timeout: Duration,
    /// The timeout from the head of a request until its response begins.
    pub request_timeout: Duration,
    /// How long ago the snapshots may have been compared with the database, on a node that is ready.
    pub max_snapshot_age: Duration,
    /// Whether to serve `/metrics`.
    pub metrics: bool,
    /// The timeout of writes to a client that does not read.
    pub write_timeout: Duration,
    /// The time over which stream clients reconnect when this node stops.
    pub drain_spread: Duration,
    /// How long a stopping node still accepts requests, so that load balancers and clients can move to other nodes.
    pub leave_for: Duration,
    /// How long requests in progress may take after that.
    pub finish_within: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            static_dir: None,
            admin_pages: None,
            documentation: None,
            identity_provider: None,
            trusted_proxies: Vec::new(),
            limits: ClientLimits::default(),
            callers: CallerLimits::default(),
            sign_ins: SIGN_INS,
            connections: ConnectionLimits::default(),
            head_timeout: Duration::from_secs(15),
            request_timeout: Duration::from_secs(30),
            max_snapshot_age: Duration::from_secs(15),
            metrics: true,
            write_timeout: Duration::from_secs(30),
            drain_spread: Duration::from_secs(10),
            leave_for: Duration::from_secs(1),
            finish_within: Duration::from_secs(20),
        }
    }
}
