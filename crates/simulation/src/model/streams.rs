//! Every stream ends with the server's values: those that the stored targetings give, evaluated here once more.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::history::readers::Reader;
use crate::model::stored::{Observer, StoredEnvironment};
use crate::template::ENVIRONMENTS;

/// The variant that everybody gets who has no attributes: that of the rule without conditions, or the off variant.
fn variant(targeting: Option<&Value>) -> Option<String> {
    // A feature that was never changed is off.
    let Some(targeting) = targeting else { return Some("off".to_owned()) };
    let off = targeting.get("offVariantKey")?.as_str()?;
    if targeting.get("enabled")?.as_bool() != Some(true) {
        return Some(off.to_owned());
    }
    let rules = targeting.get("rules")?.as_array()?;
    let has_no_conditions = |rule: &&Value| rule.get("conditions").and_then(Value::as_array).is_none_or(Vec::is_empty);
    let Some(rule) = rules.iter().find(has_no_conditions) else { return Some(off.to_owned()) };
    Some(rule.pointer("/splits/0/variantKey")?.as_str()?.to_owned())
}

/// Which reader does not have the server's values.
///
/// # Errors
/// When the database cannot be read.
pub fn difference(observer: &mut Observer, readers: &[Reader]) -> sqlx::Result<Option<String>> {
    let (targetings, features, environments) = (observer.targetings()?, observer.features()?, observer.environments()?);
    for reader in readers {
        let environment = ENVIRONMENTS.get(reader.environment).copied().unwrap_or_default().to_owned();
        let expected: BTreeMap<_, _> = features
            .keys()
            .filter_map(|feature| {
                let stored = targetings.get(&(feature.clone(), environment.clone())).map(|(targeting, _)| targeting);
                Some((feature.clone(), variant(stored)?))
            })
            .collect();
        let state = reader.state();
        if state.values != expected {
            let versions: Vec<_> =
                environments.iter().map(|StoredEnvironment { key, version, .. }| (key, version)).collect();
            let (values, since) = (&state.values, &state.since);
            return Ok(Some(format!(
                "a reader of {environment} has {values:?} at {since:?}, the server {expected:?} at {versions:?}"
            )));
        }
    }
    Ok(None)
}
