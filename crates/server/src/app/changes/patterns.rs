//! Patterns of rules: compiled away from the threads that serve and before a transaction locks anything, and limited for each
//! environment.

use std::collections::HashMap;

use flagservice_rules::limits::{MAX_ENVIRONMENT_PATTERN_BYTES, MAX_ENVIRONMENT_PATTERNS, MAX_PATTERNS};
use flagservice_rules::{Audiences, Condition, Patterns, Targeting, Violation, pattern_text};

use crate::app::changes::{targeting, usable_audiences};
use crate::app::{App, Result};
use crate::domain::feature::Feature;
use crate::domain::ids::{EnvironmentId, FeatureId};
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::resources::environments;

/// Most patterns of an edit that are compiled ahead, more than any may have.
const MAX_PATTERNS_AHEAD: usize = 1 + MAX_PATTERNS;

/// The texts of the patterns of conditions.
pub(in crate::app) fn texts<'a>(conditions: impl IntoIterator<Item = &'a Condition>) -> Vec<String> {
    conditions.into_iter().filter_map(pattern_text).map(str::to_owned).collect()
}

/// The texts of all patterns of a feature, in the environments where it is on.
pub(in crate::app) async fn of_feature(
    connection: &mut Connection,
    project: &Project,
    feature: &Feature,
) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for environment in environments::list(connection, &project.id).await? {
        let targeting = targeting::current(connection, &environment.id, feature).await?.targeting;
        if targeting.enabled {
            let rules = [targeting.rules.as_slice()];
            let usable = usable_audiences::of(connection, &project.id, &environment.id, &rules).await?;
            found.extend(texts(targeting.conditions(&usable)));
        }
    }
    Ok(found)
}

/// Compiles the patterns of rules that are to be written. While the result lives, validation and the snapshot do not compile
/// them again. What exceeds a budget is left out: validation refuses it.
///
/// # Errors
/// When the compiler panics.
pub async fn ahead_of_conditions<'a>(
    app: &App,
    conditions: impl IntoIterator<Item = &'a Condition> + Send,
) -> Result<Patterns> {
    // Beyond these validation refuses them anyway. A saved audience counts in each rule, so a request can name any number.
    let named = conditions.into_iter().filter_map(pattern_text).take(MAX_PATTERNS_AHEAD);
    let texts = named.map(str::to_owned).collect();
    compile(app, texts, |texts| Patterns::compile_within_budget(texts.iter().map(String::as_str))).await
}

/// The same for rules that are stored and are about to take effect, whatever their size.
pub(in crate::app) async fn ahead_of_stored(app: &App, texts: Vec<String>) -> Result<Patterns> {
    compile(app, texts, |texts| Patterns::compile(texts.iter().map(String::as_str))).await
}

async fn compile(app: &App, texts: Vec<String>, work: fn(&[String]) -> Patterns) -> Result<Patterns> {
    let known = Patterns::known(texts.iter().map(String::as_str));
    if texts.iter().all(|text| known.contains(text)) {
        return Ok(known);
    }
    app.compilers.writes.run(move || work(&texts)).await
}

/// The patterns of a targeting that is on.
pub(in crate::app) fn of_targeting(targeting: &Targeting, audiences: &dyn Audiences) -> Patterns {
    Patterns::compile(targeting.conditions(audiences).filter_map(pattern_text))
}

/// Whether the features that are on in an environment would have too many patterns with these of the changed features. Fewer
/// are always allowed. It counts what this node has in memory: writes at the same time may exceed the budget a little.
pub(in crate::app) fn environment_violation(
    app: &App,
    environment: &EnvironmentId,
    changed: &HashMap<FeatureId, Patterns>,
) -> Option<Violation> {
    if changed.values().all(Patterns::is_empty) {
        return None;
    }
    let snapshot = app.serving.snapshots.current(environment)?.snapshot;
    let (mut before, mut after) = (Patterns::default(), Patterns::default());
    for feature in &snapshot.features {
        let patterns = feature.compiled.patterns();
        before.extend(&patterns);
        if !changed.contains_key(&feature.id) {
            after.extend(&patterns);
        }
    }
    changed.values().for_each(|patterns| after.extend(patterns));
    let allowed = !after.exceed_environment() || before.contains_all(&after);
    (!allowed).then(|| Violation { pointer: "/rules".to_owned(), detail: too_many(&after) })
}

/// What people read who exceed the budget of an environment.
pub(in crate::app) fn too_many(patterns: &Patterns) -> String {
    const MEGABYTE: usize = 1024 * 1024;
    format!(
        "the features that are on in an environment may have {MAX_ENVIRONMENT_PATTERNS} different patterns, which may take {} \
         MB when they are compiled; with this change they have {} and take {} MB. Switch features off, or use simpler patterns",
        MAX_ENVIRONMENT_PATTERN_BYTES / MEGABYTE,
        patterns.len(),
        patterns.bytes().div_ceil(MEGABYTE),
    )
}
