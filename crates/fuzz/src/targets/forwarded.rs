//! The address of a client behind proxies: the peer's four bytes, and lines of `X-Forwarded-For`.
//!
//! - A peer that is no trusted proxy is the client, whatever the header says.
//! - The client is the peer or one of the addresses in the header.
//! - What anybody writes before the address of a client that is no proxy changes nothing.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request};
use flagservice_server::fuzzing::Address;
use ipnet::{IpNet, Ipv4Net};

const HEADER: &str = "x-forwarded-for";
const PEER_BYTES: usize = 4;
/// An address that no trusted network contains, which a forger writes first.
const FORGED: &str = "192.0.2.1, ";

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let Some((peer, header)) = data.split_first_chunk::<PEER_BYTES>() else { return };
    let peer = IpAddr::V4(Ipv4Addr::from(*peer));
    let lines: Vec<_> = header.split(|byte| *byte == b'\n').collect();
    let Some(client) = client(peer, &lines) else { return };
    if !trusted(peer) {
        assert_eq!(client, Address::from(peer), "an unknown peer cannot name another client");
    }
    let reported: Vec<_> = lines.iter().flat_map(|line| line.split(|byte| *byte == b',')).filter_map(address).collect();
    let candidates: Vec<_> =
        reported.iter().copied().chain([peer]).filter(|one| Address::from(*one) == client).collect();
    assert!(!candidates.is_empty(), "{client:?} is neither the peer nor in the header");
    // A list whose addresses are all proxies' can be continued to the left.
    if candidates.iter().all(|one| !trusted(one.to_canonical())) {
        for forged in [FORGED.as_bytes(), b"10.0.0.9, ", b"garbage, ", b","] {
            let first = [forged, lines.first().copied().unwrap_or_default()].concat();
            let forged: Vec<_> = std::iter::once(first.as_slice()).chain(lines.iter().skip(1).copied()).collect();
            assert_eq!(self::client(peer, &forged), Some(client), "a forged address before the client's counts");
        }
    }
}

fn client(peer: IpAddr, lines: &[&[u8]]) -> Option<Address> {
    let mut request = Request::builder().extension(ConnectInfo(SocketAddr::new(peer, 1)));
    for line in lines {
        request = request.header(HEADER, HeaderValue::from_bytes(line).ok()?);
    }
    let (parts, ()) = request.body(()).ok()?.into_parts();
    Some(Address::from_request(&parts, &proxies()))
}

/// 10.0.0.0/8, as in the guide.
fn proxies() -> Vec<IpNet> {
    Ipv4Net::new(Ipv4Addr::new(10, 0, 0, 0), 8).into_iter().map(IpNet::from).collect()
}

fn trusted(address: IpAddr) -> bool {
    matches!(address, IpAddr::V4(address) if address.octets()[0] == 10)
}

/// An address of the header, with or without a port.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?.trim();
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}
