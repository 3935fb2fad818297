//! The stream of updates: an `EventSource`, whatever the page has under that name.

use std::rc::Rc;

use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};
use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::{Event, EventSource};

use super::json;
use super::page::{Heard, listen};
use super::runtime::Runtime;
use crate::session::{Moment, Session};

const EVENTS: [(&str, Heard); 7] = [
    ("open", |session, moment, _| session.stream_lives(moment)),
    (BEAT, |session, moment, _| session.stream_lives(moment)),
    ("error", |session, moment, _| session.stream_failed(moment)),
    (CHANGED, |session, moment, _| session.stream_signalled(moment)),
    (RELOAD, |session, moment, event| {
        let after_ms = json::get(&data(event), "afterMs").as_f64().unwrap_or_default();
        session.stream_ended(moment, after_ms as u32);
    }),
    (PUT, |session, moment, event| brought(session, moment, event, true)),
    (PATCH, |session, moment, event| brought(session, moment, event, false)),
];

/// An open stream. Dropping it closes it, and nothing is heard of it any more.
#[derive(Debug)]
pub(super) struct EventStream {
    source: EventSource,
    _listeners: Vec<EventListener>,
}

impl EventStream {
    /// Opens a stream; `None` where the page has no `EventSource`.
    pub(super) fn open(runtime: &Rc<Runtime>, url: &str) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let listeners = listen(runtime, &source, &EVENTS);
        Some(Self { source, _listeners: listeners })
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.source.close();
    }
}

fn data(event: &Event) -> JsValue {
    json::parse(&json::text(event, "data").unwrap_or_default())
}

/// All values, or changes of some. What is not readable only shows that the stream lives.
fn brought(session: &mut Session, moment: Moment, event: &Event, all: bool) {
    session.stream_lives(moment);
    if let Some(variants) = json::variants(&data(event), !all) {
        session.receive(json::text(event, "lastEventId").unwrap_or_default(), variants, all);
    }
}
