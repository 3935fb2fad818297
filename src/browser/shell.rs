//! The JavaScript around the core: it dispatches events to listeners and makes the core's callbacks. Such a callback needs
//! less wasm than a Rust closure, and leaves nothing to free when the client is closed.

use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// The shell. Its functions never throw: it catches what listeners throw.
    pub type Shell;

    /// Dispatches an event, given by its number, to the listeners.
    #[wasm_bindgen(method)]
    pub(super) fn emit(this: &Shell, event: u32, text: &str);

    /// Encodes a map as one string for [`crate::variants::Variants::parse`]; `undefined` if it is not a map. Entries that are
    /// not a key and a variant are skipped. In `changes`, `null` removes a feature and is encoded as the empty string.
    #[wasm_bindgen(method)]
    pub(super) fn encode(this: &Shell, features: &JsValue, changes: bool) -> JsValue;

    /// A function that passes these two numbers and its argument to `Client::on_callback`.
    #[wasm_bindgen(method)]
    pub(super) fn callback(this: &Shell, source: u32, detail: u32) -> Function;
}

/// What a callback was registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackSource {
    /// A timer has fired; the detail says which.
    Timer,
    /// An event of the page; the detail says which.
    Page,
    /// An event of a stream; the detail says which stream and which event.
    Stream,
    /// The response to a load has started. The detail is the load's number, as for the next two.
    LoadResponse,
    /// The body of that response.
    LoadBody,
    /// The load got no response.
    LoadFailure,
    /// The response to a request with goals.
    GoalsResponse,
    /// The request with goals got no response.
    GoalsFailure,
}

impl CallbackSource {
    const ALL: [Self; 8] = [
        Self::Timer,
        Self::Page,
        Self::Stream,
        Self::LoadResponse,
        Self::LoadBody,
        Self::LoadFailure,
        Self::GoalsResponse,
        Self::GoalsFailure,
    ];

    /// The source with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}
