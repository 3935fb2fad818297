//! Properties of evaluation: it is deterministic, and invalid rules never match.

use crate::arbitrary::{condition, key, rule, splits, targeting, user};
use flagservice_rules::{
    CompiledFeature, Condition, ConditionResults, Instant, Key, Reason, Rule, RuleAudience, Targeting, User, bucket,
    validate, validate_conditions,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn any_rule() -> impl Strategy<Value = Rule> {
    let audience = prop_oneof![
        4 => vec(condition(), 0..3).prop_map(RuleAudience::Inline),
        1 => Just(RuleAudience::Saved(key("beta"))),
        1 => Just(RuleAudience::Saved(key("gone"))),
    ];
    let shares = prop_oneof![
        3 => Just(vec![100_000]),
        3 => (0..=100_000_u32).prop_map(|cut| vec![cut, 100_000 - cut]),
        1 => vec(0..=100_000_u32, 0..3),
    ];
    (any::<String>(), audience, shares).prop_map(|(name, audience, shares)| Rule {
        name,
        audience,
        splits: splits(&shares),
    })
}

fn any_targeting() -> impl Strategy<Value = Targeting> {
    (prop::bool::weighted(0.9), vec(any_rule(), 0..4)).prop_map(|(enabled, rules)| Targeting {
        enabled,
        off_variant: key("off"),
        rules,
    })
}

fn audiences() -> impl Strategy<Value = BTreeMap<Key, Vec<Condition>>> {
    vec(condition(), 0..3).prop_map(|conditions| BTreeMap::from([(key("beta"), conditions)]))
}

fn compile(targeting: &Targeting, audiences: &BTreeMap<Key, Vec<Condition>>) -> CompiledFeature {
    CompiledFeature::compile(&key("checkout"), "1", targeting, audiences)
}

/// Whether a rule with only this condition matches the user.
fn matches(condition: &Condition, user: &User, now: Instant) -> bool {
    let targeting = targeting(vec![rule(vec![condition.clone()], splits(&[100_000]))]);
    *compile(&targeting, &BTreeMap::new()).variant(user, now) == key("v0")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_explanation_agrees_with_the_evaluation(
        (targeting, audiences) in (any_targeting(), audiences()),
        user in user(),
        now: i64,
    ) {
        let now = Instant(now);
        let feature = compile(&targeting, &audiences);
        let (evaluation, explanation) = (feature.evaluate(&user, now), feature.explain(&user, now));
        prop_assert_eq!((explanation.variant, explanation.reason), (evaluation.variant, evaluation.reason));
        prop_assert_eq!(explanation.position, bucket::position("1", "checkout", &user.id));
        for rule in &explanation.rules {
            prop_assert_eq!(rule.matched, rule.conditions.iter().all(|matched| *matched));
        }
        let first = explanation.rules.iter().find(|rule| rule.matched).map(|rule| rule.index);
        match explanation.reason {
            Reason::Rule { index, position, .. } => {
                prop_assert_eq!(first, Some(index));
                let share = explanation.share.unwrap();
                prop_assert_eq!(share.variant, explanation.variant);
                prop_assert!((share.from..share.to).contains(&position));
                let splits = &targeting.rules[index as usize].splits;
                let split = splits.iter().find(|split| split.variant == *share.variant).unwrap();
                prop_assert_eq!(share.to - share.from, split.percentage.thousandths());
            }
            Reason::Off => prop_assert!(!targeting.enabled && explanation.rules.is_empty() && explanation.share.is_none()),
            Reason::NoRuleMatched => prop_assert!(first.is_none() && explanation.share.is_none()),
        }
    }

    #[test]
    fn evaluation_is_deterministic_and_never_panics(
        (targeting, audiences) in (any_targeting(), audiences()),
        user in user(),
        now: i64,
    ) {
        let now = Instant(now);
        let feature = compile(&targeting, &audiences);
        let evaluation = feature.evaluate(&user, now);
        let again = compile(&targeting, &audiences);
        prop_assert_eq!(evaluation, again.evaluate(&user, now));
        prop_assert_eq!(evaluation.variant, feature.variant(&user, now));
        prop_assert!(feature.variants().contains(evaluation.variant));
        prop_assert!(feature.next_turn(now).is_none_or(|turn| turn > now));
    }

    #[test]
    fn features_that_share_results_of_conditions_have_the_variants_that_they_have_alone(
        (targetings, audiences) in (vec(any_targeting(), 1..80), audiences()),
        user in user(),
        now: i64,
    ) {
        let now = Instant(now);
        let features: Vec<_> = targetings.iter().map(|targeting| compile(targeting, &audiences)).collect();
        let mut results = ConditionResults::default();
        // Twice, so that results are there the second time, or have been replaced by others.
        for feature in features.iter().chain(&features) {
            let alone = CompiledFeature::clone(feature).evaluate(&user, now).variant.clone();
            prop_assert_eq!(&feature.variants()[feature.variant_place(&user, now, &mut results)], &alone);
        }
    }

    #[test]
    fn invalid_rules_never_match(
        (targeting, audiences) in (any_targeting(), audiences()),
        user in user(),
        now: i64,
    ) {
        let feature = compile(&targeting, &audiences);
        let variants = ["off", "v0", "v1", "v2"].map(key);
        let violations = validate(&targeting, &variants, &audiences);
        if let Reason::Rule { index, .. } = feature.evaluate(&user, Instant(now)).reason {
            let pointer = format!("/rules/{index}/");
            let in_rule = violations.iter().any(|violation| violation.pointer.starts_with(&pointer));
            prop_assert!(!in_rule, "{violations:?}");
        }
    }

    #[test]
    fn invalid_conditions_never_match(condition in condition(), user in user(), now: i64) {
        let is_invalid = !validate_conditions(std::slice::from_ref(&condition)).is_empty();
        prop_assert!(!(is_invalid && matches(&condition, &user, Instant(now))));
    }

    #[test]
    fn rules_and_users_evaluate_the_same_after_a_json_round_trip(
        (targeting, audiences) in (any_targeting(), audiences()),
        user in user(),
        now: i64,
    ) {
        // JSON cannot represent NaN and infinity, so ignore inputs with them.
        let finite = |json: &str| !json.contains("null");
        let written = (serde_json::to_string(&targeting).unwrap(), serde_json::to_string(&user).unwrap());
        let conditions = serde_json::to_string(&audiences[&key("beta")]).unwrap();
        prop_assume!(finite(&written.0) && finite(&written.1) && finite(&conditions));
        let read_targeting: Targeting = serde_json::from_str(&written.0).unwrap();
        let read_user: User = serde_json::from_str(&written.1).unwrap();
        let read_audiences = BTreeMap::from([(key("beta"), serde_json::from_str(&conditions).unwrap())]);
        prop_assert_eq!(&read_targeting, &targeting);
        prop_assert_eq!(&read_user, &user);
        let (before, after) = (compile(&targeting, &audiences), compile(&read_targeting, &read_audiences));
        prop_assert_eq!(after.evaluate(&read_user, Instant(now)), before.evaluate(&user, Instant(now)));
    }
}

#[test]
fn the_hot_path_allocates_nothing() {
    let conditions = serde_json::json!([
        {"attribute": "country", "operator": "in", "values": ["SE", "NO"]},
        {"attribute": "email", "operator": "matches", "values": ["@acme\\.com$"]},
        {"attribute": "age", "operator": "greaterThan", "values": [17]},
        {"attribute": "signedUp", "operator": "before", "values": ["2026-11-21"]},
        {"attribute": "flagservice.hourofday", "operator": "lessThan", "values": [24]},
    ]);
    let targeting = targeting(vec![rule(serde_json::from_value(conditions).unwrap(), splits(&[50_000, 50_000]))]);
    let feature = compile(&targeting, &BTreeMap::new());
    let attributes = serde_json::json!({"country": "NO", "email": "a@acme.com", "age": [18], "signedUp": "2025-01-01"});
    let user = serde_json::json!({"id": "alice", "attributes": attributes});
    let user: User = serde_json::from_value(user).unwrap();
    // The first search of a pattern allocates its scratch space.
    assert_ne!(*feature.variant(&user, Instant(0)), key("off"));
    let allocated = allocation_counter::measure(|| {
        std::hint::black_box(feature.variant(&user, Instant(0)));
    });
    assert_eq!(allocated.count_total, 0);
}
