//! The budgets of rules: how much people may make the service compile, keep in memory and evaluate.
//!
//! What a database of an earlier release holds beyond them is still evaluated. It may stay as it is or shrink.

/// Most variants of a feature.
pub const MAX_VARIANTS: usize = 100;

/// Most rules of a targeting.
pub const MAX_RULES: usize = 500;

/// Most splits of a rule.
pub const MAX_SPLITS: usize = 100;

/// Most conditions of a targeting, with those of its saved audiences wherever a rule uses them, and of an audience.
pub const MAX_CONDITIONS: usize = 500;

/// Largest size of these conditions in bytes, as JSON without the names of its fields: each rule that uses a saved audience is compiled,
/// kept and sent with a copy of its values.
pub const MAX_CONDITION_BYTES: usize = 1024 * 1024;

/// Most of these conditions that are patterns: each takes up to milliseconds to compile, and to search a long text.
pub const MAX_PATTERNS: usize = 50;

/// Longest text of these patterns together, in bytes: a kilobyte takes up to 65 ms to compile, however small the result is.
pub const MAX_PATTERN_TEXT: usize = 16 * 1024;

/// Largest size of the compiled patterns of a targeting or an audience, in bytes; a repeated pattern counts once.
pub const MAX_PATTERN_BYTES: usize = 4 * 1024 * 1024;

/// Most patterns of the features that are on in an environment; a repeated pattern counts once.
pub const MAX_ENVIRONMENT_PATTERNS: usize = 1_000;

/// Largest size of these patterns when they are compiled, in bytes.
pub const MAX_ENVIRONMENT_PATTERN_BYTES: usize = 32 * 1024 * 1024;
