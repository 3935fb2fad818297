//! Which database a command works on, and the key file that belongs to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::ensure;
use clap::Args;

use crate::app::delivery::outbound::Outbound;
use crate::clock::SystemClock;
use crate::random::SystemRandom;
use crate::store::{sqlite_file, without_password};
use crate::{Options, Service};

#[derive(Args)]
pub(super) struct Database {
    /// sqlite:<file> or postgres://<user>@<host>/<database>
    #[arg(long, env = "FLAGSERVICE_DATABASE_URL", hide_env_values = true, default_value = "sqlite:flagservice.db")]
    database_url: String,
    /// File that holds the master key. Made on the first start. [default: beside the SQLite file; flagservice.key]
    #[arg(long, env = "FLAGSERVICE_KEY_FILE")]
    key_file: Option<PathBuf>,
    /// TOML file with settings of `serve` by the names of its flags, for all commands: listen = "0.0.0.0:7300"
    #[arg(long, env = "FLAGSERVICE_CONFIG")]
    config: Option<PathBuf>,
}

impl Database {
    /// The URL as it may be shown.
    pub(super) fn shown_url(&self) -> String {
        without_password(&self.database_url)
    }

    /// The file of an SQLite database.
    pub(super) fn file(&self) -> Option<&Path> {
        sqlite_file(&self.database_url)
    }

    /// The key file: the one that is named, else the one that belongs to such a database.
    pub(super) fn key_file(&self) -> PathBuf {
        let beside = || self.file().map_or_else(|| PathBuf::from("flagservice.key"), |file| file.with_extension("key"));
        self.key_file.clone().unwrap_or_else(beside)
    }

    /// Starts on the database, which is made if it is not there.
    pub(super) async fn start(&self) -> anyhow::Result<Service> {
        self.start_with(Outbound::default()).await
    }

    /// The same, for a server with these destinations.
    pub(super) async fn start_with(&self, outbound: Outbound) -> anyhow::Result<Service> {
        let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
        let (database_url, key_file) = (self.database_url.clone(), self.key_file());
        Service::start(Options { database_url, key_file, clock, random, outbound }).await
    }

    /// Starts on a database that is there: a mistyped path makes no new one.
    pub(super) async fn start_existing(&self) -> anyhow::Result<Service> {
        self.must_exist()?;
        self.start().await
    }

    /// Refuses a path at which there is nothing.
    pub(super) fn must_exist(&self) -> anyhow::Result<()> {
        let Some(file) = self.file() else { return Ok(()) };
        ensure!(
            file.exists(),
            "There is no database at {}. Name yours with --database-url or FLAGSERVICE_DATABASE_URL.",
            file.display()
        );
        Ok(())
    }
}
