//! What an operation that writes works with: the application, the actor and the transaction.

use crate::app::{Actor, App, Result, Write};
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
    /// When the database fails or is busy.
    pub async fn begin(app: &'a App, actor: &'a Actor) -> Result<Self> {
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
