//! `…/insights`: how often features are evaluated, and which features are stale.

use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::insights::{self, Detailed, Interval, Recent, VariantCounts};
use crate::app::{App, EnvironmentRef, TargetingRef};
use crate::domain::insights::Stale;
use crate::http::extract::caller::Reader;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// How a feature is used in an environment. Pages count each feature once, and only a sample of them reports, so their counts are
/// estimates. Services count every evaluation.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureInsights)]
#[serde(rename_all = "camelCase")]
pub struct RecentView {
    feature_key: String,
    /// The first evaluation. Null if there was none.
    first_seen_at: Option<Time>,
    /// The last evaluation. Null if there was none.
    last_seen_at: Option<Time>,
    /// The number of evaluations in each of the last 24 hours, oldest first. The last hour has begun.
    #[schema(min_items = 24, max_items = 24)]
    hours: Vec<u64>,
    /// Why the feature may no longer be needed. Null if it is in use.
    stale: Option<StaleView>,
}

/// Why a feature may no longer be needed.
#[derive(Serialize, ToSchema)]
#[schema(as = StaleFeature)]
#[serde(tag = "reason", rename_all = "camelCase")]
pub enum StaleView {
    /// It was not evaluated for 30 days, and exists for as long.
    NotEvaluated {
        /// The last evaluation, or when the feature was created.
        since: Time,
    },
    /// It is evaluated for at least 30 days, and all evaluations of the last 30 days had the same variant.
    SameVariant {
        #[serde(rename = "variantKey")]
        variant_key: String,
        /// Begin of the first of these days on which it was evaluated.
        since: Time,
    },
}

/// How a feature is used in an environment, by variant and kind of client.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureInsightsDetails)]
#[serde(rename_all = "camelCase")]
pub struct DetailedView {
    feature_key: String,
    /// The first evaluation. Null if there was none.
    first_seen_at: Option<Time>,
    /// The last evaluation. Null if there was none.
    last_seen_at: Option<Time>,
    /// Why the feature may no longer be needed. Null if it is in use.
    stale: Option<StaleView>,
    /// The last 24 hours, oldest first. The last one has begun.
    #[schema(min_items = 24, max_items = 24)]
    hours: Vec<IntervalView>,
    /// The last 30 days in UTC, oldest first. The last one has begun.
    #[schema(min_items = 30, max_items = 30)]
    days: Vec<IntervalView>,
}

/// The evaluations of an hour or a day.
#[derive(Serialize, ToSchema)]
#[schema(as = EvaluationInterval)]
#[serde(rename_all = "camelCase")]
pub struct IntervalView {
    starts_at: Time,
    /// Variants without evaluations are missing.
    evaluations: Vec<VariantCountsView>,
}

/// How often a variant was evaluated.
#[derive(Serialize, ToSchema)]
#[schema(as = VariantEvaluations)]
#[serde(rename_all = "camelCase")]
pub struct VariantCountsView {
    variant_key: String,
    /// Pages in browsers that evaluated it, as an estimate.
    browser: u64,
    /// Evaluations by services, exactly.
    server: u64,
}

impl From<Recent> for RecentView {
    fn from(Recent { insights, hours }: Recent) -> Self {
        Self {
            feature_key: insights.feature_key,
            first_seen_at: insights.first_at.map(Time),
            last_seen_at: insights.last_at.map(Time),
            hours: hours.to_vec(),
            stale: insights.stale.map(StaleView::from),
        }
    }
}

impl From<Stale> for StaleView {
    fn from(stale: Stale) -> Self {
        match stale {
            Stale::NotEvaluated { since } => Self::NotEvaluated { since: Time(since) },
            Stale::SameVariant { variant, since } => Self::SameVariant { variant_key: variant, since: Time(since) },
        }
    }
}

impl From<Detailed> for DetailedView {
    fn from(Detailed { insights, hours, days }: Detailed) -> Self {
        let views = |intervals: Vec<Interval>| intervals.into_iter().map(IntervalView::from).collect();
        Self {
            feature_key: insights.feature_key,
            first_seen_at: insights.first_at.map(Time),
            last_seen_at: insights.last_at.map(Time),
            stale: insights.stale.map(StaleView::from),
            hours: views(hours),
            days: views(days),
        }
    }
}

impl From<Interval> for IntervalView {
    fn from(Interval { starts_at, variants }: Interval) -> Self {
        let view =
            |(variant_key, VariantCounts { browser, server })| VariantCountsView { variant_key, browser, server };
        Self { starts_at: Time(starts_at), evaluations: variants.into_iter().map(view).collect() }
    }
}

/// Lists the features that are not archived by key, with their evaluations in the last 24 hours, and which of them are stale.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/insights",
    operation_id = "listInsights",
    tag = "Insights",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<RecentView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<RecentView>>, Problem> {
    let environment = EnvironmentRef { project: &project, environment: &environment };
    Ok(List::from_page(insights::list(&app, &caller, environment, &query.page()?).await?, RecentView::from))
}

/// Reads how a feature is used in an environment: its evaluations in the last 24 hours and 30 days.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/insights",
    operation_id = "getInsights",
    tag = "Insights",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path)),
    responses((status = 200, body = DetailedView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Path<(String, String, String)>,
) -> Result<axum::Json<DetailedView>, Problem> {
    let targeting = TargetingRef { project: &project, feature: &feature, environment: &environment };
    Ok(axum::Json(insights::read(&app, &caller, targeting).await?.into()))
}
