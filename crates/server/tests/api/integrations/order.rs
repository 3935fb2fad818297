//! Deliveries of an integration are in order, by one node at a time, never lost, and independent of other integrations.

use flagservice_server::domain::changes::flag_change::{Announcement, Aspect, FeatureChange};
use flagservice_server::domain::delivery::{Delivery, DeliveryState};
use flagservice_server::store::delivery::{deliveries, fan_outs};
use flagservice_server::store::resources::organisations;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{create, integration, kind, log, path, read, settled, start};
use crate::fixture::{
    NOW, Receiver, Reply, Server, ServerProcess, eventually, on_default_database, on_each_database, on_postgres,
    outbound, split, targeting, targeting_of,
};

/// Sets the percentage of `reviews` in staging.
async fn roll_out(caller: &crate::fixture::Caller, percentage: u32) {
    let on = f64::from(percentage);
    caller.put(&targeting_of("reviews", "staging"), &targeting(&[split(on, 100.0 - on)])).await.ok(200);
}

/// Renames the feature with each change, so that the annotations differ.
async fn change(server: &Server, number: usize) {
    let administrator = server.administrator();
    let feature = crate::fixture::features("/reviews");
    administrator.patch(&feature, &json!({ "name": format!("Reviews {number}") })).await.ok(200);
    roll_out(&administrator, u32::try_from(number).unwrap() % 100).await;
}

fn labels_of(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("Alma Lindqvist updated Reviews {number} in Staging")).collect()
}

#[apply(on_each_database)]
async fn changes_arrive_in_order_even_if_one_is_retried(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let _time = server.run_clock_fast();
    let failing = Reply::status("500 Internal Server Error", "", "");
    receiver.reply_next([Reply::ok(), failing.clone(), Reply::ok(), failing.clone(), failing]);
    for number in 1..=6 {
        change(&server, number).await;
    }
    assert_eq!(receiver.labels(8).await, labels_of([1, 2, 2, 3, 3, 4, 5, 6]));
}

#[apply(on_each_database)]
async fn changes_of_several_environments_arrive_in_commit_order_regardless_of_the_clock(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let mut expected = Vec::new();
    for number in 0..40 {
        // The clock does not run, and is set back repeatedly.
        server.clock.set(flagservice_rules::Instant(NOW.0 - (number % 3) * 1_000));
        let place = ["development", "production", "staging"][usize::try_from(number).unwrap() * 7 % 3];
        server.switch_search_suggestions(place, number / 3 % 2 == 1).await;
        expected.push(place);
    }
    let mut log = settled(&server, &id, 40).await;
    log.reverse();
    let delivered: Vec<_> = log.iter().map(|delivery| delivery["environmentKey"].as_str().unwrap()).collect();
    assert_eq!(delivered, expected);
    let received = receiver.received();
    let names: Vec<_> = received.iter().map(|request| request.field("label").to_lowercase()).collect();
    assert!(names.iter().zip(&expected).all(|(label, place)| label.ends_with(&format!(" in {place}"))), "{names:?}");
}

#[apply(on_default_database)]
async fn a_hanging_destination_does_not_delay_others(database: Database) {
    let (slow, healthy) = (Receiver::start().await, Receiver::start().await);
    slow.reply_always(Reply::Hang(Vec::new()));
    let server = Server::start_with_destinations(&database, outbound(slow.address(), healthy.address())).await;
    create(&server, &integration("US")).await;
    create(&server, &integration("EU")).await;
    for number in 1..=10 {
        change(&server, number).await;
    }
    assert_eq!(healthy.labels(10).await, labels_of(1..=10));
    assert_eq!(slow.received().len(), 1);
}

#[apply(on_postgres)]
async fn two_nodes_deliver_each_change_once_and_in_order(database: Database) {
    let receiver = Receiver::start().await;
    let to = outbound(receiver.address(), receiver.address());
    let one = Server::start_with_destinations(&database, to.clone()).await;
    let other = Server::start_with_destinations(&database, to).await;
    let id = create(&one, &integration("US")).await;
    for number in 0..60 {
        change(if number % 2 == 0 { &one } else { &other }, number).await;
    }
    settled(&other, &id, 60).await;
    assert_eq!(receiver.labels(60).await, labels_of(0..60));
}

#[apply(on_postgres)]
async fn a_node_takes_over_when_another_nodes_lease_times_out(database: Database) {
    let receiver = Receiver::start().await;
    let to = outbound(receiver.address(), receiver.address());
    let one = Server::start_with_destinations(&database, to.clone()).await;
    let id = create(&one, &integration("US")).await;
    receiver.reply_next([Reply::Hang(Vec::new())]);
    change(&one, 1).await;
    // The first node's clock does not run, so its attempt never times out, as if the node were dead.
    receiver.receive(1).await;
    let other = Server::start_with_destinations(&database, to).await;
    change(&other, 2).await;
    let _time = other.run_clock_fast();
    let log = settled(&other, &id, 2).await;
    assert_eq!(receiver.labels(3).await, labels_of([1, 1, 2]));
    assert!(log.iter().all(|delivery| delivery["state"] == "delivered"), "{log:?}");
    // When its clock runs again, the first node has lost the lease and overwrites nothing.
    let _its_time = one.run_clock_fast();
    change(&one, 3).await;
    assert_eq!(receiver.labels(4).await, labels_of([1, 1, 2, 3]));
    assert_eq!(settled(&one, &id, 3).await[2]["attempts"], log[1]["attempts"]);
}

#[apply(on_each_database)]
async fn the_backlog_is_delivered_after_the_server_was_killed(database: Database) {
    let receiver = Receiver::start().await;
    receiver.reply_always(Reply::Hang(Vec::new()));
    let arguments = ["--analytics-us-url", receiver.address()];
    let mut server = ServerProcess::start_with(&database, &arguments).await;
    let administrator = server.person(flagservice_server::domain::role::Role::Administrator);
    administrator.post(&path(""), &integration("US")).await.ok(201);
    for percentage in 1..=5 {
        roll_out(&administrator, percentage).await;
    }
    receiver.receive(1).await;
    server.kill().await;
    receiver.reply_always(Reply::ok());
    let server = ServerProcess::start_with(&database, &arguments).await;
    let administrator = server.person(flagservice_server::domain::role::Role::Administrator);
    let id = administrator.get(&path("")).await.items()[0]["id"].as_str().unwrap().to_owned();
    let mut log: Vec<Value> = Vec::new();
    while log.iter().filter(|delivery| delivery["state"] == "delivered").count() < 5 {
        log = administrator.get(&path(&format!("/{id}/deliveries"))).await.items();
        tokio::task::yield_now().await;
    }
    assert_eq!(log.len(), 5);
    // The delivery in progress is repeated, also if the first server had time to, and none is missing.
    let received = receiver.received();
    let (repeated, others) = received.split_at(received.len() - 4);
    assert!(repeated.len() >= 2 && repeated.iter().all(|request| request.bytes == repeated[0].bytes));
    for (request, percentage) in repeated[..1].iter().chain(others).zip(1..) {
        let kind = kind(request);
        assert!(kind.contains("Rollout percentage updated") && kind.contains(&format!("to {percentage}%")), "{kind}");
    }
}

#[apply(on_default_database)]
async fn a_stopping_server_finishes_the_delivery_in_progress(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    receiver.reply_next([Reply::Hang(Vec::new())]);
    change(&server, 1).await;
    receiver.receive(1).await;
    change(&server, 2).await;
    let time = server.run_clock_fast();
    server.stop().await;
    drop(time);
    // The attempt ended after 10 s and is recorded; no other was started.
    assert_eq!(receiver.received().len(), 1);
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let log = settled(&server, &id, 2).await;
    let details: Vec<_> =
        log[1]["attempts"].as_array().unwrap().iter().map(|attempt| attempt["detail"].clone()).collect();
    assert_eq!(details, ["No response within 10 s.", "200 OK"]);
    assert_eq!(receiver.labels(3).await, labels_of([1, 1, 2]));
}

/// Fills the backlog of an integration with changes, like a long outage of its destination.
async fn fill_backlog(server: &Server, id: &str, positions: impl IntoIterator<Item = u64>) {
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let change = FeatureChange {
        aspects: vec![Aspect::Enabled],
        feature_key: "reviews".to_owned(),
        feature_name: "Reviews".to_owned(),
        project_key: "shop".to_owned(),
        environment_key: "staging".to_owned(),
        environment_name: "Staging".to_owned(),
        user_name: "Ada".to_owned(),
        break_glass: None,
        transitions: Vec::new(),
    };
    for position in positions {
        let delivery = Delivery {
            integration_id: id.to_owned().into(),
            position,
            entry: format!("change {position}"),
            at: flagservice_rules::Instant(NOW.0 - 60_000),
            announcement: Announcement::Feature(change.clone()),
            is_test: false,
            state: DeliveryState::Waiting,
            attempts: Vec::new(),
            settled_at: None,
        };
        deliveries::insert(connection, &delivery).await.unwrap();
    }
    write.commit().await.unwrap();
}

#[apply(on_default_database)]
async fn the_backlog_has_length_and_age_and_is_backlogged_above_ten_thousand(database: Database) {
    let (server, _receiver) = start(&database).await;
    let mut off = integration("US");
    off["enabled"] = json!(false);
    let id = create(&server, &off).await;
    for (positions, backlogged) in [(1..=10_000, false), (10_001..=10_001, true)] {
        let waiting = *positions.end();
        fill_backlog(&server, &id, positions).await;
        let shown = read(&server, &id).await["backlog"].clone();
        let expected =
            json!({ "waiting": waiting, "oldestChangeAt": "2026-11-21T09:59:00Z", "backlogged": backlogged });
        assert_eq!(shown, expected);
    }
    let metrics = server.anonymous().metrics().await.text;
    for line in ["flagservice_annotations_waiting 10001", "flagservice_annotations_oldest_seconds 60.0"] {
        assert!(metrics.lines().any(|each| each == line), "{line} in {metrics}");
    }
}

#[apply(on_default_database)]
async fn the_log_of_an_integration_is_pruned_whatever_positions_it_has(database: Database) {
    let (server, receiver) = start(&database).await;
    let mut new = integration("US");
    new["enabled"] = json!(false);
    let id = create(&server, &new).await;
    // Another integration has the even positions.
    fill_backlog(&server, &id, (1..=2_001).step_by(2)).await;
    let own = id.clone().into();
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    for mut delivery in deliveries::page(connection, &own, -1, 2_001).await.unwrap() {
        delivery.state = DeliveryState::Delivered;
        deliveries::update(connection, &delivery).await.unwrap();
    }
    let organisation = organisations::list(connection).await.unwrap().remove(0).0;
    fan_outs::set_position(connection, &organisation, 2_002).await.unwrap();
    write.commit().await.unwrap();
    let kept = async || deliveries::page(&mut server.app.store.read().await.unwrap(), &own, -1, 2_001).await.unwrap();
    assert_eq!(kept().await.len(), 1_001);

    new["enabled"] = json!(true);
    server.administrator().put(&path(&format!("/{id}")), &new).await.ok(200);
    change(&server, 1).await;
    receiver.receive(1).await;
    eventually("the newest 1,000 are kept", async || kept().await.len() == 1_000).await;
    assert_eq!(kept().await[0].position, 2_003);
    // A test event is in the log, too.
    server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    assert_eq!(kept().await.len(), 1_000);
}

#[apply(on_default_database)]
async fn delivered_and_failed_annotations_are_counted(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let refused = Reply::status("401 Unauthorized", "", "");
    receiver.reply_next([Reply::ok(), refused.clone(), refused]);
    let _time = server.run_clock_fast();
    for number in 1..=3 {
        change(&server, number).await;
    }
    settled(&server, &id, 3).await;
    let metrics = server.anonymous().metrics().await.text;
    for line in ["annotations_delivered_total 2", "annotations_failed_total 1", "annotations_waiting 0"] {
        assert!(metrics.lines().any(|each| each == format!("flagservice_{line}")), "{line} in {metrics}");
    }
}

#[apply(on_each_database)]
async fn the_log_keeps_all_waiting_and_the_newest_finished_deliveries(database: Database) {
    let (server, _receiver) = start(&database).await;
    let mut off = integration("US");
    off["enabled"] = json!(false);
    let id = create(&server, &off).await;
    fill_backlog(&server, &id, 1..=10).await;
    let own = id.clone().into();
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    for mut delivery in deliveries::page(connection, &own, -1, 100).await.unwrap() {
        // The third is still waiting, although it is older than all that are kept.
        if delivery.position != 3 {
            delivery.state = DeliveryState::Delivered;
            deliveries::update(connection, &delivery).await.unwrap();
        }
    }
    deliveries::prune(connection, &own, 4).await.unwrap();
    write.commit().await.unwrap();
    let kept: Vec<_> = log(&server, &id).await.iter().map(|delivery| delivery["id"].as_u64().unwrap()).collect();
    assert_eq!(kept, [10, 9, 8, 7, 3]);
}
