//! Environments of a project.

use std::collections::HashMap;

use flagservice_core::{Key, variant};
use serde_json::{Value, json};
use url::{Host, Url};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::changes::targeting::stored_or_initial;
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Edit, Name, Need, Operation, Page, Paged, Result};
use crate::domain::changes::flag_change::FlagChange;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::{ChangeId, EnvironmentId, FeatureId};
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::domain::targeting::StoredTargeting;
use crate::random;
use crate::store::Connection;
use crate::store::changes::outbox::NewEntry;
use crate::store::changes::targetings;
use crate::store::resources::{environments, features};

/// No keys of environments: beside these are the paths of what is done with two.
const RESERVED: [&str; 2] = ["compare", "copy"];

/// The most allowed origins of an environment. Each request of a page is compared with all.
const MAX_ORIGINS: usize = 100;

/// The longest name that a host can have, with the dot at its end.
const MAX_HOST: usize = 254;

/// What a new environment is made of.
pub struct NewEnvironment {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// Whether changing it needs the production right.
    pub production: bool,
    /// Whether every change of targeting in it is held for approval.
    pub approval_required: bool,
    /// Origins allowed to use its client keys; all if empty.
    pub allowed_origins: Vec<String>,
}

/// What is to change of an environment; nothing where there is none.
#[derive(Default)]
pub struct EnvironmentEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Whether changing it needs the production right.
    pub production: Option<bool>,
    /// Whether every change of targeting in it is held for approval.
    pub approval_required: Option<bool>,
    /// Origins allowed to use its client keys.
    pub allowed_origins: Option<Vec<String>>,
}

/// The project's environments, in their order.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str, page: &Page) -> Result<Paged<Environment>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    let environments = environments::page(&mut connection, &project.id, page.after_number()?, page.fetch()).await?;
    let mut paged = page.paginate(environments, |environment| &environment.position);
    let key = project.key.as_str();
    paged.items.retain(|environment| actor.has_in_scope(Need::ReadEnvironment(key, environment.key.as_str())));
    Ok(paged)
}

/// The project's environment of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<Environment> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    find(&mut connection, &project, key).await
}

pub(in crate::app) async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Environment> {
    let environment = environments::find(connection, &project.id, key).await?;
    environment.ok_or_else(|| AppError::not_found("environment", key))
}

/// Creates an environment; every feature of the project is off in it, and serves the off variant that it has elsewhere. If it is production
/// or requires approval, a feature without `off` is not served until somebody has targeted it there.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Exists`] for a key that is taken.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewEnvironment) -> Result<Environment> {
    operation.actor.require(Role::Administrator)?;
    check_origins(&[], &new.allowed_origins)?;
    if RESERVED.contains(&new.key.as_str()) {
        let detail = format!("'{}' is the path of what is done with two environments. Choose another key.", new.key);
        return Err(AppError::invalid("/key", detail));
    }
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let present = environments::list(connection, &project.id).await?;
    if present.iter().any(|environment| environment.key == new.key) {
        return Err(AppError::Exists { what: "environment", key: new.key.to_string() });
    }
    let now = operation.app.now();
    let mut environment = Environment {
        id: EnvironmentId::new(&*operation.app.random, now),
        project_id: project.id.clone(),
        key: new.key,
        name: new.name.into(),
        production: new.production,
        approval_required: new.approval_required,
        allowed_origins: new.allowed_origins,
        revision: revision::first(now),
        position: present.iter().map(|environment| environment.position + 1).max().unwrap_or(0),
        epoch: u64::from_be_bytes(random::bytes(&*operation.app.random)),
        version: 0,
    };
    environments::insert(connection, &environment, now).await?;
    environment.version = touch(operation, &environment).await?;
    let connection = operation.write.connection().await?;
    for stored in first_targetings(connection, &project, &environment, &present).await? {
        targetings::put(connection, &environment.id, &stored).await?;
    }
    record_environment_audit(operation, "environment.create", &project, BeforeAfter::created(&environment)).await?;
    Ok(environment)
}

/// The targetings of all features in a new environment: off. The off variant is that of the other environments if it is the same in
/// all of them, else the initial one. Version 0 would keep another variant than `off` from being served.
async fn first_targetings(
    connection: &mut Connection,
    project: &Project,
    environment: &Environment,
    others: &[Environment],
) -> Result<Vec<StoredTargeting>> {
    let mut off_variants: HashMap<FeatureId, Vec<Key>> = HashMap::new();
    for other in others {
        for stored in targetings::list(connection, &other.id).await? {
            off_variants.entry(stored.feature_id).or_default().push(stored.targeting.off_variant);
        }
    }
    let first = |feature: Feature| {
        let mut stored = stored_or_initial(None, &feature);
        let of_others = off_variants.remove(&feature.id).unwrap_or_default();
        if let Some(off_variant) = of_others.first()
            && of_others.len() == others.len()
            && of_others.iter().all(|other| other == off_variant)
        {
            stored.targeting.off_variant = off_variant.clone();
        }
        let has_off = feature.variants.iter().any(|key| key.as_str() == variant::OFF);
        let is_gated = environment.production || environment.approval_required;
        if !stored.is_served() && (has_off || !is_gated) {
            stored.version = environment.version;
        }
        stored
    };
    Ok(features::list(connection, &project.id).await?.into_iter().map(first).collect())
}

/// Changes an environment.
///
/// # Errors
/// [`AppError::Stale`] when it changed since the caller saw it.
pub async fn update(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    Edit { fields, if_match }: Edit<EnvironmentEdit>,
) -> Result<Environment> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let before = find(operation.write.connection().await?, &project, key).await?;
    revision::check(if_match, before.revision)?;
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    after.production = fields.production.unwrap_or(after.production);
    after.approval_required = fields.approval_required.unwrap_or(after.approval_required);
    after.allowed_origins = fields.allowed_origins.unwrap_or(after.allowed_origins);
    check_origins(&before.allowed_origins, &after.allowed_origins)?;
    if state(&after) == state(&before) {
        return Ok(before);
    }
    after.revision += 1;
    environments::update(operation.write.connection().await?, &after).await?;
    after.version = touch(operation, &after).await?;
    record_environment_audit(operation, "environment.update", &project, BeforeAfter::updated(&before, &after)).await?;
    Ok(after)
}

/// Makes a change of the environment itself known to those who follow it; returns its new version.
pub(in crate::app) async fn touch(operation: &mut Operation<'_>, environment: &Environment) -> Result<u64> {
    let at = operation.app.now();
    let change_id = ChangeId::new(&*operation.app.random, at);
    let change = FlagChange::Environment { environment_key: environment.key.to_string() };
    let entry =
        NewEntry { environment_id: &environment.id, change_id: &change_id, feature_id: None, at, change: &change };
    Ok(operation.write.publish(&entry).await?)
}

/// Lets origins pass that browsers send, and those of `before`, which an earlier release stored.
fn check_origins(before: &[String], origins: &[String]) -> Result<()> {
    if origins.len() > MAX_ORIGINS.max(before.len()) {
        let detail = format!("An environment has at most {MAX_ORIGINS} allowed origins. Leave some out.");
        return Err(AppError::invalid("/allowedOrigins", detail));
    }
    for (index, origin) in origins.iter().enumerate() {
        if before.contains(origin) || origin == "null" {
            continue;
        }
        let sent = sent_by_browsers(origin);
        if sent.as_ref() != Some(origin) {
            let known = sent.map(|sent| format!(" Browsers send '{sent}'.")).unwrap_or_default();
            let detail = format!(
                "An origin is a scheme and a host as browsers send them, like https://shop.example or http://localhost:3000, \
                 without a path.{known}"
            );
            return Err(AppError::invalid(&format!("/allowedOrigins/{index}"), detail));
        }
    }
    Ok(())
}

/// The origin that browsers send for pages of a URL: in lower case, in ASCII, and without the port that its scheme has anyway.
fn sent_by_browsers(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let is_host = match url.host()? {
        Host::Domain(name) => {
            let labels = name.strip_suffix('.').unwrap_or(name);
            name.len() <= MAX_HOST && labels.split('.').all(|label| !label.is_empty() && !label.contains('*'))
        }
        Host::Ipv4(_) | Host::Ipv6(_) => true,
    };
    is_host.then(|| url.origin().ascii_serialization())
}

fn state(environment: &Environment) -> Value {
    json!({
        "key": environment.key, "name": environment.name, "production": environment.production,
        "approvalRequired": environment.approval_required, "allowedOrigins": environment.allowed_origins,
    })
}

pub(super) async fn record_environment_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, Environment>,
) -> Result<()> {
    let Some(environment) = after.or(before) else {
        return Ok(());
    };
    let resource = format!("projects/{}/environments/{}", project.key, environment.key);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
