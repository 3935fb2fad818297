//! `backup` and `restore`: a consistent copy while the server runs, and a restored database whose older values clients accept.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};
use tokio::process::Command;

use super::run::{run, tokens};
use crate::fixture::{Database, Server, ServerProcess, features, on_postgres, on_sqlite, targeting_of};

/// The names of the files in the database's folder.
fn files(database: &Database) -> Vec<String> {
    let names = fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn path(database: &Database, name: &str) -> PathBuf {
    database.folder().join(name)
}

/// Creates a backup.
async fn backup(database: &Database) -> PathBuf {
    let file = path(database, "backup.db");
    run(database, &["backup", file.to_str().unwrap()]).await.ok();
    file
}

async fn restore(database: &Database, file: &Path, more: &[&str]) -> super::run::CommandOutput {
    run(database, &[&["restore", file.to_str().unwrap()], more].concat()).await
}

/// Adds a migration that this release does not know.
const OF_TOMORROW: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (9999, 'of tomorrow', TRUE, x'00', 0)";

/// Executes SQL on a database.
async fn execute(file: &Path, statement: &'static str) {
    let mut connection = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[apply(on_sqlite)]
async fn a_backup_of_a_running_server_contains_everything_acknowledged_before_it(database: Database) {
    let mut server = ServerProcess::start(&database).await;
    let editor = server.production_editor();
    let path_of_it = targeting_of("search-suggestions", "staging");
    editor.patch(&path_of_it, &json!({ "enabled": false })).await.ok(200);
    // Writes continue during the backup.
    let writing = async {
        for round in 0..50 {
            editor.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": round % 2 == 0 })).await.ok(200);
        }
    };
    let file = path(&database, "backup.db");
    let arguments = ["backup", file.to_str().unwrap()];
    let (ran, ()) = tokio::join!(run(&database, &arguments), writing);
    let output = ran.ok();
    assert!(output.contains(&database.key_file().display().to_string()), "the output names the key file: {output}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let bytes = fs::read(&file).unwrap();
    let key = fs::read_to_string(database.key_file()).unwrap();
    for secret in [&[key.trim()][..], &tokens(database.credentials())].concat() {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret} is in the backup");
    }
    server.kill().await;

    restore(&database, &file, &["--replace"]).await.ok();
    run(&database, &["check"]).await.ok();
    let server = Server::start(&database).await;
    assert_eq!(server.editor().get(&path_of_it).await.ok(200)["enabled"], false);
}

#[apply(on_sqlite)]
async fn a_backup_does_not_overwrite_a_file(database: Database) {
    let file = path(&database, "precious");
    fs::write(&file, "precious").unwrap();
    run(&database, &["backup", file.to_str().unwrap()]).await.expect_error(&["precious", "not overwritten"]);
    run(&database, &["backup", database.file().to_str().unwrap()]).await.expect_error(&["not overwritten"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}

#[apply(on_sqlite)]
async fn after_a_restore_clients_accept_the_older_values(database: Database) {
    let file = backup(&database).await;
    let server = Server::start(&database).await;
    server.switch_search_suggestions("production", false).await;
    let (browser, seen) = (server.browser("production"), server.browser("production").load_id("alice").await);
    assert_eq!(seen.features["search-suggestions"], "off");
    server.stop().await;

    let output = restore(&database, &file, &["--replace"]).await.ok();
    assert!(output.contains("3 environments"), "{output}");
    drop(browser);
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    assert_eq!(loaded.features["search-suggestions"], "on");
    assert!(loaded.known_version().version < seen.known_version().version);
    assert_ne!(loaded.known_version().epoch, seen.known_version().epoch);
    let epochs = |loaded: &crate::fixture::Loaded| loaded.known_version().epoch;
    let staging = server.browser("staging").load_id("alice").await;
    assert_ne!(epochs(&staging), epochs(&loaded), "each environment has its own epoch");
    // A stream that resumes from before the restore gets all values.
    let mut stream = server.browser("production").open(&seen).await;
    assert_eq!(stream.put().await["search-suggestions"], "on");
    let log = server.administrator().get("/api/v1/audit-log?limit=1").await;
    assert_eq!(log.column("action"), [json!("organisation.restore")]);
}

#[apply(on_sqlite)]
async fn a_restore_keeps_the_old_database_and_its_owner_and_mode(database: Database) {
    let file = backup(&database).await;
    fs::set_permissions(database.file(), fs::Permissions::from_mode(0o640)).unwrap();
    let owner_and_mode =
        |file: &Path| fs::metadata(file).map(|found| (found.uid(), found.gid(), found.mode())).unwrap();
    if owner_and_mode(&database.file()).0 == 0 {
        chown(database.file(), Some(65534), Some(65534)).unwrap();
    }
    let before = owner_and_mode(&database.file());
    let old = fs::read(database.file()).unwrap();
    restore(&database, &file, &["--replace"]).await.ok();
    let kept: Vec<_> = files(&database).into_iter().filter(|name| name.contains(".before-")).collect();
    let [kept] = kept.as_slice() else { panic!("{kept:?}") };
    // Only the header may differ, which records the last use.
    assert_eq!(fs::read(path(&database, kept)).unwrap().len(), old.len());
    assert_eq!(owner_and_mode(&database.file()), before);
    assert_eq!(files(&database).len(), 4, "database, key, backup, old database: {:?}", files(&database));
}

#[apply(on_sqlite)]
async fn a_restore_replaces_a_database_only_with_the_flag_and_never_one_in_use(database: Database) {
    let file = backup(&database).await;
    let before = fs::read(database.file()).unwrap();
    restore(&database, &file, &[]).await.expect_error(&["flagservice.db", "--replace"]);
    assert_eq!(fs::read(database.file()).unwrap(), before);

    let server = Server::start(&database).await;
    restore(&database, &file, &["--replace"]).await.expect_error(&["in use", "Stop the server"]);
    server.switch_search_suggestions("production", false).await;
    server.stop().await;
    run(&database, &["check"]).await.ok();
}

#[apply(on_sqlite)]
async fn a_backup_can_be_restored_to_an_empty_path(database: Database) {
    let file = backup(&database).await;
    let server = Server::start(&database).await;
    let features = server.editor().get(&features("")).await.column("key");
    server.stop().await;
    fs::remove_file(database.file()).unwrap();
    restore(&database, &file, &[]).await.ok();
    let server = Server::start(&database).await;
    assert_eq!(server.editor().get(&crate::fixture::features("")).await.column("key"), features);
}

#[apply(on_sqlite)]
async fn an_invalid_backup_is_rejected_and_nothing_changes(database: Database) {
    let good = backup(&database).await;
    let bytes = fs::read(&good).unwrap();
    let file = path(&database, "bad.db");
    let before = fs::read(database.file()).unwrap();
    let assert_rejected = async |contents: &[u8], words: &[&str]| {
        fs::write(&file, contents).unwrap();
        let listed = files(&database);
        restore(&database, &file, &["--replace"]).await.expect_error(&[&["bad.db"], words].concat());
        assert_eq!(fs::read(database.file()).unwrap(), before);
        assert_eq!(fs::read(&file).unwrap(), contents, "the backup is unchanged");
        assert_eq!(files(&database), listed);
    };
    assert_rejected(b"", &["empty"]).await;
    assert_rejected(&b"These are notes. ".repeat(1000), &["not an SQLite database"]).await;
    assert_rejected(&bytes[..bytes.len() / 2], &["damaged"]).await;
    assert_rejected(&bytes[..100], &["damaged"]).await;
    let mut torn = bytes.clone();
    torn[8192..40_960].fill(0x5a);
    assert_rejected(&torn, &["damaged"]).await;
    restore(&database, &path(&database, "absent.db"), &["--replace"])
        .await
        .expect_error(&["absent.db", "cannot be read"]);

    fs::remove_file(&file).unwrap();
    execute_new(&file, "CREATE TABLE notes (text TEXT)").await;
    let foreign = fs::read(&file).unwrap();
    assert_rejected(&foreign, &["none of Flag Service"]).await;

    fs::write(&file, &bytes).unwrap();
    execute(&file, OF_TOMORROW).await;
    let newer = fs::read(&file).unwrap();
    assert_rejected(&newer, &["newer release", "9999"]).await;
}

/// Makes a backup of a copy of the database file, which `restore` refuses, and restores that.
async fn restore_copy(database: &Database, copy: &Path) {
    let refused = restore(database, copy, &["--replace"]).await;
    let copied = copy.display().to_string();
    let remedy = format!("flagservice-server backup FILE --database-url sqlite:{copied}");
    refused.expect_error(&[&format!("{copied} was not written by `backup`"), &format!("{copied}-wal"), &remedy]);
    let file = path(database, "backup.db");
    let mut command = Command::new(ServerProcess::PROGRAM);
    command.arg("backup").arg(&file).arg("--database-url").arg(format!("sqlite:{copied}"));
    assert!(command.status().await.unwrap().success());
    restore(database, &file, &["--replace"]).await.ok();
    fs::remove_file(&file).unwrap();
    // The name of the old database has the second, and another restore may begin in the same one.
    for name in files(database).iter().filter(|name| name.contains(".before-")) {
        fs::remove_file(path(database, name)).unwrap();
    }
}

#[apply(on_sqlite)]
async fn a_copy_of_the_database_file_is_restored_by_way_of_a_backup_of_it(database: Database) {
    let path_of_it = targeting_of("search-suggestions", "staging");
    let mut server = ServerProcess::start(&database).await;
    // A sweep empties the file beside it.
    server.production_editor().wait_for_first_sweep().await;
    server.production_editor().patch(&path_of_it, &json!({ "enabled": false })).await.ok(200);
    let copy = path(&database, "copy.db");
    fs::copy(database.file(), &copy).unwrap();
    server.kill().await;
    let before = files(&database);
    // The acknowledged change is in the file beside it.
    restore(&database, &copy, &["--replace"]).await.expect_error(&["copy.db was not written by `backup`"]);
    assert_eq!(files(&database), before, "nothing has changed");
    fs::copy(path(&database, "flagservice.db-wal"), path(&database, "copy.db-wal")).unwrap();
    restore_copy(&database, &copy).await;
    let server = Server::start(&database).await;
    server.administrator().wait_for_first_sweep().await;
    assert_eq!(server.editor().get(&path_of_it).await.ok(200)["enabled"], false);
    server.switch_search_suggestions("production", false).await;
    server.stop().await;

    // A stopped server leaves nothing beside it.
    let cold = path(&database, "cold.db");
    fs::copy(database.file(), &cold).unwrap();
    restore_copy(&database, &cold).await;
    let server = Server::start(&database).await;
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "off");
}

#[apply(on_sqlite)]
async fn checking_a_backup_changes_no_byte_of_it(database: Database) {
    let file = backup(&database).await;
    fs::rename(&file, database.file()).unwrap();
    let (before, listed) = (fs::read(database.file()).unwrap(), files(&database));
    run(&database, &["check"]).await.ok();
    assert!(fs::read(database.file()).unwrap() == before);
    assert_eq!(files(&database), listed);
}

#[apply(on_sqlite)]
async fn a_database_of_a_newer_release_can_be_backed_up_and_this_release_does_not_restore_it(database: Database) {
    execute(&database.file(), OF_TOMORROW).await;
    let file = backup(&database).await;
    restore(&database, &file, &["--replace"]).await.expect_error(&["newer release", "9999"]);
}

/// Creates a database with SQL.
async fn execute_new(file: &Path, statement: &'static str) {
    fs::write(file, b"").unwrap();
    execute(file, statement).await;
}

#[apply(on_sqlite)]
async fn a_backup_without_its_key_file_is_rejected_with_the_remedy(database: Database) {
    let file = backup(&database).await;
    let (key, before) = (fs::read(database.key_file()).unwrap(), fs::read(database.file()).unwrap());
    fs::write(database.key_file(), STANDARD.encode([7; 32])).unwrap();
    restore(&database, &file, &["--replace"]).await.expect_error(&["master.key", "--key-file"]);
    fs::remove_file(database.key_file()).unwrap();
    restore(&database, &file, &["--replace"]).await.expect_error(&["master.key", "--key-file"]);
    assert!(!database.key_file().exists(), "no other key was created");
    assert_eq!(fs::read(database.file()).unwrap(), before);
    assert_eq!(files(&database), ["backup.db", "flagservice.db"]);
    fs::write(database.key_file(), key).unwrap();
    restore(&database, &file, &["--replace"]).await.ok();
}

#[apply(on_postgres)]
async fn for_postgres_the_commands_are_named_and_epochs_can_be_renewed(database: Database) {
    run(&database, &["backup", "shop.dump"]).await.expect_error(&["pg_dump", "--file=shop.dump", "master.key"]);
    run(&database, &["restore", "shop.dump"]).await.expect_error(&["pg_restore", "renew-epochs"]);
    let server = Server::start(&database).await;
    let seen = server.browser("production").load_id("alice").await;
    server.stop().await;
    run(&database, &["renew-epochs"]).await.ok();
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    assert_ne!(loaded.known_version().epoch, seen.known_version().epoch);
    assert_eq!(loaded.features, seen.features);
}

#[apply(on_sqlite)]
async fn letters_of_a_path_that_mean_something_in_urls_name_one_file_everywhere(database: Database) {
    let name = "a%41 b#c%.db";
    let database = database.renamed(name);
    let file = backup(&database).await;
    let server = Server::start(&database).await;
    server.switch_search_suggestions("production", false).await;
    server.stop().await;
    let output = restore(&database, &file, &["--replace"]).await.ok();
    // It was compared with the old database.
    assert!(output.contains("Nothing came back"), "{output}");
    let server = Server::start(&database).await;
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "on");
    server.stop().await;
    let mut others = files(&database);
    others.retain(|file| !file.starts_with(name));
    assert_eq!(others, ["backup.db", "master.key"]);
}
