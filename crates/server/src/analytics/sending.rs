//! How a delivery is sent: one attempt, and one more when it failed. Changes and test events take this same path.

use std::time::Duration;

use async_trait::async_trait;
use flagservice_rules::Instant;

use crate::analytics::annotation::Annotation;
use crate::analytics::destination::{ATTEMPT, Destination, Tried};
use crate::app::delivery::test_events::Sent;
use crate::domain::delivery::Attempt;

/// How long to wait before the second attempt when the destination does not say.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest wait that a destination can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Who is told between the attempts.
#[async_trait]
pub(super) trait Between: Send {
    /// Keeps the attempt that failed; false: there is to be no other.
    async fn failed(&mut self, first: &Attempt) -> bool;

    /// Waits for that long; false: there is to be no other attempt.
    async fn wait(&mut self, pause: Duration) -> bool;
}

/// Sends the annotation; none when it came to no end. `deadline`: by when there must be an outcome, if by any time.
pub(super) async fn send(
    destination: &Destination<'_>,
    annotation: &Annotation,
    deadline: Option<Instant>,
    between: &mut dyn Between,
) -> Option<Sent> {
    let first = destination.attempt(annotation, false, ATTEMPT).await;
    if first.success {
        return Some(Sent { success: true, attempts: vec![first.attempt] });
    }
    if !between.failed(&first.attempt).await {
        return None;
    }
    let pause = first.retry_after.unwrap_or(PAUSE).clamp(PAUSE, LONGEST_PAUSE);
    if !between.wait(pause).await {
        return None;
    }
    let left = deadline.map_or(ATTEMPT, |deadline| {
        let left = deadline.0.saturating_sub(destination.app.now().0);
        Duration::from_millis(u64::try_from(left).unwrap_or_default()).min(ATTEMPT)
    });
    let Tried { attempt, success, .. } = destination.attempt(annotation, first.without_category, left).await;
    Some(Sent { success, attempts: vec![first.attempt, attempt] })
}
