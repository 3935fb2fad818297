//! How often features are evaluated, and which features are stale.

use std::collections::BTreeMap;
use std::time::Duration;

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::goal::{InvalidField, is_valid_id};

/// How many hours are shown.
pub const HOURS: usize = 24;

/// How many days are shown, and after how many days a feature is stale.
pub const DAYS: usize = 30;

/// After which time a feature is stale: no evaluation since, or only one variant.
pub const STALE_AFTER: Duration = Duration::from_hours(24 * DAYS as u64);

/// The most evaluations of a variant in one summary.
const MAX_COUNT: u64 = u32::MAX as u64;

/// How often features were evaluated, by feature and variant.
pub type Evaluations = BTreeMap<String, BTreeMap<String, u64>>;

/// What evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ClientKind {
    /// A page in a browser. Its counts are estimates from a sample.
    Browser,
    /// A service with a server key. Its counts are exact.
    Server,
}

impl ClientKind {
    /// The name in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Server => "server",
        }
    }
}

impl TryFrom<String> for ClientKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let kind = [Self::Browser, Self::Server].into_iter().find(|kind| kind.as_str() == text);
        kind.ok_or_else(|| format!("no kind of client '{text}'"))
    }
}

/// The evaluations of one client, or of several of a kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationSummary {
    /// A summary that is sent again has the same id.
    pub id: String,
    /// Which clients.
    pub client: ClientKind,
    /// When it was received.
    pub at: Instant,
    /// What they evaluated.
    pub evaluations: Evaluations,
}

impl EvaluationSummary {
    /// Refuses a summary that cannot be counted.
    ///
    /// # Errors
    /// The field, and why.
    pub fn check(&self) -> Result<(), InvalidField> {
        if !is_valid_id(&self.id) {
            let detail = "Evaluations need an id of 8 to 64 letters, digits, '-' or '_', so that they count once.";
            return Err(("id", detail.to_owned()));
        }
        if self.evaluations.values().flat_map(BTreeMap::values).any(|count| *count > MAX_COUNT) {
            return Err(("evaluations", format!("Send at most {MAX_COUNT} evaluations of a variant in one request.")));
        }
        Ok(())
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let of_variants =
            |variants: &BTreeMap<String, u64>| variants.keys().map(|key| key.len() + size_of::<u64>()).sum::<usize>();
        let counts = self.evaluations.iter().map(|(feature, variants)| feature.len() + of_variants(variants));
        size_of::<Self>() + self.id.len() + counts.sum::<usize>()
    }
}

/// Adds evaluations to others.
pub fn add(sum: &mut Evaluations, more: Evaluations) {
    for (feature, variants) in more {
        let known = sum.entry(feature).or_default();
        for (variant, count) in variants {
            *known.entry(variant).or_default() += count;
        }
    }
}

/// What is known of a feature's evaluations in an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureInsights {
    /// The feature.
    pub feature_key: String,
    /// The first evaluation.
    pub first_at: Option<Instant>,
    /// The last evaluation.
    pub last_at: Option<Instant>,
    /// Why it may no longer be needed.
    pub stale: Option<Stale>,
}

/// Why a feature may no longer be needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stale {
    /// Nobody has evaluated it since.
    NotEvaluated {
        /// The last evaluation, or when the feature was created.
        since: Instant,
    },
    /// Everybody got the same variant.
    SameVariant {
        /// The variant.
        variant: String,
        /// Begin of the first day that was looked at on which it was evaluated.
        since: Instant,
    },
}

/// When a feature was created, and first and last evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// When it was created.
    pub created_at: Instant,
    /// The first and the last evaluation.
    pub evaluated: Option<(Instant, Instant)>,
}

/// Why a feature may no longer be needed, if it may. `variants` are those of the last [`DAYS`], each with the first day that has it.
pub fn staleness(seen: Seen, variants: &[(String, Instant)], now: Instant) -> Option<Stale> {
    let is_long_ago = |at: Instant| at.0 <= now.0.saturating_sub(STALE_AFTER.as_millis() as i64);
    match (seen.evaluated, variants) {
        (None, _) => is_long_ago(seen.created_at).then_some(Stale::NotEvaluated { since: seen.created_at }),
        (Some((_, last)), _) if is_long_ago(last) => Some(Stale::NotEvaluated { since: last }),
        (Some((first, _)), [(variant, since)]) if is_long_ago(first) => {
            Some(Stale::SameVariant { variant: variant.clone(), since: *since })
        }
        _ => None,
    }
}
