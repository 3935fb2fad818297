//! No sequence of requests changes what its caller may not change: an editor, what production serves; a production editor,
//! what an approval guards.
//!
//! `FLAGSERVICE_GATE_SEQUENCES` and `FLAGSERVICE_GATE_SEED` set the number of sequences and the seed, which repeats a run.

mod random;
mod requests;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use flagservice_server::domain::role::Role;
use flagservice_server::http::{CallerLimits, Settings};
use flagservice_server::serving::client_limits::ClientLimits;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Database, Provider, Server, environment, features, on_default_database, on_each_database, project,
};
use random::Random;
use requests::{Kind, request};

const SEQUENCES: u64 = 20;
const SEED: u64 = 17;

/// How many requests a sequence has.
const LENGTH: usize = 12;

/// After this many sequences, an administrator changes what is served.
const SHUFFLE_EVERY: u64 = 10;

/// How many random changes the administrator makes.
const SHUFFLE: usize = 30;

/// What every user is served: by environment, user and feature.
type Served = BTreeMap<(&'static str, usize, String), Value>;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// The environments and features whose values must stay.
struct Guarded {
    environment: &'static str,
    /// None: all.
    feature: Option<&'static str>,
}

const PRODUCTION: [Guarded; 1] = [Guarded { environment: "production", feature: None }];
const BEHIND_APPROVAL: [Guarded; 5] = [
    Guarded { environment: "staging", feature: None },
    Guarded { environment: "development", feature: Some("reviews") },
    Guarded { environment: "production", feature: Some("reviews") },
    Guarded { environment: "development", feature: Some("winter-sale") },
    Guarded { environment: "production", feature: Some("loyalty-points") },
];

/// A server that does not limit how fast it is asked.
async fn unlimited(database: &Database) -> Server {
    let often = NonZeroU32::MAX;
    let limits = ClientLimits { requests_per_second: often, burst: often, ..ClientLimits::default() };
    let callers = CallerLimits { requests_per_second: often, burst: often, ..CallerLimits::default() };
    Server::start_with(database, Settings { limits, callers, ..Settings::default() }).await
}

/// Evaluates all guarded features for several users.
async fn served(providers: &BTreeMap<&'static str, Provider>, guarded: &[Guarded]) -> Served {
    let users = [
        json!({ "targetingKey": "alice" }),
        json!({ "targetingKey": "bob", "country": "SE", "plan": "pro" }),
        json!({ "targetingKey": "carol", "team": "staff", "country": "NO" }),
    ];
    let mut served = Served::new();
    for Guarded { environment, feature } in guarded {
        for (number, user) in users.iter().enumerate() {
            let all = providers[environment].all(user).await.ok(200);
            for flag in all["flags"].as_array().unwrap() {
                let key = flag["key"].as_str().unwrap().to_owned();
                if feature.is_none_or(|feature| feature == key) {
                    served.insert((*environment, number, key), flag["value"].clone());
                }
            }
        }
    }
    served
}

/// What differs. A new feature that is off does not: clients evaluate a feature that they do not know as `off`.
fn differences(before: &Served, after: &Served) -> Vec<String> {
    let is_off = |value: &Value| *value == json!(false) || *value == json!("off");
    let gone = before.keys().filter(|key| !after.contains_key(*key)).map(|key| format!("{key:?} is gone"));
    let changed = after.iter().filter(|(key, value)| before.get(*key).map_or(!is_off(value), |was| was != *value));
    gone.chain(changed.map(|(key, value)| format!("{key:?} is {value}, was {:?}", before.get(key)))).collect()
}

/// Sends random sequences of requests, and asserts that what the guards protect is served as before.
async fn send_sequences(database: &Database, server: &Server, role: Role, guarded: &[Guarded]) {
    let (seed, sequences) = (setting("FLAGSERVICE_GATE_SEED", SEED), setting("FLAGSERVICE_GATE_SEQUENCES", SEQUENCES));
    // Only an administrator can remove what guards from a production editor.
    let (caller, gates) = (server.person(role), role == Role::ProductionEditor);
    let providers = ["development", "staging", "production"].map(|place| (place, server.provider(place)));
    let providers = BTreeMap::from(providers);
    let mut expected = served(&providers, guarded).await;
    let (mut applied, mut refused, mut pending) = (0_u64, 0_u64, 0_u64);
    for number in 0..sequences {
        let mut random = Random::new(seed, number);
        if number % SHUFFLE_EVERY == 0 {
            shuffle(server, &mut random, gates).await;
            expected = served(&providers, guarded).await;
        }
        let (mut sent, mut approvals) = (Vec::new(), Vec::new());
        for _ in 0..LENGTH {
            let one = request(&mut random, &Kind::ALL, &approvals);
            let response = one.send(&caller).await;
            assert!(response.status < 500, "{one}: {}", response.text);
            match response.status {
                202 => {
                    pending += 1;
                    approvals.push(response.ok(202)["id"].as_str().unwrap().to_owned());
                }
                200..=299 => applied += 1,
                _ => refused += 1,
            }
            sent.push(format!("{} {one}", response.status));
        }
        let found = differences(&expected, &served(&providers, guarded).await);
        assert!(found.is_empty(), "seed {seed}, sequence {number}: {found:?}\n{}", sent.join("\n"));
    }
    println!(
        "gate sequences: {:?}, {role}, seed {seed}, {sequences} sequences, {applied} applied, {pending} pending, {refused} refused",
        database.engine()
    );
    assert!(applied > sequences && refused > sequences, "the requests are too tame");
}

/// An administrator makes random changes, so that the sequences start from many states.
async fn shuffle(server: &Server, random: &mut Random, gates: bool) {
    let administrator = server.administrator();
    if gates {
        set_gates(&administrator, false).await;
    }
    for _ in 0..SHUFFLE {
        let one = request(random, &[Kind::Feature, Kind::Targeting, Kind::Audience], &[]);
        if !one.deletes() {
            one.send(&administrator).await;
        }
    }
    if gates {
        set_gates(&administrator, true).await;
    }
}

/// Requires approval in staging, for one feature, and for one phase; or removes these requirements and all requests.
async fn set_gates(administrator: &Caller, required: bool) {
    for approval in administrator.get(&project("/approvals?state=pending&limit=200")).await.column("id") {
        let path = project(&format!("/approvals/{}/cancel", approval.as_str().unwrap()));
        administrator.post(&path, &json!({})).await.ok(200);
    }
    administrator.patch(&environment("staging", ""), &json!({ "approvalRequired": required })).await.ok(200);
    let pipeline = required.then_some("guarded");
    for (feature, edit) in [
        ("reviews", json!({ "approvalRequired": required })),
        ("winter-sale", json!({ "pipelineKey": pipeline, "approvalRequired": false })),
        ("loyalty-points", json!({ "pipelineKey": pipeline, "approvalRequired": false })),
    ] {
        administrator.patch(&features(&format!("/{feature}")), &edit).await.ok(200);
    }
}

#[apply(on_each_database)]
async fn no_sequence_of_an_editors_requests_changes_what_production_serves(database: Database) {
    let server = unlimited(&database).await;
    send_sequences(&database, &server, Role::Editor, &PRODUCTION).await;
}

#[apply(on_default_database)]
async fn no_sequence_of_a_production_editors_requests_changes_what_an_approval_guards(database: Database) {
    let server = unlimited(&database).await;
    let phase = |key: &str| json!({ "name": key, "environmentKey": key, "approvalRequired": true });
    let new = json!({ "key": "guarded", "name": "Guarded", "phases": [phase("development"), phase("production")] });
    server.administrator().post(&project("/pipelines"), &new).await.ok(201);
    send_sequences(&database, &server, Role::ProductionEditor, &BEHIND_APPROVAL).await;
}
