//! `organisation`: creates and lists organisations.

use anyhow::{bail, ensure};
use clap::{Args, Subcommand};

use crate::app::resources::access_tokens::{self, NewAccessToken};
use crate::app::resources::{organisation, users};
use crate::app::{Name, Operation};
use crate::command::database::Database;
use crate::command::output;
use crate::command::retention::TokenLifetime;
use crate::command::table;
use crate::command::token::format_time;
use crate::domain;
use crate::domain::ids::OrganisationId;
use crate::domain::role::Role;

#[derive(Subcommand)]
pub(super) enum Organisation {
    Create(Create),
    List(List),
}

/// Create an organisation with an administrator and a token to sign in with.
///
/// Only the token is written to standard output. It is shown once, and expires: `token create` on this machine always
/// creates another one. A database that has an organisation already is not changed, unless you add --another.
///
/// Example: flagservice-server organisation create Acme --administrator "Alma Lindqvist" > token
#[derive(Args)]
pub(super) struct Create {
    /// Name of the organisation.
    name: String,
    /// Name of its first administrator.
    #[arg(long)]
    administrator: String,
    /// Add the organisation to a database that has others. Most commands then need --organisation, and single sign-on
    /// --oidc-organisation. No command removes an organisation.
    #[arg(long)]
    another: bool,
    #[command(flatten)]
    lifetime: TokenLifetime,
    #[command(flatten)]
    database: Database,
}

/// List organisations.
///
/// Example: flagservice-server organisation list
#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    database: Database,
}

impl Organisation {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (name, person) = (Name::try_from(self.name.clone())?, Name::try_from(self.administrator)?);
        let service = self.database.start().await?;
        let app = &service.app;
        let actor = organisation::founder(app);
        let mut operation = Operation::begin(app, &actor).await?;
        ensure_wanted(&self.name, self.another, &organisation::list(app).await?)?;
        organisation::create(&mut operation, name.clone()).await?;
        let user = users::create(&mut operation, person, Role::Administrator).await?;
        let new = NewAccessToken {
            name: Name::try_from("First token".to_owned())?,
            user_id: Some(user.id.to_string()),
            expiry: self.lifetime.expiry(app),
            scope: None,
        };
        let (token, text) = access_tokens::create(&mut operation, new).await?;
        operation.commit().await?;
        service.stop().await;
        output::note(format_args!(
            "Created the organisation '{}' ({}) with the administrator '{}' ({}). Expires: {}. The token is shown only once:",
            String::from(name),
            actor.organisation_id,
            user.name,
            user.id,
            format_time(token.expires_at)
        ));
        output::line(format_args!("{}", text.reveal()))?;
        Ok(())
    }
}

/// Refuses an organisation that somebody creates again, because a token was lost or a script ran twice.
fn ensure_wanted(
    name: &str,
    another: bool,
    existing: &[(OrganisationId, domain::organisation::Organisation)],
) -> anyhow::Result<()> {
    let remedy =
        "For a token to sign in with: flagservice-server token create --user NAME. `user list` shows the names.";
    if let Some((id, _)) = existing.iter().find(|(_, organisation)| organisation.name == name) {
        bail!("The organisation '{name}' ({id}) exists already. Nothing was created. {remedy}");
    }
    let names: Vec<_> = existing.iter().map(|(id, organisation)| format!("'{}' ({id})", organisation.name)).collect();
    let names = names.join(", ");
    ensure!(
        another || existing.is_empty(),
        "The database has an organisation already: {names}. Nothing was created. {remedy} To add one more organisation, use --another."
    );
    Ok(())
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let service = self.database.start_existing().await?;
        let all = organisation::list(&service.app).await?;
        service.stop().await;
        table::print(["ID", "NAME"], all.into_iter().map(|(id, named)| [id.to_string(), named.name]).collect())?;
        Ok(())
    }
}
