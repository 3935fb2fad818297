//! The JavaScript around the core: whom it tells of events, and the functions that bring it what it waits for. Such a
//! function weighs less than a closure of the core, and the core stays free of listeners that outlive it.

use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// The shell. Its functions never throw: it has caught what listeners throw.
    pub type Shell;

    /// Tells the listeners of an event, by its number.
    #[wasm_bindgen(method)]
    pub(super) fn emit(this: &Shell, event: u32, text: &str);

    /// A map as one text, for [`crate::variants::Variants::parse`]; `undefined` when it is none. Entries of another kind than
    /// a key and a variant are passed over, so that one does not take all others with it. With changes, `null` takes a
    /// feature away, and is the empty text.
    #[wasm_bindgen(method)]
    pub(super) fn flat(this: &Shell, features: &JsValue, changes: bool) -> JsValue;

    /// A function that hands what it is called with to [`crate::Client::heard`], after these two numbers.
    #[wasm_bindgen(method)]
    pub(super) fn ear(this: &Shell, source: u32, detail: u32) -> Function;
}

/// Where something comes from that a client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A wait is over; the detail says which.
    Timer,
    /// Something happens to the page; the detail says what.
    Page,
    /// A stream brings something; the detail says which stream, and what.
    Stream,
    /// The answer to a load begins; the detail is the load's number, as with the next two.
    LoadAnswer,
    /// The body of that answer.
    LoadBody,
    /// There is no answer.
    LoadFailure,
    /// The answer to a request with goals.
    GoalsAnswer,
    /// There is none.
    GoalsFailure,
}

impl Source {
    const ALL: [Self; 8] = [
        Self::Timer,
        Self::Page,
        Self::Stream,
        Self::LoadAnswer,
        Self::LoadBody,
        Self::LoadFailure,
        Self::GoalsAnswer,
        Self::GoalsFailure,
    ];

    /// The source of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}
