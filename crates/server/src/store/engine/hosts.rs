//! The hosts of a PostgreSQL database: which of them takes writes is found out by asking them. The others are standbys, or down.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _, Executor as _, Row as _};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::store::engine::database_url::{self, postgres_options, without_password};
use crate::store::engine::error::remedy;
use crate::store::{Error, Result};

/// How long a host may take to answer. A machine that is gone answers never.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// The first letters of a WAL file's name are its timeline, which each promotion raises. A standby has none.
const TIMELINE: &str =
    "SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END";

/// The hosts of one database, and the one to which this node connects.
pub(in crate::store) struct Hosts {
    /// The database as it may be shown.
    database: String,
    /// In the order of the URL.
    hosts: Vec<Host>,
    used: Mutex<Used>,
    suspicion: Notify,
}

/// One of the hosts.
pub(in crate::store) struct Host {
    /// Its name and port.
    name: String,
    /// How to connect to it.
    pub(in crate::store) options: AnyConnectOptions,
}

/// The host to which connections are made.
struct Used {
    host: Option<String>,
    since: Instant,
    /// Why no host took writes when they were asked last.
    refusals: Option<String>,
}

/// A host that takes writes, and its timeline where it tells.
struct Primary<'a> {
    host: &'a Host,
    timeline: Option<String>,
}

/// Why a host does not serve.
enum Refusal {
    ReadOnly,
    Silent,
    Failed(Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly => f.write_str("it is a standby, or read-only."),
            Self::Silent => write!(f, "no answer within {} s.", ANSWER_TIMEOUT.as_secs()),
            Self::Failed(error) => match remedy(error) {
                Some(remedy) => write!(f, "{error}. {remedy}"),
                None => write!(f, "{error}."),
            },
        }
    }
}

impl Hosts {
    /// The hosts of a URL that names several, or that asks for a server that takes writes. None for any other: such a database is
    /// used as it is.
    ///
    /// # Errors
    /// Says what is wrong with the URL, without the password.
    pub(in crate::store) fn of(url: &str) -> anyhow::Result<Option<Self>> {
        if !database_url::wants_primary(url)? {
            return Ok(None);
        }
        let hosts = database_url::of_each_host(url).into_iter().map(|url| {
            // Statements are not logged: their values may be somebody's data.
            let options = postgres_options(&url)?.disable_statement_logging();
            Ok(Host { name: database_url::host(&url), options })
        });
        let hosts = hosts.collect::<anyhow::Result<_>>()?;
        let used = Mutex::new(Used { host: None, since: Instant::now(), refusals: None });
        Ok(Some(Self { database: without_password(url), hosts, used, suspicion: Notify::new() }))
    }

    /// Finds the host that takes writes: the first in the order of the URL. If there are several, all but one were replaced and do not
    /// know it, and the one that was promoted last is taken.
    ///
    /// # Errors
    /// Names each host and why it does not serve.
    pub(in crate::store) async fn find(&self) -> anyhow::Result<&Host> {
        let answers = join_all(self.hosts.iter().map(|host| async move {
            let answer = timeout(ANSWER_TIMEOUT, host.ask()).await.unwrap_or(Err(Refusal::Silent));
            (host, answer)
        }));
        let (mut primary, mut refusals) = (None::<Primary<'_>>, Vec::new());
        for (host, answer) in answers.await {
            match answer {
                Ok(timeline) => primary = Some(Primary { host, timeline }.unless_older_than(primary)),
                Err(refusal) => refusals.push(format!("{}: {refusal}", host.name)),
            }
        }
        primary.map(|primary| primary.host).ok_or_else(|| self.note_refusals(&refusals.join(" ")))
    }

    /// Notes that all connections from now on are made to this host.
    pub(in crate::store) fn note(&self, host: &Host) {
        let mut used = self.used();
        used.refusals = None;
        if used.host.as_ref() != Some(&host.name) {
            (used.host, used.since) = (Some(host.name.clone()), Instant::now());
            drop(used);
            tracing::info!(host = host.name, database = self.database, "this host of the database takes writes");
        }
    }

    fn note_refusals(&self, refusals: &str) -> anyhow::Error {
        let error = format!(
            "No host of the database {} takes writes. {refusals} Start its primary, or promote a standby; or correct the hosts in \
             --database-url.",
            self.database
        );
        let mut used = self.used();
        if used.refusals.as_deref() != Some(refusals) {
            used.refusals = Some(refusals.to_owned());
            drop(used);
            tracing::warn!(error, "looking for the host that takes writes");
        }
        anyhow::anyhow!(error)
    }

    /// Whether a connection of this age is one to the host that is used now.
    pub(in crate::store) fn is_current(&self, age: Duration) -> bool {
        age <= self.used().since.elapsed()
    }

    /// Notes that a connection broke, or became read-only: another host may take writes now.
    pub(in crate::store) fn suspect(&self) {
        self.suspicion.notify_one();
    }

    /// Waits for a suspicion.
    pub(in crate::store) async fn suspected(&self) {
        self.suspicion.notified().await;
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host {
    /// Its timeline, if it takes writes.
    async fn ask(&self) -> std::result::Result<Option<String>, Refusal> {
        let mut connection = self.options.connect().await.map_err(Refusal::Failed)?;
        let takes_writes = takes_writes(&mut connection).await.map_err(Refusal::Failed)?;
        if !takes_writes {
            return Err(Refusal::ReadOnly);
        }
        // Servers that are no ordinary PostgreSQL may refuse to tell.
        let timeline = connection.fetch_one(TIMELINE).await.ok().and_then(|row| row.try_get(0).ok());
        let _ = connection.close().await;
        Ok(timeline)
    }
}

impl Primary<'_> {
    fn unless_older_than(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.timeline >= self.timeline => other,
            Some(_) | None => self,
        }
    }
}

/// Whether the server of a connection takes writes: it is no standby, and its transactions are not read-only.
pub(in crate::store) async fn takes_writes(connection: &mut AnyConnection) -> Result<bool> {
    let row = connection.fetch_one("SHOW transaction_read_only").await?;
    Ok(row.try_get::<&str, _>(0)? == "off")
}
