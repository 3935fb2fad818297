//! Requests to the service: for loads, which can be given up, and with goals, which outlive the page.

use js_sys::{Function, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{AbortController, Response};

use super::json;
use super::shell::{Shell, Source};
use crate::session::Answer;

#[wasm_bindgen]
extern "C" {
    /// What will come, or not. Callbacks instead of futures, which weigh more than all of this file.
    pub(super) type Promise;

    #[wasm_bindgen(static_method_of = Promise)]
    fn resolve(of: &JsValue) -> Promise;

    #[wasm_bindgen(method)]
    fn then(this: &Promise, come: &Function, failed: &Function) -> JsValue;

    /// Not web-sys's, because one that a page has put in its place may throw, or return something else than a promise.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &JsValue) -> Result<JsValue, JsValue>;

    /// As above; and there are navigators without it.
    #[wasm_bindgen(catch, js_namespace = navigator, js_name = sendBeacon)]
    fn send_beacon(url: &str, body: &str) -> Result<JsValue, JsValue>;
}

/// Requests without a preflight: a text, no headers of our own, no cookies.
const LOAD: &str = r#"{"method":"POST","credentials":"omit"}"#;
const GOALS: &str = r#"{"method":"POST","credentials":"omit","keepalive":true}"#;

/// Asks for the user's values. The controller returned gives the request up.
pub(super) fn load(shell: &Shell, url: &str, number: u32, body: &str) -> Option<AbortController> {
    let controller = AbortController::new().ok()?;
    let init = json::parse(LOAD);
    let _ = Reflect::set(&init, &"signal".into(), &json::get(&controller, "signal"));
    await_load(shell, number, Source::LoadAnswer, send(url, &init, body));
    Some(controller)
}

/// Goes on to the body of the answer to a load.
pub(super) fn read(shell: &Shell, number: u32, answer: &JsValue) {
    await_load(shell, number, Source::LoadBody, answer.unchecked_ref::<Response>().text().map(JsValue::from));
}

/// Sends goals, also when the page is gone before the answer.
pub(super) fn send_goals(shell: &Shell, url: &str, body: &str) {
    await_answer(shell, Source::GoalsAnswer, Source::GoalsFailure, 0, send(url, &json::parse(GOALS), body));
}

/// Hands goals to the browser, which sends them when the page is gone.
pub(super) fn send_last_goals(url: &str, body: &str) {
    // Too much at once for the browser, or no beacons in it: a page that comes back sends them.
    let _ = send_beacon(url, body);
}

/// The status of an answer; 0 for what is none.
pub(super) fn status(answer: &JsValue) -> u16 {
    json::get(answer, "status").as_f64().unwrap_or_default() as u16
}

/// The answer to a load, or what the service says is wrong.
pub(super) fn answer(shell: &Shell, status: u16, text: &str) -> Result<Answer, String> {
    let answer = json::parse(text);
    if (200..300).contains(&status)
        && let Some(features) = json::variants(shell, &answer, false)
        && let Some(since) = json::text(&answer, "since")
        && let Some(token) = json::text(&answer, "token")
    {
        return Ok(Answer { features, since, token });
    }
    Err(json::text(&answer, "detail").unwrap_or_default())
}

fn send(url: &str, init: &JsValue, body: &str) -> Result<JsValue, JsValue> {
    let _ = Reflect::set(init, &"body".into(), &body.into());
    fetch(url, init)
}

fn await_load(shell: &Shell, number: u32, come: Source, sent: Result<JsValue, JsValue>) {
    await_answer(shell, come, Source::LoadFailure, number, sent);
}

/// What could not even be sent fails like what fails later, and not before this has returned.
fn await_answer(shell: &Shell, come: Source, failed: Source, detail: u32, sent: Result<JsValue, JsValue>) {
    let (come, sent) = match sent {
        Ok(sent) => (come, sent),
        Err(_) => (failed, JsValue::NULL),
    };
    Promise::resolve(&sent).then(&shell.ear(come as u32, detail), &shell.ear(failed as u32, detail));
}
