//! What an edge knows of an environment, as it travels from its upstream: all of it, or what changed from one version to the next.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_core::Key;
use flagservice_rules::{Audiences, CompiledExperiment, CompiledFeature, Condition, RulesetFeature};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::domain::feature::ValueType;
use crate::domain::ids::{EdgeKeyId, EnvironmentId, FeatureId, SdkKeyId};
use crate::domain::sdk_key::KeyKind;
use crate::sealing::{KEY_BYTES, SealingKey};
use crate::serving::rules::WrittenRules;
use crate::serving::snapshot::{EnvironmentSnapshot, FeatureRules, SnapshotEdgeKey, SnapshotFeature, SnapshotKey};
use crate::serving::text_cache::TextCache;

/// The event with a bundle of an environment.
pub const ENVIRONMENT: &str = "environment";

/// The event for an environment that the edge key no longer gives access to.
pub const GONE: &str = "gone";

/// The event after the bundles of all environments, when an edge has connected.
pub const CURRENT: &str = "current";

/// The time between two heartbeats. An edge that misses three connects again: the shorter, the sooner it notices a dead connection.
pub const BEAT_INTERVAL: Duration = Duration::from_millis(400);

/// The data of a heartbeat, of which one also comes before everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beat {
    /// The time to the next one, in milliseconds.
    pub every_ms: u64,
    /// How old the last message of the server is that this node has, in milliseconds. It may have come through other edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_ms: Option<u64>,
}

/// Whether changes since the version `after` continue from what is known.
pub fn continues(after: u64, epoch: u64, known: (u64, u64)) -> bool {
    known == (epoch, after)
}

/// An environment at one version, or its changes since an earlier one. It holds hashes of keys, and no secret except the keys of stream
/// tokens, which open nothing but the stream tokens of this environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// The environment.
    pub environment: EnvironmentId,
    /// Its epoch.
    pub epoch: u64,
    /// Its version.
    pub version: u64,
    /// The version that the features continue from. `None`: these are all features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// The origins that may use its client keys.
    pub allowed_origins: Vec<String>,
    /// The hashes of its client and server keys.
    pub keys: Vec<BundleKey>,
    /// The hashes of the edge keys that reach it.
    pub edge_keys: Vec<BundleEdgeKey>,
    /// The keys of its stream tokens, oldest first.
    pub token_keys: Vec<BundleTokenKey>,
    /// All features, or those that changed.
    pub features: Vec<BundleFeature>,
    /// The keys of features that were removed or archived.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Key>,
}

/// A client key or server key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BundleKey {
    id: SdkKeyId,
    kind: KeyKind,
    hash: String,
}

/// An edge key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BundleEdgeKey {
    id: EdgeKeyId,
    hash: String,
}

/// A key of stream tokens.
#[derive(Clone, Serialize, Deserialize)]
pub struct BundleTokenKey {
    id: u32,
    /// In base64.
    key: String,
}

impl std::fmt::Debug for BundleTokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BundleTokenKey({})", self.id)
    }
}

/// A feature.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleFeature {
    id: FeatureId,
    value_type: ValueType,
    variants: Vec<Key>,
    /// A `RulesetFeature`, as services that evaluate for themselves get it: byte for byte, because digests cover its text.
    rules: Box<RawValue>,
}

/// Why a bundle cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The changes continue from a version that is not known.
    #[error("the changes continue from another version than the known one")]
    Gap,
    /// The rules of a feature cannot be read.
    #[error("the rules of a feature cannot be read: {0}")]
    Rules(#[from] serde_json::Error),
    /// A key of stream tokens is not one.
    #[error("a key of stream tokens does not have {KEY_BYTES} bytes")]
    TokenKey,
}

/// Rules in a bundle have the conditions of their audiences inline.
struct NoAudiences;

impl Audiences for NoAudiences {
    fn conditions(&self, _key: &Key) -> Option<&[Condition]> {
        None
    }
}

impl Bundle {
    /// All of an environment.
    pub fn whole(id: &EnvironmentId, now: &EnvironmentSnapshot, token_keys: &[SealingKey]) -> Self {
        Self::new(id, now, token_keys, None, &now.features, Vec::new())
    }

    /// What changed from one snapshot to the next of the same epoch.
    pub fn changes(
        id: &EnvironmentId,
        before: &EnvironmentSnapshot,
        now: &EnvironmentSnapshot,
        token_keys: &[SealingKey],
    ) -> Self {
        let known: HashMap<_, _> = before.features.iter().map(|feature| (feature.compiled.key(), feature)).collect();
        let is_known = |feature: &Arc<SnapshotFeature>| {
            known.get(feature.compiled.key()).is_some_and(|known| Arc::ptr_eq(known, feature))
        };
        let changed: Vec<_> = now.features.iter().filter(|feature| !is_known(feature)).map(Arc::clone).collect();
        let current: HashSet<_> = now.features.iter().map(|feature| feature.compiled.key()).collect();
        let gone = known.into_keys().filter(|key| !current.contains(key)).cloned().collect();
        Self::new(id, now, token_keys, Some(before.version), &changed, gone)
    }

    fn new(
        id: &EnvironmentId,
        now: &EnvironmentSnapshot,
        token_keys: &[SealingKey],
        after: Option<u64>,
        features: &[Arc<SnapshotFeature>],
        gone: Vec<Key>,
    ) -> Self {
        let key = |SnapshotKey { id, kind, hash }: &SnapshotKey| BundleKey {
            id: id.clone(),
            kind: *kind,
            hash: hash.clone(),
        };
        let edge_key =
            |SnapshotEdgeKey { id, hash }: &SnapshotEdgeKey| BundleEdgeKey { id: id.clone(), hash: hash.clone() };
        let token_key = |key: &SealingKey| BundleTokenKey { id: key.id(), key: STANDARD.encode(key.reveal()) };
        Self {
            environment: id.clone(),
            epoch: now.epoch,
            version: now.version,
            after,
            allowed_origins: now.allowed_origins.clone(),
            keys: now.keys.iter().map(key).collect(),
            edge_keys: now.edge_keys.iter().map(edge_key).collect(),
            token_keys: token_keys.iter().map(token_key).collect(),
            features: features.iter().filter_map(|feature| BundleFeature::of(feature)).collect(),
            gone,
        }
    }

    /// The snapshot that the bundle describes. Changes need the snapshot that they continue from.
    ///
    /// # Errors
    /// When the bundle continues from another snapshot, or cannot be read.
    pub fn snapshot(self, known: Option<&EnvironmentSnapshot>) -> Result<EnvironmentSnapshot, Unusable> {
        let mut features = self.features.iter().map(BundleFeature::compile).collect::<Result<Vec<_>, _>>()?;
        if let Some(after) = self.after {
            let is_before = |known: &&EnvironmentSnapshot| continues(after, self.epoch, (known.epoch, known.version));
            let known = known.filter(is_before).ok_or(Unusable::Gap)?;
            let replaced: HashSet<_> =
                features.iter().map(|feature| feature.compiled.key().clone()).chain(self.gone).collect();
            features
                .extend(known.features.iter().filter(|feature| !replaced.contains(feature.compiled.key())).cloned());
        }
        features.sort_by(|left, right| left.compiled.key().cmp(right.compiled.key()));
        let key = |BundleKey { id, kind, hash }| SnapshotKey { id, kind, hash };
        let edge_key = |BundleEdgeKey { id, hash }| SnapshotEdgeKey { id, hash };
        Ok(EnvironmentSnapshot {
            epoch: self.epoch,
            version: self.version,
            features,
            allowed_origins: self.allowed_origins,
            keys: self.keys.into_iter().map(key).collect(),
            edge_keys: self.edge_keys.into_iter().map(edge_key).collect(),
            unreadable: Vec::new(),
            unreadable_keys: Vec::new(),
            rules: OnceLock::new(),
            bundles: TextCache::default(),
        })
    }

    /// The keys of stream tokens.
    ///
    /// # Errors
    /// When one is not a key.
    pub fn sealing_keys(&self) -> Result<Arc<[SealingKey]>, Unusable> {
        self.token_keys.iter().map(BundleTokenKey::sealing_key).collect()
    }
}

impl BundleTokenKey {
    fn sealing_key(&self) -> Result<SealingKey, Unusable> {
        let bytes = STANDARD.decode(&self.key).ok().and_then(|bytes| bytes.try_into().ok());
        Ok(SealingKey::new(self.id, bytes.ok_or(Unusable::TokenKey)?))
    }
}

impl BundleFeature {
    /// Rules always are JSON.
    fn of(feature: &SnapshotFeature) -> Option<Self> {
        let rules = RawValue::from_string(feature.written.json.clone().into()).ok()?;
        let (id, variants) = (feature.id.clone(), feature.variants().to_vec());
        Some(Self { id, value_type: feature.value_type, variants, rules })
    }

    fn compile(&self) -> Result<Arc<SnapshotFeature>, Unusable> {
        let RulesetFeature { key, salt, targeting, experiment } = serde_json::from_str(self.rules.get())?;
        let rules = FeatureRules {
            compiled: CompiledFeature::compile(&key, &salt, &targeting, &NoAudiences),
            experiment: experiment.map(|experiment| CompiledExperiment::compile(&key, &experiment)),
            written: WrittenRules::from_json(self.rules.get()),
        };
        Ok(Arc::new(SnapshotFeature::new(self.id.clone(), self.value_type, &self.variants, rules)))
    }
}
