//! Saved audiences, for all of a project or for one environment. Editing one is a change of every feature that uses it.

use std::collections::HashMap;
use std::time::Duration;

use flagservice_core::Key;
use flagservice_rules::{Condition, RuleAudience, Targeting, validate_conditions_edit};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::app::changes::audience_budget;
use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::gate::{self, GateDecision};
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::revision;
use crate::app::experiments::lifecycle;
use crate::app::operation::gave_way;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Edit, IfMatch, Name, Need, Operation, Page, Paged, Result};
use crate::domain::audience::{Audience, AudienceScope};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::AudienceId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::targetings;
use crate::store::experiments::records;
use crate::store::resources::{audiences, features};

/// Uses that are changed in a few milliseconds.
const FEW_USES: usize = 20;

/// How long an edit of many uses begins again, after it gave way to others.
const GIVE_WAY_FOR: Duration = Duration::from_secs(10);

/// How long it waits before it begins again: doubled each time, up to the longest wait.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MAX_WAIT: Duration = Duration::from_millis(500);

/// How many uses are read at once, which takes a few milliseconds.
const USES_AT_ONCE: usize = 50;

/// What a new audience is made of.
pub struct NewAudience {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// The key of the one environment that may use it; none: all of the project.
    pub environment: Option<Key>,
    /// All of which must hold.
    pub conditions: Vec<Condition>,
}

/// The fields of an audience to change; `None` keeps one as it is.
#[derive(Clone)]
pub struct AudienceEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Other conditions.
    pub conditions: Option<Vec<Condition>>,
}

/// An audience, with the key of the one environment that may use it.
pub struct AudienceDetails {
    /// The audience.
    pub audience: Audience,
    /// None: all of the project.
    pub environment: Option<Key>,
}

/// Where an audience is used: a feature's targeting in an environment.
pub struct Use {
    /// The feature.
    pub feature: Feature,
    /// The environment.
    pub environment: Environment,
    /// The targeting, one of whose rules names the audience.
    pub targeting: Targeting,
}

/// The project's audiences, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str, page: &Page) -> Result<Paged<AudienceDetails>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let audiences = audiences::page(connection, &project.id, &page.after, page.fetch()).await?;
    let Paged { items, next_cursor } = page.paginate(audiences, |audience| audience.key.as_str());
    let mut described = Vec::with_capacity(items.len());
    for audience in items {
        let details = describe(connection, audience).await?;
        if actor.has_in_scope(need_to_read(&project, &details)) {
            described.push(details);
        }
    }
    Ok(Paged { items: described, next_cursor })
}

/// The project's audience of that key, with its uses.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<(AudienceDetails, Vec<Use>)> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let audience = find(connection, &project, key).await?;
    let mut uses = uses(connection, &project, &audience, || Ok(())).await?;
    let details = describe(connection, audience).await?;
    actor.require_in_scope(need_to_read(&project, &details))?;
    let key = project.key.as_str();
    uses.retain(|used| actor.has_in_scope(Need::ReadEnvironment(key, used.environment.key.as_str())));
    Ok((details, uses))
}

/// An audience for one environment belongs to that one.
fn need_to_read<'a>(project: &'a Project, details: &'a AudienceDetails) -> Need<'a> {
    match &details.environment {
        None => Need::ReadProject(project.key.as_str()),
        Some(environment) => Need::ReadEnvironment(project.key.as_str(), environment.as_str()),
    }
}

async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Audience> {
    let audience = audiences::find(connection, &project.id, key).await?;
    audience.ok_or_else(|| AppError::not_found("audience", key))
}

async fn describe(connection: &mut Connection, audience: Audience) -> Result<AudienceDetails> {
    let environment = match &audience.scope {
        AudienceScope::Project => None,
        AudienceScope::Environment(id) => {
            crate::store::resources::environments::get(connection, id).await?.map(|environment| environment.key)
        }
    };
    Ok(AudienceDetails { audience, environment })
}

/// Where the audience is used, by environment and feature. If it has many uses, calls `between` before each further read.
async fn uses(
    connection: &mut Connection,
    project: &Project,
    audience: &Audience,
    between: impl Fn() -> Result<()>,
) -> Result<Vec<Use>> {
    let mut uses = Vec::new();
    for environment in crate::store::resources::environments::list(connection, &project.id).await? {
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

/// Saves a new audience.
///
/// # Errors
/// [`AppError::Invalid`] for conditions that could never match, [`AppError::UnknownReference`] for an unknown environment,
/// [`AppError::Exists`] for a key that is taken.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewAudience) -> Result<AudienceDetails> {
    operation.actor.require(Role::Editor)?;
    check_conditions(&[], &new.conditions)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    if audiences::find(connection, &project.id, new.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "audience", key: new.key.to_string() });
    }
    let scope = match &new.environment {
        None => AudienceScope::Project,
        Some(key) => {
            let environment = environments::find(connection, &project, key.as_str()).await;
            AudienceScope::Environment(environment.map_err(|error| error.of_reference("/environmentKey"))?.id)
        }
    };
    let now = operation.app.now();
    let id = AudienceId::new(&*operation.app.random, now);
    let audience = Audience {
        id,
        project_id: project.id.clone(),
        scope,
        key: new.key,
        name: new.name.into(),
        conditions: new.conditions,
        revision: 1,
    };
    audiences::insert(connection, &audience, now).await?;
    record_audience_audit(operation, "audience.create", &project, BeforeAfter::created(&audience)).await?;
    Ok(AudienceDetails { audience, environment: new.environment })
}

/// Changes an audience in a transaction of its own, and returns once this node evaluates by it. Where there is one writer at a
/// time it gives way to others while it takes long, and begins again after them.
///
/// # Errors
/// Those of [`update`]; [`AppError::Busy`] when others write too often.
pub async fn update_giving_way(
    app: &App,
    actor: &Actor,
    project: &str,
    key: &str,
    edit: &Edit<AudienceEdit>,
) -> Result<AudienceDetails> {
    let deadline = Instant::now() + GIVE_WAY_FOR;
    let mut wait = FIRST_WAIT;
    let mut has_many_uses = false;
    loop {
        // No transaction is open while it waits.
        let attempt = async {
            let mut operation = Operation::begin(app, actor).await?;
            if has_many_uses {
                app.give_way()?;
            }
            let described = update(&mut operation, project, key, edit.clone()).await?;
            operation.commit().await?;
            Ok(described)
        };
        match attempt.await {
            Err(error) if gave_way(&error) && Instant::now() < deadline => {}
            ended => return ended,
        }
        has_many_uses = true;
        tokio::time::sleep(wait).await;
        wait = (2 * wait).min(MAX_WAIT);
    }
}

/// Changes an audience's name or conditions. Other conditions are a change of every feature that uses it, in the same
/// transaction.
///
/// # Errors
/// [`AppError::Invalid`] for conditions that could never match; [`AppError::ForbiddenUse`] and
/// [`AppError::ApprovalRequired`] name all uses when the actor could not edit one of them directly and at once.
pub async fn update(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    Edit { fields, if_match }: Edit<AudienceEdit>,
) -> Result<AudienceDetails> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let before = find(operation.write.connection().await?, &project, key).await?;
    revision::check(if_match, before.revision)?;
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    after.conditions = fields.conditions.unwrap_or(after.conditions);
    if after.conditions != before.conditions {
        check_conditions(&before.conditions, &after.conditions)?;
    }
    if after.name == before.name && after.conditions == before.conditions {
        return describe(operation.write.connection().await?, before).await;
    }
    after.revision += 1;
    let mut plans = Vec::new();
    if after.conditions != before.conditions {
        let app = operation.app;
        let uses = uses(operation.write.connection().await?, &project, &before, || app.give_way()).await?;
        plans.extend(uses.into_iter().map(|used| {
            let change = TargetingChange::through_audience(used.environment, used.targeting);
            Plan::targeting(project.clone(), used.feature, change)
        }));
    }
    check_uses(operation, &before, &plans).await?;
    let app = operation.app;
    audience_budget::check(operation.write.connection().await?, app, &plans, &after, |number| give_way(app, number))
        .await?;
    audiences::update(operation.write.connection().await?, &after).await?;
    for (number, plan) in plans.iter().enumerate() {
        give_way(operation.app, number)?;
        submit(operation, plan, ApprovalMode::Unsupported).await?;
    }
    if after.conditions != before.conditions {
        for experiment in records::running_with_audience(operation.write.connection().await?, &after.id).await? {
            lifecycle::publish(operation, &experiment).await?;
        }
    }
    record_audience_audit(operation, "audience.update", &project, BeforeAfter::updated(&before, &after)).await?;
    describe(operation.write.connection().await?, after).await
}

/// Deletes an audience that no rule uses.
///
/// # Errors
/// [`AppError::InUse`] names the uses, [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, project: &str, key: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let audience = find(connection, &project, key).await?;
    revision::check(if_match, audience.revision)?;
    let uses = uses(connection, &project, &audience, || Ok(())).await?;
    if !uses.is_empty() {
        let places: Vec<_> =
            uses.iter().map(|used| format!("{} in {}", used.feature.key, used.environment.key)).collect();
        let detail = format!("The audience '{key}' is used by {}. Change these rules first.", places.join(", "));
        return Err(AppError::InUse(detail));
    }
    if let Some((experiment, environment)) = records::with_audience(connection, &audience.id).await?.first() {
        let detail = format!(
            "The audience '{key}' says who takes part in the experiment '{experiment}' in {environment}. Stop or change that first."
        );
        return Err(AppError::InUse(detail));
    }
    audiences::delete(connection, &audience.id).await?;
    record_audience_audit(operation, "audience.delete", &project, BeforeAfter::deleted(&audience)).await
}

/// Refuses the edit of an audience when the actor could not edit one of its uses directly and at once: with all its uses,
/// and what prevents it.
async fn check_uses(operation: &mut Operation<'_>, audience: &Audience, plans: &[Plan]) -> Result<()> {
    let mut obstacles = Vec::new();
    let mut missing_right = None;
    for (number, plan) in plans.iter().enumerate() {
        give_way(operation.app, number)?;
        let obstacle = match gate::check(operation.write.connection().await?, operation.actor, plan).await {
            Ok(GateDecision::Allowed) => continue,
            Ok(GateDecision::NeedsApproval { .. }) => "needs an approval".to_owned(),
            Err(AppError::PendingChange { approval, .. }) => {
                format!("has a change that waits for approval: {approval}")
            }
            Err(AppError::Forbidden(detail)) => {
                missing_right = Some(detail);
                continue;
            }
            Err(other) => return Err(other),
        };
        obstacles.push(format!("{} {obstacle}", place(plan)));
    }
    let places: Vec<_> = plans.iter().map(place).collect();
    let used = format!("The audience '{}' is used by {}.", audience.key, places.join(", "));
    match missing_right {
        Some(detail) => Err(AppError::ForbiddenUse(format!("{used} {detail}"))),
        None if obstacles.is_empty() => Ok(()),
        None => Err(AppError::ApprovalRequired(format!(
            "{used} Other conditions would change these at once, but {}. Make a new audience and ask for a change of the rules instead.",
            obstacles.join(", ")
        ))),
    }
}

/// Gives way to others in an edit of many uses. One of few is done sooner than it would begin again.
fn give_way(app: &App, uses: usize) -> Result<()> {
    if uses < FEW_USES { Ok(()) } else { app.give_way() }
}

/// Where the plan changes targeting, for people.
fn place(plan: &Plan) -> String {
    let environments: Vec<_> = plan.targetings.iter().map(|change| change.environment.key.as_str()).collect();
    format!("{} in {}", plan.after.key, environments.join(", "))
}

fn check_conditions(before: &[Condition], conditions: &[Condition]) -> Result<()> {
    let mut errors = validate_conditions_edit(before, conditions);
    for error in &mut errors {
        error.pointer.insert_str(0, "/conditions");
    }
    if errors.is_empty() { Ok(()) } else { Err(AppError::Invalid(errors)) }
}

async fn record_audience_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, Audience>,
) -> Result<()> {
    let Some(audience) = after.or(before) else {
        return Ok(());
    };
    let state = |audience: &Audience| -> Value {
        let environment_id = match &audience.scope {
            AudienceScope::Project => None,
            AudienceScope::Environment(id) => Some(id),
        };
        let (key, name, conditions) = (&audience.key, &audience.name, &audience.conditions);
        json!({ "key": key, "name": name, "environmentId": environment_id, "conditions": conditions })
    };
    let resource = format!("projects/{}/audiences/{}", project.key, audience.key);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
