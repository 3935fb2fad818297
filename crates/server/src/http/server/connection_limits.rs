//! How many connections are open, in all and from each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

use crate::http::extract::address::{Address, is_trusted};
use crate::http::server::settings::{ConnectionLimits, Settings};

/// The connections of this node.
pub struct Connections {
    limits: ConnectionLimits,
    proxies: Box<[IpNet]>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<Address, usize>,
}

impl Connections {
    /// None yet. An address may always have a connection for each of its streams.
    pub fn new(settings: &Settings) -> Self {
        let mut limits = settings.connections;
        limits.per_address = limits.per_address.max(settings.limits.streams_per_address);
        Self { limits, proxies: settings.trusted_proxies.as_slice().into(), open: Mutex::default() }
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
        if open.all >= self.limits.all || of_address >= self.limits.per_address {
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
