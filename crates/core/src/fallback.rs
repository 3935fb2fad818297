//! The value of a feature when several sources have one.

use crate::variant::OFF;

/// The value of one feature: as received from the service, else from the page's bootstrap, else cached for this user, else the
/// caller's default, else `off`.
pub fn fallback<'a>(
    received: Option<&'a str>,
    bootstrap: Option<&'a str>,
    cached: Option<&'a str>,
    default: Option<&'a str>,
) -> &'a str {
    received.or(bootstrap).or(cached).or(default).unwrap_or(OFF)
}

#[cfg(test)]
mod tests {
    use super::fallback;

    #[test]
    fn each_source_is_the_fallback_of_the_one_before_it() {
        assert_eq!(fallback(Some("a"), Some("b"), Some("c"), Some("d")), "a");
        assert_eq!(fallback(None, Some("b"), Some("c"), Some("d")), "b");
        assert_eq!(fallback(None, None, Some("c"), Some("d")), "c");
        assert_eq!(fallback(None, None, None, Some("d")), "d");
        assert_eq!(fallback(None, None, None, None), "off");
    }
}
