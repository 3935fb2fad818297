//! `check`: whether the database is sound.

use anyhow::bail;
use clap::Args;

use super::database::Database;
use crate::store::soundness;

/// Look whether the database is sound, its versions agree, and the key file is its own.
///
/// It changes nothing, and may run beside the server. It ends with 1 when something is wrong.
///
/// Example: flagservice-server check
#[derive(Args)]
pub(super) struct Check {
    #[command(flatten)]
    database: Database,
}

impl Check {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing().await?;
        let mut snapshot = service.app.store.snapshot().await?;
        let found = soundness::look(&mut snapshot).await?;
        drop(snapshot);
        service.stop().await;
        if !found.flaws.is_empty() {
            bail!("The database is damaged. Restore a backup.\n{}", found.flaws.join("\n"));
        }
        println!(
            "Sound: {} environments, whose versions agree with {} outbox entries.",
            found.environments, found.entries
        );
        Ok(())
    }
}
