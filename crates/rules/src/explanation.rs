//! An evaluation with its details, so that people can see why a user gets a variant.

use crate::{Key, Reason};

/// The variant of a feature for a user, and how it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Why the user gets it.
    pub reason: Reason<'a>,
    /// The user's position in the splits of all rules, in thousandths of a percent, 0 to 99,999.
    pub position: u32,
    /// The user's share in the rule that matched.
    pub share: Option<Share<'a>>,
    /// The rules that can match, in order. Empty while targeting is off.
    pub rules: Vec<RuleExplanation>,
}

/// The part of a rule's splits that serves one variant, in thousandths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Its first position.
    pub from: u32,
    /// The first position after it.
    pub to: u32,
}

/// Whether a rule matches a user. The first rule that matches decides the variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleExplanation {
    /// Its index, from 0.
    pub index: u32,
    /// Whether all of its conditions match.
    pub matched: bool,
    /// Whether each condition matches, in order.
    pub conditions: Vec<bool>,
}
