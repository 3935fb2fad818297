//! How often features are evaluated, and which features are stale.

pub mod count;

use std::collections::BTreeMap;

use flagservice_rules::Instant;

use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, EnvironmentRef, Page, Paged, Result, TargetingRef};
use crate::domain::insights::{ClientKind, DAYS, FeatureInsights, HOURS, Seen, staleness};
use crate::domain::retention::periods::{DAY_MS, HOUR_MS};
use crate::serving::evaluations as pending;
use crate::store::Connection;
use crate::store::resources::evaluations::{self, Count, Period};

/// A feature with its evaluations in the last 24 hours, in order.
pub struct Recent {
    /// The feature.
    pub insights: FeatureInsights,
    /// How often it was evaluated in each hour, oldest first. The last one has begun.
    pub hours: [u64; HOURS],
}

/// A feature with its evaluations by variant and kind of client.
pub struct Detailed {
    /// The feature.
    pub insights: FeatureInsights,
    /// The last 24 hours, oldest first. The last one has begun.
    pub hours: Vec<Interval>,
    /// The last 30 days in UTC, oldest first. The last one has begun.
    pub days: Vec<Interval>,
}

/// An hour or a day.
pub struct Interval {
    /// Its begin.
    pub starts_at: Instant,
    /// How often each variant was evaluated, by key.
    pub variants: BTreeMap<String, VariantCounts>,
}

/// How often a variant was evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub struct VariantCounts {
    /// By pages, as an estimate.
    pub browser: u64,
    /// By services, exactly.
    pub server: u64,
}

/// The begin of the hour or day at an instant.
fn start_of(at: Instant, length: i64) -> Instant {
    Instant(at.0.div_euclid(length).saturating_mul(length))
}

/// The begin of the first of so many hours or days, of which the last has begun.
fn first_of(now: Instant, length: i64, count: usize) -> Instant {
    let before = i64::try_from(count).unwrap_or(i64::MAX).saturating_sub(1).saturating_mul(length);
    Instant(start_of(now, length).0.saturating_sub(before))
}

/// The environment's features that are not archived, by key.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] for an unknown project or environment.
pub async fn list(
    app: &App,
    actor: &Actor,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    page: &Page,
) -> Result<Paged<Recent>> {
    pending::keep(&app.serving).await;
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let now = app.now();
    let seen = evaluations::seen_page(connection, &project.id, &environment.id, &page.after, page.fetch()).await?;
    let keys: Vec<_> = seen.iter().map(|(key, _)| key.clone()).collect();
    let first_hour = first_of(now, HOUR_MS, HOURS);
    let by_hour = evaluations::by_hour(connection, &environment.id, &keys, first_hour).await?;
    let mut variants = evaluations::variants(connection, &environment.id, &keys, first_of(now, DAY_MS, DAYS)).await?;
    let recent = seen.into_iter().map(|(key, seen)| {
        let hours = std::array::from_fn(|place| {
            let starts_at = Instant(first_hour.0 + place as i64 * HOUR_MS);
            by_hour.get(&(key.clone(), starts_at)).copied().unwrap_or_default()
        });
        let variants = variants.remove(&key).unwrap_or_default();
        Recent { insights: insights(key, seen, &variants, now), hours }
    });
    Ok(page.paginate(recent.collect(), |recent| recent.insights.feature_key.as_str()))
}

/// A feature in an environment.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] for an unknown project, feature or environment.
pub async fn read(
    app: &App,
    actor: &Actor,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
) -> Result<Detailed> {
    pending::keep(&app.serving).await;
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let feature = lookup::find(connection, &project, feature).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let now = app.now();
    let seen = evaluations::seen_of(connection, &feature.id, &environment.id).await?;
    let of = async |connection: &mut Connection, period, (length, count)| -> Result<Vec<Interval>> {
        let first = first_of(now, length, count);
        let counts = evaluations::of_feature(connection, period, &environment.id, &feature.key, first).await?;
        Ok(intervals(first, (length, count), counts))
    };
    let hours = of(connection, Period::Hour, (HOUR_MS, HOURS)).await?;
    let days = of(connection, Period::Day, (DAY_MS, DAYS)).await?;
    let mut variants = BTreeMap::new();
    for day in &days {
        for variant in day.variants.keys() {
            variants.entry(variant.clone()).or_insert(day.starts_at);
        }
    }
    let variants: Vec<_> = variants.into_iter().collect();
    Ok(Detailed { insights: insights(feature.key.to_string(), seen, &variants, now), hours, days })
}

fn insights(feature_key: String, seen: Seen, variants: &[(String, Instant)], now: Instant) -> FeatureInsights {
    let (first_at, last_at) = seen.evaluated.unzip();
    FeatureInsights { feature_key, first_at, last_at, stale: staleness(seen, variants, now) }
}

/// All hours or days from the first one on, with what was counted.
fn intervals(first: Instant, (length, count): (i64, usize), counts: Vec<Count>) -> Vec<Interval> {
    let mut intervals: Vec<_> = (0..count as i64)
        .map(|place| Interval { starts_at: Instant(first.0 + place * length), variants: BTreeMap::new() })
        .collect();
    for Count { starts_at, variant, client, evaluations } in counts {
        let place = usize::try_from((starts_at.0 - first.0) / length).unwrap_or(usize::MAX);
        let Some(interval) = intervals.get_mut(place) else { continue };
        let counts: &mut VariantCounts = interval.variants.entry(variant).or_default();
        match client {
            ClientKind::Browser => counts.browser += evaluations,
            ClientKind::Server => counts.server += evaluations,
        }
    }
    intervals
}
