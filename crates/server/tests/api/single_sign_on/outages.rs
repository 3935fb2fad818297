//! A provider that does not answer, or answers what no provider should.

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::get;
use flagservice_server::http::Settings;
use flagservice_server::identity::ProviderSettings;
use macro_rules_attribute::apply;
use tokio::net::TcpListener;

use super::sign_in;
use crate::fixture::{IdentityProvider, Server, Visitor, assert_refused, on_default_database, on_each_database};

/// Settings with a provider at this address.
fn settings_at(address: &str, provider: &IdentityProvider) -> Settings {
    let settings = ProviderSettings { issuer: address.parse().unwrap(), ..provider.provider_settings() };
    Settings { identity_provider: Some(settings), ..Settings::default() }
}

#[apply(on_each_database)]
async fn while_the_provider_is_down_tokens_work_and_when_it_is_back_people_sign_in_again(database: Database) {
    let provider = IdentityProvider::start().await;
    let (address, settings) = (provider.issuer().to_owned(), provider.settings());
    drop(provider);
    let server = Server::start_with(&database, settings).await;
    for _ in 0..2 {
        assert_refused(&Visitor::of(&server).open("/ui/single-sign-on?from=/users").await, "unreachable");
    }
    server.editor().sign_in().await.get("/api/v1/me").await.ok(200);
    let provider = IdentityProvider::start_at(address.trim_start_matches("http://")).await;
    sign_in(&server, &provider).await;

    // It is down again between the person's password and the exchange of the code.
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let code = provider.code_for(&begun.url);
    drop(provider);
    assert_refused(&visitor.come_back(&[("code", &code), ("state", &begun.state())]).await, "unreachable");
    // What it has said of itself is known for a while, so that signing out does not wait for it.
    let session = server.editor().sign_in().await;
    session.delete("/ui/session").await.ok(204);
}

#[apply(on_default_database)]
async fn what_the_provider_says_of_itself_is_read_once_in_ten_minutes_however_many_sign_in(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let visitors: Vec<_> = (0..20).map(|_| Visitor::of(&server)).collect();
    let begun = visitors.iter().map(|visitor| visitor.open("/ui/single-sign-on"));
    for response in futures_util::future::join_all(begun).await {
        response.ok(303);
    }
    assert_eq!(provider.requests(), ["metadata", "keys"]);
    server.clock.set(server.app.clock.after(Duration::from_secs(599)));
    Visitor::of(&server).begin("/").await;
    assert_eq!(provider.requests().len(), 2);
    server.clock.set(server.app.clock.after(Duration::from_secs(1)));
    Visitor::of(&server).begin("/").await;
    assert_eq!(provider.requests().len(), 4);
}

#[apply(on_default_database)]
async fn redirects_large_answers_and_other_issuers_are_not_accepted(database: Database) {
    let provider = IdentityProvider::start().await;
    let elsewhere = format!("{}/.well-known/openid-configuration", provider.issuer());
    let path = "/.well-known/openid-configuration";
    let large = || async { format!("{{\"issuer\": \"{}\"}}", "a".repeat(600 * 1024)) };
    let copied = reqwest::get(&elsewhere).await.unwrap().text().await.unwrap();
    let requests = provider.requests().len();
    for router in [
        Router::new().route(path, get(move || async move { Redirect::temporary(&elsewhere) })),
        Router::new().route(path, get(large)),
        // Another provider's description of itself.
        Router::new().route(path, get(move || async move { copied })),
        Router::new().route(path, get(|| async { "no JSON" })),
        Router::new().route(path, get(|| async { StatusCode::SERVICE_UNAVAILABLE })),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let server = Server::start_with(&database, settings_at(&address, &provider)).await;
        assert_refused(&Visitor::of(&server).open("/ui/single-sign-on").await, "unreachable");
        serving.abort();
        server.stop().await;
    }
    assert_eq!(provider.requests().len(), requests);
}

#[apply(on_default_database)]
async fn a_provider_that_accepts_connections_and_says_nothing_is_given_up_after_five_seconds(database: Database) {
    let provider = IdentityProvider::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = Server::start_with(&database, settings_at(&address, &provider)).await;
    let began = std::time::Instant::now();
    assert_refused(&Visitor::of(&server).open("/ui/single-sign-on").await, "unreachable");
    assert!((4..45).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    drop(listener);
}
