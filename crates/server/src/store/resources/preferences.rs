//! What each person has set for the pages of a project.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::domain::ids::{ProjectId, UserId};
use crate::domain::user::Preferences;
use crate::store::Result;
use crate::store::engine::columns::{json, signed, to_json, unsigned};

/// What the person has set for the project.
pub async fn get(connection: &mut AnyConnection, user: &UserId, project: &ProjectId) -> Result<Option<Preferences>> {
    let row = sqlx::query("SELECT favourites, views, revision FROM preferences WHERE user_id = $1 AND project_id = $2")
        .bind(user.as_str())
        .bind(project.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(preferences).transpose()
}

/// Writes what the person has set, if it still has the revision that was read (0 without any). Says whether it had.
pub async fn set(
    connection: &mut AnyConnection,
    user: &UserId,
    project: &ProjectId,
    read: u64,
    preferences: &Preferences,
) -> Result<bool> {
    let written = sqlx::query(
        "INSERT INTO preferences (user_id, project_id, favourites, views, revision) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, project_id)
            DO UPDATE SET favourites = EXCLUDED.favourites, views = EXCLUDED.views, revision = EXCLUDED.revision
            WHERE preferences.revision = $6",
    )
    .bind(user.as_str())
    .bind(project.as_str())
    .bind(to_json(&preferences.favourites)?)
    .bind(to_json(&preferences.views)?)
    .bind(signed(preferences.revision))
    .bind(signed(read))
    .execute(connection)
    .await?;
    Ok(written.rows_affected() > 0)
}

fn preferences(row: &AnyRow) -> Result<Preferences> {
    Ok(Preferences {
        favourites: json(row, "favourites")?,
        views: json(row, "views")?,
        revision: unsigned(row, "revision")?,
    })
}
