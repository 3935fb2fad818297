//! The answer to "which variant does this user get, and why?".

use crate::Key;
use serde::Serialize;

/// The variant of a feature for a user, and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Why it is that one.
    pub reason: Reason<'a>,
}

/// The evaluation of one feature among many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FeatureEvaluation<'a> {
    /// The feature's key.
    pub key: &'a Key,
    /// The variant.
    pub variant: &'a Key,
    /// Why it is that one.
    pub reason: Reason<'a>,
}

/// In what way a variant came about: what another evaluation of the same rules could depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Targeting is off.
    Off,
    /// Everybody gets it: there is no rule, or the rule is for everyone and serves nothing else.
    Everyone,
    /// No rule matched.
    NoMatch,
    /// The conditions of a rule.
    Conditions,
    /// The user's place in the splits of a rule.
    Split,
}

/// Why a user got a variant; in JSON `kind` names the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Reason<'a> {
    /// Targeting is off: the off variant.
    Off,
    /// No rule matched: the off variant.
    NoRuleMatched,
    /// This rule was the first that matched.
    Rule {
        /// Which one, counted from 0 in the order of the rules.
        index: u32,
        /// Its name, which may be empty.
        name: &'a str,
        /// Where the user is in the rule's splits, in thousandths of a percent, 0 to 99,999.
        position: u32,
    },
}
