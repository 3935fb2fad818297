//! `check`: whether the database is sound.

use anyhow::bail;
use clap::Args;

use crate::app::transfer::soundness;
use crate::command::database::Database;

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
        let found = soundness::check(&service.app).await?;
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
