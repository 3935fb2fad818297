//! An evaluation with all that it looked at, so that people can see why a user gets a variant.

use crate::{Key, Reason};

/// The variant of a feature for a user, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Why it is that one.
    pub reason: Reason<'a>,
    /// Where the user is in the splits of every rule, in thousandths of a percent, 0 to 99,999.
    pub position: u32,
    /// The share of the deciding rule that the user is in.
    pub share: Option<Share<'a>>,
    /// The rules that can match, in their order; none when targeting is off.
    pub rules: Vec<RuleExplanation>,
}

/// The part of a rule's splits that gives one variant, in thousandths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share<'a> {
    /// The variant.
    pub variant: &'a Key,
    /// Its first position.
    pub from: u32,
    /// The first position beyond it.
    pub to: u32,
}

/// Whether a rule matches a user. An earlier one that matches decides all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleExplanation {
    /// Which one, counted from 0 in the order of the rules.
    pub index: u32,
    /// Whether all of its conditions hold.
    pub matched: bool,
    /// Whether each holds, in their order.
    pub conditions: Vec<bool>,
}
