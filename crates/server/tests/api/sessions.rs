//! `/ui/session`: signing in with a personal access token, and the end of a session. `every_route_is_guarded` tests all routes.

use flagservice_rules::Instant;
use flagservice_server::domain::role::Role;
use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Caller, NOW, Server, on_default_database, on_each_database, on_postgres, outbound, targeting_of};

const SESSION: &str = "/ui/session";
const ME: &str = "/api/v1/me";
const HOUR: i64 = 60 * 60 * 1000;

#[apply(on_default_database)]
async fn signing_in_returns_the_person_and_sets_an_http_only_cookie(database: Database) {
    let server = Server::start(&database).await;
    let token = server.token(Role::Editor, None).await;
    let anonymous = server.anonymous();
    let response = anonymous.post(SESSION, &json!({ "token": token })).await;
    let signed_in = response.ok(201);
    assert_eq!((&signed_in["user"]["name"], &signed_in["user"]["role"]), (&json!("Edda Okafor"), &json!("editor")));
    assert_eq!(signed_in["organisation"]["name"], "Acme");
    assert!(signed_in["organisation"]["id"].is_string());
    assert_eq!(signed_in["expiresAt"], "2026-11-21T22:00:00Z");
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let cookie = response.header("set-cookie").unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert!(pair.starts_with("flagservice-session=") && pair.len() > 40, "{pair}");
    assert_eq!(attributes, "Path=/ui; Max-Age=43200; HttpOnly; SameSite=Strict");

    let session = Caller::from_session(&anonymous, &response);
    assert_eq!(session.get(SESSION).await.ok(200), signed_in);
    assert_eq!(session.get(ME).await.ok(200)["name"], "Edda Okafor");
    let (text, csrf_token) = (pair.split_once('=').unwrap().1, signed_in["csrfToken"].as_str().unwrap());
    let stored = server.stored_rows().await;
    assert_eq!(stored.count("sessions"), 1);
    for secret in [text, csrf_token, token.as_str()] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
}

#[apply(on_default_database)]
async fn with_an_https_public_url_the_cookie_belongs_to_this_host_alone(database: Database) {
    let server = Server::start_with_destinations(&database, outbound("http://us.example", "http://eu.example")).await;
    let token = server.token(Role::Editor, None).await;
    let anonymous = server.anonymous();
    let from = |origin: &str| {
        anonymous.request(Method::POST, SESSION).header("origin", origin).json(&json!({ "token": token }))
    };
    let response = anonymous.send(from("https://flags.example")).await;
    let (pair, attributes) = response.header("set-cookie").unwrap().split_once("; ").unwrap();
    let text = pair.strip_prefix("__Host-flagservice-session=").unwrap();
    assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure");
    let with = |cookie: String| anonymous.request(Method::GET, SESSION).header("cookie", cookie);
    anonymous.send(with(pair.to_owned())).await.ok(200);
    // Anyone on the way could have set one without the prefix.
    anonymous.send(with(format!("flagservice-session={text}"))).await.problem(401, "unauthenticated");
    let plain = format!("http://{}", server.socket_address());
    anonymous.send(from(&plain)).await.problem(403, "other-origin");
}

#[apply(on_default_database)]
async fn two_session_cookies_are_refused(database: Database) {
    let server = Server::start(&database).await;
    let session = server.editor().sign_in().await;
    let anonymous = server.anonymous();
    let planted = server.administrator().sign_in().await;
    for cookies in [
        format!("{}; {}", session.cookie(), planted.cookie()),
        format!("{}; theme=dark; {}", planted.cookie(), session.cookie()),
        format!("{0}; {0}", session.cookie()),
    ] {
        let refused = anonymous.send(anonymous.request(Method::GET, SESSION).header("cookie", &cookies)).await;
        let problem = refused.problem(401, "unauthenticated");
        assert!(problem["detail"].as_str().unwrap().contains("two session cookies"), "{problem}");
    }
    session.get(SESSION).await.ok(200);
}

#[apply(on_default_database)]
async fn an_invalid_token_cannot_sign_in(database: Database) {
    let server = Server::start(&database).await;
    let anonymous = server.anonymous();
    let expired = server.token(Role::Editor, Some(NOW)).await;
    let client_key = &database.credentials().client_keys["staging"];
    for token in ["api-unknown", "", client_key.as_str(), expired.as_str()] {
        let refused = anonymous.post(SESSION, &json!({ "token": token })).await;
        refused.problem(401, "unauthenticated");
        assert_eq!(refused.header("set-cookie"), None);
    }
    for body in [json!({}), json!({ "token": 1 }), json!({ "token": "api-x", "user": "y" })] {
        anonymous.post(SESSION, &body).await.problem(422, "invalid");
    }
    anonymous.get(SESSION).await.problem(401, "unauthenticated");
    anonymous.delete(SESSION).await.problem(401, "unauthenticated");
    assert_eq!(server.stored_rows().await.count("sessions"), 0);
}

#[apply(on_default_database)]
async fn too_many_sign_in_attempts_are_rate_limited(database: Database) {
    let server = Server::start(&database).await;
    let anonymous = server.anonymous();
    let mut refused = None;
    for _ in 0..200 {
        let response = anonymous.post(SESSION, &json!({ "token": "api-guess" })).await;
        if response.status != 401 {
            refused = Some(response);
            break;
        }
    }
    let refused = refused.expect("a rejection after 200 attempts");
    refused.problem(429, "too-many-requests");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
}

#[apply(on_default_database)]
async fn other_origins_can_neither_sign_in_nor_out(database: Database) {
    let server = Server::start(&database).await;
    let token = server.token(Role::Administrator, None).await;
    let session = server.administrator().sign_in().await;
    let own = format!("http://{}", server.socket_address());
    for (name, value) in [
        ("origin", "https://elsewhere.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "none"),
    ] {
        let sign_in = session.request(Method::POST, SESSION).header(name, value).json(&json!({ "token": token }));
        let refused = session.send(sign_in).await;
        refused.problem(403, "other-origin");
        assert!(
            refused.headers.keys().all(|name| !name.as_str().starts_with("access-control")),
            "{:?}",
            refused.headers
        );
        let sign_out = session.request(Method::DELETE, SESSION).header(name, value);
        session.send(sign_out).await.problem(403, "other-origin");
    }
    for (name, value) in [("origin", own.as_str()), ("sec-fetch-site", "same-origin")] {
        let sign_in = session.request(Method::POST, SESSION).header(name, value).json(&json!({ "token": token }));
        session.send(sign_in).await.ok(201);
        let write = session.request(Method::PATCH, &targeting_of("reviews", "staging")).header(name, value);
        session.send(write.json(&json!({ "enabled": false }))).await.ok(200);
    }
    // A URL typed into the address bar.
    session.send(session.request(Method::GET, ME).header("sec-fetch-site", "none")).await.ok(200);
}

#[apply(on_default_database)]
async fn a_write_needs_the_csrf_token_of_its_session(database: Database) {
    let server = Server::start(&database).await;
    let session = server.administrator().sign_in().await;
    let others = server.editor().sign_in().await.get(SESSION).await.ok(200);
    let path = targeting_of("reviews", "staging");
    let before = server.stored_rows().await;
    for csrf_token in ["", "x", others["csrfToken"].as_str().unwrap()] {
        let refused = session.with_csrf_token(csrf_token).patch(&path, &json!({ "enabled": false })).await;
        let problem = refused.problem(403, "csrf");
        assert!(problem["detail"].as_str().unwrap().contains("X-CSRF-Token"), "{problem}");
        session.with_csrf_token(csrf_token).delete(SESSION).await.problem(403, "csrf");
    }
    server.assert_unchanged_since(&before).await;
    session.patch(&path, &json!({ "enabled": false })).await.ok(200);
}

#[apply(on_each_database)]
async fn signing_out_ends_the_session_and_removes_the_cookie(database: Database) {
    let server = Server::start(&database).await;
    let (session, other) = (server.editor().sign_in().await, server.editor().sign_in().await);
    for _ in 0..2 {
        let response = session.delete(SESSION).await;
        response.ok(204);
        let cookie = response.header("set-cookie").unwrap();
        assert!(cookie.starts_with("flagservice-session=; Path=/ui; Max-Age=0;"), "{cookie}");
    }
    session.get(SESSION).await.problem(401, "unauthenticated");
    session.get(ME).await.problem(401, "unauthenticated");
    other.get(ME).await.ok(200);
}

#[apply(on_default_database)]
async fn a_session_ends_after_twelve_hours_or_when_its_token_expires(database: Database) {
    let server = Server::start(&database).await;
    let long = server.editor().sign_in().await;
    let token = server.token(Role::Editor, Some(Instant(NOW.0 + HOUR))).await;
    let short = server.caller(Some(&token)).sign_in().await;
    assert_eq!(short.get(SESSION).await.ok(200)["expiresAt"], "2026-11-21T11:00:00Z");
    for (after, short_counts, long_counts) in
        [(HOUR - 1, true, true), (HOUR, false, true), (12 * HOUR - 1, false, true), (12 * HOUR, false, false)]
    {
        server.clock.set(Instant(NOW.0 + after));
        for (session, counts) in [(&short, short_counts), (&long, long_counts)] {
            let response = session.get(ME).await;
            if counts { drop(response.ok(200)) } else { drop(response.problem(401, "unauthenticated")) }
        }
    }
    // The next sign-in deletes expired sessions.
    server.editor().sign_in().await;
    assert_eq!(server.stored_rows().await.count("sessions"), 1);
}

#[apply(on_default_database)]
async fn a_session_ends_when_its_token_is_revoked_or_its_person_is_removed(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let of = |id: &Value| format!("/api/v1/users/{}", id.as_str().unwrap());

    let token = administrator.post("/api/v1/tokens", &json!({ "name": "Pages" })).await.ok(201);
    let session = server.caller(token["token"].as_str()).sign_in().await;
    session.get(ME).await.ok(200);
    administrator.delete(&format!("/api/v1/tokens/{}", token["id"].as_str().unwrap())).await.ok(204);
    session.get(ME).await.problem(401, "unauthenticated");

    let leaver = server.colleague("Lea Ver", Role::ProductionEditor).await.sign_in().await;
    let id = leaver.get(ME).await.ok(200)["id"].clone();
    // A role change applies at once.
    administrator.patch(&of(&id), &json!({ "role": "readOnly" })).await.ok(200);
    leaver.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.problem(403, "forbidden");
    administrator.delete(&of(&id)).await.ok(204);
    leaver.get(ME).await.problem(401, "unauthenticated");
    leaver.get(SESSION).await.problem(401, "unauthenticated");
}

#[apply(on_postgres)]
async fn a_session_is_valid_on_every_node_until_one_of_them_ends_it(database: Database) {
    let one = Server::start(&database).await;
    let other = Server::start_with(&database, Settings::default()).await;
    let session = one.editor().sign_in().await;
    let elsewhere = session.at(&format!("http://{}", other.socket_address()));
    elsewhere.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    elsewhere.delete(SESSION).await.ok(204);
    session.get(ME).await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn actions_in_a_session_are_in_the_audit_log_with_the_persons_name(database: Database) {
    let server = Server::start(&database).await;
    let session = server.editor().sign_in().await;
    server.clock.set(Instant(NOW.0 + 1));
    session.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let entry = server.administrator().get("/api/v1/audit-log?limit=1").await.items().remove(0);
    assert_eq!(entry["userName"], "Edda Okafor", "{entry}");
    assert_eq!(session.get(ME).await.header("cache-control"), Some("no-store"));
}
