//! The stream of updates: an `EventSource`, whatever the page has under that name.

use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};
use wasm_bindgen::JsValue;
use web_sys::EventSource;

use super::json;
use super::shell::{Shell, Source};
use crate::session::{Moment, Session};

/// What an event means to the session.
type Happening = fn(&Shell, &mut Session, Moment, &JsValue);

const EVENTS: [(&str, Happening); 7] = [
    ("open", |_, session, moment, _| session.stream_lives(moment)),
    (BEAT, |_, session, moment, _| session.stream_lives(moment)),
    ("error", |_, session, moment, _| session.stream_failed(moment)),
    (CHANGED, |_, session, moment, _| session.stream_signalled(moment)),
    (RELOAD, |_, session, moment, event| {
        let after_ms = json::get(&data(event), "afterMs").as_f64().unwrap_or_default();
        session.stream_ended(moment, after_ms as u32);
    }),
    (PUT, |shell, session, moment, event| brought(shell, session, moment, event, true)),
    (PATCH, |shell, session, moment, event| brought(shell, session, moment, event, false)),
];

/// The place of an event and the number of its stream are one detail.
const EVENT_BITS: u32 = 3;

/// The stream of a client; one at a time.
#[derive(Default)]
pub(super) struct EventStream {
    /// Counts the streams, so that one that was closed is not heard any more.
    number: u32,
    source: Option<EventSource>,
}

impl EventStream {
    /// Opens a stream, where the page has `EventSource`. One that is open is closed.
    pub(super) fn open(&mut self, shell: &Shell, url: &str) {
        self.close();
        if let Ok(source) = EventSource::new(url) {
            for (place, (name, _)) in (0..).zip(&EVENTS) {
                let ear = shell.ear(Source::Stream as u32, self.number << EVENT_BITS | place);
                let _ = source.add_event_listener_with_callback(name, &ear);
            }
            self.source = Some(source);
        }
    }

    /// Closes the stream. Nothing is heard of it any more.
    pub(super) fn close(&mut self) {
        self.number += 1;
        if let Some(source) = self.source.take() {
            source.close();
        }
    }

    /// Whether this comes from the stream that is open.
    pub(super) fn is_current(&self, detail: u32) -> bool {
        detail >> EVENT_BITS == self.number
    }
}

/// Tells the session what the stream has brought.
pub(super) fn happened(shell: &Shell, session: &mut Session, moment: Moment, detail: u32, event: &JsValue) {
    if let Some((_, happening)) = EVENTS.get((detail & ((1 << EVENT_BITS) - 1)) as usize) {
        happening(shell, session, moment, event);
    }
}

fn data(event: &JsValue) -> JsValue {
    json::parse(&json::text(event, "data").unwrap_or_default())
}

/// All values, or changes of some. What is not readable only shows that the stream lives.
fn brought(shell: &Shell, session: &mut Session, moment: Moment, event: &JsValue, all: bool) {
    session.stream_lives(moment);
    if let Some(variants) = json::variants(shell, &data(event), !all) {
        session.receive(json::text(event, "lastEventId").unwrap_or_default(), variants, all);
    }
}
