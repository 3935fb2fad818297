//! How long the messages of the protocol are, made by the server's own code.

use anyhow::Context;
use flagservice_server::serving::bundle::{BEAT_INTERVAL, Beat, Bundle};
use serde_json::{Value, json};

/// How many features the environment has.
const FEATURES: usize = 100;

/// The length of an event on the wire, in bytes.
fn event(name: &str, data: &str, id: Option<&str>) -> usize {
    let id = id.map_or(0, |id| "id: \n".len() + id.len());
    "event: \ndata: \n\n".len() + name.len() + data.len() + id
}

/// The lengths of messages, in bytes without TLS and TCP.
///
/// # Errors
/// When a bundle cannot be read or written.
pub fn measure() -> anyhow::Result<Value> {
    let id = "01a1fb67-1800-76d2-87cd-efe8b9f3c7cf";
    let feature = |number: usize| {
        json!({
            "id": id, "valueType": "boolean", "variants": ["on", "off"],
            "rules": { "key": format!("feature-{number:03}"), "salt": "1", "targeting": {
                "enabled": true, "offVariant": "off", "rules": [
                    { "conditions": [{ "attribute": "country", "operator": "EQUALS", "values": ["SE", "NO", "DK"] }],
                      "splits": [{ "variant": "on", "percentage": 50 }, { "variant": "off", "percentage": 50 }] },
                ],
            }},
        })
    };
    let hash = "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg";
    let bundle = |features: Vec<Value>, after: Option<u64>| {
        json!({
            "environment": id, "epoch": u64::MAX, "version": 1_018, "after": after,
            "allowedOrigins": ["https://shop.example"],
            "keys": [{ "id": id, "kind": "client", "hash": hash }, { "id": id, "kind": "server", "hash": hash }],
            "edgeKeys": [{ "id": id, "hash": hash }],
            "tokenKeys": [{ "id": 1, "key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" }],
            "features": features,
        })
    };
    let length = |value: Value| -> anyhow::Result<usize> {
        let bundle: Bundle = serde_json::from_value(value).context("a bundle cannot be read")?;
        Ok(event("environment", &serde_json::to_string(&bundle)?, None))
    };
    let beat = Beat { every_ms: BEAT_INTERVAL.as_millis() as u64, age_ms: Some(140) };
    let since = "8c1f0e5a9d3b7744.1018.1f2e3d4c5b6a7988";
    let values: String = (0..FEATURES).map(|number| format!("\"feature-{number:03}\":\"on\",")).collect();
    Ok(json!({
        "features": FEATURES,
        "wholeBundle": length(bundle((0..FEATURES).map(feature).collect(), None))?,
        "changeBundle": length(bundle(vec![feature(1)], Some(1_017)))?,
        "edgeBeat": event("beat", &serde_json::to_string(&beat)?, None),
        "edgeBeatMs": BEAT_INTERVAL.as_millis() as u64,
        "patch": event("patch", r#"{"features":{"feature-001":"on"}}"#, Some(since)),
        "put": event("put", &format!("{{\"features\":{{{values}}}}}"), Some(since)),
        "clientBeat": event("beat", "{}", None),
        "clientBeatMs": 20_000,
        "load": values.len() + 300,
    }))
}
