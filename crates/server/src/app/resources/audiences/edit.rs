//! Edits of audiences. Other conditions are a change of every feature that uses one.

use std::time::Duration;

use flagservice_rules::Condition;
use tokio::time::Instant;

use crate::app::changes::audience_budget;
use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::gate::{self, GateDecision};
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::revision;
use crate::app::experiments::{self, lifecycle};
use crate::app::operation::gave_way;
use crate::app::resources::audiences::uses::{FEW_USES, uses};
use crate::app::resources::audiences::{AudienceDetails, check_conditions, describe, find, record_audience_audit};
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Edit, Name, Operation, Result};
use crate::domain::audience::Audience;
use crate::domain::environment::Environment;
use crate::domain::experiments::Experiment;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::experiments::records;
use crate::store::resources::{audiences, environments};

/// How long an edit of many uses begins again, after it gave way to others.
const GIVE_WAY_FOR: Duration = Duration::from_secs(10);

/// How long it waits before it begins again: doubled each time, up to the longest wait.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MAX_WAIT: Duration = Duration::from_millis(500);

/// The fields of an audience to change; `None` keeps one as it is.
#[derive(Clone)]
pub struct AudienceEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Other conditions.
    pub conditions: Option<Vec<Condition>>,
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
    let mut changes = Changes::default();
    if after.conditions != before.conditions {
        changes = Changes::find(operation, &project, &before).await?;
    }
    check_uses(operation, &project, &before, &changes).await?;
    let Changes { plans, running } = changes;
    let app = operation.app;
    audience_budget::check(operation.write.connection().await?, app, &plans, &after, |number| give_way(app, number))
        .await?;
    audiences::update(operation.write.connection().await?, &after).await?;
    for (number, plan) in plans.iter().enumerate() {
        give_way(operation.app, number)?;
        submit(operation, plan, ApprovalMode::Unsupported).await?;
    }
    for (experiment, _) in &running {
        lifecycle::publish(operation, experiment).await?;
    }
    record_audience_audit(operation, "audience.update", &project, BeforeAfter::updated(&before, &after)).await?;
    describe(operation.write.connection().await?, after).await
}

/// What other conditions of an audience change.
#[derive(Default)]
struct Changes {
    /// The features that use it.
    plans: Vec<Plan>,
    /// The running experiments whose participants it says, each with its environment.
    running: Vec<(Experiment, Environment)>,
}

impl Changes {
    async fn find(operation: &mut Operation<'_>, project: &Project, audience: &Audience) -> Result<Self> {
        let app = operation.app;
        let connection = operation.write.connection().await?;
        let uses = uses(connection, project, audience, || app.give_way()).await?;
        let plans = uses.into_iter().map(|used| {
            let change = TargetingChange::through_audience(used.environment, used.targeting);
            Plan::targeting(project.clone(), used.feature, change)
        });
        let mut running = Vec::new();
        for experiment in records::running_with_audience(connection, &audience.id).await? {
            if let Some(environment) = environments::get(connection, &experiment.environment_id).await? {
                running.push((experiment, environment));
            }
        }
        Ok(Self { plans: plans.collect(), running })
    }
}

/// Refuses the edit of an audience when the actor could not edit one of its uses directly and at once: with all its uses,
/// and what prevents it.
async fn check_uses(
    operation: &mut Operation<'_>,
    project: &Project,
    audience: &Audience,
    Changes { plans, running }: &Changes,
) -> Result<()> {
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
    for (_, environment) in running {
        match experiments::authorize(operation.actor, project, environment) {
            Err(AppError::Forbidden(detail)) => missing_right = Some(detail),
            checked => checked?,
        }
    }
    let of_experiments = running
        .iter()
        .map(|(experiment, environment)| format!("the running experiment {} in {}", experiment.key, environment.key));
    let places: Vec<_> = plans.iter().map(place).chain(of_experiments).collect();
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
