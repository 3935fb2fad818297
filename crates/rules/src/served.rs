//! What a targeting serves, in short: for lists, and for people who switch features.
//!
//! Conditions are not interpreted. A rule with conditions counts unless its structure shows that it makes no difference: its
//! audience does not exist, its splits are invalid, an earlier rule matches all of its users, or it is the last one and its
//! users get what everyone else gets.

use crate::compiled::has_valid_splits;
use crate::{Audiences, Condition, Key, Percentage, Rule, RuleAudience, Split, Targeting};
use serde::Serialize;

/// A summary names this many variants, and counts the others.
const MAX_NAMED: usize = 3;

/// What users get of a feature in an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServedSummary {
    /// The other fields in a few words: `serves off`, `on 25%`, `on for 2 rules`, `on for 1 rule, else on 25%`. Where something
    /// else is served, the off variant is left out. An archived feature is `not served`, and so is one without
    /// `off` that nobody has targeted yet in an environment that was created as production or with approval required.
    pub summary: String,
    /// Whether everyone gets the off variant. This is also possible while targeting is on.
    pub only_off_variant: bool,
    /// The number of rules with conditions that make a difference.
    pub conditional_rules: usize,
    /// What users get whom none of these rules matches: everyone, if there are no such rules. Empty if the feature is not served.
    pub splits: Vec<Split>,
}

impl ServedSummary {
    /// What this targeting serves of a feature that is evaluated.
    pub fn of(targeting: &Targeting, audiences: &dyn Audiences) -> Self {
        let Reduced { rules, others } = Reduced::new(targeting, audiences);
        let off = &targeting.off_variant;
        Self {
            summary: summary(&rules, &others, off),
            only_off_variant: rules.is_empty() && serves_only(&others, off),
            conditional_rules: rules.len(),
            splits: others,
        }
    }

    /// Of a feature for which clients use their fallback.
    pub fn nothing() -> Self {
        Self { summary: "not served".to_owned(), only_off_variant: false, conditional_rules: 0, splits: Vec::new() }
    }
}

/// A targeting without the rules that make no difference.
struct Reduced<'a> {
    rules: Vec<Conditional<'a>>,
    /// What users get whom no rule matches. Not empty, without empty splits.
    others: Vec<Split>,
}

/// A rule that matches some users.
struct Conditional<'a> {
    conditions: &'a [Condition],
    /// Without empty splits.
    splits: Vec<Split>,
}

impl<'a> Reduced<'a> {
    fn new(targeting: &'a Targeting, audiences: &'a dyn Audiences) -> Self {
        let mut rules: Vec<Conditional<'a>> = Vec::new();
        let mut others = vec![Split { variant: targeting.off_variant.clone(), percentage: Percentage::HUNDRED }];
        for rule in targeting.rules.iter().filter(|rule| targeting.enabled && has_valid_splits(rule)) {
            let Some(conditions) = conditions_of(rule, audiences) else { continue };
            let splits = rule.splits.iter().filter(|split| split.percentage.thousandths() > 0).cloned().collect();
            if conditions.is_empty() {
                others = splits;
                break;
            }
            // A user who matches all conditions of a rule also matches some of them.
            let matches_all_its_users =
                |earlier: &Conditional<'_>| earlier.conditions.iter().all(|condition| conditions.contains(condition));
            if !rules.iter().any(matches_all_its_users) {
                rules.push(Conditional { conditions, splits });
            }
        }
        while rules.pop_if(|last| last.splits == others).is_some() {}
        Self { rules, others }
    }
}

/// The conditions of the rule; `None` if its audience does not exist.
fn conditions_of<'a>(rule: &'a Rule, audiences: &'a dyn Audiences) -> Option<&'a [Condition]> {
    match &rule.audience {
        RuleAudience::Saved(key) => audiences.conditions(key),
        RuleAudience::Inline(conditions) => Some(conditions),
    }
}

fn serves_only(splits: &[Split], variant: &Key) -> bool {
    splits.iter().all(|split| split.variant == *variant)
}

fn summary(rules: &[Conditional<'_>], others: &[Split], off: &Key) -> String {
    let others_get_off = serves_only(others, off);
    let (only_off, more): (Vec<_>, Vec<_>) = rules.iter().partition(|rule| serves_only(&rule.splits, off));
    let mut parts = Vec::new();
    if !more.is_empty() {
        parts.push(for_rules(&variants(&more, off), more.len()));
    }
    if !only_off.is_empty() && !others_get_off {
        parts.push(for_rules(off.as_str(), only_off.len()));
    }
    match (parts.is_empty(), others_get_off) {
        (true, true) => format!("serves {off}"),
        (true, false) => percentages(others, off),
        (false, true) => parts.join(", "),
        (false, false) => format!("{}, else {}", parts.join(", "), percentages(others, off)),
    }
}

fn for_rules(variants: &str, count: usize) -> String {
    let rules = if count == 1 { "rule" } else { "rules" };
    format!("{variants} for {count} {rules}")
}

/// The variants of the rules, without the off variant: with their percentages if it is one rule with several splits.
fn variants(rules: &[&Conditional<'_>], off: &Key) -> String {
    if let [Conditional { splits, .. }] = rules
        && splits.len() > 1
    {
        return percentages(splits, off);
    }
    let mut names: Vec<&str> = Vec::new();
    for split in rules.iter().flat_map(|rule| &rule.splits).filter(|split| split.variant != *off) {
        if !names.contains(&split.variant.as_str()) {
            names.push(split.variant.as_str());
        }
    }
    list(names.into_iter().map(str::to_owned).collect())
}

/// The variants with their percentages, without the off variant.
fn percentages(splits: &[Split], off: &Key) -> String {
    let shares = splits.iter().filter(|split| split.variant != *off);
    list(shares.map(|split| format!("{} {}%", split.variant, split.percentage)).collect())
}

fn list(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let named = names.join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}
