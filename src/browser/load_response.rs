//! Reads the response to a load.

use wasm_bindgen::JsValue;

use super::features;
use super::shell::Shell;
use crate::session::LoadResponse;

/// Parses the text of a response. The error is the `detail` that the service gave.
pub(super) fn parse(shell: &Shell, status: u32, text: &JsValue) -> Result<LoadResponse, String> {
    let body = shell.parse(&text.as_string().unwrap_or_default());
    let text = |name| shell.get(&body, name).as_string();
    if (200..300).contains(&status)
        && let Some(features) = features::parse(shell, &shell.get(&body, "features"), false)
        && let Some(since) = text("since")
        && let Some(token) = text("token")
    {
        return Ok(LoadResponse { features, since, token });
    }
    Err(text("detail").unwrap_or_default())
}
