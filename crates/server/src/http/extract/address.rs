//! The client address of a request: the peer, or the address that a trusted proxy reports.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::IpNet;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address that rate limits apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(pub IpAddr);

impl Address {
    /// The client address of a request that may come through these trusted proxies.
    pub fn from_request(request: &Parts, proxies: &[IpNet]) -> Self {
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Self(client_address(peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), &request.headers, proxies))
    }
}

/// The last address that is not a trusted proxy. Anybody can forge the addresses before it.
fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let trusted = |address: &IpAddr| proxies.iter().any(|network| network.contains(address));
    if !trusted(&peer) {
        return peer;
    }
    let values = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let chain: Vec<IpAddr> =
        values.flat_map(|value| value.split(',')).map_while(|part| part.trim().parse().ok()).collect();
    chain.iter().rev().find(|address| !trusted(address)).or(chain.first()).copied().unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{FORWARDED_FOR, client_address};

    fn address(peer: &str, forwarded: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(value));
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
}
