//! Faults: a full disk, a file that cannot be written, a read-only database, a newer one, a wrong key, a port in use.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::Connection as _;
use tokio::net::TcpListener;
use tokio::process::Command;

use flagservice_server::domain::role::Role;
use flagservice_server::store::Connection;

use super::run::{run, run_with_command};
use crate::fixture::{
    ApiResponse, ServerProcess, everyone, on_each_database, on_each_empty_database, on_sqlite, targeting, targeting_of,
};

/// Writes until a write is rejected. Returns the number of acknowledged writes, and the rejection.
async fn write_until_refused(server: &ServerProcess) -> (usize, ApiResponse) {
    let writer = server.production_editor();
    for count in 1..=2000 {
        let mut rule = everyone("on");
        rule["name"] = json!(count.to_string());
        let response = writer.put(&targeting_of("reviews", "staging"), &targeting(&[rule])).await;
        if response.status != 200 {
            return (count - 1, response);
        }
    }
    panic!("the disk never became full")
}

/// Asserts that the acknowledged writes are stored, can be read, and are evaluated.
async fn assert_stored(server: &ServerProcess, acknowledged: usize) {
    // The first use of this token should be recorded, which is not possible now.
    let stored = server.person(Role::ReadOnly).get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(stored["rules"][0]["name"], acknowledged.to_string());
    assert_eq!(server.browser("staging").load_id("alice").await.features["reviews"], "on");
}

/// Fills the disk until writes are rejected, makes room, and writes again.
async fn survive_a_full_disk(mut server: ServerProcess, make_room: impl AsyncFnOnce(&ServerProcess)) {
    let (acknowledged, refusal) = write_until_refused(&server).await;
    assert!(acknowledged > 0);
    let problem = refusal.problem(507, "storage-full");
    assert!(problem["detail"].as_str().unwrap().contains("nothing was changed"), "{problem}");
    assert_stored(&server, acknowledged).await;
    let again =
        server.production_editor().patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await;
    again.problem(507, "storage-full");
    assert_stored(&server, acknowledged).await;

    make_room(&server).await;
    let mut rule = everyone("on");
    rule["name"] = json!("after");
    server.production_editor().put(&targeting_of("reviews", "staging"), &targeting(&[rule])).await.ok(200);
    server.kill().await;
}

#[apply(on_sqlite)]
async fn a_file_size_limit_rejects_writes_and_damages_nothing(database: Database) {
    let mut limited = Command::new("sh");
    // A limit of 256 KiB. The signal that comes with the error is ignored, as by service managers.
    limited.args(["-c", "trap '' XFSZ; ulimit -S -f 512; exec \"$@\"", "sh", ServerProcess::PROGRAM]);
    let server = ServerProcess::start_with_command(&database, limited).await;
    survive_a_full_disk(server, async |server| {
        let id = server.id().to_string();
        let lifted = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited"]).status().await.unwrap();
        assert!(lifted.success());
    })
    .await;
    run(&database, &["check"]).await.ok();
    let server = ServerProcess::start(&database).await;
    let stored = server.production_editor().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(stored["rules"][0]["name"], "after");
}

/// Whether this user can mount a file system in a private namespace.
async fn may_mount() -> bool {
    let tried = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output().await;
    tried.is_ok_and(|ran| ran.status.success())
}

#[apply(on_sqlite)]
async fn a_full_disk_rejects_writes_and_damages_nothing(database: Database) {
    if !may_mount().await {
        eprintln!(
            "SKIPPED: the test with a full disk needs the right to unshare and mount. A file size limit is tested instead."
        );
        return;
    }
    // The server sees a file system of 2 MiB in place of the test folder, with a copy of the database and a filler file that
    // can be deleted.
    let script = r#"folder=$1; shift; cp -r "$folder" /tmp/copied.$$ && mount -t tmpfs -o size=2m tmpfs "$folder" &&
        cp /tmp/copied.$$/* "$folder"/ && rm -r /tmp/copied.$$ && head -c 300000 /dev/zero > "$folder/filler" && exec "$@""#;
    let mut small = Command::new("unshare");
    small.args(["-rm", "sh", "-ec", script, "sh"]).arg(database.folder()).arg(ServerProcess::PROGRAM);
    let server = ServerProcess::start_with_command(&database, small).await;
    let seen = format!("/proc/{}/root{}", server.id(), database.folder().display());
    survive_a_full_disk(server, async |_| fs::remove_file(format!("{seen}/filler")).unwrap()).await;
}

/// A command that runs the program as an unprivileged user, because root can write read-only files.
fn as_nobody(folder: &Path) -> Command {
    let program = folder.join("program");
    // The build folder of root may not be accessible to others. Another process copies: a process that this one starts for another
    // test meanwhile would inherit a file open for writing, and a program that anybody can write is not run.
    if !program.exists() {
        let copied = std::process::Command::new("cp").arg(ServerProcess::PROGRAM).arg(&program).status().unwrap();
        assert!(copied.success());
    }
    let mut command = Command::new(program);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        command.uid(65534).gid(65534);
    }
    command
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[apply(on_sqlite)]
async fn a_read_only_file_or_folder_is_reported_at_start_and_left_unchanged(database: Database) {
    let programs = tempfile::tempdir().unwrap();
    set_mode(programs.path(), 0o755);
    set_mode(&database.key_file(), 0o644);
    let before = fs::read(database.file()).unwrap();
    for (file, folder) in [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)] {
        set_mode(&database.file(), file);
        set_mode(database.folder(), folder);
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"]] {
            let ran = run_with_command(as_nobody(programs.path()), &database, command).await;
            ran.expect_error(&["flagservice.db", "cannot be written", "Give the user"]);
        }
        assert_eq!(fs::read(database.file()).unwrap(), before, "{file:o} in {folder:o}");
    }
    set_mode(database.folder(), 0o777);
    for file in fs::read_dir(database.folder()).unwrap() {
        set_mode(&file.unwrap().path(), 0o666);
    }
    run_with_command(as_nobody(programs.path()), &database, &["check"]).await.ok();
}

#[apply(on_sqlite)]
async fn a_backup_that_cannot_be_written_can_be_checked(database: Database) {
    let programs = tempfile::tempdir().unwrap();
    set_mode(programs.path(), 0o755);
    let backup = database.folder().join("backup.db");
    run(&database, &["backup", backup.to_str().unwrap()]).await.ok();
    fs::rename(&backup, database.file()).unwrap();
    for (path, mode) in [(database.file(), 0o444), (database.key_file(), 0o444), (database.folder().to_owned(), 0o555)]
    {
        set_mode(&path, mode);
    }
    run_with_command(as_nobody(programs.path()), &database, &["check"]).await.ok();
    set_mode(database.folder(), 0o755);
}

/// A command that cannot write to files, as on a full disk.
fn without_room() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 0; exec \"$@\"", "sh", ServerProcess::PROGRAM]);
    command
}

#[apply(on_each_empty_database)]
async fn a_key_file_that_could_not_be_written_does_not_stop_later_starts(database: Database) {
    let create = ["organisation", "create", "Acme", "--administrator", "Alma Lindqvist"];
    let partial = database.folder().join("master.key.partial");
    // A folder has its name: the tables are created, and no key.
    fs::create_dir(database.key_file()).unwrap();
    run(&database, &create).await.expect_error(&["master.key cannot be read"]);
    fs::remove_dir(database.key_file()).unwrap();
    // SQLite's files beside the database stay while it is open, so that the key is the first thing to be written.
    sqlx::any::install_default_drivers();
    let mut open = Connection::connect(database.url()).await.unwrap();
    sqlx::query("SELECT 1 FROM data_keys").fetch_optional(&mut open).await.unwrap();
    run_with_command(without_room(), &database, &create).await.expect_error(&["master.key cannot be written"]);
    assert!(!database.key_file().exists() && !partial.exists());
    open.close().await.unwrap();
    // As an attempt leaves it that is killed.
    fs::write(&partial, "half").unwrap();
    run(&database, &create).await.ok();
    assert!(!partial.exists());
    run(&database, &["check"]).await.ok();
}

#[apply(on_sqlite)]
async fn an_export_that_does_not_fit_on_the_disk_leaves_no_file(database: Database) {
    let _server = ServerProcess::start(&database).await;
    let file = database.folder().join("shop.json");
    let export = ["export", "shop", "--out", file.to_str().unwrap()];
    run_with_command(without_room(), &database, &export).await.expect_error(&[
        "Cannot write",
        "shop.json",
        "too large",
    ]);
    assert!(!file.exists());
    run(&database, &export).await.ok();
}

#[apply(on_each_empty_database)]
async fn nothing_is_seeded_if_there_is_no_place_for_the_tokens(database: Database) {
    let [nowhere, file, other] =
        ["nowhere/demo.json", "demo.json", "other.json"].map(|name| database.folder().join(name));
    let seed = async |file: &Path| run(&database, &["seed", "demo", "--write", file.to_str().unwrap()]).await;
    seed(&nowhere).await.expect_error(&["Cannot write", "nowhere"]);
    seed(&file).await.ok();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(written["tokens"].as_object().unwrap().len(), 4);
    for file in [&file, &other] {
        let output = seed(file).await.ok();
        assert!(output.contains("nothing was added"), "{output}");
    }
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(&file).unwrap()).unwrap(), written);
    assert!(!other.exists());
}

#[apply(on_each_database)]
async fn a_database_of_a_newer_release_is_rejected_and_left_unchanged(database: Database) {
    sqlx::any::install_default_drivers();
    let mut connection = Connection::connect(database.url()).await.unwrap();
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        SELECT 9999, 'of tomorrow', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1";
    sqlx::raw_sql(newer).execute(&mut connection).await.unwrap();
    let count = "SELECT COUNT(*) FROM _sqlx_migrations";
    let before: i64 = sqlx::query_scalar(count).fetch_one(&mut connection).await.unwrap();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["check"], &["export", "shop"]] {
        run(&database, command).await.expect_error(&["newer release", "9999", "Start that release"]);
    }
    let after: i64 = sqlx::query_scalar(count).fetch_one(&mut connection).await.unwrap();
    assert_eq!(after, before);
    // The database returns to a pool, so restore it.
    sqlx::raw_sql("DELETE FROM _sqlx_migrations WHERE version = 9999").execute(&mut connection).await.unwrap();
    run(&database, &["check"]).await.ok();
    connection.close().await.unwrap();
}

#[apply(on_each_database)]
async fn a_wrong_key_is_rejected_by_every_command_and_nothing_is_damaged(database: Database) {
    let key = fs::read(database.key_file()).unwrap();
    fs::write(database.key_file(), STANDARD.encode([7; 32])).unwrap();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"], &["check"]] {
        run(&database, command).await.expect_error(&["master.key", "not this database's", "--key-file"]);
    }
    fs::write(database.key_file(), key).unwrap();
    run(&database, &["check"]).await.ok();
}

#[apply(on_each_database)]
async fn a_port_in_use_is_reported_with_the_remedy(database: Database) {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    run(&database, &["serve", "--listen", &address]).await.expect_error(&[&address, "--listen"]);
}
