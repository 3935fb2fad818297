//! Where audiences are used.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{RuleAudience, Targeting};

use crate::app::Result;
use crate::domain::audience::Audience;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::changes::targetings;
use crate::store::resources::{environments, features};

/// Uses that are changed in a few milliseconds.
pub(super) const FEW_USES: usize = 20;

/// How many uses are read at once, which takes a few milliseconds.
const USES_AT_ONCE: usize = 50;

/// Where an audience is used: a feature's targeting in an environment.
pub struct Use {
    /// The feature.
    pub feature: Feature,
    /// The environment.
    pub environment: Environment,
    /// The targeting, one of whose rules names the audience.
    pub targeting: Targeting,
}

/// Where the audience is used, by environment and feature. If it has many uses, calls `between` before each further read.
pub(super) async fn uses(
    connection: &mut Connection,
    project: &Project,
    audience: &Audience,
    between: impl Fn() -> Result<()>,
) -> Result<Vec<Use>> {
    let mut uses = Vec::new();
    for environment in environments::list(connection, &project.id).await? {
        if !audience.scope.covers(&environment.id) {
            continue;
        }
        let mut after = String::new();
        loop {
            if uses.len() >= FEW_USES {
                between()?;
            }
            let (id, key) = (&environment.id, &audience.key);
            let read = targetings::list_with_audience(connection, id, key, &after, USES_AT_ONCE).await?;
            let Some(last) = read.last() else { break };
            last.feature_id.as_str().clone_into(&mut after);
            let used: Vec<_> = read.into_iter().filter(|stored| names(&stored.targeting, key)).collect();
            let ids: Vec<_> = used.iter().map(|stored| &stored.feature_id).collect();
            let features = features::list_of(connection, &ids).await?.into_iter();
            let mut features: HashMap<_, _> = features.map(|feature| (feature.id.clone(), feature)).collect();
            uses.extend(used.into_iter().filter_map(|stored| {
                let feature = features.remove(&stored.feature_id)?;
                Some(Use { feature, environment: environment.clone(), targeting: stored.targeting })
            }));
        }
    }
    uses.sort_by(|left, right| {
        (left.environment.position, &left.feature.key).cmp(&(right.environment.position, &right.feature.key))
    });
    Ok(uses)
}

/// Whether a rule names the audience.
fn names(targeting: &Targeting, audience: &Key) -> bool {
    targeting.rules.iter().any(|rule| match &rule.audience {
        RuleAudience::Saved(key) => key == audience,
        RuleAudience::Inline(_) => false,
    })
}
