//! The keys of a destination leave with a delivery, and in no other way.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_server::app::credentials::Credentials;
use flagservice_server::role::Role;
use flagservice_server::secret::Secret;
use macro_rules_attribute::apply;
use serde_json::json;

use super::{API_KEY, SECRET_KEY, create, integration, path, start};
use crate::fixture::{Binary, Engine, Receiver, Reply, on_each_database, targeting_of};

/// The keys as they are, and as they travel.
fn forms() -> [String; 3] {
    [API_KEY.to_owned(), SECRET_KEY.to_owned(), STANDARD.encode(format!("{API_KEY}:{SECRET_KEY}"))]
}

fn assert_without(place: &str, text: &str) {
    for form in forms() {
        assert!(!text.contains(&form), "{place} holds {form}");
    }
}

#[apply(on_each_database)]
async fn secrets_appear_in_no_response_log_audit_record_metric_or_database_file(database: Database) {
    let receiver = Receiver::start().await;
    // A destination that repeats all that it was sent.
    let echo = format!("You sent {} {} {}", forms()[0], forms()[1], forms()[2]);
    receiver.answer(Reply::status("400 Bad Request", "", &echo));
    let mut server = Binary::start_with(&database, &["--analytics-us-url", receiver.address()]).await;
    let administrator = server.person(Role::Administrator);
    let mut answers = Vec::new();
    answers.push(administrator.post_once(&path(""), "once", &integration("US")).await);
    let id = answers[0].ok(201)["id"].as_str().unwrap().to_owned();
    answers.push(administrator.post_once(&path(""), "once", &integration("US")).await);
    answers.push(administrator.put(&path(&format!("/{id}")), &integration("US")).await);
    let mut wrong = integration("US");
    wrong["configuration"]["analytics"]["secretKey"] = json!({ "is": SECRET_KEY });
    answers.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    wrong["configuration"]["analytics"]["secretKey"] = json!(format!("{SECRET_KEY}\n"));
    wrong["configuration"]["analytics"]["apiKey"] = json!(format!("{API_KEY}:"));
    answers.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    answers.push(administrator.post_once(&path(&format!("/{id}/test")), "test", &json!({})).await);
    administrator.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let sent = receiver.receive(4).await;
    assert!(sent.iter().all(|request| request.text().contains(&forms()[2])), "they do arrive");
    for read in ["", &format!("/{id}"), &format!("/{id}/deliveries")] {
        answers.push(administrator.get(&path(read)).await);
    }
    for read in ["/api/v1/audit-log", "/metrics", "/openapi.json"] {
        answers.push(administrator.get(read).await);
    }
    assert!(answers.iter().any(|answer| answer.text.contains("You sent … … …")), "the answer is shown without them");
    for answer in &answers {
        assert_without("an answer", &answer.text);
        assert_without("a header", &format!("{:?}", answer.headers));
    }
    let log = server.stop().await;
    assert!(log.contains("/admin/integrations/outbound"), "the log tells of the requests: {log}");
    assert_without("the log", &log);
    if database.engine() == Engine::Sqlite {
        let files = std::fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> = files.collect();
        // It was killed: what was written last is in the log of writes alone.
        assert!(files.iter().any(|file| file.to_string_lossy().ends_with("-wal")), "{files:?}");
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            assert_without(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn secrets_are_not_printed() {
    let keys = Credentials { api_key: Secret::new(API_KEY.to_owned()), secret_key: Secret::new(SECRET_KEY.to_owned()) };
    let printed = format!("{keys:?} {keys:#?}");
    assert!(printed.contains("api_key"), "{printed}");
    assert_without("what is printed", &printed);
}

#[apply(on_each_database)]
async fn no_row_contains_a_secret(database: Database) {
    let (server, _receiver) = start(&database).await;
    let empty = server.stored().await;
    let id = create(&server, &integration("US")).await;
    server.administrator().post_once(&path(&format!("/{id}/test")), "test", &json!({})).await.ok(200);
    let rows = empty.differences(&server.stored().await);
    assert!(rows.iter().any(|row| row.starts_with("integrations:")), "{rows:?}");
    rows.iter().for_each(|row| assert_without("a row", row));
}

#[apply(on_each_database)]
async fn secrets_stay_readable_after_a_data_key_rotation(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let day = 24 * 60 * 60 * 1_000;
    // Twice, a day apart: the key that had encrypted them first is gone by then.
    for days in 1..=3 {
        server.clock.set(flagservice_rules::Instant(crate::fixture::NOW.0 + days * day));
        flagservice_server::app::key_change::rotate(&server.app).await.unwrap();
        let shown = server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
        assert_eq!(shown["lastDeliverySuccess"], true, "{shown}");
    }
    assert!(receiver.received().iter().all(|request| request.text().contains(&forms()[2])));
    let keys = flagservice_server::store::data_keys::list(&mut server.app.store.read().await.unwrap()).await.unwrap();
    assert!(keys.iter().all(|key| key.id > 1), "the first data key is removed");
}
