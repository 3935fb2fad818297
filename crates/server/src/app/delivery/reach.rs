//! Which addresses webhooks may reach. People enter their URLs, so that without this the server would be a way into the
//! network that it is in.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// IANA's special-purpose IPv4 networks, multicast, and what is reserved.
const SPECIAL_V4: [Ipv4Net; 15] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
];

/// The IPv6 network from which public addresses come.
const PUBLIC_V6: Ipv6Net = v6([0x2000, 0], 3);

/// Its special-purpose networks: Teredo and others, documentation, 6to4, documentation.
const SPECIAL_V6: [Ipv6Net; 4] =
    [v6([0x2001, 0], 23), v6([0x2001, 0x0db8], 32), v6([0x2002, 0], 16), v6([0x3fff, 0], 20)];

const fn v4([a, b, c, d]: [u8; 4], length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6([first, second]: [u16; 2], length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), length)
}

/// Which addresses webhooks may reach: public ones over https, and those that the operator permits over http, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    permitted: Vec<IpNet>,
}

impl Reach {
    /// Public addresses and these networks.
    pub fn with(permitted: Vec<IpNet>) -> Self {
        Self { permitted }
    }

    /// Whether the operator permits any network, and so http.
    pub fn allows_http(&self) -> bool {
        !self.permitted.is_empty()
    }

    /// Whether a request may go to this address.
    pub fn permits(&self, address: IpAddr, https: bool) -> bool {
        // An IPv4 address can be written as one of IPv6.
        let address = address.to_canonical();
        self.permitted.iter().any(|network| network.contains(&address)) || (https && is_public(address))
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            PUBLIC_V6.contains(&address) && !SPECIAL_V6.iter().any(|network| network.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reach;

    const PRIVATE: [&str; 26] = [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.31.255.255",
        "192.0.0.170",
        "192.168.1.1",
        "198.19.255.255",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "fc00::1",
        "fe80::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
    ];

    #[test]
    fn private_and_special_addresses_are_refused() {
        for address in PRIVATE {
            assert!(!Reach::default().permits(address.parse().unwrap(), true), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_reached_over_https_only() {
        for address in
            ["1.1.1.1", "100.63.255.255", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2001:4860:4860::8888"]
        {
            assert!(Reach::default().permits(address.parse().unwrap(), true), "{address}");
            assert!(!Reach::default().permits(address.parse().unwrap(), false), "{address}");
        }
    }

    #[test]
    fn networks_that_the_operator_permits_are_reached_over_http_too() {
        let reach = Reach::with(vec!["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for (address, permitted) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("10.2.0.1", false),
            ("fd12::1", true),
            ("fc12::1", false),
            ("127.0.0.1", false),
        ] {
            assert_eq!(reach.permits(address.parse().unwrap(), false), permitted, "{address}");
            assert_eq!(reach.permits(address.parse().unwrap(), true), permitted, "{address}");
        }
    }
}
