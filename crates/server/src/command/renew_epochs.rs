//! `renew-epochs`: completes a restore that was done by PostgreSQL's own tools.

use clap::Args;

use crate::app::transfer::restore::{self, Before};
use crate::command::database::Database;
use crate::command::output;
use crate::command::restore::revived;

/// Make clients load everything again, after you restored a PostgreSQL backup.
///
/// Each environment starts a new epoch. Versions from before it no longer count, so clients accept the older values of
/// the backup. All sessions end, and scheduled changes whose time has passed are given up and listed. `restore` already does this.
///
/// Example: flagservice-server renew-epochs --database-url postgres://flags@db.example/flags
#[derive(Args)]
pub(super) struct RenewEpochs {
    #[command(flatten)]
    database: Database,
    /// Revoke all personal access tokens and all client, server and edge keys: some of them may have been revoked after the backup.
    #[arg(long)]
    revoke_tokens: bool,
}

impl RenewEpochs {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing_and_migrate().await?;
        let restored = restore::complete(&service.app, &Before(None), self.revoke_tokens).await?;
        service.stop().await;
        output::line(format_args!("Started a new epoch in {} environments.", restored.environments))?;
        revived::report(&restored, false, &self.database.redacted_url())
    }
}
