//! `user`: the people of an organisation.

use clap::{Args, Subcommand};

use crate::app::resources::users::{self, UserEdit};
use crate::app::{InvalidText, Name, Operation};
use crate::command::operator::Place;
use crate::command::table;
use crate::domain::role::Role;

#[derive(Subcommand)]
pub(super) enum User {
    Add(Add),
    List(List),
    SetRole(SetRole),
    Remove(Remove),
}

/// Add a person.
///
/// The person's id is the only thing on the standard output. `token create` makes a token to sign in with.
///
/// Example: flagservice-server user add "Edda Okafor" --role editor
#[derive(Args)]
pub(super) struct Add {
    /// As annotations and the audit log name the person.
    #[arg(value_parser = name)]
    name: Name,
    /// What the person may do: readOnly, editor (not in production), productionEditor or administrator.
    #[arg(long, value_parser = role)]
    role: Role,
    #[command(flatten)]
    place: Place,
}

/// List the people of the organisation, oldest first.
///
/// Example: flagservice-server user list
#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    place: Place,
}

/// Give a person another role.
///
/// The last administrator stays one.
///
/// Example: flagservice-server user set-role "Edda Okafor" productionEditor
#[derive(Args)]
pub(super) struct SetRole {
    /// Id or name of the person.
    user: String,
    /// readOnly, editor (not in production), productionEditor or administrator.
    #[arg(value_parser = role)]
    role: Role,
    #[command(flatten)]
    place: Place,
}

/// Remove a person, whose tokens then no longer count.
///
/// The last administrator stays. What the person did stays in the audit log.
///
/// Example: flagservice-server user remove "Edda Okafor"
#[derive(Args)]
pub(super) struct Remove {
    /// Id or name of the person.
    user: String,
    #[command(flatten)]
    place: Place,
}

fn name(text: &str) -> Result<Name, InvalidText> {
    Name::try_from(text.to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    let known = "readOnly, editor, productionEditor and administrator";
    Role::try_from(text.to_owned()).map_err(|error| format!("{error}: there are {known}"))
}

impl User {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Add(add) => add.run().await,
            Self::List(list) => list.run().await,
            Self::SetRole(set) => set.run().await,
            Self::Remove(remove) => remove.run().await,
        }
    }
}

impl Add {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.place.enter().await?;
        let app = operator.app();
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let user = users::create(&mut operation, self.name, self.role).await?;
        operation.commit().await?;
        operator.service.stop().await;
        eprintln!(
            "Added '{}' as {}. A token: flagservice-server token create --user {}",
            user.name, user.role, user.id
        );
        println!("{}", user.id);
        Ok(())
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.place.enter().await?;
        let people = operator.people().await?;
        operator.service.stop().await;
        let rows = people.into_iter().map(|user| [user.id.to_string(), user.role.to_string(), user.name]);
        table::print(["ID", "ROLE", "NAME"], rows.collect());
        Ok(())
    }
}

impl SetRole {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.place.enter().await?;
        let (app, user) = (operator.app(), operator.person(&self.user).await?);
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let edit = UserEdit { role: Some(self.role), ..UserEdit::default() };
        let user = users::update(&mut operation, user.id.as_str(), (edit, None)).await?;
        operation.commit().await?;
        operator.service.stop().await;
        println!("'{}' ({}) has the role {} now.", user.name, user.id, user.role);
        Ok(())
    }
}

impl Remove {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.place.enter().await?;
        let (app, user) = (operator.app(), operator.person(&self.user).await?);
        let mut operation = Operation::begin(app, &operator.actor).await?;
        users::delete(&mut operation, user.id.as_str(), None).await?;
        operation.commit().await?;
        operator.service.stop().await;
        println!("'{}' ({}) is removed, with all tokens.", user.name, user.id);
        Ok(())
    }
}
