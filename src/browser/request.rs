//! Requests to the service: loads, which can be aborted, and goals, which are sent even while the page closes.

use js_sys::{Function, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{AbortController, Response};

use super::json;
use super::shell::{CallbackSource, Shell};
use crate::session::LoadResponse;

#[wasm_bindgen]
extern "C" {
    /// A promise with callbacks. Rust futures would need more wasm than this whole file.
    pub(super) type Promise;

    #[wasm_bindgen(static_method_of = Promise)]
    fn resolve(value: &JsValue) -> Promise;

    #[wasm_bindgen(method)]
    fn then(this: &Promise, on_fulfilled: &Function, on_rejected: &Function) -> JsValue;

    /// Not web-sys's: a `fetch` that the page has replaced may throw, or return something that is not a promise.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &JsValue) -> Result<JsValue, JsValue>;

    /// May throw for the same reason, or be missing.
    #[wasm_bindgen(catch, js_namespace = navigator, js_name = sendBeacon)]
    fn send_beacon(url: &str, body: &str) -> Result<JsValue, JsValue>;
}

/// Requests that need no preflight: a text body, no custom headers, no cookies.
const LOAD: &str = r#"{"method":"POST","credentials":"omit"}"#;
const GOALS: &str = r#"{"method":"POST","credentials":"omit","keepalive":true}"#;

/// Sends a load. The returned controller aborts it.
pub(super) fn send_load(shell: &Shell, url: &str, number: u32, body: &str) -> Option<AbortController> {
    let controller = AbortController::new().ok()?;
    let init = json::parse(LOAD);
    let _ = Reflect::set(&init, &"signal".into(), &json::get(&controller, "signal"));
    await_load(shell, number, CallbackSource::LoadResponse, send(url, &init, body));
    Some(controller)
}

/// Reads the body of the response to a load.
pub(super) fn read_load_body(shell: &Shell, number: u32, response: &JsValue) {
    let text = response.unchecked_ref::<Response>().text().map(JsValue::from);
    await_load(shell, number, CallbackSource::LoadBody, text);
}

/// Sends goals. The request continues if the page is closed before the response.
pub(super) fn send_goals(shell: &Shell, url: &str, body: &str) {
    let sent = send(url, &json::parse(GOALS), body);
    await_promise(shell, CallbackSource::GoalsResponse, CallbackSource::GoalsFailure, 0, sent);
}

/// Hands goals to the browser, which sends them after the page has closed.
pub(super) fn send_final_goals(url: &str, body: &str) {
    // If the browser has no beacons or refuses one this large, the goals stay queued for a page that is restored.
    let _ = send_beacon(url, body);
}

/// The status of a response; 0 if the value is not a response.
pub(super) fn status(response: &JsValue) -> u16 {
    json::get(response, "status").as_f64().unwrap_or_default() as u16
}

/// Parses the body of the response to a load. The error is the `detail` that the service gave.
pub(super) fn parse_load(shell: &Shell, status: u16, text: &str) -> Result<LoadResponse, String> {
    let body = json::parse(text);
    if (200..300).contains(&status)
        && let Some(features) = json::variants(shell, &body, false)
        && let Some(since) = json::text(&body, "since")
        && let Some(token) = json::text(&body, "token")
    {
        return Ok(LoadResponse { features, since, token });
    }
    Err(json::text(&body, "detail").unwrap_or_default())
}

fn send(url: &str, init: &JsValue, body: &str) -> Result<JsValue, JsValue> {
    let _ = Reflect::set(init, &"body".into(), &body.into());
    fetch(url, init)
}

fn await_load(shell: &Shell, number: u32, fulfilled: CallbackSource, promise: Result<JsValue, JsValue>) {
    await_promise(shell, fulfilled, CallbackSource::LoadFailure, number, promise);
}

/// Calls back for one of the two sources. A request that could not be sent also fails asynchronously.
fn await_promise(
    shell: &Shell,
    fulfilled: CallbackSource,
    rejected: CallbackSource,
    detail: u32,
    promise: Result<JsValue, JsValue>,
) {
    let (fulfilled, promise) = match promise {
        Ok(promise) => (fulfilled, promise),
        Err(_) => (rejected, JsValue::NULL),
    };
    let on_fulfilled = shell.callback(fulfilled as u32, detail);
    let on_rejected = shell.callback(rejected as u32, detail);
    Promise::resolve(&promise).then(&on_fulfilled, &on_rejected);
}
