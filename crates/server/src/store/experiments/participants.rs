//! Participants of experiments and how often they reached goals. A participant is a number of 64 bits from a keyed hash. The column
//! `variant` has the number of the participant's group.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::store::Result;
use crate::store::engine::placeholders::placeholders;

/// How many rows a statement adds or reads. PostgreSQL accepts 65,535 values.
const ROWS_AT_ONCE: usize = 1_000;

/// What is stored of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The number of the group: the first variant and the segment.
    pub group: usize,
    /// Whether the participant was given another variant later.
    pub crossed: bool,
}

/// How often a participant reached a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The participant.
    pub participant: i64,
    /// The place of the goal.
    pub goal: usize,
    /// How often.
    pub times: u64,
}

/// Adds participants with the numbers of their groups, each once; returns those that are new.
pub async fn insert(
    connection: &mut AnyConnection,
    experiment: u32,
    participants: &BTreeMap<i64, usize>,
) -> Result<BTreeSet<i64>> {
    let mut new = BTreeSet::new();
    let participants: Vec<_> = participants.iter().collect();
    for chunk in participants.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO participants (experiment, participant, variant, crossed) VALUES {}
             ON CONFLICT (experiment, participant) DO NOTHING RETURNING participant",
            placeholders(chunk.len(), 4),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (participant, group) in chunk {
            query = query.bind(i64::from(experiment)).bind(**participant).bind(place(**group)).bind(0_i64);
        }
        for row in query.fetch_all(&mut *connection).await? {
            new.insert(row.try_get(0)?);
        }
    }
    Ok(new)
}

/// Those of these numbers that are participants.
pub async fn find(
    connection: &mut AnyConnection,
    experiment: u32,
    numbers: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, Participant>> {
    let mut found = BTreeMap::new();
    let numbers: Vec<_> = numbers.iter().collect();
    for chunk in numbers.chunks(ROWS_AT_ONCE) {
        let list: Vec<_> = (2..chunk.len() + 2).map(|number| format!("${number}")).collect();
        let statement = format!(
            "SELECT participant, variant, crossed FROM participants WHERE experiment = $1 AND participant IN ({})",
            list.join(", "),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement)).bind(i64::from(experiment));
        for number in chunk {
            query = query.bind(**number);
        }
        for row in query.fetch_all(&mut *connection).await? {
            let group = usize::try_from(row.try_get::<i64, _>(1)?).unwrap_or(usize::MAX);
            found.insert(row.try_get(0)?, Participant { group, crossed: row.try_get::<i64, _>(2)? != 0 });
        }
    }
    Ok(found)
}

/// Notes that a participant was given another variant than the first one. Says whether that is new.
pub async fn cross(connection: &mut AnyConnection, experiment: u32, participant: i64) -> Result<bool> {
    let done =
        sqlx::query("UPDATE participants SET crossed = 1 WHERE experiment = $1 AND participant = $2 AND crossed = 0")
            .bind(i64::from(experiment))
            .bind(participant)
            .execute(connection)
            .await?;
    Ok(done.rows_affected() > 0)
}

/// Adds to what participants reached, each with each goal once; returns the conversions that are the first of their participant.
pub async fn convert(
    connection: &mut AnyConnection,
    experiment: u32,
    conversions: &[Conversion],
) -> Result<BTreeSet<(i64, usize)>> {
    let mut first = BTreeSet::new();
    for chunk in conversions.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO conversions (experiment, participant, goal, times) VALUES {}
             ON CONFLICT (experiment, participant, goal) DO UPDATE SET times = conversions.times + excluded.times
             RETURNING participant, goal, times",
            placeholders(chunk.len(), 4),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for Conversion { participant, goal, times } in chunk {
            query = query
                .bind(i64::from(experiment))
                .bind(*participant)
                .bind(place(*goal))
                .bind(i64::try_from(*times).unwrap_or(i64::MAX));
        }
        let added: BTreeMap<_, _> = chunk.iter().map(|one| ((one.participant, place(one.goal)), one.times)).collect();
        for row in query.fetch_all(&mut *connection).await? {
            let (participant, goal, times): (i64, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            let is_first = added.get(&(participant, goal)).is_some_and(|added| i64::try_from(*added) == Ok(times));
            if is_first && let Ok(goal) = usize::try_from(goal) {
                first.insert((participant, goal));
            }
        }
    }
    Ok(first)
}

/// Removes a participant and what they reached. Returns how many participants there were: 1 or 0.
pub async fn remove(connection: &mut AnyConnection, experiment: u32, participant: i64) -> Result<u64> {
    let mut removed = 0;
    for statement in [
        "DELETE FROM conversions WHERE experiment = $1 AND participant = $2",
        "DELETE FROM participants WHERE experiment = $1 AND participant = $2",
    ] {
        let done =
            sqlx::query(statement).bind(i64::from(experiment)).bind(participant).execute(&mut *connection).await?;
        removed = done.rows_affected();
    }
    Ok(removed)
}

fn place(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}
