//! How the nodes of one PostgreSQL database tell each other of commits: a notification says which environment has which
//! version now, and no more. What changed is read from the outbox.

use std::io::ErrorKind;
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions as _, Executor as _};

use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
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
pub struct Listener(PgListener);

impl Listener {
    pub(in crate::store) async fn connect(options: &AnyConnectOptions) -> Result<Self> {
        let options = PgConnectOptions::from_url(&options.database_url)?.disable_statement_logging();
        // The listener wants a pool to take its one connection from.
        let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.acquire_timeout(CONNECTION_TIMEOUT).after_connect(|connection, _| {
            Box::pin(async { connection.execute(AssertSqlSafe(limits::statements())).await.map(drop) })
        });
        let pool = pool.connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await?;
        // The caller that sees the loss connects again.
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(Self(listener))
    }

    /// The next environment that changed.
    ///
    /// # Errors
    /// When the connection is lost. What was sent meanwhile is lost with it: read the versions, once connected again.
    pub async fn next(&mut self) -> Result<Wake> {
        loop {
            match tokio::time::timeout(SILENCE_TIMEOUT, self.0.try_recv()).await {
                Ok(Ok(Some(notification))) => {
                    if let Some(wake) = read(notification.payload()) {
                        return Ok(wake);
                    }
                }
                Ok(Ok(None)) => return Err(Error::Io(ErrorKind::ConnectionAborted.into())),
                Ok(Err(error)) => return Err(error),
                Err(_) => self.still_stands().await?,
            }
        }
    }

    /// A network that swallows everything closes no connection.
    async fn still_stands(&mut self) -> Result<()> {
        let question = sqlx::query("SELECT 1").execute(&mut self.0);
        tokio::time::timeout(CHECK_TIMEOUT, question)
            .await
            .map_err(|_| Error::Io(ErrorKind::TimedOut.into()))?
            .map(drop)
    }
}

fn read(payload: &str) -> Option<Wake> {
    let mut words = payload.split(' ');
    let environment = EnvironmentId::from(words.next()?.to_owned());
    let version = words.next().map(str::parse).transpose().ok()?;
    Some(Wake::Environment { environment, version })
}
