//! The URL of a webhook. Its path and query are secret: they are often all that the service behind it asks for.

use std::fmt;
use std::net::IpAddr;

use percent_encoding::percent_decode_str;
use url::{Host, Position, Url};

use crate::app::delivery::reach::Reach;

/// The most characters of a URL.
const MOST: usize = 2_000;

/// The fewest characters of a part that is secret by itself. If shorter ones were, no text could be read.
const SECRET_PART: usize = 4;

/// The URL of a webhook. Only its origin is ever shown.
#[derive(Clone, PartialEq, Eq)]
pub struct HookUrl(Url);

impl HookUrl {
    /// Checks a URL that somebody enters.
    ///
    /// # Errors
    /// Why it cannot be used, without the URL.
    pub fn parse(text: &str, reach: &Reach) -> Result<Self, String> {
        if text.chars().count() > MOST {
            return Err(format!("A URL has at most {MOST} characters."));
        }
        let url =
            Url::parse(text).map_err(|error| format!("This is not a URL: {error}. Copy it from the receiver."))?;
        let https = match url.scheme() {
            "https" => true,
            "http" if reach.allows_http() => false,
            _ => return Err("The URL must begin with https://.".to_owned()),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err("The URL must not contain a user or a password. Use a secret in its path instead.".to_owned());
        }
        if url.fragment().is_some() {
            return Err("The URL must not contain a fragment (#): it would not be sent.".to_owned());
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err("The URL must name a host.".to_owned()),
        };
        if literal.is_some_and(|address| !reach.permits(address, https)) {
            return Err(
                "The URL leads to a private address, which webhooks must not reach. Use a public address, or ask \
                        the operator to permit the network with --private-destination."
                    .to_owned(),
            );
        }
        Ok(Self(url))
    }

    /// A URL that was stored after [`HookUrl::parse`]; none for anything else.
    pub(in crate::app) fn stored(text: &str) -> Option<Self> {
        Url::parse(text).ok().filter(Url::has_host).map(Self)
    }

    /// The whole URL, for the request.
    pub fn reveal(&self) -> &str {
        self.0.as_str()
    }

    /// Its scheme, host and port, which are no secret.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// What is secret in it: its path, its query and their parts, as they are sent and decoded. The path `/` is none.
    pub fn secrets(&self) -> Vec<String> {
        let (path, query) = (self.0.path(), self.0.query().unwrap_or_default());
        let wholes = [self.0.as_str(), &self.0[Position::BeforePath..], path, query];
        let wholes = wholes.into_iter().filter(|whole| whole.len() > 1).map(str::to_owned);
        // A name without a value may be the secret itself.
        let values = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
        let parts = path.split('/').chain(values).flat_map(|part| {
            let decoded = percent_decode_str(part).decode_utf8_lossy().into_owned();
            [part.to_owned(), decoded.replace('+', " "), decoded]
        });
        wholes.chain(parts.filter(|part| part.chars().count() >= SECRET_PART)).collect()
    }
}

impl fmt::Debug for HookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HookUrl({}/…)", self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::HookUrl;
    use crate::app::delivery::reach::Reach;

    fn refusal(text: &str, reach: &Reach) -> String {
        HookUrl::parse(text, reach).unwrap_err()
    }

    #[test]
    fn a_url_is_shown_by_its_origin_only() {
        let url = HookUrl::parse("https://hooks.example:8443/services/T0/B1?key=x", &Reach::default()).unwrap();
        assert_eq!(url.origin(), "https://hooks.example:8443");
        assert_eq!(format!("{url:?}"), "HookUrl(https://hooks.example:8443/…)");
        assert_eq!(HookUrl::parse("https://hooks.example", &Reach::default()).unwrap().secrets().len(), 1);
    }

    #[test]
    fn the_path_the_query_and_their_parts_are_secret_as_sent_and_decoded() {
        let text = "https://hooks.example/services/T0/a%2Fb%20c?key=d%3De+f&0123456789&x=1";
        let secrets = HookUrl::parse(text, &Reach::default()).unwrap().secrets();
        for secret in [
            text,
            "/services/T0/a%2Fb%20c",
            "key=d%3De+f&0123456789&x=1",
            "services",
            "a%2Fb%20c",
            "a/b c",
            "d%3De+f",
            "d=e+f",
            "d=e f",
            "0123456789",
        ] {
            assert!(secrets.iter().any(|known| known == secret), "{secret} in {secrets:?}");
        }
        // Without short words, a response could not be read.
        assert!(secrets.iter().all(|known| known.len() >= 4), "{secrets:?}");
    }

    #[test]
    fn unusable_urls_are_refused_with_the_reason_and_without_the_url() {
        let long = format!("https://hooks.example/{}", "secret".repeat(400));
        for (text, part) in [
            ("secret", "not a URL"),
            ("http://hooks.example/secret", "begin with https"),
            ("ftp://hooks.example/secret", "begin with https"),
            ("https://ada:secret@hooks.example/", "user or a password"),
            ("https://hooks.example/a#secret", "fragment"),
            (long.as_str(), "at most"),
        ] {
            let refused = refusal(text, &Reach::default());
            assert!(refused.contains(part) && !refused.contains("hooks.example"), "{text}: {refused}");
        }
    }

    #[test]
    fn private_addresses_are_refused_however_they_are_written() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "10.0.0.1",
            "169.254.169.254",
            "192.168.0.1:8443",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[fd00::1]",
            "１２７.0.0.1",
        ] {
            let refused = refusal(&format!("https://{host}/path"), &Reach::default());
            assert!(refused.contains("private address"), "{host}: {refused}");
        }
    }

    #[test]
    fn http_needs_a_network_that_the_operator_permits() {
        let reach = Reach::with(vec!["10.1.0.0/16".parse().unwrap()]);
        for url in ["http://10.1.2.3/hook", "https://10.1.2.3/hook", "http://hooks.internal/hook", "https://1.1.1.1/"] {
            assert!(HookUrl::parse(url, &reach).is_ok(), "{url}");
        }
        for url in ["http://10.2.0.1/hook", "http://1.1.1.1/", "https://127.0.0.1/"] {
            assert!(HookUrl::parse(url, &reach).is_err(), "{url}");
        }
    }
}
