//! Takes test events as they come and sends each at once, beside what waits.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::analytics::destination::{after, pass};
use crate::analytics::sender::Sender;
use crate::analytics::sending::Between;
use crate::app::App;
use crate::app::delivery::test_events::{Sent, TestEvent};
use crate::domain::delivery::Attempt;

/// How long a test event may take, pause and second attempt included.
const WITHIN: Duration = Duration::from_secs(24);

/// Goes on until nobody can ask for one any more.
pub(super) async fn take(sender: Arc<Sender>, mut events: mpsc::Receiver<TestEvent>) {
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

async fn send(sender: Arc<Sender>, TestEvent { integration, change, sent }: TestEvent) {
    let app = &sender.app;
    let deadline = after(app, WITHIN);
    let mut alone = Alone(Arc::clone(app));
    let outcome = match sender.send(&integration, (&change, app.now()), Some(deadline), &mut alone).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(stuck)) => {
            let attempt = Attempt { at: app.now(), status: None, detail: stuck.to_string() };
            Some(Sent { success: false, attempts: vec![attempt] })
        }
        Err(error) => {
            tracing::error!(%error, integration = %integration.id, "a test event was not sent");
            None
        }
    };
    if let Some(outcome) = outcome {
        // Who asked may have gone.
        let _ = sent.send(outcome);
    }
}

/// Nobody else is told of a test event before it is over.
struct Alone(Arc<App>);

#[async_trait]
impl Between for Alone {
    async fn failed(&mut self, _: &Attempt) -> bool {
        true
    }

    async fn wait(&mut self, pause: Duration) -> bool {
        pass(&self.0, pause).await;
        true
    }
}
