//! What happens to the page: hidden and seen, put away and brought back, off and on the network.

use std::rc::Rc;

use gloo_events::EventListener;
use web_sys::{Document, Event, EventTarget, VisibilityState};

use super::runtime::Runtime;
use crate::session::Input;

/// Listens to one event, and gives the runtime what it means.
pub(super) fn listen(
    runtime: &Rc<Runtime>,
    target: &EventTarget,
    name: &'static str,
    read: fn(&Event) -> Option<Input>,
) -> EventListener {
    let runtime = Rc::clone(runtime);
    EventListener::new(target, name, move |event| {
        if let Some(input) = read(event) {
            runtime.input(input);
        }
    })
}

/// Listens to the page until the listeners are dropped.
pub(super) fn watch(runtime: &Rc<Runtime>) -> Vec<EventListener> {
    let Some((window, document)) = web_sys::window().and_then(|window| Some((window.clone(), window.document()?))) else {
        return Vec::new();
    };
    vec![
        listen(runtime, &document, "visibilitychange", |_| Some(presence())),
        listen(runtime, &window, "pageshow", |_| Some(presence())),
        listen(runtime, &window, "pagehide", |_| Some(Input::Leaving)),
        listen(runtime, &window, "online", |_| Some(Input::Online)),
    ]
}

/// Whether the tab is seen.
pub(super) fn is_visible() -> bool {
    let document: Option<Document> = web_sys::window().and_then(|window| window.document());
    document.is_none_or(|document| document.visibility_state() != VisibilityState::Hidden)
}

fn presence() -> Input {
    if is_visible() { Input::Visible } else { Input::Hidden }
}
