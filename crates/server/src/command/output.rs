//! What commands write: results to standard output, and notes to people to standard error.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write as _};

use anyhow::Context as _;

/// Writes a line of a result.
///
/// # Errors
/// As `bytes`.
pub(super) fn line(text: Arguments<'_>) -> anyhow::Result<()> {
    bytes(format!("{text}\n").as_bytes())
}

/// Writes a result, or a part of it. A reader that has closed its end has read enough.
///
/// # Errors
/// When it cannot be written for another reason: then somebody misses it.
pub(super) fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("The result cannot be written to standard output."),
    }
}

/// Writes a line for people, if somebody reads it.
pub(super) fn note(text: Arguments<'_>) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
