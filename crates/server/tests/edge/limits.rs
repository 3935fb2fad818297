//! The limits for clients of an edge are those of its upstream, unless its operator sets others.

use std::num::NonZeroU32;

use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::{ChosenLimits, ClientLimits};
use macro_rules_attribute::apply;

use crate::fixture::{Browser, Database, Edge, Server, on_default_database};

const LOAD: &str = r#"{"user":{"id":"ada"}}"#;

/// An upstream where an address may load twice at once, and then once a second.
async fn upstream(database: &Database) -> Server {
    let number = |number| NonZeroU32::new(number).unwrap();
    let limits = ClientLimits { requests_per_second: number(1), burst: number(2), ..ClientLimits::default() };
    Server::start_with(database, Settings { limits, ..Settings::default() }).await
}

/// How many of so many loads at once are answered.
async fn answered(browser: &Browser, loads: usize) -> usize {
    let mut answered = 0;
    for _ in 0..loads {
        let response = browser.post_load(LOAD).await;
        assert!([200, 429].contains(&response.status), "{}", response.status);
        answered += usize::from(response.status == 200);
    }
    answered
}

#[apply(on_default_database)]
async fn an_edge_and_an_edge_of_an_edge_have_the_limits_of_their_upstream(database: Database) {
    let server = upstream(&database).await;
    let (edge, second) = Edge::chain(&server).await;
    for edge in [&edge, &second] {
        assert_eq!(edge.service.serving.limits(), server.app.serving.limits());
    }
    // A second or more may pass meanwhile, but 20 do not.
    assert!(answered(&edge.browser(server.client_key("staging")), 20).await < 20);
}

#[apply(on_default_database)]
async fn limits_that_the_operator_of_an_edge_sets_take_precedence(database: Database) {
    let server = upstream(&database).await;
    let limits = ChosenLimits { requests_per_second: NonZeroU32::new(1_000), ..ChosenLimits::default() };
    let edge = Edge::with_limits(&server, limits).await;
    assert_eq!(answered(&edge.browser(server.client_key("staging")), 20).await, 20);
    let (of_edge, of_server) = (edge.service.serving.limits(), server.app.serving.limits());
    assert_eq!((of_edge.requests_per_second.get(), of_edge.burst.get()), (1_000, 10_000));
    assert_eq!(of_edge.goals_per_minute, of_server.goals_per_minute);
}

#[apply(on_default_database)]
async fn an_edge_keeps_the_limits_of_its_upstream_when_it_starts_without_it(database: Database) {
    let server = upstream(&database).await;
    let limits = server.app.serving.limits();
    let edge = Edge::of(&server).await.restart("http://127.0.0.1:1").await;
    assert_eq!(edge.service.serving.limits(), limits);
}
