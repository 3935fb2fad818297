//! `user readmit`: lets somebody use single sign-on again who was removed.

use anyhow::bail;
use clap::Args;

use crate::app::Operation;
use crate::app::resources::identities;
use crate::command::operator::OperatorArgs;
use crate::command::output;

/// Let a removed person sign in with single sign-on again.
///
/// They are added as a new person when they next sign in. The server's log has the id of a removed person who wants to sign in, and the
/// audit log that of everybody who was removed.
///
/// Example: flagservice-server user readmit 0193d3f0-7c1e-7a52-9a1c-0d6c1f9be0c4
#[derive(Args)]
pub(in crate::command) struct Readmit {
    /// Id of the removed person.
    id: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl Readmit {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        let found = identities::readmit(&mut operation, &self.id).await?;
        operation.commit().await?;
        operator.service.stop().await;
        if !found {
            bail!(
                "Nobody with the id '{}' has used single sign-on. Take the id from the server's log or the audit log.",
                self.id
            );
        }
        output::line(format_args!("{} can sign in with single sign-on again.", self.id))?;
        Ok(())
    }
}
