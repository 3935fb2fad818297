//! The stream of updates: an `EventSource`, native or a polyfill of the page.

use wasm_bindgen::JsValue;
use web_sys::EventSource;

use super::features::parse;
use super::shell::{Shell, number};
use crate::session::{Moment, Session};

/// The names of the events, in the order of [`dispatch`].
const EVENTS: &str = "open beat error changed reload put patch";

/// The stream of a client. It has at most one open at a time.
#[derive(Default)]
pub(super) struct EventStream {
    /// Counts the streams, so that events of a closed one are ignored.
    pub(super) number: u32,
    source: Option<EventSource>,
}

impl EventStream {
    /// Opens a stream if the page has `EventSource`, and closes the one that is open.
    pub(super) fn open(&mut self, shell: &Shell, path: &str) {
        self.close();
        self.source = shell.open(path, EVENTS, self.number);
    }

    /// Closes the stream. Its events are ignored from then on.
    pub(super) fn close(&mut self) {
        self.number += 1;
        if let Some(source) = self.source.take() {
            source.close();
        }
    }
}

/// Passes an event of the stream, given by its index, to the session.
pub(super) fn dispatch(shell: &Shell, session: &mut Session, moment: Moment, index: u32, data: &JsValue, id: &JsValue) {
    let data = || shell.parse(&data.as_string().unwrap_or_default());
    match index {
        2 => session.stream_failed(moment),
        3 => session.stream_changed(moment),
        4 => {
            let after_ms = number(&shell.get(&data(), "afterMs"));
            session.stream_reload(moment, after_ms as u32);
        }
        5 | 6 => {
            let all = index == 5;
            session.stream_alive(moment);
            // Unreadable data only counts as activity of the stream.
            if let Some(features) = parse(shell, &shell.get(&data(), "features"), !all) {
                session.receive(id.as_string().unwrap_or_default(), features, all);
            }
        }
        _ => session.stream_alive(moment),
    }
}

#[cfg(test)]
mod tests {
    use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};

    #[test]
    fn the_events_are_those_of_the_protocol() {
        assert_eq!(super::EVENTS, ["open", BEAT, "error", CHANGED, RELOAD, PUT, PATCH].join(" "));
    }
}
