//! The address that a service is below, as an operator sets it.

use std::fmt;
use std::str::FromStr;

/// An address such as `https://flags.example/tools`, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(String);

/// Why a text is no such address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidBaseUrl {
    /// It begins with neither `http://` nor `https://`.
    Scheme,
    /// It names no host.
    Host,
    /// It has a user, a query, a fragment or a blank in it.
    Extra,
}

impl fmt::Display for InvalidBaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "an address begins with https:// or http://",
            Self::Host => "an address names a host, as https://analytics.example does",
            Self::Extra => "an address has no user, query, fragment or blank in it",
        })
    }
}

impl std::error::Error for InvalidBaseUrl {}

impl BaseUrl {
    /// The address's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its scheme and host, as a browser names the origin of a page there.
    pub fn origin(&self) -> &str {
        let host = self.0.find("://").map_or(0, |end| end + 3);
        let path = self.0.get(host..).and_then(|rest| rest.find('/'));
        path.and_then(|path| self.0.get(..host + path)).unwrap_or(&self.0)
    }

    /// Whether all that goes there is encrypted.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for BaseUrl {
    type Err = InvalidBaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidBaseUrl> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let rest = rest.ok_or(InvalidBaseUrl::Scheme)?;
        if rest
            .chars()
            .any(|character| "?#@".contains(character) || character.is_whitespace() || character.is_control())
        {
            return Err(InvalidBaseUrl::Extra);
        }
        if rest.starts_with(['/', ':']) || rest.is_empty() {
            return Err(InvalidBaseUrl::Host);
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseUrl, InvalidBaseUrl};

    #[test]
    fn an_address_is_taken_without_the_slash_at_its_end() {
        for (text, kept) in [
            ("https://analytics.example", "https://analytics.example"),
            ("http://127.0.0.1:8070/", "http://127.0.0.1:8070"),
            ("https://gateway.example/eu/", "https://gateway.example/eu"),
        ] {
            assert_eq!(text.parse::<BaseUrl>().unwrap().as_str(), kept);
        }
    }

    #[test]
    fn an_addresss_origin_is_its_scheme_and_host() {
        for (text, origin) in [
            ("https://flags.example", "https://flags.example"),
            ("https://flags.example:8443/tools/flags", "https://flags.example:8443"),
            ("http://127.0.0.1:7300/", "http://127.0.0.1:7300"),
        ] {
            assert_eq!(text.parse::<BaseUrl>().unwrap().origin(), origin);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (text, why) in [
            ("analytics.example", InvalidBaseUrl::Scheme),
            ("ftp://analytics.example", InvalidBaseUrl::Scheme),
            ("https://", InvalidBaseUrl::Host),
            ("https:///path", InvalidBaseUrl::Host),
            ("https://key:secret@analytics.example", InvalidBaseUrl::Extra),
            ("https://analytics.example/?a=b", InvalidBaseUrl::Extra),
            ("https://analytics.example/ x", InvalidBaseUrl::Extra),
        ] {
            assert_eq!(text.parse::<BaseUrl>(), Err(why), "{text}");
        }
    }
}
