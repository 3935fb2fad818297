//! The browser client's core: everything that JavaScript can call.
//!
//! Decisions are in [`session`] and in what it stands on; [`browser`] carries them out. Strings alone cross the boundary:
//! maps as `key\0variant\0…`, users as an id and the JSON text of their attributes.

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

use std::rc::Rc;

use browser::runtime::{Place, Runtime};
use browser::storage::Storage;
use exposures::Ledger;
use js_sys::{Function, Set};
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
pub struct Client(Rc<Runtime>);

#[wasm_bindgen]
impl Client {
    /// A client of this client key and service address. `mode`: 0 live, 1 without streaming, 2 still. `emit` is called
    /// with the number of an event and its text.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::too_many_arguments, reason = "plain arguments cross the boundary at the least weight")]
    pub fn new(
        api_key: &str,
        address: String,
        mode: u8,
        use_cookies: bool,
        bootstrap: Option<String>,
        defaults: &str,
        id: Option<String>,
        attributes: Option<String>,
        emit: Function,
    ) -> Self {
        let (mode, storage) = match mode {
            0 => (Mode::Live, Storage::of_page()),
            1 => (Mode::WithoutStreaming, Storage::of_page()),
            _ => (Mode::Still, Storage::none()),
        };
        let use_cookies = use_cookies && mode != Mode::Still;
        let place = Place { address, cache_prefix: cache::prefix(api_key), storage, use_cookies };
        let given = (bootstrap.as_deref().map(Variants::parse), Variants::parse(defaults));
        Self(Runtime::start(mode, place, (id, attributes), given, emit))
    }

    /// Tells that the caller of the constructor, or of `updateUser`, is done and has had the time to listen.
    pub fn returned(&self) {
        self.0.happened(|session, _| session.returned());
    }

    /// The value of a feature.
    pub fn value(&self, key: &str) -> String {
        self.0.session().features().value(key).to_owned()
    }

    /// The evaluated features in force.
    pub fn features(&self) -> String {
        self.0.session().features().in_force().flat()
    }

    /// Every feature that is known from anywhere, with its value.
    #[wasm_bindgen(js_name = evaluateAll)]
    pub fn evaluate_all(&self) -> String {
        self.0.session().features().all().flat()
    }

    /// Decides whether an exposure is to be sent now, and notes it in the handler's ledger.
    #[wasm_bindgen(js_name = isExposureDue)]
    pub fn is_exposure_due(&self, ledger: &Set, key: &str, variant: &str) -> bool {
        exposures::is_due(&PageLedger(ledger), self.0.session().user().id(), key, variant)
    }

    /// The id of the current user.
    #[wasm_bindgen(js_name = userId)]
    pub fn user_id(&self) -> String {
        self.0.session().user().id().to_owned()
    }

    /// Replaces the user.
    #[wasm_bindgen(js_name = updateUser)]
    pub fn update_user(&self, id: Option<String>, attributes: Option<String>) {
        self.0.update_user(id, attributes);
    }

    /// Takes up a goal.
    pub fn goal(&self, key: &str) {
        self.0.goal(key);
    }

    /// The anonymous id that is stored.
    #[wasm_bindgen(js_name = anonymousId)]
    pub fn anonymous_id(&self) -> String {
        self.0.anonymous_id()
    }

    /// A new anonymous id.
    #[wasm_bindgen(js_name = resetAnonymousId)]
    pub fn reset_anonymous_id(&self) -> String {
        self.0.reset_anonymous_id()
    }

    /// Whether the first request has ended.
    #[wasm_bindgen(js_name = hasReceivedInitialResponse)]
    pub fn has_received_initial_response(&self) -> bool {
        self.0.session().has_received_initial_response()
    }

    /// Ends everything.
    pub fn close(&self) {
        self.0.happened(|session, _| session.close());
    }
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
