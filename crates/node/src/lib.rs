//! The rules as wasm for Node. Input and output are plain JavaScript data.
//!
//! The Node SDK evaluates with `feature`, many times a second. The rest handles whole rulesets.
//!
//! All logic is in `flagservice_rules`. `JSON.stringify` of the output equals, byte for byte, what the server writes.
//! Unknown fields in the input are ignored: a newer server may send them.

mod feature;

use flagservice_rules::{CompiledRuleset, Condition, Instant, Key, RulesetAudience, Targeting, User, Violation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// The compiled features and audiences of one environment.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ruleset(CompiledRuleset);

#[wasm_bindgen]
impl Ruleset {
    /// Compiles `{features: [{key, salt?, targeting}], audiences?: [{key, conditions}]}`.
    ///
    /// # Errors
    /// Data of another shape. An invalid rule is not an error: it never matches.
    #[wasm_bindgen(constructor)]
    pub fn new(ruleset: JsValue) -> Result<Self, JsError> {
        read("ruleset", ruleset).map(|ruleset| Self(CompiledRuleset::compile(&ruleset)))
    }

    /// `[{key, variant, reason}]` in the order of the features, for a user `{id, attributes?}` at a time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// A user of another shape, or a time that is not a finite number.
    pub fn evaluate(&self, user: JsValue, now: f64) -> Result<JsValue, JsError> {
        let user: User = read("user", user)?;
        let evaluations: Vec<_> = self.0.evaluate(&user, instant(now)?).collect();
        Ok(serde_wasm_bindgen::to_value(&evaluations)?)
    }

    /// The next time at which a time condition can change an evaluation; `undefined` if there is none.
    ///
    /// # Errors
    /// A time that is not a finite number.
    #[wasm_bindgen(js_name = nextTurn)]
    pub fn next_turn(&self, now: f64) -> Result<Option<f64>, JsError> {
        Ok(self.0.next_turn(instant(now)?).map(|turn| turn.0 as f64))
    }
}

/// The targeting of a feature or the conditions of an audience.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    targeting: Option<Targeting>,
    #[serde(default)]
    variants: Vec<Key>,
    #[serde(default)]
    audiences: Vec<RulesetAudience>,
    conditions: Option<Vec<Condition>>,
}

/// All violations of `{targeting, variants, audiences?}` or `{conditions}`, as `[{pointer, detail}]`.
///
/// # Errors
/// Data of another shape.
#[wasm_bindgen]
pub fn validate(input: JsValue) -> Result<JsValue, JsError> {
    let input: Input = read("targeting", input)?;
    let audiences: BTreeMap<_, _> =
        input.audiences.into_iter().map(|audience| (audience.key, audience.conditions)).collect();
    let mut violations: Vec<Violation> = Vec::new();
    if let Some(targeting) = input.targeting {
        violations.extend(flagservice_rules::validate(&targeting, &input.variants, &audiences));
    }
    if let Some(conditions) = input.conditions {
        violations.extend(flagservice_rules::validate_conditions(&conditions));
    }
    Ok(serde_wasm_bindgen::to_value(&violations)?)
}

fn read<T: DeserializeOwned>(what: &str, value: JsValue) -> Result<T, JsError> {
    serde_wasm_bindgen::from_value(value).map_err(|error| JsError::new(&format!("invalid {what}: {error}")))
}

fn instant(now: f64) -> Result<Instant, JsError> {
    if now.is_finite() {
        return Ok(Instant(now.floor() as i64));
    }
    Err(JsError::new("the time must be a number of milliseconds since 1970, such as Date.now()"))
}
