//! The violations in a targeting: those of its rules, and rule names that are too long.

use flagservice_rules::{Rule, Targeting, Violation, validate};

use crate::app::changes::usable_audiences;
use crate::app::{Result, RuleName};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::store::Connection;

/// All violations in a targeting of the feature in the environment.
pub(in crate::app) async fn violations(
    connection: &mut Connection,
    feature: &Feature,
    environment: &Environment,
    targeting: &Targeting,
) -> Result<Vec<Violation>> {
    let usable = usable_audiences::read(connection, &environment.project_id, &environment.id).await?;
    let mut violations = validate(targeting, &feature.variants, &usable);
    violations.extend(name_violations(&targeting.rules));
    Ok(violations)
}

/// A rule name is optional and has a maximum length.
fn name_violations(rules: &[Rule]) -> impl Iterator<Item = Violation> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let violation = RuleName::try_from(rule.name.clone()).err()?;
        Some(Violation { pointer: format!("/rules/{index}/name"), detail: violation.to_string() })
    })
}
