//! `/api/v1/users`, and `/api/v1/me`.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, features, on_default_database};

const USERS: &str = "/api/v1/users";
const ME: &str = "/api/v1/me";

fn path_of(user: &Value) -> String {
    format!("{USERS}/{}", user["id"].as_str().unwrap())
}

/// The path of the caller's own record.
async fn own_path(caller: &Caller) -> String {
    path_of(&caller.get(ME).await.ok(200))
}

#[apply(on_default_database)]
async fn me_returns_the_caller_and_their_role(database: Database) {
    let server = Server::start(&database).await;
    for (role, name, word) in [
        (Role::Administrator, "Alma Lindqvist", "administrator"),
        (Role::ProductionEditor, "Pablo Reyes", "productionEditor"),
        (Role::Editor, "Edda Okafor", "editor"),
        (Role::ReadOnly, "Ravi Menon", "readOnly"),
    ] {
        let me = server.person(role).get(ME).await.ok(200);
        assert_eq!((&me["name"], &me["role"]), (&json!(name), &json!(word)));
        assert_eq!(server.read_only().get(&path_of(&me)).await.ok(200), me);
    }
}

#[apply(on_default_database)]
async fn administrators_can_add_change_and_remove_people(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let added = administrator.post(USERS, &json!({ "name": "Nora Berg", "role": "readOnly" })).await.ok(201);
    assert_eq!((&added["name"], &added["role"]), (&json!("Nora Berg"), &json!("readOnly")));
    let path = path_of(&added);
    assert!(server.read_only().get(USERS).await.items().contains(&added));

    let mut expected = added.clone();
    for (field, value) in [("name", "Nora Falk"), ("role", "editor")] {
        expected[field] = json!(value);
        assert_eq!(administrator.patch(&path, &json!({ field: value })).await.ok(200), expected);
        assert_eq!(administrator.get(&path).await.ok(200), expected);
    }
    administrator.delete(&path).await.ok(204);
    administrator.get(&path).await.problem(404, "not-found");
    administrator.delete(&path).await.problem(404, "not-found");
    assert_eq!(administrator.get(USERS).await.items().len(), 4);
}

#[apply(on_default_database)]
async fn only_administrators_can_change_people_including_themselves(database: Database) {
    let server = Server::start(&database).await;
    for role in [Role::ReadOnly, Role::Editor, Role::ProductionEditor] {
        let caller = server.person(role);
        let own = own_path(&caller).await;
        let before = server.stored_rows().await;
        caller.post(USERS, &json!({ "name": "Nora", "role": "readOnly" })).await.problem(403, "forbidden");
        caller.patch(&own, &json!({ "role": "administrator" })).await.problem(403, "forbidden");
        caller.delete(&own).await.problem(403, "forbidden");
        server.assert_unchanged_since(&before).await;
    }
}

#[apply(on_default_database)]
async fn the_last_administrator_cannot_be_removed_or_lose_the_role(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let own = own_path(&administrator).await;
    let before = server.stored_rows().await;
    administrator.delete(&own).await.problem(409, "in-use");
    administrator.patch(&own, &json!({ "role": "productionEditor" })).await.problem(409, "in-use");
    server.assert_unchanged_since(&before).await;
    administrator.patch(&own, &json!({ "name": "Alma Berg" })).await.ok(200);

    administrator.post(USERS, &json!({ "name": "Second", "role": "administrator" })).await.ok(201);
    administrator.delete(&own).await.ok(204);
}

#[apply(on_default_database)]
async fn of_two_administrators_who_remove_each_other_one_stays(database: Database) {
    let server = Server::start(&database).await;
    let first = server.administrator();
    let added = first.post(USERS, &json!({ "name": "Second", "role": "administrator" })).await.ok(201);
    let second = server.set_up(&added).await;
    let (of_first, of_second) = (own_path(&first).await, path_of(&added));
    let (one, other) = tokio::join!(first.delete(&of_second), second.delete(&of_first));
    assert!([one.status, other.status].contains(&204) && one.status != other.status, "{one:?} {other:?}");
    let left = server.read_only().get(USERS).await.column("role");
    assert_eq!(left.iter().filter(|role| *role == "administrator").count(), 1);
}

#[apply(on_default_database)]
async fn the_token_of_a_removed_person_stops_working(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let own = own_path(&editor).await;
    // Data that the person created does not prevent their removal.
    editor.post_once(&features(""), "one", &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    server.administrator().delete(&own).await.ok(204);
    editor.get(ME).await.problem(401, "unauthenticated");
    editor.patch(&features("/new-one"), &json!({ "name": "Mine" })).await.problem(401, "unauthenticated");
    assert_eq!(server.read_only().get(&features("/new-one")).await.ok(200)["name"], "New");
}

#[apply(on_default_database)]
async fn an_unknown_role_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let own = own_path(&administrator).await;
    let before = server.stored_rows().await;
    let owner = json!({ "name": "Nora", "role": "owner" });
    assert_eq!(administrator.post(USERS, &owner).await.pointers(), ["/role"]);
    assert_eq!(administrator.patch(&own, &json!({ "role": "owner" })).await.pointers(), ["/role"]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn the_people_of_another_organisation_are_not_found(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    let editor = own_path(&server.editor()).await;
    let before = server.stored_rows().await;
    outsider.get(&editor).await.problem(404, "not-found");
    outsider.patch(&editor, &json!({ "role": "readOnly" })).await.problem(404, "not-found");
    outsider.delete(&editor).await.problem(404, "not-found");
    assert_eq!(outsider.get(USERS).await.column("name"), ["Elsa Where"]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn changing_a_person_with_an_old_etag_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let path = own_path(&server.editor()).await;
    let seen = administrator.get(&path).await.etag();
    let changed = administrator.patch_if(&path, &seen, &json!({ "name": "Edda Berg" })).await;
    changed.ok(200);
    administrator.patch_if(&path, &seen, &json!({ "role": "readOnly" })).await.assert_stale(&seen, &changed.etag());
    assert_eq!(administrator.get(&path).await.ok(200), changed.ok(200));
}

#[apply(on_default_database)]
async fn inviting_a_person_while_they_are_removed_causes_no_server_error(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for _ in 0..5 {
        let added = administrator.post(USERS, &json!({ "name": "Fleeting", "role": "editor" })).await.ok(201);
        let path = path_of(&added);
        let link = format!("{path}/setup-link");
        let invite = || administrator.post(&link, &Value::Null);
        let (deleted, one, two, three) = tokio::join!(administrator.delete(&path), invite(), invite(), invite());
        deleted.ok(204);
        for invited in [one, two, three] {
            match invited.status {
                201 => {
                    let link = invited.ok(201);
                    let secret = link["url"].as_str().unwrap().split_once('#').unwrap().1;
                    let set_up = json!({ "secret": secret, "name": "Laptop" });
                    server.anonymous().post("/ui/set-up", &set_up).await.problem(401, "unauthenticated");
                }
                _ => drop(invited.problem(404, "not-found")),
            }
        }
    }
}
