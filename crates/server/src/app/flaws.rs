//! What is wrong with a targeting: what the rules of targeting say, and that the names of rules keep theirs.

use flagservice_rules::{Invalid, Rule, Targeting, validate};

use super::{Result, RuleName, audiences};
use crate::store::Connection;
use crate::store::environments::Environment;
use crate::store::features::Feature;

/// Everything that is wrong with a targeting of the feature in the environment.
pub(super) async fn flaws(
    connection: &mut Connection,
    feature: &Feature,
    environment: &Environment,
    targeting: &Targeting,
) -> Result<Vec<Invalid>> {
    let usable = audiences::usable(connection, &environment.project_id, &environment.id).await?;
    let mut flaws = validate(targeting, &feature.variants, &usable);
    flaws.extend(flaws_of_names(&targeting.rules));
    Ok(flaws)
}

/// A rule may be without a name, but not have an endless one.
fn flaws_of_names(rules: &[Rule]) -> impl Iterator<Item = Invalid> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let flaw = RuleName::try_from(rule.name.clone()).err()?;
        Some(Invalid { pointer: format!("/rules/{index}/name"), detail: flaw.to_string() })
    })
}
