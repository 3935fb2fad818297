//! Single features for the Node SDK. A user crosses into wasm once, as JSON; an evaluation returns only a number.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flagservice_rules::{
    CompiledExperiment, CompiledFeature, Condition, ConditionResults, Instant, Key, RulesetFeature, User,
};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::read;

thread_local! {
    static USER: RefCell<User> = RefCell::default();
}

/// Sets the user, as JSON, for the evaluations that follow.
///
/// # Errors
/// JSON that is not a user. The previous user stays.
#[wasm_bindgen(js_name = setUser)]
pub fn set_user(json: &str) -> Result<(), JsError> {
    let user: User = serde_json::from_str(json).map_err(|error| JsError::new(&format!("invalid user: {error}")))?;
    USER.set(user);
    Ok(())
}

/// A compiled feature.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Feature {
    compiled: CompiledFeature,
    /// The experiment that runs with it, if one does.
    experiment: Option<CompiledExperiment>,
}

#[wasm_bindgen]
impl Feature {
    /// Compiles `{key, salt?, targeting, experiment?: {run?, audience?, segments?}}`. Saved audiences must be written inline.
    ///
    /// # Errors
    /// Data of another shape. An invalid rule is not an error: it never matches.
    #[wasm_bindgen(constructor)]
    pub fn new(feature: JsValue) -> Result<Self, JsError> {
        let feature: RulesetFeature = read("feature", feature)?;
        let no_audiences = BTreeMap::<Key, Vec<Condition>>::new();
        Ok(Self {
            compiled: CompiledFeature::compile(&feature.key, &feature.salt, &feature.targeting, &no_audiences),
            experiment: feature.experiment.map(|experiment| CompiledExperiment::compile(&feature.key, &experiment)),
        })
    }

    /// The variants that an evaluation can return.
    pub fn variants(&self) -> Vec<String> {
        self.compiled.variants().iter().map(|variant| variant.as_str().to_owned()).collect()
    }

    /// The index in `variants` of the user's variant, at a time in milliseconds since 1970.
    #[wasm_bindgen(js_name = variantIndex)]
    pub fn variant_index(&self, now: f64) -> u32 {
        USER.with_borrow(|user| {
            let variant = self.compiled.variant(user, Instant(now as i64));
            // `variants` always contains it: the off variant comes first, then those of each rule.
            self.compiled.variants().iter().position(|candidate| candidate == variant).unwrap_or(0) as u32
        })
    }

    /// Whether an experiment runs with it.
    #[wasm_bindgen(js_name = hasExperiment)]
    pub fn has_experiment(&self) -> bool {
        self.experiment.is_some()
    }

    /// What a participation of the user names: the feature, the number of the user's segment, and the run. Undefined if the user does not
    /// take part at a time in milliseconds since 1970.
    #[wasm_bindgen(js_name = experimentEntry)]
    pub fn experiment_entry(&self, now: f64) -> Option<String> {
        let entry = |experiment: &CompiledExperiment| {
            USER.with_borrow(|user| {
                let results = &mut ConditionResults::default();
                experiment.entry(&self.compiled, user, Instant(now as i64), results).map(str::to_owned)
            })
        };
        self.experiment.as_ref().and_then(entry)
    }
}
