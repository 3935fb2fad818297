//! A page with one client of the core, and with the shell that pages use. The test replaces `fetch` to play the service. The
//! client's listeners dispatch events on the window, and gloo-events receives those.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use flagservice_client::{Client, init};
use gloo_events::EventListener;
use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::EventTarget;

#[wasm_bindgen(module = "/dist/.work/headless/shell.js")]
extern "C" {
    #[wasm_bindgen(js_name = shellOf)]
    fn shell_of(client: &JsValue, changed: &JsValue, address: &str, logger: &JsValue) -> JsValue;
}

pub const UNDEFINED: JsValue = JsValue::UNDEFINED;

pub const EVENTS: [&str; 6] = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "EVALUATION"];

/// Passes what the shell tells the core to the client that the test makes.
const HOST: &str = "const host = { client: () => host }; return host";

/// A listener that passes an event of the client on to the window.
const TO_WINDOW: &str =
    "(argument) => dispatchEvent(new CustomEvent(type, { detail: JSON.stringify([name, argument]) }))";

/// What a client is made with.
pub struct Options {
    pub live: bool,
    pub defaults: Value,
    pub integrations: Vec<JsValue>,
}

impl Default for Options {
    fn default() -> Self {
        Self { live: true, defaults: json!({}), integrations: Vec::new() }
    }
}

type Events = Rc<RefCell<Vec<(String, Value)>>>;

pub struct Page {
    pub client: Rc<Client>,
    events: Events,
    _window: EventListener,
}

impl Page {
    /// The service responds to a load with these features, given as JSON.
    pub fn responding(features: &str) -> Self {
        let body = format!(r#"{{"features":{features},"since":"00000000000000aa.1.1","token":"t"}}"#);
        Self::with_fetch(&format!("return Promise.resolve(new Response({body:?}))"))
    }

    /// The service never responds.
    pub fn without_response() -> Self {
        Self::with_fetch("return new Promise(() => {})")
    }

    fn with_fetch(body: &str) -> Self {
        run(&format!("window.fetch = () => {{ {body} }}"));
        Self::with(Options::default())
    }

    pub fn with(Options { live, defaults, integrations }: Options) -> Self {
        let host = run(HOST);
        let client = Reflect::get(&host, &"client".into()).unwrap();
        let (changed, console) = (run("return () => {}"), run("return console"));
        let shell = shell_of(&client, &changed, "http://127.0.0.1/client/v1/js-1/", &console);
        let client = Rc::new_cyclic(|client: &Weak<Client>| {
            let client = client.clone();
            type OnCallback = dyn Fn(usize, u32, u32, JsValue, JsValue, f64, f64);
            let on_callback = move |source, number, index, one, other, now, random| {
                if let Some(client) = client.upgrade() {
                    client.on_callback(source, number, index, one, other, now, random);
                }
            };
            let closure = Closure::<OnCallback>::new(on_callback).into_js_value();
            Reflect::set(&host, &"_onCallback".into(), &closure).unwrap();
            init(
                live,
                false,
                true,
                entries(&defaults).unwrap(),
                integrations.into_iter().collect(),
                shell.unchecked_into(),
            )
        });
        let events = Events::default();
        let window: EventTarget = js_sys::global().unchecked_into();
        let (received, kind) = (Rc::clone(&events), format!("client {}", js_sys::Math::random()));
        let _window = EventListener::new(&window, kind.clone(), move |event| {
            let detail = Reflect::get(event, &"detail".into()).unwrap().as_string().unwrap();
            received.borrow_mut().push(serde_json::from_str(&detail).unwrap());
        });
        for name in EVENTS {
            let listener = run(&format!("const [type, name] = [{kind:?}, {name:?}]; return {TO_WINDOW}"));
            client.on(name.into(), listener, UNDEFINED);
        }
        Self { client, events, _window }
    }

    /// The events so far, with what their listeners were told.
    pub fn events(&self) -> Vec<(String, Value)> {
        self.events.borrow().clone()
    }

    pub fn event_names(&self) -> Vec<String> {
        self.events().into_iter().map(|(name, _)| name).collect()
    }

    /// Sets a user of whom the page knows these features, and the cache these.
    pub fn set_user(&self, id: &str, bootstrap: &Value, cached: &Value) {
        let (bootstrap, cached) = (entries(bootstrap), entries(cached));
        self.client.update_user(id.into(), UNDEFINED, key("js-1", id).into(), bootstrap, cached, UNDEFINED);
    }

    /// Sets a user without known features, and waits until the load has ended.
    pub async fn load(&self, id: &str, attributes: JsValue) {
        let ended = Promise::new(&mut |resolve, _| {
            let entry = key("js-1", id).into();
            self.client.update_user(id.into(), attributes.clone(), entry, None, None, resolve.into());
        });
        self.client.caller_settled();
        JsFuture::from(ended).await.unwrap();
    }

    pub fn value(&self, key: &str) -> String {
        self.client.evaluate(key.into(), false).as_string().unwrap()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.client.close();
    }
}

/// The keys and values of an object in turn; `None` for anything else.
fn entries(map: &Value) -> Option<Array> {
    map.is_object().then(|| {
        let object = JSON::parse(&map.to_string()).unwrap();
        Object::entries(object.unchecked_ref()).flat(1)
    })
}

/// The name of a user's cache entry. Its 16 hexadecimal digits are the first bytes of the id instead of a hash.
pub fn key(api_key: &str, id: &str) -> String {
    let digits: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("flagservice:v1:{api_key}:{digits:0<16.16}")
}

/// The result of a script.
pub fn run(script: &str) -> JsValue {
    Function::new_no_args(script).call0(&UNDEFINED).unwrap()
}

/// The result of a script as JSON.
pub fn json_of(script: &str) -> Value {
    let text = JSON::stringify(&run(script)).unwrap();
    serde_json::from_str(&String::from(text)).unwrap()
}
