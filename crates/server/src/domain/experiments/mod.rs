//! Experiments: which variant of a feature reaches its goals better, among the users who take part.

pub mod counts;
pub mod participation;

use flagservice_core::Key;
use flagservice_rules::{Condition, Instant, Operator, Rule, Segments, Split, Targeting, Value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::ids::{ApprovalId, AudienceId, EnvironmentId, ExperimentId, FeatureId};

/// The most goals of an experiment.
pub const MAX_GOALS: usize = 10;

/// The longest planned length, in days.
pub const MAX_PLANNED_DAYS: u32 = 365;

/// The most planned participants.
pub const MAX_PLANNED_PARTICIPANTS: u64 = 100_000_000;

/// The most segments of an experiment.
pub const MAX_SEGMENTS: usize = 20;

/// An experiment with a feature in an environment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its id.
    pub id: ExperimentId,
    /// The environment.
    pub environment_id: EnvironmentId,
    /// The feature.
    pub feature_id: FeatureId,
    /// The feature's key.
    pub feature_key: Key,
    /// The saved audience whose users take part; none: everybody.
    pub audience_id: Option<AudienceId>,
    /// The audience's key. It stays when the audience of a stopped experiment is deleted.
    pub audience_key: Option<Key>,
    /// Unique in the environment.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What is measured.
    pub design: Design,
    /// Draft, running or stopped.
    pub state: ExperimentState,
    /// What was fixed when it was started.
    pub run: Option<Run>,
    /// The guards that tripped, oldest first.
    pub guard_trips: Vec<GuardTrip>,
    /// When it was stopped, and what was decided.
    pub stop: Option<Stop>,
    /// Raised by each change of the record.
    pub revision: u64,
}

/// The state of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExperimentState {
    /// Being prepared.
    Draft,
    /// Clients report who takes part.
    Running,
    /// Over.
    Stopped,
}

impl ExperimentState {
    const ALL: [Self; 3] = [Self::Draft, Self::Running, Self::Stopped];

    /// The name in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Running => "running",
            Self::Stopped => "stopped",
        }
    }
}

impl TryFrom<String> for ExperimentState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or_else(|| format!("unknown state '{text}'"))
    }
}

/// What an experiment measures. It stays the same from the start on, because the statistics need that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Design {
    /// The goals, of which exactly one is the primary one.
    pub goals: Vec<ExperimentGoal>,
    /// The variant that the others are compared with.
    pub control: Key,
    /// The planned length in days.
    pub planned_days: u32,
    /// The number of participants in all variants at which the intervals are narrowest.
    pub planned_participants: u64,
    /// The attribute for whose values, as the audience lists them, results are given too; none: only for all participants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_attribute: Option<String>,
}

impl Design {
    /// Whether it has a guard.
    pub fn has_guards(&self) -> bool {
        self.goals.iter().any(|goal| goal.role == GoalRole::Guard)
    }
}

/// A goal of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExperimentGoal {
    /// The goal's key.
    pub key: String,
    /// What it is for.
    #[serde(default)]
    pub role: GoalRole,
    /// In which direction it is better.
    #[serde(default)]
    pub direction: Direction,
}

/// What a goal of an experiment is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GoalRole {
    /// It decides.
    Primary,
    /// It is measured beside the primary one.
    #[default]
    Secondary,
    /// It must not become worse.
    Guard,
}

/// In which direction a goal is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// More participants should reach it.
    #[default]
    Increase,
    /// Fewer participants should reach it, such as a goal for errors.
    Decrease,
}

/// What is fixed when an experiment is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its number in the tables of participants.
    #[serde(skip)]
    pub number: u32,
    /// When it was started.
    pub started_at: Instant,
    /// The feature's variants. Participants with another one do not count.
    pub variants: Vec<Key>,
    /// The split that all participants are given. None in a run of an earlier release whose rules split users in different ways: it
    /// compares nothing, because users with different variants are different users.
    pub split: Option<Vec<Split>>,
    /// The version of the targeting.
    pub targeting_version: u64,
    /// The values of the design's attribute, as the audience listed them; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Value>,
}

/// A guard that tripped: a variant made it worse, and the variant's share was given to the control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuardTrip {
    /// When.
    pub at: Instant,
    /// The key of the goal.
    pub goal: String,
    /// The variant.
    pub variant: Key,
    /// The approval that the change needs; none if it was made at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<ApprovalId>,
}

/// How an experiment ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// When.
    #[serde(skip)]
    pub at: Instant,
    /// What was decided.
    #[serde(flatten)]
    pub decision: Decision,
    /// The version of the targeting; none if an earlier release stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targeting_version: Option<u64>,
    /// The key of the audience whose users took part: it can be deleted afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience_key: Option<Key>,
}

/// What was decided when an experiment was stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The variant to keep; none if the experiment shows nothing.
    pub variant: Option<Key>,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// A running experiment, as it is served and counted.
#[derive(Clone, Debug)]
pub struct RunningExperiment {
    /// Its id.
    pub id: ExperimentId,
    /// The feature.
    pub feature_id: FeatureId,
    /// The feature's key.
    pub feature_key: Key,
    /// Its number in the tables of participants.
    pub number: u32,
    /// The sealed key of its participants.
    pub participant_key: String,
    /// The variants, by their place.
    pub variants: Vec<Key>,
    /// The goals, by their place.
    pub goals: Vec<ExperimentGoal>,
    /// How many segments there are.
    pub segments: usize,
}

impl RunningExperiment {
    /// The place of a variant.
    pub fn variant_place(&self, variant: &str) -> Option<usize> {
        self.variants.iter().position(|known| known.as_str() == variant)
    }

    /// The place of a goal.
    pub fn goal_place(&self, key: &str) -> Option<usize> {
        self.goals.iter().position(|goal| goal.key == key)
    }
}

/// An experiment that a feature's rules name: who takes part.
#[derive(Clone, Debug)]
pub struct ServedExperiment {
    /// The feature.
    pub feature_id: FeatureId,
    /// The number of its run.
    pub number: Option<u32>,
    /// The conditions of its audience; none: everybody.
    pub audience: Vec<Condition>,
    /// The segments of its participants, if there are any.
    pub segments: Option<Segments>,
}

/// The values of an attribute that an audience lists, each once; none if it does not list them.
pub fn listed_values(audience: &[Condition], attribute: &str) -> Option<Vec<Value>> {
    let lists = |condition: &&Condition| condition.attribute == attribute && condition.operator == Operator::In;
    let mut values: Vec<Value> = Vec::new();
    for value in &audience.iter().find(lists)?.values {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    Some(values)
}

/// What the rules of a feature do with its users, for an experiment.
pub enum IntendedSplit {
    /// Everybody is given the same variant: there is nothing to compare.
    None,
    /// All rules that split do it in the same way.
    One(Vec<Split>),
    /// Several rules split in different ways.
    Several,
}

/// The split of a targeting.
pub fn intended_split(targeting: &Targeting) -> IntendedSplit {
    let shares = |rule: &Rule| -> Vec<Split> {
        let mut shares: Vec<_> =
            rule.splits.iter().filter(|split| split.percentage.thousandths() > 0).cloned().collect();
        shares.sort_by(|left, right| left.variant.cmp(&right.variant));
        shares
    };
    let rules = targeting.rules.iter().filter(|_| targeting.enabled);
    let mut splits: Vec<_> = rules.map(shares).filter(|shares| shares.len() > 1).collect();
    splits.dedup();
    match splits.pop() {
        None => IntendedSplit::None,
        Some(only) if splits.is_empty() => IntendedSplit::One(only),
        Some(_) => IntendedSplit::Several,
    }
}
