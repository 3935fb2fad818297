//! `edge-key`: edge keys on the command line.

use flagservice_server::secret::hash;
use macro_rules_attribute::apply;
use serde_json::json;

use tokio::process::Command;

use super::run::run;
use crate::fixture::{Database, Server, ServerProcess, on_each_database, project};

/// The line of `edge-key list` that contains a text.
async fn line(database: &Database, text: &str) -> String {
    let listed = run(database, &["edge-key", "list", "shop"]).await.ok();
    listed.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} in {listed}")).to_owned()
}

#[tokio::test]
async fn the_help_of_revoke_says_that_edges_stop_serving_and_how_to_avoid_it() {
    let ran = Command::new(ServerProcess::PROGRAM).args(["edge-key", "revoke", "--help"]).output().await.unwrap();
    let help = String::from_utf8(ran.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for word in ["serve nothing", "at once", "`edge-key rotate` first"] {
        assert!(help.contains(word), "{word} in {help}");
    }
}

#[apply(on_each_database)]
async fn an_edge_key_is_created_listed_rotated_and_revoked(database: Database) {
    let create = ["edge-key", "create", "shop", "Stockholm", "--environment", "production", "--environment", "staging"];
    let old = run(&database, &create).await.ok();
    let old = old.strip_suffix('\n').expect("a line");
    assert!(old.starts_with("edge-") && !old.contains(char::is_whitespace), "{old}");
    let listed = line(&database, "Stockholm").await;
    assert!(listed.contains("staging, production") && listed.contains(&old[old.len() - 4..]), "{listed}");
    assert!(!listed.contains(old), "{listed}");
    let id = listed.split_whitespace().next().unwrap();

    let new = run(&database, &["edge-key", "rotate", "shop", id]).await.ok();
    let new = new.trim();
    assert!(new.starts_with("edge-") && new != old, "{new}");
    let rotated = line(&database, &new[new.len() - 4..]).await;
    assert!(rotated.contains("staging, production") && rotated.ends_with("Stockholm"), "{rotated}");
    assert!(line(&database, id).await.contains(&old[old.len() - 4..]), "the old key is still valid");

    run(&database, &["edge-key", "revoke", "shop", id]).await.ok();
    let server = Server::start(&database).await;
    let keys = server.administrator().get(&project("/edge-keys")).await;
    assert_eq!(keys.column("hint"), [json!(new[new.len() - 4..])]);
    assert!(server.stored_rows().await.contains(&hash(new)));
}

#[apply(on_each_database)]
async fn without_an_environment_an_edge_key_is_for_the_whole_project(database: Database) {
    run(&database, &["edge-key", "create", "shop", "Stockholm"]).await.ok();
    let listed = line(&database, "Stockholm").await;
    assert!(listed.contains("  all  "), "{listed}");
}

#[apply(on_each_database)]
async fn wrong_arguments_of_edge_keys_are_named(database: Database) {
    run(&database, &["edge-key", "create", "none", "Stockholm"]).await.expect_error(&["no project 'none'"]);
    let unknown = ["edge-key", "create", "shop", "Stockholm", "--environment", "none"];
    run(&database, &unknown).await.expect_error(&["no environment 'none'"]);
    let invalid = ["edge-key", "create", "shop", "Stockholm", "--environment", "a b"];
    run(&database, &invalid).await.expect_usage_error(&["a b"]);
    run(&database, &["edge-key", "create", "shop", " "]).await.expect_usage_error(&["NAME"]);
    run(&database, &["edge-key", "list", "none"]).await.expect_error(&["no project 'none'"]);
    for action in ["rotate", "revoke"] {
        run(&database, &["edge-key", action, "shop", "none"]).await.expect_error(&["no edge key 'none'"]);
    }
}
