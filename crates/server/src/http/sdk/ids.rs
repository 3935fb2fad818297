//! The ids that clients give to goals and evaluations, so that each counts once.

/// The allowed length.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=64;

/// Whether a text can be an id.
pub(super) fn is_valid(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    LENGTH.contains(&text.len()) && text.bytes().all(allowed)
}
