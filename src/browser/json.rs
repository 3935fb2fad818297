//! Reading JSON from the service and from the cache, and members of the host's objects: the host parses, and only what has
//! the right shape is taken.

use js_sys::{Array, JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::features::GONE;
use crate::variants::{Variants, is_separator};

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

/// The member `features` of an object: texts, and with changes [`GONE`] where it says `null`. An entry of another kind is
/// passed over, so that it does not take all others with it. `None` when it is no object.
pub(super) fn variants(object: &JsValue, changes: bool) -> Option<Variants> {
    let features = get(object, "features");
    if !features.is_object() || Array::is_array(&features) {
        return None;
    }
    let mut variants = Variants::default();
    let parts = Object::entries(features.unchecked_ref()).flat(1);
    for place in (0..parts.length()).step_by(2) {
        let key = parts.get(place).as_string()?;
        let variant = parts.get(place + 1);
        let text = if changes && variant.is_null() { Some(GONE.to_owned()) } else { variant.as_string() };
        if let Some(text) = text
            && (changes || text != GONE)
            && !key.bytes().chain(text.bytes()).any(is_separator)
        {
            variants.set(&key, &text);
        }
    }
    Some(variants)
}
