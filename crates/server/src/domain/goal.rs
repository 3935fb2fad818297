//! Goals that users reached.

use std::collections::BTreeMap;

/// A goal that a user reached.
#[derive(Clone, Debug)]
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
