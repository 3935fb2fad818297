//! The violations in a targeting: those of its rules, rule names that are too long, and patterns for which its environment has no
//! room.

use std::collections::HashMap;

use flagservice_rules::{Rule, Targeting, Violation, validate_edit, validate_variants};

use crate::app::changes::plan::Plan;
use crate::app::changes::{patterns, usable_audiences};
use crate::app::{App, AppError, Result, RuleName};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::store::Connection;

/// A targeting of a feature that is to be written.
#[derive(Clone, Copy)]
pub(in crate::app) struct Written<'a> {
    pub(in crate::app) feature: &'a Feature,
    pub(in crate::app) environment: &'a Environment,
    /// What it replaces; none where there is nothing.
    pub(in crate::app) before: Option<&'a Targeting>,
    pub(in crate::app) after: &'a Targeting,
}

/// All violations in a targeting.
pub(in crate::app) async fn violations(
    connection: &mut Connection,
    app: &App,
    written: Written<'_>,
) -> Result<Vec<Violation>> {
    let Written { feature, environment, before, after } = written;
    let is_switched_on = after.enabled && before.is_none_or(|before| !before.enabled);
    if !is_switched_on && before.is_some_and(|before| before.rules == after.rules) {
        // The rules were validated when they were written. Nothing may delay or refuse to switch them off.
        return Ok(validate_variants(after, &feature.variants));
    }
    let rules = [before.map(|before| before.rules.as_slice()).unwrap_or_default(), after.rules.as_slice()];
    let usable = usable_audiences::of(connection, &environment.project_id, &environment.id, &rules).await?;
    let mut violations = validate_edit(before, after, &feature.variants, &usable);
    violations.extend(name_violations(&after.rules));
    if violations.is_empty() && after.enabled && feature.lifecycle.is_evaluated() {
        let changed = HashMap::from([(feature.id.clone(), patterns::of_targeting(after, &usable))]);
        violations.extend(patterns::environment_violation(app, &environment.id, &changed));
    }
    Ok(violations)
}

/// Refuses a plan whose targetings are on and have patterns for which their environments have no room.
///
/// # Errors
/// [`AppError::Invalid`] for them, and when the database fails.
pub(in crate::app) async fn check_room(connection: &mut Connection, app: &App, plan: &Plan) -> Result<()> {
    if !plan.after.lifecycle.is_evaluated() {
        return Ok(());
    }
    for change in plan.targetings.iter().filter(|change| change.after.enabled) {
        let environment = &change.environment;
        let rules = [change.after.rules.as_slice()];
        let usable = usable_audiences::of(connection, &environment.project_id, &environment.id, &rules).await?;
        let changed = HashMap::from([(plan.after.id.clone(), patterns::of_targeting(&change.after, &usable))]);
        if let Some(violation) = patterns::environment_violation(app, &environment.id, &changed) {
            return Err(AppError::Invalid(vec![violation]));
        }
    }
    Ok(())
}

/// A rule name is optional and has a maximum length.
pub(in crate::app) fn name_violations(rules: &[Rule]) -> impl Iterator<Item = Violation> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let violation = RuleName::try_from(rule.name.clone()).err()?;
        Some(Violation { pointer: format!("/rules/{index}/name"), detail: violation.to_string() })
    })
}
