//! Who acts on the command line: whoever may read the database and its key, with an administrator's rights.

use anyhow::bail;
use clap::Args;

use crate::Service;
use crate::app::resources::{organisation, users};
use crate::app::{Actor, App, Page};
use crate::command::database::Database;
use crate::domain::user::User;

/// The database and the organisation that a command works on.
#[derive(Args)]
pub(super) struct Place {
    #[command(flatten)]
    database: Database,
    /// Id or name of the organisation. [default: the only one]
    #[arg(long, env = "FLAGSERVICE_ORGANISATION")]
    organisation: Option<String>,
}

/// A started service, and who acts on it.
pub(super) struct Operator {
    pub(super) service: Service,
    pub(super) actor: Actor,
}

impl Place {
    /// Starts on the database, as an administrator of the organisation.
    pub(super) async fn enter(&self) -> anyhow::Result<Operator> {
        let service = self.database.start_existing().await?;
        let actor = Actor::operator(self.choose(&service.app).await?);
        Ok(Operator { service, actor })
    }

    async fn choose(&self, app: &App) -> anyhow::Result<crate::domain::ids::OrganisationId> {
        let mut all = organisation::list(app).await?;
        if all.is_empty() {
            bail!(
                "The database has no organisation yet. Make one: flagservice-server organisation create ORGANISATION --administrator NAME"
            );
        }
        let known = all.iter().map(|(id, named)| format!("{id} ({})", named.name)).collect::<Vec<_>>().join(", ");
        if let Some(wanted) = &self.organisation {
            all.retain(|(id, named)| id.as_str() == wanted || named.name == *wanted);
        }
        match (all.pop(), all.is_empty(), &self.organisation) {
            (Some((id, _)), true, _) => Ok(id),
            (None, _, Some(wanted)) => bail!("There is no organisation '{wanted}'. There are: {known}."),
            (_, _, Some(wanted)) => bail!("Several organisations are called '{wanted}'. Name one by its id: {known}."),
            (_, _, None) => bail!("There are several organisations. Name one with --organisation: {known}."),
        }
    }
}

impl Operator {
    pub(super) fn app(&self) -> &App {
        &self.service.app
    }

    /// All the organisation's people, oldest first.
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

    /// The person of that id or, if it is nobody else's too, of that name.
    pub(super) async fn person(&self, wanted: &str) -> anyhow::Result<User> {
        let mut people = self.people().await?;
        if let Some(place) = people.iter().position(|user| user.id.as_str() == wanted) {
            return Ok(people.swap_remove(place));
        }
        people.retain(|user| user.name == wanted);
        let ids = people.iter().map(|user| user.id.to_string()).collect::<Vec<_>>().join(", ");
        match (people.pop(), people.is_empty()) {
            (Some(user), true) => Ok(user),
            (None, _) => bail!("There is no user '{wanted}'. `flagservice-server user list` shows names and ids."),
            (Some(_), false) => bail!("Several users are called '{wanted}'. Name one by its id: {ids}."),
        }
    }
}
