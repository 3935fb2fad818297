//! One rule of a feature: its audience and its splits.

use crate::{Audiences, Condition, Key, Split};
use serde::{Deserialize, Serialize, Serializer};

/// A rule. In JSON it has `audienceKey` or `conditions`, not both. With neither it matches everyone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RuleInput")]
pub struct Rule {
    /// A label for people, without effect on evaluation. May be empty.
    pub name: String,
    /// The users whom the rule matches.
    pub audience: RuleAudience,
    /// The variants that they get. The percentages add up to 100.
    pub splits: Vec<Split>,
}

impl Rule {
    /// Its conditions, or those of its saved audience; none of an audience that does not exist.
    pub fn conditions<'a>(&'a self, audiences: &'a dyn Audiences) -> &'a [Condition] {
        match &self.audience {
            RuleAudience::Saved(key) => audiences.conditions(key).unwrap_or_default(),
            RuleAudience::Inline(conditions) => conditions,
        }
    }
}

/// The users whom a rule matches.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleAudience {
    /// The users of a saved audience.
    Saved(Key),
    /// The users who match all of these conditions. Without conditions: everyone.
    Inline(Vec<Condition>),
}

/// A rule. It has `audienceKey` or `conditions`, not both. With neither it matches everyone.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RuleInput {
    #[serde(default)]
    name: String,
    #[serde(default)]
    audience_key: Option<Key>,
    #[serde(default)]
    conditions: Option<Vec<Condition>>,
    splits: Vec<Split>,
}

impl TryFrom<RuleInput> for Rule {
    type Error = &'static str;

    fn try_from(input: RuleInput) -> Result<Self, Self::Error> {
        let audience = match (input.audience_key, input.conditions) {
            (Some(_), Some(_)) => {
                return Err("a rule can have either `audienceKey` or `conditions`, not both; remove one of them");
            }
            (Some(key), None) => RuleAudience::Saved(key),
            (None, conditions) => RuleAudience::Inline(conditions.unwrap_or_default()),
        };
        Ok(Self { name: input.name, audience, splits: input.splits })
    }
}

/// The JSON of a rule, for serialising. It borrows, because comparisons serialise thousands of rules.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleOutput<'a> {
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
        RuleOutput { name: &self.name, audience_key, conditions, splits: &self.splits }.serialize(serializer)
    }
}
