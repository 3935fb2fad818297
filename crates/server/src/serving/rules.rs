//! Rules in the format for SDKs that evaluate locally: each feature is complete, with the conditions of its audiences inline.

use flagservice_core::Since;
use flagservice_rules::RulesetFeature;

use crate::serving::compressed::Compressible;
use crate::serving::digest;

/// One feature's rules.
pub struct WrittenRules {
    /// As JSON.
    pub json: Box<str>,
    /// Their share of a digest.
    pub digest: u64,
}

impl WrittenRules {
    /// Writes a feature's rules.
    pub fn new(feature: &RulesetFeature) -> Self {
        // Strings, numbers and lists always serialise; and readers skip a value that is not a feature.
        Self::from_json(&serde_json::to_string(feature).unwrap_or_else(|_| "null".to_owned()))
    }

    /// A feature's rules, as another node has written them.
    pub fn from_json(json: &str) -> Self {
        Self { digest: digest::share(json.bytes()), json: json.into() }
    }
}

/// All rules of an environment at one version.
pub struct Rules {
    /// As JSON: `{"since": "…", "features": […]}`.
    pub json: Compressible,
    /// The point that they stand for.
    pub since: Since,
}

impl Rules {
    /// Writes the rules of all features.
    pub(super) fn new<'a>(features: impl Iterator<Item = &'a WrittenRules>, since: Since) -> Self {
        let features = list("features", features.map(|feature| &*feature.json));
        Self { json: Compressible::new(format!("{{\"since\":\"{since}\",{features}}}")), since }
    }
}

/// What changed, as JSON: `{"features": […], "gone": ["…"]}`, the rules that are new and the keys of features that are gone.
pub(super) fn changes<'a>(features: &[&WrittenRules], gone: impl Iterator<Item = &'a str>) -> String {
    let features = list("features", features.iter().map(|feature| &*feature.json));
    // Keys have no character that JSON escapes.
    let gone: Vec<_> = gone.map(|key| format!("\"{key}\"")).collect();
    format!("{{{features},{}}}", list("gone", gone.iter().map(String::as_str)))
}

/// `"name":[…]`.
fn list<'a>(name: &str, items: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("\"{name}\":[");
    for (place, item) in items.enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(item);
    }
    text.push(']');
    text
}
