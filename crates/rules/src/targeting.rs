//! What a feature does in one environment.

use crate::{Audiences, Key, Rule, RuleAudience};
use serde::{Deserialize, Serialize};

/// The targeting of a feature in an environment, as it is written: off gives the off variant, else the first rule that
/// matches decides, else the off variant again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Targeting {
    /// Whether the rules are in force.
    pub enabled: bool,
    /// The variant served while targeting is off, and when no rule matches.
    #[serde(rename = "offVariantKey")]
    pub off_variant: Key,
    /// In order: the first that matches decides.
    pub rules: Vec<Rule>,
}

impl Targeting {
    /// The same with the conditions of saved audiences written inline: it means the same where nobody knows the audiences. A
    /// rule whose audience there is none of stays linked to it, and never matches there either.
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
