//! `edge`: runs an edge until a signal stops it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use url::Url;

use crate::app::BaseUrl;
use crate::clock::SystemClock;
use crate::command::serve::listening::{self, Listening, StopSignals};
use crate::edge::{EdgeOptions, EdgeService};
use crate::network::SystemNetwork;
use crate::random::SystemRandom;
use crate::secret::Secret;

const SECONDS_PER_HOUR: u64 = 60 * 60;

/// Serve clients and SDKs without a database, from what an upstream sends.
///
/// The upstream is a server or another edge. An edge serves loads, streams, goals, rules and OFREP to clients and SDKs; it has no REST
/// API and no pages. It keeps what it knows in the --data folder, encrypted with a key derived from the edge key, and so it starts and
/// serves without its upstream. Goals are stored there until the upstream has them.
///
/// Example: flagservice-server edge --upstream https://flags.example --listen 0.0.0.0:7300 --data /var/lib/flagservice-edge
// The field names and comments become flags, environment variables, settings of the configuration file, and help.
#[derive(Args)]
pub(in crate::command) struct Edge {
    #[command(flatten)]
    listening: Listening,
    /// URL of the server or edge to follow, e.g. https://flags.example.
    #[arg(long, env = "FLAGSERVICE_UPSTREAM", required = false, required_unless_present = "config")]
    upstream: BaseUrl,
    /// Edge key: edge-…. Set the environment variable, because other users of the machine can read command lines.
    #[arg(
        long,
        env = "FLAGSERVICE_EDGE_KEY",
        hide_env_values = true,
        required = false,
        required_unless_present = "config"
    )]
    edge_key: String,
    /// Edge key that was used before, to read the files that were encrypted with it. Can be repeated.
    #[arg(long, env = "FLAGSERVICE_PREVIOUS_EDGE_KEYS", hide_env_values = true, value_delimiter = ',')]
    previous_edge_key: Vec<String>,
    /// Folder of the edge's files.
    #[arg(long, env = "FLAGSERVICE_EDGE_DATA", default_value = "flagservice-edge")]
    data: PathBuf,
    /// Hours without the upstream after which the edge stops serving, because keys may have been revoked since. If not set, it never
    /// does.
    #[arg(long, env = "FLAGSERVICE_EDGE_MAX_AGE")]
    max_age: Option<u64>,
    /// TOML file with settings, named like the flags of `edge`, e.g. upstream = "https://flags.example"
    #[arg(long, env = "FLAGSERVICE_CONFIG")]
    config: Option<PathBuf>,
}

impl Edge {
    pub(in crate::command) async fn run(self) -> anyhow::Result<()> {
        let settings = self.listening.settings();
        let stop_signals = StopSignals::handle()?;
        let listener = self.listening.listener().await?;
        let edge = EdgeService::start(self.options()?).await?;
        self.listening.serve_metrics(|| edge.metrics_router()).await?;
        let router = edge.router(&settings);
        let serving = Arc::clone(&edge.serving);
        listening::serve(listener, router, &settings, &serving, stop_signals, edge.stop()).await
    }

    fn options(&self) -> anyhow::Result<EdgeOptions> {
        Ok(EdgeOptions {
            upstream: Url::parse(self.upstream.as_str()).context("The URL of the upstream cannot be used.")?,
            key: edge_key(&self.edge_key)?,
            previous_keys: self.previous_edge_key.iter().map(|key| edge_key(key)).collect::<anyhow::Result<_>>()?,
            folder: self.data.clone(),
            limits: self.listening.limits(),
            max_age: self.max_age.map(|hours| Duration::from_secs(hours.saturating_mul(SECONDS_PER_HOUR))),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            network: Arc::new(SystemNetwork),
        })
    }
}

/// The key without the line break with which a file or a Secret may end: no header could have it.
fn edge_key(text: &str) -> anyhow::Result<Secret> {
    let key = text.trim();
    ensure!(
        key.starts_with("edge-"),
        "An edge key begins with edge-. Create one with: flagservice-server edge-key create PROJECT NAME"
    );
    Ok(Secret::new(key.to_owned()))
}
