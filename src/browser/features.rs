//! Maps of feature key to variant, from JavaScript and to it.

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::shell::Shell;
use super::text::text;
use crate::features::REMOVED;
use crate::json::push_variants;
use crate::variants::Variants;

/// Reads an object; `None` if it is not a map.
pub(super) fn parse(shell: &Shell, map: &JsValue, changes: bool) -> Option<Variants> {
    shell.entries(map).map(|entries| from_entries(&entries, changes))
}

/// Reads keys and variants in turn. Values that are not variants are skipped. In `changes`, `null` removes a feature.
pub fn from_entries(entries: &Array, changes: bool) -> Variants {
    let mut variants = Variants::default();
    for index in (0..entries.length()).step_by(2) {
        let value = entries.get(index + 1);
        let variant = text(&value);
        if variant != REMOVED || changes && value == JsValue::NULL {
            variants.set(&text(&entries.get(index)), &variant);
        }
    }
    variants
}

/// A new object. JSON is safe for keys such as `__proto__`.
pub(super) fn object(shell: &Shell, variants: &Variants) -> JsValue {
    let mut text = String::new();
    push_variants(&mut text, variants, usize::MAX);
    shell.parse(&text)
}
