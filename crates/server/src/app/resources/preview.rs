//! Evaluates a targeting for a test user and explains the result. Nothing is written.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{
    CompiledFeature, Condition, Explanation, Instant, Patterns, Reason, Rule, Targeting, User, Violation, pattern_text,
    validate_edit,
};

use crate::app::changes::usable_audiences;
use crate::app::changes::violations::name_violations;
use crate::app::resources::projects;
use crate::app::resources::targeting::{TargetedFeature, find};
use crate::app::{Actor, App, AppError, Result, TargetingRef};
use crate::domain::feature::Feature;

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
    let input = {
        let connection = &mut *app.store.read().await?;
        let project = projects::find(connection, actor, project).await?;
        let TargetedFeature { feature, environment, stored } = find(connection, &project, feature, environment).await?;
        let draft = targeting.as_ref().map(|draft| draft.rules.as_slice()).unwrap_or_default();
        let rules = [stored.targeting.rules.as_slice(), draft];
        let audiences = usable_audiences::of(connection, &project.id, &environment.id, &rules).await?;
        let at = at.unwrap_or_else(|| app.now());
        PreviewInput { feature, stored: stored.targeting, draft: targeting, audiences, user, at }
    };
    // Patterns take long to compile and to search, and the threads that serve have others to serve.
    app.compilers.previews.run(move || input.preview()).await?
}

/// All that a preview is made of.
struct PreviewInput {
    feature: Feature,
    stored: Targeting,
    draft: Option<Targeting>,
    audiences: HashMap<Key, Vec<Condition>>,
    user: User,
    at: Instant,
}

impl PreviewInput {
    fn preview(self) -> Result<Preview> {
        let Self { feature, stored, draft, audiences, user, at } = self;
        let targeting = draft.as_ref().unwrap_or(&stored);
        let compiled = match &draft {
            None => CompiledFeature::compile(&feature.key, &feature.salt, targeting, &audiences),
            Some(draft) => {
                // Until the draft is compiled, after its validation.
                let texts = draft.conditions(&audiences).filter_map(pattern_text);
                let _patterns = Patterns::compile_within_budget(texts);
                let errors = violations_of_draft(&stored, draft, &feature, &audiences);
                if !errors.is_empty() {
                    return Err(AppError::Invalid(errors));
                }
                CompiledFeature::compile(&feature.key, &feature.salt, draft, &audiences)
            }
        };
        let explanation = compiled.explain(&user, at);
        let rules =
            (0_u32..).zip(&targeting.rules).map(|(index, rule)| previewed(index, rule, &audiences, &explanation));
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
}

/// What saving the targeting would be refused for, apart from the room in its environment.
fn violations_of_draft(
    stored: &Targeting,
    draft: &Targeting,
    feature: &Feature,
    audiences: &HashMap<Key, Vec<Condition>>,
) -> Vec<Violation> {
    let mut errors = validate_edit(Some(stored), draft, &feature.variants, audiences);
    errors.extend(name_violations(&draft.rules));
    for error in &mut errors {
        error.pointer.insert_str(0, "/targeting");
    }
    errors
}

fn previewed(
    index: u32,
    rule: &Rule,
    audiences: &HashMap<Key, Vec<Condition>>,
    explanation: &Explanation<'_>,
) -> PreviewedRule {
    let explained = explanation.rules.iter().find(|explained| explained.index == index);
    // Rules without an explanation do not match, because targeting is off.
    let holds = |place: usize| explained.and_then(|rule| rule.conditions.get(place)).is_some_and(|holds| *holds);
    let conditions = rule.conditions(audiences).iter().enumerate();
    PreviewedRule {
        conditions: conditions.map(|(place, condition)| (condition.clone(), holds(place))).collect(),
        rule: rule.clone(),
        matched: explained.is_some_and(|rule| rule.matched),
    }
}
