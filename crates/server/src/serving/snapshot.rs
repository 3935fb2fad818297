//! An environment at one version, compiled: what it gives a user, and what changed from one version to the next.

use std::sync::{Arc, OnceLock, Weak};

use flagservice_core::{Key, Since};
use flagservice_rules::{CompiledExperiment, CompiledFeature, ConditionResults, Instant, User};

use crate::domain::feature::ValueType;
use crate::domain::ids::{EdgeKeyId, FeatureId, SdkKeyId};
use crate::domain::sdk_key::KeyKind;
use crate::domain::unreadable_row::UnreadableRow;
use crate::serving::digest;
use crate::serving::rules::{self, Rules, WrittenRules};
use crate::serving::text_cache::TextCache;

/// How much is searched on the threads that serve: the bytes of the compiled patterns times those of the user's texts. The
/// slowest patterns take 5 ms for this.
const MAX_SEARCHED: usize = 40_000_000;

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
    /// The experiment that runs with it; none if none runs.
    experiment: Option<CompiledExperiment>,
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

/// The rules of a feature, compiled.
pub struct FeatureRules {
    /// Its targeting.
    pub compiled: CompiledFeature,
    /// The experiment that runs with it; none if none runs.
    pub experiment: Option<CompiledExperiment>,
    /// The same as they travel to services that evaluate for themselves.
    pub written: WrittenRules,
}

impl SnapshotFeature {
    /// A feature with its rules.
    pub fn new(id: FeatureId, value_type: ValueType, variants: &[Key], rules: FeatureRules) -> Self {
        let FeatureRules { compiled, experiment, written } = rules;
        let value = |variant: &Key| Value {
            // Keys have no character that JSON escapes.
            json: format!("\"{}\":\"{variant}\"", compiled.key()).into(),
            digest: digest_of_value(compiled.key(), variant),
        };
        let values = compiled.variants().iter().map(value).collect();
        let of_experiment = experiment.as_ref().map_or(0, |experiment| experiment.patterns().bytes());
        let pattern_bytes = compiled.patterns().bytes() + of_experiment;
        Self { id, compiled, written, value_type, experiment, pattern_bytes, variants: variants.into(), values }
    }

    /// The variants that it has, served at present or not.
    pub fn variants(&self) -> &[Key] {
        &self.variants
    }

    fn value(&self, user: &User, at: Instant, results: &mut ConditionResults) -> Option<&Value> {
        self.values.get(self.compiled.variant_place(user, at, results))
    }

    /// What clients report of its experiment: its key, the user's segment, and the run. None if the user does not take part.
    fn experiment_entry(&self, user: &User, at: Instant, results: &mut ConditionResults) -> Option<&str> {
        self.experiment.as_ref().and_then(|experiment| experiment.entry(&self.compiled, user, at, results))
    }

    /// The next instant at which time alone can change what a user is given.
    fn next_turn(&self, now: Instant) -> Option<Instant> {
        let of_experiment = self.experiment.as_ref().and_then(|experiment| experiment.next_turn(now));
        self.compiled.next_turn(now).into_iter().chain(of_experiment).min()
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
    /// The edge keys that reach it.
    pub edge_keys: Vec<SnapshotEdgeKey>,
    /// The features that could not be read, and the rows because of which. They are as they were before, if they were known.
    pub unreadable: Vec<(FeatureId, UnreadableRow)>,
    /// The keys that could not be read, and do not count.
    pub unreadable_keys: Vec<UnreadableRow>,
    /// All its rules, written once somebody asks for them.
    pub rules: OnceLock<Rules>,
    /// What edges were sent of it.
    pub bundles: TextCache<BundleKey>,
}

/// What a bundle of an environment is about.
pub struct BundleKey {
    /// The version from which its changes continue. `None`: it is all of the environment.
    pub since: Option<Weak<EnvironmentSnapshot>>,
    /// The newest key of stream tokens.
    pub token_key: Option<u32>,
}

impl PartialEq for BundleKey {
    fn eq(&self, other: &Self) -> bool {
        let is_same = match (&self.since, &other.since) {
            (Some(one), Some(other)) => one.ptr_eq(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same && self.token_key == other.token_key
    }
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

/// An edge key that reaches an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotEdgeKey {
    /// The key.
    pub id: EdgeKeyId,
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
    /// Adds the members of a JSON object to a text: `features`, every feature's variant for the user, and `experiments`, the features
    /// with an experiment in which the user takes part, if there are any. Returns the digest, which tells these values from others.
    pub fn write_values(&self, user: &User, at: Instant, text: &mut String) -> u64 {
        let mut digest = 0_u64;
        let mut results = ConditionResults::default();
        let mut experiments = Vec::new();
        text.push_str("\"features\":");
        let mut before = '{';
        for feature in &self.features {
            // A feature always has the variant that it gives.
            let Some(value) = feature.value(user, at, &mut results) else { continue };
            digest = digest.wrapping_add(value.digest);
            text.push(before);
            text.push_str(&value.json);
            before = ',';
            experiments.extend(feature.experiment_entry(user, at, &mut results));
        }
        if before == '{' {
            text.push(before);
        }
        text.push('}');
        if !experiments.is_empty() {
            digest = experiments.iter().fold(digest, |digest, entry| digest.wrapping_add(digest_of_experiment(entry)));
            write_experiments(&experiments, text);
        }
        digest
    }

    /// The features with an experiment in which the user takes part.
    fn experiments(&self, user: &User, at: Instant) -> Vec<&str> {
        let mut results = ConditionResults::default();
        self.features.iter().filter_map(|feature| feature.experiment_entry(user, at, &mut results)).collect()
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
        self.features.iter().filter_map(|feature| feature.next_turn(now)).min()
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
    /// The features with an experiment in which the user takes part, if these are other ones than before.
    pub experiments: Option<Vec<&'a str>>,
    /// Of all the values after the changes.
    pub digest: u64,
}

/// The changes from one publication to the next, evaluating only the features that changed.
pub fn changes<'a>(old: &'a Published, new: &'a Published, user: &User, old_digest: u64) -> Changes<'a> {
    let mut digest = old_digest;
    let mut variants = Vec::new();
    let mut other_experiments = false;
    for (gone, come) in side_by_side(&old.snapshot, &new.snapshot) {
        if let (Some(gone), Some(come)) = (gone, come)
            && Arc::ptr_eq(gone, come)
            && come.next_turn(old.at).is_none_or(|turn| turn > new.at)
        {
            continue;
        }
        let left = gone.and_then(|feature| feature.experiment_entry(user, old.at, &mut ConditionResults::default()));
        let joined = come.and_then(|feature| feature.experiment_entry(user, new.at, &mut ConditionResults::default()));
        if left != joined {
            other_experiments = true;
            digest = left.map_or(digest, |entry| digest.wrapping_sub(digest_of_experiment(entry)));
            digest = joined.map_or(digest, |entry| digest.wrapping_add(digest_of_experiment(entry)));
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
    let experiments = other_experiments.then(|| new.snapshot.experiments(user, new.at));
    Changes { variants, experiments, digest }
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

/// Adds the member `experiments` of a JSON object to a text. Its entries have no character that JSON escapes.
fn write_experiments(entries: &[&str], text: &mut String) {
    text.push_str(",\"experiments\":");
    for (place, entry) in entries.iter().enumerate() {
        text.push_str(if place == 0 { "[\"" } else { ",\"" });
        text.push_str(entry);
        text.push('"');
    }
    text.push(']');
}

fn digest_of_experiment(entry: &str) -> u64 {
    digest::share(entry.bytes().chain([1]))
}

fn digest_of_value(key: &Key, variant: &Key) -> u64 {
    digest::share(key.as_str().bytes().chain([0]).chain(variant.as_str().bytes()))
}
