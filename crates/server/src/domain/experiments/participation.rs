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
    /// The number of the experiment's run; none from clients and edges that were sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
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
            let detail = "The feature of a participation is an entry of `experiments`: the key of a feature, or the key, '/', the number \
                          of the user's segment or 0, '/' and the number of the run.";
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

    /// What was reported earlier, and what was reported later: half of the entries each. `None` if there is one at most.
    pub fn halves(mut self) -> Option<(Self, Self)> {
        if self.len() < 2 {
            return None;
        }
        let half = (self.goals.len() + self.participations.len()).div_ceil(2);
        let (mut goals, mut participations) = (0, 0);
        while goals + participations < half {
            let is_before = |next: &Participation| next.goals_before <= goals || goals == self.goals.len();
            if self.participations.get(participations).is_some_and(is_before) {
                participations += 1;
            } else {
                goals += 1;
            }
        }
        let mut later = Self {
            goals: self.goals.split_off(goals),
            participations: self.participations.split_off(participations),
            summaries: self.summaries.split_off(self.summaries.len() / 2),
        };
        for participation in &mut later.participations {
            participation.goals_before = participation.goals_before.saturating_sub(goals);
        }
        Some((self, later))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use flagservice_rules::Instant;

    use super::{ClientReport, Participation};
    use crate::domain::goal::Goal;
    use crate::domain::insights::{ClientKind, EvaluationSummary};

    fn report(goals: usize, goals_before: &[usize], summaries: usize) -> ClientReport {
        let text = str::to_owned;
        let goal = |number| Goal {
            id: format!("goal-{number:04}"),
            key: text("purchase"),
            user_id: text("ada"),
            features: BTreeMap::new(),
        };
        let participation = |goals_before: &usize| Participation {
            feature: text("banner"),
            variant: text("on"),
            user_id: text("ada"),
            segment: 0,
            run: None,
            goals_before: *goals_before,
        };
        let summary = |number| EvaluationSummary {
            id: format!("summary-{number}"),
            client: ClientKind::Browser,
            at: Instant(0),
            evaluations: BTreeMap::new(),
        };
        ClientReport {
            goals: (0..goals).map(goal).collect(),
            participations: goals_before.iter().map(participation).collect(),
            summaries: (0..summaries).map(summary).collect(),
        }
    }

    fn sizes(report: &ClientReport) -> (usize, Vec<usize>, usize) {
        let goals_before = report.participations.iter().map(|participation| participation.goals_before).collect();
        (report.goals.len(), goals_before, report.summaries.len())
    }

    #[test]
    fn halves_are_smaller_and_together_they_are_the_report_in_its_order() {
        for (goals, goals_before, summaries, earlier, later) in [
            (2, &[][..], 0, (1, vec![], 0), (1, vec![], 0)),
            (0, &[0, 0, 0], 0, (0, vec![0, 0], 0), (0, vec![0], 0)),
            (1, &[], 1, (1, vec![], 0), (0, vec![], 1)),
            (0, &[], 3, (0, vec![], 1), (0, vec![], 2)),
            (3, &[0, 1, 3], 2, (1, vec![0, 1], 1), (2, vec![2], 1)),
            (1, &[0, 1], 0, (1, vec![0], 0), (0, vec![0], 0)),
        ] {
            let whole = report(goals, goals_before, summaries);
            let (first, second) = whole.clone().halves().unwrap();
            assert_eq!((sizes(&first), sizes(&second)), (earlier, later));
            let mut joined = first;
            joined.append(second);
            assert_eq!(serde_json::to_value(joined).unwrap(), serde_json::to_value(whole).unwrap());
        }
        for (goals, goals_before, summaries) in [(0, &[][..], 0), (1, &[], 0), (0, &[0], 0), (0, &[], 1)] {
            assert!(report(goals, goals_before, summaries).halves().is_none());
        }
    }
}
