//! The id of a request, in its response and in the log: the caller's own if it is short and plain, else a new one.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::random::{Random, bytes};

const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken from a caller, in characters.
const MAX_LENGTH: usize = 64;

/// The id of a request.
pub struct RequestId(Option<HeaderValue>);

impl RequestId {
    /// The id from the headers, or a new one if it is too long or has other characters than letters, digits, `-`, `_`, `.` and `:`.
    pub fn from_headers(headers: &HeaderMap, random: &dyn Random) -> Self {
        Self(headers.get(&NAME).filter(|id| is_plain(id)).cloned().or_else(|| {
            let id = uuid::Builder::from_random_bytes(bytes(random)).into_uuid();
            HeaderValue::from_str(id.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer())).ok()
        }))
    }

    /// The id for the log.
    pub fn text(&self) -> &str {
        self.0.as_ref().and_then(|id| id.to_str().ok()).unwrap_or_default()
    }

    /// Adds the id to the response headers.
    pub fn add_to(self, headers: &mut HeaderMap) {
        if let Some(id) = self.0 {
            headers.insert(NAME, id);
        }
    }
}

fn is_plain(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(is_plain)
}
