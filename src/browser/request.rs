//! Requests to the service: one at a time for loads, which can be given up, and those with goals, which outlive the page.

use std::rc::Rc;

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, RequestCredentials, RequestInit, Response};

use super::answer;
use super::runtime::Runtime;
use crate::goals::Delivery;
use crate::json::push_number;
use crate::session::{Answer, Input, LoadError};

#[wasm_bindgen]
extern "C" {
    /// Not web-sys's, because one that a page has put in its place may throw.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// Asks for the user's values. The controller returned gives the request up.
pub(super) fn load(runtime: &Rc<Runtime>, url: &str, number: u32, body: &str) -> Option<AbortController> {
    let controller = AbortController::new().ok();
    let init = post(body);
    if let Some(controller) = &controller {
        init.set_signal(Some(&controller.signal()));
    }
    let sent = fetch(url, &init);
    let runtime = Rc::clone(runtime);
    spawn_local(async move {
        let result = loaded(sent).await;
        runtime.input(Input::Loaded(number, result));
    });
    controller
}

/// Sends goals, also when the page is gone before the answer.
pub(super) fn send_goals(runtime: &Rc<Runtime>, url: &str, body: &str) {
    let init = post(body);
    let _ = Reflect::set(&init, &"keepalive".into(), &JsValue::TRUE);
    let sent = fetch(url, &init);
    let runtime = Rc::clone(runtime);
    spawn_local(async move {
        let delivery = match answered(sent).await {
            Ok(response) if may_pass(response.status()) => Delivery::Failed,
            Ok(_) => Delivery::Settled,
            Err(_) => Delivery::Failed,
        };
        runtime.input(Input::GoalsEnded(delivery));
    });
}

/// A request without a preflight: a text, no headers of our own, no cookies.
fn post(body: &str) -> RequestInit {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_credentials(RequestCredentials::Omit);
    init.set_body(&body.into());
    init
}

async fn answered(sent: Result<Promise, JsValue>) -> Result<Response, JsValue> {
    Ok(JsFuture::from(sent?).await?.unchecked_into())
}

async fn loaded(sent: Result<Promise, JsValue>) -> Result<Answer, LoadError> {
    let unreachable = |_| LoadError { message: "the service cannot be reached".to_owned(), passing: true };
    let response = answered(sent).await.map_err(unreachable)?;
    let text = JsFuture::from(response.text().map_err(unreachable)?).await.map_err(unreachable)?;
    let text = text.as_string().unwrap_or_default();
    let status = response.status();
    if !response.ok() {
        let mut message = String::from("the service answered ");
        push_number(&mut message, status.into());
        if let Some(detail) = answer::read_text(&text, "detail") {
            message.push_str(": ");
            message.push_str(&detail);
        }
        return Err(LoadError { message, passing: may_pass(status) });
    }
    answer::read_answer(&text)
        .ok_or_else(|| LoadError { message: "the answer of the service is not readable".to_owned(), passing: true })
}

/// Whether a refusal may end by itself: trouble of the server, a timeout, too many requests.
fn may_pass(status: u16) -> bool {
    status >= 500 || status == 408 || status == 429
}

/// Hands goals to the browser, which sends them when the page is gone.
pub(super) fn send_last_goals(url: &str, body: &str) {
    if let Some(window) = web_sys::window() {
        // Too much at once for the browser, or a navigator without beacons: a page that comes back sends them.
        let _ = window.navigator().send_beacon_with_opt_str(url, Some(body));
    }
}
