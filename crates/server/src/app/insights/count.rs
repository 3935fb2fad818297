//! Counts the evaluations that clients report, each summary once, in the transaction that stores their goals.

use std::collections::{BTreeMap, BTreeSet};

use flagservice_rules::Instant;

use crate::app::insights::start_of;
use crate::domain::ids::EnvironmentId;
use crate::domain::insights::EvaluationSummary;
use crate::domain::retention::periods::{DAY_MS, HOUR_MS};
use crate::store::resources::evaluations::{self, CountKey, Period};
use crate::store::{Connection, Result};

/// Counts what the summaries have that were not counted before.
///
/// # Errors
/// When the database fails.
pub async fn count(
    connection: &mut Connection,
    summaries: &[(&EnvironmentId, &EvaluationSummary)],
    now: Instant,
) -> Result<()> {
    if summaries.is_empty() {
        return Ok(());
    }
    let ids: BTreeSet<_> = summaries.iter().map(|(environment, summary)| (*environment, summary.id.as_str())).collect();
    let mut new = evaluations::insert_summaries(connection, &ids, now).await?;
    let mut hours: BTreeMap<CountKey<'_>, u64> = BTreeMap::new();
    let mut days: BTreeMap<CountKey<'_>, u64> = BTreeMap::new();
    let mut seen: BTreeMap<(&EnvironmentId, &str), (Instant, Instant)> = BTreeMap::new();
    // Two of them may be the same.
    for (environment, summary) in
        summaries.iter().filter(|(environment, summary)| new.remove(&(*environment, summary.id.as_str())))
    {
        // The clock of an edge may be ahead.
        let at = summary.at.min(now);
        for (feature, variants) in &summary.evaluations {
            let (first, last) = seen.entry((environment, feature)).or_insert((at, at));
            (*first, *last) = ((*first).min(at), (*last).max(at));
            for (variant, count) in variants {
                let key =
                    |length| (*environment, feature.as_str(), start_of(at, length), variant.as_str(), summary.client);
                *hours.entry(key(HOUR_MS)).or_default() += count;
                *days.entry(key(DAY_MS)).or_default() += count;
            }
        }
    }
    evaluations::add(connection, Period::Hour, &hours).await?;
    evaluations::add(connection, Period::Day, &days).await?;
    evaluations::note(connection, &seen).await
}
