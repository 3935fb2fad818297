//! The features and audiences of one environment, as sent to services that evaluate locally.

use crate::{CompiledFeature, Condition, Evaluation, FeatureEvaluation, Instant, Key, Targeting, User, Value, bucket};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that evaluation needs of an environment. serde_json rejects unknown fields in targetings, as the REST API
/// does; the Node binding ignores them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ruleset {
    /// The features that are not archived.
    pub features: Vec<RulesetFeature>,
    /// The audiences that their rules can use.
    #[serde(default)]
    pub audiences: Vec<RulesetAudience>,
}

/// A feature of a ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetFeature {
    /// The feature's key.
    pub key: Key,
    /// Part of the hash that assigns users to splits. Defaults to `1`.
    #[serde(default = "default_salt")]
    pub salt: String,
    /// Its targeting in the environment.
    pub targeting: Targeting,
    /// The experiment that runs with it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<RulesetExperiment>,
}

/// A running experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetExperiment {
    /// The number of its run, which participations name; none if a service of an earlier release says nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// The conditions that its participants match; none: everybody whom a rule splits takes part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Condition>,
    /// The segments by which its results are read, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<Segments>,
}

/// The segments of an experiment's participants: one for each of these values of an attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Segments {
    /// The attribute's name.
    pub attribute: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A saved audience of a ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetAudience {
    /// The audience's key.
    pub key: Key,
    /// The conditions that its users match.
    pub conditions: Vec<Condition>,
}

fn default_salt() -> String {
    bucket::DEFAULT_SALT.to_owned()
}

/// A ruleset compiled for fast evaluation.
#[derive(Clone, Debug)]
pub struct CompiledRuleset(Vec<CompiledFeature>);

impl CompiledRuleset {
    /// Compiles a ruleset. Never fails: invalid rules never match.
    pub fn compile(ruleset: &Ruleset) -> Self {
        let audiences: BTreeMap<_, _> =
            ruleset.audiences.iter().map(|audience| (audience.key.clone(), audience.conditions.clone())).collect();
        let compile = |feature: &RulesetFeature| {
            CompiledFeature::compile(&feature.key, &feature.salt, &feature.targeting, &audiences)
        };
        Self(ruleset.features.iter().map(compile).collect())
    }

    /// The evaluation of each feature, in the ruleset's order.
    pub fn evaluate(&self, user: &User, now: Instant) -> impl Iterator<Item = FeatureEvaluation<'_>> {
        self.0.iter().map(move |feature| {
            let Evaluation { variant, reason } = feature.evaluate(user, now);
            FeatureEvaluation { key: feature.key(), variant, reason }
        })
    }

    /// The next instant at which a time condition of a feature can change its result.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.0.iter().filter_map(|feature| feature.next_turn(now)).min()
    }
}
