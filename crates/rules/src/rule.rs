//! One rule of a feature: whom it is for, and what they get.

use crate::{Condition, Key, Split};
use serde::{Deserialize, Serialize, Serializer};

/// A rule. In JSON it has `audienceKey` or `conditions`, not both; with neither it is for everyone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Rule {
    /// For people; it has no meaning. May be empty.
    pub name: String,
    /// Whom the rule is for.
    pub audience: RuleAudience,
    /// What they get; the percentages add up to 100.
    pub splits: Vec<Split>,
}

/// Whom a rule is for.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleAudience {
    /// The users of a saved audience.
    Saved(Key),
    /// The users for whom all of these conditions hold; without any, everyone.
    Inline(Vec<Condition>),
}

/// The JSON of a rule.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Fields {
    #[serde(default)]
    name: String,
    #[serde(default)]
    audience_key: Option<Key>,
    #[serde(default)]
    conditions: Option<Vec<Condition>>,
    splits: Vec<Split>,
}

impl TryFrom<Fields> for Rule {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        let audience = match (fields.audience_key, fields.conditions) {
            (Some(_), Some(_)) => {
                return Err("a rule has either `audienceKey` or `conditions`, not both: leave one of them out");
            }
            (Some(key), None) => RuleAudience::Saved(key),
            (None, conditions) => RuleAudience::Inline(conditions.unwrap_or_default()),
        };
        Ok(Self { name: fields.name, audience, splits: fields.splits })
    }
}

/// The same, of a rule that is written: nothing is copied, because comparisons write thousands.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience_key: Option<&'a Key>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions: Option<&'a [Condition]>,
    splits: &'a [Split],
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (audience_key, conditions) = match &self.audience {
            RuleAudience::Saved(key) => (Some(key), None),
            RuleAudience::Inline(conditions) => (None, Some(conditions.as_slice())),
        };
        Written { name: &self.name, audience_key, conditions, splits: &self.splits }.serialize(serializer)
    }
}
