//! After a restore: what clients know may be later than what the database holds, so each environment begins a new
//! epoch.

use anyhow::anyhow;
use serde_json::json;

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::{Actor, App, Operation, Result};
use crate::random;
use crate::store::resources::{environments, organisations};
use crate::store::{Readable, UnreadableRow};

/// Gives each environment a new epoch, in which no version that clients know counts. Returns how many there are.
///
/// # Errors
/// When the database fails.
pub async fn renew_epochs(app: &App) -> Result<usize> {
    let mut write = app.begin().await?;
    let Readable { rows: all, unreadable } = environments::versions(write.connection().await?).await?;
    if let Some(UnreadableRow { key, problem, .. }) = unreadable.first() {
        return Err(anyhow!("the environment '{key}' cannot be read: {problem}").into());
    }
    for (id, ..) in &all {
        let epoch = u64::from_be_bytes(random::bytes(&*app.random));
        environments::set_epoch(write.connection().await?, id, epoch).await?;
    }
    let organisations = organisations::list(write.connection().await?).await?;
    let operators: Vec<_> = organisations.into_iter().map(|(id, _)| Actor::operator(id)).collect();
    let Some(first) = operators.first() else {
        app.commit(write).await?;
        return Ok(all.len());
    };
    let mut operation = Operation { app, actor: first, write };
    for actor in &operators {
        operation.actor = actor;
        let (resource, after) = ("organisation".to_owned(), Some(json!({ "epochs": "renewed" })));
        record_audit(&mut operation, AuditRecord { action: "organisation.restore", resource, before: None, after })
            .await?;
    }
    operation.commit().await?;
    Ok(all.len())
}
