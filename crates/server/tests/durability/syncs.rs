//! A commit is on disk before it is acknowledged: counted by the system calls of the real program, and by
//! PostgreSQL's write-ahead log.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection};
use tokio::process::Command;

use flagservice_server::store::Connection;

use crate::fixture::{ServerProcess, eventually, everyone, on_postgres, on_sqlite, targeting, targeting_of};

/// The number of sequential writes.
const WRITES: usize = 20;

/// The variable with the statement that a child process of this test runs before its commits.
const PRAGMA: &str = "FLAGSERVICE_TEST_PRAGMA";

/// A library that counts syncs, and the file with the count.
struct Counter {
    library: PathBuf,
    file: PathBuf,
}

impl Counter {
    async fn new(folder: &Path) -> Self {
        let (library, file) = (folder.join("syncs.so"), folder.join("syncs.count"));
        let source = Path::new("tests/durability/syncs.c");
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let arguments = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"];
        let compiled =
            Command::new(compiler).args(arguments).arg(&library).arg(source).arg("-ldl").status().await.unwrap();
        assert!(compiled.success());
        std::fs::write(&file, [0; 8]).unwrap();
        Self { library, file }
    }

    fn watch(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library).env("SYNC_COUNT_FILE", &self.file);
    }

    /// The number of syncs so far.
    fn read(&self) -> u64 {
        u64::from_ne_bytes(std::fs::read(&self.file).unwrap().try_into().unwrap())
    }
}

/// A targeting that differs in every round.
fn nth_targeting(round: usize) -> Value {
    let mut rule = everyone("on");
    rule["name"] = json!(round.to_string());
    targeting(&[rule])
}

#[apply(on_sqlite)]
async fn each_write_is_synced_before_it_is_acknowledged(database: Database) {
    let counter = Counter::new(database.folder()).await;
    let mut watched = Command::new(ServerProcess::PROGRAM);
    counter.watch(&mut watched);
    let server = ServerProcess::start_with_command(&database, watched).await;
    let (writer, path) = (server.production_editor(), targeting_of("reviews", "staging"));
    // The first use of a token, the first sweep and the first look at the data keys are writes too, so they come before counting.
    writer.get(&path).await.ok(200);
    writer.wait_for_first_sweep().await;
    let unknown = "flagservice_data_key_created_timestamp_seconds 0";
    let has_looked = async || !writer.get("/metrics").await.text.contains(unknown);
    eventually("the age of the data keys is known", has_looked).await;
    let mut unsynced = 0;
    for round in 0..WRITES {
        let before = counter.read();
        writer.put(&path, &nth_targeting(round)).await.ok(200);
        unsynced += usize::from(counter.read() == before);
    }
    assert_eq!(unsynced, 0, "of {WRITES} writes, acknowledged before they were on disk");
    // Reads are not counted. Once a minute the use of the token is written, and a background task may write now and then.
    let before = counter.read();
    for _ in 0..WRITES {
        writer.get(&path).await.ok(200);
    }
    let synced = counter.read() - before;
    assert!(synced < WRITES as u64 / 2, "{synced} syncs during {WRITES} reads");
}

/// The child process of `the_sync_counter_detects_weakened_settings`. Does nothing when it runs as a normal test.
#[tokio::test]
async fn commits_with_a_pragma() {
    let (Ok(pragma), Ok(file)) = (std::env::var(PRAGMA), std::env::var("SYNC_COUNT_FILE")) else { return };
    let counter = Counter { library: PathBuf::new(), file: file.into() };
    let database = counter.file.with_extension("db");
    let url = format!("sqlite:{}?mode=rwc", database.display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    let begin = format!("PRAGMA journal_mode = WAL; {pragma}; CREATE TABLE entries (number INTEGER)");
    sqlx::raw_sql(AssertSqlSafe(begin)).execute(&mut connection).await.unwrap();
    let mut unsynced = 0;
    for number in 0..WRITES {
        let before = counter.read();
        let number = i64::try_from(number).unwrap();
        sqlx::query("INSERT INTO entries VALUES ($1)").bind(number).execute(&mut connection).await.unwrap();
        unsynced += usize::from(counter.read() == before);
    }
    println!("unsynced={unsynced}.");
}

#[apply(on_sqlite)]
async fn the_sync_counter_detects_weakened_settings(database: Database) {
    for (pragma, expected) in [
        ("PRAGMA synchronous = FULL", 0),
        ("PRAGMA synchronous = NORMAL", WRITES),
        ("PRAGMA synchronous = OFF", WRITES),
    ] {
        let folder = tempfile::tempdir_in(database.folder()).unwrap();
        let counter = Counter::new(folder.path()).await;
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", "durability::syncs::commits_with_a_pragma", "--nocapture"]).env(PRAGMA, pragma);
        counter.watch(&mut process);
        let ran = process.stderr(Stdio::inherit()).output().await.unwrap();
        let output = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success() && output.contains(&format!("unsynced={expected}.")), "{pragma}: {output}");
    }
}

/// Asks for a position in PostgreSQL's write-ahead log.
fn question(function: &str) -> String {
    format!("SELECT ({function}() - '0/0'::pg_lsn)::bigint")
}

async fn position(connection: &mut Connection, function: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(question(function))).fetch_one(connection).await.unwrap()
}

#[apply(on_postgres)]
async fn each_write_is_flushed_before_it_is_acknowledged(database: Database) {
    let server = ServerProcess::start(&database).await;
    let mut connection = Connection::connect(database.url()).await.unwrap();
    let (writer, path) = (server.production_editor(), targeting_of("reviews", "staging"));
    for round in 0..WRITES {
        let written = position(&mut connection, "pg_current_wal_insert_lsn").await;
        writer.put(&path, &nth_targeting(round)).await.ok(200);
        let flushed = position(&mut connection, "pg_current_wal_flush_lsn").await;
        assert!(flushed > written, "write {round}: the log is flushed to {flushed}, the write began at {written}");
    }
    // Asynchronous commits must be detected. Flushes of other tests may hide some of them, but not all.
    sqlx::raw_sql("SET synchronous_commit = off; CREATE TABLE entries (number BIGINT)")
        .execute(&mut connection)
        .await
        .unwrap();
    // One message with all statements, so that PostgreSQL has little time to flush what it does not wait for.
    let (written, flushed) = (question("pg_current_wal_insert_lsn"), question("pg_current_wal_flush_lsn"));
    let commit = format!("{written}; BEGIN; INSERT INTO entries VALUES (1); COMMIT; {flushed}");
    let mut unflushed = 0;
    for _ in 0..WRITES {
        let rows = sqlx::raw_sql(AssertSqlSafe(commit.clone())).fetch_all(&mut connection).await.unwrap();
        let positions: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        let [written, flushed] = positions[..] else { panic!("{positions:?}") };
        unflushed += usize::from(flushed <= written);
    }
    sqlx::raw_sql("DROP TABLE entries").execute(&mut connection).await.unwrap();
    assert!(unflushed > 0, "of {WRITES} commits, not waited for");
}
