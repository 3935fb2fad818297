//! The database: SQLite in one file by default, PostgreSQL for several nodes, behind one set of queries.
//!
//! Queries live in one file for each table and take a connection, so that several make one transaction. Nothing outside this
//! folder writes SQL.

pub mod changes;
pub mod delivery;
mod engine;
pub mod experiments;
pub mod resources;
pub mod retention;
pub mod secrets;

use std::sync::Arc;

use sqlx::any::AnyConnectOptions;
use sqlx::{Acquire, Executor as _, Transaction};
use sqlx::{Any, AnyConnection, AnyPool};
use tokio::sync::{SemaphorePermit, broadcast};
use tokio::time::timeout;

use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::store::changes::outbox;
use crate::store::engine::connect::{self, Engine, Opened};
use crate::store::engine::hosts::Hosts;
use crate::store::engine::log_file::{self, Emptying};
use crate::store::engine::pools::{Pools, WRITE_TIMEOUT};
use crate::store::engine::writer_turns::{Turn, Waiting, WriterTurns};
use crate::store::engine::{limits, notify};
use crate::store::resources::environments;

pub use engine::columns::Corrupt;
pub use engine::connect::{Connection, ReadConnection, Schema, install_drivers};
pub use engine::database_url::{sqlite_file, without_password};
pub use engine::db_health::DbHealth;
pub use engine::error::{Error, Fault, Result, fault, is_busy, is_unreachable, is_unreadable};
pub use engine::notify::Listener;
pub use engine::pools::{DatabaseConnections, FOLLOWER_CONNECTIONS};
pub use engine::readable::Readable;
pub use engine::soundness::{self, Soundness};
pub use engine::sqlite_file::{self, suffixed};
pub use engine::writer_turns::Line;

/// How long a follower may be behind in wake-ups before it polls instead.
const WAKE_UPS_KEPT: usize = 1024;

/// A database with its connections.
pub struct Store {
    engine: Engine,
    options: AnyConnectOptions,
    hosts: Option<Arc<Hosts>>,
    pools: Pools,
    turns: WriterTurns,
    waiting: Waiting,
    emptying: Emptying,
    wakes: broadcast::Sender<Wake>,
    health: DbHealth,
}

impl Store {
    /// Opens the database that the URL names (`sqlite:<file>` or `postgres://…`) and brings its schema up to date.
    ///
    /// # Errors
    /// Names the database and what to do when it cannot be opened, is not durable, or has a newer schema.
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        Self::open_with(url, DatabaseConnections::default()).await
    }

    /// The same, with these numbers of connections.
    ///
    /// # Errors
    /// As `open`.
    pub async fn open_with(url: &str, connections: DatabaseConnections) -> anyhow::Result<Self> {
        Self::open_for(url, Schema::Made, connections).await
    }

    /// The same, with what may be done with the schema.
    ///
    /// # Errors
    /// As `open`, and when the schema is not as it has to be.
    pub async fn open_for(url: &str, schema: Schema, connections: DatabaseConnections) -> anyhow::Result<Self> {
        let opened = connect::open(url, schema).await?;
        let (pools, turns) = (Pools::new(&opened, connections), WriterTurns::default());
        let Opened { engine, options, hosts, .. } = opened;
        let wakes = broadcast::Sender::new(WAKE_UPS_KEPT);
        let (waiting, emptying, health) = (Waiting::default(), Emptying::default(), DbHealth::default());
        Ok(Self { engine, options, hosts, pools, turns, waiting, emptying, wakes, health })
    }

    /// A connection for lists, reports, streams and deliveries. Fails at once while the database does not answer.
    pub async fn read(&self) -> Result<ReadConnection> {
        self.acquire(&self.pools.bulk).await
    }

    /// A connection for authentication, which reads a row or two. No list or report can take it.
    pub async fn read_control(&self) -> Result<ReadConnection> {
        self.acquire(&self.pools.control).await
    }

    /// The follower's connection, with which it also finds out whether the database answers again.
    pub async fn probe(&self) -> Result<ReadConnection> {
        if let Some(hosts) = self.hosts.as_ref().filter(|_| self.health.is_lost()) {
            hosts.suspect();
        }
        self.pools.follower.acquire().await
    }

    async fn acquire(&self, pool: &AnyPool) -> Result<ReadConnection> {
        self.health.check()?;
        pool.acquire().await.map_err(|error| self.health.explain(error))
    }

    /// Whether this node is in touch with the database.
    pub fn health(&self) -> &DbHealth {
        &self.health
    }

    /// A connection that reads everything as of one instant.
    pub async fn snapshot(&self) -> Result<Transaction<'static, Any>> {
        self.health.check()?;
        let bulk = &self.pools.bulk;
        let transaction = match self.engine {
            Engine::Sqlite => bulk.begin().await,
            Engine::Postgres => bulk.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await,
        };
        transaction.map_err(|error| self.health.explain(error))
    }

    /// The same for a command, which may take as long as it needs.
    pub async fn long_snapshot(&self) -> Result<Transaction<'static, Any>> {
        let mut transaction = self.snapshot().await?;
        if self.engine == Engine::Postgres {
            transaction.execute(limits::WITHOUT).await?;
        }
        Ok(transaction)
    }

    /// A transaction for writing. On SQLite there is one writer at a time, and it takes its lock at once.
    pub async fn write(&self) -> Result<Write<'_>> {
        self.begin(&self.pools.writers, None, None).await
    }

    /// The same for somebody who waits in a line first. No transaction may be open in the meantime.
    pub async fn write_in_turn(&self, line: Line) -> Result<Write<'_>> {
        self.health.check()?;
        let turn = self.turns.wait(line).await.map_err(|error| self.health.explain(error))?;
        self.begin(&self.pools.writers, Some(turn), None).await
    }

    /// A transaction for goals and deliveries, which takes no connection from those who change something.
    pub async fn write_bulk(&self) -> Result<Write<'_>> {
        self.health.check()?;
        let permit = timeout(WRITE_TIMEOUT, self.pools.bulk_writes.acquire()).await;
        let permit = permit.map_err(|_| self.health.explain(Error::PoolTimedOut))?.map_err(|_| Error::PoolClosed)?;
        self.begin(&self.pools.bulk_writers, None, Some(permit)).await
    }

    async fn begin<'a>(
        &'a self,
        pool: &AnyPool,
        turn: Option<Turn>,
        permit: Option<SemaphorePermit<'a>>,
    ) -> Result<Write<'a>> {
        self.health.check()?;
        let waiting = permit.is_none().then(|| self.waiting.begin());
        let transaction = match self.engine {
            Engine::Sqlite => pool.begin_with("BEGIN IMMEDIATE").await,
            Engine::Postgres => pool.begin().await,
        };
        drop(waiting);
        let transaction = transaction.map_err(|error| self.health.explain(error))?;
        Ok(Write { transaction, store: self, touched: Vec::new(), gone: Vec::new(), _turn: turn, _permit: permit })
    }

    /// Whether writers wait until the one that writes has ended, because there is one at a time.
    pub fn is_waited_for(&self) -> bool {
        match self.engine {
            Engine::Sqlite => self.waiting.any(),
            Engine::Postgres => false,
        }
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

    /// Receives the commits of all nodes; none on SQLite, which has one node. Where the database is on several hosts, the one that
    /// takes writes now is found first, and all new connections are made to it.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn listen(&self) -> anyhow::Result<Option<Listener>> {
        let options = match (self.engine, &self.hosts) {
            (Engine::Sqlite, _) => return Ok(None),
            (Engine::Postgres, None) => &self.options,
            (Engine::Postgres, Some(hosts)) => {
                let host = hosts.find().await?;
                self.pools.connect_to(&host.options);
                hosts.note(host);
                &host.options
            }
        };
        Ok(Some(Listener::connect(options, self.hosts.clone()).await?))
    }

    /// Whether several nodes may serve from it at once.
    pub fn has_several_nodes(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Leaves no copy of deleted rows in SQLite's log. False if others were reading all the time, or the store is being closed.
    /// PostgreSQL looks after its own.
    pub async fn empty_log(&self) -> Result<bool> {
        match self.engine {
            Engine::Sqlite => self.emptying.run(&self.options).await,
            Engine::Postgres => Ok(true),
        }
    }

    /// Writes an SQLite file again, without copies of deleted rows. Writers wait meanwhile.
    pub async fn compact(&self) -> Result<()> {
        match self.engine {
            Engine::Sqlite => log_file::compact(&self.options).await,
            Engine::Postgres => Ok(()),
        }
    }

    /// Lets the connections go.
    pub async fn close(&self) {
        self.emptying.end().await;
        self.pools.close().await;
    }
}

/// A transaction under way. Dropped without [`Write::commit`], it changes nothing.
pub struct Write<'a> {
    transaction: Transaction<'static, Any>,
    store: &'a Store,
    touched: Vec<(EnvironmentId, u64)>,
    gone: Vec<EnvironmentId>,
    _turn: Option<Turn>,
    _permit: Option<SemaphorePermit<'a>>,
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
