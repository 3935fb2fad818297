//! Single sign-on: who is signed in, with which role, and for how long. `tests/identity` does the same in a browser with a real provider.

mod answers;
mod outages;
mod people;

use std::num::NonZeroU32;

use flagservice_server::domain::role::Role;
use flagservice_server::http::Settings;
use governor::Quota;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use url::Url;

use crate::fixture::{
    CLIENT_SECRET, IdentityProvider, Server, Visitor, assert_refused, at, on_default_database, on_each_database,
    outbound, session_of,
};

const USERS: &str = "/api/v1/users";
const SESSION: &str = "/ui/session";

/// Signs in as the person of the provider.
async fn sign_in(server: &Server, provider: &IdentityProvider) -> crate::fixture::Caller {
    session_of(server, &Visitor::of(server).sign_in(provider).await).await
}

/// The entries of the audit log about a person, newest first.
async fn audit_log(server: &Server, id: &str) -> Vec<Value> {
    let resource = format!("users/{id}");
    let entries = server.administrator().get("/api/v1/audit-log?limit=200").await.items();
    entries.into_iter().filter(|entry| entry["resource"] == resource.as_str()).collect()
}

#[apply(on_default_database)]
async fn a_person_who_signs_in_for_the_first_time_is_added_with_the_role_of_the_claim(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    let secrets = [visitor.cookie.split_once('=').unwrap().1.to_owned(), begun.parameter("nonce"), begun.state()];
    let code = provider.code_for(&begun.url);
    let response = visitor.come_back(&[("code", &code), ("state", &begun.state())]).await;
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert_eq!(response.header("referrer-policy"), Some("no-referrer"));

    let session = session_of(&server, &response).await;
    let signed_in = session.get(SESSION).await.ok(200);
    assert_eq!((&signed_in["user"]["name"], &signed_in["user"]["role"]), (&json!("Edda Okafor"), &json!("editor")));
    assert_eq!(signed_in["expiresAt"], "2026-11-21T22:00:00Z");
    let id = signed_in["user"]["id"].as_str().unwrap();
    let person = server.read_only().get(&format!("{USERS}/{id}")).await.ok(200);
    assert_eq!(person["identity"], json!({ "email": "edda@acme.example" }));
    let entry = &audit_log(&server, id).await[0];
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("user.create"), &json!("Edda Okafor")));
    assert_eq!(entry["after"], json!({ "name": "Edda Okafor", "role": "editor", "issuer": provider.issuer() }));

    let stored = server.stored_rows().await;
    assert_eq!((stored.count("sessions"), stored.count("identities")), (1, 1));
    let cookie = session.cookie().split_once('=').unwrap().1;
    for secret in [cookie, &code, CLIENT_SECRET].into_iter().chain(secrets.iter().map(String::as_str)) {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
}

#[apply(on_default_database)]
async fn a_sign_in_asks_for_a_code_with_pkce_state_and_nonce(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let (first, second) = (Visitor::of(&server).begin("/").await, Visitor::of(&server).begin("/").await);
    assert!(first.url.as_str().starts_with(&format!("{}/authorize?", provider.issuer())), "{}", first.url);
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "flags"),
        ("scope", "openid profile email"),
        ("code_challenge_method", "S256"),
        ("redirect_uri", "http://127.0.0.1:7300/ui/single-sign-on/callback"),
    ] {
        assert_eq!(first.parameter(name), value);
    }
    // 256 random bits, of which base64 makes 43 characters.
    for name in ["state", "nonce", "code_challenge"] {
        assert_eq!(first.parameter(name).len(), 43, "{name}");
        assert_ne!(first.parameter(name), second.parameter(name), "{name}");
    }
    let (pair, attributes) = first.set_cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "Path=/ui/single-sign-on; Max-Age=900; HttpOnly; SameSite=Lax");
    assert!(pair.starts_with("flagservice-sign-in=") && !pair.contains(&first.state()), "{pair}");
}

#[apply(on_default_database)]
async fn with_an_https_public_url_both_cookies_belong_to_this_host_alone(database: Database) {
    let provider = IdentityProvider::start().await;
    let outbound = outbound("http://us.example", "http://eu.example");
    let server = Server::start_with_all(&database, provider.settings(), outbound).await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/users").await;
    assert!(begun.set_cookie.starts_with("__Host-flagservice-sign-in="), "{}", begun.set_cookie);
    assert!(
        begun.set_cookie.ends_with("; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure"),
        "{}",
        begun.set_cookie
    );
    let code = provider.code_for(&begun.url);
    let response = visitor.come_back(&[("code", &code), ("state", &begun.state())]).await;
    let cookies: Vec<_> = response.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap()).collect();
    assert_eq!(cookies[0], "__Host-flagservice-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
    assert!(cookies[1].starts_with("__Host-flagservice-session=session-"), "{cookies:?}");
    assert!(cookies[1].ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"), "{cookies:?}");
}

#[apply(on_each_database)]
async fn the_session_ends_with_its_time_and_by_signing_out_which_leads_to_the_provider(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let (session, other) = (sign_in(&server, &provider).await, sign_in(&server, &provider).await);
    let signed_out = session.delete(SESSION).await;
    let url: Url = signed_out.ok(200)["continueAt"].as_str().unwrap().parse().unwrap();
    assert!(signed_out.header("set-cookie").unwrap().starts_with("flagservice-session=; "));
    assert!(url.as_str().starts_with(&format!("{}/end?", provider.issuer())), "{url}");
    let query: Vec<_> = url.query_pairs().into_owned().collect();
    let expected = [("client_id", "flags"), ("post_logout_redirect_uri", "http://127.0.0.1:7300/sign-in")];
    assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    session.get("/api/v1/me").await.problem(401, "unauthenticated");

    other.get("/api/v1/me").await.ok(200);
    server.clock.set(at("2026-11-21T22:00:00Z"));
    other.get("/api/v1/me").await.problem(401, "unauthenticated");

    // The end of a session of a token does not lead to the provider.
    let session = server.editor().sign_in().await;
    assert_eq!(session.delete(SESSION).await.ok(204), Value::Null);
}

#[apply(on_each_database)]
async fn a_sign_in_returns_to_a_page_of_this_service_and_to_no_other(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    for (from, to) in [
        ("/projects/shop/features?search=a%20b#top", "/projects/shop/features?search=a%20b#top"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("/.//evil.example/", "/"),
    ] {
        let mut visitor = Visitor::of(&server);
        let begun = visitor.begin(from).await;
        let code = provider.code_for(&begun.url);
        let response = visitor.come_back(&[("code", &code), ("state", &begun.state())]).await;
        assert_eq!(response.header("location"), Some(to), "{from}");
    }
}

#[apply(on_default_database)]
async fn without_a_provider_there_is_no_single_sign_on(database: Database) {
    let server = Server::start(&database).await;
    for path in ["/ui/single-sign-on", "/ui/single-sign-on/callback?code=a&state=b"] {
        Visitor::of(&server).open(path).await.problem(404, "not-found");
    }
    let page = Visitor::of(&server).page("/sign-in").await;
    assert!(!page.contains("__SINGLE_SIGN_ON__") && !page.contains("roleClaim"), "{page}");
}

#[apply(on_each_database)]
async fn sign_ins_with_the_provider_are_rate_limited_like_those_with_a_token(database: Database) {
    let provider = IdentityProvider::start().await;
    // No further attempt is allowed while the test runs.
    let sign_ins = Quota::per_hour(NonZeroU32::MIN);
    let server = Server::start_with(&database, Settings { sign_ins, ..provider.settings() }).await;
    let mut visitor = Visitor::of(&server);
    let begun = visitor.begin("/").await;
    let code = provider.code_for(&begun.url);
    assert_refused(&visitor.open("/ui/single-sign-on").await, "too-many-attempts");
    let asked = provider.requests();
    let refused = visitor.come_back(&[("code", &code), ("state", &begun.state())]).await;
    assert_refused(&refused, "too-many-attempts");
    assert_eq!(provider.requests(), asked);
    server.anonymous().post(SESSION, &json!({ "token": "api-guess" })).await.problem(429, "too-many-requests");
}

#[apply(on_default_database)]
async fn who_signs_in_with_a_token_still_can(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    for role in [Role::ReadOnly, Role::Administrator] {
        server.person(role).sign_in().await.get("/api/v1/me").await.ok(200);
    }
    assert_eq!(provider.requests(), Vec::<String>::new());
}

#[apply(on_default_database)]
async fn the_sign_in_page_has_the_name_of_the_provider_whatever_it_contains(database: Database) {
    let provider = IdentityProvider::start().await;
    let mut settings = provider.provider_settings();
    settings.name = "<b>\"Acme\" & 'Co'".to_owned();
    let settings = Settings { identity_provider: Some(settings), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let page = Visitor::of(&server).page("/sign-in").await;
    if page.contains("not in this build") {
        return;
    }
    let content = "{&quot;name&quot;:&quot;&lt;b&gt;\\&quot;Acme\\&quot; &amp; 'Co'&quot;,&quot;roleClaim&quot;:&quot;roles&quot;";
    assert!(page.contains(content), "{page}");
}
