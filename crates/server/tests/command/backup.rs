//! `backup` and `restore`: a copy of one instant while the server runs, and a database that clients do not take for a
//! newer one.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};

use super::ran::{run, tokens};
use crate::fixture::{Binary, Database, Server, features, on_postgres, on_sqlite, targeting_of};

/// Names of the files in the database's folder.
fn files(database: &Database) -> Vec<String> {
    let names = fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn path(database: &Database, name: &str) -> PathBuf {
    database.folder().join(name)
}

/// Takes a backup.
async fn backup(database: &Database) -> PathBuf {
    let file = path(database, "backup.db");
    run(database, &["backup", file.to_str().unwrap()]).await.ok();
    file
}

async fn restore(database: &Database, file: &Path, more: &[&str]) -> super::ran::Ran {
    run(database, &[&["restore", file.to_str().unwrap()], more].concat()).await
}

/// Changes a database by SQL.
async fn execute(file: &Path, statement: &'static str) {
    let mut connection = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[apply(on_sqlite)]
async fn a_backup_of_a_running_server_holds_what_was_acknowledged_before_it(database: Database) {
    let mut server = Binary::start(&database).await;
    let editor = server.production_editor();
    let path_of_it = targeting_of("search-suggestions", "staging");
    editor.patch(&path_of_it, &json!({ "enabled": false })).await.ok(200);
    // Writes go on while the copy is made.
    let writing = async {
        for round in 0..50 {
            editor.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": round % 2 == 0 })).await.ok(200);
        }
    };
    let file = path(&database, "backup.db");
    let arguments = ["backup", file.to_str().unwrap()];
    let (ran, ()) = tokio::join!(run(&database, &arguments), writing);
    let said = ran.ok();
    assert!(said.contains(&database.key_file().display().to_string()), "where the key is: {said}");
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
async fn a_backup_overwrites_nothing(database: Database) {
    let file = path(&database, "precious");
    fs::write(&file, "precious").unwrap();
    run(&database, &["backup", file.to_str().unwrap()]).await.refused(&["precious", "not overwritten"]);
    run(&database, &["backup", database.file().to_str().unwrap()]).await.refused(&["not overwritten"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}

#[apply(on_sqlite)]
async fn after_a_restore_a_client_takes_the_older_values(database: Database) {
    let file = backup(&database).await;
    let server = Server::start(&database).await;
    server.switch_search_suggestions("production", false).await;
    let (browser, seen) = (server.browser("production"), server.browser("production").load_id("alice").await);
    assert_eq!(seen.features["search-suggestions"], "off");
    server.stop().await;

    let said = restore(&database, &file, &["--replace"]).await.ok();
    assert!(said.contains("3 environments"), "{said}");
    drop(browser);
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    assert_eq!(loaded.features["search-suggestions"], "on");
    assert!(loaded.point().version < seen.point().version);
    assert_ne!(loaded.point().epoch, seen.point().epoch);
    let epochs = |loaded: &crate::fixture::Loaded| loaded.point().epoch;
    let staging = server.browser("staging").load_id("alice").await;
    assert_ne!(epochs(&staging), epochs(&loaded), "each environment has one of its own");
    // A stream that continues from before the restore is told everything.
    let mut stream = server.browser("production").open(&seen).await;
    assert_eq!(stream.put().await["search-suggestions"], "on");
    let log = server.administrator().get("/api/v1/audit-log?limit=1").await;
    assert_eq!(log.column("action"), [json!("organisation.restore")]);
}

#[apply(on_sqlite)]
async fn the_old_database_is_kept_aside_and_the_new_one_belongs_to_whom_it_belonged(database: Database) {
    let file = backup(&database).await;
    fs::set_permissions(database.file(), fs::Permissions::from_mode(0o640)).unwrap();
    let whose = |file: &Path| fs::metadata(file).map(|found| (found.uid(), found.gid(), found.mode())).unwrap();
    if whose(&database.file()).0 == 0 {
        chown(database.file(), Some(65534), Some(65534)).unwrap();
    }
    let before = whose(&database.file());
    let old = fs::read(database.file()).unwrap();
    restore(&database, &file, &["--replace"]).await.ok();
    let kept: Vec<_> = files(&database).into_iter().filter(|name| name.contains(".before-")).collect();
    let [kept] = kept.as_slice() else { panic!("{kept:?}") };
    // Only the header says in another way how it was last used.
    assert_eq!(fs::read(path(&database, kept)).unwrap().len(), old.len());
    assert_eq!(whose(&database.file()), before);
    assert_eq!(files(&database).len(), 4, "database, key, backup, old database: {:?}", files(&database));
}

#[apply(on_sqlite)]
async fn a_restore_replaces_nothing_unless_it_is_told_to_and_never_what_is_in_use(database: Database) {
    let file = backup(&database).await;
    let before = fs::read(database.file()).unwrap();
    restore(&database, &file, &[]).await.refused(&["flagservice.db", "--replace"]);
    assert_eq!(fs::read(database.file()).unwrap(), before);

    let server = Server::start(&database).await;
    restore(&database, &file, &["--replace"]).await.refused(&["in use", "Stop the server"]);
    server.switch_search_suggestions("production", false).await;
    server.stop().await;
    run(&database, &["check"]).await.ok();
}

#[apply(on_sqlite)]
async fn a_backup_is_restored_where_there_is_nothing(database: Database) {
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
async fn what_is_no_whole_backup_is_refused_and_nothing_is_touched(database: Database) {
    let good = backup(&database).await;
    let bytes = fs::read(&good).unwrap();
    let file = path(&database, "bad.db");
    let before = fs::read(database.file()).unwrap();
    let refused = async |contents: &[u8], words: &[&str]| {
        fs::write(&file, contents).unwrap();
        let listed = files(&database);
        restore(&database, &file, &["--replace"]).await.refused(&[&["bad.db"], words].concat());
        assert_eq!(fs::read(database.file()).unwrap(), before);
        assert_eq!(fs::read(&file).unwrap(), contents, "the backup is left as it is");
        assert_eq!(files(&database), listed);
    };
    refused(b"", &["empty"]).await;
    refused(&b"These are notes. ".repeat(1000), &["not an SQLite database"]).await;
    refused(&bytes[..bytes.len() / 2], &["damaged"]).await;
    refused(&bytes[..100], &["damaged"]).await;
    let mut torn = bytes.clone();
    torn[8192..40_960].fill(0x5a);
    refused(&torn, &["damaged"]).await;
    restore(&database, &path(&database, "absent.db"), &["--replace"]).await.refused(&["absent.db", "cannot be read"]);

    fs::remove_file(&file).unwrap();
    execute_new(&file, "CREATE TABLE notes (text TEXT)").await;
    let foreign = fs::read(&file).unwrap();
    refused(&foreign, &["none of Flag Service"]).await;

    fs::write(&file, &bytes).unwrap();
    execute(
        &file,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'of tomorrow', TRUE, x'00', 0)",
    )
    .await;
    let newer = fs::read(&file).unwrap();
    refused(&newer, &["newer release", "9999"]).await;
}

/// Makes a database by SQL.
async fn execute_new(file: &Path, statement: &'static str) {
    fs::write(file, b"").unwrap();
    execute(file, statement).await;
}

#[apply(on_sqlite)]
async fn a_backup_without_its_own_key_is_refused_with_the_remedy(database: Database) {
    let file = backup(&database).await;
    let (key, before) = (fs::read(database.key_file()).unwrap(), fs::read(database.file()).unwrap());
    fs::write(database.key_file(), STANDARD.encode([7; 32])).unwrap();
    restore(&database, &file, &["--replace"]).await.refused(&["master.key", "--key-file"]);
    fs::remove_file(database.key_file()).unwrap();
    restore(&database, &file, &["--replace"]).await.refused(&["master.key", "--key-file"]);
    assert!(!database.key_file().exists(), "no other key was made");
    assert_eq!(fs::read(database.file()).unwrap(), before);
    assert_eq!(files(&database), ["backup.db", "flagservice.db"]);
    fs::write(database.key_file(), key).unwrap();
    restore(&database, &file, &["--replace"]).await.ok();
}

#[apply(on_postgres)]
async fn postgres_is_told_its_own_commands_and_gets_new_epochs(database: Database) {
    run(&database, &["backup", "shop.dump"]).await.refused(&["pg_dump", "--file=shop.dump", "master.key"]);
    run(&database, &["restore", "shop.dump"]).await.refused(&["pg_restore", "renew-epochs"]);
    let server = Server::start(&database).await;
    let seen = server.browser("production").load_id("alice").await;
    server.stop().await;
    run(&database, &["renew-epochs"]).await.ok();
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    assert_ne!(loaded.point().epoch, seen.point().epoch);
    assert_eq!(loaded.features, seen.features);
}
