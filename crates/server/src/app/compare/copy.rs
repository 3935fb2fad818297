//! Targeting copied from one environment to another, feature by feature: each in a transaction of its own, through the same
//! gates as a direct edit, and each with an outcome.

use std::collections::{HashMap, HashSet};

use flagservice_core::Key;
use flagservice_rules::{CopiedTargeting, CopySettings, Instant, Patterns, Side, UnknownAudience, compare};

use crate::app::changes::change::{ApprovalMode, Submitted, submit};
use crate::app::changes::gate::{self, GateDecision};
use crate::app::changes::idempotency::Steps;
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::usable_audiences::{self, select};
use crate::app::changes::violations::{Written, violations};
use crate::app::changes::{patterns, schedule, targeting};
use crate::app::compare::copied::{Copied, CopyOutcome, SkipReason};
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Comment, Need, Operation, Result};
use crate::domain::approval::{ApprovalState, CopySource, Source};
use crate::domain::feature::Feature;
use crate::domain::ids::EnvironmentId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::{approvals, targetings};
use crate::store::resources::features;

/// The most features of one request.
pub const MAX_FEATURES: usize = 1_000;

/// What is to be copied.
pub struct CopyRequest {
    /// The key of the environment that it comes from.
    pub source: Key,
    /// The key of the environment that it goes to.
    pub target: Key,
    /// Which features; a key that comes again counts once.
    pub features: Vec<String>,
    /// Which settings; the target keeps its own of the others.
    pub settings: CopySettings,
    /// For those who approve it, and for the audit log.
    pub comment: Option<Comment>,
    /// When the changes are to be made; none: now.
    pub scheduled_for: Option<Instant>,
    /// The versions that the caller saw.
    pub seen: SeenVersions,
}

/// The versions of targetings that the caller saw, by feature key.
#[derive(Default)]
pub struct SeenVersions {
    /// Of the source's.
    pub source: HashMap<String, u64>,
    /// Of the target's.
    pub target: HashMap<String, u64>,
}

impl SeenVersions {
    /// Which of the feature's targetings changed since; none if neither did, as far as the caller said.
    fn changed(&self, feature: &Feature, source: u64, target: u64) -> Option<SkipReason> {
        let differs =
            |seen: &HashMap<String, u64>, now| seen.get(feature.key.as_str()).is_some_and(|seen| *seen != now);
        if differs(&self.target, target) {
            Some(SkipReason::TargetChanged(target))
        } else if differs(&self.source, source) {
            Some(SkipReason::SourceChanged(source))
        } else {
            None
        }
    }
}

impl CopyRequest {
    /// The features, each at its first place.
    fn once(&self) -> Vec<&str> {
        let mut known = HashSet::new();
        self.features.iter().map(String::as_str).filter(|key| known.insert(*key)).collect()
    }
}

/// A request that its actor is permitted to make. The outcome of each feature is not known yet.
pub struct Permitted<'a> {
    actor: &'a Actor,
    project: &'a str,
    request: &'a CopyRequest,
    target: EnvironmentId,
}

/// Permits a request, or refuses it as a whole.
///
/// # Errors
/// [`AppError::Invalid`] for one that asks for nothing or for too much, [`AppError::NotFound`] for an unknown environment,
/// [`AppError::Forbidden`] without the right to write to the target, [`AppError::ForbiddenUse`] for a token whose scope lacks one of both.
pub async fn permit<'a>(
    app: &App,
    actor: &'a Actor,
    project: &'a str,
    request: &'a CopyRequest,
) -> Result<Permitted<'a>> {
    check(request)?;
    let connection = &mut *app.store.read().await?;
    let found = projects::find(connection, actor, project).await?;
    actor.require_in_scope(Need::ReadEnvironment(project, request.source.as_str()))?;
    actor.require_in_scope(Need::ChangeEnvironment(project, request.target.as_str()))?;
    if let Some(at) = request.scheduled_for {
        schedule::check_range(app, at)?;
    }
    environments::find(connection, &found, request.source.as_str()).await?;
    let target = environments::find(connection, &found, request.target.as_str()).await?;
    actor.require(Role::Editor)?;
    if target.production {
        actor.require(Role::ProductionEditor)?;
    }
    Ok(Permitted { actor, project, request, target: target.id })
}

/// Copies the features that an earlier attempt has not copied yet.
///
/// # Errors
/// When the database fails, and if the actor lost the permission before anything was copied; what was copied until then stays. A
/// feature that cannot be copied is no error but an outcome, and so are all that follow when the permission is lost later.
pub async fn copy(app: &App, permitted: &Permitted<'_>, steps: &mut Steps<'_>) -> Result<Vec<Copied>> {
    let mut results: Vec<Copied> = steps.done()?;
    let known = known_features(app, permitted).await?;
    let mut texts = pattern_texts(app, permitted).await?;
    let mut rest = permitted.request.once().into_iter().skip(results.len());
    while let Some(feature) = rest.next() {
        if !known.contains(feature) {
            // A request with a thousand of them begins no transaction, for which others would wait.
            results.push(Copied::skipped(feature, SkipReason::UnknownFeature));
            continue;
        }
        let patterns = patterns::ahead_of_stored(app, texts.remove(feature).unwrap_or_default()).await?;
        match copy_next(app, permitted, feature, &patterns, (&mut results, steps)).await {
            Ok(()) => {}
            Err(error) if is_refusal(&error) && results.iter().any(Copied::is_made) => {
                // What was copied stays, so the caller learns the outcome of each.
                let reason = SkipReason::NotPermitted(error.to_string());
                let refused = std::iter::once(feature).chain(rest);
                results.extend(refused.map(|feature| Copied::skipped(feature, reason.clone())));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    // Once, and also for what an earlier attempt has done, perhaps on another node.
    if let Some(version) = results.iter().filter_map(Copied::version).max() {
        app.serving.snapshots.wait_for(&permitted.target, version).await;
    }
    Ok(results)
}

/// Copies the feature that comes after those with a result, and adds its own.
async fn copy_next(
    app: &App,
    Permitted { actor, project, request, .. }: &Permitted<'_>,
    feature: &str,
    patterns: &Patterns,
    (results, steps): (&mut Vec<Copied>, &mut Steps<'_>),
) -> Result<()> {
    let mut operation = Operation::begin(app, actor).await?;
    let project = projects::find_to_write(&mut operation, project).await?;
    let copied = match prepare(operation.connection().await?, app, &project, request, feature).await? {
        Prepared::Skipped(reason) => Copied::skipped(feature, reason),
        Prepared::Ready(prepared) => {
            let comment = request.comment.clone().map(String::from).unwrap_or_default();
            let copy_id = results.iter().find_map(Copied::approval).cloned();
            let source = Source::Copy(CopySource { environment: request.source.clone(), copy_id });
            let note = ChangeNote { source, comment, scheduled_for: request.scheduled_for };
            let submitted = submit(&mut operation, &prepared.plan, ApprovalMode::Requestable(note)).await;
            prepared.into_copied(feature, outcome(submitted)?)
        }
    };
    results.push(copied);
    steps.keep(&mut operation, results).await?;
    if patterns.is_empty() {
        operation.write.commit().await?;
    } else {
        // The room that these take counts for the next feature.
        operation.commit().await?;
    }
    Ok(())
}

/// Whether the actor may no longer copy what was permitted: the target became production, or one of both environments was deleted.
fn is_refusal(error: &AppError) -> bool {
    matches!(error, AppError::Forbidden(_) | AppError::NotFound { what: "environment", .. })
}

/// What is wrong with a request as a whole.
fn check(request: &CopyRequest) -> Result<()> {
    let CopySettings { enabled, off_variant, rules } = request.settings;
    let wrong = if request.source == request.target {
        ("/target", format!("'{}' is the source already. Name another environment.", request.target))
    } else if !(enabled || off_variant || rules) {
        ("/settings", "Select at least one of enabled, offVariantKey and rules.".to_owned())
    } else if request.features.is_empty() {
        ("/featureKeys", "Name at least one feature.".to_owned())
    } else if request.features.len() > MAX_FEATURES {
        ("/featureKeys", format!("Name at most {MAX_FEATURES} features, and copy the others after them."))
    } else {
        return Ok(());
    };
    Err(AppError::invalid(wrong.0, wrong.1))
}

/// What a copy of what is permitted would do, as of one moment.
///
/// # Errors
/// As for [`copy`].
pub async fn dry_run(app: &App, permitted: &Permitted<'_>) -> Result<Vec<Copied>> {
    let Permitted { actor, project, request, .. } = permitted;
    let mut texts = pattern_texts(app, permitted).await?;
    let mut snapshot = app.store.snapshot().await?;
    let project = projects::find(&mut snapshot, actor, project).await?;
    let mut results = Vec::with_capacity(request.features.len());
    for feature in request.once() {
        let _patterns = patterns::ahead_of_stored(app, texts.remove(feature).unwrap_or_default()).await?;
        results.push(match prepare(&mut snapshot, app, &project, request, feature).await? {
            Prepared::Skipped(reason) => Copied::skipped(feature, reason),
            Prepared::Ready(prepared) => {
                let outcome = match gate::check(&mut snapshot, actor, &prepared.plan).await? {
                    GateDecision::Allowed if request.scheduled_for.is_some() => CopyOutcome::Scheduled(None),
                    GateDecision::Allowed => CopyOutcome::Applied(None),
                    GateDecision::NeedsApproval { reasons, .. } => CopyOutcome::PendingApproval(None, reasons),
                };
                prepared.into_copied(feature, outcome)
            }
        });
    }
    Ok(results)
}

/// The keys of the features that there are.
async fn known_features(app: &App, permitted: &Permitted<'_>) -> Result<HashSet<String>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, permitted.actor, permitted.project).await?;
    Ok(features::keys(connection, &project.id).await?)
}

/// The patterns by requested feature that a copy may bring into effect: those of the source's rules, and those of the target's that it
/// switches on.
async fn pattern_texts(app: &App, permitted: &Permitted<'_>) -> Result<HashMap<String, Vec<String>>> {
    let Permitted { actor, project, request, .. } = permitted;
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let CopySettings { enabled, rules, .. } = request.settings;
    let requested: HashSet<&str> = request.features.iter().map(String::as_str).collect();
    let mut texts: HashMap<String, Vec<String>> = HashMap::new();
    for (key, _) in [(&request.source, rules), (&request.target, enabled)].into_iter().filter(|(_, counts)| *counts) {
        let environment = environments::find(connection, &project, key.as_str()).await?;
        let mut listed = targetings::list_with_patterns(connection, &environment.id).await?;
        listed.retain(|(feature, _)| requested.contains(feature.as_str()));
        let rules: Vec<_> = listed.iter().map(|(_, targeting)| targeting.rules.as_slice()).collect();
        let usable = usable_audiences::of(connection, &project.id, &environment.id, &rules).await?;
        for (feature, targeting) in listed {
            texts.entry(feature).or_default().extend(patterns::texts(targeting.conditions(&usable)));
        }
    }
    Ok(texts)
}

/// What a copy of a feature comes to, the gates apart.
enum Prepared {
    /// This change.
    Ready(Box<PreparedCopy>),
    /// Nothing.
    Skipped(SkipReason),
}

/// The change that copies a feature.
struct PreparedCopy {
    plan: Plan,
    /// The audiences that stand inline after it.
    inlined: Vec<Key>,
    /// The version of the targeting that it replaces.
    replaced: u64,
}

impl PreparedCopy {
    fn into_copied(self, feature: &str, outcome: CopyOutcome) -> Copied {
        Copied::new(feature, outcome, self.inlined, self.replaced)
    }
}

/// What a copy of the feature comes to, the gates apart.
async fn prepare(
    connection: &mut Connection,
    app: &App,
    project: &Project,
    request: &CopyRequest,
    feature: &str,
) -> Result<Prepared> {
    let source = environments::find(connection, project, request.source.as_str()).await?;
    let target = environments::find(connection, project, request.target.as_str()).await?;
    // Skip the lookup for invalid keys: they may contain characters that the database rejects.
    let found = match Key::parse(feature) {
        Ok(key) => features::find(connection, &project.id, key.as_str()).await?,
        Err(_) => None,
    };
    let Some(feature) = found else {
        return Ok(Prepared::Skipped(SkipReason::UnknownFeature));
    };
    if !feature.lifecycle.is_evaluated() {
        return Ok(Prepared::Skipped(SkipReason::Archived));
    }
    if let Some(approval) = approvals::pending(connection, &target.id, &feature.id).await? {
        return Ok(Prepared::Skipped(SkipReason::PendingApproval(approval)));
    }
    let before = targeting::current(connection, &target.id, &feature).await?;
    let from = targeting::current(connection, &source.id, &feature).await?;
    if let Some(reason) = request.seen.changed(&feature, from.version, before.version) {
        return Ok(Prepared::Skipped(reason));
    }
    let (replaced, before) = match request.scheduled_for {
        None => (before.version, before.targeting),
        // The request as a whole is permitted for its time: one that comes while it runs is still the time that was asked for.
        Some(at) => match schedule::due_at_or_after(connection, (&target.id, &feature), at).await? {
            None => (before.version, schedule::base(connection, &target.id, &feature, at).await?),
            Some(_) => return Ok(Prepared::Skipped(SkipReason::ScheduledLater)),
        },
    };
    let rules = [from.targeting.rules.as_slice(), before.rules.as_slice()];
    let named = usable_audiences::named(connection, &project.id, &rules).await?;
    let (usable_there, usable_here) = (select(&named, &source.id), select(&named, &target.id));
    let one = Side { targeting: &from.targeting, audiences: &usable_there };
    let other = Side { targeting: &before, audiences: &usable_here };
    if !compare(one, other).into_iter().any(|difference| request.settings.selects(difference)) {
        return Ok(Prepared::Skipped(SkipReason::Identical));
    }
    let CopiedTargeting { targeting: after, inlined } = match flagservice_rules::copy(one, other, request.settings) {
        Ok(copied) => copied,
        Err(UnknownAudience(key)) => return Ok(Prepared::Skipped(SkipReason::UnknownAudience(key))),
    };
    let written = Written { feature: &feature, environment: &target, before: Some(&before), after: &after };
    let violations = violations(connection, app, written).await?;
    if let Some(violation) = violations.into_iter().next() {
        return Ok(Prepared::Skipped(SkipReason::Invalid(violation.detail)));
    }
    let plan = Plan::targeting(project.clone(), feature, TargetingChange::edit(target, before, after));
    Ok(Prepared::Ready(Box::new(PreparedCopy { plan, inlined, replaced })))
}

fn outcome(submitted: Result<Submitted>) -> Result<CopyOutcome> {
    Ok(match submitted? {
        Submitted::Applied(versions) => CopyOutcome::Applied(versions.first().copied()),
        Submitted::PendingApproval(approval) if approval.state == ApprovalState::Scheduled => {
            CopyOutcome::Scheduled(Some(approval.id))
        }
        Submitted::PendingApproval(approval) => CopyOutcome::PendingApproval(Some(approval.id), approval.reasons),
    })
}
