//! The stream of updates: an `EventSource`, native or a polyfill of the page.

use std::cell::Cell;

use wasm_bindgen::JsValue;
use web_sys::EventSource;

use super::features::values;
use super::shell::{Shell, number};
use super::text::text;
use crate::session::{Moment, Session};

/// The names of the events, in the order of [`dispatch`].
const EVENTS: &str = "open beat error changed reload put patch";

/// The stream of a client. It has at most one open at a time.
#[derive(Default)]
pub(super) struct EventStream {
    /// Counts the streams, so that events of a closed one are ignored.
    number: Cell<u32>,
    source: Cell<Option<EventSource>>,
}

impl EventStream {
    /// The number of the stream that was opened last.
    pub(super) fn number(&self) -> u32 {
        self.number.get()
    }

    /// Opens a stream if the page has `EventSource`, and closes the one that is open.
    pub(super) fn open(&self, shell: &Shell, path: &str) {
        self.close();
        self.source.set(shell.open(path, EVENTS, self.number()));
    }

    /// Closes the stream. Its events are ignored from then on.
    pub(super) fn close(&self) {
        self.number.set(self.number() + 1);
        if let Some(source) = self.source.take() {
            source.close();
        }
    }
}

/// Passes an event of the stream, given by its index, to the session.
pub(super) fn dispatch(shell: &Shell, session: &mut Session, moment: Moment, index: u32, data: &JsValue, id: &JsValue) {
    let data = || shell.parse_value(data);
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
            if let Some(values) = values(shell, &data(), !all) {
                session.receive(text(id), values, all);
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
