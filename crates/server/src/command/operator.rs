//! The operator: anyone who can read the database and its key file has the rights of an administrator.

use anyhow::bail;
use clap::Args;

use crate::Service;
use crate::app::resources::{organisation, users};
use crate::app::{Actor, App, Page};
use crate::command::database::Database;
use crate::domain::user::User;

/// The arguments of commands that work on an organisation.
#[derive(Args)]
pub(super) struct OperatorArgs {
    #[command(flatten)]
    database: Database,
    /// Id or name of the organisation. [default: the only one]
    #[arg(long, env = "FLAGSERVICE_ORGANISATION")]
    organisation: Option<String>,
}

/// A started service, and the actor who works on it.
pub(super) struct Operator {
    pub(super) service: Service,
    pub(super) actor: Actor,
}

impl OperatorArgs {
    /// Starts the service, as an administrator of the organisation.
    pub(super) async fn start(&self) -> anyhow::Result<Operator> {
        let service = self.database.start_existing().await?;
        let actor = Actor::operator(self.find_organisation(&service.app).await?);
        Ok(Operator { service, actor })
    }

    async fn find_organisation(&self, app: &App) -> anyhow::Result<crate::domain::ids::OrganisationId> {
        let mut all = organisation::list(app).await?;
        if all.is_empty() {
            bail!(
                "The database has no organisation yet. Create one: flagservice-server organisation create ORGANISATION --administrator NAME"
            );
        }
        let list = all.iter().map(|(id, named)| format!("{id} ({})", named.name)).collect::<Vec<_>>().join(", ");
        if let Some(wanted) = &self.organisation {
            all.retain(|(id, named)| id.as_str() == wanted || named.name == *wanted);
        }
        match (all.pop(), all.is_empty(), &self.organisation) {
            (Some((id, _)), true, _) => Ok(id),
            (None, _, Some(wanted)) => bail!("There is no organisation '{wanted}'. Organisations: {list}."),
            (_, _, Some(wanted)) => bail!("Several organisations are named '{wanted}'. Use an id: {list}."),
            (_, _, None) => bail!("There are several organisations. Choose one with --organisation: {list}."),
        }
    }
}

impl Operator {
    pub(super) fn app(&self) -> &App {
        &self.service.app
    }

    /// All people of the organisation, oldest first.
    pub(super) async fn people(&self) -> anyhow::Result<Vec<User>> {
        let mut people = Vec::new();
        let mut page = Page::parse(None, Some("200"))?;
        loop {
            let found = users::list(self.app(), &self.actor, &page).await?;
            people.extend(found.items);
            match found.next_cursor {
                Some(cursor) => page = Page::parse(Some(&cursor), Some("200"))?,
                None => return Ok(people),
            }
        }
    }

    /// The person with that id or, if it is unique, that name.
    pub(super) async fn person(&self, wanted: &str) -> anyhow::Result<User> {
        let mut people = self.people().await?;
        if let Some(index) = people.iter().position(|user| user.id.as_str() == wanted) {
            return Ok(people.swap_remove(index));
        }
        people.retain(|user| user.name == wanted);
        let ids = people.iter().map(|user| user.id.to_string()).collect::<Vec<_>>().join(", ");
        match (people.pop(), people.is_empty()) {
            (Some(user), true) => Ok(user),
            (None, _) => bail!("There is no user '{wanted}'. List names and ids with: flagservice-server user list"),
            (Some(_), false) => bail!("Several users are named '{wanted}'. Use an id: {ids}."),
        }
    }
}
