//! The cookie that links an anonymous user to the server-side SDK.

use flagservice_core::anonymous_id::STORAGE_NAME;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

const ATTRIBUTES: &str = "; Path=/; SameSite=Lax; Max-Age=31536000";

/// The value of the cookie.
pub fn read() -> Option<String> {
    let cookies = document()?.cookie().ok()?;
    let value = |cookie: &str| Some(cookie.trim_start().strip_prefix(STORAGE_NAME)?.strip_prefix('=')?.to_owned());
    cookies.split(';').find_map(value)
}

/// Sets the cookie for a year.
pub fn write(value: &str) {
    if let Some(document) = document() {
        let secure = document.url().is_ok_and(|url| url.starts_with("https:"));
        let secure = if secure { "; Secure" } else { "" };
        // A document that may have no cookies (a sandboxed frame) goes without the link.
        let _ = document.set_cookie(&[STORAGE_NAME, "=", value, ATTRIBUTES, secure].concat());
    }
}

fn document() -> Option<HtmlDocument> {
    Some(web_sys::window()?.document()?.unchecked_into())
}
