//! `/api/v1/organisation`: the organisation of the caller.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, on_default_database, on_each_database};

const ORGANISATION: &str = "/api/v1/organisation";

#[apply(on_each_database)]
async fn everybody_can_read_the_organisation_and_administrators_can_rename_it(database: Database) {
    let server = Server::start(&database).await;
    assert_eq!(server.read_only().get(ORGANISATION).await.ok(200), json!({ "name": "Acme" }));
    let new = json!({ "name": "Acme Coffee" });
    let before = server.stored_rows().await;
    server.production_editor().patch(ORGANISATION, &new).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    assert_eq!(server.administrator().patch(ORGANISATION, &new).await.ok(200), new);
    assert_eq!(server.read_only().get(ORGANISATION).await.ok(200), new);
}

#[apply(on_default_database)]
async fn renaming_with_an_old_etag_is_rejected_with_both_versions(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let seen = administrator.get(ORGANISATION).await.etag();
    let renamed = administrator.patch_if(ORGANISATION, &seen, &json!({ "name": "First" })).await;
    renamed.ok(200);
    assert_ne!(renamed.etag(), seen);
    let before = server.stored_rows().await;
    let second = administrator.patch_if(ORGANISATION, &seen, &json!({ "name": "Second" })).await;
    second.assert_stale(&seen, &renamed.etag());
    server.assert_unchanged_since(&before).await;
    administrator.patch_if(ORGANISATION, &renamed.etag(), &json!({ "name": "Second" })).await.ok(200);
}

#[apply(on_each_database)]
async fn without_if_match_the_last_write_wins(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for name in ["First", "Second"] {
        administrator.patch(ORGANISATION, &json!({ "name": name })).await.ok(200);
    }
    assert_eq!(administrator.get(ORGANISATION).await.ok(200)["name"], "Second");
}

#[apply(on_default_database)]
async fn the_organisation_is_determined_by_the_token_only(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    assert_eq!(outsider.get(ORGANISATION).await.ok(200), json!({ "name": "Elsewhere" }));
    outsider.patch(ORGANISATION, &json!({ "name": "Nowhere" })).await.ok(200);
    let before = server.stored_rows().await;
    let other = outsider.patch(ORGANISATION, &json!({ "name": "Mine", "id": "acme" })).await;
    assert_eq!(other.pointers(), ["/id"]);
    server.assert_unchanged_since(&before).await;
    assert_eq!(server.read_only().get(ORGANISATION).await.ok(200), json!({ "name": "Acme" }));
}
