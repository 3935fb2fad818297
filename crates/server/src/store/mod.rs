//! The database: SQLite in one file by default, PostgreSQL for several nodes, behind one set of queries.
//!
//! Queries live in one file for each table and take a connection, so that several make one transaction. Nothing outside this
//! folder writes SQL.

pub mod changes;
pub mod delivery;
mod engine;
pub mod resources;
pub mod secrets;

use sqlx::{Acquire, Transaction};
use sqlx::{Any, AnyConnection, AnyPool};
use tokio::sync::broadcast;

use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::store::changes::outbox;
use crate::store::engine::connect::{self, Engine};
use crate::store::engine::notify;
use crate::store::resources::environments;

pub use engine::columns::Corrupt;
pub use engine::connect::{CONNECTION_TIMEOUT, Connection, ReadConnection, without_password};
pub use engine::db_health::DbHealth;
pub use engine::error::{Error, Fault, Result, fault, is_unreachable};
pub use engine::notify::Listener;
pub use engine::soundness::{self, Soundness};
pub use engine::sqlite_file::{self, sqlite_file, suffixed};

/// How long a follower may be behind in wake-ups before it polls instead.
const WAKE_UPS_KEPT: usize = 1024;

/// A database with its connections.
pub struct Store {
    engine: Engine,
    readers: AnyPool,
    writers: AnyPool,
    wakes: broadcast::Sender<Wake>,
    url: String,
    health: DbHealth,
}

impl Store {
    /// Opens the database that the URL names (`sqlite:<file>` or `postgres://…`) and brings its schema up to date.
    ///
    /// # Errors
    /// Names the database and what to do when it cannot be opened, is not durable, or has a newer schema.
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        let (engine, readers, writers) = connect::open(url).await?;
        Ok(Self {
            engine,
            readers,
            writers,
            wakes: broadcast::Sender::new(WAKE_UPS_KEPT),
            url: url.to_owned(),
            health: DbHealth::default(),
        })
    }

    /// A connection for reading. Fails at once while the database does not answer.
    pub async fn read(&self) -> Result<ReadConnection> {
        self.health.check()?;
        self.readers.acquire().await
    }

    /// A connection for finding out whether the database answers again.
    pub async fn probe(&self) -> Result<ReadConnection> {
        self.readers.acquire().await
    }

    /// Whether this node is in touch with the database.
    pub fn health(&self) -> &DbHealth {
        &self.health
    }

    /// A connection that reads everything as of one instant.
    pub async fn snapshot(&self) -> Result<Transaction<'static, Any>> {
        self.health.check()?;
        match self.engine {
            Engine::Sqlite => self.readers.begin().await,
            Engine::Postgres => self.readers.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await,
        }
    }

    /// A transaction for writing. On SQLite there is one writer at a time, and it takes its lock at once.
    pub async fn write(&self) -> Result<Write<'_>> {
        self.health.check()?;
        let transaction = match self.engine {
            Engine::Sqlite => self.writers.begin_with("BEGIN IMMEDIATE").await?,
            Engine::Postgres => self.writers.begin().await?,
        };
        Ok(Write { transaction, store: self, touched: Vec::new(), gone: Vec::new() })
    }

    /// Wake-ups: the environments that writers have changed, after each commit.
    pub fn wakes(&self) -> broadcast::Receiver<Wake> {
        self.wakes.subscribe()
    }

    /// Wakes those who follow the environments.
    pub fn wake(&self, wake: Wake) {
        // Nobody following yet is fine: they read the versions when they start.
        let _ = self.wakes.send(wake);
    }

    /// Receives the commits of all nodes; none on SQLite, which has one node.
    pub async fn listen(&self) -> Result<Option<Listener>> {
        match self.engine {
            Engine::Sqlite => Ok(None),
            Engine::Postgres => Listener::connect(&self.url).await.map(Some),
        }
    }

    /// Whether several nodes may serve from it at once.
    pub fn has_several_nodes(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Lets the connections go.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
    }
}

/// A transaction under way. Dropped without [`Write::commit`], it changes nothing.
pub struct Write<'a> {
    transaction: Transaction<'static, Any>,
    store: &'a Store,
    touched: Vec<(EnvironmentId, u64)>,
    gone: Vec<EnvironmentId>,
}

impl Write<'_> {
    /// The connection, for the query functions.
    pub async fn connection(&mut self) -> Result<&mut AnyConnection> {
        self.transaction.acquire().await
    }

    /// Raises the environment's version and keeps what changed under it, for those who follow the environment.
    pub async fn publish(&mut self, entry: &outbox::NewEntry<'_>) -> Result<u64> {
        let connection = self.transaction.acquire().await?;
        let version = environments::raise_version(connection, entry.environment_id).await?;
        outbox::append(connection, entry, version).await?;
        self.touched.retain(|(touched, _)| touched != entry.environment_id);
        self.touched.push((entry.environment_id.clone(), version));
        Ok(version)
    }

    /// Notes that an environment is gone: its followers are woken, and there is no version of it to wait for.
    pub fn forget(&mut self, environment: &EnvironmentId) {
        self.touched.retain(|(touched, _)| touched != environment);
        self.gone.push(environment.clone());
    }

    /// Makes the changes durable, then wakes those who follow the changed environments, on all nodes. Returns their new versions; none of
    /// those that are gone.
    pub async fn commit(mut self) -> Result<Vec<(EnvironmentId, Option<u64>)>> {
        let touched = self.touched.into_iter().map(|(touched, version)| (touched, Some(version)));
        let changed: Vec<_> = touched.chain(self.gone.into_iter().map(|gone| (gone, None))).collect();
        if self.store.engine == Engine::Postgres {
            for (environment, version) in &changed {
                notify::send(self.transaction.acquire().await?, environment, *version).await?;
            }
        }
        self.transaction.commit().await?;
        for (environment, version) in &changed {
            self.store.wake(Wake::Environment { environment: environment.clone(), version: *version });
        }
        Ok(changed)
    }
}
