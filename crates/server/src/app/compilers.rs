//! Turns for work with patterns that people wait for: it never takes all processors at once.

use crate::serving::turns::Turns;

/// How many threads compile patterns at once. Previews wait for other previews only, never a write for them.
#[derive(Default)]
pub struct Compilers {
    /// Of rules that are to be written.
    pub(in crate::app) writes: Turns,
    /// Of previews, and their searches.
    pub(in crate::app) previews: Turns,
}
