//! The listeners of a client, by event.

use std::cell::RefCell;

use js_sys::Array;
use wasm_bindgen::JsValue;

use crate::session::Event;

/// The names of the public events, in the order of [`Event`], and of the callbacks of `updateUser`, which wait for the end of a load.
const NAMES: [&str; 7] =
    ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "EVALUATION", "updateUser"];

/// The name of an event.
pub(super) fn name(event: Event) -> &'static str {
    NAMES.get(event as usize).copied().unwrap_or_default()
}

/// The members of the list for each listener.
const MEMBERS: u32 = 3;

/// The listeners of one client in the order in which they were added: event, callback and context of each in turn.
/// [`Self::of`] copies, so that a listener that adds or removes one does not disturb those who call them.
#[derive(Default)]
pub(super) struct Listeners(RefCell<Array>);

impl Listeners {
    /// Adds a listener.
    pub(super) fn add(&self, event: &JsValue, callback: &JsValue, context: &JsValue) {
        let all = self.0.borrow();
        all.push(event);
        all.push(callback);
        all.push(context);
    }

    /// Removes a callback, however often it was added, or with `undefined` all listeners of the event.
    pub(super) fn remove(&self, event: &JsValue, callback: &JsValue) {
        let (all, rest) = (self.0.take(), Array::new());
        for index in (0..all.length()).step_by(MEMBERS as usize) {
            if all.get(index) != *event || !(*callback == JsValue::UNDEFINED || all.get(index + 1) == *callback) {
                for member in index..index + MEMBERS {
                    rest.push(&all.get(member));
                }
            }
        }
        self.0.replace(rest);
    }

    /// The present listeners of an event: callback and context of each in turn.
    pub(super) fn of(&self, event: &JsValue) -> Array {
        let (all, listeners) = (self.0.borrow(), Array::new());
        for index in (0..all.length()).step_by(MEMBERS as usize) {
            if all.get(index) == *event {
                listeners.push(&all.get(index + 1));
                listeners.push(&all.get(index + 2));
            }
        }
        listeners
    }
}
