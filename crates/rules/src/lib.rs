//! The meaning of targeting: conditions, splits, buckets, and evaluation with its reason.
//!
//! Pure: no I/O, no clock, no randomness. Time is an argument, so the same inputs give the same bytes in the server, in
//! Node and in tests. [`Targeting`] → [`Rule`] → [`Condition`] and [`Split`] are what people write, [`validate`] finds
//! violations in them, and [`CompiledFeature`] evaluates them. [`compare()`] finds the differences between two
//! environments, and [`copy()`] copies settings from one to the other. [`ServedSummary`] says in a few words what is served.

mod audience;
pub mod bucket;
mod budget;
mod built_in;
mod compare;
mod compiled;
mod condition;
mod copy;
mod date;
mod evaluation;
mod explanation;
mod in_use;
mod instant;
pub mod limits;
#[cfg(feature = "openapi")]
mod openapi;
mod operator;
mod pattern;
mod patterns;
mod percentage;
mod rule;
mod ruleset;
mod served;
mod split;
mod targeting;
mod user;
mod validate;
mod value;
mod violation;

pub use audience::Audiences;
pub use budget::validate_use;
pub use compare::{Difference, Side, compare};
pub use compiled::{CompiledAudience, CompiledExperiment, CompiledFeature, ConditionResults};
pub use condition::Condition;
pub use copy::{CopiedTargeting, CopySettings, UnknownAudience, audiences_to_inline, copy};
pub use evaluation::{Basis, Evaluation, FeatureEvaluation, Reason};
pub use explanation::{Explanation, RuleExplanation, Share};
pub use flagservice_core::Key;
pub use instant::Instant;
pub use operator::Operator;
pub use patterns::{Patterns, pattern_text};
pub use percentage::{InvalidPercentage, Percentage};
pub use rule::{Rule, RuleAudience};
pub use ruleset::{CompiledRuleset, Ruleset, RulesetAudience, RulesetExperiment, RulesetFeature, Segments};
pub use served::ServedSummary;
pub use split::Split;
pub use targeting::Targeting;
pub use user::{AttributeValue, User};
pub use validate::{validate, validate_conditions, validate_conditions_edit, validate_edit, validate_variants};
pub use value::Value;
pub use violation::Violation;
