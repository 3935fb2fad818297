//! Whether the targetings that use a saved audience, and their environments, stay within their budgets when it gets other
//! conditions.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Patterns, Targeting, Violation, pattern_text, validate_use};

use crate::app::changes::plan::Plan;
use crate::app::changes::{patterns, usable_audiences};
use crate::app::{App, AppError, Result};
use crate::domain::audience::Audience;
use crate::domain::environment::Environment;
use crate::domain::ids::FeatureId;
use crate::store::Connection;

type Conditions = HashMap<Key, Vec<Condition>>;

/// The audiences of an environment before and after, and the patterns of its features that are on and use the audience.
struct Uses<'a> {
    environment: &'a Environment,
    before: Conditions,
    after: Conditions,
    patterns: HashMap<FeatureId, Patterns>,
}

/// Refuses other conditions of an audience, which is not written yet. The plans are the features that use it. `between` is called
/// before each of them, with its number.
///
/// # Errors
/// [`AppError::Invalid`] names the first targeting, or environment, that would exceed a budget.
pub(in crate::app) async fn check(
    connection: &mut Connection,
    app: &App,
    plans: &[Plan],
    audience: &Audience,
    between: impl Fn(usize) -> Result<()>,
) -> Result<()> {
    let mut environments: Vec<Uses<'_>> = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        between(number)?;
        for change in &plan.targetings {
            let environment = &change.environment;
            if !environments.iter().any(|uses| uses.environment.id == environment.id) {
                environments.push(Uses::read(connection, environment, audience).await?);
            }
            if let Some(uses) = environments.iter_mut().find(|uses| uses.environment.id == environment.id) {
                uses.add(plan, &change.after)?;
            }
        }
    }
    for Uses { environment, patterns, .. } in &environments {
        if let Some(violation) = patterns::environment_violation(app, &environment.id, patterns) {
            return Err(refusal(&format!("In '{}': ", environment.key), violation));
        }
    }
    Ok(())
}

impl<'a> Uses<'a> {
    /// Reads the audiences of an environment; nothing uses this one yet.
    async fn read(connection: &mut Connection, environment: &'a Environment, audience: &Audience) -> Result<Self> {
        let before = usable_audiences::all(connection, &environment.project_id, &environment.id).await?;
        let mut after = before.clone();
        after.insert(audience.key.clone(), audience.conditions.clone());
        Ok(Self { environment, before, after, patterns: HashMap::new() })
    }

    /// Adds a targeting that uses the audience, if it stays within its own budget.
    fn add(&mut self, plan: &Plan, targeting: &Targeting) -> Result<()> {
        if let Some(violation) = validate_use(targeting, &self.before, &self.after) {
            let place = format!("In '{}', for '{}': ", self.environment.key, plan.after.key);
            return Err(refusal(&place, violation));
        }
        if targeting.enabled && plan.after.lifecycle.is_evaluated() {
            // The new ones are compiled ahead, and all others because their features are on.
            let known = Patterns::known(targeting.conditions(&self.after).filter_map(pattern_text));
            self.patterns.insert(plan.after.id.clone(), known);
        }
        Ok(())
    }
}

fn refusal(place: &str, Violation { detail, .. }: Violation) -> AppError {
    AppError::invalid("/conditions", format!("{place}{detail}"))
}
