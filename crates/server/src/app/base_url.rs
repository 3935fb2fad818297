//! The address that a service is below, as an operator sets it.

use std::fmt;
use std::net::Ipv6Addr;
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
    /// Its port is none.
    Port,
    /// It has a user, a query, a fragment, a blank or the like in it.
    Extra,
}

impl fmt::Display for InvalidBaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "an address begins with https:// or http://",
            Self::Host => "an address names a host, as https://analytics.example does",
            Self::Port => "the port of an address is a number up to 65535",
            Self::Extra => {
                "an address has no user, query, fragment, blank, or other character that has to be escaped in it"
            }
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
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if rest.contains(['?', '#', '@']) || !path.chars().all(stands_in_a_path) {
            return Err(InvalidBaseUrl::Extra);
        }
        let host_ends = authority.rfind(']').map_or_else(|| authority.find(':'), |bracket| Some(bracket + 1));
        let (host, port) = authority.split_at(host_ends.unwrap_or(authority.len()));
        if !is_host(host) {
            return Err(InvalidBaseUrl::Host);
        }
        match port.strip_prefix(':').map(str::parse::<u16>) {
            None if port.is_empty() => {}
            Some(Ok(number)) if number > 0 => {}
            None | Some(_) => return Err(InvalidBaseUrl::Port),
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

/// A name, or an address of IPv4, or one of IPv6 in brackets.
fn is_host(text: &str) -> bool {
    match text.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|inside| inside.parse::<Ipv6Addr>().is_ok()),
        None => {
            let stands = |character: char| character.is_ascii_alphanumeric() || "-._".contains(character);
            !text.is_empty() && text.chars().all(stands)
        }
    }
}

fn stands_in_a_path(character: char) -> bool {
    character.is_ascii_alphanumeric() || "/-._~!$&'()*+,;=:%".contains(character)
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
            ("http://[::1]:8070/a//", "http://[::1]:8070/a"),
            ("https://gateway_1.example:443", "https://gateway_1.example:443"),
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
            ("https://:8070", InvalidBaseUrl::Host),
            ("https://[::1", InvalidBaseUrl::Host),
            ("https://[analytics]", InvalidBaseUrl::Host),
            ("https://analytics.example:", InvalidBaseUrl::Port),
            ("https://analytics.example:0", InvalidBaseUrl::Port),
            ("https://analytics.example:65536", InvalidBaseUrl::Port),
            ("https://analytics.example:port/a", InvalidBaseUrl::Port),
            ("https://[::1]8070", InvalidBaseUrl::Port),
            ("https://key:secret@analytics.example", InvalidBaseUrl::Extra),
            ("https://analytics.example/?a=b", InvalidBaseUrl::Extra),
            ("https://analytics.example/ x", InvalidBaseUrl::Extra),
            ("https://analytics.example/ä", InvalidBaseUrl::Extra),
        ] {
            assert_eq!(text.parse::<BaseUrl>(), Err(why), "{text}");
        }
    }
}
