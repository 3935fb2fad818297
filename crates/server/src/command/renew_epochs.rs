//! `renew-epochs`: completes a restore that was done by PostgreSQL's own tools.

use clap::Args;

use crate::app::transfer::restore;
use crate::command::database::Database;

/// Make clients load everything again, after you restored a PostgreSQL backup.
///
/// Each environment starts a new epoch. Versions from before it no longer count, so clients accept the older values of
/// the backup. `restore` already does this.
///
/// Example: flagservice-server renew-epochs --database-url postgres://flags@db.example/flags
#[derive(Args)]
pub(super) struct RenewEpochs {
    #[command(flatten)]
    database: Database,
}

impl RenewEpochs {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing().await?;
        let environments = restore::renew_epochs(&service.app).await?;
        service.stop().await;
        println!("Started a new epoch in {environments} environments.");
        Ok(())
    }
}
