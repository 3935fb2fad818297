//! An SQLite database as a file: copied while it is in use, inspected before it is trusted, taken out of use before it
//! is moved.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::store::engine::connect::{Engine, newest_migration};
use crate::store::engine::error::sqlite_code;

/// What every SQLite file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Where the header says whether commits are first written to a log beside the file, and what it says then. A database of this service
/// always has it, and [`copy`] writes files without it.
const WRITE_VERSION: usize = 18;
const WITH_LOG: u8 = 2;

/// How long to wait for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// What SQLite puts beside a database file while it is in use.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What SQLite says when somebody else has the database.
const BUSY: i32 = 5;

/// The file, and the files that SQLite keeps next to it while it is in use.
pub fn with_those_beside(file: &Path) -> Vec<PathBuf> {
    let beside = BESIDE.iter().map(|suffix| suffixed(file, suffix));
    std::iter::once(file.to_owned()).chain(beside).collect()
}

/// The path with something after its last letter.
pub fn suffixed(file: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(suffix);
    path.into()
}

/// Copies all committed data to another file, as of one instant, while others read and write.
///
/// # Errors
/// When the database cannot be read, or the file not be written.
pub async fn copy(file: &Path, to: &Path) -> anyhow::Result<()> {
    let to = to.to_str().context("The path of a backup has to be Unicode. Choose another one.")?;
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
    let mut connection = options.disable_statement_logging().connect().await?;
    let copied = sqlx::query("VACUUM INTO $1").bind(to).execute(&mut connection).await;
    connection.close().await?;
    copied?;
    Ok(())
}

/// Sees that a file is a backup: one that [`copy`] wrote, whole, and not of a newer release.
///
/// # Errors
/// Says what is wrong with it.
pub async fn inspect_backup(file: &Path) -> anyhow::Result<()> {
    let shown = file.display();
    let head = head(file).with_context(|| format!("{shown} cannot be read."))?;
    ensure!(!head.is_empty(), "{shown} is empty: that backup was not finished. Take another one.");
    ensure!(head.starts_with(MAGIC), "{shown} is no backup: it is not an SQLite database.");
    let wal = suffixed(file, "-wal");
    let left = std::fs::metadata(&wal).map(|found| found.len()).unwrap_or_default();
    ensure!(
        left == 0 && head.get(WRITE_VERSION) != Some(&WITH_LOG),
        "{shown} was not written by `backup`: it is a copy of a database file. What the server wrote last may be missing: until it \
         stops, that is in a second file, whose name ends in -wal. Back up the database itself. If you only have the copy, put that \
         of the second file beside it as {}, unless the server was stopped. Then make a backup of the copy, and restore that: \
         flagservice-server backup FILE --database-url sqlite:{shown}",
        wal.display()
    );
    let version = inspect(file).await?;
    let newest = newest_migration(Engine::Sqlite);
    ensure!(
        version <= newest,
        "{shown} is of a newer release: its schema is {version}, and this release knows those up to {newest}. Use that \
         release, or a later one."
    );
    Ok(())
}

/// Sees that a file that nobody uses is a whole database of this service, of whatever release. Returns the version of its schema.
///
/// # Errors
/// Says what is wrong with it.
pub async fn inspect(file: &Path) -> anyhow::Result<i64> {
    // Immutable: nothing is written, not even beside it.
    let options = SqliteConnectOptions::new().filename(file).immutable(true).read_only(true);
    let mut connection = options.disable_statement_logging().connect().await.with_context(|| damaged(file))?;
    let found = inspect_contents(&mut connection, file).await;
    connection.close().await?;
    found
}

async fn inspect_contents(connection: &mut SqliteConnection, file: &Path) -> anyhow::Result<i64> {
    let shown = file.display();
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut *connection)
        .await
        .with_context(|| damaged(file))?;
    ensure!(sound == "ok", "{} SQLite says: {sound}", damaged(file));
    let ours: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('_sqlx_migrations', 'data_keys')")
            .fetch_one(&mut *connection)
            .await?;
    ensure!(ours == 2, "{shown} is an SQLite database, but none of Flag Service.");
    let version: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations")
        .fetch_one(&mut *connection)
        .await?;
    let keys: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM data_keys").fetch_one(&mut *connection).await?;
    ensure!(keys > 0, "{shown} has never been used: there is nothing in it to restore.");
    Ok(version)
}

fn damaged(file: &Path) -> String {
    format!("{} is damaged or was cut short. Take another backup.", file.display())
}

/// The beginning of a file, up to where its header says how it is written.
fn head(file: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut head = Vec::new();
    let length = u64::try_from(WRITE_VERSION + 1).unwrap_or(u64::MAX);
    std::fs::File::open(file)?.take(length).read_to_end(&mut head)?;
    Ok(head)
}

/// Sees that nobody uses a database, and puts all of it into the one file. A file that is no database, or a damaged
/// one, is left as it is.
///
/// # Errors
/// When somebody uses it.
pub async fn take_out_of_use(file: &Path) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(Duration::ZERO);
    let taken = async {
        let mut connection = options.disable_statement_logging().connect().await?;
        // Leaving WAL needs the database for oneself.
        let left = sqlx::query("PRAGMA journal_mode = DELETE").execute(&mut connection).await;
        let closed = connection.close().await;
        left.map(drop).and(closed)
    };
    match taken.await {
        Err(sqlx::Error::Database(error)) if sqlite_code(&*error) == Some(BUSY) => {
            bail!("{} is in use. Stop the server and whatever else has it open, then try again.", file.display())
        }
        // It is going to be replaced because it is damaged.
        Ok(_) | Err(_) => Ok(()),
    }
}
