//! Callers of the REST API have a rate, and a number of requests at once. A caller who exceeds them does not affect others.

use std::num::NonZeroU32;
use std::time::Duration;

use flagservice_server::domain::role::Role;
use flagservice_server::http::{CallerLimits, Settings};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};

use crate::fixture::{
    ApiResponse, Caller, HANG_TIMEOUT, Server, features, http_client, on_default_database, on_each_database, project,
    targeting_of,
};

/// How many requests are accepted at once, before the rate applies.
const BURST: u32 = 3;

/// More requests than the limit allows.
const MAX_ATTEMPTS: u32 = 200;

/// Features that make a list of 400 KB, and the length of their descriptions.
const LARGE_FEATURES: usize = 80;
const LARGE_BYTES: usize = 5_000;

fn settings(callers: CallerLimits) -> Settings {
    Settings { callers, ..Settings::default() }
}

fn one_per_second(callers_per_address: u32) -> CallerLimits {
    let number = |number| NonZeroU32::new(number).unwrap();
    CallerLimits {
        requests_per_second: number(1),
        burst: number(BURST),
        callers_per_address: number(callers_per_address),
        ..CallerLimits::default()
    }
}

fn assert_refused(response: &ApiResponse) {
    let problem = response.problem(429, "too-many-requests");
    let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert!(problem["detail"].as_str().unwrap().contains(&format!("{wait} s")), "{problem}");
}

/// Sends requests until one is refused, which must not happen within the burst.
async fn send_until_refused(caller: &Caller) {
    for number in 0..MAX_ATTEMPTS {
        let response = caller.get("/api/v1/me").await;
        if response.status == 429 {
            assert!(number >= BURST, "refused after {number}");
            return assert_refused(&response);
        }
        response.ok(200);
    }
    panic!("{MAX_ATTEMPTS} requests passed");
}

#[apply(on_default_database)]
async fn too_many_requests_of_a_caller_are_refused_and_do_not_affect_others(database: Database) {
    let server = Server::start_with(&database, settings(one_per_second(10))).await;
    send_until_refused(&server.read_only()).await;
    server.editor().get("/api/v1/me").await.ok(200);
    // Neither another token of the same person.
    server.caller(Some(&server.token(Role::ReadOnly, None).await)).get("/api/v1/me").await.ok(200);
}

#[apply(on_default_database)]
async fn too_many_requests_of_a_session_are_refused(database: Database) {
    let server = Server::start_with(&database, settings(one_per_second(10))).await;
    let signed_in = server.read_only().sign_in().await;
    let refused = async { while signed_in.get("/api/v1/me").await.status != 429 {} };
    tokio::time::timeout(HANG_TIMEOUT, refused).await.expect("a refusal");
    server.editor().get("/api/v1/me").await.ok(200);
}

#[apply(on_default_database)]
async fn what_does_not_authenticate_a_session_does_not_make_another_caller_of_it(database: Database) {
    let server = Server::start_with(&database, settings(one_per_second(1_000))).await;
    let address = format!("http://{}/ui/api/v1/me", server.socket_address());
    // The cookie has the other name where the public URL is https.
    for (token, other_cookie) in [("api-", ""), ("", "__Host-flagservice-session=")] {
        let signed_in = server.read_only().sign_in().await;
        let send = async |number: u32| {
            let invented = if other_cookie.is_empty() { String::new() } else { format!("{other_cookie}{number}; ") };
            let request = http_client().get(&address).header("cookie", format!("{invented}{}", signed_in.cookie()));
            let request = if token.is_empty() { request } else { request.bearer_auth(format!("{token}{number}")) };
            ApiResponse::fetch(request).await.status
        };
        let mut statuses = Vec::new();
        while statuses.last() != Some(&429) {
            statuses.push(send(u32::try_from(statuses.len()).unwrap()).await);
            assert!(statuses.len() < MAX_ATTEMPTS as usize, "{token}{other_cookie}: {statuses:?}");
        }
        assert_eq!(statuses[0], 200);
    }
}

#[apply(on_default_database)]
async fn invented_tokens_share_the_limit_of_their_address(database: Database) {
    let server = Server::start_with(&database, settings(one_per_second(2))).await;
    let mut refused = None;
    for number in 0..MAX_ATTEMPTS {
        let response = server.caller(Some(&format!("api-invented-{number}"))).get("/api/v1/me").await;
        if response.status == 429 {
            refused = Some((number, response));
            break;
        }
        response.problem(401, "unauthenticated");
    }
    let (number, response) = refused.expect("a refusal");
    assert!(number >= 2 * BURST, "refused after {number}");
    assert_refused(&response);
}

/// Begins a request that waits for its body: it runs until the connection is closed.
async fn begin_preview(server: &Server, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.socket_address()).await.unwrap();
    let path = format!("{}/preview", targeting_of("reviews", "staging"));
    let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n");
    let head = format!("{head}Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    expect_start(&stream, "HTTP/1.1 100 Continue").await;
    stream
}

/// Waits for the start of the response.
async fn expect_start(stream: &TcpStream, expected: &str) {
    let mut start = vec![0; expected.len()];
    // The first part of a response arrives at once.
    let length = stream.peek(&mut start).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&start[..length]), expected);
}

#[apply(on_default_database)]
async fn long_requests_of_a_caller_wait_for_each_other_and_do_not_affect_others(database: Database) {
    let limits =
        CallerLimits { concurrent_long: 2, turn_timeout: Duration::from_millis(100), ..CallerLimits::default() };
    let server = Server::start_with(&database, settings(limits)).await;
    let token = server.token(Role::ReadOnly, None).await;
    let caller = server.caller(Some(&token));
    let (first, _second) = (begin_preview(&server, &token).await, begin_preview(&server, &token).await);
    let list = project("/features");
    assert_refused(&caller.get(&list).await);
    // The server makes the same list to say how long it is.
    let head = caller.send(caller.request(Method::HEAD, &list)).await;
    assert_eq!((head.status, head.header("retry-after")), (429, Some("1")));
    // What does not take long needs no turn, and other callers have their own.
    caller.get("/api/v1/me").await.ok(200);
    caller.get(&targeting_of("reviews", "staging")).await.ok(200);
    server.editor().get(&list).await.ok(200);
    drop(first);
    let freed = async { while caller.get(&list).await.status == 429 {} };
    tokio::time::timeout(HANG_TIMEOUT, freed).await.expect("a free turn");
}

#[apply(on_each_database)]
async fn requests_of_a_caller_over_the_limit_at_once_are_refused_and_do_not_affect_others(database: Database) {
    let limits = CallerLimits { concurrent: 2, ..CallerLimits::default() };
    let server = Server::start_with(&database, settings(limits)).await;
    let token = server.token(Role::ReadOnly, None).await;
    let _open = (begin_preview(&server, &token).await, begin_preview(&server, &token).await);
    assert_refused(&server.caller(Some(&token)).get("/api/v1/me").await);
    server.editor().get("/api/v1/me").await.ok(200);
}

/// Sends a request whose response is larger than what the operating system keeps of it, and does not read it.
async fn begin_unread(server: &Server, token: &str, path: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1024).unwrap();
    let mut stream = socket.connect(server.socket_address().parse().unwrap()).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    expect_start(&stream, "HTTP/1.1 200 OK").await;
    stream
}

#[apply(on_default_database)]
async fn a_response_that_nobody_reads_keeps_its_turn_until_its_connection_is_closed(database: Database) {
    let limits =
        CallerLimits { concurrent_long: 1, turn_timeout: Duration::from_millis(100), ..CallerLimits::default() };
    let server = Server::start_with(&database, settings(limits)).await;
    for number in 0..LARGE_FEATURES {
        let new = json!({ "key": format!("large-{number}"), "name": "Large", "description": "x".repeat(LARGE_BYTES) });
        server.editor().post(&features(""), &new).await.ok(201);
    }
    let token = server.token(Role::ReadOnly, None).await;
    let caller = server.caller(Some(&token));
    let list = format!("{}?limit=200", features(""));
    let unread = begin_unread(&server, &token, &list).await;
    assert_refused(&caller.get(&project("/audiences")).await);
    server.editor().get(&list).await.ok(200);
    drop(unread);
    let freed = async { while caller.get(&list).await.status == 429 {} };
    tokio::time::timeout(HANG_TIMEOUT, freed).await.expect("a free turn");
}
