//! People, their tokens, and keys. After a restore, some may be back that had been removed.

use std::path::Path;

use flagservice_rules::Instant;
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _, Row as _};

use crate::domain::retention::credential::{Credential, EDGE_KEY, PERSON, TOKEN};
use crate::store::Result;
use crate::store::engine::database_url::sqlite_options;

/// All that counts at this instant.
pub async fn list(connection: &mut AnyConnection, at: Instant) -> Result<Vec<Credential>> {
    let rows = sqlx::query(
        "SELECT 'person' AS kind, id, name, role AS belongs FROM users
         UNION ALL SELECT 'token', t.id, t.name, u.name FROM access_tokens t JOIN users u ON u.id = t.user_id
            WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1)
         UNION ALL SELECT k.kind || ' key', k.id, k.name, p.key || '/' || e.key FROM sdk_keys k
            JOIN environments e ON e.id = k.environment_id JOIN projects p ON p.id = e.project_id WHERE k.revoked_at IS NULL
         UNION ALL SELECT 'edge key', k.id, k.name, p.key FROM edge_keys k JOIN projects p ON p.id = k.project_id
            WHERE k.revoked_at IS NULL
         ORDER BY 1, 2",
    )
    .bind(at.0)
    .fetch_all(connection)
    .await?;
    let credential = |row: &sqlx::any::AnyRow| {
        Ok(Credential { kind: row.try_get(0)?, id: row.try_get(1)?, name: row.try_get(2)?, of: row.try_get(3)? })
    };
    rows.iter().map(credential).collect()
}

/// The same of an SQLite file that nobody uses; nothing is written, not even beside it.
pub async fn list_of_file(file: &Path, at: Instant) -> Result<Vec<Credential>> {
    sqlx::any::install_default_drivers();
    let log = crate::store::suffixed(file, "-wal");
    // With a log, which a crash leaves, its pages count too.
    let immutable = if std::fs::metadata(log).is_ok_and(|found| found.len() > 0) { "" } else { "&immutable=true" };
    let options = sqlite_options(&file.to_string_lossy(), &format!("mode=ro{immutable}"))?;
    let mut connection = options.connect().await?;
    let found = list(&mut connection, at).await;
    connection.close().await?;
    found
}

/// Ends all sessions and set-up links. Returns how many sessions there were.
pub async fn end_sessions(connection: &mut AnyConnection) -> Result<u64> {
    sqlx::query("DELETE FROM setup_links").execute(&mut *connection).await?;
    Ok(sqlx::query("DELETE FROM sessions").execute(connection).await?.rows_affected())
}

/// Revokes tokens and keys. People stay.
pub async fn revoke(connection: &mut AnyConnection, revoked: &[Credential], at: Instant) -> Result<()> {
    for Credential { kind, id, .. } in revoked {
        let statement = match kind.as_str() {
            PERSON => continue,
            TOKEN => "UPDATE access_tokens SET revoked_at = $1 WHERE id = $2",
            EDGE_KEY => "UPDATE edge_keys SET revoked_at = $1 WHERE id = $2",
            _ => "UPDATE sdk_keys SET revoked_at = $1 WHERE id = $2",
        };
        sqlx::query(statement).bind(at.0).bind(id).execute(&mut *connection).await?;
    }
    Ok(())
}
