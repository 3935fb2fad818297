//! Counts who takes part in experiments, and what participants reach, in the transaction that stores their goals. A participant has the
//! variant and the segment of the first participation; goals count from it on.

use std::collections::{BTreeMap, BTreeSet};

use flagservice_rules::Instant;

use crate::app::experiments::participant_keys::{self, ParticipantKey};
use crate::app::{App, Result};
use crate::domain::experiments::counts::{GoalCount, ParticipantCount, ParticipantGroup};
use crate::domain::experiments::participation::ClientReport;
use crate::domain::experiments::{GoalRole, RunningExperiment};
use crate::domain::goal::Goal;
use crate::domain::ids::{EnvironmentId, ExperimentId};
use crate::domain::retention::periods::DAY_MS;
use crate::store::Connection;
use crate::store::experiments::counts::{self, DayAndGroup};
use crate::store::experiments::participants::{self, Conversion, Participant};
use crate::store::experiments::records;

/// The place of a report and, in it, of a goal.
type Place = (usize, usize);

/// The reports of an environment, in order.
pub struct Reports<'a> {
    /// The environment.
    pub environment: &'a EnvironmentId,
    /// The reports.
    pub reports: Vec<&'a ClientReport>,
    /// The ids of the goals that were not stored before.
    pub new_goals: &'a BTreeSet<(EnvironmentId, String)>,
}

/// Counts what the reports say of the experiments that run. Returns those whose guards are to be checked once it is durable.
///
/// # Errors
/// When the database fails.
pub async fn count(
    app: &App,
    connection: &mut Connection,
    reports: &Reports<'_>,
    now: Instant,
) -> Result<Vec<ExperimentId>> {
    let mut guarded = Vec::new();
    for experiment in records::running(connection, reports.environment).await? {
        let sealed = &experiment.participant_key;
        let key = participant_keys::open(app, connection, reports.environment, &experiment.id, sealed).await?;
        let Some(key) = key else {
            tracing::error!(experiment = %experiment.id, "no data key opens the key of an experiment's participants");
            continue;
        };
        let counting = Counting { experiment: &experiment, key, day: now.0.div_euclid(DAY_MS) };
        let has_counted = counting.count(connection, reports).await?;
        if has_counted && experiment.goals.iter().any(|goal| goal.role == GoalRole::Guard) {
            guarded.push(experiment.id.clone());
        }
    }
    Ok(guarded)
}

/// An experiment for which reports are counted.
struct Counting<'a> {
    experiment: &'a RunningExperiment,
    key: ParticipantKey,
    /// Since 1970.
    day: i64,
}

/// A participant in the reports.
struct Reported {
    /// The group of the first participation, and where it was reported.
    first: (ParticipantGroup, Place),
    /// The places of all variants that were reported.
    variants: BTreeSet<usize>,
}

impl Counting<'_> {
    /// Returns whether there was anything to count.
    async fn count(&self, connection: &mut Connection, reports: &Reports<'_>) -> Result<bool> {
        let reported = self.participants(reports);
        let goals = self.goals(reports);
        if reported.is_empty() && goals.is_empty() {
            return Ok(false);
        }
        let number = self.experiment.number;
        let variants = self.experiment.variants.len();
        let firsts = reported.iter().map(|(participant, one)| (*participant, one.first.0.number(variants))).collect();
        let new = participants::insert(connection, number, &firsts).await?;
        let mentioned = reported.keys().chain(goals.keys().map(|(participant, _)| participant)).copied().collect();
        let stored = participants::find(connection, number, &mentioned).await?;
        self.count_participants(connection, &reported, &new, &stored).await?;
        let is_counted = |participant: i64, place: Place| {
            !new.contains(&participant) || reported.get(&participant).is_some_and(|one| one.first.1 <= place)
        };
        self.count_goals(connection, &goals, &stored, is_counted).await?;
        Ok(true)
    }

    /// The participants in the reports.
    fn participants(&self, reports: &Reports<'_>) -> BTreeMap<i64, Reported> {
        let mut found: BTreeMap<i64, Reported> = BTreeMap::new();
        for (place, report) in reports.reports.iter().enumerate() {
            for participation in &report.participations {
                // Clients, edges and their queues may still report an earlier run with the feature.
                let is_of_run = participation.run.is_none_or(|run| run == self.experiment.number);
                if !is_of_run || participation.feature != self.experiment.feature_key.as_str() {
                    continue;
                }
                let Some(variant) = self.experiment.variant_place(&participation.variant) else { continue };
                // A segment that is not one of the run counts as none.
                let segment = Some(participation.segment).filter(|number| *number <= self.experiment.segments);
                let group = ParticipantGroup { variant, segment: segment.unwrap_or_default() };
                let first = (group, (place, participation.goals_before));
                let number = self.key.number(&participation.user_id);
                let one = found.entry(number).or_insert_with(|| Reported { first, variants: BTreeSet::new() });
                one.variants.insert(variant);
            }
        }
        found
    }

    /// Where the reports have goals of the experiment, by the user's number and the goal's place.
    fn goals<'a>(&self, reports: &Reports<'a>) -> BTreeMap<(i64, usize), Vec<Place>> {
        let mut found: BTreeMap<_, Vec<Place>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut is_new = |goal: &'a Goal| {
            let id = (reports.environment.clone(), goal.id.clone());
            // Two of the reports may have the same goal.
            reports.new_goals.contains(&id) && seen.insert(goal.id.as_str())
        };
        for (report_place, report) in reports.reports.iter().enumerate() {
            for (place, goal) in report.goals.iter().enumerate().filter(|(_, goal)| is_new(goal)) {
                if let Some(goal_place) = self.experiment.goal_place(&goal.key) {
                    let number = self.key.number(&goal.user_id);
                    found.entry((number, goal_place)).or_default().push((report_place, place));
                }
            }
        }
        found
    }

    async fn count_participants(
        &self,
        connection: &mut Connection,
        reported: &BTreeMap<i64, Reported>,
        new: &BTreeSet<i64>,
        stored: &BTreeMap<i64, Participant>,
    ) -> Result<()> {
        let mut counted: BTreeMap<DayAndGroup, ParticipantCount> = BTreeMap::new();
        let variants = self.experiment.variants.len();
        for (participant, one) in reported {
            let Some(known) = stored.get(participant) else { continue };
            let mut count = ParticipantCount { participants: u64::from(new.contains(participant)), crossovers: 0 };
            let first = ParticipantGroup::from_number(known.group, variants).variant;
            let has_other = one.variants.iter().any(|variant| *variant != first);
            if has_other && !known.crossed {
                let is_first = participants::cross(connection, self.experiment.number, *participant).await?;
                count.crossovers = u64::from(is_first);
            }
            if count != ParticipantCount::default() {
                *counted.entry((self.day, known.group)).or_default() += count;
            }
        }
        Ok(counts::add_participants(connection, self.experiment.number, &counted).await?)
    }

    async fn count_goals(
        &self,
        connection: &mut Connection,
        goals: &BTreeMap<(i64, usize), Vec<Place>>,
        stored: &BTreeMap<i64, Participant>,
        is_counted: impl Fn(i64, Place) -> bool,
    ) -> Result<()> {
        let conversion = |(&(participant, goal), places): (&(i64, usize), &Vec<Place>)| {
            let times = places.iter().filter(|place| is_counted(participant, **place)).count() as u64;
            (times > 0 && stored.contains_key(&participant)).then_some(Conversion { participant, goal, times })
        };
        let conversions: Vec<_> = goals.iter().filter_map(conversion).collect();
        let first = participants::convert(connection, self.experiment.number, &conversions).await?;
        let mut counted: BTreeMap<(DayAndGroup, usize), GoalCount> = BTreeMap::new();
        for Conversion { participant, goal, times } in conversions {
            let Some(known) = stored.get(&participant) else { continue };
            let is_first = first.contains(&(participant, goal));
            *counted.entry(((self.day, known.group), goal)).or_default() +=
                GoalCount { participants: u64::from(is_first), times };
        }
        Ok(counts::add_goals(connection, self.experiment.number, &counted).await?)
    }
}
