//! What an operator may set about HTTP.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;

/// How much clients may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Loads, goals and openings of streams per second, of one client key from one address.
    pub requests_per_second: NonZeroU32,
    /// How many of them may come at once.
    pub burst: NonZeroU32,
    /// Open streams of one client key.
    pub streams_per_key: usize,
    /// Open streams from one address.
    pub streams_per_address: usize,
}

impl Default for Limits {
    fn default() -> Self {
        const PER_SECOND: NonZeroU32 = NonZeroU32::new(100).unwrap();
        const BURST: NonZeroU32 = NonZeroU32::new(1_000).unwrap();
        Self { requests_per_second: PER_SECOND, burst: BURST, streams_per_key: 50_000, streams_per_address: 5_000 }
    }
}

/// The settings of HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder of static files to serve under `/pages/`.
    pub static_dir: Option<PathBuf>,
    /// Folder of administration pages in the place of those inside the binary.
    pub admin_pages: Option<PathBuf>,
    /// Folder of documentation in the place of that inside the binary.
    pub documentation: Option<PathBuf>,
    /// Proxies whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<IpNet>,
    /// How much clients may ask for.
    pub limits: Limits,
    /// How long the head of a request may take. A connection without a request is closed after the same time.
    pub head_timeout: Duration,
    /// How long a request may take from its head until its answer begins.
    pub request_timeout: Duration,
    /// Whether `/metrics` is among the paths.
    pub metrics: bool,
    /// How long nobody may read what is sent to them before the connection is closed.
    pub write_timeout: Duration,
    /// Over which time the clients of streams come back when this node stops.
    pub drain_spread: Duration,
    /// How long a stopping node goes on taking requests, so that balancers and open connections can turn to others.
    pub leave_for: Duration,
    /// How long requests under way may take after that.
    pub finish_within: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            static_dir: None,
            admin_pages: None,
            documentation: None,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            head_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            metrics: true,
            write_timeout: Duration::from_secs(30),
            drain_spread: Duration::from_secs(10),
            leave_for: Duration::from_secs(1),
            finish_within: Duration::from_secs(20),
        }
    }
}
