//! The commits of other nodes, as the database tells of them.

use crate::app::App;
use crate::domain::environment::Wake;
use crate::store::Listener;

/// A connection that hears of commits.
pub struct Notifications(Listener);

impl Notifications {
    /// Connects; none where there is only one node.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn open(app: &App) -> anyhow::Result<Option<Self>> {
        Ok(app.store.listen().await?.map(Self))
    }

    /// The next commit.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn next(&mut self) -> anyhow::Result<Wake> {
        Ok(self.0.next().await?)
    }
}
