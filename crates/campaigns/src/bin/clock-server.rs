//! The server on a new demo database, with a clock that the caller sets.
//!
//! `clock-server DATABASE_URL KEY_FILE PAGES` prints a line of JSON with its address and the demo's credentials. Each input line
//! is a time in milliseconds since 1970; it sets the clock and prints the line back. It exits at the end of its input.

use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::Context;
use flagservice_rules::Instant;
use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::seed;
use flagservice_server::clock::{Clock, ManualClock, SystemClock};
use flagservice_server::domain::retention::Retention;
use flagservice_server::http::{self, Limits, Settings};
use flagservice_server::network::SystemNetwork;
use flagservice_server::random::SystemRandom;
use flagservice_server::{Options, Service};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let database_url = arguments.next().context("the first argument must be the database URL")?;
    let key_file = arguments.next().context("the second argument must be the key file")?.into();
    let pages = arguments.next().context("the third argument must be the folder of the pages")?.into();
    let clock = Arc::new(ManualClock::new(SystemClock.now()));
    let (random, outbound) = (Arc::new(SystemRandom), Outbound::default());
    let (network, retention) = (Arc::new(SystemNetwork), Retention::default());
    let options =
        Options { database_url, key_file, clock: Arc::clone(&clock) as _, random, network, outbound, retention };
    let service = Service::start(options).await?;
    let credentials = seed::demo(&service.app).await?.context("the database already has an organisation")?;
    let limits = Limits { requests_per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX, ..Limits::default() };
    let settings = Settings { limits, static_dir: Some(pages), ..Settings::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base = format!("http://{}", listener.local_addr()?);
    let (router, app) = (service.router(settings.clone()), Arc::clone(&service.app));
    tokio::spawn(async move { http::serve(listener, router, &settings, app).await });
    println!("{}", serde_json::json!({ "base": base, "credentials": credentials }));
    let times = tokio::task::spawn_blocking(move || -> anyhow::Result<()> {
        for line in std::io::stdin().lines() {
            let line = line?;
            clock.set(Instant(line.trim().parse().context("expected a time in milliseconds since 1970")?));
            println!("{line}");
        }
        Ok(())
    });
    times.await??;
    service.stop().await;
    Ok(())
}
