//! A backup of PostgreSQL with its own tools, as docs/backup.md describes it: dump, restore, new epochs, check.

use macro_rules_attribute::apply;
use serde_json::json;
use tokio::process::Command;

use super::run::run;
use crate::fixture::{Server, ServerProcess, on_postgres, targeting_of};

/// Runs a tool of PostgreSQL, which must succeed.
async fn tool(name: &str, arguments: &[&str]) {
    let output = Command::new(name).args(arguments).output().await.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

#[apply(on_postgres)]
async fn a_dump_of_a_running_server_is_restored_and_clients_accept_the_older_values(database: Database) {
    let dump = database.folder().join("flagservice.dump");
    let dump = dump.to_str().unwrap();
    // The parameters of the test's URL are sqlx's own.
    let url = database.url().split('?').next().unwrap();
    let mut server = ServerProcess::start(&database).await;
    let editor = server.production_editor();
    let acknowledged_before = targeting_of("search-suggestions", "staging");
    editor.patch(&acknowledged_before, &json!({ "enabled": false })).await.ok(200);
    let changed_after = targeting_of("search-suggestions", "production");
    // Writes continue during the dump.
    let writing = async {
        for round in 0..20 {
            editor.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": round % 2 == 0 })).await.ok(200);
        }
    };
    let file = format!("--file={dump}");
    let arguments = ["--format=custom", &file, url];
    tokio::join!(tool("pg_dump", &arguments), writing);
    editor.patch(&changed_after, &json!({ "enabled": false })).await.ok(200);
    let seen = server.browser("production").load_id("alice").await;
    assert_eq!(seen.features["search-suggestions"], "off");
    server.stop().await;

    let target = format!("--dbname={url}");
    tool("pg_restore", &["--clean", "--if-exists", &target, dump]).await;
    run(&database, &["renew-epochs"]).await.ok();
    let checked = run(&database, &["check"]).await.ok();
    assert!(checked.contains("3 environments"), "{checked}");

    let server = Server::start(&database).await;
    assert_eq!(server.editor().get(&acknowledged_before).await.ok(200)["enabled"], false);
    assert_eq!(server.editor().get(&changed_after).await.ok(200)["enabled"], true);
    // A stream that resumes from before the restore gets all values.
    let mut stream = server.browser("production").open(&seen).await;
    assert_eq!(stream.put().await["search-suggestions"], "on");
}
