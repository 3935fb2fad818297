//! A service with the demo's data on a database of its own, which the targets that need one share.

use std::sync::{Arc, LazyLock};

use anyhow::Context;
use axum::Router;
use flagservice_rules::Instant;
use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::resources::organisation;
use flagservice_server::app::seed;
use flagservice_server::app::{Actor, App};
use flagservice_server::clock::ManualClock;
use flagservice_server::domain::retention::Retention;
use flagservice_server::domain::role::Role;
use flagservice_server::domain::sdk_key::KeyKind;
use flagservice_server::http::{CallerLimits, Settings};
use flagservice_server::network::SystemNetwork;
use flagservice_server::random::SystemRandom;
use flagservice_server::serving::client;
use flagservice_server::serving::snapshots::SdkKeyRef;
use flagservice_server::{Options, Service};
use std::num::NonZeroU32;
use tokio::runtime::Runtime;

/// The time of the service: 2026-11-21T00:00:00Z, in milliseconds.
pub const NOW: Instant = Instant(1_795_219_200_000);

/// The service of this process.
#[expect(clippy::expect_used, reason = "a target without its service cannot check anything")]
pub static RUNNING: LazyLock<Running> = LazyLock::new(|| Running::start().expect("the service starts"));

/// A service and what a target needs to use it.
pub struct Running {
    runtime: Runtime,
    service: Service,
    /// Somebody who may do everything.
    pub actor: Actor,
    /// The access token of an administrator.
    pub token: String,
    /// Two client keys of different environments.
    pub keys: [Arc<SdkKeyRef>; 2],
    /// The routes.
    pub router: Router,
}

impl Running {
    fn start() -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        let folder = std::env::temp_dir().join(format!("flagservice-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let options = Options {
            database_url: format!("sqlite:{}", folder.join("flagservice.db").display()),
            key_file: folder.join("key"),
            clock: Arc::new(ManualClock::new(NOW)),
            random: Arc::new(SystemRandom),
            network: Arc::new(SystemNetwork),
            outbound: Outbound::default(),
            retention: Retention::default(),
        };
        let (service, credentials, organisations) = runtime.block_on(async {
            let service = Service::start(options).await?;
            let credentials = seed::demo(&service.app).await?.context("the database has an organisation already")?;
            let organisations = organisation::list(&service.app).await?;
            anyhow::Ok((service, credentials, organisations))
        })?;
        let (organisation, _) = organisations.into_iter().next().context("there is no organisation")?;
        let key = |environment: &str| {
            let key = credentials.client_keys.get(environment).context("the environment has no client key")?;
            anyhow::Ok(client::authenticate(&service.app.serving, KeyKind::Client, key)?)
        };
        let keys = [key("staging")?, key("production")?];
        let token = credentials.tokens.get(&Role::Administrator).context("there is no administrator")?.token.clone();
        let callers =
            CallerLimits { requests_per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX, ..CallerLimits::default() };
        let router = service.router(Settings { callers, ..Settings::default() });
        Ok(Self { runtime, service, actor: Actor::operator(organisation), token, keys, router })
    }

    /// The application.
    pub fn app(&self) -> &App {
        &self.service.app
    }

    /// Runs to the end.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}
