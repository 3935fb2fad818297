//! The stream of updates: an `EventSource`, whatever the page has under that name.

use std::rc::Rc;

use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};
use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Event, EventSource, MessageEvent};

use super::answer;
use super::page::listen;
use super::runtime::Runtime;
use crate::session::{Heard, Input};

/// Events of the stream and what each says; `None` for one that is not readable.
const EVENTS: [(&str, fn(&Event) -> Option<Input>); 7] = [
    ("open", |_| Some(Input::Stream(Heard::Open))),
    ("error", |_| Some(Input::Stream(Heard::Failed))),
    (BEAT, |_| Some(Input::Stream(Heard::Beat))),
    (CHANGED, |_| Some(Input::Stream(Heard::Changed))),
    (RELOAD, |event| {
        let after_ms = answer::read_number(&data(event)?, "afterMs").unwrap_or(0.0);
        Some(Input::Stream(Heard::Reload(after_ms as u32)))
    }),
    (PUT, |event| Some(Input::Stream(Heard::Put(id(event), answer::read_variants(&data(event)?)?)))),
    (PATCH, |event| Some(Input::Stream(Heard::Patch(id(event), answer::read_changes(&data(event)?)?)))),
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
        let listeners = EVENTS.iter().map(|(name, read)| listen(runtime, &source, name, *read)).collect();
        Some(Self { source, _listeners: listeners })
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.source.close();
    }
}

fn data(event: &Event) -> Option<String> {
    event.unchecked_ref::<MessageEvent>().data().as_string()
}

fn id(event: &Event) -> String {
    event.unchecked_ref::<MessageEvent>().last_event_id()
}
