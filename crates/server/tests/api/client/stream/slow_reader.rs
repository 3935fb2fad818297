//! A client that does not read its stream is disconnected after a timeout, without effect on others.

use std::time::Duration;

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::fixture::{
    HANG_TIMEOUT, Loaded, Server, condition, features, on_default_database, on_each_database, project, targeting,
    targeting_of,
};

/// The write timeout of this server.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// How many features use the audience, so that a change makes a large event.
const FEATURES: usize = 30;

/// How many changes of them fill the buffers of a connection several times.
const CHANGES: usize = 60;

/// Opens a stream with a minimal receive buffer, and does not read it.
async fn open_without_reading(server: &Server, key: &str, loaded: &Loaded) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1024).unwrap();
    let mut stream = socket.connect(server.socket_address().parse().unwrap()).await.unwrap();
    let path = format!("/client/v1/{key}/stream?token={}&since={}", loaded.token, loaded.since);
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes()).await.unwrap();
    stream
}

async fn closed_slow_readers(server: &Server) -> u64 {
    let text = server.anonymous().get("/metrics").await.text;
    let line = text.lines().find(|line| line.starts_with("flagservice_slow_readers_closed_total ")).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn conditions(name: &str) -> Value {
    json!([condition("flagservice.user.id", "equals", json!([name]))])
}

/// Creates features that are on for an audience: at first for Alice.
async fn target_an_audience(server: &Server) {
    let editor = server.editor();
    let new = json!({ "key": "everybody", "name": "Everybody", "conditions": conditions("alice") });
    editor.post(&project("/audiences"), &new).await.ok(201);
    let rule = json!({ "name": "", "audienceKey": "everybody", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    for number in 0..FEATURES {
        let key = format!("{number}-{}", "x".repeat(90));
        editor.post(&features(""), &json!({ "key": key, "name": "New" })).await.ok(201);
        editor.put(&targeting_of(&key, "development"), &targeting(std::slice::from_ref(&rule))).await.ok(200);
    }
}

/// Switches all these features.
async fn change_audience(server: &Server, name: &str) {
    server.editor().patch(&project("/audiences/everybody"), &json!({ "conditions": conditions(name) })).await.ok(200);
}

#[apply(on_default_database)]
async fn a_slow_reader_that_is_many_versions_behind_gets_all_current_values(database: Database) {
    // It is not disconnected, however long the changes take.
    let settings = Settings { write_timeout: Duration::from_secs(3600), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    target_an_audience(&server).await;
    let browser = server.browser("development");
    let loaded = browser.load_id("alice").await;
    let key = &database.credentials().client_keys["development"];
    let mut slow = open_without_reading(&server, key, &loaded).await;
    // More than the buffers between server and client take.
    for number in 0..CHANGES {
        change_audience(&server, ["bob", "alice"][number % 2]).await;
    }
    server.switch_search_suggestions("development", false).await;
    // From here on the client reads quickly.
    SockRef::from(&slow).set_recv_buffer_size(1 << 20).unwrap();
    let mut received = String::new();
    let current = async {
        let mut bytes = vec![0; 65_536];
        while !received.contains("\"search-suggestions\":\"off\"") {
            let length = slow.read(&mut bytes).await.unwrap();
            assert!(length > 0, "the server closed the connection after {received}");
            received.push_str(str::from_utf8(&bytes[..length]).unwrap());
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, current).await.expect("the last change");
    let events = received.matches("event: p").count();
    assert!(events < CHANGES, "{events} events");
    let (_, put) = received.rsplit_once("event: put\ndata: ").expect("a put");
    let put: Value = serde_json::from_str(put.lines().next().unwrap()).unwrap();
    assert_eq!(put["features"], json!(browser.load_id("alice").await.features));
}

#[apply(on_each_database)]
async fn a_slow_reader_is_disconnected_and_the_others_get_every_change(database: Database) {
    let server = Server::start_with(&database, Settings { write_timeout: WRITE_TIMEOUT, ..Settings::default() }).await;
    let browser = server.browser("development");
    target_an_audience(&server).await;
    let loaded = browser.load_id("alice").await;
    let mut reading = browser.open(&loaded).await;
    let key = &database.credentials().client_keys["development"];
    let mut slow = open_without_reading(&server, key, &loaded).await;

    // Each change switches all these features for both clients; only one of them reads.
    let (mut sent, mut name) = (0, "alice");
    while closed_slow_readers(&server).await == 0 {
        name = if name == "alice" { "bob" } else { "alice" };
        change_audience(&server, name).await;
        loop {
            let event = reading.next_event().await;
            let values: Vec<_> = event.features().as_object().unwrap().values().collect();
            assert!(values.iter().all(|variant| **variant == if name == "alice" { "on" } else { "off" }), "{event:?}");
            sent += values.len();
            if sent % FEATURES == 0 {
                break;
            }
        }
        assert!(sent < 1_000 * FEATURES, "it is still open after {sent} values");
    }
    // The client can still read what was sent before; then the connection ends.
    let mut rest = Vec::new();
    let _ = tokio::time::timeout(HANG_TIMEOUT, slow.read_to_end(&mut rest)).await.expect("the end of the connection");
    // It reconnects and has the current values.
    let again = browser.load_id("alice").await;
    let on = again.features.iter().filter(|(key, variant)| key.contains("xxx") && *variant == "on").count();
    assert_eq!(on, if name == "alice" { FEATURES } else { 0 });
    let mut back = browser.open(&again).await;
    server.switch_search_suggestions("development", false).await;
    assert_eq!(back.patch().await, json!({ "search-suggestions": "off" }));
    assert_eq!(reading.patch().await, json!({ "search-suggestions": "off" }));
}
