//! The last bundle of each environment in a file, so that an edge starts without its upstream.

use std::io;
use std::path::Path;
use std::sync::Arc;

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::ids::EnvironmentId;
use crate::edge::sealed_files::SealedFiles;
use crate::random::Random;
use crate::sealing::SealingKey;
use crate::secret;
use crate::serving::bundle::Bundle;
use crate::serving::client_limits::ClientLimits;

/// The name of the file with the time of the last message of the upstream.
const LAST_MESSAGE: &str = "last-message";

/// The name of the file with the limits for clients.
const LIMITS: &str = "limits";

/// The files.
pub(super) struct BundleFiles {
    bundles: SealedFiles,
    state: SealedFiles,
}

#[derive(Serialize, Deserialize)]
struct LastMessage {
    /// In milliseconds since 1970.
    at: i64,
}

impl BundleFiles {
    pub(super) fn open(folder: &Path, keys: &Arc<[SealingKey]>, random: &Arc<dyn Random>) -> io::Result<Self> {
        let open = |ending| SealedFiles::open(&folder.join("bundles"), ending, keys, random);
        Ok(Self { bundles: open(".bundle")?, state: open(".state")? })
    }

    /// Reads all bundles. Those that cannot be read are left out: the upstream has them.
    pub(super) fn read(&self) -> Vec<Bundle> {
        let names = self.bundles.names().unwrap_or_default();
        names.iter().filter_map(|name| self.read_one(name)).collect()
    }

    fn read_one(&self, name: &str) -> Option<Bundle> {
        let read = self.bundles.read(name).map_err(|error| error.to_string());
        let plain = read.and_then(|plain| plain.ok_or_else(|| "it belongs to another edge key".to_owned()));
        let bundle = plain.and_then(|plain| serde_json::from_slice(&plain).map_err(|error| error.to_string()));
        bundle.inspect_err(|error| tracing::warn!(error, "a bundle cannot be read; the upstream has it")).ok()
    }

    /// Writes all of an environment.
    pub(super) fn write(&self, bundle: &Bundle) -> io::Result<()> {
        self.bundles.write(&secret::hash(bundle.environment.as_str()), &serde_json::to_vec(bundle)?)
    }

    /// Removes an environment.
    pub(super) fn remove(&self, environment: &EnvironmentId) -> io::Result<()> {
        self.bundles.remove(&secret::hash(environment.as_str()))
    }

    /// When the last message of the upstream came, to some seconds.
    pub(super) fn last_message_at(&self) -> Option<Instant> {
        let plain = self.state.read(LAST_MESSAGE).ok().flatten()?;
        serde_json::from_slice::<LastMessage>(&plain).ok().map(|last| Instant(last.at))
    }

    /// The limits for clients that the upstream had.
    pub(super) fn limits(&self) -> Option<ClientLimits> {
        serde_json::from_slice(&self.state.read(LIMITS).ok().flatten()?).ok()
    }

    /// Writes the limits for clients.
    pub(super) fn write_limits(&self, limits: &ClientLimits) -> io::Result<()> {
        self.state.write(LIMITS, &serde_json::to_vec(limits)?)
    }

    /// Notes when a message of the upstream came.
    pub(super) fn note_message(&self, at: Instant) -> io::Result<()> {
        self.state.write(LAST_MESSAGE, &serde_json::to_vec(&LastMessage { at: at.0 })?)
    }
}
