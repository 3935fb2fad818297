//! Goals that users reached.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Longest key of a goal, in characters.
pub const MAX_KEY_CHARACTERS: usize = 200;

/// Longest id of a goal's user, in characters.
pub const MAX_USER_ID_CHARACTERS: usize = 1_000;

/// A goal that a user reached.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goal {
    /// Random, made by the client: a repeat has the same.
    pub id: String,
    /// The goal's key.
    pub key: String,
    /// The user who reached it.
    pub user_id: String,
    /// The user's features at that moment.
    pub features: BTreeMap<String, String>,
}

impl Goal {
    /// How much memory its texts take, in bytes.
    pub fn bytes(&self) -> usize {
        let features = self.features.iter().map(|(feature, variant)| feature.len() + variant.len());
        size_of::<Self>() + self.id.len() + self.key.len() + self.user_id.len() + features.sum::<usize>()
    }
}

/// How often a goal was reached in an environment.
#[derive(Debug, PartialEq, Eq)]
pub struct GoalCount {
    /// The goal's key.
    pub key: String,
    /// How often.
    pub count: u64,
    /// How often while a feature had a variant: by feature, then by variant.
    pub features: BTreeMap<String, BTreeMap<String, u64>>,
}
