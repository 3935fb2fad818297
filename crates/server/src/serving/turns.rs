//! Turns for work with patterns, which takes long: away from the threads that serve, and never on all processors at once.

use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

use crate::error::Result;

/// The niceness of a thread for long work: a ninth of the share of others.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Work of one kind that takes long: half of the processors do it at once, and the rest waits its turn.
pub struct Turns(Arc<Semaphore>);

impl Default for Turns {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new((processors / 2).max(1))))
    }
}

impl Turns {
    /// Does the work on a thread of its own, which leaves the processors to others that need them.
    ///
    /// # Errors
    /// When it panics, or when there is no thread for it.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let turn = Arc::clone(&self.0).acquire_owned().await.map_err(anyhow::Error::new)?;
        // The turn ends with the work, also when nobody waits for it any longer.
        let (done, result) = oneshot::channel();
        let work = move || {
            let _turn = turn;
            lower_priority();
            // The request may have been dropped.
            let _ = done.send(work());
        };
        std::thread::Builder::new().name("long-work".to_owned()).spawn(work).map_err(anyhow::Error::new)?;
        Ok(result.await.map_err(anyhow::Error::new)?)
    }
}

/// Lowers the priority of this thread, if the system can do that for a single one.
fn lower_priority() {
    // It runs at normal priority otherwise.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}
