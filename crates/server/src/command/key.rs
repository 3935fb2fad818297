//! `key`: other keys in the place of those in use.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::app::secrets::key_change;
use crate::command::database::Database;

#[derive(Subcommand)]
pub(super) enum Key {
    Rotate(Rotate),
    Rewrap(Rewrap),
}

/// Make a new data key, which encrypts from now on.
///
/// Running servers take it up within seconds, and go on reading what older keys encrypted. A key whose successor is 24 hours
/// old, twice as long as anything is encrypted for, is removed.
///
/// Example: flagservice-server key rotate
#[derive(Args)]
pub(super) struct Rotate {
    #[command(flatten)]
    database: Database,
}

/// Wrap the data keys with another master key; the old key file no longer opens the database.
///
/// Running servers go on. Then name the new file with --key-file, or put it in the place of the old one, on every node. Keep
/// the old one as long as there are backups of its time: they need it.
///
/// Example: flagservice-server key rewrap --new-key-file /var/lib/flagservice/new.key
#[derive(Args)]
pub(super) struct Rewrap {
    #[command(flatten)]
    database: Database,
    /// File of the other master key: 32 bytes in base64. Made if it is not there.
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
        println!("Data key {} encrypts from now on. Still read: {}.", rotation.newest, listed(&rotation.older));
        if !rotation.removed.is_empty() {
            println!("Removed, for nothing that they encrypted is valid: {}.", listed(&rotation.removed));
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
        println!(
            "The key in {} opens the database now, and {} no longer does. Data keys: {}. Give every node the new file before its next start, and keep a copy of it apart from the database.",
            self.new_key_file.display(),
            self.database.key_file().display(),
            wrapped
        );
        Ok(())
    }
}

fn listed(ids: &[u64]) -> String {
    ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
