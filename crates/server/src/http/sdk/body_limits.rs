//! Size limits of request bodies.

/// Largest body of a load, in bytes: the user.
pub(super) const LOAD_BODY: usize = 16 * 1024;

/// Largest body of goals, in bytes: what a closing page can still send.
pub(super) const GOALS_BODY: usize = 64 * 1024;
