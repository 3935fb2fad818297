//! What every node is told about serving: where it listens, its limits, and how it stops.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use clap::Args;
use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::command::serve::open_files;
use crate::http::{self, ConnectionLimits, Settings};
use crate::serving::Serving;
use crate::serving::client_limits::{ChosenLimits, ClientLimits};

/// The percentage of pages that report which features they evaluate, if nobody names another one.
const DEFAULT_INSIGHTS_PERCENT: u8 = 10;

/// Where a node listens, and its limits for clients.
// The field names and comments become flags, environment variables, settings of the configuration file, and help.
#[derive(Args)]
pub(super) struct Listening {
    /// Address and port to listen on.
    #[arg(long, env = "FLAGSERVICE_LISTEN", default_value = "127.0.0.1:7300")]
    pub(super) listen: SocketAddr,
    /// Separate address and port for /metrics, which is then not served on the main one.
    #[arg(long, env = "FLAGSERVICE_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// Network or address of a proxy whose X-Forwarded-For header is trusted, e.g. 10.0.0.0/8. Can be repeated.
    #[arg(long, env = "FLAGSERVICE_TRUSTED_PROXIES", value_delimiter = ',', value_parser = network)]
    trusted_proxy: Vec<IpNet>,
    /// Maximum of load, goal and stream requests per second, for each client key and client address.
    #[arg(long, env = "FLAGSERVICE_REQUESTS_PER_SECOND")]
    requests_per_second: Option<NonZeroU32>,
    /// Seconds over which clients with open streams are told to reconnect when the server stops.
    #[arg(long, env = "FLAGSERVICE_DRAIN_SPREAD", default_value_t = 10)]
    drain_spread: u64,
    /// Maximum of open streams from one client address.
    #[arg(long, env = "FLAGSERVICE_STREAMS_PER_ADDRESS")]
    streams_per_address: Option<usize>,
    /// Maximum of goals per minute, for each environment.
    #[arg(long, env = "FLAGSERVICE_GOALS_PER_MINUTE")]
    goals_per_minute: Option<NonZeroU32>,
    /// Percentage of pages that report which features they evaluate. [default: 10; of an edge, that of its upstream]
    #[arg(long, env = "FLAGSERVICE_INSIGHTS_PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    insights_percent: Option<u8>,
    /// Maximum of open connections.
    #[arg(long, env = "FLAGSERVICE_CONNECTIONS")]
    connections: Option<usize>,
    /// Maximum of open connections from one address. A stream needs one. A trusted proxy has no limit. [default: 6000, or
    /// --streams-per-address if that is more]
    #[arg(long, env = "FLAGSERVICE_CONNECTIONS_PER_ADDRESS")]
    connections_per_address: Option<usize>,
}

impl Listening {
    pub(super) fn settings(&self) -> Settings {
        let defaults = ConnectionLimits::default();
        let mut connections = ConnectionLimits {
            all: self.connections.unwrap_or(defaults.all),
            per_address: self.connections_per_address,
            ..defaults
        };
        leave_files_to_others(&mut connections);
        Settings {
            trusted_proxies: self.trusted_proxy.clone(),
            limits: self
                .limits()
                .or(ClientLimits { insights_percent: DEFAULT_INSIGHTS_PERCENT, ..ClientLimits::default() }),
            connections,
            metrics: self.metrics_listen.is_none(),
            drain_spread: Duration::from_secs(self.drain_spread),
            ..Settings::default()
        }
    }

    /// The limits for clients that are set.
    pub(super) fn limits(&self) -> ChosenLimits {
        ChosenLimits {
            requests_per_second: self.requests_per_second,
            streams_per_address: self.streams_per_address,
            goals_per_minute: self.goals_per_minute,
            insights_percent: self.insights_percent,
        }
    }

    /// Serves the metrics, if they have an address of their own.
    pub(super) async fn serve_metrics(&self, router: impl FnOnce() -> Router) -> anyhow::Result<()> {
        if let Some(address) = self.metrics_listen {
            let (listener, router) = (listen(address, "--metrics-listen").await?, router());
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        Ok(())
    }

    pub(super) async fn listener(&self) -> anyhow::Result<TcpListener> {
        listen(self.listen, "--listen").await
    }
}

/// Serves until a signal stops the node and all requests in progress are finished, then does the rest of stopping.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    settings: &Settings,
    serving: &Arc<Serving>,
    mut stop_signals: StopSignals,
    stop_service: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "serving");
    let stop = async {
        stop_signals.next().await;
        tracing::info!("stopping; send a second signal to stop at once");
        serving.node.drain.leave(settings.drain_spread);
        stop_signals.next().await;
    };
    let serve = async {
        http::serve(listener, router, settings, Arc::clone(serving)).await;
        stop_service.await;
    };
    tokio::select! {
        () = serve => {}
        () = stop => anyhow::bail!("Stopped by a second signal before everything was finished."),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Connections that take all open files would take them from the database, too.
fn leave_files_to_others(connections: &mut ConnectionLimits) {
    let room = open_files::room_for_connections();
    if connections.all > room {
        tracing::warn!(
            connections = room,
            "the system's limit of open files allows fewer connections than configured; raise it, or lower --connections"
        );
        connections.all = room;
    }
}

/// A network, or an address, which is a network of one.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse().or_else(|_| address()).map_err(|_| "expected a network such as 10.0.0.0/8, or an address".to_owned())
}

async fn listen(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("Cannot listen on {address}. Choose another address with {option}."))
}

/// The signals that stop the server: SIGTERM and Ctrl-C.
pub(super) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    pub(super) fn handle() -> anyhow::Result<Self> {
        let handle = |kind| signal(kind).context("Cannot handle the signals that stop the server.");
        Ok(Self { terminate: handle(SignalKind::terminate())?, interrupt: handle(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
