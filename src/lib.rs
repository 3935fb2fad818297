//! The browser client's core: everything that JavaScript can call.
//!
//! [`session`] and the modules that it uses make the decisions; [`browser`] carries them out. Only strings cross the boundary:
//! maps as `key\0variant\0…`, users as an id and the JSON text of their attributes.

#![allow(clippy::single_char_add_str, reason = "String::push adds the UTF-8 encoder to the wasm")]

pub mod backoff;
pub mod browser;
pub mod cache;
pub mod features;
pub mod goals;
pub mod json;
pub mod session;
pub mod user;
pub mod variants;

use browser::runtime::Runtime;
use browser::shell::{CallbackSource, Shell};
use user::User;
use variants::Variants;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
#[expect(unsafe_code, reason = "asserts only that the wasm runs on a single thread, as it does in a page")]
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// One client in a page.
#[wasm_bindgen]
pub struct Client(Runtime);

#[wasm_bindgen]
impl Client {
    /// A client without a user yet. `address` is the service's URL for a client key: `https://host/client/v1/<client key>/`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string")] address: JsValue,
        streaming: bool,
        #[wasm_bindgen(unchecked_param_type = "string")] defaults: JsValue,
        #[wasm_bindgen(unchecked_param_type = "import('../../../js/browser/core.js').Shell")] shell: Shell,
    ) -> Self {
        Self(Runtime::new(text(&address), streaming, Variants::parse(&text(&defaults)), shell))
    }

    /// `init` or `updateUser`: the user's id, the JSON text of the attributes, the name of the cache entry, and the user's
    /// features as known from the page (`bootstrap`) or from that entry (`cached`).
    #[wasm_bindgen(js_name = setUser)]
    pub fn set_user(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] attributes: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] entry: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] bootstrap: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] cached: JsValue,
    ) {
        let variants = |features: JsValue| features.as_string().map(|text| Variants::parse(&text));
        let user = User::new(text(&id), attributes.as_string());
        self.0.set_user(user, text(&entry), variants(bootstrap), variants(cached));
    }

    /// The caller of `init` or `updateUser` has finished and has had time to add listeners.
    #[wasm_bindgen(js_name = callerSettled)]
    pub fn caller_settled(&self) {
        self.0.caller_settled();
    }

    /// Handles a call of a callback that the shell made for [`Shell::callback`].
    #[wasm_bindgen(js_name = onCallback)]
    pub fn on_callback(&self, source: u32, detail: u32, value: &JsValue) {
        if let Some(source) = CallbackSource::from_number(source) {
            self.0.on_callback(source, detail, value);
        }
    }

    /// The value of a feature.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn value(&self, #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue) -> JsValue {
        self.0.session().features().value(&text(&key)).into()
    }

    /// The current evaluated features, or with `all` every feature known from any source, each with its value.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn features(&self, all: bool) -> JsValue {
        let session = self.0.session();
        let features = session.features();
        if all { features.all().encode() } else { features.current().encode() }.into()
    }

    /// Records a goal and sends it.
    pub fn goal(&self, #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue) {
        self.0.goal(&text(&key));
    }

    /// Closes the stream, cancels requests and timers, and removes the page's listeners.
    pub fn close(&self) {
        self.0.dispatch(&mut |session, _| session.close());
    }
}

/// The shell has checked that the value is a string. Plain values need less glue code than `&str`.
fn text(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
