//! A timeout for work of any length: it ends work that waits too long for one answer, not work that has much to do.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use tokio::time::{Instant, sleep};

/// The work has waited for longer than the limit.
#[derive(Debug)]
pub(super) struct NoProgress;

/// Runs the work, and gives up when nothing wakes it for as long as the limit.
pub(super) async fn progress_timeout<Work: Future>(limit: Duration, work: Work) -> Result<Work::Output, NoProgress> {
    let (mut work, mut deadline) = (pin!(work), pin!(sleep(limit)));
    let progress = Arc::new(Progress { made: AtomicBool::new(true), waker: AtomicWaker::new() });
    let work_waker = Waker::from(Arc::clone(&progress));
    std::future::poll_fn(|context| {
        progress.waker.register(context.waker());
        // Not only when the deadline has passed: this process may have been busy for longer than that.
        if progress.made.swap(false, Ordering::AcqRel) {
            if let Poll::Ready(output) = work.as_mut().poll(&mut Context::from_waker(&work_waker)) {
                return Poll::Ready(Ok(output));
            }
            deadline.as_mut().reset(Instant::now() + limit);
        }
        deadline.as_mut().poll(context).map(|()| Err(NoProgress))
    })
    .await
}

/// Whether the work was woken since it was last polled.
struct Progress {
    made: AtomicBool,
    waker: AtomicWaker,
}

impl Wake for Progress {
    fn wake(self: Arc<Self>) {
        self.made.swap(true, Ordering::AcqRel);
        self.waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::sleep;

    use super::progress_timeout;

    const LIMIT: Duration = Duration::from_secs(3);

    #[tokio::test(start_paused = true)]
    async fn work_that_goes_on_may_take_longer_than_the_limit() {
        let work = async {
            for _ in 0..10 {
                sleep(LIMIT / 2).await;
            }
            "done"
        };
        assert_eq!(progress_timeout(LIMIT, work).await.unwrap(), "done");
    }

    #[tokio::test]
    async fn a_computation_may_take_longer_than_the_limit() {
        let work = async {
            tokio::task::yield_now().await;
            std::thread::sleep(Duration::from_millis(30));
            sleep(Duration::from_millis(5)).await;
        };
        progress_timeout(Duration::from_millis(20), work).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_gets_no_answer_is_given_up() {
        let work = async {
            sleep(LIMIT / 2).await;
            std::future::pending::<()>().await;
        };
        assert!(progress_timeout(LIMIT, work).await.is_err());
    }
}
