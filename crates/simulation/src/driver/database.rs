//! The database as sqlx knows it by type. Only its connections are used, and only through `Any`, so its other types have no values.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sqlx_core::Error;
use sqlx_core::any::{AnyConnectOptions, AnyConnectionBackend as _};
use sqlx_core::arguments::Arguments;
use sqlx_core::column::{Column, ColumnIndex};
use sqlx_core::connection::{ConnectOptions, Connection};
use sqlx_core::database::Database;
use sqlx_core::encode::Encode;
use sqlx_core::error::BoxDynError;
use sqlx_core::row::Row;
use sqlx_core::sql_str::SqlStr;
use sqlx_core::statement::Statement;
use sqlx_core::transaction::{Transaction, TransactionManager};
use sqlx_core::type_info::TypeInfo;
use sqlx_core::types::Type;
use sqlx_core::value::{Value, ValueRef};
use sqlx_core::{Either, impl_statement_query};

use crate::driver::connection::SimulatedConnection;

/// SQLite behind a network, with faults.
#[derive(Debug)]
pub struct Simulated;

impl Database for Simulated {
    type Connection = SimulatedConnection;
    type TransactionManager = Unused;
    type Row = Unused;
    type QueryResult = NoResult;
    type Column = Unused;
    type TypeInfo = Unused;
    type Value = Unused;
    type ValueRef<'r> = Unused;
    type Arguments = NoArguments;
    type ArgumentBuffer = ();
    type Statement = Unused;

    const NAME: &'static str = "SQLite";
    const URL_SCHEMES: &'static [&'static str] = &["sqlite"];
}

/// How to connect: the URL of the file.
#[derive(Clone, Debug)]
pub struct SimulatedOptions(pub(super) String);

impl TryFrom<&AnyConnectOptions> for SimulatedOptions {
    type Error = Error;

    fn try_from(options: &AnyConnectOptions) -> Result<Self, Error> {
        Ok(Self(options.database_url.to_string()))
    }
}

impl FromStr for SimulatedOptions {
    type Err = Error;

    fn from_str(url: &str) -> Result<Self, Error> {
        Ok(Self(url.to_owned()))
    }
}

impl ConnectOptions for SimulatedOptions {
    type Connection = SimulatedConnection;

    fn from_url(url: &sqlx_core::Url) -> Result<Self, Error> {
        Ok(Self(url.to_string()))
    }

    fn connect(&self) -> impl Future<Output = Result<SimulatedConnection, Error>> + Send + '_ {
        SimulatedConnection::open(&self.0)
    }

    fn log_statements(self, _: log::LevelFilter) -> Self {
        self
    }

    fn log_slow_statements(self, _: log::LevelFilter, _: Duration) -> Self {
        self
    }
}

impl Connection for SimulatedConnection {
    type Database = Simulated;
    type Options = SimulatedOptions;

    fn close(self) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        sqlx_core::any::AnyConnectionBackend::close(Box::new(self))
    }

    fn close_hard(self) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        sqlx_core::any::AnyConnectionBackend::close_hard(Box::new(self))
    }

    fn ping(&mut self) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        sqlx_core::any::AnyConnectionBackend::ping(self)
    }

    fn begin(&mut self) -> impl Future<Output = Result<Transaction<'_, Simulated>, Error>> + Send + '_ {
        Transaction::begin(self, None)
    }

    fn shrink_buffers(&mut self) {}

    fn flush(&mut self) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        std::future::ready(Ok(()))
    }

    fn should_flush(&self) -> bool {
        false
    }
}

/// A type without values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unused {}

impl fmt::Display for Unused {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// Transactions are begun through `Any`.
impl TransactionManager for Unused {
    type Database = Simulated;

    fn begin(
        connection: &mut SimulatedConnection,
        statement: Option<SqlStr>,
    ) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        sqlx_core::any::AnyConnectionBackend::begin(connection, statement)
    }

    fn commit(connection: &mut SimulatedConnection) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        connection.commit()
    }

    fn rollback(connection: &mut SimulatedConnection) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        connection.rollback()
    }

    fn start_rollback(connection: &mut SimulatedConnection) {
        sqlx_core::any::AnyConnectionBackend::start_rollback(connection);
    }

    fn get_transaction_depth(connection: &SimulatedConnection) -> usize {
        sqlx_core::any::AnyConnectionBackend::get_transaction_depth(connection)
    }
}

impl Row for Unused {
    type Database = Simulated;

    fn columns(&self) -> &[Self] {
        match *self {}
    }

    fn try_get_raw<I: ColumnIndex<Self>>(&self, _: I) -> Result<Self, Error> {
        match *self {}
    }
}

impl Column for Unused {
    type Database = Simulated;

    fn ordinal(&self) -> usize {
        match *self {}
    }

    fn name(&self) -> &str {
        match *self {}
    }

    fn type_info(&self) -> &Self {
        match *self {}
    }
}

impl TypeInfo for Unused {
    fn is_null(&self) -> bool {
        match *self {}
    }

    fn name(&self) -> &str {
        match *self {}
    }
}

impl Value for Unused {
    type Database = Simulated;

    fn as_ref(&self) -> Self {
        match *self {}
    }

    fn type_info(&self) -> Cow<'_, Self> {
        match *self {}
    }

    fn is_null(&self) -> bool {
        match *self {}
    }
}

impl<'r> ValueRef<'r> for Unused {
    type Database = Simulated;

    fn to_owned(&self) -> Self {
        match *self {}
    }

    fn type_info(&self) -> Cow<'_, Self> {
        match *self {}
    }

    fn is_null(&self) -> bool {
        match *self {}
    }
}

impl Statement for Unused {
    type Database = Simulated;

    fn into_sql(self) -> SqlStr {
        match self {}
    }

    fn sql(&self) -> &SqlStr {
        match *self {}
    }

    fn parameters(&self) -> Option<Either<&[Self], usize>> {
        match *self {}
    }

    fn columns(&self) -> &[Self] {
        match *self {}
    }

    impl_statement_query!(NoArguments);
}

/// The arguments of a statement that nobody makes.
#[derive(Default)]
pub struct NoArguments;

impl Arguments for NoArguments {
    type Database = Simulated;

    fn reserve(&mut self, _: usize, _: usize) {}

    fn add<'t, T: Encode<'t, Simulated> + Type<Simulated>>(&mut self, _: T) -> Result<(), BoxDynError> {
        Err("statements are run through Any".into())
    }

    fn len(&self) -> usize {
        0
    }
}

impl sqlx_core::arguments::IntoArguments<Simulated> for NoArguments {
    fn into_arguments(self) -> Self {
        self
    }
}

/// The result of a statement that nobody runs.
#[derive(Default)]
pub struct NoResult;

impl Extend<Self> for NoResult {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, _: T) {}
}
