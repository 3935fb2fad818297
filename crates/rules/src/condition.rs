//! One condition on a user, as it is written.
//!
//! | Operator | Value | Matches an attribute that is |
//! |---|---|---|
//! | `equals` | any value | the same value of the same type |
//! | `contains` `startsWith` `endsWith` | a string | a string with this part; compared by code points, case-sensitive |
//! | `matches` | a regular expression | a string in which it is found |
//! | `in` `notIn` | one or more values | equal to one (none) of them, in type and value |
//! | `before` `after` | a date | a string with an earlier (later) date |
//! | `greaterThan` `greaterThanOrEqual` `lessThan` `lessThanOrEqual` | a number | such a number |
//!
//! All operators but `in` and `notIn` use the first value and ignore the others. A missing attribute never matches, not
//! even with `notIn`. A list matches if one of its values does, so an empty list never matches. Strings, numbers and
//! booleans are not converted into each other. Conditions that [`crate::validate_conditions`] rejects never match.
//!
//! The prefix `flagservice.` is reserved for built-in attributes. `flagservice.user.id` supports the operators for strings
//! (`equals` to `notIn` above), `flagservice.date` only `before` and `after`, and `flagservice.hourofday` (0 to 23, UTC)
//! those for numbers: the four comparisons, `equals`, `in` and `notIn`.

use crate::{Operator, Value};
use serde::{Deserialize, Serialize};

/// A condition on one attribute of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The attribute's name.
    pub attribute: String,
    /// How it is compared.
    pub operator: Operator,
    /// What it is compared with. All operators but `in` and `notIn` use only the first value.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::value::ConditionValue>))]
    pub values: Vec<Value>,
}
