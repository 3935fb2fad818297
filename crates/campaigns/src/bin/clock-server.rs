//! A node with a clock that the caller sets: the server on a new demo database, or an edge.
//!
//! `clock-server DATABASE_URL KEY_FILE PAGES` prints a line of JSON with its address and the demo's credentials, and
//! `clock-server edge UPSTREAM EDGE_KEY FOLDER` one with its address. Each input line is a time in milliseconds since 1970; it sets the
//! clock and prints the line back. It exits at the end of its input.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use flagservice_rules::Instant;
use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::seed;
use flagservice_server::clock::{Clock, ManualClock, SystemClock};
use flagservice_server::domain::retention::Retention;
use flagservice_server::edge::{EdgeOptions, EdgeService};
use flagservice_server::http::{self, Settings};
use flagservice_server::network::SystemNetwork;
use flagservice_server::random::SystemRandom;
use flagservice_server::secret::Secret;
use flagservice_server::serving::Serving;
use flagservice_server::serving::client_limits::{ChosenLimits, ClientLimits};
use flagservice_server::{Options, Service};
use serde_json::json;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let clock = Arc::new(ManualClock::new(SystemClock.now()));
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["edge", upstream, key, folder] => edge(upstream, key, folder.into(), clock).await,
        [database_url, key_file, pages] => server(database_url, key_file.into(), pages.into(), clock).await,
        _ => anyhow::bail!(
            "Usage: clock-server DATABASE_URL KEY_FILE PAGES, or clock-server edge UPSTREAM EDGE_KEY FOLDER"
        ),
    }
}

async fn server(database_url: &str, key_file: PathBuf, pages: PathBuf, clock: Arc<ManualClock>) -> anyhow::Result<()> {
    let options = Options {
        database_url: database_url.to_owned(),
        key_file,
        clock: Arc::clone(&clock) as _,
        random: Arc::new(SystemRandom),
        network: Arc::new(SystemNetwork),
        outbound: Outbound::default(),
        retention: Retention::default(),
    };
    let service = Service::start(options).await?;
    let credentials = seed::demo(&service.app).await?.context("the database already has an organisation")?;
    let settings = Settings { static_dir: Some(pages), ..unlimited() };
    let base = serve(service.router(settings.clone()), settings, Arc::clone(&service.app.serving)).await?;
    println!("{}", json!({ "base": base, "credentials": credentials }));
    set_from_input(clock).await?;
    service.stop().await;
    Ok(())
}

async fn edge(upstream: &str, key: &str, folder: PathBuf, clock: Arc<ManualClock>) -> anyhow::Result<()> {
    let options = EdgeOptions {
        upstream: upstream.parse().context("the upstream must be a URL")?,
        key: Secret::new(key.to_owned()),
        previous_keys: Vec::new(),
        folder,
        // Those of the upstream.
        limits: ChosenLimits::default(),
        max_age: None,
        clock: Arc::clone(&clock) as _,
        random: Arc::new(SystemRandom),
        network: Arc::new(SystemNetwork),
    };
    let service = EdgeService::start(options).await?;
    let settings = unlimited();
    let base = serve(service.router(&settings), settings, Arc::clone(&service.serving)).await?;
    println!("{}", json!({ "base": base }));
    set_from_input(clock).await?;
    service.stop().await;
    Ok(())
}

fn unlimited() -> Settings {
    let limits =
        ClientLimits { requests_per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX, ..ClientLimits::default() };
    Settings { limits, ..Settings::default() }
}

/// Serves on a free port. Returns the address.
async fn serve(router: Router, settings: Settings, serving: Arc<Serving>) -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { http::serve(listener, router, &settings, serving).await });
    Ok(base)
}

/// Sets the clock to each line of the input, until it ends.
async fn set_from_input(clock: Arc<ManualClock>) -> anyhow::Result<()> {
    let times = tokio::task::spawn_blocking(move || -> anyhow::Result<()> {
        for line in std::io::stdin().lines() {
            let line = line?;
            clock.set(Instant(line.trim().parse().context("expected a time in milliseconds since 1970")?));
            println!("{line}");
        }
        Ok(())
    });
    times.await?
}
