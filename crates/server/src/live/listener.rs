//! The listener: receives notifications about commits of other nodes and wakes the follower.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::app::serving::notifications::Notifications;
use crate::domain::environment::Wake;

/// How long to wait before reconnecting.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// Runs until the task is aborted. Returns at once if there are no other nodes.
pub async fn run(app: Arc<App>) {
    loop {
        match Notifications::open(&app).await {
            Ok(None) => return,
            Ok(Some(mut notifications)) => {
                // There may have been commits while no connection was listening.
                app.wake(Wake::All);
                let lost = loop {
                    match notifications.next().await {
                        Ok(wake) => app.wake(wake),
                        Err(error) => break error,
                    }
                };
                tracing::warn!(error = %lost, "lost the listening connection; polling for changes until it is restored");
            }
            Err(error) => tracing::debug!(%error, "cannot open the listening connection yet"),
        }
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}
