//! The rules of a targeting before and after a change: which were kept, edited, added and removed.

use std::collections::{HashMap, VecDeque};

use flagservice_rules::Rule;

/// The rules before and after a change. They have no ids: a rule is matched with the one that has the same audience, and rules without
/// a match are paired by their positions. What is left over was added or removed.
pub(super) struct RuleChanges<'a> {
    /// Rules that have the same audience, before and after.
    kept: Vec<(&'a Rule, &'a Rule)>,
    /// Rules without a match, before.
    gone: Vec<&'a Rule>,
    /// Rules without a match, after.
    new: Vec<&'a Rule>,
    /// Whether the kept rules have another order.
    pub(super) is_reordered: bool,
}

impl<'a> RuleChanges<'a> {
    /// Matches the rules.
    pub(super) fn between(before: &'a [Rule], after: &'a [Rule]) -> Self {
        // Unchanged rules are matched first, so that no other rule with the same audience takes their match.
        let mut became: Vec<Option<usize>> = vec![None; after.len()];
        let mut earlier: Vec<Option<&Rule>> = before.iter().map(Some).collect();
        for content in [of_rule, of_audience] {
            let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
            for (place, left) in earlier.iter().enumerate() {
                if let Some(left) = left {
                    places.entry(content(left)).or_default().push_back(place);
                }
            }
            for (rule, found) in after.iter().zip(&mut became).filter(|(_, found)| found.is_none()) {
                *found = places.get_mut(&content(rule)).and_then(VecDeque::pop_front);
                if let Some(taken) = found.and_then(|place| earlier.get_mut(place)) {
                    *taken = None;
                }
            }
        }
        let matched = || after.iter().zip(&became);
        Self {
            kept: matched().filter_map(|(rule, found)| Some((before.get((*found)?)?, rule))).collect(),
            gone: earlier.into_iter().flatten().collect(),
            new: matched().filter(|(_, found)| found.is_none()).map(|(rule, _)| rule).collect(),
            is_reordered: !became.iter().flatten().is_sorted(),
        }
    }

    /// Rules with another audience, before and after.
    pub(super) fn edited(&self) -> impl Iterator<Item = (&'a Rule, &'a Rule)> {
        self.gone.iter().copied().zip(self.new.iter().copied())
    }

    /// Rules that were kept or edited, before and after.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'a Rule, &'a Rule)> {
        self.kept.iter().copied().chain(self.edited())
    }

    /// The number of added rules.
    pub(super) fn added(&self) -> usize {
        self.new.len().saturating_sub(self.gone.len())
    }

    /// The number of removed rules.
    pub(super) fn removed(&self) -> usize {
        self.gone.len().saturating_sub(self.new.len())
    }
}

/// What tells a rule from others. Names are wording.
fn of_rule(rule: &Rule) -> String {
    serde_json::to_string(&Rule { name: String::new(), ..rule.clone() }).unwrap_or_default()
}

/// What tells the audience of a rule from others.
fn of_audience(rule: &Rule) -> String {
    serde_json::to_string(&Rule { name: String::new(), splits: Vec::new(), ..rule.clone() }).unwrap_or_default()
}
