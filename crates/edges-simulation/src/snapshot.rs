//! An environment at one version, as small as the decisions about it need.

use flagservice_client::variants::Variants;
use flagservice_core::Since;
use flagservice_server::serving::edge_feed::Revision;

/// How many client keys the environment has.
pub const KEYS: u32 = 4;

/// An environment at one version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Differs after a restore.
    pub epoch: u64,
    /// Raised by each change.
    pub version: u64,
    /// The client keys that count, one bit each.
    pub keys: u32,
    /// The edge whose edge key is revoked.
    pub revoked_edge: Option<u32>,
}

impl Snapshot {
    /// Whether a client key counts.
    pub fn has_key(&self, key: u32) -> bool {
        self.keys & (1 << key) != 0
    }

    /// Whether this edge may follow.
    pub fn has_edge(&self, edge: u32) -> bool {
        self.revoked_edge != Some(edge)
    }
}

impl Snapshot {
    /// The values of a user: one feature, which changes with each version.
    pub fn values(&self) -> Variants {
        let mut values = Variants::default();
        values.set("feature", if self.version.is_multiple_of(2) { "on" } else { "off" });
        values
    }
}

impl Revision for Snapshot {
    fn version(&self) -> Since {
        Since { epoch: self.epoch, version: self.version, digest: 0 }
    }

    fn since(&self) -> Since {
        let digest = self.epoch.rotate_left(17).wrapping_add(self.version).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Since { epoch: self.epoch, version: self.version, digest }
    }

    fn is_same(&self, other: &Self) -> bool {
        self == other
    }
}
