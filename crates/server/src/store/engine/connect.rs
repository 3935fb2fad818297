//! Opening the database: which engine, which settings make a commit durable, and the schema.

use std::path::Path;
use std::sync::{Arc, Once};

use anyhow::{Context, bail, ensure};
use sqlx::any::AnyConnectOptions;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AssertSqlSafe, ConnectOptions, Connection as _, Executor, Row};

use crate::store::engine::database_url::{postgres_options, sqlite_options, without_password};
use crate::store::engine::error::{is_missing_table, remedy, sqlite_code};
use crate::store::engine::hosts::Hosts;
use crate::store::engine::limits;

/// What queries run on: a connection, or a transaction's.
pub type Connection = AnyConnection;

/// A connection of the pool for reading, given back when it is dropped.
pub type ReadConnection = PoolConnection<Any>;

/// The migrations of both engines.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// What each engine has beside these.
static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("./migrations/sqlite");
static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("./migrations/postgres");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    fn of(url: &str) -> anyhow::Result<Self> {
        match url.split(':').next() {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            // It is not shown: any part of it may be a password.
            _ => bail!("The database URL is neither sqlite:<file> nor postgres://<user>@<host>/<database>."),
        }
    }

    /// All migrations, in the order of their numbers, which no two of an engine have in common.
    fn migrations(self) -> Migrator {
        let own = match self {
            Self::Sqlite => &SQLITE_MIGRATIONS,
            Self::Postgres => &POSTGRES_MIGRATIONS,
        };
        Migrator::with_migrations(MIGRATIONS.iter().chain(own.iter()).cloned().collect())
    }

    /// What each connection sets, and the settings that are read back with the values that make a commit durable.
    ///
    /// SQLite: each connection keeps its own pages in memory, by default 2 MB, and there are about 15. The operating system
    /// keeps the file's pages once for all of them, so 0.5 MB each is enough. What is deleted is overwritten with zeros. The journal
    /// mode is stored in the file, so it stays as it is where nothing may be written.
    fn settings(self, schema: Schema) -> (&'static str, &'static [(&'static str, &'static str)]) {
        match (self, schema) {
            (Self::Sqlite, Schema::ReadOnly) => (
                "PRAGMA query_only = ON; PRAGMA busy_timeout = 10000; PRAGMA cache_size = -512;",
                &[("PRAGMA query_only", "1")],
            ),
            (Self::Sqlite, Schema::Made | Schema::Migrated | Schema::Kept) => (
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 10000; \
                 PRAGMA cache_size = -512; PRAGMA secure_delete = ON;",
                &[("PRAGMA journal_mode", "wal"), ("PRAGMA synchronous", "2"), ("PRAGMA foreign_keys", "1")],
            ),
            (Self::Postgres, _) => {
                ("SET synchronous_commit = on", &[("SHOW synchronous_commit", "on"), ("SHOW fsync", "on")])
            }
        }
    }
}

/// What may be done with a database, above all with its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// Creates it, or brings it up to date.
    Made,
    /// Brings it up to date. It has to be there, with data.
    Migrated,
    /// Nothing. It has to be there, with data, and to be that of this release.
    Kept,
    /// The same, and nothing else is written either: the database may be a backup, whose bytes must not change.
    ReadOnly,
}

/// Whether the drivers of the databases are installed.
static DRIVERS: Once = Once::new();

/// Installs drivers in place of sqlx's, for simulations. It has an effect only before the first database is opened.
pub fn install_drivers(install: impl FnOnce()) {
    DRIVERS.call_once(install);
}

/// An open database, and how to connect to it.
pub(in crate::store) struct Opened {
    pub(in crate::store) engine: Engine,
    pub(in crate::store) schema: Schema,
    pub(in crate::store) options: AnyConnectOptions,
    /// Where another host than that of the options may take writes later.
    pub(in crate::store) hosts: Option<Arc<Hosts>>,
}

/// Opens the database once, does with its schema what it may, and says how to connect to it.
pub(in crate::store) async fn open(url: &str, schema: Schema) -> anyhow::Result<Opened> {
    install_drivers(sqlx::any::install_default_drivers);
    let engine = Engine::of(url)?;
    let hosts = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Hosts::of(url)?.map(Arc::new),
    };
    let options = match (engine, &hosts) {
        // Statements are not logged: their values may be somebody's data.
        (Engine::Sqlite, _) => options_of_new_file(url)?.disable_statement_logging(),
        (Engine::Postgres, None) => postgres_options(url)?.disable_statement_logging(),
        (Engine::Postgres, Some(hosts)) => {
            let host = hosts.find().await?;
            hosts.note(host);
            host.options.clone()
        }
    };
    prepare_schema(engine, &without_password(url), &options, schema).await?;
    Ok(Opened { engine, schema, options, hosts })
}

/// Connects for the first time, and brings the schema up to date or looks at it.
async fn prepare_schema(
    engine: Engine,
    shown: &str,
    options: &AnyConnectOptions,
    schema: Schema,
) -> anyhow::Result<()> {
    // A pool tries again and again and then says only that time is up: the first connection tells what is wrong.
    let mut first = options.connect().await.map_err(|error| {
        let remedy = remedy(&error).unwrap_or("Check the path or address and that this user may use it.");
        anyhow::Error::new(error).context(format!("The database {shown} cannot be opened. {remedy}"))
    })?;
    let cannot_use = |error: anyhow::Error| {
        let reason = reason(&error);
        error.context(format!("The database {shown} cannot be used.{reason}"))
    };
    if schema != Schema::Made {
        // Before anything is set, which is stored in an SQLite file: it may be somebody else's.
        let Some(version) = used_schema(&mut first).await.map_err(|error| cannot_use(error.into()))? else {
            bail!(
                "There is no Flag Service database at {shown}: its tables are missing, or empty. Set --database-url or \
                 FLAGSERVICE_DATABASE_URL, or restore a backup."
            );
        };
        if matches!(schema, Schema::Kept | Schema::ReadOnly) {
            check_version(engine, shown, version)?;
        }
    }
    configure(engine, schema, &mut first).await.map_err(cannot_use)?;
    if engine == Engine::Sqlite && schema != Schema::ReadOnly {
        // SQLite also opens a read-only file, and only a write shows it.
        first
            .execute("BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK")
            .await
            .map_err(|error| cannot_use(error.into()))?;
    }
    if matches!(schema, Schema::Made | Schema::Migrated) {
        migrate(engine, shown, &mut first).await?;
    }
    first.close().await?;
    Ok(())
}

async fn migrate(engine: Engine, shown: &str, connection: &mut AnyConnection) -> anyhow::Result<()> {
    // Without limits: a migration may take long, and another node may be doing it.
    engine.migrations().run(connection).await.map_err(|error| {
        if let MigrateError::VersionMissing(version) = error {
            return newer(engine, shown, version);
        }
        let error = anyhow::Error::new(error);
        let reason = reason(&error);
        error.context(format!("The schema of {shown} could not be brought up to date.{reason}"))
    })
}

/// The newest migration of a database that this service has used; none of another one.
async fn used_schema(connection: &mut AnyConnection) -> sqlx::Result<Option<i64>> {
    // A database has data keys from its first start on.
    let newest = "SELECT MAX(version) FROM _sqlx_migrations WHERE EXISTS (SELECT 1 FROM data_keys)";
    match sqlx::query_scalar(newest).fetch_one(connection).await {
        Err(error) if is_missing_table(&error) => Ok(None),
        found => found,
    }
}

fn check_version(engine: Engine, shown: &str, version: i64) -> anyhow::Result<()> {
    let newest = newest_migration(engine);
    if version > newest {
        return Err(newer(engine, shown, version));
    }
    ensure!(
        version == newest,
        "The database {shown} was used by an older release: its schema is {version}, and that of this release is {newest}. Nothing \
         was changed. Start the server of this release once, which brings the schema up to date, or use the release that the \
         database has."
    );
    Ok(())
}

fn newer(engine: Engine, shown: &str, version: i64) -> anyhow::Error {
    anyhow::anyhow!(
        "The database {shown} was used by a newer release: its schema is {version}, and this release knows those up to {}. Start \
         that release, or a later one.",
        newest_migration(engine)
    )
}

/// The number of the newest migration that this release knows.
pub(in crate::store) fn newest_migration(engine: Engine) -> i64 {
    engine.migrations().iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// What SQLite's commonest refusals mean, and the remedy.
fn reason(error: &anyhow::Error) -> &'static str {
    let code = error.chain().find_map(|cause| match cause.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(error)) => sqlite_code(&**error),
        Some(_) | None => None,
    });
    match code {
        Some(8 | 14) => {
            " Its file or folder cannot be written. Give the user that runs this the right to write both, and the files beside it."
        }
        Some(10 | 13) => " Its disk is full, or fails. Make room, then start again.",
        Some(11) => " The file is damaged. Restore a backup.",
        Some(26) => " The file is no SQLite database. Name another one with --database-url.",
        Some(_) | None => "",
    }
}

/// Makes a connection of a pool ready for use.
pub(in crate::store) async fn prepare(
    engine: Engine,
    schema: Schema,
    connection: &mut AnyConnection,
) -> anyhow::Result<()> {
    if engine == Engine::Postgres {
        connection.execute(AssertSqlSafe(limits::statements())).await?;
    }
    configure(engine, schema, connection).await
}

async fn configure(engine: Engine, schema: Schema, connection: &mut AnyConnection) -> anyhow::Result<()> {
    let (set, expected) = engine.settings(schema);
    connection.execute(set).await?;
    read_back(connection, expected).await
}

/// Refuses a connection whose settings are others than these.
async fn read_back(connection: &mut AnyConnection, expected: &[(&'static str, &str)]) -> anyhow::Result<()> {
    for &(question, durable) in expected {
        let row = connection.fetch_one(question).await?;
        let answer =
            row.try_get::<String, _>(0).or_else(|_| row.try_get::<i64, _>(0).map(|number| number.to_string()))?;
        ensure!(
            answer == durable,
            "'{question}' answers '{answer}', but a commit is durable only with '{durable}'. Change that setting."
        );
    }
    Ok(())
}

fn options_of_new_file(url: &str) -> anyhow::Result<AnyConnectOptions> {
    let file = url.trim_start_matches("sqlite:").trim_start_matches("//");
    let file = file.split('?').next().unwrap_or(file);
    ensure!(!file.is_empty(), "The database URL 'sqlite:' names no file. Write sqlite:<file>.");
    if let Some(folder) = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("The folder {} cannot be made.", folder.display()))?;
    }
    // SQLite's own names, such as :memory:, are no files.
    if !file.starts_with(':') {
        create_private(Path::new(file));
    }
    Ok(sqlite_options(file, "mode=rwc")?)
}

/// Creates the file, for its owner alone, if there is none. SQLite gives the same mode to the files beside it. A file that cannot be
/// created is left to SQLite, whose error says why.
fn create_private(file: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file);
}

#[cfg(test)]
mod tests {
    use sqlx::{AnyConnection, Connection as _, Executor as _};

    use super::{Engine, Schema, configure, read_back};

    #[tokio::test]
    async fn weakened_settings_are_refused_by_their_name() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}?mode=rwc", folder.path().join("flagservice.db").display());
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        configure(Engine::Sqlite, Schema::Made, &mut connection).await.unwrap();
        let (_, expected) = Engine::Sqlite.settings(Schema::Made);
        for (weaken, name) in [
            ("PRAGMA synchronous = NORMAL", "synchronous"),
            ("PRAGMA synchronous = OFF", "synchronous"),
            ("PRAGMA journal_mode = DELETE", "journal_mode"),
            ("PRAGMA foreign_keys = OFF", "foreign_keys"),
        ] {
            connection.execute(weaken).await.unwrap();
            let said = read_back(&mut connection, expected).await.unwrap_err().to_string();
            assert!(said.contains(name), "{weaken}: {said}");
            configure(Engine::Sqlite, Schema::Made, &mut connection).await.unwrap();
        }
    }
}
