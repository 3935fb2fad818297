//! A feature in OpenFeature's terms: a typed value, its variant, and the reason.

use flagservice_core::variant;
use flagservice_rules::{Basis, Instant, User};
use serde::Serialize;

use crate::domain::feature::ValueType;
use crate::serving::snapshot::SnapshotFeature;

/// An evaluation.
#[derive(Serialize)]
pub struct Flag<'a> {
    key: &'a str,
    value: Value<'a>,
    variant: &'a str,
    reason: &'static str,
}

/// The type depends on the feature, not the variant: a provider rejects a value that has another type than the default.
#[derive(Serialize)]
#[serde(untagged)]
enum Value<'a> {
    Boolean(bool),
    String(&'a str),
}

impl<'a> Flag<'a> {
    /// Evaluates a feature for a user at a time.
    pub fn evaluate(feature: &'a SnapshotFeature, user: &User, at: Instant) -> Self {
        let evaluation = feature.compiled.evaluate(user, at);
        let variant = evaluation.variant.as_str();
        let value = match feature.value_type {
            ValueType::Boolean => Value::Boolean(variant == variant::ON),
            ValueType::String => Value::String(variant),
        };
        let reason = reason(feature.compiled.basis(evaluation.reason));
        Self { key: feature.compiled.key().as_str(), value, variant, reason }
    }
}

/// The protocol has no reason for "no rule matches".
fn reason(basis: Basis) -> &'static str {
    match basis {
        Basis::Off => "DISABLED",
        Basis::Everyone => "STATIC",
        Basis::NoMatch => "UNKNOWN",
        Basis::Conditions => "TARGETING_MATCH",
        Basis::Split => "SPLIT",
    }
}
