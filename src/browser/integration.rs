//! The integrations that get exposures: a handler of the page, or an analytics instance.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use super::shell::Shell;
use super::text::text;
use crate::concat::concat;
use crate::exposures::ledger_name;
use crate::json::object;

const ANALYTICS: &str = "analyticsIntegration";
const EXPOSURE: &str = "exposureIntegration";
const DEFAULT_EVENT: &str = "$exposure";
const PROPERTY_PREFIX: &str = "flagservice_";

/// The result of `analyticsIntegration`.
pub fn analytics(instance: &JsValue, options: &JsValue) -> JsValue {
    record(ANALYTICS, instance, options)
}

/// The result of `exposureIntegration`.
pub fn exposure(handler: &JsValue, options: &JsValue) -> JsValue {
    record(EXPOSURE, handler, options)
}

fn record(name: &str, source: &JsValue, options: &JsValue) -> JsValue {
    let integration = Array::new();
    integration.push(&name.into());
    integration.push(source);
    integration.push(options);
    integration.into()
}

/// Where exposures are sent.
pub(super) struct Integration {
    name: String,
    source: JsValue,
    options: JsValue,
}

impl Integration {
    /// Reads the result of [`analytics`] or [`exposure`].
    pub(super) fn read(integration: &JsValue) -> Self {
        let integration = integration.unchecked_ref::<Array>();
        Self { name: text(&integration.get(0)), source: integration.get(1), options: integration.get(2) }
    }
}

/// An evaluation that may be sent.
pub(super) struct Exposure<'a> {
    pub(super) user_id: &'a str,
    pub(super) key: &'a str,
    pub(super) variant: &'a str,
    /// The same as a value of JavaScript.
    pub(super) key_value: &'a JsValue,
}

impl Exposure<'_> {
    /// Sends it to an integration if its flag sends exposures, and this one was not sent before. The user property is also set again
    /// when a variant comes back.
    pub(super) fn send(&self, shell: &Shell, integration: &Integration) {
        let Self { user_id, key, variant, key_value } = *self;
        let Integration { name, source, options } = integration;
        let none = &JsValue::UNDEFINED;
        let caller = &*concat(&[name, " for \"", key, "\""]);
        let flags = shell.get(options, "flags");
        if flags.is_function() {
            if shell.call(caller, &flags, none, key_value, none).is_falsy() {
                // The page may decide differently at the next evaluation.
                return shell.changed(none);
            }
        } else if Array::is_array(&flags) && !flags.unchecked_ref::<Array>().includes(key_value, 0) {
            return;
        }
        let remembered = shell.remember(source, &ledger_name(user_id, key), variant);
        if remembered == 0 {
            return;
        }
        let is_new = remembered > 1;
        let is_handler = name == EXPOSURE;
        let key_name = if is_handler { "key" } else { "flag_key" };
        let properties = shell.parse(&object(&[(key_name, key), ("variant", variant)], "", ""));
        if is_handler {
            if is_new {
                shell.call(caller, source, none, &properties, none);
            }
            return;
        }
        if is_new {
            let event = shell.get(options, "eventName");
            let event = if event.is_falsy() { DEFAULT_EVENT.into() } else { event };
            shell.call(caller, &shell.get(source, "track"), source, &event, &properties);
        }
        let identify = shell.get(source, "identify");
        if !identify.is_function() || shell.get(options, "identify") == JsValue::FALSE {
            return;
        }
        let name = &*concat(&[PROPERTY_PREFIX, key]);
        let class = shell.get(source, "Identify");
        let argument = if class.is_function() {
            shell.identify(caller, &class, name, variant)
        } else {
            shell.user_property(name, variant)
        };
        shell.call(caller, &identify, source, &argument, none);
    }
}
