//! Copies settings of a feature's targeting from another environment. Permissions are checked elsewhere.

use crate::compare::same_rules;
use crate::{Difference, Key, Rule, RuleAudience, Side, Targeting};
use core::fmt;
use serde::{Deserialize, Serialize};

/// The settings to copy. The target keeps its own values of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CopySettings {
    /// The on/off state.
    pub enabled: bool,
    /// The off variant.
    #[serde(rename = "offVariantKey")]
    pub off_variant: bool,
    /// The targeting rules.
    pub rules: bool,
}

impl CopySettings {
    /// Whether copying these settings removes a difference.
    pub fn selects(self, difference: Difference) -> bool {
        match difference {
            Difference::OnOffState => self.enabled,
            Difference::OffVariant => self.off_variant,
            Difference::TargetingRules => self.rules,
        }
    }
}

/// A target after a copy.
#[derive(Clone, Debug, PartialEq)]
pub struct CopiedTargeting {
    /// Its targeting.
    pub targeting: Targeting,
    /// The source's audiences whose conditions are now inline, without duplicates, in the order of the rules.
    pub inlined: Vec<Key>,
}

/// A rule of the source uses an audience that does not exist, so its meaning cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAudience(pub Key);

impl fmt::Display for UnknownAudience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a rule uses the audience `{}`, which does not exist in the source environment", self.0)
    }
}

impl core::error::Error for UnknownAudience {}

/// Copies the selected settings to the target. [`crate::compare`] then finds no difference in them.
///
/// A rule stays linked to its audience if the target can use that audience too. Otherwise its conditions are written
/// inline: the rule still matches the same users, but is no longer linked. Rules that are the same stay as they are in the
/// target, with their names and links.
///
/// # Errors
/// A rule to copy uses an audience that the source does not have.
pub fn copy(source: Side<'_>, target: Side<'_>, settings: CopySettings) -> Result<CopiedTargeting, UnknownAudience> {
    let mut targeting = target.targeting.clone();
    let mut inlined = Vec::new();
    if settings.enabled {
        targeting.enabled = source.targeting.enabled;
    }
    if settings.off_variant {
        targeting.off_variant = source.targeting.off_variant.clone();
    }
    if settings.rules && !same_rules(source, target) {
        let rules = source.targeting.rules.iter().map(|rule| copy_rule(rule, source, target));
        targeting.rules = rules.collect::<Result<_, _>>()?;
        inlined = audiences_to_inline(source, target);
    }
    Ok(CopiedTargeting { targeting, inlined })
}

/// The audiences whose conditions a copy of the source's rules writes inline, without duplicates, in the order of the
/// rules. [`copy`] writes none if the rules are the same already.
pub fn audiences_to_inline(source: Side<'_>, target: Side<'_>) -> Vec<Key> {
    let mut inlined: Vec<Key> = Vec::new();
    for rule in &source.targeting.rules {
        if let RuleAudience::Saved(key) = &rule.audience
            && source.audiences.conditions(key).is_some()
            && !stays_linked(key, source, target)
            && !inlined.contains(key)
        {
            inlined.push(key.clone());
        }
    }
    inlined
}

fn copy_rule(rule: &Rule, source: Side<'_>, target: Side<'_>) -> Result<Rule, UnknownAudience> {
    let mut copied = rule.clone();
    if let RuleAudience::Saved(key) = &rule.audience {
        let conditions = source.audiences.conditions(key).ok_or_else(|| UnknownAudience(key.clone()))?;
        if !stays_linked(key, source, target) {
            copied.audience = RuleAudience::Inline(conditions.to_vec());
        }
    }
    Ok(copied)
}

/// Whether the key names the same audience in the target. Within a project a key always names the same audience, so this
/// checks whether the target may use it.
fn stays_linked(key: &Key, source: Side<'_>, target: Side<'_>) -> bool {
    target.audiences.conditions(key).is_some_and(|conditions| source.audiences.conditions(key) == Some(conditions))
}
