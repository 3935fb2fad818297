//! `POST …/{id}/test`: a synthetic flag change through the real delivery path.

use std::sync::Arc;

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::{create, details, environment_id, filtered, integration, log, path, read, start};
use crate::fixture::{Receiver, Reply, Server, on_default_database, outbound};

async fn test(server: &Server, id: &str) -> Value {
    server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200)
}

#[apply(on_default_database)]
async fn a_test_event_sends_an_annotation_of_the_feature_test_event_and_returns_the_result(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let shown = test(&server, &id).await;
    assert_eq!(shown["lastDeliveryAt"], "2026-11-21T10:00:00Z");
    assert_eq!((&shown["lastDeliverySuccess"], &shown["lastDeliveryDetail"]), (&json!(true), &json!("200 OK")));
    assert_eq!(read(&server, &id).await, shown);
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].line(), "POST /api/3/annotations HTTP/1.1");
    assert_eq!(received[0].field("label"), "Alma Lindqvist updated Test event in Development");
    assert_eq!(received[0].field("category"), "Feature flags");
    let details = details(&received[0]);
    assert_eq!(details[0], "Feature: Test event (test-event)");
    assert_eq!(details[5], format!("https://flags.example/integrations/{id}"), "the page of the integration");
    let log = log(&server, &id).await;
    assert_eq!((log.len(), &log[0]["test"], &log[0]["state"]), (1, &json!(true), &json!("delivered")));
}

#[apply(on_default_database)]
async fn a_test_event_returns_the_status_after_the_retry(database: Database) {
    let (us, eu) = (Receiver::start().await, Receiver::start().await);
    us.reply_always(Reply::status("401 Unauthorized", "", "{\"error\":\"Invalid credentials\"}"));
    let server = Server::start_with_destinations(&database, outbound(us.address(), eu.address())).await;
    let id = create(&server, &integration("US")).await;
    let _time = server.run_clock_fast();
    let shown = test(&server, &id).await;
    assert_eq!((&shown["lastDeliverySuccess"], &shown["delivering"]), (&json!(false), &json!(false)));
    let detail = shown["lastDeliveryDetail"].as_str().unwrap();
    assert!(detail.starts_with("401 Unauthorized: {\"error\":\"Invalid credentials\"}"), "{detail}");
    assert!(detail.contains("region"), "{detail}");
    assert_eq!((us.received().len(), eu.received().len()), (2, 0));
    let put = server.administrator().put(&path(&format!("/{id}")), &integration("EU")).await;
    put.ok(200);
    assert_eq!(test(&server, &id).await["lastDeliverySuccess"], true);
    assert_eq!((us.received().len(), eu.received().len()), (2, 1));
}

#[apply(on_default_database)]
async fn a_test_event_skips_the_backlog_and_ignores_filter_and_enabled(database: Database) {
    let (server, receiver) = start(&database).await;
    let production = environment_id(&server, "production").await;
    let id = create(&server, &filtered(&[&production])).await;
    receiver.reply_next([Reply::Hang(Vec::new())]);
    server.switch_search_suggestions("production", false).await;
    receiver.receive(1).await;
    for round in 0..3 {
        server.switch_search_suggestions("production", round % 2 == 0).await;
    }
    // The clock does not run, so the attempt in progress does not time out, and the backlog waits.
    let shown = test(&server, &id).await;
    assert_eq!(shown["lastDeliverySuccess"], true);
    assert_eq!(receiver.labels(2).await[1], "Alma Lindqvist updated Test event in Development");
    let mut off = filtered(&[&production]);
    off["enabled"] = json!(false);
    server.administrator().put(&path(&format!("/{id}")), &off).await.ok(200);
    assert_eq!(test(&server, &id).await["lastDeliverySuccess"], true);
    assert_eq!(receiver.received().len(), 3);
}

#[apply(on_default_database)]
async fn a_test_event_is_answered_within_25_seconds_even_if_the_destination_hangs(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    // The first test event needs the deadline: a late response, the pause that it asks for and an attempt that times out take 25.5 s.
    let barrier = Arc::new(Barrier::new(2));
    let late = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 6\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    receiver.reply_next([Reply::AtBarrier(Arc::clone(&barrier), late.to_vec())]);
    receiver.reply_always(Reply::Hang(Vec::new()));
    for (round, attempts) in [["429", "null"], ["null", "null"]].into_iter().enumerate() {
        let began = server.app.now().0;
        let last_attempt = async {
            // The clock stands while a request or a response is on its way, so that the machine takes little of the 25 seconds.
            receiver.receive(2 * round + 1).await;
            if round == 0 {
                server.clock.set(Instant(began + 9_500));
                barrier.wait().await;
                barrier.wait().await;
            }
            let time = server.run_clock_at(2);
            receiver.receive(2 * round + 2).await;
            time.stop().await;
            server.clock.set(Instant(server.app.now().0.max(began + 25_000)));
        };
        let (shown, ()) = tokio::join!(test(&server, &id), last_attempt);
        let took = server.app.now().0 - began;
        assert!(took <= 25_000, "{took} ms");
        assert_eq!(shown["lastDeliverySuccess"], false);
        assert!(shown["lastDeliveryDetail"].as_str().unwrap().starts_with("No response within"), "{shown}");
        let log = log(&server, &id).await;
        let found: Vec<_> =
            log[0]["attempts"].as_array().unwrap().iter().map(|attempt| attempt["status"].to_string()).collect();
        assert_eq!(found, attempts);
    }
}
