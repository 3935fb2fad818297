//! Random requests of a person: valid or not, allowed or not.

use std::fmt;

use reqwest::Method;
use serde_json::{Value, json};

use super::random::Random;
use crate::fixture::{ApiResponse, Caller, environment, features, project, targeting_of};

/// The features that the demo has.
const FEATURES: [&str; 7] =
    ["reviews", "winter-sale", "loyalty-points", "search-suggestions", "gift-cards", "banner-color", "sticky-basket"];

/// The features that requests create.
const NEW_FEATURES: [&str; 3] = ["new-one", "new-two", "new-three"];

const PLACES: [&str; 3] = ["development", "staging", "production"];
const AUDIENCES: [&str; 4] = ["nordics", "staff", "new-audience", "staging-testers"];
const VARIANTS: [&[&str]; 6] =
    [&["on", "off"], &["on", "off"], &["on", "off", "later"], &["red", "green"], &["red", "off"], &["off", "on"]];

/// What a request is about.
#[derive(Clone, Copy)]
pub enum Kind {
    Feature,
    Targeting,
    Audience,
    Copy,
    Approval,
    Settings,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Feature,
        Self::Feature,
        Self::Feature,
        Self::Targeting,
        Self::Targeting,
        Self::Audience,
        Self::Copy,
        Self::Approval,
        Self::Settings,
    ];
}

/// A request.
pub struct Request {
    method: Method,
    path: String,
    body: Value,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.method, self.path, self.body)
    }
}

impl Request {
    pub fn deletes(&self) -> bool {
        self.method == Method::DELETE
    }

    pub async fn send(&self, caller: &Caller) -> ApiResponse {
        caller.send(caller.request(self.method.clone(), &self.path).json(&self.body)).await
    }
}

/// A random request of one of these kinds. `approvals` are ids of earlier ones.
pub fn request(random: &mut Random, kinds: &[Kind], approvals: &[String]) -> Request {
    let (method, path, body) = match random.pick(kinds) {
        Kind::Feature => of_feature(random),
        Kind::Targeting => of_targeting(random),
        Kind::Audience => of_audience(random),
        Kind::Copy => copy(random),
        Kind::Approval => of_approval(random, approvals),
        Kind::Settings => of_settings(random),
    };
    Request { method, path, body }
}

type Parts = (Method, String, Value);

fn feature(random: &mut Random) -> &'static str {
    if random.one_in(3) { random.text(&NEW_FEATURES) } else { random.text(&FEATURES) }
}

fn of_feature(random: &mut Random) -> Parts {
    let (key, variants) = (feature(random), *random.pick(&VARIANTS));
    let path = features(&format!("/{key}"));
    match random.below(8) {
        0 | 1 => {
            let approval_required = random.one_in(4);
            let new = json!({ "key": random.pick(&NEW_FEATURES), "name": "New", "variants": variants,
                "approvalRequired": approval_required, "lifecycle": random.pick(&["Draft", "Active"]) });
            (Method::POST, features(""), new)
        }
        2 => (Method::PATCH, path, json!({ "variants": variants })),
        3 => (Method::PATCH, path, json!({ "type": random.pick(&["boolean", "string"]) })),
        4 => (Method::PATCH, path, json!({ "lifecycle": random.pick(&["Draft", "Active", "Archived"]) })),
        5 => (Method::DELETE, path, Value::Null),
        6 => (Method::PATCH, path, json!({ "name": "Other", "approvalRequired": random.one_in(2) })),
        _ => (Method::POST, format!("{path}/next-phase"), json!({})),
    }
}

fn rule(random: &mut Random) -> Value {
    let share = 10 * random.below(11);
    let splits =
        json!([{ "variantKey": "on", "percentage": share }, { "variantKey": "off", "percentage": 100 - share }]);
    let name = if random.one_in(2) { "One" } else { "Two" };
    match random.below(3) {
        0 => json!({ "name": name, "splits": splits }),
        1 => json!({ "name": name, "audienceKey": random.pick(&AUDIENCES), "splits": splits }),
        _ => json!({ "name": name, "conditions": conditions(random), "splits": splits }),
    }
}

fn conditions(random: &mut Random) -> Value {
    let (attribute, value) = *random.pick(&[("country", "SE"), ("country", "NO"), ("plan", "pro"), ("team", "staff")]);
    json!([{ "attribute": attribute, "operator": "equals", "values": [value] }])
}

fn of_targeting(random: &mut Random) -> Parts {
    let path = targeting_of(feature(random), random.text(&PLACES));
    let rules: Vec<_> = (0..random.below(3)).map(|_| rule(random)).collect();
    let (enabled, off) = (random.one_in(2), *random.pick(&["on", "off", "red"]));
    match random.below(4) {
        0 => (Method::PUT, path, json!({ "enabled": enabled, "offVariantKey": off, "rules": rules })),
        1 => (Method::PATCH, path, json!({ "enabled": enabled })),
        2 => (Method::PATCH, path, json!({ "offVariantKey": off })),
        _ => (Method::PATCH, path, json!({ "rules": rules })),
    }
}

fn of_audience(random: &mut Random) -> Parts {
    let key = random.text(&AUDIENCES);
    let path = project(&format!("/audiences/{key}"));
    match random.below(3) {
        0 => {
            let place = random.one_in(2).then(|| *random.pick(&PLACES));
            let new = json!({ "key": key, "name": "Some", "environmentKey": place, "conditions": conditions(random) });
            (Method::POST, project("/audiences"), new)
        }
        1 => (Method::PATCH, path, json!({ "conditions": conditions(random) })),
        _ => (Method::DELETE, path, Value::Null),
    }
}

fn copy(random: &mut Random) -> Parts {
    let settings = json!({ "enabled": random.one_in(2), "offVariantKey": random.one_in(2), "rules": random.one_in(2) });
    let body = json!({ "source": random.pick(&PLACES), "target": random.pick(&PLACES),
        "featureKeys": [feature(random), feature(random)], "settings": settings });
    (Method::POST, environment("copy", ""), body)
}

fn of_approval(random: &mut Random, approvals: &[String]) -> Parts {
    let id = if approvals.is_empty() { "none" } else { random.pick(approvals).as_str() };
    let verb = *random.pick(&["approve", "approve", "reject", "cancel"]);
    (Method::POST, project(&format!("/approvals/{id}/{verb}")), json!({}))
}

/// Changes of what protects targeting.
fn of_settings(random: &mut Random) -> Parts {
    let place = environment(random.text(&PLACES), "");
    let path = features(&format!("/{}", feature(random)));
    match random.below(5) {
        0 => (Method::PATCH, place, json!({ "approvalRequired": false, "production": false })),
        1 => (Method::DELETE, place, Value::Null),
        2 => (Method::PATCH, path, json!({ "pipelineKey": null })),
        3 => (Method::DELETE, project("/pipelines/guarded"), Value::Null),
        _ => (Method::PATCH, project("/pipelines/guarded"), json!({ "phases": [] })),
    }
}
