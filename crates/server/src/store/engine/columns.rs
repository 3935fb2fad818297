//! How values are stored in columns: JSON as text, and the error for stored text that cannot be read.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::domain::access_token::TokenRef;
use crate::domain::ids::UserId;
use crate::store::Result;
use crate::store::engine::tolerant::Tolerant;

/// Stored text that is not what this release writes.
#[derive(Debug)]
pub struct Corrupt {
    column: &'static str,
    cause: String,
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column '{}' holds something unreadable: {}", self.column, self.cause)
    }
}

impl std::error::Error for Corrupt {}

/// Why the column's text cannot be read.
pub(in crate::store) fn corrupt(column: &'static str, cause: impl fmt::Display) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(Corrupt { column, cause: cause.to_string() }))
}

/// Reads a JSON column.
pub(in crate::store) fn json<T: DeserializeOwned>(row: &AnyRow, column: &'static str) -> Result<T> {
    let text: String = row.try_get(column)?;
    parse(&text).map_err(|cause| corrupt(column, cause))
}

/// Reads JSON that another release may have written: fields that this one does not know are ignored.
pub(in crate::store) fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Tolerant(&mut json))?;
    json.end().map(|()| value)
}

/// Reads a JSON column that may be empty.
pub(in crate::store) fn optional_json<T: DeserializeOwned>(row: &AnyRow, column: &'static str) -> Result<Option<T>> {
    let text: Option<String> = row.try_get(column)?;
    text.map(|text| parse(&text)).transpose().map_err(|cause| corrupt(column, cause))
}

/// Reads an id column.
pub(in crate::store) fn id<T: From<String>>(row: &AnyRow, column: &'static str) -> Result<T> {
    row.try_get::<String, _>(column).map(T::from)
}

/// Reads a token and its creator from two columns that may be empty.
pub(in crate::store) fn token(row: &AnyRow, [token, creator]: [&'static str; 2]) -> Result<Option<TokenRef>> {
    let (token, creator): (Option<String>, Option<String>) = (row.try_get(token)?, row.try_get(creator)?);
    Ok(token.map(|token| TokenRef { id: token.into(), creator_id: creator.map(UserId::from) }))
}

/// Reads a column of text that one of our types parses.
pub(in crate::store) fn parsed<T>(row: &AnyRow, column: &'static str) -> Result<T>
where
    T: TryFrom<String>,
    T::Error: fmt::Display,
{
    T::try_from(row.try_get(column)?).map_err(|cause| corrupt(column, cause))
}

/// Reads a number that is never negative.
pub(in crate::store) fn unsigned(row: &AnyRow, column: &'static str) -> Result<u64> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(|cause| corrupt(column, cause))
}

/// Reads 1 or 0.
pub(in crate::store) fn boolean(row: &AnyRow, column: &'static str) -> Result<bool> {
    Ok(row.try_get::<i64, _>(column)? != 0)
}

/// Writes a number that is never negative.
pub(in crate::store) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Writes a JSON column.
pub(in crate::store) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|cause| sqlx::Error::Encode(Box::new(cause)))
}
