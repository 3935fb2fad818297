//! One stream for all tabs with the same user. One tab holds it and tells the others what it brings; when that tab is gone, the
//! browser lets the next one hold it.
//!
//! A message between tabs has the holder's values, as JSON like the response to a load, or is empty: from the holder it says that it is
//! alive, and from a tab that has just joined it asks the holder for its values.

use super::Session;
use super::effect::Effect;
use super::load_response::LoadResponse;
use super::moment::Moment;
use super::stream_state::StreamState;
use crate::json::{object, push_variants};

impl Session {
    /// Another tab has sent a message. `values` are those of the tab that holds the stream, if the message has them.
    pub fn tabs_message(&mut self, moment: Moment, values: Option<LoadResponse>) {
        match values {
            None if self.holds_stream => self.send_values(),
            // Two tabs hold the stream for a moment, when one takes it from the other.
            Some(_) if self.holds_stream => {}
            None => self.stream_alive(moment),
            Some(LoadResponse { values, since, token, .. }) => {
                self.stream_alive(moment);
                self.token = token;
                self.receive(since, values, true);
            }
        }
    }

    /// This tab holds the stream from now on.
    pub fn stream_granted(&mut self, moment: Moment) {
        self.holds_stream = true;
        // A tab may have asked while no tab held the stream.
        self.send_values();
        self.stream = StreamState::Off;
        self.ensure_stream(moment);
    }

    /// Another tab has taken the stream, because this one did not respond.
    pub fn stream_taken(&mut self, moment: Moment) {
        self.holds_stream = false;
        self.push(Effect::CloseStream);
        self.stream_alive(moment);
    }

    /// Leaves the other tabs, one of which holds the stream from then on.
    pub(super) fn leave_tabs(&mut self) {
        self.close_stream();
        self.holds_stream = false;
        self.push(Effect::LeaveTabs);
    }

    /// Sends this tab's values to the other tabs.
    pub(super) fn send_values(&mut self) {
        let mut features = String::new();
        push_variants(&mut features, self.features.current(), usize::MAX);
        if let Some(experiments) = &self.participations.experiments {
            features.push_str(",\"experiments\":");
            push_variants(&mut features, experiments, usize::MAX);
        }
        let message = object(&[("since", &self.since), ("token", &self.token)], "features", &features);
        self.push_text(Effect::TellTabs, message);
    }

    /// Tells the other tabs that this one holds the stream, or asks for the values of the tab that does.
    pub(super) fn ping_tabs(&mut self) {
        self.push_text(Effect::TellTabs, String::new());
    }
}
