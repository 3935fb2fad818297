//! After a restore: what clients know may be later than what the database holds, so each environment begins a new
//! epoch. Sessions end, scheduled changes whose time has passed are given up, and what came back that had been removed is told.

use std::collections::HashSet;
use std::path::Path;

use anyhow::anyhow;
use flagservice_rules::Instant;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::changes::schedule::given_up::{GivenUp, give_up_missed};
use crate::app::{Actor, App, Operation, Result, Write};
use crate::domain::retention::credential::{Credential, PERSON, TOKEN};
use crate::domain::unreadable_row::UnreadableRow;
use crate::random;
use crate::store::Readable;
use crate::store::resources::{environments, organisations};
use crate::store::retention::credentials;

/// The role of administrators, as it is stored.
const ADMINISTRATOR: &str = "administrator";

/// What is known of the database that was replaced.
pub struct Before(pub Option<Vec<Credential>>);

impl Before {
    /// What an old database tells. One that is damaged, or of another release, tells nothing.
    pub async fn of_file(file: &Path, now: Instant) -> Self {
        Self(credentials::list_of_file(file, now).await.ok())
    }
}

/// What a restore has done.
pub struct Restored {
    /// How many environments have a new epoch.
    pub environments: usize,
    /// How many sessions have ended.
    pub sessions: u64,
    /// The people, tokens and keys that were not there before, or all if nothing is known of before.
    pub revived: Vec<Credential>,
    /// The tokens and keys that were revoked.
    pub revoked: Vec<Credential>,
    /// The scheduled changes that were given up, because their time, or that of one before them, has passed.
    pub given_up: Vec<GivenUp>,
    /// The ids and names of the administrators.
    pub administrators: Vec<Credential>,
}

/// Completes a restore: new epochs, in which no version that clients know counts, no sessions, and no scheduled changes that the
/// start of the server would make at once. If asked to, revokes all personal access tokens, and the keys that came back.
///
/// # Errors
/// When the database fails.
pub async fn complete(app: &App, before: &Before, revoke_tokens: bool) -> Result<Restored> {
    let mut write = app.begin().await?;
    let connection = write.connection().await?;
    let all = credentials::list(connection, app.now()).await?;
    let known: HashSet<_> = before.0.iter().flatten().map(|known| (&known.kind, &known.id)).collect();
    let is_back = |found: &Credential| !known.contains(&(&found.kind, &found.id));
    let is_revoked =
        |found: &&Credential| revoke_tokens && found.kind != PERSON && (found.kind == TOKEN || is_back(found));
    let revoked: Vec<_> = all.iter().filter(is_revoked).cloned().collect();
    credentials::revoke(connection, &revoked, app.now()).await?;
    let sessions = credentials::end_sessions(connection).await?;
    let administrators = all.iter().filter(|found| found.kind == PERSON && found.of == ADMINISTRATOR).cloned();
    let administrators = administrators.collect();
    let environments = renew_epochs(app, &mut write).await?;
    let details = json!({ "epochs": "renewed", "sessionsEnded": sessions, "revoked": revoked.len() });
    let given_up = end_in_organisations(app, write, details).await?;
    let revived = all.into_iter().filter(is_back).collect();
    Ok(Restored { environments, sessions, revived, revoked, given_up, administrators })
}

/// Gives each environment a new epoch. Returns how many there are.
async fn renew_epochs(app: &App, write: &mut Write<'_>) -> Result<usize> {
    let Readable { rows: all, unreadable } = environments::versions(write.connection().await?).await?;
    if let Some(UnreadableRow { key, problem, .. }) = unreadable.first() {
        return Err(anyhow!("the environment '{key}' cannot be read: {problem}").into());
    }
    for (id, ..) in &all {
        let epoch = u64::from_be_bytes(random::bytes(&*app.random));
        environments::set_epoch(write.connection().await?, id, epoch).await?;
    }
    Ok(all.len())
}

/// Gives up scheduled changes in all organisations, notes the restore in their audit logs, and commits.
async fn end_in_organisations(app: &App, mut write: Write<'_>, details: Value) -> Result<Vec<GivenUp>> {
    let organisations = organisations::list(write.connection().await?).await?;
    let operators: Vec<_> = organisations.into_iter().map(|(id, _)| Actor::operator(id)).collect();
    let Some(first) = operators.first() else {
        app.commit(write).await?;
        return Ok(Vec::new());
    };
    let mut given_up = Vec::new();
    let mut operation = Operation { app, actor: first, write };
    for actor in &operators {
        operation.actor = actor;
        given_up.extend(give_up_missed(&mut operation).await?);
        let (resource, after) = ("organisation".to_owned(), Some(details.clone()));
        record_audit(&mut operation, AuditRecord { action: "organisation.restore", resource, before: None, after })
            .await?;
    }
    operation.commit().await?;
    Ok(given_up)
}
