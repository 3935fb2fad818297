//! `serve`: runs the server until a signal stops it.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::app::BaseUrl;
use crate::app::delivery::outbound::Outbound;
use crate::app::delivery::reach::Reach;
use crate::app::resources::organisation;
use crate::command::database::Database;
use crate::command::retention::RetentionArgs;
use crate::command::single_sign_on::SingleSignOnArgs;
use crate::command::{open_files, single_sign_on};
use crate::http::{self, CallerLimits, ConnectionLimits, Limits, Settings};

/// How many seconds' worth of requests may arrive at once.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Serve the REST API, evaluation and streams.
///
/// The first start creates the database and its key file, and logs how to sign in. SIGTERM or Ctrl-C stops the server
/// when all requests in progress are finished; a second signal stops it at once. RUST_LOG=debug logs each request.
///
/// Example: flagservice-server serve --listen 0.0.0.0:7300 --database-url sqlite:/var/lib/flagservice/flagservice.db
// The field names and comments become flags, environment variables, settings of the configuration file, and help.
#[derive(Args)]
pub(super) struct Serve {
    /// Address and port to listen on.
    #[arg(long, env = "FLAGSERVICE_LISTEN", default_value = "127.0.0.1:7300")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Separate address and port for /metrics, which is then not served on the main one.
    #[arg(long, env = "FLAGSERVICE_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// Folder of static files to serve under /pages/, for demos.
    #[arg(long, env = "FLAGSERVICE_PAGES")]
    pages: Option<PathBuf>,
    /// Folder of administration pages to serve instead of the built-in ones, for development.
    #[arg(long, env = "FLAGSERVICE_ADMIN_PAGES")]
    admin_pages: Option<PathBuf>,
    /// Folder of documentation to serve instead of the built-in one, for development.
    #[arg(long, env = "FLAGSERVICE_DOCUMENTATION")]
    documentation: Option<PathBuf>,
    /// Network of a proxy whose X-Forwarded-For header is trusted, e.g. 10.0.0.0/8. Can be repeated.
    #[arg(long, env = "FLAGSERVICE_TRUSTED_PROXIES", value_delimiter = ',')]
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
    #[command(flatten)]
    retention: RetentionArgs,
    /// Maximum of REST requests per second, for each token and each session.
    #[arg(long, env = "FLAGSERVICE_CALLER_REQUESTS_PER_SECOND")]
    caller_requests_per_second: Option<NonZeroU32>,
    /// Maximum of open connections.
    #[arg(long, env = "FLAGSERVICE_CONNECTIONS")]
    connections: Option<usize>,
    /// Maximum of open connections from one address. A trusted proxy has no limit.
    #[arg(long, env = "FLAGSERVICE_CONNECTIONS_PER_ADDRESS")]
    connections_per_address: Option<usize>,
    /// URL of the analytics service in the US, e.g. https://analytics.example. If not set, nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
    /// URL of the analytics service in the EU. If not set, nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_EU_URL")]
    analytics_eu_url: Option<BaseUrl>,
    /// Network with private addresses that webhooks may reach, also over http://, e.g. 10.1.0.0/16. Can be repeated.
    #[arg(long, env = "FLAGSERVICE_PRIVATE_DESTINATIONS", value_delimiter = ',')]
    private_destination: Vec<IpNet>,
    /// URL at which people reach this service, for links in annotations and webhooks, and for single sign-on. [default: http:// and the
    /// --listen address]
    #[arg(long, env = "FLAGSERVICE_PUBLIC_URL")]
    public_url: Option<BaseUrl>,
    #[command(flatten)]
    single_sign_on: SingleSignOnArgs,
}

impl Serve {
    fn settings(&self) -> Settings {
        let mut limits = Limits::default();
        if let Some(rate) = self.requests_per_second {
            limits.requests_per_second = rate;
            limits.burst = rate.saturating_mul(BURST_SECONDS);
        }
        limits.streams_per_address = self.streams_per_address.unwrap_or(limits.streams_per_address);
        limits.goals_per_minute = self.goals_per_minute.unwrap_or(limits.goals_per_minute);
        let mut callers = CallerLimits::default();
        if let Some(rate) = self.caller_requests_per_second {
            callers.requests_per_second = rate;
            callers.burst = rate.saturating_mul(BURST_SECONDS);
        }
        let defaults = ConnectionLimits::default();
        let connections = ConnectionLimits {
            all: self.connections.unwrap_or(defaults.all),
            per_address: self.connections_per_address.unwrap_or(defaults.per_address),
            ..defaults
        };
        Settings {
            static_dir: self.pages.clone(),
            admin_pages: self.admin_pages.clone(),
            documentation: self.documentation.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
            limits,
            callers,
            connections,
            metrics: self.metrics_listen.is_none(),
            drain_spread: Duration::from_secs(self.drain_spread),
            ..Settings::default()
        }
    }

    fn outbound(&self) -> Outbound {
        Outbound {
            us: self.analytics_us_url.clone(),
            eu: self.analytics_eu_url.clone(),
            public: self.public(),
            reach: Reach::with(self.private_destination.clone()),
        }
    }

    fn public(&self) -> Option<BaseUrl> {
        self.public_url.clone().or_else(|| format!("http://{}", self.listen).parse().ok())
    }

    pub(super) async fn run(self) -> anyhow::Result<()> {
        let mut settings = self.settings();
        settings.identity_provider = self.single_sign_on.settings(self.public())?;
        leave_files_to_others(&mut settings.connections);
        let mut service = self.database.start_with(self.outbound(), self.retention.settings()).await?;
        // Before the first request: a signal that nobody handles would end the process without finishing anything.
        let mut stop_signals = StopSignals::handle()?;
        let listener = listen(self.listen, "--listen").await?;
        service.start_delivery().await?;
        service.start_sweeper();
        service.start_key_rotation();
        if let Some(address) = self.metrics_listen {
            let (listener, router) = (listen(address, "--metrics-listen").await?, service.metrics_router());
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        let organisations = organisation::list(&service.app).await?;
        if organisations.is_empty() {
            tracing::warn!(
                "The database is empty. Create an organisation, its administrator and a token to sign in with: \
                 flagservice-server organisation create ORGANISATION --administrator NAME --database-url {}",
                self.database.redacted_url()
            );
        }
        if let Some(provider) = &settings.identity_provider {
            single_sign_on::check_organisation(provider, &organisations)?;
        }
        tracing::info!(address = %listener.local_addr()?, "serving");
        let router = service.router(settings.clone());
        let stop = async {
            stop_signals.next().await;
            tracing::info!("stopping; send a second signal to stop at once");
            service.app.drain.leave(settings.drain_spread);
            stop_signals.next().await;
        };
        tokio::select! {
            () = http::serve(listener, router, &settings, Arc::clone(&service.app)) => {}
            () = stop => anyhow::bail!("Stopped by a second signal before all requests were finished."),
        }
        service.stop().await;
        tracing::info!("stopped");
        Ok(())
    }
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

async fn listen(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("Cannot listen on {address}. Choose another address with {option}."))
}

/// The signals that stop the server: SIGTERM and Ctrl-C.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn handle() -> anyhow::Result<Self> {
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
