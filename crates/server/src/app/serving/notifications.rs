//! Notifications of commits by other nodes.

use crate::app::App;
use crate::domain::environment::Wake;
use crate::store::Listener;

/// A connection that receives a notification for each commit.
pub struct Notifications(Listener);

impl Notifications {
    /// Connects. `None` if the database serves one node only.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn open(app: &App) -> anyhow::Result<Option<Self>> {
        Ok(app.store.listen().await?.map(Self))
    }

    /// Waits for the next commit.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn next(&mut self) -> anyhow::Result<Wake> {
        Ok(self.0.next().await?)
    }
}
