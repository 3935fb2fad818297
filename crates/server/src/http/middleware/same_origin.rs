//! Rejects requests that pages of other sites send from a person's browser.

use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};

use crate::app::BaseUrl;
use crate::http::problem::Problem;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Rejects requests that a browser reports as coming from another site. Other programs do not send these headers.
///
/// # Errors
/// A problem of status 403.
pub fn check(parts: &Parts, public: Option<&BaseUrl>) -> Result<(), Problem> {
    let from_here = |site: &[u8]| site == b"same-origin" || (site == b"none" && parts.method.is_safe());
    let site_fits = parts.headers.get(SEC_FETCH_SITE).is_none_or(|site| from_here(site.as_bytes()));
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let own = |origin: &str| is_own(origin, host, public);
    let origin_fits = parts.headers.get(header::ORIGIN).is_none_or(|origin| origin.to_str().is_ok_and(own));
    if site_fits && origin_fits {
        return Ok(());
    }
    let detail = "Only pages of this service's own origin can use this path. Open them at the address in --public-url, \
                  and let proxies forward the Host header.";
    Err(Problem::new(StatusCode::FORBIDDEN, "other-origin", detail))
}

/// Whether the origin is the public address of the service or the host of the request.
fn is_own(origin: &str, host: &str, public: Option<&BaseUrl>) -> bool {
    if public.is_some_and(|public| public.origin().eq_ignore_ascii_case(origin)) {
        return true;
    }
    // Behind a proxy that terminates TLS, only the public address has the scheme.
    let plain = origin.strip_prefix("http://").filter(|_| !public.is_some_and(BaseUrl::is_https));
    let rest = origin.strip_prefix("https://").or(plain);
    !host.is_empty() && rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn an_origin_is_own_if_it_is_the_public_address_or_the_requested_host() {
        let http = Some("http://127.0.0.1:7300".parse().unwrap());
        let https = Some("https://flags.example/tools".parse().unwrap());
        for (origin, host, public, own) in [
            ("http://127.0.0.1:7300", "127.0.0.1:7300", &http, true),
            ("http://localhost:7300", "localhost:7300", &http, true),
            ("https://flags.example", "flags.example", &http, true),
            ("https://flags.example", "10.0.0.7:7300", &https, true),
            ("https://FLAGS.example", "flags.example", &https, true),
            ("http://flags.example", "flags.example", &https, false),
            ("https://flags.example.evil.example", "flags.example", &https, false),
            ("https://evil.example", "flags.example", &https, false),
            ("https://flags.example:8443", "flags.example", &https, false),
            ("null", "flags.example", &https, false),
            ("null", "null", &None, false),
            ("https://", "", &None, false),
            ("http://127.0.0.1:7301", "127.0.0.1:7300", &None, false),
        ] {
            assert_eq!(is_own(origin, host, public.as_ref()), own, "{origin} at {host}, {public:?}");
        }
    }
}
