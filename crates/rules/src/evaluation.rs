//! Which variant a user gets, and why.

use crate::Key;
use serde::Serialize;

/// The variant of a feature for a user, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Why the user gets it.
    pub reason: Reason<'a>,
}

/// The evaluation of one feature of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FeatureEvaluation<'a> {
    /// The feature's key.
    pub key: &'a Key,
    /// The variant.
    pub variant: &'a Key,
    /// Why the user gets it.
    pub reason: Reason<'a>,
}

/// What the variant depended on, and so when another evaluation of the same rules can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Targeting is off.
    Off,
    /// Every user gets this variant: there are no rules, or the first one serves it to everyone.
    Everyone,
    /// No rule matched.
    NoMatch,
    /// The conditions of a rule matched.
    Conditions,
    /// The user's position in the splits of a rule.
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
        /// Its index, from 0.
        index: u32,
        /// Its name, which may be empty.
        name: &'a str,
        /// The user's position in the rule's splits, in thousandths of a percent, 0 to 99,999.
        position: u32,
    },
}
