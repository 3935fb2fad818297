//! What an operation that writes works with: the application, the actor and the transaction.

use std::fmt;

use crate::app::{Actor, App, AppError, Result, Write};
use crate::store::resources::projects;
use crate::store::{self, Connection, Line};

/// A write under way on behalf of an actor. Dropped without [`Operation::commit`], it changes nothing.
pub struct Operation<'a> {
    /// The application.
    pub app: &'a App,
    /// On whose behalf it writes.
    pub actor: &'a Actor,
    /// The transaction.
    pub write: Write<'a>,
}

impl<'a> Operation<'a> {
    /// Begins a transaction on behalf of the actor, when it is their turn: writers of a project wait for each other, and so do
    /// those of what belongs to the organisation alone. The caller may have no other transaction.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a project that the actor's organisation does not have: it takes no turn. When the database fails
    /// or is busy.
    pub async fn begin(app: &'a App, actor: &'a Actor) -> Result<Self> {
        if let Some(key) = &actor.project_key {
            let connection = &mut *app.store.read_control().await?;
            let project = projects::find(connection, &actor.organisation_id, key).await?;
            project.ok_or_else(|| AppError::not_found("project", key))?;
        }
        let line = Line { organisation: actor.organisation_id.clone(), project: actor.project_key.clone() };
        Ok(Self { app, actor, write: Write(app.store.write_in_turn(line).await?) })
    }

    /// The connection of the transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn connection(&mut self) -> store::Result<&mut Connection> {
        self.write.connection().await
    }

    /// Makes the changes durable, and returns once this node evaluates by them.
    ///
    /// # Errors
    /// When the database fails; then nothing has changed.
    pub async fn commit(self) -> Result<()> {
        self.app.commit(self.write).await
    }
}

impl App {
    /// Ends a write that takes long if others wait for it, where there is one writer at a time: a kill switch must not. It can be
    /// begun again.
    ///
    /// # Errors
    /// [`AppError::Busy`], on which nothing may be committed. [`gave_way`] tells it from others.
    pub fn give_way(&self) -> Result<()> {
        if self.store.is_waited_for() { Err(AppError::Busy(GaveWay.into())) } else { Ok(()) }
    }
}

/// Why an operation ended that gave way to others.
#[derive(Debug)]
struct GaveWay;

impl fmt::Display for GaveWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("gave way to other writers")
    }
}

impl std::error::Error for GaveWay {}

/// Whether an operation gave way to others.
pub fn gave_way(error: &AppError) -> bool {
    matches!(error, AppError::Busy(cause) if cause.is::<GaveWay>())
}
