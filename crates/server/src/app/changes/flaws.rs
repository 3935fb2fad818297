//! What is wrong with a targeting: what the rules of targeting say, and that the names of rules keep theirs.

use flagservice_rules::{Rule, Targeting, Violation, validate};

use crate::app::changes::usable_audiences;
use crate::app::{Result, RuleName};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::store::Connection;

/// Everything that is wrong with a targeting of the feature in the environment.
pub(in crate::app) async fn flaws(
    connection: &mut Connection,
    feature: &Feature,
    environment: &Environment,
    targeting: &Targeting,
) -> Result<Vec<Violation>> {
    let usable = usable_audiences::read(connection, &environment.project_id, &environment.id).await?;
    let mut flaws = validate(targeting, &feature.variants, &usable);
    flaws.extend(flaws_of_names(&targeting.rules));
    Ok(flaws)
}

/// A rule may be without a name, but not have an endless one.
fn flaws_of_names(rules: &[Rule]) -> impl Iterator<Item = Violation> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let flaw = RuleName::try_from(rule.name.clone()).err()?;
        Some(Violation { pointer: format!("/rules/{index}/name"), detail: flaw.to_string() })
    })
}
