//! `serve`: runs the server until a signal stops it.

pub(super) mod edge;
mod listening;
mod open_files;
mod single_sign_on;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ipnet::IpNet;

use crate::app::BaseUrl;
use crate::app::delivery::outbound::Outbound;
use crate::app::delivery::reach::Reach;
use crate::app::resources::organisation;
use crate::command::database::Database;
use crate::command::retention::RetentionArgs;
use crate::command::serve::listening::{Listening, StopSignals};
use crate::command::serve::single_sign_on::SingleSignOnArgs;
use crate::http::{CallerLimits, Settings};
use crate::serving::client_limits::BURST_SECONDS;

/// Serve the REST API, evaluation and streams.
///
/// The first start creates the database and its key file, and logs how to sign in. SIGTERM or Ctrl-C stops the server
/// when all requests in progress are finished; a second signal stops it at once. RUST_LOG=debug logs each request.
///
/// Example: flagservice-server serve --listen 0.0.0.0:7300 --database-url sqlite:/var/lib/flagservice/flagservice.db
// The field names and comments become flags, environment variables, settings of the configuration file, and help.
#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    listening: Listening,
    #[command(flatten)]
    database: Database,
    /// Folder of static files to serve under /pages/, for demos.
    #[arg(long, env = "FLAGSERVICE_PAGES")]
    pages: Option<PathBuf>,
    /// Folder of administration pages to serve instead of the built-in ones, for development.
    #[arg(long, env = "FLAGSERVICE_ADMIN_PAGES")]
    admin_pages: Option<PathBuf>,
    /// Folder of documentation to serve instead of the built-in one, for development.
    #[arg(long, env = "FLAGSERVICE_DOCUMENTATION")]
    documentation: Option<PathBuf>,
    #[command(flatten)]
    retention: RetentionArgs,
    /// Maximum of REST requests per second, for each token and each session.
    #[arg(long, env = "FLAGSERVICE_CALLER_REQUESTS_PER_SECOND")]
    caller_requests_per_second: Option<NonZeroU32>,
    /// URL of the analytics service in the US, e.g. https://analytics.example. If not set, nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
    /// URL of the analytics service in the EU. If not set, nothing is sent there.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_EU_URL")]
    analytics_eu_url: Option<BaseUrl>,
    /// Network or address that is private, and that webhooks may reach, also over http://, e.g. 10.1.0.0/16. Can be repeated.
    #[arg(long, env = "FLAGSERVICE_PRIVATE_DESTINATIONS", value_delimiter = ',', value_parser = listening::network)]
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
        let mut callers = CallerLimits::default();
        if let Some(rate) = self.caller_requests_per_second {
            callers.requests_per_second = rate;
            callers.burst = rate.saturating_mul(BURST_SECONDS);
        }
        Settings {
            static_dir: self.pages.clone(),
            admin_pages: self.admin_pages.clone(),
            documentation: self.documentation.clone(),
            callers,
            ..self.listening.settings()
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
        self.public_url.clone().or_else(|| format!("http://{}", self.listening.listen).parse().ok())
    }

    pub(super) async fn run(self) -> anyhow::Result<()> {
        let mut settings = self.settings();
        settings.identity_provider = self.single_sign_on.settings(self.public())?;
        let mut service = self.database.start_with(self.outbound(), self.retention.settings()).await?;
        // Before the first request: a signal that nobody handles would end the process without finishing anything.
        let stop_signals = StopSignals::handle()?;
        let listener = self.listening.listener().await?;
        service.start_delivery().await?;
        service.start_sweeper();
        service.start_key_rotation();
        service.start_scheduler();
        service.start_guards();
        self.listening.serve_metrics(|| service.metrics_router()).await?;
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
        let router = service.router(settings.clone());
        let serving = Arc::clone(&service.app.serving);
        listening::serve(listener, router, &settings, &serving, stop_signals, service.stop()).await
    }
}
