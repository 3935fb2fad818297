//! The state of loading.

/// Whether a load is in flight or needed.
#[derive(Debug, Default)]
pub(super) struct LoadState {
    /// Incremented for each request, so that late responses to earlier ones are ignored.
    pub(super) number: u32,
    pub(super) in_flight: bool,
    /// Another load is needed, because one failed or because the one in flight may be out of date.
    pub(super) needed: bool,
    /// Listeners know the state of loading for this user: INIT was emitted, and no ERROR after it.
    pub(super) announced: bool,
}
