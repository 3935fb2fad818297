//! Checks the conditions of a targeting or an audience against their budgets, before they are compiled.

use crate::limits::{
    MAX_CONDITION_BYTES, MAX_CONDITIONS, MAX_PATTERN_BYTES, MAX_PATTERN_TEXT, MAX_PATTERNS, MAX_RULES, MAX_SPLITS,
};
use crate::pattern::Pattern;
use crate::{Audiences, Condition, Patterns, Rule, RuleAudience, Targeting, Value, Violation, pattern_text};
use core::fmt;

/// What the conditions belong to, for messages.
#[derive(Clone, Copy)]
pub(crate) enum Whose {
    Targeting,
    Audience,
}

/// A condition, with its place in what is validated.
pub(crate) struct Placed<'a> {
    place: Place,
    condition: &'a Condition,
}

enum Place {
    /// The condition with this index of an audience.
    Audience(usize),
    /// A condition of the saved audience of the rule with this index.
    Saved(usize),
    /// The condition with the second index, of the rule with the first.
    Inline(usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Audience(index) => write!(f, "/{index}/values/0"),
            Self::Saved(rule) => write!(f, "/rules/{rule}/audienceKey"),
            Self::Inline(rule, index) => write!(f, "/rules/{rule}/conditions/{index}/values/0"),
        }
    }
}

/// The conditions of an audience.
pub(crate) fn of_audience(conditions: &[Condition]) -> Vec<Placed<'_>> {
    let placed = conditions.iter().enumerate();
    placed.map(|(index, condition)| Placed { place: Place::Audience(index), condition }).collect()
}

/// The conditions of a targeting's rules, with those of their saved audiences.
pub(crate) fn of_targeting<'a>(targeting: &'a Targeting, audiences: &'a dyn Audiences) -> Vec<Placed<'a>> {
    let of_rule = |(rule_index, rule): (usize, &'a Rule)| {
        let is_saved = matches!(rule.audience, RuleAudience::Saved(_));
        rule.conditions(audiences).iter().enumerate().map(move |(index, condition)| {
            let place = if is_saved { Place::Saved(rule_index) } else { Place::Inline(rule_index, index) };
            Placed { place, condition }
        })
    };
    targeting.rules.iter().enumerate().flat_map(of_rule).collect()
}

/// Which limit the number of rules, or of the splits of one, exceeds. What exceeds one in `before` already may stay, or become less.
pub(crate) fn check_rules(before: Option<&Targeting>, after: &Targeting) -> Result<(), Violation> {
    let rules_before = before.map(|before| before.rules.as_slice()).unwrap_or_default();
    let rules = after.rules.len();
    if rules > MAX_RULES.max(rules_before.len()) {
        let detail = format!(
            "a targeting may have {MAX_RULES} rules; there are {rules}. Remove some, or give users an attribute that one rule asks for"
        );
        return Err(Violation::new("/rules", detail));
    }
    let most = rules_before.iter().map(|rule| rule.splits.len()).fold(MAX_SPLITS, usize::max);
    match after.rules.iter().position(|rule| rule.splits.len() > most) {
        None => Ok(()),
        Some(rule) => {
            let detail = format!("a rule may have {MAX_SPLITS} splits; list each variant once");
            Err(Violation::new(format!("/rules/{rule}/splits"), detail))
        }
    }
}

/// Compiles the patterns of conditions that are within their budgets, or says which budget they exceed. What exceeds one in
/// `before` already may stay, or become less.
pub(crate) fn compile(whose: Whose, before: &[Placed<'_>], after: &[Placed<'_>]) -> Result<Patterns, Violation> {
    check_counts(whose, before, after)?;
    let mut patterns = Patterns::default();
    for (place, text) in texts(after) {
        patterns.add(Pattern::new(text));
        if patterns.bytes() > MAX_PATTERN_BYTES && !texts(before).any(|(_, before)| before == text) {
            return Err(Violation::new(place.to_string(), too_large(whose)));
        }
    }
    Ok(patterns)
}

/// Which budget a targeting exceeds when its saved audiences get other conditions. Compiles nothing: patterns that are not
/// compiled now, because their features are off, are checked when these are switched on.
pub fn validate_use(targeting: &Targeting, before: &dyn Audiences, after: &dyn Audiences) -> Option<Violation> {
    let (before, after) = (of_targeting(targeting, before), of_targeting(targeting, after));
    if let Err(violation) = check_counts(Whose::Targeting, &before, &after) {
        return Some(violation);
    }
    let known = |placed: &[Placed<'_>]| Patterns::known(texts(placed).map(|(_, text)| text));
    let (before, after) = (known(&before), known(&after));
    let exceeds = after.bytes() > MAX_PATTERN_BYTES && !before.contains_all(&after);
    exceeds.then(|| Violation::new("/rules", too_large(Whose::Targeting)))
}

fn too_large(whose: Whose) -> String {
    format!(
        "the patterns of {whose} may take {} MB when they are compiled, and with this one they take more. Use fewer \
         repetitions, or [0-9] for \\d and [A-Za-z0-9_] for \\w",
        MAX_PATTERN_BYTES / (1024 * 1024)
    )
}

fn check_counts(whose: Whose, before: &[Placed<'_>], after: &[Placed<'_>]) -> Result<(), Violation> {
    let exceeds = |before: usize, after: usize, most: usize| after > most.max(before);
    let pointer = match whose {
        Whose::Targeting => "/rules",
        Whose::Audience => "",
    };
    let with = match whose {
        Whose::Targeting => ", with those of its saved audiences in each rule that uses one",
        Whose::Audience => "",
    };
    let (conditions, patterns) = (after.len(), texts(after).count());
    if exceeds(before.len(), conditions, MAX_CONDITIONS) {
        let detail = format!(
            "{whose} may have {MAX_CONDITIONS} conditions{with}; there are {conditions}. Remove some, or list several \
             values in one condition with `in`"
        );
        return Err(Violation::new(pointer, detail));
    }
    if exceeds(bytes(before), bytes(after), MAX_CONDITION_BYTES) {
        let detail = format!(
            "the attributes and values in the conditions of {whose}{with} may have {} KB together; they have {} KB. Use long \
             lists in fewer rules, or give users an attribute that says the same",
            MAX_CONDITION_BYTES / 1024,
            bytes(after).div_ceil(1024)
        );
        return Err(Violation::new(pointer, detail));
    }
    if exceeds(texts(before).count(), patterns, MAX_PATTERNS) {
        let detail = format!(
            "{whose} may have {MAX_PATTERNS} conditions with `matches`{with}; there are {patterns}. Combine patterns \
             with `|`, or use `startsWith`, `endsWith` or `contains`"
        );
        return Err(Violation::new(pointer, detail));
    }
    let length = |placed: &[Placed<'_>]| texts(placed).map(|(_, text)| text.len()).sum::<usize>();
    if exceeds(length(before), length(after), MAX_PATTERN_TEXT) {
        let most = MAX_PATTERN_TEXT / 1024;
        let detail = format!("the patterns of {whose}{with} may have {most} KB together. Shorten them, or remove some");
        return Err(Violation::new(pointer, detail));
    }
    Ok(())
}

/// How long the attributes and values of conditions are, each with the quotes and the comma of JSON: short values take memory, too.
fn bytes(placed: &[Placed<'_>]) -> usize {
    const SEPARATORS: usize = 3;
    /// A number or a boolean.
    const SHORT: usize = 8;
    let of_value = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Number(_) | Value::Boolean(_) => SHORT,
    };
    let of_condition = |condition: &Condition| {
        let values: usize = condition.values.iter().map(|value| of_value(value) + SEPARATORS).sum();
        condition.attribute.len() + SEPARATORS + values
    };
    placed.iter().map(|placed| of_condition(placed.condition)).sum()
}

fn texts<'a>(placed: &'a [Placed<'_>]) -> impl Iterator<Item = (&'a Place, &'a str)> {
    placed.iter().filter_map(|placed| Some((&placed.place, pattern_text(placed.condition)?)))
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Targeting => "a targeting",
            Self::Audience => "an audience",
        })
    }
}
