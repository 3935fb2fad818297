//! The connections of a node, in classes: no class can take those of another, so that lists, reports and goals never stop
//! the follower, authentication or a change of targeting. The numbers are in docs/decisions/0027.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, Connection as _};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::store::engine::connect::{Engine, Opened, Schema, prepare};
use crate::store::engine::hosts::{Hosts, takes_writes};

/// How long a reader waits for a connection before the request fails.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a writer waits for its turn, and then for a connection, before the request fails.
pub(in crate::store) const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection that was given back may take to finish what it was doing. Its query belongs to a request that was
/// dropped: it is closed, on which PostgreSQL ends the query.
const RELEASE_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a connection that was idle may take to show that it still works.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Readers of the follower, which reads several environments beside each other.
pub const FOLLOWER_CONNECTIONS: u32 = 4;

/// How many connections a node opens at most, for each class.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseConnections {
    /// Readers of the follower.
    pub follower: u32,
    /// Readers for authentication, whose queries find one row.
    pub control: u32,
    /// Readers for lists, reports, exports and streams.
    pub bulk: u32,
    /// Writers of changes on PostgreSQL. SQLite has one writer for everything.
    pub writers: u32,
    /// Writers of goals and deliveries on PostgreSQL.
    pub bulk_writers: u32,
}

impl Default for DatabaseConnections {
    fn default() -> Self {
        Self { follower: FOLLOWER_CONNECTIONS, control: 4, bulk: 6, writers: 8, bulk_writers: 3 }
    }
}

/// The pools of the classes.
pub(in crate::store) struct Pools {
    pub(in crate::store) follower: AnyPool,
    pub(in crate::store) control: AnyPool,
    pub(in crate::store) bulk: AnyPool,
    pub(in crate::store) writers: AnyPool,
    pub(in crate::store) bulk_writers: AnyPool,
    /// How many bulk writers may wait for or have a connection. On SQLite, where all writers share one connection, a change
    /// waits for one of them at most.
    pub(in crate::store) bulk_writes: Semaphore,
}

impl Pools {
    /// Opens no connection yet.
    pub(in crate::store) fn new(database: &Opened, connections: DatabaseConnections) -> Self {
        let DatabaseConnections { follower, control, bulk, writers, bulk_writers } = connections;
        let Opened { engine, schema, options, hosts } = database;
        let pool = |connections, wait| {
            pool(*engine, *schema, hosts.as_ref(), connections, wait).connect_lazy_with(options.clone())
        };
        let (writers, bulk_writes, bulk_writers) = match engine {
            Engine::Sqlite => {
                let writer = pool(1, WRITE_TIMEOUT);
                (writer.clone(), 1, writer)
            }
            Engine::Postgres => (pool(writers, WRITE_TIMEOUT), bulk_writers, pool(bulk_writers, WRITE_TIMEOUT)),
        };
        Self {
            follower: pool(follower, READ_TIMEOUT),
            control: pool(control, READ_TIMEOUT),
            bulk: pool(bulk, READ_TIMEOUT),
            writers,
            bulk_writers,
            bulk_writes: Semaphore::new(usize::try_from(bulk_writes).unwrap_or(1)),
        }
    }

    /// Makes new connections to this host. Those to another are not used again ([`Hosts::is_current`]).
    pub(in crate::store) fn connect_to(&self, host: &AnyConnectOptions) {
        for pool in self.all() {
            pool.set_connect_options(host.clone());
        }
    }

    pub(in crate::store) async fn close(&self) {
        for pool in self.all() {
            pool.close().await;
        }
    }

    fn all(&self) -> [&AnyPool; 5] {
        [&self.follower, &self.control, &self.bulk, &self.bulk_writers, &self.writers]
    }
}

fn pool(
    engine: Engine,
    schema: Schema,
    hosts: Option<&Arc<Hosts>>,
    connections: u32,
    wait: Duration,
) -> AnyPoolOptions {
    let hosts_of = || hosts.map(Arc::clone);
    let (new, idle, released) = (hosts_of(), hosts_of(), hosts_of());
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(wait)
        // Else a task of the pool looks after idle connections. It takes as many as there are said to be, and where one is taken
        // while it begins, that number can have fallen below none: it then never ends, and nobody else gets a connection.
        // Connections that have broken are found out before they are used.
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(move |connection, _| {
            let hosts = new.clone();
            Box::pin(async move {
                prepare(engine, schema, connection)
                    .await
                    .map_err(|error| sqlx::Error::Protocol(format!("{error:#}")))?;
                let Some(hosts) = hosts else { return Ok(()) };
                if takes_writes(connection).await? {
                    return Ok(());
                }
                hosts.suspect();
                Err(sqlx::Error::Protocol("the database is a standby, or read-only".to_owned()))
            })
        })
        // The pool's own test would wait as long as a silent network does.
        .test_before_acquire(false)
        .before_acquire(move |connection, about| {
            let hosts = idle.clone();
            Box::pin(async move {
                let works = works(connection, hosts.as_deref(), about.age, CHECK_TIMEOUT).await;
                // When the disk is full, SQLite gives a transaction up by itself. Its connection then counts one that is not
                // there, and could begin no other.
                Ok(works && !connection.is_in_transaction())
            })
        })
        .after_release(move |connection, about| match engine {
            // Its queries run in this process, and end.
            Engine::Sqlite => Box::pin(ready(Ok(true))),
            Engine::Postgres => {
                let hosts = released.clone();
                Box::pin(async move { Ok(works(connection, hosts.as_deref(), about.age, RELEASE_TIMEOUT).await) })
            }
        })
}

/// Whether a connection of this age answers in time. Where another host may have taken over, also whether its server still takes writes.
async fn works(connection: &mut AnyConnection, hosts: Option<&Hosts>, age: Duration, limit: Duration) -> bool {
    let Some(hosts) = hosts else { return matches!(timeout(limit, connection.ping()).await, Ok(Ok(()))) };
    let works = hosts.is_current(age) && matches!(timeout(limit, takes_writes(connection)).await, Ok(Ok(true)));
    if !works {
        hosts.suspect();
    }
    works
}
