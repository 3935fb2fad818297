//! Events of the page: hidden and visible, left and restored, back online.

use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use super::json;
use super::shell::{CallbackSource, Shell};
use crate::session::{Moment, Session};

#[wasm_bindgen]
extern "C" {
    /// The window. js-sys would also look for it under the names that other hosts use.
    #[wasm_bindgen(js_namespace = globalThis, js_name = valueOf)]
    pub(super) fn window() -> JsValue;

    #[wasm_bindgen(js_name = addEventListener)]
    fn add_event_listener(event: &str, callback: &Function, capture: bool);

    #[wasm_bindgen(js_name = removeEventListener)]
    fn remove_event_listener(event: &str, callback: &Function, capture: bool);
}

/// Passes an event to the session.
type Handler = fn(&mut Session, Moment);

const EVENTS: [(&str, Handler); 4] = [
    ("visibilitychange", |session, moment| session.visibility_changed(moment, is_visible())),
    ("pageshow", |session, moment| session.visibility_changed(moment, is_visible())),
    ("pagehide", |session, _| session.page_leaving()),
    ("online", |session, moment| session.online(moment)),
];

/// The client's listeners on the window, one for each of [`EVENTS`].
pub(super) struct PageListeners(Vec<Function>);

impl PageListeners {
    /// Adds them for the capture phase, in which the window also gets the events of its document.
    pub(super) fn add(shell: &Shell) -> Self {
        let add = |(detail, (name, _)): (u32, &(&str, Handler))| {
            let callback = shell.callback(CallbackSource::Page as u32, detail);
            add_event_listener(name, &callback, true);
            callback
        };
        Self((0..).zip(&EVENTS).map(add).collect())
    }

    /// Removes them.
    pub(super) fn remove(&self) {
        for ((name, _), callback) in EVENTS.iter().zip(&self.0) {
            remove_event_listener(name, callback, true);
        }
    }
}

/// Passes an event, given by its index, to the session.
pub(super) fn dispatch(session: &mut Session, moment: Moment, index: u32) {
    if let Some((_, handler)) = EVENTS.get(index as usize) {
        handler(session, moment);
    }
}

/// The document.
pub(super) fn document() -> JsValue {
    json::get(&window(), "document")
}

/// Whether the tab is visible.
pub(super) fn is_visible() -> bool {
    json::text(&document(), "visibilityState").as_deref() != Some("hidden")
}
