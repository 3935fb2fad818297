//! Turns for work with patterns, which takes long: away from the threads that serve, and never on all processors at once.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::app::Result;

/// How many threads compile patterns at once. Previews wait for other previews only, never a write for them.
#[derive(Default)]
pub struct Compilers {
    /// Of rules that are to be written.
    pub(in crate::app) writes: Turns,
    /// Of previews, and their searches.
    pub(in crate::app) previews: Turns,
    /// Searches of long texts in requests of clients.
    pub(in crate::app) searches: Turns,
}

/// Work of one kind that takes long: half of the processors do it at once, and the rest waits its turn.
pub(in crate::app) struct Turns(Arc<Semaphore>);

impl Default for Turns {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new((processors / 2).max(1))))
    }
}

impl Turns {
    /// Does the work on a thread of its own.
    ///
    /// # Errors
    /// When it panics.
    pub(in crate::app) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let turn = Arc::clone(&self.0).acquire_owned().await.map_err(anyhow::Error::new)?;
        // The turn ends with the work, also when nobody waits for it any longer.
        let work = move || {
            let _turn = turn;
            work()
        };
        Ok(tokio::task::spawn_blocking(work).await.map_err(anyhow::Error::new)?)
    }
}
