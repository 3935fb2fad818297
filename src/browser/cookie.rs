//! The cookie that links an anonymous user to the server-side SDK.

use flagservice_core::anonymous_id::STORAGE_NAME;
use flagservice_core::cut::cut;
use js_sys::Reflect;

use super::json;
use super::page::document;

const ATTRIBUTES: &str = "; Path=/; SameSite=Lax; Max-Age=31536000";

/// The value of the cookie; empty without one.
pub fn read() -> String {
    let cookies = json::text(&document(), "cookie").unwrap_or_default();
    let mut rest = cookies.as_str();
    while !rest.is_empty() {
        let cookie = cut(&mut rest, b';').trim_ascii_start();
        if let Some(value) = cookie.strip_prefix(STORAGE_NAME).and_then(|value| value.strip_prefix('=')) {
            return value.to_owned();
        }
    }
    String::new()
}

/// Sets the cookie for a year.
pub fn write(value: &str) {
    let secure = json::text(&document(), "URL").is_some_and(|url| url.starts_with("https:"));
    let secure = if secure { "; Secure" } else { "" };
    let cookie = [STORAGE_NAME, "=", value, ATTRIBUTES, secure].concat();
    // A document that may have no cookies (a sandboxed frame) goes without the link.
    let _ = Reflect::set(&document(), &"cookie".into(), &cookie.into());
}
