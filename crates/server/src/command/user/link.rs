//! `user link`: lets an existing person sign in with single sign-on.

use clap::Args;

use crate::app::Operation;
use crate::app::resources::identities;
use crate::command::operator::OperatorArgs;
use crate::command::output;
use crate::identity::Issuer;

/// Let a person who has an account sign in to it with single sign-on.
///
/// Without it, somebody who signs in with single sign-on for the first time is added as a new person. From the next sign-in on, the
/// identity provider sets the person's name and role. Their tokens keep working.
///
/// Example: flagservice-server user link "Edda Okafor" --issuer https://login.example/realms/acme --subject 248289761001
#[derive(Args)]
pub(in crate::command) struct Link {
    /// Id or name of the person.
    user: String,
    /// Issuer of the provider, as in --oidc-issuer.
    #[arg(long)]
    issuer: Issuer,
    /// Id of the person at the provider, which is the claim `sub`.
    #[arg(long)]
    subject: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl Link {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let user = operator.person(&self.user).await?;
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        identities::link(&mut operation, &user, self.issuer.as_str(), &self.subject).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("'{}' ({}) can sign in with single sign-on.", user.name, user.id))?;
        Ok(())
    }
}
