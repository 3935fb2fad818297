//! `key`: replaces the data key or the master key.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::app::secrets::key_change;
use crate::command::database::Database;
use crate::command::output;

#[derive(Subcommand)]
pub(super) enum Key {
    Rotate(Rotate),
    Rewrap(Rewrap),
}

/// Create a new data key and use it for encryption from now on.
///
/// Running servers start to use it within seconds, and can still decrypt with older keys. Keys that were replaced more
/// than 24 hours ago are removed; this is twice as long as encrypted data stays valid.
///
/// Example: flagservice-server key rotate
#[derive(Args)]
pub(super) struct Rotate {
    #[command(flatten)]
    database: Database,
}

/// Wrap the data keys with another master key; the old key file no longer opens the database.
///
/// Running servers are not affected. Before the next start, replace the key file on every node, or set --key-file. Keep
/// the old key file as long as you keep backups from its time, which need it.
///
/// Example: flagservice-server key rewrap --new-key-file /var/lib/flagservice/new.key
#[derive(Args)]
pub(super) struct Rewrap {
    #[command(flatten)]
    database: Database,
    /// File with the new master key: 32 bytes in base64. Created if it does not exist.
    #[arg(long)]
    new_key_file: PathBuf,
}

impl Key {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Rotate(rotate) => rotate.run().await,
            Self::Rewrap(rewrap) => rewrap.run().await,
        }
    }
}

impl Rotate {
    async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing().await?;
        let rotation = key_change::rotate(&service.app).await;
        service.stop().await;
        let rotation = rotation?;
        output::line(format_args!(
            "Created data key {}. Older keys, used only to decrypt: {}.",
            rotation.newest,
            joined(&rotation.older)
        ))?;
        if !rotation.removed.is_empty() {
            output::line(format_args!("Removed keys that are no longer needed: {}.", joined(&rotation.removed)))?;
        }
        Ok(())
    }
}

impl Rewrap {
    async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing().await?;
        let wrapped = key_change::rewrap(&service.app, &self.new_key_file).await;
        service.stop().await;
        let wrapped = wrapped?;
        output::line(format_args!(
            "The key in {} now opens the database; {} no longer does. Data keys: {}. Copy the new file to every node \
             before its next start, and keep a copy of it apart from the database.",
            self.new_key_file.display(),
            self.database.key_file().display(),
            wrapped
        ))?;
        Ok(())
    }
}

fn joined(ids: &[u64]) -> String {
    ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
