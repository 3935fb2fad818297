//! The JavaScript around the core (`js/browser/shell.ts`): the kept answers, and one function for each thing that the core does in a
//! page. None of them throws or decides anything. A call of such a function needs less wasm than the browser's own interface.

use js_sys::Array;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{AbortController, EventSource};

#[wasm_bindgen]
extern "C" {
    /// The shell of one client.
    pub type Shell;

    /// These features are current: drops the kept answers. Without features it only does not keep that of the feature that is being
    /// evaluated, so that the next evaluation asks the core again.
    #[wasm_bindgen(method, js_name = _changed)]
    pub(super) fn changed(this: &Shell, features: &JsValue);

    /// Calls a function of the page with one argument, or with two if `other` is not `undefined`. If it throws, `caller` is named in
    /// the log, and the result is `undefined`.
    #[wasm_bindgen(method, js_name = _call)]
    pub(super) fn call(
        this: &Shell,
        caller: &str,
        function: &JsValue,
        this_value: &JsValue,
        one: &JsValue,
        other: &JsValue,
    ) -> JsValue;

    /// What an analytics SDK's class `Identify` makes of a user property; `undefined` if the class throws, as for [`Self::call`].
    #[wasm_bindgen(method, js_name = _identify)]
    pub(super) fn identify(this: &Shell, caller: &str, class: &JsValue, name: &str, value: &str) -> JsValue;

    /// The same for SDKs without that class: an object with the method that their `identify` calls.
    #[wasm_bindgen(method, js_name = _userProperty)]
    pub(super) fn user_property(this: &Shell, name: &str, value: &str) -> JsValue;

    /// A member of an object; `undefined` if there is none.
    #[wasm_bindgen(method, js_name = _get)]
    pub(super) fn get(this: &Shell, object: &JsValue, name: &str) -> JsValue;

    /// A value as a number; `NaN` if it is none.
    #[wasm_bindgen(js_name = Number)]
    pub(super) fn number(value: &JsValue) -> f64;

    /// Parses JSON; `undefined` if it is invalid.
    #[wasm_bindgen(method, js_name = _parse)]
    pub(super) fn parse(this: &Shell, json: &str) -> JsValue;

    /// [`Self::parse`] for a text of JavaScript, which need not be copied to the core.
    #[wasm_bindgen(method, js_name = _parse)]
    pub(super) fn parse_value(this: &Shell, json: &JsValue) -> JsValue;

    /// The keys and values of an object in turn, or the indices and values of an array; `None` for anything else.
    #[wasm_bindgen(method, js_name = _entries)]
    pub(super) fn entries(this: &Shell, object: &JsValue) -> Option<Array>;

    /// Adds a variant of a user and flag to the ledger of an integration's source, which all clients of the page share: 2 if it was not
    /// there, 1 if it was but is not the latest of this user and flag, else 0.
    #[wasm_bindgen(method, js_name = _remember)]
    pub(super) fn remember(this: &Shell, source: &JsValue, name: &str, variant: &str) -> u32;

    /// Whether the tab is visible.
    #[wasm_bindgen(method, js_name = _isVisible)]
    pub(super) fn is_visible(this: &Shell) -> bool;

    /// Passes the page's events of these names, separated by spaces, to the core; without a name it stops that.
    #[wasm_bindgen(method, js_name = _watch)]
    pub(super) fn watch(this: &Shell, names: &str);

    /// Starts a timer, or restarts it; stops it if the time is negative.
    #[wasm_bindgen(method, js_name = _startTimer)]
    pub(super) fn start_timer(this: &Shell, timer: u32, ms: i32);

    /// Sends a request to a path of the service and passes the status and the text of the response to the core; status 0 if there is
    /// none, and 1 if there is none in 10 seconds. With `keepalive` it continues when the page is closed.
    #[wasm_bindgen(method, js_name = _post)]
    pub(super) fn post(
        this: &Shell,
        path: &str,
        body: &str,
        keepalive: bool,
        source: u32,
        number: u32,
    ) -> AbortController;

    /// Hands a request to the browser, which sends it after the page has closed.
    #[wasm_bindgen(method, js_name = _beacon)]
    pub(super) fn beacon(this: &Shell, path: &str, body: &str);

    /// Opens a stream, and passes its events of these names, separated by spaces, to the core; `None` if the browser refuses.
    #[wasm_bindgen(method, js_name = _open)]
    pub(super) fn open(this: &Shell, path: &str, names: &str, number: u32) -> Option<EventSource>;

    /// Leaves the tabs of the browser that share a stream, and joins those of the name, if there is one: asks to hold the stream or takes
    /// it from the tab that holds it, and receives their messages. Where tabs cannot share, each holds a stream of its own.
    #[wasm_bindgen(method, js_name = _joinTabs)]
    pub(super) fn join_tabs(this: &Shell, name: &str, take: bool);

    /// Sends a message to the other tabs.
    #[wasm_bindgen(method, js_name = _tellTabs)]
    pub(super) fn tell_tabs(this: &Shell, message: &str);

    /// The keys of local storage. Where storage is blocked, full or missing, nothing is stored and all else works.
    #[wasm_bindgen(method, js_name = _storageKeys)]
    pub(super) fn storage_keys(this: &Shell) -> Array;

    /// A value of local storage; `undefined` if there is none.
    #[wasm_bindgen(method, js_name = _getItem)]
    pub(super) fn get_item(this: &Shell, key: &str) -> JsValue;

    /// Sets a value of local storage, or removes it if the value is empty.
    #[wasm_bindgen(method, js_name = _setItem)]
    pub(super) fn set_item(this: &Shell, key: &str, value: &str);
}

/// What the shell tells the client of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackSource {
    /// The timer with this index has fired.
    Timer,
    /// The page had the event with this index.
    Page,
    /// The stream with this number had the event with this index, data and id.
    Stream,
    /// The tabs that share a stream: another tab has sent a message (0), this tab holds the stream (1), or another tab has taken it (2).
    Tabs,
    /// The load with this number has ended: the status is the index, and the text comes with it.
    Load,
    /// A request with goals has ended: the status is the index.
    Goals,
}

impl CallbackSource {
    /// In the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Timer, Self::Page, Self::Stream, Self::Tabs, Self::Load, Self::Goals];
}
