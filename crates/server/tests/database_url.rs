//! Errors for a database that cannot be used: they name the database, the reason and the remedy, but no password.

use flagservice_server::store::Store;
use macro_rules_attribute::apply;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::process::Command;

use crate::fixture::{ServerProcess, on_postgres};

/// The error when opening this URL.
async fn open_error(url: &str) -> String {
    format!("{:#}", Store::open(url).await.err().expect("opening should fail"))
}

#[tokio::test]
async fn a_database_that_is_not_durable_is_rejected_with_the_name_of_the_setting() {
    let message = open_error("sqlite::memory:").await;
    assert!(message.contains("journal_mode") && message.contains("memory"), "{message}");
}

#[tokio::test]
async fn an_unreachable_database_is_reported_without_its_password() {
    // Port 1 is closed.
    let message = open_error("postgres://shop:canary@127.0.0.1:1/flags").await;
    assert!(message.contains("shop@127.0.0.1:1/flags") && message.contains("Check the"), "{message}");
    assert!(!message.contains("canary"), "{message}");
}

#[tokio::test]
async fn each_host_that_does_not_serve_is_named_with_the_reason_and_the_remedy() {
    // Both ports are closed.
    let message = open_error("postgres://shop:canary@127.0.0.1:1,localhost:2/flags").await;
    assert!(message.contains("shop@127.0.0.1:1,localhost:2/flags takes writes"), "{message}");
    for host in ["127.0.0.1:1: ", "localhost:2: "] {
        assert!(message.contains(&format!("{host}error communicating with database: ")), "{message}");
    }
    assert!(message.contains("promote a standby") && !message.contains("canary"), "{message}");
}

#[apply(on_postgres)]
async fn of_several_hosts_the_one_that_takes_writes_is_used(database: Database) {
    let mut operator = PgConnection::connect(database.url()).await.unwrap();
    let several = database.url().replacen('@', "@127.0.0.1:1,", 1);
    let store = Store::open(&several).await.unwrap();
    store.write().await.unwrap().commit().await.unwrap();
    assert!(store.listen().await.unwrap().is_some());
    store.close().await;

    let (name,): (String,) = sqlx::query_as("SELECT current_database()").fetch_one(&mut operator).await.unwrap();
    let read_only = format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on");
    operator.execute(AssertSqlSafe(read_only)).await.unwrap();
    let message = open_error(&several).await;
    operator.execute(AssertSqlSafe(format!("ALTER DATABASE \"{name}\" RESET ALL"))).await.unwrap();
    assert!(message.contains("127.0.0.1:1: ") && message.contains("it is a standby, or read-only."), "{message}");
}

#[tokio::test]
async fn an_unsupported_url_is_rejected_with_the_supported_kinds() {
    for url in ["mysql://shop:canary@127.0.0.1/flags", "flagservice.db", ""] {
        let message = open_error(url).await;
        assert!(message.contains("sqlite:<file>") && message.contains("postgres://"), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }
}

#[tokio::test]
async fn a_sqlite_url_without_a_file_is_rejected_with_the_format() {
    assert!(open_error("sqlite:").await.contains("sqlite:<file>"));
}

#[tokio::test]
async fn a_file_that_is_not_a_sqlite_database_is_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let text = "These are notes, and nothing of a database. ".repeat(100);
    std::fs::write(&file, &text).unwrap();
    let message = open_error(&format!("sqlite:{}", file.display())).await;
    assert!(message.contains("notes.txt"), "{message}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_database_and_the_files_beside_it_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flagservice.db");
    let store = Store::open(&format!("sqlite:{}", file.display())).await.unwrap();
    let reading = store.read().await.unwrap();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        names.push(entry.file_name().into_string().unwrap());
    }
    names.sort();
    assert_eq!(names, ["flagservice.db", "flagservice.db-shm", "flagservice.db-wal"]);
    drop(reading);
}

#[tokio::test]
async fn no_form_of_a_url_shows_its_password_in_a_message_or_in_the_log() {
    // Port 1 is closed.
    for url in [
        "postgres://shop:canary@127.0.0.1:1/flags",
        "postgres://:canary@127.0.0.1:1/flags",
        "postgres://shop:c%61nary@127.0.0.1:1/flags",
        "postgres://shop%3Acanary@127.0.0.1:1/flags",
        "postgres://shop:p@canary@127.0.0.1:1/flags",
        "postgres://shop@127.0.0.1:1/flags?password=canary",
        "postgres://shop@127.0.0.1:1/flags?password=c%61nary",
        "postgres://shop@127.0.0.1:1/flags?Password=canary",
        "postgres://shop@127.0.0.1:1/flags?password=p&canary",
        "postgres://shop@127.0.0.1:1/flags?passwort=canary",
        "postgres://127.0.0.1:1/flags?user=shop&password=canary&sslmode=none",
        "postgres://shop@127.0.0.1:1/flags%3Fpassword=canary",
        "postgres://shop:canary@127.0.0.1:port/flags",
        "postgres://shop:can/canary@127.0.0.1:1/flags",
        "postgres://shop:1/canary@127.0.0.1:1/flags",
        "postgres://shop:1?canary@127.0.0.1:1/flags",
        "postgres://shop:1#canary@127.0.0.1:1/flags",
        "postgres://shop:canary@[::1/flags",
        "postgres://shop:canary@127.0.0.1:1,127.0.0.1:2/flags",
        "postgres://shop:can,canary@127.0.0.1:1,127.0.0.1:2/flags?target_session_attrs=read-write",
        "postgres://shop:1,canary/2@127.0.0.1:1,127.0.0.1:2/flags",
        "postgres://shop@127.0.0.1:1,canary:2:3/flags",
        "postgres://shop@127.0.0.1:1,127.0.0.1:2/flags?password=canary&target_session_attrs=canary",
        "postgres:shop:canary@127.0.0.1/flags",
        "postgres:/shop:canary@127.0.0.1:1/flags",
        "Postgres://shop:canary@127.0.0.1:1/flags",
        "jdbc:postgresql://127.0.0.1/flags?user=shop&password=canary",
        "host=127.0.0.1 port=1 user=shop password=canary",
        "canary",
    ] {
        let mut check = Command::new(ServerProcess::PROGRAM);
        check.args(["check", "--key-file", "/nowhere/master.key", "--database-url", url]).env("RUST_LOG", "trace");
        let output = check.kill_on_drop(true).output().await.unwrap();
        assert_eq!(output.status.code(), Some(1), "{url}: {output:?}");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(text.contains("database"), "{url}: {text}");
        for secret in ["canary", "c%61nary"] {
            assert!(!text.contains(secret), "{url}: {text}");
        }
    }
}
