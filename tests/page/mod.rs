//! A page with one client. The test replaces `fetch` to play the service.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use flagservice_client::Client;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

pub const UNDEFINED: JsValue = JsValue::UNDEFINED;

const EVENTS: [&str; 6] = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "LOAD_ENDED"];

const SHELL: &str = "
    const shell = {
      callback: (source, detail) => (value) => shell.onCallback(source, detail, value),
      encode: (map) => (map && map.constructor === Object ? Object.entries(map).flat().join('\\0') : undefined),
    };
    return shell";

pub struct Page {
    pub client: Rc<Client>,
    events: Rc<RefCell<Vec<String>>>,
    load_ended: Promise,
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
        let events = Rc::new(RefCell::new(Vec::new()));
        let shell = run(SHELL);
        let set = |name: &str, function: JsValue| Reflect::set(&shell, &name.into(), &function).unwrap();
        let load_ended = Promise::new(&mut |resolve, _| {
            let events = Rc::clone(&events);
            let emit = move |event: usize, _text: String| {
                events.borrow_mut().push(EVENTS[event].to_owned());
                if EVENTS[event] == "LOAD_ENDED" {
                    resolve.call0(&UNDEFINED).unwrap();
                }
            };
            set("emit", Closure::<dyn Fn(usize, String)>::new(emit).into_js_value());
        });
        let client = Rc::new_cyclic(|client: &Weak<Client>| {
            let client = client.clone();
            let on_callback = move |source: u32, detail: u32, value: JsValue| {
                if let Some(client) = client.upgrade() {
                    client.on_callback(source, detail, &value);
                }
            };
            set("onCallback", Closure::<dyn Fn(u32, u32, JsValue)>::new(on_callback).into_js_value());
            Client::new("http://127.0.0.1/client/v1/js-1/".into(), false, "".into(), shell.clone().unchecked_into())
        });
        Self { client, events, load_ended }
    }

    pub fn events(&self) -> Vec<String> {
        self.events.borrow().clone()
    }

    /// Sets a user without known features, and waits until the load has ended.
    pub async fn load(&self, id: &str, attributes: JsValue) {
        self.client.set_user(id.into(), attributes, key("js-1", id).into(), UNDEFINED, UNDEFINED);
        self.client.caller_settled();
        JsFuture::from(self.load_ended.clone()).await.unwrap();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.client.close();
    }
}

/// The name of a user's cache entry. Its 16 hexadecimal digits are the first bytes of the id instead of a hash.
pub fn key(api_key: &str, id: &str) -> String {
    let digits: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("flagservice:v1:{api_key}:{digits:0<16.16}")
}

pub fn run(script: &str) -> JsValue {
    Function::new_no_args(script).call0(&UNDEFINED).unwrap()
}
