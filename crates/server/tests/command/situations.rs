//! Bad situations of the whole server: a full disk, a read-only database, a newer one, a wrong key, a port in use.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::Connection as _;
use tokio::net::TcpListener;
use tokio::process::Command;

use flagservice_server::role::Role;
use flagservice_server::store::Connection;

use super::ran::{run, run_by};
use crate::fixture::{Answer, Binary, everyone, on_each_database, on_sqlite, targeting, targeting_of};

/// Writes until one is refused, counting in the name of a rule. Returns how many were acknowledged, and the refusal.
async fn write_until_refused(server: &Binary) -> (usize, Answer) {
    let writer = server.production_editor();
    for count in 1..=2000 {
        let mut rule = everyone("on");
        rule["name"] = json!(count.to_string());
        let answer = writer.put(&targeting_of("reviews", "staging"), &targeting(&[rule])).await;
        if answer.status != 200 {
            return (count - 1, answer);
        }
    }
    panic!("the disk was never full")
}

/// Sees that what was acknowledged is there, and that it is read and evaluated.
async fn assert_holds(server: &Binary, acknowledged: usize) {
    // The first use of a token is to be noted, which cannot be done now.
    let stored = server.person(Role::ReadOnly).get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(stored["rules"][0]["name"], acknowledged.to_string());
    assert_eq!(server.browser("staging").load_id("alice").await.features["reviews"], "on");
}

/// A full disk, from the first write that it refuses until there is room again.
async fn survive_a_full_disk(mut server: Binary, make_room: impl AsyncFnOnce(&Binary)) {
    let (acknowledged, refusal) = write_until_refused(&server).await;
    assert!(acknowledged > 0);
    let problem = refusal.problem(507, "storage-full");
    assert!(problem["detail"].as_str().unwrap().contains("nothing was changed"), "{problem}");
    assert_holds(&server, acknowledged).await;
    let again =
        server.production_editor().patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await;
    again.problem(507, "storage-full");
    assert_holds(&server, acknowledged).await;

    make_room(&server).await;
    let mut rule = everyone("on");
    rule["name"] = json!("after");
    server.production_editor().put(&targeting_of("reviews", "staging"), &targeting(&[rule])).await.ok(200);
    server.kill().await;
}

#[apply(on_sqlite)]
async fn a_file_size_limit_rejects_writes_and_damages_nothing(database: Database) {
    let mut limited = Command::new("sh");
    // 256 KiB, of the process that is started. The signal that comes with the error is ignored, as service managers do.
    limited.args(["-c", "trap '' XFSZ; ulimit -S -f 512; exec \"$@\"", "sh", Binary::PROGRAM]);
    let server = Binary::start_by(&database, limited).await;
    survive_a_full_disk(server, async |server| {
        let id = server.id().to_string();
        let lifted = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited"]).status().await.unwrap();
        assert!(lifted.success());
    })
    .await;
    run(&database, &["check"]).await.ok();
    let server = Binary::start(&database).await;
    let stored = server.production_editor().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(stored["rules"][0]["name"], "after");
}

/// Whether this user may mount a file system that nobody else sees.
async fn may_mount() -> bool {
    let tried = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output().await;
    tried.is_ok_and(|ran| ran.status.success())
}

#[apply(on_sqlite)]
async fn a_full_disk_rejects_writes_and_damages_nothing(database: Database) {
    if !may_mount().await {
        eprintln!(
            "NOT RUN: a full disk takes a user that may unshare and mount. A file that may not grow is tested all the same."
        );
        return;
    }
    // The server sees a disk of 2 MiB in the place of the test's folder, which holds a copy of the database and
    // something that can be deleted.
    let script = r#"folder=$1; shift; cp -r "$folder" /tmp/copied.$$ && mount -t tmpfs -o size=2m tmpfs "$folder" &&
        cp /tmp/copied.$$/* "$folder"/ && rm -r /tmp/copied.$$ && head -c 300000 /dev/zero > "$folder/filler" && exec "$@""#;
    let mut small = Command::new("unshare");
    small.args(["-rm", "sh", "-ec", script, "sh"]).arg(database.folder()).arg(Binary::PROGRAM);
    let server = Binary::start_by(&database, small).await;
    let seen = format!("/proc/{}/root{}", server.id(), database.folder().display());
    survive_a_full_disk(server, async |_| fs::remove_file(format!("{seen}/filler")).unwrap()).await;
}

/// A command that runs the program as a user who owns nothing; root may write what is read-only.
fn as_nobody(folder: &Path) -> Command {
    let program = folder.join("program");
    // What root built may lie where nobody else comes.
    if !program.exists() {
        fs::copy(Binary::PROGRAM, &program).unwrap();
    }
    let mut command = Command::new(program);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        command.uid(65534).gid(65534);
    }
    command
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[apply(on_sqlite)]
async fn a_read_only_file_or_folder_is_reported_at_start_and_left_unchanged(database: Database) {
    let programs = tempfile::tempdir().unwrap();
    allow(programs.path(), 0o755);
    allow(&database.key_file(), 0o644);
    let before = fs::read(database.file()).unwrap();
    for (file, folder) in [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)] {
        allow(&database.file(), file);
        allow(database.folder(), folder);
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"]] {
            let ran = run_by(as_nobody(programs.path()), &database, command).await;
            ran.refused(&["flagservice.db", "cannot be written", "Give the user"]);
        }
        assert_eq!(fs::read(database.file()).unwrap(), before, "{file:o} in {folder:o}");
    }
    allow(database.folder(), 0o777);
    for file in fs::read_dir(database.folder()).unwrap() {
        allow(&file.unwrap().path(), 0o666);
    }
    run_by(as_nobody(programs.path()), &database, &["check"]).await.ok();
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
        run(&database, command).await.refused(&["newer release", "9999", "Start that release"]);
    }
    let after: i64 = sqlx::query_scalar(count).fetch_one(&mut connection).await.unwrap();
    assert_eq!(after, before);
    // The database goes back to a pool, where the next test expects it as it was.
    sqlx::raw_sql("DELETE FROM _sqlx_migrations WHERE version = 9999").execute(&mut connection).await.unwrap();
    run(&database, &["check"]).await.ok();
    connection.close().await.unwrap();
}

#[apply(on_each_database)]
async fn a_wrong_key_is_rejected_by_every_command_and_nothing_is_damaged(database: Database) {
    let key = fs::read(database.key_file()).unwrap();
    fs::write(database.key_file(), STANDARD.encode([7; 32])).unwrap();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"], &["check"]] {
        run(&database, command).await.refused(&["master.key", "not this database's", "--key-file"]);
    }
    fs::write(database.key_file(), key).unwrap();
    run(&database, &["check"]).await.ok();
}

#[apply(on_each_database)]
async fn a_port_in_use_is_reported_with_the_remedy(database: Database) {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    run(&database, &["serve", "--listen", &address]).await.refused(&[&address, "--listen"]);
}
