//! `seed`: fills an empty database with demo data.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::app::BaseUrl;
use crate::app::delivery::outbound::Outbound;
use crate::app::seed::{self, Credentials};
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
    /// JSON file for the keys and tokens, which are shown only once. A new file can be read by its owner alone. [default: standard
    /// output]
    #[arg(long)]
    write: Option<PathBuf>,
    /// URL of an analytics service in the US. The shop gets an integration that sends changes there, with the keys demo
    /// and demo-secret.
    #[arg(long, env = "FLAGSERVICE_ANALYTICS_US_URL")]
    analytics_us_url: Option<BaseUrl>,
}

impl Seed {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let file = self.write.as_deref().map(CredentialsFile::open).transpose()?;
        let seeded = self.seed().await;
        if !matches!(seeded, Ok(Some(_))) {
            file.iter().for_each(CredentialsFile::remove_new);
        }
        let Some(credentials) = seeded? else {
            output::line(format_args!("The database already has data; nothing was added."))?;
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&credentials)?;
        let written = file.map(|file| file.write(&text));
        if !matches!(written, Some(Ok(()))) {
            output::line(format_args!("{text}"))?;
        }
        written.transpose()?;
        for (role, person) in &credentials.tokens {
            output::line(format_args!("{role:<16} {:<16} {}", person.name, person.token))?;
        }
        Ok(())
    }

    async fn seed(&self) -> anyhow::Result<Option<Credentials>> {
        let outbound = Outbound { us: self.analytics_us_url.clone(), ..Outbound::default() };
        let service = self.database.start_with(outbound, Retention::default()).await?;
        let seeded = seed::demo(&service.app).await;
        service.stop().await;
        seeded
    }
}

/// The file for keys and tokens. It is opened before anything is seeded, because they cannot be had again.
struct CredentialsFile<'a> {
    file: &'a Path,
    is_new: bool,
    opened: File,
}

impl<'a> CredentialsFile<'a> {
    fn open(file: &'a Path) -> anyhow::Result<Self> {
        let is_new = !file.exists();
        // What it has is kept until there is something to write: it may be of this database.
        let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(file);
        let opened = opened.with_context(|| format!("Cannot write {}.", file.display()))?;
        Ok(Self { file, is_new, opened })
    }

    fn remove_new(&self) {
        if self.is_new {
            // Why there is nothing to write in it is what is reported.
            let _ = std::fs::remove_file(self.file);
        }
    }

    fn write(mut self, text: &str) -> anyhow::Result<()> {
        let mut write = || {
            // Not a terminal, a pipe or /dev/null.
            if self.opened.metadata()?.is_file() {
                self.opened.set_len(0)?;
            }
            self.opened.write_all(text.as_bytes())
        };
        write().with_context(|| format!("Cannot write {}.", self.file.display()))
    }
}
