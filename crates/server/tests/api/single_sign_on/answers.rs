//! Answers that do not come from the provider, not for this browser, or not for this service: nobody is signed in.

use std::time::Duration;

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::json;

use super::sign_in;
use crate::fixture::{IdentityProvider, NOW, Server, Visitor, assert_refused, on_default_database};

#[apply(on_default_database)]
async fn an_answer_is_refused_without_the_state_of_this_browser(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let before = server.stored_rows().await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let (code, state) = (provider.code_for(&begun.url), begun.state());
    let mut other = Visitor::of(&server);
    let foreign = other.begin("/users").await.state();
    for query in [
        vec![("code", code.as_str())],
        vec![("code", &code), ("state", "")],
        vec![("code", &code), ("state", "forged")],
        vec![("code", &code), ("state", &foreign)],
        vec![("code", &code), ("state", &state), ("state", &state)],
        vec![],
    ] {
        assert_refused(&visitor.come_back(&query).await, "expired");
    }
    // The right state in another browser, in one without a cookie, and with a cookie that was changed or is there twice.
    let right = [("code", code.as_str()), ("state", state.as_str())];
    assert_refused(&other.come_back(&right).await, "expired");
    let cookie = visitor.cookie.clone();
    for wrong in [String::new(), format!("{}x", &cookie[..cookie.len() - 1]), format!("{cookie}; {cookie}")] {
        visitor.cookie = wrong;
        assert_refused(&visitor.come_back(&right).await, "expired");
    }
    assert!(!provider.requests().contains(&"token".to_owned()));
    server.assert_unchanged_since(&before).await;
    visitor.cookie = cookie;
    assert_eq!(visitor.come_back(&right).await.header("location"), Some("/users"));
}

#[apply(on_default_database)]
async fn a_code_works_once_and_for_the_sign_in_that_asked_for_it(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let (code, state) = (provider.code_for(&begun.url), begun.state());
    let answer = [("code", code.as_str()), ("state", state.as_str())];
    assert_eq!(visitor.come_back(&answer).await.header("location"), Some("/users"));
    let before = server.stored_rows().await;
    // The cookie was deleted; somebody may have kept it.
    assert_refused(&visitor.come_back(&answer).await, "refused");
    // A code that was stolen from somebody else's sign-in: the verifier does not fit.
    let stolen = provider.code_for(&Visitor::of(&server).begin("/users").await.url);
    let begun = visitor.begin("/users").await;
    assert_refused(&visitor.come_back(&[("code", &stolen), ("state", &begun.state())]).await, "refused");
    assert_refused(&visitor.come_back(&[("state", &begun.state())]).await, "refused");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_answer_that_comes_too_late_is_refused(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let code = provider.code_for(&begun.url);
    server.clock.set(Instant(NOW.0 + 15 * 60 * 1000));
    assert_refused(&visitor.come_back(&[("code", &code), ("state", &begun.state())]).await, "expired");
}

#[apply(on_default_database)]
async fn an_id_token_is_refused_that_is_not_for_this_sign_in(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let before = server.stored_rows().await;
    let now = NOW.0 / 1000;
    for claims in [
        json!({ "nonce": "another" }),
        json!({ "nonce": null }),
        json!({ "aud": "another-service" }),
        json!({ "aud": ["flags", "another-service"] }),
        json!({ "aud": [] }),
        json!({ "iss": "https://login.example" }),
        json!({ "iss": format!("{}/", provider.issuer()) }),
        json!({ "exp": now }),
        json!({ "exp": now - 3600 }),
        json!({ "exp": null }),
        json!({ "sub": "" }),
        json!({ "sub": " " }),
        json!({ "sub": "edda\u{0}" }),
        json!({ "sub": "e".repeat(256) }),
    ] {
        provider.say(claims.clone());
        let response = Visitor::of(&server).sign_in(&provider).await;
        // A token without its required claims cannot be read at all.
        let required = ["exp", "aud"].iter().any(|name| claims.get(name).is_some_and(serde_json::Value::is_null));
        assert_refused(&response, if required { "unreachable" } else { "invalid" });
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_id_token_is_refused_that_no_key_of_the_provider_has_signed(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let before = server.stored_rows().await;
    provider.change_key("first", false);
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "invalid");
    provider.change_key("unknown", false);
    server.clock.set(server.app.clock.after(Duration::from_secs(60)));
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "invalid");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_new_key_of_the_provider_is_read_when_it_is_needed_but_not_all_the_time(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let count = |name: &str| provider.requests().iter().filter(|request| *request == name).count();
    sign_in(&server, &provider).await;
    provider.change_key("second", true);
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "invalid");
    assert_eq!(count("keys"), 1);
    server.clock.set(server.app.clock.after(Duration::from_secs(30)));
    sign_in(&server, &provider).await;
    assert_eq!(count("keys"), 2);
}

#[apply(on_default_database)]
async fn what_the_provider_says_of_another_person_is_refused(database: Database) {
    let provider = IdentityProvider::start().await;
    provider.say(json!({ "roles": null }));
    provider.say_when_asked(json!({ "sub": "somebody-else", "roles": ["administrator"] }));
    let server = Server::start_with(&database, provider.settings()).await;
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "invalid");
}

#[apply(on_default_database)]
async fn errors_of_the_provider_are_passed_on_as_a_reason(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    for (parameters, reason) in [
        (vec![("error", "access_denied"), ("error_description", "<b>No</b>")], "cancelled"),
        (vec![("error", "server_error")], "refused"),
        (vec![("error", "server_error"), ("code", "code-0")], "refused"),
        (vec![("iss", "https://login.example"), ("code", "code-0")], "invalid"),
    ] {
        let mut visitor = Visitor::of(&server);
        let state = visitor.begin("/users").await.state();
        let query: Vec<_> = parameters.into_iter().chain([("state", state.as_str())]).collect();
        let response = visitor.come_back(&query).await;
        assert_refused(&response, reason);
        assert!(response.header("location").unwrap().ends_with("&from=%2Fusers"), "{:?}", response.headers);
    }
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let (code, state) = (provider.code_for(&begun.url), begun.state());
    let response = visitor.come_back(&[("code", &code), ("state", &state), ("iss", provider.issuer())]).await;
    assert_eq!(response.header("location"), Some("/users"));
}
