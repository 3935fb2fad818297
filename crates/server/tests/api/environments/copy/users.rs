//! After a copy of all settings every user gets the same variant on both sides, as seen by browser clients.

use std::num::NonZeroU32;

use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::ClientLimits;
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, request, results};
use crate::fixture::{Server, condition, on_default_database, project, targeting};

const SEED: u64 = 20_261_121;
const USERS: usize = 1_000;
const FEATURES: usize = 40;
const AT_ONCE: usize = 16;

/// SplitMix64, a pseudo-random number generator with a fixed seed.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

const COUNTRIES: [&str; 4] = ["SE", "NO", "DE", "ES"];
const PLANS: [&str; 3] = ["free", "pro", "team"];

fn random_condition(random: &mut RandomNumbers) -> Value {
    match random.below(5) {
        0 => condition("country", "in", json!([random.pick(&COUNTRIES), random.pick(&COUNTRIES)])),
        1 => condition("plan", "equals", json!([random.pick(&PLANS)])),
        2 => condition("age", "greaterThan", json!([random.below(80)])),
        3 => condition("email", "endsWith", json!(["@acme.example"])),
        _ => condition("flagservice.user.id", "matches", json!([format!("{}$", random.below(10))])),
    }
}

fn random_rule(random: &mut RandomNumbers) -> Value {
    let on = random.below(100_001);
    let percent = |thousandths: u64| json!(f64::from(u32::try_from(thousandths).unwrap()) / 1000.0);
    let mut rule = json!({ "name": "Any", "splits": [
        { "variantKey": "on", "percentage": percent(on) },
        { "variantKey": "off", "percentage": percent(100_000 - on) },
    ] });
    match random.below(4) {
        0 => rule["audienceKey"] = json!("wide"),
        1 => rule["audienceKey"] = json!("of-staging"),
        _ => rule["conditions"] = (0..random.below(3)).map(|_| random_condition(random)).collect(),
    }
    rule
}

fn random_targeting(random: &mut RandomNumbers) -> Value {
    let mut any = targeting(&(0..=random.below(3)).map(|_| random_rule(random)).collect::<Vec<_>>());
    any["enabled"] = json!(random.below(5) > 0);
    any["offVariantKey"] = json!(random.pick(&["on", "off"]));
    any
}

fn random_user(random: &mut RandomNumbers) -> Value {
    let mut attributes = json!({ "country": random.pick(&COUNTRIES), "age": random.below(90) });
    if random.below(3) > 0 {
        attributes["plan"] = json!([random.pick(&PLANS), random.pick(&PLANS)]);
    }
    if random.below(2) > 0 {
        attributes["email"] =
            json!(format!("{}@{}", random.below(1000), random.pick(&["acme.example", "elsewhere.example"])));
    }
    json!({ "id": format!("user-{}", random.below(u64::MAX)), "attributes": attributes })
}

/// The number of users who get different values in production and in staging.
async fn users_with_differences(server: &Server, users: &[Value]) -> usize {
    let (staging, production) = (server.browser("staging"), server.browser("production"));
    let comparisons = users.iter().map(async |user| {
        let (there, here) = tokio::join!(staging.load(user), production.load(user));
        there.features != here.features
    });
    stream::iter(comparisons).buffer_unordered(AT_ONCE).filter(|differ| std::future::ready(*differ)).count().await
}

#[apply(on_default_database)]
async fn after_copying_all_settings_a_thousand_users_get_the_same_variant_on_both_sides(database: Database) {
    println!("seed {SEED}");
    let often = NonZeroU32::new(1_000_000).unwrap();
    let limits = ClientLimits { requests_per_second: often, burst: often, ..ClientLimits::default() };
    let server = Server::start_with(&database, Settings { limits, ..Settings::default() }).await;
    let random = &mut RandomNumbers(SEED);
    for (key, environment) in [("wide", None), ("of-staging", Some("staging"))] {
        let mut new =
            json!({ "key": key, "name": key, "conditions": [random_condition(random), random_condition(random)] });
        if let Some(environment) = environment {
            new["environmentKey"] = json!(environment);
        }
        server.administrator().post(&project("/audiences"), &new).await.ok(201);
    }
    let new: Vec<_> =
        (0..FEATURES).map(|number| (format!("any-{number}"), vec![("staging", random_targeting(random))])).collect();
    server.create_features(new).await;
    let users: Vec<_> = (0..USERS).map(|_| random_user(random)).collect();
    assert_ne!(users_with_differences(&server, &users[..20]).await, 0, "nothing to test");

    let all = server.read_only().get(&project("/features?limit=200")).await.column("key");
    let keys: Vec<_> = all.iter().map(|key| key.as_str().unwrap()).collect();
    assert!(keys.len() > FEATURES, "the demo's features are among them");
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let identical = |result: &&Value| result["reason"]["code"] == "identical";
    let applied = found.iter().filter(|result| result["outcome"] == "APPLIED").count();
    assert_eq!(applied + found.iter().filter(identical).count(), keys.len(), "{found:?}");
    assert!(applied >= FEATURES, "{applied}");
    assert!(found.iter().any(|result| result["audiencesCopiedInline"] == json!(["of-staging"])));
    assert_eq!(users_with_differences(&server, &users).await, 0);
}
