//! Reads JSON and members of JavaScript objects. JavaScript parses; values of the wrong type are ignored.

use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

use super::shell::Shell;
use crate::variants::Variants;

/// Parses JSON; `undefined` if it is invalid.
pub(super) fn parse(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or_default()
}

/// A member of an object; `undefined` if it has none of that name.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// A member of an object that is a string.
pub(super) fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// The member `features` of an object, encoded by the shell. `None` if it is not a map.
pub(super) fn variants(shell: &Shell, object: &JsValue, changes: bool) -> Option<Variants> {
    shell.encode(&get(object, "features"), changes).as_string().map(|text| Variants::parse(&text))
}
