//! Evaluates a targeting for a test user and explains the result. Nothing is written.

use flagservice_core::Key;
use flagservice_rules::{CompiledFeature, Condition, Instant, Reason, Rule, RuleAudience, Targeting, User, Violation};

use crate::app::changes::usable_audiences;
use crate::app::changes::violations::violations;
use crate::app::resources::projects;
use crate::app::resources::targeting::{TargetedFeature, find};
use crate::app::{Actor, App, AppError, Result, TargetingRef};

/// What is asked.
pub struct PreviewRequest {
    /// For whom.
    pub user: User,
    /// When; none: now.
    pub at: Option<Instant>,
    /// By a targeting that is not saved; none: by the one that is.
    pub targeting: Option<Targeting>,
}

/// What the user gets, and why.
pub struct Preview {
    /// The variant.
    pub variant: Key,
    /// Whether targeting is on.
    pub enabled: bool,
    /// Which rule decides; none while targeting is off, or when no rule matches.
    pub rule: Option<u32>,
    /// Where the user is in the splits of every rule, in thousandths of a percent, 0 to 99,999.
    pub bucket: u32,
    /// The variant of the deciding share, its first position, and the first one beyond it.
    pub share: Option<(Key, u32, u32)>,
    /// All rules, in their order.
    pub rules: Vec<PreviewedRule>,
}

/// A rule, and whether it matches the user.
pub struct PreviewedRule {
    /// As it was written.
    pub rule: Rule,
    /// Its conditions, or those of its saved audience, and whether each holds.
    pub conditions: Vec<(Condition, bool)>,
    /// Whether all conditions match. An earlier rule that matches still wins.
    pub matched: bool,
}

/// Evaluates the feature's targeting in the environment for the user, or one that is not saved.
///
/// # Errors
/// [`AppError::NotFound`] names the missing resource, [`AppError::Invalid`] the errors in an unsaved targeting.
pub async fn preview(
    app: &App,
    actor: &Actor,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
    PreviewRequest { user, at, targeting }: PreviewRequest,
) -> Result<Preview> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let TargetedFeature { feature, environment, stored } = find(connection, &project, feature, environment).await?;
    if let Some(draft) = &targeting {
        let errors = violations(connection, &feature, &environment, draft).await?;
        if !errors.is_empty() {
            let within =
                |violation: Violation| Violation { pointer: format!("/targeting{}", violation.pointer), ..violation };
            return Err(AppError::Invalid(errors.into_iter().map(within).collect()));
        }
    }
    let targeting = targeting.unwrap_or(stored.targeting);
    let audiences = usable_audiences::read(connection, &project.id, &environment.id).await?;
    let compiled = CompiledFeature::compile(&feature.key, &feature.salt, &targeting, &audiences);
    let explanation = compiled.explain(&user, at.unwrap_or_else(|| app.now()));
    let rules = (0_u32..).zip(targeting.rules).map(|(index, rule)| {
        let conditions = match &rule.audience {
            RuleAudience::Inline(conditions) => conditions.as_slice(),
            RuleAudience::Saved(key) => audiences.get(key).map(Vec::as_slice).unwrap_or_default(),
        };
        let explained = explanation.rules.iter().find(|rule| rule.index == index);
        // Rules without an explanation do not match, because targeting is off.
        let holds = |place: usize| explained.and_then(|rule| rule.conditions.get(place)).is_some_and(|holds| *holds);
        let conditions = conditions.iter().enumerate().map(|(place, condition)| (condition.clone(), holds(place)));
        let conditions = conditions.collect();
        PreviewedRule { conditions, rule, matched: explained.is_some_and(|rule| rule.matched) }
    });
    Ok(Preview {
        rules: rules.collect(),
        variant: explanation.variant.clone(),
        enabled: targeting.enabled,
        rule: match explanation.reason {
            Reason::Rule { index, .. } => Some(index),
            Reason::Off | Reason::NoRuleMatched => None,
        },
        bucket: explanation.position,
        share: explanation.share.map(|share| (share.variant.clone(), share.from, share.to)),
    })
}
