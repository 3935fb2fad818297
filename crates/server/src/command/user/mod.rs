//! `user`: manages the people of an organisation.

mod erase;
mod link;
mod readmit;

use clap::{Args, Subcommand};

use crate::app::resources::users::{self, UserEdit};
use crate::app::{Edit, InvalidText, Name, Operation};
use crate::command::operator::OperatorArgs;
use crate::command::output;
use crate::command::table;
use crate::domain::role::Role;

#[derive(Subcommand)]
pub(super) enum User {
    Add(Add),
    List(List),
    SetRole(SetRole),
    Remove(Remove),
    Link(link::Link),
    Readmit(readmit::Readmit),
    Erase(erase::Erase),
}

/// Add a person.
///
/// Only the person's id is written to standard output. Create a token to sign in with `token create`.
///
/// Example: flagservice-server user add "Edda Okafor" --role editor
#[derive(Args)]
pub(super) struct Add {
    /// Name of the person in annotations and in the audit log.
    #[arg(value_parser = name)]
    name: Name,
    /// Role of the person: readOnly, editor (not in production), productionEditor or administrator.
    #[arg(long, value_parser = role)]
    role: Role,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// List the people of the organisation, oldest first.
///
/// Example: flagservice-server user list
#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Change a person's role.
///
/// The role of the last administrator can't be changed.
///
/// Example: flagservice-server user set-role "Edda Okafor" productionEditor
#[derive(Args)]
pub(super) struct SetRole {
    /// Id or name of the person.
    user: String,
    /// New role: readOnly, editor (not in production), productionEditor or administrator.
    #[arg(value_parser = role)]
    role: Role,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Remove a person. Their tokens stop working.
///
/// The last administrator can't be removed. The audit log keeps the person's changes and name: see `user erase`. Single sign-on
/// refuses the person from then on: see `user readmit`.
///
/// Example: flagservice-server user remove "Edda Okafor"
#[derive(Args)]
pub(super) struct Remove {
    /// Id or name of the person.
    user: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn name(text: &str) -> Result<Name, InvalidText> {
    Name::try_from(text.to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    let known = "readOnly, editor, productionEditor or administrator";
    Role::try_from(text.to_owned()).map_err(|error| format!("{error}: use {known}"))
}

impl User {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Add(add) => add.run().await,
            Self::List(list) => list.run().await,
            Self::SetRole(set) => set.run().await,
            Self::Remove(remove) => remove.run().await,
            Self::Link(link) => link.run().await,
            Self::Readmit(readmit) => readmit.run().await,
            Self::Erase(erase) => erase.run().await,
        }
    }
}

impl Add {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let app = operator.app();
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let user = users::create(&mut operation, self.name, self.role).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::note(format_args!(
            "Added '{}' as {}. Create a token: flagservice-server token create --user {}",
            user.name, user.role, user.id
        ));
        output::line(format_args!("{}", user.id))?;
        Ok(())
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let people = operator.people().await?;
        operator.service.stop().await;
        let rows = people.into_iter().map(|user| [user.id.to_string(), user.role.to_string(), user.name]);
        table::print(["ID", "ROLE", "NAME"], rows.collect())?;
        Ok(())
    }
}

impl SetRole {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let (app, user) = (operator.app(), operator.person(&self.user).await?);
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let fields = UserEdit { role: Some(self.role), ..UserEdit::default() };
        let user = users::update(&mut operation, user.id.as_str(), Edit { fields, if_match: None }).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("'{}' ({}) now has the role {}.", user.name, user.id, user.role))?;
        Ok(())
    }
}

impl Remove {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let (app, user) = (operator.app(), operator.person(&self.user).await?);
        let mut operation = Operation::begin(app, &operator.actor).await?;
        users::delete(&mut operation, user.id.as_str(), None).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("Removed '{}' ({}) and revoked their tokens.", user.name, user.id))?;
        Ok(())
    }
}
