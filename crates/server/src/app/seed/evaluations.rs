//! The demo's evaluations, as if clients had reported them for a month.

use std::collections::BTreeMap;

use flagservice_core::Key;
use flagservice_rules::Instant;

use crate::app::seed::demo::DemoEvaluations;
use crate::app::{Result, Write};
use crate::domain::ids::EnvironmentId;
use crate::domain::insights::{ClientKind, DAYS, HOURS};
use crate::domain::retention::periods::{DAY_MS, HOUR_MS};
use crate::store::resources::evaluations::{self, CountKey, Period};

/// How many of 1,000 evaluations of a day fall into each hour, in UTC. They are fewest at night.
const SHARES: [u64; HOURS] =
    [12, 8, 6, 5, 6, 9, 16, 28, 41, 51, 58, 62, 64, 63, 61, 59, 58, 60, 66, 72, 71, 58, 41, 25];

/// How many hundredths of the usual number there are on each day of a week.
const WEEK: [u64; 7] = [100, 96, 98, 103, 112, 128, 119];

/// Records the evaluations of the last 24 hours and 30 days.
pub(super) async fn record(
    write: &mut Write<'_>,
    environments: &BTreeMap<Key, EnvironmentId>,
    recorded: Vec<DemoEvaluations>,
    now: Instant,
) -> Result<()> {
    let (mut hours, mut days, mut seen) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for one in &recorded {
        let Some(environment) = environments.get(&one.environment_key) else { continue };
        let last = Instant(now.0 - one.last_days_ago * DAY_MS);
        seen.insert((environment, one.feature_key.as_str()), (Instant(now.0 - one.first_days_ago * DAY_MS), last));
        for (variant, [browser, server]) in &one.per_day {
            for (client, per_day) in [(ClientKind::Browser, *browser), (ClientKind::Server, *server)] {
                let key = |starts_at| (environment, one.feature_key.as_str(), starts_at, variant.as_str(), client);
                add(&mut hours, per_day, now, key);
                add_days(&mut days, per_day, now, key);
            }
        }
    }
    let connection = write.connection().await?;
    evaluations::add(connection, Period::Hour, &hours).await?;
    evaluations::add(connection, Period::Day, &days).await?;
    Ok(evaluations::note(connection, &seen).await?)
}

/// Adds the hours until now. The last one has just begun.
fn add<'a>(hours: &mut BTreeMap<CountKey<'a>, u64>, per_day: u64, now: Instant, key: impl Fn(Instant) -> CountKey<'a>) {
    let last = now.0.div_euclid(HOUR_MS);
    for hour in last - HOURS as i64 + 1..=last {
        let share = usize::try_from(hour.rem_euclid(HOURS as i64)).ok().and_then(|place| SHARES.get(place));
        let count = per_day * share.copied().unwrap_or_default() / 1_000;
        if count > 0 {
            hours.insert(key(Instant(hour * HOUR_MS)), count);
        }
    }
}

/// Adds the days until now. Of the last one, as many hours as have passed.
fn add_days<'a>(
    days: &mut BTreeMap<CountKey<'a>, u64>,
    per_day: u64,
    now: Instant,
    key: impl Fn(Instant) -> CountKey<'a>,
) {
    let last = now.0.div_euclid(DAY_MS);
    let passed = usize::try_from(now.0.rem_euclid(DAY_MS) / HOUR_MS).unwrap_or_default() + 1;
    for day in last - DAYS as i64 + 1..=last {
        let hundredths = usize::try_from(day.rem_euclid(7)).ok().and_then(|place| WEEK.get(place));
        let shares = SHARES.iter().take(if day == last { passed } else { HOURS }).sum::<u64>();
        let count = per_day * hundredths.copied().unwrap_or_default() * shares / 100_000;
        if count > 0 {
            days.insert(key(Instant(day * DAY_MS)), count);
        }
    }
}
