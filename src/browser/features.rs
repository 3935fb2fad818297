//! Maps of feature key to variant, from JavaScript and to it.

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::shell::Shell;
use super::text::text;
use crate::features::REMOVED;
use crate::json::push_variants;
use crate::session::Values;
use crate::variants::Variants;

/// Reads what the service or another tab has sent about a user; `None` if there are no features. The experiments are a list, and in
/// messages of other tabs an object with the indices.
pub(super) fn values(shell: &Shell, data: &JsValue, changes: bool) -> Option<Values> {
    let (features, experiments) = (shell.get(data, "features"), shell.get(data, "experiments"));
    let parse = |value| shell.entries(value).map(|entries| from_entries(&entries, changes));
    if Array::is_array(&features) {
        return None;
    }
    Some(Values { features: parse(&features)?, experiments: parse(&experiments) })
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
