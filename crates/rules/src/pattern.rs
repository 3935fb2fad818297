//! Regular expressions that cannot hurt: bounded in length and size, searched in linear time.

use regex::{Error, Regex, RegexBuilder};

/// Longest pattern, in bytes.
const MAX_LENGTH: usize = 1024;

/// Largest compiled pattern, in bytes. Counted a little lower on 32-bit machines, so that whatever the server accepts
/// compiles in Node as well.
const MAX_SIZE: usize = 256 * 1024;

/// A regular expression that is found anywhere in a text, case-sensitive unless it says `(?i)`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern; the error says what is wrong with it.
    pub(crate) fn compile(pattern: &str) -> Result<Self, String> {
        if pattern.len() > MAX_LENGTH {
            return Err(format!(
                "a regular expression has at most {MAX_LENGTH} bytes; this one has {}: make it shorter",
                pattern.len()
            ));
        }
        RegexBuilder::new(pattern).size_limit(MAX_SIZE).build().map(Self).map_err(|error| reason(&error))
    }

    /// Whether it is found in the text.
    pub(crate) fn found_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

fn reason(error: &Error) -> String {
    match error {
        Error::CompiledTooBig(_) => {
            "the regular expression is too big: compiled it has more than 256 KB. Repeat less, \
             or use [0-9] for \\d and [A-Za-z0-9_] for \\w, which know every script"
                .to_owned()
        }
        Error::Syntax(message) => {
            // The lines before the last one draw the place with a caret, which is lost in JSON.
            let last = message.lines().last().unwrap_or_default();
            format!("the regular expression cannot be read: {}", last.trim_start_matches("error: "))
        }
        other => format!("the regular expression cannot be used: {other}"),
    }
}
