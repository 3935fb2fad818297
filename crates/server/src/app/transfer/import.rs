//! A project is made of a document, in the caller's transaction: all of it, or nothing.

use std::collections::HashSet;
use std::hash::Hash;

use flagservice_core::Key;
use flagservice_rules::Violation;

use crate::app::features::{self, ImportedFeature};
use crate::app::resources::audiences::{self, NewAudience};
use crate::app::resources::environments::{self, NewEnvironment};
use crate::app::resources::pipelines::{self, NewPhase, NewPipeline};
use crate::app::resources::projects;
use crate::app::transfer::document::{Document, EnvironmentPart, FeaturePart};
use crate::app::{AppError, Operation, Result, pointer};

/// Creates the project, under `new_key` if that is given. Features come with their targeting, and no approval holds them
/// up: who imports could write to the database itself. `progress` hears how many features have been made.
///
/// # Errors
/// [`AppError::Invalid`] points at everything that is wrong with the document, [`AppError::Exists`] when the key is
/// taken. Then nothing may be committed.
pub async fn project(
    operation: &mut Operation<'_>,
    document: Document,
    new_key: Option<Key>,
    mut progress: impl FnMut(usize),
) -> Result<()> {
    let mut violations = Violations(reference_violations(&document));
    let Document { project, environments: in_environments, audiences: in_audiences, pipelines: in_pipelines, .. } =
        document;
    let key = new_key.unwrap_or(project.key);
    let project = projects::create(operation, key, project.name).await?.key;
    let project = project.as_str();
    for (index, part) in in_environments.into_iter().enumerate() {
        let result = environments::create(operation, project, part.into()).await;
        violations.take(result, || format!("/environments/{index}"))?;
    }
    for (index, part) in in_audiences.into_iter().enumerate() {
        let new = NewAudience {
            key: part.key,
            name: part.name,
            environment: part.environment_key,
            conditions: part.conditions,
        };
        let result = audiences::create(operation, project, new).await;
        violations.take(result, || format!("/audiences/{index}"))?;
    }
    for (index, part) in in_pipelines.into_iter().enumerate() {
        let phases = part.phases.into_iter().map(|phase| NewPhase {
            name: phase.name,
            environment: phase.environment_key,
            approval_required: phase.approval_required,
        });
        let new = NewPipeline { key: part.key, name: part.name, phases: phases.collect() };
        let result = pipelines::import(operation, project, new).await;
        violations.take(result, || format!("/pipelines/{index}"))?;
    }
    for (index, part) in document.features.into_iter().enumerate() {
        let result = features::import(operation, project, part.into()).await;
        violations.take(result, || format!("/features/{index}"))?;
        progress(index + 1);
    }
    violations.none()
}

/// All violations found so far.
struct Violations(Vec<Violation>);

impl Violations {
    /// Collects the violations of a part, so that all are reported at once. Any other error ends the import.
    fn take<T>(&mut self, result: Result<T>, place: impl Fn() -> String) -> Result<()> {
        match result {
            Ok(_) => {}
            Err(AppError::Invalid(violations)) => {
                self.0.extend(violations.into_iter().map(|violation| pointer::violation_under(&place(), violation)));
            }
            // The part refers to one that is invalid itself, or that is reported among the references.
            Err(AppError::UnknownReference { .. } | AppError::Exists { .. }) if !self.0.is_empty() => {}
            Err(other) => return Err(other),
        }
        Ok(())
    }

    fn none(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(AppError::Invalid(self.0)) }
    }
}

/// Repeated keys, and references to parts that the document does not have.
fn reference_violations(document: &Document) -> Vec<Violation> {
    let mut violations = Vec::new();
    violations.extend(repeated("/environments", document.environments.iter().map(|part| &part.key)));
    violations.extend(repeated("/audiences", document.audiences.iter().map(|part| &part.key)));
    violations.extend(repeated("/pipelines", document.pipelines.iter().map(|part| &part.key)));
    violations.extend(repeated("/features", document.features.iter().map(|part| &part.key)));
    let environments: HashSet<_> = document.environments.iter().map(|part| &part.key).collect();
    let pipelines: HashSet<_> = document.pipelines.iter().map(|part| &part.key).collect();
    let mut refer = |place: String, what: &str, key: &Key, known: &HashSet<&Key>| {
        if !known.contains(key) {
            violations.push(Violation { pointer: place, detail: format!("The document has no {what} '{key}'.") });
        }
    };
    for (index, audience) in document.audiences.iter().enumerate() {
        if let Some(key) = &audience.environment_key {
            refer(format!("/audiences/{index}/environmentKey"), "environment", key, &environments);
        }
    }
    for (index, pipeline) in document.pipelines.iter().enumerate() {
        for (place, phase) in pipeline.phases.iter().enumerate() {
            let place = format!("/pipelines/{index}/phases/{place}/environmentKey");
            refer(place, "environment", &phase.environment_key, &environments);
        }
    }
    for (index, feature) in document.features.iter().enumerate() {
        if let Some(key) = &feature.pipeline_key {
            refer(format!("/features/{index}/pipelineKey"), "pipeline", key, &pipelines);
        }
        for key in feature.targetings.keys() {
            refer(pointer::under(&format!("/features/{index}/targetings"), key), "environment", key, &environments);
        }
    }
    violations
}

fn repeated<'a, K: Eq + Hash + std::fmt::Display + 'a>(
    list: &'a str,
    keys: impl Iterator<Item = &'a K> + 'a,
) -> impl Iterator<Item = Violation> + 'a {
    let mut seen = HashSet::new();
    keys.enumerate().filter(move |(_, key)| !seen.insert(*key)).map(move |(index, key)| Violation {
        pointer: format!("{list}/{index}/key"),
        detail: format!("The key '{key}' is listed twice; remove one or change its key."),
    })
}

impl From<EnvironmentPart> for NewEnvironment {
    fn from(part: EnvironmentPart) -> Self {
        let EnvironmentPart { key, name, production, approval_required, allowed_origins } = part;
        Self { key, name, production, approval_required, allowed_origins }
    }
}

impl From<FeaturePart> for ImportedFeature {
    fn from(part: FeaturePart) -> Self {
        Self {
            key: part.key,
            name: part.name,
            description: part.description,
            lifecycle: part.lifecycle,
            salt: part.salt,
            variants: part.variants,
            value_type: part.value_type,
            tags: part.tags,
            approval_required: part.approval_required,
            pipeline: part.pipeline_key,
            phase_environment: part.phase_environment_key,
            targetings: part.targetings,
        }
    }
}
