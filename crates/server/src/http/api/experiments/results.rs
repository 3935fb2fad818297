//! `…/experiments/{experimentKey}/results`.

use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use flagservice_rules::Value as ConditionValue;
use flagservice_statistics::Difference;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Address, reference};
use crate::app::App;
use crate::app::experiments::results::{self, Comparison, DayResult, GoalResult, Outcome, Results, SegmentResult};
use crate::domain::experiments::{Direction, GoalRole};
use crate::http::extract::caller::Reader;
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// The results of an experiment. They may be looked at at any time: intervals and the test of the split hold for all looks together.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentResults)]
#[serde(rename_all = "camelCase")]
pub struct ResultsView {
    /// How many days it has run, or ran until it was stopped.
    days_run: f64,
    /// The variants that are compared, the control first.
    variants: Vec<VariantView>,
    /// Whether participants were split as intended. Null if the experiment has no split, and once its targeting has changed.
    split: Option<SplitView>,
    /// Somebody changed the feature's targeting while it ran: what was counted before and after may not be comparable.
    targeting_changed: bool,
    /// The results for each goal, in the experiment's order.
    goals: Vec<GoalView>,
    /// The primary goal at the end of each day in UTC on which something was counted, oldest first.
    days: Vec<DayView>,
    /// The results for the participants with each value of the experiment's attribute. All segments of a goal share the probability of an
    /// error of 5%, so their intervals are wider. Null without segments.
    segments: Option<Vec<SegmentView>>,
}

/// The results for the participants in a segment.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentSegment)]
#[serde(rename_all = "camelCase")]
pub struct SegmentView {
    /// The value of the attribute.
    value: ConditionValue,
    /// In the order of all variants that are compared.
    variants: Vec<SegmentVariantView>,
    /// The results for each goal, in the experiment's order.
    goals: Vec<GoalView>,
}

/// The participants in a segment with a variant.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentSegmentVariant)]
#[serde(rename_all = "camelCase")]
pub struct SegmentVariantView {
    key: Key,
    participants: u64,
}

/// The participants with a variant.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentVariant)]
#[serde(rename_all = "camelCase")]
pub struct VariantView {
    key: Key,
    /// Whether the others are compared with it.
    is_control: bool,
    /// Its share of the participants in percent, as the rules gave it at the start. Null if the experiment has no split.
    share: Option<f64>,
    /// Users who took part, and were given this variant first.
    participants: u64,
    /// Those of them who were given another variant later.
    crossovers: u64,
}

/// How participants were split.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentSplit)]
#[serde(rename_all = "camelCase")]
pub struct SplitView {
    /// The p-value of a test at the end of all days in UTC so far, and at the stop. It never rises.
    p_value: f64,
    /// The probability that the split is broken, if it was 1% before.
    probability_broken: f64,
    /// Whether the p-value is at most 0.001. Then do not trust the results.
    is_broken: bool,
}

/// The results for a goal.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentGoalResult)]
#[serde(rename_all = "camelCase")]
pub struct GoalView {
    key: String,
    role: GoalRole,
    direction: Direction,
    variants: Vec<ConversionsView>,
    /// Each variant compared with the control.
    comparisons: Vec<ComparisonView>,
}

/// How many participants with a variant reached a goal.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentConversions)]
#[serde(rename_all = "camelCase")]
pub struct ConversionsView {
    variant_key: Key,
    /// Participants who reached it after they had taken part.
    participants: u64,
    /// The share of the variant's participants, 0 to 1. Null without participants.
    rate: Option<f64>,
    /// How often they reached it in all.
    times: u64,
}

/// A variant compared with the control.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentComparison)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonView {
    variant_key: Key,
    #[serde(flatten)]
    difference: DifferenceView,
    outcome: OutcomeView,
    /// Participants in both variants who are needed until a difference like the one seen would be enough. Null if it is enough, or
    /// never will be.
    needed_participants: Option<u64>,
    /// The days that takes at the present rate. Null if nobody takes part.
    needed_days: Option<u64>,
}

/// The rate of a variant minus that of the control.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentDifference)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceView {
    /// The difference that was seen, -1 to 1. Null while one of the two has no participants.
    estimate: Option<f64>,
    /// The lower end of the 95% confidence sequence.
    lower: f64,
    /// The upper end of the 95% confidence sequence.
    upper: f64,
}

/// What a difference means for a goal, in its direction.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentOutcome)]
#[serde(rename_all = "camelCase")]
pub enum OutcomeView {
    /// Fewer than 10 participants of one of the two reached the goal, or did not reach it.
    TooFew,
    /// The variant may be better or worse.
    Undecided,
    /// The variant is better than the control.
    Better,
    /// The variant is worse than the control.
    Worse,
}

/// The primary goal at the end of a day.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentDay)]
#[serde(rename_all = "camelCase")]
pub struct DayView {
    /// The beginning of the day in UTC.
    day: Time,
    /// All participants so far.
    participants: u64,
    /// Each variant compared with the control.
    comparisons: Vec<DayComparisonView>,
}

/// A variant compared with the control, at the end of a day.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentDayComparison)]
#[serde(rename_all = "camelCase")]
pub struct DayComparisonView {
    variant_key: Key,
    #[serde(flatten)]
    difference: DifferenceView,
}

impl From<Difference> for DifferenceView {
    fn from(Difference { estimate, lower, upper, .. }: Difference) -> Self {
        Self { estimate, lower, upper }
    }
}

impl From<Comparison> for ComparisonView {
    fn from(Comparison { variant, difference, outcome, needed }: Comparison) -> Self {
        Self {
            variant_key: variant,
            difference: difference.into(),
            outcome: match outcome {
                Outcome::TooFew => OutcomeView::TooFew,
                Outcome::Undecided => OutcomeView::Undecided,
                Outcome::Better => OutcomeView::Better,
                Outcome::Worse => OutcomeView::Worse,
            },
            needed_participants: needed.as_ref().map(|needed| needed.participants),
            needed_days: needed.and_then(|needed| needed.days),
        }
    }
}

impl From<DayResult> for DayView {
    fn from(DayResult { day, participants, comparisons }: DayResult) -> Self {
        let comparison = |(variant_key, difference): (Key, Difference)| DayComparisonView {
            variant_key,
            difference: difference.into(),
        };
        Self { day: Time(day), participants, comparisons: comparisons.into_iter().map(comparison).collect() }
    }
}

impl From<Results> for ResultsView {
    fn from(results: Results) -> Self {
        let participants: Vec<_> =
            results.variants.iter().map(|variant| (variant.variant.clone(), variant.participants)).collect();
        let goals = results.goals.into_iter().map(|goal| GoalView::new(goal, &participants)).collect();
        let keys: Vec<_> = results.variants.iter().map(|variant| variant.variant.clone()).collect();
        let segment = |segment: SegmentResult| SegmentView::new(segment, &keys);
        let segments = results.segments.map(|segments| segments.into_iter().map(segment).collect());
        let variants = results.variants.into_iter().map(|variant| VariantView {
            key: variant.variant,
            is_control: variant.is_control,
            share: variant.share,
            participants: variant.participants,
            crossovers: variant.crossovers,
        });
        Self {
            days_run: results.days_run,
            variants: variants.collect(),
            split: results.split.map(|split| SplitView {
                p_value: split.p_value,
                probability_broken: split.probability_broken,
                is_broken: split.is_broken,
            }),
            targeting_changed: results.targeting_changed,
            goals,
            days: results.days.into_iter().map(DayView::from).collect(),
            segments,
        }
    }
}

impl GoalView {
    /// The result for a goal, of variants with so many participants.
    fn new(GoalResult { goal, counts, comparisons }: GoalResult, participants: &[(Key, u64)]) -> Self {
        let variants = participants.iter().zip(counts).map(|((variant, all), count)| ConversionsView {
            variant_key: variant.clone(),
            participants: count.participants,
            rate: (*all > 0).then(|| count.participants as f64 / *all as f64),
            times: count.times,
        });
        Self {
            key: goal.key,
            role: goal.role,
            direction: goal.direction,
            variants: variants.collect(),
            comparisons: comparisons.into_iter().map(ComparisonView::from).collect(),
        }
    }
}

impl SegmentView {
    fn new(SegmentResult { value, participants, goals }: SegmentResult, keys: &[Key]) -> Self {
        let participants: Vec<_> = keys.iter().cloned().zip(participants).collect();
        Self {
            value,
            goals: goals.into_iter().map(|goal| GoalView::new(goal, &participants)).collect(),
            variants: participants
                .into_iter()
                .map(|(key, participants)| SegmentVariantView { key, participants })
                .collect(),
        }
    }
}

/// Reads the results of an experiment that was started.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/results",
    operation_id = "readExperimentResults",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path)),
    responses((status = 200, body = ResultsView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(address): Address,
) -> Result<axum::Json<ResultsView>, Problem> {
    Ok(axum::Json(results::read(&app, &caller, reference(&address)).await?.into()))
}
