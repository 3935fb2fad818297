//! Sends test events as soon as they are requested, ahead of the queue.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use crate::analytics::integration_sender::IntegrationSender;
use crate::analytics::message::{Link, Message};
use crate::analytics::retry::AttemptHooks;
use crate::app::App;
use crate::app::delivery::test_events::{Sent, TestEvent};
use crate::domain::changes::flag_change::Announcement;
use crate::domain::delivery::{Attempt, Delivery};

/// How long a test event may take, including the delay and the second attempt.
const TEST_EVENT_TIMEOUT: Duration = Duration::from_secs(24);

/// Sends test events until their channel is closed.
pub(super) async fn run(sender: Arc<IntegrationSender>, events: Arc<Mutex<mpsc::Receiver<TestEvent>>>) {
    let mut events = events.lock().await;
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => drop(tasks.spawn(send(Arc::clone(&sender), event))),
                None => return,
            },
            Some(_) = tasks.join_next() => {}
        }
    }
}

async fn send(sender: Arc<IntegrationSender>, TestEvent { integration, change, sent: reply }: TestEvent) {
    let app = &sender.app;
    let deadline = app.clock.after(TEST_EVENT_TIMEOUT);
    let mut hooks = SleepOnly(Arc::clone(app));
    let (now, announcement) = (app.now(), Announcement::Feature(change));
    let id = Delivery::new_message_id(&*app.random, now);
    let message = Message { id: &id, announcement: &announcement, at: now, link: Link::Integration(&integration.id) };
    let result = match sender.send(&integration, message, Some(deadline), &mut hooks).await {
        Ok(Ok(result)) => result,
        Ok(Err(undeliverable)) => {
            let attempt = Attempt { at: app.now(), status: None, detail: undeliverable.to_string() };
            Some(Sent { success: false, attempts: vec![attempt] })
        }
        Err(error) => {
            tracing::error!(%error, integration = %integration.id, "cannot send a test event");
            None
        }
    };
    if let Some(result) = result {
        // The caller may have disconnected.
        let _ = reply.send(result);
    }
}

/// The hooks of a test event, which is recorded only when it has ended.
struct SleepOnly(Arc<App>);

#[async_trait]
impl AttemptHooks for SleepOnly {
    async fn attempt_failed(&mut self, _: &Attempt) -> bool {
        true
    }

    async fn wait_for_retry(&mut self, delay: Duration) -> bool {
        self.0.clock.sleep(delay).await;
        true
    }
}
