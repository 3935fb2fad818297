//! Single features, evaluated for one user after the other at the price of numbers: a user crosses once, as a text, and what
//! comes back of an evaluation is the place of a variant.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flagservice_rules::{CompiledFeature, Condition, Key, RulesetFeature, User};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::{instant, read};

thread_local! {
    /// The user who entered last.
    static ENTERED: RefCell<User> = RefCell::default();
}

/// Makes a user, given as JSON, the one for whom features are evaluated from now on.
///
/// # Errors
/// A text that is no user; the user from before stays.
#[wasm_bindgen]
pub fn enter(user: &str) -> Result<(), JsError> {
    let user: User =
        serde_json::from_str(user).map_err(|error| JsError::new(&format!("the user cannot be read: {error}")))?;
    ENTERED.set(user);
    Ok(())
}

/// A feature, ready for many evaluations.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Feature(CompiledFeature);

#[wasm_bindgen]
impl Feature {
    /// Compiles `{key, salt?, targeting}`, whose audiences stand inline.
    ///
    /// # Errors
    /// Data of another shape. An invalid rule is no error: it never matches.
    #[wasm_bindgen(constructor)]
    pub fn new(feature: JsValue) -> Result<Self, JsError> {
        let feature: RulesetFeature = read("feature", feature)?;
        let none = BTreeMap::<Key, Vec<Condition>>::new();
        Ok(Self(CompiledFeature::compile(&feature.key, &feature.salt, &feature.targeting, &none)))
    }

    /// The variants that an evaluation can give.
    pub fn variants(&self) -> Vec<String> {
        self.0.variants().iter().map(|variant| variant.as_str().to_owned()).collect()
    }

    /// The place among the variants of the one that the user who entered has, at a time in milliseconds since 1970.
    pub fn place(&self, now: f64) -> u32 {
        ENTERED.with_borrow(|user| {
            let variant = self.0.variant(user, flagservice_rules::Instant(now as i64));
            // It is among them: the off variant is the first of them, and each rule's variants follow.
            self.0.variants().iter().position(|known| known == variant).unwrap_or(0) as u32
        })
    }

    /// The next time at which a variant can change without a change of the rules; `undefined` when there is none.
    ///
    /// # Errors
    /// A time that is no number.
    #[wasm_bindgen(js_name = nextTurn)]
    pub fn next_turn(&self, now: f64) -> Result<Option<f64>, JsError> {
        Ok(self.0.next_turn(instant(now)?).map(|turn| turn.0 as f64))
    }
}
