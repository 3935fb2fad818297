//! What a flag means: conditions, splits, buckets, evaluation and the reason for it.
//!
//! Pure: no I/O, no clock, no randomness. Time is an argument, so the same inputs give the same bytes in the server, in
//! Node and in tests. A rule reads from top to bottom: [`Targeting`] → [`Rule`] → [`Condition`] and [`Split`] are the
//! words as people write them, [`validate`] says what is wrong with them, [`CompiledFeature`] evaluates them. Of two
//! environments, [`compare()`] says in what they differ and [`copy()`] brings one to the other.

mod audience;
pub mod bucket;
mod built_in;
mod compare;
mod compiled;
mod condition;
mod copy;
mod date;
mod evaluation;
mod explanation;
mod instant;
mod invalid;
#[cfg(feature = "openapi")]
mod openapi;
mod operator;
mod pattern;
mod percentage;
mod rule;
mod ruleset;
mod split;
mod targeting;
mod user;
mod validate;
mod value;

pub use audience::Audiences;
pub use compare::{Difference, Side, compare};
pub use compiled::CompiledFeature;
pub use condition::Condition;
pub use copy::{Copied, CopySettings, UnknownAudience, copied_inline, copy};
pub use evaluation::{Basis, Evaluation, FeatureEvaluation, Reason};
pub use explanation::{Explanation, RuleExplanation, Share};
pub use flagservice_core::Key;
pub use instant::Instant;
pub use invalid::Invalid;
pub use operator::Operator;
pub use percentage::{InvalidPercentage, Percentage};
pub use rule::{Rule, RuleAudience};
pub use ruleset::{CompiledRuleset, Ruleset, RulesetAudience, RulesetFeature};
pub use split::Split;
pub use targeting::Targeting;
pub use user::{AttributeValue, User};
pub use validate::{validate, validate_conditions};
pub use value::Value;
