//! The browser client's core: everything that JavaScript can call.
//!
//! Decisions are in [`session`] and in what it stands on; [`browser`] carries them out. Strings alone cross the boundary:
//! maps as `key\0variant\0…`, users as an id and the JSON text of their attributes.

#![allow(clippy::single_char_add_str, reason = "String::push brings the encoding of all characters into the wasm")]

pub mod backoff;
pub mod browser;
pub mod cache;
pub mod exposures;
pub mod features;
pub mod goals;
pub mod json;
pub mod session;
pub mod user;
pub mod variants;

use browser::runtime::{Place, Runtime};
use browser::shell::{Shell, Source};
use browser::storage::Storage;
use exposures::Ledger;
use js_sys::Set;
use session::Mode;
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
    /// A client of this client key and service address, which waits for its first user. `mode`: 0 live, 1 without
    /// streaming, 2 still.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string")] api_key: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] address: JsValue,
        mode: u8,
        use_cookies: bool,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] bootstrap: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] defaults: JsValue,
        #[wasm_bindgen(unchecked_param_type = "import('../../../js/browser/core.js').Shell")] shell: Shell,
    ) -> Self {
        let (mode, storage) = match mode {
            0 => (Mode::Live, Storage::of_page()),
            1 => (Mode::WithoutStreaming, Storage::of_page()),
            _ => (Mode::Still, Storage::none()),
        };
        let place = Place {
            address: text(&address),
            cache_prefix: cache::prefix(&text(&api_key)),
            use_cookies: use_cookies && mode != Mode::Still,
            storage,
        };
        let bootstrap = bootstrap.as_string().map(|bootstrap| Variants::parse(&bootstrap));
        Self(Runtime::new(mode, place, bootstrap, Variants::parse(&text(&defaults)), shell))
    }

    /// `init` or `updateUser`, with an id unless the user is anonymous, and the JSON text of the attributes. Returns the
    /// user's id.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub fn enter(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | undefined")] attributes: JsValue,
    ) -> JsValue {
        self.0.enter(id.as_string(), attributes.as_string());
        self.0.session().user().id().into()
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

    /// Decides whether an exposure is to be sent now, and notes it in the handler's ledger.
    #[wasm_bindgen(js_name = isExposureDue)]
    pub fn is_exposure_due(
        &self,
        ledger: &Set,
        #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] variant: JsValue,
    ) -> bool {
        exposures::is_due(&PageLedger(ledger), self.0.session().user().id(), &text(&key), &text(&variant))
    }

    /// Takes up a goal.
    pub fn goal(&self, #[wasm_bindgen(unchecked_param_type = "string")] key: JsValue) {
        self.0.goal(&text(&key));
    }

    /// The anonymous id that is stored, or a new one in its place.
    #[wasm_bindgen(js_name = anonymousId, unchecked_return_type = "string")]
    pub fn anonymous_id(&self, renewed: bool) -> JsValue {
        if renewed { self.0.reset_anonymous_id() } else { self.0.anonymous_id() }.into()
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

struct PageLedger<'a>(&'a Set);

impl Ledger for PageLedger<'_> {
    fn has(&self, entry: &str) -> bool {
        self.0.has(&JsValue::from_str(entry))
    }

    fn add(&self, entry: &str) {
        self.0.add(&JsValue::from_str(entry));
    }
}
