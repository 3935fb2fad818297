//! What a feature's targeting becomes when settings are copied to it from another environment. Whether that may happen is
//! decided elsewhere.

use crate::{Difference, Key, Rule, RuleAudience, Side, Targeting};
use core::fmt;
use serde::{Deserialize, Serialize};

/// Which settings are copied; the target keeps its own of the others.
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
    /// Whether a copy of these would take a difference away.
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
pub struct Copied {
    /// Its targeting.
    pub targeting: Targeting,
    /// The source's audiences whose conditions stand inline now, each once, in the order of the rules.
    pub inlined: Vec<Key>,
}

/// A rule of the source names an audience that there is none of: what such a rule means cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAudience(pub Key);

impl fmt::Display for UnknownAudience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a rule names the audience `{}`, which the source environment does not have", self.0)
    }
}

impl core::error::Error for UnknownAudience {}

/// The target's targeting after a copy of the selected settings. [`crate::compare`] then finds no difference in these.
///
/// A rule whose audience the target can name as well stays linked to it. Of one that only the source has, the
/// conditions are written inline: the rule evaluates the same, and is no longer linked.
///
/// # Errors
/// A rule that is to be copied names an audience that the source does not have.
pub fn copy(source: Side<'_>, target: Side<'_>, settings: CopySettings) -> Result<Copied, UnknownAudience> {
    let mut targeting = target.targeting.clone();
    let mut inlined = Vec::new();
    if settings.enabled {
        targeting.enabled = source.targeting.enabled;
    }
    if settings.off_variant {
        targeting.off_variant = source.targeting.off_variant.clone();
    }
    if settings.rules {
        let rules = source.targeting.rules.iter().map(|rule| copy_rule(rule, source, target));
        targeting.rules = rules.collect::<Result<_, _>>()?;
        inlined = copied_inline(source, target);
    }
    Ok(Copied { targeting, inlined })
}

/// The audiences of the source's rules whose conditions a copy of the rules would write inline, each once, in the order
/// of the rules.
pub fn copied_inline(source: Side<'_>, target: Side<'_>) -> Vec<Key> {
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

/// Whether the target means the same by the audience's key. In a project a key is one audience, so this asks whether the
/// target may use it.
fn stays_linked(key: &Key, source: Side<'_>, target: Side<'_>) -> bool {
    target.audiences.conditions(key).is_some_and(|conditions| source.audiences.conditions(key) == Some(conditions))
}
