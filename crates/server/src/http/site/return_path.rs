//! The page to open after signing in: a path of these pages, never another site's.

use url::{Position, Url};

use crate::http::site::admin_site::may_be_page;

/// The longest path, in bytes. It is in a cookie.
const MAX_PATH: usize = 1_000;

/// Stands for this service, whose own address is not needed.
const SELF: &str = "http://pages.invalid";

/// The path, as browsers read it; the first page for anything else.
pub(super) fn return_path(given: Option<&str>) -> String {
    given.and_then(valid).unwrap_or_else(|| "/".to_owned())
}

fn valid(given: &str) -> Option<String> {
    let own = Url::parse(SELF).ok()?;
    let url = own.join(given).ok()?;
    let path = &url[Position::BeforePath..];
    // After its dots are resolved, a path may begin with two slashes, which name another host.
    let is_page = given.starts_with('/') && !path.starts_with("//") && may_be_page(url.path());
    (is_page && url.origin() == own.origin() && path.len() <= MAX_PATH).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::return_path;

    #[test]
    fn a_path_of_the_pages_is_kept() {
        for path in ["/", "/users", "/projects/shop/features?search=a%20b&tag=c#top", "/projects/..hidden"] {
            assert_eq!(return_path(Some(path)), path);
        }
        assert_eq!(return_path(Some("/projects/Größe")), "/projects/Gr%C3%B6%C3%9Fe");
    }

    #[test]
    fn nothing_leads_to_another_site() {
        for given in [
            "https://evil.example/",
            "//evil.example/",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "\t//evil.example",
            "/.//evil.example",
            "/a/..//evil.example",
            "javascript:alert(1)",
            "users",
            "",
            "/ui/session",
            "/api/v1/me",
        ] {
            assert_eq!(return_path(Some(given)), "/", "{given:?}");
        }
        assert_eq!(return_path(None), "/");
        assert_eq!(return_path(Some(&format!("/{}", "a".repeat(1_000)))), "/");
    }
}
