//! What an experiment measures: who sets it, and what must be true of it.

use std::collections::BTreeSet;

use flagservice_core::Key;
use flagservice_rules::{Value, Violation};

use crate::app::{AppError, Result};
use crate::domain::environment::Environment;
use crate::domain::experiments::{
    Design, Experiment, ExperimentGoal, GoalRole, MAX_GOALS, MAX_PLANNED_DAYS, MAX_PLANNED_PARTICIPANTS, MAX_SEGMENTS,
    listed_values,
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
    /// The attribute for whose values results are given too; `Some(None)`: none.
    pub segment_attribute: Option<Option<String>>,
}

impl DesignEdit {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        let Self { goals, audience, control, planned_days, planned_participants, segment_attribute } = self;
        let has_plan = planned_days.is_some() || planned_participants.is_some();
        let has_users = audience.is_some() || segment_attribute.is_some();
        goals.is_none() && control.is_none() && !has_users && !has_plan
    }
}

/// The design of an experiment with a feature before anybody has set anything.
pub(super) fn initial(feature: &Feature) -> Design {
    Design {
        goals: Vec::new(),
        control: feature.variants.first().unwrap_or(&feature.key).clone(),
        planned_days: PLANNED_DAYS,
        planned_participants: PLANNED_PARTICIPANTS,
        segment_attribute: None,
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
    let Design { goals, control, planned_days, planned_participants, segment_attribute } = &mut experiment.design;
    *goals = edit.goals.unwrap_or_else(|| std::mem::take(goals));
    *control = edit.control.unwrap_or_else(|| control.clone());
    *planned_days = edit.planned_days.unwrap_or(*planned_days);
    *planned_participants = edit.planned_participants.unwrap_or(*planned_participants);
    *segment_attribute = edit.segment_attribute.unwrap_or_else(|| segment_attribute.take());
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
    let segments = segments(connection, environment, experiment).await?;
    let violation = |detail| Violation { pointer: "/segmentAttribute".to_owned(), detail };
    segments.map(drop).map_err(|detail| AppError::Invalid(vec![violation(detail)]))
}

/// The values of the segments, as the audience lists them now; none without an attribute. Otherwise says why there can be no segments.
pub(super) async fn segments(
    connection: &mut Connection,
    environment: &Environment,
    experiment: &Experiment,
) -> Result<std::result::Result<Vec<Value>, String>> {
    let Some(attribute) = &experiment.design.segment_attribute else { return Ok(Ok(Vec::new())) };
    let Some(audience) = &experiment.audience_key else {
        let detail = format!("choose an audience that lists values of `{attribute}`, or leave the segments out");
        return Ok(Err(detail));
    };
    let found = audiences::find(connection, &environment.project_id, audience.as_str()).await?;
    let values = found.and_then(|found| listed_values(&found.conditions, attribute)).unwrap_or_default();
    Ok(match values.len() {
        2..=MAX_SEGMENTS => Ok(values),
        0 | 1 => Err(format!(
            "the audience `{audience}` must have a condition with the operator `in` that lists 2 to {MAX_SEGMENTS} values of \
             `{attribute}`; add it, or leave the segments out"
        )),
        number => Err(format!(
            "the audience `{audience}` lists {number} values of `{attribute}`, and an experiment has at most {MAX_SEGMENTS} \
             segments; list fewer, or leave the segments out"
        )),
    })
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
