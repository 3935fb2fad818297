//! An edge that is ready for requests, and its background tasks.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use url::Url;

use crate::clock::Clock;
use crate::edge::backend::{EdgeBackend, KeyUses};
use crate::edge::bundle_files::BundleFiles;
use crate::edge::follow_state::FollowState;
use crate::edge::follower::{Follower, Parts};
use crate::edge::report_files::ReportFiles;
use crate::edge::reporter::Reporter;
use crate::edge::sealed_files;
use crate::edge::upstream::Upstream;
use crate::http;
use crate::metrics::Metrics;
use crate::network::Network;
use crate::node::Node;
use crate::random::Random;
use crate::secret::Secret;
use crate::serving::client_limits::ChosenLimits;
use crate::serving::upstream_health::{Standing, UpstreamHealth};
use crate::serving::{Serving, evaluations};

/// How long the tasks may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// What an edge needs to start.
pub struct EdgeOptions {
    /// The server or edge that it follows.
    pub upstream: Url,
    /// Its key.
    pub key: Secret,
    /// Earlier keys with which its files may have been encrypted.
    pub previous_keys: Vec<Secret>,
    /// The folder of its files.
    pub folder: PathBuf,
    /// The limits for clients that it does not take from its upstream.
    pub limits: ChosenLimits,
    /// After how long without its upstream it stops serving. `None`: never.
    pub max_age: Option<Duration>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes.
    pub random: Arc<dyn Random>,
    /// The network to the upstream.
    pub network: Arc<dyn Network>,
}

/// An edge that is ready for requests.
pub struct EdgeService {
    /// What serves clients.
    pub serving: Arc<Serving>,
    /// How it stands with its upstream.
    pub health: Arc<UpstreamHealth>,
    reports: Arc<ReportFiles>,
    stop_follower: watch::Sender<()>,
    follower: JoinHandle<()>,
    reporter: JoinHandle<()>,
}

impl EdgeService {
    /// Starts with what the files have, and begins to follow the upstream.
    ///
    /// # Errors
    /// When the files cannot be used.
    pub async fn start(options: EdgeOptions) -> anyhow::Result<Self> {
        let EdgeOptions { upstream, key, previous_keys, folder, limits, max_age, clock, random, network } = options;
        let edge_keys: Vec<_> = previous_keys.into_iter().chain([key.clone()]).collect();
        let keys = sealed_files::keys(&edge_keys);
        let cannot = || format!("Cannot use the folder {}. Choose another with --data.", folder.display());
        let files = Arc::new(BundleFiles::open(&folder, &keys, &random).with_context(cannot)?);
        let reports = Arc::new(ReportFiles::open(&folder, &keys, &clock, &random).with_context(cannot)?);
        let last_message = files.last_message_at().map(|at| clock.now().0.saturating_sub(at.0));
        let last_message = last_message.map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or_default()));
        let standing = Standing::new(last_message);
        let health = Arc::new(UpstreamHealth::new(standing));
        let (upstream, key_uses) = (Arc::new(Upstream::new(upstream, key, network)), Arc::<KeyUses>::default());
        let mut backend = None;
        let serving = Arc::new_cyclic(|serving| {
            let shared = Arc::new(EdgeBackend::new(
                serving.clone(),
                Arc::clone(&health),
                Arc::clone(&reports),
                Arc::clone(&key_uses),
            ));
            let backend = Box::new(Arc::clone(backend.insert(shared)));
            Serving::new(backend, Arc::<Node>::default(), clock, Arc::clone(&random), Arc::new(Metrics::of_edge()))
        });
        let backend = backend.context("the edge has no backend")?;
        let reporter = Reporter { upstream: Arc::clone(&upstream), files: Arc::clone(&reports), key_uses, random };
        let parts =
            Parts { upstream, serving: Arc::clone(&serving), backend, files, health: Arc::clone(&health), limits };
        let mut follower = Follower::new(parts, FollowState::new(max_age, standing));
        follower.start_from_files().await;
        let (stop_follower, stopped) = watch::channel(());
        let follower = tokio::spawn(follower.run(stopped));
        let reporter = tokio::spawn(reporter.run());
        Ok(Self { serving, health, reports, stop_follower, follower, reporter })
    }

    /// The routes of the edge.
    pub fn router(&self, settings: &http::Settings) -> Router {
        http::edge_router(&self.serving, &self.status(), settings)
    }

    /// Only the route of the metrics.
    pub fn metrics_router(&self) -> Router {
        http::edge_metrics_router(self.status())
    }

    fn status(&self) -> http::EdgeStatus {
        let reports = Arc::clone(&self.reports);
        http::EdgeStatus {
            serving: Arc::clone(&self.serving),
            health: Arc::clone(&self.health),
            reports_waiting: Arc::new(move || reports.waiting()),
        }
    }

    /// Stops the background tasks. Goals that were not reported stay in their files.
    pub async fn stop(self) {
        self.serving.node.drain.end();
        evaluations::keep(&self.serving).await;
        self.reporter.abort();
        drop(self.stop_follower);
        let _ = tokio::time::timeout(STOP_TIMEOUT, self.follower).await;
    }
}
