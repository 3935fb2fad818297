//! Errors of the database: which of them go away again, because it cannot be written just now, cannot be reached, or is busy; and what
//! to do about encryption.

use std::io::ErrorKind;

/// Why a query failed.
pub type Error = sqlx::Error;

/// Result of a query.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the database cannot be written just now, where the reason is outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no room, or the file may not grow.
    Full,
    /// It may be read, not written.
    ReadOnly,
}

/// SQLITE_FULL, and SQLITE_IOERR with what it could not do: write, truncate, make the shared memory larger.
const SQLITE_FULL: [&str; 4] = ["13", "778", "1546", "4874"];

/// SQLITE_READONLY, and its particulars.
const SQLITE_READ_ONLY: [&str; 7] = ["8", "264", "520", "776", "1032", "1288", "1544"];

/// SQLITE_BUSY: another process is writing.
const SQLITE_BUSY: i32 = 5;

/// Of PostgreSQL: disk_full; read_only_sql_transaction.
const POSTGRES: [(&str, Fault); 2] = [("53100", Fault::Full), ("25006", Fault::ReadOnly)];

/// The reason, if the error is of this kind.
pub fn fault(error: &Error) -> Option<Fault> {
    let code = error.as_database_error()?.code()?;
    if SQLITE_FULL.contains(&&*code) {
        return Some(Fault::Full);
    }
    if SQLITE_READ_ONLY.contains(&&*code) {
        return Some(Fault::ReadOnly);
    }
    POSTGRES.into_iter().find(|(known, _)| *known == code).map(|(_, fault)| fault)
}

/// Whether the error is that the database cannot be reached, or not now: nothing is wrong with what it was asked.
pub fn is_unreachable(error: &Error) -> bool {
    // 08: connection exceptions; 57P: shutting down or not yet up; 53300: too many connections.
    const CODES: [&str; 3] = ["08", "57P", "53300"];
    if let Some(code) = error.as_database_error().and_then(|error| error.code()) {
        return CODES.iter().any(|begins| code.starts_with(begins));
    }
    matches!(error, Error::Io(_) | Error::Tls(_) | Error::PoolClosed | Error::WorkerCrashed)
}

/// Whether the database answers, but did not get to this in time: no connection was free, or another held what it needs.
pub fn is_busy(error: &Error) -> bool {
    // 25P03: a transaction that did nothing for too long; 40P01: a deadlock; 55P03: a lock, 57014: a statement that took too long.
    const CODES: [&str; 4] = ["25P03", "40P01", "55P03", "57014"];
    if let Some(error) = error.as_database_error() {
        return error.code().is_some_and(|code| CODES.contains(&&*code)) || sqlite_code(error) == Some(SQLITE_BUSY);
    }
    matches!(error, Error::PoolTimedOut)
}

/// Whether the database answered, and a row has something that cannot be read.
pub fn is_unreadable(error: &Error) -> bool {
    matches!(error, Error::Decode(_) | Error::ColumnDecode { .. })
}

/// The primary code of an SQLite error.
pub(in crate::store) fn sqlite_code(error: &dyn sqlx::error::DatabaseError) -> Option<i32> {
    error.code()?.parse::<i32>().ok().map(|code| code & 0xff)
}

/// Whether the statement, which is known to be right, names a table that is not there: undefined_table, or SQLITE_ERROR.
pub(in crate::store) fn is_missing_table(error: &Error) -> bool {
    let Some(error) = error.as_database_error() else { return false };
    error.code().is_some_and(|code| code == "42P01") || sqlite_code(error) == Some(1)
}

/// What to do about a connection that cannot be made because of encryption.
pub(in crate::store) fn remedy(error: &Error) -> Option<&'static str> {
    if matches!(error, Error::Tls(cause) if cause.to_string().contains("does not support TLS")) {
        return Some(
            "It offers no encryption, and plaintext is only for a database on this machine. Turn on TLS in PostgreSQL \
             (ssl = on), or, in a network that you trust, add sslmode=disable to --database-url.",
        );
    }
    // This is how a handshake fails.
    if matches!(error, Error::Io(cause) if cause.kind() == ErrorKind::InvalidData) {
        return Some(
            "Its certificate is not accepted. Name the file with its authority's certificate as sslrootcert in \
             --database-url, and the host as in the certificate.",
        );
    }
    None
}
