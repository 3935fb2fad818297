//! Runs background tasks: one that panics is started again after a delay, and counted.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::node::Node;
use crate::node::background_tasks::BackgroundTask;
use crate::node::drain;

/// The delay before the first restart. It doubles with each further one.
const FIRST_DELAY: Duration = Duration::from_millis(100);

/// The longest delay before a restart.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// A task that ran for this long starts with the first delay again.
const STABLE_AFTER: Duration = Duration::from_secs(60);

/// Runs a task, and starts it again after each panic until the node ends. A task that returns has ended.
pub fn supervise<Task, Start>(node: &Arc<Node>, task: BackgroundTask, mut start: Start) -> JoinHandle<()>
where
    Task: Future<Output = ()> + Send,
    Start: FnMut() -> Task + Send + 'static,
{
    let node = Arc::clone(node);
    tokio::spawn(async move {
        let mut stage = node.drain.subscribe();
        let mut delay = FIRST_DELAY;
        loop {
            let started = Instant::now();
            let run = async { node.background_tasks.killable(task, start()).await };
            let Err(cause) = AssertUnwindSafe(run).catch_unwind().await else { return };
            node.background_tasks.panicked(task, &*cause);
            if started.elapsed() >= STABLE_AFTER {
                delay = FIRST_DELAY;
            }
            tokio::select! {
                () = tokio::time::sleep(delay) => {}
                () = drain::ending(&mut stage) => return,
            }
            delay = (delay * 2).min(MAX_DELAY);
        }
    })
}
