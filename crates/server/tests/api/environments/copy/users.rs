//! After a copy of all three settings every user gets the same on both sides, asked as browsers ask.

use std::num::NonZeroU32;

use flagservice_server::http::{Limits, Settings};
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, request, results};
use crate::fixture::{Server, condition, on_each_database, project, targeting};

const SEED: u64 = 20_261_121;
const USERS: usize = 1_000;
const FEATURES: usize = 40;
const AT_ONCE: usize = 16;

/// SplitMix64: the same numbers from the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

const COUNTRIES: [&str; 4] = ["SE", "NO", "DE", "ES"];
const PLANS: [&str; 3] = ["free", "pro", "team"];

fn any_condition(numbers: &mut Numbers) -> Value {
    match numbers.below(5) {
        0 => condition("country", "in", json!([numbers.one_of(&COUNTRIES), numbers.one_of(&COUNTRIES)])),
        1 => condition("plan", "equals", json!([numbers.one_of(&PLANS)])),
        2 => condition("age", "greaterThan", json!([numbers.below(80)])),
        3 => condition("email", "endsWith", json!(["@acme.example"])),
        _ => condition("flagservice.user.id", "matches", json!([format!("{}$", numbers.below(10))])),
    }
}

fn any_rule(numbers: &mut Numbers) -> Value {
    let on = numbers.below(100_001);
    let percent = |thousandths: u64| json!(f64::from(u32::try_from(thousandths).unwrap()) / 1000.0);
    let mut rule = json!({ "name": "Any", "splits": [
        { "variantKey": "on", "percentage": percent(on) },
        { "variantKey": "off", "percentage": percent(100_000 - on) },
    ] });
    match numbers.below(4) {
        0 => rule["audienceKey"] = json!("wide"),
        1 => rule["audienceKey"] = json!("of-staging"),
        _ => rule["conditions"] = (0..numbers.below(3)).map(|_| any_condition(numbers)).collect(),
    }
    rule
}

fn any_targeting(numbers: &mut Numbers) -> Value {
    let mut any = targeting(&(0..=numbers.below(3)).map(|_| any_rule(numbers)).collect::<Vec<_>>());
    any["enabled"] = json!(numbers.below(5) > 0);
    any["offVariantKey"] = json!(numbers.one_of(&["on", "off"]));
    any
}

fn any_user(numbers: &mut Numbers) -> Value {
    let mut attributes = json!({ "country": numbers.one_of(&COUNTRIES), "age": numbers.below(90) });
    if numbers.below(3) > 0 {
        attributes["plan"] = json!([numbers.one_of(&PLANS), numbers.one_of(&PLANS)]);
    }
    if numbers.below(2) > 0 {
        attributes["email"] =
            json!(format!("{}@{}", numbers.below(1000), numbers.one_of(&["acme.example", "elsewhere.example"])));
    }
    json!({ "id": format!("user-{}", numbers.below(u64::MAX)), "attributes": attributes })
}

/// How many of the users get something else in production than in staging.
async fn told_apart(server: &Server, users: &[Value]) -> usize {
    let (staging, production) = (server.browser("staging"), server.browser("production"));
    let asked = users.iter().map(async |user| {
        let (there, here) = tokio::join!(staging.load(user), production.load(user));
        there.features != here.features
    });
    stream::iter(asked).buffer_unordered(AT_ONCE).filter(|differ| std::future::ready(*differ)).count().await
}

#[apply(on_each_database)]
async fn after_copying_all_settings_a_thousand_users_get_the_same_variant_on_both_sides(database: Database) {
    println!("seed {SEED}");
    let often = NonZeroU32::new(1_000_000).unwrap();
    let limits = Limits { requests_per_second: often, burst: often, ..Limits::default() };
    let server = Server::start_with(&database, Settings { limits, ..Settings::default() }).await;
    let numbers = &mut Numbers(SEED);
    for (key, environment) in [("wide", None), ("of-staging", Some("staging"))] {
        let mut new =
            json!({ "key": key, "name": key, "conditions": [any_condition(numbers), any_condition(numbers)] });
        if let Some(environment) = environment {
            new["environmentKey"] = json!(environment);
        }
        server.administrator().post(&project("/audiences"), &new).await.ok(201);
    }
    let new: Vec<_> =
        (0..FEATURES).map(|number| (format!("any-{number}"), vec![("staging", any_targeting(numbers))])).collect();
    server.make_features(new).await;
    let users: Vec<_> = (0..USERS).map(|_| any_user(numbers)).collect();
    assert_ne!(told_apart(&server, &users[..20]).await, 0, "there would be nothing to prove");

    let all = server.read_only().get(&project("/features?limit=200")).await.column("key");
    let keys: Vec<_> = all.iter().map(|key| key.as_str().unwrap()).collect();
    assert!(keys.len() > FEATURES, "the demo's features are among them");
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let identical = |result: &&Value| result["reason"]["code"] == "identical";
    let applied = found.iter().filter(|result| result["outcome"] == "APPLIED").count();
    assert_eq!(applied + found.iter().filter(identical).count(), keys.len(), "{found:?}");
    assert!(applied >= FEATURES, "{applied}");
    assert!(found.iter().any(|result| result["audiencesCopiedInline"] == json!(["of-staging"])));
    assert_eq!(told_apart(&server, &users).await, 0);
}
