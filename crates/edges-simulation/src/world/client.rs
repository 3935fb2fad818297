//! A client: the session of the browser client, and what a browser does for it.

use crate::units::Micros;
use flagservice_client::session::{Session, Timer};
use flagservice_client::user::User;
use flagservice_client::variants::Variants;
use flagservice_core::Since;

/// A client in an open page.
pub(super) struct Client {
    /// The code of the browser client that decides.
    pub(super) session: Session,
    /// The group of edges to which its address leads, and its client key.
    pub(super) group: u32,
    pub(super) key: u32,
    /// To an edge, one way.
    pub(super) latency: Micros,
    /// For each timer the number under which it was started; 0 if it is stopped.
    pub(super) timers: [u32; Timer::ALL.len()],
    pub(super) started: u32,
    /// Counts its streams, so that messages of a closed one are ignored.
    pub(super) stream: u32,
    pub(super) edge: u32,
    /// Messages come through.
    pub(super) is_streaming: bool,
    pub(super) opened_at: Micros,
    pub(super) event_at: Micros,
    /// What the edge has sent last.
    pub(super) sent: Option<Since>,
    /// What the session has.
    pub(super) known: Option<Since>,
    /// Its stream broke in an outage whose end is measured.
    pub(super) is_returning: bool,
}

impl Client {
    pub(super) fn new(group: u32, key: u32, latency: Micros) -> Self {
        Self {
            session: Session::new(true, true, true, Variants::default(), true),
            group,
            key,
            latency,
            timers: [0; Timer::ALL.len()],
            started: 0,
            stream: 0,
            edge: 0,
            is_streaming: false,
            opened_at: 0,
            event_at: 0,
            sent: None,
            known: None,
            is_returning: false,
        }
    }

    /// Opens the page again.
    pub(super) fn open_page(&mut self, number: u32) {
        self.session = Session::new(true, true, true, Variants::default(), true);
        self.session.set_user(User::new(format!("{number}"), String::new()), None, None);
        self.timers = [0; Timer::ALL.len()];
        self.stream += 1;
        self.is_streaming = false;
        self.sent = None;
        self.known = None;
    }
}
