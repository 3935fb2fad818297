//! One condition on a user, as it is written.
//!
//! | Operator | Wants | Holds for an attribute that is |
//! |---|---|---|
//! | `equals` | any value | the same value of the same type |
//! | `contains` `startsWith` `endsWith` | a text | a text with it, compared by code points, case-sensitive |
//! | `matches` | a regular expression | a text in which it is found |
//! | `in` `notIn` | one or more values | the same as one (none) of them, type and value |
//! | `before` `after` | a date | a text with an earlier (later) date |
//! | `greaterThan` `greaterThanOrEqual` `lessThan` `lessThanOrEqual` | a number | such a number |
//!
//! All but `in` and `notIn` use the first value and ignore others. A missing attribute never matches, with `notIn`
//! neither; a list matches when one of its values does, so an empty list never does. Text, numbers and true/false are
//! not converted into each other. What [`crate::validate_conditions`] refuses never matches.
//!
//! Names that begin with `flagservice.` are the service's own, whatever the user's attributes say:
//! `flagservice.user.id` takes the operators for texts (`equals` to `notIn` above), `flagservice.date` only `before`
//! and `after`, and `flagservice.hourofday` (0 to 23, UTC) those for numbers: the four of order, `equals`, `in`,
//! `notIn`.

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
    /// With what. All operators but `in` and `notIn` use the first.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::value::ConditionValue>))]
    pub values: Vec<Value>,
}
