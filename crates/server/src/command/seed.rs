//! `seed`: fills an empty database.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::app::delivery::outbound::Outbound;
use crate::app::{BaseUrl, seed};
use crate::command::database::Database;

/// Fill an empty database with a demo.
///
/// The data are an organisation with four people, a shop with four environments, seventeen features, audiences, a release
/// pipeline, a change that waits for approval, and goals. A database that has an organisation is left as it is.
///
/// Example: flagservice-server seed demo --write demo.json
#[derive(Args)]
pub(super) struct Seed {
    /// Which data.
    #[arg(value_parser = ["demo"])]
    data: String,
    #[command(flatten)]
    database: Database,
    /// File to write the keys and tokens to, as JSON. They are shown only once.
    #[arg(long)]
    write: Option<PathBuf>,
    /// Address of an analytics service in the US. With it the shop tells that service of changes, with the keys demo and
    /// demo-secret.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
}

impl Seed {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let outbound = Outbound { us: self.analytics_us_url, ..Outbound::default() };
        let service = self.database.start_with(outbound).await?;
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
