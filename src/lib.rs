//! The browser client: everything that JavaScript can call.
//!
//! [`session`] and the modules that it uses make the decisions; [`browser`] carries them out. The JavaScript around it
//! (`js/browser`) looks values up and records calls until this runs, and then passes every call on.

#![allow(clippy::single_char_add_str, reason = "String::push adds the UTF-8 encoder to the wasm")]

pub mod backoff;
pub mod browser;
pub mod cache;
pub mod concat;
pub mod exposures;
pub mod features;
pub mod goals;
pub mod json;
pub mod participations;
pub mod session;
pub mod user;
pub mod variants;

use browser::features::from_entries;
use browser::integration;
use browser::runtime::{Callback, Runtime, Settings, UserUpdate};
use browser::shell::{CallbackSource, Shell};
use browser::text::text;
use js_sys::Array;
use session::Moment;
use user::User;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
#[expect(unsafe_code, reason = "asserts only that the wasm runs on a single thread, as it does in a page")]
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// A client without a user yet. One that is not `live` makes no requests. `integrations` are results of [`analytics_integration`] and
/// [`exposure_integration`].
#[wasm_bindgen]
pub fn init(
    live: bool,
    streaming: bool,
    insights: bool,
    #[wasm_bindgen(unchecked_param_type = "string[]")] defaults: Array,
    integrations: Array,
    #[wasm_bindgen(unchecked_param_type = "import('../../../js/browser/core.js').Shell")] shell: Shell,
) -> Client {
    let defaults = from_entries(&defaults, false);
    Client(Runtime::new(Settings { live, streaming, insights, defaults, integrations }, shell))
}

/// Sends each exposure through an analytics instance.
#[wasm_bindgen(js_name = analyticsIntegration)]
pub fn analytics_integration(instance: JsValue, options: JsValue) -> JsValue {
    integration::analytics(&instance, &options)
}

/// Calls a handler for each exposure.
#[wasm_bindgen(js_name = exposureIntegration)]
pub fn exposure_integration(handler: JsValue, options: JsValue) -> JsValue {
    integration::exposure(&handler, &options)
}

/// One client.
#[wasm_bindgen]
pub struct Client(Runtime);

#[wasm_bindgen]
impl Client {
    /// `init` or `updateUser`: the user's id, the JSON text of the attributes, the name of the cache entry, and the user's
    /// features as known from the page (`bootstrap`) or from that entry (`cached`). `callback` is called when the load has ended.
    #[wasm_bindgen(js_name = updateUser)]
    pub fn update_user(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] attributes: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] entry: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string[] | undefined")] bootstrap: Option<Array>,
        #[wasm_bindgen(unchecked_param_type = "string[] | undefined")] cached: Option<Array>,
        callback: JsValue,
    ) {
        self.0.update_user(UserUpdate {
            user: User::new(text(&id), text(&attributes)),
            entry: text(&entry),
            bootstrap: bootstrap.map(|entries| from_entries(&entries, false)),
            cached: cached.map(|entries| from_entries(&entries, false)),
            callback,
        });
    }

    /// The caller of `init` or `updateUser` has finished and has had time to add listeners.
    #[wasm_bindgen(js_name = _callerSettled)]
    pub fn caller_settled(&self) {
        self.0.caller_settled();
    }

    /// Something that the shell waited for has happened: see [`CallbackSource`]. `now` is the time in milliseconds since 1970, `random`
    /// a random number from 0 to below 1.
    #[wasm_bindgen(js_name = _onCallback)]
    #[expect(clippy::too_many_arguments, reason = "numbers weigh less than an object with members")]
    pub fn on_callback(
        &self,
        source: usize,
        number: u32,
        index: u32,
        one: JsValue,
        other: JsValue,
        now: f64,
        random: f64,
    ) {
        if let Some(source) = CallbackSource::ALL.get(source) {
            let moment = Moment { now, random };
            self.0.on_callback(Callback { source: *source, number, index, one: &one, other: &other, moment });
        }
    }

    /// Evaluates a feature: its value. Emits EVALUATION, and sends the exposures that are due, unless it is evaluated `again` by a
    /// listener, a handler or a predicate that one evaluation has called.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn evaluate(&self, key: JsValue, again: bool) -> JsValue {
        self.0.evaluate(&key, again)
    }

    /// The current evaluated features, or with `all` every feature known from any source, each with its value.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string>")]
    pub fn features(&self, all: bool) -> JsValue {
        self.0.features(all)
    }

    /// Records a goal and sends it. `id` is 32 random hexadecimal digits.
    pub fn goal(&self, key: JsValue, id: JsValue) {
        self.0.goal(&key, &id);
    }

    /// Adds a listener.
    pub fn on(&self, event: JsValue, callback: JsValue, context: JsValue) {
        self.0.on(&event, &callback, &context);
    }

    /// Removes a listener, or without a callback all listeners of the event.
    pub fn off(&self, event: JsValue, callback: JsValue) {
        self.0.off(&event, &callback);
    }

    /// Whether the first load has ended.
    #[wasm_bindgen(js_name = _hasReceived)]
    pub fn has_received_initial_response(&self) -> bool {
        self.0.session().has_received()
    }

    /// Closes the stream, cancels requests and timers, and removes all listeners.
    pub fn close(&self) {
        self.0.close();
    }
}
