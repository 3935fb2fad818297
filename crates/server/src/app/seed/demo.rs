//! The contents of `demo.json`: the organisation, its people, environments, features and goals.

use std::collections::BTreeMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Targeting};
use serde::Deserialize;

use crate::app::{Comment, Description, Name, Tag};
use crate::domain::experiments::ExperimentGoal;
use crate::domain::feature::Lifecycle;
use crate::domain::role::Role;
use crate::secret::Secret;

#[derive(Deserialize)]
pub(super) struct Demo {
    pub(super) organisation: String,
    pub(super) project: Named,
    pub(super) people: Vec<Person>,
    pub(super) environments: Vec<DemoEnvironment>,
    pub(super) audiences: Vec<DemoAudience>,
    pub(super) features: Vec<DemoFeature>,
    #[serde(default)]
    pub(super) pipelines: Vec<DemoPipeline>,
    #[serde(default)]
    pub(super) requests: Vec<DemoRequest>,
    #[serde(default)]
    pub(super) goals: Vec<DemoGoal>,
    #[serde(default)]
    pub(super) experiments: Vec<DemoExperiment>,
    #[serde(default)]
    pub(super) evaluations: Vec<DemoEvaluations>,
    pub(super) integration: Option<DemoIntegration>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) key: Key,
    pub(super) name: Name,
}

#[derive(Deserialize)]
pub(super) struct Person {
    pub(super) role: Role,
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoEnvironment {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) production: bool,
    #[serde(default)]
    pub(super) approval_required: bool,
    /// Name of its server key.
    pub(super) server_key: Option<Name>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoAudience {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) environment_key: Option<Key>,
    pub(super) conditions: Vec<Condition>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoFeature {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) description: Description,
    pub(super) lifecycle: Lifecycle,
    pub(super) variants: Option<Vec<Key>>,
    #[serde(default)]
    pub(super) tags: Vec<Tag>,
    /// The role of the person who looks after it.
    pub(super) owner: Option<Role>,
    #[serde(default)]
    pub(super) approval_required: bool,
    pub(super) pipeline_key: Option<Key>,
    pub(super) targetings: BTreeMap<String, Targeting>,
}

/// The keys of the analytics project that the demo's destination is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoIntegration {
    pub(super) api_key: Secret,
    pub(super) secret_key: Secret,
}

/// A release pipeline with its phases.
#[derive(Deserialize)]
pub(super) struct DemoPipeline {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) phases: Vec<DemoPhase>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoPhase {
    pub(super) name: Name,
    pub(super) environment_key: Key,
    #[serde(default)]
    pub(super) approval_required: bool,
}

/// A change that somebody asks approval for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoRequest {
    pub(super) requester: Role,
    pub(super) feature_key: Key,
    pub(super) environment_key: Key,
    pub(super) comment: Comment,
    pub(super) targeting: Targeting,
}

/// How often a goal was reached by users with these features.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoGoal {
    pub(super) key: String,
    pub(super) environment_key: Key,
    pub(super) times: u32,
    pub(super) features: BTreeMap<String, String>,
}

/// How often a feature was evaluated.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoEvaluations {
    pub(super) feature_key: Key,
    pub(super) environment_key: Key,
    /// How many days ago it was evaluated for the first time, and for the last time.
    pub(super) first_days_ago: i64,
    #[serde(default)]
    pub(super) last_days_ago: i64,
    /// How often each variant was evaluated on a day: by pages, and by services.
    #[serde(default)]
    pub(super) per_day: BTreeMap<Key, [u64; 2]>,
}

/// An experiment that was stopped a moment ago.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DemoExperiment {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) feature_key: Key,
    pub(super) environment_key: Key,
    pub(super) goals: Vec<ExperimentGoal>,
    pub(super) control_variant_key: Key,
    pub(super) planned_days: u32,
    pub(super) planned_participants: u64,
    /// What was counted on each day, by variant: participants, and how many of them reached each goal.
    pub(super) days: Vec<BTreeMap<Key, Vec<u64>>>,
    pub(super) decision_variant_key: Key,
    pub(super) note: String,
}
