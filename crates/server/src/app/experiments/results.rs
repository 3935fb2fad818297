//! The results of an experiment: what was counted, and what follows from it. `crates/statistics` says what may be concluded, at every look.

use flagservice_core::Key;
use flagservice_rules::{Instant, Value};
use flagservice_statistics::{Arm, Difference, ERROR, Sequence, SplitTest, Verdict, probability_broken};

use crate::app::changes::targeting;
use crate::app::experiments::counted::{Counted, GroupCounts};
use crate::app::experiments::{ExperimentRef, find};
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, EnvironmentRef, Result};
use crate::domain::experiments::counts::GoalCount;
use crate::domain::experiments::{Direction, Experiment, ExperimentGoal, GoalRole, Run};
use crate::domain::retention::periods::DAY_MS;

/// A split is broken if its p-value is at most this: an intended split gets there in one of a thousand experiments.
pub const BROKEN_SPLIT: f64 = 0.001;

/// The probability that a split is broken before anybody has taken part.
const PRIOR_BROKEN: f64 = 0.01;

/// The results of an experiment.
pub struct Results {
    /// The experiment.
    pub experiment: Experiment,
    /// How many days it has run.
    pub days_run: f64,
    /// The variants that were compared, the control first.
    pub variants: Vec<VariantResult>,
    /// Whether participants were split as intended; none if the run has no split, or the targeting has changed since.
    pub split: Option<SplitResult>,
    /// Somebody changed the targeting while it ran, so what was counted before and after belongs to different splits.
    pub targeting_changed: bool,
    /// The goals, in the order of the design.
    pub goals: Vec<GoalResult>,
    /// The primary goal at the end of each day on which something was counted, oldest first.
    pub days: Vec<DayResult>,
    /// The same goals in each segment, in the order of the values; none without segments.
    pub segments: Option<Vec<SegmentResult>>,
}

/// The participants with a variant.
pub struct VariantResult {
    /// The variant.
    pub variant: Key,
    /// Whether the others are compared with it.
    pub is_control: bool,
    /// Its share in percent at the start; none if the run has no split.
    pub share: Option<f64>,
    /// Participants whose first variant it was.
    pub participants: u64,
    /// Those of them who were given another variant later.
    pub crossovers: u64,
}

/// The participants of a segment. All segments of a goal share the probability of an error.
pub struct SegmentResult {
    /// The value of the attribute.
    pub value: Value,
    /// The participants with each variant, in the order of [`Results::variants`].
    pub participants: Vec<u64>,
    /// The goals, in the order of the design.
    pub goals: Vec<GoalResult>,
}

/// How participants were split.
pub struct SplitResult {
    /// The p-value at the end of all days so far.
    pub p_value: f64,
    /// The probability that the split is broken.
    pub probability_broken: f64,
    /// Whether the p-value is at most [`BROKEN_SPLIT`].
    pub is_broken: bool,
}

/// What participants did about a goal.
pub struct GoalResult {
    /// The goal.
    pub goal: ExperimentGoal,
    /// What was counted, in the order of [`Results::variants`].
    pub counts: Vec<GoalCount>,
    /// The comparisons with the control.
    pub comparisons: Vec<Comparison>,
}

/// A variant compared with the control.
pub struct Comparison {
    /// The variant.
    pub variant: Key,
    /// The difference of the rates, and its confidence sequence.
    pub difference: Difference,
    /// What that means for the goal.
    pub outcome: Outcome,
    /// What is needed until the difference that was seen would be enough; none if it never is, or is already.
    pub needed: Option<Needed>,
}

/// What a difference means for a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Too few participants reached the goal, or did not reach it.
    TooFew,
    /// The variant may be better or worse.
    Undecided,
    /// The variant is better than the control.
    Better,
    /// The variant is worse than the control.
    Worse,
}

/// What an experiment still needs.
pub struct Needed {
    /// Participants in both variants.
    pub participants: u64,
    /// Days at the present rate; none if nobody takes part.
    pub days: Option<u64>,
}

/// The primary goal at the end of a day.
pub struct DayResult {
    /// The beginning of the day in UTC.
    pub day: Instant,
    /// All participants so far.
    pub participants: u64,
    /// The comparisons with the control.
    pub comparisons: Vec<(Key, Difference)>,
}

/// The results so far.
///
/// # Errors
/// [`AppError::ExperimentState`] for a draft, [`AppError::NotFound`] when there is no such experiment.
pub async fn read(app: &App, actor: &Actor, at: ExperimentRef<'_>) -> Result<Results> {
    let connection = &mut *app.store.snapshot().await?;
    let EnvironmentRef { project, environment } = at.environment;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let experiment = find(connection, &environment, at.experiment).await?;
    let Some(run) = experiment.run.clone() else {
        return Err(AppError::ExperimentState(format!(
            "'{}' was not started, so there are no results.",
            experiment.key
        )));
    };
    let counts = GroupCounts::read(connection, &run).await?;
    let targeting_version = match experiment.stop.as_ref().and_then(|stop| stop.targeting_version) {
        Some(at_the_stop) => at_the_stop,
        None => {
            let feature = lookup::find(connection, &project, experiment.feature_key.as_str()).await?;
            targeting::current(connection, &environment.id, &feature).await?.version
        }
    };
    let ended = experiment.stop.as_ref().map_or_else(|| app.now(), |stop| stop.at);
    let counted = counts.of_all();
    let analysis = Analysis::new(&experiment, &run, &counted, ended);
    Ok(Results { segments: analysis.segments(&counts), ..analysis.results(targeting_version != run.targeting_version) })
}

/// The outcomes of the guards, by goal and variant. All guards together trip without cause in 5% of experiments at most.
pub(super) fn guards(
    experiment: &Experiment,
    run: &Run,
    counts: &GroupCounts,
    now: Instant,
) -> Vec<(String, Key, Outcome)> {
    let goals = || experiment.design.goals.iter().enumerate().filter(|(_, goal)| goal.role == GoalRole::Guard);
    let counted = counts.of_all();
    let analysis = Analysis::new(experiment, run, &counted, now).among(goals().count(), 1);
    let outcomes = goals().flat_map(|(place, goal)| {
        let comparisons = analysis.goal(place, goal).comparisons.into_iter();
        comparisons.map(|comparison| (goal.key.clone(), comparison.variant, comparison.outcome))
    });
    outcomes.collect()
}

/// Calculates the results.
struct Analysis<'a> {
    experiment: &'a Experiment,
    run: &'a Run,
    counted: &'a Counted,
    days_run: f64,
    /// The day whose counts may still grow; none once the experiment is over.
    unfinished_day: Option<i64>,
    /// The places of the variants that are compared, the control first.
    places: Vec<usize>,
    /// None if nothing is planned.
    sequence: Option<Sequence>,
}

impl<'a> Analysis<'a> {
    fn new(experiment: &'a Experiment, run: &'a Run, counted: &'a Counted, ended: Instant) -> Self {
        let control = &experiment.design.control;
        let is_split =
            |variant: &Key| run.split.as_ref().is_some_and(|split| split.iter().any(|split| split.variant == *variant));
        let is_compared = |(place, variant): &(usize, &Key)| {
            *variant == control || is_split(variant) || counted.participants(*place, i64::MAX).participants > 0
        };
        let mut places: Vec<_> = run.variants.iter().enumerate().filter(is_compared).map(|(place, _)| place).collect();
        places.sort_by_key(|place| (run.variants.get(*place) != Some(control), *place));
        let days_run = (ended.0 - run.started_at.0).max(0) as f64 / DAY_MS as f64;
        let unfinished_day = experiment.stop.is_none().then_some(ended.0.div_euclid(DAY_MS));
        Self { experiment, run, counted, days_run, unfinished_day, places, sequence: None }.among(1, 1)
    }

    /// The same, where so many goals and segments share the probability of an error.
    fn among(self, goals: usize, segments: usize) -> Self {
        let comparisons = self.places.len().saturating_sub(1).max(1);
        // Of all planned participants, those of one segment in the two variants of a comparison.
        let planned = self.experiment.design.planned_participants * 2 / ((comparisons + 1) * segments) as u64;
        let sequence = Sequence::new(planned.max(1), ERROR / (comparisons * goals.max(1) * segments) as f64);
        Self { sequence, ..self }
    }

    fn results(&self, targeting_changed: bool) -> Results {
        Results {
            experiment: self.experiment.clone(),
            days_run: self.days_run,
            variants: self.places.iter().filter_map(|place| self.variant(*place)).collect(),
            // The counts say nothing of the split at the start once another one applied.
            split: if targeting_changed { None } else { self.split() },
            targeting_changed,
            goals: self.goals(),
            days: self.counted.days().into_iter().map(|day| self.day(day)).collect(),
            segments: None,
        }
    }

    /// The results of each segment, with the variants that are compared in all of them.
    fn segments(&self, counts: &GroupCounts) -> Option<Vec<SegmentResult>> {
        let values = &self.run.segments;
        let segment = |(number, value): (usize, &Value)| {
            let counted = &counts.of_segment(number);
            let places = self.places.clone();
            let of_segment = Analysis { counted, places, sequence: None, ..*self };
            let of_segment = of_segment.among(1, values.len());
            let participants = |place: &usize| counted.participants(*place, i64::MAX).participants;
            SegmentResult {
                value: value.clone(),
                participants: self.places.iter().map(participants).collect(),
                goals: of_segment.goals(),
            }
        };
        (!values.is_empty()).then(|| (1..).zip(values).map(segment).collect())
    }

    fn goals(&self) -> Vec<GoalResult> {
        let goals = self.experiment.design.goals.iter().enumerate();
        goals.map(|(place, goal)| self.goal(place, goal)).collect()
    }

    fn variant(&self, place: usize) -> Option<VariantResult> {
        let variant = self.run.variants.get(place)?.clone();
        let count = self.counted.participants(place, i64::MAX);
        let share = self.run.split.as_ref().map(|split| {
            let share = split.iter().find(|split| split.variant == variant);
            share.map_or(0.0, |split| f64::from(split.percentage.thousandths()) / 1_000.0)
        });
        Some(VariantResult {
            is_control: variant == self.experiment.design.control,
            variant,
            share,
            participants: count.participants,
            crossovers: count.crossovers,
        })
    }

    /// The test of the split, after a look at the end of each day. During a day there is none: the smallest p-value of that day's looks
    /// would have to be kept, because the counts tell only the last one.
    fn split(&self) -> Option<SplitResult> {
        let split = self.run.split.as_ref()?;
        let places: Vec<_> = split
            .iter()
            .map(|split| self.run.variants.iter().position(|variant| *variant == split.variant))
            .collect::<Option<_>>()?;
        let weights: Vec<_> = split.iter().map(|split| f64::from(split.percentage.thousandths())).collect();
        let mut test = SplitTest::new(&weights)?;
        let participants = |until| -> Vec<u64> {
            places.iter().map(|place| self.counted.participants(*place, until).participants).collect()
        };
        for day in self.counted.days().into_iter().filter(|day| self.unfinished_day.is_none_or(|now| *day < now)) {
            test.look(&participants(day));
        }
        let factor = test.ln_bayes_factor(&participants(i64::MAX))?;
        let (p_value, probability_broken) = (test.p_value(), probability_broken(factor, PRIOR_BROKEN));
        Some(SplitResult { p_value, probability_broken, is_broken: p_value <= BROKEN_SPLIT })
    }

    fn goal(&self, place: usize, goal: &ExperimentGoal) -> GoalResult {
        let counts = self.places.iter().map(|variant| self.counted.goal(*variant, place, i64::MAX)).collect();
        let comparisons = self.pairs().filter_map(|(control, variant)| {
            let arm = |variant| self.counted.arm(variant, place, i64::MAX);
            let (control, arm, sequence) = (arm(control)?, arm(variant)?, self.sequence?);
            let difference = sequence.difference(control, arm);
            Some(Comparison {
                variant: self.run.variants.get(variant)?.clone(),
                outcome: outcome(difference.verdict, goal.direction),
                needed: self.needed(&sequence, control, arm, &difference),
                difference,
            })
        });
        GoalResult { goal: goal.clone(), counts, comparisons: comparisons.collect() }
    }

    /// The control with each of the other variants; nothing if the run has no split, or the control is no variant of it.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_control = |place: &usize| self.run.variants.get(*place) == Some(&self.experiment.design.control);
        let control = self.places.first().copied().filter(|place| self.run.split.is_some() && is_control(place));
        self.places.iter().skip(1).filter_map(move |variant| Some((control?, *variant)))
    }

    fn needed(&self, sequence: &Sequence, control: Arm, variant: Arm, difference: &Difference) -> Option<Needed> {
        if matches!(difference.verdict, Verdict::Higher | Verdict::Lower) {
            return None;
        }
        let needed = sequence.needed(control, variant, difference.estimate?.abs())?;
        let seen = (control.participants() + variant.participants()) as f64;
        let days = (self.days_run > 0.0).then(|| needed.days(seen / self.days_run)).flatten();
        Some(Needed { participants: needed.participants, days })
    }

    fn day(&self, day: i64) -> DayResult {
        let primary = self.experiment.design.goals.iter().position(|goal| goal.role == GoalRole::Primary);
        let comparisons = self.pairs().filter_map(|(control, variant)| {
            let arm = |variant| self.counted.arm(variant, primary?, day);
            let difference = self.sequence?.difference(arm(control)?, arm(variant)?);
            Some((self.run.variants.get(variant)?.clone(), difference))
        });
        let participants = self.places.iter().map(|place| self.counted.participants(*place, day).participants).sum();
        let day = Instant(day.saturating_mul(DAY_MS));
        DayResult { day, participants, comparisons: comparisons.collect() }
    }
}

fn outcome(verdict: Verdict, direction: Direction) -> Outcome {
    match (verdict, direction) {
        (Verdict::TooFew, _) => Outcome::TooFew,
        (Verdict::Undecided, _) => Outcome::Undecided,
        (Verdict::Higher, Direction::Increase) | (Verdict::Lower, Direction::Decrease) => Outcome::Better,
        (Verdict::Higher, Direction::Decrease) | (Verdict::Lower, Direction::Increase) => Outcome::Worse,
    }
}
