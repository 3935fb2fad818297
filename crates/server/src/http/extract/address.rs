//! The client address of a request: the peer, or the address that a trusted proxy reports.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use ipnet::IpNet;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Addresses of IPv6 with the same first bits usually belong to one client.
const IPV6_PREFIX_BITS: u32 = 64;

/// The address that limits apply to: of IPv6, the network of the first 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(IpAddr);

impl Address {
    /// The client address of a request that may come through these trusted proxies.
    pub fn from_request(request: &Parts, proxies: &[IpNet]) -> Self {
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        client_address(peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), &request.headers, proxies).into()
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << IPV6_PREFIX_BITS))),
        })
    }
}

/// Whether it is the address of a trusted proxy.
pub fn is_trusted(address: IpAddr, proxies: &[IpNet]) -> bool {
    let address = address.to_canonical();
    proxies.iter().any(|network| network.contains(&address))
}

/// The address that the nearest proxy reports which is not trusted. Anybody can write what stands before it.
fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let mut client = peer;
    let values = headers.get_all(FORWARDED_FOR).iter().map(HeaderValue::as_bytes);
    let values: Vec<_> = values.flat_map(|value| value.split(|byte| *byte == b',')).collect();
    for value in values.into_iter().rev() {
        if !is_trusted(client, proxies) {
            break;
        }
        // A trusted proxy that reports no address is as far as one can see.
        let Some(reported) = parse(value) else { break };
        client = reported;
    }
    client
}

/// An address, which some proxies write with a port.
fn parse(value: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(value).ok()?.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{Address, FORWARDED_FOR, client_address};

    fn address(peer: &str, forwarded: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        client_address(peer.parse().unwrap(), &headers, &["10.0.0.0/8".parse().unwrap()]).to_string()
    }

    #[test]
    fn forwarded_for_counts_only_from_configured_proxies() {
        assert_eq!(address("198.51.100.1", &["203.0.113.9"]), "198.51.100.1");
        assert_eq!(address("10.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(address("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn forged_addresses_before_the_client_address_are_ignored() {
        assert_eq!(address("10.0.0.1", &["192.0.2.1, 203.0.113.9, 10.0.0.2"]), "203.0.113.9");
        assert_eq!(address("10.0.0.1", &["192.0.2.1", "203.0.113.9"]), "203.0.113.9");
    }

    #[test]
    fn forwarded_for_is_read_from_the_right_up_to_the_first_address_that_is_no_trusted_proxy() {
        for forged in ["unknown", "garbage, 192.0.2.1", "10.0.0.9", ",", "\u{e4}"] {
            let value: &'static str = Box::leak(format!("{forged}, 203.0.113.9, 10.0.0.2").into_boxed_str());
            assert_eq!(address("10.0.0.1", &[value]), "203.0.113.9", "{forged}");
        }
        assert_eq!(address("10.0.0.1", &["203.0.113.9, unknown, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(address("10.0.0.1", &["203.0.113.9:4711", "[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(address("10.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(address("::ffff:10.0.0.1", &["203.0.113.9"]), "203.0.113.9");
    }

    #[test]
    fn an_address_of_ipv6_counts_as_its_first_64_bits() {
        let address = |text: &str| Address::from(text.parse::<std::net::IpAddr>().unwrap());
        assert_eq!(address("2001:db8:0:1::1"), address("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(address("2001:db8:0:1::1"), address("2001:db8:0:2::1"));
        assert_eq!(address("::ffff:203.0.113.9"), address("203.0.113.9"));
        assert_ne!(address("203.0.113.9"), address("203.0.113.10"));
    }
}
