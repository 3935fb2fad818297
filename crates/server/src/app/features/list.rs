//! The list of features: filtered, searched, and with their states in the environments for who wants them.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::ServedSummary;

use crate::app::changes::served;
use crate::app::changes::usable_audiences::select;
use crate::app::features::{CurrentPhase, FeatureDetails};
use crate::app::resources::{phases, projects};
use crate::app::{Actor, App, Need, Page, Paged, Result};
use crate::domain::environment::Environment;
use crate::domain::feature::{Feature, FeatureFilter};
use crate::domain::ids::{ApprovalId, FeatureId, PipelineId, UserId};
use crate::domain::pipeline::Pipeline;
use crate::domain::project::Project;
use crate::domain::user::User;
use crate::store::Connection;
use crate::store::changes::{approvals, targetings};
use crate::store::resources::{audiences, environments, features, pipelines, users};

/// How many features are looked through at once for those that a search finds.
const AT_ONCE: i64 = 500;

/// Which features are listed, and with what.
#[derive(Default)]
pub struct FeatureQuery<'a> {
    /// By status and tag.
    pub filter: FeatureFilter<'a>,
    /// Only with all of these words in the key, the name, a tag or the description; capitals do not matter.
    pub search: Option<&'a str>,
    /// With their states in the environments.
    pub environments: bool,
}

/// A feature of a list.
pub struct Listed {
    /// The feature.
    pub described: FeatureDetails,
    /// Its states in all environments that the actor may read, in their order, if they were asked for.
    pub environments: Option<Vec<InEnvironment>>,
}

/// A feature's targeting in an environment, in short.
#[derive(Clone)]
pub struct InEnvironment {
    /// The environment.
    pub environment: Key,
    /// Whether targeting is on.
    pub enabled: bool,
    /// Served while targeting is off, and when no rule matches.
    pub off_variant: Key,
    /// How many rules there are.
    pub rules: usize,
    /// What users get.
    pub served: ServedSummary,
    /// The version of the targeting.
    pub version: u64,
    /// The change that waits for approval there.
    pub pending: Option<ApprovalId>,
}

/// The project's features, by key.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] for an unknown project.
pub async fn list(
    app: &App,
    actor: &Actor,
    project: &str,
    query: &FeatureQuery<'_>,
    page: &Page,
) -> Result<Paged<Listed>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let features = match query.search {
        None => features::page(connection, &project.id, &query.filter, &page.after, page.fetch()).await?,
        Some(search) => search_page(connection, &project, &query.filter, search, page).await?,
    };
    let Paged { items, next_cursor } = page.paginate(features, |feature| feature.key.as_str());
    let all = environments::list(connection, &project.id).await?;
    let mut states = match query.environments {
        true => {
            let shown = |environment: &&Environment| {
                actor.has_in_scope(Need::ReadEnvironment(project.key.as_str(), environment.key.as_str()))
            };
            let shown: Vec<_> = all.iter().filter(shown).collect();
            Some(in_environments(connection, &project, &shown, &items).await?)
        }
        false => None,
    };
    let mut cache = ListCache::default();
    let mut listed = Vec::with_capacity(items.len());
    for feature in items {
        let environments = states.as_mut().map(|states| states.remove(&feature.id).unwrap_or_default());
        let described = describe(connection, &all, &mut cache, feature).await?;
        listed.push(Listed { described, environments });
    }
    Ok(Paged { items: listed, next_cursor })
}

/// The features of a page that the search finds. They are looked through here: databases differ in what a capital is.
async fn search_page(
    connection: &mut Connection,
    project: &Project,
    filter: &FeatureFilter<'_>,
    search: &str,
    page: &Page,
) -> Result<Vec<Feature>> {
    let wanted = usize::try_from(page.fetch()).unwrap_or_default();
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let (mut found, mut after) = (Vec::new(), page.after.clone());
    while found.len() < wanted {
        let next = features::page(connection, &project.id, filter, &after, AT_ONCE).await?;
        let Some(last) = next.last() else { break };
        after = last.key.to_string();
        found.extend(next.into_iter().filter(|feature| has_all(feature, &words)));
    }
    found.truncate(wanted);
    Ok(found)
}

/// The search of the administration pages has the same rule: `js/admin/parts/feature/matches-feature.ts`.
fn has_all(feature: &Feature, words: &[String]) -> bool {
    let texts = [feature.key.as_str(), &feature.name, &feature.description].into_iter();
    let texts: Vec<_> = texts.chain(feature.tags.iter().map(String::as_str)).map(str::to_lowercase).collect();
    words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
}

/// The features' states in these environments, in their order.
async fn in_environments(
    connection: &mut Connection,
    project: &Project,
    shown: &[&Environment],
    listed: &[Feature],
) -> Result<HashMap<FeatureId, Vec<InEnvironment>>> {
    let mut states: HashMap<FeatureId, Vec<InEnvironment>> = HashMap::new();
    let (Some(first), Some(last)) = (listed.first(), listed.last()) else { return Ok(states) };
    let lifecycles: HashMap<_, _> = listed.iter().map(|feature| (&feature.id, feature.lifecycle)).collect();
    let saved = audiences::list_readable(connection, &project.id).await?.rows;
    for environment in shown {
        let usable = select(&saved, &environment.id);
        let pending = approvals::pending_in(connection, &environment.id).await?;
        let mut pending: HashMap<_, _> = pending.into_iter().collect();
        // One that cannot be read is left out: the rest of the list is still right.
        for stored in targetings::list_between(connection, &environment.id, &first.key, &last.key).await?.rows {
            // A tag or a status may leave out features between the first and the last.
            let Some(lifecycle) = lifecycles.get(&stored.feature_id) else { continue };
            let state = InEnvironment {
                environment: environment.key.clone(),
                served: served::summary(*lifecycle, &stored, &usable),
                enabled: stored.targeting.enabled,
                off_variant: stored.targeting.off_variant,
                rules: stored.targeting.rules.len(),
                version: stored.version,
                pending: pending.remove(&stored.feature_id),
            };
            states.entry(stored.feature_id).or_default().push(state);
        }
    }
    Ok(states)
}

/// The pipelines and owners that have been read for a list: its features share them.
#[derive(Default)]
struct ListCache {
    pipelines: HashMap<PipelineId, Option<Pipeline>>,
    owners: HashMap<UserId, Option<User>>,
}

impl ListCache {
    async fn pipeline(&mut self, connection: &mut Connection, id: &PipelineId) -> Result<Option<&Pipeline>> {
        if !self.pipelines.contains_key(id) {
            self.pipelines.insert(id.clone(), pipelines::get(connection, id).await?);
        }
        Ok(self.pipelines.get(id).and_then(Option::as_ref))
    }

    async fn owner(&mut self, connection: &mut Connection, id: &UserId) -> Result<Option<User>> {
        if !self.owners.contains_key(id) {
            self.owners.insert(id.clone(), users::get(connection, id).await?);
        }
        Ok(self.owners.get(id).cloned().flatten())
    }
}

/// What [`crate::app::features::describe`] says, of many features.
async fn describe(
    connection: &mut Connection,
    environments: &[Environment],
    cache: &mut ListCache,
    feature: Feature,
) -> Result<FeatureDetails> {
    let owner = match &feature.owner_id {
        None => None,
        Some(id) => cache.owner(connection, id).await?,
    };
    let pipeline = match &feature.pipeline_id {
        None => None,
        Some(id) => cache.pipeline(connection, id).await?,
    };
    let phase = pipeline.and_then(|pipeline| phases::current(pipeline, &feature)).and_then(|phase| {
        let environment = environments.iter().find(|environment| environment.id == phase.environment_id)?;
        Some(CurrentPhase { name: phase.name.clone(), environment: environment.key.clone() })
    });
    Ok(FeatureDetails { pipeline: pipeline.map(|pipeline| pipeline.key.clone()), feature, owner, phase })
}
