//! The command line: what can be asked of the binary, and the settings that it takes.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use ipnet::IpNet;
use tokio::net::TcpListener;

use crate::app::seed;
use crate::clock::SystemClock;
use crate::http::{self, Limits, Settings};
use crate::random::SystemRandom;
use crate::{Options, Service};

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The companion server of Flag Service.
#[derive(Parser)]
#[command(version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Serve REST, evaluation and streams.
    Serve(Serve),
    /// Fill an empty database.
    Seed(Seed),
}

#[derive(Args)]
struct Database {
    /// sqlite:<file> or postgres://<user>@<host>/<database>
    #[arg(long, env = "FLAGSERVICE_DATABASE_URL", default_value = "sqlite:flagservice.db")]
    database_url: String,
    /// File that holds the master key. Made on the first start. [default: beside the SQLite file; flagservice.key]
    #[arg(long, env = "FLAGSERVICE_KEY_FILE")]
    key_file: Option<PathBuf>,
}

#[derive(Args)]
struct Serve {
    /// Address and port to listen on.
    #[arg(long, env = "FLAGSERVICE_LISTEN", default_value = "127.0.0.1:7300")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Address and port for /metrics alone, which is then absent from the other one.
    #[arg(long, env = "FLAGSERVICE_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// Folder of static files to serve under /pages/, for demos.
    #[arg(long)]
    pages: Option<PathBuf>,
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
}

#[derive(Args)]
struct Seed {
    /// Which data.
    #[arg(value_parser = ["demo"])]
    data: String,
    #[command(flatten)]
    database: Database,
    /// File to write the client keys and tokens to, as JSON. They are shown only once.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Command {
    /// Does what is asked.
    ///
    /// # Errors
    /// Names what is wrong, and the remedy.
    pub async fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Serve(serve) => serve.run().await,
            Action::Seed(seed) => seed.run().await,
        }
    }
}

impl Database {
    async fn start(self) -> anyhow::Result<Service> {
        let key_file = self.key_file.unwrap_or_else(|| beside(&self.database_url));
        let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
        Service::start(Options { database_url: self.database_url, key_file, clock, random }).await
    }
}

/// The key file that belongs to a database when none is named.
fn beside(database_url: &str) -> PathBuf {
    match database_url.strip_prefix("sqlite:") {
        Some(file) => Path::new(file.trim_start_matches("//")).with_extension("key"),
        None => PathBuf::from("flagservice.key"),
    }
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
            pages: self.pages.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
            limits,
            metrics: self.metrics_listen.is_none(),
            drain_spread: Duration::from_secs(self.drain_spread),
            ..Settings::default()
        }
    }

    async fn run(self) -> anyhow::Result<()> {
        let settings = self.settings();
        let service = self.database.start().await?;
        let listener = listen(self.listen).await?;
        if let Some(address) = self.metrics_listen {
            let (listener, router) = (listen(address).await?, service.metrics_router());
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            tokio::spawn(async move { axum::serve(listener, router).await });
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

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| {
        format!("Cannot listen on {address}. Choose another address with --listen or --metrics-listen.")
    })
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

impl Seed {
    async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start().await?;
        let seeded = seed::demo(&service.app).await?;
        service.stop().await;
        let Some(credentials) = seeded else {
            println!("The database has data already; nothing was added.");
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&credentials)?;
        match &self.write {
            Some(file) => {
                std::fs::write(file, &text).with_context(|| format!("Cannot write {}.", file.display()))?;
            }
            None => println!("{text}"),
        }
        for (role, person) in &credentials.tokens {
            println!("{role:<16} {:<16} {}", person.name, person.token);
        }
        Ok(())
    }
}
