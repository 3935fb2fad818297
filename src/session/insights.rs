//! The summary for insights: which variant of each feature the page was last shown. The service asks for it in its response to a load.

use super::Session;
use super::effect::Effect;
use crate::goals::MAX_REQUEST_BYTES;
use crate::json::{object, push_variants};

const NAME: &str = "evaluations";

/// The length of `{"evaluations":` and `}`.
const FRAME_BYTES: usize = NAME.len() + 5;

impl Session {
    /// Sends the summary if one is due and the page has evaluated anything. The page is hidden or closes, or its user changes.
    pub(super) fn send_summary(&mut self) {
        let evaluated = &self.participations.evaluated;
        if core::mem::take(&mut self.summary_due) && !evaluated.is_empty() {
            let mut evaluations = String::new();
            push_variants(&mut evaluations, evaluated, MAX_REQUEST_BYTES - FRAME_BYTES);
            self.push_text(Effect::SendBeacon, object(&[], NAME, &evaluations));
        }
    }
}
