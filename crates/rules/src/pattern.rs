//! Safe regular expressions: limited in length and size, searched in linear time.

use regex::{Error, Regex, RegexBuilder};

/// Longest pattern, in bytes.
const MAX_LENGTH: usize = 1024;

/// Largest compiled pattern, in bytes. The same pattern counts as slightly smaller on 32-bit targets, so whatever the
/// server accepts also compiles in Node.
const MAX_SIZE: usize = 256 * 1024;

/// A regular expression that is searched for in a string. Case-sensitive unless it contains `(?i)`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern. The error describes what is wrong with it.
    pub(crate) fn compile(pattern: &str) -> Result<Self, String> {
        if pattern.len() > MAX_LENGTH {
            return Err(format!(
                "a regular expression can have at most {MAX_LENGTH} bytes; this one has {}",
                pattern.len()
            ));
        }
        RegexBuilder::new(pattern).size_limit(MAX_SIZE).build().map(Self).map_err(|error| reason(&error))
    }

    /// Whether the text contains a match.
    pub(crate) fn found_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

fn reason(error: &Error) -> String {
    match error {
        Error::CompiledTooBig(_) => {
            "the regular expression is too large: compiled, it has more than 256 KB. Use fewer repetitions, \
             or [0-9] for \\d and [A-Za-z0-9_] for \\w, which include the characters of all scripts"
                .to_owned()
        }
        Error::Syntax(message) => {
            // The other lines point at the position with a caret, which does not work in JSON.
            let last = message.lines().last().unwrap_or_default();
            format!("invalid regular expression: {}", last.trim_start_matches("error: "))
        }
        other => format!("invalid regular expression: {other}"),
    }
}
