//! What is counted of experiments by day, in UTC. The column `variant` has the number of a group of participants.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::experiments::counts::{GoalCount, ParticipantCount};
use crate::store::Result;
use crate::store::engine::columns::{corrupt, signed, unsigned};

/// A day and the number of a group.
pub type DayAndGroup = (i64, usize);

/// Adds to the counts of participants.
pub async fn add_participants(
    connection: &mut AnyConnection,
    experiment: u32,
    counts: &BTreeMap<DayAndGroup, ParticipantCount>,
) -> Result<()> {
    for ((day, group), count) in counts {
        sqlx::query(
            "INSERT INTO experiment_days (experiment, day, variant, participants, crossovers) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (experiment, day, variant) DO UPDATE SET
                participants = experiment_days.participants + excluded.participants,
                crossovers = experiment_days.crossovers + excluded.crossovers",
        )
        .bind(i64::from(experiment))
        .bind(*day)
        .bind(signed(*group as u64))
        .bind(signed(count.participants))
        .bind(signed(count.crossovers))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Adds to the counts of goals, by day, group and goal.
pub async fn add_goals(
    connection: &mut AnyConnection,
    experiment: u32,
    counts: &BTreeMap<(DayAndGroup, usize), GoalCount>,
) -> Result<()> {
    for (((day, group), goal), count) in counts {
        sqlx::query(
            "INSERT INTO experiment_goal_days (experiment, day, variant, goal, participants, times)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (experiment, day, variant, goal) DO UPDATE SET
                participants = experiment_goal_days.participants + excluded.participants,
                times = experiment_goal_days.times + excluded.times",
        )
        .bind(i64::from(experiment))
        .bind(*day)
        .bind(signed(*group as u64))
        .bind(signed(*goal as u64))
        .bind(signed(count.participants))
        .bind(signed(count.times))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// The counts of participants, by day and group.
pub async fn participants(
    connection: &mut AnyConnection,
    experiment: u32,
) -> Result<BTreeMap<DayAndGroup, ParticipantCount>> {
    let rows = sqlx::query("SELECT day, variant, participants, crossovers FROM experiment_days WHERE experiment = $1")
        .bind(i64::from(experiment))
        .fetch_all(connection)
        .await?;
    let count = |row: &AnyRow| {
        let count =
            ParticipantCount { participants: unsigned(row, "participants")?, crossovers: unsigned(row, "crossovers")? };
        Ok((day_and_group(row)?, count))
    };
    rows.iter().map(count).collect()
}

/// The counts of goals, by day, group and goal.
pub async fn goals(
    connection: &mut AnyConnection,
    experiment: u32,
) -> Result<BTreeMap<(DayAndGroup, usize), GoalCount>> {
    let rows =
        sqlx::query("SELECT day, variant, goal, participants, times FROM experiment_goal_days WHERE experiment = $1")
            .bind(i64::from(experiment))
            .fetch_all(connection)
            .await?;
    let count = |row: &AnyRow| {
        let count = GoalCount { participants: unsigned(row, "participants")?, times: unsigned(row, "times")? };
        Ok(((day_and_group(row)?, place(row, "goal")?), count))
    };
    rows.iter().map(count).collect()
}

fn day_and_group(row: &AnyRow) -> Result<DayAndGroup> {
    Ok((row.try_get("day")?, place(row, "variant")?))
}

fn place(row: &AnyRow, column: &'static str) -> Result<usize> {
    usize::try_from(row.try_get::<i64, _>(column)?).map_err(|cause| corrupt(column, cause))
}
