//! `edge-key list`: the keys of a project.

use clap::Args;

use crate::app::Page;
use crate::app::resources::edge_keys;
use crate::command::edge_key::environments::format_environments;
use crate::command::operator::{Operator, OperatorArgs};
use crate::command::table;
use crate::command::token::format_time;
use crate::domain::edge_key::EdgeKey;

/// List the edge keys of a project that are not revoked, oldest first.
///
/// Example: flagservice-server edge-key list shop
#[derive(Args)]
pub(in crate::command) struct List {
    /// Key of the project.
    project: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl List {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let keys = list_all(&operator, &self.project).await?;
        operator.service.stop().await;
        let row = |key: EdgeKey| {
            let (environments, hint) = (format_environments(&key), format!("…{}", key.hint));
            [key.id.to_string(), hint, format_time(key.last_used_at), environments, key.name]
        };
        table::print(["ID", "ENDS IN", "LAST USED", "ENVIRONMENTS", "NAME"], keys.into_iter().map(row).collect())?;
        Ok(())
    }
}

async fn list_all(operator: &Operator, project: &str) -> anyhow::Result<Vec<EdgeKey>> {
    let mut keys = Vec::new();
    let mut page = Page::parse(None, Some("200"))?;
    loop {
        let found = edge_keys::list(operator.app(), &operator.actor, project, &page).await?;
        keys.extend(found.items);
        match found.next_cursor {
            Some(cursor) => page = Page::parse(Some(&cursor), Some("200"))?,
            None => return Ok(keys),
        }
    }
}
