//! The keys of a destination leave the server only with deliveries.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_server::app::secrets::credentials::Keys;
use flagservice_server::domain::role::Role;
use flagservice_server::secret::Secret;
use macro_rules_attribute::apply;
use serde_json::json;

use super::{API_KEY, SECRET_KEY, create, integration, path, start};
use crate::fixture::{Engine, Receiver, Reply, Server, ServerProcess, on_default_database, targeting_of};

/// The keys, and the value of the `Authorization` header.
fn forms() -> [String; 3] {
    [API_KEY.to_owned(), SECRET_KEY.to_owned(), STANDARD.encode(format!("{API_KEY}:{SECRET_KEY}"))]
}

fn assert_without(place: &str, text: &str) {
    for form in forms() {
        assert!(!text.contains(&form), "{place} holds {form}");
    }
}

#[apply(on_default_database)]
async fn secrets_appear_in_no_response_log_audit_record_metric_or_database_file(database: Database) {
    let receiver = Receiver::start().await;
    // A destination that echoes the keys.
    let echo = format!("You sent {} {} {}", forms()[0], forms()[1], forms()[2]);
    receiver.reply_always(Reply::status("400 Bad Request", "", &echo));
    let mut server = ServerProcess::start_with(&database, &["--analytics-us-url", receiver.address()]).await;
    let administrator = server.person(Role::Administrator);
    let mut responses = Vec::new();
    responses.push(administrator.post_once(&path(""), "once", &integration("US")).await);
    let id = responses[0].ok(201)["id"].as_str().unwrap().to_owned();
    responses.push(administrator.post_once(&path(""), "once", &integration("US")).await);
    responses.push(administrator.put(&path(&format!("/{id}")), &integration("US")).await);
    let mut wrong = integration("US");
    wrong["configuration"]["analytics"]["secretKey"] = json!({ "is": SECRET_KEY });
    responses.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    wrong["configuration"]["analytics"]["secretKey"] = json!(format!("{SECRET_KEY}\n"));
    wrong["configuration"]["analytics"]["apiKey"] = json!(format!("{API_KEY}:"));
    responses.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    responses.push(administrator.post_once(&path(&format!("/{id}/test")), "test", &json!({})).await);
    administrator.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let sent = receiver.receive(4).await;
    assert!(sent.iter().all(|request| request.text().contains(&forms()[2])), "the destination gets the keys");
    for read in ["", &format!("/{id}"), &format!("/{id}/deliveries")] {
        responses.push(administrator.get(&path(read)).await);
    }
    for read in ["/api/v1/audit-log", "/metrics", "/openapi.json"] {
        responses.push(administrator.get(read).await);
    }
    assert!(
        responses.iter().any(|response| response.text.contains("You sent … … …")),
        "the response is shown without the keys"
    );
    for response in &responses {
        assert_without("an answer", &response.text);
        assert_without("a header", &format!("{:?}", response.headers));
    }
    let log = server.stop().await;
    assert!(log.contains("/admin/integrations/outbound"), "the log contains the requests: {log}");
    assert_without("the log", &log);
    if database.engine() == Engine::Sqlite {
        let files = std::fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> = files.collect();
        // The server was killed, so the latest writes are only in the write-ahead log.
        assert!(files.iter().any(|file| file.to_string_lossy().ends_with("-wal")), "{files:?}");
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            assert_without(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
        }
    }
}

/// Keys with characters that each kind of escapes has a form for, also in the `Authorization` header; the secret key contains an escape.
const ESCAPED_SECRET_KEY: &str = r#"secret-100~~>>?/+&"\%41"#;
const ESCAPED_HEADER: &str = "a2V5LTQ3MTEtb2YtdGhlLXByb2plY3Q6c2VjcmV0LTEwMH5+Pj4/LysmIlwlNDE=";

/// A server whose integration has these keys, and the path that sends a test event.
async fn start_with_escaped_keys(database: &crate::fixture::Database) -> (Server, Receiver, String) {
    let (server, receiver) = start(database).await;
    let mut new = integration("US");
    new["configuration"]["analytics"]["secretKey"] = json!(ESCAPED_SECRET_KEY);
    let id = create(&server, &new).await;
    (server, receiver, path(&format!("/{id}/test")))
}

/// A text in many ways in which a response can contain it.
fn spellings(text: &str) -> Vec<String> {
    let each = |spell: &dyn Fn(char) -> String| text.chars().map(spell).collect::<String>();
    let punctuation = |spell: &dyn Fn(u32) -> String| {
        each(&|c| if c.is_ascii_alphanumeric() { c.to_string() } else { spell(u32::from(c)) })
    };
    let json = serde_json::to_string(text).unwrap();
    let html = text.replace('&', "&amp;").replace('"', "&quot;").replace('>', "&gt;").replace('/', "&sol;");
    let percent = percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    vec![
        text.to_owned(),
        json.trim_matches('"').replace('/', r"\/"),
        serde_json::to_string(&json).unwrap().trim_matches(['"', '\\']).to_owned(),
        punctuation(&|code| format!("\\u{code:04X}")),
        punctuation(&|code| format!("\\\\u{code:04x}")),
        punctuation(&|code| format!("\\x{code:02x}")),
        each(&|c| format!("\\u{:04x}", u32::from(c))),
        percent.replace("%5C", "%5c"),
        percent.replace('%', "%25"),
        punctuation(&|code| format!("&#{code};")),
        punctuation(&|code| format!("&#x{code:x};")),
        punctuation(&|code| format!("&#92;u{code:04x}")),
        html.replace('+', "&plus;").replace('=', "&equals;"),
        html.replace('&', "&amp;"),
        text.split_at(20).0.to_owned() + "\r\n\t" + text.split_at(20).1,
        // UTF-16.
        text.chars().map(String::from).collect::<Vec<_>>().join("\0"),
    ]
}

#[apply(on_default_database)]
async fn keys_are_redacted_however_a_response_escapes_them(database: Database) {
    let (server, receiver, test) = start_with_escaped_keys(&database).await;
    let _time = server.run_clock_fast();
    let unpadded = ESCAPED_HEADER.trim_end_matches('=').to_owned();
    let all = [ESCAPED_HEADER, ESCAPED_SECRET_KEY].into_iter().flat_map(spellings).chain([unpadded]);
    for spelling in all {
        receiver.reply_always(Reply::status("400 Bad Request", "", &format!("No 100% of [{spelling}]")));
        let shown = server.administrator().post(&test, &json!({})).await.ok(200);
        assert_eq!(shown["lastDeliveryDetail"], "400 Bad Request: No 100% of […]", "{spelling}");
    }
}

#[apply(on_default_database)]
async fn the_beginning_of_a_key_is_redacted_where_a_response_is_cut(database: Database) {
    let (server, receiver, test) = start_with_escaped_keys(&database).await;
    let _time = server.run_clock_fast();
    let spelling = ESCAPED_HEADER.replace('+', r"\u002B");
    for length in 1..spelling.len() {
        // 2,048 bytes are read of a body.
        let before = format!("{}You sent ", " ".repeat(2_048 - "You sent ".len() - length));
        let long = Reply::status("400 Bad Request", "", &format!("{before}{spelling}"));
        // The connection is closed before the body is complete.
        let head = "HTTP/1.1 400 Bad Request\r\nContent-Length: 1000\r\n\r\n";
        let incomplete = Reply::Bytes(format!("{head}You sent {}", &spelling[..length]).into());
        for reply in [long, incomplete] {
            receiver.reply_always(reply);
            let shown = server.administrator().post(&test, &json!({})).await.ok(200);
            assert_eq!(shown["lastDeliveryDetail"], "400 Bad Request: You sent …", "{length} bytes");
        }
    }
    // What is complete is shown as it is.
    receiver.reply_always(Reply::status("400 Bad Request", "", &format!("You sent {}", &ESCAPED_HEADER[..4])));
    let shown = server.administrator().post(&test, &json!({})).await.ok(200);
    assert_eq!(shown["lastDeliveryDetail"], format!("400 Bad Request: You sent {}", &ESCAPED_HEADER[..4]));
}

#[test]
fn secrets_are_not_printed() {
    let keys = Keys { api_key: Secret::new(API_KEY.to_owned()), secret_key: Secret::new(SECRET_KEY.to_owned()) };
    let printed = format!("{keys:?} {keys:#?}");
    assert!(printed.contains("api_key"), "{printed}");
    assert_without("what is printed", &printed);
}

#[apply(on_default_database)]
async fn no_row_contains_a_secret(database: Database) {
    let (server, _receiver) = start(&database).await;
    let empty = server.stored_rows().await;
    let id = create(&server, &integration("US")).await;
    server.administrator().post_once(&path(&format!("/{id}/test")), "test", &json!({})).await.ok(200);
    let rows = empty.differences(&server.stored_rows().await);
    assert!(rows.iter().any(|row| row.starts_with("integrations:")), "{rows:?}");
    rows.iter().for_each(|row| assert_without("a row", row));
}

#[apply(on_default_database)]
async fn secrets_stay_readable_after_a_data_key_rotation(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let day = 24 * 60 * 60 * 1_000;
    // Two rotations a day apart remove the key with which the secrets were first encrypted.
    for days in 1..=3 {
        server.clock.set(flagservice_rules::Instant(crate::fixture::NOW.0 + days * day));
        flagservice_server::app::secrets::key_change::rotate(&server.app).await.unwrap();
        let shown = server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
        assert_eq!(shown["lastDeliverySuccess"], true, "{shown}");
    }
    assert!(receiver.received().iter().all(|request| request.text().contains(&forms()[2])));
    let keys =
        flagservice_server::store::secrets::data_keys::list(&mut server.app.store.read().await.unwrap()).await.unwrap();
    assert!(keys.iter().all(|key| key.id > 1), "the first data key is removed");
}
