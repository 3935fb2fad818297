//! `check`: looks for damage in the database.

use anyhow::bail;
use clap::Args;

use crate::app::transfer::soundness;
use crate::command::database::Database;
use crate::command::output;

/// Check the database, its versions and its key file.
///
/// Changes nothing, and can run while the server runs. The database can also be a backup. The exit code is 1 if there is a problem, or
/// if the database is that of an older or newer release.
///
/// Example: flagservice-server check
#[derive(Args)]
pub(super) struct Check {
    #[command(flatten)]
    database: Database,
}

impl Check {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_read_only().await?;
        let report = soundness::check(&service.app).await?;
        service.stop().await;
        if !report.violations.is_empty() {
            bail!("The database is damaged. Restore a backup.\n{}", report.violations.join("\n"));
        }
        output::line(format_args!(
            "No problems found. The versions of {} environments match {} outbox entries.",
            report.environments, report.entries
        ))?;
        Ok(())
    }
}
