//! Sends with one retry. Changes and test events use the same path.

use std::time::Duration;

use async_trait::async_trait;
use flagservice_rules::Instant;

use crate::analytics::destination::{ATTEMPT_TIMEOUT, AttemptResult, Destination};
use crate::app::delivery::test_events::Sent;
use crate::domain::delivery::Attempt;

/// The delay before the second attempt if the destination does not send `Retry-After`, and its minimum.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The maximum of `Retry-After`.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(10);

/// What happens between the two attempts.
#[async_trait]
pub(super) trait AttemptHooks: Send {
    /// Records the failed attempt. Returns false to cancel the retry.
    async fn attempt_failed(&mut self, attempt: &Attempt) -> bool;

    /// Waits before the retry. Returns false to cancel it.
    async fn wait_for_retry(&mut self, delay: Duration) -> bool;
}

/// Sends to the destination, with one retry. Returns `None` if the hooks cancelled it. The second attempt must end before the
/// deadline, if there is one.
pub(super) async fn send_with_retry(
    destination: &Destination<'_>,
    deadline: Option<Instant>,
    hooks: &mut dyn AttemptHooks,
) -> Option<Sent> {
    let first = destination.attempt(false, ATTEMPT_TIMEOUT).await;
    if first.success {
        return Some(Sent { success: true, attempts: vec![first.attempt] });
    }
    if !hooks.attempt_failed(&first.attempt).await {
        return None;
    }
    let delay = first.retry_after.unwrap_or(RETRY_DELAY).clamp(RETRY_DELAY, MAX_RETRY_DELAY);
    if !hooks.wait_for_retry(delay).await {
        return None;
    }
    let timeout = deadline.map_or(ATTEMPT_TIMEOUT, |deadline| {
        let remaining_ms = deadline.0.saturating_sub(destination.app.now().0);
        Duration::from_millis(u64::try_from(remaining_ms).unwrap_or_default()).min(ATTEMPT_TIMEOUT)
    });
    let AttemptResult { attempt, success, .. } = destination.attempt(first.category_missing, timeout).await;
    Some(Sent { success, attempts: vec![first.attempt, attempt] })
}
