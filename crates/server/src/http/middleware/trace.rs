//! W3C trace context: the trace that a request belongs to.

use axum::http::HeaderMap;

const TRACEPARENT: &str = "traceparent";

/// The trace id, 32 hexadecimal digits, from a well-formed `traceparent` header.
pub fn trace_id(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(TRACEPARENT).iter();
    let (value, None) = (values.next()?.to_str().ok()?, values.next()) else { return None };
    let mut parts = value.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    // Later versions may have more parts; version 00 may not.
    let well_formed = hex(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
    let ids = [(trace, 32), (parent, 16)];
    let named = ids.iter().all(|(id, length)| hex(id, *length) && id.bytes().any(|byte| byte != b'0'));
    (well_formed && named && hex(flags, 2)).then_some(trace)
}

fn hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{TRACEPARENT, trace_id};

    fn trace_of(values: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(TRACEPARENT, HeaderValue::from_static(value));
        }
        trace_id(&headers).map(str::to_owned)
    }

    #[test]
    fn the_trace_id_is_read_from_a_well_formed_header() {
        const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(trace_of(&["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]).as_deref(), Some(TRACE));
        assert_eq!(
            trace_of(&["cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes"]).as_deref(),
            Some(TRACE)
        );
    }

    #[test]
    fn malformed_headers_are_ignored() {
        for wrong in [
            "",
            "alice",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-alice@example.com0000000000000000-00f067aa0ba902b7-01",
        ] {
            assert_eq!(trace_of(&[wrong]), None, "{wrong}");
        }
        let twice = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(trace_of(&[twice, twice]), None);
    }
}
