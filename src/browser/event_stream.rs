//! The stream of updates: an `EventSource`, native or a polyfill of the page.

use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};
use wasm_bindgen::JsValue;
use web_sys::EventSource;

use super::json;
use super::shell::{CallbackSource, Shell};
use crate::session::{Moment, Session};

/// Passes an event to the session.
type Handler = fn(&Shell, &mut Session, Moment, &JsValue);

const EVENTS: [(&str, Handler); 7] = [
    ("open", |_, session, moment, _| session.stream_alive(moment)),
    (BEAT, |_, session, moment, _| session.stream_alive(moment)),
    ("error", |_, session, moment, _| session.stream_failed(moment)),
    (CHANGED, |_, session, moment, _| session.stream_changed(moment)),
    (RELOAD, |_, session, moment, event| {
        let after_ms = json::get(&data(event), "afterMs").as_f64().unwrap_or_default();
        session.stream_reload(moment, after_ms as u32);
    }),
    (PUT, |shell, session, moment, event| receive(shell, session, moment, event, true)),
    (PATCH, |shell, session, moment, event| receive(shell, session, moment, event, false)),
];

/// A callback's detail holds the index of the event in the low bits and the number of its stream above them.
const EVENT_BITS: u32 = 3;

/// The stream of a client. It has at most one open at a time.
#[derive(Default)]
pub(super) struct EventStream {
    /// Counts the streams, so that events of a closed one are ignored.
    number: u32,
    source: Option<EventSource>,
}

impl EventStream {
    /// Opens a stream if the page has `EventSource`, and closes the one that is open.
    pub(super) fn open(&mut self, shell: &Shell, url: &str) {
        self.close();
        if let Ok(source) = EventSource::new(url) {
            for (index, (name, _)) in (0..).zip(&EVENTS) {
                let callback = shell.callback(CallbackSource::Stream as u32, self.number << EVENT_BITS | index);
                let _ = source.add_event_listener_with_callback(name, &callback);
            }
            self.source = Some(source);
        }
    }

    /// Closes the stream. Its events are ignored from then on.
    pub(super) fn close(&mut self) {
        self.number += 1;
        if let Some(source) = self.source.take() {
            source.close();
        }
    }

    /// Whether an event comes from the stream that is open.
    pub(super) fn is_current(&self, detail: u32) -> bool {
        detail >> EVENT_BITS == self.number
    }
}

/// Passes an event of the stream to the session.
pub(super) fn dispatch(shell: &Shell, session: &mut Session, moment: Moment, detail: u32, event: &JsValue) {
    if let Some((_, handler)) = EVENTS.get((detail & ((1 << EVENT_BITS) - 1)) as usize) {
        handler(shell, session, moment, event);
    }
}

fn data(event: &JsValue) -> JsValue {
    json::parse(&json::text(event, "data").unwrap_or_default())
}

/// Passes all values, or changes of some, to the session. Unreadable data only counts as activity of the stream.
fn receive(shell: &Shell, session: &mut Session, moment: Moment, event: &JsValue, all: bool) {
    session.stream_alive(moment);
    if let Some(variants) = json::variants(shell, &data(event), !all) {
        session.receive(json::text(event, "lastEventId").unwrap_or_default(), variants, all);
    }
}
