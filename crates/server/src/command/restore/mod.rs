//! `restore`: replaces the database with a backup.

pub(in crate::command) mod revived;

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use jiff::Timestamp;

use crate::app::delivery::outbound::Outbound;
use crate::app::transfer::restore::{self, Before, Restored};
use crate::clock::{Clock as _, SystemClock};
use crate::command::backup::{new_file, sync, sync_folder};
use crate::command::database::Database;
use crate::command::output;
use crate::command::progress;
use crate::domain::retention::Retention;
use crate::network::SystemNetwork;
use crate::random::SystemRandom;
use crate::store::{sqlite_file, suffixed};
use crate::{Options, Service};

/// How long closing the prepared database may take on a slow disk. Its file is complete only then.
const CLOSE_TIMEOUT: Duration = Duration::from_mins(5);

/// Replace the database with a backup. The server must not run.
///
/// First checks that the backup is complete, that this release supports its schema, and that the key file matches. Each
/// environment then starts a new epoch, so that clients accept the older values. All sessions end. Scheduled changes whose time has
/// passed are given up and listed. Lists the people, tokens and keys that came back, although they had been removed or revoked since the
/// backup. For PostgreSQL, use pg_restore and then
/// `renew-epochs`.
///
/// Example: flagservice-server restore /backups/flagservice-2026-11-21.db --replace
#[derive(Args)]
pub(super) struct Restore {
    /// File written by `backup`.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Replace an existing database. The old one is kept beside it under another name.
    #[arg(long)]
    replace: bool,
    /// Revoke all personal access tokens, and the client, server and edge keys that came back. Without an old database to compare
    /// with, these are all keys.
    #[arg(long)]
    revoke_tokens: bool,
}

impl Restore {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let Some(database) = self.database.sqlite_path() else {
            bail!(
                "Restore PostgreSQL with: pg_restore --clean --if-exists --dbname={url} {}\n\
                 Then: flagservice-server renew-epochs --database-url {url}",
                self.file.display(),
                url = self.database.redacted_url(),
            );
        };
        progress::report_file_size("checking", &self.file, sqlite_file::inspect_backup(&self.file)).await?;
        let present: Vec<_> =
            sqlite_file::with_those_beside(database).into_iter().filter(|file| file.exists()).collect();
        if let Some(first) = present.first() {
            ensure!(
                self.replace,
                "{} already exists. Choose another file with --database-url, or use --replace, which keeps the old database beside it.",
                first.display()
            );
        }
        let prepared = suffixed(database, ".restoring");
        let ready = async {
            let before = Before::of_file(database, SystemClock.now()).await;
            let restored = self.prepare(&prepared, &before).await?;
            if !present.is_empty() {
                sqlite_file::take_out_of_use(database).await?;
            }
            anyhow::Ok((restored, before.0.is_some()))
        };
        let (restored, compared) = match ready.await {
            Ok(ready) => ready,
            Err(error) => {
                remove_database(&prepared);
                return Err(error.context(format!("{} was not restored; nothing has changed.", self.file.display())));
            }
        };
        let kept = move_aside(database)?;
        std::fs::rename(&prepared, database)?;
        sync_folder(database)?;
        output::line(format_args!(
            "Restored {} to {}. Started a new epoch in {} environments.",
            self.file.display(),
            database.display(),
            restored.environments
        ))?;
        if let Some(kept) = kept {
            output::line(format_args!("The old database was moved to {}.", kept.display()))?;
        }
        revived::report(&restored, compared, &self.database.redacted_url())
    }

    /// Prepares the database under another name, with the schema of this release and new epochs.
    async fn prepare(&self, prepared: &Path, before: &Before) -> anyhow::Result<Restored> {
        let key_file = self.database.key_file();
        ensure!(
            key_file.exists(),
            "The key file {} is missing. Copy the key file from the time of the backup there, or set --key-file.",
            key_file.display()
        );
        remove_database(prepared);
        let mut to = new_file(prepared)?;
        let mut from = tokio::fs::File::open(&self.file).await?.into_std().await;
        let copying = tokio::task::spawn_blocking(move || std::io::copy(&mut from, &mut to));
        progress::report_file_size("copying", prepared, copying).await?.context("Cannot copy the backup.")?;
        let options = Options {
            database_url: format!("sqlite:{}", prepared.display()),
            key_file,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            network: Arc::new(SystemNetwork),
            outbound: Outbound::default(),
            retention: Retention::default(),
        };
        let service = Service::start(options).await?;
        let restored = restore::complete(&service.app, before, self.revoke_tokens).await;
        service.stop_within(CLOSE_TIMEOUT).await;
        let restored = restored?;
        let leftover = sqlite_file::with_those_beside(prepared).into_iter().skip(1).find(|file| file.exists());
        if let Some(file) = leftover {
            bail!("{} was left beside the prepared database. Remove it, then try again.", file.display());
        }
        if let Some(old) = self.database.sqlite_path().and_then(|file| std::fs::metadata(file).ok()) {
            // The server may run as another user than this command.
            std::fs::set_permissions(prepared, old.permissions())?;
            chown(prepared, Some(old.uid()), Some(old.gid())).context("Cannot change the owner of the database.")?;
        }
        sync(prepared)?;
        Ok(restored)
    }
}

/// Renames the existing database, if there is one.
fn move_aside(database: &Path) -> anyhow::Result<Option<PathBuf>> {
    let now = Timestamp::now().strftime("%Y-%m-%dT%H%M%SZ").to_string();
    let aside = suffixed(database, &format!(".before-{now}"));
    let mut kept = None;
    // SQLite's own files beside the database must keep its name.
    for (from, to) in sqlite_file::with_those_beside(database).into_iter().zip(sqlite_file::with_those_beside(&aside)) {
        if from.exists() {
            ensure!(!to.exists(), "{} already exists. Move it away, then try again.", to.display());
            std::fs::rename(&from, &to).with_context(|| format!("Cannot move {} aside.", from.display()))?;
            kept.get_or_insert(to);
        }
    }
    Ok(kept)
}

/// Removes the files of a prepared database.
fn remove_database(prepared: &Path) {
    for file in sqlite_file::with_those_beside(prepared) {
        // Most of these files don't exist.
        let _ = std::fs::remove_file(file);
    }
}
