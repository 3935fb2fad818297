//! What an experiment measures: who sets it, and what must be true of it.

use std::collections::BTreeSet;

use flagservice_core::Key;
use flagservice_rules::Violation;

use crate::app::{AppError, Result};
use crate::domain::environment::Environment;
use crate::domain::experiments::{
    Design, Experiment, ExperimentGoal, GoalRole, MAX_GOALS, MAX_PLANNED_DAYS, MAX_PLANNED_PARTICIPANTS,
};
use crate::domain::feature::Feature;
use crate::domain::goal::MAX_KEY_CHARACTERS;
use crate::store::Connection;
use crate::store::resources::audiences;

/// The plan that nobody has set.
const PLANNED_DAYS: u32 = 14;
const PLANNED_PARTICIPANTS: u64 = 10_000;

/// What is to be measured; nothing changes where there is none.
#[derive(Default)]
pub struct DesignEdit {
    /// All the goals.
    pub goals: Option<Vec<ExperimentGoal>>,
    /// The key of the saved audience whose users take part; `Some(None)`: everybody.
    pub audience: Option<Option<Key>>,
    /// The variant that the others are compared with.
    pub control: Option<Key>,
    /// The planned length in days.
    pub planned_days: Option<u32>,
    /// The planned number of participants.
    pub planned_participants: Option<u64>,
}

impl DesignEdit {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        let Self { goals, audience, control, planned_days, planned_participants } = self;
        let has_plan = planned_days.is_some() || planned_participants.is_some();
        goals.is_none() && audience.is_none() && control.is_none() && !has_plan
    }
}

/// The design of an experiment with a feature before anybody has set anything.
pub(super) fn initial(feature: &Feature) -> Design {
    Design {
        goals: Vec::new(),
        control: feature.variants.first().unwrap_or(&feature.key).clone(),
        planned_days: PLANNED_DAYS,
        planned_participants: PLANNED_PARTICIPANTS,
    }
}

/// Changes the design of a draft.
pub(super) async fn apply(
    connection: &mut Connection,
    environment: &Environment,
    feature: &Feature,
    edit: DesignEdit,
    experiment: &mut Experiment,
) -> Result<()> {
    let Design { goals, control, planned_days, planned_participants } = &mut experiment.design;
    *goals = edit.goals.unwrap_or_else(|| std::mem::take(goals));
    *control = edit.control.unwrap_or_else(|| control.clone());
    *planned_days = edit.planned_days.unwrap_or(*planned_days);
    *planned_participants = edit.planned_participants.unwrap_or(*planned_participants);
    let violations = violations(&experiment.design);
    if !violations.is_empty() {
        return Err(AppError::Invalid(violations));
    }
    if !feature.variants.contains(&experiment.design.control) {
        let (pointer, key) = ("/controlVariantKey".to_owned(), experiment.design.control.to_string());
        return Err(AppError::UnknownReference { pointer, what: "variant", key });
    }
    if let Some(audience) = edit.audience {
        let found = match &audience {
            None => None,
            Some(key) => {
                let found = audiences::find(connection, &environment.project_id, key.as_str()).await?;
                let usable = found.filter(|found| found.scope.covers(&environment.id));
                let missing = || AppError::not_found("audience", key).of_reference("/audienceKey");
                Some(usable.ok_or_else(missing)?.id)
            }
        };
        (experiment.audience_id, experiment.audience_key) = (found, audience);
    }
    Ok(())
}

fn violations(design: &Design) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut violation = |pointer: String, detail: String| violations.push(Violation { pointer, detail });
    let goals = &design.goals;
    if goals.len() > MAX_GOALS {
        violation("/goals".to_owned(), format!("an experiment has at most {MAX_GOALS} goals; leave some out"));
    }
    if goals.iter().filter(|goal| goal.role == GoalRole::Primary).count() != 1 {
        let detail = "exactly one goal must have the role `primary`: it decides";
        violation("/goals".to_owned(), detail.to_owned());
    }
    let mut keys = BTreeSet::new();
    for (place, goal) in goals.iter().enumerate() {
        let pointer = format!("/goals/{place}/key");
        if goal.key.is_empty() || goal.key.chars().count() > MAX_KEY_CHARACTERS {
            violation(pointer, format!("the key of a goal has 1 to {MAX_KEY_CHARACTERS} characters"));
        } else if goal.key.contains('\0') {
            violation(pointer, "the key of a goal cannot hold the character NUL (U+0000): leave it out".to_owned());
        } else if !keys.insert(goal.key.as_str()) {
            violation(pointer, format!("the goal `{}` is there twice; leave one out", goal.key));
        }
    }
    if !(1..=MAX_PLANNED_DAYS).contains(&design.planned_days) {
        let detail = format!("an experiment is planned for 1 to {MAX_PLANNED_DAYS} days");
        violation("/plannedDays".to_owned(), detail);
    }
    if !(1..=MAX_PLANNED_PARTICIPANTS).contains(&design.planned_participants) {
        let detail = format!("an experiment is planned for 1 to {MAX_PLANNED_PARTICIPANTS} participants");
        violation("/plannedParticipants".to_owned(), detail);
    }
    violations
}
