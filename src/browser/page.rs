//! What happens to the page: hidden and seen, put away and brought back, off and on the network.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, EventTarget, Window};

use super::json;
use super::runtime::Runtime;
use crate::session::{Moment, Session};

/// The window. Only for clients that are not still: the shell has seen that there is a page.
pub(super) fn window() -> Window {
    js_sys::global().unchecked_into()
}

/// The document.
pub(super) fn document() -> JsValue {
    json::get(&window(), "document")
}

/// What an event means to the session.
pub(super) type Heard = fn(&mut Session, Moment, &Event);

const EVENTS: [(&str, Heard); 4] = [
    ("visibilitychange", |session, moment, _| session.seen(moment, is_visible())),
    ("pageshow", |session, moment, _| session.seen(moment, is_visible())),
    ("pagehide", |session, _, _| session.leaving()),
    ("online", |session, moment, _| session.online(moment)),
];

/// Listens to the page until the listeners are dropped.
pub(super) fn watch(runtime: &Rc<Runtime>) -> Vec<EventListener> {
    listen(runtime, &window(), &EVENTS)
}

/// Listens to some events of a target, on their way down: so a window hears of what happens to its document.
pub(super) fn listen(
    runtime: &Rc<Runtime>,
    target: &EventTarget,
    events: &'static [(&'static str, Heard)],
) -> Vec<EventListener> {
    let listen_to_one = |(name, heard): &'static (&'static str, Heard)| {
        let runtime = Rc::clone(runtime);
        let tell = move |event: &Event| runtime.happened(&mut |session, moment| heard(session, moment, event));
        EventListener::new_with_options(target, *name, EventListenerOptions::run_in_capture_phase(), tell)
    };
    events.iter().map(listen_to_one).collect()
}

/// Whether the tab is seen.
pub(super) fn is_visible() -> bool {
    json::text(&document(), "visibilityState").as_deref() != Some("hidden")
}
