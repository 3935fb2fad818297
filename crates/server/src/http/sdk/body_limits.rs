//! Size limits of request bodies.

/// The largest load request, in bytes: the user.
pub(in crate::http) const LOAD_BODY: usize = 16 * 1024;

/// The largest goals request, in bytes: what a page can send while it closes.
pub(super) const GOALS_BODY: usize = 64 * 1024;
