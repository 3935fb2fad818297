//! The database that a command works on, and its key file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::ensure;
use clap::Args;

use crate::app::delivery::outbound::Outbound;
use crate::clock::SystemClock;
use crate::domain::retention::Retention;
use crate::network::SystemNetwork;
use crate::random::SystemRandom;
use crate::store::{DatabaseConnections, Schema, sqlite_file, without_password};
use crate::{Options, Service};

#[derive(Args)]
pub(super) struct Database {
    /// sqlite:<file> or postgres://<user>@<host>/<database>. PostgreSQL on another machine is reached with TLS only, unless
    /// sslmode=disable is added; sslmode=verify-full with sslrootcert=<file> also verifies its certificate. Of several
    /// hosts, separated by commas, the one that takes writes is used.
    #[arg(long, env = "FLAGSERVICE_DATABASE_URL", hide_env_values = true, default_value = "sqlite:flagservice.db")]
    database_url: String,
    /// File with the master key, created on the first start. [default: beside the SQLite file, or flagservice.key]
    #[arg(long, env = "FLAGSERVICE_KEY_FILE")]
    key_file: Option<PathBuf>,
    /// TOML file with settings, named like the flags of `serve`, e.g. listen = "0.0.0.0:7300"
    #[arg(long, env = "FLAGSERVICE_CONFIG")]
    config: Option<PathBuf>,
}

impl Database {
    /// The URL without its password.
    pub(super) fn redacted_url(&self) -> String {
        without_password(&self.database_url)
    }

    /// The path of an SQLite database.
    pub(super) fn sqlite_path(&self) -> Option<&Path> {
        sqlite_file(&self.database_url)
    }

    /// The path of the key file: as given, or the default for this database.
    pub(super) fn key_file(&self) -> PathBuf {
        let default =
            || self.sqlite_path().map_or_else(|| PathBuf::from("flagservice.key"), |path| path.with_extension("key"));
        self.key_file.clone().unwrap_or_else(default)
    }

    /// Starts the service. Creates the database if it does not exist.
    pub(super) async fn start(&self) -> anyhow::Result<Service> {
        self.start_with(Outbound::default(), Retention::default()).await
    }

    /// The same, with these destinations for annotations, and times for which what ends is kept.
    pub(super) async fn start_with(&self, outbound: Outbound, retention: Retention) -> anyhow::Result<Service> {
        self.start_for(Schema::Made, outbound, retention).await
    }

    async fn start_for(&self, schema: Schema, outbound: Outbound, retention: Retention) -> anyhow::Result<Service> {
        let (clock, random, network) = (Arc::new(SystemClock), Arc::new(SystemRandom), Arc::new(SystemNetwork));
        let (database_url, key_file) = (self.database_url.clone(), self.key_file());
        let options = Options { database_url, key_file, clock, random, network, outbound, retention };
        Service::start_for(options, schema, DatabaseConnections::default()).await
    }

    /// Starts the service on an existing database of this release, and does not change its schema: a mistyped URL creates nothing, and
    /// the release that is in use can still start.
    pub(super) async fn start_existing(&self) -> anyhow::Result<Service> {
        self.ensure_exists()?;
        self.start_for(Schema::Kept, Outbound::default(), Retention::default()).await
    }

    /// The same, and writes nothing: the database may be a backup.
    pub(super) async fn start_read_only(&self) -> anyhow::Result<Service> {
        self.ensure_exists()?;
        self.start_for(Schema::ReadOnly, Outbound::default(), Retention::default()).await
    }

    /// Starts the service on an existing database, and brings its schema up to date.
    pub(super) async fn start_existing_and_migrate(&self) -> anyhow::Result<Service> {
        self.ensure_exists()?;
        self.start_for(Schema::Migrated, Outbound::default(), Retention::default()).await
    }

    /// Fails if there is no file at the path of an SQLite database.
    pub(super) fn ensure_exists(&self) -> anyhow::Result<()> {
        let Some(file) = self.sqlite_path() else { return Ok(()) };
        ensure!(
            file.exists(),
            "There is no database at {}. Set --database-url or FLAGSERVICE_DATABASE_URL.",
            file.display()
        );
        Ok(())
    }
}
