//! The browser client's core: everything that JavaScript can call.
//!
//! Decisions are in [`session`] and in what it stands on; [`browser`] carries them out. Strings alone cross the boundary:
//! maps as `key\0variant\0…`, users as an id and the JSON text of their attributes.

#![allow(clippy::single_char_add_str, reason = "String::push brings the encoding of all characters into the wasm")]

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
use browser::shell::{Shell, Source};
use user::User;
use variants::Variants;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
#[expect(unsafe_code, reason = "a page has one thread for its wasm, which is all that this asserts")]
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// One client of a page.
#[wasm_bindgen]
pub struct Client(Runtime);

#[wasm_bindgen]
impl Client {
    /// A client of the service at an address, `https://host/client/v1/<client key>/`, which waits for its first user.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string")] address: JsValue,
        streaming: bool,
        #[wasm_bindgen(unchecked_param_type = "string")] defaults: JsValue,
        #[wasm_bindgen(unchecked_param_type = "import('../../../js/browser/core.js').Shell")] shell: Shell,
    ) -> Self {
        Self(Runtime::new(text(&address), streaming, Variants::parse(&text(&defaults)), shell))
    }

    /// `init` or `updateUser`: the user's id, the JSON text of the attributes, the name of the cache entry, and what is known
    /// of the user's features from the page (`bootstrap`) or from that entry (`cached`).
    pub fn enter(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] attributes: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] entry: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] bootstrap: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] cached: JsValue,
    ) {
        let variants = |known: JsValue| known.as_string().map(|known| Variants::parse(&known));
        let user = User::new(text(&id), attributes.as_string());
        self.0.enter(user, text(&entry), variants(bootstrap), variants(cached));
    }

    /// Tells that the caller of `init` or `updateUser` is done and has had the time to listen.
    pub fn returned(&self) {
        self.0.returned();
    }

    /// Takes what comes from a source to which the client has put an ear of the shell.
    pub fn heard(&self, source: u32, detail: u32, value: &JsValue) {
        if let Some(source) = Source::of(source) {
            self.0.heard(source, detail, value);
        }
    }

    /// The value of a feature.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn value(&self, #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue) -> JsValue {
        self.0.session().features().value(&text(&key)).into()
    }

    /// The evaluated features in force, or all that are known from anywhere, each with its value.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn features(&self, all: bool) -> JsValue {
        let session = self.0.session();
        let features = session.features();
        if all { features.all().flat() } else { features.in_force().flat() }.into()
    }

    /// Takes up a goal.
    pub fn goal(&self, #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue) {
        self.0.goal(&text(&key));
    }

    /// Ends everything.
    pub fn close(&self) {
        self.0.happened(&mut |session, _| session.close());
    }
}

/// What the shell passes is a text, and it checks that. As plain values texts weigh less in the glue than as `&str`.
fn text(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
