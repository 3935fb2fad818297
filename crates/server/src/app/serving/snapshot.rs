//! What this node knows of every environment, compiled and in memory, so that evaluation never waits for the database.
//!
//! `live` fills it from the outbox; evaluation and streams read it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{self, Duration};

use flagservice_core::{Key, Since};
use flagservice_rules::{CompiledFeature, Instant, User};
use tokio::sync::watch;

use crate::app::serving::digest;
use crate::app::serving::key_uses::LastUse;
use crate::app::serving::rules::{self, Rules, WrittenRules};
use crate::domain::feature::{Feature, ValueType};
use crate::domain::ids::{EnvironmentId, FeatureId, SdkKeyId};
use crate::domain::sdk_key::KeyKind;
use crate::store::UnreadableRow;

/// How much is searched on the threads that serve: the bytes of the compiled patterns times those of the user's texts. The
/// slowest patterns take 5 ms for this.
const MAX_SEARCHED: usize = 40_000_000;

/// How many versions of an environment are kept beside the latest, and for how long. Thousands of streams whose clients read slowly
/// would keep as many versions, each with all features that changed. A stream that is further behind sends all values.
const EARLIER_VERSIONS: usize = 4;
const EARLIER_VERSIONS_FOR: Duration = Duration::from_secs(5);

/// How long a writer waits for this node's snapshot to contain its change before it answers anyway.
const OWN_WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// A feature of an environment, ready to be evaluated.
pub struct SnapshotFeature {
    /// The feature.
    pub id: FeatureId,
    /// Its rules.
    pub compiled: CompiledFeature,
    /// The same as they travel to services that evaluate for themselves.
    pub written: WrittenRules,
    /// The type that typed SDKs give its values.
    pub value_type: ValueType,
    /// The size of the patterns for which its rules search texts, in bytes.
    pattern_bytes: usize,
    /// The variants that it has, served at present or not.
    variants: Box<[Key]>,
    /// What an answer says of each of `compiled`'s variants, in their order.
    values: Vec<Value>,
}

/// A feature with one of its variants, as answers have it: made once, because each load has one of every feature.
struct Value {
    /// `"feature":"variant"`.
    json: Box<str>,
    /// Its share of a digest.
    digest: u64,
}

impl SnapshotFeature {
    /// A feature with its rules.
    pub fn new(feature: &Feature, compiled: CompiledFeature, written: WrittenRules) -> Self {
        let value = |variant: &Key| Value {
            // Keys have no character that JSON escapes.
            json: format!("\"{}\":\"{variant}\"", compiled.key()).into(),
            digest: digest_of_value(compiled.key(), variant),
        };
        let values = compiled.variants().iter().map(value).collect();
        let pattern_bytes = compiled.patterns().bytes();
        let (value_type, variants) = (feature.value_type, feature.variants.clone().into());
        Self { id: feature.id.clone(), compiled, written, value_type, pattern_bytes, variants, values }
    }

    fn value(&self, user: &User, at: Instant) -> Option<&Value> {
        let variant = self.compiled.variant(user, at);
        let place = self.compiled.variants().iter().position(|known| known == variant)?;
        self.values.get(place)
    }
}

/// An environment at one version.
pub struct EnvironmentSnapshot {
    /// Versions of two epochs cannot be compared.
    pub epoch: u64,
    /// Raised by each change.
    pub version: u64,
    /// By key; archived features are not among them.
    pub features: Vec<Arc<SnapshotFeature>>,
    /// Origins allowed to use its client keys; all if empty.
    pub allowed_origins: Vec<String>,
    /// The keys that count.
    pub keys: Vec<SnapshotKey>,
    /// The features that could not be read, and the rows because of which. They are as they were before, if they were known.
    pub unreadable: Vec<(FeatureId, UnreadableRow)>,
    /// The keys that could not be read, and do not count.
    pub unreadable_keys: Vec<UnreadableRow>,
    /// All its rules, written once somebody asks for them.
    pub rules: OnceLock<Rules>,
}

/// A key of an environment that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotKey {
    /// The key.
    pub id: SdkKeyId,
    /// What it is for.
    pub kind: KeyKind,
    /// Of its text.
    pub hash: String,
}

/// A snapshot and the instant for which it was published: time conditions turn with the latter.
#[derive(Clone)]
pub struct Published {
    /// The environment.
    pub snapshot: Arc<EnvironmentSnapshot>,
    /// When evaluation is to be.
    pub at: Instant,
}

impl EnvironmentSnapshot {
    /// Adds every feature's variant for the user to a text, as a JSON object by feature; returns the digest, which tells
    /// these values from others.
    pub fn write_values(&self, user: &User, at: Instant, text: &mut String) -> u64 {
        let mut digest = 0_u64;
        let mut before = '{';
        // A feature always has the variant that it gives.
        for value in self.features.iter().filter_map(|feature| feature.value(user, at)) {
            digest = digest.wrapping_add(value.digest);
            text.push(before);
            text.push_str(&value.json);
            before = ',';
        }
        if before == '{' {
            text.push(before);
        }
        text.push('}');
        digest
    }

    /// The feature with that key.
    pub fn feature(&self, key: &str) -> Option<&SnapshotFeature> {
        let place = self.features.binary_search_by(|feature| feature.compiled.key().as_str().cmp(key)).ok()?;
        self.features.get(place).map(Arc::as_ref)
    }

    /// Whether an evaluation may take long: to search 16 KB for one pattern can take 100 ms, and to search 100 bytes for a
    /// thousand patterns longer.
    pub fn takes_long(&self, user: &User) -> bool {
        let patterns: usize = self.features.iter().map(|feature| feature.pattern_bytes).sum();
        patterns.saturating_mul(user.text_bytes()) > MAX_SEARCHED
    }

    /// Whether a user can have had this variant of the feature.
    pub fn has(&self, feature: &str, variant: &str) -> bool {
        let is_variant = |known: &Key| known.as_str() == variant;
        self.feature(feature).is_some_and(|feature| {
            feature.variants.iter().any(is_variant) || feature.compiled.variants().iter().any(is_variant)
        })
    }

    /// The next instant at which time alone can change a value.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.features.iter().filter_map(|feature| feature.compiled.next_turn(now)).min()
    }

    /// All its rules, for services that evaluate for themselves.
    pub fn rules(&self) -> &Rules {
        self.rules.get_or_init(|| {
            let written = self.features.iter().map(|feature| &feature.written);
            let digest = written.clone().fold(0_u64, |sum, written| sum.wrapping_add(written.digest));
            Rules::new(written, self.since(digest))
        })
    }

    /// The point that values of this snapshot stand for.
    pub fn since(&self, digest: u64) -> Since {
        Since { epoch: self.epoch, version: self.version, digest }
    }
}

/// What changed for a user between two publications: a feature and its variant, none when it is gone.
pub struct Changes<'a> {
    /// Only features whose variant differs, by feature.
    pub variants: Vec<(&'a Key, Option<&'a Key>)>,
    /// Of all the values after the changes.
    pub digest: u64,
}

/// The changes from one publication to the next, evaluating only the features that changed.
pub fn changes<'a>(old: &'a Published, new: &'a Published, user: &User, old_digest: u64) -> Changes<'a> {
    let mut digest = old_digest;
    let mut variants = Vec::new();
    for (gone, come) in side_by_side(&old.snapshot, &new.snapshot) {
        if let (Some(gone), Some(come)) = (gone, come)
            && Arc::ptr_eq(gone, come)
            && come.compiled.next_turn(old.at).is_none_or(|turn| turn > new.at)
        {
            continue;
        }
        let was = gone.map(|feature| (feature.compiled.key(), feature.compiled.variant(user, old.at)));
        let is = come.map(|feature| (feature.compiled.key(), feature.compiled.variant(user, new.at)));
        if was == is {
            continue;
        }
        digest = was.map_or(digest, |(key, variant)| digest.wrapping_sub(digest_of_value(key, variant)));
        digest = is.map_or(digest, |(key, variant)| digest.wrapping_add(digest_of_value(key, variant)));
        if let Some((key, _)) = is.or(was) {
            variants.push((key, is.map(|(_, variant)| variant)));
        }
    }
    Changes { variants, digest }
}

/// The changes of rules from one snapshot to the next, as JSON; none when all are the same.
pub fn changed_rules(old: &EnvironmentSnapshot, new: &EnvironmentSnapshot) -> Option<String> {
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    for pair in side_by_side(old, new) {
        match pair {
            (Some(was), Some(is)) if Arc::ptr_eq(was, is) || was.written.json == is.written.json => {}
            (_, Some(is)) => changed.push(&is.written),
            (Some(was), None) => gone.push(was.compiled.key().as_str()),
            (None, None) => {}
        }
    }
    (!changed.is_empty() || !gone.is_empty()).then(|| rules::changes(&changed, gone.into_iter()))
}

/// Whether a feature has another type.
pub fn types_changed(old: &EnvironmentSnapshot, new: &EnvironmentSnapshot) -> bool {
    side_by_side(old, new).any(|pair| matches!(pair, (Some(was), Some(is)) if was.value_type != is.value_type))
}

/// The features with the same key before and after, in the order of their keys.
fn side_by_side<'a>(
    old: &'a EnvironmentSnapshot,
    new: &'a EnvironmentSnapshot,
) -> impl Iterator<Item = (Option<&'a Arc<SnapshotFeature>>, Option<&'a Arc<SnapshotFeature>>)> {
    let (mut before, mut after) = (old.features.iter().peekable(), new.features.iter().peekable());
    std::iter::from_fn(move || match (before.peek(), after.peek()) {
        (None, None) => None,
        (Some(_), None) => Some((before.next(), None)),
        (None, Some(_)) => Some((None, after.next())),
        (Some(left), Some(right)) => match left.compiled.key().cmp(right.compiled.key()) {
            std::cmp::Ordering::Less => Some((before.next(), None)),
            std::cmp::Ordering::Equal => Some((before.next(), after.next())),
            std::cmp::Ordering::Greater => Some((None, after.next())),
        },
    })
}

fn digest_of_value(key: &Key, variant: &Key) -> u64 {
    digest::share(key.as_str().bytes().chain([0]).chain(variant.as_str().bytes()))
}

/// A key that counts, and the one environment that it reads.
#[derive(Clone, Debug)]
pub struct SdkKeyRef {
    /// The key.
    pub id: SdkKeyId,
    /// Its environment.
    pub environment_id: EnvironmentId,
    /// What it is for.
    pub kind: KeyKind,
    /// When it was last used.
    pub last_use: Arc<LastUse>,
}

#[derive(Clone, Default)]
struct Index {
    environments: HashMap<EnvironmentId, PublishedVersions>,
    keys: HashMap<String, Arc<SdkKeyRef>>,
}

/// The versions of an environment that are in memory.
#[derive(Clone)]
struct PublishedVersions {
    latest: watch::Sender<Published>,
    /// The versions before it, for streams that have not sent its changes yet.
    earlier: Arc<Mutex<VecDeque<EarlierVersion>>>,
}

/// A version that another has replaced.
struct EarlierVersion {
    replaced_at: time::Instant,
    /// Streams know it while it is here.
    _snapshot: Arc<EnvironmentSnapshot>,
}

impl PublishedVersions {
    fn new(published: Published) -> Self {
        Self { latest: watch::Sender::new(published), earlier: Arc::default() }
    }

    fn earlier(&self) -> MutexGuard<'_, VecDeque<EarlierVersion>> {
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, published: Published) {
        let before = Arc::clone(&self.latest.borrow().snapshot);
        if !Arc::ptr_eq(&before, &published.snapshot) {
            let mut earlier = self.earlier();
            earlier.push_back(EarlierVersion { replaced_at: time::Instant::now(), _snapshot: before });
            if earlier.len() > EARLIER_VERSIONS {
                earlier.pop_front();
            }
        }
        self.latest.send_replace(published);
    }
}

/// The snapshots of all environments.
#[derive(Default)]
pub struct Snapshots {
    index: watch::Sender<Arc<Index>>,
}

impl Snapshots {
    /// The key of that kind with this hash, if it counts.
    pub fn key(&self, kind: KeyKind, hash: &str) -> Option<Arc<SdkKeyRef>> {
        self.index.borrow().keys.get(hash).filter(|key| key.kind == kind).cloned()
    }

    /// The environment as it is now, and how to learn of changes.
    pub fn subscribe(&self, environment: &EnvironmentId) -> Option<watch::Receiver<Published>> {
        self.index.borrow().environments.get(environment).map(|versions| versions.latest.subscribe())
    }

    /// The environment as it is now.
    pub fn current(&self, environment: &EnvironmentId) -> Option<Published> {
        self.index.borrow().environments.get(environment).map(|versions| versions.latest.borrow().clone())
    }

    /// All environments that this node knows.
    pub fn environments(&self) -> Vec<EnvironmentId> {
        self.index.borrow().environments.keys().cloned().collect()
    }

    /// Puts a snapshot into force, and tells those who subscribed.
    pub fn publish(&self, environment: &EnvironmentId, published: Published) {
        let index = self.index.borrow().clone();
        let known = index.environments.get(environment);
        let same_keys = known.is_some_and(|known| known.latest.borrow().snapshot.keys == published.snapshot.keys);
        // Keys first: a stream that is woken by the snapshot then sees whether its key still counts.
        if !same_keys {
            let mut changed = Index::clone(&index);
            changed.keys.retain(|_, key| key.environment_id != *environment);
            for SnapshotKey { id, kind, hash } in &published.snapshot.keys {
                // A key that is known keeps what it is known for: open streams have it, too.
                let known = index.keys.get(hash).filter(|known| known.id == *id).cloned();
                let key = known.unwrap_or_else(|| {
                    let (id, environment_id) = (id.clone(), environment.clone());
                    Arc::new(SdkKeyRef { id, environment_id, kind: *kind, last_use: Arc::default() })
                });
                changed.keys.insert(hash.clone(), key);
            }
            if known.is_none() {
                changed.environments.insert(environment.clone(), PublishedVersions::new(published.clone()));
            }
            self.index.send_replace(Arc::new(changed));
        }
        if let Some(known) = known {
            known.publish(published);
        }
    }

    /// Drops the versions that were replaced some time ago.
    pub fn drop_earlier_versions(&self) {
        for versions in self.index.borrow().environments.values() {
            versions.earlier().retain(|version| version.replaced_at.elapsed() < EARLIER_VERSIONS_FOR);
        }
    }

    /// Takes an environment away with its keys; its streams end.
    pub fn remove(&self, environment: &EnvironmentId) {
        let mut changed = Index::clone(&self.index.borrow());
        changed.keys.retain(|_, key| key.environment_id != *environment);
        changed.environments.remove(environment);
        self.index.send_replace(Arc::new(changed));
    }

    /// Waits until this node knows the environment no more.
    pub async fn wait_until_gone(&self, environment: &EnvironmentId) {
        let mut index = self.index.subscribe();
        let gone = index.wait_for(|index| !index.environments.contains_key(environment));
        if tokio::time::timeout(OWN_WRITE_TIMEOUT, gone).await.is_err() {
            tracing::warn!(%environment, "the environment is deleted, but this node still answers for it");
        }
    }

    /// Waits until this node holds the environment at that version or a later one.
    pub async fn wait_for(&self, environment: &EnvironmentId, version: u64) {
        let held = async {
            let mut index = self.index.subscribe();
            let known = index.wait_for(|index| index.environments.contains_key(environment)).await.ok();
            let receiver =
                known.and_then(|index| index.environments.get(environment).map(|versions| versions.latest.subscribe()));
            if let Some(mut receiver) = receiver {
                let _ = receiver.wait_for(|published| published.snapshot.version >= version).await;
            }
        };
        if tokio::time::timeout(OWN_WRITE_TIMEOUT, held).await.is_err() {
            tracing::warn!(%environment, version, "the change is stored, but the snapshot does not hold it yet");
        }
    }
}
