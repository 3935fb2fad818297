//! How the nodes of one PostgreSQL database tell each other of commits: a notification says which environment has which
//! version now, and no more. What changed is read from the outbox.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions as _, Executor as _};
use tokio::time::timeout;

use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::store::engine::hosts::Hosts;
use crate::store::engine::limits;
use crate::store::{Error, Result};

const CHANNEL: &str = "flagservice_changes";

/// After this time without a notification, the listening connection is checked.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long to wait for the connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the check may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends a notification that arrives when, and only if, the transaction commits. No version: the environment is gone.
pub(in crate::store) async fn send(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    version: Option<u64>,
) -> Result<()> {
    let payload = match version {
        Some(version) => format!("{environment} {version}"),
        None => environment.to_string(),
    };
    // Not SELECT pg_notify(…): its type is one that not every database has.
    sqlx::query("SELECT 1 FROM pg_notify($1, $2)").bind(CHANNEL).bind(payload).execute(connection).await.map(drop)
}

/// A connection that receives the notifications of all nodes.
pub struct Listener {
    connection: PgListener,
    hosts: Option<Arc<Hosts>>,
}

impl Listener {
    pub(in crate::store) async fn connect(options: &AnyConnectOptions, hosts: Option<Arc<Hosts>>) -> Result<Self> {
        let options = PgConnectOptions::from_url(&options.database_url)?.disable_statement_logging();
        // The listener wants a pool to take its one connection from.
        let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.acquire_timeout(CONNECTION_TIMEOUT).after_connect(|connection, _| {
            Box::pin(async { connection.execute(AssertSqlSafe(limits::statements())).await.map(drop) })
        });
        let pool = pool.connect_lazy_with(options);
        let mut connection = PgListener::connect_with(&pool).await?;
        // The caller that sees the loss connects again.
        connection.eager_reconnect(false);
        connection.listen(CHANNEL).await?;
        Ok(Self { connection, hosts })
    }

    /// The next environment that changed.
    ///
    /// # Errors
    /// When the connection is lost. What was sent meanwhile is lost with it: read the versions, once connected again.
    pub async fn next(&mut self) -> Result<Wake> {
        loop {
            let suspected = async {
                match &self.hosts {
                    Some(hosts) => hosts.suspected().await,
                    None => std::future::pending().await,
                }
            };
            let received = tokio::select! {
                received = timeout(SILENCE_TIMEOUT, self.connection.try_recv()) => received.ok(),
                () = suspected => None,
            };
            match received {
                Some(Ok(Some(notification))) => {
                    if let Some(wake) = read(notification.payload()) {
                        return Ok(wake);
                    }
                }
                Some(Ok(None)) => return Err(Error::Io(ErrorKind::ConnectionAborted.into())),
                Some(Err(error)) => return Err(error),
                None => self.still_stands().await?,
            }
        }
    }

    /// A network that swallows everything closes no connection, and neither does a server that becomes read-only.
    async fn still_stands(&mut self) -> Result<()> {
        let question = sqlx::query_scalar::<_, String>("SHOW transaction_read_only").fetch_one(&mut self.connection);
        let answer = timeout(CHECK_TIMEOUT, question).await.map_err(|_| Error::Io(ErrorKind::TimedOut.into()))??;
        if self.hosts.is_some() && answer != "off" {
            return Err(Error::Io(ErrorKind::ReadOnlyFilesystem.into()));
        }
        Ok(())
    }
}

fn read(payload: &str) -> Option<Wake> {
    let mut words = payload.split(' ');
    let environment = EnvironmentId::from(words.next()?.to_owned());
    let version = words.next().map(str::parse).transpose().ok()?;
    Some(Wake::Environment { environment, version })
}
