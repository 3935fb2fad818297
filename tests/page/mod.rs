//! A page with one client, whose service is what the test puts in the place of `fetch`.
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
      ear: (...from) => (value) => shell.heard(...from, value),
      flat: (map) => (map && map.constructor === Object ? Object.entries(map).flat().join('\\0') : undefined),
    };
    return shell";

pub struct Page {
    pub client: Rc<Client>,
    told: Rc<RefCell<Vec<String>>>,
    ended: Promise,
}

impl Page {
    /// The service answers a load with these features, as JSON.
    pub fn answering(features: &str) -> Self {
        let answer = format!(r#"{{"features":{features},"since":"00000000000000aa.1.1","token":"t"}}"#);
        Self::with(&format!("return Promise.resolve(new Response({answer:?}))"))
    }

    /// The service never answers.
    pub fn unanswered() -> Self {
        Self::with("return new Promise(() => {})")
    }

    fn with(fetch: &str) -> Self {
        run(&format!("window.fetch = () => {{ {fetch} }}"));
        let told = Rc::new(RefCell::new(Vec::new()));
        let shell = run(SHELL);
        let set = |name: &str, function: JsValue| Reflect::set(&shell, &name.into(), &function).unwrap();
        let ended = Promise::new(&mut |resolve, _| {
            let told = Rc::clone(&told);
            let emit = move |event: usize, _text: String| {
                told.borrow_mut().push(EVENTS[event].to_owned());
                if EVENTS[event] == "LOAD_ENDED" {
                    resolve.call0(&UNDEFINED).unwrap();
                }
            };
            set("emit", Closure::<dyn Fn(usize, String)>::new(emit).into_js_value());
        });
        let client = Rc::new_cyclic(|client: &Weak<Client>| {
            let client = client.clone();
            let heard = move |source: u32, detail: u32, value: JsValue| {
                if let Some(client) = client.upgrade() {
                    client.heard(source, detail, &value);
                }
            };
            set("heard", Closure::<dyn Fn(u32, u32, JsValue)>::new(heard).into_js_value());
            Client::new("http://127.0.0.1/client/v1/js-1/".into(), false, "".into(), shell.clone().unchecked_into())
        });
        Self { client, told, ended }
    }

    pub fn told(&self) -> Vec<String> {
        self.told.borrow().clone()
    }

    pub async fn settled(&self) {
        JsFuture::from(self.ended.clone()).await.unwrap();
    }

    /// A user of whom nothing is known yet enters, and is loaded.
    pub async fn enter(&self, id: &str, attributes: JsValue) {
        self.client.enter(id.into(), attributes, key("js-1", id).into(), UNDEFINED, UNDEFINED);
        self.client.returned();
        self.settled().await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.client.close();
    }
}

/// Where the entry of a user stands: with 16 hexadecimal digits, which here are made of the id's first bytes.
pub fn key(api_key: &str, id: &str) -> String {
    let digits: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("flagservice:v1:{api_key}:{digits:0<16.16}")
}

pub fn run(script: &str) -> JsValue {
    Function::new_no_args(script).call0(&UNDEFINED).unwrap()
}
