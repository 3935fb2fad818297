//! A connection: each call waits, fails or hangs as the plan says, and is otherwise SQLite's.

use std::fmt;
use std::str::FromStr as _;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx_core::any::{
    Any, AnyArguments, AnyConnectionBackend, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo, AnyValueKind,
};
use sqlx_core::describe::Describe;
use sqlx_core::migrate::Migrate;
use sqlx_core::sql_str::{AssertSqlSafe, SqlSafeStr as _, SqlStr};
use sqlx_core::{Either, Error, Result};
use tokio::time::{Instant, sleep};

use crate::disk;
use crate::driver::Defect;
use crate::driver::defect::{is_outbox_entry, releases_all_leases, replaced};
use crate::driver::faults::{Call, Fault, faults};
use crate::driver::session::{Session, reset};
use crate::driver::wait::wait;
use crate::history::deliveries;
use crate::trace;

/// How long a call waits for another connection's lock, as the server sets it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// How many calls prepare a connection for use. They do not fail.
const PREPARATION: u32 = 4;

/// After how long a connection that hangs is given up where it is given back. The server does so with connections to PostgreSQL; those to
/// SQLite never hang.
const RELEASE_TIMEOUT: Duration = Duration::from_millis(500);

/// How SQLite's errors for a lock begin.
const BUSY: i32 = 5;

/// What the deliverer reads before each delivery.
const NEXT_DELIVERY: &str = "FROM deliveries WHERE integration_id = $1 AND state = 'waiting' ORDER BY position LIMIT 1";

enum State {
    Open,
    /// The network has lost it.
    Reset,
    /// Nothing arrives.
    Hung,
}

/// A connection of a node.
pub struct SimulatedConnection {
    session: Session,
    state: State,
    node: usize,
    calls: u32,
    /// When a commit is made that was answered before.
    early_commit: Option<Instant>,
}

impl fmt::Debug for SimulatedConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection of node {}", self.node)
    }
}

fn is_busy(error: &Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| code == BUSY)
}

/// A result in the trace.
fn outcome<T>(result: &Result<T>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(Error::Database(error)) => format!("error {}", error.code().unwrap_or_default()),
        Err(error) => format!("error {error}"),
    }
}

impl SimulatedConnection {
    /// Opens the file.
    pub(super) async fn open(url: &str) -> Result<Self> {
        let (node, opens) = {
            let mut faults = faults();
            (faults.node, faults.opens())
        };
        trace::note(format_args!("node {node} connects: {opens}"));
        if !opens {
            return Err(reset());
        }
        let options = SqliteConnectOptions::from_str(url)?.busy_timeout(Duration::ZERO).disable_statement_logging();
        let sqlite = wait(options.connect())?;
        Ok(Self { session: Session::new(node, sqlite), state: State::Open, node, calls: 0, early_commit: None })
    }

    /// What the database has for it.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Makes a commit that was answered before, if there is one. Nobody sees whether it fails.
    async fn make_early_commit(&mut self) {
        let Some(due) = self.early_commit else { return };
        tokio::time::sleep_until(due).await;
        self.early_commit = None;
        let fate = faults().fate(Call::Commit);
        if let Some(fault) = fate.disk {
            disk::arm(fault);
        }
        let made = match fate.fault {
            Some(Fault::Reset | Fault::HangsBefore) => Err(reset()),
            Some(Fault::LostAnswer | Fault::HangsAfter) | None => {
                self.session.with(|sqlite| wait(AnyConnectionBackend::commit(sqlite)))
            }
        };
        disk::disarm();
        trace::note(format_args!("node {} commits late: {}", self.node, outcome(&made)));
        match made {
            Ok(()) => faults().committed = true,
            Err(_) => self.session.roll_back(),
        }
    }

    async fn call<T: Send>(
        &mut self,
        call: Call,
        name: &str,
        // Whether it can be made again where another connection has the lock.
        may_wait: bool,
        mut run: impl FnMut(&mut SqliteConnection) -> Result<T> + Send,
    ) -> Result<T> {
        match self.state {
            State::Open => {}
            State::Reset => return Err(reset()),
            State::Hung if call == Call::Ping => {
                sleep(RELEASE_TIMEOUT).await;
                return Err(reset());
            }
            State::Hung => return std::future::pending().await,
        }
        self.make_early_commit().await;
        self.calls = self.calls.saturating_add(1);
        let mut fate = faults().fate(call);
        if self.calls <= PREPARATION {
            (fate.fault, fate.disk) = (None, None);
        }
        pause(fate.before).await;
        match fate.fault {
            Some(Fault::Reset) => return self.fail(name),
            Some(Fault::HangsBefore) => return self.hang(name).await,
            Some(Fault::LostAnswer | Fault::HangsAfter) | None => {}
        }
        let deadline = Instant::now() + LOCK_TIMEOUT;
        let result = loop {
            if let Some(fault) = fate.disk.take() {
                disk::arm(fault);
            }
            let result = self.session.with(&mut run);
            if disk::disarm() {
                faults().count += 1;
            }
            match result {
                Err(error) if may_wait && is_busy(&error) && Instant::now() < deadline => {
                    let pause = faults().lock_pause();
                    sleep(pause).await;
                }
                result => break result,
            }
        };
        trace::note(format_args!("node {} {name}: {}", self.node, outcome(&result)));
        if call == Call::Commit && result.is_ok() {
            faults().committed = true;
        }
        pause(fate.after).await;
        match fate.fault {
            Some(Fault::LostAnswer) => self.fail(name),
            Some(Fault::HangsAfter) => self.hang(name).await,
            Some(Fault::Reset | Fault::HangsBefore) | None => result,
        }
    }

    fn fail<T>(&mut self, name: &str) -> Result<T> {
        trace::note(format_args!("node {} {name}: the connection is reset", self.node));
        self.state = State::Reset;
        self.session.end();
        Err(reset())
    }

    async fn hang<T>(&mut self, name: &str) -> Result<T> {
        trace::note(format_args!("node {} {name}: the connection hangs", self.node));
        self.state = State::Hung;
        self.session.end();
        std::future::pending().await
    }

    async fn run(&mut self, sql: SqlStr, persistent: bool, arguments: Option<AnyArguments>) -> Result<Vec<Row>> {
        let (node, defect, several_nodes) = {
            let faults = faults();
            (self.node, faults.defect, faults.several_nodes)
        };
        let text = sql.as_str();
        let is_skipped = (several_nodes && releases_all_leases(text) && names_nobody(arguments.as_ref()))
            || (is_outbox_entry(text) && faults().loses_entry());
        let name: String = text.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
        let integration = text.ends_with(NEXT_DELIVERY).then(|| first_text(arguments.as_ref())).flatten();
        let replaced: SqlStr = AssertSqlSafe(replaced(text, defect).into_owned()).into_sql_str();
        let may_wait = arguments.is_none();
        let mut arguments = arguments;
        self.call(Call::Statement, &name, may_wait, move |sqlite| {
            if is_skipped {
                return Ok(vec![Either::Left(AnyQueryResult { rows_affected: 1, last_insert_id: None })]);
            }
            if let Some(integration) = &integration {
                deliveries::log().begin_run(node, integration);
            }
            let rows = AnyConnectionBackend::fetch_many(sqlite, replaced.clone(), persistent, arguments.take());
            wait(rows.try_collect())
        })
        .await
    }
}

type Row = Either<AnyQueryResult, AnyRow>;

async fn pause(duration: Duration) {
    if duration > Duration::ZERO {
        sleep(duration).await;
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "sqlx may add more that are no text")]
fn first_text(arguments: Option<&AnyArguments>) -> Option<String> {
    match arguments?.values.0.first()? {
        AnyValueKind::Text(text) => Some(text.to_string()),
        AnyValueKind::TextSlice(text) => Some(text.to_string()),
        _ => None,
    }
}

fn names_nobody(arguments: Option<&AnyArguments>) -> bool {
    first_text(arguments).is_some_and(|name| name.is_empty())
}

impl Drop for SimulatedConnection {
    fn drop(&mut self) {
        self.session.end();
    }
}

impl AnyConnectionBackend for SimulatedConnection {
    fn name(&self) -> &str {
        "SQLite"
    }

    fn close(mut self: Box<Self>) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move {
            self.make_early_commit().await;
            self.session.end();
            Ok(())
        })
    }

    fn close_hard(self: Box<Self>) -> BoxFuture<'static, Result<()>> {
        AnyConnectionBackend::close(self)
    }

    fn ping(&mut self) -> BoxFuture<'_, Result<()>> {
        Box::pin(self.call(Call::Ping, "ping", false, |_| Ok(())))
    }

    fn begin(&mut self, statement: Option<SqlStr>) -> BoxFuture<'_, Result<()>> {
        Box::pin(self.call(Call::Begin, "begin", true, move |sqlite| {
            wait(AnyConnectionBackend::begin(sqlite, statement.clone()))
        }))
    }

    fn commit(&mut self) -> BoxFuture<'_, Result<()>> {
        if faults().defect == Some(Defect::EarlyAcknowledgement) {
            self.early_commit = Some(Instant::now() + faults().early_by());
            return Box::pin(std::future::ready(Ok(())));
        }
        Box::pin(self.call(Call::Commit, "commit", false, |sqlite| wait(AnyConnectionBackend::commit(sqlite))))
    }

    fn rollback(&mut self) -> BoxFuture<'_, Result<()>> {
        Box::pin(self.call(Call::Rollback, "rollback", false, |sqlite| wait(AnyConnectionBackend::rollback(sqlite))))
    }

    fn start_rollback(&mut self) {
        self.session.roll_back();
    }

    fn get_transaction_depth(&self) -> usize {
        if self.early_commit.is_some() { 0 } else { self.session.transaction_depth() }
    }

    fn shrink_buffers(&mut self) {}

    fn flush(&mut self) -> BoxFuture<'_, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn should_flush(&self) -> bool {
        false
    }

    fn as_migrate(&mut self) -> Result<&mut (dyn Migrate + Send + 'static)> {
        Ok(self)
    }

    fn fetch_many(
        &mut self,
        query: SqlStr,
        persistent: bool,
        arguments: Option<AnyArguments>,
    ) -> BoxStream<'_, Result<Row>> {
        let rows = stream::once(self.run(query, persistent, arguments));
        rows.map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten().boxed()
    }

    fn fetch_optional(
        &mut self,
        query: SqlStr,
        persistent: bool,
        arguments: Option<AnyArguments>,
    ) -> BoxFuture<'_, Result<Option<AnyRow>>> {
        Box::pin(async move {
            let rows = self.run(query, persistent, arguments).await?;
            Ok(rows.into_iter().find_map(Either::right))
        })
    }

    fn prepare_with<'c, 'q: 'c>(
        &'c mut self,
        sql: SqlStr,
        parameters: &[AnyTypeInfo],
    ) -> BoxFuture<'c, Result<AnyStatement>> {
        let prepared = self.session.with(|sqlite| wait(AnyConnectionBackend::prepare_with(sqlite, sql, parameters)));
        Box::pin(std::future::ready(prepared))
    }

    fn describe(&mut self, sql: SqlStr) -> BoxFuture<'_, Result<Describe<Any>>> {
        let described = self.session.with(|sqlite| wait(AnyConnectionBackend::describe(sqlite, sql)));
        Box::pin(std::future::ready(described))
    }
}
