//! The listener: hears of the commits of other nodes and wakes the follower for them.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::store::Wake;

/// How long to wait before the listening connection is made again.
const BREATH: Duration = Duration::from_secs(1);

/// Goes on until the task is ended; at once where there are no other nodes.
pub async fn run(app: Arc<App>) {
    loop {
        match app.store.listen().await {
            Ok(None) => return,
            Ok(Some(mut listener)) => {
                // Whatever was said while nobody listened.
                app.store.wake(Wake::All);
                let lost = loop {
                    match listener.next().await {
                        Ok(wake) => app.store.wake(wake),
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
