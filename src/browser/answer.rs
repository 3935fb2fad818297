//! Reading JSON from the service and from the cache: the host parses it, and only what has the right shape is taken.

use js_sys::{Array, JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::features::Changes;
use crate::session::Answer;
use crate::variants::{SEPARATOR, Variants};

/// The answer to a load.
pub(super) fn read_answer(json: &str) -> Option<Answer> {
    let answer = parse(json)?;
    Some(Answer {
        features: variants(&get(&answer, "features")?)?,
        since: get(&answer, "since")?.as_string()?,
        token: get(&answer, "token")?.as_string()?,
    })
}

/// The values of a cache entry, or of a stream's `put`.
pub fn read_variants(json: &str) -> Option<Variants> {
    variants(&get(&parse(json)?, "features")?)
}

/// The changes of a stream's `patch`.
pub(super) fn read_changes(json: &str) -> Option<Changes> {
    changes(&get(&parse(json)?, "features")?)
}

/// One text of an object.
pub(super) fn read_text(json: &str, name: &str) -> Option<String> {
    get(&parse(json)?, name)?.as_string()
}

/// One number of an object.
pub(super) fn read_number(json: &str, name: &str) -> Option<f64> {
    get(&parse(json)?, name)?.as_f64()
}

fn parse(json: &str) -> Option<JsValue> {
    JSON::parse(json).ok().filter(JsValue::is_object)
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name)).ok()
}

fn variants(features: &JsValue) -> Option<Variants> {
    let mut variants = Variants::default();
    for (key, variant) in changes(features)? {
        if let Some(variant) = variant {
            variants.set(&key, &variant);
        }
    }
    Some(variants)
}

/// Keys with a text or `null`; an entry of another kind is passed over, so that it does not take all others with it.
fn changes(features: &JsValue) -> Option<Changes> {
    if !features.is_object() || Array::is_array(features) {
        return None;
    }
    let mut changes = Changes::new();
    for entry in Object::entries(features.unchecked_ref()).iter() {
        let entry: Array = entry.unchecked_into();
        let (key, variant) = (entry.get(0).as_string()?, entry.get(1));
        let text = variant.as_string();
        let readable = text.as_ref().map_or(variant.is_null(), |text| !text.contains(SEPARATOR));
        if readable && !key.contains(SEPARATOR) {
            changes.push((key, text));
        }
    }
    Some(changes)
}
