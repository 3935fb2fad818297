//! Reading JSON from the service and from the cache, and members of the host's objects: the host parses, and only what has
//! the right shape is taken.

use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

use super::shell::Shell;
use crate::variants::Variants;

/// What a JSON text says; `undefined` when it is none.
pub(super) fn parse(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or_default()
}

/// A member of an object; `undefined` without one.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// A text of an object.
pub(super) fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// The member `features` of an object, as the shell reads it. `None` when it is no map.
pub(super) fn variants(shell: &Shell, object: &JsValue, changes: bool) -> Option<Variants> {
    shell.flat(&get(object, "features"), changes).as_string().map(|flat| Variants::parse(&flat))
}
