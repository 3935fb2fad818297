//! What a feature does in one environment.

use crate::{Audiences, Condition, Key, Rule, RuleAudience};
use serde::{Deserialize, Serialize};

/// The targeting of a feature in an environment, as written. While it is off, users get the off variant. While it is on,
/// the first matching rule decides; if none matches, users get the off variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Targeting {
    /// Whether targeting is on.
    pub enabled: bool,
    /// The variant served while targeting is off or when no rule matches.
    #[serde(rename = "offVariantKey")]
    pub off_variant: Key,
    /// The rules, in order: the first that matches decides.
    pub rules: Vec<Rule>,
}

impl Targeting {
    /// The conditions of its rules, with those of the saved audiences that they use.
    pub fn conditions<'a>(&'a self, audiences: &'a dyn Audiences) -> impl Iterator<Item = &'a Condition> {
        self.rules.iter().flat_map(|rule| rule.conditions(audiences))
    }

    /// The same targeting with the conditions of saved audiences inline, so that it can be evaluated without them. A rule
    /// whose audience does not exist stays linked to it, and still never matches.
    #[must_use]
    pub fn standalone(&self, audiences: &dyn Audiences) -> Self {
        let mut targeting = self.clone();
        for rule in &mut targeting.rules {
            if let RuleAudience::Saved(key) = &rule.audience
                && let Some(conditions) = audiences.conditions(key)
            {
                rule.audience = RuleAudience::Inline(conditions.to_vec());
            }
        }
        targeting
    }
}
