//! How many connections are open, in all and from each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

use crate::http::extract::address::{Address, is_trusted};
use crate::http::server::settings::{ConnectionLimits, Settings};

/// Open connections from one address, unless the operator names another number, or permits it more streams.
const PER_ADDRESS: usize = 6_000;

/// The connections of this node.
pub struct Connections {
    all: usize,
    per_address: usize,
    proxies: Box<[IpNet]>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<Address, usize>,
}

impl Connections {
    /// None yet.
    pub fn new(settings: &Settings) -> Self {
        let ConnectionLimits { all, per_address, .. } = settings.connections;
        let per_address = per_address.unwrap_or_else(|| PER_ADDRESS.max(settings.limits.streams_per_address));
        Self { all, per_address, proxies: settings.trusted_proxies.as_slice().into(), open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection as open until the result is dropped. Returns `None` if there are too many.
    pub fn accept(self: &Arc<Self>, peer: IpAddr) -> Option<OpenConnection> {
        // The clients of a proxy are limited by their requests.
        let address = (!is_trusted(peer, &self.proxies)).then(|| Address::from(peer));
        let mut open = self.open();
        let of_address = address.and_then(|address| open.by_address.get(&address)).copied().unwrap_or(0);
        if open.all >= self.all || of_address >= self.per_address {
            return None;
        }
        open.all += 1;
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        drop(open);
        Some(OpenConnection { connections: Arc::clone(self), address })
    }
}

/// Counts one connection as open while it exists.
pub struct OpenConnection {
    connections: Arc<Connections>,
    address: Option<Address>,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        open.all -= 1;
        if let Some(address) = self.address
            && let Some(count) = open.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use super::{Connections, PER_ADDRESS};
    use crate::http::server::settings::Settings;

    /// How many connections an address can have.
    fn room(settings: &Settings) -> usize {
        let connections = Arc::new(Connections::new(settings));
        let accept = || connections.accept(IpAddr::V4(Ipv4Addr::LOCALHOST));
        std::iter::from_fn(accept).collect::<Vec<_>>().len()
    }

    #[test]
    fn an_address_has_room_for_its_streams_unless_the_operator_names_another_limit() {
        let mut settings = Settings::default();
        assert_eq!(room(&settings), PER_ADDRESS);
        settings.limits.streams_per_address = PER_ADDRESS + 1;
        assert_eq!(room(&settings), PER_ADDRESS + 1);
        settings.connections.per_address = Some(3);
        assert_eq!(room(&settings), 3);
    }
}
