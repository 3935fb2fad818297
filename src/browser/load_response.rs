//! Reads the response to a load.

use wasm_bindgen::JsValue;

use super::features;
use super::shell::Shell;
use super::text::text;
use crate::session::LoadResponse;

/// Parses the text of a response. The error is the `detail` that the service gave.
pub(super) fn parse(shell: &Shell, status: u32, response: &JsValue) -> Result<LoadResponse, String> {
    let body = shell.parse_value(response);
    let member = |name| shell.get(&body, name).as_string();
    if (200..300).contains(&status)
        && let Some(values) = features::values(shell, &body, false)
        && let Some(since) = member("since")
        && let Some(token) = member("token")
    {
        let insights = !shell.get(&body, "insights").is_falsy();
        return Ok(LoadResponse { values, since, token, insights });
    }
    Err(text(&shell.get(&body, "detail")))
}
