//! The saved audiences that the rules of an environment can use, with their conditions. An audience may have a megabyte of them: for
//! one targeting, only those are read that its rules name.

use std::collections::{BTreeSet, HashMap};

use flagservice_core::Key;
use flagservice_rules::{Condition, Rule, RuleAudience};

use crate::domain::audience::Audience;
use crate::domain::ids::{EnvironmentId, ProjectId};
use crate::store::resources::audiences;
use crate::store::{Connection, Result};

/// Reads the audiences that the environment can use and that the rules name.
///
/// # Errors
/// When the database fails.
pub async fn of(
    connection: &mut Connection,
    project: &ProjectId,
    environment: &EnvironmentId,
    rules: &[&[Rule]],
) -> Result<HashMap<Key, Vec<Condition>>> {
    Ok(select(&named(connection, project, rules).await?, environment))
}

/// Reads the project's audiences that the rules name, each once.
///
/// # Errors
/// When the database fails.
pub async fn named(connection: &mut Connection, project: &ProjectId, rules: &[&[Rule]]) -> Result<Vec<Audience>> {
    let keys: BTreeSet<&Key> = rules
        .iter()
        .copied()
        .flatten()
        .filter_map(|rule| match &rule.audience {
            RuleAudience::Saved(key) => Some(key),
            RuleAudience::Inline(_) => None,
        })
        .collect();
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend(audiences::find(connection, project, key.as_str()).await?);
    }
    Ok(found)
}

/// Reads all audiences that the environment can use.
///
/// # Errors
/// When the database fails.
pub async fn all(
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
