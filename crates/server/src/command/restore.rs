//! `restore`: a backup in the place of the database.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::Args;
use jiff::Timestamp;

use crate::app::delivery::outbound::Outbound;
use crate::app::transfer::restore;
use crate::clock::SystemClock;
use crate::command::backup::{new_file, sync, sync_folder};
use crate::command::database::Database;
use crate::command::progress;
use crate::random::SystemRandom;
use crate::store::{sqlite_file, suffixed};
use crate::{Options, Service};

/// Put a backup in the place of the database.
///
/// The backup is checked first: that it is whole, that this release knows its schema, and that the key file is its own.
/// Each environment then begins a new epoch, so that clients take the older values. The server must not run. PostgreSQL
/// restores its own backups with pg_restore; `renew-epochs` does the rest.
///
/// Example: flagservice-server restore /backups/flagservice-2026-11-21.db --replace
#[derive(Args)]
pub(super) struct Restore {
    /// The file that `backup` wrote.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Put it in the place of a database that is there. The old one is kept beside it under another name.
    #[arg(long)]
    replace: bool,
}

impl Restore {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let Some(database) = self.database.file() else {
            bail!(
                "PostgreSQL restores its own backups. Run: pg_restore --clean --if-exists --dbname={url} {}\nThen: flagservice-server renew-epochs --database-url {url}",
                self.file.display(),
                url = self.database.shown_url(),
            );
        };
        progress::of_file("checking", &self.file, sqlite_file::inspect(&self.file)).await?;
        let present: Vec<_> =
            sqlite_file::with_those_beside(database).into_iter().filter(|file| file.exists()).collect();
        if let Some(first) = present.first() {
            ensure!(
                self.replace,
                "{} is there already. Name another place with --database-url, or say --replace: the old database is then kept beside it.",
                first.display()
            );
        }
        let staged = suffixed(database, ".restoring");
        let ready = async {
            let environments = self.stage(&staged).await?;
            if !present.is_empty() {
                sqlite_file::take_out_of_use(database).await?;
            }
            anyhow::Ok(environments)
        };
        let environments = match ready.await {
            Ok(environments) => environments,
            Err(error) => {
                remove(&staged);
                return Err(error.context(format!("{} was not restored; nothing has changed.", self.file.display())));
            }
        };
        let kept = move_aside(database)?;
        std::fs::rename(&staged, database)?;
        sync_folder(database)?;
        println!(
            "{} holds {} now. {environments} environments begin a new epoch.",
            database.display(),
            self.file.display()
        );
        if let Some(kept) = kept {
            println!("The old database is kept in {}.", kept.display());
        }
        Ok(())
    }

    /// Makes the database under another name, with the schema of this release and new epochs.
    async fn stage(&self, staged: &Path) -> anyhow::Result<usize> {
        let key_file = self.database.key_file();
        ensure!(
            key_file.exists(),
            "The key file {} is missing. Put the key there that was in use when the backup was taken, or name it with --key-file.",
            key_file.display()
        );
        remove(staged);
        let mut to = new_file(staged)?;
        let mut from = tokio::fs::File::open(&self.file).await?.into_std().await;
        let copying = tokio::task::spawn_blocking(move || std::io::copy(&mut from, &mut to));
        progress::of_file("copying", staged, copying).await?.context("The backup could not be copied.")?;
        let options = Options {
            database_url: format!("sqlite:{}", staged.display()),
            key_file,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            outbound: Outbound::default(),
        };
        let service = Service::start(options).await?;
        let environments = restore::renew_epochs(&service.app).await;
        service.stop().await;
        let environments = environments?;
        let left = sqlite_file::with_those_beside(staged).into_iter().skip(1).find(|file| file.exists());
        ensure!(left.is_none(), "{left:?} was left beside the restored database.");
        if let Some(old) = self.database.file().and_then(|file| std::fs::metadata(file).ok()) {
            // Who restores may be another user than the one who serves.
            std::fs::set_permissions(staged, old.permissions())?;
            chown(staged, Some(old.uid()), Some(old.gid())).context("The database cannot be given to its owner.")?;
        }
        sync(staged)?;
        Ok(environments)
    }
}

/// Gives the database that is there another name.
fn move_aside(database: &Path) -> anyhow::Result<Option<PathBuf>> {
    let now = Timestamp::now().strftime("%Y-%m-%dT%H%M%SZ").to_string();
    let aside = suffixed(database, &format!(".before-{now}"));
    let mut kept = None;
    // What stands beside it belongs to it under that name.
    for (from, to) in sqlite_file::with_those_beside(database).into_iter().zip(sqlite_file::with_those_beside(&aside)) {
        if from.exists() {
            ensure!(!to.exists(), "{} is there already. Move it away, then try again.", to.display());
            std::fs::rename(&from, &to).with_context(|| format!("{} cannot be moved aside.", from.display()))?;
            kept.get_or_insert(to);
        }
    }
    Ok(kept)
}

/// Removes what an attempt left.
fn remove(staged: &Path) {
    for file in sqlite_file::with_those_beside(staged) {
        // Most of them are not there.
        let _ = std::fs::remove_file(file);
    }
}
