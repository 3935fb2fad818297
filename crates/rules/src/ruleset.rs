//! The features and audiences of one environment, as they travel to a server that evaluates for itself.

use crate::{CompiledFeature, Condition, Evaluation, FeatureEvaluation, Instant, Key, Targeting, User, bucket};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All that evaluation needs to know of an environment. Read by serde_json, its targetings refuse unknown fields, as
/// administrative writes do; the Node binding ignores them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ruleset {
    /// The features that are not archived.
    pub features: Vec<RulesetFeature>,
    /// The audiences that their rules can name.
    #[serde(default)]
    pub audiences: Vec<RulesetAudience>,
}

/// A feature of a ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetFeature {
    /// The feature's key.
    pub key: Key,
    /// What spreads its users differently from those of other features; `1` unless it has another.
    #[serde(default = "default_salt")]
    pub salt: String,
    /// What it does in the environment.
    pub targeting: Targeting,
}

/// A saved audience of a ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetAudience {
    /// The audience's key.
    pub key: Key,
    /// What all hold for its users.
    pub conditions: Vec<Condition>,
}

fn default_salt() -> String {
    bucket::DEFAULT_SALT.to_owned()
}

/// A ruleset made ready for many evaluations.
#[derive(Clone, Debug)]
pub struct CompiledRuleset(Vec<CompiledFeature>);

impl CompiledRuleset {
    /// Compiles a ruleset. Never fails: what is invalid never matches.
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

    /// The next instant at which a time condition of a feature can turn.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.0.iter().filter_map(|feature| feature.next_turn(now)).min()
    }
}
