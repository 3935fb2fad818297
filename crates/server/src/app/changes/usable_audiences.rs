//! The saved audiences that the rules of an environment can use, with their conditions.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::Condition;

use crate::domain::audience::Audience;
use crate::domain::ids::{EnvironmentId, ProjectId};
use crate::store::resources::audiences;
use crate::store::{Connection, Result};

/// Reads the audiences that the environment can use.
///
/// # Errors
/// When the database fails.
pub async fn read(
    connection: &mut Connection,
    project: &ProjectId,
    environment: &EnvironmentId,
) -> Result<HashMap<Key, Vec<Condition>>> {
    Ok(select(&audiences::list(connection, project).await?, environment))
}

/// Those of the project's audiences that the environment can use.
pub fn select(audiences: &[Audience], environment: &EnvironmentId) -> HashMap<Key, Vec<Condition>> {
    let usable = audiences.iter().filter(|audience| audience.scope.covers(environment));
    usable.map(|audience| (audience.key.clone(), audience.conditions.clone())).collect()
}
