//! The listener: hears of the commits of other nodes and wakes the follower for them.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::app::serving::notifications::Notifications;
use crate::domain::environment::Wake;

/// How long to wait before the listening connection is made again.
const BREATH: Duration = Duration::from_secs(1);

/// Goes on until the task is ended; at once where there are no other nodes.
pub async fn run(app: Arc<App>) {
    loop {
        match Notifications::open(&app).await {
            Ok(None) => return,
            Ok(Some(mut notifications)) => {
                // Whatever was said while nobody listened.
                app.wake(Wake::All);
                let lost = loop {
                    match notifications.next().await {
                        Ok(wake) => app.wake(wake),
                        Err(error) => break error,
                    }
                };
                tracing::warn!(error = %lost, "the listening connection is lost; until it is back, changes are polled for");
            }
            Err(error) => tracing::debug!(%error, "there is no listening connection yet"),
        }
        tokio::time::sleep(BREATH).await;
    }
}
