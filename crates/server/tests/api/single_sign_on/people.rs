//! The people of the claims: they are added, follow the provider, and stay away when they were removed.

use flagservice_server::domain::role::Role;
use flagservice_server::http::Settings;
use flagservice_server::identity::RoleMapping;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{SESSION, USERS, audit_log, sign_in};
use crate::command::run::run;
use crate::fixture::{IdentityProvider, Server, Visitor, assert_refused, on_default_database, on_each_database};

/// The person of the session, as the list of people has them.
async fn person(server: &Server, session: &crate::fixture::Caller) -> Value {
    let id = session.get(SESSION).await.ok(200)["user"]["id"].as_str().unwrap().to_owned();
    server.administrator().get(&format!("{USERS}/{id}")).await.ok(200)
}

#[apply(on_default_database)]
async fn role_name_and_email_follow_the_provider_at_each_sign_in(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let first = sign_in(&server, &provider).await;
    let before = person(&server, &first).await;
    // An administrator can change the role until the next sign-in.
    let path = format!("{USERS}/{}", before["id"].as_str().unwrap());
    server.administrator().patch(&path, &json!({ "role": "administrator" })).await.ok(200);
    assert_eq!(first.get("/api/v1/me").await.ok(200)["role"], "administrator");

    provider.say(json!({ "roles": ["readOnly"], "name": "Edda Byron", "email": "byron@acme.example" }));
    let second = sign_in(&server, &provider).await;
    let expected = json!({
        "id": before["id"], "name": "Edda Byron", "role": "readOnly", "identity": { "email": "byron@acme.example" },
    });
    assert_eq!(person(&server, &second).await, expected);
    // The session that began before has the rights of the person, too.
    assert_eq!(first.get("/api/v1/me").await.ok(200)["role"], "readOnly");
    let change = &audit_log(&server, before["id"].as_str().unwrap()).await[0];
    assert_eq!((&change["action"], &change["before"]["role"]), (&json!("user.update"), &json!("administrator")));
    assert_eq!((&change["after"]["role"], &change["after"]["name"]), (&json!("readOnly"), &json!("Edda Byron")));

    // The same again changes nothing but the sessions.
    let rows = server.stored_rows().await;
    sign_in(&server, &provider).await;
    let differences = rows.differences(&server.stored_rows().await);
    assert!(differences.iter().all(|difference| difference.contains("sessions")), "{differences:?}");
}

#[apply(on_default_database)]
async fn without_a_role_nobody_is_signed_in_or_added(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let before = server.stored_rows().await;
    for roles in [json!(null), json!([]), json!(["viewer", "Administrator"]), json!({ "administrator": true })] {
        provider.say(json!({ "roles": roles }));
        assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-role");
    }
    server.assert_unchanged_since(&before).await;
    // A person who loses the role at the provider gets no new session.
    provider.say(json!({}));
    sign_in(&server, &provider).await;
    provider.say(json!({ "roles": [] }));
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-role");
}

#[apply(on_each_database)]
async fn who_loses_every_role_at_the_provider_loses_it_here(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    provider.say(json!({ "roles": ["administrator"] }));
    let session = sign_in(&server, &provider).await;
    let id = person(&server, &session).await["id"].as_str().unwrap().to_owned();
    let created = session.post("/api/v1/tokens", &json!({ "name": "Script" })).await.ok(201);
    let token = server.caller(created["token"].as_str());
    token.get("/api/v1/me").await.ok(200);

    provider.say(json!({ "roles": [], "name": null }));
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-role");
    session.get("/api/v1/me").await.problem(401, "unauthenticated");
    assert_eq!(token.get("/api/v1/me").await.ok(200)["role"], "readOnly");
    token.post(USERS, &json!({ "name": "Another", "role": "administrator" })).await.problem(403, "forbidden");
    let entries = audit_log(&server, &id).await;
    let state = |role: &str| json!({ "name": "Edda Okafor", "role": role, "issuer": provider.issuer() });
    assert_eq!((&entries[0]["action"], &entries[0]["userId"]), (&json!("user.update"), &json!(id)));
    assert_eq!((&entries[0]["before"], &entries[0]["after"]), (&state("administrator"), &state("readOnly")));
    // The same again changes nothing.
    let before = server.stored_rows().await;
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-role");
    server.assert_unchanged_since(&before).await;

    provider.say(json!({ "roles": ["editor"] }));
    let again = sign_in(&server, &provider).await;
    assert_eq!(again.get("/api/v1/me").await.ok(200)["role"], "editor");
    // A person whom an administrator has removed stays removed.
    server.administrator().delete(&format!("{USERS}/{id}")).await.ok(204);
    let before = server.stored_rows().await;
    provider.say(json!({ "roles": [] }));
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-role");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn roles_come_from_the_claim_that_is_set_in_the_token_or_when_the_provider_is_asked(database: Database) {
    let provider = IdentityProvider::start().await;
    provider.say_when_asked(json!({
        "sub": "edda-1", "name": "Edda Okafor", "realm_access": { "roles": ["staff", "flags-admins"] },
    }));
    let mut settings = provider.provider_settings();
    settings.role_claim = "realm_access.roles".parse().unwrap();
    settings.roles =
        RoleMapping::new(vec![("staff".to_owned(), Role::ReadOnly), ("flags-admins".to_owned(), Role::Administrator)]);
    let settings = Settings { identity_provider: Some(settings), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let asked = sign_in(&server, &provider).await;
    assert_eq!(asked.get("/api/v1/me").await.ok(200)["role"], "administrator");
    assert_eq!(provider.requests(), ["metadata", "keys", "token", "person"]);
    // What the token says counts, and then the provider is not asked.
    provider.say(json!({ "realm_access": { "roles": ["staff"] } }));
    let said = sign_in(&server, &provider).await;
    assert_eq!(said.get("/api/v1/me").await.ok(200)["role"], "readOnly");
    assert_eq!(provider.requests()[4..], ["token"]);
}

#[apply(on_default_database)]
async fn people_of_the_provider_are_known_by_their_subject_alone(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let edda = person(&server, &sign_in(&server, &provider).await).await;
    // Name and email address of somebody else do not make anybody that person.
    provider.say(json!({ "sub": "edda-2" }));
    let other = person(&server, &sign_in(&server, &provider).await).await;
    assert_ne!(edda["id"], other["id"]);
    assert_eq!(edda["name"], other["name"]);
    let alma = server.administrator().get("/api/v1/me").await.ok(200);
    provider.say(json!({ "sub": alma["id"], "name": alma["name"], "roles": ["administrator"] }));
    let namesake = person(&server, &sign_in(&server, &provider).await).await;
    assert_ne!(namesake["id"], alma["id"]);
}

/// With a link, an administrator could act as them.
#[apply(on_each_database)]
async fn who_signs_in_with_the_provider_gets_no_set_up_link(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let administrator = server.administrator();
    let edda = person(&server, &sign_in(&server, &provider).await).await["id"].as_str().unwrap().to_owned();
    let before = server.stored_rows().await;
    let refused = administrator.post(&format!("{USERS}/{edda}/setup-link"), &Value::Null).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("single sign-on"), "{refused}");
    server.assert_unchanged_since(&before).await;

    // Nora has a link, and then an operator lets them sign in with the provider.
    let nora = administrator.post(USERS, &json!({ "name": "Nora", "role": "editor" })).await.ok(201);
    let nora = nora["id"].as_str().unwrap();
    let link = administrator.post(&format!("{USERS}/{nora}/setup-link"), &Value::Null).await.ok(201);
    let secret = link["url"].as_str().unwrap().split_once('#').unwrap().1;
    run(&database, &["user", "link", nora, "--issuer", provider.issuer(), "--subject", "nora-1"]).await.ok();
    let set_up = json!({ "secret": secret, "name": "Laptop" });
    server.anonymous().post("/ui/set-up", &set_up).await.problem(401, "unauthenticated");
    assert_eq!(server.stored_rows().await.count("setup_links"), 0);
}

#[apply(on_default_database)]
async fn who_was_removed_is_refused_until_an_operator_readmits_them(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let session = sign_in(&server, &provider).await;
    let id = person(&server, &session).await["id"].as_str().unwrap().to_owned();
    run(&database, &["user", "readmit", &id]).await.expect_error(&["has not been removed"]);
    server.administrator().delete(&format!("{USERS}/{id}")).await.ok(204);
    session.get("/api/v1/me").await.problem(401, "unauthenticated");
    assert_eq!(server.stored_rows().await.count("sessions"), 0);
    let before = server.stored_rows().await;
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "removed");
    server.assert_unchanged_since(&before).await;

    run(&database, &["user", "readmit", &id]).await.ok();
    let again = person(&server, &sign_in(&server, &provider).await).await;
    assert_ne!(again["id"], id.as_str());
}

#[apply(on_default_database)]
async fn an_operator_links_a_person_who_has_an_account_to_their_subject(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let alma = server.administrator().get("/api/v1/me").await.ok(200);
    let (id, issuer) = (alma["id"].as_str().unwrap(), provider.issuer());
    let link = ["user", "link", id, "--issuer", issuer, "--subject", "edda-1"];
    run(&database, &link).await.ok();
    run(&database, &link).await.expect_error(&["signs in with single sign-on already"]);
    provider.say(json!({ "roles": ["administrator"] }));
    let linked = person(&server, &sign_in(&server, &provider).await).await;
    assert_eq!((&linked["id"], &linked["name"]), (&alma["id"], &json!("Edda Okafor")));
    // The token is that of the same person.
    assert_eq!(server.administrator().get("/api/v1/me").await.ok(200), linked);
    assert!(audit_log(&server, id).await.iter().any(|entry| entry["action"] == "user.link"));

    let taken = server.editor().get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    let link = ["user", "link", &taken, "--issuer", issuer, "--subject", "edda-1"];
    run(&database, &link).await.expect_error(&["has signed in before", id]);
}

#[apply(on_each_database)]
async fn an_erased_person_leaves_neither_subject_nor_email_address(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let (subject, email) = ("zyxquark-7f3a", "zyxquark@acme.example");
    provider.say(json!({ "sub": subject, "email": email, "name": "Zyxquark Person" }));
    for removed_before in [false, true] {
        let session = sign_in(&server, &provider).await;
        let id = person(&server, &session).await["id"].as_str().unwrap().to_owned();
        if removed_before {
            server.administrator().delete(&format!("{USERS}/{id}")).await.ok(204);
        }
        let erased = server.administrator().post("/api/v1/erasures", &json!({ "userId": id })).await.ok(200);
        assert_eq!(erased["removed"]["identities"], 1, "{erased}");
        assert_eq!(erased["removed"]["sessions"], if removed_before { Value::Null } else { json!(1) }, "{erased}");
        let stored = server.stored_rows().await;
        for text in [subject, email, "Zyxquark", &id] {
            assert!(!stored.contains(text), "{text}");
        }
    }
}

#[apply(on_default_database)]
async fn the_provider_can_take_the_role_from_the_last_administrator(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    provider.say(json!({ "roles": ["administrator"] }));
    let session = sign_in(&server, &provider).await;
    let alma = server.administrator().get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    session.delete(&format!("{USERS}/{alma}")).await.ok(204);
    provider.say(json!({ "roles": ["editor"] }));
    sign_in(&server, &provider).await;
    assert_eq!(session.get("/api/v1/me").await.ok(200)["role"], "editor");
    provider.say(json!({ "roles": ["administrator"] }));
    sign_in(&server, &provider).await;
    assert_eq!(session.get("/api/v1/me").await.ok(200)["role"], "administrator");
}

#[apply(on_default_database)]
async fn with_several_organisations_the_one_that_is_set_gets_the_people(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let outsider = server.outsider().await.sign_in().await.get(SESSION).await.ok(200);
    let elsewhere = outsider["organisation"]["id"].as_str().unwrap().to_owned();
    assert_refused(&Visitor::of(&server).sign_in(&provider).await, "no-organisation");
    for (organisation, name) in [(elsewhere.as_str(), Some("Elsewhere")), ("unknown", None)] {
        let mut settings = provider.provider_settings();
        settings.organisation = Some(organisation.to_owned());
        let settings = Settings { identity_provider: Some(settings), ..Settings::default() };
        let node = Server::start_with(&database, settings).await;
        let response = Visitor::of(&node).sign_in(&provider).await;
        match name {
            Some(name) => {
                let session = crate::fixture::session_of(&node, &response).await;
                assert_eq!(session.get(SESSION).await.ok(200)["organisation"]["name"], name);
            }
            None => assert_refused(&response, "no-organisation"),
        }
    }
}
