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
use crate::variants::Variants;

#[wasm_bindgen]
extern "C" {
    /// Not web-sys's, because one that a page has put in its place may throw.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &JsValue) -> Result<Promise, JsValue>;

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
    let _ = Reflect::set(&init, &"signal".into(), &controller.signal());
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
        let (status, text) = answered(sent).await.unwrap_or_default();
        match load {
            Some(number) => {
                let answer = answer(status, &text);
                runtime.happened(|session, moment| session.loaded(moment, number, status, answer));
            }
            None => runtime.happened(|session, moment| session.goals_ended(moment, status)),
        }
    });
}

async fn answered(sent: Result<Promise, JsValue>) -> Result<(u16, String), JsValue> {
    let response: Response = JsFuture::from(sent?).await?.unchecked_into();
    let text = JsFuture::from(response.text()?).await?;
    Ok((response.status(), text.as_string().unwrap_or_default()))
}

/// The answer, or what the service says is wrong.
fn answer(status: u16, text: &str) -> Result<Answer, String> {
    let answer = json::parse(text);
    if (200..300).contains(&status)
        && let Some(features) = json::merge(&answer, Variants::default())
        && let Some(since) = json::text(&answer, "since")
        && let Some(token) = json::text(&answer, "token")
    {
        return Ok(Answer { features, since, token });
    }
    Err(json::text(&answer, "detail").unwrap_or_default())
}
