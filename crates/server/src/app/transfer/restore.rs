//! After a restore: what clients know may be later than what the database holds, so each environment begins a new
//! epoch.

use serde_json::json;

use crate::app::changes::audit::{Trace, record};
use crate::app::{Actor, App, Result};
use crate::random;
use crate::store::resources::{environments, organisations};

/// Gives each environment a new epoch, in which no version that clients know counts. Returns how many there are.
///
/// # Errors
/// When the database fails.
pub async fn renew_epochs(app: &App) -> Result<usize> {
    let mut write = app.begin().await?;
    let all = environments::versions(write.connection().await?).await?;
    for (id, ..) in &all {
        let epoch = u64::from_be_bytes(random::bytes(&*app.random));
        environments::set_epoch(write.connection().await?, id, epoch).await?;
    }
    for (organisation, _) in organisations::list(write.connection().await?).await? {
        let (actor, after) = (Actor::operator(organisation), json!({ "epochs": "renewed" }));
        let resource = "organisation".to_owned();
        let trace = Trace { action: "organisation.restore", resource, before: None, after: Some(after) };
        record(app, &actor, &mut write, trace).await?;
    }
    app.commit(write).await?;
    Ok(all.len())
}
