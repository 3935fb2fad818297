//! A project is read into a document, all of it as of one instant.

use std::collections::{BTreeMap, HashMap};

use flagservice_core::Key;

use crate::app::resources::{phases, projects};
use crate::app::transfer::document::{
    AudiencePart, Document, EnvironmentPart, FORMAT, FORMAT_VERSION, FeaturePart, PhasePart, PipelinePart, ProjectPart,
};
use crate::app::{Actor, App, InvalidText, Result};
use crate::domain::audience::{Audience, AudienceScope};
use crate::domain::feature::Feature;
use crate::domain::ids::{EnvironmentId, PipelineId};
use crate::domain::pipeline::Pipeline;
use crate::store::changes::targetings;
use crate::store::resources::{audiences, environments, features, pipelines};

/// The project of that key.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] when there is none.
pub async fn project(app: &App, actor: &Actor, key: &str) -> Result<Document> {
    let mut snapshot = app.store.long_snapshot().await?;
    let connection = &mut *snapshot;
    let project = projects::find(connection, actor, key).await?;
    let all = environments::list(connection, &project.id).await?;
    let keys: HashMap<_, _> = all.iter().map(|environment| (environment.id.clone(), environment.key.clone())).collect();
    let stored_pipelines = pipelines::list(connection, &project.id, "", i64::MAX).await?;
    let by_id: HashMap<_, _> = stored_pipelines.iter().map(|pipeline| (&pipeline.id, pipeline)).collect();
    let mut targeted: HashMap<_, BTreeMap<Key, _>> = HashMap::new();
    for environment in &all {
        for stored in targetings::list(connection, &environment.id).await? {
            targeted.entry(stored.feature_id).or_default().insert(environment.key.clone(), stored.targeting);
        }
    }
    let mut parts_of_features = Vec::new();
    for feature in features::list(connection, &project.id).await? {
        let targetings = targeted.remove(&feature.id).unwrap_or_default();
        parts_of_features.push(feature_part(feature, &by_id, &keys, targetings).map_err(anyhow::Error::new)?);
    }
    let audiences =
        audiences::list(connection, &project.id).await?.into_iter().map(|found| audience_part(found, &keys));
    let pipelines = stored_pipelines.into_iter().map(|pipeline| pipeline_part(pipeline, &keys));
    let environments = all.into_iter().map(|environment| {
        Ok(EnvironmentPart {
            key: environment.key,
            name: environment.name.try_into()?,
            production: environment.production,
            approval_required: environment.approval_required,
            allowed_origins: environment.allowed_origins,
        })
    });
    let parts = |error: InvalidText| anyhow::Error::new(error);
    Ok(Document {
        format: FORMAT.to_owned(),
        format_version: FORMAT_VERSION,
        project: ProjectPart { key: project.key, name: project.name.try_into().map_err(parts)? },
        environments: environments.collect::<std::result::Result<_, _>>().map_err(parts)?,
        audiences: audiences.collect::<std::result::Result<_, _>>().map_err(parts)?,
        pipelines: pipelines.collect::<std::result::Result<_, _>>().map_err(parts)?,
        features: parts_of_features,
    })
}

fn audience_part(
    audience: Audience,
    environments: &HashMap<EnvironmentId, Key>,
) -> std::result::Result<AudiencePart, InvalidText> {
    let environment_key = match &audience.scope {
        AudienceScope::Project => None,
        AudienceScope::Environment(id) => environments.get(id).cloned(),
    };
    let Audience { key, name, conditions, .. } = audience;
    Ok(AudiencePart { key, name: name.try_into()?, environment_key, conditions })
}

fn pipeline_part(
    pipeline: Pipeline,
    environments: &HashMap<EnvironmentId, Key>,
) -> std::result::Result<PipelinePart, InvalidText> {
    let phases = pipeline.phases.into_iter().filter_map(|phase| {
        // A phase's environment cannot be deleted.
        let environment_key = environments.get(&phase.environment_id)?.clone();
        let approval_required = phase.approval_required;
        Some(phase.name.try_into().map(|name| PhasePart { name, environment_key, approval_required }))
    });
    let phases = phases.collect::<std::result::Result<_, _>>()?;
    Ok(PipelinePart { key: pipeline.key, name: pipeline.name.try_into()?, phases })
}

fn feature_part(
    feature: Feature,
    pipelines: &HashMap<&PipelineId, &Pipeline>,
    environments: &HashMap<EnvironmentId, Key>,
    targetings: BTreeMap<Key, flagservice_rules::Targeting>,
) -> std::result::Result<FeaturePart, InvalidText> {
    let pipeline = feature.pipeline_id.as_ref().and_then(|id| pipelines.get(id));
    let phase = pipeline.and_then(|pipeline| phases::current(pipeline, &feature));
    let phase_environment_key = phase.and_then(|phase| environments.get(&phase.environment_id)).cloned();
    let pipeline_key = pipeline.map(|pipeline| pipeline.key.clone());
    let tags = feature.tags.into_iter().map(TryInto::try_into);
    Ok(FeaturePart {
        key: feature.key,
        name: feature.name.try_into()?,
        description: feature.description.try_into()?,
        lifecycle: feature.lifecycle,
        salt: feature.salt.try_into()?,
        variants: feature.variants,
        value_type: Some(feature.value_type),
        tags: tags.collect::<std::result::Result<_, _>>()?,
        approval_required: feature.approval_required,
        pipeline_key,
        phase_environment_key,
        targetings,
    })
}
