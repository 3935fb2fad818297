//! What clients report: goals, who takes part in experiments, and what was evaluated.

use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use crate::domain::experiments::MAX_SEGMENTS;
use crate::domain::goal::{Goal, InvalidField, check_user_id};
use crate::domain::insights::EvaluationSummary;

/// A user who takes part in the experiment of a feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Participation {
    /// The feature.
    pub feature: String,
    /// The variant that the user was given.
    pub variant: String,
    /// The user.
    pub user_id: String,
    /// The number of the user's segment, counted from 1; 0 without one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub segment: usize,
    /// How many goals of the same report were reached before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub goals_before: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Participation {
    /// Refuses a participation that cannot be kept.
    ///
    /// # Errors
    /// The field, and why.
    pub fn check(&self) -> Result<(), InvalidField> {
        check_user_id("a participation", &self.user_id)?;
        if Key::parse(&self.variant).is_err() {
            return Err(("variant", "The variant of a participation is the key of a variant.".to_owned()));
        }
        if Key::parse(&self.feature).is_err() || self.segment > MAX_SEGMENTS {
            let detail = "The feature of a participation is the key of a feature, or the key, '/' and the number of the user's segment.";
            return Err(("feature", detail.to_owned()));
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.feature.len() + self.variant.len() + self.user_id.len()
    }
}

/// What clients of an environment report.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ClientReport {
    /// Goals that users reached, in order.
    #[serde(default)]
    pub goals: Vec<Goal>,
    /// Users who take part in experiments, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participations: Vec<Participation>,
    /// What was evaluated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<EvaluationSummary>,
}

impl ClientReport {
    /// How many goals, participations and summaries there are.
    pub fn len(&self) -> usize {
        self.goals.len() + self.participations.len() + self.summaries.len()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much memory its texts take, in bytes.
    pub fn bytes(&self) -> usize {
        let goals = self.goals.iter().map(Goal::bytes).sum::<usize>();
        let participations = self.participations.iter().map(Participation::bytes).sum::<usize>();
        goals + participations + self.summaries.iter().map(EvaluationSummary::bytes).sum::<usize>()
    }

    /// Adds what was reported later.
    pub fn append(&mut self, later: Self) {
        let before = self.goals.len();
        let moved = |mut participation: Participation| {
            participation.goals_before += before;
            participation
        };
        self.participations.extend(later.participations.into_iter().map(moved));
        self.goals.extend(later.goals);
        self.summaries.extend(later.summaries);
    }
}
