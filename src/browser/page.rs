//! What happens to the page: hidden and seen, put away and brought back, off and on the network.

use std::rc::Rc;

use gloo_events::EventListener;
use web_sys::{Event, EventTarget};

use super::json;
use super::runtime::Runtime;
use crate::session::{Moment, Session};

/// What an event means to the session.
pub(super) type Heard = fn(&mut Session, Moment, &Event);

/// Listens to one event.
pub(super) fn listen(runtime: &Rc<Runtime>, target: &EventTarget, name: &'static str, heard: Heard) -> EventListener {
    let runtime = Rc::clone(runtime);
    EventListener::new(target, name, move |event| {
        runtime.happened(&mut |session, moment| heard(session, moment, event));
    })
}

/// Listens to the page until the listeners are dropped.
pub(super) fn watch(runtime: &Rc<Runtime>) -> Vec<EventListener> {
    let seen: Heard = |session, moment, _| session.seen(moment, is_visible());
    let mut listeners = Vec::new();
    if let Some(window) = web_sys::window() {
        listeners.push(listen(runtime, &window, "pageshow", seen));
        listeners.push(listen(runtime, &window, "pagehide", |session, _, _| session.leaving()));
        listeners.push(listen(runtime, &window, "online", |session, moment, _| session.online(moment)));
        if let Some(document) = window.document() {
            listeners.push(listen(runtime, &document, "visibilitychange", seen));
        }
    }
    listeners
}

/// Whether the tab is seen.
pub(super) fn is_visible() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.and_then(|document| json::text(&document, "visibilityState")).as_deref() != Some("hidden")
}
