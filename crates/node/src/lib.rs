//! The rules as wasm for Node: plain JavaScript data in, plain JavaScript data out.
//!
//! `feature` is what the Node SDK evaluates with, many times a second; the rest is for whole rulesets at once.
//!
//! Nothing is decided here. `JSON.stringify` of what comes out is, byte for byte, what the server writes. Fields that
//! this release does not know are ignored in what comes in: a newer server may send them.

mod feature;

use flagservice_rules::{CompiledRuleset, Condition, Instant, Invalid, Key, RulesetAudience, Targeting, User};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// The features and audiences of one environment, ready for many evaluations.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ruleset(CompiledRuleset);

#[wasm_bindgen]
impl Ruleset {
    /// Compiles `{features: [{key, salt?, targeting}], audiences?: [{key, conditions}]}`.
    ///
    /// # Errors
    /// Data of another shape. An invalid rule is no error: it never matches.
    #[wasm_bindgen(constructor)]
    pub fn new(ruleset: JsValue) -> Result<Self, JsError> {
        read("ruleset", ruleset).map(|ruleset| Self(CompiledRuleset::compile(&ruleset)))
    }

    /// `[{key, variant, reason}]`, in the order of the features, for a user `{id, attributes?}` at a time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// A user of another shape, or a time that is no number.
    pub fn evaluate(&self, user: JsValue, now: f64) -> Result<JsValue, JsError> {
        let user: User = read("user", user)?;
        let evaluations: Vec<_> = self.0.evaluate(&user, instant(now)?).collect();
        Ok(serde_wasm_bindgen::to_value(&evaluations)?)
    }

    /// The next time at which an evaluation can change without a change of the rules; `undefined` when there is none.
    ///
    /// # Errors
    /// A time that is no number.
    #[wasm_bindgen(js_name = nextTurn)]
    pub fn next_turn(&self, now: f64) -> Result<Option<f64>, JsError> {
        Ok(self.0.next_turn(instant(now)?).map(|turn| turn.0 as f64))
    }
}

/// What is to be validated: one feature's targeting, or an audience's conditions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    targeting: Option<Targeting>,
    #[serde(default)]
    variants: Vec<Key>,
    #[serde(default)]
    audiences: Vec<RulesetAudience>,
    conditions: Option<Vec<Condition>>,
}

/// Everything that is wrong with `{targeting, variants, audiences?}` or `{conditions}`, as `[{pointer, detail}]`.
///
/// # Errors
/// Data of another shape.
#[wasm_bindgen]
pub fn validate(written: JsValue) -> Result<JsValue, JsError> {
    let written: Written = read("targeting", written)?;
    let audiences: BTreeMap<_, _> =
        written.audiences.into_iter().map(|audience| (audience.key, audience.conditions)).collect();
    let mut invalid: Vec<Invalid> = Vec::new();
    if let Some(targeting) = written.targeting {
        invalid.extend(flagservice_rules::validate(&targeting, &written.variants, &audiences));
    }
    if let Some(conditions) = written.conditions {
        invalid.extend(flagservice_rules::validate_conditions(&conditions));
    }
    Ok(serde_wasm_bindgen::to_value(&invalid)?)
}

fn read<T: DeserializeOwned>(what: &str, value: JsValue) -> Result<T, JsError> {
    serde_wasm_bindgen::from_value(value).map_err(|error| JsError::new(&format!("the {what} cannot be read: {error}")))
}

fn instant(now: f64) -> Result<Instant, JsError> {
    if now.is_finite() {
        return Ok(Instant(now.floor() as i64));
    }
    Err(JsError::new("the time has to be a number of milliseconds since 1970, such as Date.now()"))
}
