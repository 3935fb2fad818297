//! Limits of clients: the rate of requests, the number of streams, and which client address counts.

use std::num::NonZeroU32;
use std::time::Duration;

use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::ClientLimits;
use macro_rules_attribute::apply;
use reqwest::{Method, RequestBuilder, Response};

use crate::fixture::{ApiResponse, Browser, HANG_TIMEOUT, Server, on_default_database, on_each_database};

/// The burst: how many requests are accepted at once, before the rate applies.
const BURST: u32 = 3;

/// More requests than the limit allows, if the machine can answer several per second.
const MAX_ATTEMPTS: u32 = 200;

fn one_per_second() -> ClientLimits {
    let number = |number| NonZeroU32::new(number).unwrap();
    ClientLimits { requests_per_second: number(1), burst: number(BURST), ..ClientLimits::default() }
}

/// Settings with loopback as a trusted proxy.
fn behind_a_proxy(limits: ClientLimits) -> Settings {
    Settings { limits, trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..Settings::default() }
}

fn load(browser: &Browser) -> RequestBuilder {
    let request = browser.request(Method::POST, "/load").header("content-type", "text/plain");
    request.body(r#"{"user": {"id": "alice"}}"#)
}

fn load_from(browser: &Browser, address: &str) -> RequestBuilder {
    load(browser).header("x-forwarded-for", address)
}

/// Sends requests until one is rejected, which must not happen within the burst. Returns that response.
async fn send_until_rejected(browser: &Browser, request: impl Fn(u32) -> RequestBuilder) -> ApiResponse {
    for number in 0..MAX_ATTEMPTS {
        let response = browser.send(request(number)).await;
        if response.status == 429 {
            assert!(number >= BURST, "refused after {number}");
            return response;
        }
        assert!((200..300).contains(&response.status), "{}", response.text);
    }
    panic!("{MAX_ATTEMPTS} requests passed");
}

/// Asserts that a page can read the error and its `Retry-After`.
fn assert_retry_after(response: &ApiResponse) {
    let problem = response.problem(429, "too-many-requests");
    let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert!(problem["detail"].as_str().unwrap().contains(&format!("{wait} s")), "{problem}");
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
}

#[apply(on_default_database)]
async fn too_many_requests_are_rejected_with_retry_after_and_do_not_affect_other_keys(database: Database) {
    let settings = Settings { limits: one_per_second(), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let (staging, production) = (server.browser("staging"), server.browser("production"));
    assert_retry_after(&send_until_rejected(&staging, |_| load(&staging)).await);
    for _ in 0..BURST {
        production.send(load(&production)).await.ok(200);
    }
    let goals = |_| production.request(Method::POST, "/goals").json(&serde_json::json!({ "goals": [] }));
    // Loads and goals share a limit, and production has already used its burst.
    let mut refused = production.send(goals(0)).await;
    for _ in 0..MAX_ATTEMPTS {
        if refused.status == 429 {
            break;
        }
        refused = production.send(goals(0)).await;
    }
    assert_retry_after(&refused);
    // The REST API has no such limit.
    for _ in 0..MAX_ATTEMPTS / 10 {
        server.read_only().get("/api/v1/me").await.ok(200);
    }
}

#[apply(on_default_database)]
async fn the_rate_limit_of_one_address_behind_a_trusted_proxy_does_not_affect_another(database: Database) {
    let server = Server::start_with(&database, behind_a_proxy(one_per_second())).await;
    let staging = server.browser("staging");
    send_until_rejected(&staging, |_| load_from(&staging, "203.0.113.9")).await;
    for _ in 0..BURST {
        staging.send(load_from(&staging, "203.0.113.10")).await.ok(200);
        staging.send(load_from(&staging, "2001:db8::1")).await.ok(200);
    }
    // A client can't change its address by sending `X-Forwarded-For` itself.
    send_until_rejected(&staging, |number| load_from(&staging, &format!("192.0.2.{number}, 203.0.113.11"))).await;
}

#[apply(on_default_database)]
async fn addresses_of_one_ipv6_network_of_64_bits_share_a_limit(database: Database) {
    let server = Server::start_with(&database, behind_a_proxy(one_per_second())).await;
    let staging = server.browser("staging");
    send_until_rejected(&staging, |number| load_from(&staging, &format!("2001:db8:0:1:{number:x}::1"))).await;
    staging.send(load_from(&staging, "2001:db8:0:2::1")).await.ok(200);
}

#[apply(on_default_database)]
async fn x_forwarded_for_is_read_from_the_right_whatever_a_client_writes_before_it(database: Database) {
    let server = Server::start_with(&database, behind_a_proxy(one_per_second())).await;
    let staging = server.browser("staging");
    // The proxy appends the client's address to what the client has sent.
    let forged = |number: u32| format!("nonsense-{number}, 192.0.2.{number}, 203.0.113.9, 127.0.0.2");
    send_until_rejected(&staging, |number| load_from(&staging, &forged(number))).await;
    staging.send(load_from(&staging, "nonsense, 203.0.113.10, 127.0.0.2")).await.ok(200);
}

#[apply(on_default_database)]
async fn x_forwarded_for_is_ignored_unless_a_trusted_proxy_sends_it(database: Database) {
    let settings = Settings { limits: one_per_second(), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let staging = server.browser("staging");
    send_until_rejected(&staging, |number| load_from(&staging, &format!("203.0.113.{number}"))).await;
}

/// Returns a function that builds requests for a stream of Alice.
async fn stream(browser: &Browser) -> impl Fn(&str) -> RequestBuilder {
    let loaded = browser.load_id("alice").await;
    let path = format!("/stream?token={}&since={}", loaded.token, loaded.since);
    let browser = browser.clone();
    move |address| browser.request(Method::GET, &path).header("x-forwarded-for", address)
}

async fn open(request: RequestBuilder) -> Response {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response
}

/// Retries until the stream is accepted: the server notices a closed connection with a short delay.
async fn open_soon(request: impl Fn() -> RequestBuilder) -> Response {
    let opened = async {
        loop {
            let response = request().send().await.unwrap();
            if response.status() == 200 {
                return response;
            }
            assert_eq!(response.status(), 429);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, opened).await.expect("a free stream")
}

#[apply(on_default_database)]
async fn streams_over_the_limit_of_a_key_are_rejected_and_closing_one_allows_another(database: Database) {
    let limits = ClientLimits { streams_per_key: 2, ..ClientLimits::default() };
    let server = Server::start_with(&database, behind_a_proxy(limits)).await;
    let (staging, production) = (server.browser("staging"), server.browser("production"));
    let (of_staging, of_production) = (stream(&staging).await, stream(&production).await);
    let first = open(of_staging("203.0.113.1")).await;
    let _second = open(of_staging("203.0.113.2")).await;
    assert_retry_after(&staging.send(of_staging("203.0.113.3")).await);
    let _other = open(of_production("203.0.113.1")).await;
    drop(first);
    let _third = open_soon(|| of_staging("203.0.113.3")).await;
    assert_retry_after(&staging.send(of_staging("203.0.113.4")).await);
}

#[apply(on_default_database)]
async fn streams_over_the_limit_of_an_address_are_rejected_and_do_not_affect_another_address(database: Database) {
    let limits = ClientLimits { streams_per_address: 2, ..ClientLimits::default() };
    let server = Server::start_with(&database, behind_a_proxy(limits)).await;
    let (staging, production) = (server.browser("staging"), server.browser("production"));
    let (of_staging, of_production) = (stream(&staging).await, stream(&production).await);
    let first = open(of_staging("203.0.113.1")).await;
    let _second = open(of_production("203.0.113.1")).await;
    assert_retry_after(&staging.send(of_staging("203.0.113.1")).await);
    let _other = open(of_staging("203.0.113.2")).await;
    drop(first);
    let _third = open_soon(|| of_production("203.0.113.1")).await;
}

#[apply(on_each_database)]
async fn opening_a_stream_counts_towards_the_rate_limit_like_a_load(database: Database) {
    // So many loads take less time than until as many are allowed again.
    const BURST: u32 = 60;
    let limits = ClientLimits { burst: NonZeroU32::new(BURST).unwrap(), ..one_per_second() };
    let server = Server::start_with(&database, behind_a_proxy(limits)).await;
    let staging = server.browser("staging");
    let stream = stream(&staging).await;
    for _ in 0..BURST {
        open(stream("203.0.113.9")).await;
    }
    let mut refused = None;
    for _ in 0..MAX_ATTEMPTS {
        let response = stream("203.0.113.9").send().await.unwrap();
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    assert!(refused.expect("a rejection").headers().contains_key("retry-after"));
    // Loads from the same address are rejected too, but not streams from another.
    assert_rejected_within(BURST, &staging, "203.0.113.9").await;
    open(stream("203.0.113.10")).await;
}

/// Asserts that the burst of this address is used up: one of so many loads is rejected.
async fn assert_rejected_within(burst: u32, browser: &Browser, address: &str) {
    for _ in 0..burst {
        let response = browser.send(load_from(browser, address)).await;
        if response.status == 429 {
            return assert_retry_after(&response);
        }
    }
    panic!("{burst} loads passed");
}
