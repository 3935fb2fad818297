//! Guards of running experiments: when a variant makes a guard worse, its share is given to the control. Every node checks the experiments
//! whose goals it has counted, and all of them from time to time; the project's lock decides which one acts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use flagservice_core::Key;
use flagservice_rules::{Percentage, Rule, Split, Targeting};

use crate::app::changes::approvals::ApprovalDetails;
use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::change::{ApprovalMode, Submitted, submit};
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::targeting;
use crate::app::experiments::counted::GroupCounts;
use crate::app::experiments::results::{self, Outcome};
use crate::app::experiments::{Place, guard_requests, record_experiment_audit};
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, Operation, Result};
use crate::domain::experiments::{Experiment, ExperimentState, GuardTrip};
use crate::domain::ids::ExperimentId;
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::experiments::records::{self, Guarded};

/// How often a node checks all experiments with guards: what another node counted, and what was counted before a restart.
const INTERVAL: Duration = Duration::from_secs(5);

/// How long goals are counted before the next check.
const PAUSE: Duration = Duration::from_millis(100);

/// Checks guards until the task is aborted.
pub async fn run(app: Arc<App>) {
    let mut all = tokio::time::interval(INTERVAL);
    loop {
        let only = tokio::select! {
            _ = all.tick() => None,
            () = app.guard_checks.requested() => Some(app.guard_checks.take()),
        };
        if let Err(error) = check(&app, only.as_ref()).await {
            tracing::warn!(%error, "cannot check the guards of experiments now");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Checks these running experiments, or all.
///
/// # Errors
/// When the database fails.
pub async fn check(app: &App, only: Option<&BTreeSet<ExperimentId>>) -> Result<()> {
    let guarded = records::guarded(&mut *app.store.read().await?).await?;
    for experiment in guarded.into_iter().filter(|one| only.is_none_or(|only| only.contains(&one.id))) {
        // The row of its request may be unreadable. Others do not wait.
        if let Err(error) = check_one(app, &experiment).await {
            tracing::warn!(experiment = %experiment.key, %error, "cannot check the guards of an experiment now");
        }
    }
    Ok(())
}

async fn check_one(app: &App, experiment: &Guarded) -> Result<()> {
    for trip in tripped(app, experiment).await? {
        // Another change may wait for a decision, or the feature be archived. The next check tries again, and others do not wait.
        if let Err(error) = act(app, experiment, &trip).await {
            tracing::warn!(experiment = %experiment.key, %error, "a guard tripped, but its change cannot be made now");
        }
    }
    Ok(())
}

/// A guard that a variant makes worse.
struct Tripped {
    goal: String,
    variant: Key,
}

impl Tripped {
    fn is_noted_as(&self, trip: &GuardTrip) -> bool {
        trip.goal == self.goal && trip.variant == self.variant
    }
}

/// What is still to be done about a guard that tripped.
enum Due {
    Nothing,
    Change,
    /// The change, because this request for it became stale by itself.
    ChangeInPlaceOf(Box<ApprovalDetails>),
}

/// The guards that are worse with a variant, for which something is due.
async fn tripped(app: &App, guarded: &Guarded) -> Result<Vec<Tripped>> {
    let connection = &mut *app.store.read().await?;
    let experiment = records::get(connection, &guarded.id).await?;
    let Some(experiment) = experiment.filter(|now| now.state == ExperimentState::Running) else {
        return Ok(Vec::new());
    };
    let Some(run) = &experiment.run else { return Ok(Vec::new()) };
    let counts = GroupCounts::read(connection, run).await?;
    let project = projects::find(connection, &service(guarded), &guarded.project).await?;
    let mut tripped = Vec::new();
    for (goal, variant, outcome) in results::guards(&experiment, run, &counts, app.now()) {
        let one = Tripped { goal, variant };
        if outcome == Outcome::Worse && !matches!(due(connection, &project, &experiment, &one).await?, Due::Nothing) {
            tripped.push(one);
        }
    }
    Ok(tripped)
}

async fn due(
    connection: &mut Connection,
    project: &Project,
    experiment: &Experiment,
    tripped: &Tripped,
) -> Result<Due> {
    let Some(trip) = experiment.guard_trips.iter().find(|trip| tripped.is_noted_as(trip)) else {
        return Ok(Due::Change);
    };
    let lapsed = guard_requests::lapsed(connection, project, trip).await?;
    Ok(lapsed.map_or(Due::Nothing, |request| Due::ChangeInPlaceOf(Box::new(request))))
}

/// Flag Service, in the project of an experiment.
fn service(guarded: &Guarded) -> Actor {
    Actor { project_key: Some(guarded.project.clone()), ..Actor::service(guarded.organisation.clone()) }
}

/// Gives the variant's share to the control, or asks for the approval that this needs, and notes it, in one transaction.
async fn act(app: &App, guarded: &Guarded, tripped: &Tripped) -> Result<()> {
    let actor = service(guarded);
    let mut operation = Operation::begin(app, &actor).await?;
    let project = projects::find_to_write(&mut operation, &guarded.project).await?;
    let connection = operation.write.connection().await?;
    let environment = environments::find(connection, &project, &guarded.environment).await?;
    let before = records::get(connection, &guarded.id).await?;
    let Some(before) = before.filter(|now| now.state == ExperimentState::Running) else { return Ok(()) };
    let feature = lookup::find(connection, &project, before.feature_key.as_str()).await?;
    if !feature.variants.contains(&before.design.control) {
        report_missing_control(app, guarded, &before);
        return Ok(());
    }
    let stored = targeting::current(connection, &environment.id, &feature).await?;
    let set_back = set_back(&stored.targeting, &tripped.variant, &before.design.control);
    let lapsed = match due(connection, &project, &before, tripped).await? {
        // Another node may have been faster.
        Due::Nothing => return Ok(()),
        // What it requested was not done, and no rule splits users so by now. The variant may get a share again.
        Due::ChangeInPlaceOf(_) if set_back == stored.targeting => return Ok(()),
        Due::ChangeInPlaceOf(request) => Some(request),
        Due::Change => None,
    };
    if let Some(request) = lapsed {
        guard_requests::end_lapsed(&mut operation, &project, *request).await?;
    }
    let mut approval_id = None;
    if set_back != stored.targeting {
        let change = TargetingChange::edit(environment.clone(), stored.targeting, set_back);
        let plan = Plan::targeting(project.clone(), feature, change);
        let note = ChangeNote::edit(explanation(&before, tripped));
        if let Submitted::PendingApproval(approval) =
            submit(&mut operation, &plan, ApprovalMode::Requestable(note)).await?
        {
            approval_id = Some(approval.id);
        }
    }
    let mut after = before.clone();
    after.revision += 1;
    after.guard_trips.retain(|trip| !tripped.is_noted_as(trip));
    let (goal, variant) = (tripped.goal.clone(), tripped.variant.clone());
    after.guard_trips.push(GuardTrip { at: app.now(), goal, variant, approval_id });
    records::update(operation.write.connection().await?, &after, None).await?;
    let place = Place { project, environment };
    record_experiment_audit(&mut operation, "experiment.guard", &place, BeforeAfter::updated(&before, &after)).await?;
    operation.commit().await?;
    tracing::warn!(experiment = %guarded.key, goal = tripped.goal, variant = %tripped.variant, "a guard tripped");
    Ok(())
}

/// Says once that a guard would serve a variant that the feature does not have. An earlier release let it be removed.
fn report_missing_control(app: &App, guarded: &Guarded, experiment: &Experiment) {
    if app.guard_checks.note_without_control(&guarded.id) {
        tracing::error!(
            project = guarded.project, environment = guarded.environment, experiment = guarded.key,
            feature = %experiment.feature_key, control = %experiment.design.control,
            "a guard tripped and does nothing, because the control is no variant of the feature; stop the experiment, or give the feature \
             that variant again"
        );
    }
}

/// The comment of the change.
fn explanation(experiment: &Experiment, tripped: &Tripped) -> String {
    let Tripped { goal, variant } = tripped;
    let (name, control) = (&experiment.name, &experiment.design.control);
    format!(
        "The experiment '{name}' shows that '{goal}' is worse with '{variant}' than with '{control}'. Its guard gives the share of \
         '{variant}' to '{control}'."
    )
}

/// The targeting in which rules that split users give the variant's share to the control.
fn set_back(targeting: &Targeting, variant: &Key, control: &Key) -> Targeting {
    let is_split = |rule: &Rule| rule.splits.iter().filter(|split| split.percentage.thousandths() > 0).count() > 1;
    let mut after = targeting.clone();
    for rule in after.rules.iter_mut().filter(|rule| is_split(rule)) {
        let share = |of: &Key| rule.splits.iter().find(|split| split.variant == *of).map_or(0, share_of);
        let all = share(variant) + share(control);
        let Ok(percentage) = Percentage::from_thousandths(all) else { continue };
        if share(variant) == 0 {
            continue;
        }
        rule.splits.retain(|split| split.variant != *variant);
        match rule.splits.iter_mut().find(|split| split.variant == *control) {
            Some(split) => split.percentage = percentage,
            None => rule.splits.insert(0, Split { variant: control.clone(), percentage }),
        }
    }
    after
}

fn share_of(split: &Split) -> u32 {
    split.percentage.thousandths()
}

#[cfg(test)]
mod tests {
    use flagservice_core::Key;
    use flagservice_rules::Targeting;
    use serde_json::{Value, json};

    use super::set_back;

    fn rules(shares: &[&[(&str, f64)]]) -> Targeting {
        let split = |(variant, percentage): &(&str, f64)| json!({ "variantKey": variant, "percentage": percentage });
        let rule = |shares: &&[(&str, f64)]| {
            let splits: Vec<Value> = shares.iter().map(split).collect();
            json!({ "name": "", "conditions": [], "splits": splits })
        };
        let rules: Vec<Value> = shares.iter().map(rule).collect();
        serde_json::from_value(json!({ "enabled": true, "offVariantKey": "teal", "rules": rules })).unwrap()
    }

    #[test]
    fn the_control_gets_the_share_of_the_variant_in_rules_that_split_users() {
        let key = |text: &str| Key::parse(text).unwrap();
        let before = rules(&[
            &[("plum", 100.0)],
            &[("teal", 30.0), ("plum", 20.5), ("sand", 49.5)],
            &[("sand", 50.0), ("plum", 50.0)],
            &[("sand", 60.0), ("teal", 40.0)],
        ]);
        let after = rules(&[
            &[("plum", 100.0)],
            &[("teal", 50.5), ("sand", 49.5)],
            &[("teal", 50.0), ("sand", 50.0)],
            &[("sand", 60.0), ("teal", 40.0)],
        ]);
        assert_eq!(set_back(&before, &key("plum"), &key("teal")), after);
        assert_eq!(set_back(&after, &key("plum"), &key("teal")), after);
    }
}
