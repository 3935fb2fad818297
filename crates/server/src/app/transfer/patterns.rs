//! The patterns of a document: compiled before its import locks the database, and limited for each environment.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Patterns, Violation, pattern_text};

use crate::app::changes::patterns::too_many;
use crate::app::transfer::document::{Document, EnvironmentPart};
use crate::app::{AppError, Result};

/// Compiles the patterns of all targetings that are on. While the result lives, the import does not compile them again.
///
/// # Errors
/// [`AppError::Invalid`] points at the environments whose features have too many.
pub fn compile(document: &Document) -> Result<Patterns> {
    let (mut all, mut violations) = (Patterns::default(), Vec::new());
    for (index, environment) in document.environments.iter().enumerate() {
        let patterns = of_environment(document, environment);
        if patterns.exceed_environment() {
            violations.push(Violation { pointer: format!("/environments/{index}"), detail: too_many(&patterns) });
        }
        all.extend(&patterns);
    }
    if violations.is_empty() { Ok(all) } else { Err(AppError::Invalid(violations)) }
}

/// The patterns of an environment's features, until they are too many.
fn of_environment(document: &Document, environment: &EnvironmentPart) -> Patterns {
    let covers = |only: &Option<Key>| only.as_ref().is_none_or(|only| *only == environment.key);
    let usable = document.audiences.iter().filter(|audience| covers(&audience.environment_key));
    let usable: HashMap<Key, Vec<Condition>> =
        usable.map(|audience| (audience.key.clone(), audience.conditions.clone())).collect();
    let mut patterns = Patterns::default();
    for feature in document.features.iter().filter(|feature| feature.lifecycle.is_evaluated()) {
        if patterns.exceed_environment() {
            break;
        }
        if let Some(targeting) = feature.targetings.get(&environment.key).filter(|targeting| targeting.enabled) {
            let texts = targeting.conditions(&usable).filter_map(pattern_text);
            patterns.extend(&Patterns::compile_within_budget(texts));
        }
    }
    patterns
}
