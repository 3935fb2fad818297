//! Safe regular expressions: limited in length and size, searched in linear time, and compiled once wherever they are used.

use crate::in_use::InUse;
use core::fmt;
use regex_automata::MatchKind;
use regex_automata::meta::{self, BuildError, Regex};
use regex_automata::util::syntax;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Longest pattern, in bytes.
const MAX_LENGTH: usize = 1024;

/// Largest compiled pattern, in bytes. The same pattern counts as slightly smaller on 32-bit targets, so whatever the
/// server accepts also compiles in Node.
const MAX_SIZE: usize = 256 * 1024;

/// The most memory of a compiled pattern, in bytes: [`MAX_SIZE`] holds for each of its automata, forwards, backwards, and what finds
/// candidates.
const MAX_MEMORY: usize = 4 * MAX_SIZE;

/// The memory in which searches of a pattern may keep what they have learned about it, in bytes for each thread.
const SEARCH_CACHE_BYTES: usize = 512 * 1024;

/// A regular expression that is searched for in a string. Case-sensitive unless it contains `(?i)`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Arc<Compiled>);

/// A compiled pattern, or what is wrong with it. Invalid patterns are remembered as well: to find out that one is too large
/// takes as long as to compile one that is not.
struct Compiled {
    text: Box<str>,
    regex: Result<Regex, String>,
    bytes: usize,
}

/// The patterns that something in this process uses.
static IN_USE: Mutex<InUse<Compiled>> = Mutex::new(InUse::new());

impl Pattern {
    /// Compiles a pattern, unless it is compiled already. The error describes what is wrong with it.
    pub(crate) fn compile(text: &str) -> Result<Self, String> {
        let pattern = Self::new(text);
        match &pattern.0.regex {
            Ok(_) => Ok(pattern),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// The pattern, compiled; it may be invalid, and then never matches.
    pub(crate) fn new(text: &str) -> Self {
        if let Some(known) = Self::known(text) {
            return known;
        }
        // Without the lock: others may compile or look up patterns meanwhile.
        let compiled = Arc::new(Compiled::new(text));
        Self(in_use().keep(text, compiled))
    }

    /// The pattern, if something in this process has compiled it and uses it.
    pub(crate) fn known(text: &str) -> Option<Self> {
        in_use().known(text).map(Self)
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.0.text
    }

    /// How much memory it takes, in bytes. One that is too large counts as the largest that is allowed.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// Whether the text contains a match.
    pub(crate) fn found_in(&self, text: &str) -> bool {
        self.0.regex.as_ref().is_ok_and(|regex| regex.is_match(text))
    }
}

impl Compiled {
    fn new(text: &str) -> Self {
        let (regex, bytes) = match build(text) {
            Ok(regex) => {
                let bytes = regex.memory_usage();
                (Ok(regex), bytes)
            }
            Err(Refusal { reason, bytes }) => (Err(reason), bytes),
        };
        Self { text: text.into(), regex, bytes }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

fn in_use() -> MutexGuard<'static, InUse<Compiled>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a pattern was refused, and how much memory the attempt took.
struct Refusal {
    reason: String,
    bytes: usize,
}

fn build(text: &str) -> Result<Regex, Refusal> {
    if text.len() > MAX_LENGTH {
        let reason = format!("a regular expression can have at most {MAX_LENGTH} bytes; this one has {}", text.len());
        return Err(Refusal { reason, bytes: 0 });
    }
    let regex = build_with(text, true)?;
    if regex.memory_usage() <= MAX_MEMORY {
        return Ok(regex);
    }
    // What finds candidates has no limit of its own: `[0-9]{2}` before a long text is a hundred long texts.
    build_with(text, false)
}

/// Compiles, with or without a faster search for candidates.
fn build_with(text: &str, finds_candidates: bool) -> Result<Regex, Refusal> {
    let config = meta::Config::new()
        .auto_prefilter(finds_candidates)
        .match_kind(MatchKind::LeftmostFirst)
        .nfa_size_limit(Some(MAX_SIZE))
        .hybrid_cache_capacity(SEARCH_CACHE_BYTES)
        // It would take more time and memory, and only helps to find where a match begins.
        .onepass(false);
    let built = Regex::builder().configure(config).syntax(syntax::Config::new()).build(text);
    built.map_err(|error| refusal(&error))
}

fn refusal(error: &BuildError) -> Refusal {
    if error.size_limit().is_some() {
        let reason = "the regular expression is too large: compiled, it has more than 256 KB. Use fewer repetitions, \
             or [0-9] for \\d and [A-Za-z0-9_] for \\w, which include the characters of all scripts";
        return Refusal { reason: reason.to_owned(), bytes: MAX_SIZE };
    }
    let message = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
    // The other lines point at the position with a caret, which does not work in JSON.
    let last = message.lines().last().unwrap_or_default();
    let reason = format!("invalid regular expression: {}", last.trim_start_matches("error: "));
    Refusal { reason, bytes: 0 }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MEMORY, Pattern, in_use};
    use crate::in_use::MIN_TIDY;
    use std::sync::Arc;

    #[test]
    fn a_pattern_is_compiled_once_for_as_long_as_something_uses_it() {
        let first = Pattern::new("compiled-once$");
        assert!(Arc::ptr_eq(&first.0, &Pattern::compile("compiled-once$").unwrap().0));
        drop(first);
        assert!(Pattern::known("compiled-once$").is_none());
    }

    #[test]
    fn an_invalid_pattern_is_remembered_and_never_matches() {
        let invalid = Pattern::new("invalid-(");
        assert!(Pattern::known("invalid-(").is_some() && !invalid.found_in("invalid-("));
        assert!(Pattern::compile("invalid-(").is_err());
    }

    #[test]
    fn patterns_that_nothing_uses_take_no_memory() {
        let kept = Pattern::new("kept$");
        for number in 0..10 * MIN_TIDY {
            Pattern::new(&format!("dropped-{number}$"));
        }
        assert!(in_use().len() < 4 * MIN_TIDY);
        assert!(kept.found_in("kept") && Pattern::known("kept$").is_some());
    }

    #[test]
    fn what_finds_candidates_does_not_take_more_memory_than_the_rest() {
        let text = format!("[0-9]{{2}}{}", "\u{fffd}".repeat(27));
        let pattern = Pattern::compile(&text).unwrap();
        assert!(pattern.bytes() <= MAX_MEMORY, "{}", pattern.bytes());
        assert!(pattern.found_in(&text.replace("[0-9]{2}", "no 42")) && !pattern.found_in(&text));
    }

    #[test]
    fn a_larger_pattern_takes_more_memory() {
        let [small, large] = ["[a-z]$", r"\w{4}$"].map(|text| Pattern::new(text).bytes());
        assert!(0 < small && small < 10_000 && large > 100_000, "{small}, {large}");
    }
}
