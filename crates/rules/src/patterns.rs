//! The patterns of conditions, compiled and kept in memory, each once.

use crate::limits::{
    MAX_ENVIRONMENT_PATTERN_BYTES, MAX_ENVIRONMENT_PATTERNS, MAX_PATTERN_BYTES, MAX_PATTERN_TEXT, MAX_PATTERNS,
};
use crate::pattern::Pattern;
use crate::{Condition, Operator, Value};
use std::collections::BTreeMap;

/// The text of a condition's pattern, if it has one.
pub fn pattern_text(condition: &Condition) -> Option<&str> {
    if let (Operator::Matches, Some(Value::Text(text))) = (&condition.operator, condition.values.first()) {
        return Some(text);
    }
    None
}

/// Compiled patterns. As long as this lives, nothing in this process has to compile them again.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    by_text: BTreeMap<Box<str>, Pattern>,
    bytes: usize,
}

impl Patterns {
    /// Compiles patterns. Invalid ones never match.
    pub fn compile<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut patterns = Self::default();
        texts.into_iter().for_each(|text| patterns.add(Pattern::new(text)));
        patterns
    }

    /// Compiles the patterns of a targeting or an audience that is to be validated: none of too many, and not those after
    /// the one with which they are too large. Validation refuses these, too.
    pub fn compile_within_budget<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        let mut patterns = Self::default();
        if texts.len() > MAX_PATTERNS || texts.iter().map(|text| text.len()).sum::<usize>() > MAX_PATTERN_TEXT {
            return patterns;
        }
        for text in texts {
            patterns.add(Pattern::new(text));
            if patterns.bytes > MAX_PATTERN_BYTES {
                break;
            }
        }
        patterns
    }

    /// Those of the patterns that this process has compiled already.
    pub fn known<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut patterns = Self::default();
        texts.into_iter().filter_map(Pattern::known).for_each(|pattern| patterns.add(pattern));
        patterns
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_text.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_text.is_empty()
    }

    /// How much memory they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether this pattern is among them.
    pub fn contains(&self, text: &str) -> bool {
        self.by_text.contains_key(text)
    }

    /// Whether all of these are among them.
    pub fn contains_all(&self, others: &Self) -> bool {
        others.by_text.keys().all(|text| self.contains(text))
    }

    /// Adds the patterns of others.
    pub fn extend(&mut self, others: &Self) {
        others.by_text.values().for_each(|pattern| self.add(pattern.clone()));
    }

    /// Whether they exceed what the features of an environment may have together.
    pub fn exceed_environment(&self) -> bool {
        self.len() > MAX_ENVIRONMENT_PATTERNS || self.bytes > MAX_ENVIRONMENT_PATTERN_BYTES
    }

    pub(crate) fn add(&mut self, pattern: Pattern) {
        if !self.contains(pattern.text()) {
            self.bytes += pattern.bytes();
            self.by_text.insert(pattern.text().into(), pattern);
        }
    }
}
