//! A response with 201 has the path of the new resource in `Location`.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::integrations::integration;
use crate::fixture::{
    Receiver, Server, environment, everyone, features, on_default_database, outbound, project, targeting_of,
};

/// Every path that creates a resource, with a body.
fn creations() -> Vec<(String, Value)> {
    let named = json!({ "key": "new", "name": "New" });
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    vec![
        ("/api/v1/users".to_owned(), json!({ "name": "New", "role": "editor" })),
        ("/api/v1/tokens".to_owned(), json!({ "name": "New" })),
        ("/api/v1/projects".to_owned(), named.clone()),
        ("/api/v1/admin/integrations/outbound".to_owned(), integration("US")),
        (project("/environments"), named.clone()),
        (environment("staging", "/client-keys"), json!({ "name": "New" })),
        (environment("staging", "/server-keys"), json!({ "name": "New" })),
        (project("/edge-keys"), json!({ "name": "New" })),
        (
            environment("staging", "/experiments"),
            json!({ "key": "new", "name": "New", "featureKey": "reviews", "goals": [{ "key": "purchase", "role": "primary" }] }),
        ),
        (project("/audiences"), json!({ "key": "new", "name": "New", "conditions": [] })),
        (project("/pipelines"), json!({ "key": "new", "name": "New", "phases": phases })),
        (features(""), named),
    ]
}

#[apply(on_default_database)]
async fn every_creation_has_the_path_of_the_new_resource_also_when_it_is_repeated(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    for (list, body) in creations() {
        let created = administrator.post_once(&list, &list, &body).await;
        let new = created.ok(201);
        let location = created.header("location").unwrap_or_else(|| panic!("Location of {list}")).to_owned();
        assert!(location.starts_with(&format!("{list}/")), "{location}");
        let again = administrator.post_once(&list, &list, &body).await;
        assert_eq!((again.status, again.header("location")), (201, Some(location.as_str())), "{list}");
        // Tokens and keys can't be read, only revoked.
        if list.ends_with("-keys") || list.ends_with("/tokens") {
            administrator.delete(&location).await.ok(204);
            continue;
        }
        let read = administrator.get(&location).await;
        let read = read.ok(200);
        for name in ["id", "key", "name"] {
            assert_eq!(read[name], new[name], "{location}");
        }
    }
}

#[apply(on_default_database)]
async fn signed_in_people_get_paths_of_their_session(database: Database) {
    let server = Server::start(&database).await;
    let signed_in = server.administrator().sign_in().await;
    let created = signed_in.post("/api/v1/users", &json!({ "name": "New", "role": "editor" })).await;
    let id = created.ok(201)["id"].as_str().unwrap().to_owned();
    assert_eq!(created.header("location"), Some(format!("/ui/api/v1/users/{id}").as_str()));
    let token = server.token(flagservice_server::domain::role::Role::Editor, None).await;
    let session = server.anonymous().post("/ui/session", &json!({ "token": token })).await;
    session.ok(201);
    assert_eq!(session.header("location"), Some("/ui/session"));
}

#[apply(on_default_database)]
async fn a_new_comment_is_found_at_its_approval(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, editor) = (server.administrator(), server.editor());
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let change = json!({ "rules": [everyone("on"), everyone("off")] });
    let pending = editor.patch(&targeting_of("reviews", "staging"), &change).await;
    let approval = pending.header("location").unwrap().to_owned();
    pending.ok(202);
    let commented = editor.post(&format!("{approval}/comments"), &json!({ "comment": "Why?" })).await;
    commented.ok(201);
    assert_eq!(commented.header("location"), Some(approval.as_str()));
    assert_eq!(editor.get(&approval).await.ok(200)["comments"][0]["text"], "Why?");
}
