//! What happens to the page: hidden and seen, put away and brought back, off and on the network.

use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use super::json;
use super::shell::{Shell, Source};
use crate::session::{Moment, Session};

#[wasm_bindgen]
extern "C" {
    /// The window, without asking for it under the names that it has in other hosts.
    #[wasm_bindgen(js_namespace = globalThis, js_name = valueOf)]
    pub(super) fn window() -> JsValue;

    #[wasm_bindgen(js_name = addEventListener)]
    fn listen(event: &str, ear: &Function, on_the_way_down: bool);

    #[wasm_bindgen(js_name = removeEventListener)]
    fn leave(event: &str, ear: &Function, on_the_way_down: bool);
}

/// What an event means to the session.
type Happening = fn(&mut Session, Moment);

const EVENTS: [(&str, Happening); 4] = [
    ("visibilitychange", |session, moment| session.seen(moment, is_visible())),
    ("pageshow", |session, moment| session.seen(moment, is_visible())),
    ("pagehide", |session, _| session.leaving()),
    ("online", |session, moment| session.online(moment)),
];

/// What listens to the page.
pub(super) struct Watch(Vec<Function>);

impl Watch {
    /// Listens to events on their way down: so a window hears of what happens to its document.
    pub(super) fn begin(shell: &Shell) -> Self {
        let hear = |(detail, (name, _)): (u32, &(&str, Happening))| {
            let ear = shell.ear(Source::Page as u32, detail);
            listen(name, &ear, true);
            ear
        };
        Self((0..).zip(&EVENTS).map(hear).collect())
    }

    /// Listens no longer.
    pub(super) fn end(&self) {
        for ((name, _), ear) in EVENTS.iter().zip(&self.0) {
            leave(name, ear, true);
        }
    }
}

/// Tells the session of an event, by its place.
pub(super) fn happened(session: &mut Session, moment: Moment, detail: u32) {
    if let Some((_, happening)) = EVENTS.get(detail as usize) {
        happening(session, moment);
    }
}

/// The document.
pub(super) fn document() -> JsValue {
    json::get(&window(), "document")
}

/// Whether the tab is seen.
pub(super) fn is_visible() -> bool {
    json::text(&document(), "visibilityState").as_deref() != Some("hidden")
}
