//! What an environment serves of a feature. A change has an effect there if this differs before and after.

use flagservice_core::{Key, variant};
use flagservice_rules::{Audiences, RuleAudience, ServedSummary, Split, Targeting};

use crate::app::Result;
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::targeting;
use crate::domain::environment::Environment;
use crate::domain::feature::{Feature, Lifecycle, ValueType};
use crate::domain::targeting::StoredTargeting;
use crate::store::Connection;
use crate::store::resources::environments;

/// What an environment serves of a feature. If two are equal, every user gets the same value of the same type from both.
#[derive(PartialEq)]
enum Served<'a> {
    /// The feature does not exist or is archived. Clients use their fallback, which ends with `off`.
    Nothing,
    /// The same variant for everyone.
    Everyone { value_type: ValueType, variant: &'a Key },
    /// A variant by rules.
    ByRules { value_type: ValueType, salt: &'a str, off_variant: &'a Key, rules: Vec<(&'a RuleAudience, &'a [Split])> },
}

impl<'a> Served<'a> {
    fn new(feature: &'a Feature, targeting: &'a Targeting) -> Self {
        let value_type = feature.value_type;
        if !feature.lifecycle.is_evaluated() {
            Self::Nothing
        } else if !targeting.enabled || targeting.rules.is_empty() {
            Self::Everyone { value_type, variant: &targeting.off_variant }
        } else {
            let rules = targeting.rules.iter().map(|rule| (&rule.audience, rule.splits.as_slice())).collect();
            Self::ByRules { value_type, salt: &feature.salt, off_variant: &targeting.off_variant, rules }
        }
    }

    /// Whether a new feature that is served so changes nothing: clients that do not know a feature evaluate it as `off`.
    fn is_off(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Everyone { variant, .. } => variant.as_str() == variant::OFF,
            Self::ByRules { .. } => false,
        }
    }
}

/// What users get of a feature with this lifecycle and targeting, in short.
pub fn summary(lifecycle: Lifecycle, stored: &StoredTargeting, audiences: &dyn Audiences) -> ServedSummary {
    if lifecycle.is_evaluated() && stored.is_served() {
        ServedSummary::of(&stored.targeting, audiences)
    } else {
        ServedSummary::nothing()
    }
}

/// The environments in which the plan edits or deletes the targeting, or can change what some user is served: another
/// variant, or a value of another type. The change needs the rights and the approvals of all of them.
///
/// # Errors
/// When the database fails.
pub async fn affected(connection: &mut Connection, plan: &Plan) -> Result<Vec<Environment>> {
    let mut affected: Vec<_> = plan
        .targetings
        .iter()
        .filter(|change| change.is_edit() || has_effect(plan, change))
        .map(|change| change.environment.clone())
        .collect();
    let can_affect = |before: &Feature| plan.deletes || facts(before) != facts(&plan.after);
    let Some(before) = plan.before.as_ref().filter(|before| can_affect(before)) else {
        return Ok(affected);
    };
    // Such a change can have an effect everywhere, also where the plan announces nothing.
    for environment in environments::list(connection, &plan.project.id).await? {
        if plan.targetings.iter().any(|change| change.environment.id == environment.id) {
            continue;
        }
        let targeting = targeting::current(connection, &environment.id, before).await?.targeting;
        if plan.deletes || Served::new(before, &targeting) != Served::new(&plan.after, &targeting) {
            affected.push(environment);
        }
    }
    Ok(affected)
}

/// What all environments serve by, apart from their targeting.
fn facts(feature: &Feature) -> (bool, ValueType, &str) {
    (feature.lifecycle.is_evaluated(), feature.value_type, &feature.salt)
}

fn has_effect(plan: &Plan, change: &TargetingChange) -> bool {
    let after = Served::new(&plan.after, &change.after);
    match (&plan.before, &change.before) {
        (Some(feature), Some(targeting)) => Served::new(feature, targeting) != after,
        (None, _) | (_, None) => !after.is_off(),
    }
}
