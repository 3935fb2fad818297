//! Requests to the service: for loads, which can be given up, and with goals, which outlive the page.

use std::rc::Rc;

use js_sys::{Promise, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, Response};

use super::json;
use super::runtime::Runtime;
use crate::session::Answer;

#[wasm_bindgen]
extern "C" {
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
pub(super) fn load(runtime: &Rc<Runtime>, url: &str, number: u32, body: &str) -> Option<AbortController> {
    let controller = AbortController::new().ok()?;
    let init = json::parse(LOAD);
    let _ = Reflect::set(&init, &"signal".into(), &json::get(&controller, "signal"));
    send(runtime, url, &init, body, Some(number));
    Some(controller)
}

/// Sends goals, also when the page is gone before the answer.
pub(super) fn send_goals(runtime: &Rc<Runtime>, url: &str, body: &str) {
    send(runtime, url, &json::parse(GOALS), body, None);
}

/// Hands goals to the browser, which sends them when the page is gone.
pub(super) fn send_last_goals(url: &str, body: &str) {
    // Too much at once for the browser, or no beacons in it: a page that comes back sends them.
    let _ = send_beacon(url, body);
}

/// Sends a body, and tells the session how it was answered: the load of this number, or goals.
fn send(runtime: &Rc<Runtime>, url: &str, init: &JsValue, body: &str, load: Option<u32>) {
    let _ = Reflect::set(init, &"body".into(), &body.into());
    let sent = fetch(url, init);
    let runtime = Rc::clone(runtime);
    spawn_local(async move {
        let (mut status, mut text) = (0, None);
        if let Ok(sent) = sent
            && let Ok(response) = JsFuture::from(Promise::resolve(&sent)).await
        {
            let response: Response = response.unchecked_into();
            if let Ok(body) = response.text()
                && let Ok(body) = JsFuture::from(body).await
            {
                status = json::get(&response, "status").as_f64().unwrap_or_default() as u16;
                text = body.as_string();
            }
        }
        ended(&runtime, load, status, &text.unwrap_or_default());
    });
}

fn ended(runtime: &Rc<Runtime>, load: Option<u32>, status: u16, text: &str) {
    runtime.happened(&mut |session, moment| match load {
        Some(number) => session.loaded(moment, number, status, answer(status, text)),
        None => session.goals_ended(moment, status),
    });
}

/// The answer, or what the service says is wrong.
fn answer(status: u16, text: &str) -> Result<Answer, String> {
    let answer = json::parse(text);
    if (200..300).contains(&status)
        && let Some(features) = json::variants(&answer, false)
        && let Some(since) = json::text(&answer, "since")
        && let Some(token) = json::text(&answer, "token")
    {
        return Ok(Answer { features, since, token });
    }
    Err(json::text(&answer, "detail").unwrap_or_default())
}
