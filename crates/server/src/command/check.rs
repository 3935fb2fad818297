//! `check`: looks for damage in the database.

use anyhow::bail;
use clap::Args;

use super::database::Database;
use crate::store::soundness;

/// Check the database, its versions and its key file.
///
/// Changes nothing, and can run while the server runs. The exit code is 1 if there is a problem.
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
        let report = soundness::look(&mut snapshot).await?;
        drop(snapshot);
        service.stop().await;
        if !report.flaws.is_empty() {
            bail!("The database is damaged. Restore a backup.\n{}", report.flaws.join("\n"));
        }
        println!(
            "No problems found. The versions of {} environments match {} outbox entries.",
            report.environments, report.entries
        );
        Ok(())
    }
}
