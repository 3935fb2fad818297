//! `serve`: REST, evaluation and streams, until a signal ends it.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use ipnet::IpNet;
use tokio::net::TcpListener;

use crate::app::BaseUrl;
use crate::app::delivery::outbound::Outbound;
use crate::app::resources::organisation;
use crate::command::database::Database;
use crate::http::{self, Limits, Settings};

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Serve REST, evaluation and streams.
///
/// The database and its key are made on the first start, which tells how to get in. SIGTERM or Ctrl-C ends it when
/// all that was begun is done, a second one at once. RUST_LOG=debug logs each request.
///
/// Example: flagservice-server serve --listen 0.0.0.0:7300 --database-url sqlite:/var/lib/flagservice/flagservice.db
// Its names, words and defaults are those of the flags, of the environment and of the file of settings (`config`).
#[derive(Args)]
pub(super) struct Serve {
    /// Address and port to listen on.
    #[arg(long, env = "FLAGSERVICE_LISTEN", default_value = "127.0.0.1:7300")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Address and port for /metrics alone, which is then absent from the other one.
    #[arg(long, env = "FLAGSERVICE_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// Folder of static files to serve under /pages/, for demos.
    #[arg(long, env = "FLAGSERVICE_PAGES")]
    pages: Option<PathBuf>,
    /// Folder of administration pages to serve in the place of those inside the binary, for working on them.
    #[arg(long, env = "FLAGSERVICE_ADMIN_PAGES")]
    admin_pages: Option<PathBuf>,
    /// Folder of documentation to serve in the place of that inside the binary, for working on it.
    #[arg(long, env = "FLAGSERVICE_DOCUMENTATION")]
    documentation: Option<PathBuf>,
    /// Network of a proxy whose X-Forwarded-For counts, e.g. 10.0.0.0/8. May be given several times.
    #[arg(long, env = "FLAGSERVICE_TRUSTED_PROXIES", value_delimiter = ',')]
    trusted_proxy: Vec<IpNet>,
    /// Loads, goals and openings of streams per second, of one client key from one address.
    #[arg(long, env = "FLAGSERVICE_REQUESTS_PER_SECOND")]
    requests_per_second: Option<NonZeroU32>,
    /// Seconds over which the clients of streams are told to come back when the server stops.
    #[arg(long, env = "FLAGSERVICE_DRAIN_SPREAD", default_value_t = 10)]
    drain_spread: u64,
    /// Open streams from one address.
    #[arg(long, env = "FLAGSERVICE_STREAMS_PER_ADDRESS")]
    streams_per_address: Option<usize>,
    /// Address of the analytics service in the US, e.g. https://analytics.example. Without it nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
    /// Address of the analytics service in the EU. Without it nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_EU_URL")]
    analytics_eu_url: Option<BaseUrl>,
    /// Address at which people reach this service, for links in annotations. [default: http:// and the address of --listen]
    #[arg(long, env = "FLAGSERVICE_PUBLIC_URL")]
    public_url: Option<BaseUrl>,
}

impl Serve {
    fn settings(&self) -> Settings {
        let mut limits = Limits::default();
        if let Some(rate) = self.requests_per_second {
            limits.requests_per_second = rate;
            limits.burst = rate.saturating_mul(BURST_SECONDS);
        }
        limits.streams_per_address = self.streams_per_address.unwrap_or(limits.streams_per_address);
        Settings {
            static_dir: self.pages.clone(),
            admin_pages: self.admin_pages.clone(),
            documentation: self.documentation.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
            limits,
            metrics: self.metrics_listen.is_none(),
            drain_spread: Duration::from_secs(self.drain_spread),
            ..Settings::default()
        }
    }

    fn outbound(&self) -> Outbound {
        Outbound {
            us: self.analytics_us_url.clone(),
            eu: self.analytics_eu_url.clone(),
            public: self.public_url.clone().or_else(|| format!("http://{}", self.listen).parse().ok()),
        }
    }

    pub(super) async fn run(self) -> anyhow::Result<()> {
        let settings = self.settings();
        let mut service = self.database.start_with(self.outbound()).await?;
        let listener = listen(self.listen, "--listen").await?;
        service.deliver().await?;
        if let Some(address) = self.metrics_listen {
            let (listener, router) = (listen(address, "--metrics-listen").await?, service.metrics_router());
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        if organisation::list(&service.app).await?.is_empty() {
            tracing::warn!(
                "The database is empty. This makes an organisation, its administrator and a token to sign in with: \
                 flagservice-server organisation create ORGANISATION --administrator NAME --database-url {}",
                self.database.shown_url()
            );
        }
        tracing::info!(address = %listener.local_addr()?, "serving");
        let router = service.router(settings.clone());
        let stop = async {
            interrupted().await;
            tracing::info!("stopping; a second signal ends at once");
            service.app.drain.leave(settings.drain_spread);
            interrupted().await;
        };
        tokio::select! {
            () = http::serve(listener, router, &settings, Arc::clone(&service.app)) => {}
            () = stop => anyhow::bail!("A second signal ended it before all was done."),
        }
        service.stop().await;
        tracing::info!("stopped");
        Ok(())
    }
}

async fn listen(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("Cannot listen on {address}. Choose another address with {option}."))
}

/// Waits for the signal to stop.
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
