//! What access tokens are limited to: their access, and the projects and environments in which they may be used.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::access_token::AccessToken;
use crate::domain::access_token::scope::{Access, Place, Scope};
use crate::domain::ids::{AccessTokenId, EnvironmentId};
use crate::store::Result;
use crate::store::engine::columns::{boolean, corrupt, id, parsed};
use crate::store::engine::placeholders::placeholders;

/// How the stored hash of a token with a scope begins, and that of its sessions: releases that do not know scopes do not find it.
const SCOPED: &str = "scoped ";

/// The hash as it is stored.
pub(in crate::store) fn stored_hash(hash: &str, scope: Option<&Scope>) -> String {
    if scope.is_some() { format!("{SCOPED}{hash}") } else { hash.to_owned() }
}

/// Both forms in which the hash may be stored.
pub(in crate::store) fn stored_hashes(hash: &str) -> [String; 2] {
    [hash.to_owned(), format!("{SCOPED}{hash}")]
}

/// Adds the places of a token.
pub(in crate::store) async fn insert(
    connection: &mut AnyConnection,
    token: &AccessTokenId,
    places: &[Place],
) -> Result<()> {
    for place in places {
        sqlx::query("INSERT INTO access_token_places (token_id, project_id, environment_id) VALUES ($1, $2, $3)")
            .bind(token.as_str())
            .bind(place.project_id.as_str())
            .bind(place.environment.as_ref().map(|(id, _)| EnvironmentId::as_str(id)))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The scope of the token in a row, without its places.
pub(in crate::store) fn without_places(row: &AnyRow) -> Result<Option<Scope>> {
    let access: Option<String> = row.try_get("access")?;
    let Some(access) = access else { return Ok(None) };
    let access = Access::try_from(access).map_err(|cause| corrupt("access", cause))?;
    Ok(Some(Scope { access, places: boolean(row, "limited")?.then(Vec::new) }))
}

/// Adds the places to the scope of one token.
pub(in crate::store) async fn read_places(
    connection: &mut AnyConnection,
    token: &AccessTokenId,
    scope: &mut Scope,
) -> Result<()> {
    if scope.places.is_some() {
        scope.places = Some(of_tokens(connection, &[token]).await?.remove(token).unwrap_or_default());
    }
    Ok(())
}

/// Adds the places to the scopes of a list.
pub(in crate::store) async fn read_places_of_all(
    connection: &mut AnyConnection,
    tokens: &mut [AccessToken],
) -> Result<()> {
    let is_limited = |token: &AccessToken| token.scope.as_ref().is_some_and(|scope| scope.places.is_some());
    let limited: Vec<_> = tokens.iter().filter(|token| is_limited(token)).map(|token| token.id.clone()).collect();
    let mut all = of_tokens(connection, &limited.iter().collect::<Vec<_>>()).await?;
    for token in tokens {
        if let (Some(scope), Some(places)) = (&mut token.scope, all.remove(&token.id)) {
            scope.places = Some(places);
        }
    }
    Ok(())
}

async fn of_tokens(
    connection: &mut AnyConnection,
    tokens: &[&AccessTokenId],
) -> Result<HashMap<AccessTokenId, Vec<Place>>> {
    let mut all: HashMap<AccessTokenId, Vec<Place>> = HashMap::new();
    if tokens.is_empty() {
        return Ok(all);
    }
    let mut query = sqlx::query(AssertSqlSafe(format!(
        "SELECT l.token_id, p.id AS project_id, p.key AS project_key, e.id AS environment_id, e.key AS environment_key
         FROM access_token_places l JOIN projects p ON p.id = l.project_id
            LEFT JOIN environments e ON e.id = l.environment_id
         WHERE l.token_id IN {}",
        placeholders(1, tokens.len())
    )));
    for token in tokens {
        query = query.bind(token.as_str());
    }
    for row in query.fetch_all(connection).await? {
        all.entry(id(&row, "token_id")?).or_default().push(place(&row)?);
    }
    for places in all.values_mut() {
        places.sort_by(|left, right| left.keys().cmp(&right.keys()));
    }
    Ok(all)
}

fn place(row: &AnyRow) -> Result<Place> {
    let environment = match row.try_get::<Option<String>, _>("environment_id")? {
        None => None,
        Some(id) => Some((EnvironmentId::from(id), parsed(row, "environment_key")?)),
    };
    Ok(Place { project_id: id(row, "project_id")?, project: parsed(row, "project_key")?, environment })
}
