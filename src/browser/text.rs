//! Texts from JavaScript.

use wasm_bindgen::JsValue;

/// The JavaScript around the core has checked that the value is a string. Plain values need less glue code than `&str`.
pub fn text(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
