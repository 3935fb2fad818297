//! `seed`: fills an empty database with demo data.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::app::delivery::outbound::Outbound;
use crate::app::{BaseUrl, seed};
use crate::command::database::Database;
use crate::command::output;
use crate::domain::retention::Retention;

/// Fill an empty database with demo data.
///
/// The data: an organisation with four people, and a shop with four environments, seventeen features, saved audiences, a
/// release pipeline, a pending approval, and goals. A database that already has an organisation is not changed.
///
/// Example: flagservice-server seed demo --write demo.json
#[derive(Args)]
pub(super) struct Seed {
    /// Data set.
    #[arg(value_parser = ["demo"])]
    data: String,
    #[command(flatten)]
    database: Database,
    /// JSON file for the keys and tokens, which are shown only once. [default: standard output]
    #[arg(long)]
    write: Option<PathBuf>,
    /// URL of an analytics service in the US. The shop gets an integration that sends changes there, with the keys demo
    /// and demo-secret.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
}

impl Seed {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let outbound = Outbound { us: self.analytics_us_url, ..Outbound::default() };
        let service = self.database.start_with(outbound, Retention::default()).await?;
        let seeded = seed::demo(&service.app).await?;
        service.stop().await;
        let Some(credentials) = seeded else {
            output::line(format_args!("The database already has data; nothing was added."))?;
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&credentials)?;
        match &self.write {
            Some(file) => {
                std::fs::write(file, &text).with_context(|| format!("Cannot write {}.", file.display()))?;
            }
            None => output::line(format_args!("{text}"))?,
        }
        for (role, person) in &credentials.tokens {
            output::line(format_args!("{role:<16} {:<16} {}", person.name, person.token))?;
        }
        Ok(())
    }
}
