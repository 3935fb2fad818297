//! Random bytes from the browser.

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &mut [u8]) -> Result<(), JsValue>;
}

/// 128 random bits.
pub(super) fn random_bytes() -> [u8; 16] {
    let mut bytes = [0; 16];
    if get_random_values(&mut bytes).is_err() {
        // Without `crypto`: not cryptographically secure, but still unique enough.
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    bytes
}
