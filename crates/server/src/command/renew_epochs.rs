//! `renew-epochs`: what a restore needs when the database was restored by other means.

use clap::Args;

use crate::app::transfer::restore;
use crate::command::database::Database;

/// Tell clients that the database is an older one than they knew, after PostgreSQL's own restore.
///
/// Each environment begins a new epoch, in which no version that clients know counts: they load again. `restore` does
/// this by itself.
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
        println!("{environments} environments begin a new epoch.");
        Ok(())
    }
}
