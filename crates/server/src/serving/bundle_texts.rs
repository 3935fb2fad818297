//! Bundles as they travel to edges. Each is written and compressed once, however many edges follow.

use std::sync::Arc;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::domain::ids::EnvironmentId;
use crate::sealing::SealingKey;
use crate::serving::bundle::Bundle;
use crate::serving::compressed::{gzip, unpack};
use crate::serving::snapshot::{BundleKey, EnvironmentSnapshot};

/// Smaller bundles are not compressed.
const MIN_BYTES: usize = 4096;

/// A bundle that is compressed.
#[derive(Serialize, Deserialize)]
struct Packed {
    /// JSON, compressed with gzip, in base64.
    gzip: Option<String>,
}

/// The text of all of an environment.
pub fn whole(id: &EnvironmentId, now: &EnvironmentSnapshot, token_keys: &[SealingKey]) -> Arc<str> {
    let key = BundleKey { since: None, token_key: token_keys.last().map(SealingKey::id) };
    now.bundles.text(key, || write(&Bundle::whole(id, now, token_keys)))
}

/// The text of what changed from one version to the next.
pub fn changes(
    id: &EnvironmentId,
    before: &Arc<EnvironmentSnapshot>,
    now: &EnvironmentSnapshot,
    token_keys: &[SealingKey],
) -> Arc<str> {
    let key = BundleKey { since: Some(Arc::downgrade(before)), token_key: token_keys.last().map(SealingKey::id) };
    now.bundles.text(key, || write(&Bundle::changes(id, before, now, token_keys)))
}

/// Writes a bundle.
fn write(bundle: &Bundle) -> String {
    // Strings, numbers and lists always serialise; an edge that cannot read a bundle asks for all of the environment.
    let json = serde_json::to_string(bundle).unwrap_or_default();
    if json.len() < MIN_BYTES {
        return json;
    }
    let packed = Packed { gzip: Some(STANDARD.encode(gzip(json.as_bytes()))) };
    serde_json::to_string(&packed).unwrap_or(json)
}

/// Reads a bundle.
///
/// # Errors
/// When the text is no bundle.
pub fn read(text: &str) -> anyhow::Result<Bundle> {
    let Packed { gzip } = serde_json::from_str(text)?;
    let Some(gzip) = gzip else { return Ok(serde_json::from_str(text)?) };
    let json = unpack(&STANDARD.decode(gzip)?).context("it cannot be unpacked")?;
    Ok(serde_json::from_slice(&json)?)
}
