//! Goals that users reached.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Longest key of a goal, in characters.
pub const MAX_KEY_CHARACTERS: usize = 200;

/// Longest id of a user, in characters.
const MAX_USER_ID_CHARACTERS: usize = 1_000;

/// The allowed length of the ids that clients give to goals and summaries.
const ID_LENGTH: RangeInclusive<usize> = 8..=64;

/// The field of a reported entry that cannot be kept, and why.
pub type InvalidField = (&'static str, String);

/// Whether a text can be the id of a goal or a summary.
pub fn is_valid_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    ID_LENGTH.contains(&text.len()) && text.bytes().all(allowed)
}

/// Refuses a user id that is too long, or that not every database can store. `of` names what has it, such as `a goal`.
pub fn check_user_id(of: &str, user_id: &str) -> Result<(), InvalidField> {
    within("userId", of, user_id, MAX_USER_ID_CHARACTERS)
}

fn within(field: &'static str, of: &str, text: &str, most: usize) -> Result<(), InvalidField> {
    if text.contains('\0') {
        return Err((field, format!("The {field} of {of} cannot contain the NUL character (U+0000). Remove it.")));
    }
    match text.chars().nth(most) {
        Some(_) => Err((field, format!("The {field} of {of} has at most {most} characters. Shorten it."))),
        None => Ok(()),
    }
}

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
    /// Refuses a goal that cannot be kept.
    ///
    /// # Errors
    /// The field, and why.
    pub fn check(&self) -> Result<(), InvalidField> {
        if !is_valid_id(&self.id) {
            return Err(("id", "The id of a goal must be 8 to 64 letters, digits, '-' or '_'.".to_owned()));
        }
        if self.key.is_empty() {
            return Err(("key", "The key of a goal can't be empty.".to_owned()));
        }
        within("key", "a goal", &self.key, MAX_KEY_CHARACTERS)?;
        check_user_id("a goal", &self.user_id)
    }

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
