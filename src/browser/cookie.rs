//! The cookie that links an anonymous user to the server-side SDK.

use flagservice_core::anonymous_id::STORAGE_NAME;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

const ATTRIBUTES: &str = "; Path=/; SameSite=Lax; Max-Age=31536000";

/// The value of the cookie.
pub(super) fn read() -> Option<String> {
    let cookies = document()?.cookie().ok()?;
    cookies.split("; ").find_map(|cookie| Some(cookie.strip_prefix(STORAGE_NAME)?.strip_prefix('=')?.to_owned()))
}

/// Sets the cookie for a year.
pub(super) fn write(value: &str) {
    if let Some(document) = document() {
        let secure = document.location().and_then(|location| location.protocol().ok());
        let secure = if secure.as_deref() == Some("https:") { "; Secure" } else { "" };
        // A document that may have no cookies (a sandboxed frame) goes without the link.
        let _ = document.set_cookie(&[STORAGE_NAME, "=", value, ATTRIBUTES, secure].concat());
    }
}

fn document() -> Option<HtmlDocument> {
    Some(web_sys::window()?.document()?.unchecked_into())
}
